"""The protocol that the experiments share, and committed rows that it gives again."""

import json
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.linear_model import Ridge
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from rfbook import datasets, records
from rfbook.lab.experiments import first_machine, protocol, rahimi_recht, which_map
from rfbook.learning import RandomFeatureRegressor

CLOCKS = {"fit_seconds", "row_seconds", "train_seconds", "test_seconds", "tune_seconds", "peak_mib"}


# ---- splits


def test_a_published_split_is_kept():
    data = replace(datasets.load("digits"), X_test=np.ones((2, 64)), y_test=np.array([3, 4]))
    X, y, X_test, y_test = protocol.split(data, 0, (2, 3))
    assert X is data.X_train and y is data.y_train and X_test is data.X_test and y_test is data.y_test


@pytest.mark.parametrize(("first", "test_first", "tests"), [((2, 3), False, 148), ((1, 10), True, 44)])
def test_a_split_is_a_partition_that_the_seed_decides(first, test_first, tests):
    data = datasets.load("diabetes")
    data = replace(data, y_train=np.arange(len(data.y_train)))  # 442 rows
    X, y, X_test, y_test = protocol.split(data, 3, first, test_first)
    assert len(y_test) == tests == len(X_test) and sorted([*y, *y_test]) == list(range(442))
    assert np.array_equal(X, data.X_train[y]) and np.array_equal(X_test, data.X_train[y_test])
    again = protocol.split(data, 3, first, test_first)
    assert np.array_equal(again[3], y_test)
    assert not np.array_equal(protocol.split(data, 4, first, test_first)[3], y_test)


def test_some_rows():
    rows = protocol.some_rows(50, 20, 0)
    assert len(set(rows)) == 20 and np.array_equal(rows, protocol.some_rows(50, 20, 0))
    assert sorted(protocol.some_rows(10, 99, 1)) == list(range(10))


def test_median_distances_of_dense_and_sparse_rows():
    X = np.random.default_rng(0).standard_normal((40, 3))
    above = np.triu_indices(40, 1)
    expected = np.median(cdist(X, X)[above]), np.median(cdist(X, X, "cityblock")[above])
    assert protocol.median_distances(X) == pytest.approx(expected)
    assert protocol.median_distances(sparse.csr_matrix(X)) == protocol.median_distances(X)


def test_the_logarithm_keeps_the_sign():
    assert np.allclose(protocol.signed_logarithm(np.array([-np.e + 1, 0.0, np.e - 1])), [-1, 0, 1])


# ---- errors


def test_errors():
    y = np.array([1.0, 3.0])
    assert protocol.wrong_share(np.array([1, 2, 3]), np.array([1, 2, 4])) == 1 / 3
    assert protocol.relative_residual(np.zeros(2), y) == 1.0
    assert protocol.standardised_residual(np.full(2, 2.0), y) == 1.0
    assert protocol.standardised_residual(np.full(2, 102.0), y + 100) == 1.0  # does not depend on where zero lies
    assert protocol.task_error(np.zeros(2), y, protocol.relative_residual) == 1.0
    assert protocol.task_error(np.array([1, 2]), np.array([1, 3]), pytest.fail) == 0.5
    assert protocol.is_labels(np.array([1, 2], np.uint8)) and not protocol.is_labels(y)


def test_per_cent():
    rows = [{"m": "a", "error": 0.1}, {"m": "a", "error": 0.2}, {"m": "b", "error": 0.3}]
    cells = [protocol.in_percent(row) for row in records.summary(rows, ("m",), ("error",))]
    assert cells == ["15.00 ± 5.00", "30.00"]


# ---- tuning


def test_folds_are_a_partition_and_keep_the_classes_if_they_can():
    y = np.repeat([0, 1], [60, 30])
    for stratified in (True, False):
        found = protocol.folds(y, 3, 0, stratified)
        assert sorted(np.concatenate([b for _, b in found])) == list(range(90))
        assert all(sorted([*a, *b]) == list(range(90)) for a, b in found)
        assert all(Counter(y[b]) == {0: 20, 1: 10} for _, b in found) == stratified
    few = np.r_[y, 2]  # one row of the third class
    assert {len(b) for _, b in protocol.folds(few, 3, 0)} == {30, 31}
    assert [len(b) for _, b in protocol.folds(np.linspace(0, 1, 10), 5, 0)] == [2] * 5  # regression


