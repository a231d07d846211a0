"""Bounds of random binning at fixed points and on a cube, from the installed package alone."""

import math

import numpy as np
import pytest

from rfbook import bounds
from rfbook.kernels import InversePower, Laplacian, StretchedExponential

SETS = [{"dimension": d, "side": s, "lipschitz": L} for d, s, L in ((1, 4.0, 1.0), (2, 1.0, 0.5), (8, 10.0, 3.0))]
STEEP = [{"dimension": 1, "side": 4.0, "kernel": StretchedExponential(0.5)},
         {"dimension": 3, "side": 1.0, "kernel": StretchedExponential(0.3, [1.0, 2.0, 1.0])},
         {"dimension": 8, "side": 10.0, "kernel": InversePower(3.0)}]


def test_values():
    assert bounds.binning_variance(0.5, 4) == 0.0625
    assert bounds.binning_variance([0.0, 1.0, 1 + 1e-9], 3).tolist() == [0, 0, 0]
    assert bounds.binning_probability(0.1, 500) == pytest.approx(2 * math.exp(-10))
    assert bounds.binning_probability(0.1, 1) == 1.0
    assert bounds.binning_radius(50, 0.01, 7) == pytest.approx(math.sqrt(math.log(1400) / 100))
    assert bounds.binning_grids(0.1, 0.01) == math.ceil(50 * math.log(200))
    assert bounds.binning_grids([0.1, 0.2], 0.01).dtype == np.int64 and type(bounds.binning_grids(0.1, 0.1)) is int
    assert bounds.binning_probability(np.ones((3, 1)), [1, 2]).shape == (3, 2)


def test_grids_are_the_smallest():
    for eps, delta, pairs in ((0.03, 0.01, 1), (0.5, 1e-9, 10**6), (0.9, 0.9, 1)):
        P = bounds.binning_grids(eps, delta, pairs)
        assert bounds.binning_probability(eps, P, pairs) <= delta
        assert P == 1 or bounds.binning_probability(eps, P - 1, pairs) > delta
        assert bounds.binning_probability(bounds.binning_radius(P, delta, pairs), P, pairs) == pytest.approx(delta)


@pytest.mark.parametrize("where", SETS + STEEP)
def test_uniform_trio(where):
    eps = np.geomspace(0.02, 1, 15)
    for delta in (0.5, 1e-3, 1e-12):
        for e in eps[::4]:
            P = bounds.binning_uniform_grids(float(e), delta, **where)
            assert bounds.binning_uniform_probability(float(e), P, **where) <= delta
            assert P == 1 or bounds.binning_uniform_probability(float(e), P - 1, **where) > delta
            assert bounds.binning_uniform_radius(P, delta, **where) <= e * (1 + 1e-9)
    falling = [bounds.binning_uniform_probability(float(e), 3000, **where) for e in eps]
    assert (np.diff(falling) <= 0).all()
    assert (np.diff([bounds.binning_uniform_radius(2**j, 0.01, **where) for j in range(0, 25, 3)]) <= 0).all()
    assert bounds.binning_uniform_probability(1.01, 1, **where) == 0.0
    assert bounds.binning_uniform_grids(1.01, 1e-9, **where) == 1
    assert bounds.binning_uniform_radius(1, 1e-9, **where) == 1.0


def test_the_uniform_bound_is_the_least_over_cells_and_below_the_closed_form():
    n = np.arange(1.0, 50_001)
    for d, reach, eps, P in ((2, 1.0, 0.1, 2500), (3, 0.01, 0.3, 200), (5, 1e-6, 0.4, 60), (1, 3.0, 0.05, 2500),
                             (1, 1e-3, 0.5, 9)):
        events = np.log(2 * n) if d == 1 else np.log(2) + d * np.log(n * (n + 1) / 2)
        gap = (1 if d == 1 else 2 * d) * reach / n
        least = min(0.0, (events - 2 * P * np.maximum(eps - gap, 0) ** 2).min())
        found = bounds.binning_uniform_probability(eps, P, dimension=d, side=reach, lipschitz=1.0)
        assert math.log(found) == pytest.approx(least, abs=1e-9)
        closed = math.log(2) + 2 * d * math.log(math.ceil(4 * d * reach / eps)) - P * eps**2 / 2
        assert math.log(found) <= max(closed, 0)


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("power", [0.5, 0.7, 1.0])
def test_the_bound_of_a_kernel_is_that_of_its_values(d, power):
    """The least over all numbers of cells, but for 2 % in that number; scales count coordinate by coordinate."""
    scale = np.linspace(0.5, 2.0, d)
    n, kernel, step = np.arange(1.0, 400_001), StretchedExponential(power, scale), 1 if d == 1 else 2
    gap = sum(1 - np.exp(-(step / n / s) ** power) for s in scale)
    events = np.log(2 * n) if d == 1 else np.log(2) + d * np.log(n * (n + 1) / 2)
    for eps, P in ((0.9, 60), (0.99, 20), (0.6, 200)):
        found = math.log(bounds.binning_uniform_probability(eps, P, dimension=d, side=1.0, kernel=kernel))
        least = min(0.0, (events - 2 * P * np.maximum(eps - gap, 0) ** 2).min())
        assert -1e-9 <= found - least <= 2 * d * 0.02 + 1e-9
    if power == 1.0:  # a slope of 2, the largest of the five, is what the other form of the bound knows
        where = {"dimension": d, "side": 1.0}
        known = [bounds.binning_uniform_radius(10**5, 0.01, **where, **also) for also in ({"kernel": kernel},
                                                                                       {"lipschitz": 2.0})]
        assert known[0] <= known[1] * (1 + 1e-3)


