"""Data sets by name, with their provenance: found, downloaded, checked, converted; and problems whose answer is known.

Names are imported when they are first used (PEP 562), so that nobody waits for the formats who wants a synthetic problem.
"""

from typing import TYPE_CHECKING

from .._lazy import on_first_use

if TYPE_CHECKING:  # for tools that read and do not run; tests/contracts/test_types.py compares
    from .catalogue import read_idx, read_libsvm
    from .store import Dataset, DatasetError, Listing, Provenance, available, load
    from .synthetic import make_smooth_regression, smooth_regression_function

__all__ = ["Dataset", "DatasetError", "Listing", "Provenance", "available", "load", "make_smooth_regression",
           "read_idx", "read_libsvm", "smooth_regression_function"]

_HOMES = {
    "catalogue": "read_idx read_libsvm",
    "store": "Dataset DatasetError Listing Provenance available load",
    "synthetic": "make_smooth_regression smooth_regression_function",
}

if not TYPE_CHECKING:  # who saw this would take every name for one of ours
    __getattr__, __dir__ = on_first_use(globals(), _HOMES)
