"""Feature maps that do not look at the targets."""

from .arc_cosine_maps import ArcCosineFeatures, CoordinateFeatures
from .binning_map import RandomBinningFeatures
from .fourier_map import RandomFourierFeatures
from .landmark_map import NystroemFeatures
from .positive import attention, linear_attention
from .positive_map import PositiveFeatures
from .product_maps import GaussianProductFeatures, RandomMaclaurinFeatures

__all__ = ["ArcCosineFeatures", "CoordinateFeatures", "GaussianProductFeatures", "NystroemFeatures", "PositiveFeatures",
           "RandomBinningFeatures", "RandomFourierFeatures", "RandomMaclaurinFeatures", "attention", "linear_attention"]
