"""Mark what is new or changed, and keep the marks."""

from __future__ import annotations

import csv
import hashlib
import itertools
import os
import secrets
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from rfdev.cells import grade_id, kind, questions
from rfdev.marking.apart import run_apart, stop_all
from rfdev.marking.feedback import summarise, summary_path
from rfdev.marking.files import read_state, write, write_state
from rfdev.marking.gradebook import marks, open_gradebook, released, save, with_hidden_tests, write_feedback
from rfdev.marking.limits import Limits
from rfdev.marking.release import release
from rfdev.marking.repair import MAX_NOTEBOOK, Unreadable, repair, too_large
from rfdev.marking.wall import wall


@dataclass
class Submission:
    """One file to mark, and what became of it."""

    student: str
    name: str
    path: Path
    digest: str
    status: str = ""  # marked, unreadable, unmarked
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def key(self) -> str:
        """Of what is known of it."""
        return f"{self.student}/{self.name}"

    def known(self, seconds: float) -> dict:
        """What is kept of it for the next run."""
        return {"digest": self.digest, "status": self.status, "notes": self.notes, "seconds": seconds}


def course_seed(folder: Path, seed: int | None) -> int:
    """The seed of the marking: given, or drawn once and kept in the course folder."""
    path = folder / "seed"
    if seed is not None:
        if seed < 1:
            raise SystemExit(f"--seed is {seed}; it may be a positive integer, because 0 is the students' own")
        write(path, f"{seed}\n")
    elif not path.exists():
        write(path, f"{secrets.randbelow(10**9) + 1}\n")
    text = path.read_text(encoding="utf-8").strip()
    if not text.isdecimal() or int(text) < 1:
        raise SystemExit(f"{path} holds {text!r}; it may hold a positive integer")
    return int(text)


def find(folder: Path, names: list[str], seed: int) -> list[Submission]:
    """All submissions of some assignments."""
    out = []
    for name in names:
        given = b"".join((folder / part / name / f"{name}.ipynb").read_bytes() for part in ("release", "source"))
        for place in sorted((folder / "submitted").glob(f"*/{name}")):
            if not place.is_dir():
                continue
            files = sorted(p for p in place.glob("*.ipynb") if p.is_file() and not p.is_symlink())
            exact = place / f"{name}.ipynb"
            path = exact if exact in files or not files else files[0]
            large = path.is_file() and path.stat().st_size > MAX_NOTEBOOK  # not worth reading
            text = path.read_bytes() if path.is_file() and not large else b""
            digest = hashlib.sha256(b"\0".join([given, str(seed).encode(), text])).hexdigest()
            found = Submission(place.parent.name, name, path, digest)
            if not files:
                found.status, found.notes = "unreadable", [f"the folder holds no {name}.ipynb"]
            elif large:
                found.status, found.notes = "unreadable", [too_large(path.stat().st_size)]
            elif path != exact:
                found.notes.append(f"the file is called {path.name} and not {exact.name}"
                                   + (f", and {len(files) - 1} others were left aside" if len(files) > 1 else ""))
            out.append(found)
    return out


def grade(folder: Path, names: list[str], limits: Limits, *, jobs: int, seed: int | None, book: str,
          again: bool, bank: Path | None = None) -> int:
    """Mark what is new or changed; return 1 if something could not be marked."""
    if late := [n for n in names if not (folder / "release" / n / f"{n}.ipynb").exists()]:
        if release(folder, late, bank):
            return 1
    number = course_seed(folder, seed)
    state = read_state(folder)
    items = find(folder, names, number)
    if not items:
        print(f"no submission: they go into {folder / 'submitted' / 'STUDENT' / 'NAME' / 'NAME.ipynb'}")
    work = _mended(folder, items, {} if again else state)
    if work:
        print(wall().sentence)
    _run_all(folder, work, state, limits, jobs, number)
    touched = {item.key for item, _ in work}
    for item in items:
        if item.status != "marked":
            state[item.key] = item.known(seconds=0.0)
        page = summary_path(folder, item.student, item.name)
        if item.key in touched or item.status != "marked" or not page.exists():
            summarise(folder, item.student, item.name, item.status, item.notes, book)
    write_state(folder, state)
    write_grades(folder, state)
    return _report(folder, items, touched)


