"""Figures: caption, name and alt text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from rfdev.cells import Cell, Notebook
from rfdev.lint.findings import Finding, found
from rfdev.lint.markdown import directives, prose

_COLOURS = re.compile(r"\b(blue|orange|red|green|gr[ae]y|black|white|purple|yellow|violet|brown|colou?r\w*)\b", re.I)
_NOT_A_FIGURE = {"close", "rc", "rcdefaults", "style", "rcParams", "rc_context", "switch_backend", "ioff", "ion"}


def _calls(tree: ast.AST) -> Iterator[list[str]]:
    """Yield the dotted names called at run time of the cell (not inside functions that it only defines)."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(node, ast.Call):
            name, f = [], node.func
            while isinstance(f, ast.Attribute):
                name.append(f.attr)
                f = f.value
            if isinstance(f, ast.Name):
                name.append(f.id)
            yield name[::-1]
        yield from _calls(node)


def slides(cell: Cell) -> ast.Call | None:
    """Return the call of ``figures.slider`` in a cell that shows one."""
    for line in cell.tree.body if cell.kind == "code" and cell.shown and cell.tree else ():
        call = line.value if isinstance(line, ast.Expr) else None
        if isinstance(call, ast.Call) and "slider" in (getattr(call.func, "attr", ""), getattr(call.func, "id", "")):
            return call
    return None


def draws(cell: Cell) -> bool:
    """Whether the cell shows a figure, as far as its source says."""
    if cell.kind != "code" or not cell.shown:
        return False
    if slides(cell):
        return True
    if cell.tree is None:
        return bool(re.search(r"\bsubplots\(|\bplt\.(plot|figure|imshow)\(", cell.code))
    drawn = False
    for name in _calls(cell.tree):
        if name[:2] == ["plt", "close"]:
            return False
        drawn |= (
            (len(name) > 1 and name[0] == "plt" and name[1] not in _NOT_A_FIGURE)
            or name[-1:] == ["subplots"]
            or (len(name) > 1 and name[-2] == "figures" and not re.search("style|theme|setup", name[-1]))
        )
    return drawn


def _drawn(cell: Cell) -> Iterator[str]:
    """Sentences about the figure that a code cell draws."""
    meta = cell.metadata.get("mystnb", {})
    figure = meta.get("figure") or {}
    if not (draws(cell) or "figure" in meta):
        return
    if not str(figure.get("caption", "")).strip():
        yield "the figure has no caption: set mystnb.figure.caption in the cell's metadata"
    if colour := _COLOURS.search(str(figure.get("caption", ""))):
        yield f"the caption says {colour[0]!r}, which dark mode and some eyes change: name the line or its style"
    if not str(figure.get("name", "")).startswith("fig-"):
        yield "the figure has no name: set mystnb.figure.name to fig-... in the cell's metadata"
    if call := slides(cell):  # it has its alt text in the call, which says so itself when there is none
        if getattr(cell.tree.body[-1], "value", None) is not call:
            yield "the slider is not shown: make slider(...) the last line of the cell"
        elif cell.code.rstrip().endswith(";"):
            yield "the slider is not shown: take the semicolon away from its end"
    elif not str((meta.get("image") or {}).get("alt", "")).strip():
        yield "the figure has no alt text: say what it shows in mystnb.image.alt in the cell's metadata"


def _placed(source: str) -> Iterator[str]:
    """Sentences about the images that a Markdown cell places."""
    text = re.sub(r"`[^`\n]*`", "", prose(source))
    if re.search(r"!\[\s*\]\(", text):
        yield "an image has no alt text: write ![what it shows](path)"
    for tag in re.findall(r"<img\b[^>]*>", text):
        if not re.search(r"\balt\s*=\s*[\"'][^\"']", tag):
            yield "an <img> has no alt text: add alt=\"what it shows\""
    for d in directives(source):
        if d.name in {"figure", "image"} and not d.options.get("alt"):
            yield f"the {d.name} {d.argument} has no alt text: add :alt: what it shows"
        if d.name == "figure" and not d.options.get("name", "").startswith("fig-"):
            yield f"the figure {d.argument} has no name: add :name: fig-..."
        if d.name == "figure" and not d.body.strip():
            yield f"the figure {d.argument} has no caption: write one in its body"


def check_figures(books: Iterable[Notebook]) -> Iterator[Finding]:
    """Every figure has a caption, a name and alt text."""
    for nb in books:
        for cell in nb.cells:
            sentences = {"code": _drawn, "markdown": lambda c: _placed(c.source)}.get(cell.kind)
            for message in sentences(cell) if sentences else ():
                yield found(nb, cell, "figure", message)
