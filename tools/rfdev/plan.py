"""A course: which chapters are read when, what one can do afterwards, what is handed out and in, and what counts.

There is one list, `READ`, and every plan cuts it into as many parts as it has weeks or meetings, so that plans agree.
Which chapters an assignment needs is read off the assignment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rfdev import exercises, parts, routes
from rfdev.cells import read_notebook

# Chapters in the order in which they are read, and what one can do afterwards.
READ = {
    11: "write a kernel machine as a fit by columns and by rows, and say what each costs",
    12: "decide whether a function is a kernel, and build kernels from kernels",
    13: "prove the direction of Bochner's theorem that features use, and name the hypothesis that each step needs",
    14: "find the frequencies of a kernel, scale them, and draw them",
    21: "build Fourier features, and compute the mean and the variance of their estimate",
    41: "fit a ridge by columns and by rows, and choose its size",
    22: "say before the draw how many features are enough, and how many are too few",
    24: "show which kernels no partition can give, and mix hats for others",
    25: "build random binning, and compute its variance",
    26: "build features of dot products, and see when a coefficient forbids them",
    27: "compute what a wide random layer computes",
    31: "draw orthogonal frequencies, and compute what they gain",
    32: "multiply by a structured matrix without writing it down, and bound its bias",
    33: "draw scrambled points that stay unbiased",
    34: "say which functions a kernel can learn",
    71: "fix a protocol, and compare two methods without fooling oneself",
    42: "measure the error that a regression notices",
    43: "fit a logistic regression that does not overflow",
    44: "choose a model, and correct for the luck of the winner",
    72: "repeat a published table, and find rows that stand on both sides of a split",
    45: "fit a stream that is never in memory",
    46: "draw from a Gaussian process given data",
    47: "give an interval that holds without a model",
    48: "solve a large system in few steps, and count them",
    35: "draw frequencies for one function, with the right weights",
    51: "choose features by their scores, and score the choice honestly",
    52: "shrink scores by as much as their noise asks for",
    53: "resample a pool by leverage",
    54: "let frequencies walk, and check detailed balance",
    55: "learn a scale for each column by proximal steps",
    56: "read the gradients of a fit",
    57: "drop columns and features, and say what that promises",
}
SMALL, CAPSTONE = 12, 25  # per cent of the final mark: each assignment, and the one that takes more than an evening
EVENING = 150  # minutes of an assignment that is no capstone, at most


@dataclass(frozen=True)
class Assignment:
    """An assignment, as its notebook tells it."""

    number: int
    minutes: int
    marks: tuple[int, int]  # by checks, by a person
    needs: frozenset[int]  # chapters

    @property
    def share(self) -> int:
        """Per cent of the final mark."""
        return CAPSTONE if self.minutes > EVENING else SMALL


@dataclass
class Session:
    """A week, or a meeting."""

    chapters: list[int]
    out: list[int]  # assignments
    due: list[int]


@cache
def assignments(root: Path) -> tuple[Assignment, ...]:
    """All assignments; each needs the chapters that it links to, and those of the statements that its checks name."""
    from rfbook.lab.coursework import STATEMENTS

    found = []
    for path in sorted((root / "nbs" / "coursework").glob("assignment*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = "\n".join("".join(c["source"]) for c in cells)
        labels = [label for label in re.findall(r'"((?:thm|prop|def|lem|cor)-[\w-]+)"', text) if label in STATEMENTS]
        pages = [STATEMENTS[label][1] for label in labels] + re.findall(r"\(\.\./([1-7]_\w+/\d\d_\w+)\.ipynb", text)
        given = [c["metadata"].get("nbgrader", {}) for c in cells]
        marks = [sum(g["points"] for g in given if g.get("grade") and g["solution"] is person)
                 for person in (False, True)]
        found.append(Assignment(int(re.sub(r"\D", "", path.stem)),
                                sum(map(int, re.findall(r"^#+ .*\((\d+) minutes", text, flags=re.M))), tuple(marks),
                                frozenset(int(page.split("/")[1][:2]) for page in pages)))
    return tuple(found)


def cut(sizes: list[int], pieces: int) -> list[int]:
    """How many items each of `pieces` consecutive pieces has, so that the sum of the squares of their sizes is least.

    Examples
    --------
    >>> cut([1, 1, 1, 3], 2), cut([5, 1, 1, 5], 3)
    ([3, 1], [1, 2, 1])
    """
    best: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {(0, 0): (0, ())}
    for k in range(1, pieces + 1):
        for end in range(k, len(sizes) - pieces + k + 1):
            tried = ((best[start, k - 1][0] + sum(sizes[start:end]) ** 2, (*best[start, k - 1][1], end - start))
                     for start in range(k - 1, end) if (start, k - 1) in best)
            best[end, k] = min(tried)
    return list(best[len(sizes), pieces][1])


def sessions(root: Path, number: int) -> list[Session]:
    """A course of so many weeks or meetings; in the last one nothing is read, and all that is left is handed in.

    An assignment goes out when the first of its chapters is read that no earlier one needs, and is due in the session
    after the last of its chapters; a capstone, which takes more than an evening, is due in the last session.
    """
    took = minutes(root)
    found, left = [], [*READ]
    for many in cut([took[n] for n in READ], number - 1):
        found.append(Session(left[:many], [], []))
        left = left[many:]
    found.append(Session([], [], []))
    at = {n: i for i, session in enumerate(found) for n in session.chapters}
    seen: set[int] = set()
    for a in assignments(root):
        places = [at[n] for n in a.needs]
        found[min(at[n] for n in a.needs - seen)].out.append(a.number)
        found[number - 1 if a.share == CAPSTONE else max(places) + 1].due.append(a.number)
        seen |= a.needs
    return found


@cache
def minutes(root: Path) -> dict[int, int]:
    """Minutes that each chapter takes to read."""
    return {c.number: routes.minutes(read_notebook(root / f"{c.page}.ipynb", root)) for c in parts.chapters(root)}


def lines(root: Path, here: Path, unit: str) -> Iterator[str]:
    """The plan as Markdown, with links from a folder; `unit` is ``"10 weeks"`` or ``"13 meetings"``."""
    number, name = int(unit.split()[0]), unit.split()[1].rstrip("s")
    chapters, took, back = {c.number: c for c in parts.chapters(root)}, minutes(root), "../" * len(here.parts)
    some = {c.number: sum(e.stars < 3 for e in found) for c, found in exercises.of_the_book(root)}
    share = {a.number: a.share for a in assignments(root)}
    link = {k: f"[assignment {k}]({back}nbs/coursework/assignment{k}.ipynb)" for k in share}
    yield f"| {name.capitalize()} | Read | Minutes | Afterwards one can | Hand out | Hand in, and what it counts |"
    yield "|---|---|---|---|---|---|"
    plan = sessions(root, number)
    for i, session in enumerate(plan, 1):
        read = ", ".join(f"[{n} {chapters[n].title.split(':')[0]}]({back}{chapters[n].page}.ipynb)"
                         for n in session.chapters)
        can = "; ".join(READ[n] for n in session.chapters)
        many = sum(some.get(n, 0) for n in session.chapters)
        hand_in = [f"{link[k]}, {share[k]} %" for k in session.due]
        if session.chapters:
            hand_in.append(f"two of {many} exercises with ★ or ★★")
        else:
            read, can = "what was found", "say what is left of a claim, and defend it"
        yield (f"| {i} | {read} | {sum(took[n] for n in session.chapters) or ''} | {can} | "
               f"{', '.join(link[k] for k in session.out)} | {'; '.join(hand_in)} |")
    yield ""
    yield (f"The exercises count {100 - sum(share.values())} % together, the same for each {name}; "
           f"the minutes are those on the cards, {routes.spell(sum(took[n] for n in READ))} in all.")
