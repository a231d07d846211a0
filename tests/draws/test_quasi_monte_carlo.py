"""Quasi-Monte Carlo frequencies: the laws of single points, nesting, balance, both phases, and what is refused."""

import pickle
import re
import warnings

import numpy as np
import pytest
from scipy import sparse, stats
from sklearn.utils.estimator_checks import parametrize_with_checks

from rfbook import RandomFourierFeatures, kernels
from rfbook.draws import quasi_monte_carlo as module
from rfbook.draws.quasi_sampler import SEQUENCES, quasi_frequencies

KERNELS = [
    kernels.Gaussian(2.0), kernels.Laplacian(), kernels.Cauchy(), kernels.Exponential(), kernels.Matern(2.5),
    kernels.StretchedExponential(0.7), kernels.StretchedExponential(1.6), kernels.InversePower(0.8),
    kernels.Gaussian([0.5, 1.0, 2.0]), kernels.Matern(1.5, [0.5, 1.0, 2.0]),
]


@parametrize_with_checks([RandomFourierFeatures(length_scale=1.0, sampling=s, n_components=20, phase=p)
                          for s, p in (("sobol", "paired"), ("sobol", "offset"), ("halton", "offset"))])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_each_coordinate_has_the_law_of_the_sampler(kernel, sequence):
    """Empirical distribution functions: of independent draws at level 1e-9, and of points that are within 0.0125."""
    n, rng = 4096, np.random.default_rng(0)
    ours, theirs = quasi_frequencies(kernel, n, 3, rng, sequence), kernel.sample_frequencies(20_000, 3, rng)
    for a, b in zip(ours.T, theirs.T, strict=True):
        assert stats.ks_2samp(a, b).statistic < np.sqrt(np.log(2 / 1e-9) / 2 / 20_000) + 0.0125


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_the_estimate_is_the_kernel(kernel):
    """Joint laws: means over 8192 points are closer than 6 standard errors of independent draws."""
    delta = np.random.default_rng(1).standard_normal((20, 3)) * kernel.length_scale / 2
    for sequence in SEQUENCES:
        W = quasi_frequencies(kernel, 2**13, 3, np.random.default_rng(0), sequence)
        assert np.abs(np.cos(delta @ W.T).mean(1) - kernel.value(delta)).max() < 6 * np.sqrt(0.5 / 2**13)


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 64, 100])
def test_nested_finite_and_quiet(sequence, n):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kernel in KERNELS:
            for phases in (False, True):
                W = quasi_frequencies(kernel, n, 3, np.random.default_rng(0), sequence, phases)
                wide = quasi_frequencies(kernel, n + 41, 3, np.random.default_rng(0), sequence, phases)
                assert W.shape == (n, 3 + phases) and np.array_equal(wide[:n], W) and np.isfinite(wide).all()


@pytest.mark.parametrize("d", [1, 7, 300])
def test_sobol_is_balanced_in_every_coordinate(d):
    u = module._scrambled("sobol", 256, d, np.random.default_rng(3))
    assert (np.sort(np.floor(256 * u), axis=0) == np.arange(256)[:, None]).all()
    assert u.min() > 0 and u.max() < 1


def test_points_within_strata_are_uniform_and_uncorrelated():
    """The scramble's pairs: positions within the strata of 8 points, in 20,000 coordinates."""
    u = module._scrambled("sobol", 8, 20_000, np.random.default_rng(0))
    v = np.sort(8 * u, axis=0) % 1
    assert np.abs(v.mean(1) - 0.5).max() < np.sqrt(np.log(2 / 1e-10) / 2 / 20_000)
    half = 2.0 * (v > 0.5) - 1
    products = half @ half.T / 20_000
    assert np.abs(products - np.eye(8)).max() < np.sqrt(2 * np.log(2 / 1e-10) / 20_000)


@pytest.mark.filterwarnings("ignore:X holds 1")  # angles as large as that are no angles, but they are finite
@pytest.mark.parametrize("end", [0.0, 1.0])
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_points_at_the_ends_of_the_interval_give_finite_frequencies(monkeypatch, kernel, end):
    monkeypatch.setattr(module, "_sobol", lambda n, s, rng: np.full((n, s), end))
    assert np.isfinite(quasi_frequencies(kernel, 4, 3, np.random.default_rng(0))).all()
    rff = RandomFourierFeatures(kernel, sampling="sobol", n_components=6, phase="offset").fit(np.eye(3))
    assert np.isfinite(rff.transform(np.eye(3))).all()


