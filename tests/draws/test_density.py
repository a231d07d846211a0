"""Waves for a target: unbiased sums, laws on the line and mixtures as kernels, leverage, and what is refused."""

import pickle

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from sklearn.base import clone

from rfbook import Gaussian, Laplacian, Matern, RandomFourierFeatures, SumKernel
from rfbook.bounds import hoeffding_radius
from rfbook.draws import (
    StepLaw,
    optimal_law,
    quasi_frequencies,
    spectral_constant,
    target_waves,
    wave_leverage,
)

STEPS = StepLaw([0.0, 1.0, 1.5, 4.0], [2.0, 0.0, 1.0])
MIXTURE = SumKernel([Gaussian(2.0), Laplacian(0.5), Matern(1.5)], [0.5, 0.2, 0.3])


def bump_hat(w):
    """Transform of exp(-|x - 1|^2 / 2), in any dimension."""
    return (2 * np.pi) ** (w.shape[1] / 2) * np.exp(-np.sum(w**2, axis=1) / 2 - 1j * w.sum(1))


@pytest.mark.parametrize("law", [STEPS, MIXTURE, SumKernel([Gaussian(0.3)], length_scale=2.0)], ids=["s", "m", "one"])
def test_laws_are_kernels(law):
    """Value, density and sampler agree: quadrature, and means of cosines within Hoeffding's radius."""
    t = np.array([0.0, 0.3, 1.0, 2.5])
    mass = 2 * quad(lambda w: float(law.spectral_density([w])), 0, np.inf, limit=500)[0]
    assert abs(mass - 1) < 1e-4
    W = law.sample_frequencies(50_000, 1, np.random.default_rng(0))[:, 0]
    error = np.cos(np.outer(t, W)).mean(1) - law.value(t[:, None])
    assert np.abs(error).max() <= hoeffding_radius(100_000, 1e-9, "paired", pairs=4)
    assert abs(np.mean(W > 0) - 0.5) < 0.02
    assert np.isclose(law.value([np.inf]), 0) and law.value([0.0]) == pytest.approx(1)


def test_draws_are_nested():
    for law in (STEPS, MIXTURE):
        few, many = (law.sample_frequencies(n, 1, np.random.default_rng(3)) for n in (5, 80))
        assert np.array_equal(few, many[:5])


def test_steps():
    grid = np.linspace(-5, 5, 2001)[:, None]
    assert STEPS.spectral_density(grid)[np.abs(grid[:, 0]) > 4.001].max() == 0
    assert STEPS.spectral_density([[1.2], [-1.2]]).tolist() == [0.0, 0.0]
    assert STEPS.second_moment(1) == pytest.approx(
        2 / 3 * (1 / 3) + 1 / 3 * (4.0**3 - 1.5**3) / (3 * 2.5))
    u = np.linspace(0.001, 0.999, 999)[:, None]
    W = STEPS.frequencies_from_uniforms(u, 1)
    assert (np.diff(W[:, 0]) > 0).all() and np.allclose(W, -W[::-1])
    points = np.sort(np.abs(quasi_frequencies(STEPS, 1024, 1, np.random.default_rng(0))[:, 0]))
    assert abs(np.mean(points < 1) - 2 / 3) < 0.002
    scaled = StepLaw(STEPS.edges, STEPS.masses, length_scale=2.0)
    assert np.isclose(scaled.value([3.0]), STEPS.value([1.5])) and scaled.sample_frequencies(
        100, 1, np.random.default_rng(0)).__abs__().max() <= 2


def test_laws_in_the_estimator():
    X = np.linspace(-1, 1, 30)[:, None]
    for law in (STEPS, MIXTURE):
        rff = RandomFourierFeatures(law, n_components=2000, random_state=0)
        assert np.abs(clone(rff).fit(X).approximate_kernel(X) - law(X)).max() < 0.15
        assert np.array_equal(pickle.loads(pickle.dumps(law))(X), law(X))
        assert np.linalg.eigvalsh(law(X)).min() > -1e-10


