"""`rfbook reproduce` killed at any moment, run twice at once, given damaged files: no row lost, one clear sentence."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import pytest

from rfbook import cli, records

TIMES = {"train_seconds", "test_seconds", "tune_seconds"}
RUN = [sys.executable, "-m", "rfbook", "reproduce", "first-machine", "--quick"]


def timeless(path):
    """Rows of a results file without their wall times."""
    return [{k: v for k, v in row.items() if k not in TIMES} for row in records.read_records(path)[1]]


def start(folder):
    return subprocess.Popen(RUN, env={**os.environ, "RFBOOK_RESULTS": str(folder)}, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_killed_runs_resume_and_lose_no_row(tmp_path, monkeypatch, capsys):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    monkeypatch.setenv("RFBOOK_RESULTS", str(whole))
    assert cli.main(["reproduce", "first-machine", "--quick"]) == 0
    path = broken / "first_machine_quick.jsonl"
    for lines in (1, 3, 9):  # kill it as soon as there are so many lines, then leave half a line as well
        run = start(broken)
        while run.poll() is None and (not path.exists() or path.read_bytes().count(b"\n") < lines):
            time.sleep(0.005)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        assert run.returncode == -signal.SIGKILL
        kept = path.read_bytes()
        with open(path, "ab") as file:
            file.write(b"" if not kept.endswith(b"\n") else b'{"method": "Fourier + ri')
    before = timeless(path)
    monkeypatch.setenv("RFBOOK_RESULTS", str(broken))
    assert cli.main(["reproduce", "first-machine", "--quick"]) == 0
    after, want = timeless(path), timeless(whole / path.name)
    assert after[: len(before)] == before and after == want
    assert len({json.dumps(row, sort_keys=True) for row in after}) == len(after)
    bytes_ = path.read_bytes()
    assert cli.main(["reproduce", "first-machine", "--quick"]) == 0  # nothing is left to do
    assert path.read_bytes() == bytes_


@dataclass(frozen=True)
class Settings:
    n: int = 1


@pytest.mark.skipif(records.fcntl is None, reason="no locks here")
def test_a_second_process_is_refused(tmp_path):
    path = tmp_path / "x.jsonl"
    code = f"""if True:
        import sys
        from rfbook import records
        from dataclasses import dataclass
        @dataclass(frozen=True)
        class Settings:
            n: int = 1
        try:
            records.run_tasks("x", Settings(), [], {str(path)!r}, progress=False)
        except records.RecordsError as error:
            sys.exit(str(error))
    """

    def second():
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    seen = []
    records.run_tasks("x", Settings(), [({"i": 0}, lambda: seen.append(second()) or {"v": 1})], path, progress=False)
    assert seen[0].returncode == 1
    remedy = "wait for it, or give another RFBOOK_RESULTS"
    assert seen[0].stderr == f"{path} is being written by another process; {remedy}\n"
    assert second().returncode == 0  # and welcome afterwards
    assert [row["v"] for row in records.read_records(path)[1]] == [1]


@pytest.mark.parametrize("content", [
    b"\x00" * 64, b"\x1f\x8b\xff\xfe" * 16 + b"\n", b"\n\n", b'{"experiment": "other", "settings": {}}\n', b"[1]\n",
    b"{}\n",
    b'{"experiment": "first-machine", "settings": {}}\n', b'{"experiment": "first-machine", "settings": 3}\nnull\n',
    b'{"experiment": "first-machine", "settings": {}}\n{"method": \n{"method": "SVC"}\n',
], ids=range(9))
def test_damaged_results_are_refused_and_left_alone(tmp_path, monkeypatch, capsys, content):
    path = tmp_path / "first_machine_quick.jsonl"
    path.write_bytes(content)
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    assert cli.main(["reproduce", "first-machine", "--quick"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("rfbook: ") and str(path) in said and said.count("\n") == 1
    assert any(remedy in said for remedy in ("restore the file or remove it", "move it away"))
    assert path.read_bytes() == content


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser reads everything")
def test_results_that_may_not_be_read(tmp_path, monkeypatch, capsys):
    path = tmp_path / "first_machine_quick.jsonl"
    path.write_text("")
    path.chmod(0)
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    assert cli.main(["reproduce", "first-machine", "--quick"]) == 2
    assert str(path) in capsys.readouterr().err


def test_damaged_machine_code_is_compiled_anew(tmp_path):
    code = """if True:
        import numpy as np
        from rfbook import RandomFourierFeatures
        print(RandomFourierFeatures(n_components=4, random_state=0).fit_transform(np.ones((2, 2))).tobytes().hex())
    """

    def run():
        return subprocess.run([sys.executable, "-W", "error::RuntimeWarning", "-c", code], capture_output=True,
                              text=True, env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)})

    want = run()
    assert want.returncode == 0
    files = [p for p in tmp_path.rglob("*.nb[ic]")]
    assert files
    for name in ("*.nbc", "*.nbi"):
        for file in tmp_path.rglob(name):
            file.write_bytes(file.read_bytes()[:40])
        again = run()
        assert again.returncode == 0 and again.stdout == want.stdout, again.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
def test_machine_code_that_cannot_be_kept_is_made_all_the_same(tmp_path):
    """No file may grow, as on a disk that is full: a fit goes on, and says so once."""
    code = """if True:
        import resource, signal, sys
        if len(sys.argv) > 1:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        import numpy as np
        from rfbook import RandomFourierFeatures
        X = np.arange(6.0).reshape(3, 2)
        for sampling in ("iid", "structured"):  # loops of two modules
            rff = RandomFourierFeatures(n_components=4, length_scale=1.0, sampling=sampling, random_state=0)
            print(rff.fit_transform(X).tobytes().hex())
    """

    def run(*arguments):
        return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True,
                              env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)})

    full, room = run("full"), run()
    assert full.returncode == room.returncode == 0, full.stderr
    assert full.stdout == room.stdout and room.stderr == ""
    if not os.environ.get("NUMBA_DISABLE_JIT"):
        assert full.stderr.count("RuntimeWarning: machine code cannot be kept in") == 1
        assert str(tmp_path) in full.stderr and "NUMBA_CACHE_DIR may name another folder" in full.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there it cannot be removed")
@pytest.mark.parametrize("command", [["reproduce", "first-machine", "--quick"], ["bench", "--quick", "write bytes"],
                                     ["datasets"]], ids=" ".join)
def test_the_command_line_without_a_working_directory_and_without_letters(command, tmp_path, monkeypatch):
    """What needs a folder says so, the rest works; a terminal that knows no sign but ASCII's gets the rest of it."""
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    assert cli.main(command) == 0  # here, so that all it compiles is kept: numba compiles nothing without a directory
    (tmp_path / "first_machine_quick.jsonl").unlink(missing_ok=True)
    (tmp_path / "gone").mkdir()
    code = f"import os, sys; os.rmdir(os.getcwd()); from rfbook.cli import main; sys.exit(main({command!r}))"
    plain = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    def run(**more):
        environment = {k: v for k, v in os.environ.items() if k != "RFBOOK_RESULTS"} | plain | more
        (tmp_path / "gone").mkdir(exist_ok=True)
        return subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment,
                              cwd=tmp_path / "gone")

    needs = command[0] != "datasets"
    alone, given = run(), run(RFBOOK_RESULTS=str(tmp_path))
    said = b"rfbook: the working directory is gone: set RFBOOK_RESULTS to a directory that can be written"
    assert alone.returncode == 2 * needs and (not needs or alone.stderr.strip() == said)
    assert given.returncode == 0 and b"Traceback" not in given.stderr
    if command[0] == "reproduce" and not os.environ.get("NUMBA_DISABLE_JIT"):
        lost = run(RFBOOK_RESULTS=str(tmp_path / "other"), NUMBA_CACHE_DIR=str(tmp_path / "cold"))
        assert lost.returncode == 2 and lost.stderr.endswith(b"rfbook: the working directory is gone; go to one that "
                                                             b"exists\n")
    if command[0] == "reproduce":
        assert b" +- " in given.stdout
