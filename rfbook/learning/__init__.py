"""Linear models on random features, the kernel machine that they stand for, Gaussian processes, and intervals;
components, clusters and a density without targets."""

from .classification_estimator import RandomFeatureClassifier
from .choosing import choose_kernel
from .components_estimators import RandomFeatureDensity, RandomFeatureKMeans, RandomFeaturePCA
from .exact_estimator import KernelRidgeRegressor
from .interval_estimators import ConformalClassifier, JackknifePlus
from .more_features import kernel_spectrum, predicted_risk
from .process_estimator import RandomFeatureGP
from .ridge_estimator import RandomFeatureRegressor

__all__ = ["ConformalClassifier", "JackknifePlus", "KernelRidgeRegressor", "RandomFeatureClassifier",
           "RandomFeatureDensity", "RandomFeatureGP", "RandomFeatureKMeans", "RandomFeaturePCA", "RandomFeatureRegressor",
           "choose_kernel", "kernel_spectrum", "predicted_risk"]
