"""Bounds of weighed features: against maximisers, parabolas, and the risk of Stein's estimate by its series."""

import numpy as np
import pytest
from scipy import stats

from rfbook.bounds import alignment_ceiling, shrunk_risk, stein_bound


def test_the_ceiling_is_above_random_points_of_the_ball():
    rng = np.random.default_rng(0)
    s = rng.random(6) ** 3
    for _ in range(300):
        q = rng.dirichlet(np.full(6, 0.3 + 3 * rng.random()))
        radius = 6 * (q @ q) - 1
        assert q @ s <= alignment_ceiling(s.mean(), s.std(), radius) + 1e-12
    assert alignment_ceiling(0.3, 0.2, 0.0) == 0.3


def test_the_best_part_of_the_way():
    c = np.linspace(0, 1, 1001)
    risks = shrunk_risk(4.0, 3.0, c)
    assert c[risks.argmin()] == pytest.approx(4 / 13, abs=1e-3) and risks.min() == pytest.approx(36 / 13, abs=1e-4)
    assert shrunk_risk(4.0, 3.0, 8 / 13) == pytest.approx(4.0) and shrunk_risk(0.0, 0.0, 1e300) == 0.0


@pytest.mark.parametrize("p", [3, 5, 40])
@pytest.mark.parametrize("distance", [0.0, 1.0, 10.0])
def test_the_bound_is_above_the_risk(p, distance):
    """The risk of the estimate for unit noise is p - (p - 2)^2 E 1 / (p - 2 + 2 N) with N of Poisson's law."""
    n = np.arange(400)
    inverse = stats.poisson.pmf(n, distance**2 / 2) @ (1 / (p - 2 + 2 * n))
    risk = p - (p - 2) ** 2 * inverse
    assert risk <= stein_bound(p, 1.0, distance) + 1e-9 and stein_bound(p, 1.0, distance) < p
    if distance == 0:
        assert risk == pytest.approx(2.0)


def test_two_directions_are_not_enough():
    assert stein_bound([1.0, 2.0], 1.0, 0.0).tolist() == [1.0, 2.0]
    assert stein_bound(0.0, 0.0, 0.0) == 0.0 and np.isfinite(stein_bound(1e308, 1.0, 1e308))
