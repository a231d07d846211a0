"""The compiled cosines against extended precision, for all kinds of angles and layouts."""

import os
import subprocess
import sys

import numpy as np
import pytest

from rfbook._jit.cosine import cosine, cosine_sine, cosine_sine_sums, cosine_sums, largest

TURN = 2 * np.longdouble("3.14159265358979323846264338327950288")
GOAL = {np.float32: 2e-7, np.float64: 3.3e-16}
rng = np.random.default_rng(0)
SHAPE = (40, 50)
KINDS = {
    "random": lambda: rng.standard_normal(SHAPE),
    "quarters": lambda: rng.integers(-40, 40, SHAPE) / 4,
    "tiny": lambda: 1e-20 * rng.standard_normal(SHAPE),
    "large": lambda: rng.uniform(-1e4, 1e4, SHAPE),
    "huge": lambda: 1e7 * rng.standard_normal(SHAPE),
    "beyond whole turns": lambda: 1e30 * rng.standard_normal(SHAPE),
    "denormal": lambda: 1e-40 * rng.standard_normal(SHAPE),
    "least": lambda: 5e-324 * rng.integers(-3, 4, SHAPE),
    "minus zero": lambda: np.full(SHAPE, -0.0),
}


def turns(T, b=0.0):
    """Angles reduced in extended precision."""
    wide = T.astype(np.longdouble)
    return TURN * (wide - np.rint(wide) + b)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", KINDS)
def test_cosine_and_sine(kind, dtype):
    T = KINDS[kind]().astype(dtype)
    Z = np.empty((SHAPE[0], 2 * SHAPE[1]), dtype)
    cosine_sine(T, Z, 1.0)
    assert np.abs(Z[:, : SHAPE[1]] - np.cos(turns(T))).max() <= GOAL[dtype]
    assert np.abs(Z[:, SHAPE[1] :] - np.sin(turns(T))).max() <= GOAL[dtype]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", KINDS)
def test_cosine_with_a_phase(kind, dtype):
    T, b = KINDS[kind]().astype(dtype), rng.random(SHAPE[1]).astype(dtype)
    want = 0.3 * np.cos(turns(T, b))
    got = T.copy()
    cosine(got, b, 0.3)
    # the sum of a reduced angle and a phase is below 3/2, and rounds by at most 3/4 of a unit at 1
    eps = np.finfo(dtype).eps
    assert np.abs(got - want).max() <= 0.3 * (0.75 * 2 * np.pi * eps + GOAL[dtype]) + eps


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [0, 1, 31, 32, 33, 100])
def test_sums_of_waves(n, dtype):
    """Within what 32 additions and one product round, times the sum of the absolute targets; what was there stays."""
    T, y = (10 * rng.standard_normal((n, 50))).astype(dtype), rng.standard_normal(n).astype(dtype)
    b, eps = (3 * rng.standard_normal(50)).astype(dtype), np.finfo(dtype).eps
    allowed = (35 * eps + 0.75 * 2 * np.pi * eps + GOAL[dtype]) * np.abs(y).sum(dtype=float) + 4 * eps
    sums, pairs = np.full(50, 2.0), np.full(100, -1.0)
    cosine_sums(T, b, y, sums)
    cosine_sine_sums(T, y, pairs)
    assert np.abs(sums - 2 - y @ np.cos(turns(T, b - np.rint(b)))).max() <= allowed
    assert np.abs(pairs + 1 - y @ np.hstack([np.cos(turns(T)), np.sin(turns(T))])).max() <= allowed


def test_long_sums_round_no_more_than_short_ones():
    """A running sum in float32 would lose a ten-thousandth of each number at the end."""
    y, sums, pairs = np.full(3200, 2**18 + 26, np.float32), np.zeros(1), np.zeros(2)
    T, whole = np.zeros((3200, 1), np.float32), 3200 * (2**18 + 26)
    cosine_sums(T, np.zeros(1, np.float32), y, sums)
    cosine_sine_sums(T, y, pairs)
    assert abs(np.cumsum(y)[-1] - whole) > 1e-5 * whole
    assert max(abs(sums[0] - whole), abs(pairs[0] - whole)) <= whole * (16 * np.finfo(np.float32).eps + 2e-7)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("view", [lambda T: T[::2], lambda T: T[:, ::2], np.asfortranarray, lambda T: T[::-1]])
def test_other_layouts(view, dtype):
    T = view(rng.standard_normal(SHAPE).astype(dtype))
    b = rng.random(T.shape[1]).astype(dtype)
    Z, want = np.empty((2, len(T), 2 * T.shape[1]), dtype)
    cosine_sine(T, Z, 1.0)
    cosine_sine(np.ascontiguousarray(T), want, 1.0)
    assert np.abs(Z - want).max() <= 2 * np.finfo(dtype).eps  # products may be fused in one and not in the other
    plain, strided = np.ascontiguousarray(T), T.copy(order="K")
    cosine(plain, b, 1.0)
    cosine(strided, b, 1.0)
    assert np.abs(plain - strided).max() <= 2 * np.finfo(dtype).eps
    assert largest(np.ascontiguousarray(T)) == np.abs(T).max()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_no_number_gives_no_number(dtype):
    T = np.array([[np.nan, np.inf, -np.inf, 1.0]], dtype)
    Z = np.empty((1, 8), dtype)
    cosine_sine(T, Z, 1.0)
    assert np.isnan(Z[0, [0, 1, 2, 4, 5, 6]]).all() and Z[0, 3] == 1
    cosine(T, np.zeros(4, dtype), 1.0)
    assert np.isnan(T[0, :3]).all() and T[0, 3] == 1


def test_without_compilation():
    code = """
import numpy as np
from rfbook._jit.cosine import cosine, cosine_sine
for dtype, eps in ((np.float32, 1e-6), (np.float64, 1e-14)):
    T = np.array([[0.1, -7.3, 100.25, -0.0, 5e-324]], dtype)
    Z = np.empty((1, 10), dtype)
    cosine_sine(T, Z, 1.0)
    angle = 2 * np.pi * (T.astype(float) - np.rint(T))
    assert np.allclose(Z, np.hstack([np.cos(angle), np.sin(angle)]), atol=eps)
    cosine(T, np.full(5, 0.25, dtype), 2.0)
    assert np.allclose(T, -2 * np.sin(angle), atol=3 * eps)
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "NUMBA_DISABLE_JIT": "1"})
