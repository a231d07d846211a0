"""Changed cells are tried with what they need and what uses them, and a failure is named by cell and line."""

import json

import pytest

from rfdev import trial
from rfdev.cells import Cell

CELLS = ["import math\nrng = [3, 1, 2]", "def half(x):\n    return x / math.pi * math.pi / 2",
         "big = [i for i in range(9)]", "rng.sort()", "assert half(rng[0]) == 0.5",
         "for x in big:\n    last = x\nassert last == 8",
         "half = None\nassert x == 8"]


def of(sources):
    return trial.Trial([Cell(i, "code", source) for i, source in enumerate(sources, 1)])


@pytest.mark.parametrize(("tried", "users", "needed"), [
    ({0}, {1, 3, 4}, [0, 1, 3, 4]), ({1}, {4}, [0, 1, 3, 4]), ({2}, {5}, [2, 5]), ({5}, {6}, [2, 5, 6]),
    ({6}, set(), [2, 5, 6])])
def test_what_is_run(tried, users, needed):
    made = of(CELLS)
    assert made.users(tried) == users
    assert made.needed(tried | users) == needed


@pytest.mark.parametrize(("code", "binds", "uses", "touches"), [
    ("x = y + 1", "x", "y", ""), ("x += 1", "x", "x", ""), ("x.a = y", "", "x y", "x"),
    ("x[0].b(y).c()", "", "x y", "x"), ("def f(a=y):\n    return a + z", "f", "y z", ""),
    ("for i in y:\n    i + z", "i", "y z", ""),
    ("with a as b:\n    b()", "b", "a", ""), ("[i for i in y]\nlambda u: u + v", "", "y v", ""),
    ("x = 1\nprint(x)", "x", "", ""), ("import a.b as c, d.e", "c d", "", ""), ("no python", "", "", ""),
    ("class A(B):\n    c = D", "A", "B D", "")])
def test_names(code, binds, uses, touches):
    found = trial.Names.of(code)
    assert [set(part) for part in (found.binds, found.uses, found.touches)] == [
        set(part.split()) for part in (binds, uses, touches)]


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    monkeypatch.setattr(trial, "ROOT", tmp_path)
    path = tmp_path / "a.ipynb"

    def write(sources, before):
        cells = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
        path.write_text(json.dumps({"cells": cells}))
        monkeypatch.setattr(trial, "committed", lambda _: before)
        return path

    return write


@pytest.mark.parametrize(("sources", "changed", "said"), [
    (["x = 1", "y = 1 / 0", "#| export\n\nassert x == 2, 'no'"], 2, ["a.ipynb, cell 3, line 3: AssertionError: no",
                                                                 "assert x == 2, 'no'"]),
    (["x = 1", "y = x\ny = (\n"], 1, ["a.ipynb, cell 2, line 2: '(' was never closed"]),
    (["def f():\n    return 1 / 0", "f()"], 1, ["cell 2, line 1: ZeroDivisionError",
                                                         "cell 1, line 2, in f: return 1 / 0"]),
])
def test_a_failing_cell_is_named_with_its_line(notebook, capsys, sources, changed, said):
    path = notebook(sources, sources[:changed] + sources[changed + 1 :])
    if "1 / 0" in sources[1]:  # not needed, but it fails when all cells before are run
        said = ["a.ipynb, cell 2, line 1: ZeroDivisionError"]
    assert trial.tell(path, [], alone=False) == 1
    told = capsys.readouterr().out
    assert all(part in told for part in said) and "FAILED" in told


def test_a_cell_that_passes_after_all_others_has_not_failed(notebook, capsys):
    """What no name shows: the slice fails, the notebook does not."""
    sources = ["import os\nos.environ['RFBOOK_TRIAL'] = '1'", "print('run')",
               "import os as o\nassert o.environ['RFBOOK_TRIAL']"]
    assert trial.tell(notebook(sources, sources[:2]), [], alone=False) == 0
    assert "passed; tried 3" in capsys.readouterr().out


def test_unchanged_and_skipped_cells_are_not_tried(notebook, capsys):
    sources = ["#| default_exp a", "#| slow\n1 / 0", "x = 1"]
    assert trial.tell(notebook(sources, ["x = 1"]), [], alone=False) == 0
    assert "no code has changed" in capsys.readouterr().out
    assert trial.tell(notebook(sources, sources), [2], alone=False) == 1
    assert "have the numbers 3" in capsys.readouterr().out


def test_what_a_notebook_asks_of_its_shell_is_there(notebook, capsys):
    path = notebook(["x = get_ipython().display_formatter.format(3)", "assert x[0] == {'text/plain': '3'}"], [])
    assert trial.tell(path, [], alone=False) == 0
    assert "passed" in capsys.readouterr().out
