"""The wall between answers and checks: bad submissions, the five cheats, and what may pass."""

import csv
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import nbformat
import numpy as np
import pytest
from planted import LONG
from scipy import sparse

from rfbook.lab.coursework import Missed
from rfdev import ROOT, cells
from rfdev.marking import checks as runner
from rfdev.marking import wire
from rfdev.marking.cli import main
from rfdev.marking.limits import Limits
from rfdev.marking.run import run_notebook, unbound
from rfdev.marking.wall import _probe, wall

NAME = "assignment1"


def notebook(answers, checks, *, first=""):
    """The setup, some answers of the master or others, and some checks."""
    out = []
    for cell in runner.master(NAME):
        if cells.kind(cell) == "locked" or cells.grade_id(cell) in {*answers, *checks} if cells.kind(cell) else False:
            source = answers.get(cells.grade_id(cell)) or cell["source"]
            out.append(nbformat.v4.new_code_cell(source, metadata=cell["metadata"]))
    if first:
        out.insert(1, nbformat.v4.new_code_cell(first))
    return nbformat.v4.new_notebook(cells=out)


def failed(nb):
    """What each check that failed said, by name."""
    return {cells.grade_id(c): o.evalue for c in nb.cells if cells.kind(c) == "check" for o in c.outputs
            if o.output_type == "error"}


# ---- cheats: no marks, and a remark ---------------------------------------------------------------------------------

TRACEBACK = """
import sys

def variances(k_delta, k_2delta, n_components):
    try:
        raise ValueError
    except ValueError:
        frame = sys.exc_info()[2].tb_frame
    while frame:
        for name in ("bounds", "fourier_variance"):
            if name in frame.f_locals and "k_delta" in frame.f_locals and frame.f_code.co_name != "variances":
                found = frame.f_locals["bounds"].fourier_variance
                return tuple(found(k_delta, k_2delta, n_components, phase) for phase in ("paired", "offset"))
        frame = frame.f_back
    return 0.0, 0.0
"""
SETATTR = """
import importlib

name = "rfbook.lab." + "course" + "work"
module = importlib.import_module(name)
for part in ("within", "check", "parts", "numbers"):
    setattr(module, part, lambda *a, **k: a[0])

def variances(*a):
    return 0.0, 0.0
"""
HOOK = """
import sys

class Loader:
    @staticmethod
    def find_spec(name, path=None, target=None):
        import importlib.machinery
        import types
        if name != "rfbook.lab.coursework":
            return None
        class Make:
            def create_module(self, spec):
                return types.ModuleType(spec.name)
            def exec_module(self, module):
                module.__getattr__ = lambda name: (lambda *a, **k: a[0] if a else None)
        return importlib.machinery.ModuleSpec(name, Make())

sys.modules.pop("rfbook.lab.coursework", None)
sys.meta_path.insert(0, Loader)

def variances(*a):
    return 0.0, 0.0
"""
TRANSFORMER = """
def nothing(lines):
    return ["pass"] if any("marks)" in line for line in lines) else lines

get_ipython().input_transformers_cleanup.append(nothing)

def variances(*a):
    return 0.0, 0.0
"""
MASTER = f"""
import json
from pathlib import Path

def variances(*a):
    found = json.loads(Path({str(ROOT / "nbs/coursework/assignment1.ipynb")!r}).read_text())
    source = next("".join(c["source"]) for c in found["cells"] if "def variances" in "".join(c["source"]))
    names = {{}}
    exec(source, names)
    return names["variances"](*a)
"""

# a checkout below the folder for temporary files lies where an answer may look, and finds nothing behind the wall
HERE_IS_TEMPORARY = ROOT.resolve().is_relative_to(Path(tempfile.gettempdir()).resolve())


@pytest.mark.parametrize("source,remark", [
    (TRACEBACK, ""), (SETATTR, "has replaced rfbook.lab.coursework.within"),
    (HOOK, "has changed how modules are imported"), (TRANSFORMER, "has changed how cells are read"),
    (MASTER, "" if HERE_IS_TEMPORARY else "tried to open"),
], ids=["traceback", "setattr", "import hook", "input transformer", "master"])
def test_a_cheat_gets_no_marks_and_a_remark(source, remark, course):
    nb = notebook({"variances": source}, {"variance-paired", "variance-offset"})
    notes = run_notebook(nb, Limits(), 3)
    assert failed(nb).keys() == {"variance-paired", "variance-offset"}
    assert any(remark in note and "a person should look" in note for note in notes) or not remark
    assert odd(course, source)  # in its words, too


