"""Arc-cosine and coordinate features: variances and radii."""

import math

import numpy as np
import pytest

from rfbook import ArcCosine, bounds


def pair(theta):
    """Two unit vectors of the plane at an angle."""
    return np.array([[1.0, 0.0]]), np.array([[math.cos(theta), math.sin(theta)]])


def test_variances_and_radii():
    assert bounds.arc_cosine_variance(1.0, 1.0, 10) == 0 and bounds.arc_cosine_variance(1.0, 1.0, 10, "iid") == 0.1
    K = ArcCosine(1)(np.eye(3)), ArcCosine(2)(np.eye(3))
    assert np.allclose(bounds.arc_cosine_variance(*K, 7).diagonal(), 2 * (3 - 1) / 8)
    x, y = np.array([1.0, -2.0, 0.5, 3.0]), np.array([0.3, 1.0, 2.0, -1.0])
    p = x * y
    assert bounds.coordinate_variance(x, y, 8) == 0
    assert bounds.coordinate_variance(x, y, 5, True) == pytest.approx((4 * (p @ p) - p.sum() ** 2) / 5)
    means = [4 / 2 * (p[i] + p[j]) for i in range(4) for j in range(4) if i != j]  # all ways to draw two
    assert bounds.coordinate_variance(x, y, 2) == pytest.approx(np.var(means))
    means = [4 / 5 * (p.sum() + p[i]) for i in range(4)]
    assert bounds.coordinate_variance(x, y, 5) == pytest.approx(np.var(means))
    assert bounds.coordinate_variance([2.0], [3.0], 3) == bounds.coordinate_variance([2.0], [3.0], 3, True) == 0
    angle = np.linspace(0, np.pi, 5)
    for order in (0, 1, 2):
        r = bounds.arc_cosine_radius(angle, 100, 0.01, order)
        assert r.shape == (5,) and (np.diff(r) <= 0).all()
    k = [ArcCosine(n)(*pair(1.0))[0, 0] for n in range(5)]
    want = math.sqrt(bounds.arc_cosine_variance(k[2], k[4], 100) / 0.01)
    assert bounds.arc_cosine_radius(1.0, 100, 0.01, 2) == pytest.approx(want)
    log = math.log(200)
    assert bounds.arc_cosine_radius(1.0, 100, 0.01) == pytest.approx(
        math.sqrt(4 * k[2] * log / 100) + 2 * (1 + math.cos(1)) * log / 100)


@pytest.mark.parametrize("gap", [1e-1, 1e-2, 1e-3, 1e-6])
def test_radii_near_opposite_vectors_are_not_lost(gap):
    """There the recursion cancels to 0, and a radius of 0 is left with probability one."""
    angle = math.pi - gap
    k = [ArcCosine(n)(*pair(angle))[0, 0] for n in range(5)]
    want = math.sqrt(bounds.arc_cosine_variance(k[2], k[4], 10) / 0.01)
    assert bounds.arc_cosine_radius(angle, 10, 0.01, 2) == pytest.approx(want, rel=1e-8, abs=0)
    log = math.log(200)
    want = math.sqrt(4 * k[2] * log / 10) + 4 * math.sin(gap / 2) ** 2 * log / 10
    assert bounds.arc_cosine_radius(angle, 10, 0.01, 1) == pytest.approx(want, rel=1e-8, abs=0)


def test_an_angle_in_single_precision_may_be_pi():
    assert bounds.arc_cosine_radius(np.arccos(np.float32(-1)), 10, 0.01) == 0