def _mended(folder: Path, items: list[Submission], state: dict) -> list[tuple[Submission, nbformat.NotebookNode]]:
    """The submissions that are new or changed since `state`, each with its repaired notebook."""
    work = []
    for item in items:
        old = state.get(item.key, {})
        graded = folder / "graded" / item.student / item.name / f"{item.name}.ipynb"
        if old.get("digest") == item.digest and old.get("status") == "marked" and graded.exists():
            item.status, item.notes, item.seconds = "marked", old["notes"], 0.0
        elif item.status != "unreadable":
            try:
                nb, notes = repair(item.path.read_bytes(), released(folder, item.name))
                item.notes += notes
                work.append((item, with_hidden_tests(nb, folder, item.name)))
            except (Unreadable, OSError) as error:
                item.status = "unreadable"
                item.notes.append(str(error))
    return work


def _run_all(folder: Path, work: list, state: dict, limits: Limits, jobs: int, seed: int) -> None:
    """Run and save `jobs` submissions at a time, and write down each as it is done."""
    from tqdm import tqdm

    def one(item, nb):
        start = time.perf_counter()
        try:
            return run_apart(nb, limits, seed)
        finally:
            item.seconds = time.perf_counter() - start

    with ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(one, item, nb): item for item, nb in work}
        try:
            for job in tqdm(as_completed(waiting), total=len(waiting), desc="marking", unit="notebook",
                            disable=not waiting):
                item = waiting[job]
                try:
                    nb, notes = job.result()
                    asked = questions(released(folder, item.name).cells)
                    item.notes += [_with_question(note, asked) for note in notes]
                    save(folder, item.student, item.name, nb, item.path.with_name("timestamp.txt"))
                    item.status = "marked"
                # one submission must not stop the marking of the others, whatever is wrong with it
                except (Exception, SystemExit) as error:
                    item.status = "unmarked"
                    item.notes.append(f"it could not be marked: {error}")
                state[item.key] = item.known(seconds=round(item.seconds, 1))
                write_state(folder, state)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            stop_all()
            raise


def _with_question(note: str, asked: dict[str, tuple[str, str]]) -> str:
    """A remark that begins with the name of a cell, with the number of its question before it."""
    number = asked.get(note.split(":", 1)[0], ("", ""))[0]
    return f"question {number}: {note}" if number else note


def _report(folder: Path, items: list[Submission], touched: set[str]) -> int:
    """Print what was done and what was odd."""
    for item in items:
        if item.status != "marked" or (item.key in touched and item.notes):
            print(f"{item.key}: {item.status}; " + "; ".join(item.notes))
    bad = [item for item in items if item.status != "marked"]
    seconds = sum(item.seconds for item in items if item.key in touched)
    print(f"{len(touched)} marked in {seconds:.0f} s of running, {len(items) - len(touched) - len(bad)} unchanged, "
          f"{len(bad)} could not be marked; the marks are in {folder / 'grades.csv'}"
          if not bad or touched.isdisjoint(i.key for i in bad) else
          f"{len(touched)} run in {seconds:.0f} s, {len(bad)} could not be marked; "
          f"the marks are in {folder / 'grades.csv'}")
    return bool(bad)


def _students(folder: Path) -> tuple[list[str], dict[str, dict[str, str]]]:
    """Columns of ``students.csv`` beside the name of the folder, and its rows by that name."""
    path = folder / "students.csv"
    if not path.exists():
        return [], {}
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    if rows and "student" not in rows[0]:
        raise SystemExit(f"{path} has the columns {', '.join(rows[0])}; one of them must be student, the folder's name")
    columns = [c for c in (rows[0] if rows else {}) if c and c != "student"]
    return columns, {row["student"]: row for row in rows}


def _comment(folder: Path, name: str, rows: list[dict]) -> str:
    """Which questions lost marks, for a learning platform: ``1.1: 2 of 3; 5.4 waits for a person``."""
    asked, parts = questions(released(folder, name).cells) if rows else {}, []
    for number, group in itertools.groupby(rows, key=lambda row: asked.get(row["id"], ("", ""))[0]):
        members = list(group)
        score, most = sum(r["score"] for r in members), sum(r["max"] for r in members)
        if any(r["waiting"] for r in members):
            parts.append(f"{number} waits for a person")
        elif score < most:
            parts.append(f"{number}: {score:g} of {most:g}")
    return "; ".join(parts)


