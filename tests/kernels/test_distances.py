"""Kernel matrices by tiles: the stated error against exact differences, far, near, huge and tiny, dense and sparse."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from rfbook import kernels
from rfbook.kernels import Cauchy, Exponential, Gaussian, InversePower, Laplacian, Matern, StretchedExponential
from rfbook.kernels.distances import kernel_matrix

SHIFT = [Gaussian(), Exponential(), Matern(1.5), Matern(0.2), Matern(60.0), Laplacian(), Cauchy(), InversePower(0.5),
         StretchedExponential(0.5), kernels.SumKernel([Gaussian(2.0), Matern(1.5)], [1, 2]),
         kernels.ProductKernel([Laplacian(2.0), Laplacian(3.0)])]
OTHER = [kernels.Polynomial(3, 0.5), kernels.ExponentialDotProduct(4.0), kernels.PowerSeries([0.5, 0, 1]),
         kernels.ArcCosine(0), kernels.ArcCosine(2)]
every_shift = pytest.mark.parametrize("kernel", SHIFT, ids=repr)
every_kernel = pytest.mark.parametrize("kernel", SHIFT + OTHER, ids=repr)
ERROR = 1e-10  # of a value, as the docstring states it
SEEN = 2e-14  # what roundings that do not conspire come to


def scaled(kernel, scale):
    """A copy with this length scale."""
    return type(kernel)(**{**kernel.get_params(), "length_scale": scale})


def distances(X, Y, scale):
    """In length scales, by extended precision."""
    X, Y = X.astype(np.longdouble), Y.astype(np.longdouble)
    return np.sqrt((((X[:, None] - Y[None]) / np.asarray(scale, np.longdouble)) ** 2).sum(-1))


def radial(kernel, r):
    """Values of a radial kernel at distances, of which it knows no more than its value on the line."""
    return scaled(kernel, 1.0).value(r.astype(float)[..., None])


def rows(n, d, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def cases():
    """Points and a length scale: ordinary, far away, clusters, huge and tiny units, one scale per coordinate."""
    X, Y = rows(300, 40), rows(70, 40, 1)
    clusters = 1e4 * rows(5, 40, 2)[np.arange(300) % 5] + X
    units = np.geomspace(1e-3, 1e3, 40)
    return {"ordinary": (X, Y, 6.0), "far": (X + 1e6, Y + 1e6, 6.0),
            "clusters": (clusters, clusters[:70] + 1e-3 * Y, 6.0), "ARD": (X * units, Y * units, units * 6),
            "huge": (X * 1e90, Y * 1e90, 6e90), "tiny": (X * 1e-90, Y * 1e-90, 6e-90),
            "enormous": (X * 1e250, Y * 1e250, 6e250), "minute": (X * 1e-250, Y * 1e-250, 6e-250),
            "near": (1 + X * 1e-9, 1 + Y * 1e-9, 6e-9), "narrow": (X, Y, 1e-4), "wide": (X, Y, 1e6),
            "few": (X[:, :3] + 1e6, Y[:, :3] + 1e6, 2.0), "line": (X[:, :1], Y[:, :1], 0.5)}


@every_shift
def test_matrix(kernel):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((60, 3))
    K = kernel(X)
    assert K.dtype == np.float64 and K.shape == (60, 60)
    assert_array_equal(np.diag(K), 1)
    assert_array_equal(K, K.T)
    assert np.linalg.eigvalsh(K)[0] > -1e-9
    assert_array_equal(kernel(X, X[:7]), K[:, :7])


def test_blocks_of_rows_are_the_direct_formula():
    rng = np.random.default_rng(2)
    X, Y = rng.standard_normal((300, 40)), rng.standard_normal((2000, 40))  # Y.size > 2**20 / 300: many blocks
    K = Gaussian(3.0)(X, Y)
    direct = np.exp(-((X[:, None] - Y[None, ::100]) ** 2).sum(-1) / 18)
    assert_allclose(K[:, ::100], direct, rtol=1e-12)


def test_matrix_takes_lists_integers_and_no_rows():
    assert_allclose(Laplacian()([[0, 0], [1, 2]]), [[1, math.exp(-3)], [math.exp(-3), 1]])
    assert Gaussian()(np.empty((0, 3)), np.ones((4, 3))).shape == (0, 4)
    assert Gaussian()(np.ones((4, 3)), np.empty((0, 3))).shape == (4, 0)


@pytest.mark.parametrize("case", cases())
@pytest.mark.parametrize("kernel", [k for k in SHIFT if k.radial], ids=repr)
def test_radial_kernels_against_differences_in_extended_precision(kernel, case):
    X, Y, scale = cases()[case]
    kernel = scaled(kernel, scale)
    for K, other in ((kernel(X, Y), Y), (kernel(X), X)):
        error = np.abs(K - radial(kernel, distances(X, other, scale))).max()
        assert error < (SEEN if kernel.get_params().get("nu", 1.5) >= 0.5 else 50 * SEEN) < ERROR


@pytest.mark.parametrize("case", cases())
@pytest.mark.parametrize("kernel", [k for k in SHIFT if not k.radial], ids=repr)
def test_other_kernels_are_those_of_the_differences(kernel, case):
    X, Y, scale = cases()[case]
    kernel = scaled(kernel, scale)
    with np.errstate(over="ignore"):
        assert_allclose(kernel(X, Y), kernel.value(X[:, None] - Y), rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("d", [17, 200, 3000])
def test_squared_distances_keep_the_stated_error(d):
    """With the squared distance itself as value: within E of the chapter, and within a share of 2**-32 of itself."""
    X = rows(80, d) * np.geomspace(1e-6, 1, 80)[:, None] + 3.0
    square = kernel_matrix(lambda t: t[..., 0] ** 2, X, None, np.ones(()), "euclidean")
    exact = distances(X, X, 1.0) ** 2
    a = distances(X, X.mean(0)[None], 1.0) ** 2
    assert (np.abs(square - exact) <= (2 * d + 16) * 2.0**-53 * (a + a.T)).all()
    assert (np.abs(square - exact) <= 2.0**-32 * exact).all()


@every_shift
@pytest.mark.parametrize("d", [1, 5, 33])
def test_matrices_are_symmetric_and_one_on_duplicates(kernel, d):
    X = 1e6 + rows(600, d)
    X[300:600:7] = X[:300:7]
    K = kernel(X)
    assert K.dtype == np.float64 and K.flags.c_contiguous
    assert_array_equal(K, K.T)
    assert_array_equal(np.diag(K), 1)
    assert_array_equal(K[np.arange(300, 600, 7), np.arange(0, 300, 7)], 1)
    assert_array_equal(np.diag(kernel(X, X.copy())), 1)
    assert_array_equal(kernel(X, X), K)
    assert_allclose(kernel(X, X.copy()), K, rtol=0, atol=1e-12)


@every_kernel
@pytest.mark.parametrize("d", [3, 50])
def test_sparse_rows_are_dense_rows(kernel, d):
    X, Y = (np.where(np.random.default_rng(seed).random((n, d)) < 0.3, rows(n, d, seed), 0)
            for n, seed in ((300, 3), (41, 4)))
    X[5], X[6] = 0, X[7]
    want, K = kernel(X, Y), kernel(X)
    for kind in (sparse.csr_matrix, sparse.csr_array, sparse.csc_array, sparse.coo_array):
        found = kernel(kind(X), kind(Y))
        assert type(found) is np.ndarray and found.dtype == np.float64
        assert_allclose(found, want, rtol=1e-12, atol=1e-14)
    found = kernel(sparse.csr_array(X))
    assert_allclose(found, K, rtol=1e-12, atol=1e-14)
    assert_array_equal(found, found.T)
    for pair in ((sparse.csr_array(X), Y), (X, sparse.csr_array(Y))):
        assert_allclose(kernel(*pair), want, rtol=1e-12, atol=1e-14)
    assert_allclose(scaled(kernel, np.arange(1.0, d + 1))(sparse.csr_array(X), sparse.csr_array(Y)),
                    scaled(kernel, np.arange(1.0, d + 1))(X, Y), rtol=1e-12, atol=1e-14)


def test_sparse_rows_far_away_and_twice():
    X = rows(40, 60) + 1e6
    K = Exponential(3.0)(sparse.csr_array(X))
    assert np.abs(K - radial(Exponential(), distances(X, X, 3.0))).max() < SEEN
    twice = sparse.csr_array((np.array([1.0, 2.0, 3.0], np.float32), np.array([1, 1, 0]), np.array([0, 2, 3])), (2, 30))
    assert_allclose(Gaussian(2.0)(twice), Gaussian(2.0)(twice.toarray()), rtol=1e-15)
    assert len(twice.data) == 3  # and what was given is as it was


def test_sparse_rows_of_many_columns_are_not_written_out():
    import tracemalloc

    X = sparse.random_array((1500, 300_000), density=2e-4, format="csr", rng=np.random.default_rng(0))
    X.data += 0.1
    tracemalloc.start()
    K = Gaussian(3.0)(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.1 * 8 * 1500 * 300_000  # of the rows written out
    some = X[[0, 700, 1499]].toarray()
    assert_allclose(K[np.ix_([0, 700, 1499], [0, 700, 1499])], Gaussian(3.0)(some), rtol=1e-12)


@every_kernel
def test_sizes_at_the_edges(kernel):
    for d in (2, 40):
        one = rows(1, d)
        assert kernel(one).shape == (1, 1) and kernel(one, rows(3, d)).shape == (1, 3)
        assert kernel(np.empty((0, d)), one).shape == (0, 1) and kernel(one, np.empty((0, d))).shape == (1, 0)
        assert kernel(np.empty((0, d))).shape == (0, 0)
        assert kernel(sparse.csr_array((0, d)), sparse.csr_array(one)).shape == (0, 1)
        assert kernel(sparse.csr_array((2, d))).shape == (2, 2)
        X = rows(257, d)  # one more than a tile
        assert_allclose(kernel(X)[256], kernel(X[256:], X)[0], rtol=1e-12, atol=1e-14)


@every_kernel
def test_single_precision_is_computed_in_double(kernel):
    X = rows(30, 40).astype(np.float32)
    assert_array_equal(kernel(X), kernel(X.astype(float)))
    assert kernel(sparse.csr_array(X)).dtype == np.float64


@pytest.mark.parametrize("kernel", [Gaussian(6.0), Exponential(6.0), Laplacian(40.0), Cauchy(6.0)], ids=repr)
def test_bits_do_not_depend_on_threads(kernel):
    from threadpoolctl import threadpool_limits

    X, Y = rows(700, 40), rows(300, 40, 1)
    found = []
    for limit in (1, 4):
        with threadpool_limits(limit):
            found.append((kernel(X), kernel(X, Y), kernel(sparse.csr_array(X))))
    for one, other in zip(*found, strict=True):
        assert_array_equal(one, other)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@every_kernel
def test_rows_that_are_not_finite(kernel, bad):
    X = np.eye(3)
    X[1, 1] = bad
    for one, other in ((X, None), (np.eye(3), X)):
        name = "X" if other is None else "Y"
        for made in (np.asarray, sparse.csr_array):
            with pytest.raises(ValueError, match=f"^{name} holds NaN or infinity; it may hold finite numbers only"):
                kernel(made(one), None if other is None else made(other))


@every_kernel
def test_rows_that_do_not_fit(kernel):
    wide = sparse.csr_array(np.ones((2, 5)))
    with pytest.raises(ValueError, match="^Y has 5 columns; it may have 3, as X has"):
        kernel(sparse.csr_array(np.eye(3)), wide)
    with pytest.raises(ValueError, match="^Y has 5 columns"):
        kernel(np.eye(3), wide)
    for odd in (sparse.csr_array(np.eye(3) * 1j), sparse.csr_array((3, 0)), sparse.coo_array(np.ones(3))):
        with pytest.raises(ValueError, match="^X (is a|has shape)"):
            kernel(odd)


def test_kernels_of_pairs_at_any_distance_agree_with_scikit_learn():
    from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel

    X, Y = rows(150, 30), rows(20, 30, 1)
    assert_allclose(Gaussian(5.0)(X, Y), rbf_kernel(X, Y, gamma=0.02), rtol=1e-12)
    assert_allclose(Laplacian(10.0)(X, Y), laplacian_kernel(X, Y, gamma=0.1), rtol=1e-12)
    assert_allclose(kernels.Polynomial(3, 1.0, 5.0)(X, Y), polynomial_kernel(X, Y, gamma=0.04), rtol=1e-12)
