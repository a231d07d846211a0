"""Sketches of a matrix, their inverse, the law of random pivots in blocks, and conjugate gradients."""

import warnings

import numpy as np
import pytest
from scipy import stats

from rfbook.kernels import Gaussian
from rfbook.solvers.preconditioners import LowRank, nystroem, preconditioned, rpcholesky

rng = np.random.default_rng(0)
X = rng.standard_normal((200, 2))
K = Gaussian()(X)


def blocks(K):
    return lambda rows, columns: K[rows][:, columns]


@pytest.mark.parametrize("rank", [1, 20, 200])
def test_sketches_are_below_the_matrix(rank):
    for F in (nystroem(blocks(K), 200, rank, rng), rpcholesky(blocks(K), np.ones(200), rank, rng)):
        assert F.shape[0] == 200 and F.shape[1] <= rank
        assert np.linalg.eigvalsh(K - F @ F.T)[0] > -1e-9
    assert rank < 200 or np.abs(K - F @ F.T).max() < 1e-9


def test_the_inverse_is_one():
    for F in (rng.standard_normal((50, 7)), np.ones((50, 3)), np.zeros((50, 2)), 1e-9 * rng.standard_normal((50, 2)),
              rng.standard_normal((50, 80)), np.ones((50, 80)), np.zeros((50, 0))):  # wider than tall, and no column
        for alpha in (1e-3, 1.0, 1e3):
            V = rng.standard_normal((50, 2))
            assert np.allclose((F @ F.T + alpha * np.eye(50)) @ LowRank(F, alpha)(V), V, atol=1e-8)


def test_blocks_of_pivots_have_the_law_of_single_ones():
    """The set of the first two pivots of a matrix of order 4, in 10,000 draws, by Bernstein's inequality at 1e-9."""
    B = rng.standard_normal((4, 3))
    A, n, counts = B @ B.T, 10_000, np.zeros((4, 4))
    for _ in range(n):
        seen = []

        def block(rows, columns, seen=seen):
            if isinstance(rows, slice):
                seen += [*columns]
            return A[rows][:, columns]

        rpcholesky(block, np.diag(A), 16, rng)  # proposals in pairs
        counts[seen[0], seen[1]] += 1
    want = np.zeros((4, 4))
    for i in range(4):
        left = np.maximum(np.diag(A) - A[:, i] ** 2 / A[i, i], 0)
        left[i] = 0
        want[i] = A[i, i] / np.trace(A) * left / left.sum()
    radius = np.sqrt(2 * want * n * 23) + 23
    assert (np.abs(counts - n * want) <= radius).all()
    even = np.full((4, 4), n / 12) * (1 - np.eye(4))
    assert (np.abs(counts - even) > np.sqrt(2 * even * 23) + 23).any()  # and rejects pivots that are drawn evenly
    assert stats.chisquare(counts[want > 0], n * want[want > 0]).pvalue > 1e-9


def test_duplicates_and_matrices_of_low_rank_end_early():
    rows = np.repeat(X[:5], 40, axis=0)
    F = rpcholesky(blocks(Gaussian()(rows)), np.ones(200), 50, rng)
    assert F.shape[1] <= 6 and np.allclose(F @ F.T, Gaussian()(rows), atol=1e-9)


def test_conjugate_gradients_end_where_they_should():
    A, b = np.diag(np.arange(1.0, 9.0)), np.ones((8, 2))
    b[:, 1] = 0
    found = preconditioned(lambda V: A @ V, b, None, 1e-12)
    assert np.allclose(A @ found.solution, b) and len(found.residuals) <= 9 and not found.solution[:, 1].any()
    assert len(preconditioned(lambda V: A @ V, 0 * b).residuals) == 1
    assert len(preconditioned(lambda V: A @ V, b, None, 1e-12, 3).residuals) == 4
    assert len(preconditioned(lambda V: A @ V, b, lambda V: np.linalg.solve(A, V), 1e-12).residuals) == 2


def test_a_column_that_the_matrix_forgets_stays_where_it_is():
    A, b = np.diag(np.arange(8.0)), np.ones((8, 2))
    b[0, 0], b[:, 1] = 0, np.eye(8)[0]  # the second is in the null space
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy's, of memory that nobody has written
        solution = preconditioned(lambda V: A @ V, b, None, 1e-12, 20).solution
    assert np.allclose(A @ solution[:, 0], b[:, 0]) and not solution[:, 1].any()
