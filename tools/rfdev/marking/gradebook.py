"""nbgrader: its configuration, its converters, its gradebook."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from pathlib import Path

import nbformat

from rfdev.cells import CODE_STUB, TEXT_STUB, grade_id, kind


def configuration(folder: Path, staging: Path | None = None):
    """nbgrader's configuration for a course folder."""
    import nbgrader.preprocessors as steps
    from traitlets.config import Config

    c = Config()
    c.CourseDirectory.root = str(folder)
    c.CourseDirectory.course_id = "rfbook"
    c.CourseDirectory.db_url = f"sqlite:///{folder / 'gradebook.db'}"
    c.CourseDirectory.autograded_directory = "graded"
    if staging:
        c.CourseDirectory.submitted_directory = str(staging)
    c.ClearSolutions.code_stub = {"python": CODE_STUB}
    c.ClearSolutions.text_stub = TEXT_STUB
    # the notebook was mended and run before nbgrader sees it
    c.Autograde.sanitize_preprocessors = [steps.OverwriteCells, steps.CheckCellMetadata]
    c.Autograde.autograde_preprocessors = [steps.LimitOutput, steps.SaveAutoGrades, steps.AssignLatePenalties,
                                           steps.CheckCellMetadata]
    return c


def convert(converter, config, name: str, student: str | None = None):
    """Run one of nbgrader's converters on one assignment, of one student."""
    from nbgrader.coursedir import CourseDirectory

    place = CourseDirectory(config=config)
    place.assignment_id = name
    if student:
        place.student_id = student
    step = converter(coursedir=place, config=config)
    step.force = True
    step.start()


def open_gradebook(folder: Path):
    """The gradebook of a course; a context manager."""
    from nbgrader.api import Gradebook

    return Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "rfbook")


def own_programs() -> None:
    """Find what nbgrader starts by its name, `alembic`, beside this Python, also where no environment is activated."""
    here, found = str(Path(sys.executable).parent), os.environ.get("PATH", "")
    if here not in found.split(os.pathsep):
        os.environ["PATH"] = here + os.pathsep + found


def log_to(folder: Path) -> None:
    """What nbgrader has to say goes into a file; the screen is for progress."""
    import warnings

    from traitlets.log import get_logger

    log = get_logger()
    for handler in list(log.handlers):
        log.removeHandler(handler)
    log.addHandler(logging.FileHandler(folder / "nbgrader.log", encoding="utf-8"))
    log.propagate = False
    log.setLevel(logging.WARNING)
    warnings.filterwarnings("ignore", module="nbgrader|nbformat|sqlalchemy|alembic")


def save(folder: Path, student: str, name: str, nb, stamp: Path) -> None:
    """Hand a notebook that was run to nbgrader, which reads the marks off it, and write its feedback.

    `stamp` is the file with the time of the submission, which need not be there.
    """
    from nbgrader.converters import Autograde

    with tempfile.TemporaryDirectory(prefix="coursework-") as staging:
        place = Path(staging) / student / name
        place.mkdir(parents=True)
        nbformat.write(nb, place / f"{name}.ipynb")
        if stamp.is_file():
            shutil.copy(stamp, place)
        convert(Autograde, configuration(folder, Path(staging)), name, student)
    write_feedback(folder, student, name)


def write_feedback(folder: Path, student: str, name: str) -> None:
    """Let nbgrader write a marked notebook as a page."""
    from nbgrader.converters import GenerateFeedback

    convert(GenerateFeedback, configuration(folder), name, student)


def marks(folder: Path, student: str, name: str) -> list[dict]:
    """Marks of a submission from the gradebook, in the order of the assignment; empty if there is none."""
    from nbgrader.api import MissingEntry

    order = [grade_id(c) for c in released(folder, name).cells if kind(c) in {"check", "written"}]
    with open_gradebook(folder) as book:
        try:
            grades = book.find_submission_notebook(name, name, student).grades
        except MissingEntry:
            return []
        found = {g.name: {"id": g.name, "score": g.score, "max": g.max_score, "hand": g.manual_score,
                          "waiting": bool(g.needs_manual_grade)} for g in grades}
    return [found[i] for i in order if i in found]


def released(folder: Path, name: str):
    """The notebook of an assignment that students were given."""
    path = folder / "release" / name / f"{name}.ipynb"
    if not path.exists():
        raise SystemExit(f"{name} is not released in {folder}; run the command release first")
    return nbformat.read(path, as_version=4)


def with_hidden_tests(nb, folder: Path, name: str):
    """A mended submission whose checks are the master's, with what students did not get to see."""
    checks = {grade_id(c): c for c in nbformat.read(folder / "source" / name / f"{name}.ipynb", as_version=4).cells
              if kind(c) == "check"}
    for cell in nb.cells:
        if kind(cell) == "check":
            cell.source = checks[grade_id(cell)].source
    return nb
