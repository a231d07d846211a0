"""The gate: numbers that are scaled, functions that are watched, and what is said of bounds that are not pinned."""

import sys
import types

import numpy as np
import pytest

from rfbook.lab import claims
from rfbook.lab.claims import FACTORS, Pinned, _gate
from rfbook.lab.ledger import Evidence

BOUND = "toys.bound"


def bound(x=0.5):
    return x


def probability(x=0.5):
    return min(1.0, x)


@pytest.fixture
def toys(monkeypatch):
    """A library of two modules that hold the same bound, and a way to register claims that call it."""
    made = {}
    for name in ("toys", "toys.other"):
        monkeypatch.setitem(sys.modules, name, module := types.ModuleType(name))
        module.bound, module.probability = bound, probability
    functions = {BOUND: bound, "toys.probability": probability}
    for function in functions.values():
        monkeypatch.setattr(function, "__module__", "toys")
    for module in ("_registry", "_gate"):
        monkeypatch.setattr(f"rfbook.lab.claims.{module}.bounds_and_helpers", lambda: functions)
    monkeypatch.setattr("rfbook.lab.claims._gate.registry", lambda: list(made.values()))
    monkeypatch.setattr("rfbook.lab.claims._gate._ONE_SIDED", {})
    monkeypatch.delenv(claims.VERDICTS, raising=False)

    def register(*checks):
        for check in checks:
            made[f"test_gate.{check.__name__}"] = claims.Claim("thm-toy", "True.", check)
        return {p.name: p for p in claims.gate([claims.judge(claim) for claim in made.values()])}

    return register


def exact(rng):
    return Evidence(abs(sys.modules["toys"].bound() - 0.5), 1e-12)


def exact_elsewhere(rng):
    return Evidence(abs(sys.modules["toys.other"].bound() - 0.5), 1e-12)


def weak(rng):  # 0.4 is found to be below the bound, whatever the bound is above that
    return Evidence(0.4 - sys.modules["toys"].bound(), 0.0)


def raising(rng):
    if sys.modules["toys"].bound() != 0.5:
        raise ZeroDivisionError
    return Evidence(0.0, 1.0)


def test_an_exact_claim_pins(toys):
    found = toys(exact)
    assert found[BOUND].upheld and found[BOUND].interval == (0.9, 1.1)
    assert found[BOUND].rejected == dict.fromkeys(FACTORS, "test_gate.exact")
    assert found["toys.probability"].faults == ["no claim calls it"]


def test_every_module_that_holds_the_bound_gets_the_scaled_one(toys):
    assert toys(exact_elsewhere)[BOUND].upheld


def test_a_weak_claim_is_reported(toys):
    pinned = toys(weak)[BOUND]
    assert pinned.faults == ["lives times 0.9", "lives times 1.1", "lives times 2"]
    assert pinned.interval == (0.5, np.inf) and 10.0 in pinned.rejected and 0.1 not in pinned.rejected


def test_a_library_that_raises_is_rejected(toys):
    assert toys(raising)[BOUND].upheld
    claim = claims.Claim("thm-toy", "True.", exact).mutant("no number", "toys.bound", lambda: None)
    verdict = claims.judge(claim)
    assert verdict.killed == (True,) and verdict.against == (claims.RAISED,) and not claims.RAISED.holds


def test_a_claim_that_fails_is_no_witness(toys):
    def broken(rng):
        return Evidence(sys.modules["toys"].bound(), 0.0)

    assert toys(broken, weak)[BOUND].callers == 1


def test_a_library_that_never_ends_is_rejected(toys):
    def search(rng):
        while sys.modules["toys"].bound() != 0.5:
            pass
        return Evidence(0.0, 1.0)

    assert toys(search)[BOUND].upheld


@pytest.mark.parametrize(("unsafe", "faults"), [
    ("small", ["lives times 0.9"]),
    ("large", ["lives times 1.1", "lives times 2"]),
])
def test_a_declared_bound_may_be_loose_and_not_unsafe(toys, unsafe, faults):
    claims.one_sided(BOUND, unsafe=unsafe, because="It is never attained.")
    pinned = toys(weak)[BOUND]
    assert pinned.faults == faults and pinned.reason == "It is never attained."
    assert toys(weak, exact)[BOUND].faults == [
        "is declared one-sided, and rejected on both sides: take the declaration away"]


def test_a_probability_is_not_told_by_being_above_one(toys):
    def at_most_one(rng):
        probabilities = [sys.modules["toys"].probability(x) for x in (0.9, 2.0)]
        return Evidence(max(probabilities), 1.0)

    assert toys(at_most_one)["toys.probability"].faults == [f"lives times {f:g}" for f in FACTORS]


def test_what_some_claims_let_live_is_put_to_the_others(toys):
    toys(weak, exact)
    weak_one = next(c for c in _gate.registry() if c.check is weak)
    [pinned] = claims.gate([claims.judge(weak_one)])
    assert pinned.upheld and pinned.callers == 2


def test_a_verdict_is_kept_and_recalled(toys, tmp_path, monkeypatch):
    monkeypatch.setenv(claims.VERDICTS, str(tmp_path))
    good, bad = (Pinned(name, {f: killer for f in FACTORS}, 1, 0.5) for name, killer in (("a", "x.y"), ("b", None)))
    claims.keep([good, bad], claims.library_state())
    assert claims.recall_pinned("a", claims.kept()) == good and claims.recall_pinned("b", claims.kept()) is None


@pytest.mark.parametrize(("arguments", "message"), [
    ({"unsafe": "both", "because": "So."}, "unsafe is 'both'"),
    ({"unsafe": "small", "because": ""}, "because is ''"),
])
def test_declarations_have_a_side_and_a_reason(arguments, message):
    with pytest.raises(ValueError, match=message):
        claims.one_sided(BOUND, **arguments)


@pytest.mark.parametrize("value", [True, np.True_, None, "paired", np.array(["a"]), np.array([True]), np.nan, -np.inf,
                                   len])
def test_what_is_no_number_stays(value):
    after = claims.scaled(value, 2.0)
    assert after is value or np.array_equal(after, value, equal_nan=isinstance(value, float))


@pytest.mark.parametrize("value", [3, 2**2000, np.int64(1), np.array([1, 1000]), 0.3, np.float32(0.3), 1 + 2j,
                                   np.linspace(1, 2, 5), (1, [2.0]), {"a": 1.5}])
@pytest.mark.parametrize("factor", FACTORS)
def test_every_number_changes_and_keeps_its_type(value, factor):
    def parts(tree):
        tree = [*tree.values()] if isinstance(tree, dict) else tree
        return [leaf for part in tree for leaf in parts(part)] if isinstance(tree, (tuple, list)) else [tree]

    after = claims.scaled(value, factor)
    for before, now in zip(parts(value), parts(after), strict=True):
        assert type(before) is type(now) and np.asarray(before).dtype == np.asarray(now).dtype
        now, before = (now.imag, before.imag) if np.iscomplexobj(now) else (now, before)
        assert np.all(now > before if factor > 1 else now < before)


def test_helpers_that_check_arguments_are_no_bounds():
    from rfbook import bounds

    with claims.watched(claims.bounds_and_helpers()) as calls:
        bounds.product_error([99, 100], 0.5, 1.0, 1.0, 1.0, 1.0, 1.0)
    assert "rfbook.bounds.gradients.product_error" in calls and "rfbook.bounds._checks.check_widths" not in calls
