"""One rule for every argument that many bounds have, whatever the bound: found by the names of the arguments."""

import fractions
import inspect
import math

import numpy as np
import pytest

from rfbook import bounds

GOOD = {"eps": 0.1, "delta": 0.01, "n_components": 1024, "n_grids": 1000, "phase": "paired", "pairs": 1, "k_delta": 0.5,
        "k_2delta": 0.2, "dimension": 3, "diameter": 2.0, "sigma": 1.0, "side": 1.0, "lipschitz": 1.0, "k": 0.5,
        "variance": 2.0, "degree": 2, "coefficients": np.array([1.0, 2.0, 1.0]), "x": np.ones(3), "y": np.arange(3) / 3,
        "k_double": 0.5, "angle": 0.5, "distance": 0.5, "target_scale": 1.0, "law_scale": 0.8, "constant": 1.0,
        "kernel_matrix": np.eye(3), "values": np.ones(3), "n_frequencies": 100, "step": 1.0, "exponent": 2.0,
        "n_rows": 1000, "n_candidates": 100, "standard_error": 0.1, "input_scale": 1.0,
        "largest": 0.5, "intrinsic": 3.0, "freedom": 5.0, "leverage": 50.0, "estimate": 2 * np.eye(3), "alpha": 0.5,
        "k_flipped": 0.3, "k_kept": 0.4, "relevance": 0.7,
        "n_steps": 10, "isometry": 0.3, "size": 1.0, "noise": 0.1,
        "mean": 0.1, "deviation": 0.2, "shrink": 0.5, "gap": 0.5, "radius": 9.0,
        "condition": 9.0, "approximation": 0.5, "precision": 1e-3, "tolerance": 0.01,
        "ridge": 0.1, "target": 1.0, "second_moment": 1.0, "fourth_moment": 3.0, "norm": 1.0, "slope": 1.0,
        "reach": 0.5, "correlation": 0.1,
        "squared_sum": 1.5, "query_norm": 0.5, "key_norm": 0.7, "query": np.ones(3) / 4, "keys": np.eye(3) / 2,
        "hsic": 0.1, "q": 12,
        "n": 20, "p": 30, "inside": 1.0, "outside": 0.5, "columns": 60, "signal": 2.0,
        "n_other": 30, "shift": 1.0, "d": 3, "square": 0.1, "ratio": 3.0,
        "count": 3, "n_first": 20, "n_late": 30, "rank": 10}
OPTIONS = {"arc_cosine_radius": [{"order": n, "sampling": s} for n in (0, 1, 2) for s in ("antithetic", "iid")],
           "target_variance": [{"value": 0.5}],
           "target_radius": [{"bound": 1.0}], "target_components": [{"bound": 1.0}],  # Chebyshev's alone has 1 / delta
           "attention_variance": [{"values": np.eye(3)}],
           "coordinate_variance": [{"replace": True}, {"replace": False}]}
OWN_RULE = {"sobol_variance", "solved_bound"}  # a width that is a power of two; one integer for one system


def takers(*names):
    """Every bound that takes one of the arguments, with that argument and the others as they should be."""
    found = []
    for function in map(bounds.__getattr__, bounds.__all__):
        parameters = inspect.signature(function).parameters
        given = {p: GOOD[p] for p, q in parameters.items() if p in GOOD or q.default is q.empty and p not in ("points",
                                                                                                             "value")}
        for name in set(names) & parameters.keys() - ({"n_components"} if function.__name__ in OWN_RULE else set()):
            for options in OPTIONS.get(function.__name__, [{}]):
                what = "-".join([function.__name__, *map(str, options.values())])
                found.append(pytest.param(function, name, {**given, **options}, id=what))
    return found


def outcomes(function, arguments):
    """The numbers of a result as a list of arrays: one, or the blocks and the size of a median of means."""
    result = function(**arguments)
    parts = [np.asarray(part) for part in (result if isinstance(result, tuple) else (result,))]
    return [part for part in parts if part.dtype.kind != "U"]  # names of proofs are looked at elsewhere


def refused(function, name, arguments, value):
    with pytest.raises(ValueError, match=f"^{name} is ") as caught:
        function(**{**arguments, name: value})
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence.partition("; it may be ")[2]


def same_at_every_entry(function, name, arguments, values):
    """An array of values gives what the values give one by one, in its shape; so do a list and a 0-d array."""
    alone = [outcomes(function, {**arguments, name: value}) for value in values]
    for given in (np.array(values), list(values), np.array(values).reshape(-1, 1)):
        for found, parts in zip(outcomes(function, {**arguments, name: given}), zip(*alone, strict=True), strict=True):
            assert found.shape[: np.ndim(given)] == np.shape(given) and found.dtype == parts[0].dtype
            np.testing.assert_allclose(found.ravel(), np.stack(parts).ravel(), rtol=1e-15)
    for found, want in zip(outcomes(function, {**arguments, name: np.array(values[0])}), alone[0], strict=True):
        assert found.shape == want.shape and found == want


FAILURES = takers("delta")


def test_all_bounds_with_a_failure_probability_are_here():
    assert len({p.values[0] for p in FAILURES}) == 36


@pytest.mark.parametrize(("function", "name", "arguments"), FAILURES)
@pytest.mark.parametrize("value", [0, 0.0, 1, 1.0, -0.1, 2, math.nan, math.inf, "x", "0.1", True, None, 1j, [0.1, 1.0],
                                   [[0.1, math.nan]], np.array(0), np.float64(1), [True], {}])
def test_no_failure_probability(function, name, arguments, value):
    assert refused(function, name, arguments, value) == "a number strictly between 0 and 1"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("function", "name", "arguments"), FAILURES)
