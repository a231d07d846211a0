"""What a rule of the lint says."""

from __future__ import annotations

from dataclasses import dataclass

from rfdev.cells import Cell, Notebook


@dataclass(frozen=True, order=True)
class Finding:
    """One thing to mend."""

    path: str
    cell: int  # counted from 1; 0 means the whole file
    rule: str
    message: str

    def __str__(self) -> str:
        where = f"{self.path}: cell {self.cell}" if self.cell else self.path
        return f"{where}: {self.message} [{self.rule}]"


def found(nb: Notebook, cell: Cell | int, rule: str, message: str) -> Finding:
    """Make a finding about a notebook."""
    return Finding(nb.path, cell if isinstance(cell, int) else cell.number, rule, message)
