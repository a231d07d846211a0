"""Records of experiments: whole lines or none, one folder, one setting."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest

from rfbook import records


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


def test_results_are_json_lines(tmp_path):
    path = tmp_path / "y.jsonl"
    records.run_tasks("y", Settings(), [({"i": 0}, lambda: {"v": 0.5})], path, progress=False)
    assert [json.loads(line) for line in path.read_text().splitlines()][1] == {"i": 0, "v": 0.5}


def test_a_key_finds_its_row_again_whatever_the_task_returns(tmp_path):
    """Numbers of NumPy and tuples come back from the file as Python's, and a result never hides the key."""
    path, made = tmp_path / "z.jsonl", []
    key = {"i": np.int64(2), "pair": (1, np.float32(0.5))}
    tasks = [(key, lambda: made.append(1) or {"i": 99, "v": np.float64(3)})]
    first = records.run_tasks("z", Settings(), tasks, path, progress=False)
    again = records.run_tasks("z", Settings(), tasks, path, progress=False)
    assert made == [1] and again == first == [{"i": 2, "pair": [1, 0.5], "v": 3.0}]
    with pytest.raises(TypeError, match="a record may hold strings, numbers, lists and dicts"):
        records.run_tasks("z", Settings(), [({"i": 3}, lambda: {"v": {1, 2}})], path, progress=False)
    assert records.read_records(path)[1] == first


def test_two_experiments_do_not_share_a_file(tmp_path):
    path = tmp_path / "x.jsonl"
    records.run_tasks("x", Settings(), [], path, progress=False)
    with pytest.raises(records.RecordsError, match="made with other settings"):
        records.run_tasks("y", Settings(), [], path, progress=False)
    other = tmp_path / "letter.txt"
    other.write_text("Dear reader")
    with pytest.raises(records.RecordsError, match="has no header"):
        records.run_tasks("x", Settings(), [], other, progress=False)
    assert other.read_text() == "Dear reader"


def test_summary():
    rows = [{"m": "b", "n": 1, "v": 1.0}, {"m": "a", "n": 1, "v": 5}, {"m": "b", "n": 1, "v": 4.0}, {"n": 1, "v": 7.0}]
    b, a, none = records.summary(rows, ["m", "n"], ["v"])
    assert b == {"m": "b", "n": 1, "count": 2, "v": 2.5, "v_se": pytest.approx(1.5)}
    assert a == {"m": "a", "n": 1, "count": 1, "v": 5.0, "v_se": None} and none["m"] is None
    x = np.random.default_rng(0).standard_normal(50)
    (made,) = records.summary([{"v": v} for v in x], [], ["v"])
    assert made["v"] == pytest.approx(x.mean()) and made["v_se"] == pytest.approx(np.std(x, ddof=1) / 50**0.5)


def test_files_of_the_book(tmp_path, monkeypatch):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    found = records.book_file("results/first_machine.jsonl")
    assert found.is_file() and tmp_path not in found.parents
    own = tmp_path / "first_machine.jsonl"
    own.write_text("mine")
    assert records.book_file("results/first_machine.jsonl") == own  # a reader's own results come first
    with pytest.raises(FileNotFoundError, match="no data file 'papers/nothing.csv'"):
        records.book_file("papers/nothing.csv")


# ---- files that are written as a whole -------------------------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from rfbook.records import replace_file

def write(file):
    file.write(b"of the ch")
    file.flush()
    print("half", flush=True)
    sys.stdin.readline()
    file.write(b"ild")

replace_file(Path(sys.argv[1]), write)
"""


@pytest.fixture
def writer(tmp_path):
    """A process that has written half a file."""
    child = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path / "x.npz")], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "half\n"
    yield child
    child.kill()
    child.communicate()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def put(path, content):
    records.replace_file(path, lambda file: file.write(content))


@pytest.mark.skipif(records.fcntl is None, reason="no locks on this system")
def test_what_a_killed_process_left_is_removed(tmp_path, writer):
    (left,) = names(tmp_path)
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    others = ["x.npz.new", "y.npz.1.2.new", "x.npz.tar.1.2.new", "x.npz.1.2.new.txt", "xxnpz.1.2.new"]
    for name in others:
        (tmp_path / name).touch()
    assert left.endswith(".new")
    put(tmp_path / "y.npz.1.2", b"")  # of another place
    assert left in names(tmp_path)
    put(tmp_path / "x.npz", b"whole")
    assert names(tmp_path) == sorted([*others, "x.npz", "y.npz.1.2"]) and (tmp_path / "x.npz").read_bytes() == b"whole"


@pytest.mark.skipif(records.fcntl is None, reason="no locks on this system")
def test_what_a_living_process_writes_stays(tmp_path, writer):
    put(tmp_path / "x.npz", b"of the parent")
    assert len(names(tmp_path)) == 2 and (tmp_path / "x.npz").read_bytes() == b"of the parent"
    writer.communicate("go on\n")
    assert writer.returncode == 0 and (tmp_path / "x.npz").read_bytes() == b"of the child"
    assert names(tmp_path) == ["x.npz"]


@pytest.mark.skipif(records.fcntl is None, reason="no locks on this system")
def test_a_writer_whose_file_is_taken_for_dead_begins_anew(tmp_path, monkeypatch):
    """Between making a file and locking it somebody else may remove it; here that happens twice."""
    lock, lost = records._locked, []

    def late(file, wait):
        if wait and len(lost) < 2:
            lost.append(file.name)
            os.unlink(file.name)
        lock(file, wait)

    monkeypatch.setattr(records, "_locked", late)
    put(tmp_path / "x.npz", b"whole")
    assert len(lost) == 2 and names(tmp_path) == ["x.npz"] and (tmp_path / "x.npz").read_bytes() == b"whole"


def test_many_writers_of_one_place_leave_one_whole_file(tmp_path):
    code = ("import sys\nfrom rfbook.records import replace_file\n"
            "for i in range(100):\n    replace_file(sys.argv[1], lambda file: file.write(b'%03d' % i * 1000))\n")
    path = tmp_path / "x.npz"
    children = [subprocess.Popen([sys.executable, "-c", code, str(path)]) for _ in range(3)]
    assert [child.wait() for child in children] == [0, 0, 0]
    assert names(tmp_path) == ["x.npz"] and path.read_bytes() == b"099" * 1000


def test_a_writer_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    put(tmp_path / "x.npz", b"before")

    def fails(file):
        file.write(b"half")
        raise KeyError("x")

    with pytest.raises(KeyError):
        records.replace_file(tmp_path / "x.npz", fails)
    with pytest.raises(FileNotFoundError):
        put(tmp_path / "nowhere" / "x.npz", b"")
    monkeypatch.setattr(records, "fcntl", None)  # as on Windows
    put(tmp_path / "x.npz", b"after")
    assert names(tmp_path) == ["x.npz"] and (tmp_path / "x.npz").read_bytes() == b"after"
