"""The notebooks that the site offers for download, as a reader runs them: each alone, in an empty folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

PARTS = "[0-7]_*/*.ipynb"
# pages that are about the repository, and what they say outside it
SAYS = dict.fromkeys(["72_ledger.ipynb", "74_api.ipynb"], "run it inside the repository")
_RUN = """
import sys, nbformat
from nbclient import NotebookClient
nb = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(nb, timeout=600, kernel_name="python3").execute()
"""


def offered(site: Path, sources: Path) -> list[Path]:
    """Notebooks of parts 0 to 7 as they are downloaded."""
    folder = site / "_sources" / "nbs"
    return sorted((folder if folder.is_dir() else sources).glob(PARTS))


def run_alone(notebook: Path, python: str, timeout: float = 900.0) -> tuple[bool, str]:
    """Run a copy of a notebook in an empty folder; return whether it ran, and the end of what it said."""
    ours = {"PYTHONPATH", "RFBOOK_RESULTS", "RFBOOK_DATA", "MPLBACKEND"}
    env = {k: v for k, v in os.environ.items() if k not in ours}
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(notebook, folder)
        env["IPYTHONDIR"] = str(Path(folder) / ".ipython")
        done = subprocess.run([python, "-c", _RUN, str(copy)], cwd=folder, env=env, capture_output=True, text=True,
                              timeout=timeout, check=False)
    return done.returncode == 0, "\n".join(done.stderr.strip().splitlines()[-15:])
