"""Linear models on random features, the kernel machine that they stand for, Gaussian processes, and intervals;
components, clusters, a density and kernel tests without targets."""

from .classification_estimator import RandomFeatureClassifier
from .choosing import choose_kernel
from .components_estimators import RandomFeatureDensity, RandomFeatureKMeans, RandomFeaturePCA
from .exact_estimator import KernelRidgeRegressor
from .independence_tests import (
    conditional_independence_test, independence_test, randomized_dependence_coefficient,
)
from .interval_estimators import ConformalClassifier, JackknifePlus
from .kernel_tests import KernelTestResult
from .more_features import kernel_spectrum, predicted_risk
from .process_estimator import RandomFeatureGP
from .ridge_estimator import RandomFeatureRegressor
from .two_sample_tests import TwoSampleResult, two_sample_test

__all__ = ["ConformalClassifier", "JackknifePlus", "KernelRidgeRegressor", "KernelTestResult",
           "RandomFeatureClassifier", "RandomFeatureDensity", "RandomFeatureGP", "RandomFeatureKMeans",
           "RandomFeaturePCA", "RandomFeatureRegressor", "TwoSampleResult", "choose_kernel",
           "conditional_independence_test", "independence_test", "kernel_spectrum", "predicted_risk",
           "randomized_dependence_coefficient", "two_sample_test"]
