"""Features that look at the data: they are chosen, weighed, resampled or moved."""

from .eerf import EERF
from .leverage import LeverageScoreFeatures
from .metropolis import MetropolisFourierFeatures, MetropolisSigmoidFeatures
from .weigh import LKRF, SES

__all__ = ["EERF", "LKRF", "SES", "LeverageScoreFeatures", "MetropolisFourierFeatures", "MetropolisSigmoidFeatures"]
