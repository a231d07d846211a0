"""Polynomial kernels: values against scikit-learn's, maps against plain NumPy, exact variances against enumeration."""

import math

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import rfbook
from rfbook import GaussianProductFeatures, RandomMaclaurinFeatures, bounds, kernels
from rfbook.features.product_maps import TILE

X = np.random.default_rng(0).standard_normal((40, 5)) / np.sqrt(5)
KERNELS = [kernels.Polynomial(), kernels.Polynomial(2, 0.0, [1.0, 2.0, 0.5, 1.0, 3.0]), kernels.Polynomial(1, 2.0),
           kernels.PowerSeries([0.5, 0.0, 1.0, 0.2], 1.5), kernels.PowerSeries([2.0]),
           kernels.Polynomial(2, 1.5, [1.0, 2.0, 0.5, 1.0, 3.0])]
MAPS = [GaussianProductFeatures(k, random_state=3) for k in KERNELS] + [
    RandomMaclaurinFeatures(k, degree_law=law, exact_degrees=e, random_state=3)
    for k in [*KERNELS, kernels.ExponentialDotProduct(0.8)]
    for law in ("coefficients", "geometric") for e in (0, 1, 2)]


@parametrize_with_checks([GaussianProductFeatures(n_components=8), RandomMaclaurinFeatures(n_components=8),
                          RandomMaclaurinFeatures(n_components=40, exact_degrees=2, degree_law="geometric")])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# ---- maps ------------------------------------------------------------------------------------------------------------


def plain(map_, X):
    """The features by their definition, one after the other."""
    c, columns = map_.coefficients_, []
    ell = np.asarray(getattr(map_.kernel_, "length_scale", 1.0))
    W = map_.random_weights_
    if isinstance(map_, GaussianProductFeatures):
        if c[0] > 0:
            columns.append(np.full(len(X), math.sqrt(c[0])))
        m = W.shape[2]
        for f in range(m):
            vectors, total = iter(W[:, :, f]), np.zeros(len(X))
            for i in range(1, len(c)):
                if c[i] > 0:
                    total += math.sqrt(c[i]) * math.prod([X @ next(vectors) for _ in range(i)])
            columns.append(total / math.sqrt(m))
            assert next(vectors, None) is None
        return np.stack(columns, 1)
    e, vectors = map_.exact_degrees, iter(W.T)
    if e >= 1 and c[0] > 0:
        columns.append(np.full(len(X), math.sqrt(c[0])))
    if e == 2 and len(c) > 1 and c[1] > 0:
        columns += list((math.sqrt(c[1]) * X / ell).T)
    q, m = map_.probabilities_, len(map_.degrees_)
    for N in map_.degrees_:
        factors = [X @ next(vectors) for _ in range(N)]
        size = math.sqrt(c[N] / q[N] / m) if q[N] > 0 else 0.0
        columns.append(size * math.prod(factors, start=np.ones(len(X))))
    assert next(vectors, None) is None
    return np.stack(columns, 1)


