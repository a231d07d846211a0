"""Records of experiments: whole lines or none, one folder, one setting."""

import json
from dataclasses import dataclass

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
