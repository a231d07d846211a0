"""One ridge for all designs: the three ways agree, and one logic of alpha."""

import numpy as np
import pytest

from rfbook.solvers import regression
from rfbook.solvers.design import DenseDesign, GridDesign
from rfbook.solvers.regression import candidates, ridge


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
    for alpha in (2.0, [1.0, 10.0, 100.0]):
        want = ridge(dense, Y, alpha, weights=w)
        with monkeypatch.context() as patched:
            patched.setattr(regression, "DIRECT", direct)
            patched.setattr(regression, "_FACTOR", factor)
            assert regression.stays_sparse(design) and not regression.stays_sparse(dense)
            got = ridge(design, Y, alpha, weights=w)
        assert got.alpha == want.alpha
        np.testing.assert_allclose(got.coef, want.coef, atol=2e-5)
        np.testing.assert_allclose(got.intercept, want.intercept, atol=2e-5)
        if want.scores is not None:
            np.testing.assert_allclose(got.scores, want.scores, rtol=1e-7 if direct == 500 else 0.25)


def test_one_logic_of_alpha():
    assert candidates(0.5, 100.0, float) is None and candidates(0, 100.0, float) is None
    for several in ([0.5, 2], (0.5, 2), np.array([0.5, 2])):
        assert candidates(several, 100.0, float).tolist() == [0.5, 2.0]
    double, single = candidates("gcv", 100.0, np.float64), candidates("gcv", 100.0, np.float32)
    assert double[0] == pytest.approx(1e-8) and single[0] == pytest.approx(100 * 4 * np.finfo(np.float32).eps)
    for grid in (double, single):
        assert grid[-1] == pytest.approx(100.0)
        assert np.ptp(np.diff(np.log10(grid))) < 100 * np.finfo(grid.dtype).eps and np.diff(np.log10(grid))[0] <= 0.2501
    iterated = candidates("gcv", 100.0, float, 1e-3)
    assert iterated[0] == 1e-3 and iterated[-1] == pytest.approx(100.0)
    for alpha, words in (([], "empty"), (-1, "alpha is -1"), ([1, None], "alpha is None"), ("cv", "alpha is 'cv'")):
        with pytest.raises(ValueError, match=words):
            candidates(alpha, 100.0, float)
    for alpha in (0.0, [1.0, 0.0]):
        with pytest.raises(ValueError, match="alpha is 0"):
            candidates(alpha, 100.0, float, 1e-3)


def test_weights_without_a_score():
    design, dense, Y, w = grids(50)
    for made in (design, dense):
        with pytest.raises(ValueError, match="scale the weights"):
            ridge(made, Y, "gcv", weights=w / w.sum())
        assert ridge(made, Y, 1.0, weights=w / w.sum()).scores is None
