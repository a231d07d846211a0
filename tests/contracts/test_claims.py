"""The whole ledger: every claim holds, and every mutant dies, at more than one seed."""

import pytest

from rfbook import claims

CLAIMS = claims.registry()
KEPT = claims.kept()  # verdicts on this very library, by whoever ran the ledger first: see tools/run.sh


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_claim_is_upheld(claim):
    verdict = claims.recall(claim, KEPT) or claims.judge(claim, seed=0)
    assert verdict.upheld, verdict.faults


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_claim_holds_at_another_seed(claim):
    assert claim(seed=20_261_121).holds


def test_claims_have_statements_and_mutants_of_the_library():
    assert CLAIMS
    for claim in CLAIMS:
        assert claim.statement.endswith(".") and claim.mutants
        assert all(m.target.startswith("rfbook.") for m in claim.mutants)
