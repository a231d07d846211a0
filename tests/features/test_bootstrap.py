"""Estimates of what draws do: where their moments are known, and whose order statistic a quantile is."""

import numpy as np
import pytest

from rfbook.maps.bootstrap import groups_of, jackknife, quantile


def test_groups_are_all_draws_in_equal_parts():
    groups = groups_of(27)
    assert np.array_equal(np.concatenate(groups), np.arange(27)) and {*map(len, groups)} == {3, 4} and len(groups) == 8


def test_variance_of_a_mean_and_bias_of_its_square():
    """With one draw in each group: s^2 / n is the variance of the mean, and what its square exceeds that of E by."""
    x = np.random.default_rng(0).standard_normal((8, 3)) + 2.0
    left = np.array([np.delete(x, i, axis=0).mean(0) for i in range(8)])
    scatter = x.var(0, ddof=1) / 8
    variance, bias = jackknife(x.mean(0), left)
    np.testing.assert_allclose(variance, scatter, rtol=1e-12)
    np.testing.assert_allclose(bias, 0.0, atol=1e-12)
    # those without one draw miss E^2 by s^2 / 7, all by s^2 / 8, in the mean
    _, bias = jackknife(x.mean(0) ** 2, left**2)
    np.testing.assert_allclose(bias, scatter, rtol=1e-10)


@pytest.mark.parametrize(("count", "level", "rank"), [(9, 0.9, 9), (19, 0.9, 18), (19, 0.5, 10), (4, 0.99, 4)])
def test_the_quantile_is_an_order_statistic(count, level, rank):
    """A new one of n + 1 exchangeable changes is at most the one of this rank with probability rank / (n + 1)."""
    changes = np.random.default_rng(1).permutation(np.arange(1.0, count + 1))
    assert quantile(changes, level) == rank
