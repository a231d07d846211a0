"""Every constant of every theorem: radii, probabilities and the features that they ask for; one module per chapter."""

import importlib

_MODULES = {
    "bochner": ("kernel_increment",),
    "fourier": ("fourier_variance",),
    "how_many": ("hoeffding_probability", "hoeffding_radius", "hoeffding_components",
                 "bernstein_probability", "bernstein_radius", "bernstein_components"),
    "uniform": ("uniform_constant", "uniform_probability", "uniform_radius", "uniform_components",
                "interval_radius", "interval_components"),
    "binning": ("binning_variance", "binning_probability", "binning_radius", "binning_grids",
                "binning_uniform_probability", "binning_uniform_radius", "binning_uniform_grids"),
    "polynomial": ("product_variance", "chebyshev_components", "hypercontractive_components",
                   "median_of_means_components", "maclaurin_variance", "maclaurin_components"),
    "arc_cosine": ("arc_cosine_variance", "arc_cosine_radius", "coordinate_variance"),
    "orthogonal": ("orthogonal_covariance", "orthogonal_variance"),
    "structured": ("structured_bias", "fastfood_variance"),
    "quasi_monte_carlo": ("star_discrepancy", "sobol_variance", "fourier_anova"),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [*_HOME]


def __getattr__(name):
    """A bound from the module of its chapter, or that module.

    A bound is looked up each time and not kept here, so that a claim's mutant, which takes its place in the module of
    the chapter, stands here too.
    """
    if name in _HOME:
        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    """List the bounds beside what is loaded."""
    return sorted({*globals(), *_HOME, *_MODULES})