def test_cross_validation_is_scikit_learns():
    data = datasets.load("digits")
    X, y = data.X_train[:400], data.y_train[:400]
    parts = [(X[a], y[a], X[b], y[b]) for a, b in protocol.folds(y, 4, seed=1)]
    tried = protocol.cross_validate([{"n_neighbors": k} for k in (50, 1, 3)], KNeighborsClassifier, parts,
                                    protocol.wrong_share)
    for point in tried:
        scores = cross_val_score(KNeighborsClassifier(point["n_neighbors"]), X, y,
                                 cv=StratifiedKFold(4, shuffle=True, random_state=1))
        assert point["error"] == pytest.approx(1 - scores.mean(), abs=1e-12)
    assert protocol.best(tried) == min(tried, key=lambda p: (p["error"], tried.index(p)))
    assert protocol.best([{"n": 1, "error": 0.5}, {"n": 2, "error": 0.5}])["n"] == 1


# ---- clocks, memory, repetitions


def test_training_and_prediction_are_timed_apart():
    class Machine:
        def fit(self, X, y):
            self.value = y.mean()

        def predict(self, X):
            return np.full(len(X), self.value)

    prediction, seconds = protocol.fit_and_predict(Machine(), np.zeros((4, 1)), np.arange(4.0), np.zeros((2, 1)))
    assert list(prediction) == [1.5, 1.5] and list(seconds) == ["train_seconds", "test_seconds"]
    assert all(0 <= value < 5 for value in seconds.values())
    value, spent = protocol.timed(sum, [1, 2])
    assert value == 3 and 0 <= spent < 5
    assert protocol.timed(sorted, [1, 2], reverse=True, clock=iter([1.0, 4.5]).__next__) == ([2, 1], 3.5)


def test_rows_to_fit_and_to_judge():
    data = datasets.load("diabetes")
    X, y, new, later = protocol.to_fit_and_to_judge(data, 300, 60, 3)
    order = np.random.default_rng(3).permutation(len(data.y_train))[:360]
    for got, rows, targets in (((X, y), order[:300], data.y_train), ((new, later), order[300:], data.y_train)):
        assert np.array_equal(got[0], data.X_train[rows]) and np.array_equal(got[1], targets[rows])
    labels = protocol.to_fit_and_to_judge(replace(data, y_train=np.arange(len(data.y_train)) % 3), 30, 60, 3)[1]
    assert np.array_equal(labels, order[:30] % 3 == 2)


def test_what_a_machine_would_miss_at_a_row_without_it():
    X, y = datasets.load("diabetes").X_train[:60], datasets.load("diabetes").y_train[:60].astype(float)
    machine = RandomFeatureRegressor(n_components=20, scaling=None, random_state=0).fit(X, y)
    missed, Z = protocol.missed_without(machine, X, y), machine.features_.transform(X)
    for i in (0, 7, 59):
        others = np.arange(60) != i
        without = Ridge(float(machine.alpha_)).fit(Z[others], y[others]).predict(Z[i : i + 1])[0]
        assert missed[i] == pytest.approx(y[i] - without, rel=1e-6)


def test_memory_above_a_start():
    assert protocol.mebibytes_above(None) is None
    assert protocol.mebibytes_above(0) > 1  # this process holds NumPy


def test_repetitions():
    assert protocol.repetitions((100, None), 2) == [(100, 0), (100, 1), (None, 0)]
    assert protocol.repetitions((64, 256), (2, 1)) == [(64, 0), (64, 1), (256, 0)]
    with pytest.raises(ValueError, match="zip"):
        protocol.repetitions((64, 256), (2,))


# ---- committed rows


def _committed(name):
    return records.read_records(records.book_file(f"results/{name}.jsonl"))[1]


def _agree(mine, theirs):
    """All fields but clocks; the last digits may be those of another processor."""
    assert list(mine) == list(theirs)
    for name in theirs.keys() - CLOCKS:
        if isinstance(theirs[name], list | float):
            assert mine[name] == pytest.approx(theirs[name], rel=1e-4, abs=1e-9), name
        else:
            assert mine[name] == theirs[name], name


