"""The run of the benchmark: what is skipped, resumed, written and shown. Nothing here is timed."""

import dataclasses
import os
import sys

import pytest

from rfbook import cli, records
from rfbook.lab import bench
from rfbook.lab.bench import roofline, runner
from rfbook.lab.bench.cases import cases

CASES = cases("tiny")
LINUX = sys.platform.startswith("linux")
MB = 10**6


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    return tmp_path


def test_the_package_has_its_names_and_loads_them_when_used():
    import subprocess

    assert bench.run is runner.run and bench.main is runner.main and bench.cases.cases is cases
    assert set(bench.__all__) <= set(dir(bench)) and bench.Settings is runner.Settings
    assert [getattr(bench, name) for name in bench.__all__]
    code = "import sys, rfbook.lab.bench; print([m for m in ('numpy', 'sklearn', 'numba') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        bench.nothing  # noqa: B018


def test_one_quick_case_from_the_command_line(capsys, place):
    assert cli.main(["bench", "--quick", "ridge"]) == 0
    assert "RBFSampler + Ridge" in capsys.readouterr().out
    assert not list(place.iterdir())
    assert cli.main(["bench", "no such case"]) == 2
    assert "matches no case" in capsys.readouterr().err


def test_a_peer_that_is_not_there_is_skipped(monkeypatch, place, capsys):
    monkeypatch.setattr(runner, "find_spec", lambda name: None)
    monkeypatch.setattr(runner, "interleaved", lambda *a, **k: pytest.fail("timed"))
    assert cli.main(["bench", "--quick", "PyTorch"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "skipped" in line]
    absent = [c.peer for c in CASES if "PyTorch" in c.peer]
    said = [f"- skipped: {peer} is not installed." for peer in dict.fromkeys(absent)]
    assert len(lines) == len(absent) + len(said) and lines[-len(said):] == said
    assert "- skipped: PyTorch is not installed." in said


@pytest.mark.parametrize("error", [ImportError("undefined\nsymbol"), OSError("cannot load")])
def test_a_peer_that_is_broken_is_skipped(monkeypatch, error):
    number = next(i for i, c in enumerate(CASES) if c.needs)

    def broken(problem):
        raise error

    made = [*CASES]
    made[number] = dataclasses.replace(CASES[number], theirs=broken, needs="json")
    monkeypatch.setattr(runner, "cases", lambda size: made)
    said = runner._measure("tiny", number)["skipped"]
    assert said.startswith("PyTorch cannot be imported: ") and "\n" not in said
    made[number] = dataclasses.replace(CASES[number], theirs=broken, needs="")
    with pytest.raises(type(error)):
        runner._measure("tiny", number)


def test_a_child_that_fails_does_not_take_the_times_with_it(monkeypatch):
    def fail(*a):
        raise ValueError("work cannot be measured; the child process ended with: MemoryError")

    monkeypatch.setattr(runner, "child_memory", fail)
    row = {"case": "c", "dtype": "float32", "peer": "p", "kind": "ratio", "n": 7, "how": "so", "goal": 0.0,
           "ratio": 2.0, "low": 1.0, "high": 4.0, "ours_seconds": 0.001, "peer_seconds": 0.002}
    found = runner._memory("tiny", 0)
    if LINUX:
        assert "MemoryError" in found["memory_failed"]
        assert "failed" in runner.report([{**row, **found}])


def _fake(monkeypatch, names=("map one", "map two", "ridge"), fail=None):
    """Replace the measurements by counting ones; returns the list of what was measured."""
    done = []

    def measure(name):
        if name == fail:
            raise KeyboardInterrupt
        done.append(name)
        return {"n": 5, "how": "not at all", "goal": 2.0, "ratio": 1.0 + len(done), "low": 1.0, "high": 9.0,
                "repeats": 3, "ours_seconds": 0.1, "peer_seconds": 0.2, "ours_bytes": 10 * MB, "peer_bytes": 20 * MB}

    def tasks(quick):
        return [({"case": n, "dtype": "float32", "peer": "nobody", "kind": "ratio"}, lambda n=n: measure(n))
                for n in names]

    monkeypatch.setattr(runner, "_tasks", tasks)
    return done


def test_a_killed_run_resumes(place, monkeypatch, capsys):
    first = _fake(monkeypatch, fail="ridge")
    assert cli.main(["bench"]) == 130
    assert first == ["map one", "map two"] and not (place / "bench.jsonl").exists()
    second = _fake(monkeypatch)
    assert cli.main(["bench"]) == 0
    assert second == ["ridge"]
    header, rows = records.read_records(place / "bench.jsonl")
    assert [row["case"] for row in rows] == ["map one", "map two", "ridge"]
    assert header["settings"]["processor"] and "numpy" in header["settings"]["libraries"]
    assert os.listdir(place) == ["bench.jsonl"]
    out = capsys.readouterr().out
    assert "written to" in out and out.startswith(f"rows go to {place / 'bench_unfinished.jsonl'}, which becomes")


def test_an_unfinished_run_of_another_machine_is_not_continued(place, monkeypatch, capsys):
    _fake(monkeypatch, fail="ridge")
    assert cli.main(["bench"]) == 130
    done = _fake(monkeypatch)
    monkeypatch.setattr(runner, "this_processor", lambda: "another")
    assert cli.main(["bench"]) == 2
    assert "other settings" in capsys.readouterr().err and not done


def test_a_part_is_shown_and_not_written(place, monkeypatch, capsys):
    done = _fake(monkeypatch)
    assert cli.main(["bench", "map"]) == 0
    assert done == ["map one", "map two"] and not os.listdir(place)
    out = capsys.readouterr().out
    assert out.count("nobody") == 2 and out.startswith("nothing is written\n")


def test_a_part_takes_its_place(place, monkeypatch, capsys):
    _fake(monkeypatch)
    assert cli.main(["bench"]) == 0
    before = records.read_records(place / "bench.jsonl")[1]
    _fake(monkeypatch, names=("map one", "map two", "ridge", "map three"))
    assert cli.main(["bench", "map t", "--write"]) == 0
    after = records.read_records(place / "bench.jsonl")[1]
    assert [row["case"] for row in after] == ["map one", "map two", "ridge", "map three"]
    assert after[0] == before[0] and after[2] == before[2]
    assert before[1]["ratio"] == 3.0 and after[1]["ratio"] == 2.0
    monkeypatch.setattr(runner, "this_processor", lambda: "another")
    old = (place / "bench.jsonl").read_bytes()
    assert cli.main(["bench", "map", "--write"]) == 2
    assert "another machine" in capsys.readouterr().err and (place / "bench.jsonl").read_bytes() == old
    assert os.listdir(place) == ["bench.jsonl"]


def test_what_cannot_be_written_is_said_before_the_work(place, monkeypatch, capsys):
    done = _fake(monkeypatch)
    records.write_records(place / "bench.jsonl", {"experiment": "bench", "settings": {"quick": False}}, [])
    before = (place / "bench.jsonl").read_bytes()
    assert cli.main(["bench", "map", "--write"]) == 2 and "another machine" in capsys.readouterr().err
    (place / "bench.jsonl").write_text("no record\n")
    assert cli.main(["bench", "map", "--write"]) == 2 and "no header" in capsys.readouterr().err
    (place / "bench.jsonl").write_bytes(before)
    assert os.listdir(place) == ["bench.jsonl"]  # no folder is left behind
    monkeypatch.setenv("RFBOOK_RESULTS", str(place / "bench.jsonl" / "below"))
    for arguments in (["bench"], ["bench", "map", "--write"]):
        assert cli.main(arguments) == 2
        said = capsys.readouterr().err
        assert "set RFBOOK_RESULTS to a directory that can be written" in said and said.count("\n") <= 2
    assert not done


def test_a_wrong_pattern_is_one_sentence(place, monkeypatch, capsys):
    done = _fake(monkeypatch)
    for arguments in (["bench", "nothing"], ["bench", "nothing", "--write"], ["bench", "--quick", "nothing"]):
        assert cli.main(arguments) == 2
        said = capsys.readouterr().err
        assert "pattern 'nothing' matches no case" in said and "map one, map two, ridge" in said
        assert said.count("\n") == 1
    assert not done and not os.listdir(place)
    assert cli.main(["bench", "NOBODY"]) == 0 and len(done) == 3  # capitals or not


def test_another_version_is_another_file(place, monkeypatch):
    import rfbook

    before = runner._settings(False)
    assert before == runner._settings(False) and f"rfbook {rfbook.__version__}" in before.libraries
    monkeypatch.setattr(rfbook, "__version__", "99")
    assert before != runner._settings(False)


def test_a_part_alone_begins_a_file(place, monkeypatch, capsys):
    _fake(monkeypatch)
    assert cli.main(["bench", "ridge", "--write"]) == 0
    assert [row["case"] for row in records.read_records(place / "bench.jsonl")[1]] == ["ridge"]


def test_small_sizes_are_no_results(place, capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["bench", "--quick", "--write"])
    with pytest.raises(ValueError, match="exclude"):
        runner.main(quick=True, write=True)


def test_one_real_case_and_its_record(place, capsys):
    rows = runner.run(quick=True, pattern="paired map, d 16, D 2000 float32 scikit", path=place / "x.jsonl")
    (row,) = rows
    assert row["n"] == 1000 and row["d"] == 16 and row["D"] == 2000 and row["how"] and row["repeats"] == 3
    assert 0 < row["low"] <= row["ratio"] <= row["high"] and row["ours_seconds"] > 0 and row["peer_seconds"] > 0
    assert records.read_records(place / "x.jsonl")[1] == [row]
    table = runner.report(rows)
    assert "- a: transform" in table and "nan" not in table
    assert len({len(line) for line in table.splitlines() if line.startswith("|")}) == 1  # columns of even width


def test_a_chapter_reads_a_file_with_nothing_in_it():
    assert runner.report([]) == ""


def test_a_whole_run_measures_the_machine_too():
    kinds = [key["kind"] for key, _ in runner._tasks(quick=True)]
    assert kinds.count("start") == 1 and kinds.count("roof") == len(roofline.tasks(quick=True))
    assert kinds.count("first") == len(runner._USES)
    assert len(kinds) == len(CASES) + kinds.count("roof") + kinds.count("first") + 1


def test_what_a_first_use_compiles():
    """A map costs what its loops do, and the table says so; the example of the function, that nothing costs nothing."""
    row = runner._first_use("rfbook.RandomFourierFeatures(length_scale=3.0).fit_transform(X)", 1)
    assert row["ours_seconds"] > 0.01 and row["repeats"] == 1
    table = runner.report([{"case": "first use of a map", "kind": "first", **row}])
    assert "The first use of a map compiles for" in table and "|" not in table


def test_an_old_file_is_still_shown():
    """Rows of before there were sizes, memory, errors and roofs."""
    rows = [{"case": "paired map, d 16, D 2000", "dtype": "float32", "peer": "nobody", "kind": "ratio", "goal": 2.5,
             "ratio": 3.4, "low": 3.3, "high": 3.5, "repeats": 15, "ours_seconds": 0.02, "peer_seconds": 0.08},
            {"case": "import rfbook", "kind": "start", "ours_seconds": 0.0003}]
    table = runner.report(rows)
    assert "3.40" in table and "3.30-3.50" in table and "`import rfbook`" in table and "roof" not in table


def test_the_table_of_all_kinds():
    row = {"case": "c", "dtype": "float32", "peer": "p", "kind": "ratio", "n": 7, "how": "so", "goal": 3.0,
           "ratio": 2.0, "low": 1.0, "high": 4.0, "repeats": 3,
           "ours_seconds": 0.001, "peer_seconds": 0.002, "ours_bytes": 5 * MB,
           "peer_bytes": 6 * MB, "ours_error": 0.01, "peer_error": 0.02}
    table = runner.report([row, {**row, "skipped": "p is not installed"}, {**row, "kind": "cost", "goal": 0.0},
                          {"case": "product", "dtype": "float32", "kind": "roof", "threads": "all", "rate": 2e11,
                           "unit": "operations/s", "count": 2, "repeats": 3}])
    for cell in ("2.00", "1.00-4.00", "3, missed", "1.0/2.0", "5/6", "0.01/0.02", "all (2)", "200",
                 "- skipped: p is not installed.", "- a: so."):
        assert cell in table, cell
    for most, cell in ((5 * MB, "5/6 (goal 5)"), (4 * MB, "5/6 (goal 4, missed)")):
        assert f"| {cell} " in runner.report([{**row, "most": most}])
