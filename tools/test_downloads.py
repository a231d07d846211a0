"""Run the notebooks that the site offers for download as a reader would: each alone, in an empty folder.

``python tools/test_downloads.py [PYTHON] [NOTEBOOK ...]`` copies each chapter's notebook from
`_build/html/_sources` (from `nbs/` when the book is not built) alone into an empty folder and runs it there with
PYTHON, which needs rfbook's wheel, matplotlib and jupyter, and nothing of this repository.  Two pages of the appendix
are made from the other notebooks of the book; these must say so.  Exit status 1 names those that fail.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
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


def main() -> int:
    """Run them all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", nargs="?", default=sys.executable, help="default: this one")
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: parts 0 to 7")
    args = parser.parse_args()
    bad = []
    notebooks = args.notebooks or offered(ROOT / "_build" / "html", ROOT / "nbs")
    for path in notebooks:
        start = time.perf_counter()
        ok, said = run_alone(path, args.python)
        expected = SAYS.get(path.name)
        if expected:
            ok = not ok and expected in said
        verdict = "FAILED" if not ok else "says what it needs" if expected else "ran"
        print(f"{time.perf_counter() - start:6.1f} s  {path.name}  {verdict}", flush=True)
        if not ok:
            bad.append(path.name)
            print(said)
    good = len(notebooks) - len(bad)
    print(f"{good} of {len(notebooks)} downloads ran alone in an empty folder, or said what they need")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
