"""The whole ledger: every claim holds, and every mutant dies, at more than one seed; every bound is pinned."""

import json
import os

import pytest

from rfbook.lab import claims
from rfbook.lab.claims import _gate

CLAIMS = claims.registry()
KEPT = claims.kept()  # verdicts on this very library, by whoever ran the ledger first: see tools/run.sh


class Verdicts:
    """Verdicts of this run, in a folder that its processes share: who pins a bound judges no claim again."""

    def __init__(self, folder):
        self.folder, self.users = folder, None
        folder.mkdir(exist_ok=True)

    def of(self, claim):
        """The verdict on a claim and its mutants."""
        if verdict := claims.recall(claim, KEPT):
            return verdict
        verdict = claims.judge(claim, seed=0)
        part = self.folder / f"{claim.name}.{os.getpid()}"
        part.write_text(json.dumps(verdict.record))
        part.replace(self.folder / f"{claim.name}.json")
        return verdict

    def called(self):
        """Which claims call which function, by verdicts as far as there are some."""
        if self.users is None:
            known = KEPT | {path.stem: json.loads(path.read_text()) for path in self.folder.glob("*.json")}
            self.users = claims.callers([claims.recall(claim, known) or claims.judge(claim, mutants=False)
                                         for claim in CLAIMS])
        return self.users


@pytest.fixture(scope="session")
def verdicts(tmp_path_factory):
    base = tmp_path_factory.getbasetemp()
    return Verdicts((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "verdicts")


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_claim_is_upheld(claim, verdicts):
    verdict = verdicts.of(claim)
    assert verdict.upheld, verdict.faults


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_claim_holds_at_another_seed(claim):
    assert claim(seed=20_261_121).holds


@pytest.mark.parametrize("bound", sorted(claims.bounds_and_helpers()))
def test_bound_is_pinned(bound, verdicts):
    if (verdict := claims.recall_pinned(bound, KEPT)) is None:
        if bound not in verdicts.called():
            pytest.skip("gives back what it is given")  # the helpers that check arguments
        verdict = claims.pin(bound, *verdicts.called()[bound])
    assert verdict.upheld, verdict.faults


def test_declarations_name_functions_that_are_there():
    assert {*_gate._ONE_SIDED} <= {*claims.bounds_and_helpers()}


def test_claims_have_statements_and_mutants_of_the_library():
    assert CLAIMS
    for claim in CLAIMS:
        assert claim.statement.endswith(".") and claim.mutants
        assert all(m.target.startswith("rfbook.") for m in claim.mutants)
