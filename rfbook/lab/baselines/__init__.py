"""What the papers compare with, and what no kept library has."""

from .core_vector_machine import CoreVectorMachine
from .eigenpro import EigenProRegressor
from .fourier_network import FourierNetwork

__all__ = ["CoreVectorMachine", "EigenProRegressor", "FourierNetwork"]
