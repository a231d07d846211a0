"""What checks, measures and marks the rest: claims and their ledger, experiments, the benchmark, baselines, coursework.

Rooms are imported when they are first asked for (PEP 562); this file is handwritten.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for tools that read and do not run; tests/contracts/test_types.py compares
    from . import baselines, bench, claims, coursework, experiments, ledger

__all__ = ["baselines", "bench", "claims", "coursework", "experiments", "ledger"]


if not TYPE_CHECKING:  # who saw this would take every name for one of ours

    def __getattr__(name):
        """Import a room on first use."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return importlib.import_module(f"{__name__}.{name}")  # which puts it among the names here


def __dir__() -> list[str]:
    """What tab completion offers: the rooms, loaded or not."""
    return __all__
