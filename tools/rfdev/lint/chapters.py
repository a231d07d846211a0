"""The anatomy of a chapter: card, sections, exercises, recall, budgets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from rfdev.cells import Cell, Notebook
from rfdev.lint.findings import Finding, found
from rfdev.lint.markdown import Directive, directives, headings_of, words

MAX_WORDS = 5000
MAX_EXPORTS = 12
MIN_EXERCISES = 4
RECALL = range(4, 7)  # numbers of recall questions that a chapter may have
SECTIONS = ["theory meets experiment", "break it", "in practice", "exercises", "sources"]  # in any order
CARD = ["Question.", "Before this.", "Time.", "Exports."]


def exports(nb: Notebook) -> list[str]:
    """Public names that a notebook adds to the library; claims are not counted."""
    names: list[str] = []
    for cell in nb.code_cells():
        target = cell.nbdev.get("export", cell.nbdev.get("exports"))
        if target is None or target.startswith("lab.claims") or cell.tree is None:
            continue
        for node in cell.tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                if not any(isinstance(d, ast.Name) and d.id.startswith("patch") for d in node.decorator_list):
                    names.append(node.name)
            elif isinstance(node, ast.Assign):
                names += [t.id for t in node.targets if isinstance(t, ast.Name)]
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                names.append(node.target.id)
    return [n for n in dict.fromkeys(names) if not n.startswith("_")]


def check_chapters(books: Iterable[Notebook]) -> Iterator[Finding]:
    """Chapters of parts 1 to 7 have their card, exercises, sections and budgets."""
    for nb in books:
        if nb.is_chapter:
            boxes = [(c, d) for c in nb.markdown() for d in directives(c.source)]
            yield from _card(nb, boxes)
            yield from _exercises(nb, boxes)
            yield from _gates(nb, boxes)
            if nb.part != "7":
                yield from _sections(nb)
            yield from _recall(nb)
            yield from _budgets(nb)


def _card(nb: Notebook, boxes: list[tuple[Cell, Directive]]) -> Iterator[Finding]:
    """A card after the title that says what is asked, what comes before, how long it takes, what is exported."""
    cards = [(c, d) for c, d in boxes if d.name == "admonition" and "card" in _classes(d)]
    if not cards:
        yield found(nb, 0, "card", "the chapter has no card: add an admonition with :class: card after the title")
    for cell, d in cards:
        if missing := [w for w in CARD if f"**{w}**" not in d.body]:
            yield found(nb, cell, "card", "the card lacks " + ", ".join(f"**{w}**" for w in missing) + ": add it")


def _exercises(nb: Notebook, boxes: list[tuple[Cell, Directive]]) -> Iterator[Finding]:
    """Exercises with a label, stars and a solution that is hidden until asked for."""
    exercises = [(c, d) for c, d in boxes if d.name in {"exercise", "exercise-start"}]
    solutions = {d.argument: (c, d) for c, d in boxes if d.name in {"solution", "solution-start"}}
    if len(exercises) < MIN_EXERCISES:
        message = f"the chapter has {len(exercises)} exercises: write at least {MIN_EXERCISES}"
        yield found(nb, 0, "exercise", message)
    for cell, d in exercises:
        label = d.options.get("label", "")
        if not label:
            yield found(nb, cell, "exercise", f"the exercise {d.argument!r} has no label: add :label: ex-...")
        elif label not in solutions:
            message = f"the exercise {label} has no solution: add a solution-start with that label"
            yield found(nb, cell, "exercise", message)
        if not 1 <= d.argument.count("★") <= 3:
            message = f"the exercise {label or d.argument!r} has no stars: put ★, ★★ or ★★★ into its title"
            yield found(nb, cell, "exercise", message)
    for label, (cell, d) in solutions.items():
        if "dropdown" not in _classes(d):
            yield found(nb, cell, "exercise", f"the solution of {label} is not hidden: add :class: dropdown")


def _gates(nb: Notebook, boxes: list[tuple[Cell, Directive]]) -> Iterator[Finding]:
    """What is opened by exercise-start or solution-start is closed before the next one."""
    inside = ""
    for cell, d in boxes:
        kind, _, gate = d.name.partition("-")
        if kind in {"exercise", "solution"} and gate in {"start", "end"}:
            if inside != (kind if gate == "end" else ""):
                message = f"{d.name} stands {'inside a ' + inside if inside else 'outside'}: open and close in turn"
                yield found(nb, cell, "exercise", message)
            inside = kind if gate == "start" else ""


def _classes(d: Directive) -> list[str]:
    return d.options.get("class", "").split()


def _budgets(nb: Notebook) -> Iterator[Finding]:
    """As many words and names as a reader can take; the fine print is not counted."""
    if (n := sum(words(c.source, fine_print=False) for c in nb.markdown())) > MAX_WORDS:
        message = f"the chapter has {n} words of Markdown outside the fine print: keep it to {MAX_WORDS}"
        yield found(nb, 0, "words", message)
    if len(names := exports(nb)) > MAX_EXPORTS:
        yield found(nb, 0, "exports", f"the chapter exports {len(names)} public names: keep it to {MAX_EXPORTS}")


def _sections(nb: Notebook) -> Iterator[Finding]:
    """The sections that readers look for; all others have the chapter's own words, and any order."""
    names = [re.sub(r"[^\w\s]", "", text).strip().lower() for _, level, text in headings_of(nb) if level == 2]
    for s in SECTIONS:
        if s not in names:
            yield found(nb, 0, "section", f"the section '## {s.capitalize()}' is missing: add it, spelled so")


def _recall(nb: Notebook) -> Iterator[Finding]:
    """The chapter ends with questions; each is the title of a closed dropdown that holds its answer in one line."""
    top = [(cell, text) for cell, level, text in headings_of(nb) if level == 2]
    if not top or top[-1][1] != "Recall":
        yield found(nb, 0, "recall", "the chapter does not end with '## Recall': add it after the sources")
        return
    start = top[-1][0]
    asked = []
    for cell in nb.markdown():
        if cell.number >= start.number:
            source = cell.source.split("## Recall", 1)[1] if cell is start else cell.source
            asked += [(cell, d) for d in directives(source) if "recall" in _classes(d)]
    if len(asked) not in RECALL:
        message = (f"the chapter has {len(asked)} recall questions: ask {RECALL[0]} to {RECALL[-1]}, each an "
                   "admonition with :class: dropdown recall")
        yield found(nb, start, "recall", message)
    for cell, d in asked:
        if d.name != "admonition" or not d.argument.endswith("?"):
            yield found(nb, cell, "recall", f"{d.argument!r} is no question: make the title of the admonition one")
        if "dropdown" not in _classes(d):
            message = f"the answer to {d.argument!r} is not hidden: write :class: dropdown recall"
            yield found(nb, cell, "recall", message)
        if len([line for line in d.body.split("\n") if line.strip()]) != 1:
            yield found(nb, cell, "recall", f"the answer to {d.argument!r} is not one line: say it in one")
