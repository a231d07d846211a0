"""Data sets by name, with their provenance: found, downloaded, checked, converted; and problems whose answer is known.

Names are imported when they are first used (PEP 562), so that nobody waits for the formats who wants a synthetic problem.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for tools that read and do not run; tests/contracts/test_types.py compares
    from .catalogue import read_idx, read_libsvm
    from .store import Dataset, DatasetError, Listing, Provenance, available, load
    from .synthetic import make_smooth_regression, smooth_regression_function

__all__ = ["Dataset", "DatasetError", "Listing", "Provenance", "available", "load", "make_smooth_regression",
           "read_idx", "read_libsvm", "smooth_regression_function"]

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


if not TYPE_CHECKING:  # who saw this would take every name for one of ours

    def __getattr__(name):
        """Import a public name or submodule on first use."""
        if name not in _NAMES and name not in _SUBMODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = importlib.import_module(f"{__name__}.{_NAMES.get(name, name)}")
        value = getattr(module, name) if name in _NAMES else module
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """What tab completion offers: the public names, loaded or not."""
    return [*__all__, *_SUBMODULES]