def _again(name, module, wanted, tmp_path):
    """Take committed rows out of a copy of the file, let the full run put them back, and compare."""
    path, rows = tmp_path / "rows.jsonl", _committed(name)
    lines = records.book_file(f"results/{name}.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines[1:] if not wanted(json.loads(line))]
    path.write_text("".join([lines[0], *kept]), encoding="utf-8")
    made = module.EXPERIMENT.run(module.FULL, path, progress=False)[len(kept):]
    gone = [row for row in rows if wanted(row)]
    assert len(made) == len(gone) == len(lines) - 1 - len(kept) > 0
    for mine, theirs in zip(made, gone, strict=True):
        _agree(mine, theirs)


def _need(name):
    if name not in {listing.name for listing in datasets.available() if listing.present == "RFBOOK_DATA"}:
        pytest.skip(f"{name} is not in RFBOOK_DATA")


@pytest.mark.parametrize(("family", "method"), [("Gaussian", "iid"), ("Matérn 5/2", "orthogonal"),
                                                ("Laplacian", "binning"), ("polynomial 2", "Maclaurin"),
                                                ("arc-cosine 1", "antithetic")])
def test_committed_kernel_errors_on_normal_points(family, method):
    """These rows need no file of data.

    The peer's, Nystroem, are left out: it divides by singular values down to the rounding of float32, so that the last
    digits of a processor's matrix product are the first of its errors.
    """
    (theirs,) = [row for row in _committed("which_map") if row["stage"] == "kernel" and row["width"] == 64
                 and (row["problem"], row["family"], row["method"]) == ("normal, d = 2", family, method)]
    settings = which_map.FULL
    ready = which_map._Ready(settings, replace(settings.problems[0], dtype="float32"))
    made = which_map.kernel_errors(settings, ready, family, method, 64)
    for name, value in made.items():
        assert value == pytest.approx(theirs[name], rel=1e-4, abs=1e-6), name


def test_committed_rows_of_the_first_machine(tmp_path):
    _need("a9a")
    _again("first_machine", first_machine, lambda r: r.get("n_components") == 50 and r["seed"] < 2, tmp_path)


def test_committed_rows_of_rahimi_and_recht(tmp_path):
    _need("cpu_act")
    chosen = {("Fourier + LS", 100), ("binning + LS", 50)}
    _again("rahimi_recht", rahimi_recht, lambda r: r["problem"] == "CPU" and r.get("seed") in (1, 2)
           and (r["method"], r["width"]) in chosen, tmp_path)


def test_committed_rows_of_the_maps():
    _need("letter")
    settings = which_map.FULL
    ready = which_map._Ready(settings, next(p for p in settings.problems if p.name == "letter"))
    mine = [row for row in _committed("which_map") if row["problem"] == "letter" and row["family"] == "linear"]
    (tuned,) = [row for row in mine if row["stage"] == "tune"]
    made = which_map.tune(settings, ready, "linear")
    assert made["factor"] == tuned["factor"]
    assert made["tried"][0] == pytest.approx(tuned["tried"][0], rel=1e-4)
    (theirs,) = [row for row in mine if row["stage"] == "test" and (row["width"], row["seed"]) == (64, 1)]
    scale = ready.scale("linear", tuned["factor"])
    row = which_map.measure(ready, "linear", theirs["method"], scale, 64, 1)
    assert row["error"] == pytest.approx(theirs["error"], rel=1e-4)
    assert row["alpha"] == pytest.approx(theirs["alpha"], rel=1e-4)


# ---- rows made again


@dataclass(frozen=True)
class _Nothing:
    """Settings of an experiment that has none."""


def _powers(base):
    """An experiment whose rows are powers, as a file has them after a run."""
    def tasks(settings):
        return [({"stage": stage, "power": power}, lambda power=power: {"value": base**power, "seconds": 0.5})
                for stage in ("few", "many") for power in range(3 if stage == "few" else 30)]

    return protocol.Experiment("powers", None, None, report=str, tasks=tasks)


def test_rows_of_this_code_come_out_the_same_and_nothing_is_written(tmp_path):
    experiment, path = _powers(2.0), tmp_path / "powers.jsonl"
    rows = experiment.run(_Nothing(), path, progress=False)
    before = path.read_bytes()
    made = [*experiment.check(rows)]
    assert len(made) == len(rows) == 33 and all(fields == {} for _, fields in made)
    assert {(key["stage"], key["power"]) for key, _ in made} == {(row["stage"], row["power"]) for row in rows}
    stages = [key["stage"] for key, _ in made]
    assert all({*stages[i : i + 2]} == {"few", "many"} for i in (0, 2, 4))  # in turns, while both have some
    assert path.read_bytes() == before and {*tmp_path.iterdir()} == {path, path.with_name("powers.jsonl.lock")}


def test_rows_of_other_code_are_named_with_what_was_and_what_is(tmp_path):
    rows = _powers(2.0).run(_Nothing(), tmp_path / "powers.jsonl", progress=False)
    made = {(key["stage"], key["power"]): fields for key, fields in _powers(3.0).check(rows)}
    assert made["few", 0] == {} and made["few", 2] == {"value": (4.0, 9.0)} and len(made) == len(rows)


def test_only_rows_that_are_there_and_cheap_are_made_again_until_the_time_is_over(tmp_path, monkeypatch):
    rows = _powers(2.0).run(_Nothing(), tmp_path / "powers.jsonl", progress=False)
    assert len([*_powers(2.0).check(rows[:4])]) == 4
    assert [*_powers(2.0).check(rows, seconds=2.0)] == []  # each took half a second, more than a fifth
    clock = iter(range(1000))
    monkeypatch.setattr(protocol.time, "perf_counter", lambda: next(clock))
    assert len([*_powers(2.0).check(rows, seconds=10.0)]) == 10  # one second for each row
