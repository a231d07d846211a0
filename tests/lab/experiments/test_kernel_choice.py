"""The experiment on choosing kernels: what is measured, what refitting costs, the table, settings that are refused."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

from rfbook import RandomFeatureRegressor, choose_kernel, cli
from rfbook.lab.experiments import kernel_choice
from rfbook.records import book_file, read_records

TINY = replace(kernel_choice.QUICK, rows=80, new=40, n_components=20, seeds=2, scales=(1.0, 2.0))


def test_table():
    X, y, new, later = kernel_choice.table(TINY, "diabetes", 1)
    assert X.shape == (80, 10) and new.shape == (40, 10) and y.std() == pytest.approx(1.0) and len(later) == 40
    again = kernel_choice.table(TINY, "diabetes", 2)[0]
    assert not np.array_equal(X, again)


def test_refitting_finds_the_best():
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, (100, 1))
    y = np.sin(X[:, 0])
    machines = [RandomFeatureRegressor(length_scale=scale, n_components=50, alpha=1e-3, random_state=0)
                for scale in (0.1, 1.0, 30.0)]
    assert kernel_choice.refitted(machines, X, y, 4) == (1, 3 * 300)


class Wary(BaseEstimator):
    """Zero, for rows that it has not been fitted to."""

    def fit(self, X, y):
        self.seen_ = set(X[:, 0])
        return self

    def predict(self, X):
        assert not self.seen_ & set(X[:, 0])
        return np.zeros(len(X))


def test_no_machine_is_asked_about_rows_that_it_has_seen():
    X = np.arange(20.0)[:, None]
    assert kernel_choice.refitted([Wary(), Wary()], X, X[:, 0], 4) == (0, 2 * 60)


def test_rows_and_report(tmp_path, monkeypatch, capsys):
    rows = kernel_choice.EXPERIMENT.run(TINY, tmp_path / "rows.jsonl", progress=False)
    assert len(rows) == 2 and kernel_choice.report(rows).count("\n") == 2
    for row in rows:
        X, y, new, later = kernel_choice.table(TINY, "diabetes", row["seed"])
        base = RandomFeatureRegressor(n_components=20, scaling="standard", random_state=row["seed"])
        for how in ("cv", "gcv"):
            choice = choose_kernel(base, X, y, criterion=how, kernels=TINY.kernels, scales=TINY.scales)
            assert row["errors"][how] == pytest.approx(np.mean((choice.machine.predict(new) - later) ** 2), abs=2e-5)
            assert row["said"][how] == pytest.approx(choice.results["score"].min(), abs=2e-5)
            assert row["names"][how][0] == choice.kernel and row["candidates"] == 4 == len(row["hindsight"])
            best = choice.machine  # in the end that of "gcv"
        off = np.sort((best.predict(new) - later) ** 2)
        assert row["five_new"] == pytest.approx(off[-5:].sum() / off.sum(), abs=2e-3)
        assert row["fitted"] == {"gcv": 320, "cv": 320, "refit": 4 * 5 * 64 + 80}
        assert row["errors"]["refit"] in row["hindsight"] and row["hindsight"] == sorted(row["hindsight"])
        alone = clone(choice.machine).set_params(alpha="auto").fit(X, y)
        error = np.mean((alone.predict(new) - later) ** 2)
        assert min(abs(error - e) for e in row["hindsight"]) < 1e-4
    monkeypatch.setattr(kernel_choice.EXPERIMENT, "quick", TINY)
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    assert cli.main(["reproduce", "kernel-choice", "--quick"]) == 0
    assert "| diabetes |" in capsys.readouterr().out


def test_the_error_is_that_of_the_machine_that_was_chosen_not_of_the_best(monkeypatch):
    settings, found = replace(TINY, scales=(1.0,)), []
    for winner in (0, 1):
        monkeypatch.setattr(kernel_choice, "refitted", lambda machines, *rest, winner=winner: (winner, 0))
        row = kernel_choice.measure(settings, "diabetes", 0)
        found.append(row["errors"]["refit"])
    assert sorted(found) == row["hindsight"] and found[0] != found[1]


def test_committed_rows():
    header, rows = read_records(book_file("results/kernel_choice.jsonl"))
    assert len(rows) == 30 and {row["dataset"] for row in rows} == set(kernel_choice.FULL.names)
    assert all(row["candidates"] == 24 for row in rows)


@pytest.mark.parametrize(("name", "value"), [("rows", 1), ("new", 0), ("n_components", 0), ("folds", 1), ("seeds", 0)])
def test_wrong_settings(name, value):
    with pytest.raises(ValueError, match=f"^{name} is "):
        kernel_choice.Settings(**{name: value})
