"""The executable statements of the book, one module per chapter that makes them, and their registry and runner.

A chapter's claims register themselves when their module is imported, and :func:`registry` imports all.
"""

import importlib
import pkgutil
from typing import TYPE_CHECKING

from ._calls import bounds_and_helpers, replaced, scaled, scaling, watched
from ._gate import (
    FACTORS,
    GATE_COLUMNS,
    Pinned,
    callers,
    gate,
    gate_row,
    one_sided,
    pin,
    recall_pinned,
)
from ._registry import (
    COLUMNS,
    RAISED,
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
    under_mutation,
)

__all__ = ["COLUMNS", "FACTORS", "GATE_COLUMNS", "RAISED", "VERDICTS", "Claim", "Mutant", "Pinned",
           "Verdict", "bounds_and_helpers", "callers", "claim", "gate", "gate_row", "judge", "keep", "kept",
           "library_state", "locate", "one_sided", "pin", "recall", "recall_pinned", "registry", "replaced", "row",
           "run", "scaled", "scaling", "under_mutation", "watched"]

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
