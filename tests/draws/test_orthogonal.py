"""Orthogonal frequencies: their geometry, and what they refuse."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.estimator_checks import parametrize_with_checks

from rfbook import RandomFourierFeatures, kernels
from rfbook.draws.orthogonal_sampler import orthogonal_frequencies

RADIAL = [kernels.Gaussian(2.0), kernels.Exponential(), kernels.Matern(nu=2.5), kernels.Gaussian([0.5, 1.0, 2.0, 4.0])]


@parametrize_with_checks([RandomFourierFeatures(length_scale=1.0, sampling="orthogonal", n_components=20)])
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
    rff = RandomFourierFeatures(length_scale=1.0, sampling="orthogonal", n_components=21, phase=phase, random_state=3)
    Z = rff.fit_transform(X)
    assert Z.shape == (30, 22 if phase == "paired" else 21) and Z.dtype == np.float32
    assert np.allclose(rff.transform(sparse.csr_matrix(X)), Z, rtol=0, atol=1e-6)
    wide = RandomFourierFeatures(length_scale=1.0, sampling="orthogonal", n_components=200, phase=phase,
                                 random_state=3).fit(X)
    assert np.array_equal(wide.random_weights_[:, :11], rff.random_weights_[:, :11])


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
