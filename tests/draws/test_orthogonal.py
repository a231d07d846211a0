"""Orthogonal frequencies: their geometry, what they refuse, and the exact variance against quadrature."""

import numpy as np
import pytest
from scipy import sparse
from scipy.integrate import quad
from scipy.special import hyp1f1
from sklearn.utils.estimator_checks import parametrize_with_checks

from rfbook import RandomFourierFeatures, bounds, kernels
from rfbook.draws.orthogonal import orthogonal_frequencies

RADIAL = [kernels.Gaussian(2.0), kernels.Exponential(), kernels.Matern(nu=2.5), kernels.Gaussian([0.5, 1.0, 2.0, 4.0])]


@parametrize_with_checks([RandomFourierFeatures(sampling="orthogonal", n_components=20)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kernel", RADIAL, ids=lambda k: type(k).__name__)
@pytest.mark.parametrize("n", [1, 3, 4, 11, 600])
def test_blocks_are_orthogonal_and_nested(kernel, n):
    W = orthogonal_frequencies(kernel, n, 4, np.random.default_rng(0)) * kernel.length_scale
    for first in range(0, n, 4):
        block = W[first : first + 4]
        gram = block @ block.T
        assert np.allclose(gram, np.diag(np.diag(gram)), rtol=0, atol=1e-12 * np.trace(gram))
    longer = orthogonal_frequencies(kernel, n + 700, 4, np.random.default_rng(0)) * kernel.length_scale
    assert np.array_equal(longer[:n], W)


def test_lengths_are_those_of_the_kernel():
    """A Kolmogorov-Smirnov distance against chi, at level 1e-9."""
    from scipy.stats import chi

    R = np.sort(np.linalg.norm(orthogonal_frequencies(kernels.Gaussian(), 30_000, 3, np.random.default_rng(0)), axis=1))
    distance = np.abs(chi.cdf(R, 3) - (np.arange(30_000) + 0.5) / 30_000).max()
    assert distance < np.sqrt(np.log(2 / 1e-9) / (2 * 30_000)) + 1e-4


@pytest.mark.parametrize("kernel", ["laplacian", "cauchy", kernels.StretchedExponential(power=0.5)])
def test_product_kernels_are_refused(kernel):
    X = np.ones((3, 2))
    with pytest.raises(ValueError, match="sampling is 'orthogonal'.*radial"):
        RandomFourierFeatures(kernel, sampling="orthogonal").fit(X)
    RandomFourierFeatures(kernel, sampling="orthogonal", n_components=8).fit(X[:, :1])  # on the line all are radial


def test_a_users_kernel_says_that_it_is_radial():
    class Ring:
        def sample_frequencies(self, n, d, rng):
            G = rng.standard_normal((n, d))
            return 3 * G / np.linalg.norm(G, axis=1, keepdims=True)

    X = np.eye(5)
    with pytest.raises(ValueError, match="radial = True"):
        RandomFourierFeatures(Ring(), sampling="orthogonal").fit(X)
    Ring.radial = True
    W = RandomFourierFeatures(Ring(), sampling="orthogonal", n_components=40, random_state=0).fit(X).random_weights_
    assert np.allclose(W.T[:5] @ W.T[:5].T, 9 * np.eye(5))
    with pytest.raises(ValueError, match="kernel.*drew"):
        Ring.sample_frequencies = lambda self, n, d, rng: np.full((n, d), np.inf)
        with np.errstate(invalid="ignore"):
            RandomFourierFeatures(Ring(), sampling="orthogonal").fit(X)


@pytest.mark.parametrize("phase", ["paired", "offset"])
def test_shapes_dtypes_and_sparse(phase):
    X = np.random.default_rng(0).standard_normal((30, 7)).astype(np.float32)
    rff = RandomFourierFeatures(sampling="orthogonal", n_components=21, phase=phase, random_state=3)
    Z = rff.fit_transform(X)
    assert Z.shape == (30, 22 if phase == "paired" else 21) and Z.dtype == np.float32
    assert np.allclose(rff.transform(sparse.csr_matrix(X)), Z, rtol=0, atol=1e-6)
    wide = RandomFourierFeatures(sampling="orthogonal", n_components=200, phase=phase, random_state=3).fit(X)
    assert np.array_equal(wide.random_weights_[:, :11], rff.random_weights_[:, :11])


@pytest.mark.parametrize("d", [2, 3, 5, 24])
def test_covariance_against_an_integral(d):
    """E cos(R S.delta) with R^2 chi-square of 2d degrees, by quadrature over the first coordinate of a Gaussian."""
    from scipy.stats import chi2

    for t in (0.3, 1.0, 2.0, 3.5):
        def given(r2, t=t):  # the mean of cos over the sphere is 0F1
            from scipy.special import hyp0f1

            return hyp0f1(d / 2, -r2 * t**2 / 4) * chi2.pdf(r2, 2 * d)

        mean = quad(given, 0, chi2.isf(1e-14, 2 * d), limit=400, epsabs=1e-12)[0]
        assert abs(bounds.orthogonal_covariance(t, d) - (mean - np.exp(-(t**2)))) < 1e-9


def test_covariance_far_away_and_in_many_dimensions():
    t = np.array([[0.0, 0.5], [1.0, 30.0]])
    for d in (2, 784, 10**6):
        C = bounds.orthogonal_covariance(t, d)
        assert C.shape == t.shape and np.isfinite(C).all() and C[0, 0] == 0 and abs(C[1, 1]) < 1e-12
    assert abs(bounds.orthogonal_covariance(1.0, 784) - (hyp1f1(784, 392, -0.5) - np.exp(-1))) < 1e-12
    assert all(abs(bounds.orthogonal_covariance(40.0, d)) < 1e-9 for d in range(2, 60))  # like t^-2d, or faster
    assert bounds.orthogonal_covariance(1e200, 3) == 0 and bounds.orthogonal_covariance(np.inf, 3) == 0


def test_variance_counts_pairs():
    t, single = 0.7, bounds.fourier_variance(np.exp(-0.245), np.exp(-0.98), 20, "paired")
    C = bounds.orthogonal_covariance(t, 4)
    assert np.isclose(bounds.orthogonal_variance(t, 20, 4, "paired"), single + (2 * 4 * 3 + 2) / 100 * C)  # 4 + 4 + 2
    assert bounds.orthogonal_variance(t, 20, 1, "paired") == single
    assert bounds.orthogonal_variance(0.0, 20, 4, "paired") == 0
    assert np.isclose(bounds.orthogonal_variance(t, 20, 10**400, "paired"), single)  # beyond floats
    assert bounds.orthogonal_variance(t, 10**400, 4, "paired") < 1e-300
    with pytest.raises(ValueError, match="distance"):
        bounds.orthogonal_variance(-1.0, 20, 4, "paired")
    with pytest.raises(ValueError, match="dimension"):
        bounds.orthogonal_covariance(1.0, 1)
    with pytest.raises(ValueError, match="phase"):
        bounds.orthogonal_variance(1.0, 20, 4, "both")
    with pytest.raises(ValueError, match="distance"):
        bounds.orthogonal_covariance([np.nan], 3)


def test_a_subclass_is_trusted():
    class Same(kernels.Gaussian):
        def sample_frequencies(self, n, d, rng):
            return super().sample_frequencies(n, d, rng)

    class Ring(kernels.Gaussian):
        def _sample(self, n, d, rng):
            W = rng.standard_normal((n, d))
            return 5 * W / np.linalg.norm(W, axis=1, keepdims=True)

    one, other = (orthogonal_frequencies(kernel([1, 2, 3]), 4, 3, np.random.default_rng(0))
                  for kernel in (Same, kernels.Gaussian))
    assert np.array_equal(one, other)
    assert np.allclose(np.linalg.norm(orthogonal_frequencies(Ring(), 4, 3, np.random.default_rng(0)), axis=1), 5)
    assert np.allclose(np.linalg.norm(orthogonal_frequencies(Ring(10.0), 4, 3, np.random.default_rng(0)), axis=1), 0.5)


def test_what_a_subclass_says_of_itself_decides():
    class Product(kernels.Matern):
        radial = False

    with pytest.raises(ValueError, match=r"kernel is Product\(.*\) and sampling is 'orthogonal'"):
        orthogonal_frequencies(Product(), 4, 3, np.random.default_rng(0))
    assert orthogonal_frequencies(Product(), 4, 1, np.random.default_rng(0)).shape == (4, 1)
