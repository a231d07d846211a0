"""The whole ledger: every claim holds, and every mutant dies, at more than one seed; every bound is pinned."""

import functools

import pytest

from rfbook.lab import claims
from rfbook.lab.claims import _gate

CLAIMS = claims.registry()
KEPT = claims.kept()  # verdicts on this very library, by whoever ran the ledger first: see tools/run.sh


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_claim_is_upheld(claim):
    verdict = claims.recall(claim, KEPT) or claims.judge(claim, seed=0)
    assert verdict.upheld, verdict.faults


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_claim_holds_at_another_seed(claim):
    assert claim(seed=20_261_121).holds


@functools.cache
def called():
    """Which claims call which function, from verdicts as far as there are some."""
    return claims.callers([claims.recall(claim, KEPT) or claims.judge(claim, mutants=False) for claim in CLAIMS])


@pytest.mark.parametrize("bound", sorted(claims.bounds_and_helpers()))
def test_bound_is_pinned(bound):
    if (verdict := claims.recall_pinned(bound, KEPT)) is None:
        if bound not in called():
            pytest.skip("gives back what it is given")  # the helpers that check arguments
        verdict = claims.pin(bound, *called()[bound])
    assert verdict.upheld, verdict.faults


def test_declarations_name_functions_that_are_there():
    assert {*_gate._ONE_SIDED} <= {*claims.bounds_and_helpers()}


def test_claims_have_statements_and_mutants_of_the_library():
    assert CLAIMS
    for claim in CLAIMS:
        assert claim.statement.endswith(".") and claim.mutants
        assert all(m.target.startswith("rfbook.") for m in claim.mutants)
