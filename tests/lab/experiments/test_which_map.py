"""The comparison of maps: settings, protocol, resumption, and the rule of the decision."""

import json
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from sklearn.kernel_approximation import Nystroem

from rfbook import cli, records
from rfbook.lab.experiments import which_map as wm

CLOCKS = {"fit_seconds", "row_seconds", "train_seconds", "test_seconds", "tune_seconds"}
TINY = replace(wm.QUICK, problems=(wm.Problem("normal, d = 3", 3), wm.Problem("diabetes", 0, "diabetes")),
               families=("Gaussian", "Laplacian", "polynomial 2", "arc-cosine 1", "linear"), widths=(16, 64), rows=120,
               evaluated=40, test_widths=(16, 32), test_seeds=(2, 1), tune_rows=90, tune_width=16, factors=(0.5, 1.0),
               reference_most=16)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    path = tmp_path_factory.mktemp("which") / "tiny.jsonl"
    return wm.EXPERIMENT.run(TINY, path, progress=False), path


def without_clocks(rows):
    return [{key: value for key, value in row.items() if key not in CLOCKS} for row in rows]


def test_quick_run_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    assert cli.main(["reproduce", "which-map", "--quick"]) == 0
    header, rows = records.read_records(tmp_path / "which_map_quick.jsonl")
    assert header["settings"] == json.loads(json.dumps(records._header("which-map", wm.QUICK)["settings"]))
    assert {row["family"] for row in rows} == set(wm.METHODS)
    for family, methods in wm.METHODS.items():
        for stage in ("kernel", "time", "test"):
            assert {row["method"] for row in rows if (row["family"], row["stage"]) == (family, stage)} == set(methods)
    assert "| breast_cancer | Gaussian |" in capsys.readouterr().out


def test_one_row_per_task(tiny):
    rows, path = tiny
    names = ("stage", "problem", "family", "method", "width", "seed")
    assert Counter(tuple(row.get(n) for n in names) for row in rows).most_common(1)[0][1] == 1
    assert records.read_records(path)[1] == rows
    for problem, d in (("normal, d = 3", 3), ("diabetes", 10)):
        cells = list(wm.cells(TINY, d, TINY.widths))
        for stage in ("kernel", "time"):
            assert [(r["family"], r["method"], r["width"]) for r in rows
                    if (r["stage"], r["problem"]) == (stage, problem)] == cells
    kernel = [row for row in rows if row["stage"] == "kernel"]
    assert all(len(row["errors"]) == TINY.seeds and 0 <= row["error"] < 5 for row in kernel)
    assert all(row["fit_seconds"] > 0 and row["row_seconds"] > 0 for row in rows if row["stage"] == "time")
    tests = [row for row in rows if row["stage"] == "test"]
    assert {row["problem"] for row in tests} == {"diabetes"}
    draws = Counter((row["family"], row["method"], row["width"]) for row in tests)
    assert draws == {cell: dict(zip(TINY.test_widths, TINY.test_seeds, strict=True))[cell[2]]
                     for cell in wm.cells(TINY, 10, TINY.test_widths)}
    assert all(0 < row["error"] < 2 for row in tests)


def test_a_stopped_run_goes_on_and_loses_nothing(tiny, tmp_path):
    rows, path = tiny
    lines = path.read_text().splitlines(keepends=True)
    for kept in (1, 80, len(lines) - 3):
        again = tmp_path / f"{kept}.jsonl"
        again.write_text("".join(lines[:kept]) + lines[kept][:25])  # killed in the middle of a row
        assert without_clocks(wm.EXPERIMENT.run(TINY, again, progress=False)) == without_clocks(rows)
        assert again.read_text().splitlines(keepends=True)[:kept] == lines[:kept]


def test_other_settings_are_refused(tiny):
    with pytest.raises(records.RecordsError, match="made with other settings"):
        wm.EXPERIMENT.run(replace(TINY, seeds=3), tiny[1], progress=False)


@pytest.mark.parametrize(("change", "words"), [
    ({"seeds": 0}, "seeds is 0"), ({"numbers": 0}, "numbers is 0"), ({"rows": 2.5}, "rows is 2.5"),
    ({"evaluated": 1}, "evaluated is 1"),
    ({"folds": 1}, "folds is 1"), ({"seed": -1}, "seed is -1"), ({"widths": ()}, r"widths is \(\)"),
    ({"widths": (64, 64)}, "widths is .* integers that grow"), ({"widths": (4, 64)}, "widths is 4"),
    ({"test_widths": (64, 32, 128)}, "test_widths is .* integers that grow"),
    ({"test_seeds": (1,)}, "test_seeds is .* one integer for each"), ({"test_seeds": (1, 0, 1)}, "test_seeds is 0"),
    ({"factors": (0.0,)}, "factors is 0.0"), ({"families": ("gauss",)}, "families is 'gauss'"),
])
def test_wrong_settings(change, words):
    with pytest.raises(ValueError, match=words):
        replace(wm.FULL, **change)


