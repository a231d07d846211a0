"""The student versions of the assignments."""

from __future__ import annotations

import shutil
from pathlib import Path

from rfdev import ROOT
from rfdev.marking.gradebook import configuration, convert


def masters() -> list[str]:
    """Names of the assignments that there are."""
    return sorted(p.stem for p in (ROOT / "nbs" / "coursework").glob("assignment*.ipynb"))


def release(folder: Path, names: list[str]) -> int:
    """Write the student versions of assignments; return 1 if one could not be written."""
    from nbgrader.converters import GenerateAssignment, NbGraderException

    bad = 0
    for name in names:
        source = folder / "source" / name
        source.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "nbs" / "coursework" / f"{name}.ipynb", source)
        try:
            convert(GenerateAssignment, configuration(folder), name)
        except (NbGraderException, SystemExit):
            bad = 1
            print(f"{name}: could not be written; {folder / 'nbgrader.log'} says why.  Once submissions are marked, "
                  "the cells of an assignment may change and their number may not: give a new version another name.")
            continue
        print(f"{name}: {folder / 'release' / name / f'{name}.ipynb'}")
    return bad
