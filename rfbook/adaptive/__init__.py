"""Features that look at the data: they are chosen, weighed, resampled, moved or stretched."""

from .eerf import EERF
from .leverage import LeverageScoreFeatures
from .metropolis import MetropolisFourierFeatures, MetropolisSigmoidFeatures
from .stretch import RFFNetClassifier, RFFNetRegressor

__all__ = ["EERF", "LeverageScoreFeatures", "MetropolisFourierFeatures", "MetropolisSigmoidFeatures",
           "RFFNetClassifier", "RFFNetRegressor"]
