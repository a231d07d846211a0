"""The compiled Walsh-Hadamard loops against SciPy's matrices, for all kinds of numbers and layouts."""

import os
import subprocess
import sys

import numpy as np
import pytest
from scipy.linalg import hadamard

from rfbook._jit.hadamard import fastfood_angles, fastfood_waves, hadamard_transform, hd_angles, hd_waves

rng = np.random.default_rng(0)
KINDS = {
    "random": lambda shape: rng.standard_normal(shape),
    "tiny": lambda shape: 1e-30 * rng.standard_normal(shape),
    "huge": lambda shape: 1e30 * rng.standard_normal(shape),
    "denormal": lambda shape: 1e-40 * rng.standard_normal(shape),  # denormal in float32
    "least": lambda shape: 5e-324 * rng.integers(-3, 4, shape),  # denormal in float64, zero in float32
    "minus zero": lambda shape: np.full(shape, -0.0),
    "mixed": lambda shape: 10.0 ** rng.uniform(-30, 30, shape) * rng.choice([-1, 1], shape),
}


def near(got, want, size, k, dtype):
    """Within the rounding of k additions; below the normal numbers nothing is lost by adding."""
    return (np.abs(got - want) <= 2 * (k + 1) * np.finfo(dtype).eps * size).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", KINDS)
