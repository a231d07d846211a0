"""Feature maps that do not look at the targets."""

from .fourier import RandomFourierFeatures

__all__ = ["RandomFourierFeatures"]
