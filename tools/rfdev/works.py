"""References to papers in words, and the list of those that a page cites."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from pybtex.backends.markdown import Backend
from pybtex.database import Entry, parse_file
from pybtex.richtext import Text
from pybtex.style.formatting.unsrt import Style

FILE = "references.bib"
_KEY = re.compile(r"\s*([^{}\s]+)\s*(?:\{(.*)\})?\s*$")  # key, or key{place in the work}


@cache
def _entries(root: Path) -> dict[str, Entry]:
    return parse_file(str(root / FILE)).entries


def _plain(text: str) -> str:
    """LaTeX of a field as text."""
    return str(Text.from_latex(text))


def address(entry: Entry) -> str:
    """Where a work is to be had; empty if its entry does not say."""
    fields = entry.fields
    if fields.get("doi"):
        return "https://doi.org/" + fields["doi"]
    if fields.get("url"):
        return fields["url"]
    return "https://arxiv.org/abs/" + fields["eprint"] if fields.get("eprint") else ""


def _names(entry: Entry) -> str:
    people = entry.persons.get("author") or entry.persons.get("editor") or []
    names = [_plain(" ".join(person.prelast_names + person.last_names)) for person in people]
    if len(names) > 2:
        return f"{names[0]} et al."
    return " and ".join(names) or _plain(entry.fields.get("key") or entry.fields.get("title", ""))


def cite(root: Path, keys: str, textual: bool) -> tuple[str, list[str]]:
    """A citation as Markdown, each work a link, and the keys of the works.

    Parameters
    ----------
    root : Path
        Of the repository.
    keys : str
        As in the role: ``rahimi2007`` or ``bach2017,rudi2017{Theorem 1}``.
    textual : bool
        Whether the authors are part of the sentence.
    """
    said, found = [], []
    for part in re.split(r",(?![^{]*\})", keys):
        m = _KEY.match(part)
        if not m or m[1] not in _entries(root):
            raise KeyError(f"{part!r} is not in {FILE}")
        entry = _entries(root)[m[1]]
        year = entry.fields.get("year") or entry.fields.get("date", "n.d.")[:4]
        when = year + (f", {m[2]}" if m[2] else "")
        words = f"{_names(entry)} ({when})" if textual else f"{_names(entry)}, {when}"
        said.append(f"[{words}]({address(entry) or '#' + anchor(m[1])})")
        found.append(m[1])
    return ("; ".join(said) if textual else f"({'; '.join(said)})"), found


def anchor(key: str) -> str:
    """Name of a work's place in the list."""
    return "work-" + key


@cache
def _style() -> Style:
    """The style of lists; its parts are looked for among all packages that are installed."""
    return Style(label_style="number", sorting_style="author_year_title")


def listed(root: Path, keys: set[str] | None = None) -> str:
    """Works as a Markdown list; all of the book if no keys are given."""
    entries = [_entries(root)[key] for key in (_entries(root) if keys is None else sorted(keys))]
    lines = []
    for formatted in _style().format_entries(entries):
        text = " ".join(re.sub(r"\\([.()!-])", r"\1", formatted.text.render(Backend())).split())
        lines.append(f'- <a name="{anchor(formatted.key)}"></a>{text}')
    return "\n".join(lines)
