"""All exercises of the book in one table: chapter, title, topic, stars, minutes, and whether the solution is code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rfdev import parts
from rfdev.cells import Notebook, read_notebook
from rfdev.lint.markdown import directives

# What the exercises of a chapter are about, in words that a course has for it; chapters share some.
TOPICS = {
    11: "kernel machines", 12: "positive definiteness", 13: "positive definiteness", 14: "spectral distributions",
    21: "Monte Carlo, variance", 22: "concentration", 23: "concentration", 24: "partitions", 25: "partitions",
    26: "polynomial kernels", 27: "neural networks", 28: "attention", 31: "variance reduction",
    32: "fast transforms",
    33: "variance reduction", 34: "function spaces", 35: "importance sampling", 41: "ridge regression",
    42: "generalisation", 43: "classification", 44: "model selection", 45: "streaming, numerics",
    46: "Gaussian processes", 47: "conformal prediction", 48: "iterative solvers", 49: "overfitting",
    51: "feature selection", 52: "shrinkage", 53: "importance sampling", 54: "Markov chains", 55: "proximal methods",
    56: "feature learning", 57: "feature selection", 58: "low-rank approximation",
    61: "components, clusters", 62: "hypothesis tests", 63: "tests of independence",
    70: "experiments", 71: "experiments", 72: "experiments", 73: "experiments", 74: "experiments", 75: "Markov chains",
    76: "feature selection", 77: "proximal methods", 78: "performance", 79: "performance",
}
MINUTES = {1: 15, 2: 40, 3: 150}  # by stars: a few lines, an hour's part, an evening; estimated


@dataclass(frozen=True)
class Exercise:
    """An exercise."""

    label: str
    title: str
    stars: int
    code: bool = False  # whether its solution has code that runs

    @property
    def minutes(self) -> int:
        """What it takes, by its stars."""
        return MINUTES[self.stars]


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
    yield "| Chapter | Exercise | | Topic | Stars | Minutes | Solved |"
    yield "|---|---|---|---|---|---|---|"
    for chapter, exercises in chapters:
        name = f"[{chapter.number} {chapter.title}]({'../' * len(here.parts)}{chapter.page}.ipynb)"
        for e in exercises:
            solved = "with code" if e.code else "on paper"
            yield (f"| {name} | {{ref}}`{e.label}` | {e.title} | {TOPICS.get(chapter.number, '')} | "
                   f"{'★' * e.stars} | {e.minutes} | {solved} |")
            name = ""
