"""Tests and ledger as two juries: which tests and claims run the code that a mutant is in, and whether one fails."""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import random
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from .copies import Copy
from .sample import PACKAGES, Site, package_of
from .served import notebooks_of

_LOWER = PACKAGES[:9]  # whose tests are closer to a module that has none of its own than those of what is trained
# tests of all modules at once, which are asked where those of the package have noticed nothing
_CROSSING: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("lab/experiments", "datasets"), ("leaks",)), **dict.fromkeys(("kernels", "draws"), ("paths",)),
    **dict.fromkeys(("maps", "features", "_jit"), ("told_defaults", "paths", "weights")),
    **dict.fromkeys(("machines", "adaptive", "learning", "solvers", "."),
                    ("told_defaults", "machine_paths", "weights"))}
_MOST = 40.0  # processor seconds of claims, or of tests elsewhere, that are spent on one mutant
LESS = 10.0  # where no score depends on what the claims say
_LEAST = 10  # processor seconds after which a program that is otherwise done at once hangs
_COMPILE = 240  # processor seconds more, where loops are compiled anew
_FINDING: dict = defaultdict(threading.Lock)  # by what is being found out, which no two juries need to do


class Jury:
    """The process that judges mutants in a copy of the repository.

    Parameters
    ----------
    copy : Copy
    folder : Path
        Where it is kept how long tests take and which functions each claim runs; juries may share it.
    """

    def __init__(self, copy: Copy, folder: Path):
        self.copy, self.folder, self._seconds = copy, folder, {}  # type: ignore[var-annotated]
        self.answer = copy.repository.with_name("answer.json")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rfdev.mutation.served"], cwd=copy.repository, env=copy.environment(), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        assert self._line() == "ready"

    def close(self) -> None:
        """End the process and the fork that it waits for: both end with its input."""
        self.process.stdin.close()
        self.process.wait()

    def _line(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the process that judges mutants has ended; its last words are in .cache/mutants")
        return line.rstrip("\n")

    def ask(self, task: str, seconds: float, environment: dict, **arguments) -> dict:
        """The answer to one order, ``fate`` in it: empty, or how the process ended that has none."""
        order = {"task": task, "arguments": arguments, "seconds": int(seconds), "environment": environment,
                 "answer": str(self.answer)}
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return json.loads(self._line())

    # ---- what there is, and what it takes with the library as it is ------------------------------------------------

    def _known(self, name, sources, task, **arguments):
        """What a task finds out, kept until its sources change."""
        digest = hashlib.sha256(b"".join(p.read_bytes() for p in sources)).hexdigest()[:16]
        kept = self.folder / "known" / f"{name.replace('/', '-')}-{digest}.json"
        with _FINDING[name]:
            if not kept.exists():
                answer = self.ask(task, 1200, self.copy.environment(), **arguments)
                if fate := answer.pop("fate"):
                    raise RuntimeError(f"{name} does not run on the library as it is: {fate}")
                kept.parent.mkdir(parents=True, exist_ok=True)
                for old in kept.parent.glob(kept.name.rpartition("-")[0] + "-????????????????.json"):
                    old.unlink()
                kept.write_text(json.dumps(answer), encoding="utf-8")
            return json.loads(kept.read_text(encoding="utf-8"))

    def seconds(self, files: Iterable[Path]) -> dict[str, float]:
        """Processor seconds of the tests of some files; what fails or is skipped with the library as it is is out."""
        found = {}
        for path in files:
            name = path.relative_to(self.copy.repository).as_posix()
            if name not in self._seconds:
                self._seconds[name] = self._known(name, [path], "time_tests", file=name)["tests"]
            found |= self._seconds[name]
        return found

    @functools.cached_property
    def claims(self) -> dict[str, dict]:
        """Each claim that holds, with its seconds, the functions that it runs and those that it speaks of."""
        found, chapters = {}, sorted((self.copy.repository / "rfbook" / "lab" / "claims").glob("[!_]*.py"))
        random.shuffle(chapters)  # so that each jury finds out others
        for path in chapters:
            found |= self._known(f"claims-{path.stem}", [path], "map_claims", chapter=path.stem)
        return {name: c for name, c in sorted(found.items()) if c is not None and c["holds"]}

    def own_files(self, module: str) -> list[Path]:
        """The tests of a module; of one that has none those of its namesakes, or of the modules that import it."""
        own = _tests_of(self.copy.repository, module)
        if own.exists() or (namesakes := sorted((self.copy.repository / "tests").glob(f"*/{own.name}"))):
            return [own] if own.exists() else namesakes
        wave, seen = {module}, set()
        while wave:
            files = [p for m in sorted(wave) if (p := _tests_of(self.copy.repository, m)).exists()]
            if files:  # rather of the packages here than of what is trained with them
                return [p for p in files if p.parent.name in _LOWER] or files
            seen |= wave
            wave = {user for m in wave for user in self.users.get(m, ())} - seen
        return []

    @functools.cached_property
    def users(self) -> dict[str, set[str]]:
        """Modules of the packages that are mutated or trained, by those that they import."""
        found: dict = {}
        library = self.copy.repository / "rfbook"
        for path in (p for package in PACKAGES for p in sorted((library / package).glob("*.py"))):
            if path.name == "__init__.py":
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom):
                    for name in _meant(path.relative_to(library), node):
                        found.setdefault(name, set()).add(path.relative_to(library).as_posix())
        return found

    def functions(self, site: Site):
        """Whether a function, ``module.py:name``, may run what a site is in."""
        name = site.mutation.function
        if site.module.startswith("_jit/"):
            stale = tuple(f"_jit/{stem}.py:" for stem in self.copy.stale(Path(site.module).stem))
            return lambda function: function.startswith(stale)
        if "." in name or name.lstrip("_")[:1].islower():
            return lambda function: function == f"{site.module}:{name}"
        return lambda function: function.startswith(f"{site.module}:")  # of the module or a class: whoever uses it

    def _spoken(self, site: Site) -> set[str]:
        """Claims that name the function or class of a site, and run it."""
        top, runs = f"{site.module}:{site.mutation.function.partition('.')[0]}", self.functions(site)
        return {claim for claim, c in self.claims.items() if any(map(runs, c["runs"])) and any(
            name == top or (top.endswith(":") and name.startswith(top)) for name in c["speaks"])}

    def spoken(self, site: Site) -> list[str]:
        """Labels of the statements whose claims name the function or class of a site, and run it."""
        return sorted({self.claims[name]["label"] for name in self._spoken(site)})

    # ---- verdicts ------------------------------------------------------------------------------------------------

    def _verdict(self, site, task, usual, **arguments):
        """The answer of a jury with the mutant in its place: what noticed it, "hang" or "crash", or empty."""
        least = _LEAST + (_COMPILE if site.module.startswith("_jit/") else 0)
        with self.copy.mutant(site) as environment:
            answer = self.ask(task, 50 + least, environment, usual=usual, least=least, **arguments)
        return answer["fate"] or answer["killer"]

    def by_tests(self, site: Site) -> str:
        """The example, cell or test of the module that fails on a mutant, "hang" or "crash"; empty if it survives."""
        module, path = "rfbook." + site.module.removesuffix(".py").replace("/", "."), "rfbook/" + site.module
        source = self.copy.repository / path
        told = [source, *notebooks_of(source)]
        good, checks = (self._known(f"{name}-{site.module}", told, f"good_{name}", module=module)["good"]
                        for name in ("examples", "cells"))
        usual = self.seconds(self.own_files(site.module))
        return self._verdict(site, "own", usual, module=module, good=good, checks=checks)

    def by_others(self, site: Site) -> str:
        """The same for the other tests of its package, the quickest first, and for those that cross all packages."""
        folder = _tests_of(self.copy.repository, site.module).parent
        files = {*folder.glob("test_*.py")} - {*self.own_files(site.module), folder / "test_cold.py"}
        usual = dict(_affordable(self.seconds(sorted(files)).items()))
        for name in _CROSSING.get(package_of(site.module), ()):
            crossing = self.copy.repository / "tests" / "contracts" / f"test_{name}.py"
            if crossing.exists():
                usual |= dict(_affordable(self.seconds([crossing]).items()))
        return self._verdict(site, "tests", usual) if usual else ""

    def by_ledger(self, site: Site, most: float = _MOST) -> str:
        """The claim that is refuted on a mutant, or "hang" or "crash"; empty if it survives.

        Claims that run the code, those that speak of it first, then the quickest, `most` seconds of them.
        """
        runs = self.functions(site)
        pairs = ((name, c["seconds"]) for name, c in self.claims.items() if any(map(runs, c["runs"])))
        usual = dict(_affordable(pairs, self._spoken(site), most))
        return self._verdict(site, "claims", usual) if usual else ""


def _affordable(pairs, first=(), most=_MOST):
    """The quickest, some before the others, as long as the time lasts."""
    spent = 0.0
    for name, seconds in sorted(pairs, key=lambda pair: (pair[0] not in first, pair[1])):
        spent += seconds
        if spent <= most:
            yield name, seconds


def _tests_of(root, module):
    """File in which the tests of a module are, if it has any."""
    path = Path(module)
    return root / "tests" / path.parent / f"test_{path.stem.lstrip('_')}.py"


def _meant(path, node):
    """Modules below the library that an import may mean."""
    if node.level:
        place = path.parents[node.level - 1]
    elif (node.module or "").startswith("rfbook"):
        place = Path(".")
    else:
        return
    parts = (node.module or "").removeprefix("rfbook").strip(".").split(".") if node.module else []
    module = place.joinpath(*filter(None, parts))
    yield f"{module.as_posix()}.py"
    yield from (f"{(module / alias.name).as_posix()}.py" for alias in node.names)
