"""The plain copies that the site offers, as a reader runs them: each alone, in an empty folder, with the wheel only."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from joblib import cpu_count

from rfdev import numbers, plain

# pages that are about the repository, and what they say outside it
SAYS = dict.fromkeys(["8_appendix/82_ledger.ipynb", "8_appendix/84_api.ipynb"], "run it inside the repository")
# what CI runs: a chapter with claims, one that compiles, one with committed results, one with a figure that moves
SAMPLE = ("0_start/00_ten_minutes.ipynb", "1_kernels/13_bochner.ipynb", "2_features/21_fourier.ipynb",
          "7_experiments/71_first_machine.ipynb")
_OURS = ("PYTHONPATH", "VIRTUAL_ENV", "RFBOOK_RESULTS", "RFBOOK_DATA", "RFBOOK_VERDICTS", "MPLBACKEND",
         "NUMBA_CACHE_DIR", "NUMBA_CACHE_LOCATOR_CLASSES", "IPYTHONDIR", "MPLCONFIGDIR", "JUPYTER_PATH")
_RUN = """
import sys, nbformat
from nbclient import NotebookClient
nb = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(nb, timeout=600, kernel_name="python3").execute()
"""


def runs(copy: Path) -> bool:
    """Whether a copy has code that is to run: an assignment waits for its answers."""
    nb = nbformat.read(copy, as_version=4)
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    return bool(code) and not any("nbgrader" in cell.metadata for cell in code)


def chosen(words: Iterable[str], root: Path) -> list[str]:
    """Pages that are meant by ``all``, ``sample``, paths of notebooks, or parts of the book such as ``2_features``."""
    found: list[str] = []
    pages = numbers.pages(root)
    for word in words:
        name = word.removeprefix("nbs/").rstrip("/")
        some = [page for page in pages if word == "all" or (word == "sample" and plain.copy_of(page) in SAMPLE)
                or plain.copy_of(page) == name or plain.copy_of(page).startswith(name + "/")]
        if not some:
            raise ValueError(f"{word!r} is no page of the book: say all, sample, nbs/PART/NAME.ipynb or nbs/PART")
        found += some
    return list(dict.fromkeys(found))


def run_alone(notebook: Path, python: str, timeout: float = 1800.0) -> tuple[bool, str]:
    """Run a copy of a notebook in an empty folder; return whether it ran, and the end of what it said."""
    env = {k: v for k, v in os.environ.items() if k not in _OURS}
    env.update(dict.fromkeys(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"], "1"))
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(notebook, folder)
        env["IPYTHONDIR"] = str(Path(folder) / ".ipython")
        done = subprocess.run([python, "-c", _RUN, str(copy)], cwd=folder, env=env, capture_output=True, text=True,
                              timeout=timeout, check=False)
    return done.returncode == 0, "\n".join(done.stderr.strip().splitlines()[-15:])


def run_copies(copies: list[tuple[str, Path]], python: str, workers: int = 0) -> Iterator[tuple[str, str, float, str]]:
    """Run copies side by side.

    Yields
    ------
    name : str
    verdict : str
        ``ran``, ``says what it needs`` or ``FAILED``.
    seconds : float
    said : str
        Empty unless it failed.
    """

    def one(copy: tuple[str, Path]) -> tuple[str, str, float, str]:
        name, path = copy
        start = time.perf_counter()
        ran, said = run_alone(path, python)
        told = name in SAYS and not ran and SAYS[name] in said
        verdict = "ran" if ran and name not in SAYS else "says what it needs" if told else "FAILED"
        return name, verdict, time.perf_counter() - start, "" if verdict != "FAILED" else said

    with ThreadPoolExecutor(workers or cpu_count()) as pool:
        yield from pool.map(one, copies)
