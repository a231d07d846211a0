"""What a reader sees of a chapter's code: short cells, folds that say what is in them, few margin notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from rfdev.cells import Cell, Notebook
from rfdev.lint.findings import Finding, found
from rfdev.lint.markdown import directives

MAX_LINES = 20
MAX_COLUMNS = 88
MAX_MARGINS = 2
FOLDS = {"hide-input", "hide-output", "hide-cell"}  # tags of myst-nb: closed, and opened by a click
HIDES = {"remove-cell", "remove-input"}


def check_pages(books: Iterable[Notebook]) -> Iterator[Finding]:
    """Chapters of parts 1 to 7 show code that a reader would type, and fold the rest."""
    for nb in books:
        if nb.is_chapter:
            yield from _margins(nb)
            yield from _twins(nb)
            for cell in nb.code_cells():
                if cell.code.strip():
                    yield from _folded(nb, cell) if FOLDS & cell.tags else _shown(nb, cell)


def _shown(nb: Notebook, cell: Cell) -> Iterator[Finding]:
    """Code on the page: seen, and neither long nor wide."""
    if {"hide", "hide_input"} & cell.nbdev.keys() or HIDES & cell.tags:
        message = "the code is hidden: fold it, with the tag hide-input and a label, so that a click opens it"
        yield found(nb, cell, "fold", message)
        return
    lines = cell.code.strip("\n").split("\n")
    if len(lines) > MAX_LINES:
        message = f"{len(lines)} lines of code are shown: keep a cell to {MAX_LINES}, split it, or fold it with a label"
        yield found(nb, cell, "page", message)
    if (widest := max(map(len, lines))) > MAX_COLUMNS:
        message = f"a line of shown code has {widest} columns: keep it to {MAX_COLUMNS}, or fold the cell under a label"
        yield found(nb, cell, "page", message)


def _folded(nb: Notebook, cell: Cell) -> Iterator[Finding]:
    """A fold's label is one line that says what is in it."""
    label = cell.metadata.get("mystnb", {}).get("code_prompt_show", "")
    if not (label.startswith("Show: ") and label[6:].strip()) or "\n" in label:
        message = ("the folded cell has no label: set mystnb: code_prompt_show in its metadata to 'Show: ' and what "
                   "is in it")
        yield found(nb, cell, "fold", message)


def _twins(nb: Notebook) -> Iterator[Finding]:
    """Two folds in a row say different things, but for figures, which stand between them."""
    for first, second in pairwise(nb.cells):
        one, other = (c.metadata.get("mystnb", {}) if FOLDS & c.tags else {} for c in (first, second))
        if (label := one.get("code_prompt_show")) and label == other.get("code_prompt_show") and "figure" not in one:
            yield found(nb, second, "fold", f"{label!r} stands there twice in a row: say what is in each, or join them")


def _margins(nb: Notebook) -> Iterator[Finding]:
    """Margin notes are for mistakes that readers make, and there are few."""
    notes = [cell for cell in nb.markdown() for d in directives(cell.source) if d.name == "margin"]
    if len(notes) > MAX_MARGINS:
        message = (f"the chapter has {len(notes)} margin notes: keep {MAX_MARGINS}, on mistakes that readers make; "
                   "errors of sources belong into the corrections")
        yield found(nb, notes[MAX_MARGINS], "margin", message)
