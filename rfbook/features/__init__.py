"""Feature maps that do not look at the targets."""

from .binning import RandomBinningFeatures
from .fourier import RandomFourierFeatures

__all__ = ["RandomBinningFeatures", "RandomFourierFeatures"]
