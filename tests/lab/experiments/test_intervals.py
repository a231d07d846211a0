"""Coverage: problems, methods that are what they say, a run that goes on."""

import numpy as np
import pytest

from rfbook import Gaussian, RandomFeatureGP, cli
from rfbook.lab.experiments import intervals

TINY = intervals.Settings(rows=(30, 40), widths=(6, 8), paths=10, points=20, seeds=(2, 2))


def test_points_are_where_they_should_be():
    X, y, inside, outside, f_in, f_out = intervals.problem(TINY, 30, 1)
    assert X.shape == (30, 2) and inside.shape == outside.shape == (20, 2) and len(y) == 30
    assert max(np.abs(X).max(), np.abs(inside).max()) <= 2
    far = np.abs(outside).max(1)
    assert (far > 2).all() and (far <= 4).all() and len(f_in) == len(f_out) == 20
    np.testing.assert_array_equal(intervals.problem(TINY, 30, 1)[1], y)


def test_a_row_is_what_the_machine_gives():
    X, y, inside, outside, f_in, _ = intervals.problem(TINY, 30, 0)
    known = dict(amplitude=1.0, noise=0.01, mean=0.0, random_state=0)
    exact = RandomFeatureGP(Gaussian(), posterior="exact", **known).fit(X, y).predict(inside, return_std=True)[1]
    ours = RandomFeatureGP(Gaussian(), posterior="weights", n_components=6, **known).fit(X, y)
    mean, std = ours.predict(inside, return_std=True)
    row = intervals.measure(TINY, 30, "weights", 6, 0)
    assert row["inside"] == pytest.approx(np.mean(np.abs(mean - f_in) <= 1.959964 * std))
    assert row["width inside"] == pytest.approx(std.mean() / exact.mean(), rel=1e-5)
    assert intervals.measure(TINY, 30, "exact", 1, 0)["width outside"] == 1.0


def test_a_run_and_its_report(tmp_path):
    rows = intervals.EXPERIMENT.run(TINY, tmp_path / "rows.jsonl", progress=False)
    assert len(rows) == 2 * 2 * 8 and all(0 <= row["inside"] <= 1 and row["width outside"] > 0 for row in rows)
    assert intervals.EXPERIMENT.run(TINY, tmp_path / "rows.jsonl", progress=False) == rows
    assert intervals.report(rows).count("\n") == 1 + 16


def test_quick_run_from_the_command_line(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    monkeypatch.setattr(intervals.EXPERIMENT, "quick", TINY)
    assert cli.main(["reproduce", "intervals", "--quick"]) == 0
    assert "jackknife+" in capsys.readouterr().out


@pytest.mark.parametrize("name,value", [("rows", (1, 30)), ("widths", (0,)), ("paths", 0), ("points", 0),
                                        ("seeds", (3,))])
def test_wrong_settings_are_named(name, value):
    with pytest.raises(ValueError, match=name):
        intervals.Settings(**{name: value})
