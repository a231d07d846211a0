"""Leaving out rows and folds without fitting again, against fitting again."""

import numpy as np
import pytest

from rfbook.features.fourier import RandomFourierFeatures
from rfbook.solvers import cross_validation, ridge_regression
from rfbook.solvers.cross_validation import (
    fold_moments,
    fold_numbers,
    fold_scores,
    fold_scores_by_products,
    loo_scores,
    merged,
    squared_error,
)
from rfbook.solvers.design import DenseDesign, GridDesign
from rfbook.solvers.direct import RidgePath
from rfbook.solvers.moments import Moments, normal_equations

ALPHAS = np.array([1e-3, 0.1, 1.0, 30.0])


def problem(n, D, seed=0, weighted=True):
    rng = np.random.default_rng(seed)
    Z, Y = rng.standard_normal((n, D)) / np.sqrt(D) + 0.3, rng.standard_normal((n, 2)) + [0, 5]
    return Z, Y, rng.integers(0, 4, n) * 1.0 if weighted else None


def without_a_row(Z, Y, w, alpha):
    """Weighted mean square of what is missed at each row by the model without it."""
    return refitted(Z, Y, w, alpha, np.arange(len(Y)) if w is None else np.where(w > 0, np.arange(len(Y)), -1))


def refitted(Z, Y, w, alpha, folds):
    """Weighted mean square of what machines miss on the rows that they were fitted without."""
    w, errors = np.ones(len(Y)) if w is None else w, 0.0
    for f in np.unique(folds):
        kept = folds != f
        beta, intercept = Moments(Z.shape[1], Y.shape[1]).update(Z[kept], Y[kept], w[kept]).solve(alpha)
        errors = errors + (w[~kept, None] * (Y[~kept] - intercept - Z[~kept] @ beta) ** 2).sum(0)
    return errors / w.sum()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("n", "D"), [(40, 7), (40, 39), (40, 41), (40, 90), (3, 5), (2, 1)])
def test_each_row_left_out(n, D, weighted):
    Z, Y, w = problem(n, D, weighted=weighted)
    if w is not None:
        w[:2] = 1.0  # two rows at least have weight
    normal = normal_equations(DenseDesign(Z), Y, weights=w)
    want = [without_a_row(Z, Y, w, alpha) for alpha in ALPHAS]
    for least in (0.0, ALPHAS.min()):  # of few rows singular values, or eigenvalues of products
        got = loo_scores(DenseDesign(Z), Y, normal, RidgePath(normal, least), ALPHAS, w)
        np.testing.assert_allclose(got, want, rtol=1e-7)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("spread", [0, 0.5, 4])
def test_products_of_few_rows_are_precise_enough(spread, seed):
    """Smooth targets without noise, whose best ridges are the smallest, against singular values."""
    rng = np.random.default_rng(seed)
    X, w = rng.standard_normal((60, 2)), 10.0 ** rng.uniform(-spread, spread, 60)
    waves = RandomFourierFeatures(n_components=200, length_scale=2.0, random_state=0).fit(X)
    Z, Y = DenseDesign(waves.transform(X)), np.sin(X.sum(1))[:, None]
    found = ridge_regression(Z, Y, "loo", weights=w)
    normal = normal_equations(Z, Y, weights=w)
    want = loo_scores(Z, Y, normal, RidgePath(normal), found.alphas, w)[:, 0]
    np.testing.assert_allclose(found.scores[:, 0], want, rtol=0.02)


@pytest.mark.parametrize("D", [7, 50])
def test_the_unit_of_weights_does_not_matter(D):
    Z, Y, w = problem(30, D)
    w[:5], scores = 0.5, []
    for unit in (1.0, 1e-6, 40.0):
        normal = normal_equations(DenseDesign(Z), Y, weights=unit * w)
        scores.append(loo_scores(DenseDesign(Z), Y, normal, RidgePath(normal), unit * ALPHAS, unit * w))
    np.testing.assert_allclose(scores[1:], [scores[0], scores[0]], rtol=1e-7)
    assert np.isfinite(scores[0][-1]).all()


