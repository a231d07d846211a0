"""The first experiment: its split, its tuning, and a run that another run repeats."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from rfbook import cli, records
from rfbook.lab.experiments import first_machine


def test_quick_run_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    assert cli.main(["reproduce", "first-machine", "--quick"]) == 0
    header, rows = records.read_records(tmp_path / "first_machine_quick.jsonl")
    assert header["settings"]["dataset"] == "digits"
    assert len(rows) == 2 + 3 * 5 + 1 and "SVC" in capsys.readouterr().out
    errors = {(r["method"], r["n_components"], r["seed"]): r["error"] for r in rows if r["stage"] == "test"}
    assert errors["Fourier + ridge", 1000, 0] < 0.05 and errors["SVC", None, 0] < 0.05
    (tmp_path / "again").mkdir()
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path / "again"))
    repeated = first_machine.EXPERIMENT.run(first_machine.QUICK, tmp_path / "again" / "r.jsonl", progress=False)
    same = {(r["method"], r["n_components"], r["seed"]): r["error"] for r in repeated if r["stage"] == "test"}
    assert same == errors


def test_a_split_where_none_is_published():
    X, y, X_test, y_test = first_machine.load_split(first_machine.QUICK)
    assert (len(y), len(y_test)) == (1198, 599) and X.dtype == X_test.dtype == np.float32
    assert X.max() == 1.0 and X.min() == 0.0


def test_tuning_is_the_double_loop():
    settings = first_machine.QUICK
    X, y, *_ = first_machine.load_split(settings)
    grid = [(0.1, 1e-2), (0.03, 1e-3), (0.3, 10.0)]

    def make(gamma, alpha):
        return first_machine.machine(gamma, alpha, 100, 0)

    best, errors = first_machine.tune(settings, X, y, make, grid)
    rows = np.random.default_rng(1).permutation(len(y))[:600]
    X, y = X[rows], y[rows]
    folds = list(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y))
    expected = [np.mean([1 - make(*point).fit(X[a], y[a]).score(X[b], y[b]) for a, b in folds]) for point in grid]
    assert errors == expected  # bit for bit, as the committed grids
    assert best == grid[int(np.argmin(expected))]


def test_the_first_of_equal_points_is_chosen():
    X, y, *_ = first_machine.load_split(first_machine.QUICK)
    best, errors = first_machine.tune(first_machine.QUICK, X, y, lambda g, a: first_machine.machine(g, a, 20, 0),
                                      [(0.1, 1.0), (0.1, 1.0)])
    assert errors[0] == errors[1] and best == (0.1, 1.0)
    assert errors[0] == pytest.approx(0.5, abs=0.45)
