"""How the random numbers of a feature map are drawn: from a kernel to waves."""

from .orthogonal import orthogonal_frequencies
from .quasi_monte_carlo import SEQUENCES, quasi_frequencies
from .structured import fastfood_frequencies, structured_frequencies

__all__ = ["SEQUENCES", "fastfood_frequencies", "orthogonal_frequencies", "quasi_frequencies",
           "structured_frequencies"]
