"""What is written for Otter-Grader: its shape, and its marks; Otter itself is asked where it is installed."""

import json
import os
import re
import shutil
import subprocess
import sys
import types

import nbformat
import pytest

from rfdev import cells
from rfdev.marking import checks as runner
from rfdev.marking.cli import main
from rfdev.marking.release import masters

NAMES = [*masters(), *masters(variant=2)]
OTTER = shutil.which("otter")


@pytest.fixture(scope="module")
def exported(course):
    assert main(["otter", "assignment1", "--folder", str(course), "--seed", "7", "--book", "https://a.site/nbs"]) == 0
    assert main(["otter", "assignment1", "--variant", "2", "--folder", str(course)]) == 0
    return course / "otter"


class Case:
    """In the place of Otter's decorator."""

    def __init__(self, **given):
        self.given = given

    def __call__(self, function):
        self.function = function
        return self


@pytest.fixture
def read(monkeypatch):
    """A test file as Otter reads it."""
    fake = types.ModuleType("otter.test_files")
    fake.test_case = Case
    monkeypatch.setitem(sys.modules, "otter", types.ModuleType("otter"))
    monkeypatch.setitem(sys.modules, "otter.test_files", fake)
    monkeypatch.setenv("RFBOOK_COURSE_SEED", "0")  # which the tests set, and pytest puts back

    def run(path):
        names = {}
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
        return names, [value for value in names.values() if isinstance(value, Case)]

    return run


@pytest.mark.parametrize("name", ["assignment1", "assignment1-variant2"])
def test_each_check_is_a_case_with_its_marks(name, exported, read):
    place, master = exported / name, runner.master(name)
    asked, found = cells.questions(master), {}
    for path in sorted((place / "tests").iterdir()):
        names, cases = read(path)
        assert names["OK_FORMAT"] is False and names["name"] == path.stem and cases
        for case in cases:
            found[case.given["name"]] = case.given["points"]
            assert "q" + asked[case.given["name"]][0].replace(".", "_") == path.stem
    assert found == runner.points(name)
    released = nbformat.read(place / f"{name}.ipynb", as_version=4)
    text = nbformat.writes(released) + "".join(p.read_text(encoding="utf-8") for p in (place / "tests").iterdir())
    assert "SOLUTION" not in text and "MARK SCHEME" not in text
    assert json.loads((place / "otter_config.json").read_text(encoding="utf-8"))["lang"] == "python"
    assert "rfbook" in (place / "requirements.txt").read_text(encoding="utf-8")
    said = (place / "README.md").read_text(encoding="utf-8")
    assert f"give {sum(found.values()):g} marks" in said and "10 more are given by a person, who reads 5.4, 5.5" in said
    assert "in the process of the answers" in said


def test_a_case_marks_what_the_notebook_defines(exported, read):
    _, cases = read(exported / "assignment1" / "tests" / "q4_2.py")
    answers = {}
    for cell in runner.master("assignment1"):
        if cells.kind(cell) in {"locked", "answer"} and cell["cell_type"] == "code":
            exec(cell["source"], answers)
    for case in cases:
        case.function(answers)
    assert os.environ["RFBOOK_COURSE_SEED"] == "7"
    answers["ridge_dual"] = lambda K, y, alpha: y
    for case in cases:
        with pytest.raises(AssertionError, match=r"\nRead: https://a.site/nbs/1_kernels/11_kernel_machines.html#"):
            case.function(answers)
    del answers["ridge_dual"]
    with pytest.raises(NameError):
        cases[0].function(answers)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_cases_are_names_of_python_and_differ(name):
    from rfdev.marking.otter import test_files

    for text in test_files(runner.master(name), 1, "").values():
        compile(text, name, "exec")
        functions = re.findall(r"^def (\w+)\(env\)", text, flags=re.M)
        constants = re.findall(r"^([A-Z_0-9]+) = \($", text, flags=re.M)
        assert len(functions) == len(set(functions)) == len(set(constants)) > 0


def test_an_otter_that_is_not_there_is_named(course):
    with pytest.raises(SystemExit, match="--otter is no-such-otter"):
        main(["otter", "assignment1", "--folder", str(course), "--otter", "no-such-otter"])


@pytest.mark.skipif(OTTER is None, reason="otter-grader is not installed")
def test_otter_marks_a_blank_copy_and_the_masters_answers(exported, tmp_path):
    place = exported / "assignment1"
    ours = {runner.grade_id(c): c["source"] for c in runner.master("assignment1") if runner.kind(c) == "answer"}
    for name, full in (("blank", False), ("full", True)):
        nb = json.loads((place / "assignment1.ipynb").read_text(encoding="utf-8"))
        for cell in nb["cells"]:
            mark = cell["metadata"].get("nbgrader", {})
            if full and mark.get("grade_id") in ours:
                cell["source"] = ours[mark["grade_id"]]
        (tmp_path / f"{name}.ipynb").write_text(json.dumps(nb), encoding="utf-8")
        subprocess.run([OTTER, "run", "-a", str(place / "autograder.zip"), "-o", str(tmp_path), "--no-logo",
                        str(tmp_path / f"{name}.ipynb")], check=True, capture_output=True, cwd=tmp_path)
        results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
        assert sum(test.get("score", 0) for test in results["tests"]) == 45 * full