def test_many_blocks_float32_and_threads(many_threads):
    Z, Y, w = problem(9000, 20)
    normal = normal_equations(DenseDesign(Z), Y, weights=w)
    want = loo_scores(DenseDesign(Z), Y, normal, RidgePath(normal), ALPHAS, w)
    single = DenseDesign(Z.astype(np.float32))
    normal = normal_equations(single, Y, weights=w)
    runs = [loo_scores(single, Y, normal, RidgePath(normal), ALPHAS, w, n_jobs=n) for n in (1, 2, 5)]
    assert (runs[0] == runs[1]).all() and (runs[0] == runs[2]).all()
    # a residual of a float32 product of 20 terms is off by at most 20 eps times the size of its terms, below 10 here
    np.testing.assert_allclose(runs[0], want, rtol=2 * 20 * 10 * np.finfo(np.float32).eps)
    folds = fold_numbers(9000)
    double, single = (fold_scores(fold_moments(DenseDesign(A), Y, folds, w), ALPHAS) for A in (Z, single.Z))
    np.testing.assert_allclose(single, double, rtol=2 * 20 * 10 * np.finfo(np.float32).eps)
    np.testing.assert_allclose(double, [refitted(Z, Y, w, alpha, folds) for alpha in ALPHAS], rtol=1e-9)


def test_a_row_that_decides_alone_has_no_finite_score():
    Z, Y, _ = problem(12, 4)
    w = np.zeros(12)
    w[3] = 1.0
    normal = normal_equations(DenseDesign(Z), Y, weights=w)
    assert np.isinf(loo_scores(DenseDesign(Z), Y, normal, RidgePath(normal), ALPHAS, w)).all()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("n", "D", "n_folds"), [(60, 5, 5), (60, 30, 4), (60, 100, 3), (61, 13, 5), (5, 2, 5), (6, 2,
                                                                                                                 2)])
def test_each_fold_left_out(n, D, n_folds, weighted):
    Z, Y, w = problem(n, D, weighted=weighted)
    folds = fold_numbers(n, n_folds)
    assert np.ptp(np.bincount(folds)) <= 1 and (fold_numbers(n, n_folds) == folds).all()
    if w is not None:
        w[folds == folds[0]], w[folds == folds[-1]] = 1.0, 2.0
    got = fold_scores(fold_moments(DenseDesign(Z), Y, folds, w), ALPHAS)
    want = [refitted(Z, Y, w, alpha, folds) for alpha in ALPHAS]
    np.testing.assert_allclose(got, want, rtol=1e-7)


def test_folds_are_a_partition_of_the_moments():
    Z, Y, w = problem(500, 11)
    parts = fold_moments(DenseDesign(Z), Y, fold_numbers(500), w)
    total, whole = merged(parts), normal_equations(DenseDesign(Z), Y, weights=w)
    counted = w[fold_numbers(500) == 0]
    assert total.count == np.count_nonzero(w) and parts[0].count == np.count_nonzero(counted) < len(counted) == 100
    for name in ("weight", "mean", "y_mean", "gram", "right", "square"):
        np.testing.assert_allclose(getattr(total, name), getattr(whole, name), rtol=1e-12, atol=1e-10)


@pytest.mark.parametrize("seed", range(8))
def test_the_error_from_moments_is_never_below_the_truth(seed):
    """Coefficients so large that the sums of float32 products cannot tell what they predict, which depends on what two
    columns have not in common."""
    rng = np.random.default_rng(seed)
    Z, y = rng.standard_normal((5000, 12)).astype(np.float32), rng.standard_normal((5000, 1))
    Z[:, 1] = Z[:, 0] + 1e-5 * rng.standard_normal(5000)
    moments = normal_equations(DenseDesign(Z), y)
    for size in (1.0, 1e3, 1e5):
        beta = np.zeros((12, 1))
        beta[:2, 0] = size, -size
        truth = ((y - y.mean() - (Z - Z.mean(0, dtype=float)) @ beta) ** 2).sum()
        shift = moments.y_mean - moments.mean @ beta  # of which nothing is asked here
        got = squared_error(moments, beta, shift)[0]
        hidden = np.finfo(np.float32).eps * (12 * 5000) * (2 * size**2)  # eps times the trace times |beta|^2
        assert truth * (1 - 1e-4) <= got <= truth * (1 + 1e-4) + 2 * hidden


