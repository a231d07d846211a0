"""All exercises of the book in one table: chapter, title, stars, and whether the solution is code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rfdev import parts
from rfdev.cells import Notebook, read_notebook
from rfdev.lint.markdown import directives


@dataclass(frozen=True)
class Exercise:
    """An exercise."""

    label: str
    title: str
    stars: int
    code: bool = False  # whether its solution has code that runs


def of_notebook(nb: Notebook) -> list[Exercise]:
    """The exercises of a chapter, in their order."""
    found: dict[str, Exercise] = {}
    within = ""
    for cell in nb.cells:
        if cell.kind == "code":
            if within in found and cell.source.strip():
                found[within] = replace(found[within], code=True)
            continue
        for part in directives(cell.source):
            if part.name in {"exercise", "exercise-start"} and part.options.get("label"):
                title = re.sub(r"\s*★+", "", part.argument).strip()
                label = part.options["label"]
                found[label] = Exercise(label, title, part.argument.count("★"))
            elif part.name == "solution-start":
                within = part.argument
            elif part.name == "solution-end":
                within = ""
    return [*found.values()]


@cache
def of_the_book(root: Path) -> tuple[tuple[parts.Chapter, tuple[Exercise, ...]], ...]:
    """Chapters that have exercises, with them."""
    found = []
    for chapter in parts.chapters(root):
        if exercises := of_notebook(read_notebook(root / f"{chapter.page}.ipynb", root)):
            found.append((chapter, tuple(exercises)))
    return tuple(found)


def lines(chapters: Iterable[tuple[parts.Chapter, Iterable[Exercise]]], here: Path) -> Iterator[str]:
    """The table as Markdown, with links from a folder."""
    yield "| Chapter | Exercise | | Stars | Solved |"
    yield "|---|---|---|---|---|"
    for chapter, exercises in chapters:
        name = f"[{chapter.number} {chapter.title}]({'../' * len(here.parts)}{chapter.page}.ipynb)"
        for e in exercises:
            solved = "with code" if e.code else "on paper"
            yield f"| {name} | {{ref}}`{e.label}` | {e.title} | {'★' * e.stars} | {solved} |"
            name = ""
