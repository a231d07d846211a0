"""Moments: the definition, merges in any order, streams and folds, copies, accuracy, threads, memory."""

import copy
import pickle
import tracemalloc
from functools import reduce

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from rfbook.solvers import moments
from rfbook.solvers.design import DenseDesign, FilledDesign
from rfbook.solvers.moments import Moments, normal_equations

NAMES = ("gram", "right", "square", "mean", "y_mean", "weight", "count")


def problem(n, D, k=2, seed=0, dtype=float):
    rng = np.random.default_rng(seed)
    Z = (rng.standard_normal((n, D)) + rng.standard_normal(D)).astype(dtype)
    return Z, rng.standard_normal((n, k)) + 3, rng.integers(0, 4, n) * 0.5


def definition(Z, Y, w, intercept=True):
    """The moments from the whole, in extended precision where there is one."""
    Z, Y, w = (part.astype(np.longdouble) for part in (Z, Y, w))
    m, c = (w @ Z / w.sum(), w @ Y / w.sum()) if intercept else (np.zeros(Z.shape[1]), np.zeros(Y.shape[1]))
    A, v = np.sqrt(w)[:, None] * (Z - m), np.sqrt(w)[:, None] * (Y - c)
    found = (A.T @ A, A.T @ v, (v * v).sum(0), m, c, w.sum())
    counted = np.count_nonzero(w)
    return dict(zip(NAMES, (*(np.asarray(part, dtype=float) for part in found), counted), strict=True))


