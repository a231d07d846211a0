"""Quasi-Monte Carlo: discrepancy, the variance on the line against quadrature, the orders."""

import numpy as np
import pytest

from rfbook import bounds


def test_star_discrepancy():
    assert bounds.star_discrepancy([0.5]) == 0.5 and bounds.star_discrepancy(0.0) == 1.0
    assert np.isclose(bounds.star_discrepancy([0.25, 0.75]), 0.25)
    assert np.isclose(bounds.star_discrepancy([0.0, 1.0]), 0.5)
    u = np.random.default_rng(0).random((50, 3, 2))
    D = bounds.star_discrepancy(u)
    assert D.shape == (3, 2) and D[1, 0] == bounds.star_discrepancy(u[:, 1, 0])
    t = np.concatenate([u[:, 1, 0], u[:, 1, 0] + 1e-12, [0.0, 1.0]])  # a supremum, approached at the points
    assert abs(D[1, 0] - np.abs((u[:, 1, 0] < t[:, None]).mean(1) - t).max()) < 1e-11
    for points in ([], [1.5], [np.nan], "points"):
        with pytest.raises(ValueError, match="points is"):
            bounds.star_discrepancy(points)


@pytest.mark.parametrize("m", [1, 2, 4, 64])
def test_sobol_variance_against_quadrature(m):
    from scipy.integrate import quad
    from scipy.special import ndtri

    for t in (0.0, 0.3, 1.0, 2.5, 6.0):
        def wave(w, power, t=t):
            return np.cos(t * w) ** power * np.exp(-(w**2) / 2) / np.sqrt(2 * np.pi) * m

        within = 0.0
        for a, b in zip(*np.clip(ndtri(np.stack([np.arange(m), np.arange(m) + 1.0]) / m), -9, 9), strict=True):
            first, second = (quad(wave, a, b, (p,), limit=200, epsabs=1e-13)[0] for p in (1, 2))
            within += second - first**2
        assert abs(bounds.sobol_variance(t, 2 * m) - within / m**2) < 1e-12
    single = bounds.fourier_variance(np.exp(-0.245), np.exp(-0.98), 2, "paired")
    assert np.isclose(bounds.sobol_variance(0.7, 2), single)


def test_sobol_variance_at_the_ends():
    V = bounds.sobol_variance(np.array([[0.0, 1.0], [5000.0, np.inf]]), 64)
    assert V.shape == (2, 2) and V[0, 0] == 0 and np.allclose(V[1], 1 / 64, rtol=1e-3)  # far away all is independent
    assert bounds.sobol_variance(1.0, 2**21) < 1e-11
    # the intervals are at least sqrt(2 pi)/m wide: angles that run through a hundred turns or more in each of them
    assert np.allclose(bounds.sobol_variance([1e9, 1e30, 1e308], 2**20) * 2**20, 1, rtol=1e-3)
    for arguments, name in (((1.0, 24), "n_components"), ((1.0, 1), "n_components"), ((-1.0, 4), "distance")):
        with pytest.raises(ValueError, match=f"^{name} is"):
            bounds.sobol_variance(*arguments)


def test_fourier_anova():
    k, k2 = np.exp(-np.array([0.1, 0.5, 2.0]) / 2), np.exp(-2 * np.array([0.1, 0.5, 2.0]))
    orders = bounds.fourier_anova(k, k2)
    assert orders.shape == (4,) and orders[0] == 0
    assert np.isclose(orders.sum(), 2 * bounds.fourier_variance(k.prod(), k2.prod(), 4, "paired"))
    assert np.isclose(orders[3], (np.prod(1 - k**2) + np.prod(k2 - k**2)) / 2)
    assert np.allclose(bounds.fourier_anova(k[:1], k2[:1]), bounds.fourier_anova(k[0], k2[0]))
    limit = bounds.fourier_anova(np.exp(-0.5 / 2000) * np.ones(2000), np.exp(-2 / 2000) * np.ones(2000))[:5]
    assert np.allclose(limit, np.exp(-1) * np.array([0, 0, 1 / 2, 0, 1 / 24]), rtol=0, atol=1e-3)
    for arguments in ((k, k2[:2]), (2 * k + 1, k2), (k[None], k2[None]), (k * np.nan, k2)):
        with pytest.raises(ValueError, match="k_2?delta (is|have)"):
            bounds.fourier_anova(*arguments)
