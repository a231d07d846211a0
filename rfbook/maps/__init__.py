"""What feature maps are made of: the one base class, length scales, blocks of waves and boxes, the bootstrap of draws."""

from .base import RandomFeatureMap

__all__ = ["RandomFeatureMap"]