def test_transform_is_the_matrix_product(kind, dtype):
    for k in (0, 1, 2, 3, 5, 6, 10):
        A = KINDS[kind]((11, 2**k)).astype(dtype)
        got, wide = A.copy(), A.astype(np.longdouble)
        hadamard_transform(got)
        want = wide @ hadamard(2**k).astype(np.longdouble)
        assert near(got, want, np.abs(wide).sum(1, keepdims=True), k, dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", KINDS)
def test_products_are_products_of_matrices(kind, dtype):
    n, d, p, m = 13, 6, 8, 21
    blocks, H = 3, hadamard(8).astype(np.longdouble)
    X, scale = KINDS[kind]((n, d)).astype(dtype), rng.random(m).astype(dtype)
    D = rng.choice([-1.0, 1.0], (3, blocks, p)).astype(dtype)
    order, normal = np.argsort(rng.random((blocks, p)), axis=1), rng.uniform(-2, 2, (blocks, p)).astype(dtype)
    wide = np.pad(X.astype(np.longdouble), ((0, 0), (0, p - d)))
    T, F = np.empty((2, n, m), dtype)
    hd_angles(X, D, scale, T)
    fastfood_angles(X, D[0], order, normal, scale, F)
    want = np.hstack([wide * D[0, c] @ H * D[1, c] @ H * D[2, c] @ H for c in range(blocks)])[:, :m] * scale
    size = p * p * np.abs(wide).sum(1, keepdims=True)
    lost = np.finfo(dtype).smallest_subnormal  # the last product may round a denormal
    assert (np.abs(T - want) <= 24 * np.finfo(dtype).eps * size + lost).all()
    want = np.hstack([((wide * D[0, c] @ H)[:, order[c]] * normal[c]) @ H for c in range(blocks)])[:, :m] * scale
    assert (np.abs(F - want) <= 24 * np.finfo(dtype).eps * size + (2 * p + 1) * lost).all()


@pytest.mark.parametrize("view", [lambda X: X[::2], lambda X: X[:, ::2], np.asfortranarray, lambda X: X[::-1]])
def test_other_layouts_give_the_same_bits(view):
    X = view(rng.standard_normal((16, 12)))
    p, m = 16, 40
    D, scale = rng.choice([-1.0, 1.0], (3, 3, p)), rng.random(m)
    T, want = np.empty((2, len(X), m))
    hd_angles(X, D, scale, T)
    hd_angles(np.ascontiguousarray(X), D, scale, want)
    assert np.array_equal(T, want)


def test_nan_and_infinity_stay_in_their_rows():
    X = rng.standard_normal((9, 5))
    D, scale = rng.choice([-1.0, 1.0], (3, 2, 8)), np.ones(16)
    clean, T = np.empty((2, 9, 16))
    hd_angles(X, D, scale, clean)
    X[4, 2], X[8, 0] = np.nan, np.inf
    hd_angles(X, D, scale, T)
    bad = np.isin(np.arange(9), (4, 8))
    assert not np.isfinite(T[bad]).any() and np.array_equal(T[~bad], clean[~bad])


def test_no_rows_and_no_columns():
    hadamard_transform(np.empty((0, 4)))
    hd_angles(np.empty((0, 3)), np.ones((3, 1, 4)), np.ones(4), np.empty((0, 4)))
    hd_angles(np.ones((2, 3)), np.ones((3, 1, 4)), np.ones(0), np.empty((2, 0)))


def test_a_length_that_is_no_power_of_two_is_refused():
    for p in (0, 3, 12):
        with pytest.raises(ValueError, match=f"length of the transform is {p}; it may be a power of two"):
            hadamard_transform(np.ones((2, p)))


def test_without_compilation():
    code = """
import numpy as np
from scipy.linalg import hadamard
from rfbook._jit.hadamard import fastfood_angles, fastfood_waves, hadamard_transform, hd_angles, hd_waves
rng = np.random.default_rng(0)
A = rng.standard_normal((9, 16))
B = A.copy()
hadamard_transform(B)
assert np.allclose(B, A @ hadamard(16))
D, T = rng.choice([-1.0, 1.0], (3, 1, 16)), np.empty((9, 10))
hd_angles(A[:, :11], D, np.ones(10), T)
want = np.pad(A[:, :11], ((0, 0), (0, 5)))
for s in D[:, 0]:
    want = want * s @ hadamard(16)
assert np.allclose(T, want[:, :10])
for dtype, eps in ((np.float32, 1e-4), (np.float64, 1e-12)):
    X, D, one, b = A[:, :11].astype(dtype), D.astype(dtype), np.ones(10, dtype), np.full(10, 0.25, dtype)
    order, normal = rng.permutation(16)[None], rng.standard_normal((1, 16)).astype(dtype)
    factors = (X, D[0], order, normal, one)
    for angles, waves, args in ((hd_angles, hd_waves, (X, D, one)), (fastfood_angles, fastfood_waves, factors)):
        T, C, Z = np.empty((9, 10), dtype), np.empty((9, 10), dtype), np.empty((9, 20), dtype)
        angles(*args, T)
        waves(*args, b, 2.0, C)
        waves(*args, None, 1.0, Z)
        assert np.allclose(C, -2 * np.sin(2 * np.pi * T), atol=eps)
        assert np.allclose(Z, np.hstack([np.cos(2 * np.pi * T), np.sin(2 * np.pi * T)]), atol=eps)
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "NUMBA_DISABLE_JIT": "1"})


def twin(A):
    """The transform by plain additions of one dtype, in the order of the loops."""
    n, p = A.shape
    h = 1
    while h < p:
        a, b = np.moveaxis(A.reshape(n, -1, 2, h), 2, 0)
        A, h = np.stack([a + b, a - b], axis=2).reshape(n, p), 2 * h
    return A


def problem(kind, dtype, n, d, p, m):
    """Data and factors whose products are exact, as they are powers of two: the angles then have the twin's bits."""
    blocks, powers = -(-m // p), np.array([1.0, 2.0, 4.0])
    X = KINDS[kind]((n, d)).astype(dtype)
    signs, normal = (rng.choice([-1.0, 1.0], (r, blocks, p)).astype(dtype) for r in (3, 1))
    normal, order = normal[0] * rng.choice(powers, (blocks, p)).astype(dtype), np.argsort(rng.random((blocks, p)))
    scale, wide = rng.choice(powers, m).astype(dtype), np.pad(X, ((0, 0), (0, p - d)))
    T = np.hstack([twin(twin(twin(wide * s[0]) * s[1]) * s[2]) for s in signs.swapaxes(0, 1)])[:, :m] * scale
    F = np.hstack([twin(twin(wide * s)[:, o] * g) for s, o, g in zip(signs[0], order, normal, strict=True)])
    return (X, signs, scale), (X, signs[0], order, normal, scale), T, F[:, :m] * scale


TURN = 2 * np.longdouble("3.14159265358979323846264338327950288")
GOAL = {np.float32: 2e-7, np.float64: 3.3e-16}  # of the polynomials, as in test_cosine


def reduced(T):
    """Angles without their whole turns: exact, as multiples of the last place of T."""
    wide = T.astype(np.longdouble)
    return wide - np.rint(wide)


def paired(T):
    return np.hstack([np.cos(TURN * reduced(T)), np.sin(TURN * reduced(T))])


def offset(T, b):
    return np.cos(TURN * (reduced(T) + b))


def paired_error(a, dtype):
    """Of the amplitude a, and of the product with it."""
    return a * GOAL[dtype] + np.finfo(dtype).eps / 2


def offset_error(a, dtype):
    """The sum of a reduced angle and a phase is below 3/2, and rounds by at most 3/4 of a unit at 1."""
    eps = np.finfo(dtype).eps
    return a * (0.75 * 2 * np.pi * eps + GOAL[dtype]) + eps


SHAPES = [(13, 6, 8, 21), (8, 1, 1, 3), (3, 2, 2, 4), (17, 40, 64, 50)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape, kind", [(SHAPES[0], kind) for kind in KINDS] + [(s, "mixed") for s in SHAPES[1:]])
def test_waves_are_those_of_the_angles_of_plain_numpy(shape, kind, dtype):
    n, m, a = shape[0], shape[-1], 0.3
    hd, fastfood, *angles = problem(kind, dtype, *shape)
    calls = ((hd_angles, hd_waves, hd), (fastfood_angles, fastfood_waves, fastfood))
    for (write_angles, waves, factors), want in zip(calls, angles, strict=True):
        T, C, Z = (np.full((n, width), np.nan, dtype) for width in (m, m, 2 * m))
        write_angles(*factors, T)
        assert np.array_equal(T, want)
        b = rng.random(m).astype(dtype)
        waves(*factors, b, a, C)
        waves(*factors, None, a, Z)
        assert np.abs(Z - a * paired(want)).max() <= paired_error(a, dtype)
        assert np.abs(C - a * offset(want, b)).max() <= offset_error(a, dtype)


@pytest.mark.parametrize("k", [*range(13), 13, 16])
def test_transforms_of_every_length_have_the_bits_of_plain_additions(k):
    """Each length is a loop of its own, and has its own schedule of passes."""
    for dtype in (np.float32, np.float64)[: 1 if k > 12 else 2]:
        A = rng.standard_normal((9, 2**k)).astype(dtype)
        want = twin(A)
        hadamard_transform(A)
        assert np.array_equal(A, want)


@pytest.mark.parametrize("k", range(13))
def test_angles_of_every_length_are_those_of_plain_numpy(k):
    p = 2**k
    d = p - p // 4
    (X, D, scale), _, T, _ = problem("random", np.float64, 9, d, p, 2 * p - p // 8)
    got = np.empty_like(T)
    hd_angles(X, D, scale, got)
    assert np.array_equal(got, T)


@pytest.mark.parametrize("k", [7, 9, 10, 11, 12])  # which passes follow one another differs
def test_waves_of_every_schedule_are_those_of_plain_numpy(k):
    p, m = 2**k, 2**k + 5
    (*factors, scale), _, T, _ = problem("random", np.float32, 9, p - 3, p, m)
    b, Z = rng.random(m).astype(np.float32), np.empty((9, m), np.float32)
    hd_waves(*factors, scale, b, 0.5, Z)
    assert np.abs(Z - 0.5 * offset(T, b)).max() <= offset_error(0.5, np.float32)
    _, factors, _, F = problem("random", np.float64, 9, p - 3, p, m)
    Z = np.empty((9, 2 * m))
    fastfood_waves(*factors, None, 0.5, Z)
    assert np.abs(Z - 0.5 * paired(F)).max() <= paired_error(0.5, np.float64)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_no_number_gives_no_wave(dtype):
    hd, fastfood, *_ = problem("random", dtype, 13, 6, 8, 21)
    for waves, factors in ((hd_waves, hd), (fastfood_waves, fastfood)):
        for b, width in ((np.zeros(21, dtype), 21), (None, 42)):
            clean, Z = np.empty((2, 13, width), dtype)
            X = factors[0].copy()
            waves(X, *factors[1:], b, 1.0, clean)
            X[4, 2], X[12, 0] = np.nan, np.inf
            waves(X, *factors[1:], b, 1.0, Z)
            bad = np.isin(np.arange(13), (4, 12))
            assert np.isnan(Z[bad]).all() and np.array_equal(Z[~bad], clean[~bad])
