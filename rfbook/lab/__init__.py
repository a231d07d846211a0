"""What checks, measures and marks the rest: claims and their ledger, experiments, the benchmark, baselines, coursework.

Rooms are imported when they are first asked for (PEP 562); this file is handwritten.
"""

from typing import TYPE_CHECKING

from .._lazy import on_first_use

if TYPE_CHECKING:  # for tools that read and do not run; tests/contracts/test_types.py compares
    from . import baselines, bench, claims, coursework, experiments, ledger

__all__ = ["baselines", "bench", "claims", "coursework", "experiments", "ledger"]

if not TYPE_CHECKING:  # who saw this would take every name for one of ours
    __getattr__, __dir__ = on_first_use(globals(), {})
