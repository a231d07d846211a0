"""Assignments: their checks, the student versions, and the marking of good, bad and dangerous submissions."""

import ast
import csv
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from planted import LONG

from rfbook.lab.coursework import STATEMENTS
from rfdev import ROOT, cells
from rfdev.marking import checks as runner
from rfdev.marking.cli import main
from rfdev.marking.feedback import statement
from rfdev.marking.gradebook import with_hidden_tests
from rfdev.marking.release import masters, split_name
from rfdev.marking.repair import Unreadable, repair
from rfdev.reader import read_nbdev

ASSIGNMENTS = list(masters())
VARIANTS = list(masters(variant=2))
# files of this folder; those of a variant where there are some
PLANTED = {name: importlib.import_module(name.replace("-", "_")) for name in ASSIGNMENTS + VARIANTS
           if name in ASSIGNMENTS or (Path(__file__).parent / f"{name.replace('-', '_')}.py").exists()}
# the mistakes of a first variant that were carried over to the second; of these only what they lose is looked at, and
# two sets of right answers, unless RFBOOK_ALL_PLANTED is set
CARRIED = {name for name in PLANTED if hasattr(PLANTED[name], "first")} - (
    set(PLANTED) if os.environ.get("RFBOOK_ALL_PLANTED") else set())


def cases(kind):
    some = dict.fromkeys(CARRIED, 2) if kind == "RIGHT" else {}
    return [pytest.param(name, case, id=f"{name}: {case}")
            for name in PLANTED for case in list(getattr(PLANTED[name], kind))[:some.get(name)]]


def lost(found):
    return {name for name, check in found.items() if not check.holds}


# ---- statements and metadata ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", STATEMENTS)
def test_statements_are_the_chapters_own(label):
    title, page = STATEMENTS[label]
    cells = json.loads((ROOT / "nbs" / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    assert re.search(rf"\{{prf:\w+\}} {re.escape(title)}\n:label: {label}\n", text), (label, title)


@pytest.mark.parametrize("name", ASSIGNMENTS + VARIANTS)
def test_metadata(name):
    cells = runner.master(name)
    marked = [c for c in cells if runner.kind(c)]
    ids = [runner.grade_id(c) for c in marked]
    assert len(set(ids)) == len(ids)
    for cell in marked:
        mark, kind = cell["metadata"]["nbgrader"], runner.kind(cell)
        assert mark["schema_version"] == 3 and not mark["task"]
        assert mark["locked"] == (kind in {"check", "locked"})
        if kind == "answer":
            assert "### BEGIN SOLUTION" in cell["source"] and "### END SOLUTION" in cell["source"]
        if kind == "check":
            worth = re.match(r"# .+ \((\d+) marks?\)\n", cell["source"])
            assert worth and int(worth[1]) == mark["points"]
            assert statement(cell["source"], "") in STATEMENTS
        if kind == "written":
            assert cell["cell_type"] == "markdown" and "=== BEGIN MARK SCHEME ===" in cell["source"]
    minutes = sum(int(m) for c in cells for m in re.findall(r"^#+ .*\((\d+) minutes", c["source"], flags=re.M))
    least, most = runner.minutes_allowed(name)
    assert least <= minutes <= most
    total = re.search(r"\*\*(\d+) marks\*\* .*\*\*(\d+) marks\*\*", "\n".join(c["source"] for c in cells))
    if total:  # the introduction says how many marks there are
        hand = sum(c["metadata"]["nbgrader"]["points"] for c in marked if runner.kind(c) == "written")
        assert (int(total[1]), int(total[2])) == (sum(runner.points(name).values()), hand)


# ---- the checks ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ASSIGNMENTS + VARIANTS)
def test_every_marked_cell_belongs_to_a_question_that_its_check_names(name):
    master = runner.master(name)
    asked = cells.questions(master)
    assert all(number and title for number, title in asked.values())
    for cell in master:
        if cells.kind(cell) == "check":
            number = asked[cells.grade_id(cell)][0]
            assert cell["source"].startswith(f"# {number} "), cells.grade_id(cell)
            drawn = re.findall(r'stream\("([^"]+)"\)', cell["source"])
            assert all(name.startswith(number) for name in drawn)


def named(source):
    """Names that a cell binds outside of its functions and comprehensions."""
    names, inside = set(), [ast.parse(source)]
    while inside:
        node = inside.pop()
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp,
                                 ast.GeneratorExp)):
            inside += ast.iter_child_nodes(node)
    return names


