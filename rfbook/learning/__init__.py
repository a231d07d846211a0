"""Linear models on random features, Gaussian processes, and intervals."""

from .intervals import JackknifePlus
from .processes import RandomFeatureGP
from .ridge import RandomFeatureClassifier, RandomFeatureRegressor

__all__ = ["JackknifePlus", "RandomFeatureClassifier", "RandomFeatureGP", "RandomFeatureRegressor"]
