"""Try the changed cells of a notebook: run them, what they need, and the cells that use what they define.

What a cell needs is read from its code: the cells before it that bind, or seem to change, a name that it uses.  That
can leave out an effect which no name shows; so a cell that fails is run again after all cells before it, and only what
fails then is a failure.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import linecache
import os
import subprocess
import symtable
import sys
import time
import traceback
import types
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rfdev import ROOT
from rfdev.cells import Cell, read_notebook, read_text

SKIPPED = {"default_exp", "notest", "slow"}


@dataclass(frozen=True)
class Names:
    """Names of a notebook that a cell deals with."""

    binds: frozenset[str]
    uses: frozenset[str]
    touches: frozenset[str]  # whose objects it seems to change

    @classmethod
    def of(cls, code: str) -> Names:
        """Those of some code; none if it is no Python."""
        try:
            tree, table = ast.parse(code), symtable.symtable(code, "cell", "exec")
        except SyntaxError:
            return cls(frozenset(), frozenset(), frozenset())
        binds = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
        uses, bound = set[str](), set[str]()
        for statement in tree.body:
            loads, stores = _loads_and_stores(statement)
            first = isinstance(statement, (ast.For, ast.With))  # these bind before their bodies use
            uses |= loads - bound - (stores if first else set())
            bound |= stores & binds
        inner = list(table.get_children())
        while inner:  # what functions use is there when they are called
            one = inner.pop()
            uses |= {s.get_name() for s in one.get_symbols() if s.is_global()} - binds
            inner += one.get_children()
        return cls(frozenset(binds), frozenset(uses - set(dir(builtins))), frozenset(_touched(tree)))


def _loads_and_stores(statement: ast.stmt) -> tuple[set[str], set[str]]:
    """Names that a statement of a cell uses and binds, those inside functions and comprehensions left out."""
    loads, stores, own = set[str](), set[str](), set[str]()
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            stores.add(node.name)
            stack += node.decorator_list
            if isinstance(node, ast.ClassDef):
                stack += node.bases
            else:
                stack += [*node.args.defaults, *(default for default in node.args.kw_defaults if default)]
            continue
        if isinstance(node, ast.Lambda):
            continue  # a function, whose names are those of its table
        if isinstance(node, ast.comprehension):
            own |= {name.id for name in ast.walk(node.target) if isinstance(name, ast.Name)}
        if isinstance(node, ast.Name):
            (loads if isinstance(node.ctx, ast.Load) else stores).add(node.id)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            loads.add(node.target.id)
        if isinstance(node, ast.alias):
            stores.add(node.asname or node.name.partition(".")[0])
        stack += list(ast.iter_child_nodes(node))
    return loads - own, stores - own


def _touched(tree: ast.Module) -> Iterable[str]:
    """Names before a dot or bracket that is assigned to, or whose method is called for its effect."""
    for node in ast.walk(tree):
        part: ast.expr | None = None
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            part = node.value
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            part = node.value.func if isinstance(node.value.func, ast.Attribute) else None
        while isinstance(part, (ast.Attribute, ast.Subscript, ast.Call)):
            part = part.func if isinstance(part, ast.Call) else part.value
        if isinstance(part, ast.Name):
            yield part.id


@dataclass
class Trial:
    """A notebook with cells to try.

    Parameters
    ----------
    cells : list of Cell
        The code cells that run.
    """

    cells: list[Cell]

    @cached_property
    def names(self) -> list[Names]:
        """Those of each cell."""
        return [Names.of(cell.code) for cell in self.cells]

    def users(self, tried: set[int]) -> set[int]:
        """Positions of cells that use what some cells define, until it is defined anew."""
        found = set()
        for i in tried:
            alive = set(self.names[i].binds)
            for j in range(i + 1, len(self.cells)):
                if alive & self.names[j].uses:
                    found.add(j)
                alive -= self.names[j].binds
        return found

    def needed(self, tried: set[int]) -> list[int]:
        """Positions of the cells to run for some of them, in order."""
        out, open_names = [], set[str]()
        for i in reversed(range(max(tried, default=-1) + 1)):
            names = self.names[i]
            if i in tried or (names.binds | names.touches) & open_names:
                out.append(i)
                open_names = (open_names - names.binds) | names.uses
        return out[::-1]


def skipped(cell: Cell) -> bool:
    """Whether neither test nor book runs a cell."""
    return bool(SKIPPED & cell.nbdev.keys() or cell.nbdev.get("eval", "").lower() == "false"
                or "skip-execution" in cell.tags or not cell.code.strip())


def committed(path: Path) -> list[str] | None:
    """Code cells of the last commit, or None if it has no such notebook."""
    name = path.relative_to(ROOT).as_posix()
    command = ["git", "-C", str(ROOT), "show", f"HEAD:{name}"]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)
    if shown.returncode:
        return None
    return [cell.source for cell in read_text(shown.stdout, name).code_cells()]


def run_cells(path: Path, cells: list[Cell]) -> int:
    """Run cells one after the other; return the number of the one that fails, having said where, or 0."""
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    sys.argv[1:] = []
    os.chdir(path.parent)
    if any("get_ipython" in cell.source for cell in cells):
        from IPython.core.interactiveshell import InteractiveShell

        main.get_ipython = InteractiveShell.instance
    for cell in cells:
        name = f"{path.name}, cell {cell.number}"
        linecache.cache[name] = (len(cell.source), None, cell.source.splitlines(keepends=True), name)
        try:
            exec(compile(cell.source, name, "exec"), main.__dict__)
        except SyntaxError as error:
            print(f"{name}, line {error.lineno}: {error.msg}\n    {(error.text or '').strip()}")
            return cell.number
        except BaseException as error:  # also of a cell that exits
            frames = traceback.extract_tb(error.__traceback__)
            at = next((f for f in frames if f.filename == name), None)
            said = "".join(traceback.format_exception_only(error)).strip()
            print(f"{name}, line {at.lineno if at else '?'}: {said}\n    {at.line if at else ''}")
            for frame in frames[frames.index(at) + 1 :] if at else []:
                place = frame.filename.removeprefix(f"{ROOT}{os.sep}")
                print(f"  from {place}, line {frame.lineno}, in {frame.name}: {frame.line}")
            return cell.number
    return 0


def _child(path: Path, numbers: Iterable[int]) -> tuple[int, str]:
    """Run cells in a process of their own; return the number of the one that fails, and what was printed."""
    command = [sys.executable, __file__, str(path), "--run", *map(str, numbers)]
    env = {**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    lines = done.stdout.rstrip("\n").split("\n")
    if not lines[-1].startswith("failed: "):
        return -1, done.stdout + done.stderr
    return int(lines[-1].removeprefix("failed: ")), "\n".join(lines[:-1])


def tell(path: Path, wanted: list[int], alone: bool) -> int:
    """Try cells of a notebook, those that have changed if none are named; print what became of it."""
    start, name = time.perf_counter(), path.relative_to(ROOT).as_posix()
    cells = [cell for cell in read_notebook(path, ROOT).code_cells() if not skipped(cell)]
    before = committed(path)
    old = set(before or ())
    tried = {i for i, cell in enumerate(cells) if (cell.number in wanted if wanted else cell.source not in old)}
    if wanted and len(tried) != len(set(wanted)):
        print(f"{name}: code cells that run have the numbers {', '.join(str(cell.number) for cell in cells)}")
        return 1
    if not tried:
        print(f"{name}: no code has changed since the last commit; CELL=NUMBER tries a cell")
        return 0
    trial = Trial(cells)
    ends = tried if alone else tried | trial.users(tried)
    run = trial.needed(ends)
    failed, said = _child(path, [cells[i].number for i in run])
    if failed:
        again = [cell.number for cell in cells if failed < 0 or cell.number <= failed]
        if again != [cells[i].number for i in run]:
            failed, said = _child(path, again)
    print(said.rstrip("\n"))
    changed = ", ".join(str(cells[i].number) for i in sorted(tried))
    verdict = f"cell {failed} FAILED" if failed > 0 else "the process ended FAILED" if failed else "passed"
    print(f"{name}: {verdict}; tried {changed}, with what {'they need' if alone else 'they need and what uses them'} "
          f"{len(run)} of {len(cells)} cells, in {time.perf_counter() - start:.1f} s")
    changed_cells = [cells[i] for i in tried if cells[i].source not in old]
    if not failed and any({"export", "exporti", "exports"} & cell.nbdev.keys() for cell in changed_cells):
        print("Exported code has changed: `make export` brings it into the library, for other notebooks and the tests.")
    return int(bool(failed))


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Run the changed cells of a notebook and what they need.")
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--cells", type=int, nargs="*", default=[], help="numbers, from 1, of cells to try")
    parser.add_argument("--alone", action="store_true", help="not the cells that use what these define")
    parser.add_argument("--run", type=int, nargs="*", help=argparse.SUPPRESS)
    args = parser.parse_args()
    path = args.notebook.resolve()
    if not path.is_file() or path.suffix != ".ipynb":
        parser.error(f"{args.notebook} is no notebook: make try NB=nbs/PART/NAME.ipynb")
    if args.run is None:
        return tell(path, args.cells, args.alone)
    sys.path.remove(str(Path(__file__).parent))  # rfdev's modules are no top-level ones for the cells
    cells = [cell for cell in read_notebook(path, path.parent).code_cells() if cell.number in args.run]
    failed = run_cells(path, cells)
    sys.stdout.flush()
    os.write(1, f"\nfailed: {failed}\n".encode())
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
