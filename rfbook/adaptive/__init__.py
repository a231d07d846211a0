"""Features that look at the data: they are chosen, weighed, resampled or moved."""

from .eerf import EERF
from .leverage import LeverageScoreFeatures
from .metropolis import MetropolisFourierFeatures, MetropolisSigmoidFeatures

__all__ = ["EERF", "LeverageScoreFeatures", "MetropolisFourierFeatures", "MetropolisSigmoidFeatures"]