def odd(course, source):
    """What the repair of a submission says of an answer."""
    from rfdev.marking.repair import repair

    released = nbformat.read(course / "release" / NAME / f"{NAME}.ipynb", as_version=4)
    raw = json.loads(nbformat.writes(released))
    for cell in raw["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "variances":
            cell["source"] = source
    return [n for n in repair(json.dumps(raw).encode(), released)[1] if "a person should look" in n]


def test_what_an_answer_gives_is_never_unpickled(tmp_path):
    evil = tmp_path / "was here"
    nb = notebook({"variances": f"""
class Evil:
    def __reduce__(self):
        return (open, ({str(evil)!r}, "w"))

    def __array__(self, *a, **k):
        raise RuntimeError

def variances(*a):
    return Evil(), Evil()
"""}, {"variance-paired"})
    run_notebook(nb, Limits(), 3)
    assert "variance-paired" in failed(nb) and not evil.exists()


@pytest.mark.skipif(not wall().name, reason="this system has no wall")
def test_no_network_and_no_files_behind_the_wall(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("7")
    nb = notebook({"missing": f"""
import ctypes, os, socket
libc = ctypes.CDLL(None)
found = [libc.open({str(secret).encode()!r}, os.O_RDONLY), libc.open({str(ROOT / "nbs").encode()!r}, os.O_RDONLY),
         libc.open({str(tmp_path / "new").encode()!r}, os.O_RDWR | os.O_CREAT, 0o600)]
found.append(libc.unlink({str(secret).encode()!r}))
net = [name for _, name in socket.if_nameindex() if name != "lo"]
seed = [v for v in os.environ if "SEED" in v]
print(found, net, seed)
"""}, set())
    run_notebook(nb, Limits(), 3)
    assert nb.cells[1].outputs[0].text == "[-1, -1, -1, -1] [] []\n", nb.cells[1].outputs
    assert secret.read_text() == "7" and not (tmp_path / "new").exists()


@pytest.mark.skipif(not wall().name, reason="this system has no wall")
def test_no_folder_is_left_of_a_wall(tmp_path, monkeypatch):
    folders = [tmp_path / "here", tmp_path / "temporary"]
    for folder in folders:
        folder.mkdir()
    monkeypatch.chdir(folders[0])
    monkeypatch.setattr(tempfile, "tempdir", str(folders[1]))
    monkeypatch.setenv("TMPDIR", str(folders[1]))
    assert _probe(wall().name) == ""
    assert run_notebook(notebook({}, {"missing-hypothesis"}), Limits(), 3) == []
    assert [os.listdir(folder) for folder in folders] == [[], []]


def test_where_there_is_no_wall_it_is_said():
    command = [sys.executable, "-c", "from rfdev.marking.wall import wall; print(wall().sentence)"]
    env = {"RFBOOK_WALL": "none", "PYTHONPATH": str(ROOT / "tools")}
    done = subprocess.run(command, text=True, capture_output=True, check=True, env=env)
    assert "there is no wall around answers" in done.stdout and "Install bubblewrap" in done.stdout


# ---- bad submissions ------------------------------------------------------------------------------------------------

FORKS = """
import os, time

def flat_witness():
    for _ in range(200):
        if os.fork() == 0:
            time.sleep(60)
"""
# three gigabytes, more than a submission may take; then they only wait, since the rest would be more of the same
PRINTS = """
import time

def true_of_indicator():
    for _ in range(300_000):
        print("for ever " * 1000)
    while True:
        time.sleep(60)
"""
DELETES = f"""
import os, shutil

def ridge_primal(Z, y, alpha):
    for place in ("..", ".", "/", "{ROOT}/nbs/coursework", "{{folder}}"):
        shutil.rmtree(place, ignore_errors=True)
    return np.linalg.solve(Z.T @ Z + alpha * np.eye(Z.shape[1]), Z.T @ y)
"""
LOUD = "import time\nfor _ in range(300_000):\n    print('x' * 10000)\nwhile True:\n    time.sleep(60)\n"


def hand_in(course, student, answers=None, text=None):
    """The released notebook with some answers, or any text."""
    path = course / "submitted" / student / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    if text is None:
        nb = json.loads((course / "release" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8"))
        for cell in nb["cells"]:
            mark = cell["metadata"].get("nbgrader", {})
            if mark.get("solution") and mark["grade_id"] in (answers or {}):
                cell["source"] = answers[mark["grade_id"]]
        text = json.dumps(nb)
    path.write_text(text, encoding="utf-8")


def test_bad_submissions_are_marked_without_harm(course):
    master, asked = runner.master(NAME), cells.questions(runner.master(NAME))
    ours = {cells.grade_id(c): c["source"] for c in master if cells.kind(c) == "answer"}
    ours = {answer: source for answer, source in ours.items() if answer not in LONG}
    answered = {asked[answer] for answer in ours}
    worth = {check: marks for check, marks in runner.points(NAME).items() if asked[check] in answered}
    keep = [ROOT / "nbs" / "coursework" / f"{NAME}.ipynb", course / "release" / NAME / f"{NAME}.ipynb"]
    before = [p.read_bytes() for p in keep]
    hand_in(course, "good", ours)
    hand_in(course, "empty", text="")
    hand_in(course, "picture", text="\x89PNG not a notebook")
    hand_in(course, "large", text='{"cells": [], "x": "' + "x" * 50 * 2**20 + '"}')
    hand_in(course, "wild", ours | {"witness": FORKS, "missing": PRINTS,
                                    "primal": DELETES.replace("{folder}", str(course)), "phases": LOUD})
    assert main(["grade", NAME, "--folder", str(course), "--seed", "5", "--cell-limit", "30", "--jobs", "1"]) == 1
    with open(course / "grades.csv", newline="", encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert [p.read_bytes() for p in keep] == before
    assert float(rows["good"]["score"]) == sum(worth.values()) and rows["good"]["remarks"] == ""
    for student, words in {"empty": "the file is empty", "picture": "damaged", "large": "the file has 50 MB"}.items():
        assert rows[student]["status"] == "unreadable" and words in rows[student]["remarks"]
    lost = {"primal-residual", "witness-negative", "missing-hypothesis"}
    assert float(rows["wild"]["score"]) == sum(v for k, v in worth.items() if k not in lost), rows["wild"]["remarks"]
    for words in ("missing-hypothesis: stopped after 30 s", "phases: stopped after 30 s", "tried to remove",
                  "started more than 64 processes"):
        assert words in rows["wild"]["remarks"]


# ---- what passes between them ---------------------------------------------------------------------------------------


def passed(value):
    """A value on the other side."""
    a, b = socket.socketpair()
    with a, b:
        buffers = []
        tree = wire.encode(value, buffers)
        sender = threading.Thread(target=wire.send, args=(a, tree, buffers))
        sender.start()
        found, arrays = wire.receive(b)
        sender.join()
        return wire.decode(found, arrays)


@pytest.mark.parametrize("value", [
    None, True, 3, -(10**30), 0.5, 2 + 1j, "word", np.float32(0.5), np.arange(6).reshape(2, 3).T, np.zeros((0, 3)),
    np.ones((2, 2), dtype=np.float32), (np.ones(2), 1.0), [1, [2.0, "a"]], np.array(3.0),
], ids=repr)
def test_what_passes_is_what_was_given(value):
    found = passed(value)
    assert type(found) is type(value)
    if isinstance(value, (tuple, list)):
        assert all(np.array_equal(a, b) for a, b in zip(found[:1], value[:1], strict=True)) and len(found) == len(value)
    else:
        np.testing.assert_array_equal(found, value)
        assert getattr(found, "dtype", None) == getattr(value, "dtype", None)


def test_sparse_matrices_generators_and_long_lists_pass():
    Z = sparse.random(5, 7, 0.4, random_state=0, format="coo")
    assert (passed(Z) != Z.tocsr()).nnz == 0
    rng = np.random.default_rng(3)
    rng.spawn(2), rng.random(5)
    other = passed(rng)
    assert other.random() == rng.random() and np.isnan(passed(float("nan")))
    rows = np.random.default_rng(0).random((3000, 2)).tolist()
    assert np.array_equal(passed(rows), rows) and isinstance(passed(rows), list)


def test_what_cannot_pass_leaves_its_name():
    found = passed({"a": 1})
    assert type(found).__name__ == "dict" and not isinstance(found, dict)
    assert type(passed(open)).__name__ == "builtin_function_or_method"


def indices_outside():
    return {"s": [[2, 2], {"a": []}, {"a": []}, {"a": []}]}, [np.ones(1), np.array([10**6]), np.array([0, 1, 1])]


@pytest.mark.parametrize("tree,buffers", [
    indices_outside(), ({"a": []}, []), ({"?": 1}, []), ({"i": "x" * 10}, []), ({"i": "9" * 10_000}, []), ([1], []),
    ({"g": [{"bit_generator": "Evil"}, 0]}, []), ({"l": 3}, []), ({"n": {"o": 1}}, []),
], ids=str)
def test_garbled_values_are_named(tree, buffers):
    with pytest.raises(wire.Garbled):
        wire.decode(tree, iter(buffers))


@pytest.mark.parametrize("head,body", [(b"[", b""), (b"[1, [[\"O\", [1]]]]", b"x" * 8),
                                       (b"[1, [[\"<f8\", [-1]]]]", b""),
                                       (b"[1, [[\"<f8\", [2]]]]", b"x" * 8), (b"[" * 10**5, b"")])
def test_garbled_messages_are_named(head, body):
    a, b = socket.socketpair()
    with a, b:
        a.sendall(wire._HEAD.pack(len(head), len(body)) + head + body)
        with pytest.raises(wire.Garbled):
            wire.receive(b)


def test_the_names_of_answers_are_those_that_a_check_does_not_make():
    source = "import a as b\nfor i in r:\n    x = f(i, b, lambda y: g(y), h)"
    assert sorted(unbound(source, {"h", "r"})) == ["f", "g"]


# ---- the checks see through the wall what they see without it ------------------------------------------------------


@pytest.mark.parametrize("case", ["the length scale spoilt", "the global generator", "a copy of the generator",
                                  "a seed of its own"])
def test_rules_hold_through_the_wall(case):
    from assignment1 import WRONG

    nb = notebook(WRONG[case][0], {"gaussian-law"})
    check, names = nb.cells[-1], {"__name__": "__main__"}
    # the rules of this check and not the law, about which it asks five thousand times
    rules = [line for line in check.source.split("\n") if re.match("import|from|rng|by_generator|ask", line)]
    assert [line[:3] for line in rules[-3:]] == ["by_", "by_", "ask"]
    check.source = "\n".join(rules)
    with pytest.raises(Missed) as here:
        for cell in nb.cells:
            exec(cell.source, names)
    run_notebook(nb, Limits(), 1)
    assert failed(nb) == {"gaussian-law": str(here.value)}


def test_other_right_answers_pass_through_the_wall():
    from assignment1 import RIGHT

    for answers in (RIGHT["the library, and other words"],):
        asked = cells.questions(runner.master(NAME))
        numbers = {asked[a] for a in answers}
        nb = notebook(answers, {k for k, n in asked.items() if n in numbers and k in runner.points(NAME)})
        assert run_notebook(nb, Limits(), 3) == [] and failed(nb) == {}


def test_the_global_generators_are_one_on_both_sides_of_the_wall():
    """Whoever draws from them, or seeds them, the other side goes on from there."""
    source = """import random
def f():
    return np.random.random(), random.random()
def g(draw):
    return [*f(), *draw(), *f()]
def h():
    np.random.seed(7), random.seed(7)
"""
    nb = notebook({"missing": source}, set())
    meta = next(c["metadata"] for c in runner.master(NAME) if cells.kind(c) == "check")
    nb.cells.append(nbformat.v4.new_code_cell("""
import random
import numpy as np
def here():
    return np.random.random(), random.random()
def seed(n):
    np.random.seed(n), random.seed(n)
seed(3)
want = [here() for _ in range(9)]
seed(3)
found = [f(), here(), f(), f(), here(), here(), f()]
assert found == want[:7], (found, want)
seed(3)
assert f() == want[0]
np.random.standard_normal()  # which keeps a second one
random.gauss(0, 1)
kept = np.random.get_state()[2:], random.getstate()
f()
assert np.random.get_state()[3:] == kept[0][1:] and random.getstate()[2] == kept[1][2]
seed(3)
g(here)  # nothing is promised of draws in the midst of a call
seed(3)
assert f() == want[0]
h()
found = here()
seed(7)
assert found == here()
"""))
    nb.cells[-1].metadata = meta
    assert run_notebook(nb, Limits(), 3) == [] and failed(nb) == {}


def test_what_a_check_gives_can_be_called_from_behind_the_wall():
    source = "def f(g, thing, rng):\n    return g(np.ones(2)) + thing.sample(3, rng) + thing.scale"
    nb = notebook({"missing": source}, set())
    meta = next(c["metadata"] for c in runner.master(NAME) if cells.kind(c) == "check")
    nb.cells.append(nbformat.v4.new_code_cell("""
import numpy as np
class Thing:
    def __init__(self):
        self.scale, self.calls = 100.0, 0
    def sample(self, n, rng):
        self.calls += 1
        return n + rng.random()
thing, rng = Thing(), np.random.default_rng(0)
first = f(lambda x: x.sum(), thing, rng)
assert first == 105 + np.random.default_rng(0).random() and thing.calls == 1, first
assert f(lambda x: x.sum(), thing, rng) != first and thing.calls == 2
""", metadata=meta))
    assert run_notebook(nb, Limits(), 3) == [] and failed(nb) == {}
