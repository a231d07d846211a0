"""The page that a student reads first."""

from __future__ import annotations

import html
import re
from pathlib import Path

import nbformat

from rfdev.cells import grade_id, kind
from rfdev.marking.files import write
from rfdev.marking.gradebook import marks

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #222;
  background: #fff }}
table {{ border-collapse: collapse; width: 100% }}
td, th {{ border-top: 1px solid #ccc; padding: .4rem .6rem; text-align: left; vertical-align: top }}
td.n {{ white-space: nowrap }}
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
    from rfbook.coursework import STATEMENTS

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


def _row(row: dict, cell, book: str) -> str:
    """One question: its title, what went wrong, marks, and where to read."""
    from rfbook.coursework import STATEMENTS

    source, said = (cell.source, _said(cell)) if cell is not None else ("", "")
    first = source.split("\n", 1)[0]
    title = re.sub(r"\s*\(\d+ marks?\)$", "", first.lstrip("# ")) if first.startswith("#") else "read by a person"
    label, said = statement(source, said), said.split("\nIt should, by")[0][:2000]
    where = ""
    if label:
        where, page = STATEMENTS[label]
        where = f'<a href="{html.escape(f"{book}{page}.html#{label}")}">{html.escape(where)}</a>'
    score = "waits" if row["waiting"] and row["hand"] is None else f"{row['score']:g}"
    if row["waiting"] and row["hand"] is not None:
        score += " (given for an earlier version)"
    lost = row["score"] < row["max"] and not row["waiting"]
    found = f"<pre>{html.escape(said)}</pre>" if said else ""
    return (f'<tr class="{"lost" if lost else "kept"}"><td><code>{html.escape(row["id"])}</code> '
            f'{html.escape(title)}{found}</td><td class="n">{score} / {row["max"]:g}</td>'
            f'<td>{where}</td></tr>')


def _head(status: str, notes: list[str], rows: list[dict]) -> list[str]:
    """What is said above the table: remarks, and the sum."""
    parts = []
    if status != "marked":
        parts.append("<p><strong>This file could not be marked:</strong> " + html.escape("; ".join(notes)) + ".</p>")
        if rows:
            parts.append("<p>The marks below are those of an earlier version.</p>")
    elif notes:
        parts.append("<ul>" + "".join(f"<li>{html.escape(n)}.</li>" for n in notes) + "</ul>")
    if rows:
        waiting = sum(r["waiting"] for r in rows)
        parts.append(f"<p>{sum(r['score'] for r in rows):g} of {sum(r['max'] for r in rows):g} marks"
                     + (f"; {waiting} answers wait for a person" if waiting else "") + ".</p>")
    return parts


def summarise(folder: Path, student: str, name: str, status: str, notes: list[str], book: str) -> None:
    """Write the page: each check, its marks, its theorem, and where to read.  `book` is the address of its pages."""
    rows = marks(folder, student, name)
    graded = folder / "graded" / student / name / f"{name}.ipynb"
    cells = {}
    if graded.exists():
        cells = {grade_id(c): c for c in nbformat.read(graded, as_version=4).cells if kind(c) in {"check", "written"}}
    parts = _head(status, notes, rows)
    if rows:
        if graded.exists():
            parts.append(f'<p><a href="{name}/{name}.html">Your notebook with its output</a></p>')
        parts.append("<table><tr><th>Question</th><th>Marks</th><th>Statement</th></tr>")
        parts += [_row(row, cells.get(row["id"]), book) for row in rows]
        parts.append("</table>")
    title = html.escape(f"{name}: {student}")
    write(summary_path(folder, student, name), _PAGE.format(title=title, body="\n".join(parts)))
