"""The experiment on Rahimi and Recht's table: protocol, resumption, the measuring process, the machines beside."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC

from rfbook import cli, datasets, records
from rfbook.lab.experiments import rahimi_recht as rr

TINY = replace(rr.QUICK, problems=rr.QUICK.problems[1:], seeds=2, tune_rows=150, factors=(0.5, 1.0), ridges=(0.1, 1.0),
               boxes=(1.0, 10.0), cells=(2, 4))


def test_quick_run_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    assert cli.main(["reproduce", "rahimi-recht", "--quick"]) == 0
    header, rows = records.read_records(tmp_path / "rahimi_recht_quick.jsonl")
    assert header["settings"] == json.loads(json.dumps(records._header("rahimi-recht", rr.QUICK)["settings"]))
    for problem in rr.QUICK.problems:
        mine = [row for row in rows if row["problem"] == problem.name]
        assert {row["method"] for row in mine} == set(rr.methods(problem))
        draws = [row for row in mine if row["stage"] == "test" and row["method"] == "Fourier + LS"]
        assert len(draws) == rr.QUICK.seeds * len(problem.widths)
        assert all(0 <= row["error"] < 1 for row in mine)
    assert "Fourier + LS" in capsys.readouterr().out


def test_a_stopped_run_goes_on_and_loses_nothing(tmp_path):
    path = tmp_path / "r.jsonl"
    whole = rr.EXPERIMENT.run(TINY, path, progress=False)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:8]) + lines[8][:20])  # killed in the middle of a row
    again = rr.EXPERIMENT.run(TINY, path, progress=False)
    drop = {"train_seconds", "test_seconds", "tune_seconds", "peak_mib"}
    kept = [[{k: v for k, v in row.items() if k not in drop} for row in rows] for rows in (again, whole)]
    assert kept[0] == kept[1]


def test_tuning_gives_every_method_the_same_budget():
    for settings in (rr.FULL, rr.QUICK):
        sizes = {len(rr._grid(settings, method)) for problem in settings.problems for method in rr.methods(problem)}
        assert len(sizes) == 1


def test_the_measuring_process_agrees_with_this_one():
    problem, point = TINY.problems[0], {"scaling": "standard", "scale": 1.0, "strength": 1.0}
    X, y, X_test, y_test = rr.load_problem(problem, TINY.seed)
    split = (*rr.scaled("standard", X, X_test, problem.dtype), y, y_test)
    here = rr._measure(TINY, problem, "binning + LS", point, 20, 3, (split[0], y, split[1], y_test))
    there = rr._fresh(TINY, problem, "binning + LS", point, 20, 3)
    assert np.isclose(here["error"], there["error"], rtol=1e-12)
    assert here["peak_mib"] is None and (there["peak_mib"] is None or there["peak_mib"] >= 0)


def test_a_failing_measuring_process_says_why():
    with pytest.raises(RuntimeError, match="diabetes, exact SVM: the measuring process failed"):
        rr._fresh(TINY, TINY.problems[0], "exact SVM", {"scaling": "range", "scale": 1.0, "strength": -1.0}, None, 0)


def test_machines_on_copies():
    rng = np.random.default_rng(0)
    X, y = np.repeat(rng.standard_normal((30, 2)), 4, axis=0), np.repeat(rng.integers(0, 3, 30), 4)
    ours, theirs = (m.fit(X, y) for m in (rr.DistinctSVC(C=3.0, tol=1e-8), SVC(C=3.0, tol=1e-8)))
    grid = rng.standard_normal((200, 2))
    assert np.allclose(ours.machine.decision_function(grid), theirs.decision_function(grid), atol=1e-5)
    assert ours.machine.shape_fit_[0] < len(X)


def test_a_core_vector_machine_runs_where_a_problem_lists_it(tmp_path):
    problem = rr.Problem("iris", "iris", ("standard",), widths=(20,), grids=(5,), exact=(rr.CORES,))
    settings = replace(TINY, problems=(problem,), seeds=1, tune_rows=60, boxes=(10.0, 100.0))
    rows = rr.EXPERIMENT.run(settings, tmp_path / "r.jsonl", progress=False)
    rows = [row for row in rows if row["method"] == rr.CORES]
    assert [row["stage"] for row in rows] == ["tune", "test"] and rows[1]["error"] < 0.15
    machine = rr.make_machine(rr.CORES, True, (2.0, 3.0), 0.5, 10.0, None, 7)
    assert machine.length_scale == 1.0 and machine.C == 10.0 and machine.random_state == 7


def test_a_scale_counts_medians_of_the_distance_of_its_kernel():
    """Twice a unit of length, Euclidean or of the city blocks, wherever a machine of the table hides it."""
    euclidean, blocks, scale = 2.0, 30.0, 3.0
    made = {method: rr.make_machine(method, False, (euclidean, blocks), scale, 1.0, 8, 0)
            for method in (*rr.FEATURES, *rr._SMALL, rr.CORES)}
    waves, grids = (made[method].features for method in rr.FEATURES)
    assert made[rr.CORES].length_scale == scale * euclidean and grids.length_scale == scale * blocks
    gammas = {"Fourier + LS": waves.gamma, "exact SVM": made["exact SVM"].params["gamma"],
              "kernel ridge": made["kernel ridge"].params["gamma"]}
    assert all(gamma == pytest.approx(0.5 / (scale * euclidean) ** 2) for gamma in gammas.values()), gammas
    laplacian = made["kernel ridge, Laplacian"].params
    assert laplacian["kernel"] == "laplacian" and laplacian["gamma"] == pytest.approx(1 / (scale * blocks))


def test_kernel_ridge_machine():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 2)), rng.standard_normal(60) + 100
    machine = rr.KernelRidgeMachine(False, kernel="rbf", gamma=0.5, alpha=0.1).fit(X, y)
    expected = KernelRidge(kernel="rbf", gamma=0.5, alpha=0.1).fit(X, y - y.mean()).predict(X) + y.mean()
    assert np.allclose(machine.predict(X), expected)
    labels = np.array(["a", "b", "c"])[rng.integers(0, 3, 60)]
    machine = rr.KernelRidgeMachine(True, kernel="rbf", gamma=50.0, alpha=1e-6).fit(X, labels)
    assert (machine.predict(X) == labels).mean() > 0.95


@pytest.mark.parametrize("scaling", ["range", "standard", "rank", "log"])
def test_scalings_look_at_the_training_part_only(scaling):
    rng = np.random.default_rng(1)
    X, wild = rng.standard_normal((100, 3)), rng.standard_normal((10, 3)) * 1e6
    alone, _ = rr.scaled(scaling, X, X[:5])
    beside, _ = rr.scaled(scaling, X, wild)
    assert np.array_equal(alone, beside)


def test_sparse_inputs_stay_sparse_but_where_a_method_cannot():
    X = sparse.random(50, 8, 0.3, format="csr", random_state=0)
    A, B = rr.scaled("range", X, X[:4], "float32")
    assert sparse.issparse(A) and A.dtype == np.float32 and abs(A).max() <= 1
    assert sparse.issparse(rr._dense("binning + LS", A)) and not sparse.issparse(rr._dense("exact SVM", A))


def test_errors():
    y = np.array([3.0, 4.0])
    assert rr.error_of(np.zeros(2), y) == 1.0
    assert rr.error_of(np.array([1, 2, 3]), np.array([1, 2, 4])) == pytest.approx(1 / 3)


def test_targets_of_the_paper():
    present = {listing.name for listing in datasets.available() if listing.present == "RFBOOK_DATA"}
    for problem in rr.FULL.problems:
        if problem.dataset not in present:
            continue
        X, y, X_test, y_test = rr.load_problem(problem)
        assert X.shape[1] == X_test.shape[1] and len(y) == X.shape[0] and len(y_test) == X_test.shape[0]
        if problem.name == "CPU":
            assert (len(y), len(y_test)) == (6554, 819) and y.min() == 1 and y.max() == 100
        if problem.name.startswith("KDD"):
            assert X.shape[1] == 118 and 0.19 < y.mean() < 0.20