@pytest.mark.parametrize(("arguments", "words"), [
    (("a",), "dataset is '' and d is 0"), (("a", 3, "digits"), "dataset is 'digits' and d is 3"),
    (("a", -1), "d is -1"), (("a", 0, "digits", "rank"), "scaling is 'rank'"),
    (("a", 0, "digits", "log", "f4"), "dtype is 'f4'"),
])
def test_wrong_problems(arguments, words):
    with pytest.raises(ValueError, match=words):
        wm.Problem(*arguments)


def test_what_the_protocol_says_of_the_full_run():
    assert [p.d for p in wm.FULL.problems if not p.dataset] == [2, 8, 32, 128, 512]
    assert {p.dataset for p in wm.FULL.problems if p.dataset} == {"cpu_act", "letter", "usps", "a9a"}
    assert wm.FULL.seeds == 10 and wm.FULL.families == tuple(wm.METHODS)
    cells = list(wm.cells(wm.FULL, 128, wm.FULL.widths))
    assert len(cells) == len(set(cells))
    assert max(w for _, m, w in cells if m == "Nystroem") == 256
    assert [w for _, m, w in cells if m == "coordinates"] == [64, 256]  # 64 of 128, then all


@pytest.mark.parametrize("family", list(wm.METHODS))
def test_every_map_estimates_the_kernel_of_its_family(family):
    X = np.random.default_rng(0).standard_normal((30, 3))
    X = np.c_[X, np.ones(30)] if family == "arc-cosine 1" else X
    K = wm.make_kernel(family, 1.7, 3)(X)
    for method in wm.METHODS[family]:
        width, draws = (30, 2) if method == "Nystroem" else (512, 30)  # with all rows as landmarks it is exact
        estimates = []
        for seed in range(draws):
            Z = wm.make_map(family, method, 1.7, 3, width, seed).fit_transform(X)
            estimates.append(np.asarray((Z @ Z.T).todense() if hasattr(Z, "todense") else Z @ Z.T))
        gap = np.sqrt(np.mean((np.mean(estimates, axis=0) - K) ** 2))
        spread = np.sqrt(np.mean(np.var(estimates, axis=0, ddof=1)) / draws)  # the standard error of that mean
        bias = 0.04 if method == "structured" else 1e-9  # it has one, and in three dimensions one of 0.03
        assert gap < 4 * spread + bias, method


def test_widths_are_those_of_the_output():
    X = np.random.default_rng(0).standard_normal((50, 4)).astype(np.float32)
    for family, methods in wm.METHODS.items():
        for method in methods:
            Z = wm.make_map(family, method, 1.0, 4, 32, 0).fit_transform(
                np.c_[X, np.ones(50, np.float32)] if family == "arc-cosine 1" else X)
            assert Z.shape[1] == {"coordinates": 4}.get(method, 32) or method == "binning"
            if method == "binning":
                assert Z.nnz == 50 * 4


