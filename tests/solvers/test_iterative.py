"""Iterative solvers: against direct ones, and what they say when they stop early."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from rfbook.solvers import direct, iterative
from rfbook.solvers.design import GridDesign, RowSpace


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    ids = rng.integers(0, 30, (20, 300)).astype(np.int32)
    Y = np.cos(ids[:2].T) + 0.1 * rng.standard_normal((300, 2))
    return RowSpace(GridDesign(ids, np.full(20, 30)), Y, rng.integers(1, 4, 300) * 1.0)


def test_conjugate_gradients_solve(rows):
    for alpha in (0.1, 1.0, 30.0):
        A, _ = iterative.conjugate_gradients(rows, alpha, 1e-12)
        np.testing.assert_allclose(A, direct.solve_rows(rows, alpha), atol=1e-9)


def test_the_size_of_one_output_is_nothing_to_another(rows):
    """Powers of two, whose squares would vanish, or overflow."""
    sizes = 2.0 ** np.array([-700, 400])
    one, _ = iterative.conjugate_gradients(rows, 0.5, 1e-10)
    rows.right = rows.right * sizes
    two, _ = iterative.conjugate_gradients(rows, 0.5, 1e-10)
    np.testing.assert_allclose(two / sizes, one, rtol=1e-7, atol=1e-9)


def test_too_few_steps_warn(rows):
    with pytest.warns(ConvergenceWarning, match="larger alpha converges sooner"):
        _, count = iterative.conjugate_gradients(rows, 0.001, max_iter=5)
    assert count == 5


def test_scores_are_near_the_exact_ones(rows):
    alphas = np.array([1.0, 10.0, 100.0])
    path = direct.RowPath(rows)
    exact = np.array([path.gcv(alpha) for alpha in alphas])
    # 32 probes of a trace that is at least a third of n, which enters squared, and what the Lanczos process leaves
    tolerance = iterative._SETTLED + 2 * 6 * np.sqrt(2 / (32 * 100))
    np.testing.assert_allclose(iterative.gcv_scores(rows, alphas), exact, rtol=tolerance)


def test_the_lanczos_quadrature_is_exact_at_full_length():
    rng = np.random.default_rng(0)
    A, V = rng.standard_normal((12, 12)), rng.standard_normal((12, 3))
    K = A @ A.T
    process = iterative.Lanczos(lambda U: K @ U, V)
    for _ in range(12):
        process.step()
    nodes, masses = process.quadrature()
    want = np.einsum("ij,ij->j", V, np.linalg.solve(K + np.eye(12), V))
    np.testing.assert_allclose((masses / (nodes + 1)).sum(1), want, rtol=1e-8)
