"""The reference: a page for each public class and function, and which statements stand behind each.

What is documented, and in which order, is said by the ``automodule`` directives of the notebooks ``84_api_*``: all that
the modules name in ``__all__``, under the first of them that has it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

NOTEBOOKS = "nbs/8_appendix/84_api_*.ipynb"
FOLDER = "api"  # of the pages, which are made for each build, and which no notebook sees
LABEL = re.compile(r"(?<![\w-])((?:thm|lem|prop|cor|def|eq)-[\w-]*\w)")
_CELL = re.compile(r"# %% (?:\.\./)+(nbs/\S+)\.ipynb #")
# scikit-learn's own methods, and those of Python's classes, are documented by them
_FOREIGN = "BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClassifierMixin, MultiOutputMixin, RegressorMixin, " \
    "TransformerMixin, Exception, OSError, RuntimeError, ValueError, object, tuple"
_ROUTING = ", ".join(f"set_{verb}_request" for verb in ("fit", "transform", "score", "partial_fit", "predict",
                                                        "predict_proba", "decision_function"))


@dataclass(frozen=True)
class Entry:
    """A public class or function."""

    shelf: str  # part of the reference: machines, theory, tools
    module: str  # under which it is documented
    name: str

    @property
    def value(self):
        """The object itself."""
        return getattr(importlib.import_module(self.module), self.name)

    @property
    def full_name(self) -> str:
        """Dotted name, under which the book links to it."""
        return f"{self.module}.{self.name}"


@cache
def entries(root: Path) -> tuple[Entry, ...]:
    """Everything that the reference documents, in its order."""
    found: dict = {}
    for path in sorted(root.glob(NOTEBOOKS)):
        for module in re.findall(r"automodule:: ([\w.]+)", path.read_text(encoding="utf-8")):
            for name in importlib.import_module(module).__all__:
                entry = Entry(path.stem.removeprefix("84_api_"), module, name)
                if inspect.isclass(entry.value) or inspect.isfunction(entry.value):
                    found.setdefault(entry.value, entry)
    return tuple(found.values())


def source_notebook(value) -> str:
    """Notebook, without its suffix, whose cell defines a class or function; empty for handwritten code."""
    value = inspect.unwrap(value)
    lines, first = inspect.getsourcelines(value)
    text = Path(inspect.getsourcefile(value)).read_text(encoding="utf-8").splitlines()
    return next((m[1] for line in reversed(text[:first]) if (m := _CELL.match(line))), "")


# ---- statements behind a name: what the claims call, and what their mutants replace -----------------------------

def _resolve(node, space):
    """The object that a dotted name in the source means, or None."""
    if isinstance(node, ast.Name):
        return space.get(node.id)
    if isinstance(node, ast.Attribute):
        return getattr(_resolve(node.value, space), node.attr, None)
    return None


@cache
def _named(value) -> list:
    """All that a function or class of the library names in its source."""
    space = vars(importlib.import_module(value.__module__))
    return [_resolve(node, space) for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(value))))
            if isinstance(node, ast.Name | ast.Attribute)]


def mentioned(value, home, seen):
    """Collect the functions and classes of rfbook that a value is or names, reading the sources of module `home`."""
    if isinstance(value, tuple | list | set | dict):
        for part in value.values() if isinstance(value, dict) else value:
            mentioned(part, home, seen)
        return seen
    value = getattr(value, "py_func", inspect.unwrap(value) if callable(value) else type(value))
    if not (inspect.isfunction(value) or inspect.isclass(value)):
        value = type(value)
    if not value.__module__.startswith("rfbook") or value.__name__ == "<lambda>" or value in seen:
        return seen
    seen.add(value)
    if value.__module__ == home:
        for part in _named(value):
            mentioned(part, home, seen)
    return seen


@cache
def _public(root: Path) -> dict:
    """Documented objects, each with its full name and what it rests on in its own module."""
    return {e.value: (e.full_name, mentioned(e.value, e.value.__module__, set())) for e in entries(root)}


def touched(claim, root: Path) -> set[str]:
    """Documented names that a claim calls, the ledger's tools left out, or that its mutants replace."""
    from rfbook.lab.claims import locate

    public = _public(root)
    values = mentioned(claim.check, claim.check.__module__, set())
    tools = {claim.check.__module__, "rfbook.lab.ledger", "rfbook.lab.claims._registry"}
    values = {v for v in values if v.__module__ not in tools}
    for m in claim.mutants:
        owner, part = locate(m.target)
        mentioned(owner if inspect.isclass(owner) else getattr(owner, part), "", values)
    found = set()
    for value in values:  # of what is not documented itself, those in its module that rest on it
        found |= {public[value][0]} if value in public else \
            {name for p, (name, below) in public.items() if p.__module__ == value.__module__ and value in below}
    return found