def test_failure_probabilities_however_small(function, name, arguments):
    small = (np.nextafter(1, 0), 1e-15, 1e-200, 1e-307, 1e-310, 5e-324)
    if function.__name__ in ("chebyshev_components", "attention_components"):  # one over delta
        with pytest.raises(ValueError, match="eps or delta is too small"):
            function(**{**arguments, name: 1e-310})
        small = small[:1]
    with np.errstate(all="raise", under="ignore"):
        found = [outcomes(function, {**arguments, name: delta}) for delta in small]
    for parts in zip(*found, strict=True):
        assert np.isfinite(np.array(parts, dtype=float)).all() and (np.diff(np.array(parts, dtype=float)) >= 0).all()


@pytest.mark.parametrize(("function", "name", "arguments"), FAILURES)
def test_failure_probabilities_of_any_kind(function, name, arguments):
    want = outcomes(function, {**arguments, name: 0.25})
    for value in (np.float64(0.25), np.float32(0.25), np.float16(0.25), fractions.Fraction(1, 4), np.array(0.25)):
        assert outcomes(function, {**arguments, name: value}) == want
    same_at_every_entry(function, name, arguments, [0.9, 0.05, 0.011])


@pytest.mark.parametrize(("function", "name", "arguments"), takers("eps"))
@pytest.mark.parametrize("value", [0, -1, -0.0, math.nan, math.inf, -math.inf, "x", "0.1", True, None, 1j, [0.1, 0.0]])
def test_no_error_level(function, name, arguments, value):
    assert refused(function, name, arguments, value) == "a positive finite number"


@pytest.mark.parametrize(("function", "name", "arguments"), takers("eps"))
def test_error_levels_of_any_kind(function, name, arguments):
    want = outcomes(function, {**arguments, name: 0.25})
    for value in (np.float64(0.25), np.float32(0.25), fractions.Fraction(1, 4), np.array(0.25)):
        assert outcomes(function, {**arguments, name: value}) == want
    same_at_every_entry(function, name, arguments, [0.1, 0.3, 2.5])


WIDTHS = takers("n_components", "n_grids")


@pytest.mark.parametrize(("function", "name", "arguments"), [*WIDTHS, *takers("pairs")])
@pytest.mark.parametrize("value", [0, -1, 2.5, math.nan, math.inf, "x", "2", True, None, 1j, [4, 0], [4, 4.5]])
def test_no_count(function, name, arguments, value):
    assert refused(function, name, arguments, value) == "an integer that is at least 1, within the range of floats"


@pytest.mark.parametrize(("function", "name", "arguments"), WIDTHS)
def test_widths_of_any_kind(function, name, arguments):
    want = outcomes(function, {**arguments, name: 2000})
    for value in (np.int32(2000), np.uint64(2000), 2000.0, np.array(2000)):
        assert outcomes(function, {**arguments, name: value}) == want
    same_at_every_entry(function, name, arguments, [1024, 1, 2**20])
    assert np.isfinite(outcomes(function, {**arguments, name: 1e308})).all()


@pytest.mark.parametrize(("function", "name", "arguments"), takers("phase"))
@pytest.mark.parametrize("value", ["both", "", None, True, 1, b"paired", ["paired"], np.array("offset")])
def test_no_phase(function, name, arguments, value):
    assert refused(function, name, arguments, value) == "one of 'paired', 'offset'"
    assert refused(function, name, arguments, "Paired") == "one of 'paired', 'offset'; did you mean 'paired'?"


@pytest.mark.parametrize(("function", "name", "arguments"), takers("distance"))
def test_distances(function, name, arguments):
    for value in (-1.0, math.nan, [0.5, -1e-300]):
        assert refused(function, name, arguments, value) == "a number from 0 on"


def test_shapes_that_do_not_go_together():
    with pytest.raises(ValueError, match=r"^shapes cannot be broadcast: eps \(2,\), delta \(3,\)$"):
        bounds.chebyshev_components(1.0, [0.1, 0.2], [0.1, 0.2, 0.3])


@pytest.mark.parametrize("phase", ["paired", "offset"])
@pytest.mark.parametrize("delta", [1e-307, 2.3e-308, 1e-310, 5e-324])
def test_widths_for_failure_probabilities_without_digits(phase, delta):
    """Below the normal numbers a probability is rounded so coarsely that many widths share it."""
    step = 2 if phase == "paired" else 1
    for eps in (0.3, 1e-3, 1e-6):
        D = bounds.hoeffding_components(eps, delta, phase)
        assert bounds.hoeffding_radius(D, delta, phase) <= eps * (1 + 1e-15)
        assert bounds.hoeffding_radius(D - step, delta, phase) > eps * (1 - 1e-15)
        assert bounds.hoeffding_probability(eps, D, phase) <= delta
        D = bounds.bernstein_components(eps, delta, phase, 0.5, 0.2)
        assert bounds.bernstein_radius(D, delta, phase, 0.5, 0.2) <= eps * (1 + 1e-14)
        P = bounds.binning_grids(eps, delta)
        assert bounds.binning_radius(P, delta) <= eps * (1 + 1e-15) < bounds.binning_radius(P - 1, delta) * (1 + 1e-14)


def test_counts_beyond_integers_of_a_word():
    where = {"dimension": 3, "side": 1.0, "lipschitz": 1.0}
    found = bounds.binning_uniform_grids([0.1, 1e-12], 0.01, **where)
    assert found.dtype == object and found[0] == bounds.binning_uniform_grids(0.1, 0.01, **where)
    assert found[1] == bounds.binning_uniform_grids(1e-12, 0.01, **where) > 2**64
