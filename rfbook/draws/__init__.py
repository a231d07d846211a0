"""How the random numbers of a feature map are drawn: from a kernel to waves."""

from .orthogonal_sampler import orthogonal_frequencies
from .quasi_sampler import SEQUENCES, quasi_frequencies
from .samplers import FREQUENCIES, sample_waves
from .step_law import StepLaw, optimal_law
from .structured_product import fastfood_frequencies, structured_frequencies
from .target_sampler import spectral_constant, target_waves, wave_leverage
from .waves import Draws, Waves

__all__ = ["FREQUENCIES", "SEQUENCES", "Draws", "StepLaw", "Waves", "fastfood_frequencies", "optimal_law",
           "orthogonal_frequencies", "quasi_frequencies", "sample_waves", "spectral_constant", "structured_frequencies",
           "target_waves", "wave_leverage"]
