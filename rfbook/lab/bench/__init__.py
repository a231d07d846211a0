"""The benchmark: cases, the run that times them beside their peers, the memory of a process, the roofs of a machine.

Names are imported when they are first used (PEP 562), so that a process whose memory is measured holds nothing else.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for tools that read and do not run; tests/contracts/test_types.py compares
    from . import case, cases, memory, roofline, runner
    from .case import Case
    from .memory import child_memory
    from .runner import Settings, first_use_seconds, import_seconds, interleaved, main, ratio, report, run

__all__ = ["Case", "Settings", "case", "cases", "child_memory", "first_use_seconds", "import_seconds", "interleaved",
           "main", "memory", "ratio", "report", "roofline", "run", "runner"]

_NAMES = {
    "Case": "case",
    "child_memory": "memory",
    "interleaved": "runner",
    "ratio": "runner",
    "first_use_seconds": "runner",
    "import_seconds": "runner",
    "Settings": "runner",
    "run": "runner",
    "report": "runner",
    "main": "runner",
}
_SUBMODULES = ("case", "cases", "memory", "roofline", "runner")  # `run` is the function, hence `runner`


if not TYPE_CHECKING:  # who saw this would take every name for one of ours

    def __getattr__(name):
        """Import a public name or submodule on first use."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = importlib.import_module(f"{__name__}.{_NAMES.get(name, name)}")
        value = getattr(module, name) if name in _NAMES else module
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """What tab completion offers: the public names, loaded or not."""
    return __all__