@pytest.mark.filterwarnings("error")
def test_extremes():
    for side in (1e-300, 1e200):
        assert bounds.binning_uniform_grids(0.5, 0.01, dimension=2, side=side, kernel=InversePower(2.0)) < 1e5
    with pytest.raises(ValueError, match="eps is too small"):  # it falls by more than eps over any cell
        bounds.binning_uniform_grids(0.01, 0.01, dimension=5, side=1.0, kernel=StretchedExponential(0.001))
    assert bounds.binning_uniform_radius(10, 0.01, dimension=5, side=1.0, kernel=StretchedExponential(0.001)) == 1.0
    where = {"dimension": 3, "side": 1e70, "lipschitz": 1e70}
    assert bounds.binning_uniform_grids(0.1, 0.01, **where) > 1e5
    tiny = {"dimension": 3, "side": 1e-200, "lipschitz": 1e-200}
    assert bounds.binning_uniform_grids(0.1, 0.01, **tiny) == bounds.binning_grids(0.1, 0.01)
    assert bounds.binning_uniform_probability(1e-300, 10**300, **where) == 1.0
    assert bounds.binning_probability(1e-300, 1) == 1.0 and bounds.binning_probability(1e200, 10**15) == 0.0


@pytest.mark.parametrize(("call", "sentence"), [
    (lambda: bounds.binning_variance(1.1, 3), "k is 1.1"), (lambda: bounds.binning_variance(-0.1, 3), "k is -0.1"),
    (lambda: bounds.binning_variance(0.5, 0), "n_grids is 0"),
    (lambda: bounds.binning_probability(0.0, 3), "eps is 0"),
    (lambda: bounds.binning_radius(2.5, 0.1), "n_grids is 2.5"),
    (lambda: bounds.binning_radius(2, 1.0), "delta is 1"), (lambda: bounds.binning_grids(0.1, 0.1, 0), "pairs is 0"),
    (lambda: bounds.binning_grids(1e-20, 0.1), "eps asks for more"),
    (lambda: bounds.binning_uniform_radius(0, 0.1, **SETS[0]), "n_grids is 0"),
    (lambda: bounds.binning_uniform_radius(10, 0.0, **SETS[0]), "delta is 0; it may be"),
    (lambda: bounds.binning_uniform_grids(1e-200, 0.1, **SETS[0]), "eps is too small"),
    (lambda: bounds.binning_uniform_probability(-1, 5, **SETS[0]), "eps is -1"),
    (lambda: bounds.binning_uniform_grids(0.1, 0.1, dimension=0, side=1, lipschitz=1), "dimension is 0"),
    (lambda: bounds.binning_uniform_grids(0.1, 0.1, dimension=1, side=0, lipschitz=1), "side is 0"),
    (lambda: bounds.binning_uniform_grids(0.1, 0.1, dimension=1, side=1, lipschitz=math.inf),
     "lipschitz is inf; give the kernel"),
    (lambda: bounds.binning_uniform_grids(0.1, 0.1, dimension=1, side=1), "lipschitz is None"),
    (lambda: bounds.binning_uniform_grids(0.1, 0.1, dimension=1, side=1, lipschitz=1.0, kernel=Laplacian()),
     "lipschitz is 1.0 and kernel is Laplacian"),
    (lambda: bounds.binning_uniform_grids(0.1, 0.1, dimension=1, side=1, kernel="laplacian"), "kernel is 'laplacian'"),
    (lambda: bounds.binning_uniform_radius(9, 0.1, dimension=1, side=1, kernel=StretchedExponential(1.5)),
     "has no pitch law in dimension 1"),
    (lambda: bounds.binning_uniform_grids(0.1, 0.1, dimension=1, side=1e100, lipschitz=1e100), "may be 1e140 at most"),
])
def test_errors_name_the_argument(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_the_chained_radius_knows_no_logarithm_of_the_number_of_grids():
    cube = {"dimension": 2, "side": 1.5, "lipschitz": 1.0}
    radii = bounds.binning_chained_radius([10**5, 10**7, 10**9, 10**11], 0.01, **cube)
    assert np.allclose(radii[:-1] / radii[1:], 10, rtol=1e-9)
    assert radii[-1] < bounds.binning_uniform_radius(10**11, 0.01, **cube)
    assert bounds.binning_chained_radius(1, 0.5, **cube) == 1.0
    slow = bounds.binning_chained_radius(10**8, 0.01, dimension=2, side=1.5, kernel=StretchedExponential(0.5))
    assert radii[1] / 10 < slow < 1
    with pytest.raises(ValueError, match="^lipschitz is"):
        bounds.binning_chained_radius(10, 0.1, dimension=2, side=1.0)
