"""Run notebooks once, several at a time, and keep the outputs where the book finds them.

A run is kept in jupyter-cache, under the notebook's code and the key of what it used (``rfdev/keys.py``); the test of
the notebooks and the book ask for the same, so that neither runs what the other has run.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
from joblib import cpu_count
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from rfdev import ROOT, keys, served
from rfdev.cells import notebook_paths
from rfdev.ledger import one_thread_each, run_ledger
from rfdev.reader import translate

CACHE = Path(".cache") / "jupyter"
SECONDS = keys.RECORDS / "seconds"  # processor time of the last run of each notebook, for the order of the next one
TIMEOUT = 1800  # seconds for one cell: stops what hangs, on a busy machine too
COLD, WARM = 60.0, 15.0  # seconds of processor time that a chapter should take at most
_COLORS = re.compile(r"\x1b\[[0-9;]*m")
_WRITE = "__import__('sys').rfbook_uses()"  # in place of the key: see rfdev/kernel.py


class WatchedKernelManager(served.LocalKernelManager):
    """Starts ``rfdev/kernel.py`` in place of ipykernel; on Linux, where a fork is safe, by its server."""

    @property
    def kernel_spec(self):
        """The notebook's kernel, started by our script."""
        spec = copy.copy(super().kernel_spec)
        spec.argv = [sys.executable, str(served.KERNEL), "-f", "{connection_file}"]
        if sys.platform == "linux":
            served.register()
            spec.metadata = {"kernel_provisioner": {"provisioner_name": served.NAME}}
        return spec


@dataclass(frozen=True)
class Job:
    """A notebook to be run."""

    name: str  # path relative to the root
    nb: nbformat.NotebookNode
    code: str  # digest
    root: Path


@dataclass(frozen=True)
class Outcome:
    """What became of a run."""

    job: Job
    nb: nbformat.NotebookNode | None = None
    seen: dict | None = None
    error: str = ""
    seconds: float = 0.0  # processor time
    waited: float = 0.0  # wall time


def prepare(path: Path, sources: keys.Sources, flags: Iterable[str] = ()) -> Job:
    """Read a notebook as the book does; cells with one of the `flags` of nbdev are not skipped."""
    nb = translate(path.read_text(encoding="utf-8"), flags)
    code = keys.add_key(nb, sources)
    return Job(path.relative_to(sources.root).as_posix(), nb, code, sources.root)


def run(job: Job) -> Outcome:
    """Run a notebook in a kernel of its own."""
    start = time.perf_counter()
    nb = nbformat.from_dict(job.nb)
    key = nb.cells[-1].source
    nb.cells[-1].source = _WRITE
    error = ""
    with tempfile.TemporaryDirectory() as folder:
        uses = Path(folder) / "uses.json"
        env = {**os.environ, "RFBOOK_ROOT": str(job.root), "RFBOOK_USES": str(uses)}
        client = NotebookClient(nb, timeout=TIMEOUT, record_timing=False, kernel_manager_class=WatchedKernelManager,
                                resources={"metadata": {"path": str((job.root / job.name).parent)}})
        try:
            client.execute(env=env)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as failure:
            error = _COLORS.sub("", str(failure)).strip()
        seen = json.loads(uses.read_text(encoding="utf-8")) if uses.exists() else None
    nb.cells[-1].source = key
    error = error or _warned(nb) or _undrawn(nb)
    return Outcome(job, nb, seen, error, seen["seconds"] if seen else 0.0, time.perf_counter() - start)


def _warned(nb: nbformat.NotebookNode) -> str:
    """What a notebook wrote to the error stream, which a page must not show."""
    said = [o.text for c in nb.cells if c.cell_type == "code" for o in c.outputs if o.get("name") == "stderr"]
    return "it wrote to the error stream:\n" + "".join(said).strip() if said else ""


def _undrawn(nb: nbformat.NotebookNode) -> str:
    """The figures that a notebook promises and does not show."""
    named = {c.metadata["mystnb"]["figure"].get("name", ""): c.outputs for c in nb.cells
             if c.cell_type == "code" and "figure" in c.metadata.get("mystnb", {}) and "skip-execution" not in
             c.metadata.get("tags", [])}
    missing = [name for name, outputs in named.items() if not any("data" in o for o in outputs)]
    return f"it shows no figure for {', '.join(missing)}" if missing else ""


