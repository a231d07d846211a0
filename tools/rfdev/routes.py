"""Ways through the book: lists of chapters with the minutes that each takes."""

from __future__ import annotations

import math
import re
from pathlib import Path

from rfdev.cells import Notebook, read_notebook
from rfdev.lint.markdown import words

_TIME = re.compile(r"\*\*Time\.\*\* *(\d+) minutes? to read")
_STOP = re.compile(r"^- .*?\]\(([^)#\s]+\.ipynb)\)")
PACE = 120  # words a minute on a page that has no card


def minutes(nb: Notebook) -> int:
    """Minutes to read a page: those of its card, or what its words take, in steps of five."""
    text = [cell.source for cell in nb.markdown()]
    for source in text:
        if told := _TIME.search(source):
            return int(told[1])
    return max(5, 5 * math.ceil(sum(map(words, text)) / PACE / 5))


def spell(total: int) -> str:
    """Minutes as a reader says them.

    Examples
    --------
    >>> spell(35), spell(60), spell(150)
    ('35 minutes', '1 hour', '2½ hours')
    """
    if total < 60:
        return f"{total} minutes"
    halves = round(total / 30)
    number = f"{halves // 2}" + ("½" if halves % 2 else "")
    return f"{number} hour{'s' * (halves > 2)}"


def with_minutes(lines: list[str], folder: Path) -> tuple[list[str], int, list[Path]]:
    """Put its minutes behind each item that begins with a chapter.

    Parameters
    ----------
    lines : list of str
        Markdown; an item of a list is one line whose first link is the chapter.
    folder : Path
        Where the links start.

    Returns
    -------
    lines : list of str
    total : int
        Minutes of all items together.
    read : list of Path
        The notebooks that were looked at.
    """
    out, total, read = [], 0, []
    for line in lines:
        if stop := _STOP.match(line):
            path = (folder / stop[1]).resolve()
            took = minutes(read_notebook(path, path.parent))
            total, line = total + took, f"{line.rstrip()} *{took} minutes.*"
            read.append(path)
        out.append(line)
    return out, total, read
