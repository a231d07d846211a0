"""Arc-cosine kernels: values to rounding at all angles, lengths, blocks."""

import math

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss
from sklearn.base import clone

from rfbook import ArcCosine
from rfbook.kernels.arc_cosine import arc_cosine_angular

NODES, WEIGHTS = leggauss(60)


@pytest.fixture
def X():
    return np.random.default_rng(0).standard_normal((300, 5))


def pair(theta, lengths=(1.0, 1.0)):
    """Two vectors of the plane at an angle."""
    return lengths[0] * np.array([[1.0, 0.0]]), lengths[1] * np.array([[math.cos(theta), math.sin(theta)]])


@pytest.mark.parametrize("order", range(9))
def test_values_by_the_integral_relative_to_themselves(order):
    """J_n = n! times the integral of (cos u - cos g)^n up to g = pi - theta; near pi the kernel is tiny, and right."""
    gaps = np.concatenate([10.0 ** np.linspace(-12, 0, 200), np.linspace(0, math.pi, 400)[1:]])
    u = gaps[:, None] * (NODES + 1) / 2
    integrand = 2 * np.sin((gaps[:, None] + u) / 2) * np.sin((gaps[:, None] - u) / 2)
    exact = math.factorial(order) * gaps * (integrand**order @ WEIGHTS) / 2
    found = arc_cosine_angular(order, gaps.copy())
    assert np.abs(found / exact - 1).max() < 5e-14


def test_closed_forms():
    for theta in np.linspace(0, np.pi, 23):
        a, c, s = np.pi - theta, math.cos(theta), math.sin(theta)
        want = (a, s + a * c, 3 * s * c + a * (1 + 2 * c * c))
        for order, J in enumerate(want):
            k = ArcCosine(order)(*pair(theta, (2.0, 0.5)))
            assert k.shape == (1, 1) and abs(k[0, 0] - J / np.pi) < 2e-15


def test_small_and_flat_angles_are_not_lost():
    for theta in (1e-3, 1e-6, 1e-9, 1e-12):
        assert abs(ArcCosine(0)(*pair(theta))[0, 0] - (1 - theta / np.pi)) < 3e-16
        x, y = pair(theta)
        assert abs(ArcCosine(0)(x, -y)[0, 0] / (theta / np.pi) - 1) < 1e-12 * max(1, 1e-4 / theta)
    X = np.random.default_rng(0).standard_normal((50, 40))
    for order, diagonal in ((0, 1), (1, 1), (2, 3), (4, 105)):
        K = ArcCosine(order)(X)
        lengths = np.linalg.norm(X, axis=1)
        assert np.allclose(K.diagonal(), diagonal * lengths ** (2 * order), rtol=1e-13)
        assert np.array_equal(K, K.T) and np.linalg.eigvalsh(K)[0] > -1e-12 * K.max()
        assert np.array_equal(ArcCosine(order)(X, -X).diagonal(), np.zeros(50))
        assert np.allclose(ArcCosine(order)(3 * X, X / 4), 0.75**order * K, rtol=1e-12, atol=1e-13)


def test_blocks_of_rows_make_no_difference(X):
    wide = np.tile(X, (1, 200))
    assert np.array_equal(ArcCosine(1)(wide)[:10, 7:9], ArcCosine(1)(wide[:10], wide[7:9]))


@pytest.mark.parametrize("order", [0, 1, 2])
def test_zero_vectors_and_extreme_lengths(order):
    X = np.array([[0.0, 0.0], [1.0, 1.0]])
    assert np.array_equal(ArcCosine(order)(X)[0], [0, 0])
    tiny, huge = np.array([[5e-324, 0.0]]), np.array([[1e308, 1e308]])
    assert ArcCosine(0)(tiny, huge)[0, 0] == pytest.approx(0.75)
    assert ArcCosine(1)(tiny * 2**20, huge)[0, 0] > 0
    if order:
        with pytest.raises(ValueError, match="X, Y or 1 / length_scale is too large"):
            ArcCosine(order)(huge)


def test_length_scales(X):
    scale = np.array([1.0, 2.0, 4.0, 0.5, 1.0])
    assert np.array_equal(ArcCosine(1, scale)(X), ArcCosine(1)(X / scale))
    kernel = ArcCosine(2, 3.0)
    assert repr(kernel) == "ArcCosine(order=2, length_scale=3.0)" and repr(clone(kernel)) == repr(kernel)
