"""Structured frequencies: their factors, what they refuse, and the fast path against the matrix that they stand for."""

import copy
import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import hadamard
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_limits

from rfbook import RandomFeatureRegressor, RandomFourierFeatures, bounds, kernels
from rfbook.draws.structured import walsh_hadamard
from rfbook.draws.structured_product import fastfood_frequencies, structured_frequencies
from rfbook.features.fourier import fourier_features
from rfbook.lab.ledger import mean_radius

SAMPLINGS = ["structured", "fastfood"]
DRAWS = {"structured": structured_frequencies, "fastfood": fastfood_frequencies}
RADIAL = [kernels.Gaussian(2.0), kernels.Exponential(), kernels.Matern(nu=2.5), kernels.Gaussian([0.5, 1.0, 2.0])]


@pytest.fixture
def X():
    return np.random.default_rng(0).standard_normal((150, 3))


@parametrize_with_checks([RandomFourierFeatures(length_scale=1.0, sampling=s,
                                                n_components=n) for s, n in zip(SAMPLINGS, (7, 20), strict=True)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("p", [1, 2, 8])
def test_the_product_is_what_it_says(p):
    """The factors, multiplied as dense matrices."""
    H, rng = hadamard(p), np.random.default_rng(1)
    W = structured_frequencies(kernels.Gaussian(), 2 * p, p, rng)
    for block in range(2):
        M = np.eye(p)
        for D in W.factors[0][:, block]:
            M = H @ np.diag(D) @ M
        rows = W.scale[block * p : (block + 1) * p, None] * M
        assert np.allclose(rows.T, np.asarray(W)[block * p : (block + 1) * p].T, atol=1e-12)
        assert np.allclose(rows @ rows.T, np.diag((rows**2).sum(1)), atol=1e-12)
    W = fastfood_frequencies(kernels.Gaussian(), 2 * p, p, rng)
    for block in range(2):
        B, P, G = (f[block] for f in W.factors)
        rows = W.scale[block * p : (block + 1) * p, None] * (H @ np.diag(G) @ np.eye(p)[P] @ H @ np.diag(B))
        assert np.allclose(rows.T, np.asarray(W)[block * p : (block + 1) * p].T, atol=1e-12)


@pytest.mark.parametrize("draw", DRAWS.values())
@pytest.mark.parametrize("kernel", RADIAL, ids=lambda k: type(k).__name__)
@pytest.mark.parametrize("n", [0, 1, 3, 4, 11, 600])
def test_nested(draw, kernel, n):
    few, many = (np.asarray(draw(kernel, m, 3, np.random.default_rng(0))) for m in (n, n + 700))
    assert few.shape == (n, 3) and np.array_equal(few, many[:n]) and np.isfinite(many).all()


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("d", [1, 4, 5])
def test_lengths_are_those_of_the_kernel(sampling, d):
    """A Kolmogorov-Smirnov distance of |omega| in p dimensions against its law, at level 1e-9, and the spare."""
    from scipy.stats import chi

    p = {1: 1, 4: 4, 5: 8}[d]
    W = DRAWS[sampling](kernels.Gaussian(2.0), 30_000, d, np.random.default_rng(0))
    W.d = p  # all coordinates, those of the padding too
    R = np.sort(2 * np.linalg.norm(np.asarray(W), axis=1))
    distance = np.abs(chi.cdf(R, p) - (np.arange(30_000) + 0.5) / 30_000).max()
    assert distance < np.sqrt(np.log(2 / 1e-9) / (2 * 30_000)) + 1e-4


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("kernel", ["laplacian", "cauchy", kernels.StretchedExponential(power=0.5)])
def test_product_kernels_are_refused(sampling, kernel):
    X = np.ones((3, 2))
    with pytest.raises(ValueError, match=f"sampling is '{sampling}'.*radial"):
        RandomFourierFeatures(kernel, sampling=sampling).fit(X)
    RandomFourierFeatures(kernel, sampling=sampling, n_components=8).fit(X[:, :1])  # on the line all are radial


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_a_users_kernel(sampling):
    class Ring:
        radial = True

        def sample_frequencies(self, n, d, rng):
            G = rng.standard_normal((n, d))
            return 3 * G / np.linalg.norm(G, axis=1, keepdims=True)

    rff = RandomFourierFeatures(Ring(), sampling=sampling, n_components=40, random_state=0).fit(np.eye(4))
    assert np.allclose(np.linalg.norm(rff.random_weights_, axis=0), 3)
    rff.fit(np.eye(3))  # a ring in four dimensions, as it says that it is the same function of distance there
    with pytest.raises(ValueError, match="kernel.*drew"):
        Ring.sample_frequencies = lambda self, n, d, rng: np.full((n, d), np.inf)
        rff.fit(np.eye(4))
    with pytest.raises(ValueError, match="kernel.*drew"):
        Ring.sample_frequencies = lambda self, n, d, rng: np.ones((n + 1, d))
        rff.fit(np.eye(3))

    class Heavy:
        """A mixture of Gaussians, the same in all dimensions."""

        radial = True

        def sample_frequencies(self, n, d, rng):
            return rng.standard_normal((n, d)) * rng.exponential(size=(n, 1))

    Z = RandomFourierFeatures(Heavy(), sampling=sampling, n_components=2**15, random_state=0).fit_transform(np.eye(30))
    assert abs(Z[0] @ Z[1] - _heavy(2**0.5)) < 0.05


def _heavy(t):
    from scipy.integrate import quad

    return quad(lambda s: np.exp(-s - s**2 * t**2 / 2), 0, np.inf)[0]


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("phase", ["paired", "offset"])
@pytest.mark.parametrize("length_scale", [2.0, [0.5, 1.0, 4.0]])
def test_the_fast_path_equals_the_matrix(X, sampling, dtype, phase, length_scale):
    rff = RandomFourierFeatures(sampling=sampling, n_components=77, phase=phase, length_scale=length_scale,
                                random_state=3)
    Z, tolerance = rff.fit_transform(X.astype(dtype)), 1e-13 if dtype == np.float64 else 1e-5
    assert Z.shape == (150, 78 if phase == "paired" else 77) and Z.dtype == dtype
    W, b = rff.random_weights_, getattr(rff, "random_offset_", None)
    assert W.shape == (3, 39 if phase == "paired" else 77) and W.dtype == dtype
    assert np.abs(fourier_features(X, W, b) - Z).max() < tolerance
    S = sparse.csr_matrix(X.astype(dtype))
    assert np.array_equal(rff.transform(S), Z) and np.array_equal(rff.transform(np.asfortranarray(X.astype(dtype))), Z)
    assert np.array_equal(np.vstack([rff.transform(x[None]) for x in X.astype(dtype)]), Z)
    out = np.empty((150, 2 * Z.shape[1]), dtype)[:, : Z.shape[1]]
    assert np.array_equal(rff.transform(X.astype(dtype), out=out), Z)
    other = rff.transform(X.astype(np.float32 if dtype == np.float64 else np.float64))
    assert np.abs(other - Z).max() < 1e-5 and other.dtype != dtype


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_a_matrix_may_take_the_place_of_the_factors(X, sampling):
    rff = RandomFourierFeatures(length_scale=1.0, sampling=sampling, n_components=20, random_state=0)
    assert not hasattr(rff, "random_weights_")
    Z = rff.fit_transform(X)
    W = rff.random_weights_
    with pytest.raises(ValueError, match="read-only"):
        W[0] = 0
    for twin in (copy.deepcopy(rff), pickle.loads(pickle.dumps(rff)), clone(rff).fit(X)):
        assert np.array_equal(twin.transform(X), Z) and np.array_equal(twin.random_weights_, W)
    rff.random_weights_ = 2 * W
    assert np.allclose(rff.transform(X), fourier_features(X, 2 * W), atol=1e-13) and not hasattr(rff, "frequencies_")
    rff.random_weights_[0] = 0  # now it is the user's array
    assert np.allclose(rff.transform(X)[:, :10], np.sqrt(0.1) * np.cos(X[:, 1:] @ (2 * W)[1:]), atol=1e-13)
    assert np.array_equal(rff.fit(X).transform(X), Z) and rff.frequencies_ is rff.waves_.frequencies
    rff.set_params(sampling="iid").fit(X)
    assert not hasattr(rff, "frequencies_") and np.shares_memory(rff.random_weights_, rff.waves_.frequencies)


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_bits_do_not_depend_on_threads(sampling):
    X = np.random.default_rng(0).standard_normal((1200, 5)).astype(np.float32)
    rff = RandomFourierFeatures(length_scale=1.0, sampling=sampling, n_components=40, random_state=0).fit(X)
    want = rff.transform(X)
    for threads in (1, 2, 4):
        with threadpool_limits(threads):
            assert np.array_equal(rff.transform(X), want)
            assert np.array_equal(clone(rff).fit(X).random_weights_, rff.random_weights_)


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_angles_that_overflow_or_blur(sampling, dtype):
    rff = RandomFourierFeatures(length_scale=1.0, sampling=sampling, n_components=8, random_state=0)
    X = np.ones((4, 3), dtype)
    rff.fit(X)
    with pytest.raises(ValueError, match="angles overflow"):
        rff.transform(np.finfo(dtype).max * X)
    with pytest.warns(UserWarning, match="most angles are too large"):
        assert np.isfinite(rff.transform(dtype(1e9 if dtype == np.float32 else 1e18) * X)).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rff.transform(100 * X)
        tiny = RandomFourierFeatures(sampling=sampling, length_scale=1e-300, n_components=8, random_state=0)
        tiny.fit(1e-300 * X.astype(float)).transform(1e-300 * X.astype(float))
    far = RandomFourierFeatures(sampling=sampling, length_scale=[1e-320, 1, 1], n_components=8, random_state=0).fit(X)
    with pytest.raises(ValueError, match="angles overflow"):
        far.transform(X)


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_in_a_machine_and_with_names(X, sampling):
    rff = RandomFourierFeatures(sampling=sampling, n_components=64, length_scale="median", random_state=0)
    machine = RandomFeatureRegressor(rff).fit(X, np.sin(X).sum(1))
    assert machine.score(X, np.sin(X).sum(1)) > 0.9
    assert list(rff.fit(X).get_feature_names_out())[:2] == ["randomfourierfeatures0", "randomfourierfeatures1"]


def test_factors():
    with pytest.raises(ValueError, match="factors is 0"):
        structured_frequencies(kernels.Gaussian(), 3, 3, np.random.default_rng(0), factors=0)
    with pytest.raises(ValueError, match="rng is"):
        fastfood_frequencies(kernels.Gaussian(), 3, 3, 0)
    one = structured_frequencies(kernels.Gaussian(), 9, 3, np.random.default_rng(0), factors=1)
    W = np.asarray(one)
    assert np.allclose(np.abs(W), np.abs(W[:, :1]))  # all coordinates of a frequency are of one size


def test_walsh_hadamard():
    for p in (1, 2, 4, 64):
        A = np.random.default_rng(p).integers(-9, 10, (3, 2, p))
        assert np.array_equal(walsh_hadamard(A), A @ hadamard(p))


def exact_bias(delta, t):
    """All signs of two rounds, those of the third averaged to cosines, quadrature over the length."""
    from scipy.special import roots_genlaguerre

    p, y = len(delta), np.atleast_2d(delta)
    signs, (x, weights) = 1 - 2 * (np.arange(2**p)[:, None] >> np.arange(p) & 1), roots_genlaguerre(30, p / 2 - 1)
    for _ in range(2):
        y = np.unique((y[:, None] * signs).reshape(-1, p), axis=0) if p > 4 else (y[:, None] * signs).reshape(-1, p)
        y = walsh_hadamard(y) / np.sqrt(p)
    means = [np.cos(t * np.sqrt(2 * r / p) * y).prod(1).mean() for r in x]
    return weights @ means / weights.sum() - np.exp(-(t**2) / 2)


@pytest.mark.parametrize("p", [2, 4, 8])
def test_bias_is_within_its_bound_by_enumeration(p):
    """From both sides: nearby fourth moments decide, and those of a unit vector say how much of the bound is attained.

    There the bound is (p + 2) / (p - 1) times the bias, but for powers that at t = 0.01 are below four percent.
    """
    unit = np.eye(p)[0]
    for direction in (unit, np.ones(p) / np.sqrt(p), np.r_[0.6, 0.8, np.zeros(p - 2)])[: 2 if p == 8 else 3]:
        for t in (0.01, 0.2, 0.4, 0.8, 1.6):
            assert abs(exact_bias(direction, t)) <= bounds.structured_bias(t, p)
    assert bounds.structured_bias(0.01, p) <= 1.04 * (p + 2) / (p - 1) * abs(exact_bias(unit, 0.01))


@pytest.mark.parametrize("p", [4, 64])
def test_permutations_are_uniform_and_independent(p):
    """Hoeffding for every place and for neighbouring blocks, false alarm below 1e-9: what agrees does so by chance."""
    n = 20_000
    W = fastfood_frequencies(kernels.Gaussian(), n * p, p, np.random.default_rng(0))
    order = W.factors[1]
    assert np.array_equal(np.sort(order, axis=1), np.tile(np.arange(p), (n, 1)))
    radius = mean_radius(n - 1, 1.0, 1e-9 / (p * p + 2 * p))
    shares = [np.bincount(place, minlength=p) / n for place in order.T]
    assert np.abs(np.array(shares) - 1 / p).max() < radius
    for gap in (1, 1 + 512 // p):  # within what is drawn together, and beyond
        assert np.abs((order[gap:] == order[:-gap]).mean(0) - 1 / p).max() < radius * np.sqrt(n / (n - gap))


def test_fastfood_variance_by_enumeration():
    """All signs and permutations of p = 4, quadrature over two lengths; nearby the bounds are nearly attained."""
    from itertools import permutations

    from scipy.special import hyp0f1, roots_genlaguerre

    p, H, orders = 4, hadamard(4), np.array(list(permutations(range(4))))
    signs = 1 - 2 * (np.arange(16)[:, None] >> np.arange(4) & 1)
    x, weights = roots_genlaguerre(40, p / 2 - 1)
    squares, cross = 2 * np.add.outer(x, x), 4 * np.sqrt(np.outer(x, x))  # R^2 + R'^2 and 2 R R'
    weights = np.outer(weights, weights) / weights.sum() ** 2
    for direction in ([1, 0, 0, 0], [0.6, 0.8, 0, 0], [0.5] * 4):
        z = (signs * direction) @ H
        rho, fourth = z[:, orders] ** 2 @ (H[1] * H[2]) / p, np.sum(np.power(direction, 4.0))
        assert np.isclose((rho**2).mean(), 2 / (p - 1) * (1 - fourth))
        values, counts = np.unique(np.append(rho, -rho).round(12), return_counts=True)  # the sign does not matter
        for t in (0.1, 0.5, 1.0, 2.0):
            pairs = [np.sum(weights * hyp0f1(p / 2, -(t**2) * (squares + r * cross) / 4)) for r in values]
            covariance = np.average(pairs, weights=counts) - np.exp(-(t**2))
            off, most = covariance - bounds.orthogonal_covariance(t, p), p * t**4 * (1 - fourth) / ((p - 1) * (p + 2))
            single = bounds.fourier_variance(np.exp(-(t**2) / 2), np.exp(-2 * t**2), 2 * p, "paired")
            block, bound = single + (1 - 1 / p) * covariance, bounds.fastfood_variance(t, 2 * p, p, "paired")
            assert abs(off) <= most + 1e-12 and block <= bound
            if t == 0.1:
                assert off >= 0.98 * most - 1e-12 and (fourth > 0.25 or bound < 1.25 * block)


@pytest.mark.parametrize("draw", [structured_frequencies, fastfood_frequencies])
def test_a_subclass_is_trusted(draw):
    class Same(kernels.Gaussian):
        def _sample(self, n, d, rng):
            return super()._sample(n, d, rng)

    class Ring(kernels.Gaussian):
        def _sample(self, n, d, rng):
            W = rng.standard_normal((n, d))
            return 5 * W / np.linalg.norm(W, axis=1, keepdims=True)

        def sample_lengths(self, n, d, rng):
            return np.full(n, 5.0)

    one, other = (np.asarray(draw(kernel(2.0), 9, 3, np.random.default_rng(0))) for kernel in (Same, kernels.Gaussian))
    assert np.array_equal(one, other)
    assert np.allclose(np.linalg.norm(np.asarray(draw(Ring(), 4, 4, np.random.default_rng(0))), axis=1), 5)
