"""The executable statements of the book, one module per chapter that makes them, and their registry and runner.

A chapter's claims register themselves when their module is imported, and :func:`registry` imports all.
"""

from ._registry import (
    COLUMNS,
    VERDICTS,
    Claim,
    Mutant,
    Verdict,
    claim,
    judge,
    keep,
    kept,
    library_state,
    locate,
    recall,
    registry,
    row,
    run,
)

__all__ = ["COLUMNS", "VERDICTS", "Claim", "Mutant", "Verdict", "claim", "judge", "keep", "kept", "library_state", "locate",
           "recall", "registry", "row", "run"]
