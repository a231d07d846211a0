"""The house that the library is: floors, doors between rooms, sizes.

A room is a top-level module or package of rfbook, or of its sub-package `lab`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rfdev.cells import Notebook
from rfdev.lint.findings import Finding, found

# The rooms from the ground up.  A module imports only from floors below its own; the ground floor, and a room within
# itself, are free among themselves.
HOUSE = [
    ["_jit", "_lazy", "_parallel", "_rows", "_types", "_validation", "datasets", "records", "lab.ledger"],
    ["solvers"],
    ["kernels", "bounds"],
    ["draws"],
    ["maps"],
    ["features"],
    ["machines"],
    ["adaptive"],
    ["learning"],
    ["lab.baselines"],
    ["persistence"],
    ["lab.bench"],
    ["lab.experiments", "lab.claims", "figures", "lab.coursework"],
    ["cli"],
    ["__main__"],
]
HALLS = (["rfbook"], ["rfbook", "lab"])  # what rooms lie in
FLOORS = {room: floor for floor, rooms in enumerate(HOUSE) for room in rooms}
MAX_FUNCTION = 40  # lines of code, without docstrings, comments and empty lines
MAX_PRIVATE = 5  # uses of another room's private names, claims apart: their mutants replace such names, too


def room_of(place: Sequence[str]) -> str:
    """The room of a dotted name, without rfbook, in its parts."""
    return ".".join(place[: 2 if place[0] == "lab" else 1])


@dataclass(frozen=True)
class Import:
    """Something of rfbook that a module imports."""

    line: int
    target: tuple[str, ...]  # after rfbook: a module, or a name of the lazy root
    names: tuple[str, ...] = ()  # taken from it
    known: tuple[str, ...] = ()  # what these are called, or the module itself


@dataclass
class Module:
    """A module of the package."""

    path: str  # relative to the root, with slashes
    text: str

    @property
    def room(self) -> str:
        """Module or package that it is or lies in."""
        return room_of(Path(self.path).with_suffix("").parts[1:])

    @property
    def place(self) -> tuple[str, ...]:
        """Its dotted name, without rfbook; a package is that of its ``__init__``."""
        parts = Path(self.path).with_suffix("").parts[1:]
        return parts[:-1] if parts[-1] == "__init__" else parts

    @cached_property
    def imports(self) -> list[Import]:
        """All imports of rfbook, made absolute."""
        package = list(Path(self.path).parts[:-1])
        return [Import(line, tuple(base[1:]), *names) for line, base, *names in _imports(self.text, package)
                if base[0] == "rfbook" and len(base) > 1]

    def private(self, places: set[tuple[str, ...]]) -> Iterator[tuple[int, str]]:
        """Line and name of what is private in other rooms and used here: imported, or asked of one of their modules."""
        modules = {}
        for item in self.imports:
            if room_of(item.target) != self.room:
                taken = [(*item.target, name) for name in item.names] or [item.target]
                modules |= dict(zip(item.known, taken, strict=False))
                yield from ((item.line, name) for name in item.names
                            if name.startswith("_") and (*item.target, name) not in places)
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and re.match("_(?!_)", node.attr):
                place = modules.get(node.value.id)
                if place in places and (*place, node.attr) not in places:
                    yield node.lineno, node.attr


def _imports(text: str, package: list[str]) -> Iterator[tuple[int, list[str], tuple[str, ...], tuple[str, ...]]]:
    """Yield line, dotted name, imported names and what they are called, of all imports in a module of `package`."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, a.name.split("."), (), (a.asname,) if a.asname else ()) for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            known = tuple(a.asname or a.name for a in node.names)
            if base in HALLS:
                yield from ((node.lineno, [*base, a.name], (), (k,)) for a, k in zip(node.names, known, strict=True))
            else:
                yield node.lineno, base, tuple(a.name for a in node.names), known


def read_modules(root: Path) -> list[Module]:
    """All modules of the package under `root` but those that only hand on rooms."""
    halls = {root.joinpath(*hall, "__init__") for hall in HALLS}
    return [Module(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))
            for path in sorted((root / "rfbook").rglob("*.py")) if path.parent / path.stem not in halls]


def _homes(root: Path) -> dict[str, str]:
    """Public names of the package and their modules, as ``_HOMES`` of rfbook/__init__.py says."""
    init = root / "rfbook" / "__init__.py"
    for node in ast.parse(init.read_text(encoding="utf-8")).body if init.exists() else ():
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_HOMES":
            return {name: home for home, names in ast.literal_eval(node.value).items() for name in names.split()}
    return {}


def check_floors(root: Path, modules: Iterable[Module]) -> Iterator[Finding]:
    """A module imports only from floors below its own."""
    homes = _homes(root)
    for module in modules:
        if module.room not in FLOORS:
            message = f"the module {module.room} has no floor: give it one in HOUSE of tools/rfdev/lint/house.py"
            yield Finding(module.path, 0, "floor", message)
            continue
        for message in _floors(module, homes):
            yield Finding(module.path, 0, "floor", message)


def _floors(module: Module, homes: dict[str, str]) -> Iterator[str]:
    own = FLOORS[module.room]
    for item in module.imports:
        name = room_of(item.target)
        room = room_of(homes.get(name, name).split("."))
        there = FLOORS.get(room)
        if room == module.room or room.startswith("__"):
            continue
        if name in homes and module.room != "cli":  # an arrow that no drawing of the modules shows
            yield f"line {item.line} imports {name} through the lazy root: import it from rfbook.{homes[name]}"
        elif there is None:
            yield f"line {item.line} imports {room} from rfbook: import it from its module"
        elif there > own or (there == own and there > 0):
            yield (f"line {item.line} imports rfbook.{room} (floor {there}) into floor {own}: "
                   "import only from floors below")


def check_doors(modules: Iterable[Module]) -> Iterator[Finding]:
    """What a room takes from another is public there; its modules with an underscore may be taken from."""
    modules = list(modules)
    places = {module.place for module in modules}
    private = [(module, *use) for module in modules if module.room != "lab.claims" for use in module.private(places)]
    if len(private) > MAX_PRIVATE:
        for module, line, name in private:
            message = (f"line {line} uses the private {name} of another room, one of {len(private)} such "
                       f"uses: give it a public name, and keep them to {MAX_PRIVATE}")
            yield Finding(module.path, 0, "door", message)


def code_lines(node: ast.FunctionDef, lines: list[str]) -> int:
    """Lines of code of a function, what it defines included: docstrings, comments and empty lines are not counted."""
    spared: set[int] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(part) is not None:
            spared.update(range(part.body[0].lineno, (part.body[0].end_lineno or 0) + 1))
    numbered = enumerate(map(str.strip, lines[node.lineno - 1 : node.end_lineno]), node.lineno)
    return sum(bool(line) and not line.startswith("#") and i not in spared for i, line in numbered)


def check_functions(books: Iterable[Notebook]) -> Iterator[Finding]:
    """An exported function is short enough to be read at once; a class is as long as its methods need."""
    for nb in books:
        for cell, _ in nb.exported():
            for node in ast.walk(cell.tree) if cell.tree else ():
                if isinstance(node, ast.FunctionDef) and (n := code_lines(node, cell.code.split("\n"))) > MAX_FUNCTION:
                    message = f"the function {node.name} has {n} lines of code: keep it to {MAX_FUNCTION}"
                    yield found(nb, cell, "size", message)