@pytest.mark.parametrize("held", [4000, 37])
@pytest.mark.parametrize("weighted", [False, True])
def test_folds_by_products(weighted, held, monkeypatch):
    rng = np.random.default_rng(0)
    n = 600
    ids = rng.integers(0, 30, (40, n)).astype(np.int32)
    grids = GridDesign(ids, np.full(40, 30))
    Z, Y = np.empty(grids.shape), np.cos(ids[:2].T) + 0.1 * rng.standard_normal((n, 2))
    grids.fill(slice(0, n), Z)
    w, folds = rng.integers(0, 4, n) * 1.0 if weighted else None, fold_numbers(n)
    monkeypatch.setattr(cross_validation, "_HELD", held)
    got = fold_scores_by_products(grids, Y, folds, ALPHAS[1:], w)
    want = np.array([refitted(Z, Y, w, alpha, folds) for alpha in ALPHAS[1:]])
    # all rows of the folds: what ten more steps would change; 37 of 120: their mean square has a standard error of
    # sqrt(2 / (5 * 37)) for normal errors, up to 1.2 as much under these weights, six of which are allowed
    rtol = 0.02 if held > n else 6 * 1.2 * np.sqrt(2 / (5 * 37))
    np.testing.assert_allclose(got, want, rtol=rtol)
    assert np.isinf(fold_scores_by_products(grids, Y, np.zeros(n, int), ALPHAS[1:], w)).all()


def test_errors_of_folds_by_products_are_means_over_rows_not_over_folds():
    rng = np.random.default_rng(1)
    ids, n = rng.integers(0, 10, (30, 300)).astype(np.int32), 300
    grids, Z = GridDesign(ids, np.full(30, 10)), np.empty((n, 300))
    grids.fill(slice(0, n), Z)
    Y, w, folds = np.cos(ids[:1].T), rng.integers(0, 4, n) * 1.0, (np.arange(n) >= 40).astype(int)
    Y[:40] += 5 * rng.standard_normal((40, 1))  # the small fold is the one that is missed
    got = fold_scores_by_products(grids, Y, folds, ALPHAS[2:], w)
    np.testing.assert_allclose(got, [refitted(Z, Y, w, alpha, folds) for alpha in ALPHAS[2:]], rtol=0.02)


def test_the_least_is_behind_where_the_error_has_risen_below_it():
    """Of ridges 1, 10 and 100, from the largest on; infinity is not known yet."""
    alphas, inf = np.array([1.0, 10.0, 100.0]), np.inf
    for errors, behind in (([inf, 1, 9], False), ([1, 9, 9], False), ([9, 1, 9], True), ([9, 1, 1], True),
                           ([1.001, 1, 9], False), ([9, 9, 1], True), ([inf, 9, 1], True)):
        assert cross_validation._least_is_behind(np.array(errors, float)[:, None], alphas) == behind
        both = np.column_stack([np.array(errors, float), [9.0, 1.0, 9.0]])  # all columns have to be done
        assert cross_validation._least_is_behind(both, alphas) == behind


def test_folds_by_products_end_where_the_least_is_behind(monkeypatch):
    """Noise wants a large ridge; the small ones, which ask for many products, are not waited for."""
    rng = np.random.default_rng(0)
    n, alphas = 600, 10.0 ** np.arange(-3, 4)
    grids = GridDesign(rng.integers(0, 10, (40, n)).astype(np.int32), np.full(40, 10))
    Y, steps = rng.standard_normal((n, 1)), []
    settle = cross_validation._FoldProcess.settle

    def counted(process, ridges):
        errors = settle(process, ridges)
        steps.append(len(process.shifts))
        return errors

    monkeypatch.setattr(cross_validation._FoldProcess, "settle", counted)
    short, first = fold_scores_by_products(grids, Y, fold_numbers(n), alphas), sum(steps)
    monkeypatch.setattr(cross_validation, "_PAST", np.inf)
    steps.clear()
    long = fold_scores_by_products(grids, Y, fold_numbers(n), alphas)
    assert first < 0.5 * sum(steps) and short.argmin() == long.argmin() > 3
    known = np.isfinite(short) & np.isfinite(long)
    assert known[3:].all()
    np.testing.assert_allclose(short[known], long[known], rtol=0.02)
