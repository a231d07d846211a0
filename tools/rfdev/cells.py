"""Notebooks and their cells: where they are, what nbdev's directives say, what students see of an assignment.

This is the one place that reads ``#| ...``.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

_DIRECTIVE = re.compile(r"^\s*#\s*\|\s*([\w-]+)\s*:?\s*(.*?)\s*$")
_EXPORTS = ("export", "exports", "exporti")


def split_directives(source: str) -> tuple[dict[str, str], str]:
    """Take the leading ``#| name: arguments`` of a code cell apart from its code.

    Returns
    -------
    directives : dict of str to str
        In the order of the cell; arguments are stripped, and empty where there are none.
    code : str
    """
    lines = source.split("\n")
    found: dict[str, str] = {}
    while lines and (m := _DIRECTIVE.match(lines[0])):
        found[m[1]] = m[2]
        lines.pop(0)
    return found, "\n".join(lines)


def split_docstring(code: str) -> tuple[str, str]:
    """Take the docstring that code begins with, as it is written, apart from what follows."""
    first = next(iter(ast.parse(code).body), None)
    if not (isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str)):
        return "", code
    lines = code.split("\n")
    return "\n".join(lines[first.lineno - 1 : first.end_lineno]), "\n".join(lines[first.end_lineno :]).lstrip("\n")


def exports_to(directives: dict[str, str], module: str = "") -> str:
    """Module that a cell with these directives goes into, empty if none; `module` is the notebook's own."""
    return next((directives[name] or module for name in _EXPORTS if name in directives), "")


