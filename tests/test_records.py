"""Records of experiments: whole lines or none, one folder, one setting."""

import json
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
