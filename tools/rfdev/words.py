"""What readers type into the search who know the field and not this book, and the pages that they want."""

from pathlib import Path

from rfdev import ROOT
from rfdev.paper import reading_order

_WORDS = """
kernel trick: 11_kernel_machines
representer theorem: 11_kernel_machines
reproducing kernel hilbert space: 34_rkhs, 12_positive_definite
rkhs: 34_rkhs, 12_positive_definite
mercer: 12_positive_definite, 42_generalisation
gram matrix: 12_positive_definite
spectral measure: 13_bochner, 14_spectral_pairs
spectral density: 14_spectral_pairs, 13_bochner
matern kernel: 14_spectral_pairs
rbf kernel: 14_spectral_pairs, 21_fourier
length scale: 14_spectral_pairs, 44_choosing
bandwidth: 14_spectral_pairs, 44_choosing
automatic relevance determination: 55_stretch, 14_spectral_pairs
random fourier features: 21_fourier
random kitchen sinks: 21_fourier, 72_rahimi_recht
rbfsampler: 21_fourier
how many features: 22_how_many, 42_generalisation
number of features: 22_how_many, 42_generalisation
hoeffding inequality: 22_how_many
covering number: 23_uniform
epsilon net: 23_uniform
laplacian kernel: 25_binning, 24_hat_mixtures
locality sensitive hashing: 25_binning
tensor sketch: 26_polynomial
polynomial kernel: 26_polynomial
neural tangent kernel: 27_arc_cosine, 49_more_features
infinite width: 27_arc_cosine
relu: 27_arc_cosine
extreme learning machine: 27_arc_cosine
attention: 28_positive
linear attention: 28_positive
performer: 28_positive
softmax kernel: 28_positive
orthogonal random features: 31_orthogonal
fastfood: 32_structured
hadamard transform: 32_structured
sobol sequence: 33_quasi_monte_carlo
low discrepancy: 33_quasi_monte_carlo
sobolev space: 34_rkhs
importance sampling: 35_density, 53_leverage
overfitting: 41_ridge, 42_generalisation
underfitting: 41_ridge
bias and variance: 41_ridge
bias-variance tradeoff: 41_ridge
regularisation: 41_ridge
regularization: 41_ridge
kernel ridge regression: 41_ridge, 48_exact
cross-validation: 41_ridge, 44_choosing
effective dimension: 42_generalisation
degrees of freedom: 42_generalisation
double descent: 49_more_features
interpolation: 49_more_features, 42_generalisation
overparameterized: 49_more_features
deterministic equivalent: 49_more_features
lazy training: 49_more_features, 27_arc_cosine
feature learning: 49_more_features, 56_gradients
logistic regression: 43_classification
calibration: 43_classification
model selection: 44_choosing
hyperparameters: 44_choosing
bootstrap: 44_choosing
out of core: 45_streaming
dask: 45_streaming
partial_fit: 45_streaming
incremental learning: 45_streaming
gaussian process: 46_processes
posterior: 46_processes
uncertainty quantification: 47_intervals, 46_processes
conformal prediction: 47_intervals
prediction intervals: 47_intervals
jackknife: 47_intervals
nystrom: 48_exact, 53_leverage
preconditioner: 48_exact
conjugate gradients: 48_exact
principal component analysis: 61_components
kernel pca: 61_components
kernel k-means: 61_components
clustering: 61_components
anomaly detection: 61_components
outlier: 61_components
mean embedding: 61_components
two-sample test: 62_two_samples
maximum mean discrepancy: 62_two_samples, 34_rkhs
mmd: 62_two_samples
permutation test: 62_two_samples, 63_independence
drift: 62_two_samples
distribution shift: 62_two_samples
witness function: 62_two_samples
dimensionality reduction: 61_components
independence test: 63_independence
hsic: 63_independence
hilbert-schmidt independence criterion: 63_independence
conditional independence: 63_independence
causal discovery: 63_independence
mutual information: 63_independence
distance covariance: 63_independence
canonical correlation: 63_independence
randomized dependence coefficient: 63_independence
feature selection: 57_prune, 51_eerf
kernel alignment: 51_eerf, 52_weigh
leverage scores: 53_leverage
metropolis: 54_metropolis
mcmc: 54_metropolis
rffnet: 55_stretch, 77_rffnet
feature importance: 55_stretch, 56_gradients
variable importance: 55_stretch, 56_gradients
average gradient outer product: 56_gradients
agop: 56_gradients
active subspace: 56_gradients
feature learning: 56_gradients, 55_stretch
sparse: 57_prune
knockoffs: 57_prune
gradient boosting: 74_field
xgboost: 74_field
random forest: 74_field
which method: 74_field
benchmark: 74_field, 79_speed
roofline: 78_roofline
"""
_PAGES = {Path(chapter.name).name: chapter.name for chapter in reading_order(ROOT / "_toc.yml")}
WORDS = {word.strip(): [_PAGES[page.strip()] for page in pages.split(",")]
         for word, pages in (line.split(":") for line in _WORDS.strip().split("\n"))}
