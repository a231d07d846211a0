"""Features that look at the data: they are chosen, weighed, resampled or moved."""

from .leverage import LeverageScoreFeatures
from .metropolis import MetropolisFourierFeatures, MetropolisSigmoidFeatures

__all__ = ["LeverageScoreFeatures", "MetropolisFourierFeatures", "MetropolisSigmoidFeatures"]
