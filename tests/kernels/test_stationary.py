"""Stationary kernels: values, densities and samplers against closed forms and scipy."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import special, stats
from scipy.integrate import dblquad, quad

from rfbook import kernels
from rfbook.kernels import Cauchy, Exponential, Gaussian, InversePower, Laplacian, Matern, StretchedExponential
from rfbook.lab.ledger import mean_radius

KERNELS = [Gaussian(), Laplacian(), Exponential(), Cauchy(), Matern(0.3), Matern(1.5), Matern(2.5), Matern(60.0)]
NUS = [0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.7, 10.0, 49.9, 50.0, 50.1, 120.0, 400.0]
LEVEL = 1e-10  # false alarm of one random check; with all of them together below 1e-8

every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=repr)
every_nu = pytest.mark.parametrize("nu", NUS)


def closed_form(kernel, t):
    """The formulas of the chapter, written once more."""
    if isinstance(kernel, Gaussian):
        return np.exp(-(t**2).sum(-1) / 2)
    if isinstance(kernel, Laplacian):
        return np.exp(-np.abs(t).sum(-1))
    if isinstance(kernel, Cauchy):
        return 1 / np.prod(1 + t**2, axis=-1)
    return np.array([mixture(kernel.nu, math.sqrt(2 * kernel.nu) * r) for r in np.linalg.norm(t, axis=-1)])


def mixture(nu, s):
    """E exp(-s^2 / 4g), g ~ Gamma(nu): the Matern kernel, by the trapezoidal rule in log g."""
    u = np.linspace(-60 / min(nu, nu**0.5), 8 / max(1, nu / 9) ** 0.5, 40_001)
    log = nu * (u - np.expm1(u))
    weight = np.exp(log - log.max())
    return (weight * np.exp(-s * s / 4 * np.exp(-u) / nu)).sum() / weight.sum()


# ---- values -------------------------------------------------------------------------------------------------------

@every_kernel
def test_value_is_the_closed_form(kernel):
    rng = np.random.default_rng(0)
    t = rng.uniform(-2, 2, (20, 3))
    assert_allclose(kernel.value(t), closed_form(kernel, t), rtol=0, atol=1e-9)


@every_nu
def test_matern_agrees_with_the_mixture(nu):
    r = np.array([0, 1e-9, 1e-6, 1e-4, 1e-2, 0.1, 0.5, 1, 2, 4, 8])
    want = [mixture(nu, math.sqrt(2 * nu) * x) for x in r]
    assert_allclose(Matern(nu).value(r[:, None]), want, rtol=0, atol=1e-9)


@pytest.mark.parametrize("nu", [0.3, 0.5, 1.0, 1.5, 2.5, 3.7, 10.0])
def test_matern_agrees_with_the_bessel_function(nu):
    r = np.linspace(0.01, 8, 200)
    s = math.sqrt(2 * nu) * r
    want = 2 ** (1 - nu) / special.gamma(nu) * s**nu * special.kv(nu, s)
    assert_allclose(Matern(nu).value(r[:, None]), want, rtol=1e-11)


@every_nu
def test_matern_is_between_0_and_1_and_falls(nu):
    r = np.concatenate([[0], np.logspace(-300, 3, 4000), [1e10, 1e300, np.inf]])
    k = Matern(nu).value(r[:, None])
    assert np.isfinite(k).all() and k[0] == 1 and k[-1] == 0
    assert k.min() >= 0 and k.max() <= 1
    assert np.diff(k).max() < 1e-12


@pytest.mark.parametrize("kernel", [*KERNELS, Matern(1.0)], ids=repr)
def test_nan_stays_nan_and_the_far_is_0(kernel):
    assert np.isnan(kernel.value([np.nan, 0.0]))
    assert kernel.value([np.inf, 0.0]) == 0


def test_matern_special_orders():
    r = np.linspace(0, 5, 50)[:, None]
    assert_allclose(Exponential().value(r), np.exp(-r[:, 0]), rtol=1e-15)
    assert_allclose(Matern(1.5).value(r), Matern(1.5 + 1e-9).value(r), atol=1e-8)
    assert_allclose(Matern(2.5).value(r), Matern(2.5 + 1e-9).value(r), atol=1e-8)
    assert_allclose(Matern(1e6).value(r), Gaussian().value(r), atol=1e-6)
    assert_allclose(Matern(1e15).value(r), Gaussian().value(r), atol=1e-12)
    assert_allclose(Matern(3).value(r), Matern(3.0).value(r))


def test_exponential_is_not_laplacian():
    assert_allclose(Exponential().value([1.0, 1.0]), math.exp(-math.sqrt(2)))
    assert_allclose(Laplacian().value([1.0, 1.0]), math.exp(-2))
    assert_allclose(Matern(1.5).value([1.0, 1.0, 1.0]), 4 * math.exp(-3))


# ---- densities ----------------------------------------------------------------------------------------------------

@every_kernel
def test_density_integrates_to_1_on_the_line(kernel):
    kernel = type(kernel)(**{**kernel.get_params(), "length_scale": 1.7})
    mass = 2 * quad(lambda w: kernel.spectral_density([w]), 0, np.inf, limit=200)[0]
    assert mass == pytest.approx(1, abs=1e-6)


def test_density_integrates_to_1_in_the_plane():
    ell = np.array([0.8, 1.3])
    for kernel in (Gaussian(ell), Cauchy(ell)):
        quarter = dblquad(lambda v, w, k=kernel: k.spectral_density([v, w]), 0, 40, 0, 40, epsabs=1e-5)[0]
        assert 4 * quarter == pytest.approx(1, abs=1e-4)
    u = (np.arange(2000) + 0.5) / 2000  # w = tan(pi u / 2) brings each half-line to the unit interval
    line = kernels.Laplacian().spectral_density(np.tan(np.pi * u / 2)[:, None]) * np.pi / 2
    assert 2 * np.mean(line / np.cos(np.pi * u / 2) ** 2) == pytest.approx(1, abs=1e-6)
    for kernel in (Exponential(), Matern(1.5), Matern(60.0)):
        mass = quad(lambda r, k=kernel: 2 * math.pi * r * k.spectral_density([r, 0.0]), 0, np.inf, limit=200)[0]
        assert mass == pytest.approx(1, abs=1e-6)


def test_densities_are_those_of_scipy():
    rng = np.random.default_rng(3)
    w, ell = rng.uniform(-4, 4, (50, 3)), np.array([0.5, 1.0, 3.0])
    assert_allclose(Gaussian(ell).spectral_density(w), stats.norm(0, 1 / ell).pdf(w).prod(-1), rtol=1e-12)
    assert_allclose(Laplacian(ell).spectral_density(w), stats.cauchy(0, 1 / ell).pdf(w).prod(-1), rtol=1e-12)
    assert_allclose(Cauchy(ell).spectral_density(w), stats.laplace(0, 1 / ell).pdf(w).prod(-1), rtol=1e-12)
    for nu in (0.3, 0.5, 1.5, 60.0):
        law = stats.multivariate_t(np.zeros(3), np.diag(1 / ell**2), 2 * nu)
        assert_allclose(Matern(nu, ell).spectral_density(w), law.pdf(w), rtol=1e-9)
    assert_array_equal(Exponential(ell).spectral_density(w), Matern(0.5, ell).spectral_density(w))


def test_density_in_many_dimensions_is_finite():
    d = 784
    for kernel in (Gaussian(2.5), Laplacian(3.0), Cauchy(2.0), Matern(1.5, 0.1)):
        assert np.isfinite(kernel.spectral_density(np.zeros(d)))
    assert Gaussian(math.sqrt(2 * math.pi)).spectral_density(np.zeros(d)) == pytest.approx(1, rel=1e-10)


# ---- samplers -----------------------------------------------------------------------------------------------------
N = 20_000


@pytest.mark.parametrize(("kernel", "law"), [
    (Gaussian(2.0), stats.norm(0, 0.5)), (Laplacian(2.0), stats.cauchy(0, 0.5)), (Cauchy(2.0), stats.laplace(0, 0.5)),
    (Exponential(2.0), stats.cauchy(0, 0.5)), (Matern(1.5, 2.0), stats.t(3, 0, 0.5)), (Matern(0.3), stats.t(0.6)),
    (Matern(60.0), stats.t(120)),
], ids=lambda x: repr(x) if isinstance(x, kernels.Kernel) else "")
def test_each_coordinate_has_its_law(kernel, law):
    W = kernel.sample_frequencies(N, 3, np.random.default_rng(4))
    for j in range(3):
        # Dvoretzky-Kiefer-Wolfowitz with Massart's constant: P(sup |F_n - F| > e) <= 2 exp(-2 n e^2)
        assert stats.kstest(W[:, j], law.cdf).statistic < math.sqrt(math.log(2 / LEVEL) / (2 * N))


@pytest.mark.parametrize("nu", [0.3, 0.5, 1.5, 2.5])
@pytest.mark.parametrize("d", [2, 3, 5])
def test_length_of_a_student_vector(nu, d):
    n = 5 * N
    W = Matern(nu).sample_frequencies(n, d, np.random.default_rng(5))
    radius = math.sqrt(math.log(2 / LEVEL) / (2 * n))
    # |w|^2 / d is F(d, 2 nu) if the chi-square is shared; with one per coordinate the check sees it
    assert stats.kstest((W**2).sum(1) / d, stats.f(d, 2 * nu).cdf).statistic < radius
    rng = np.random.default_rng(6)
    wrong = rng.standard_normal((n, d)) * np.sqrt(2 * nu / rng.chisquare(2 * nu, (n, d)))
    assert stats.kstest((wrong**2).sum(1) / d, stats.f(d, 2 * nu).cdf).statistic > radius


def test_length_of_a_normal_vector_and_its_direction():
    W = Gaussian().sample_frequencies(N, 5, np.random.default_rng(7))
    radius = math.sqrt(math.log(2 / LEVEL) / (2 * N))
    assert stats.kstest((W**2).sum(1), stats.chi2(5).cdf).statistic < radius
    W = Matern(0.7).sample_frequencies(N, 3, np.random.default_rng(8))
    height = W[:, 0] / np.linalg.norm(W, axis=1)  # uniform on [-1, 1] in three dimensions (Archimedes)
    assert stats.kstest(height, stats.uniform(-1, 2).cdf).statistic < radius


@every_kernel
def test_frequencies_give_back_the_kernel(kernel):
    ell = np.array([0.5, 1.0, 4.0])
    kernel = type(kernel)(**{**kernel.get_params(), "length_scale": ell})
    delta = ell * np.random.default_rng(9).uniform(-1.5, 1.5, (10, 3))
    W = kernel.sample_frequencies(50_000, 3, np.random.default_rng(10))
    gap = np.cos(W @ delta.T).mean(0) - kernel.value(delta)
    assert np.abs(gap).max() < mean_radius(len(W), 2, LEVEL / 10)


@every_kernel
def test_draws_are_nested_and_reproducible(kernel):
    def draw(n):
        return kernel.sample_frequencies(n, 4, np.random.default_rng(11))

    W = draw(1000)
    for n in (0, 1, 7, 999):
        assert_array_equal(draw(n), W[:n])
    assert W.shape == (1000, 4) and W.dtype == np.float64 and np.isfinite(W).all()
    rng = np.random.default_rng(11)
    assert not np.array_equal(kernel.sample_frequencies(5, 4, rng), kernel.sample_frequencies(5, 4, rng))


def test_tiny_orders_draw_finite_frequencies():
    assert np.isfinite(Matern(1e-3).sample_frequencies(10_000, 2, np.random.default_rng(12))).all()


# ---- length scales ------------------------------------------------------------------------------------------------

@every_kernel
def test_ard_is_a_change_of_unit(kernel):
    ell = np.array([0.5, 2.0, 7.0])
    scaled = type(kernel)(**{**kernel.get_params(), "length_scale": ell})
    t = np.random.default_rng(13).uniform(-1, 1, (10, 3))
    assert_allclose(scaled.value(t), kernel.value(t / ell), rtol=1e-14)
    assert_allclose(scaled.spectral_density(t), ell.prod() * kernel.spectral_density(t * ell), rtol=1e-12)
    same = [k.sample_frequencies(20, 3, np.random.default_rng(14)) for k in (scaled, kernel)]
    assert_allclose(same[0] * ell, same[1], rtol=1e-14)
    assert_allclose(type(kernel)(**{**kernel.get_params(), "length_scale": [2, 2, 2]}).value(t), kernel.value(t / 2))


@every_kernel
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("ell", [1e-200, 1e-12, 1e12, 1e200])
def test_huge_and_tiny_length_scales(kernel, ell):
    kernel = type(kernel)(**{**kernel.get_params(), "length_scale": ell})
    assert kernel.value([[0.0, 0.0], [1.0, 1.0]]) == pytest.approx([1, 1 if ell > 1 else 0], abs=1e-5)
    assert not np.isnan(kernel.spectral_density([[0.0, 0.0], [1.0, 1.0]])).any()
    assert not math.isnan(kernel.second_moment(2))
    assert np.isfinite(kernel.sample_frequencies(100, 2, np.random.default_rng(15))).all()


def test_second_moments():
    ell = np.array([0.5, 2.0])
    unit = 1 / 0.25 + 1 / 4
    assert Gaussian(ell).second_moment(2) == pytest.approx(unit)
    assert Cauchy(ell).second_moment(2) == pytest.approx(2 * unit)
    assert Matern(2.5, ell).second_moment(2) == pytest.approx(5 / 3 * unit)
    assert Gaussian(2.0).second_moment(8) == 2.0
    for rough in (Laplacian(), Exponential(), Matern(1.0), Matern(0.3), Laplacian(1e200)):
        assert rough.second_moment(3) == math.inf


# ---- names --------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("name", "kernel"), [
    ("gaussian", Gaussian), ("laplacian", Laplacian), ("exponential", Exponential), ("cauchy", Cauchy),
    ("matern32", Matern), ("matern52", Matern), ("rbf", Gaussian), ("matern", Matern), ("matern12", Matern),
])
def test_by_name(name, kernel):
    made = kernels.by_name(name, [2.0, 3.0])
    assert type(made) is kernel and made.length_scale == [2.0, 3.0]
    orders = {"matern": 1.5, "matern12": 0.5, "matern32": 1.5, "matern52": 2.5, "exponential": 0.5}
    assert getattr(made, "nu", None) == orders.get(name)


LAWS = [Gaussian(), Laplacian(), Cauchy(), Matern(0.7), Matern(2.5), Exponential(), StretchedExponential(0.7),
        StretchedExponential(2.0), InversePower(1.5), kernels.SumKernel([Gaussian(2.0), Laplacian()])]


@pytest.mark.parametrize("kernel", LAWS, ids=repr)
def test_spectral_moments(kernel):
    n, d, orders = 50_000, 3, np.linspace(0.05, 2, 40)
    for scale in (1.0, 0.3, np.array([0.5, 1.0, 4.0])):
        kernel = type(kernel)(**{**kernel.get_params(), "length_scale": scale})
        assert kernel.spectral_moment(2, d) == pytest.approx(kernel.second_moment(d))
        moments = np.array([kernel.spectral_moment(q, d) for q in orders])
        assert np.isinf(moments).any() == np.isinf(kernel.second_moment(d)) and np.isfinite(moments[0])
        assert (np.diff(np.isinf(moments).astype(int)) >= 0).all()
        norms = np.linalg.norm(kernel.sample_frequencies(n, d, np.random.default_rng(0)), axis=1)
        for reach in (0.1, 1.0):  # E min(2, |w| r)^2 <= 4 (r / 2)^q E|w|^q, which is bounded, for every q
            found = np.mean(np.minimum(2, norms * reach) ** 2)
            assert found <= (4 * (reach / 2) ** orders * moments).min() + mean_radius(n, 4.0, LEVEL)


def test_spectral_moments_that_there_are_not():
    assert Laplacian().spectral_moment(1.0, 2) == InversePower(1.0).spectral_moment(1.0, 1) == math.inf
    assert Matern(0.25).spectral_moment(0.5, 1) == math.inf > Matern(0.25).spectral_moment(0.49, 1)
    assert StretchedExponential(0.5).spectral_moment(0.5, 1) == math.inf > Matern(0.25).spectral_moment(0.49, 1)
    assert Laplacian().spectral_moment(0.5, 1) == pytest.approx(math.sqrt(2))
    same = [k.spectral_moment(0.4, 1) for k in (Laplacian(), Exponential(), Matern(0.5), StretchedExponential(1.0))]
    assert same == pytest.approx([same[0]] * 4)
    assert Matern(1e100).spectral_moment(1.3, 5) == pytest.approx(Gaussian().spectral_moment(1.3, 5))
    for order in (0, -1.0, 2.1, math.nan, "1", None):
        with pytest.raises(ValueError, match="^order is "):
            Gaussian().spectral_moment(order, 2)
    with pytest.raises(ValueError, match="^d is 0"):
        Gaussian().spectral_moment(1.0, 0)
