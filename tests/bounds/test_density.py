"""Bounds of waves for a target: closed form against quadrature, the two counts, and what solving leaves."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from rfbook import Gaussian, bounds


@pytest.mark.parametrize(("target", "law"), [(1.0, 1.0), (1.0, 0.3), (0.7, 0.9), (2.0, 2.7)])
def test_gaussian_constant_against_quadrature(target, law):
    def integrand(w):
        return target**2 / law / np.sqrt(2 * np.pi) * np.exp(-((target * w) ** 2) + (law * w) ** 2 / 2)

    C = quad(integrand, -np.inf, np.inf)[0]
    assert bounds.gaussian_constant(target, law) == pytest.approx(C)
    assert bounds.gaussian_constant(target, law, d=3) == pytest.approx(C**3)
    assert bounds.gaussian_constant([target, 1.0], [law, 1.0]) == pytest.approx(C)


def test_gaussian_constant_at_its_ends():
    assert bounds.gaussian_constant(1.0, math.sqrt(2)) == math.inf
    assert bounds.gaussian_constant(1.0, math.sqrt(2) - 1e-6) < math.inf
    assert bounds.gaussian_constant([1.0, 1.0], [1.0, 3.0]) == math.inf
    assert bounds.gaussian_constant(1e-200, 1e-200, d=5) == pytest.approx(1)
    for arguments, name in (((0.0, 1.0), "target_scale"), ((1.0, -1.0), "law_scale"), ((1.0, 1.0, 0), "d"),
                            (([1.0, 2.0], 1.0, 3), "target_scale"), ((1.0, [1.0, 2.0, 3.0], 2), "law_scale")):
        with pytest.raises(ValueError, match=name):
            bounds.gaussian_constant(*arguments)


def test_target_variance():
    assert bounds.target_variance(2.0, 1.0, 4) == 0.25
    assert bounds.target_variance(math.inf, 1.0, 4) == math.inf
    assert bounds.target_variance(1.0, [0.0, 1.0], [1, 2]).tolist() == [1.0, 0.0]
    assert bounds.target_variance(0.0, 0.0, 4) == 0.0
    assert bounds.target_variance(1 - 5e-13, 1.0, 4) == 0.0  # rounding is let pass
    for arguments, name in (((1.0, 2.0, 4), "constant"), ((-1.0, 0.0, 4), "constant"), ((1.0, 0.0, 0), "n_components"),
                            ((1 - 1.5e-12, 1.0, 4), "constant")):
        with pytest.raises(ValueError, match=f"^{name} is"):
            bounds.target_variance(*arguments)


def test_counts_and_radii_agree():
    for eps in (0.05, 0.1, 0.5):
        for delta in (0.5, 1e-2, 1e-9):
            for C, M in ((1.0, 1.0), (3.0, math.inf), (math.inf, 2.0)):
                K = bounds.target_components(eps, delta, C, M)
                assert K == round(K) and bounds.target_radius(K, delta, C, M) <= eps * (1 + 1e-9)
                assert K == 1 or bounds.target_radius(K - 1, delta, C, M) > eps * (1 - 1e-6)
    assert bounds.target_components(0.1, 0.01, math.inf) == math.inf
    assert bounds.target_components(0.5, [0.5, 0.1], 1.0).tolist() == [8.0, 40.0]
    for arguments, name in (((0.0, 0.1, 1.0), "eps"), ((0.1, 1.0, 1.0), "delta"), ((0.1, 0.1, -1.0), "constant"),
                            ((0.1, 0.1, 1.0, 0.0), "bound")):
        with pytest.raises(ValueError, match=f"^{name} is"):
            bounds.target_components(*arguments)


def test_solved_bound():
    """Between the mean of solved errors and error and penalty of kernel ridge regression."""
    x = np.linspace(-2, 2, 40)[:, None]
    y, G, K, rng = np.exp(-3 * x[:, 0] ** 2), Gaussian(0.7)(x), 6, np.random.default_rng(0)
    u = np.linalg.solve(G + 40 / K * np.eye(40), y)
    assert bounds.solved_bound(G, y, K) < np.mean((y - G @ u) ** 2) + u @ G @ u / K
    assert bounds.solved_bound(G, y, 1) == pytest.approx(np.mean(y * (y - G @ y / 40)))
    errors = []
    for _ in range(300):
        angles = x @ Gaussian(0.7).sample_frequencies(K, 1, rng).T
        Z = np.hstack([np.cos(angles), np.sin(angles)])
        errors.append(np.mean((Z @ np.linalg.lstsq(Z, y, rcond=None)[0] - y) ** 2))
    assert np.mean(errors) < bounds.solved_bound(G, y, K)
    for arguments in ((G[:5], y, 3), (G, y[:, None], 3), (G, np.full(40, np.nan), 3), (G, y, 0)):
        with pytest.raises(ValueError, match="kernel_matrix has shape|n_components is"):
            bounds.solved_bound(*arguments)
    with pytest.raises(ValueError, match="on its diagonal"):
        bounds.solved_bound(2 * G, y, 3)
