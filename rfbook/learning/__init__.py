"""Linear models on random features, and the kernel machine that they stand for."""

from .exact import KernelRidgeRegressor
from .ridge import RandomFeatureClassifier, RandomFeatureRegressor

__all__ = ["KernelRidgeRegressor", "RandomFeatureClassifier", "RandomFeatureRegressor"]
