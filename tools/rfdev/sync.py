"""Fail when rfbook/ is not what nbs/ exports, or when a notebook is not clean.

Works on a copy, so the tree is left alone, and catches modules whose notebook is gone.
"""

from __future__ import annotations

import filecmp
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from rfdev import ROOT
from rfdev.export import ExportError, modules, write


def books(d: Path) -> dict[str, Path]:
    """Map the names of notebooks relative to `d` to their paths."""
    return {p.relative_to(d).as_posix(): p for p in d.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts}


def differences(old: dict[str, Path], new: dict[str, Path]) -> list[str]:
    """Sentences about modules that differ or exist on one side only."""
    out = []
    for n in sorted(old.keys() | new.keys()):
        if n not in old:
            out.append(f"rfbook/{n}: a notebook exports it and it is not there: run make export")
        elif n not in new:
            out.append(f"rfbook/{n}: no notebook exports it any more: run make export")
        elif not filecmp.cmp(old[n], new[n], shallow=False):
            out.append(f"rfbook/{n}: differs from what the notebooks export: run make export, and edit notebooks only")
    return out


def notebooks(old: dict[str, Path], new: dict[str, Path]) -> list[str]:
    """Sentences about notebooks that carry outputs or are not as nbdev_clean leaves them."""
    out = []
    for n, path in sorted(old.items()):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        if dirty := [i for i, c in enumerate(cells, 1) if c.get("outputs") or c.get("execution_count") is not None]:
            where = ", ".join(map(str, dirty))
            out.append(f"nbs/{n}: carries outputs or execution counts (cells {where}): run make clean-nbs")
        elif not filecmp.cmp(path, new[n], shallow=False):
            out.append(f"nbs/{n}: has stray metadata or another layout of its JSON: run make clean-nbs")
    return out


def _clean_copy(root: Path, tmp: Path) -> str:
    """Export and clean the notebooks of `root` in the empty folder `tmp`; return what went wrong, or nothing."""
    try:
        write(root, tmp)
    except ExportError as error:
        return str(error)
    shutil.rmtree(tmp / "nbs")  # in which export has taken docstrings out
    shutil.copytree(root / "nbs", tmp / "nbs", ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    done = subprocess.run(["nbdev_clean"], cwd=tmp, capture_output=True, text=True, check=False)
    return f"nbdev_clean failed on the notebooks:\n{done.stdout}{done.stderr}" if done.returncode else ""


def findings(root: Path) -> list[str]:
    """What is out of step under `root`, one sentence each."""
    with tempfile.TemporaryDirectory() as folder:
        tmp = Path(folder) / root.name
        tmp.mkdir()
        if failed := _clean_copy(root, tmp):
            return [failed]
        return [*differences(modules(root / "rfbook"), modules(tmp / "rfbook")),
                *notebooks(books(root / "nbs"), books(tmp / "nbs"))]


def main() -> int:
    """Print what is out of step, or that nothing is."""
    bad = findings(ROOT)
    print("\n".join(bad) or "rfbook/ is what the notebooks export, and the notebooks are clean")
    return bool(bad)
