"""The student versions of the assignments."""

from __future__ import annotations

import shutil
from pathlib import Path

from rfdev import ROOT
from rfdev.marking.gradebook import configuration, convert


def masters(bank: Path | None = None) -> dict[str, Path]:
    """Masters of the assignments that there are, by name; those of a teacher's `bank` take the place of the book's."""
    found = sorted((ROOT / "nbs" / "coursework").glob("assignment*.ipynb"))
    return {p.stem: p for p in [*found, *(sorted(bank.glob("*.ipynb")) if bank else [])]}


def release(folder: Path, names: list[str], bank: Path | None = None) -> int:
    """Write the student versions of assignments; return 1 if one could not be written."""
    from nbgrader.converters import GenerateAssignment, NbGraderException

    bad, paths = 0, masters(bank)
    for name in names:
        source = folder / "source" / name
        source.mkdir(parents=True, exist_ok=True)
        shutil.copy(paths[name], source / f"{name}.ipynb")
        try:
            convert(GenerateAssignment, configuration(folder), name)
        except (NbGraderException, SystemExit):
            bad = 1
            print(f"{name}: could not be written; {folder / 'nbgrader.log'} says why.  Once submissions are marked, "
                  "the cells of an assignment may change and their number may not: give a new version another name.")
            continue
        print(f"{name}: {folder / 'release' / name / f'{name}.ipynb'}")
    return bad
