"""Run the cells of an assignment in this process, with some answers replaced, and say which checks hold.

The marking proper goes through nbgrader and a process per submission; this takes a second, for tests and the teacher.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
from dataclasses import dataclass

from rfbook.lab.coursework import VARIABLE as SEED
from rfdev import ROOT
from rfdev.cells import grade_id, kind, questions, to_variant
from rfdev.marking.release import split_name


@dataclass(frozen=True)
class Check:
    """What one check cell said."""

    points: float
    holds: bool
    message: str


def _text(name: str) -> tuple[str, int]:
    """The notebook of an assignment, and the number of its variant."""
    stem, variant = split_name(name)
    return (ROOT / "nbs" / "coursework" / f"{stem}.ipynb").read_text(encoding="utf-8"), variant


def _cells(text: str, variant: int) -> list[dict]:
    cells = [{**cell, "source": "".join(cell["source"])} for cell in json.loads(text)["cells"]]
    to_variant(cells, variant)
    return cells


# a run reads them and changes nothing: what is read for one answer serves the next
_kept = functools.lru_cache(16)(_cells)
_compiled = functools.lru_cache(1024)(compile)


def master(name: str) -> list[dict]:
    """Cells of an assignment, solutions included, with joined sources; ``NAME-variant2`` is its second variant."""
    return _cells(*_text(name))


def points(name: str) -> dict[str, float]:
    """Marks of each check."""
    return {grade_id(c): c["metadata"]["nbgrader"]["points"] for c in master(name) if kind(c) == "check"}


def minutes_allowed(name: str) -> tuple[int, int]:
    """Least and most minutes that an assignment takes: an evening, or those that its first cell's metadata say.

    A capstone says ``"coursework": {"minutes": 360}``.
    """
    told = master(name)[0]["metadata"].get("coursework", {}).get("minutes")
    return (told, told) if told else (90, 150)


def _execute(source: str, label: str, names: dict) -> str:
    """Run a cell; return what it raised in words, or the empty string."""
    try:
        exec(_compiled(source, label, "exec"), names)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def run(name: str, answers: dict[str, str] | None = None, seed: int = 1, *, other: bool = True,
        only: set[str] | None = None) -> dict[str, Check]:
    """Run locked cells, answers and checks of an assignment in order, as the grader does.

    Parameters
    ----------
    name : str
        Of the assignment, e.g. ``"assignment1"``.
    answers : dict, default=None
        Sources of answer cells, by name, that replace those of the master.
    seed : int
        Of the marking.
    other : bool
        Whether the checks of questions without a replaced answer run as well; no question needs another's answer.
    only : set of str, default=None
        Names of the checks to run; all of them if it is not given.

    Returns
    -------
    dict of str to Check

    Raises
    ------
    ValueError
        If `answers` speaks of a cell that is no answer.
    """
    cells, answers = _kept(*_text(name)), answers or {}
    if unknown := answers.keys() - {grade_id(c) for c in cells if kind(c) == "answer"}:
        raise ValueError(f"answers speaks of {sorted(unknown)}, which are no answer cells of {name}")
    asked = questions(cells)
    replaced = {asked[answer] for answer in answers}
    names: dict = {"__name__": "__main__"}
    out: dict[str, Check] = {}
    before = os.environ.get(SEED)
    os.environ[SEED] = str(seed)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            for cell in cells:
                if kind(cell) not in {"answer", "check", "locked"} or cell["cell_type"] != "code":
                    continue
                if kind(cell) == "check" and not other and asked[grade_id(cell)] not in replaced:
                    continue
                if kind(cell) == "check" and only is not None and grade_id(cell) not in only:
                    continue
                source = answers.get(grade_id(cell), cell["source"])
                said = _execute(source, grade_id(cell), names)
                if kind(cell) == "check":
                    out[grade_id(cell)] = Check(cell["metadata"]["nbgrader"]["points"], not said, said)
    finally:
        if before is None:
            del os.environ[SEED]
        else:
            os.environ[SEED] = before
    return out
