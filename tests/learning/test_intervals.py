"""Jackknife+: left-out machines, ends of intervals, rows that tune, what is refused."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.estimator_checks import parametrize_with_checks

from rfbook import JackknifePlus, RandomBinningFeatures, RandomFeatureRegressor, RandomFourierFeatures
from rfbook.lab.ledger import LEVEL, binomial_tail
from rfbook.learning.intervals import jackknife_ends

rng = np.random.default_rng(5)
X, NEW = rng.standard_normal((60, 2)), rng.standard_normal((20, 2))
Y = np.sin(2 * X[:, 0]) + 0.3 * rng.standard_normal(60)


def plain(width=30, alpha=0.2):
    return RandomFeatureRegressor(RandomFourierFeatures(n_components=width, length_scale=1.0, random_state=0),
                                  alpha=alpha)


@parametrize_with_checks([JackknifePlus(RandomFeatureRegressor(n_components=20), random_state=0)])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize("width,alpha", [(10, 0.2), (200, 0.2), (200, 1e-6)])
def test_left_out_machines_are_refitted_ones(width, alpha):
    machine = JackknifePlus(plain(width, alpha), tuning_share=0.0).fit(X, Y)
    whole = plain(width, alpha).set_params(bounded=False)
    centres, residuals = np.empty((20, 60)), np.empty(60)
    for i in range(60):
        rest = np.delete(np.arange(60), i)
        fit = whole.fit(X[rest], Y[rest])
        residuals[i], centres[:, i] = Y[i] - fit.predict(X[i : i + 1])[0], fit.predict(NEW)
    np.testing.assert_allclose(machine.residuals_, residuals, atol=1e-5)
    np.testing.assert_allclose(machine.predict_interval(NEW, 0.8), jackknife_ends(centres, residuals, 0.2), atol=1e-5)
    np.testing.assert_allclose(machine.predict(NEW), whole.fit(X, Y).predict(NEW), atol=1e-5)


@pytest.mark.parametrize("n,alpha", [(9, 0.1), (19, 0.1), (20, 0.25), (7, 0.9)])
def test_ends_are_the_order_statistics(n, alpha):
    centres, residuals = rng.standard_normal((4, n)), rng.standard_normal(n)
    lower, upper = jackknife_ends(centres, residuals, alpha)
    low, high = int(np.floor(alpha * (n + 1) + 1e-9)), int(np.ceil((1 - alpha) * (n + 1) - 1e-9))
    np.testing.assert_array_equal(lower, np.sort(centres - np.abs(residuals), 1)[:, low - 1])
    np.testing.assert_array_equal(upper, np.sort(centres + np.abs(residuals), 1)[:, high - 1])


def test_hardly_any_coverage_has_ends_as_well():
    centres, residuals = rng.standard_normal((4, 9)), rng.standard_normal(9)
    lower, upper = jackknife_ends(centres, residuals, 1 - 1e-13)  # rounding would ask for the tenth of nine numbers
    np.testing.assert_array_equal(lower, (centres - np.abs(residuals)).max(1))
    np.testing.assert_array_equal(upper, (centres + np.abs(residuals)).min(1))


def test_few_rows_say_nothing():
    lower, upper = jackknife_ends(np.zeros((2, 8)), np.ones(8), 0.1)
    assert (lower == -np.inf).all() and (upper == np.inf).all()


def test_coverage_on_rows_of_the_same_law():
    """At least 1 - 2 alpha on average: with 300 data sets of one new row each, fewer hits have a known probability."""
    hits, draws = 0, np.random.default_rng(11)
    for _ in range(300):
        rows = draws.standard_normal((31, 2))
        y = rows[:, 0] ** 2 + draws.standard_cauchy(31)
        lower, upper = JackknifePlus(plain(), tuning_share=0.0).fit(rows[:-1], y[:-1]).predict_interval(rows[-1:], 0.8)
        hits += int(lower[0] <= y[-1] <= upper[0])
    least = next(k for k in range(300) if binomial_tail(300 - k, 300, 0.4) >= LEVEL)  # of misses, with 1 - 2 alpha
    assert hits >= least


def test_rows_that_tune_are_put_aside():
    machine = JackknifePlus(RandomFeatureRegressor(n_components=20), random_state=0).fit(X, Y)
    assert len(machine.residuals_) == 48 and machine.machine_.n_features_in_ == 2
    whole = JackknifePlus(RandomFeatureRegressor(n_components=20), tuning_share=0.0, random_state=0).fit(X, Y)
    assert len(whole.residuals_) == 60
    again = JackknifePlus(RandomFeatureRegressor(n_components=20), random_state=0).fit(X, Y)
    np.testing.assert_array_equal(again.predict(NEW), machine.predict(NEW))
    sparse_rows = JackknifePlus(plain(), tuning_share=0.0).fit(sparse.csr_array(X), Y)
    np.testing.assert_allclose(sparse_rows.predict(sparse.csr_array(NEW)),
                               JackknifePlus(plain(), tuning_share=0.0).fit(X, Y).predict(NEW), atol=1e-10)


@pytest.mark.parametrize("parameters,message", [
    ({"tuning_share": 1.0}, "tuning_share is 1"), ({"tuning_share": -0.1}, "tuning_share is -0.1"),
    ({"machine": 3}, "machine is 3"),
    ({"machine": RandomFeatureRegressor(RandomBinningFeatures(length_scale=1.0))}, "sparse rows")])
def test_wrong_arguments_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        JackknifePlus(**parameters).fit(X, Y)


def test_wrong_coverage_and_too_few_rows():
    with pytest.raises(ValueError, match="n_samples=2"):
        JackknifePlus().fit(X[:2], Y[:2])
    machine = JackknifePlus(plain()).fit(X, Y)
    for wrong in (0.0, 1.0, np.nan):
        with pytest.raises(ValueError, match="coverage is"):
            machine.predict_interval(NEW, wrong)


@pytest.mark.parametrize("width,alpha", [(10, 0.2), (200, 1.0), (200, 1e-3), (200, 1e-9)])
def test_rows_that_cannot_be_ends_are_left_away_and_no_others(width, alpha):
    """Beside the ends by all rows; rows far away from the others have features as long as any."""
    new = np.vstack([NEW, 30 * NEW[:3], X[:5]])
    machine = JackknifePlus(plain(width, alpha), tuning_share=0.0).fit(X, Y)
    found, n = machine._left_out, len(X)
    Z = machine.machine_.features_.transform(new) - found.mean
    centres = found.predict(Z + found.mean)[:, None] - (Z @ found.rows.T + 1 / n) * found.residuals
    for level in (0.02, 0.1, 0.3, 0.9):
        want = np.array(jackknife_ends(centres, found.residuals, level))
        alone = np.hstack([machine.predict_interval(row[None], 1 - level) for row in new])
        for ends in (machine.predict_interval(new, 1 - level), alone):
            np.testing.assert_allclose(ends, want, rtol=1e-10, atol=1e-10 * np.abs(found.residuals).max())
    lengths = [np.linalg.norm(Z, axis=1).max() * scale for scale in (0, 1, 1e12)]
    first = [found.first(length, 0.1) for length in lengths]
    assert n - 12 <= first[0] <= n - 6 and first == sorted(first, reverse=True) and first[2] == 0