@pytest.mark.parametrize("name", ASSIGNMENTS + VARIANTS)
def test_no_check_takes_a_name_of_the_answers(name):
    """In a notebook, and in Otter, all cells share their names: a check that is run again must find the answers."""
    master = [c for c in runner.master(name) if c["cell_type"] == "code" and runner.kind(c)]
    theirs = set().union(*(named(c["source"]) for c in master if runner.kind(c) in {"answer", "locked"}))
    taken = {runner.grade_id(c): named(c["source"]) & theirs for c in master if runner.kind(c) == "check"}
    assert {check: names for check, names in taken.items() if names} == {}


@pytest.mark.parametrize("name", ASSIGNMENTS + VARIANTS)
def test_the_master_has_full_marks(name):  # at other seeds, too, wherever an answer is planted
    assert {k: c.message for k, c in runner.run(name, seed=0).items() if not c.holds} == {}


@pytest.mark.parametrize("name", ASSIGNMENTS + VARIANTS)
def test_a_blank_copy_has_none(name):
    stub = "raise NotImplementedError"
    blank = {runner.grade_id(c): re.sub(r"### BEGIN.*### END SOLUTION", stub, c["source"], flags=re.S)
             for c in runner.master(name) if runner.kind(c) == "answer"}
    found = runner.run(name, blank)
    assert lost(found) == found.keys()


# ---- variants ------------------------------------------------------------------------------------------------------


def sources(name):
    return {runner.grade_id(c): c["source"] for c in runner.master(name) if runner.kind(c) == "answer"}


@pytest.mark.parametrize("name", VARIANTS)
def test_the_answers_of_another_year_lose_marks_in_every_question(name):
    asked, (old, _) = cells.questions(runner.master(name)), split_name(name)
    now = {answer: {**sources(name), answer: source} for answer, source in sources(old).items()}
    found = {answer: lost(runner.run(name, {answer: now[answer][answer]}, other=False)) for answer in now}
    kept = {asked[answer][0] for answer in now} - {asked[check][0] for checks in found.values() for check in checks}
    assert kept == set()


def test_a_variant_replaces_what_is_there():
    def cell(variants):
        return {"cell_type": "code", "id": "x", "source": "y = sin(x)", "metadata": {"variants": variants}}

    changed = [cell({"2": [["sin", "cos"]]}), cell({"2": "y = 3"}), cell({"3": [["y", "z"]]})]
    assert cells.variants(changed) == [1, 2, 3]
    cells.to_variant(changed, 2)
    assert [c["source"] for c in changed] == ["y = cos(x)", "y = 3", "y = sin(x)"]
    assert [c["metadata"] for c in changed] == [{}, {}, {}]
    with pytest.raises(ValueError, match="variant 2 replaces 'tan', which is not in the cell 'x'"):
        cells.to_variant([cell({"2": [["tan", "cos"]]})], 2)


def test_variants_are_released_and_marked_under_names_of_their_own(tmp_path):
    stems = [split_name(name)[0] for name in VARIANTS]
    assert main(["release", *stems, "--variant", "2", "--folder", str(tmp_path)]) == 0
    for stem, name in zip(stems, VARIANTS, strict=True):
        released = nbformat.read(tmp_path / "release" / name / f"{name}.ipynb", as_version=4)
        text = nbformat.writes(released)
        assert "SOLUTION" not in text and "MARK SCHEME" not in text and '"variants"' not in text, name
        asked = {c.source for c in released.cells if c.cell_type == "markdown" and cells.kind(c) != "written"}
        assert {c["source"] for c in runner.master(name)} >= asked, name
        with pytest.raises(SystemExit):
            main(["release", stem, "--variant", "9", "--folder", str(tmp_path)])
    (tmp_path / "submitted").mkdir()
    assert main(["grade", "--folder", str(tmp_path), *VARIANTS]) == 0  # known without saying which variant


