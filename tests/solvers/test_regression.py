"""One ridge for all designs: the three ways agree, and one logic of alpha."""

import warnings

import numpy as np
import pytest
from scipy.linalg import hadamard

from rfbook.solvers import regression
from rfbook.solvers.design import DenseDesign, GridDesign
from rfbook.solvers.regression import candidates, given_ridges, ridge_regression


def grids(n, seed=0):
    rng = np.random.default_rng(seed)
    ids = rng.integers(0, 30, (20, n)).astype(np.int32)
    Y, w = np.cos(ids[:2].T) + 0.1 * rng.standard_normal((n, 2)), rng.integers(1, 4, n) * 1.0
    design = GridDesign(ids, np.full(20, 30))
    Z = np.empty(design.shape)
    design.fill(slice(0, n), Z)
    return design, DenseDesign(Z), Y, w


@pytest.mark.parametrize(("direct", "factor"), [(500, 3000), (100, 3000), (100, 0)])  # rows, Cholesky, iterations
@pytest.mark.parametrize("weighted", [False, True])
def test_all_ways_agree(direct, factor, weighted, monkeypatch):
    design, dense, Y, w = grids(400)
    w = w if weighted else None
    asked = [(2.0, None), ([2.0, 5.0], None)] + [(way, [1.0, 10.0, 100.0]) for way in ("loo", "cv", "gcv", "auto")]
    for alpha, alphas in asked:
        if alpha == "loo" and direct < 400:
            continue
        want = ridge_regression(dense, Y, "cv" if alpha == "auto" and direct < 400 else alpha, alphas=alphas, weights=w)
        with monkeypatch.context() as patched:
            patched.setattr(regression, "DIRECT", direct)
            patched.setattr(regression, "_FACTOR", factor)
            assert regression.stays_sparse(design) and not regression.stays_sparse(dense)
            got = ridge_regression(design, Y, alpha, alphas=alphas, weights=w)
        assert (got.alpha == want.alpha).all() and got.criterion == want.criterion
        np.testing.assert_allclose(got.coef, want.coef, atol=2e-5)
        np.testing.assert_allclose(got.intercept, want.intercept, atol=2e-5)
        if want.scores is not None:
            exact = want.criterion == "loo" or (want.criterion == "gcv" and direct == 500)
            # ten more steps of the Lanczos process change less than 1 %; random probes know the trace to 10 %
            rtol = 1e-7 if exact else 0.02 if want.criterion == "cv" else 0.25
            np.testing.assert_allclose(got.scores, want.scores, rtol=rtol)


def test_one_logic_of_alpha():
    for several in ([0.5, 2], (0.5, 2), np.array([0.5, 2])):
        assert candidates(several, 100.0, float).tolist() == given_ridges(several, 2).tolist() == [0.5, 2.0]
    assert given_ridges(0, 3).tolist() == [0.0] * 3
    double, single = candidates(None, 100.0, np.float64), candidates(None, 100.0, np.float32)
    assert double[0] == pytest.approx(1e-8) and single[0] == pytest.approx(100 * 4 * np.finfo(np.float32).eps)
    for grid in (double, single):
        assert grid[-1] == pytest.approx(100.0)
        assert np.ptp(np.diff(np.log10(grid))) < 100 * np.finfo(grid.dtype).eps and np.diff(np.log10(grid))[0] <= 0.2501
    iterated = candidates(None, 100.0, float, 1e-3)
    assert iterated[0] == 1e-3 and iterated[-1] == pytest.approx(100.0)
    wrong = ([], "alphas is empty"), ([-1], "alphas is -1"), ([1, None], "alphas is None"), (2.0, "alphas is 2")
    for alphas, words in wrong:
        with pytest.raises(ValueError, match=words):
            candidates(alphas, 100.0, float)
    with pytest.raises(ValueError, match="alphas is 0"):
        candidates([1.0, 0.0], 100.0, float, 1e-3)
    for alpha, words in ((-1, "alpha is -1"), ([1.0], "1 values for 2 targets"), ([1, None], "alpha is None")):
        with pytest.raises(ValueError, match=words):
            given_ridges(alpha, 2)
    with pytest.raises(ValueError, match="alpha is 0"):
        given_ridges(0.0, 2, 1e-3)


def test_what_cannot_be_asked_together():
    _, dense, Y, _ = grids(50)
    with pytest.raises(ValueError, match="alphas is given"):
        ridge_regression(dense, Y, 1.0, alphas=[1.0])
    with pytest.raises(ValueError, match="alpha is 'best'"):
        ridge_regression(dense, Y, "best")
    rng = np.random.default_rng(0)
    many = GridDesign(rng.integers(0, 30, (40, 1100)).astype(np.int32), np.full(40, 30))
    with pytest.raises(ValueError, match="'loo'"):
        ridge_regression(many, rng.standard_normal((1100, 1)), "loo")


def test_auto_goes_from_rows_to_folds():
    rng = np.random.default_rng(0)
    for n, criterion in ((100, "loo"), (101, "cv")):  # 20 rows for each of five features
        found = ridge_regression(DenseDesign(rng.standard_normal((n, 5))), rng.standard_normal((n, 1)))
        assert found.criterion == criterion


