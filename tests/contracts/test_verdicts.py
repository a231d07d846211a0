"""A verdict that is kept stands for one state of the library, and hides no failure."""

import importlib.metadata
import importlib.resources
import json

import pytest

from rfbook import cli
from rfbook.lab import claims
from rfbook.lab.ledger import Evidence


def made(statistic=0.0, mutant=2.0):
    """A claim that holds, or not, and whose mutant dies, or not."""
    claim = claims.Claim("thm-made", "It holds.", lambda rng: Evidence(statistic, 1.0))
    claim.mutant("wrong", "rfbook.lab.ledger.LEVEL", 0.5)
    claim.check.__name__, claim.check.__module__ = "made", "tests.made"
    return claim, claims.Verdict(claim, Evidence(statistic, 1.0), (Evidence(mutant, 1.0),), 0.1)


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A library of two modules, with data beside it, in place of ours."""
    package = tmp_path / "site" / "rfbook"
    (package / "features").mkdir(parents=True)
    (package.parent / "data").mkdir()
    for name in ("rfbook/__init__.py", "rfbook/features/fourier.py", "data/table.csv"):
        (package.parent / name).write_text(name)
    monkeypatch.setattr(importlib.resources, "files", lambda name: package)
    monkeypatch.setenv(claims.VERDICTS, str(tmp_path / "verdicts"))
    return package


@pytest.mark.parametrize("change", [
    lambda p: (p / "features" / "fourier.py").write_text("a sign is lost"),
    lambda p: (p / "features" / "more.py").write_text(""),
    lambda p: (p / "features" / "fourier.py").rename(p / "features" / "fourier_.py"),
    lambda p: (p.parent / "data" / "table.csv").write_text("3,4"),
])
def test_after_a_change_nothing_is_kept(library, change):
    claim, verdict = made()
    state = claims.library_state()
    claims.keep([verdict], state)
    assert claims.recall(claim, claims.kept()) == verdict
    change(library)
    assert claims.kept() == {}
    claims.keep([verdict], state)  # judged before the change, told after it
    assert claims.kept() == {}


def test_another_package_below_is_another_library(library, monkeypatch):
    _, verdict = made()
    claims.keep([verdict], claims.library_state())
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0")
    assert claims.kept() == {}


@pytest.mark.parametrize(("statistic", "mutant"), [(2.0, 2.0), (0.0, 0.0), (float("nan"), 2.0)])
def test_only_upheld_claims_are_kept(library, statistic, mutant):
    _, verdict = made(statistic, mutant)
    claims.keep([verdict], claims.library_state())
    assert claims.kept() == {}


def test_a_damaged_file_is_none(library):
    _, verdict = made()
    claims.keep([verdict], claims.library_state())
    [path] = (library.parents[1] / "verdicts").iterdir()
    path.write_text(path.read_text()[:-5])
    assert claims.kept() == {}


def test_without_a_folder_nothing_is_kept(library, monkeypatch):
    _, verdict = made()
    monkeypatch.delenv(claims.VERDICTS)
    claims.keep([verdict], claims.library_state())
    assert claims.kept() == {} and not (library.parents[1] / "verdicts").exists()


def test_a_claim_with_more_mutants_is_judged_anew(library):
    claim, verdict = made()
    claims.keep([verdict], claims.library_state())
    claim.mutant("another", "rfbook.lab.ledger.LEVEL", 0.1)
    assert claims.recall(claim, claims.kept()) is None


def test_who_takes_a_verdict_and_who_judges(library, monkeypatch, capsys):
    """A claim that fails now, with a verdict that says otherwise: only the command line asks the claim itself."""
    claim, verdict = made()
    claims.keep([verdict], claims.library_state())
    record = json.loads(next((library.parents[1] / "verdicts").iterdir()).read_text())
    assert record["made.made"]["evidence"] == [0.0, 1.0, 0.0]
    claim.check = lambda rng: Evidence(2.0, 1.0)
    claim.check.__name__, claim.check.__module__ = "made", "tests.made"
    monkeypatch.setattr("rfbook.lab.claims._registry.registry", lambda: [claim])
    assert claims.run("made") == [verdict]
    assert claims.run("made", seed=1)[0].faults and claims.run("made", fresh=True)[0].faults
    assert cli.main(["claims", "made"]) == 1
    assert "FAILED: statistic 2 exceeds radius 1" in capsys.readouterr().out
