"""Solvers of ridge regression: mergeable moments, designs, factorisations, iterations, losses."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for tools that read and do not run; tests/contracts/test_types.py compares
    from .cross_validation import fold_moments, fold_numbers, fold_scores, loo_scores, squared_error
    from .design import DenseDesign, Design, FilledDesign, GridDesign, RowSpace, SparseDesign, TransformedDesign
    from .direct import RidgePath, RowPath, solve_ridge
    from .fit import logistic, solve
    from .iterative import conjugate_gradients, gcv_scores
    from .losses import (
        GammaLoss, HingeLoss, HuberLoss, LogisticLoss, Loss, MultinomialLoss, PoissonLoss, QuantileLoss, SquaredLoss,
    )
    from .moments import Moments, normal_equations
    from .regression import Solution, candidates, ridge_regression, ridge_from_moments

__all__ = ["DenseDesign", "Design", "FilledDesign", "GammaLoss", "GridDesign", "HingeLoss", "HuberLoss", "LogisticLoss",
           "Loss", "Moments", "MultinomialLoss", "PoissonLoss", "QuantileLoss", "RidgePath", "RowPath", "RowSpace",
           "Solution", "SparseDesign", "SquaredLoss", "TransformedDesign", "candidates", "conjugate_gradients",
           "fold_moments", "fold_numbers", "fold_scores", "gcv_scores", "logistic", "loo_scores", "normal_equations",
           "ridge_regression", "ridge_from_moments", "solve", "solve_ridge", "squared_error"]

_HOMES = {
    "fold_moments": "cross_validation", "fold_numbers": "cross_validation", "fold_scores": "cross_validation",
    "loo_scores": "cross_validation", "squared_error": "cross_validation",
    "Design": "design", "DenseDesign": "design", "FilledDesign": "design", "GridDesign": "design", "RowSpace": "design",
    "SparseDesign": "design", "TransformedDesign": "design",
    "RidgePath": "direct", "RowPath": "direct", "solve_ridge": "direct",
    "conjugate_gradients": "iterative", "gcv_scores": "iterative",
    "logistic": "fit", "solve": "fit",
    "GammaLoss": "losses", "HingeLoss": "losses", "HuberLoss": "losses", "LogisticLoss": "losses", "Loss": "losses",
    "MultinomialLoss": "losses", "PoissonLoss": "losses", "QuantileLoss": "losses", "SquaredLoss": "losses",
    "Moments": "moments", "normal_equations": "moments",
    "Solution": "regression", "candidates": "regression", "ridge_regression": "regression",
    "ridge_from_moments": "regression",
}


if not TYPE_CHECKING:  # who saw this would take every name for one of ours

    def __getattr__(name):
        """Import a name's module when it is first asked for."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    """What tab completion offers: the public names, loaded or not."""
    return __all__
