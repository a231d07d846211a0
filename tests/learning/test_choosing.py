"""A kernel from a few in one pass: machines as one by one, one answer however rows come, what is refused."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone

from rfbook import (
    Gaussian,
    Laplacian,
    RandomFeatureClassifier,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    SumKernel,
    choose_kernel,
)
from rfbook.bounds import choice_optimism
from rfbook.learning import choosing

rng = np.random.default_rng(0)
X = rng.uniform(-3, 3, (600, 3))
Y = np.c_[np.sin(2 * X[:, 0]), np.abs(X[:, 1])] + 0.1 * rng.standard_normal((600, 2))
y = Y[:, 0]
MACHINE = RandomFeatureRegressor(n_components=40, random_state=3)
FEW: dict = {"kernels": ["gaussian", SumKernel([Gaussian(2.0), Laplacian(1.0)]), "laplacian"], "scales": [0.5, 2.0]}
SUMS: dict = {**FEW, "criterion": "gcv"}  # of folds, which are random within each block, sums depend on the blocks


@pytest.mark.parametrize("criterion", ["gcv", "cv"])
@pytest.mark.parametrize("target", [y, Y], ids=["one", "two"])
def test_candidates_are_machines_one_by_one(criterion, target):
    before = MACHINE.get_params()
    choice = choose_kernel(MACHINE, X, target, criterion=criterion, **FEW)
    found = choice.results
    assert MACHINE.get_params() == before and not hasattr(MACHINE, "feature_coef_")
    assert [str(k) for k in found["kernel"]] == [str(FEW["kernels"][i]) for i in (0, 0, 1, 2, 2)]
    assert_array_equal(found["multiple"], [0.5, 2.0, np.nan, 0.5, 2.0])
    assert_array_equal(np.sort(found["rank"]), np.arange(1, 6))
    spread = np.var(np.atleast_2d(target.T), axis=1)
    for i, kernel in enumerate(found["kernel"]):
        scale = found["length_scale"][i]
        alone = clone(choice.machine).set_params(kernel=kernel, length_scale="auto" if np.isnan(scale) else scale)
        alone.fit(X, target)
        scores = alone.alpha_scores_.reshape(len(found["alphas"]), -1) / spread
        assert_allclose(found["scores"][i], scores.mean(1), rtol=1e-6)
        assert_allclose(found["score"][i], scores.min(0).mean(), rtol=1e-6)
        assert_allclose(found["alpha"][i], alone.alpha_, rtol=1e-9)
        if found["rank"][i] == 1:
            assert choice.kernel is kernel or choice.kernel == kernel
            assert_allclose(choice.machine.predict(X), alone.predict(X), atol=1e-6)
    assert found["score"][found["rank"] == 1] == found["score"].min()


def test_ties_go_to_the_first():
    choice = choose_kernel(MACHINE, X, y, kernels=["rbf", "gaussian"], scales=[1.0, 1.0])
    assert choice.kernel == "rbf" and choice.results["rank"].tolist() == [1, 2, 3, 4]


def test_rows_may_come_in_any_way(monkeypatch):
    """Rows of a slice, in slices, from an iterator, from a frame and a sparse matrix: one answer, up to the draws."""
    monkeypatch.setattr(choosing, "_SLICE", 100)
    monkeypatch.setattr(choosing, "_HEAD", 600)  # all rows decide
    whole = choose_kernel(MACHINE, X, y, **SUMS)
    monkeypatch.undo()
    frame = pytest.importorskip("pandas").DataFrame(X, columns=list("abc"))
    for rows, targets in ((X, y), (((X[i : i + 50], y[i : i + 50]) for i in range(0, 600, 50)), None),
                          (frame, y.tolist()), (X.tolist(), y)):
        again = choose_kernel(MACHINE, rows, targets, **SUMS)
        assert_allclose(again.results["score"], whole.results["score"], rtol=1e-6)
    thin = choose_kernel(MACHINE, sparse.csr_array(np.where(X > 1, X, 0)), y, **SUMS)
    assert thin.results["score"].shape == (5,) and sparse.issparse(sparse.csr_array(X))


def test_rows_of_a_mapped_file(tmp_path, monkeypatch):
    np.save(tmp_path / "X.npy", X)
    monkeypatch.setattr(choosing, "_SLICE", 128)
    monkeypatch.setattr(choosing, "_HEAD", 100)
    mapped = choose_kernel(MACHINE, np.load(tmp_path / "X.npy", mmap_mode="r"), y, **SUMS)
    assert_allclose(mapped.results["score"], choose_kernel(MACHINE, X, y, **SUMS).results["score"], rtol=1e-9)


def test_every_row_is_taken_once(monkeypatch):
    """In slices the rows that decide are seen twice, and counted once."""
    monkeypatch.setattr(choosing, "_SLICE", 100)
    weights = rng.integers(0, 3, 600).astype(float)
    choice = choose_kernel(MACHINE, X, y, sample_weight=weights, criterion="cv", **FEW)
    folds = choice.machine._stream.folds
    assert sum(fold.count for fold in folds) == np.count_nonzero(weights)
    assert sum(fold.weight for fold in folds) == weights.sum()


def test_sorted_rows(monkeypatch):
    """What has to be known first is taken evenly from rows that somebody has sorted."""
    monkeypatch.setattr(choosing, "_SLICE", 100)
    monkeypatch.setattr(choosing, "_HEAD", 60)
    order = np.argsort(X[:, 0])
    choice = choose_kernel(MACHINE, X[order], y[order], **FEW)
    assert_allclose(choice.machine.scaler_.mean_, X.mean(0), atol=0.6)  # means of 60 rows, with a deviation of 0.22


def test_labels():
    labels = np.where(X[:, 0] > 0.5, "far", np.where(X[:, 1] > 0, "up", "down"))
    machine = RandomFeatureClassifier(n_components=60, random_state=0)
    choice = choose_kernel(machine, X, labels, **SUMS)
    assert choice.machine.classes_.tolist() == ["down", "far", "up"] and choice.machine.score(X, labels) > 0.8
    blocks = ((X[i : i + 300], labels[i : i + 300]) for i in (0, 300))
    again = choose_kernel(machine, blocks, classes=["up", "down", "far"], **SUMS)
    assert_allclose(again.results["score"], choice.results["score"], rtol=1e-6)
    several = np.c_[X[:, 0] > 0, X[:, 1] > 0].astype(int)
    assert choose_kernel(machine, X, several, **SUMS).machine.predict(X).shape == (600, 2)


def test_a_cluster():
    dask = pytest.importorskip("dask.array")
    chunks = dask.from_array(X, chunks=(200, 3)), dask.from_array(y, chunks=200)
    choice = choose_kernel(MACHINE, *chunks, progress=True, **SUMS)
    assert_allclose(choice.results["score"], choose_kernel(MACHINE, X, y, **SUMS).results["score"], rtol=1e-6)


def test_a_choice_goes_on_and_is_a_machine():
    choice = choose_kernel(MACHINE, X, y, **FEW)
    fresh = rng.uniform(-3, 3, (50, 3))
    choice.machine.partial_fit(fresh, np.sin(2 * fresh[:, 0]))
    assert choice.machine.predict(fresh).shape == (50,)


def test_the_best_is_found():
    """A target with kinks along the columns, and a smooth one: the scores name kernels that err less on new rows."""
    new = rng.uniform(-3, 3, (1000, 3))
    for target in (lambda Z: np.abs(Z).sum(1), lambda Z: np.sin(Z.sum(1))):
        choice = choose_kernel(MACHINE.set_params(n_components=100), X, target(X) + 0.05 * rng.standard_normal(600))
        errors = [np.mean((clone(choice.machine).set_params(kernel=k, length_scale=s).fit(X, target(X)).predict(new)
                           - target(new)) ** 2)
                  for k, s in zip(choice.results["kernel"], choice.results["length_scale"], strict=True)]
        best = int(choice.results["score"].argmin())
        assert errors[best] <= np.quantile(errors, 0.25)
    MACHINE.set_params(n_components=40)


def test_nothing_is_said_of_poor_candidates_and_something_of_poor_rows():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        choose_kernel(MACHINE, X, y, kernels=["gaussian"], scales=[1e-3, 1.0])
    with pytest.warns(UserWarning, match="look at X"):
        choose_kernel(MACHINE, X, rng.standard_normal(600), **FEW)


def test_progress(capsys):
    choose_kernel(MACHINE, X, y, progress=True, **FEW)
    assert "5 candidates: 100%" in capsys.readouterr().err
    choose_kernel(MACHINE, X, y, **FEW)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("given", "words"), [
    ({"machine": Gaussian()}, "machine is .*without features"), ({"machine": RandomFeatureRegressor}, "machine is "),
    ({"machine": RandomFeatureRegressor(RandomFourierFeatures())}, "machine is .*without features"),
    ({"machine": RandomFeatureRegressor(loss="huber")}, "machine is .*squared"),
    ({"kernels": []}, "kernels is "), ({"kernels": "gaussian"}, "kernels is "),
    ({"kernels": ["gauss"]}, "kernels holds"),
    ({"kernels": [3]}, "kernels holds 3"), ({"scales": []}, "scales is "), ({"scales": [0.0]}, "scales is 0"),
    ({"scales": 1.0}, "scales is 1.0"), ({"scales": [np.nan]}, "scales is nan"),
    ({"criterion": "loo"}, "criterion is "),
    ({"progress": "yes"}, "progress is "), ({"y": y[:-1]}, "inconsistent numbers"), ({"X": X * np.nan}, "NaN"),
    ({"X": X * 1e300}, "X holds numbers so large|overflow"), ({"y": None}, "y"),
    ({"X": None}, "X has shape"), ({"X": X[0]}, "X has shape"), ({"sample_weight": [1.0]}, "inconsistent numbers"),
    ({"sample_weight": -np.ones(600)}, "sample_weight|Negative"), ({"X": np.ndarray}, "X has shape"),
    ({"y": 3.0}, "y is 3.0"), ({"sample_weight": 3.0}, "sample_weight is 3.0"),
    ({"y": 1e200 * y}, "y holds numbers so large"),
    ({"machine": RandomFeatureClassifier(), "y": np.array([1, "a"] * 300, dtype=object)}, "y holds labels of several"),
    ({"machine": RandomFeatureClassifier(), "y": np.ones(600, dtype=int), "classes": []}, r"classes is \[\]"),
])
def test_wrong_arguments(given, words):
    whole = {"machine": MACHINE, "X": X, "y": y, **FEW, **given}
    with pytest.raises(ValueError, match=words):
        choose_kernel(whole.pop("machine"), whole.pop("X"), whole.pop("y"), **whole)


def test_choice_optimism():
    assert choice_optimism(100, 1) == 0.0 and choice_optimism(1, 10**9) == 1.0
    assert choice_optimism([100, 400], 24).shape == (2,)
    assert choice_optimism(400, 24) == pytest.approx(choice_optimism(100, 24) / 2) == pytest.approx(
        np.sqrt(np.log(24) / 800))


def test_scores_do_not_know_the_unit_of_the_targets():
    one, other = (choose_kernel(MACHINE, X, target, **FEW).results["score"] for target in (y, 4096 * y))
    assert_allclose(one, other, rtol=1e-9)
    assert 0 < one.min() < 0.9 and one.max() < 1.5  # parts of the variance
