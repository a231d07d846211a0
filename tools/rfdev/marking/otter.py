"""Assignments for Otter-Grader: the student version, tests made of the checks, and Gradescope's zip by Otter.

Otter runs the checks in the process of the student's notebook.  So it marks honest work as `grade` does, and stops
nobody who wants marks: what it lacks is said in the README that goes with each export.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import nbformat

from rfbook import __version__
from rfbook.lab.coursework import VARIABLE
from rfdev import ROOT
from rfdev.cells import grade_id, kind, questions
from rfdev.marking.files import write
from rfdev.marking.gradebook import released
from rfdev.marking.release import release

CONFIG = {"lang": "python", "show_stdout": False, "show_hidden": False}

TEST = '''"""Question {number}: {title}."""

import os

from otter.test_files import test_case

OK_FORMAT = False
name = {name!r}
points = None


def _check(source, env):
    """Run a check beside the answers, with the random numbers of this marking."""
    os.environ[{variable!r}] = {seed!r}
    try:
        exec(compile(source, {name!r}, "exec"), {{**env, "__name__": "__main__"}})
    except AssertionError as missed:
        raise AssertionError(str(missed).replace("\\nRead: ", "\\nRead: " + {book!r})) from None
'''

CASE = '''

{constant} = {source}


@test_case(name={cell!r}, points={points}, hidden=False)
def {function}(env):
    _check({constant}, env)
'''

README = """# {name} for Otter-Grader

`{name}.ipynb` is what students get; they need the package and hand in this notebook.
`tests/` holds the checks, a file for each question, with the seed of this course.
Do not publish it while the course runs.

In an environment with `otter-grader` 7 and the package, in this folder, offline and without Docker:

    otter generate -t tests -c otter_config.json -r requirements.txt -o autograder.zip{files}
    otter run -a autograder.zip SUBMISSION.ipynb        # marks in results.json

On Gradescope the same zip is the autograder of a programming assignment.
It installs what `requirements.txt` names.

The checks give {machine:g} marks.{hand}

What Otter does not do, and `make grade` does:

- The checks run in the process of the answers.
  An answer can look at them and at the seed, replace parts of the library, or write marks of its own.
  Otter neither prevents nor reports it.
- Nothing is limited but what the machine limits: not memory, not files, not the network, and with `otter run` not time.
  On Gradescope its container and its time limit hold.
- A cell that ends the process or hangs costs all marks of the notebook, and not those of one check.
- Cells are not repaired, and none is remarked on.
  What counts is what the notebook defines at its end, whatever its cells are called.

The checks and the seed are the same both ways, so honest work has the same marks.
A notebook to which Otter gives more than `make grade` does is one to look at.
"""


def _name(text: str) -> str:
    return re.sub(r"\W+", "_", text)


def _literal(source: str) -> str:
    """Source of a check as a literal, a line for a line."""
    return "(\n" + "\n".join(f"    {line + chr(10)!r}" for line in source.split("\n")) + "\n)"


def test_files(cells: list, seed: int, book: str) -> dict[str, str]:
    """Names and texts of Otter's test files for the checks of an assignment, one for each question."""
    asked, out = questions(cells), {}
    for cell in cells:
        if kind(cell) != "check":
            continue
        cell_name = grade_id(cell)
        number, title = asked[cell_name]
        name = "q" + _name(number)
        if name not in out:
            out[name] = TEST.format(number=number, title=title.replace('"', "'"), name=name, variable=VARIABLE,
                                    seed=str(seed), book=book)
        out[name] += CASE.format(constant=_name(cell_name).upper(), source=_literal(cell["source"]), cell=cell_name,
                                 points=cell["metadata"]["nbgrader"]["points"], function=_name(cell_name))
    return {f"{name}.py": text for name, text in out.items()}


def wheel() -> Path | None:
    """The newest wheel that `make wheel` has left, if there is one."""
    found = sorted((ROOT / "dist").glob("rfbook-*.whl"), key=lambda path: path.stat().st_mtime)
    return found[-1] if found else None


def export(folder: Path, names: list[str], *, seed: int, book: str, bank: Path | None = None,
           otter: str | None = None) -> int:
    """Write ``otter/NAME/`` in a course folder for some assignments; return 1 if something could not be written.

    Parameters
    ----------
    folder : Path
        Of the course.
    names : list of str
    seed : int
        Of the marking.
    book : str
        Address of the notebooks of the book, for the links of what was missed.
    bank : Path, default=None
    otter : str, default=None
        The command of Otter-Grader; found on the path if it is not given.
    """
    if late := [n for n in names if not (folder / "release" / n / f"{n}.ipynb").exists()]:
        if release(folder, late, bank):
            return 1
    command, package = shutil.which(otter or "otter"), wheel()
    if otter and not command:
        raise SystemExit(f"--otter is {otter}; it may be the command of Otter-Grader, otter or a path to it")
    bad = 0
    for name in names:
        place = folder / "otter" / name
        shutil.rmtree(place, ignore_errors=True)
        nb = nbformat.read(folder / "source" / name / f"{name}.ipynb", as_version=4)
        for file, text in test_files(nb.cells, seed, book).items():
            write(place / "tests" / file, text)
        shutil.copy(folder / "release" / name / f"{name}.ipynb", place)
        write(place / "otter_config.json", json.dumps(CONFIG, indent=1))
        files = []
        if package:
            shutil.copy(package, place)
            files = [package.name]
        # where Gradescope unpacks the zip
        write(place / "requirements.txt", f"/autograder/source/files/{package.name}\n" if package
              else f"rfbook=={__version__}\n")
        write(place / "README.md", readme(released(folder, name), name, files))
        print(f"{name}: {place}")
        if command:
            done = subprocess.run([command, "generate", "-t", "tests", "-c", "otter_config.json", "-r",
                                   "requirements.txt", "-o", "autograder.zip", *files], cwd=place, check=False,
                                  capture_output=True, text=True)
            if done.returncode:
                bad = 1
                print(f"{name}: otter generate failed: {(done.stderr or done.stdout).strip()[-500:]}")
    if not command:
        print("otter is not on the path, so no autograder.zip was made; README.md in each folder has the command.")
    if not package:
        print(f"there is no wheel in {ROOT / 'dist'} (make wheel); requirements.txt asks the index for the package.")
    return bad


def readme(nb, name: str, files: list[str]) -> str:
    """What goes with an export."""
    marks = {sort: [c["metadata"]["nbgrader"]["points"] for c in nb.cells if kind(c) == sort]
             for sort in ("check", "written")}
    asked = questions(nb.cells)
    read = ", ".join(asked[grade_id(c)][0] for c in nb.cells if kind(c) == "written")
    hand = (f"\n{sum(marks['written']):g} more are given by a person, who reads {read}.\nOtter has no place for them: "
            "enter them by hand, on Gradescope as an assignment of their own." if read else "")
    return README.format(name=name, machine=sum(marks["check"]), hand=hand, files="".join(f" {f}" for f in files))
