"""Tests of independence: level and power over many tables, every kind of input, blocks, and planted answers."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import binom, norm

from rfbook import Laplacian, conditional_independence_test, independence_test, randomized_dependence_coefficient
from rfbook.learning import independence_tests


@pytest.mark.parametrize(("n", "resamples"), [(15, 19), (60, 19), (83, 39)])  # drawn permutations, and shifts
def test_level(n, resamples):
    rng, level, tables = np.random.default_rng(n), 0.1, 400
    p = [independence_test(rng.exponential(size=n), rng.choice(3, (n, 2)), n_components=10, n_resamples=resamples,
                           random_state=rng).pvalue for _ in range(tables)]
    rejected = np.sum(np.array(p) <= level)
    assert binom.sf(rejected - 1, tables, level) > 1e-6 and rejected > 10  # ties and steps make it smaller


def test_rows_that_are_sorted_change_nothing():
    """Shifts move blocks of rows in random order, so that a table may come sorted."""
    rng = np.random.default_rng(0)
    p = []
    for _ in range(200):
        x, y = rng.standard_normal((2, 80))
        order = np.argsort(x)
        p.append(independence_test(x[order], y[order], n_components=10, n_resamples=19, random_state=rng).pvalue)
    assert 5 <= np.sum(np.array(p) <= 0.1) <= 45


@pytest.mark.parametrize("n", [40, 400])
def test_what_a_line_does_not_see(n):
    t, e = np.random.default_rng(n).standard_normal((2, n))
    assert independence_test(t, t**2 + 0.2 * e, n_resamples=99, random_state=0).pvalue == pytest.approx(0.01, abs=0.005)


def test_kinds_of_input():
    pandas = pytest.importorskip("pandas")
    X = np.random.default_rng(0).standard_normal((90, 2))
    y = X[:, 0] + X[:, 1] ** 2
    how = {"length_scale": 1.0, "n_resamples": 29, "random_state": 1}
    want = independence_test(X, y, **how)
    for left, right in ((X.tolist(), y.tolist()), (pandas.DataFrame(X), pandas.Series(y)), (np.asfortranarray(X), y),
                        (sparse.csr_matrix(X), sparse.csr_matrix(y[:, None])), (X.astype(object), y)):
        found = independence_test(left, right, **how)
        assert np.isclose(found.statistic, want.statistic) and found.pvalue == want.pvalue
    single = independence_test(X.astype(np.float32), y.astype(np.float32), **how)
    assert np.isclose(single.statistic, want.statistic, rtol=1e-4)
    assert independence_test(X, y, kernel=Laplacian(2.0), n_resamples=29, random_state=0).length_scale == (2.0, 2.0)


def test_blocks_do_not_show(monkeypatch):
    x, y = np.random.default_rng(0).standard_normal((2, 1010))
    want = independence_test(x, y, n_components=8, n_resamples=49, random_state=0)
    monkeypatch.setattr(independence_tests, "_NUMBERS", 1)
    found = independence_test(x, y, n_components=8, n_resamples=49, random_state=0)
    assert np.allclose(found.null_distribution, want.null_distribution, rtol=1e-9) and found.pvalue == want.pvalue


def test_two_values_on_both_sides_have_ties():
    """With two values a side the statistic has few values, and equal ones must count as equal in spite of rounding."""
    rng = np.random.default_rng(0)
    x, y = rng.choice([0.0, 1.0], (2, 400))
    found = independence_test(x, y, n_resamples=99, random_state=0)
    square = (np.mean(x * y) - x.mean() * y.mean()) ** 2
    assert len(np.unique(np.round(found.null_distribution / found.statistic * square * 400**2, 6))) < 60
    same = independence_test(np.repeat([0.0, 1.0], 6), np.tile([0.0, 1.0], 6), n_resamples=99, random_state=0)
    assert same.pvalue == 1.0  # a covariance of zero, and no permutation has less


@pytest.mark.parametrize("speed", [1.0, 3.0])
def test_level_given_a_third(speed):
    rng, tables = np.random.default_rng(3), 60
    p = []
    for seed in range(tables):
        z, e, g = rng.standard_normal((3, 300))
        p.append(conditional_independence_test(np.sin(speed * z) + e / 2, np.cos(z) + np.sin(speed * z) + g / 2, z,
                                               random_state=seed).pvalue)
    assert np.sum(np.array(p) <= 0.05) <= 14


def test_a_third_that_explains_nothing():
    x, y, z = np.random.default_rng(0).standard_normal((3, 300))
    y = x + y
    assert conditional_independence_test(x, y, z, random_state=0).pvalue < 1e-8
    assert conditional_independence_test(x, x + z, z, random_state=0).pvalue < 1e-8
    assert conditional_independence_test(x, y, np.c_[z, x], random_state=0).pvalue > 1e-4


def test_functions_of_the_third_are_told(recwarn):
    """What is left of functions of Z is errors of the regressions, which are alike; noise on one side is enough."""
    z, e = np.random.default_rng(0).standard_normal((2, 300))
    for n in (12, 40, 300):
        conditional_independence_test(z[:n], e[:n], z[:n], random_state=0)
        conditional_independence_test(z[:n] + 0.1 * e[:n], e[:n] ** 2, z[:n], random_state=0)
    assert not recwarn
    with pytest.warns(UserWarning, match="X and of Y, .* the p-value cannot be trusted"):
        assert conditional_independence_test(z, np.sin(z), z, random_state=0).pvalue < 0.05


@pytest.mark.parametrize("j", [0, 1, 2])
def test_columns_too_large_to_be_scaled_are_named(j):
    samples = list(np.random.default_rng(0).standard_normal((3, 50)))
    samples[j] *= 1e200
    with pytest.raises(ValueError, match=f"^{'XYZ'[j]} holds columns that overflow"):
        conditional_independence_test(*samples, random_state=0)


def test_coefficient_of_normal_pairs():
    """Of a normal pair no functions are more correlated than the columns themselves (Lancaster)."""
    rng = np.random.default_rng(0)
    for r in (0.3, 0.6, 0.9):
        x, e = rng.standard_normal((2, 20_000))
        found = randomized_dependence_coefficient(x, r * x + np.sqrt(1 - r * r) * e, random_state=0)
        assert abs(found - r) < 0.05
    u = norm.cdf(x)
    assert np.isclose(randomized_dependence_coefficient(x, e, random_state=1),
                      randomized_dependence_coefficient(u, np.exp(e), random_state=1))
    assert randomized_dependence_coefficient(x, e, random_state=0) < 0.05


def test_seeds():
    x, y = np.random.default_rng(0).standard_normal((2, 50))
    for function in (independence_test, randomized_dependence_coefficient):
        a, b, c = (function(x, y, random_state=seed) for seed in (1, 1, 2))
        a, b, c = (getattr(value, "statistic", value) for value in (a, b, c))
        assert a == b != c
