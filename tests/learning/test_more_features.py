"""The curve over the number of features: digits that a difference of large numbers lost, and what is refused."""

import math

import numpy as np
import pytest

from rfbook.learning import kernel_spectrum, predicted_risk
from rfbook.learning.more_features import effective_regularisation


@pytest.mark.parametrize("D", [10, 40, 60, 10**9, 10**13])
@pytest.mark.parametrize("alpha", [1e-2, 1e-10])
def test_equal_eigenvalues_have_a_closed_form(D, alpha):
    """For N eigenvalues of 1, (n - T)(D - T) = alpha D T / (N - T), a cubic equation in T solved here by halving."""
    n, N = 50, 100
    low, high = 0.0, 1.0  # of the distance of T from min(n, D), in which nothing cancels
    least, gap = min(n, D), abs(n - D)
    for _ in range(200):
        rest = math.sqrt(low * high) if low > 0 else high / 2
        too_far = rest * (gap + rest) > alpha * D * (least - rest) / (N - least + rest)
        low, high = (low, rest) if too_far else (rest, high)
    T = least - rest
    nu1, nu2 = effective_regularisation(np.ones(N), n, D, alpha)
    assert nu2 == pytest.approx((N - T) / T, rel=1e-9)
    assert nu1 == pytest.approx(alpha / (rest if n < D else n - T), rel=1e-9)
    found = predicted_risk(np.ones(N), np.full(N, 0.1), n=n, n_components=D, alpha=alpha, noise=0.1)
    assert found.training == pytest.approx(found.risk * ((rest if n < D else n - T) / n) ** 2, rel=1e-9)
    assert found.parameters <= least * (1 + 1e-12)


def test_what_is_refused():
    with pytest.raises(ValueError, match="symmetric"):
        kernel_spectrum([[1.0, 0.5], [0.0, 1.0]], [0.0, 1.0])
    with pytest.raises(ValueError, match="a target for each of the 2 rows"):
        kernel_spectrum(np.eye(2), [0.0, 1.0, 2.0])
    right = {"n": 5, "n_components": 5, "alpha": 1.0}
    with pytest.raises(ValueError, match="negative entry"):
        predicted_risk([1.0, -1.0], [1.0, 1.0], **right)
    with pytest.raises(ValueError, match="may be alike"):
        predicted_risk([1.0, 0.5], [1.0], **right)
    for name in right:
        with pytest.raises(ValueError, match=name):
            predicted_risk([1.0], [1.0], **{**right, name: 0})
