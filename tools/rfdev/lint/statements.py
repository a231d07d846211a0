"""Labels, and statements with their claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rfdev.cells import Cell, Notebook
from rfdev.lint import markdown
from rfdev.lint.findings import Finding, found

STATEMENTS = {"theorem", "lemma", "proposition", "corollary"}


def labels(cell: Cell) -> list[str]:
    """Return all labels that a cell defines."""
    if cell.kind == "code":
        name = (cell.metadata.get("mystnb", {}).get("figure") or {}).get("name")
        return [str(name)] if name else []
    return markdown.labels(cell.source)


def check_labels(books: Iterable[Notebook]) -> Iterator[Finding]:
    """Labels and names are unique across the book; a labelled formula starts a block of its own."""
    seen: dict[str, str] = {}
    for nb in books:
        for cell in nb.cells:
            for label in labels(cell):
                if label in seen:
                    yield found(nb, cell, "label", f"the label {label} is taken by {seen[label]}: choose another")
                seen.setdefault(label, f"{nb.path} cell {cell.number}")
            for label in markdown.glued(cell.source) if cell.kind == "markdown" else ():
                message = f"the formula {label} would not be set: put a blank line before its $$"
                yield found(nb, cell, "label", message)


def _stated(nb: Notebook) -> Iterator[tuple[Cell, str, markdown.Directive]]:
    """Cell, kind and directive of each statement."""
    for cell in nb.markdown():
        for d in markdown.directives(cell.source):
            kind = d.name.removeprefix("prf:")
            if d.name.startswith("prf:") and kind in STATEMENTS:
                yield cell, kind, d


def check_statements(books: Iterable[Notebook], claims: Iterable | None) -> Iterator[Finding]:
    """Every theorem, lemma, proposition and corollary has a label and a claim with a mutant, and the other way round.

    Parameters
    ----------
    books : iterable of Notebook
    claims : iterable or None
        Objects with ``label`` and ``mutants``; None leaves the claims unchecked.
    """
    registered = None if claims is None else {c.label: c for c in claims}
    known: set[str] = set()
    for nb in books:
        known.update(label for cell in nb.markdown() for label in labels(cell))
        for cell, kind, d in _stated(nb):
            label = d.options.get("label", "")
            if not label:
                message = f"the {kind} {d.argument!r} has no label: add :label: and a claim under it"
                yield found(nb, cell, "claim", message)
            elif registered is not None and label not in registered:
                message = f"the {kind} {label} has no claim: register one with @claim({label!r}, ...)"
                yield found(nb, cell, "claim", message)
    for label, claim in (registered or {}).items():
        if label not in known:
            message = f"the claim {label} speaks of nothing: no notebook has that label"
            yield Finding("rfbook.lab.claims", 0, "claim", message)
        if not claim.mutants:
            message = f"the claim {label} has no mutant: add a wrong version that it must reject"
            yield Finding("rfbook.lab.claims", 0, "claim", message)
