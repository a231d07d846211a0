"""Direct solvers: against the definition, by rows and by columns, and how many threads they take."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_regression
from threadpoolctl import threadpool_info, threadpool_limits

from rfbook import RandomBinningFeatures, RandomFeatureRegressor
from rfbook.solvers import direct
from rfbook.solvers.design import DenseDesign, RowSpace, SparseDesign
from rfbook.solvers.moments import normal_equations


def problem(n, D, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, D)) + 1, rng.standard_normal((n, 2)), rng.uniform(0.5, 2.0, n)


@pytest.mark.parametrize(("n", "D"), [(90, 20), (20, 90), (30, 30)])
def test_one_ridge_and_many_are_the_definition(n, D):
    Z, Y, w = problem(n, D)
    normal = normal_equations(DenseDesign(Z), Y, weights=w)
    path, root = direct.RidgePath(normal), np.sqrt(w)[:, None]
    A, v = root * (Z - w @ Z / w.sum()), root * (Y - w @ Y / w.sum())
    for alpha in (0.0, 1e-2, 1.0, 50.0):
        ridged, target = np.vstack([A, np.sqrt(alpha) * np.eye(D)]), np.vstack([v, np.zeros((D, 2))])
        beta = np.linalg.lstsq(ridged, target, rcond=1e-10)[0]
        np.testing.assert_allclose(path.coefficients(alpha), beta, atol=1e-9)
        np.testing.assert_allclose(direct.solve_ridge(normal, alpha), beta, atol=1e-9)
        if alpha > 0:
            left = 1 - (1 + np.trace(A @ np.linalg.solve(A.T @ A + alpha * np.eye(D), A.T))) / n
            assert path.gcv(alpha).sum() == pytest.approx(((v - A @ beta) ** 2).sum() / w.sum() / left**2, rel=1e-7)


def test_without_an_intercept_one_degree_of_freedom_is_left():
    Z, Y, _ = problem(90, 20)
    with_one, without = (direct.RidgePath(normal_equations(DenseDesign(Z), Y, intercept=i)) for i in (True, False))
    assert (with_one.free, without.free) == (1.0, 0.0)
    beta = np.linalg.solve(Z.T @ Z + 0.5 * np.eye(20), Z.T @ Y)
    np.testing.assert_allclose(without.coefficients(0.5), beta, atol=1e-12)


def test_a_matrix_that_rounding_made_indefinite():
    Z = np.repeat(problem(200, 3)[0].astype(np.float32), 4, axis=1)
    Y = Z[:, :2].astype(float)
    beta = direct.solve_ridge(normal_equations(DenseDesign(Z), Y), 1e-12)
    np.testing.assert_allclose((Z - Z.mean(0)) @ beta, Y - Y.mean(0), atol=1e-3)


def test_rows_and_columns_have_one_path():
    Z, y, w = problem(150, 40)
    Z *= np.random.default_rng(1).random(Z.shape) < 0.3
    columns = direct.RidgePath(normal_equations(DenseDesign(Z), y, weights=w))
    rows = RowSpace(SparseDesign(sparse.csr_array(Z)), y, w)
    path = direct.RowPath(rows)
    for alpha in (1e-3, 1.0, 50.0):
        assert path.gcv(alpha) == pytest.approx(columns.gcv(alpha), rel=1e-8)
        np.testing.assert_allclose(rows.coefficients(path.duals(alpha))[0], columns.coefficients(alpha), atol=1e-8)
        factored = rows.coefficients(direct.solve_rows(rows, alpha))[0]
        np.testing.assert_allclose(factored, columns.coefficients(alpha), atol=1e-8)


def test_small_decompositions_do_not_wait_for_threads(monkeypatch):
    import scipy.linalg

    seen = []

    def watched(function):
        def call(*args, **kwargs):
            seen.append(max(lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"))
            return function(*args, **kwargs)

        return call

    for name in ("eigh", "svd", "cho_factor"):
        monkeypatch.setattr(scipy.linalg, name, watched(getattr(scipy.linalg, name)))
    X, y = make_regression(300, 3, random_state=0)
    with threadpool_limits(2, user_api="blas"):
        many = RandomBinningFeatures(length_scale=1.0, n_grids=40, random_state=0)
        assert RandomFeatureRegressor(many).fit(X, y)._sparse  # eigenvalues of the rows
        for n, alpha in ((300, "gcv"), (300, 1.0), (30, "gcv")):  # eigenvalues, Cholesky, singular values
            few = RandomBinningFeatures(length_scale=8.0, n_grids=3, random_state=0)
            RandomFeatureRegressor(few, alpha=alpha).fit(X[:n], y[:n])
        assert seen == [1, 1, 1, 1]
        for order in (direct._SMALL, direct._SINGLE + 1):
            with direct.safe_threads(order):
                assert all(lib["num_threads"] == 1 for lib in threadpool_info() if lib["user_api"] == "blas")
