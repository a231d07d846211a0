"""The exact machine: the equations that it solves, sketches, weights, storage, precision, what it says of itself."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_ridge import KernelRidge
from sklearn.utils.estimator_checks import check_estimator

from rfbook import (
    ArcCosine,
    Exponential,
    Gaussian,
    KernelRidgeRegressor,
    Laplacian,
    Matern,
    Polynomial,
    RandomFeatureRegressor,
    load,
    save,
)
from rfbook.learning import exact_estimator as exact
from rfbook.learning.exact_estimator import gap_to_exact

rng = np.random.default_rng(0)
X, NEW = rng.standard_normal((700, 5)), rng.standard_normal((40, 5))
Y = np.column_stack([np.sin(X[:, 0]) + 3, X[:, 1] * X[:, 2], np.zeros(700)]) + 0.1 * rng.standard_normal((700, 3))
WEIGHTS = rng.uniform(0, 2, 700) * (rng.random(700) > 0.1)


def answer(kernel, alpha, Y, weights=None, intercept=True):
    """Predictions from the equations of weighted kernel ridge regression as they stand."""
    w = np.ones(len(X)) if weights is None else weights
    K, k = kernel(X), np.zeros(Y.shape[1])
    A = np.zeros((len(X) + 1, len(X) + 1))
    A[:-1, :-1], A[:-1, -1], A[-1, :-1], A[-1, -1] = w[:, None] * K + alpha * np.eye(len(X)), w, w @ K, w.sum()
    if not intercept:
        A[-1], A[:, -1], A[-1, -1] = 0, 0, 1
    found = np.linalg.solve(A, np.vstack([w[:, None] * Y, (w @ Y if intercept else k)[None]]))
    return kernel(NEW, X) @ found[:-1] + found[-1]


@pytest.mark.parametrize("sketch", ["rpcholesky", "nystroem"])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("intercept", [True, False])
def test_a_sketch_of_all_rows_leaves_one_step(sketch, weighted, intercept):
    """Then the preconditioner is the inverse, with the ridge, the weights and the constant."""
    few, w = slice(0, 150), WEIGHTS[:150] if weighted else None
    machine = KernelRidgeRegressor(Gaussian(1.0), alpha=0.5, sketch=sketch, rank=150, tol=1e-4, fit_intercept=intercept,
                                   random_state=0).fit(X[few], Y[few], w)
    plain = clone(machine).set_params(sketch=None).fit(X[few], Y[few], w)
    assert machine.n_iter_ <= 2 and plain.n_iter_ > 8


@pytest.mark.parametrize("sketch", ["rpcholesky", "nystroem", "features", None])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["even", "weighted"])
@pytest.mark.parametrize("intercept", [True, False])
def test_it_solves_the_equations(sketch, weights, intercept):
    """A residual of 1e-9 means dual coefficients within 1e-9 |y| / alpha, and so predictions within sqrt(n) of that."""
    machine = KernelRidgeRegressor(Gaussian(2.0), alpha=0.1, sketch=sketch, fit_intercept=intercept, tol=1e-9,
                                   random_state=0).fit(X, Y, weights)
    want = answer(Gaussian(2.0), 0.1, Y, weights, intercept)
    radius = 2 * 1e-9 * np.sqrt(700 * 2) * np.linalg.norm(Y) / 0.1
    assert np.abs(machine.predict(NEW) - want).max() < radius < 0.1
    assert machine.residuals_[0] == 1 and len(machine.residuals_) == machine.n_iter_ + 1


@pytest.mark.parametrize("kernel", [Matern(nu=1.5), Exponential(2.0), Laplacian(3.0), ArcCosine(1), Polynomial(2, 1.0),
                                    Gaussian([1.0, 2.0, 3.0, 4.0, 5.0])], ids=repr)
@pytest.mark.parametrize("memory", [0, "auto"])
def test_any_kernel_stored_or_streamed(kernel, memory):
    machine = KernelRidgeRegressor(kernel, alpha=1.0, memory=memory, tol=1e-8, random_state=0).fit(X, Y[:, 0])
    assert machine.stored_ == (memory == "auto")
    np.testing.assert_allclose(machine.predict(NEW), answer(kernel, 1.0, Y[:, :1])[:, 0], atol=1e-4)


def test_stored_and_streamed_have_the_same_bits_on_any_threads(many_threads):
    found = [KernelRidgeRegressor(Gaussian(2.0), memory=memory, n_jobs=jobs, random_state=0).fit(X, Y).predict(NEW)
             for memory, jobs in ((0, 1), (1e9, 1), (0, 3), (1e9, 4))]
    assert all(np.array_equal(found[0], other) for other in found[1:])


def test_a_residual_that_is_the_tolerance_is_small_enough():
    """Powers of two: what the quick product leaves over is 2^-10 to the last bit."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = exact._refined(lambda V: (1 - 2.0**-10) * V, lambda V: V, np.ones((1, 1)), None, 2.0**-10, 10)
    assert found.solution == 1 and found.refinements == 1


