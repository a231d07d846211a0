"""Feature maps that do not look at the targets."""

from .arc_cosine import ArcCosineFeatures, CoordinateFeatures
from .binning import RandomBinningFeatures
from .fourier import RandomFourierFeatures

__all__ = ["ArcCosineFeatures", "CoordinateFeatures", "RandomBinningFeatures", "RandomFourierFeatures"]
