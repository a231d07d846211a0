"""Features that look at the data: they are chosen, weighed, resampled, moved or stretched."""

from .eerf import EERF
from .gradients import RecursiveFeatureClassifier, RecursiveFeatureRegressor
from .leverage import LeverageScoreFeatures
from .metropolis import MetropolisFourierFeatures, MetropolisSigmoidFeatures

__all__ = ["EERF", "LeverageScoreFeatures", "MetropolisFourierFeatures", "MetropolisSigmoidFeatures",
           "RecursiveFeatureClassifier", "RecursiveFeatureRegressor"]
