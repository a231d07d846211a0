"""One submission in a process of its own, with limits that the system keeps."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

from rfdev import ROOT
from rfdev.marking.limits import Limits, kill_tree, limit_process
from rfdev.marking.run import run_notebook
from rfdev.marking.wall import settle, wall


def run_here(source: str, target: str, limits: Limits, name: str) -> int:
    """Body of the process that checks one submission, behind the wall `name`; its input is the seed of the marking."""
    logging.getLogger("traitlets").setLevel(logging.CRITICAL)
    seed = int(sys.stdin.readline())  # other processes can read arguments and variables
    settle(name)
    limit_process(limits)
    nb = nbformat.read(source, as_version=4)
    notes = run_notebook(nb, limits, seed)
    Path(target).write_text(json.dumps({"notebook": nb, "notes": notes}), encoding="utf-8")
    return 0


_KEPT = re.compile(r"PATH|LANG|LC_.*|PYTHONPATH|PYTHONNOUSERSITE|PYTHONPYCACHEPREFIX|VIRTUAL_ENV|LD_LIBRARY_PATH|"
                   r"DYLD_.*|NUMBA_CACHE_\w+|MPLCONFIGDIR|JUPYTER_PREFER_ENV_PATH|PYDEVD_.*|SYSTEMROOT|RFBOOK_DATA")


_running: set[int] = set()


def _environment(box: Path) -> dict[str, str]:
    """Variables of the process that checks a submission."""
    env = {k: v for k, v in os.environ.items() if _KEPT.fullmatch(k)}
    env |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return env | {"HOME": str(box), "TMPDIR": str(box), "IPYTHONDIR": str(box / "ipython")}


def run_apart(nb, limits: Limits, seed: int):
    """Run a notebook in another process; return it with its outputs, and sentences.

    Raises
    ------
    RuntimeError
        If that process ends without a result; the message is a sentence.
    """
    with tempfile.TemporaryDirectory(prefix="coursework-", ignore_cleanup_errors=True) as folder:
        box = Path(folder)
        (box / "work").mkdir()
        nbformat.write(nb, box / "in.ipynb")
        command = [sys.executable, str(ROOT / "tools" / "coursework.py"), "_run", str(box / "in.ipynb"),
                   str(box / "out.json"), str(limits.cell), str(limits.total), str(limits.memory),
                   wall().name]
        with open(box / "said", "wb") as said:
            # in a session of its own: an interrupt of the marking must end it by hand
            process = subprocess.Popen(command, cwd=box / "work", env=_environment(box), stdout=said, stderr=said,
                                       stdin=subprocess.PIPE, start_new_session=True)
            _running.add(process.pid)
            with contextlib.suppress(OSError), process.stdin as line:
                line.write(f"{seed}\n".encode())
            try:
                # a cell is stopped within its own limit; the rest is for starting kernels anew
                process.wait(limits.total + limits.cell + 120)
            except subprocess.TimeoutExpired:
                raise RuntimeError("the process that ran it did not end in time") from None
            finally:
                kill_tree(process.pid)
                process.wait()
                _running.discard(process.pid)
        try:
            out = json.loads((box / "out.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            last = (box / "said").read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
            raise RuntimeError(f"the process that ran it ended with status {process.returncode} "
                               f"({last[0][:200] if last else 'it said nothing'})") from None
        return nbformat.from_dict(out["notebook"]), out["notes"]


def stop_all() -> None:
    """End all that run."""
    for pid in list(_running):
        kill_tree(pid)