def test_without_a_constant_it_is_scikit_learns():
    ours = KernelRidgeRegressor(gamma=0.1, alpha=0.5, fit_intercept=False, tol=1e-9, random_state=0).fit(X, Y)
    theirs = KernelRidge(kernel="rbf", gamma=0.1, alpha=0.5).fit(X, Y)
    np.testing.assert_allclose(ours.predict(NEW), theirs.predict(NEW), atol=1e-5)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-5)


def test_weights_are_copies():
    counts = rng.integers(0, 3, 700)
    some = KernelRidgeRegressor(Gaussian(2.0), tol=1e-9, random_state=0).fit(X, Y, counts)
    copies = KernelRidgeRegressor(Gaussian(2.0), tol=1e-9, random_state=0).fit(np.repeat(X, counts, 0),
                                                                                  np.repeat(Y, counts, 0))
    np.testing.assert_allclose(some.predict(NEW), copies.predict(NEW), atol=1e-5)


def test_single_precision_alone_is_not_enough_and_refinement_is(monkeypatch):
    """The double residual after one solve in single precision is above what is asked, after refinement below it."""
    machine = KernelRidgeRegressor(Gaussian(2.0), alpha=1e-3, tol=1e-10, random_state=0).fit(X, Y[:, 0])
    K, y = Gaussian(2.0)(X), Y[:, 0] - machine.intercept_
    assert machine.n_refinements_ >= 3
    residual = y - K @ machine.dual_coef_ - 1e-3 * machine.dual_coef_
    assert np.linalg.norm(residual - residual.mean()) < 1.1e-10 * np.linalg.norm(Y[:, 0] - Y[:, 0].mean())
    monkeypatch.setattr("rfbook.learning.exact.INNER", 1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        first = KernelRidgeRegressor(Gaussian(2.0), alpha=1e-3, tol=1e-10, max_iter=60, random_state=0).fit(X, Y[:, 0])
    apart = Gaussian(2.0)(X) @ first.dual_coef_ + 1e-3 * first.dual_coef_ + first.intercept_ - Y[:, 0]
    assert first.n_refinements_ > 1 or np.linalg.norm(apart) > 1e-10 * np.linalg.norm(Y[:, 0])


@pytest.mark.parametrize(("scale", "alpha", "far"), [(5.0, 1e-6, False), (2.0, 1.0, True)])
def test_what_single_precision_does_not_see_is_solved_in_double(scale, alpha, far):
    """A ridge far below the kernel matrix, and one row so far away that squared distances cancel."""
    rows, y = np.r_[X, np.full((int(far), X.shape[1]), 1e6)], np.r_[Y[:, 0], np.zeros(int(far))]
    ours = KernelRidgeRegressor(Gaussian(scale), alpha=alpha, random_state=0).fit(rows, y).predict(NEW)
    K = Gaussian(scale)(rows)
    H = np.eye(len(K)) - 1 / len(K)
    coef = np.linalg.solve(H @ K @ H + alpha * np.eye(len(K)), y - y.mean())
    want = Gaussian(scale)(NEW, rows) @ (H @ coef) + (y - K @ (H @ coef)).mean()
    assert np.sqrt(np.mean((ours - want) ** 2)) < 0.01 * want.std()


def test_too_small_a_ridge_is_said():
    with pytest.warns(ConvergenceWarning, match=r"the residual is .* instead of 1e-06; alpha is lost in rounding"):
        KernelRidgeRegressor(Gaussian(5.0), alpha=1e-12, random_state=0).fit(X, Y)
    with pytest.warns(ConvergenceWarning, match="after 2 steps"):
        KernelRidgeRegressor(Gaussian(2.0), alpha=0.01, max_iter=2, random_state=0).fit(X, Y)


@pytest.mark.parametrize("given", [{"alpha": 0}, {"alpha": "auto"}, {"sketch": "cholesky"}, {"rank": 0},
                                   {"rank": "full"}, {"memory": -1}, {"memory": "all"}, {"tol": 0}, {"max_iter": 0},
                                   {"kernel": "rbff"}, {"kernel": Gaussian}, {"kernel": 3},
                                   {"fit_intercept": "no"}, {"length_scale": 1e-30}])
def test_wrong_arguments_are_named(given):
    name = next(iter(given))
    with pytest.raises(ValueError, match=rf"^{name} is ") as caught:
        KernelRidgeRegressor(**given).fit(X[:20], Y[:20])
    assert "\n" not in str(caught.value)


def test_numbers_beyond_single_precision():
    with pytest.raises(ValueError, match=r"length_scale is 1.0, and X holds numbers a million times as large"):
        KernelRidgeRegressor(length_scale=1.0).fit(1e20 * X, Y)
    far = KernelRidgeRegressor(Gaussian(2e8), alpha=0.1, random_state=0).fit(1e8 * X + 1e10, Y)
    near = KernelRidgeRegressor(Gaussian(2.0), alpha=0.1, random_state=0).fit(X, Y)
    np.testing.assert_allclose(far.predict(1e8 * NEW + 1e10), near.predict(NEW), atol=1e-3)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.filterwarnings("ignore:.* is below 0.01")
def test_rows_that_are_strangers_to_each_other():
    """Far from each other and from the mean, where exponents of single precision are rounding errors: K = I."""
    machine = KernelRidgeRegressor(length_scale=1e-5, alpha=1.0, fit_intercept=False, random_state=0).fit(X, Y)
    np.testing.assert_allclose(machine.dual_coef_, Y / 2, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(machine.predict(X), Y / 2, rtol=1e-4, atol=1e-5)
    assert not machine.predict(1e6 * NEW).any()


def test_one_row_constant_targets_sparse_rows_and_few_rows():
    one = KernelRidgeRegressor(length_scale=1.0).fit(X[:1], [3.0])
    assert one.predict(NEW[:2]).tolist() == [3.0, 3.0]
    flat = KernelRidgeRegressor(random_state=0).fit(X[:30], np.full(30, 2.5))
    assert np.allclose(flat.predict(NEW), 2.5, rtol=1e-15) and flat.n_iter_ == 0 and not flat.dual_coef_.any()
    rows = sparse.csr_array(np.maximum(X, 0))
    dense, thin = (KernelRidgeRegressor(Gaussian(2.0), random_state=0).fit(A, Y[:, 0]) for A in (rows.toarray(), rows))
    assert np.array_equal(dense.predict(NEW), thin.predict(sparse.csr_array(NEW)))


def test_it_is_an_estimator_and_goes_into_a_file(tmp_path):
    check_estimator(KernelRidgeRegressor(length_scale=1.0, tol=1e-11, random_state=0))
    machine = KernelRidgeRegressor(random_state=0).fit(X, Y)
    save(machine, tmp_path / "machine.npz")
    assert np.array_equal(load(tmp_path / "machine.npz").predict(NEW), machine.predict(NEW))


def test_the_gap_closes_and_is_refused_where_there_is_none():
    """A thousand times as many features: the root mean square gap is smaller at least by five, not by a lucky draw."""
    gaps = [gap_to_exact(RandomFeatureRegressor(kernel=Gaussian(2.0), n_components=D, alpha=1.0, random_state=0)
                         .fit(X, Y[:, 0]), X, Y[:, 0], NEW) for D in (16, 16_000)]
    assert gaps[1] < gaps[0] / 5
    raw = RandomFeatureRegressor(n_components=4000, random_state=0).fit(X, Y[:, 0])  # scaled by itself
    assert gap_to_exact(raw, X, Y[:, 0], NEW) < 0.1
    coarse = RandomFeatureRegressor(kernel=Gaussian(2.0), n_components=16, alpha=1.0, random_state=0).fit(X, Y[:, 0])
    exact = KernelRidgeRegressor(Gaussian(2.0), alpha=1.0).fit(X, Y[:, 0]).predict(NEW)
    apart = np.sqrt(np.mean((coarse.predict(NEW) - exact) ** 2))
    assert gaps[0] == pytest.approx(apart / exact.std(), rel=1e-6)  # in units of what it is compared with, not of y
    several = RandomFeatureRegressor(n_components=50, alpha=[1.0, 2.0, 3.0]).fit(X, Y)
    with pytest.raises(ValueError, match="machine is .* it may be a RandomFeatureRegressor of the squared loss"):
        gap_to_exact(several, X, Y, NEW)


def test_a_sketch_of_features_is_drawn_by_the_generator():
    made = [exact._sketch("features", SimpleNamespace(kernel=Gaussian()), X[:9], 20, np.random.default_rng(seed))
            for seed in (0, 0, 1)]
    assert np.array_equal(made[0], made[1]) and not np.allclose(made[0], made[2])


def test_rows_that_are_kept_are_those_of_the_fit_and_of_the_kernel():
    """Of a fit to the same array with other numbers, of a copy, of another kernel, and where they are too many."""
    rows, y = X[:60].copy(), Y[:60, 0]
    machine = KernelRidgeRegressor(Gaussian(2.0), random_state=0).fit(rows, y)
    asked = machine.predict(NEW)
    np.testing.assert_array_equal(machine.predict(NEW), asked)
    assert exact._rows_of(machine) is exact._rows_of(machine)
    np.testing.assert_array_equal(clone(machine).fit(rows, y).predict(NEW), asked)
    rows += 1.0
    fresh = KernelRidgeRegressor(Gaussian(2.0), random_state=0).fit(rows.copy(), y).predict(NEW)
    np.testing.assert_array_equal(machine.fit(rows, y).predict(NEW), fresh)
    machine.kernel_ = Matern(1.5, length_scale=2.0)
    want = Matern(1.5, length_scale=2.0)(NEW, rows) @ machine.dual_coef_ + machine.intercept_
    np.testing.assert_allclose(machine.predict(NEW), want, rtol=1e-9)
    machine.kernel_.length_scale = np.full(5, 3.0)
    want = Matern(1.5, length_scale=3.0)(NEW, rows) @ machine.dual_coef_ + machine.intercept_
    np.testing.assert_allclose(machine.predict(NEW), want, rtol=1e-9)


def test_many_rows_are_not_kept(monkeypatch):
    monkeypatch.setattr(exact, "_AT_MOST", 10)
    machine = KernelRidgeRegressor(Gaussian(2.0), random_state=0).fit(X[:60], Y[:60, 0])
    machine.predict(NEW)
    assert machine not in exact._made