def notebook_paths(root: Path) -> list[Path]:
    """All notebooks under `root`/nbs, sorted."""
    return sorted(p for p in (root / "nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)


@dataclass
class Cell:
    """A cell with its position, nbdev's directives taken apart from its code."""

    number: int  # from 1
    kind: str
    source: str
    metadata: dict = field(default_factory=dict)
    outputs: bool = False  # whether a run left something behind, a count too
    nbdev: dict[str, str] = field(init=False, default_factory=dict)
    code: str = field(init=False)

    def __post_init__(self) -> None:
        self.code = self.source
        if self.kind == "code":
            self.nbdev, self.code = split_directives(self.source)

    @cached_property
    def tree(self) -> ast.Module | None:
        """Syntax tree of a code cell, None where it holds magics or is broken."""
        try:
            return ast.parse(self.code)
        except SyntaxError:
            return None

    @property
    def tags(self) -> set[str]:
        """Jupyter tags."""
        return set(self.metadata.get("tags", []))

    @property
    def shown(self) -> bool:
        """Whether the reader sees what the cell puts out."""
        hidden = {"hide", "hide_output", "default_exp", *_EXPORTS}
        return not (hidden & self.nbdev.keys() or {"remove-cell", "remove-output"} & self.tags)


@dataclass
class Notebook:
    """A notebook under nbs/."""

    path: str  # relative to the root, with slashes
    cells: list[Cell]

    @property
    def part(self) -> str:
        """First digit of the folder, empty for notebooks outside the numbered parts."""
        m = re.match(r"nbs/(\d)_[^/]*/", self.path)
        return m[1] if m else ""

    @property
    def is_chapter(self) -> bool:
        """Whether the anatomy of a chapter is asked of it (parts 1 to 7)."""
        return self.part in set("1234567")

    @property
    def module(self) -> str:
        """Module of the package that it owns, empty if none."""
        return next((c.nbdev["default_exp"] for c in self.cells if "default_exp" in c.nbdev), "")

    def markdown(self) -> Iterator[Cell]:
        """Markdown cells."""
        return (c for c in self.cells if c.kind == "markdown")

    def code_cells(self) -> Iterator[Cell]:
        """Code cells."""
        return (c for c in self.cells if c.kind == "code")

    @property
    def summary(self) -> str:
        """The quoted line below the title, empty if there is none; it is the docstring of the notebook's own module."""
        titles = (c.source for c in self.markdown() if c.source.startswith("# "))
        return next((line.lstrip("> ").strip() for line in next(titles, "").split("\n") if line.startswith("> ")), "")

    def exported(self) -> Iterator[tuple[Cell, str]]:
        """Code cells that go into the package, and the module that each goes into."""
        for cell in self.code_cells():
            if target := exports_to(cell.nbdev, self.module):
                yield cell, target


def read_notebook(path: Path, root: Path) -> Notebook:
    """Read one notebook."""
    return read_text(path.read_text(encoding="utf-8"), path.relative_to(root).as_posix())


def read_text(text: str, name: str) -> Notebook:
    """Read a notebook from its text."""
    cells = []
    for i, raw in enumerate(json.loads(text)["cells"], 1):
        left = bool(raw.get("outputs")) or raw.get("execution_count") is not None
        cells.append(Cell(i, raw["cell_type"], "".join(raw["source"]), raw.get("metadata", {}), left))
    return Notebook(name, cells)


def read_notebooks(root: Path) -> list[Notebook]:
    """Read all notebooks under `root`/nbs."""
    return [read_notebook(path, root) for path in notebook_paths(root)]


# ---- assignments: cells of nbformat, whose metadata are nbgrader's --------------------------------------------------

CODE_STUB = "raise NotImplementedError  # write your code here"
TEXT_STUB = "*Write your answer here.*"
SOLUTION = re.compile(r"^([ \t]*)#+ BEGIN SOLUTION.*?^[ \t]*#+ END SOLUTION[^\n]*$", flags=re.S | re.M)
HIDDEN = re.compile(r"^[^\n]*BEGIN (HIDDEN TESTS|MARK SCHEME).*?END \1[^\n]*\n?", flags=re.S | re.M)


def kind(cell) -> str:
    """``answer``, ``check``, ``written``, ``locked``, or the empty string for a cell that nbgrader does not know."""
    mark = cell["metadata"].get("nbgrader")
    if not mark:
        return ""
    if mark["grade"]:
        return "written" if mark["solution"] else "check"
    return "answer" if mark["solution"] else "locked"


def grade_id(cell) -> str:
    """Name of a cell in the gradebook."""
    return cell["metadata"]["nbgrader"]["grade_id"]


_QUESTION = re.compile(r"^#+ Question (\d+\.\d+): (.*?)(?: \([^)]*\))?$", flags=re.M)


def questions(cells) -> dict[str, tuple[str, str]]:
    """Number and title of the question of each marked cell, by name: those of the last heading above it."""
    out, last = {}, ("", "")
    for cell in cells:
        if cell["cell_type"] == "markdown":
            for found in _QUESTION.finditer("".join(cell["source"])):
                last = (found[1], found[2])
        if kind(cell) in {"answer", "check", "written"}:
            out[grade_id(cell)] = last
    return out


# A cell of a master may say what it is in other variants: metadata `variants: {"2": ...}`, either the whole source or a
# list of pairs, what to replace and by what.  The master itself is variant 1, and what says nothing is in all of them.


def variants(cells) -> list[int]:
    """Numbers of the variants that a master has, 1 among them."""
    return sorted({1, *(int(number) for cell in cells for number in cell["metadata"].get("variants", {}))})


def to_variant(cells, number: int) -> None:
    """Turn the cells of a master into those of one variant, which say nothing of others any more.

    Raises
    ------
    ValueError
        If a cell has nothing of what is to be replaced in it.
    """
    for cell in cells:
        changes = cell["metadata"].pop("variants", {}).get(str(number), [])
        if isinstance(changes, str):
            cell["source"] = changes
            continue
        for before, after in changes:
            if before not in cell["source"]:
                raise ValueError(f"variant {number} replaces {before!r}, which is not in the cell "
                                 f"{grade_id(cell) if kind(cell) else cell.get('id')!r}")
            cell["source"] = cell["source"].replace(before, after)


def stub_source(cell) -> str:
    """Source of a cell of an assignment as students get it, without solution, hidden tests and mark scheme."""
    source, found = SOLUTION.subn(lambda m: m[1] + CODE_STUB, cell.source)
    if cell.metadata.get("nbgrader", {}).get("solution") and not found:  # as nbgrader does, all of it is the solution
        source = CODE_STUB if cell.cell_type == "code" else TEXT_STUB
    if HIDDEN.search(source):
        source = HIDDEN.sub("", source).rstrip()
    return source


def is_coursework(nb) -> bool:
    """Whether a notebook is an assignment: it has answers in it."""
    return any(cell.metadata.get("nbgrader", {}).get("solution") for cell in nb.cells)


def to_students(nb) -> bool:
    """Turn an assignment into what students get; return False, and do nothing, for any other notebook."""
    if not is_coursework(nb):
        return False
    to_variant(nb.cells, 1)
    for cell in nb.cells:
        cell.source = stub_source(cell)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return True
