"""Modules and the notebooks that write them: a docstring for each, and few for a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rfdev.cells import Notebook
from rfdev.export import docstrings, writers
from rfdev.lint.findings import Finding, found

# Notebooks that write several modules of one room; those that still do so.
SEVERAL: dict[str, set[str]] = {}


def check_modules(books: Iterable[Notebook]) -> Iterator[Finding]:
    """A module has its docstring in a notebook; a notebook writes one module, or one for each room at most."""
    books = list(books)
    yield from _docstrings(books)
    yield from _rooms(books)


def _docstrings(books: list[Notebook]) -> Iterator[Finding]:
    said = {book.module for book in books if book.summary}
    for module, cells in writers(books).items():
        first, number = cells[0][0], len(docstrings(cells))
        if not number and module not in said:
            message = (f"the module {module} has no docstring: begin one of its cells with it, best that with the "
                       "imports")
            yield found(first, cells[0][1], "docstring", message)
        elif number > 1:
            for book, cell in docstrings(cells)[1:]:
                message = f"the module {module} has a docstring already: keep one"
                yield found(book, cell, "docstring", message)


def _rooms(books: list[Notebook]) -> Iterator[Finding]:
    for book in books:
        rooms: dict[str, set[str]] = {}
        for module in {module for _, module in book.exported() if "." in module}:
            rooms.setdefault(module.rpartition(".")[0], set()).add(module)
        several = {room for room, modules in rooms.items() if len(modules) > 1}
        for room in sorted(several - SEVERAL.get(book.path, set())):
            message = (f"the notebook writes {', '.join(sorted(rooms[room]))}: one module of a room is enough, join "
                       "them or give the other a notebook")
            yield found(book, 0, "module", message)
        for room in sorted(SEVERAL.get(book.path, set()) - several):
            message = f"the notebook writes one module of {room} at most: take it out of SEVERAL in tools/rfdev/lint"
            yield found(book, 0, "module", message)
