"""Every numbered statement of the book, and which others its proof names, read from the notebooks."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rfdev.cells import Notebook, read_notebook
from rfdev.lint import markdown

KINDS = ("theorem", "lemma", "proposition", "corollary", "definition")
_NAMED = re.compile(r"\{(?:prf:ref|eq)\}`(?:[^`<]*<)?([\w:.-]+)>?`")


@dataclass
class Statement:
    """A theorem, lemma, proposition, corollary or definition."""

    label: str
    kind: str
    title: str
    page: str  # path of its notebook, relative to the root
    named: list[str] = field(default_factory=list)  # labels, of formulas too, in it and in its proof


def _read(nb: Notebook) -> Iterator[Statement]:
    """The statements of a notebook; a proof belongs to all before it that have none, definitions left out."""
    waiting: list[Statement] = []
    proved = False
    for cell in nb.markdown():
        for part in markdown.directives(cell.source):
            kind = part.name.removeprefix("prf:")
            if part.name == "prf:proof":
                for statement in waiting:
                    statement.named += _NAMED.findall(part.body)
                proved = True
            elif part.name.startswith("prf:") and kind in KINDS and part.options.get("label"):
                made = Statement(part.options["label"], kind, part.argument, nb.path, _NAMED.findall(part.body))
                yield made
                if kind != "definition":
                    waiting, proved = [made] if proved else [*waiting, made], False


def _homes(books: Iterable[Notebook]) -> dict[str, str]:
    """The statement in which each labelled formula stands, of those that stand in one."""
    home = {}
    for nb in books:
        for cell in nb.markdown():
            for part in markdown.directives(cell.source):
                if part.name.removeprefix("prf:") in KINDS and part.options.get("label"):
                    home.update(dict.fromkeys(markdown.labels(part.body), part.options["label"]))
    return home


def statements(books: list[Notebook]) -> list[Statement]:
    """All statements in the order of the notebooks; what they name are then labels of other statements, each once."""
    found = [statement for nb in books for statement in list(_read(nb))]
    home, known = _homes(books), {statement.label for statement in found}
    for statement in found:
        named = dict.fromkeys(home.get(label, label) for label in statement.named)
        statement.named = [label for label in named if label in known and label != statement.label]
    return found


def lines(found: list[Statement], folder: Path) -> list[str]:
    """Markdown that lists the statements page by page, with links for a page in `folder`, which is relative too.

    Examples
    --------
    >>> lemma = Statement("lem-b", "lemma", "Nets", "nbs/b.ipynb", ["thm-a"])
    >>> lines([lemma], Path("nbs"))
    ['**[](b.ipynb)**', '', '- {prf:ref}`lem-b` (Nets), from {prf:ref}`thm-a`', '']
    """
    out: list[str] = []
    for page in dict.fromkeys(statement.page for statement in found):
        out += [f"**[]({posixpath.relpath(page, folder.as_posix())})**", ""]
        for statement in (s for s in found if s.page == page):
            title = f" ({statement.title})" if statement.title else ""
            named = ", ".join(f"{{prf:ref}}`{label}`" for label in statement.named)
            out.append(f"- {{prf:ref}}`{statement.label}`{title}" + (f", from {named}" if named else ""))
        out.append("")
    return out


def of_the_book(root: Path) -> tuple[list[Statement], list[Path]]:
    """The statements of parts I to VII, and the notebooks that were read for them."""
    paths = sorted((root / "nbs").glob("[1-7]_*/*.ipynb"))
    return statements([read_notebook(path, root) for path in paths]), paths
