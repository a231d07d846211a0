"""The registry and runner: streams, mutants that are put back, and every fault that a verdict can find."""

import math
import subprocess
import sys

import pytest

from rfbook.lab import claims, ledger
from rfbook.lab.ledger import Evidence


def toy(check=lambda rng: Evidence(0.0, 1.0)):
    return claims.Claim("thm-toy", "True.", check)


def test_a_mutant_lives_only_while_it_is_patched():
    claim = toy(lambda rng: Evidence(ledger.LEVEL, 0.5)).mutant("large", "rfbook.lab.ledger.LEVEL", 2.0)
    verdict = claims.judge(claim)
    assert verdict.upheld and verdict.killed == (True,) and ledger.LEVEL == 1e-9
    with pytest.raises(ZeroDivisionError), claim.mutants[0].patch():
        1 / 0  # noqa: B018
    assert ledger.LEVEL == 1e-9


@pytest.mark.parametrize(("claim", "fault"), [
    (toy(), "there is no mutant"),
    (toy(lambda rng: Evidence(2.0, 1.0)), "statistic 2 exceeds radius 1"),
    (toy(lambda rng: Evidence(math.nan, 1.0)), "statistic nan exceeds radius 1"),
    (toy(lambda rng: Evidence(0.0, 1.0, 1e-6)), "false alarm 1.0e-06 is not below 1e-6"),
    (toy(lambda rng: Evidence(0.0, 1.0, math.nan)), "false alarm nan is not below 1e-6"),
    (toy().mutant("harmless", "rfbook.lab.ledger.LEVEL", 2.0), "mutant 'harmless' lives"),
    (toy().mutant("lucky", "rfbook.lab.ledger.LEVEL", 2.0, 1e-3), "mutant 'lucky': miss 1.0e-03 is not below 1e-3"),
])
def test_every_fault_is_found(claim, fault):
    verdict = claims.judge(claim)
    assert fault in verdict.faults and not verdict.upheld


def test_a_stream_depends_on_the_seed_and_the_name_only():
    def first(rng):
        return Evidence(rng.random(), 1.0)

    def second(rng):
        return Evidence(rng.random(), 1.0)

    assert toy(first)(3) == toy(first)(3) != toy(first)(4)
    assert toy(first)(3) != toy(second)(3)


def test_targets():
    owner, name = claims.locate("rfbook.lab.ledger.Evidence.holds")
    assert owner is Evidence and name == "holds"
    with pytest.raises(AttributeError, match="nothing"):
        claims.locate("rfbook.lab.ledger.nothing")
    with pytest.raises(ValueError, match="names no module"):
        claims.locate("nowhere.at.all")


def test_every_target_is_there():
    """A mutant of something that has moved would be an error only when its claim runs."""
    for claim in claims.registry():
        for mutant in claim.mutants:
            claims.locate(mutant.target)


def test_names_and_patterns(monkeypatch):
    names = [claim.name for claim in claims.registry()]
    assert names == sorted(set(names))
    made = toy().mutant("large", "rfbook.lab.ledger.LEVEL", 2.0)
    monkeypatch.setattr("rfbook.lab.claims._registry.registry", lambda: [made])
    seen = []
    assert [v.claim for v in claims.run("thm-t", on_verdict=seen.append)] == [made] == [v.claim for v in seen]
    with pytest.raises(ValueError, match="pattern 'thm-x' matches no claim"):
        claims.run("thm-x")


def test_rows_have_the_columns():
    claim = toy(lambda rng: Evidence(0.125, 1.0, 1e-9)).mutant("harmless", "rfbook.lab.ledger.LEVEL", 2.0)
    row = claims.row(claims.judge(claim))
    assert len(row) == len(claims.COLUMNS) and row[:6] == ("thm-toy", "True.", "0.125", "1", "1e-09", "0/1")


def test_the_claims_of_a_chapter_are_imported_when_they_are_used():
    code = ("import sys, rfbook.lab.claims as c; assert 'rfbook.lab.claims.fourier' not in sys.modules; c.fourier; "
            "assert 'rfbook.lab.claims.fourier' in sys.modules and 'how_many' in dir(c); c.nothing")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "AttributeError: module 'rfbook.lab.claims' has no attribute 'nothing'" in done.stderr
