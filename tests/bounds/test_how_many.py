"""The pointwise bounds and their inverses, from the installed package alone."""

import math

import numpy as np
import pytest

from rfbook import bounds
from rfbook.bounds import (
    bernstein_components,
    bernstein_probability,
    bernstein_radius,
    hoeffding_components,
    hoeffding_probability,
    hoeffding_radius,
)

PHASES = {"paired": 2, "offset": 1}  # the step of admissible widths
LAWS = {"hoeffding": (), "far": (0.0, 1.0), "near": (0.99, 0.97), "equal": (1.0, 1.0), "opposite": (-1.0, 1.0)}
CASES = [(phase, law) for phase in PHASES for law in LAWS]


def trio(phase, law):
    """Probability, radius and components of one bound, as functions of numbers and pairs only."""
    if law == "hoeffding":
        probability, radius, components = hoeffding_probability, hoeffding_radius, hoeffding_components
    else:
        probability, radius, components = bernstein_probability, bernstein_radius, bernstein_components
    values = LAWS[law]
    return (lambda eps, width, pairs=1: probability(eps, width, phase, *values, pairs=pairs),
            lambda width, delta, pairs=1: radius(width, delta, phase, *values, pairs=pairs),
            lambda eps, delta, pairs=1: components(eps, delta, phase, *values, pairs=pairs))


@pytest.mark.parametrize("phase, law", CASES)
@pytest.mark.parametrize("pairs", [1, 499_500, 10**30])
def test_components_are_the_smallest(phase, law, pairs):
    probability, _, components = trio(phase, law)
    eps, delta = np.meshgrid([1e-5, 0.003, 0.1, 0.5, 3.0], [0.9, 0.05, 1e-9, 1e-300])
    width = components(eps, delta, pairs)
    step = PHASES[phase]
    assert width.shape == eps.shape and width.dtype == np.int64
    assert (width % step == 0).all() and (width >= step).all()
    assert (probability(eps, width, pairs) <= delta).all()
    narrower = np.maximum(width - step, step)
    assert ((width == step) | (probability(eps, narrower, pairs) > delta)).all()


@pytest.mark.parametrize("phase, law", CASES)
def test_components_invert_the_probability_exactly(phase, law):
    probability, _, components = trio(phase, law)
    for eps in (0.01, 0.2):
        for width in (40_000, 131_072):
            delta = probability(eps, width)
            if 1e-300 < delta < 1:
                assert components(eps, delta) == width


@pytest.mark.parametrize("phase, law", CASES)
def test_the_radius_inverts_the_probability(phase, law):
    probability, radius, _ = trio(phase, law)
    width, delta = np.meshgrid([2, 64, 10**6, 10**15], [0.5, 1e-3, 1e-200])
    np.testing.assert_allclose(probability(radius(width, delta, 7), width, 7), delta, rtol=1e-9)


@pytest.mark.parametrize("phase, law", CASES)
def test_monotone(phase, law):
    probability, radius, components = trio(phase, law)
    eps, width = np.geomspace(1e-4, 10, 60), 2 ** np.arange(1, 40)
    assert (np.diff(probability(eps, 500)) <= 0).all()
    assert (np.diff(probability(0.1, width)) <= 0).all()
    assert (np.diff(radius(width, 0.01)) < 0).all()
    assert (np.diff(radius(100, np.geomspace(1e-300, 0.9, 50))) < 0).all()
    assert (np.diff(components(eps, 0.01)) <= 0).all()
    assert (np.diff(components(0.1, 0.01, 10 ** np.arange(10))) > 0).all()


def test_constants():
    assert hoeffding_probability(0.5, 80, "paired") == pytest.approx(2 * math.exp(-80 * 0.25 / 4))
    assert hoeffding_probability(0.5, 80, "offset") == pytest.approx(2 * math.exp(-80 * 0.25 / 3))
    assert hoeffding_components(0.1, 0.01, "paired") == 2 * math.ceil(200 * math.log(200))
    assert hoeffding_components(0.1, 0.01, "offset") == math.ceil(300 * math.log(200))
    k, k2, eps, width = 0.7, 0.3, 0.2, 200
    paired = 2 * math.exp(-100 * eps**2 / (2 * (0.65 - 0.49) + 2 / 3 * 1.7 * eps))
    offset = 2 * math.exp(-200 * eps**2 / (2 * (1.15 - 0.49) + 2 / 3 * 1.7 * eps))
    assert bernstein_probability(eps, width, "paired", k, k2) == pytest.approx(paired)
    assert bernstein_probability(eps, width, "offset", k, k2) == pytest.approx(offset)


