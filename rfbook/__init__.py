"""Random features for kernel machines: a textbook that runs, and its library.

Every public name is imported lazily (PEP 562), so that ``import rfbook`` costs nothing
until something is used.  This file is handwritten; the modules beside it are exported
from the notebooks under ``nbs/``.
"""

import importlib

__version__ = "0.1.0"

_SUBMODULES = ("bench", "bounds", "claims", "datasets", "draws", "experiments", "features", "figures", "kernels",
               "learning", "ledger", "records")
_NAMES = {
    "Gaussian": "kernels",
    "Laplacian": "kernels",
    "Exponential": "kernels",
    "Cauchy": "kernels",
    "Matern": "kernels",
    "StretchedExponential": "kernels",
    "InversePower": "kernels",
    "ArcCosine": "kernels",
    "DotProductKernel": "kernels",
    "Polynomial": "kernels",
    "ExponentialDotProduct": "kernels",
    "PowerSeries": "kernels",
    "RandomFourierFeatures": "features",
    "RandomBinningFeatures": "features",
    "ArcCosineFeatures": "features",
    "CoordinateFeatures": "features",
    "GaussianProductFeatures": "features",
    "RandomMaclaurinFeatures": "features",
    "RandomFeatureRegressor": "learning",
    "RandomFeatureClassifier": "learning",
}

_MOVED = {"roofline": "bench.roofline"}

__all__ = [*_NAMES, *_SUBMODULES, *_MOVED]


def __getattr__(name):
    """Import a public name or submodule on first use."""
    if name in _NAMES:
        value = getattr(importlib.import_module(f"{__name__}.{_NAMES[name]}"), name)
    elif name in _SUBMODULES or name in _MOVED:
        value = importlib.import_module(f"{__name__}.{_MOVED.get(name, name)}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    """List the lazy names beside the loaded ones."""
    return sorted({*globals(), *__all__})
