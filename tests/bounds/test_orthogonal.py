"""Orthogonal frequencies: the covariance against quadrature, the variance by counting pairs."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import hyp1f1

from rfbook import bounds


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
    assert np.isclose(bounds.orthogonal_variance(t, 20, 10**18, "paired"), single)
    assert bounds.orthogonal_variance(t, 10**18, 4, "paired") < 1e-15
    with pytest.raises(ValueError, match="distance"):
        bounds.orthogonal_variance(-1.0, 20, 4, "paired")
    with pytest.raises(ValueError, match="dimension"):
        bounds.orthogonal_covariance(1.0, 1)
    with pytest.raises(ValueError, match="phase"):
        bounds.orthogonal_variance(1.0, 20, 4, "both")
    with pytest.raises(ValueError, match="distance"):
        bounds.orthogonal_covariance([np.nan], 3)


@pytest.mark.parametrize("d", [2, 3, 8])
@pytest.mark.parametrize("nu", [1.5, 2.5])
def test_covariance_of_matern_by_averages(d, nu):
    """The mean of 1F1(d; d/2; -W t^2/2), W = b/g + (1-b)/g' with two gamma variables g, g' and a beta variable b."""
    from scipy.special import roots_jacobi
    from scipy.stats import gamma

    g = gamma.ppf((np.arange(200) + 0.5) / 200, nu) / nu
    b, w = roots_jacobi(16, d / 2 - 1, d / 2 - 1)
    W = ((1 + b) / 2)[:, None, None] / g[:, None] + ((1 - b) / 2)[:, None, None] / g
    for t in (0.5, 1.0, 2.0):
        mean = w @ hyp1f1(d, d / 2, -W * t * t / 2).mean((1, 2)) / w.sum()
        k = np.exp(-(t**2) / 2 / g).mean()
        assert abs(bounds.orthogonal_covariance(t, d, nu) - (mean - k**2)) < 3e-4  # two hundred quantiles


def test_matern_of_many_degrees_is_gaussian():
    t = np.array([0.0, 0.3, 1.0, 2.5, 50.0])
    for d in (2, 5, 64):
        far, near = bounds.orthogonal_covariance(t, d, 5000.0), bounds.orthogonal_covariance(t, d)
        assert np.abs(far - near).max() < 2e-4 and abs(far[0]) < 1e-12 and far[-1] == 0
        assert abs(bounds.orthogonal_covariance(1.0, d, 1e5) - near[2]) < 1e-15
    assert bounds.orthogonal_variance(0.7, 20, 1, "paired", 1.5) > 0
    assert bounds.orthogonal_variance([[0.0], [1.0]], [20, 40], 3, "offset", 1.5).shape == (2, 2)
    for nu in (0.0, -1.0, np.nan, "x", 0.05):
        with pytest.raises(ValueError, match="^nu is"):
            bounds.orthogonal_covariance(1.0, 3, nu)
