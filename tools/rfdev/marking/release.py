"""The student versions of the assignments."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat

from rfdev import ROOT
from rfdev.cells import to_variant, variants
from rfdev.marking.gradebook import configuration, convert

_VARIANT = "-variant"  # between the name of a master and the number of its variant


def masters(bank: Path | None = None, variant: int = 1) -> dict[str, Path]:
    """Masters of the assignments that there are, by name; those of a teacher's `bank` take the place of the book's.

    With a `variant` above 1, those that have it, under names of their own: ``assignment3-variant2``.
    """
    found = sorted((ROOT / "nbs" / "coursework").glob("assignment*.ipynb"))
    paths = {p.stem: p for p in [*found, *(sorted(bank.glob("*.ipynb")) if bank else [])]}
    if variant == 1:
        return paths
    return {f"{name}{_VARIANT}{variant}": p for name, p in paths.items()
            if variant in variants(json.loads(p.read_text(encoding="utf-8"))["cells"])}


def split_name(name: str) -> tuple[str, int]:
    """Name of the master and number of the variant, of the name of an assignment."""
    stem, _, number = name.rpartition(_VARIANT)
    return (stem, int(number)) if stem and number.isdecimal() else (name, 1)


def release(folder: Path, names: list[str], bank: Path | None = None) -> int:
    """Write the student versions of assignments; return 1 if one could not be written."""
    from nbgrader.converters import GenerateAssignment, NbGraderException

    bad = 0
    for name in names:
        stem, variant = split_name(name)
        source = folder / "source" / name
        source.mkdir(parents=True, exist_ok=True)
        nb = nbformat.read(masters(bank)[stem], as_version=4)
        to_variant(nb.cells, variant)
        nbformat.write(nb, source / f"{name}.ipynb")
        try:
            convert(GenerateAssignment, configuration(folder), name)
        except (NbGraderException, SystemExit):
            bad = 1
            print(f"{name}: could not be written; {folder / 'nbgrader.log'} says why.  Once submissions are marked, "
                  "the cells of an assignment may change and their number may not: give a new version another name.")
            continue
        print(f"{name}: {folder / 'release' / name / f'{name}.ipynb'}")
    return bad
