"""Random features for kernel machines: a textbook that runs, and its library.

Every public name is imported lazily (PEP 562), so that ``import rfbook`` costs nothing
until something is used.  This file is handwritten; the modules beside it are exported
from the notebooks under ``nbs/``.
"""

from typing import TYPE_CHECKING

from ._lazy import on_first_use

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
        ArcCosineFeatures, CoordinateFeatures, GaussianProductFeatures, NystroemFeatures, PositiveFeatures,
        RandomBinningFeatures, RandomFourierFeatures, RandomMaclaurinFeatures,
    )
    from .kernels import (
        ArcCosine, Cauchy, DotProductKernel, Exponential, ExponentialDotProduct, Gaussian, InversePower, Laplacian,
        Matern, Polynomial, PowerSeries, ProductKernel, StretchedExponential, SumKernel,
    )
    from .lab.baselines import CoreVectorMachine, EigenProRegressor, FourierNetwork
    from .learning import (
        ConformalClassifier, JackknifePlus, KernelRidgeRegressor, RandomFeatureClassifier, RandomFeatureDensity,
        RandomFeatureGP, RandomFeatureKMeans, RandomFeaturePCA, RandomFeatureRegressor, choose_kernel,
        conditional_independence_test, independence_test, randomized_dependence_coefficient, two_sample_test,
    )
    from .persistence import load, save

__all__ = ["ArcCosine", "ArcCosineFeatures", "Cauchy", "ConformalClassifier", "CoordinateFeatures",
           "CoreVectorMachine", "DotProductKernel", "EERF", "EigenProRegressor", "Exponential",
           "ExponentialDotProduct", "FourierNetwork", "Gaussian", "GaussianProductFeatures", "HARFERegressor",
           "InversePower", "JackknifePlus", "KernelRidgeRegressor", "LKRF", "Laplacian", "LeverageScoreFeatures",
           "Matern", "MetropolisFourierFeatures", "MetropolisSigmoidFeatures", "NystroemFeatures", "Polynomial",
           "PositiveFeatures", "PowerSeries", "ProductKernel", "RFFNetClassifier", "RFFNetRegressor", "RandomBinningFeatures",
           "RandomFeatureClassifier", "RandomFeatureDensity", "RandomFeatureGP", "RandomFeatureKMeans",
           "RandomFeaturePCA", "RandomFeatureRegressor", "RandomFourierFeatures", "RandomMaclaurinFeatures",
           "RecursiveFeatureMachineClassifier", "RecursiveFeatureMachineRegressor", "SES", "SRFFRegressor",
           "StretchedExponential", "SumKernel", "adaptive", "bounds", "choose_kernel",
           "conditional_independence_test", "datasets", "draws", "features", "figures", "independence_test",
           "kernels", "lab", "learning", "load", "machines", "maps", "persistence",
           "randomized_dependence_coefficient", "records", "save", "solvers", "two_sample_test"]

_HOMES = {
    "adaptive": "EERF LKRF SES HARFERegressor LeverageScoreFeatures MetropolisFourierFeatures "
                "MetropolisSigmoidFeatures RecursiveFeatureMachineClassifier RecursiveFeatureMachineRegressor "
                "RFFNetClassifier RFFNetRegressor SRFFRegressor",
    "features": "ArcCosineFeatures CoordinateFeatures GaussianProductFeatures NystroemFeatures PositiveFeatures "
                "RandomBinningFeatures RandomFourierFeatures RandomMaclaurinFeatures",
    "kernels": "ArcCosine Cauchy DotProductKernel Exponential ExponentialDotProduct Gaussian InversePower Laplacian "
               "Matern Polynomial PowerSeries ProductKernel StretchedExponential SumKernel",
    "lab.baselines": "CoreVectorMachine EigenProRegressor FourierNetwork",
    "learning": "ConformalClassifier JackknifePlus KernelRidgeRegressor RandomFeatureClassifier "
                "RandomFeatureDensity RandomFeatureGP RandomFeatureKMeans RandomFeaturePCA RandomFeatureRegressor "
                "choose_kernel conditional_independence_test independence_test randomized_dependence_coefficient "
                "two_sample_test",
    "persistence": "load save",
}

if not TYPE_CHECKING:  # who saw this would take every name for one of ours
    __getattr__, __dir__ = on_first_use(globals(), _HOMES)
