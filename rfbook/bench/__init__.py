"""The benchmark: cases, the run that times them beside their peers, the memory of a process, the roofs of a machine.

Names are imported when they are first used (PEP 562), so that a process whose memory is measured holds nothing else.
"""

import importlib

_NAMES = {
    "Case": "cases",
    "child_memory": "memory",
    "interleaved": "runner",
    "ratio": "runner",
    "import_seconds": "runner",
    "Settings": "runner",
    "run": "runner",
    "report": "runner",
    "main": "runner",
}
_SUBMODULES = ("cases", "memory", "roofline", "runner")  # `run` is the function, hence `runner`

__all__ = [*_NAMES, *_SUBMODULES]


def __getattr__(name):
    """Import a public name or submodule on first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_NAMES.get(name, name)}")
    value = getattr(module, name) if name in _NAMES else module
    globals()[name] = value
    return value


def __dir__():
    """List the lazy names beside the loaded ones."""
    return sorted({*globals(), *__all__})