@pytest.mark.parametrize("phase, law", CASES)
def test_union_bound(phase, law):
    probability, radius, components = trio(phase, law)
    assert probability(1.5, 600, 1000) == pytest.approx(1000 * probability(1.5, 600))
    assert radius(600, 0.01, 1000) == pytest.approx(radius(600, 1e-5))
    assert abs(components(0.1, 0.01, 1000) - components(0.1, 1e-5)) <= PHASES[phase]
    n = 10**10
    assert 0 < radius(600, 0.01, n * (n - 1) // 2) < 10


def test_probabilities_are_at_most_one():
    assert hoeffding_probability(1e-200, 2, "paired", pairs=10**300) == 1.0
    assert bernstein_probability(1e-200, 2, "offset", 0.0, 0.0) == 1.0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("phase, law", CASES)
def test_extreme_arguments_do_not_overflow(phase, law):
    probability, radius, components = trio(phase, law)
    assert probability(1e200, 10**15) == 0.0
    assert probability(1e-300, 1) == 1.0
    assert 0 < radius(10**18, 1e-300) < 1e-6
    assert components(1e200, 1e-300) == PHASES[phase]
    for eps in (1e-20, 1e-300):
        with pytest.raises(ValueError, match="eps asks for more than 2\\*\\*51"):
            components(eps, 0.01)


def test_types_and_shapes():
    assert type(hoeffding_probability(0.1, 100, "paired")) is float
    assert type(hoeffding_radius(100, 0.1, "offset")) is float
    assert type(hoeffding_components(0.1, 0.1, "offset")) is int
    assert type(bernstein_components(np.float32(0.1), 0.1, "paired", 0.5, 0.1)) is int
    assert hoeffding_radius([2, 4, 8], 0.1, "paired").shape == (3,)
    assert hoeffding_components(np.array([[0.1], [0.2]]), [0.1, 0.2, 0.3], "paired").shape == (2, 3)
    assert bernstein_radius(100, 0.1, "offset", np.zeros((4, 4)), np.zeros((4, 4))).shape == (4, 4)
    assert hoeffding_radius(2.0 ** np.arange(3), 0.1, "offset").shape == (3,)


def test_an_odd_width_is_rounded_up_as_the_map_does():
    assert hoeffding_radius(301, 0.1, "paired") == hoeffding_radius(302, 0.1, "paired")
    assert hoeffding_radius(301, 0.1, "offset") > hoeffding_radius(302, 0.1, "offset")
    assert bernstein_probability(0.2, 301, "paired", 0, 1) == bernstein_probability(0.2, 302, "paired", 0, 1)


def test_rounded_kernel_values_are_taken():
    k = np.float32(0.9999)
    assert bernstein_radius(100, 0.1, "paired", k, np.float32(2) * k * k - np.float32(1) - np.float32(1e-7)) > 0
    assert bernstein_radius(100, 0.1, "paired", 1 + 1e-12, 1.0) > 0
    last = 1 + 1e-6
    assert bernstein_radius(100, 0.1, "paired", -last, last) == bernstein_radius(100, 0.1, "paired", -1.0, 1.0)
    for k, k2, name in ((np.nextafter(last, 2), 1.0, "k_delta"), (1.0, np.nextafter(last, 2), "k_2delta")):
        with pytest.raises(ValueError, match=f"^{name} is 1; it may be"):
            bernstein_radius(100, 0.1, "paired", k, k2)


@pytest.mark.parametrize("call, name", [
    (lambda: hoeffding_probability(0.0, 100, "paired"), "eps is 0; it may be"),
    (lambda: hoeffding_probability(-1, 100, "paired"), "eps is -1; it may be"),
    (lambda: hoeffding_probability(math.nan, 100, "paired"), "eps is nan; it may be"),
    (lambda: hoeffding_probability("0.1", 100, "paired"), "eps is '0.1'; it may be"),
    (lambda: hoeffding_probability(None, 100, "paired"), "eps is "),
    (lambda: hoeffding_probability(True, 100, "paired"), "eps is True; it may be"),
    (lambda: hoeffding_components([0.1, math.inf], 0.1, "paired"), "eps is inf; it may be"),
    (lambda: hoeffding_radius(0, 0.1, "paired"), "n_components is 0; it may be"),
    (lambda: hoeffding_radius(2.5, 0.1, "offset"), "n_components is 2.5; it may be"),
    (lambda: hoeffding_radius(math.inf, 0.1, "offset"), "n_components is inf; it may be"),
    (lambda: hoeffding_radius(10, 1.0, "paired"), "delta is 1; it may be"),
    (lambda: hoeffding_radius(10, 0, "paired"), "delta is 0; it may be"),
    (lambda: hoeffding_radius(10, [0.1, 2], "paired"), "delta is 2; it may be"),
    (lambda: hoeffding_components(0.1, 0.1, "pared"), "phase is 'pared'; it may be one of 'paired', 'offset'"),
    (lambda: hoeffding_components(0.1, 0.1, None), "phase is None"),
    (lambda: hoeffding_components(0.1, 0.1, "paired", pairs=0), "pairs is 0; it may be"),
    (lambda: bernstein_radius(10, 0.1, "paired", 1.5, 1.0), "k_delta is 1.5; it may be"),
    (lambda: bernstein_radius(10, 0.1, "paired", 0.5, -2), "k_2delta is -2; it may be"),
    (lambda: bernstein_components(0.1, 0.1, "offset", 0.9, 0.0), "k_2delta is below 2 \\* k_delta\\*\\*2 - 1"),
])
def test_errors_name_the_argument(call, name):
    with pytest.raises(ValueError, match="^" + name):
        call()


def test_operator_radius_is_where_the_bound_is_delta():
    for D in (7, 100, 10**6):
        for norm in (1.0, 30.0, 500.0):
            t = bounds.operator_radius(D, 1e-3, 500, norm)
            assert bounds.matrix_bernstein(t, 1000 * norm / D, 1000 / D, 500 / norm) == pytest.approx(1e-3, rel=1e-9)
            assert bounds.matrix_bernstein_radius(1e-3, 1000 * norm / D, 1000 / D, 500 / norm) == pytest.approx(t)
    assert bounds.operator_radius([100, 200], 0.1, 500, [[1.0], [2.0], [3.0]]).shape == (3, 2)
    assert bounds.operator_radius(100, 0.1, 10, 11.0) == bounds.operator_radius(100, 0.1, 10, 10.0)
    with pytest.raises(ValueError, match="^norm"):
        bounds.operator_radius(100, 0.1, 10, 0.5)
    with pytest.raises(ValueError, match="^n_rows"):
        bounds.operator_radius(100, 0.1, 0, 1.0)
