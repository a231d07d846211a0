"""What machines are made of: rows are prepared, a solver finds coefficients, and the base class keeps both."""

from .base import FeatureMachine
from .prepare import Prepared, prepare, solve_each
from .stream import Stream

__all__ = ["FeatureMachine", "Prepared", "Stream", "prepare", "solve_each"]
