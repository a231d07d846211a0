"""Kernels with their values, their spectral densities and samplers of their spectral laws."""

from .arc_cosine_kernel import ArcCosine
from .base import Kernel, PitchKernel, SpectralKernel
from .composite import ProductKernel, SumKernel
from .dot_product import DotProductKernel, ExponentialDotProduct, Polynomial, PowerSeries
from .mixtures import InversePower, StretchedExponential
from .stationary import NAMES, Cauchy, Exponential, Gaussian, Laplacian, Matern, by_name

__all__ = ["ArcCosine", "Cauchy", "DotProductKernel", "Exponential", "ExponentialDotProduct", "Gaussian",
           "InversePower", "Kernel", "Laplacian", "Matern", "NAMES", "PitchKernel", "Polynomial", "PowerSeries",
           "ProductKernel", "SpectralKernel", "StretchedExponential", "SumKernel", "by_name"]
