"""How long a page takes to read, by one model for all cards.

Prose goes at 180 words a minute, statements and proofs at 50; a formula on a line of its own takes half a minute, one
within a line two seconds, and 15 lines of code that are shown take a minute.  What is closed (fine print, solutions,
answers, folded cells) is not counted.
"""

from __future__ import annotations

import re

from rfdev.cells import Notebook
from rfdev.lint.markdown import CODE, Directive, _blocks

PROSE, FORMAL, DISPLAY, INLINE, LINES = 180, 50, 0.5, 2 / 60, 15
STEP = 5  # minutes on a card are multiples of it
_TIME = re.compile(r"(\*\*Time\.\*\* *)(\d+)( minutes? to read)")
_SHOWN = re.compile(r"\$\$.*?\$\$", flags=re.S)
_WITHIN = re.compile(r"(?<![\\$])\$(?!\$)[^$\n]+\$")


def _of_text(text: str, pace: float) -> float:
    text, shown = _SHOWN.subn(" ", text)
    text, within = _WITHIN.subn(" ", text)
    text = re.sub(r"\]\([^)]*\)|\{[\w:-]+\}`[^`]*`|`[^`\n]*`", " ", text)
    return sum(bool(re.search(r"\w", word)) for word in text.split()) / pace + shown * DISPLAY + within * INLINE


def _of_markdown(source: str, pace: float = PROSE) -> float:
    total = 0.0
    for part in _blocks(source):
        if not isinstance(part, Directive):
            total += _of_text(part + "\n", pace)
        elif part.name == "math":
            total += DISPLAY
        elif part.name not in CODE and "dropdown" not in part.options.get("class", ""):
            formal = part.name.startswith("prf:")
            total += _of_text(part.argument, PROSE) + _of_markdown(part.body, FORMAL if formal else pace)
    return total


def _displays(source: str) -> str:
    """A display that stands on several lines, on one, so that it is seen as one."""
    return _SHOWN.sub(lambda m: m[0].replace("\n", " "), source)


def estimate(nb: Notebook) -> int:
    """Minutes to read a page, a multiple of five, at least five.

    Parameters
    ----------
    nb : Notebook

    Returns
    -------
    int
    """
    total, closed = 0.0, False
    for cell in nb.cells:
        source = cell.source
        if cell.kind == "markdown":
            parts = re.split(r"(```+\{solution-(?:start|end)\}[^\n]*(?:\n:[^\n]*)*\n```+)", source)
            for part in parts:
                if "{solution-start}" in part:
                    closed = True
                elif "{solution-end}" in part:
                    closed = False
                elif not closed:
                    total += _of_markdown(_displays(part))
        elif not closed and cell.shown and not {"hide-input", "hide-cell", "remove-input"} & set(cell.tags):
            total += sum(bool(line.strip()) for line in source.split("\n")) / LINES
    return max(STEP, STEP * round(total / STEP))


def on_card(source: str, minutes: int) -> str:
    """The text of a card with other minutes.

    Examples
    --------
    >>> on_card("**Time.** 35 minutes to read, 10 seconds to run.", 40)
    '**Time.** 40 minutes to read, 10 seconds to run.'
    """
    return _TIME.sub(lambda m: f"{m[1]}{minutes}{m[3]}", source, count=1)