@pytest.mark.parametrize("name,case", cases("RIGHT"))
def test_another_right_answer_loses_nothing(name, case):
    found = runner.run(name, PLANTED[name].RIGHT[case], seed=3, other=False)
    assert {k: c.message for k, c in found.items() if not c.holds} == {}


@pytest.mark.parametrize("name,case", cases("WRONG"))
def test_a_wrong_answer_loses_what_it_breaks(name, case):
    answers, expected = PLANTED[name].WRONG[case]
    found = runner.run(name, answers, other=False, only=set(expected) if name in CARRIED else None)
    marks = {name: check.points for name, check in found.items() if not check.holds}
    assert marks == expected, {k: c.message for k, c in found.items()}
    for check in lost(found):  # by a theorem, not by a crash
        if found[check].message.startswith("MemoryError"):  # an answer that asks for terabytes
            continue
        assert found[check].message.startswith("Missed: "), found[check].message
        assert re.search(r"\nRead: [\w/]+\.html#[\w-]+$|\nThat is one of the rules at the head of the assignment\.$",
                         found[check].message)


@pytest.mark.parametrize("name", PLANTED)
def test_there_are_enough_planted_answers(name):
    checks = set(runner.points(name))
    broken = set().union(*(set(expected) for _, expected in PLANTED[name].WRONG.values()))
    right = [answer for answers in PLANTED[name].RIGHT.values() for answer in answers.values()]
    assert len(PLANTED[name].WRONG) >= 60 and len(PLANTED[name].RIGHT) >= 4 and len(set(right)) >= 30
    assert broken == checks  # no check that nothing fails


def planted_counts(name):
    """For each answer that is more than a choice or a word, how many wrong and how many right ones are planted."""
    coded = [answer for answer, source in sources(name).items() if re.search(r"def \w+\(\w", source)]
    return {answer: (sum(answer in answers for answers, _ in PLANTED[name].WRONG.values()),
                     len({answers[answer] for answers in PLANTED[name].RIGHT.values() if answer in answers}))
            for answer in coded}


@pytest.mark.parametrize("name", PLANTED)
def test_each_coded_question_has_eight_wrong_answers_and_five_right_ones(name):
    assert {answer: count for answer, count in planted_counts(name).items() if count[0] < 8 or count[1] < 5} == {}


# ---- the student version -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_no_solution_is_released_or_published(name, course):
    released = nbformat.read(course / "release" / name / f"{name}.ipynb", as_version=4)
    page = read_nbdev((ROOT / "nbs" / "coursework" / f"{name}.ipynb").read_text(encoding="utf-8"))
    assert page.metadata["mystnb"]["execution_mode"] == "off"
    # what nbgrader gives to students is what the book shows
    assert [c.source for c in page.cells] == [c.source for c in released.cells]
    text = nbformat.writes(released) + nbformat.writes(page)
    assert "SOLUTION" not in text and "MARK SCHEME" not in text and '"variants"' not in text
    for cell in runner.master(name):
        if runner.kind(cell) == "answer":
            body = cell["source"].split("### BEGIN SOLUTION\n")[1].split("### END SOLUTION")[0]
            for line in filter(None, map(str.strip, body.splitlines())):
                assert len(line) < 20 or json.dumps(line)[1:-1] not in text, line
        if runner.kind(cell) == "written":
            for line in filter(None, cell["source"].splitlines()):
                assert json.dumps(line, ensure_ascii=False)[1:-1] not in text, line


# ---- marking, from end to end --------------------------------------------------------------------------------------


def hand_in(course, student, name, *, answers=None, full=True, without=(), change=None):
    """Write a submission: the master's answers, or blank, with some replaced; `change` may spoil the cells."""
    nb = json.loads((course / "release" / name / f"{name}.ipynb").read_text(encoding="utf-8"))
    ours = {runner.grade_id(c): c["source"] for c in runner.master(name) if runner.kind(c) in {"answer", "written"}}
    for cell in nb["cells"]:
        mark = cell["metadata"].get("nbgrader", {})
        if mark.get("solution"):
            source = ours[mark["grade_id"]] if full and mark["grade_id"] not in without else "".join(cell["source"])
            cell["source"] = (answers or {}).get(mark["grade_id"], source)
    if change:
        change(nb["cells"])
    path = course / "submitted" / student / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(nb), encoding="utf-8")
    return path


