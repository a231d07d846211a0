"""Bounds of spectral approximation: against plain linear algebra, each other, and what features do."""

import math

import numpy as np
import pytest

from rfbook import Gaussian, RandomFourierFeatures, bounds

rng = np.random.default_rng(0)
X = rng.uniform(-2, 2, (30, 2))
K = Gaussian()(X)


def test_effective_dimension_is_a_trace():
    for alpha in (1e-3, 1.0, 50.0):
        trace = np.trace(K @ np.linalg.inv(K + alpha * np.eye(30)))
        assert bounds.effective_dimension(K, alpha) == pytest.approx(trace, rel=1e-9)
    assert bounds.effective_dimension(K, [[1.0], [2.0]]).shape == (2, 1)
    assert bounds.effective_dimension(np.eye(4), 1e300) < 1e-299
    assert bounds.effective_dimension(np.zeros((3, 3)), 1.0) == 0.0
    assert bounds.effective_dimension(-1e-17 * np.eye(3), 1e-3) == 0.0  # rounding below zero


def test_ratios_are_those_of_whitened_matrices():
    E = rng.standard_normal((30, 30))
    K_hat = K + 0.01 * (E + E.T)
    root = np.linalg.inv(np.linalg.cholesky(K + 0.3 * np.eye(30)))
    want = np.linalg.eigvalsh(root @ (K_hat + 0.3 * np.eye(30)) @ root.T)
    assert np.allclose(bounds.relative_eigenvalues(K, K_hat, 0.3), want, atol=1e-10)
    assert np.allclose(bounds.relative_eigenvalues(K, K, 0.3), 1)
    assert bounds.relative_eigenvalues(np.float32(K), np.float32(K_hat), 0.3).dtype == float


@pytest.mark.parametrize(("call", "name"), [
    (lambda: bounds.effective_dimension(K[:3], 1.0), "kernel_matrix"),
    (lambda: bounds.effective_dimension(np.triu(K), 1.0), "kernel_matrix"),
    (lambda: bounds.effective_dimension(np.full((2, 2), np.nan), 1.0), "kernel_matrix"),
    (lambda: bounds.effective_dimension(np.empty((0, 0)), 1.0), "kernel_matrix"),
    (lambda: bounds.effective_dimension(K, [1.0, 0.0]), "alpha"),
    (lambda: bounds.relative_eigenvalues(K, K[:3, :3], 1.0), "estimate"),
    (lambda: bounds.relative_eigenvalues(K, K, 0.0), "alpha"),
    (lambda: bounds.relative_eigenvalues(-np.eye(3), np.eye(3), 0.5), "kernel_matrix"),
    (lambda: bounds.matrix_bernstein(0.1, 0.0, 1.0, 2.0), "variance"),
    (lambda: bounds.matrix_bernstein(0.1, 1.0, -1.0, 2.0), "largest"),
    (lambda: bounds.matrix_bernstein(0.1, 1.0, 1.0, -0.5), "intrinsic"),
    (lambda: bounds.spectral_floor(0.5, 0.1, 1e16, 1e17), "freedom"),
    (lambda: bounds.spectral_floor(0.5, 1.0, 10.0, 20.0), "delta"),
    (lambda: bounds.spectral_probability(0.1, 10, -1.0, 2.0), "freedom"),
    (lambda: bounds.spectral_radius(10, 0.1, 1.0, 0.0), "leverage"),
    (lambda: bounds.spectral_components(1e-300, 0.1, 1.0, 1.0), "eps"),
    (lambda: bounds.ridge_risk_bound(K, np.ones(3), 1.0, 1.0), "values"),
    (lambda: bounds.ridge_risk_bound(K, np.ones(30), 1.0, -1.0), "variance"),
])
def test_bad_arguments(call, name):
    with pytest.raises(ValueError, match=f"^{name}"):
        call()


