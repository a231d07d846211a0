"""Tests and ledger as two juries: which tests and claims run the code that a mutant is in, and whether one fails."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

from .copies import Copy
from .sample import PACKAGES, Site

# beside the tests of the packages those that go through all of the library
_CONTRACTS = ("test_examples", "test_properties", "test_fuzz", "test_hostile", "test_types")
_MOST = 60.0  # processor seconds of tests elsewhere, and of claims, that are spent on one mutant
_LEAST = 30  # processor seconds that a process may take in any case
_COMPILE = 240  # and more, where loops are compiled anew


class Jury:
    """The process that judges mutants in a copy of the repository.

    Parameters
    ----------
    copy : Copy
    folder : Path
        Where it is kept which functions each test and each claim runs.
    """

    def __init__(self, copy: Copy, folder: Path):
        self.copy, self.folder = copy, folder
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
                 "answer": str(self.folder / "answer.json")}
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return json.loads(self._line())

    # ---- which tests and claims run what ------------------------------------------------------------------------

    def map(self, progress) -> None:
        """Find out what each test file and the claims run, unless it is known."""
        tests = self.copy.repository / "tests"
        files = [p for package in PACKAGES for p in sorted((tests / package).glob("test_*.py"))]
        files += [p for name in _CONTRACTS if (p := tests / "contracts" / f"{name}.py").exists()]
        claims = sorted((self.copy.repository / "rfbook" / "claims").glob("*.py"))
        self.tests = {}
        for path in progress([*files, None]):
            sources, name = (claims, "claims") if path is None else ([path], path.relative_to(tests).as_posix())
            digest = hashlib.sha256(b"".join(p.read_bytes() for p in sources)).hexdigest()[:16]
            kept = self.folder / "map" / f"{name.replace('/', '-')}-{digest}.json"
            if not kept.exists():
                self._find(kept, None if path is None else f"tests/{name}")
            found = json.loads(kept.read_text(encoding="utf-8"))
            if path is None:
                self.claims = {name: c for name, c in found.items() if c is not None and c["holds"]}
            else:
                self.tests[f"tests/{name}"] = found

    def _find(self, kept, file):
        if file is None:
            answer = self.ask("map_claims", 1200, self.copy.environment())
        else:
            answer = self.ask("map_tests", 1200, self.copy.environment(), file=file)
        fate = answer.pop("fate")
        if fate:
            raise RuntimeError(f"{file or 'the ledger'} does not run on the library as it is: {fate}")
        kept.parent.mkdir(parents=True, exist_ok=True)
        for old in kept.parent.glob(kept.name.rpartition("-")[0] + "-????????????????.json"):
            old.unlink()
        kept.write_text(json.dumps(answer), encoding="utf-8")

    def functions(self, site: Site):
        """Whether a function, ``module.py:name``, may run what a site is in."""
        name = site.mutation.function
        if site.module.startswith("_jit/"):
            stale = tuple(f"_jit/{stem}.py:" for stem in self.copy.stale(Path(site.module).stem))
            return lambda function: function.startswith(stale)
        if "." in name or name.lstrip("_")[:1].islower():
            return lambda function: function == f"{site.module}:{name}"
        return lambda function: function.startswith(f"{site.module}:")  # of the module or a class: whoever uses it

    def spoken(self, site: Site) -> list[str]:
        """Labels of the statements whose claims name the function or class of a site, and run it."""
        top, runs = f"{site.module}:{site.mutation.function.partition('.')[0]}", self.functions(site)
        return sorted({c["label"] for c in self.claims.values() if any(map(runs, c["runs"])) and any(
            name == top or (top.endswith(":") and name.startswith(top)) for name in c["speaks"])})

    # ---- verdicts ------------------------------------------------------------------------------------------------

    def _fate(self, answer):
        return answer["fate"] or answer["killer"]

    def by_tests(self, site: Site, environment: dict) -> str:
        """The test that fails on a mutant, or "hang" or "crash"; empty if it survives.

        First the tests of the module's package that run the code, the quickest first, then the other tests of their
        files, for what is made once for a file; at last those of other packages, as long as their time lasts.
        """
        package, stem = site.module.split("/")[0], Path(site.module).stem.lstrip("_")
        runs, compiled = self.functions(site), package == "_jit"
        own, others, first, later = [], [], [], []
        for file, found in self.tests.items():
            chosen = [(t[0], name) for name, t in found["tests"].items() if any(map(runs, t[1]))]
            near = file.startswith(f"tests/{package}/") or file.endswith(f"/test_{stem}.py")
            if not chosen and not (near and any(map(runs, found["shared"]))) \
                    and file != f"tests/{package}/test_{stem}.py":
                continue
            (own if near else others).append(file)
            first.extend(chosen) if near else later.extend(chosen)
        extra = _COMPILE if compiled else 0
        if own:
            whole = sum(t[0] for file in own for t in self.tests[file]["tests"].values())
            answer = self.ask("tests", _LEAST + extra + 4 * whole, environment, files=own, rest=True,
                              chosen=[name for _, name in sorted(first)])
            if killer := self._fate(answer):
                return killer
        stems = sorted((f"_{stem}" not in name and f"[rfbook.{site.module[:-3].replace('/', '.')}]" not in name, s, name)
                       for s, name in later)
        spent, chosen = 0.0, []
        for _, seconds, name in stems:
            if spent + seconds <= _MOST:
                spent, chosen = spent + seconds, [*chosen, name]
        if not chosen:
            return ""
        files = [file for file in others if any(name.startswith(f"{file}::") for name in chosen)]
        return self._fate(self.ask("tests", 2 * _LEAST + extra + 4 * spent, environment, files=files, rest=False,
                                   chosen=chosen))

    def by_ledger(self, site: Site, environment: dict) -> str:
        """The claim that is refuted on a mutant, or "hang" or "crash"; empty if it survives.

        Claims that run the code, those of its chapter first, then the quickest.
        """
        runs, stem = self.functions(site), Path(site.module).stem.lstrip("_")
        chosen = sorted((stem != name.partition(".")[0], c["seconds"], name) for name, c in self.claims.items()
                        if any(map(runs, c["runs"])))
        if not chosen:
            return ""
        spent, names = 0.0, []
        for _, seconds, name in chosen:
            if spent + seconds <= _MOST:
                spent, names = spent + seconds, [*names, name]
        extra = _COMPILE if site.module.startswith("_jit/") else 0
        return self._fate(self.ask("claims", _LEAST + extra + 4 * spent, environment, names=names))