def grade(course, *more):
    command = [sys.executable, str(ROOT / "tools" / "coursework.py"), "grade", "--folder", str(course), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(ROOT)})
    with open(course / "grades.csv", newline="", encoding="utf-8") as file:
        return done, {row["student"]: row for row in csv.DictReader(file)}


HANG = """
import time

def flat_witness():
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass
"""
CRASH = """
import os

def ridge_primal(Z, y, alpha):
    os._exit(0)
"""
EAT = """
def ridge_dual(K, y, alpha):
    eaten = []
    while True:
        eaten.append(np.ones(2**22))
"""


def spoil(cells):
    """Delete a check, an answer and the setup, and turn another check into one that is always content."""
    def named(cell):
        return cell["metadata"].get("nbgrader", {}).get("grade_id")

    cells[:] = [c for c in cells if named(c) not in {"setup", "gaussian-kernel", "dual"}]
    for cell in cells:
        if named(cell) == "witness-negative":
            cell["source"] = "pass"
        if named(cell) == "witness":
            cell["source"] = "def flat_witness(): return np.zeros(2), np.ones(2)"


def test_marking_survives_every_submission(course):
    name, all_marks = "assignment1", sum(runner.points("assignment1").values())
    worth, asked = runner.points(name), cells.questions(runner.master(name))
    short_marks = sum(value for check, value in worth.items() if asked[check] not in {asked[long] for long in LONG})
    hand_in(course, "ada", name)
    (course / "students.csv").write_text("student,ID,SIS Login ID\nada,17,lovelace\n", encoding="utf-8")
    hand_in(course, "blank", name, full=False)
    hand_in(course, "dangerous", name, without=LONG,
            answers={"witness": HANG, "primal": CRASH, "dual": EAT})
    hand_in(course, "spoilt", name, without=LONG, change=spoil)
    damaged = hand_in(course, "damaged", name)
    damaged.write_text(damaged.read_text(encoding="utf-8")[:-300], encoding="utf-8")

    done, rows = grade(course, name, "--cell-limit", "40", "--limit", "900", "--memory", "0.8", "--seed", "7")
    assert done.returncode == 1, done.stdout + done.stderr  # one file could not be read, and only that one
    scores = {student: float(row["score"]) for student, row in rows.items() if row["score"]}
    ended = {"witness-negative": "stopped after 40 s", "primal-residual": "it ended its process",
             "dual-equals-primal": "it took more than 0.8 GiB of memory",
             "dual-given": "it took more than 0.8 GiB of memory"}
    number = {check: number for check, (number, _) in asked.items()}
    assert scores == {"ada": all_marks, "blank": 0, "dangerous": short_marks - sum(worth[check] for check in ended),
                      "spoilt": short_marks - sum(worth[check] for check in ended if check != "primal-residual")}
    assert {s for s, row in rows.items() if row["status"] != "marked"} == {"damaged"}
    assert "the file is no notebook, or damaged" in done.stdout
    assert (rows["ada"]["ID"], rows["ada"]["SIS Login ID"], rows["blank"]["ID"]) == ("17", "lovelace", "")
    with open(course / "grades_by_student.csv", newline="", encoding="utf-8") as file:  # as platforms import it
        wide = {row["Student"]: row for row in csv.DictReader(file)}
    assert list(wide["ada"]) == ["Student", "ID", "SIS Login ID", name] and wide["ada"]["ID"] == "17"
    assert {s: row[name] for s, row in wide.items()} == {s: row["score"] for s, row in rows.items()}
    assert rows["ada"]["comment"] == "5.4 waits for a person; 5.5 waits for a person"
    lost = "; 3.1: 0 of 3; 3.2: 0 of 4; 4.1: 0 of 3; 4.2: 0 of 3; 5.3: 0 of 3; 5.4 waits"
    assert lost in rows["dangerous"]["comment"]
    odd, _, said = rows["dangerous"]["remarks"].partition("a person should look; ")
    assert odd.startswith("question 4.1: the cell primal says 'os._exit'")
    assert said == "; ".join(f"question {number[check]}: {check}: {why}" for check, why in ended.items())
    for word in ("gaussian-kernel was missing", "dual was missing", "witness-negative was changed"):
        assert word in rows["spoilt"]["remarks"]

    page = (course / "feedback" / "spoilt" / f"{name}.html").read_text(encoding="utf-8")
    assert "nbs/1_kernels/13_bochner.html#def-positive-definite-function" in page
    assert "Question 3.1: a function that is no kernel" in page
    assert "question 3.1: the cell witness-negative was changed" in page
    low = int(scores["spoilt"])
    assert "10 more wait for a person who reads your answers to 5.4 (5), 5.5 (5): in all " in page
    assert f"in all it will be {low} to {low + 10} of" in page
    assert "witness-negative</" not in page and "There is no answer yet." in page.split("Question 4.2")[1]
    assert "Positive definite function" in page and (course / "feedback" / "spoilt" / name / f"{name}.html").exists()
    assert "damaged" in (course / "feedback" / "damaged" / f"{name}.html").read_text(encoding="utf-8")

    # nothing changed: nothing is marked, and the file that cannot be read is reported again
    before = {p: p.stat().st_mtime_ns for p in (course / "graded").rglob("*.ipynb")}
    done, again = grade(course, name)
    assert done.returncode == 1
    assert {s: row["score"] for s, row in again.items()} == {s: row["score"] for s, row in rows.items()}
    assert {p: p.stat().st_mtime_ns for p in (course / "graded").rglob("*.ipynb")} == before

    # a mark by a person stays when the student hands in again, and only that student is marked anew
    assert main(["mark", "ada", name, "5.5", "4", "--folder", str(course)]) == 0
    assert main(["mark", "ada", name, "written-flat", "6", "--folder", str(course)]) == 1
    assert main(["mark", "ada", name, "no-such-cell", "1", "--folder", str(course)]) == 1
    hand_in(course, "ada", name, answers={"missing": "def true_of_indicator():\n    return 'none'\n"}, without=LONG)
    damaged.unlink()
    hand_in(course, "damaged", name, without=LONG)
    done, rows = grade(course, name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert float(rows["ada"]["score"]) == short_marks - worth["missing-hypothesis"] + 4
    assert float(rows["ada"]["by_hand"]) == 4 and float(rows["damaged"]["score"]) == short_marks
    changed = {p.parts[-3] for p, t in before.items() if p.stat().st_mtime_ns != t}
    assert changed == {"ada"}
    assert "given for an earlier version" in (course / "feedback" / "ada" / f"{name}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("text,found", [
    (b"", "empty"), (b" \n", "empty"), (b"%PDF-1.4", "no notebook, or damaged"), (b"\xff\xfe", "damaged"),
    (b"[1, 2]", "not a notebook"), (b'{"cells": 3}', "not a notebook"),
    (b"[" * 100_000, "damaged"),
])
def test_what_is_no_notebook_is_said_to_be_none(course, text, found):
    released = nbformat.read(course / "release" / "assignment1" / "assignment1.ipynb", as_version=4)
    with pytest.raises(Unreadable, match=found):
        repair(text, released)