def test_the_test_part_is_not_looked_at(monkeypatch):
    problem = wm.Problem("diabetes", 0, "diabetes")
    before = wm.load_problem(TINY, replace(problem, dtype="float32"))
    real = wm.datasets.load

    def spoiled(name):
        data = real(name)
        X, y = data.X_train.copy(), data.y_train
        last = np.random.default_rng(TINY.seed).permutation(len(y))[len(y) * 2 // 3 :]
        X[last] *= 1e6
        return replace(data, X_train=X)

    monkeypatch.setattr(wm.datasets, "load", spoiled)
    after = wm.load_problem(TINY, replace(problem, dtype="float32"))
    assert np.array_equal(before[0], after[0]) and not np.array_equal(before[2], after[2])
    assert before[0].dtype == np.float32 and np.allclose(before[0].mean(0), 0, atol=1e-5)
    assert np.allclose(before[0].std(0), 1, atol=1e-4)


def test_logarithms_and_centring():
    log, centred = (wm.load_problem(TINY, wm.Problem("x", 0, "breast_cancer", how))[0] for how in ("log", "centred"))
    assert np.allclose(log.std(0), 1, atol=1e-4) and np.ptp(centred.std(0)) > 1
    assert np.allclose(centred.mean(0), 0, atol=1e-3)


def test_points_beyond_the_data_do_not_depend_on_them():
    few, many = (wm.load_problem(TINY, wm.Problem("n", d)) for d in (3, 5))
    assert few[0].shape == (120, 3) and many[2].shape == (40, 5) and few[1] is None
    assert np.array_equal(few[0], wm.load_problem(TINY, wm.Problem("other name", 3))[0])


def test_a_reference_sees_training_rows_and_the_others_do_not(monkeypatch):
    seen = []
    fit = Nystroem.fit

    def watched(self, X, y=None):
        seen.append(np.asarray(X))
        return fit(self, X, y)

    monkeypatch.setattr(Nystroem, "fit", watched)
    ready = wm._Ready(TINY, TINY.problems[0])
    wm.kernel_errors(TINY, ready, "Gaussian", "Nystroem", 16)
    assert all(np.array_equal(X, ready.data[0]) for X in seen) and len(seen) == TINY.seeds


def test_part_a_is_in_single_precision_and_the_clock_makes_so_many_numbers(monkeypatch):
    seen = []
    make = wm.make_map

    def watched(*args):
        made = make(*args)
        transform = made.transform

        def look(X):
            seen.append((X.dtype, len(X)))
            return transform(X)

        made.transform = look
        return made

    monkeypatch.setattr(wm, "make_map", watched)
    settings = replace(TINY, families=("Gaussian",), rows=2000, numbers=64 * 600)
    ready = wm._Ready(settings, wm.Problem("n", 3, dtype="float32"))
    row = wm.clock(settings, ready, 64)["Gaussian", "orthogonal"]
    assert row["timed_rows"] == 600 and {dtype for dtype, _ in seen} == {np.dtype("float32")}
    assert [n for _, n in seen if n not in (500, 600)] == []  # the warm-up, the rounds


def test_errors_are_in_units_of_the_diagonal():
    ready = wm._Ready(TINY, TINY.problems[0])
    for family in ("Gaussian", "polynomial 2", "arc-cosine 1"):
        scale = ready.scale(family)
        X, K = ready.evaluated(family), ready.exact(family, scale)
        features = ready.map(family, wm.METHODS[family][0], scale, 64, 3).fit(X)
        Z = features.transform(X).astype(float)
        expected = np.sqrt(np.mean((Z @ Z.T - K) ** 2)) / np.trace(K) * len(K)
        assert wm.kernel_error(ready, features, family, scale) == pytest.approx(expected, rel=1e-3)
    assert ready.exact("Gaussian", 1.0) is ready.exact("Gaussian", 1.0)


def test_task_errors():
    assert wm.task_error(np.array([1, 2, 3]), np.array([1, 2, 4])) == pytest.approx(1 / 3, rel=1e-5)
    y = np.array([1.0, 3.0])
    assert wm.task_error(np.full(2, 2.0), y) == 1.0


def test_reach():
    line = [(1.0, 0.1, 64), (4.0, 0.05, 256), (16.0, 0.025, 1024)]  # the error is 0.1 over the root of the time
    for target in (0.09, 0.05, 0.03, 0.025):
        share = (0.1 / target) ** 2
        assert wm.reach(line, target) == pytest.approx((share, 64 * share))
    assert wm.reach(line, 0.5) == (1.0, 64)  # not before the first point
    assert wm.reach(line, 0.02) == (math.inf, math.inf) == wm.reach([], 0.1)  # nor after the last
    assert 1.0 < wm.reach([(1.0, 0.1, 8), (2.0, 0.0, 16)], 0.05)[0] < 2.0  # an exact map
    assert wm.reach([(3.0, 0.1, 8), (2.0, 0.05, 16)], 0.05) == (2.0, 16)  # a wider map that was faster


def test_ties_are_named_together():
    assert wm.fastest({"a": 1.1, "b": 1.0, "c": 1.11}, 0.1) == ["b", "a"]
    assert wm.fastest({"a": math.inf}, 0.1) == [] == wm.fastest({}, 0.1)


def test_decision_by_the_rule():
    def made(method, width, error, seconds):
        key = {"problem": "p", "d": 3, "family": "Gaussian", "method": method, "width": width}
        return [{**key, "stage": "kernel", "error": error, "error_se": 0.0},
                {**key, "stage": "time", "fit_seconds": 0.0, "row_seconds": seconds / 10_000}]

    rows = sum([made("iid", 64, 0.1, 1.0), made("iid", 256, 0.05, 4.0), made("sobol", 64, 0.2, 1.0),
                made("sobol", 256, 0.02, 4.0), made("Nystroem", 64, 0.001, 0.1), made("halton", 64, 0.1, 1.05)], [])
    found = {r["target"]: r for r in wm.decision(rows, targets=(0.1, 0.05, 0.02, 0.01))}
    assert found[0.1]["maps"] == ["iid", "halton"]  # sobol gets there later, Nystroem takes no part
    assert found[0.05]["maps"] == ["sobol"]
    assert found[0.02]["maps"] == ["sobol"] and (found[0.02]["seconds"], found[0.02]["width"]) == (4.0, 256)
    assert found[0.01]["maps"] == [] and found[0.01]["seconds"] is None is found[0.01]["width"]
    # at 0.1 the narrowest map is good enough: a bound, not a measurement
    assert [found[t]["at_most"] for t in (0.1, 0.05, 0.02, 0.01)] == [True, False, False, False]
    few = wm.decision(rows, targets=(0.1,), n=100)[0]
    assert few["seconds"] == pytest.approx(0.01)


def test_cheapest_of_the_task(tiny):
    rows, _ = tiny
    table = wm.downstream(rows)
    for r in wm.cheapest(rows):
        mine = [t for t in table if (t["problem"], t["family"]) == (r["problem"], r["family"])]
        mine = [t for t in mine if t["method"] not in wm.REFERENCES]
        good = [t for t in mine if t["error"] <= 1.05 * min(t["error"] for t in mine)]
        assert r["seconds"] == min(t["seconds"] for t in good)
        assert r["maps"][0] == f"{r['method']} ({r['width']})"
    assert wm.report(rows).count("\n\n") == 1
