"""Records of experiments: whole lines or none, one folder, one setting."""

import errno
import json
import os
import signal
import subprocess
import sys
import warnings
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
    damaged = whole.replace(b'"v": 0', b'"v": 7')
    path.write_bytes(damaged)
    with pytest.warns(records.RecordsWarning, match="line 2 does not agree with its check sum; they are left out"):
        assert records.read_records(path)[1] == rows[1:]
    assert path.read_bytes() == damaged  # who reads changes nothing
    made.clear()
    with pytest.warns(records.RecordsWarning, match="line 2 .*made anew"):
        again = records.run_tasks("x", Settings(), [task(0), task(1)], path, progress=False)
    assert made == [0] and again == [rows[1], rows[0]] == records.read_records(path)[1]


def damaged(rng, lines):
    """A file with one fault, from its lines: what a disk, an editor or a merge may do."""
    lines, i = list(lines), int(rng.integers(len(lines)))
    line = lines[i]
    kind = rng.choice(["bit", "byte", "cut", "digit", "twice", "fields", "swap", "join", "split", "sums", "insert"])
    at = int(rng.integers(len(line)))
    if kind == "bit":
        text = bytearray(b"".join(lines))
        text[rng.integers(len(text))] ^= 1 << rng.integers(8)
        return kind, bytes(text)
    if kind == "byte":
        lines[i] = line[:at] + bytes([rng.integers(256)]) + line[at + 1:]
    elif kind == "cut":
        lines[i] = line[:at] + b"\n" * int(rng.integers(2))
    elif kind == "digit":
        spots = [j for j, c in enumerate(line) if chr(c).isdigit()]
        at = int(rng.choice(spots))
        lines[i] = line[:at] + b"%d" % ((line[at] - 48 + rng.integers(1, 10)) % 10) + line[at + 1:]
    elif kind == "twice":
        lines.insert(int(rng.integers(len(lines) + 1)), line)
    elif kind in ("fields", "swap"):
        parts = line.split(b", ")
        j, k = sorted(rng.choice(len(parts) - 1, 2, replace=False)) if len(parts) > 2 else (0, 0)
        if kind == "fields":
            parts[j], parts[k] = parts[k], parts[j]
            lines[i] = b", ".join(parts)
        else:  # of two lines
            other = int(rng.integers(len(lines)))
            theirs = lines[other].split(b", ")
            k = min(j, len(theirs) - 1)
            parts[j], theirs[k] = theirs[k], parts[j]
            lines[i], lines[other] = b", ".join(parts), b", ".join(theirs)
    elif kind == "join":
        lines[i] = line[:-1]
    elif kind == "split":
        lines[i] = line[:at] + b"\n" + line[at:]
    elif kind == "sums":
        other = lines[int(rng.integers(len(lines)))]
        lines[i] = line[:-15] + other[-15:]
    else:
        lines[i] = line[:at] + bytes(rng.integers(32, 127, rng.integers(1, 5)).astype(np.uint8)) + line[at:]
    return kind, b"".join(lines)


@pytest.mark.parametrize("name", ["first_machine", "scaling"])
def test_of_damaged_lines_no_row_is_read_as_another(name, tmp_path):
    """A thousand faults: the header is whole or refused, rows are those that were written, and losses are said.

    Only the end of a file may go without a word, for that is what killed processes leave.
    """
    path, rng = tmp_path / "x.jsonl", np.random.default_rng(0)
    source = records.book_file(f"results/{name}.jsonl")
    lines = source.read_bytes().splitlines(keepends=True)
    header, rows = records.read_records(source)
    written, told, refused = [json.dumps(row) for row in rows], 0, 0
    for _ in range(500):
        kind, content = damaged(rng, lines)
        path.write_bytes(content)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                found, left = records.read_records(path)
            except records.RecordsError as error:
                refused += 1
                assert str(path) in str(error) and "header" in str(error)
                continue
        said = [str(w.message) for w in caught if w.category is records.RecordsWarning]
        assert json.dumps(found) == json.dumps(header), kind
        remaining = iter(written)
        left = [json.dumps(row) for row in left]
        assert len(set(left)) == len(left) and (all(row in remaining for row in left) or kind == "twice"), kind
        assert set(left) <= set(written), kind
        if content != b"".join(lines) and left != written[: len(left)]:
            assert said, kind
        if kind in ("digit", "fields", "insert", "sums", "swap", "twice") and content != b"".join(lines):
            assert said and str(path) in said[0] and "line " in said[0], kind
        told += bool(said)
    assert told > 300 and refused > 0


def test_a_sum_is_of_all_that_the_line_says(tmp_path):
    """Rows of every kind are written and read as they are; a field may not have the name of the sum."""
    path, header = tmp_path / "x.jsonl", {"experiment": "x", "settings": {}}
    rows = [{}, {"a": ', "check": "0123456789ab"}'}, {"ä": "±\n\r"}, {"n": [1.5, None, True]}, {"x": float("inf")}]
    records.write_records(path, header, rows)
    assert records.read_records(path) == (header, rows)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"\n", b"\r\n"))
    assert records.read_records(path) == (header, rows)  # as some editors end lines
    with pytest.raises(ValueError, match="in the field 'check'"):
        records.write_records(path, header, [{"check": 1}])
    with pytest.raises(ValueError, match="first field"):
        records.write_records(path, {"settings": {}, "experiment": "x"}, [])
    path.write_bytes(whole.replace(b'"check"', b'"chick"'))  # no sum is no way around the sums
    with pytest.raises(records.RecordsError, match="damaged header, line 1"):
        records.read_records(path)


def test_a_disk_that_is_full_in_a_run_is_named_with_the_file(tmp_path, monkeypatch):
    path, sync, made = tmp_path / "x.jsonl", os.fsync, []

    def full(file):
        if len(made) > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(file)

    monkeypatch.setattr(records.os, "fsync", full)
    tasks = [({"i": i}, lambda i=i: made.append(i) or {"v": i}) for i in range(3)]
    with pytest.raises(OSError, match="x.jsonl cannot be written .No space left on device: the 1 rows in it are kept"):
        records.run_tasks("x", Settings(), tasks, path, progress=False)
    monkeypatch.undo()
    assert path.read_bytes().count(b"\n") == 2 and records.read_records(path)[1] == [{"i": 0, "v": 0}]
    assert [row["v"] for row in records.run_tasks("x", Settings(), tasks, path, progress=False)] == [0, 1, 2]
    assert made == [0, 1, 1, 2]


@pytest.mark.skipif(sys.platform == "win32", reason="there it cannot be removed")
def test_a_working_directory_that_is_gone(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    monkeypatch.delenv("RFBOOK_RESULTS", raising=False)
    with pytest.raises(FileNotFoundError, match="working directory is gone: set RFBOOK_RESULTS"):
        records.results_file("x")
    assert records.book_file("results/first_machine.jsonl").is_file()
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    assert records.results_file("x") == tmp_path / "x.jsonl"


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
    row = [json.loads(line) for line in path.read_text().splitlines()][1]
    assert row.pop("check") and row == {"i": 0, "v": 0.5}


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
