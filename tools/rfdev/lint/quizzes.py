"""Quizzes: one right choice, an answer to each, enough of them, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rfdev.cells import Notebook
from rfdev.lint.findings import Finding, found
from rfdev.lint.markdown import CHECK, QUIZZES, directives, headings_of
from rfdev.quiz import faults

LEAST = 3  # in a chapter of parts 1 to 6


def check_quizzes(books: Iterable[Notebook]) -> Iterator[Finding]:
    """Each quiz is one, and chapters of parts 1 to 6 have some, before their Recall."""
    for nb in books:
        asked = [(cell, d) for cell in nb.markdown() for d in directives(cell.source) if d.name in QUIZZES]
        for cell, d in asked:
            for fault in faults(d):
                yield found(nb, cell, "quiz", f"the quiz {d.argument!r}: {fault}")
        if nb.part not in set("123456"):
            continue
        if len(asked) < LEAST:
            message = f"the chapter has {len(asked)} quizzes: ask at least {LEAST}, under '## {CHECK}'"
            yield found(nb, 0, "quiz", message)
            continue
        names = [text for _, level, text in headings_of(nb) if level == 2]
        if names[-1:] != ["Recall"]:
            continue  # of which another rule speaks
        if names[-2:-1] != [CHECK]:
            yield found(nb, 0, "quiz", f"'## {CHECK}' does not stand directly before '## Recall': move it there")
            continue
        text = "\n".join(cell.source for cell in nb.markdown())
        within = re.findall(r"^`{3,}\{quiz(?:-number)?\}", text.rpartition(f"## {CHECK}\n")[2], flags=re.M)
        if len(within) != len(asked):
            yield found(nb, 0, "quiz", f"a quiz stands outside of '## {CHECK}': move it there")