def test_mixture_in_several_dimensions():
    W = MIXTURE.sample_frequencies(20_000, 3, np.random.default_rng(0))
    delta = np.random.default_rng(1).standard_normal((10, 3))
    assert np.abs(np.cos(delta @ W.T).mean(1) - MIXTURE.value(delta)).max() < 0.05
    inner = Gaussian(2.0).spectral_density(delta) / 2 + Laplacian(0.5).spectral_density(delta) / 5
    assert np.allclose(MIXTURE.spectral_density(delta), inner + 0.3 * Matern(1.5).spectral_density(delta))
    only = SumKernel([Gaussian(), Gaussian(1e-3)], [1.0, 0.0])
    assert np.abs(only.sample_frequencies(1000, 2, np.random.default_rng(0))).max() < 10


@pytest.mark.parametrize("d", [1, 3])
def test_target_waves_are_unbiased(d):
    n, x = 200_000, np.full(d, 0.8)
    waves = target_waves(bump_hat, Gaussian(0.9), n, d, np.random.default_rng(0))
    assert waves.width == n and waves.frequencies.shape == (n, d)
    assert n * waves.amplitudes.max() <= 0.9**-d + 1e-12
    estimate = np.cos(waves.frequencies @ x + waves.phases) @ waves.amplitudes
    assert abs(estimate - np.exp(-d * 0.02)) < 6 * 0.9**-d / np.sqrt(n)


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("pool", [1, 8])
def test_target_waves_for_inputs(d, pool):
    """Unbiased at the inputs for any law, with waves of one root mean square there."""
    X, n = np.random.default_rng(1).uniform(-1, 2, (6, d)), 50_000
    waves = target_waves(bump_hat, Gaussian(0.7), n, d, np.random.default_rng(0), inputs=X, pool=pool)
    real = np.cos(X @ np.asarray(waves.frequencies).T + waves.phases) * waves.amplitudes
    assert waves.width == n and np.ptp(np.sum(real**2, axis=0)) < 1e-9 * np.sum(real[:, 0] ** 2)
    f = np.exp(-np.sum((X - 1) ** 2, axis=1) / 2)
    assert np.abs(real.sum(1) - f).max() < 12 * 0.7**-d / np.sqrt(n)
    many = target_waves(bump_hat, Gaussian(0.7), 300, d, np.random.default_rng(0), inputs=np.tile(X, (1000, 1)))
    few = target_waves(bump_hat, Gaussian(0.7), 300, d, np.random.default_rng(0), inputs=X)
    assert np.allclose(many.amplitudes, few.amplitudes)  # in blocks


def test_inputs_that_see_nothing():
    """An odd function at the origin only: every wave is zero there, and all are drawn alike."""
    rng = np.random.default_rng(0)
    waves = target_waves(lambda w: -1j * w[:, 0] * np.exp(-w[:, 0] ** 2 / 2), Gaussian(), 5, 1, rng, inputs=[[0.0]])
    assert np.isfinite(waves.amplitudes).all() and np.allclose(np.cos(waves.phases) * waves.amplitudes, 0)


@pytest.mark.parametrize(("inputs", "words"), [(np.zeros((3, 2)), "inputs has shape"), (np.zeros((0, 1)), "inputs"),
                                               ([[np.nan]], "inputs holds"), (1.0, "inputs")])
def test_wrong_inputs(inputs, words):
    for call in (lambda: target_waves(bump_hat, Gaussian(), 3, 1, np.random.default_rng(0), inputs=inputs),
                 lambda: spectral_constant(bump_hat, Gaussian(), np.zeros((3, 1)), 1.0, inputs=inputs),
                 lambda: optimal_law(bump_hat, [0.0, 1.0], inputs=inputs)):
        with pytest.raises(ValueError, match=words):
            call()
    with pytest.raises(ValueError, match="pool is"):
        target_waves(bump_hat, Gaussian(), 3, 1, np.random.default_rng(0), inputs=[[0.0]], pool=0)


def test_the_best_density_for_real_waves():
    """Less error than p_* on the inputs, equal to it where the inputs are spread over many periods."""
    nodes, edges, rng = np.arange(-9.99, 10, 0.02)[:, None], np.arange(0, 10.01, 0.02), np.random.default_rng(0)
    for spread, least, most in ((0.3, 0.5, 0.95), (100.0, 0.98, 1.0)):
        X = 1 + spread * rng.standard_normal((400, 1))
        constants = [spectral_constant(bump_hat, optimal_law(bump_hat, edges, inputs=seen), nodes, 0.02, inputs=X)
                     - np.mean(np.exp(-((X - 1) ** 2))) for seen in (None, X)]
        assert least < constants[1] / constants[0] <= most


