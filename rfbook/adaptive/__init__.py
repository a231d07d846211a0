"""Features that look at the data: they are chosen, weighed or moved by the targets."""

from .eerf import EERF
from .metropolis import MetropolisFourierFeatures, MetropolisSigmoidFeatures

__all__ = ["EERF", "MetropolisFourierFeatures", "MetropolisSigmoidFeatures"]
