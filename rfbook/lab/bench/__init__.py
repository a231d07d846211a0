"""The benchmark: cases, the run that times them beside their peers, the memory of a process, the roofs of a machine.

Names are imported when they are first used (PEP 562), so that a process whose memory is measured holds nothing else.
"""

from typing import TYPE_CHECKING

from ..._lazy import on_first_use

if TYPE_CHECKING:  # for tools that read and do not run; tests/contracts/test_types.py compares
    from . import case, cases, growth, memory, roofline, runner
    from .case import Case
    from .memory import child_memory
    from .runner import Settings, first_use_seconds, import_seconds, interleaved, main, ratio, report, run

__all__ = ["Case", "Settings", "case", "cases", "child_memory", "first_use_seconds", "growth", "import_seconds",
           "interleaved", "main", "memory", "ratio", "report", "roofline", "run", "runner"]

_HOMES = {
    "case": "Case",
    "memory": "child_memory",
    "runner": "Settings first_use_seconds import_seconds interleaved main ratio report run",
}

if not TYPE_CHECKING:  # who saw this would take every name for one of ours
    __getattr__, __dir__ = on_first_use(globals(), _HOMES)
