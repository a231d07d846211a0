"""Notebooks as the book shows and runs them: nbdev's directives become tags of myst-nb."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import nbformat

from rfdev import ROOT, keys
from rfdev.cells import exports_to, split_directives, to_students

EXPORT_TAG = "rf-exported-to-"  # and the module, without rfbook
# nbdev / quarto directive -> myst-nb cell tags
_TAGS = {
    "default_exp": ["remove-cell", "skip-execution"],
    "hide": ["remove-cell"],
    "hide_input": ["remove-input"],
    "hide_output": ["remove-output"],
    "notest": ["skip-execution"],
    "slow": ["skip-execution"],
}
_SAID = {("eval", "false"): "skip-execution", ("echo", "false"): "remove-input", ("output", "false"): "remove-output",
         ("include", "false"): "remove-cell", ("code-fold", "true"): "hide-input"}


def _tags(name: str, args: str) -> list[str]:
    said = _SAID.get((name, args.lower()))
    return [said] if said else _TAGS.get(name, [])


def clean_cell(cell: nbformat.NotebookNode, module: str = "", flags: Iterable[str] = ()) -> str:
    """Turn leading ``#|`` lines of `cell` into tags and drop them from the source.

    Parameters
    ----------
    cell : NotebookNode
        Changed in place.
    module : str
        The module that the notebook exports to, as far as it was read.
    flags : iterable of str
        Directives that are dropped and leave no tag.

    Returns
    -------
    str
        `module`, or the new one when the cell says ``default_exp``.
    """
    if cell.cell_type != "code":
        return module
    directives, code = split_directives(cell.source)
    module = directives.get("default_exp", module)
    tags = list(cell.metadata.get("tags", []))
    if target := exports_to(directives, module):
        tags.append(EXPORT_TAG + target)
    for name, args in directives.items():
        tags += [t for t in _tags(name, args) if t not in tags and name not in flags]
    lines = code.splitlines()
    while lines and not lines[0].strip():
        lines.pop(0)
    cell.source = "\n".join(lines)
    if not lines and "remove-cell" not in tags:
        tags.append("remove-cell")
    if tags:
        cell.metadata["tags"] = tags
    return module


def translate(text: str, flags: Iterable[str] = ()) -> nbformat.NotebookNode:
    """Read a notebook with nbdev's directives turned into tags; directives in `flags` are left out."""
    nb = nbformat.reads(text, as_version=4)
    module = ""
    for cell in nb.cells:
        module = clean_cell(cell, module, flags)
    return nb


@functools.cache
def sources() -> keys.Sources:
    """The repository as it was when this build began."""
    return keys.Sources(ROOT)


def read_nbdev(text: str) -> nbformat.NotebookNode:
    """Read a notebook for myst-nb with nbdev directives translated to tags.

    An assignment is shown as students get it and is not run: its answers are still to be written.
    A hidden last cell carries the key of what the notebook uses: jupyter-cache looks at code cells only and would
    otherwise serve old outputs after a change elsewhere.
    """
    nb = translate(text)
    if to_students(nb):
        nb.metadata["mystnb"] = {**nb.metadata.get("mystnb", {}), "execution_mode": "off"}
    else:
        keys.add_key(nb, sources())
    return nb