def test_each_target_has_its_own_ridge():
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((200, 30))
    Y = np.c_[Z[:, 0], 1e-3 * (Z[:, 1] + 3 * rng.standard_normal(200))]
    for criterion in ("loo", "cv", "gcv"):
        own, one = (ridge_regression(DenseDesign(Z), Y, criterion, per_target=each) for each in (True, False))
        assert own.alpha[0] < 1e-3 < 1 < own.alpha[1] and one.alpha[0] == one.alpha[1] < 0.1
        alone = ridge_regression(DenseDesign(Z), Y[:, 1:], criterion)
        np.testing.assert_allclose(own.coef[:, 1:], alone.coef, rtol=1e-7)
        np.testing.assert_allclose(own.scores[:, 1:], alone.scores, rtol=1e-7)


def test_of_ridges_that_are_equally_good_the_largest_is_taken():
    """Nothing is left of constant targets, whatever the ridge."""
    Z, rng = np.random.default_rng(0).standard_normal((60, 4)), np.random.default_rng(1)
    for criterion in ("loo", "cv", "gcv"):
        found = ridge_regression(DenseDesign(Z), np.column_stack([np.zeros(60), rng.standard_normal(60)]), criterion,
                      alphas=[0.5, 3.0, 1.0], per_target=True)
        assert found.alpha[0] == 3.0 and not found.scores[:, 0].any()


def test_heavy_tails_do_not_explode():
    """Rows of high leverage fool the average of the leverages, not the leverages."""
    rng = np.random.default_rng(1)
    W, b = rng.standard_normal((3, 300)) / 30, rng.uniform(0, 6, 300)
    X, fresh = rng.standard_t(1.5, (400, 3)), rng.standard_t(1.5, (4000, 3))
    y = np.tanh(X).sum(1) + 0.3 * rng.standard_normal(400)
    Z, T = (np.cos(A @ W + b) / np.sqrt(150) for A in (X, fresh))
    error = {}
    for criterion in ("loo", "cv", "gcv"):
        found = ridge_regression(DenseDesign(Z), y[:, None], criterion)
        error[criterion] = np.mean((T @ found.coef[:, 0] + found.intercept - np.tanh(fresh).sum(1)) ** 2)
    variance = np.tanh(fresh).sum(1).var()
    assert max(error["loo"], error["cv"]) < 0.6 * variance and error["gcv"] > 100 * variance


def test_one_ridge_for_many_outputs_has_its_score_from_few_sums(monkeypatch):
    """With as many orthogonal sums as outputs the estimate is the sum itself; with four, near it."""
    design, _, _, w = grids(400)
    rng = np.random.default_rng(3)
    Y = np.eye(8)[rng.integers(0, 8, 400)] + np.cos(design.ids[:8].T)
    monkeypatch.setattr(regression, "DIRECT", 100)
    whole = ridge_regression(design, Y, "cv", alphas=[1.0, 10.0, 100.0], weights=w, per_target=True).scores.sum(1)
    for orthogonal in (True, False):
        with monkeypatch.context() as patched:
            if orthogonal:
                patched.setattr(regression, "_SIGNED", 7)  # fewer than outputs, so that sums are taken
                patched.setattr(regression, "_signs", lambda n, k: hadamard(8) / np.sqrt(8))
            few = ridge_regression(design, Y, "cv", alphas=[1.0, 10.0, 100.0], weights=w).scores
        assert few.shape == (3, 1)
        # settled to 1 % each; residuals that are not correlated leave a standard deviation of sqrt(2 / (4 * 8))
        np.testing.assert_allclose(few[:, 0], whole, rtol=0.02 if orthogonal else 0.75)


@pytest.mark.parametrize("criterion", ["gcv", "loo", "cv", "auto"])
def test_weights_that_sum_to_one_choose_as_others_do(criterion):
    design, dense, Y, w = grids(50)
    for made in (design, dense) if criterion == "gcv" else (dense,):
        one, other = (ridge_regression(made, Y, criterion, weights=v) for v in (w / w.sum(), 50 * w))
        np.testing.assert_allclose(one.coef, other.coef, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize(("decades", "said"), [(4, True), (0, False)])
def test_ridges_that_products_do_not_reach_are_told(decades, said):
    """With weights of eight sizes the least error lies where 200 products do not come."""
    rng = np.random.default_rng(0)
    n, boxes = 1050, 41
    x, w = rng.uniform(0, 1, n), 10.0 ** rng.uniform(-decades, decades, n)
    design = GridDesign(np.array([np.floor((x + s) % 1 * boxes) for s in rng.random(25)], np.int32), np.full(25, boxes))
    Y, Z = np.sin(12 * x)[:, None] + 0.1 * rng.standard_normal((n, 1)), np.empty(design.shape)
    design.fill(slice(0, n), Z)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = ridge_regression(design, Y, "cv", weights=w)
    best = found.alphas[found.scores[:, 0].argmin()]
    near, below = ridge_regression(DenseDesign(Z), Y, "cv", alphas=[best, best / 10], weights=w).scores
    assert np.isinf(found.scores[found.alphas < 0.01]).all() and (below < near) == said
    assert [f"ridges below {best:.2g} ask for more products" in str(w.message) for w in caught] == [True] * said
