"""Every constant of every theorem: radii, probabilities and the features that they ask for; one module per chapter."""

from typing import TYPE_CHECKING

from .._lazy import on_first_use

if TYPE_CHECKING:  # for tools that read and do not run; tests/contracts/test_types.py compares
    from .arc_cosine import arc_cosine_radius, arc_cosine_variance, coordinate_variance
    from .binning import (
        binning_chained_radius, binning_grids, binning_probability, binning_radius, binning_uniform_grids, binning_uniform_probability,
        binning_uniform_radius, binning_variance,
    )
    from .bochner import kernel_increment
    from .choosing import choice_optimism, choice_regret
    from .components import matrix_components, matrix_error, maximiser_excess, score_variance, subspace_error
    from .density import gaussian_constant, solved_bound, target_components, target_radius, target_variance
    from .eerf import bump_rows, score_peak, score_radius, score_rows
    from .exact import cg_error, refinement_rate, spectral_condition
    from .fourier import fourier_variance
    from .gradients import product_error
    from .how_many import (
        bernstein_components, bernstein_probability, bernstein_radius, hoeffding_components, hoeffding_probability,
        hoeffding_radius, operator_radius,
    )
    from .independence import canonical_floor, hsic_components, hsic_variance
    from .metropolis import optimal_exponent, optimal_jitter, optimal_step, smoothing_cost, tempering_cost
    from .more_features import best_ridge, minimum_norm_risk
    from .orthogonal import orthogonal_covariance, orthogonal_variance
    from .polynomial import (
        chebyshev_components, maclaurin_components, maclaurin_variance, median_of_means_components, product_components,
        product_variance,
    )
    from .positive import attention_components, attention_ratio, attention_variance, positive_rho, positive_variance
    from .prune import choice_excess, pursuit_error
    from .quasi_monte_carlo import fourier_anova, sobol_variance, star_discrepancy
    from .spectral import (
        effective_dimension, matrix_bernstein, matrix_bernstein_radius, relative_eigenvalues, ridge_risk_bound,
        spectral_components, spectral_floor, spectral_probability, spectral_radius,
    )
    from .stretch import flip_variance, relevance_loss, start_overlap
    from .streaming import late_rank_probability
    from .structured import fastfood_variance, structured_bias
    from .two_samples import mmd_components, mmd_detectable, mmd_null_variance, shift_mmd, shift_ratio
    from .uniform import (
        interval_components, interval_radius, uniform_bounds, uniform_components, uniform_constant, uniform_floor,
        uniform_mean, uniform_probability, uniform_radius,
    )
    from .weigh import alignment_ceiling, shrunk_risk, stein_bound

__all__ = ["alignment_ceiling", "arc_cosine_radius", "arc_cosine_variance", "attention_components", "attention_ratio",
           "attention_variance", "bernstein_components", "bernstein_probability", "bernstein_radius", "best_ridge",
           "binning_chained_radius", "binning_grids", "binning_probability", "binning_radius",
           "binning_uniform_grids", "binning_uniform_probability", "binning_uniform_radius", "binning_variance",
           "bump_rows", "canonical_floor", "cg_error", "chebyshev_components", "choice_excess", "choice_optimism",
           "choice_regret", "coordinate_variance", "effective_dimension", "fastfood_variance", "flip_variance",
           "fourier_anova", "fourier_variance", "gaussian_constant", "hoeffding_components", "hoeffding_probability",
           "hoeffding_radius", "hsic_components", "hsic_variance", "interval_components", "interval_radius",
           "kernel_increment", "late_rank_probability", "maclaurin_components", "maclaurin_variance",
           "matrix_bernstein", "matrix_bernstein_radius", "matrix_components", "matrix_error", "maximiser_excess",
           "median_of_means_components", "minimum_norm_risk", "mmd_components", "mmd_detectable", "mmd_null_variance",
           "operator_radius", "optimal_exponent", "optimal_jitter", "optimal_step", "orthogonal_covariance",
           "orthogonal_variance", "positive_rho", "positive_variance", "product_components", "product_error",
           "product_variance", "pursuit_error", "refinement_rate", "relative_eigenvalues", "relevance_loss",
           "ridge_risk_bound", "score_peak", "score_radius", "score_rows", "score_variance", "shift_mmd",
           "shift_ratio", "shrunk_risk", "smoothing_cost", "sobol_variance", "solved_bound", "spectral_components",
           "spectral_condition", "spectral_floor", "spectral_probability", "spectral_radius", "star_discrepancy",
           "start_overlap", "stein_bound", "structured_bias", "subspace_error", "target_components", "target_radius",
           "target_variance", "tempering_cost", "uniform_bounds", "uniform_components", "uniform_constant",
           "uniform_floor", "uniform_mean", "uniform_probability", "uniform_radius"]

_HOMES = {
    "arc_cosine": "arc_cosine_radius arc_cosine_variance coordinate_variance",
    "binning": "binning_chained_radius binning_grids binning_probability binning_radius binning_uniform_grids "
               "binning_uniform_probability binning_uniform_radius binning_variance",
    "bochner": "kernel_increment",
    "choosing": "choice_optimism choice_regret",
    "components": "matrix_components matrix_error maximiser_excess score_variance subspace_error",
    "density": "gaussian_constant solved_bound target_components target_radius target_variance",
    "eerf": "bump_rows score_peak score_radius score_rows",
    "exact": "cg_error refinement_rate spectral_condition",
    "fourier": "fourier_variance",
    "gradients": "product_error",
    "how_many": "bernstein_components bernstein_probability bernstein_radius hoeffding_components "
                "hoeffding_probability hoeffding_radius operator_radius",
    "independence": "canonical_floor hsic_components hsic_variance",
    "metropolis": "optimal_exponent optimal_jitter optimal_step smoothing_cost tempering_cost",
    "more_features": "best_ridge minimum_norm_risk",
    "orthogonal": "orthogonal_covariance orthogonal_variance",
    "polynomial": "chebyshev_components maclaurin_components maclaurin_variance median_of_means_components "
                  "product_components product_variance",
    "positive": "attention_components attention_ratio attention_variance positive_rho positive_variance",
    "prune": "choice_excess pursuit_error",
    "quasi_monte_carlo": "fourier_anova sobol_variance star_discrepancy",
    "spectral": "effective_dimension matrix_bernstein matrix_bernstein_radius relative_eigenvalues ridge_risk_bound "
                "spectral_components spectral_floor spectral_probability spectral_radius",
    "stretch": "flip_variance relevance_loss start_overlap",
    "streaming": "late_rank_probability",
    "structured": "fastfood_variance structured_bias",
    "two_samples": "mmd_components mmd_detectable mmd_null_variance shift_mmd shift_ratio",
    "uniform": "interval_components interval_radius uniform_bounds uniform_components uniform_constant uniform_floor "
               "uniform_mean uniform_probability uniform_radius",
    "weigh": "alignment_ceiling shrunk_risk stein_bound",
}

if not TYPE_CHECKING:  # who saw this would take every name for one of ours
    __getattr__, __dir__ = on_first_use(globals(), _HOMES)