def test_extreme_parameters():
    for kernel in (*map(kernels.Matern, (1e-3, 1e12, 1e100)), *map(kernels.StretchedExponential, (0.05, 2.0)),
                   *map(kernels.InversePower, (1e-3, 1e6))):
        W = quasi_frequencies(kernel, 64, 2, np.random.default_rng(0))
        assert W.shape == (64, 2) and np.isfinite(W).all()
    far = quasi_frequencies(kernels.Matern(1e100), 4096, 2, np.random.default_rng(0))
    assert abs(far.var() - 1) < 0.02
    with pytest.raises(ValueError, match="power is 3"):
        quasi_frequencies(kernels.StretchedExponential(3.0), 4, 2, np.random.default_rng(0))


@pytest.mark.parametrize("sampling", SEQUENCES)
@pytest.mark.parametrize("phase", ["paired", "offset"])
def test_shapes_dtypes_sparse_and_pickle(sampling, phase):
    X = np.random.default_rng(0).standard_normal((30, 7)).astype(np.float32)
    rff = RandomFourierFeatures(length_scale=1.0, sampling=sampling, n_components=21, phase=phase, random_state=3)
    Z = rff.fit_transform(X)
    assert Z.shape == (30, 22 if phase == "paired" else 21) and Z.dtype == np.float32
    assert rff.random_weights_.dtype == np.float32 and hasattr(rff, "random_offset_") == (phase == "offset")
    assert np.allclose(rff.transform(sparse.csr_matrix(X)), Z, rtol=0, atol=1e-6)
    assert np.array_equal(pickle.loads(pickle.dumps(rff)).transform(X), Z)
    wide = RandomFourierFeatures(length_scale=1.0, sampling=sampling, n_components=200, phase=phase,
                                 random_state=3).fit(X)
    assert np.array_equal(wide.random_weights_[:, :11], rff.random_weights_[:, :11])
    if phase == "offset":
        assert np.array_equal(wide.random_offset_[:21], rff.random_offset_)
        assert (0 < rff.random_offset_).all() and (rff.random_offset_ < 2 * np.pi + 1e-6).all()
    else:
        assert np.allclose((Z**2).sum(1), 1, rtol=0, atol=1e-6)


@pytest.mark.parametrize("sampling", SEQUENCES)
def test_phases_belong_to_the_points(sampling):
    """The phase is a coordinate of the same balanced points, not a draw of its own."""
    rff = RandomFourierFeatures(length_scale=1.0, sampling=sampling, n_components=64, phase="offset",
                                random_state=0).fit(np.eye(2))
    W = quasi_frequencies(kernels.Gaussian(), 64, 2, np.random.default_rng(0).spawn(3)[0], sampling, True)
    assert np.array_equal(rff.random_offset_, W[:, 2]) and np.array_equal(rff.random_weights_.T, W[:, :2])
    assert (np.sort(np.floor(64 * rff.random_offset_ / 2 / np.pi)) == np.arange(64)).all()  # base 2 in both sequences


class Ring:
    """A user's kernel on the plane: frequencies on a circle of radius 3."""

    def sample_frequencies(self, n, d, rng):
        return self.frequencies_from_uniforms(rng.random((n, 1)), d)

    def n_uniforms(self, d):
        return 1

    def frequencies_from_uniforms(self, u, d):
        return 3 * np.hstack([np.cos(2 * np.pi * u), np.sin(2 * np.pi * u)])


