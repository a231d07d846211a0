"""Random features for kernel machines: a textbook that runs, and its library.

Every public name is imported lazily (PEP 562), so that ``import rfbook`` costs nothing
until something is used.  This file is handwritten; the modules beside it are exported
from the notebooks under ``nbs/``.
"""

import importlib
import sys
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:  # for tools that read and do not run; tests/contracts/test_types.py compares
    from . import (
        adaptive, bounds, datasets, draws, features, figures, kernels, lab, learning, machines, maps, persistence, records,
        solvers,
    )
    from .adaptive import (
        EERF, LKRF, SES, HARFERegressor, LeverageScoreFeatures, MetropolisFourierFeatures, MetropolisSigmoidFeatures,
        RecursiveFeatureMachineClassifier, RecursiveFeatureMachineRegressor, RFFNetClassifier, RFFNetRegressor, SRFFRegressor,
    )
    from .features import (
        ArcCosineFeatures, CoordinateFeatures, GaussianProductFeatures, RandomBinningFeatures, RandomFourierFeatures,
        RandomMaclaurinFeatures,
    )
    from .kernels import (
        ArcCosine, Cauchy, DotProductKernel, Exponential, ExponentialDotProduct, Gaussian, InversePower, Laplacian,
        Matern, Polynomial, PowerSeries, ProductKernel, StretchedExponential, SumKernel,
    )
    from .lab.baselines import CoreVectorMachine, EigenProRegressor, FourierNetwork
    from .learning import (
        ConformalClassifier, JackknifePlus, KernelRidgeRegressor, RandomFeatureClassifier, RandomFeatureGP,
        RandomFeatureRegressor, choose_kernel,
    )
    from .persistence import load, save

__all__ = ["ArcCosine", "ArcCosineFeatures", "Cauchy", "ConformalClassifier", "CoordinateFeatures", "CoreVectorMachine",
           "DotProductKernel", "EERF", "EigenProRegressor", "Exponential", "ExponentialDotProduct", "FourierNetwork",
           "Gaussian", "GaussianProductFeatures", "HARFERegressor", "InversePower", "JackknifePlus",
           "KernelRidgeRegressor", "LKRF", "Laplacian", "LeverageScoreFeatures", "Matern", "MetropolisFourierFeatures",
           "MetropolisSigmoidFeatures", "Polynomial", "PowerSeries", "ProductKernel", "RFFNetClassifier",
           "RFFNetRegressor", "RandomBinningFeatures", "RandomFeatureClassifier", "RandomFeatureGP",
           "RandomFeatureRegressor", "RandomFourierFeatures", "RandomMaclaurinFeatures",
           "RecursiveFeatureMachineClassifier", "RecursiveFeatureMachineRegressor", "SES", "SRFFRegressor",
           "StretchedExponential", "SumKernel", "adaptive", "bounds", "choose_kernel", "datasets", "draws", "features",
           "figures", "kernels", "lab", "learning", "load", "machines", "maps", "persistence", "records", "save",
           "solvers"]

_SUBMODULES = ("adaptive", "bounds", "datasets", "draws", "features", "figures", "kernels", "lab", "learning",
               "machines", "maps", "persistence", "records", "solvers")
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
    "SumKernel": "kernels",
    "ProductKernel": "kernels",
    "RandomFourierFeatures": "features",
    "RandomBinningFeatures": "features",
    "ArcCosineFeatures": "features",
    "CoordinateFeatures": "features",
    "GaussianProductFeatures": "features",
    "RandomMaclaurinFeatures": "features",
    "EERF": "adaptive",
    "LKRF": "adaptive",
    "SES": "adaptive",
    "LeverageScoreFeatures": "adaptive",
    "MetropolisFourierFeatures": "adaptive",
    "MetropolisSigmoidFeatures": "adaptive",
    "RFFNetClassifier": "adaptive",
    "RFFNetRegressor": "adaptive",
    "RecursiveFeatureMachineClassifier": "adaptive",
    "RecursiveFeatureMachineRegressor": "adaptive",
    "HARFERegressor": "adaptive",
    "SRFFRegressor": "adaptive",
    "CoreVectorMachine": "lab.baselines",
    "EigenProRegressor": "lab.baselines",
    "FourierNetwork": "lab.baselines",
    "KernelRidgeRegressor": "learning",
    "RandomFeatureRegressor": "learning",
    "RandomFeatureClassifier": "learning",
    "RandomFeatureGP": "learning",
    "JackknifePlus": "learning",
    "ConformalClassifier": "learning",
    "choose_kernel": "learning",
    "load": "persistence",
    "save": "persistence",
}


if not TYPE_CHECKING:  # who saw this would take every name for one of ours

    def __getattr__(name):
        """Import a public name or submodule on first use."""
        if name in _NAMES:
            value = getattr(importlib.import_module(f"{__name__}.{_NAMES[name]}"), name)
        elif name in _SUBMODULES:
            value = importlib.import_module(f"{__name__}.{name}")
        else:
            sentence = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(sentence, name=name, obj=sys.modules[__name__])  # Python asks which name was meant
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """What tab completion offers: the public names, loaded or not."""
    return [*__all__, "__version__"]
