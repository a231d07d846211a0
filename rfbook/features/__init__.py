"""Feature maps that do not look at the targets."""

from .arc_cosine_maps import ArcCosineFeatures, CoordinateFeatures
from .binning_map import RandomBinningFeatures
from .fourier_map import RandomFourierFeatures
from .product_maps import GaussianProductFeatures, RandomMaclaurinFeatures

__all__ = ["ArcCosineFeatures", "CoordinateFeatures", "GaussianProductFeatures", "RandomBinningFeatures",
           "RandomFourierFeatures", "RandomMaclaurinFeatures"]