def test_matrix_bernstein_by_hand():
    want = 2 * 4 * math.exp(-0.5 * 4.0 / (0.1 + 0.2 * 2.0 / 3))
    assert bounds.matrix_bernstein(2.0, 0.1, 0.2, 3.0) == pytest.approx(want)
    assert bounds.matrix_bernstein(1e-3, 1.0, 1.0, 3.0) == 1.0
    assert bounds.matrix_bernstein(1e150, 1e-300, 0.0, 1.0) == 0.0


def test_counts_radii_and_probabilities_agree():
    for eps in (0.05, 0.5, 2.0):
        for delta in (0.5, 1e-2, 1e-9):
            D = bounds.spectral_components(eps, delta, 12.5, 80.0)
            assert isinstance(D, int) and D % 2 == 0
            assert bounds.spectral_radius(D, delta, 12.5, 80.0) <= eps * (1 + 1e-12)
            assert bounds.spectral_radius(D - 2, delta, 12.5, 80.0) > eps
            assert bounds.spectral_probability(eps, D, 12.5, 80.0) <= delta * (1 + 1e-9)
            assert bounds.spectral_probability(eps, D - 2, 12.5, 80.0) > delta
    assert bounds.spectral_components([0.5, 0.25], 0.1, 12.5, 80.0).dtype == np.int64


def test_floor_is_below_what_is_enough():
    for eps in (0.05, 0.5, 2.0):
        for delta in (0.3, 1e-2, 1e-9):
            floor = bounds.spectral_floor(eps, delta, 12.5, 80.0)
            assert isinstance(floor, int) and 0 <= floor <= bounds.spectral_components(eps, delta, 12.5, 80.0)
    assert bounds.spectral_floor(0.25, 1e-9, 12.5, 80.0) == 10  # 12.5 / 1.25
    assert bounds.spectral_floor(0.5, 0.5, 12.5, 80.0) == 0  # so often may it fail that nothing follows
    assert bounds.spectral_floor([0.5, 0.25], 0.1, 12.5, 80.0).dtype == np.int64
    # strangers: no features at all have all ratios 2/3, because they are not unbiased
    ratios = bounds.relative_eigenvalues(np.eye(300), np.zeros((300, 300)), 2.0)
    assert np.allclose(ratios, 2 / 3) and bounds.effective_dimension(np.eye(300), 2.0) == pytest.approx(100)
    assert bounds.spectral_floor(1 / 3, 0.01, 100.0, 150.0) == 75  # (100 - 1.5) / 0.99 / (4/3)


def test_risk_bound_is_what_ridge_leaves_and_its_freedom():
    f = np.sin(X[:, 0])
    inverse = np.linalg.inv(K + 0.5 * np.eye(30))
    want = (0.5 * f @ inverse @ f + 0.2 * np.trace(K @ inverse)) / 30
    assert bounds.ridge_risk_bound(K, f, 0.5, 0.2) == pytest.approx(want, rel=1e-9)
    H = K @ inverse
    assert (np.sum((H @ f - f) ** 2) + 0.2 * np.sum(H**2)) / 30 <= want


@pytest.mark.parametrize("phase", ["paired", "offset"])
def test_features_obey_the_radius(phase):
    """False alarm 1e-9 by the theorem; a map of another kernel's features is far outside."""
    d = bounds.effective_dimension(K, 2.0)
    for D in (200, 20_000):
        rff = RandomFourierFeatures(Gaussian(), n_components=D, phase=phase, random_state=1).fit(X)
        ratios = bounds.relative_eigenvalues(K, rff.approximate_kernel(X), 2.0)
        assert np.abs(ratios - 1).max() <= bounds.spectral_radius(D, 1e-9, d, 15.0)
    other = RandomFourierFeatures(Gaussian(0.1), n_components=D, phase=phase, random_state=1).fit(X)
    far = bounds.relative_eigenvalues(K, other.approximate_kernel(X), 2.0)
    assert np.abs(far - 1).max() > bounds.spectral_radius(D, 1e-9, d, 15.0)
