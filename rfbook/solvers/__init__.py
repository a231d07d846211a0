"""Solvers of ridge regression: mergeable moments, designs, factorisations, iterations, losses."""

import importlib

_HOMES = {
    "Design": "design", "DenseDesign": "design", "FilledDesign": "design", "GridDesign": "design", "RowSpace": "design",
    "SparseDesign": "design", "TransformedDesign": "design",
    "LogisticSolution": "classification", "logistic": "classification",
    "RidgePath": "direct", "RowPath": "direct", "solve_ridge": "direct",
    "conjugate_gradients": "iterative", "gcv_scores": "iterative",
    "Loss": "losses", "LogisticLoss": "losses", "MultinomialLoss": "losses", "SquaredLoss": "losses",
    "Moments": "moments", "normal_equations": "moments",
    "Solution": "regression", "candidates": "regression", "ridge": "regression",
}
__all__ = sorted(_HOMES)


def __getattr__(name):
    """Import a name's module when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__():
    return __all__
