"""Radii and misses against exact binomial tails, from both sides, and what they refuse."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from rfbook.lab.ledger import (
    LEVEL,
    Evidence,
    binomial_tail,
    mean_miss,
    mean_miss_by_variance,
    mean_radius,
    mean_radius_by_variance,
)

COINS = [(10, 0.5), (1000, 0.5), (1000, 0.01), (100_000, 0.3)]  # n coins that show heads with probability p


def outside(n, p, radius):
    """Exact probability that the share of heads is further from p than the radius."""
    counts = np.arange(n + 1)
    return binom.pmf(counts, n, p)[np.abs(counts / n - p) > radius].sum()


@pytest.mark.parametrize(("n", "p"), COINS)
@pytest.mark.parametrize("level", [0.5, 1e-3, LEVEL])
def test_radii_hold_with_their_level(n, p, level):
    hoeffding, bernstein = mean_radius(n, 1.0, level), mean_radius_by_variance(n, p * (1 - p), 1 - p, level)
    assert outside(n, p, hoeffding) <= level and outside(n, p, bernstein) <= level


@pytest.mark.parametrize("level", [0.5, 1e-3, LEVEL, 1e-300, 5e-324])
@pytest.mark.parametrize(("n", "width", "variance"), [(1, 1.0, 0.0), (400, 2.0, 0.3), (10**9, 0.5, 1e-12)])
def test_radii_are_no_larger_than_the_inequality_that_they_invert(n, width, variance, level):
    log_level = math.log(level)
    r = mean_radius(n, width, level)
    assert math.log(2) - 2 * n * (r / width) ** 2 == pytest.approx(log_level, rel=1e-12)
    r = mean_radius_by_variance(n, variance, width, level)
    assert math.log(2) - n * r**2 / (2 * variance + 2 * width * r / 3) == pytest.approx(log_level, rel=1e-12)


def test_a_small_variance_pays():
    assert mean_radius_by_variance(1000, 0.01, 1.0) < mean_radius(1000, 1.0) / 2
    assert mean_radius_by_variance(10**6, 0.25, 0.5) == pytest.approx(mean_radius(10**6, 1.0), rel=0.02)


@pytest.mark.parametrize(("n", "p"), COINS[1:])
def test_misses_bound_the_chance_that_a_coin_passes_for_another(n, p):
    """The coin shows heads with p, the statement says `truth`; it passes within `radius` of that."""
    for truth in (p + 0.1, p + 0.3):
        for radius in (0.0, 0.02, 0.09):
            counts = np.arange(n + 1)
            passes = binom.pmf(counts, n, p)[np.abs(counts / n - truth) <= radius].sum()
            gap = truth - p
            assert passes <= mean_miss(gap, radius, n, 1.0)
            assert passes <= mean_miss_by_variance(gap, radius, n, p * (1 - p), max(p, 1 - p))


def test_a_gap_within_the_radius_is_missed():
    for gap in (0.0, 0.1, -1.0):
        assert mean_miss(gap, 0.1, 100, 1.0) == 1.0 == mean_miss_by_variance(gap, 0.1, 100, 0.0, 1.0)
    assert mean_miss(0.2, 0.1, 100, 1.0) == pytest.approx(math.exp(-2), rel=1e-12)


def test_binomial_tail():
    for n, p in ((0, 0.3), (7, 0.3), (30, 0.9)):
        terms = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        for count in range(-1, n + 2):
            assert binomial_tail(count, n, p) == pytest.approx(sum(terms[max(count, 0) :]), rel=1e-12, abs=1e-300)
    assert binomial_tail(1, 5, 0.0) == 0.0 and binomial_tail(5, 5, 1.0) == 1.0
    assert binomial_tail(60, 1000, 1e-6) < 1e-200  # far out it does not round to zero


def test_evidence():
    assert Evidence(0.2, 0.2).holds and not Evidence(0.2, 0.1).holds and Evidence(0.0, 0.0).false_alarm == 0
    for worthless in (math.nan, math.inf):
        assert not Evidence(worthless, 1.0).holds
    assert not Evidence(0.0, math.nan).holds
    assert isinstance(Evidence(np.float64(0.1), np.float32(0.2)).holds, bool)


@pytest.mark.parametrize(("call", "message"), [
    (lambda: mean_radius(0, 1.0), "n is 0"),
    (lambda: mean_radius(10, -1.0), "width is -1"),
    (lambda: mean_radius(10, 1.0, 0.0), "level is 0"),
    (lambda: mean_radius(10, 1.0, 1.0), "level is 1"),
    (lambda: mean_radius(10, 1.0, math.nan), "level is nan"),
    (lambda: mean_radius_by_variance(10, -1e-9, 1.0), "variance is -1e-09"),
    (lambda: mean_radius_by_variance(10, 1.0, 0.0), "bound is 0"),
    (lambda: mean_miss(math.nan, 0.1, 10, 1.0), "gap is nan"),
    (lambda: mean_miss(0.1, 0.1, 10, math.inf), "width is inf"),
    (lambda: mean_miss_by_variance(0.1, "0.1", 10, 1.0, 1.0), "radius is '0.1'"),
    (lambda: binomial_tail(1, 2, 1.5), "p is 1.5; it may be a probability"),
    (lambda: binomial_tail(1, 2, -0.1), "p is -0.1"),
    (lambda: binomial_tail(1.0, 2, 0.5), "count is 1.0"),
    (lambda: binomial_tail(1, -2, 0.5), "n is -2"),
])
def test_wrong_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
