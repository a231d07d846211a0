"""The command line: what it prints, what it returns, what it refuses."""

import os
import subprocess
import sys

import pytest

from rfbook import cli
from rfbook.lab import claims, ledger


def test_command_line_errors(capsys):
    assert cli.main(["claims", "no-such-claim"]) == 2
    assert "matches no claim" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        cli.main(["reproduce", "nothing"])
    assert cli.main(["datasets"]) == 0
    assert "digits" in capsys.readouterr().out


def test_installed_command_runs():
    out = subprocess.run([sys.executable, "-m", "rfbook", "--version"], capture_output=True, text=True, check=True,
                         env={**os.environ, "PYTHONWARNINGS": "error"})
    assert out.stdout.startswith("rfbook ")


def test_a_broken_claim_is_seen(monkeypatch, capsys):
    def wrong(rng):
        return ledger.Evidence(2.0, 1.0)

    claim = claims.Claim("thm-wrong", "False.", wrong)
    claim.mutant("harmless", "rfbook.lab.ledger.LEVEL", 1e-9)
    monkeypatch.setattr("rfbook.lab.claims._registry.registry", lambda: [claim])
    assert cli.main(["claims"]) == 1
    out = capsys.readouterr().out
    assert "FAILED: statistic 2 exceeds radius 1" in out and "0 of 1 claims upheld, 1 of 1 mutants killed" in out


def test_an_experiment_says_where_it_writes_before_it_does(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    said = []

    def run(settings, path, jobs):
        said.append((capsys.readouterr().out, path.exists()))
        return []

    monkeypatch.setattr("rfbook.lab.experiments.first_machine.EXPERIMENT.run", run)
    monkeypatch.setattr("rfbook.lab.experiments.first_machine.EXPERIMENT.report", lambda rows: "")
    assert cli.main(["reproduce", "first-machine", "--quick"]) == 0
    file = tmp_path / "first_machine_quick.jsonl"
    assert said == [(f"rows go to {file}; RFBOOK_RESULTS names another folder\n", False)]


def test_letters_that_a_terminal_does_not_have():
    cli._speak_plainly()
    assert "0.1 \u00b1 0.2 \u00d7 Mat\u00e9rn \u65e5".encode("ascii", "rfbook") == b"0.1 +- 0.2 x Matern ?"
    assert "\u00b1 \u65e5".encode("latin-1", "rfbook") == b"\xb1 ?"
