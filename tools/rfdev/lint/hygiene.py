"""Clean notebooks, directives that are ones, nothing of one machine, a complete table of contents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from rfdev.cells import Notebook
from rfdev.lint.findings import Finding, found
from rfdev.lint.markdown import swallowed, unopened

_MACHINE = re.compile(r"(?<![\w.~-])/(?:work|root|home/[\w.-]+|Users/[\w.-]+)(?=[/\s'\"`),;:]|$)", flags=re.M)
_LOCAL = re.compile(r"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])")
_TEXT = ("rfbook/**/*.py", "_ext/*.py", "_assets/*.css", "*.md", "*.yml", "*.toml", "*.ini", "*.cff", "*.bib",
         "Makefile")


def _machine(text: str, links: bool = True) -> Iterator[str]:
    """Sentences about what of one machine is written into `text`; `links` looks for addresses too."""
    if m := _MACHINE.search(text):
        yield f"{m[0]} is a path of one machine: write a relative one"
    if links and (m := _LOCAL.search(text)):
        yield f"{m[0]} is an address of one machine: leave it out"


def check_hygiene(root: Path, books: Iterable[Notebook]) -> Iterator[Finding]:
    """Notebooks carry no output; nothing names a path or an address of one machine."""
    for nb in books:
        for cell in nb.cells:
            if cell.outputs:
                yield found(nb, cell, "output", "the cell carries output or an execution count: run make clean-nbs")
            for message in _machine(cell.source, links=cell.kind == "markdown"):
                yield found(nb, cell, "machine", message)
    for pattern in _TEXT:
        for path in sorted(root.glob(pattern)):
            for message in _machine(path.read_text(encoding="utf-8"), links=path.suffix != ".py"):
                yield Finding(path.relative_to(root).as_posix(), 0, "machine", message)


def check_fences(books: Iterable[Notebook]) -> Iterator[Finding]:
    """What Markdown takes for text is printed as it stands: half a formula, an item, a title with a backtick."""
    for nb in books:
        for cell in nb.markdown():
            for line in unopened(cell.source):
                yield found(nb, cell, "fence", f"{line!r} opens nothing: take the backticks out of the title")
            for line in swallowed(cell.source):
                yield found(nb, cell, "swallowed", f"{line!r} is printed as it stands: write \\lvert for a bar in a "
                            "table, and an empty line before an item")


def check_toc(root: Path, books: Iterable[Notebook]) -> Iterator[Finding]:
    """Every notebook stands in _toc.yml once, and nothing else does."""
    toc = root / "_toc.yml"
    if not toc.exists():
        return
    listed = re.findall(r"^\s*(?:- )?(?:file|root):\s*(\S+)", toc.read_text(encoding="utf-8"), flags=re.M)
    there = [nb.path.removesuffix(".ipynb") for nb in books]
    for name in there:
        if name not in listed:
            yield Finding(f"{name}.ipynb", 0, "toc", "the notebook is not in the book: list it in _toc.yml")
    for name in listed:
        if name not in there:
            yield Finding("_toc.yml", 0, "toc", f"{name} is not there: write the notebook or take it out")
        if listed.count(name) > 1:
            yield Finding("_toc.yml", 0, "toc", f"{name} is listed twice: keep one")
