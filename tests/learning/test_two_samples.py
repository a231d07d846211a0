"""The two-sample test: rows of every kind, cells of every size, what is refused, and a level that holds."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from rfbook import ArcCosineFeatures, PositiveFeatures, RandomBinningFeatures, RandomFourierFeatures, two_sample_test
from rfbook.lab.ledger import binomial_tail
from rfbook.learning.two_samples import aggregated_pvalue, mean_discrepancy, permutation_pvalue

rng = np.random.default_rng(0)
X, Y = rng.standard_normal((90, 3)), rng.standard_normal((70, 3)) + [0.8, 0, 0]
TOLD = {"n_components": 32, "n_resamples": 99, "random_state": 0}


def test_rows_of_every_kind():
    want = two_sample_test(X, Y, **TOLD)
    frames = pd.DataFrame(X, columns=list("abc")), pd.DataFrame(Y, columns=list("abc"))
    for pair in ((X.tolist(), Y), frames, (X[:, ::-1][:, ::-1], np.asfortranarray(Y)), (X.astype(">f8"), Y)):
        found = two_sample_test(*pair, **TOLD)
        assert found.pvalue == want.pvalue and np.isclose(found.statistic, want.statistic)
    single = two_sample_test(X.astype(np.float32), Y.astype(np.float32), **TOLD)
    assert np.isclose(single.statistic, want.statistic, rtol=1e-3)
    lists = two_sample_test(sparse.csr_array(X), sparse.csc_array(Y), length_scale=1.0, **TOLD)
    assert np.isclose(lists.statistic, two_sample_test(X, Y, length_scale=1.0, **TOLD).statistic)


@pytest.mark.parametrize("features", [
    RandomFourierFeatures(n_components=20), RandomFourierFeatures(n_components=21, phase="offset"),
    PositiveFeatures(n_components=20, length_scale=3.0), ArcCosineFeatures(n_components=20), StandardScaler(),
    RandomBinningFeatures(n_grids=5), FunctionTransformer(),
    make_pipeline(StandardScaler(), RandomFourierFeatures(n_components=20))], ids=lambda f: type(f).__name__)
def test_any_map_that_does_not_look_at_targets(features):
    found = two_sample_test(X, Y, features=features, n_resamples=99, random_state=0)
    Z = [np.asarray(S.todense()) if sparse.issparse(S) else S for S in map(found.features.transform, (X, Y))]
    assert np.isclose(found.statistic, mean_discrepancy(*Z)) and found.n_components == Z[0].shape[1]
    assert found.pvalue <= 0.05


@pytest.mark.parametrize("n_cells", [16, 31, 32, 159, 160, 1000])
@pytest.mark.parametrize("sizes", [(90, 70), (70, 90), (90, 9), (5, 60), (2, 2), (2, 90)])
def test_the_statistic_does_not_know_of_cells(n_cells, sizes):
    A, B = X[: sizes[0]], rng.standard_normal((sizes[1], 3))
    found = two_sample_test(A, B, n_cells=n_cells, length_scale="auto", **TOLD)
    Z = [found.features.transform(S) for S in (A, B)]
    assert np.isclose(found.statistic, mean_discrepancy(*Z))
    assert np.allclose(found.difference, Z[0].mean(0) - Z[1].mean(0))
    assert 0.01 <= found.pvalue <= 1 and len(found.null_distribution) == 99 and len(found.each) == 5


def test_a_seed_says_all():
    one, two = (two_sample_test(X, Y, **TOLD) for _ in range(2))
    assert np.array_equal(one.null_distribution, two.null_distribution)
    assert two_sample_test(X, Y, **TOLD | {"random_state": 1}).statistic != one.statistic


@pytest.mark.parametrize(("change", "says"), [
    ({"X": X[:1]}, "X has the shape (1, 3); it may have 2 rows or more"), ({"Y": Y[0]}, "Y has the shape (3,)"),
    ({"Y": Y[:, :2]}, "Y has 2 columns and X has 3"), ({"X": [[1.0, "a", 2.0]] * 3}, "X holds strings"),
    ({"X": np.where(X > 2, np.nan, X)}, "X holds NaN or infinity"), ({"X": [[1, 2], [3]]}, "X is a list"),
    ({"X": pd.DataFrame(X, columns=list("abc")), "Y": pd.DataFrame(Y, columns=list("acb"))}, "Y has the columns"),
    ({"X": X * (1 + 1j)}, "X is a ndarray"), ({"length_scale": "auto1"}, "length_scale is 'auto1'"),
    ({"features": RandomFourierFeatures(), "kernel": "laplacian"}, "features is given and kernel is 'laplacian'"),
    ({"n_resamples": 1.5}, "n_resamples is 1.5"), ({"n_cells": 15}, "n_cells is 15")], ids=str)
def test_what_is_refused(change, says):
    told = {"X": X, "Y": Y} | change
    with pytest.raises(ValueError) as caught:
        two_sample_test(told.pop("X"), told.pop("Y"), **told)
    assert str(caught.value).startswith(says) and "\n" not in str(caught.value)


def test_large_numbers_end_in_a_sentence():
    with pytest.raises(ValueError, match="overflow"):
        two_sample_test(X * 1e200, Y * 1e300)


@pytest.mark.parametrize("told", [{}, {"n_cells": 16}, {"length_scale": "auto"}])
def test_the_level_holds(told):
    runs, low = 200, 0
    for seed in range(runs):
        A, B = np.random.default_rng(seed).integers(0, 3, (60, 1)).astype(float).reshape(2, 30, 1)  # many ties
        low += two_sample_test(A, B, n_components=8, n_resamples=9, random_state=seed, **told).pvalue <= 0.2
    assert binomial_tail(low, runs, 0.2) > 1e-6


def test_one_statistic_is_aggregated_to_its_own_p_value():
    for seed in range(50):
        T = np.random.default_rng(seed).integers(0, 6, (12, 1)).astype(float)
        assert aggregated_pvalue(T) == permutation_pvalue(T[0, 0], T[1:, 0])


@pytest.mark.parametrize("n", [1023, 1024, 2048])
def test_a_stream_of_any_length_leaves_cells_for_both_samples(n):
    """With a few cells for X, labels could hardly be exchanged, and a difference of ten standard errors was lost."""
    rng = np.random.default_rng(n)
    X, Y = rng.standard_normal((n + 100, 1)), rng.standard_normal((n + 100, 1)) + 0.4
    found = two_sample_test(iter([X[:100], X[100:-1], X[-1:]]), iter([Y[:100], Y[100:-1], Y[-1:]]), n_resamples=199,
                            random_state=0)
    assert found.pvalue == 1 / 200


def test_features_are_in_float64_so_that_equal_rows_tie():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((2, 300, 50)).astype(np.float32)
    found, same = (two_sample_test(*pair, n_resamples=19, n_components=64, random_state=0)
                   for pair in ((X, Y), (X.astype(float), Y.astype(float))))
    assert found.statistic == same.statistic


class _Landmarks(TransformerMixin, BaseEstimator):
    """A map that goes by the place of the rows to which it is fitted."""

    def fit(self, X, y=None):
        self.first_ = X[:20]
        return self

    def transform(self, X):
        return np.exp(-5 * ((X[:, None] - self.first_) ** 2).sum(-1).min(1, keepdims=True))


def test_the_place_of_a_row_does_not_tell_a_map_its_sample():
    """40 tests at the level of .05 reject 20 times with a probability below 1e-15; told the sample, always."""
    rejected = 0
    for seed in range(40):
        rows = np.random.default_rng(seed).standard_normal((40, 2))
        test = two_sample_test(rows[:20], rows[20:], features=_Landmarks(), n_resamples=99, random_state=seed)
        rejected += test.pvalue <= 0.05
    assert rejected < 20


def test_own_features_far_from_zero():
    rng = np.random.default_rng(0)
    X, Y = 1.7e9 + 1e3 * rng.standard_normal((2, 200, 1))
    assert two_sample_test(X, Y + 500, features=FunctionTransformer(), random_state=0).pvalue < 0.01


def test_columns_of_later_blocks_and_of_the_witness():
    rows = pd.DataFrame(np.random.default_rng(0).standard_normal((40, 3)), columns=list("abc"))
    with pytest.raises(ValueError, match="^Y has the columns"):
        two_sample_test(iter([rows[:20], rows[20:]]), iter([rows[:20], rows[20:][["a", "c", "b"]]]))
    with pytest.raises(ValueError, match="^T has 2 columns and the samples had 3"):
        two_sample_test(rows, rows, random_state=0).witness(np.zeros((1, 2)))
