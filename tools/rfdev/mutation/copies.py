"""A copy of the repository in which a mutant stands, so that the repository itself is never touched."""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .sample import Site

_PLACES = ("rfbook", "tests", "tools", "data", "nbs", "_ext", "pyproject.toml", "settings.ini", "references.bib",
           "README.md", "_toc.yml")
_PASSING = shutil.ignore_patterns("__pycache__", "*.lock", ".ipynb_checkpoints")


def _digest(paths) -> str:
    h = hashlib.sha256()
    for path in sorted(paths):
        h.update(path.name.encode() + path.read_bytes())
    return h.hexdigest()[:16]


class Copy:
    """The repository copied to a folder, with caches of compiled loops beside.

    Parameters
    ----------
    root, folder : Path
        Of the repository, and of the copy.
    """

    def __init__(self, root: Path, folder: Path):
        self.root, self.repository = root, folder / "repository"
        shutil.rmtree(self.repository, ignore_errors=True)
        self.repository.mkdir(parents=True)
        for name in _PLACES:
            if (root / name).is_dir():  # times are kept: by them numba knows a source again
                shutil.copytree(root / name, self.repository / name, ignore=_PASSING)
            elif (root / name).exists():
                shutil.copy2(root / name, self.repository / name)
        self.loops = {p.stem: p for p in (self.repository / "rfbook" / "_jit").glob("*.py")}
        self.numba = folder / "numba" / _digest(self.loops.values())
        for old in (folder / "numba").glob("*"):
            if old != self.numba:
                shutil.rmtree(old)
        self.numba.mkdir(parents=True, exist_ok=True)
        self.bytecode()

    def environment(self, numba: Path | None = None) -> dict[str, str]:
        """Variables for a process that sees the copy and nothing of the repository but its tools."""
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        paths = (self.repository, self.repository / "tools", self.repository / "tests" / "lab" / "coursework")
        own = {**dict.fromkeys(names, "1"), "NUMBA_CACHE_DIR": str(numba or self.numba), "MPLBACKEND": "agg",
               "NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator", "PYTHONHASHSEED": "0",
               "PYTHONPATH": os.pathsep.join(map(str, paths))}
        dropped = ("RFBOOK_VERDICTS", "RFBOOK_RESULTS", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE")
        return {k: v for k, v in os.environ.items() if k not in dropped} | own

    def bytecode(self) -> None:
        """Compile the library as it is to bytecode, once for all mutants."""
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(self.repository / "rfbook")], check=True,
                       env=self.environment())

    def stale(self, name: str) -> set[str]:
        """Compiled modules that use a module: numba puts its loops into theirs and does not see that they change."""
        uses = {stem: {n.module for n in ast.walk(ast.parse(p.read_text(encoding="utf-8")))
                       if isinstance(n, ast.ImportFrom) and n.module} for stem, p in self.loops.items()}
        found = {name}
        while more := {stem for stem, used in uses.items() if used & found} - found:
            found |= more
        return found

    def spare(self, site: Site) -> Path:
        """Machine code for a mutant of the loops, compiled once for all that judge it."""
        numba = self.numba.with_name("mutant-" + hashlib.sha256(site.identity.encode()).hexdigest()[:16])
        if not numba.exists():
            for old in numba.parent.glob("mutant-*"):
                shutil.rmtree(old)
            stale = self.stale(Path(site.module).stem)
            shutil.copytree(self.numba, numba,
                            ignore=lambda _, names: [n for n in names if n.partition(".")[0] in stale])
        return numba

    @contextmanager
    def mutant(self, site: Site) -> Iterator[dict[str, str]]:
        """The copy with one mutant in it; gives the environment of processes that shall see it."""
        path = self.repository / "rfbook" / site.module
        source, stat, numba = path.read_bytes(), path.stat(), self.numba
        cached = path.parent / "__pycache__"
        try:
            path.write_bytes(site.mutation.apply(source))
            if path.stem in self.loops and path.parent.name == "_jit":
                os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns + 10**9))  # each time: numba goes by it
                numba = self.spare(site)
            for old in cached.glob(f"{path.stem}.*.pyc"):
                old.rename(old.with_suffix(".kept"))
            yield self.environment(numba)
        finally:
            path.write_bytes(source)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            for own in cached.glob(f"{path.stem}.*.pyc"):
                own.unlink()
            for old in cached.glob(f"{path.stem}.*.kept"):
                old.rename(old.with_suffix(".pyc"))
