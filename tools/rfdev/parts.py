"""How chapters hang together: boxes with their questions, and arrows from what a card asks for; all parts at once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from textwrap import wrap

import yaml

from rfdev.cells import read_notebook
from rfdev.numbers import chapter_number
from rfdev.paper import reading_order

_BEFORE = re.compile(r"\*\*Before this\.\*\*(.*?)\n\n", re.S)
# to the end of its paragraph, or to what comes next on the card
_QUESTION = re.compile(r"\*\*Question\.\*\* *(.*?)(?:\n\n|\s*\*\*\w[\w ]*\.\*\*)", re.S)
WIDE, HIGH, ACROSS, DOWN = 206, 66, 48, 26  # of a box, and of the gaps between boxes
WINDOWS = {"wide": (900, 5), "narrow": (344, 2)}  # of the picture of the book: units across, boxes in a row


@dataclass(frozen=True)
class Chapter:
    """A chapter as its card tells it."""

    number: int
    title: str
    page: str  # relative to the root, without ending
    question: str
    before: frozenset[int]  # chapters that the card asks for
    core: bool = False  # of the short book


@cache
def chapters(root: Path) -> tuple[Chapter, ...]:
    """All numbered chapters, in their order."""
    found = []
    for page in (one.name for one in reading_order(root / "_toc.yml")):
        number = chapter_number(page)
        if number is not None:
            text = "\n".join(cell.source for cell in read_notebook(root / f"{page}.ipynb", root).markdown())
            before, question = _BEFORE.search(text), _QUESTION.search(text)
            asked = re.findall(r"[(/]([1-7]\d)_\w+\.ipynb", before[1]) if before else []
            said = question[1].replace("\n", " ").strip() if question else ""
            said = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", said)  # links are relative to another page
            found.append(Chapter(number, re.search(r"^# (.*)", text, re.M)[1], page, said, frozenset(map(int, asked)),
                                 "**Level.** Core" in text))
    return tuple(found)


def depths(some: list[Chapter]) -> dict[int, int]:
    """Length of the longest chain of chapters, among some, that ends in each."""
    there = {c.number: c for c in some}
    found: dict[int, int] = {}

    def depth(number: int) -> int:
        if number not in found:
            found[number] = 0  # a circle, which the order of the book forbids, ends here
            found[number] = max((1 + depth(n) for n in there[number].before if n in there), default=0)
        return found[number]

    return {number: depth(number) for number in there}


def titles(root: Path) -> dict[str, tuple[str, str]]:
    """Caption and page of each part that has chapters with numbers, by the first digit of these."""
    found = {}
    for part in yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))["parts"]:
        first = part["chapters"][0]["file"]
        if match := re.fullmatch(r"nbs/parts/part(\d)", first):
            found[match[1]] = (part["caption"], first)
    return found


def rests_on(some: tuple[Chapter, ...]) -> dict[str, set[str]]:
    """For each part those that its cards ask for, without those that these rest on themselves."""
    asked: dict[str, set[str]] = {}
    for c in some:
        here = str(c.number)[0]
        asked.setdefault(here, set()).update({str(n)[0] for n in c.before} - {here})
    below: dict[str, set[str]] = {}
    for part in sorted(asked):  # what is asked for has a smaller number
        below[part] = asked[part].union(*(below[p] for p in asked[part]))
    return {part: {p for p in found if not any(p in below[q] for q in found)} for part, found in asked.items()}


def lines(part: str, root: Path, here: Path) -> list[str]:
    """The picture of a part as HTML, and below it the questions as a list; links lead from a folder.

    The part "all" is the book: its picture has all parts, and the list their pages.
    """
    if part == "all":
        back, found = "../" * len(here.parts), titles(root)
        drawn = [whole(chapters(root), found, back, window) for window in WINDOWS]
        listed = [f"- [{caption}]({back}{page}.ipynb)" for caption, page in found.values()]
        return ["```{raw} html", *"\n".join(drawn).split("\n"), "```", "", *listed]
    every = chapters(root)
    some = [c for c in every if str(c.number)[0] == part]
    back, asked = "../" * len(here.parts), set().union(*(c.before for c in some))
    inside = asked & {c.number for c in some}  # where no chapter builds on another, say on what they build
    outside = () if inside else [c for c in every if c.number in asked]
    listed = [f"- [{c.number} {c.title}]({back}{c.page}.ipynb). {c.question}" for c in some]
    return ["```{raw} html", *picture(some, back, outside).split("\n"), "```", "", *listed]


def picture(some: list[Chapter], back: str, outside: Iterable[Chapter] = ()) -> str:
    """Boxes in columns by what must be read before, as an SVG whose boxes are links; chapters of other parts first."""
    at, rows, others = {}, {}, tuple(outside)
    columns = {c.number: 0 for c in others} | {number: depth + bool(others) for number, depth in depths(some).items()}
    for number, column in columns.items():
        rows[column] = rows.get(column, -1) + 1
        at[number] = (column * (WIDE + ACROSS), rows[column] * (HIGH + DOWN))
    width = max(x for x, _ in at.values()) + WIDE
    height = max(y for _, y in at.values()) + HIGH
    out = [f'<svg class="rf-part" viewBox="-2 -2 {width + 4} {height + 4}" role="group" '
           f'aria-label="Chapters of this part, each after those that it builds on; the list below has the same.">',
           '<defs><marker id="rf-tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
           'orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>']
    for c in some:
        for n in sorted(c.before & at.keys()):
            (x0, y0), (x1, y1) = at[n], at[c.number]
            x0, y0, y1, middle = x0 + WIDE, y0 + HIGH / 2, y1 + HIGH / 2, (x0 + WIDE + x1) / 2
            out.append(f'<path class="arrow" d="M{x0} {y0}C{middle} {y0} {middle} {y1} {x1 - 2} {y1}" '
                       'marker-end="url(#rf-tip)"/>')
    for c in (*others, *some):
        (x, y), kind = at[c.number], ' class="other"' if c in others else ""
        said = wrap(c.title, 26) if len(wrap(c.title, 26)) <= 2 else wrap(c.title.split(":")[0], 26)[:2]
        top = y + HIGH / 2 + (12 if len(said) == 1 else 4)
        words = "".join(f'<tspan x="{x + 12}" y="{top + 17 * i}">{escape(line)}</tspan>' for i, line in enumerate(said))
        out.append(f'<a href="{back}{c.page}.html"{kind}><rect x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="5"/>'
                   f'<text class="number" x="{x + 12}" y="{y + 20}">{c.number}</text><text>{words}</text></a>')
    return "\n".join([*out, "</svg>"])


def whole(some: tuple[Chapter, ...], captions: dict[str, tuple[str, str]], back: str, window: str) -> str:
    """All chapters in bands, a band for each part, and arrows beside them to each part from those that it rests on."""
    (width, columns), gap, gutter, high = WINDOWS[window], 8, 58 if window == "wide" else 36, 52
    wide = (width - gutter - gap * (columns - 1)) / columns
    top, boxes, heads = 0.0, [], {}
    for part, (caption, page) in captions.items():
        heads[part] = top + 12
        boxes.append(f'<a href="{back}{page}.html"><text class="part" x="{gutter}" y="{top + 18:g}">{escape(caption)}'
                     '</text></a>')
        top += 30
        inside = [c for c in some if str(c.number)[0] == part]
        for i, c in enumerate(inside):
            x, y = gutter + i % columns * (wide + gap), top + i // columns * (high + gap)
            letters = int((wide - 36) / 6.7)
            said = wrap(c.title, letters)
            said = said if len(said) <= 2 else wrap(c.title.split(":")[0], letters)[:3]
            first = y + 39 - 8 * len(said)
            words = "".join(f'<tspan x="{x + 30:g}" y="{first + 16 * k:g}">{escape(line)}</tspan>'
                            for k, line in enumerate(said))
            kind = ' class="core"' if c.core else ""
            boxes.append(f'<a href="{back}{c.page}.html"{kind}><rect x="{x:g}" y="{y:g}" width="{wide:g}" '
                         f'height="{high}" rx="5"/><text class="number" x="{x + 8:g}" y="{y + 31:g}">{c.number}</text>'
                         f"<text>{words}</text></a>")
        top += -(-len(inside) // columns) * (high + gap) + 14
    arrows = []
    for part, found in sorted(rests_on(some).items()):
        for n, other in enumerate(sorted(found, reverse=True)):
            y0, y1, x = heads[other] + 4 + 4 * n, heads[part] - 4 + 4 * n, gutter - 8
            out = x - min(gutter - 10, 12 + 9 * (int(part) - int(other)))
            arrows.append(f'<path class="arrow" d="M{x} {y0:g}C{out} {y0 + 20:g} {out} {y1 - 20:g} {x} {y1:g}" '
                          f'marker-end="url(#rf-tip-{window})"/>')
    return "\n".join([
        f'<svg class="rf-part rf-whole {window}" viewBox="-1 -1 {width + 2} {top + 2:g}" role="group" '
        'aria-label="All chapters, a band for each part; arrows lead to a part from those that it rests on. '
        'The list below leads to the parts.">',
        f'<defs><marker id="rf-tip-{window}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>', *arrows, *boxes, "</svg>"])
