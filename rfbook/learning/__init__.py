"""Linear models on random features."""

from .ridge import RandomFeatureClassifier, RandomFeatureRegressor

__all__ = ["RandomFeatureClassifier", "RandomFeatureRegressor"]