@pytest.mark.parametrize("map_", MAPS, ids=str)
@pytest.mark.parametrize("width", [1, 2, 7, 40, TILE + 30])
def test_features_are_their_definition(map_, width):
    map_ = clone(map_).set_params(n_components=width).fit(X)
    Z = map_.transform(X)
    assert Z.shape == (40, map_.n_components_) and map_.n_components_ >= width
    assert map_.n_components_ == width or width <= 1 + 5 * getattr(map_, "exact_degrees", 0)
    np.testing.assert_allclose(Z, plain(map_, X), rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(map_.transform(sparse.csr_array(X)), Z, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(map_.approximate_kernel(X, X[:3]), Z @ Z[:3].T, rtol=1e-12, atol=1e-12)
    X32 = X.astype(np.float32)
    Z32 = clone(map_).fit_transform(X32)
    assert Z32.dtype == np.float32
    np.testing.assert_allclose(Z32, Z, rtol=1e-3, atol=1e-4 * max(1, np.abs(Z).max()))
    out = np.full((40, 2 * Z.shape[1]), np.nan)[:, : Z.shape[1]]
    assert map_.transform(X, out=out) is out and np.array_equal(out, Z)
    wide = clone(map_).set_params(n_components=width + 300).fit(X)
    if isinstance(map_, GaussianProductFeatures):
        m = map_.random_weights_.shape[2]
        assert np.array_equal(wide.random_weights_[:, :, :m], map_.random_weights_)
    else:
        m = len(map_.degrees_)
        assert np.array_equal(wide.degrees_[:m], map_.degrees_)
        assert np.array_equal(wide.random_weights_[:, : map_.degrees_.sum()], map_.random_weights_)


def test_blocks_do_not_show():
    many = np.random.default_rng(1).standard_normal((1300, 5))
    for map_ in (GaussianProductFeatures(n_components=300, random_state=0), RandomMaclaurinFeatures(random_state=0)):
        Z = map_.fit(many).transform(many)
        np.testing.assert_allclose(Z[700:], map_.transform(many[700:]), rtol=1e-10, atol=1e-11)
        assert map_.transform(many[:0 + 1]).shape == (1, map_.n_components_)


def test_the_constant_is_exact():
    for map_ in (GaussianProductFeatures(kernels.PowerSeries([2.0]), n_components=5),
                 RandomMaclaurinFeatures(kernels.PowerSeries([2.0]), n_components=5)):
        np.testing.assert_allclose(map_.fit(X).approximate_kernel(X), 2.0, rtol=1e-15)
    linear = RandomMaclaurinFeatures(kernels.Polynomial(1, 0.5, 2.0), n_components=9, exact_degrees=2).fit(X)
    np.testing.assert_allclose(linear.approximate_kernel(X), X @ X.T / 4 + 0.5, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("make", [np.asarray, np.asfortranarray, sparse.csr_array])
@pytest.mark.parametrize("coefficients", [[0.5, 2.0, 0.0, 0.7], [0.0, 3.0, 1.0], [2.0, 0.3]])
def test_exact_columns_are_divided_by_the_scale_of_their_coordinate(coefficients, make, dtype):
    """Beside the rounding of x and of the weight there are two products."""
    data, scale = np.random.default_rng(2).standard_normal((1300, 5)).astype(dtype), np.array([0.2, 1.0, 3.0, 7.0, 0.5])
    data[::3, 2:4] = 0
    want = math.sqrt(coefficients[1]) * data / scale
    first = int(coefficients[0] > 0)
    for width in (1, 7, TILE + 43):
        map_ = RandomMaclaurinFeatures(kernels.PowerSeries(coefficients, scale), n_components=width, exact_degrees=2,
                                       random_state=0)
        Z = map_.fit_transform(make(data))
        assert Z.dtype == dtype and np.allclose(Z[:, :first], math.sqrt(coefficients[0]), rtol=np.finfo(dtype).eps)
        np.testing.assert_allclose(Z[:, first : first + 5], want, rtol=4 * np.finfo(dtype).eps)


def test_counts():
    """A degree takes as many vectors as it says, l (l + 1) / 2 together."""
    for degree in (1, 2, 3, 6):
        map_ = GaussianProductFeatures(kernels.Polynomial(degree), n_components=4).fit(X)
        assert map_.random_weights_.shape == (degree * (degree + 1) // 2, 5, 3)


def test_a_users_kernel_needs_coefficients_only():
    class Geometric:  # 1 / (1 - t / 2)
        def taylor_coefficients(self, n):
            return 0.5 ** np.arange(n)

    Y = X / np.linalg.norm(X, axis=1, keepdims=True)
    K = RandomMaclaurinFeatures(Geometric(), n_components=20_000, random_state=0).fit(Y).approximate_kernel(Y)
    assert np.abs(K - 1 / (1 - Y @ Y.T / 2)).max() < 0.2
    with pytest.raises(ValueError, match="beyond degree 64"):
        GaussianProductFeatures(Geometric()).fit(X)
    with pytest.raises(ValueError, match="radius is 1.5"):
        RandomMaclaurinFeatures(Geometric(), radius=1.5).fit(X)
    RandomMaclaurinFeatures(Geometric(), radius=1.5, degree_law="geometric").fit(X)
    for wrong in (lambda self, n: np.ones(3), lambda self, n: -np.ones(n), lambda self, n: np.full(n, np.nan),
                  lambda self, n: [[1], [1, 2]], lambda self, n: "one"):
        Geometric.taylor_coefficients = wrong
        with pytest.raises(ValueError, match="kernel.*has coefficients"):
            RandomMaclaurinFeatures(Geometric()).fit(X)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: GaussianProductFeatures("polynomial"), "kernel is 'polynomial'"),
    (lambda: GaussianProductFeatures(kernels.Gaussian()), "kernel is Gaussian"),
    (lambda: GaussianProductFeatures(kernels.Polynomial), "kernel is <class"),
    (lambda: GaussianProductFeatures(kernels.Polynomial(coef0=-1.0)), "coef0 is -1"),
    (lambda: GaussianProductFeatures(n_components=0), "n_components is 0"),
    (lambda: GaussianProductFeatures(kernels.Polynomial(length_scale=[1.0, 2.0])), "length_scale has shape"),
    (lambda: GaussianProductFeatures(type("K", (), {"taylor_coefficients": 3})()), "kernel is <"),
    (lambda: RandomMaclaurinFeatures(exact_degrees=3), "exact_degrees is 3"),
    (lambda: RandomMaclaurinFeatures(degree_law="x"), "degree_law is 'x'"),
    (lambda: RandomMaclaurinFeatures(radius=0.0), "radius is 0"),
    (lambda: RandomMaclaurinFeatures(random_state=-1), "random_state is -1"),
])
def test_wrong_arguments_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make().fit(X)


@pytest.mark.parametrize("kind", [GaussianProductFeatures, RandomMaclaurinFeatures])
def test_overflow_is_an_error(kind):
    map_ = kind(n_components=50, random_state=0).fit(X)
    for huge in (np.full((2, 5), 1e200), sparse.csr_array(np.full((2, 5), 1e200))):
        with pytest.raises(ValueError, match="X holds 1e.200: features overflow float64"):
            map_.transform(huge)
    with pytest.raises(ValueError, match="estimate overflows"):
        map_.approximate_kernel(np.full((2, 5), 1e70))
    with pytest.raises(ValueError, match="estimate overflows"):  # one entry of four
        map_.approximate_kernel(np.array([[1e70] * 5, [0.0] * 5]))
    with pytest.raises(ValueError, match="overflow float32"):
        map_.transform(np.full((2, 5), 1e20, np.float32))
    assert np.isfinite(map_.transform(np.full((2, 5), 1e-310))).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_overflow_of_exact_columns_is_an_error(dtype):
    huge = np.full((2, 5), np.finfo(dtype).max / 2, dtype)
    map_ = RandomMaclaurinFeatures(kernels.PowerSeries([0, 16.0]), n_components=9, exact_degrees=2).fit(huge)
    for data in (huge, sparse.csr_array(huge)):
        with pytest.raises(ValueError, match=f"features overflow {np.dtype(dtype).name}"):
            map_.transform(data)
    constant = RandomMaclaurinFeatures(kernels.PowerSeries([1e300]), n_components=3).fit(X.astype(dtype))
    if dtype is np.float32:
        with pytest.raises(ValueError, match="features overflow float32"):
            constant.transform(np.zeros((2, 5), dtype))
    else:
        assert np.all(constant.transform(X)[:, 0] == 1e150)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("map_", [GaussianProductFeatures(kernels.Polynomial(length_scale=1e-310), n_components=9),
                                  RandomMaclaurinFeatures(kernels.Polynomial(length_scale=1e-310), n_components=9),
                                  RandomMaclaurinFeatures(kernels.Polynomial(length_scale=1e-310), n_components=9,
                                                          exact_degrees=2),
                                  # of this seed finite weights have a sum that is not
                                  GaussianProductFeatures(kernels.Polynomial(length_scale=1e-310), n_components=9,
                                                          random_state=441)])
def test_weights_that_overflow_leave_no_nan(map_):
    """Zero times an infinite weight is not a number, though the points are as small as can be."""
    with pytest.raises(ValueError, match="features overflow"):
        map_.fit_transform(np.zeros((3, 5)))


def test_a_fit_does_not_follow_its_kernel():
    scale = np.full(5, 2.0)
    kernel = kernels.Polynomial(3, 1.0, scale)
    map_ = RandomMaclaurinFeatures(kernel, n_components=20, exact_degrees=2, random_state=0).fit(X)
    before = map_.transform(X)
    scale[:] = 1.0
    kernel.degree = 2
    assert np.array_equal(map_.transform(X), before)


def test_a_radius_that_leaves_no_law():
    for function in (lambda: RandomMaclaurinFeatures(radius=1e-200).fit(X),
                     lambda: bounds.maclaurin_variance([1, 3, 3, 1.0], X[0], X[1], 9, radius=1e-200)):
        with pytest.raises(ValueError, match="radius is 1e-200, where all weights of the law underflow"):
            function()


# ---- variances -------------------------------------------------------------------------------------------------------


def enumerated(map_, x, y):
    """Second moment of a random feature's product, by three-point Gauss-Hermite nodes in the place of the draws."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(3)
    v, d, _ = map_.fit([x, y]).random_weights_.shape
    grid = np.stack(np.meshgrid(*[nodes] * (v * d), indexing="ij")).reshape(v, d, -1)
    mass = np.stack(np.meshgrid(*[weights / weights.sum()] * (v * d), indexing="ij")).reshape(v * d, -1).prod(0)
    map_.random_weights_, map_.n_components_ = grid, grid.shape[2] + int(map_.coefficients_[0] > 0)
    product = map_.transform([x, y])[:, -grid.shape[2] :].prod(0) * grid.shape[2]
    return mass @ product, mass @ product**2


@pytest.mark.parametrize("kernel", [kernels.Polynomial(2), kernels.PowerSeries([0.0, 0.0, 2.0]),
                                    kernels.PowerSeries([1.0, 0.3])])
def test_gaussian_variance_is_exact(kernel):
    x, y = np.array([0.6, 0.2]), np.array([0.5, -0.4])
    c = kernel.taylor_coefficients(4)
    mean, square = enumerated(GaussianProductFeatures(kernel, n_components=4), x, y)
    assert mean == pytest.approx(kernel([x], [y])[0, 0] - c[0], rel=1e-12)
    got = bounds.product_variance(c, x, y, 1 + int(c[0] > 0))
    assert got == pytest.approx(square - mean**2, rel=1e-12)
    assert bounds.product_variance(c, x, y, 100 + int(c[0] > 0)) == pytest.approx(got / 100, rel=1e-12)


def test_public_names():
    for name in ("Polynomial", "ExponentialDotProduct", "PowerSeries", "DotProductKernel", "GaussianProductFeatures",
                 "RandomMaclaurinFeatures"):
        assert name in rfbook.__all__ and hasattr(rfbook, name)


def test_width_for_signs():
    c, R, eps, delta = np.array([1.0, 3.0, 3.0, 1.0]), 0.7, 0.05, 1e-3
    D = bounds.maclaurin_components(eps, delta, c, R)
    f = np.polynomial.polynomial.polyval(R**2, c) - 1
    assert 2 * math.exp(-(D - 1) * eps**2 / (2 * f**2)) <= delta < 2 * math.exp(-(D - 2) * eps**2 / (2 * f**2))
    Y = X[:6] * R / np.abs(X[:6]).sum(1, keepdims=True)
    K = kernels.Polynomial()(Y)
    for seed in range(5):
        map_ = RandomMaclaurinFeatures(n_components=D, radius=R, random_state=seed).fit(Y)
        assert np.abs(map_.approximate_kernel(Y) - K).max() < eps


def test_shared_vectors_are_unbiased_too():
    """The exercise: E09's count is not the least one."""
    w = np.random.default_rng(0).choice([-1.0, 1.0], (3, 400_000, 2))
    x, y = np.array([0.5, 0.3]), np.array([0.4, -0.2])
    phi = [sum(np.prod(w[:i] @ v, axis=0) for i in (1, 2, 3)) for v in (x, y)]
    t, product = x @ y, phi[0] * phi[1]
    assert abs(product.mean() - (t + t**2 + t**3)) < 7 * product.std() / np.sqrt(product.size)


def test_stretching_by_a_negative_number_hides_no_overflow():
    map_ = RandomMaclaurinFeatures(kernels.Polynomial(1), n_components=9, exact_degrees=2, random_state=0).fit(X)
    with pytest.raises(ValueError, match="overflow"):
        map_._features(1e10 * X, map_.draws_.stretched(-1e300))
