"""Threads, records and the command line."""

import json
import multiprocessing
import os
import subprocess
import sys
import threading
from dataclasses import dataclass

import numpy as np
import pytest

from rfbook import RandomFourierFeatures, _parallel, claims, cli, ledger, records
from rfbook.experiments import first_machine


def _bits(seed):
    X = np.random.default_rng(seed).standard_normal((2000, 6))
    return RandomFourierFeatures(n_components=64, random_state=0).fit_transform(X).tobytes()


def test_another_thread_that_set_the_threads_of_blas_is_no_obstacle():
    """threadpoolctl listens to the thread that came first, as long as it lives."""
    def counts():
        return {lib.num_threads for lib in _parallel.ThreadpoolController().select(user_api="blas").lib_controllers}

    before, held, done = counts(), threading.Event(), threading.Event()

    def first():
        with _parallel.ThreadpoolController().limit(limits=3, user_api="blas"):
            held.set()
            done.wait()

    thread = threading.Thread(target=first)
    thread.start()
    try:
        held.wait()
        limited = counts()
        with _parallel.one_blas_thread() as threads:
            assert counts() == {1} and {threads} == limited
            with _parallel.one_blas_thread(anew=True):
                assert counts() == {1}
        assert counts() == limited
    finally:
        done.set()
        thread.join()
    assert counts() == before


def test_concurrent_callers_agree_and_give_blas_back(many_threads):
    before = [lib.num_threads for lib in _parallel.ThreadpoolController().select(user_api="blas").lib_controllers]
    want, got = [_bits(s) for s in range(8)], [None] * 8

    def call(s):
        got[s] = _bits(s)

    threads = [threading.Thread(target=call, args=(s,)) for s in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == want
    after = [lib.num_threads for lib in _parallel.ThreadpoolController().select(user_api="blas").lib_controllers]
    assert after == before


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_works(many_threads):
    want = _bits(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_bits, [0, 0, 0]).get(timeout=1800) == [want] * 3


def test_an_interrupt_reaches_the_caller():
    def stop(i):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _parallel.run_blocks(lambda: stop, 4, n_jobs=2)


@dataclass(frozen=True)
class Settings:
    n: int = 3


def test_records_survive_a_kill_and_refuse_damage(tmp_path):
    path, made = tmp_path / "x.jsonl", []

    def task(i):
        return {"i": i}, lambda: made.append(i) or {"v": i}

    records.run_tasks("x", Settings(), [task(0), task(1)], path, progress=False)
    whole = path.read_bytes()
    for cut in range(whole.rfind(b"\n", 0, -1) + 2, len(whole)):  # every way to be killed within the last row
        path.write_bytes(whole[:cut])
        made.clear()
        rows = records.run_tasks("x", Settings(), [task(0), task(1)], path, progress=False)
        assert made == [1] and [r["v"] for r in rows] == [0, 1]
        assert path.read_bytes() == whole
    with pytest.raises(records.RecordsError, match="other settings"):
        records.run_tasks("x", Settings(4), [], path, progress=False)
    path.write_bytes(whole.replace(b'"v": 0', b'"v" 0'))
    with pytest.raises(records.RecordsError, match="line 2"):
        records.run_tasks("x", Settings(), [], path, progress=False)
    assert path.read_bytes() == whole.replace(b'"v": 0', b'"v" 0')


def test_results_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("RFBOOK_RESULTS", raising=False)
    (tmp_path / "data" / "results").mkdir(parents=True)
    (tmp_path / "nbs" / "a").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "nbs" / "a")
    assert records.results_file("a-b") == tmp_path / "data" / "results" / "a_b.jsonl"
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path / "else"))
    assert records.results_file("a-b") == tmp_path / "else" / "a_b.jsonl"


def test_reproduce_quick(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    assert cli.main(["reproduce", "first-machine", "--quick"]) == 0
    header, rows = records.read_records(tmp_path / "first_machine_quick.jsonl")
    assert header["settings"]["dataset"] == "digits"
    assert len(rows) == 2 + 3 * 5 + 1 and "SVC" in capsys.readouterr().out
    errors = {(r["method"], r["n_components"], r["seed"]): r["error"] for r in rows if r["stage"] == "test"}
    assert errors["Fourier + ridge", 1000, 0] < 0.05 and errors["SVC", None, 0] < 0.05
    (tmp_path / "again").mkdir()
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path / "again"))
    repeated = first_machine.run(first_machine.QUICK, tmp_path / "again" / "r.jsonl", progress=False)
    same = {(r["method"], r["n_components"], r["seed"]): r["error"] for r in repeated if r["stage"] == "test"}
    assert same == errors


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
    claim.mutant("harmless", "rfbook.ledger.LEVEL", 1e-9)
    monkeypatch.setattr("rfbook.claims._registry.registry", lambda: [claim])
    assert cli.main(["claims"]) == 1
    out = capsys.readouterr().out
    assert "FAILED: statistic 2 exceeds radius 1" in out and "0 of 1 claims upheld, 1 of 1 mutants killed" in out


def test_results_are_json_lines(tmp_path):
    path = tmp_path / "y.jsonl"
    records.run_tasks("y", Settings(), [({"i": 0}, lambda: {"v": 0.5})], path, progress=False)
    assert [json.loads(line) for line in path.read_text().splitlines()][1] == {"i": 0, "v": 0.5}
