"""The page that a student reads first."""

from __future__ import annotations

import html
import re
from itertools import groupby
from pathlib import Path

import nbformat

from rfdev.cells import grade_id, kind, questions
from rfdev.marking.files import write
from rfdev.marking.gradebook import marks, released

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #222;
  background: #fff }}
table {{ border-collapse: collapse; width: 100% }}
td, th {{ border-top: 1px solid #ccc; padding: .4rem .6rem; text-align: left; vertical-align: top }}
td.n, th.n {{ white-space: nowrap }}
.question th {{ padding-top: 1.2rem }}
.lost td.n {{ font-weight: bold }}
pre {{ white-space: pre-wrap; margin: .3rem 0; background: #f6f6f6; padding: .4rem .6rem }}
@media (prefers-color-scheme: dark) {{
  body {{ color: #ddd; background: #1b1b1b }} a {{ color: #8ab4f8 }} td, th {{ border-color: #444 }}
  pre {{ background: #2a2a2a }} }}
</style>
<h1>{title}</h1>
{body}
</html>
"""


def summary_path(folder: Path, student: str, name: str) -> Path:
    """Where the page of a submission is."""
    return folder / "feedback" / student / f"{name}.html"


_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def statement(source: str, said: str) -> str:
    """Label of the statement that a check broke, or else of the last that it names: earlier ones are about shapes."""
    from rfbook.lab.coursework import STATEMENTS

    broken = re.findall(r"^It should, by .*\(([\w-]+)\)\.$", said, flags=re.M)
    named = re.findall(r'"([a-z]+-[\w-]+)["{]', source)[::-1]  # f"thm-hoeffding-{phase}" stands for the first of them
    return next((label for name in [*broken, *named] for label in STATEMENTS if label == name
                 or (name.endswith("-") and label.startswith(name))), "")


def _said(cell) -> str:
    """What a marked cell raised, in words."""
    said = ""
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            what = "" if output.ename in {"Missed", "NotFinished"} else f"{output.ename}: "
            said = _ANSI.sub("", what + output.evalue)
    return said


def _linked(label: str, book: str) -> str:
    """A statement of the book, as a link to its page."""
    from rfbook.lab.coursework import STATEMENTS

    if not label:
        return ""
    where, page = STATEMENTS[label]
    return f'<a href="{html.escape(f"{book}{page}.html#{label}")}">{html.escape(where)}</a>'


def _title(cell) -> str:
    """What a check looks at, from its first line, without the number of its question and its marks."""
    first = cell.source.split("\n", 1)[0]
    if not first.startswith("#"):
        return "read by a person"
    return re.sub(r"^(\d+\.\d+ )?(.*?)\s*(\(\d+ marks?\))?$", r"\2", first.lstrip("# "))


def _row(row: dict, cell, book: str) -> str:
    """One check: what it looks at, what it found, marks, and where to read."""
    source, said = (cell.source, _said(cell)) if cell is not None else ("", "")
    label, said = statement(source, said), re.split(r"\n(?:It should, by|That is one of)", said)[0][:2000]
    if said.startswith("NotImplementedError"):
        said = "There is no answer yet."
    score = "waits for a person" if row["waiting"] and row["hand"] is None else f"{row['score']:g}"
    if row["waiting"] and row["hand"] is not None:
        score += " (given for an earlier version)"
    lost = row["score"] < row["max"] and not row["waiting"]
    found = f"<pre>{html.escape(said)}</pre>" if said else ""
    title = html.escape(_title(cell) if cell is not None else row["id"])
    return (f'<tr class="{"lost" if lost else "kept"}"><td>{title}{found}</td>'
            f'<td class="n">{score} / {row["max"]:g}</td><td>{_linked(label, book)}</td></tr>')


def _waits(rows: list[dict]) -> list[dict]:
    """Rows that no person has marked yet."""
    return [r for r in rows if r["waiting"] and r["hand"] is None]


def _question(number: str, title: str, rows: list[dict]) -> str:
    """The row that heads a question: its number, its title, the sum of its marks."""
    waits = sum(r["max"] for r in _waits(rows))
    score = f"{sum(r['score'] for r in rows):g} / {sum(r['max'] for r in rows):g}"
    name = html.escape(f"Question {number}: {title}" if number else "Other cells")
    return (f'<tr class="question"><th>{name}</th><th class="n">{score}'
            f'{f", {waits:g} to come" if waits else ""}</th><th></th></tr>')


def _sum(rows: list[dict], asked: dict[str, tuple[str, str]]) -> str:
    """Marks so far, and which are still to be given."""
    score, most = sum(r["score"] for r in rows), sum(r["max"] for r in rows)
    if not (waiting := _waits(rows)):
        return f"<p><strong>{score:g} of {most:g} marks.</strong></p>"
    still = sum(r["max"] for r in waiting)
    names = ", ".join(f"{asked.get(r['id'], ('', ''))[0] or r['id']} ({r['max']:g})" for r in waiting)
    return (f"<p><strong>{score:g} of {most - still:g} marks so far.</strong> {still:g} more wait for a person who "
            f"reads your answers to {html.escape(names)}: in all it will be {score:g} to "
            f"{score + still:g} of {most:g}.</p>")


def _head(status: str, notes: list[str], rows: list[dict], asked: dict[str, tuple[str, str]]) -> list[str]:
    """What is said above the table: remarks, and the sum."""
    parts = []
    if status != "marked":
        parts.append("<p><strong>This file could not be marked:</strong> " + html.escape("; ".join(notes)) + ".</p>")
        if rows:
            parts.append("<p>The marks below are those of an earlier version.</p>")
    elif notes:
        parts.append("<ul>" + "".join(f"<li>{html.escape(n)}.</li>" for n in notes) + "</ul>")
    return [*parts, _sum(rows, asked)] if rows else parts


def _table(rows: list[dict], asked: dict[str, tuple[str, str]], cells: dict, book: str) -> list[str]:
    """All questions, each with its checks."""
    parts = ["<table><tr><th>What was asked</th><th>Marks</th><th>Statement</th></tr>"]
    for (number, title), group in groupby(rows, key=lambda row: asked.get(row["id"], ("", ""))):
        members = list(group)
        parts.append(_question(number, title, members))
        parts += [_row(row, cells.get(row["id"]), book) for row in members]
    return [*parts, "</table>"]


def summarise(folder: Path, student: str, name: str, status: str, notes: list[str], book: str) -> None:
    """Write the page: each question, its checks, their marks, where to read.  `book` is the address of its pages."""
    rows, given = marks(folder, student, name), released(folder, name).cells
    asked = questions(given)
    graded = folder / "graded" / student / name / f"{name}.ipynb"
    cells = {}
    if graded.exists():
        cells = {grade_id(c): c for c in nbformat.read(graded, as_version=4).cells if kind(c) in {"check", "written"}}
    parts = _head(status, notes, rows, asked)
    if rows:
        if graded.exists():
            parts.append(f'<p><a href="{name}/{name}.html">Your notebook with its output</a></p>')
        parts += _table(rows, asked, cells, book)
    heading = given[0].source.split("\n", 1)[0].lstrip("# ") if given else name
    title = html.escape(f"{heading}: {student}")
    write(summary_path(folder, student, name), _PAGE.format(title=title, body="\n".join(parts)))
