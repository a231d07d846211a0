"""Data sets by name, with their provenance: found, downloaded, checked, converted; and problems whose answer is known.

Names are imported when they are first used (PEP 562), so that nobody waits for the formats who wants a synthetic problem.
"""

import importlib

_NAMES = {
    "DatasetError": "store",
    "Provenance": "store",
    "Dataset": "store",
    "Listing": "store",
    "available": "store",
    "load": "store",
    "read_libsvm": "catalogue",
    "read_idx": "catalogue",
    "smooth_regression_function": "synthetic",
    "make_smooth_regression": "synthetic",
}
_SUBMODULES = ("catalogue", "store", "synthetic")

__all__ = [*_NAMES]


def __getattr__(name):
    """Import a public name or submodule on first use."""
    if name not in _NAMES and name not in _SUBMODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_NAMES.get(name, name)}")
    value = getattr(module, name) if name in _NAMES else module
    globals()[name] = value
    return value


def __dir__():
    """List the lazy names beside the loaded ones."""
    return sorted({*globals(), *_NAMES, *_SUBMODULES})
