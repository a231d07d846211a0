"""What kernels share: parameters, errors, laws that they know of, kernels of one's own."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse, stats

from rfbook import RandomFeatureRegressor, RandomFourierFeatures, kernels
from rfbook.kernels import Cauchy, Exponential, Gaussian, Laplacian, Matern
from rfbook.lab.ledger import mean_radius

KERNELS = [Gaussian(), Laplacian(), Exponential(), Cauchy(), Matern(0.3), Matern(1.5), Matern(2.5), Matern(60.0)]
LEVEL = 1e-10  # false alarm of one random check; with all of them together below 1e-8

every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=repr)


# ---- parameters ---------------------------------------------------------------------------------------------------

def test_parameters():
    kernel = Matern(2.5, 3.0)
    assert kernel.get_params() == {"nu": 2.5, "length_scale": 3.0}
    assert repr(kernel) == "Matern(nu=2.5, length_scale=3.0)"
    assert kernel.set_params(nu=1.5) is kernel and kernel.nu == 1.5
    assert Exponential(2.0).get_params() == {"length_scale": 2.0}
    with pytest.raises(ValueError, match=r"'gamma' is not a parameter of Matern; it has \['nu', 'length_scale'\]"):
        kernel.set_params(gamma=1)


@every_kernel
def test_clone(kernel):
    from sklearn.base import clone

    copy = clone(kernel.set_params(length_scale=[1.0, 2.0]))
    kernel.set_params(length_scale=1.0)
    assert type(copy) is type(kernel) and copy is not kernel and copy.length_scale == [1.0, 2.0]


def test_clone_keeps_the_kernel_of_a_map_apart():
    from sklearn.base import clone

    features = RandomFourierFeatures(Matern(1.5))
    clone(features).set_params(kernel__length_scale=9.0)
    assert features.kernel.length_scale == 1.0


def test_grid_search_over_kernels_and_their_parameters():
    from sklearn.linear_model import Ridge
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import Pipeline

    rng = np.random.default_rng(16)
    X = rng.uniform(-1, 1, (150, 2))
    y = np.sin(6 * X[:, 0])
    model = Pipeline([("features", RandomFourierFeatures(Gaussian(), n_components=100, random_state=0)),
                      ("ridge", Ridge(1e-3))])
    assert "features__kernel__length_scale" in model.get_params()
    search = GridSearchCV(model, {"features__kernel__length_scale": [0.01, 0.4, 50.0]}, cv=3).fit(X, y)
    assert search.best_params_ == {"features__kernel__length_scale": 0.4}
    assert search.best_estimator_["features"].kernel_.length_scale == 0.4
    assert model["features"].kernel.length_scale == 1.0
    search = GridSearchCV(model, {"features__kernel": [Gaussian(50.0), Matern(2.5, 0.5)]}, cv=3).fit(X, y)
    assert isinstance(search.best_params_["features__kernel"], Matern)
    alone = GridSearchCV(RandomFourierFeatures(Matern(), random_state=0), {"kernel__nu": [0.5, 2.5]}, cv=2,
                         scoring=lambda features, X, y=None: features.kernel_.nu).fit(X)
    assert alone.best_params_ == {"kernel__nu": 2.5}


# ---- errors -------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("call", "message"), [
    (lambda: Gaussian(0.0).value([1.0]), r"length_scale is 0\.0; it may be positive finite numbers only"),
    (lambda: Gaussian(-1).value([1.0]), "length_scale is -1; it may be positive"),
    (lambda: Gaussian(math.inf)(np.ones((2, 2))), "length_scale is inf; it may be positive"),
    (lambda: Gaussian([1, math.nan]).value([1.0, 1.0]), "length_scale is .1, nan.; it may be positive"),
    (lambda: Gaussian("median").value([1.0]), "length_scale is 'median'; it may be positive finite numbers only"),
    (lambda: Gaussian(None).second_moment(2), "length_scale is None; it may be positive"),
    (lambda: Gaussian([1, 2]).value([1.0, 1.0, 1.0]),
     r"length_scale has shape \(2,\); it may be a number or a vector of length 3"),
    (lambda: Cauchy([[1, 2]]).spectral_density([1.0, 1.0]), r"length_scale has shape \(1, 2\)"),
    (lambda: Laplacian([1, 2]).sample_frequencies(3, 3, np.random.default_rng(0)), r"length_scale has shape \(2,\)"),
    (lambda: Matern(0).value([1.0]), "nu is 0; it may be a finite number above 0"),
    (lambda: Matern(-1.5).spectral_density([1.0]), r"nu is -1\.5; it may be"),
    (lambda: Matern(math.inf).sample_frequencies(3, 3, np.random.default_rng(0)), "nu is inf; it may be"),
    (lambda: Matern("smooth").second_moment(2), "nu is 'smooth'; it may be"),
    (lambda: Matern([1.5]).value([1.0]), r"nu is \[1\.5\]; it may be"),
    (lambda: Gaussian().value(1.0), r"difference has shape \(\); it may be an array of shape \(\.\.\., d\)"),
    (lambda: Gaussian().value("near"), "difference is a str; it may be a dense array of numbers"),
    (lambda: Gaussian().spectral_density(1.0), r"omega has shape \(\); it may be an array of shape"),
    (lambda: Gaussian()(np.ones(3)), r"X has shape \(3,\); it may be an array of shape \(n, d\)"),
    (lambda: Gaussian()(np.ones((3, 2)), np.ones(2)), r"Y has shape \(2,\); it may be an array of shape \(n, d\)"),
    (lambda: Gaussian()(np.ones((3, 2)), np.ones((3, 4))), "Y has 4 columns; it may have 2, as X has"),
    (lambda: Gaussian().sample_frequencies(-1, 2, np.random.default_rng(0)),
     "n is -1; it may be an integer that is at least 0"),
    (lambda: Gaussian().sample_frequencies(2.5, 2, np.random.default_rng(0)), r"n is 2\.5; it may be an integer"),
    (lambda: Gaussian().sample_frequencies(2, 0, np.random.default_rng(0)), "d is 0; it may be an integer"),
    (lambda: Gaussian().sample_frequencies(2, 2, 0), r"rng is 0; it may be a numpy\.random\.Generator"),
    (lambda: Gaussian().second_moment(0), "d is 0; it may be an integer"),
    (lambda: kernels.by_name("rfb"), "kernel is 'rfb'; it may be a kernel object or one of gaussian, rbf, laplacian"),
    (lambda: kernels.by_name("gausian"), r"kernel is 'gausian'; .*, matern52; did you mean 'gaussian'\?$"),
    (lambda: Gaussian().set_params(lenght_scale=2), r"'lenght_scale' is not .*\]; did you mean 'length_scale'\?$"),
    (lambda: kernels.by_name(["gaussian"]), r"kernel is \['gaussian'\]; it may be a kernel object"),
])
def test_wrong_arguments_give_one_sentence(call, message):
    with pytest.raises(ValueError, match="^" + message):
        call()


# ---- kernels of one's own -----------------------------------------------------------------------------------------

class RationalQuadratic(kernels.SpectralKernel):  # a new kernel in fifteen lines
    radial = True

    def __init__(self, a=1.0, length_scale=1.0):
        super().__init__(length_scale)
        self.a = a

    def _value(self, t):
        return (1 + (t**2).sum(-1) / (2 * self.a)) ** -self.a

    def _sample(self, n, d, rng):
        normal, gamma = rng.spawn(2)
        return normal.standard_normal((n, d)) * np.sqrt(gamma.gamma(self.a, 1 / self.a, (n, 1)))


@pytest.mark.parametrize("length_scale", [2.0, [1.0, 2.0, 3.0, 4.0, 5.0]])
def test_a_new_kernel_in_fifteen_lines(length_scale):
    kernel, X = RationalQuadratic(0.8, length_scale), np.random.default_rng(24).standard_normal((30, 5))
    K = (1 + (((X[:, None] - X) / length_scale) ** 2).sum(-1) / 1.6) ** -0.8
    for found in (kernel(X), kernel(sparse.csr_array(X)), kernel.value(X[:, None] - X)):
        assert_allclose(found, K, rtol=1e-12)
    for sampling, most in (("iid", 0.06), ("orthogonal", 0.06), ("structured", 0.12), ("fastfood", 0.08)):
        features = RandomFourierFeatures(kernel, sampling=sampling, n_components=2**14, random_state=0)
        assert np.abs(features.fit(X).approximate_kernel(X) - K).max() < most
        nested = RandomFourierFeatures(kernel, sampling=sampling, n_components=64, random_state=0).fit(X)
        assert_array_equal(nested.random_weights_, features.random_weights_[:, :32])
    machine = RandomFeatureRegressor(RandomFourierFeatures(kernel, n_components=512, random_state=0))
    assert machine.fit(X, np.sin(X[:, 0])).score(X, np.sin(X[:, 0])) > 0.9


def test_a_new_kernel_in_many_dimensions():
    X = np.random.default_rng(25).standard_normal((40, 60))
    K = RationalQuadratic(2.0, 8.0)(X)
    assert_allclose(K, (1 + ((X[:, None] - X) ** 2).sum(-1) / 256) ** -2.0, rtol=1e-12)
    assert_array_equal(K, K.T)


def test_a_users_kernel_needs_only_frequencies():
    class Comb:
        def sample_frequencies(self, n, d, rng):
            return rng.integers(-1, 2, (n, d)).astype(float)

    X = np.random.default_rng(17).standard_normal((6, 2))
    Z = RandomFourierFeatures(Comb(), n_components=40_000, random_state=0).fit_transform(X)
    want = np.prod((1 + 2 * np.cos(X[:, None] - X[None])) / 3, axis=-1)
    assert np.abs(Z @ Z.T - want).max() < mean_radius(20_000, 2, LEVEL / 15)


def test_a_subclass_may_have_a_part_only():
    class Half(kernels.SpectralKernel):
        def _value(self, t):
            return np.exp(-np.abs(t).sum(-1))

    half = Half(2.0)
    assert half([[0.0], [1.0]])[0, 1] == math.exp(-0.5) and repr(half) == "Half(length_scale=2.0)"
    for call, what in ((lambda: half.spectral_density([1.0]), "spectral density"),
                       (lambda: half.sample_frequencies(2, 1, np.random.default_rng(0)), "sampler"),
                       (lambda: half.second_moment(1), "second moment")):
        with pytest.raises(NotImplementedError, match=f"^Half has no {what}$"):
            call()


# ---- what kernels know of their laws ------------------------------------------------------------------------------

@every_kernel
def test_frequencies_from_uniforms_have_the_law(kernel):
    """Kolmogorov and Smirnov in each coordinate against independent draws, at level 1e-9; the length scale inside."""
    kernel, n = type(kernel)(**{**kernel.get_params(), "length_scale": [0.5, 3.0]}), 20_000
    u = np.random.default_rng(18).random((n, kernel.n_uniforms(2)))
    V, W = kernel.frequencies_from_uniforms(u, 2), kernel.sample_frequencies(n, 2, np.random.default_rng(19))
    assert V.shape == (n, 2) and V.dtype == np.float64
    for column in range(2):
        assert stats.ks_2samp(V[:, column], W[:, column]).statistic < 2 * math.sqrt(math.log(4e9) / (2 * n))
    assert_array_equal(kernel.frequencies_from_uniforms(u[:7], 2), V[:7])


@every_kernel
def test_lengths_are_those_of_the_frequencies(kernel):
    n, kernel = 20_000, type(kernel)(**{**kernel.get_params(), "length_scale": [0.5, 3.0, 1.0]})
    R = kernel.sample_lengths(n, 3, np.random.default_rng(20))
    W = kernel.sample_frequencies(n, 3, np.random.default_rng(21)) * kernel.length_scale
    assert R.shape == (n,) and (R >= 0).all()
    assert stats.ks_2samp(R, np.linalg.norm(W, axis=1)).statistic < 2 * math.sqrt(math.log(4e9) / (2 * n))
    unit = kernel.sample_standard(9, 3, np.random.default_rng(22))
    assert_array_equal(unit / kernel.length_scale, kernel.sample_frequencies(9, 3, np.random.default_rng(22)))
    assert kernel.sample_lengths(0, 3, np.random.default_rng(0)).shape == (0,)


def test_lengths_of_many_coordinates_are_made_some_at_a_time():
    R = Matern(0.7).sample_lengths(30, 2**16, np.random.default_rng(23))  # 16 rows at a time
    assert R.shape == (30,) and np.isfinite(R).all() and len(set(R)) == 30


@every_kernel
def test_radial_kernels_are_the_same_function_of_distance_in_every_dimension(kernel):
    near = kernel.value([[0.6, 0.8], [1.0, 0.0]])
    assert kernel.radial == (abs(near[0] - near[1]) < 1e-12)
    if kernel.radial:
        assert_allclose(kernel.value(np.ones((1, 16)) / 4), near[0], rtol=1e-12)


@pytest.mark.parametrize(("u", "says"), [
    ([[0.5]], r"u has shape \(1, 1\); it may be an array of shape \(n, 3\) of numbers in \(0, 1\)"),
    ([0.5, 0.5, 0.5], r"u has shape \(3,\)"), ([[0.5, 0.5, 1.0]], "u has shape"), ([[0.5, 0.5, 0.0]], "u has shape"),
    ([[0.5, 0.5, math.nan]], "u has shape"), ("half", "u is a str; it may be a dense array of numbers"),
])
def test_uniforms_that_are_none(u, says):
    with pytest.raises(ValueError, match="^" + says):
        Matern().frequencies_from_uniforms(u, 2)


def test_draws_end_where_axes_end():
    """A count or a dimension that no array has is refused before anything is made."""
    rng = np.random.default_rng(0)
    for n, d, name in ((2**31, 1, "n"), (1, 2**31, "d")):
        with pytest.raises(ValueError, match=f"^{name} is {2**31}; it may be"):
            kernels.base.check_draws(n, d, rng)
    assert kernels.base.check_draws(2**31 - 1, 2**31 - 1, rng) == (2**31 - 1, 2**31 - 1)