def canvas_columns(columns: list[str]) -> list[str]:
    """Columns between Student and the assignments, as Canvas wants them; empty if no column of it is there.

    Canvas knows these columns by their places: ``ID``, one or both of the SIS's, which it then wants, and ``Section``
    last, without which it refuses the file, and takes whatever follows for an assignment.
    """
    if not {"ID", "SIS User ID", "SIS Login ID"} & set(columns):
        return []
    user = ["SIS User ID", "SIS Login ID"] if "SIS User ID" in columns else []
    return ["ID", *(user or [c for c in ("SIS Login ID",) if c in columns]), "Section"]


def _write_table(path: Path, rows: list[list]) -> None:
    """Write a table whole or not at all."""
    new = path.with_name(path.name + ".new")
    with open(new, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    os.replace(new, path)


def write_grades(folder: Path, state: dict) -> None:
    """``grades.csv``, one row per student and assignment, and tables with one row per student.

    The columns of ``students.csv``, whose column ``student`` names the folders, stand in ``grades.csv`` and in
    ``grades_by_student.csv``, which has besides a column for each assignment and nothing else: Moodle's import asks
    which column is what.  Canvas does not ask; ``grades_canvas.csv``, which is written if there are columns of Canvas
    in ``students.csv``, has its columns in its order, and the marks that there are in a row of their own.
    """
    columns, people = _students(folder)
    table: dict[str, dict[str, float]] = {}
    most: dict[str, float] = {}
    out = [["student", *columns, "assignment", "score", "max_score", "by_machine", "by_hand", "waiting_for_a_person",
            "status", "remarks", "comment"]]
    for key in sorted(state):
        student, name = key.rsplit("/", 1)
        rows = marks(folder, student, name)
        hand = sum(r["hand"] or 0 for r in rows)
        total = sum(r["score"] for r in rows)
        known = [people.get(student, {}).get(column, "") for column in columns]
        table.setdefault(student, {}).update({name: total} if rows else {})
        most.update({name: sum(r["max"] for r in rows)} if rows else {})
        out.append([student, *known, name, total if rows else "", most[name] if rows else "",
                    total - hand if rows else "", hand if rows else "", sum(r["waiting"] for r in rows),
                    state[key]["status"], "; ".join(state[key]["notes"]), _comment(folder, name, rows)])
    _write_table(folder / "grades.csv", out)
    names = sorted({key.rsplit("/", 1)[1] for key in state})

    def by_student(chosen: list[str]) -> list[list]:
        return [[student, *(people.get(student, {}).get(column, "") for column in chosen),
                 *(found.get(name, "") for name in names)] for student, found in table.items()]

    _write_table(folder / "grades_by_student.csv", [["Student", *columns, *names], *by_student(columns)])
    if chosen := canvas_columns(columns):
        points = ["    Points Possible", *[""] * len(chosen), *(most.get(name, "") for name in names)]
        _write_table(folder / "grades_canvas.csv", [["Student", *chosen, *names], points, *by_student(chosen)])


def mark(folder: Path, student: str, name: str, question: str, points: float, book: str) -> int:
    """Record a mark that a person gave to a question, by number or name of its cell; no later run changes it."""
    from nbgrader.api import MissingEntry

    cells = released(folder, name).cells
    asked = {i: number for i, (number, _) in questions(cells).items()}
    written = [grade_id(c) for c in cells if kind(c) == "written"]
    question = next((i for i in written if asked[i] == question), question)
    with open_gradebook(folder) as gradebook:
        try:
            given = gradebook.find_grade(question, name, name, student)
        except MissingEntry:
            known = ", ".join(f"{asked[i]} ({i})" for i in written) if marks(folder, student, name) else ""
            print(f"{student} has no {question} in {name}; "
                  + (f"a person reads {known}" if known else "it was not graded yet"))
            return 1
        if not 0 <= points <= given.max_score:
            print(f"POINTS is {points:g}; it may be from 0 to {given.max_score:g}")
            return 1
        given.manual_score, given.needs_manual_grade = points, False
        gradebook.db.commit()
    state = read_state(folder)
    old = state.setdefault(f"{student}/{name}", {"digest": "", "status": "marked", "notes": [], "seconds": 0.0})
    if (folder / "graded" / student / name).exists():
        write_feedback(folder, student, name)
    summarise(folder, student, name, old["status"], old["notes"], book)
    write_grades(folder, state)
    print(f"{student}, {name}, {question}: {points:g} marks")
    return 0
