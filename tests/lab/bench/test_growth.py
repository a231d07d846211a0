"""How time and memory grow: exponents of rows that are made up, and what docstrings state. Nothing here is timed."""

import inspect

import numpy as np
import pytest

from rfbook import cli, records
from rfbook.lab.bench import growth

FULL = growth.Settings()
LINES = [(name, axis) for name, subject in growth.SUBJECTS.items() for axis in subject.tops]


def rows_of(name, axis, seconds, held=lambda cost: 8 * cost, settings=FULL):
    """Rows of one line whose times are a function of the stated cost and of the size."""
    subject, made = growth.SUBJECTS[name], []
    for size in growth.sizes(subject, axis, settings):
        cost = subject.stated(**size)
        made.append({"subject": name, "axis": axis, "size": size[axis], **size, "bytes": held(cost), "load": None,
                     "seconds": [5 * seconds(cost, size[axis]), seconds(cost, size[axis])]})
    return made[::-1]  # as a file that was written by a run that resumed


@pytest.mark.parametrize(("name", "axis"), LINES)
def test_a_time_that_is_the_stated_cost_has_its_exponent(name, axis):
    said = growth.lines(rows_of(name, axis, lambda cost, size: 1e-9 * cost))[name, axis]
    np.testing.assert_allclose(said["time"], (said["stated"][0], 0), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(said["memory"], said["stated"], rtol=1e-9, atol=1e-12)
    slope, _ = growth.exponent(said["sizes"], said["seconds"])
    np.testing.assert_allclose(slope, said["time"][0], rtol=1e-9, atol=1e-9)
    assert list(said["sizes"]) == sorted(said["sizes"]) and not growth.faster({(name, axis): said})


@pytest.mark.parametrize(("name", "axis"), LINES)
def test_a_loop_too_many_is_told_and_one_fewer_is_not(name, axis):
    more = growth.lines(rows_of(name, axis, lambda cost, size: 1e-9 * cost * size**0.7))
    assert growth.faster(more) == [(name, axis)]
    less = growth.lines(rows_of(name, axis, lambda cost, size: 1e-9 * cost / size**0.7))
    assert growth.faster(less) == []


def test_what_does_not_grow_hardly_bends_the_upper_half():
    """Calls and checks of a millisecond, beside a second at the largest size."""
    rows = rows_of("dense map", "n", lambda cost, size: 1e-3 + 1e-5 * size)
    slope, half = growth.lines(rows)["dense map", "n"]["time"]
    x = np.log([row["size"] for row in rows])
    whole = np.polyfit(x, np.log([min(row["seconds"]) for row in rows]), 1)[0]
    assert abs(slope - 1) < 0.03 and half < 0.06 and abs(whole - 1) > 3 * abs(slope - 1)


def test_the_interval_is_that_of_least_squares():
    """Against NumPy's covariance of the coefficients, of the upper half, and Student's quantile of two degrees."""
    rng = np.random.default_rng(0)
    size = np.geomspace(1, 1000, 7)
    value = size**1.3 * np.exp(0.1 * rng.standard_normal(7))
    coef, cov = np.polyfit(np.log(size[3:]), np.log(value[3:]), 1, cov=True)
    np.testing.assert_allclose(growth.exponent(size, value), (coef[0], 4.30265273 * cov[0, 0] ** 0.5), rtol=1e-7)
    order = rng.permutation(7)
    np.testing.assert_allclose(growth.exponent(size[order], value[order]), growth.exponent(size, value), rtol=1e-9)


def test_the_interval_holds_the_exponent_as_often_as_it_says():
    """Of 2,000 lines about 95 in 100: a binomial count, within five of its deviations."""
    rng, size = np.random.default_rng(1), np.geomspace(1, 1000, 9)
    held = 0
    for _ in range(2000):
        slope, half = growth.exponent(size, size**2 * np.exp(0.2 * rng.standard_normal(9)))
        held += abs(slope - 2) <= half
    assert abs(held - 1900) < 5 * (2000 * 0.95 * 0.05) ** 0.5


@pytest.mark.parametrize("name", growth.SUBJECTS)
def test_docstrings_state_the_costs_that_are_compared(name):
    subject = growth.SUBJECTS[name]
    assert f"O({subject.cost}" in " ".join(inspect.getdoc(subject.of).split())
    assert set(subject.tops) == set(subject.letters) and set(subject.decades) <= set(subject.tops)


@pytest.mark.parametrize(("name", "axis"), LINES)
def test_sizes_grow_one_at_a_time_and_can_be_made(name, axis):
    subject = growth.SUBJECTS[name]
    sizes = growth.sizes(subject, axis, FULL)
    assert len(sizes) >= 9 and [size[axis] for size in sizes] == sorted({size[axis] for size in sizes})
    assert all(len({size[other] for size in sizes}) == 1 for other in sizes[0] if other != axis)
    assert sizes[-1][axis] / sizes[0][axis] >= 10 ** (subject.decades.get(axis, 3.0) - 0.35)
    subject.make(**growth.sizes(subject, axis, growth.Settings(share=0.001, points=3))[0])()


def test_rows_are_written_and_a_killed_run_resumes(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    monkeypatch.setattr(growth, "SUBJECTS", {"dense map": growth.SUBJECTS["dense map"]})
    done: list = []

    def measured(subject, size, settings):
        if len(done) == 3 and not (tmp_path / "again").exists():
            (tmp_path / "again").touch()
            raise KeyboardInterrupt
        done.append(size)
        return {**size, "seconds": [1e-9 * subject.stated(**size)], "bytes": 8, "load": None}

    monkeypatch.setattr(growth, "_measured", measured)
    assert cli.main(["bench", "scaling"]) == 130 and not (tmp_path / "growth.jsonl").exists()
    assert cli.main(["bench", "scaling"]) == 0 and len(done) == 33
    header, rows = records.read_records(tmp_path / "growth.jsonl")
    assert len(rows) == 33 and header["settings"]["processor"] and not header["settings"]["quick"]
    out = capsys.readouterr().out
    assert "| dense map | O(n d D) | n | 100 | 100,000 | 1.00 ± 0.00 | 1.00 |" in out and "written to" in out
    assert cli.main(["bench", "scaling", "--quick"]) == 0
    assert "nothing is written" in capsys.readouterr().out
    assert records.read_records(tmp_path / "growth.jsonl")[1] == rows