def test_a_users_kernel():
    from scipy.special import j0

    X = np.random.default_rng(0).standard_normal((6, 2))
    rff = RandomFourierFeatures(Ring(), sampling="sobol", n_components=256, random_state=0).fit(X)
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    # Koksma: the integrand has variation at most 4 * 3 * distance, and 128 points the discrepancy 1/128
    assert (np.abs(rff.approximate_kernel(X) - j0(3 * distances)) <= 12 * distances / 128 + 1e-12).all()

    class Line:  # d uniforms unless it says otherwise
        def sample_frequencies(self, n, d, rng):
            return rng.random((n, d))

        def frequencies_from_uniforms(self, u, d):
            return u

    assert RandomFourierFeatures(Line(), sampling="halton").fit(X).random_weights_.shape == (2, 512)
    Line.frequencies_from_uniforms = lambda self, u, d: u[:, :1]
    with pytest.raises(ValueError, match=re.escape("made frequencies of shape (512, 1); they must be (512, 2)")):
        RandomFourierFeatures(Line(), sampling="halton").fit(X)
    Line.frequencies_from_uniforms = lambda self, u, d: u * np.nan
    with pytest.raises(ValueError, match="without NaN"):
        RandomFourierFeatures(Line(), sampling="halton").fit(X)
    for odd in (None, "a", 1j, sparse.eye_array(512, 2)):
        Line.frequencies_from_uniforms = lambda self, u, d, odd=odd: odd
        with pytest.raises(ValueError, match=r"frequencies_from_uniforms\(u, d\) is a|made frequencies of shape \(\)"):
            RandomFourierFeatures(Line(), sampling="halton").fit(X)
    Line.n_uniforms = lambda self, d: 0.5
    with pytest.raises(ValueError, match="n_uniforms"):
        RandomFourierFeatures(Line(), sampling="sobol").fit(X)


def test_a_subclass_is_trusted():
    class Same(kernels.Matern):
        def sample_frequencies(self, n, d, rng):
            return super().sample_frequencies(n, d, rng)

    class Other(kernels.Gaussian):  # of another law, with both of its samplers
        def _sample(self, n, d, rng):
            return rng.uniform(-1, 1, (n, d))

        def _from_uniforms(self, u):
            return 2 * u - 1

    class Half(kernels.SpectralKernel):
        def _sample(self, n, d, rng):
            return rng.uniform(-1, 1, (n, d))

    one, other = (quasi_frequencies(kernel(0.7, [1, 2]), 5, 2, np.random.default_rng(0))
                  for kernel in (Same, kernels.Matern))
    assert np.array_equal(one, other)
    W = quasi_frequencies(Other(0.5), 64, 2, np.random.default_rng(0))
    assert (np.sort(np.floor((W / 2 + 1) * 32), axis=0) == np.arange(64)[:, None]).all()
    with pytest.raises(NotImplementedError, match="Half has no map from uniform numbers to frequencies"):
        quasi_frequencies(Half(), 5, 2, np.random.default_rng(0))


def test_what_is_refused():
    class Sampler:
        def sample_frequencies(self, n, d, rng):
            return rng.standard_normal((n, d))

    with pytest.raises(ValueError, match="kernel is <class"):
        quasi_frequencies(Ring, 4, 2, np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"kernel is .*frequencies_from_uniforms\(u, d\)"):
        RandomFourierFeatures(Sampler(), sampling="sobol").fit(np.eye(3))
    rng = np.random.default_rng(0)
    for sequence, d in (("sobol", 21_202), ("halton", 1001)):
        with pytest.raises(ValueError, match=f"sequence is '{sequence}' and a frequency needs {d} coordinates"):
            quasi_frequencies(kernels.Gaussian(), 2, d, rng, sequence)
    with pytest.raises(ValueError, match="needs 1001 coordinates"):  # the phase is one
        quasi_frequencies(kernels.Gaussian(), 2, 1000, rng, "halton", True)
    wrong = {"n": (-1, 2, rng), "d": (2, 0, rng), "rng": (2, 2, 0), "sequence": (2, 2, rng, "r2")}
    for name, arguments in wrong.items():
        with pytest.raises(ValueError, match=f"^{name} is"):
            quasi_frequencies(kernels.Gaussian(), *arguments)
    with pytest.raises(ValueError, match="phases is 'yes'; it may be True or False"):
        quasi_frequencies(kernels.Gaussian(), 2, 3, rng, phases="yes")
    with pytest.raises(ValueError, match="length_scale has shape"):
        quasi_frequencies(kernels.Gaussian([1.0, 2.0]), 2, 3, rng)


