"""What a reference says in words: the numbers of the site, counted from the notebooks as Sphinx counts them.

The site asks at each build whether it has the same (``differing``, called by ``_ext``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rfdev.cells import Notebook, read_notebook
from rfdev.dependence import KINDS
from rfdev.lint.markdown import CODE, blocks
from rfdev.paper import reading_order

_CHAPTER = re.compile(r"nbs/[1-7]_[^/]*/(\d\d)_")
_COUNTED = {**dict.fromkeys(KINDS, "theorem"), "remark": "remark", "exercise-start": "exercise", "exercise": "exercise"}


def chapter_number(page: str) -> int | None:
    """Number of a chapter, which is that of its file; the first digit names the part, and a new chapter moves none.

    Examples
    --------
    >>> chapter_number("nbs/2_features/21_fourier"), chapter_number("nbs/8_appendix/80_notation.ipynb")
    (21, None)
    """
    m = _CHAPTER.match(page)
    return int(m[1]) if m else None


@dataclass(frozen=True)
class Target:
    """What a label stands for."""

    words: str  # as the site says it: Theorem 21.1, (21.3), Fig. 21.2, or the heading that a place is before
    page: str  # path of the notebook, relative to the root
    kind: str  # of the count; empty for places
    number: tuple[int, ...] = ()


def _things(nb: Notebook) -> Iterator[tuple[str, str, str]]:
    """Kind, label and word of what is counted or named on a page, in its order."""
    runs = not any(cell.metadata.get("nbgrader", {}).get("solution") for cell in nb.cells)  # an assignment does not
    for cell in nb.cells:
        if cell.kind == "code":
            figure = cell.metadata.get("mystnb", {}).get("figure")
            if figure and cell.shown and runs:
                yield "figure", figure.get("name", ""), "Fig."
        else:
            yield from _in_text(cell.source)


def _in_text(source: str) -> Iterator[tuple[str, str, str]]:
    place, heads = "", False
    for token, part in blocks(source):
        if part is not None:
            kind = part.name.removeprefix("prf:")
            if kind in _COUNTED:
                word = kind.removesuffix("-start").capitalize()
                yield _COUNTED[kind], part.options.get("label", ""), word
            if part.name not in CODE:
                yield from _in_text(part.body)
        elif token.type == "math_block_label":
            yield "displaymath", token.info, ""
        elif token.type == "myst_target":
            place = token.content
            yield "", place, ""
        elif token.type == "inline" and place:
            yield "", place, token.content if heads else ""
            place = ""
        heads = token.type == "heading_open"


@cache
def targets(root: Path) -> dict[str, Target]:
    """All labels of the book."""
    found: dict[str, Target] = {}
    elsewhere: Counter[str] = Counter()  # pages without a number share a count, but for figures
    for page in pages(root):
        chapter, here = chapter_number(page), Counter[str]()
        for kind, label, word in _things(read_notebook(root / page, root)):
            if not kind:
                found[label] = Target(word, page, "")
                continue
            count = here if chapter is not None or kind == "figure" else elsewhere
            count[kind] += 1
            number = (count[kind],) if chapter is None else (chapter, count[kind])
            said = ".".join(map(str, number))
            if label:
                found[label] = Target(f"{word} {said}" if word else f"({said})", page, kind, number)
    return found


def pages(root: Path) -> list[str]:
    """Notebooks that are pages of the site, in its order; paths relative to the root."""
    return [name + ".ipynb" for name in (chapter.name for chapter in reading_order(root / "_toc.yml"))
            if (root / f"{name}.ipynb").exists()]


@cache
def titles(root: Path) -> dict[str, str]:
    """Title of each page."""
    found = {}
    for page in pages(root):
        text = "\n".join(cell.source for cell in read_notebook(root / page, root).markdown())
        m = re.search(r"^# +(.+)$", text, flags=re.M)
        found[page] = m[1].strip() if m else Path(page).stem
    return found


def differing(root: Path, numbers: dict[str, dict[str, dict[str, tuple[int, ...]]]], known: set[str]) -> list[str]:
    """Labels that have another number on the site, or none, each with what it has.

    Parameters
    ----------
    root : Path
    numbers : dict
        ``toc_fignumbers`` of Sphinx: by page (without suffix), kind and identifier.
    known : set of str
        Pages that were built, without suffix.
    """
    wrong = []
    for label, target in targets(root).items():
        page = target.page.removesuffix(".ipynb")
        if not target.kind or page not in known:
            continue
        name = f"equation-{label}" if target.kind == "displaymath" else label
        seen = {number for anchors in numbers.get(page, {}).values() for anchor, number in anchors.items()
                if anchor == name}
        if seen != {target.number}:
            wrong.append(f"{label} is {target.words} here, and {sorted(seen) or 'without a number'} on the site")
    return wrong