def statements(root: Path) -> dict[str, list[str]]:
    """Labels of the claims that speak of each documented name."""
    from rfbook.lab.claims import registry

    found: dict = {}
    for claim in registry():
        for name in touched(claim, root):
            found.setdefault(name, {})[claim.label] = None
    return {name: list(labels) for name, labels in found.items()}


# ---- pages ------------------------------------------------------------------------------------------------------

def title(entry: Entry, others: Iterable[Entry]) -> str:
    """Its name, and where others have the same one its module's before it."""
    same = sum(other.name == entry.name for other in others)
    return entry.name if same <= 1 else f"{entry.module.rpartition('.')[2]}.{entry.name}"


def page(entry: Entry, heading: str, checked: list[str]) -> str:
    """The page of a class or function in reStructuredText, with the labels of the claims that speak of it."""
    value, notebook = entry.value, source_notebook(entry.value)
    said = dict.fromkeys(LABEL.findall((inspect.getdoc(value) or "").partition(">>> ")[0]))
    lines = [heading, "=" * len(heading), "", f".. currentmodule:: {entry.module}", ""]
    if inspect.isclass(value):
        lines += [f".. autoclass:: {entry.name}", "   :members:", f"   :inherited-members: {_FOREIGN}",
                  "   :special-members: __call__", f"   :exclude-members: {_ROUTING}",
                  *["   :show-inheritance:"] * _has_public_parents(value), ""]
    else:
        lines += [f".. autofunction:: {entry.name}", ""]
    rows = []
    if said:
        rows.append("* - Computes or uses\n  - " + ", ".join(map(_role, said)))
    if more := [label for label in checked if label not in said]:
        rows.append("* - Checked by the claims of\n  - " + ", ".join(map(_role, more)))
    if notebook:
        kind = "Derived in" if re.match(r"nbs/[1-7]_", notebook) else "Written in"
        rows.append(f"* - {kind}\n  - :doc:`/{notebook}`")
    rows.append(f"* - Overview\n  - :doc:`/nbs/8_appendix/84_api_{entry.shelf}`, :doc:`/nbs/8_appendix/84_api`")
    table = "\n".join(rows).replace("\n", "\n   ")
    return "\n".join([*lines, ".. rubric:: In the book", "", ".. list-table::", "   :widths: 30 70",
                      "   :class: rf-where", "", "   " + table, ""])


def _has_public_parents(kind: type) -> bool:
    """Whether the classes of the library that a class is made of are public, so that a link to them leads somewhere."""
    parents = [p for p in kind.__bases__ if p.__module__.startswith("rfbook")]
    public = {name for p in parents for name in getattr(importlib.import_module(p.__module__), "__all__", ())}
    return bool(parents) and all("._" not in p.__module__ and p.__name__ in public for p in parents)


def _role(label: str) -> str:
    return f":{'eq' if label.startswith('eq-') else 'prf:ref'}:`{label}`"


def write_pages(root: Path) -> None:
    """Make the pages of the reference below `root`, and take away those of what is there no more."""
    checked, made = statements(root), set()
    for entry in entries(root):
        path = root / FOLDER / entry.shelf / f"{entry.full_name}.rst"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = page(entry, title(entry, entries(root)), checked.get(entry.full_name, []))
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
        made.add(path)
    for path in (root / FOLDER).rglob("*.rst"):
        if path not in made:
            path.unlink()