def check(got, want, rtol=1e-10):
    for name in NAMES:
        value = want[name] if isinstance(want, dict) else getattr(want, name)
        scale = np.abs(value).max()
        np.testing.assert_allclose(getattr(got, name), value, rtol=rtol, atol=rtol * scale, err_msg=name)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize(("n", "D"), [(500, 6), (40, 60), (60, 60), (9000, 3)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_definition(n, D, weighted, intercept, dtype):
    Z, Y, w = problem(n, D, dtype=dtype)
    want = definition(Z, Y, w if weighted else np.ones(n), intercept)
    weights, rtol = w if weighted else None, 1e-10 if dtype == np.float64 else 3e-5
    check(Moments(D, 2, dtype, intercept=intercept).update(Z, Y, weights), want, rtol)
    check(normal_equations(DenseDesign(Z), Y, weights=weights, intercept=intercept), want, rtol)


@pytest.mark.parametrize(("n", "D"), [(400, 5), (60, 100), (150, 100)])  # sums, rows, rows that become sums
def test_merging_is_associative_and_leaves_the_others(n, D):
    Z, Y, w = problem(n, D)
    parts = [Moments(D, 2).update(Z[i::3], Y[i::3], w[i::3]) for i in range(3)]
    before = [{name: np.copy(getattr(part, name)) for name in NAMES} for part in parts]
    a, b, c = parts
    want = definition(Z, Y, w)
    check(a.copy().merge(b).merge(c), want)
    check(a.copy().merge(b.copy().merge(c)), want)
    check(c.copy().merge(b).merge(a), want)
    check(Moments(D, 2).merge(a).merge(b).merge(c), want)
    for part, old in zip(parts, before, strict=True):
        for name in NAMES:
            np.testing.assert_array_equal(getattr(part, name), old[name])


@pytest.mark.parametrize("D", [6, 40, 1000])
def test_a_stream_of_pieces_of_any_size(D):
    Z, Y, w = problem(300, D)
    stream, cuts = Moments(D, 2), [0, 1, 2, 3, 10, 11, 60, 60, 250, 300]
    for start, stop in zip(cuts, cuts[1:], strict=False):
        stream.update(Z[start:stop], Y[start:stop], w[start:stop])
    check(stream, definition(Z, Y, w))
    assert (stream.rows is None) == (D <= 300) and (D <= 300 or stream.rows.shape == (300, D))
    theirs = Ridge(alpha=0.7).fit(Z, Y, w)
    beta, c = stream.solve(0.7)
    np.testing.assert_allclose(beta.T, theirs.coef_, atol=1e-9)
    np.testing.assert_allclose(c, theirs.intercept_, atol=1e-9)


def test_all_folds_but_one():
    Z, Y, w = problem(500, 8)
    folds = [Moments(8, 2).update(Z[i::5], Y[i::5], w[i::5]) for i in range(5)]
    for i in range(5):
        rest = reduce(Moments.merge, [fold for j, fold in enumerate(folds) if j != i], Moments(8, 2))
        keep = np.arange(500) % 5 != i
        check(rest, definition(Z[keep], Y[keep], w[keep]))
        theirs = Ridge(alpha=2.0).fit(Z[keep], Y[keep], w[keep])
        np.testing.assert_allclose(rest.solve(2.0)[0].T, theirs.coef_, atol=1e-10)


@pytest.mark.parametrize("D", [5, 300])
def test_copies_and_pickles_are_on_their_own(D):
    Z, Y, w = problem(200, D)
    moments = Moments(D, 2).update(Z[:100], Y[:100], w[:100])
    moments.solve(1.0)  # what is remembered must not be remembered too long
    others = [moments.copy(), copy.copy(moments), copy.deepcopy(moments), pickle.loads(pickle.dumps(moments))]
    want = definition(Z[:100], Y[:100], w[:100])
    for other in others:
        check(other, want)
        check(other.update(Z[100:], Y[100:], w[100:]), definition(Z, Y, w))
        check(moments, want)


@pytest.mark.parametrize("D", [5, 300])
def test_merged_with_itself(D):
    Z, Y, w = problem(200, D)
    moments = Moments(D, 2).update(Z, Y, w)
    check(moments.merge(moments), definition(np.vstack([Z, Z]), np.vstack([Y, Y]), np.r_[w, w]))


def test_what_is_given_stays_as_it_is():
    for D in (5, 300):
        Z, Y, w = problem(200, D)
        kept = Z.copy(), Y.copy(), w.copy()
        moments = Moments(D, 2).update(Z, Y, w)
        normal_equations(DenseDesign(Z), Y, weights=w)
        assert all((a == b).all() for a, b in zip((Z, Y, w), kept, strict=True))
        Z[:], Y[:], w[:] = 0, 0, 0
        check(moments, definition(*kept))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_features_far_from_zero(dtype):
    Z, Y, w = problem(20_000, 4, dtype=dtype)
    eps = np.finfo(dtype).eps
    for far in (1e3, 1e5) if dtype == np.float32 else (1e3, 1e8, 1e12):
        moved = Z + dtype(far)
        got, want = Moments(4, 2, dtype).update(moved, Y, w), definition(moved, Y, w)
        # rounding of the centred products, and of the means, which is that of the features: a float64 each
        scale, weight, ulp = np.abs(want["gram"]).max(), w.sum(), np.finfo(float).eps * far
        assert np.abs(got.gram - want["gram"]).max() <= 200 * eps * scale + ulp * np.sqrt(scale * weight)
        assert np.abs(got.mean - want["mean"]).max() <= 4 * eps * np.sqrt(scale / weight) + 4e-16 * far
        off, square = np.abs(got.right - want["right"]).max(), want["square"].max()
        assert off <= 200 * eps * np.sqrt(scale * square) + ulp * np.sqrt(square * weight)


def test_a_first_block_that_is_elsewhere_and_weighs_nothing():
    Z, Y, _ = problem(30_000, 4)
    Z[:5000] += 1e6
    w = np.where(np.arange(30_000) < 5000, 1e-14, 1.0)
    check(Moments(4, 2).update(Z, Y, w), definition(Z, Y, w), rtol=1e-8)


def test_sorted_rows():
    drift = np.sort(1e6 * np.random.default_rng(0).random((20_000, 2)), axis=0)
    check(Moments(2, 1).update(drift, drift[:, 0]), definition(drift, drift[:, :1], np.ones(20_000)), rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("constant", [1.0, 0.1, -7e15])
def test_constant_features_have_no_variance_at_all(dtype, constant):
    Z, Y, w = problem(30_000, 3, dtype=dtype)
    Z[:, 1] = constant
    for weights in (w, None):
        got = Moments(3, 2, dtype).update(Z, Y, weights)
        assert np.abs(got.gram[1]).max() <= 1e-20 * constant**2 and got.mean[1] == pytest.approx(Z[0, 1], rel=1e-15)


@pytest.mark.parametrize(("n", "D"), [(5000, 40), (30, 400)])
def test_threads_do_not_change_a_bit(n, D):
    Z, Y, w = problem(n, D)
    runs = [normal_equations(DenseDesign(Z), Y, weights=w, n_jobs=jobs) for jobs in (1, 2, 5)]
    for run in runs[1:]:
        assert all((getattr(run, name) == getattr(runs[0], name)).all() for name in ("gram", "right", "mean", "square"))


def test_the_features_are_never_whole():
    D, n = 100, 100_000

    def fill(rows, out):
        out[...] = np.cos(np.arange(rows.start, rows.stop)[:, None] * np.arange(1, D + 1))

    Y = np.ones((n, 1))
    tracemalloc.start()
    normal_equations(FilledDesign(lambda: fill, (n, D), float), Y, n_jobs=2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < n * D * 8 / 3


def test_no_rows_and_no_weight():
    Z, Y, _ = problem(50, 4)
    assert Moments(4).count == 0 and Moments(4).weight == 0 and not Moments(4).gram.any()
    nothing = Moments(4, 2).update(Z, Y, np.zeros(50))
    assert nothing.count == 0 and nothing.weight == 0 and not nothing.gram.any() and not nothing.right.any()
    check(nothing.merge(Moments(4, 2).update(Z, Y)), definition(Z, Y, np.ones(50)))


@pytest.mark.parametrize("n", [3, 50])
def test_what_is_not_finite_is_refused(n):
    Z, Y, _ = problem(n, 8)
    for bad in (np.nan, np.inf):
        Z[2, 3] = bad
        with pytest.raises(ValueError, match="features hold NaN or infinity"):
            Moments(8, 2).update(Z, Y)
        with pytest.raises(ValueError, match="features hold NaN or infinity"):
            normal_equations(DenseDesign(Z), Y)


def test_means_too_far_apart_are_refused():
    one, two = Moments(1).update([[1e200]] * 3, [0, 0, 0]), Moments(1).update([[-1e200]] * 3, [0, 0, 0])
    with pytest.raises(ValueError, match="overflow float64"):
        one.merge(two)


def test_moments_of_other_problems_are_refused():
    others = {"width": Moments(3), "n_targets": Moments(4, 2), "intercept": Moments(4, intercept=False)}
    for word, other in others.items():
        with pytest.raises(ValueError, match=word):
            Moments(4).merge(other)


def test_means_of_parts_that_wait_count_in_every_column():
    Z, Y, _ = problem(700, 300)
    Z[350:] += np.linspace(0, 5, 300)  # parts whose means are apart, in the last columns most
    parts = [Moments(300, 2).update(Z[rows], Y[rows]) for rows in (slice(0, 350), slice(350, 700))]
    want = definition(Z, Y, np.ones(700))
    np.testing.assert_allclose(parts[0].merge(parts[1]).gram, want["gram"], rtol=1e-9, atol=1e-9 * want["gram"].max())


@pytest.mark.parametrize("kinds", [("between", "beyond"), ("between",), ("beyond",)])
def test_no_more_rows_wait_than_are_said(kinds, monkeypatch):
    """Whichever they are: those between the means of two blocks, or what rounding left of the mean of one."""
    monkeypatch.setattr(moments, "_PENDING", 5)
    total = moments._no_sums(3, 1)
    for block in range(30):
        mean = np.full(3, float(block) if "between" in kinds else 1.0)
        part = moments._Sums(2, 2.0, mean, np.zeros(1), np.eye(3), np.zeros((3, 1)), np.zeros(1))
        part.beyond = [np.ones(3)] if "beyond" in kinds else []
        total.add(part)
        assert len(total.between) + len(total.beyond) <= 5
    steps = np.arange(30.0)
    spread = 2 * ((steps - steps.mean()) ** 2).sum() if "between" in kinds else 0.0
    taken = 30.0 if "beyond" in kinds else 0.0
    np.testing.assert_allclose(total.settled().gram, 30 * np.eye(3) + spread - taken, rtol=1e-12)