def test_target_waves_of_nothing():
    waves = target_waves(lambda w: np.zeros(len(w)), STEPS, 4, 1, np.random.default_rng(0))
    assert np.array_equal(waves.amplitudes, np.zeros(4))


@pytest.mark.parametrize("transform", [lambda w: w, lambda w: np.full(len(w), np.nan), lambda w: 1.0,
                                       lambda w: np.array(["a"] * len(w))])
def test_wrong_transforms(transform):
    for call in (lambda: target_waves(transform, Gaussian(), 3, 2, np.random.default_rng(0)),
                 lambda: spectral_constant(transform, Gaussian(), np.zeros((3, 2)), 1.0),
                 lambda: optimal_law(transform, [0.0, 1.0, 2.0, 3.0])):
        with pytest.raises(ValueError, match="transform gave"):
            call()


def test_a_law_without_density_is_refused():
    with pytest.raises(ValueError, match="next to no density"):
        target_waves(lambda w: np.ones(len(w)), Gaussian(), 3, 700, np.random.default_rng(0))


def test_spectral_constant():
    nodes = np.linspace(-10, 10, 4001)[:, None]
    assert spectral_constant(bump_hat, Gaussian(), nodes, 0.005) == pytest.approx(1)
    assert spectral_constant(bump_hat, Gaussian(), nodes, np.full(4001, 0.005)) == pytest.approx(1)
    assert spectral_constant(bump_hat, STEPS, nodes, 0.005) == np.inf
    assert spectral_constant(lambda w: np.abs(w[:, 0]) < 1, STEPS, nodes, 0.005) == pytest.approx(
        4 / (2 / 3) / (2 * np.pi) ** 2, rel=1e-2)
    with pytest.raises(ValueError, match="weights has shape"):
        spectral_constant(bump_hat, Gaussian(), nodes, [1.0, 2.0])


def test_optimal_law():
    law = optimal_law(bump_hat, np.linspace(0, 8, 401))
    nodes = np.arange(-7.99, 8, 0.02)[:, None]
    assert np.allclose(law.spectral_density(nodes), stats.norm.pdf(nodes[:, 0]), atol=1e-4)
    assert spectral_constant(bump_hat, law, nodes, 0.02) == pytest.approx(1, abs=1e-4)
    for edges, words in (([1.0], "edges is"), ([0.0, 2.0, 1.0], "edges is"), ([-1.0, 1.0], "edges is")):
        with pytest.raises(ValueError, match=words):
            optimal_law(bump_hat, edges)
    with pytest.raises(ValueError, match="masses is"):
        optimal_law(lambda w: np.zeros(len(w)), [0.0, 1.0])


@pytest.mark.parametrize(("law", "d", "words"), [
    (StepLaw([0.0, 1.0], [1.0, 2.0]), 1, "masses is"), (StepLaw([0.0, 1.0], [-1.0]), 1, "masses is"),
    (StepLaw([0.0, np.inf], [1.0]), 1, "edges is"), (StepLaw([0.0, 1.0], [1.0]), 2, "d is 2"),
    (StepLaw([0.0, np.nan], [1.0]), 1, "edges is"), (SumKernel([]), 1, "kernels is"),
    (SumKernel([Gaussian()], [0.0]), 1, "weights is"), (SumKernel([Gaussian()], [1.0, 2.0]), 1, "weights is"),
])
def test_wrong_laws(law, d, words):
    for call in (lambda: law.sample_frequencies(3, d, np.random.default_rng(0)), lambda: law.value(np.zeros((2, d)))):
        with pytest.raises(ValueError, match=words):
            call()


def test_wave_leverage():
    rng = np.random.default_rng(0)
    X, W, kernel = rng.standard_normal((15, 2)), rng.standard_normal((40, 2)), Matern(1.5)
    E = np.exp(1j * X @ W.T) / np.sqrt(15)
    full = np.linalg.inv(kernel(X) / 15 + 0.1 * np.eye(15))
    L = wave_leverage(W, X, kernel, 0.1)
    assert np.allclose(L, np.einsum("nm,nk,km->m", E.conj(), full, E).real)
    assert (L > 0).all() and (L <= 10).all()
    with pytest.raises(ValueError, match="frequencies has 2 columns"):
        wave_leverage(W, X[:, :1], kernel, 0.1)
    with pytest.raises(ValueError, match="alpha is 0"):
        wave_leverage(W, X, kernel, 0)