def test_odd_cells_are_mended(course):
    released = nbformat.read(course / "release" / "assignment1" / "assignment1.ipynb", as_version=4)
    raw = json.loads(nbformat.writes(released))
    for cell in raw["cells"]:  # an editor that drops metadata
        cell["metadata"] = {}
    raw["cells"] += [None, {"cell_type": "video"}, {"cell_type": "code", "source": ["x = ", 1]}, raw["cells"][3]]
    nb, notes = repair(json.dumps(raw).encode(), released)
    assert [n for n in notes if "missing" in n] == []
    marked = [c for c in nb.cells if cells.kind(c)]
    assert [cells.grade_id(c) for c in marked] == [cells.grade_id(c) for c in released.cells
                                                         if cells.kind(c)]
    nbformat.validate(nb)


def lost_metadata(raw):
    """As an editor saves it that knows nothing of nbgrader and makes ids of its own."""
    for i, cell in enumerate(raw["cells"]):
        cell["metadata"], cell["id"] = {}, f"new-{i}"


def colab(raw):
    """Ids stand in the metadata, sources are lists, and outputs are kept."""
    for cell in raw["cells"]:
        cell["metadata"] = {**cell["metadata"], "id": cell.pop("id"), "colab": {"base_uri": "x"}}
        cell["source"] = "".join(cell["source"]).splitlines(keepends=True)
        if cell["cell_type"] == "code":
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["1"]}]
    raw["nbformat_minor"], raw["metadata"]["colab"] = 0, {"provenance": []}