class Store:
    """Outputs of notebooks.

    Parameters
    ----------
    sources : Sources
        The repository as it was before the runs.
    """

    def __init__(self, sources: keys.Sources):
        self.sources = sources
        self.cache = get_cache(sources.root / CACHE)
        self._seconds = sources.root / SECONDS
        try:
            self.seconds = json.loads(self._seconds.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.seconds = {}

    def has(self, job: Job) -> bool:
        """Whether the outputs of a notebook are there."""
        try:
            record = self.cache.match_cache_notebook(job.nb)
        except KeyError:
            return False
        return (self.cache.path / "executed" / record.hashkey / "base.ipynb").exists()

    def keep(self, outcome: Outcome) -> bool:
        """Keep the outputs of a run, unless something that it used was changed meanwhile."""
        job, nb, now = outcome.job, outcome.nb, keys.Sources(self.sources.root)
        assert nb is not None and outcome.seen is not None
        uses = keys.uses_of(outcome.seen, now)
        if any(self.sources.content(name) != content for name, content in uses.items()):
            return False
        keys.write_record(job.code, uses, self.sources)
        nb.cells[-1].source = f"# rfbook {keys.key(job.code, self.sources)}"
        self.cache.cache_notebook_bundle(
            CacheBundleIn(nb, str(job.root / job.name), data={"execution_seconds": outcome.waited}),
            check_validity=False, overwrite=True)
        self.seconds[job.name] = round(outcome.seconds, 2)
        self._seconds.write_text(json.dumps(self.seconds, indent=1, sort_keys=True), encoding="utf-8")
        return True

    def longest_first(self, jobs: Iterable[Job]) -> list[Job]:
        """Jobs in the order in which they should start; a notebook that was never run counts by its length."""
        return sorted(jobs, key=lambda job: -self.seconds.get(job.name, len(str(job.nb)) / 5000))


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """Wait for another process that runs notebooks of this repository: it may be running what we want."""
    import fcntl

    path = root / keys.RECORDS / "lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def run_all(jobs: list[Job], workers: int) -> Iterator[Outcome]:
    """Run notebooks, each in a kernel of its own with one thread, as they end."""
    with one_thread_each(workers) as pool:
        waiting = {pool.submit(run, job): job for job in jobs}
        for future in as_completed(waiting):
            try:
                yield future.result()
            except Exception as error:  # of the process around the kernel
                yield Outcome(waiting[future], error=f"{type(error).__name__}: {error}")


def _budget(name: str, seconds: float) -> str:
    """What to say of a chapter that runs long; processor time measures the chapter, and never fails it."""
    if not re.match(r"nbs/[1-7]_", name) or seconds <= WARM:
        return ""
    if seconds > COLD:
        return f"; over {COLD:.0f} s of processor time, which is too long"
    return f"; over {WARM:.0f} s of processor time, which is too long if the compile caches were warm"


def _report(outcome: Outcome, store: Store | None) -> bool:
    """Keep and print one outcome; return whether it passed."""
    name = outcome.job.name
    if outcome.error:
        print(f"\n--- {name}\n{outcome.error}\n", flush=True)
        return False
    kept = store is None or store.keep(outcome)
    changed = "" if kept else "; something that it uses was changed meanwhile, so that this run is not kept"
    print(f"{outcome.seconds:6.1f} s  {name}{_budget(name, outcome.seconds)}{changed}", flush=True)
    return True


def execute(paths: Iterable[Path], root: Path = ROOT, *, flags: Iterable[str] = (), fresh: bool = False,
            workers: int = 0, before: Callable[[int], None] | None = None) -> int:
    """Run the notebooks whose outputs are not there yet; print what was done, and return how many failed.

    Parameters
    ----------
    paths : iterable of Path
    root : Path
        Of the repository.
    flags : iterable of str
        Run the cells with these flags of nbdev too, for instance ``slow``; such a run is not kept.
    fresh : bool
        Run all, whatever is there.
    workers : int
        How many at a time; 0: one more than there are cores, since a run waits for its kernel now and then.
    before : callable, default=None
        Called with `workers` if anything is to be run.
    """
    workers = workers or cpu_count() + 1
    with alone(root):
        sources = keys.Sources(root)
        store = Store(sources)
        assert sources.everything  # read before the runs, so that a change during them is seen
        jobs = [prepare(path, sources, flags) for path in paths]
        missing = store.longest_first(job for job in jobs if fresh or flags or not store.has(job))
        start = time.perf_counter()
        if missing and before is not None:
            before(workers)
        passed = [_report(outcome, None if flags else store) for outcome in run_all(missing, workers)]
    failed = len(missing) - sum(passed)
    said = f"{len(missing)} notebooks run in {time.perf_counter() - start:.0f} s, {len(jobs) - len(missing)} as before"
    print(f"{said}, {failed} failed" + (": see above" if failed else ""))
    return failed


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Run notebooks, once, and keep their outputs for the book.")
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all under nbs/")
    parser.add_argument("--flags", default="", help="run cells with these nbdev flags too, for instance slow")
    parser.add_argument("--fresh", action="store_true", help="run them although their outputs are there")
    parser.add_argument("--workers", type=int, default=0, help="how many at a time (default: cores + 1)")
    args = parser.parse_args(arguments)
    paths = [path.resolve() for path in args.notebooks] or notebook_paths(ROOT)
    before = None if args.notebooks else run_ledger
    return int(bool(execute(paths, flags=args.flags.split(), fresh=args.fresh, workers=args.workers, before=before)))
