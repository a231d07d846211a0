"""What the papers compare with, and what no kept library has."""

from .fourier_network import FourierNetwork

__all__ = ["FourierNetwork"]
