"""Notebooks as the book shows and runs them: nbdev's directives become tags of myst-nb."""

from __future__ import annotations

import functools
import hashlib

import nbformat

from rfdev import ROOT
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


def clean_cell(cell: nbformat.NotebookNode, module: str = "") -> str:
    """Turn leading ``#|`` lines of `cell` into tags and drop them from the source.

    Parameters
    ----------
    cell : NotebookNode
        Changed in place.
    module : str
        The module that the notebook exports to, as far as it was read.

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
        tags += [t for t in _tags(name, args) if t not in tags]
    lines = code.splitlines()
    while lines and not lines[0].strip():
        lines.pop(0)
    cell.source = "\n".join(lines)
    if not lines and "remove-cell" not in tags:
        tags.append("remove-cell")
    if tags:
        cell.metadata["tags"] = tags
    return module


@functools.cache
def library_hash() -> str:
    """Hash of the exported package and of data/, so that the execution cache follows them."""
    h = hashlib.sha256()
    files = [p for d, g in (("rfbook", "*.py"), ("data", "*")) for p in (ROOT / d).rglob(g) if p.is_file()]
    for p in sorted(files):
        h.update(p.relative_to(ROOT).as_posix().encode() + b"\0" + p.read_bytes())
    return h.hexdigest()[:16]


@functools.cache
def coursework_hash() -> str:
    """Hash of the assignments."""
    paths = sorted((ROOT / "nbs" / "coursework").glob("*.ipynb"))
    return hashlib.sha256(b"".join(p.read_bytes() for p in paths)).hexdigest()[:16]


def read_nbdev(text: str) -> nbformat.NotebookNode:
    """Read a notebook for myst-nb with nbdev directives translated to tags.

    An assignment is shown as students get it and is not run: its answers are still to be written.
    A hidden last cell carries the library's hash: jupyter-cache keys on code cells only and would otherwise serve old
    outputs after a change in another notebook.
    """
    nb = nbformat.reads(text, as_version=4)
    module = ""
    for cell in nb.cells:
        module = clean_cell(cell, module)
    if to_students(nb):
        nb.metadata["mystnb"] = {**nb.metadata.get("mystnb", {}), "execution_mode": "off"}
        return nb
    # the teacher's page times the assignments, so that it follows them too
    key = library_hash() + (coursework_hash() if '"coursework"' in text or '\\"coursework\\"' in text else "")
    key = nbformat.v4.new_code_cell(f"# rfbook {key}", id="rfbook-hash")
    key.metadata["tags"] = ["remove-cell"]
    nb.cells.append(key)
    return nb
