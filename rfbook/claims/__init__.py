"""The executable statements of the book, one module per chapter that makes them, and their registry and runner.

A chapter's claims register themselves when their module is imported, and :func:`registry` imports all.
"""

import importlib
import pkgutil
from typing import TYPE_CHECKING

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

__all__ = ["COLUMNS", "VERDICTS", "Claim", "Mutant", "Verdict", "claim", "judge", "keep", "kept", "library_state",
           "locate", "recall", "registry", "row", "run"]

_CHAPTERS = {module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")}


if not TYPE_CHECKING:  # who saw this would take every name for one of ours

    def __getattr__(name):
        """Import the claims of a chapter on first use."""
        if name in _CHAPTERS:
            return importlib.import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """What tab completion offers: the registry's names and the chapters."""
    return [*__all__, *sorted(_CHAPTERS)]
