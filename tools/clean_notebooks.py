"""Strip outputs, execution counts and stray metadata from all notebooks, keeping tags and ids.

Files that are clean already are not written, so that their times do not change.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]


def strip(nb: nbformat.NotebookNode) -> bool:
    """Remove what a run leaves behind; say whether anything was there."""
    found = False
    for cell in nb.cells:
        if cell.cell_type == "code" and (cell.get("outputs") or cell.get("execution_count") is not None):
            cell.outputs, cell.execution_count, found = [], None, True
    if "jupytext" in nb.metadata:
        del nb.metadata["jupytext"]
        found = True
    return found


def main() -> int:
    """Strip every notebook under nbs/, then let nbdev normalise it."""
    for path in sorted((ROOT / "nbs").rglob("*.ipynb")):
        if ".ipynb_checkpoints" in path.parts:
            continue
        nb = nbformat.read(path, as_version=4)
        if strip(nb):
            nbformat.write(nb, path)
    return subprocess.run(["nbdev_clean"], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