def vs_code(raw):
    """Languages in the metadata."""
    for cell in raw["cells"]:
        cell["metadata"]["vscode"] = {"languageId": "python"}


def tried_twice(raw):
    """A first try beside the stub, above the answer."""
    lost_metadata(raw)
    at = next(i for i, c in enumerate(raw["cells"]) if "\ndef " in "\n" + "".join(c["source"]))
    head = re.search(r"^def .*", "".join(raw["cells"][at]["source"]), flags=re.M)[0]
    raw["cells"].insert(at, {**raw["cells"][at], "id": "try", "source": f"{head}\n    return 0"})


@pytest.mark.parametrize("change", [lost_metadata, colab, vs_code, tried_twice])
@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_what_editors_save_marks_the_same(course, name, change):
    released = nbformat.read(course / "release" / name / f"{name}.ipynb", as_version=4)
    path = hand_in(course, "editor", name)
    raw = json.loads(path.read_text(encoding="utf-8"))
    (course / "submitted" / "editor").rename(course / f"editor-{name}-{change.__name__}")
    right = repair(json.dumps(raw).encode(), released)[0]
    change(raw)
    found, notes = repair(json.dumps(raw).encode(), released)
    assert notes == []
    for sort in ("answer", "check", "written", "locked"):
        sources = [[(cells.grade_id(c), c.source) for c in nb.cells if cells.kind(c) == sort] for nb in (right, found)]
        assert sources[0] == sources[1]


@pytest.mark.parametrize("source,odd", [
    ("import sys\nsys.modules['rfbook.lab.coursework'] = None", "sys.modules"),
    ("import numpy as np\nnp.all = lambda *a, **k: True", "np.all ="),
    ("def f(x):\n    return x == np.inf", ""),
])
def test_what_no_answer_needs_is_named(course, source, odd):
    released = nbformat.read(course / "release" / "assignment1" / "assignment1.ipynb", as_version=4)
    raw = json.loads(nbformat.writes(released))
    clean = repair(json.dumps(raw).encode(), released)[1]
    for cell in raw["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "gaussian":
            cell["source"] = source
    notes = repair(json.dumps(raw).encode(), released)[1]
    assert clean == [] and len(notes) == bool(odd)
    assert all(note.startswith(f"question 1.1: the cell gaussian says {odd!r}") for note in notes)


def test_a_bank_takes_the_place_of_the_book_and_its_hidden_tests_are_run(released, tmp_path):
    bank, folder = tmp_path / "bank", shutil.copytree(released, tmp_path / "course")
    bank.mkdir()
    nb = nbformat.read(ROOT / "nbs" / "coursework" / "assignment2.ipynb", as_version=4)
    check = next(c for c in nb.cells if cells.kind(c) == "check")
    check.source += "\n### BEGIN HIDDEN TESTS\nassert radius_for(2, 0.5, 'paired') < 99\n### END HIDDEN TESTS"
    nbformat.write(nb, bank / "mine.ipynb")
    command = ["mine", "--bank", str(bank), "--folder", str(folder)]
    assert main(["release", *command]) == 0
    given = nbformat.read(folder / "release" / "mine" / "mine.ipynb", as_version=4)
    text = nbformat.writes(given)
    assert "HIDDEN" not in text and "< 99" not in text and "SOLUTION" not in text
    mended, notes = repair(text.encode(), given)
    ours = next(c for c in with_hidden_tests(mended, folder, "mine").cells if cells.kind(c) == "check")
    assert notes == [] and "< 99" in ours.source
    with pytest.raises(SystemExit):
        main(["release", "mine", "--folder", str(folder)])


def test_bad_arguments_are_named(course, capsys):
    with pytest.raises(SystemExit):
        main(["grade", "assignment99", "--folder", str(course)])
    assert "assignment99" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="--seed is 0"):
        main(["grade", "assignment1", "--seed", "0", "--folder", str(course)])


def test_clean_leaves_the_course_alone():
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").split("\nclean:")[1]
    assert "coursework" not in recipe
    assert "/coursework/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
