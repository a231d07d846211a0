"""Solvers of ridge regression: mergeable moments, designs, factorisations, iterations, losses."""

from typing import TYPE_CHECKING

from .._lazy import on_first_use

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
    "cross_validation": "fold_moments fold_numbers fold_scores loo_scores squared_error",
    "design": "DenseDesign Design FilledDesign GridDesign RowSpace SparseDesign TransformedDesign",
    "direct": "RidgePath RowPath solve_ridge",
    "fit": "logistic solve",
    "iterative": "conjugate_gradients gcv_scores",
    "losses": "GammaLoss HingeLoss HuberLoss LogisticLoss Loss MultinomialLoss PoissonLoss QuantileLoss SquaredLoss",
    "moments": "Moments normal_equations",
    "regression": "Solution candidates ridge_regression ridge_from_moments",
}

if not TYPE_CHECKING:  # who saw this would take every name for one of ours
    __getattr__, __dir__ = on_first_use(globals(), _HOMES)
