"""Pitch laws: densities, samplers and refusals, against distribution functions read off the kernels."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from scipy.integrate import quad

from rfbook.kernels import (
    Cauchy,
    Exponential,
    Gaussian,
    InversePower,
    Laplacian,
    Matern,
    SpectralKernel,
    StretchedExponential,
)
from rfbook.lab.ledger import mean_radius

N = 20_000
LEVEL = 1e-10  # false alarm of one random check
LINE = [Laplacian(), Exponential(), StretchedExponential(1.0), StretchedExponential(0.5), StretchedExponential(0.2),
        InversePower(0.5), InversePower(1.0), InversePower(4.0), Matern(0.1), Matern(0.3), Matern(0.49), Matern(0.5)]
PRODUCTS = [Laplacian(), StretchedExponential(1.0), StretchedExponential(0.4), InversePower(0.5), InversePower(2.0)]

on_the_line = pytest.mark.parametrize("kernel", LINE, ids=repr)
every_product = pytest.mark.parametrize("kernel", PRODUCTS, ids=repr)


def fresh(kernel, **params):
    """A copy with other parameters."""
    return type(kernel)(**{**kernel.get_params(), **params})


def rng(seed=0):
    return np.random.default_rng(seed)


def distribution(kernel, pitch):
    """1 - k + t k', the chance of a pitch up to t, with k' by differences in log t."""
    h = 1e-5
    up, at, down = (kernel.value(pitch[:, None] * math.exp(s)) for s in (h, 0, -h))
    return 1 - at + (up - down) / (2 * h)


# ---- laws ---------------------------------------------------------------------------------------------------------


@on_the_line
@pytest.mark.parametrize("ell", [0.3, 5.0])
def test_sampler_has_the_law_that_the_tangents_of_the_kernel_give(kernel, ell):
    kernel = fresh(kernel, length_scale=ell)
    pitches = kernel.sample_pitches(N, 1, rng(1))[:, 0]
    # Dvoretzky-Kiefer-Wolfowitz with Massart's constant; the differences err by less than 1e-7
    radius = math.sqrt(math.log(2 / LEVEL) / (2 * N)) + 1e-7
    assert stats.kstest(pitches, lambda t: distribution(kernel, t)).statistic < radius


@on_the_line
def test_density_is_the_derivative_of_the_same_law(kernel):
    kernel = fresh(kernel, length_scale=1.7)
    ends = np.array([0.01, 0.1, 0.5, 1.0, 3.0, 20.0])
    want = np.diff(distribution(kernel, ends))
    got = [quad(lambda v: float(kernel.pitch_density([math.exp(v)])) * math.exp(v), *np.log(ends[i : i + 2]))[0]
           for i in range(len(want))]
    assert_allclose(got, want, atol=1e-6)


@on_the_line
def test_density_has_mass_1(kernel):
    mass = quad(lambda v: float(kernel.pitch_density([math.exp(v)])) * math.exp(v), -200, 0, limit=400)[0]
    mass += quad(lambda v: float(kernel.pitch_density([math.exp(v)])) * math.exp(v), 0, 100, limit=400)[0]
    assert mass == pytest.approx(1, abs=1e-6)


def test_laws_are_those_of_scipy():
    t = np.logspace(-3, 3, 50)[:, None]
    assert_allclose(Laplacian(2.0).pitch_density(t), stats.gamma(2, scale=2).pdf(t[:, 0]), rtol=1e-12)
    assert_allclose(Exponential(2.0).pitch_density(t), stats.gamma(2, scale=2).pdf(t[:, 0]), rtol=1e-12)
    assert_allclose(StretchedExponential(1.0).pitch_density(t), stats.gamma(2).pdf(t[:, 0]), rtol=1e-12)
    assert_allclose(InversePower(1.5).pitch_density(t), stats.betaprime(2, 1.5).pdf(t[:, 0]), rtol=1e-9)


def test_the_check_sees_wrong_laws():
    radius = math.sqrt(math.log(2 / LEVEL) / (2 * N)) + 1e-7
    for kernel, wrong in ((Laplacian(), rng(2).standard_gamma(1, N)),
                          (StretchedExponential(0.5), rng(2).standard_gamma(2, N) ** 2),
                          (InversePower(1.0), 1 / rng(2).standard_gamma(1, N))):
        assert stats.kstest(wrong, lambda t, k=kernel: distribution(k, t)).statistic > radius


@every_product
@pytest.mark.parametrize("ell", [2.0, np.array([0.5, 1.0, 4.0])], ids=["scalar", "ARD"])
def test_shared_boxes_give_the_kernel(kernel, ell):
    kernel = fresh(kernel, length_scale=ell)
    n = 5 * N
    for i, delta in enumerate(ell * np.array([[0.2, 0.1, -0.3], [1.0, 0.0, 0.0], [0.5, -1.0, 0.25]])):
        pitch = kernel.sample_pitches(n, 3, rng(3 + i))
        shift = pitch * rng(10 + i).random((n, 3))
        x = rng(20 + i).standard_normal(3)
        y = x - delta
        same = (np.floor((x - shift) / pitch) == np.floor((y - shift) / pitch)).all(1)
        assert abs(same.mean() - kernel.value(delta)) < mean_radius(n, 1, LEVEL / 3)


def test_coordinates_are_independent():
    u = stats.gamma(2).cdf(Laplacian().sample_pitches(N, 2, rng(4)))
    product = ((u - 0.5) * 4).prod(1)  # of mean 0, in [-4, 4]
    assert abs(product.mean()) < mean_radius(N, 8, LEVEL)


# ---- length scales and draws --------------------------------------------------------------------------------------


@every_product
def test_length_scales_multiply_pitches(kernel):
    ell = np.array([0.5, 2.0, 7.0])
    scaled, t = fresh(kernel, length_scale=ell), rng(5).uniform(0.1, 3, (20, 3))
    assert_allclose(scaled.sample_pitches(30, 3, rng(6)), ell * kernel.sample_pitches(30, 3, rng(6)), rtol=1e-14)
    assert_allclose(scaled.pitch_density(t * ell), kernel.pitch_density(t) / ell.prod(), rtol=1e-12)
    same = fresh(kernel, length_scale=[2.0, 2.0, 2.0])
    assert_allclose(same.pitch_density(t), fresh(kernel, length_scale=2.0).pitch_density(t), rtol=1e-14)


@every_product
def test_draws_are_nested_and_reproducible(kernel):
    many = kernel.sample_pitches(500, 3, rng(7))
    assert many.shape == (500, 3) and many.dtype == np.float64
    assert np.isfinite(many).all() and (many > 0).all()
    for n in (0, 1, 17, 499):
        assert_array_equal(kernel.sample_pitches(n, 3, rng(7)), many[:n])
        assert_array_equal(kernel.sample_frequencies(n, 3, rng(7)), kernel.sample_frequencies(500, 3, rng(7))[:n])
    generator = rng(7)
    assert not np.array_equal(kernel.sample_pitches(5, 3, generator), kernel.sample_pitches(5, 3, generator))


def test_density_is_0_off_the_positive_pitches():
    for kernel in PRODUCTS:
        assert_array_equal(kernel.pitch_density([[-1.0, 1.0], [0.0, 1.0], [np.inf, 1.0]]), 0)
        assert kernel.pitch_density(np.ones((4, 5, 2))).shape == (4, 5)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kernel", [StretchedExponential(1e-3), StretchedExponential(0.01), StretchedExponential(1.99),
                                    StretchedExponential(2.0), InversePower(1e-4), InversePower(1e3)], ids=repr)
def test_extreme_powers_give_finite_draws_without_warnings(kernel):
    assert np.isfinite(kernel.sample_frequencies(50_000, 2, rng(8))).all()
    if kernel.power <= 1 or isinstance(kernel, InversePower):
        pitches = kernel.sample_pitches(50_000, 2, rng(8))
        assert np.isfinite(pitches).all() and (pitches > 0).all()


def test_matern_density_near_its_seam_and_at_tiny_pitches():
    t = np.array([[1e-3], [1.0], [30.0]])
    near, at = Matern(0.5 - 1e-9).pitch_density(t), Matern(0.5).pitch_density(t)
    assert_allclose(near, at, rtol=1e-5)
    tiny = 10.0 ** np.array([[-250.0], [-200.0], [-150.0]])  # from 0 on a power of exponent 2 nu - 1
    density = Matern(0.3).pitch_density(tiny)
    assert_allclose(density[:-1] / density[1:], 10 ** (0.4 * 50), rtol=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("ell", [1e-20, 1e20])
def test_extreme_length_scales_leave_pitches_positive_and_finite(ell):
    for kernel in (StretchedExponential(1e-3, ell), InversePower(1e-4, ell)):
        pitches = kernel.sample_pitches(20_000, 2, rng(8))
        assert np.isfinite(pitches).all() and (pitches > 0).all()


# ---- the two new kernels ------------------------------------------------------------------------------------------


def test_values():
    t = np.array([[1.0, -2.0], [0.0, 0.0], [0.25, 4.0]])
    assert_allclose(StretchedExponential(0.5).value(t), np.exp(-np.sqrt(np.abs(t)).sum(1)), rtol=1e-14)
    assert_allclose(StretchedExponential(1.0, 2.0).value(t), Laplacian(2.0).value(t), rtol=1e-14)
    assert_allclose(StretchedExponential(2.0).value(t), Gaussian(math.sqrt(0.5)).value(t), rtol=1e-14)
    assert_allclose(InversePower(1.5).value(t), np.prod(1 + np.abs(t), axis=1) ** -1.5, rtol=1e-14)
    assert StretchedExponential(0.5).value([np.inf]) == 0 == InversePower(2.0).value([np.inf])


@pytest.mark.parametrize("kernel", [*(StretchedExponential(a) for a in (0.2, 0.5, 1.0, 1.3, 2.0)),
                                    InversePower(0.5), InversePower(3.0)], ids=repr)
def test_frequencies_give_back_the_kernel(kernel):
    ell = np.array([0.5, 1.0, 4.0])
    kernel = fresh(kernel, length_scale=ell)
    delta = ell * rng(9).uniform(-1.5, 1.5, (10, 3))
    W = kernel.sample_frequencies(5 * N, 3, rng(10))
    gap = np.cos(W @ delta.T).mean(0) - kernel.value(delta)
    assert np.abs(gap).max() < mean_radius(len(W), 2, LEVEL / 10)


def test_stable_frequencies_in_the_cases_with_a_name():
    radius = math.sqrt(math.log(2 / LEVEL) / (2 * N))
    for power, law in ((1.0, stats.cauchy), (2.0, stats.norm(0, math.sqrt(2)))):
        W = StretchedExponential(power).sample_frequencies(N, 1, rng(11))[:, 0]
        assert stats.kstest(W, law.cdf).statistic < radius


def test_moments_and_densities():
    assert StretchedExponential(2.0).second_moment(3) == pytest.approx(Gaussian(math.sqrt(0.5)).second_moment(3))
    assert StretchedExponential(1.9).second_moment(1) == InversePower().second_moment(2) == math.inf
    for kernel in (StretchedExponential(0.5), InversePower(2.0)):
        with pytest.raises(NotImplementedError, match="has frequencies whose density has no"):
            kernel.spectral_density([1.0])


def test_parameters():
    from sklearn.base import clone

    for kind, default in ((StretchedExponential, 0.5), (InversePower, 1.0)):
        assert kind().get_params() == {"power": default, "length_scale": 1.0}
        kernel = kind(0.7, [1.0, 2.0])
        copy = clone(kernel)
        assert type(copy) is kind and copy is not kernel and copy.get_params() == kernel.get_params()
        assert copy.set_params(power=0.3) is copy and kernel.power == 0.7
        assert repr(kernel) == f"{kind.__name__}(power=0.7, length_scale=[1.0, 2.0])"


# ---- refusals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["sample_pitches", "pitch_density"])
@pytest.mark.parametrize(("kernel", "d", "reason"), [
    (Gaussian(), 1, "flat at 0, and no random partition"), (Cauchy(), 2, "flat at 0, and no random partition"),
    (Matern(0.51), 1, "flat at 0"), (Matern(2.5), 3, "flat at 0"), (StretchedExponential(1.01), 1, "flat at 0"),
    (StretchedExponential(2.0), 2, "flat at 0"), (Exponential(), 2, "no product over coordinates"),
    (Matern(0.3), 5, "no product over coordinates"),
], ids=repr)
def test_kernels_without_a_pitch_law_say_why(method, kernel, d, reason):
    arguments = (3, d, rng()) if method == "sample_pitches" else (np.ones((2, d)),)
    with pytest.raises(ValueError, match=reason) as error:
        getattr(kernel, method)(*arguments)
    assert str(error.value).startswith(f"kernel {kernel!r} has no pitch law in dimension {d}: ")


@pytest.mark.parametrize(("call", "message"), [
    (lambda: StretchedExponential(2.5).value([1.0]), r"power is 2\.5; it may be above 0 and at most 2: beyond"),
    (lambda: StretchedExponential(2.5).sample_pitches(1, 1, rng()), r"power is 2\.5; it may be"),
    (lambda: StretchedExponential(2.5).sample_frequencies(1, 1, rng()), r"power is 2\.5; it may be"),
    (lambda: StretchedExponential(2.5).second_moment(1), r"power is 2\.5; it may be"),
    (lambda: StretchedExponential(0).value([1.0]), "power is 0; it may be a finite number above 0"),
    (lambda: StretchedExponential(-1).pitch_density([1.0]), "power is -1; it may be"),
    (lambda: StretchedExponential("a").sample_pitches(1, 1, rng()), "power is 'a'; it may be"),
    (lambda: InversePower(0.0).value([1.0]), r"power is 0\.0; it may be"),
    (lambda: InversePower(-2).pitch_density([1.0]), "power is -2; it may be"),
    (lambda: InversePower(math.nan).sample_pitches(1, 1, rng()), "power is nan; it may be"),
    (lambda: InversePower([1.0]).sample_frequencies(1, 1, rng()), r"power is \[1\.0\]; it may be"),
    (lambda: InversePower(math.inf).sample_pitches(1, 1, rng()), "power is inf; it may be"),
    (lambda: Laplacian().sample_pitches(-1, 1, rng()), "n is -1; it may be an integer that is at least 0"),
    (lambda: Laplacian().sample_pitches(1, 0, rng()), "d is 0; it may be an integer"),
    (lambda: Laplacian().sample_pitches(1, 1, 0), r"rng is 0; it may be a numpy\.random\.Generator"),
    (lambda: Laplacian([1, 2]).sample_pitches(1, 3, rng()), r"length_scale has shape \(2,\)"),
    (lambda: Laplacian(-1).pitch_density([1.0]), "length_scale is -1; it may be positive finite numbers only"),
    (lambda: Laplacian().pitch_density(1.0), r"pitch has shape \(\); it may be an array of shape \(\.\.\., d\)"),
    (lambda: Laplacian().pitch_density("wide"), "pitch is a str; it may be a dense array of numbers"),
])
def test_wrong_arguments_give_one_sentence(call, message):
    with pytest.raises(ValueError, match="^" + message):
        call()


def test_a_kernel_of_another_kind_has_no_pitches():
    assert not hasattr(SpectralKernel(), "sample_pitches")


def test_the_least_power_draws_numbers():
    W = StretchedExponential(5e-324).sample_frequencies(1000, 2, rng())
    assert np.isfinite(W).all() and (np.abs(W) > 0).any()
