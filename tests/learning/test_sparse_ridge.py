"""Ridge machines on sparse features: the paths by rows and by iteration against the dense one, and their errors."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.ensemble import RandomTreesEmbedding
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

from rfbook import RandomBinningFeatures, RandomFeatureClassifier, RandomFeatureRegressor
from rfbook.machines.designs import fit_features
from rfbook.solvers import direct, iterative, regression
from rfbook.solvers.design import RowSpace

# checks of scikit-learn that set n_components, which is an error where features are given
SET_N_COMPONENTS = ("check_dont_overwrite_parameters", "check_fit2d_1feature", "check_fit2d_predict1d",
                    "check_fit2d_1sample", "check_methods_sample_order_invariance", "check_methods_subset_invariance")
CHOSEN = dict.fromkeys([f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")],
                       "a row is left out with all its weight where a ridge is chosen, and repeated rows one by one")
EXACT, ITERATED = 1e-8, 3e-6  # relative; the iterations stop at a residual of 1e-6, which bounds the fitted values


@pytest.mark.filterwarnings("ignore:on rows that are left out")  # some checks draw y without a look at X
@parametrize_with_checks([
    RandomFeatureRegressor(RandomBinningFeatures(length_scale=1.0, n_grids=150, random_state=0)),
    RandomFeatureClassifier(RandomBinningFeatures(length_scale=1.0, n_grids=150, random_state=0)),
], expected_failed_checks=lambda machine: dict.fromkeys(SET_N_COMPONENTS, "features takes over n_components") | CHOSEN)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


class Dense(TransformerMixin, BaseEstimator):
    """The features of another transformer as a dense array."""

    def __init__(self, inner):
        self.inner = inner

    def fit(self, X, y=None):
        self.fitted_ = self.inner.fit(X)
        return self

    def transform(self, X):
        Z = self.fitted_.transform(X)
        return Z.toarray() if sparse.issparse(Z) else Z


class Spoiled(Dense):
    """Sparse features with one value replaced."""

    def transform(self, X):
        Z = self.fitted_.transform(X).tocsr().astype(float)
        Z.data[-1] = np.nan
        return Z


def waves(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, 3))
    return X, np.sin(2 * X[:, 0]) * np.cos(X[:, 1]) + 0.3 * rng.standard_normal(n)


GRIDS = RandomBinningFeatures(length_scale=2.0, n_grids=40, random_state=0)
MAPS = {
    "grids": GRIDS,
    "trees": RandomTreesEmbedding(n_estimators=45, max_depth=5, random_state=0),
    "one-hot": KBinsDiscretizer(400, encode="onehot", strategy="uniform", subsample=None),
}


@pytest.mark.parametrize("n", [300, 1300])  # one decomposition of the rows, conjugate gradients
@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("weighted", [False, True])
def test_sparse_is_dense(name, n, weighted):
    X, y = waves(n)
    X_new, _ = waves(200, seed=1)
    Y = np.c_[y, np.abs(X[:, 2]), np.full(n, 2.0)]
    w = np.random.default_rng(2).integers(0, 4, n) if weighted else None
    thin = RandomFeatureRegressor(MAPS[name], alpha=0.7).fit(X, Y, w)
    # trees are grown with the weights, so that only the fitted ones say what the features are
    dense = Ridge(alpha=0.7, solver="cholesky").fit(thin.features_.transform(X).toarray(), Y, w)
    assert thin._sparse and thin.feature_coef_.shape == dense.coef_.shape
    tolerance = EXACT if n <= regression.DIRECT else ITERATED * np.sqrt(n)  # of an entry, not of the norm
    for points in (X, X_new):
        want = dense.predict(thin.features_.transform(points).toarray())
        np.testing.assert_allclose(thin.predict(points), want, atol=tolerance)


def test_weights_are_repetitions():
    X, y = waves(1300)
    w = np.random.default_rng(0).integers(0, 3, 1300)
    weighted = RandomFeatureRegressor(GRIDS, alpha=1.0).fit(X, y, w)
    repeated = RandomFeatureRegressor(GRIDS, alpha=1.0).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(weighted.predict(X[w > 0]), repeated.predict(X[w > 0]), atol=1e-4)


@pytest.mark.parametrize("n", [300, 1300])
def test_classes(n):
    X, y = waves(n)
    label = np.digitize(y, [-0.4, 0.4])
    thin = RandomFeatureClassifier(GRIDS, alpha=0.5).fit(X, label)
    Z = GRIDS.fit_transform(X).toarray()
    dense = RidgeClassifier(alpha=0.5, solver="cholesky").fit(Z, label)
    np.testing.assert_allclose(thin.decision_function(X), dense.decision_function(Z), atol=ITERATED * np.sqrt(n))
    assert (thin.predict(X) == dense.predict(Z)).mean() > 0.999 and thin.feature_coef_.shape[0] == 3
    names = np.array(["low", "high"])[(y > 0).astype(int)]
    assert set(RandomFeatureClassifier(GRIDS, alpha=0.5).fit(X, names).predict(X)) == {"low", "high"}


def test_float32_agrees():
    X, y = waves(1300)
    X = X.astype(np.float32)
    single = RandomFeatureRegressor(GRIDS, alpha=1.0).fit(X, y)
    Z = GRIDS.fit_transform(X).toarray().astype(float)
    want = Ridge(alpha=1.0, solver="cholesky").fit(Z, y).predict(Z)
    assert single.predict(X).dtype == np.float64
    # a single entry 1 / sqrt(P) is off by 6e-8 of itself, and conjugate gradients by their tolerance
    np.testing.assert_allclose(single.predict(X), want, atol=ITERATED * np.sqrt(1300))


def test_csr_input_is_the_same():
    X, y = waves(1300)
    X[np.abs(X) < 1] = 0.0
    dense = RandomFeatureRegressor(GRIDS, alpha=1.0).fit(X, y)
    thin = RandomFeatureRegressor(GRIDS, alpha=1.0).fit(sparse.csr_array(X), y)
    np.testing.assert_array_equal(thin.predict(sparse.csr_array(X)), dense.predict(X))


@pytest.mark.parametrize("name", ["grids", "trees"])
def test_scores_are_near_the_exact_ones(name):
    n, alphas = 1300, [0.1, 1.0, 10.0, 100.0]
    X, y = waves(n)
    Y = np.c_[y, X[:, 2]]
    w = np.random.default_rng(2).integers(1, 4, n)
    for weights in (None, w):
        guess = RandomFeatureRegressor(MAPS[name], alpha="gcv", alphas=alphas).fit(X, Y, weights)
        path = direct.RowPath(RowSpace(fit_features(clone(MAPS[name]), X, Y, weights), Y, weights))
        exact, settled = np.array([path.gcv(a) for a in alphas]), np.isfinite(guess.alpha_scores_)
        # the trace enters squared and is near its value with a standard deviation of sqrt(2 / (q tr)), q probes;
        # the Lanczos process stops when ten more steps change a score by less than one per cent
        q, left = min(32, -(-iterative._PROBES // n)), n / 3
        rtol = 0.02 + 2 * 6 * np.sqrt(2 / (q * left))
        np.testing.assert_allclose(guess.alpha_scores_[settled], exact[settled], rtol=rtol)
        assert settled[1:].all() and np.isin(guess.alpha_, alphas).all()


def test_few_rows_have_exact_scores():
    X, y = waves(300)
    alphas = [0.0, 0.01, 1.0, 30.0]
    exact = RandomFeatureRegressor(Dense(GRIDS), alpha="gcv", alphas=alphas).fit(X, y)
    thin = RandomFeatureRegressor(GRIDS, alpha="gcv", alphas=alphas).fit(X, y)
    np.testing.assert_allclose(thin.alpha_scores_[1:], exact.alpha_scores_[1:], rtol=1e-7)
    assert thin.alpha_ == exact.alpha_


def test_the_default_works():
    X, y = waves(1300)
    X_new, y_new = waves(1000, seed=1)
    machine = RandomFeatureRegressor(RandomBinningFeatures(length_scale=3.0, n_grids=200, random_state=0)).fit(X, y)
    assert np.isfinite(machine.alpha_scores_).any() and machine.alphas_.min() == pytest.approx(1e-3)
    assert np.mean((machine.predict(X_new) - y_new) ** 2) < 0.25  # 0.09 is noise, 0.34 the variance


def test_alpha_zero():
    X, y = waves(300)
    np.testing.assert_allclose(RandomFeatureRegressor(GRIDS, alpha=0.0).fit(X, y).predict(X), y, atol=1e-5)
    X, y = waves(1300)
    with pytest.raises(ValueError, match="alpha is 0"):
        RandomFeatureRegressor(GRIDS, alpha=0.0).fit(X, y)
    with pytest.raises(ValueError, match="alphas is 0"):
        RandomFeatureRegressor(GRIDS, alphas=[0.0, 1.0]).fit(X, y)


@pytest.mark.parametrize("n", [300, 1300])
@pytest.mark.parametrize("alpha", [1.0, "gcv", "auto", "cv"])
def test_constant_target(n, alpha):
    X, _ = waves(n)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        machine = RandomFeatureRegressor(GRIDS, alpha=alpha).fit(X, np.full(n, 7.0))
    np.testing.assert_allclose(machine.predict(X), 7.0, rtol=1e-12)


@pytest.mark.parametrize("n", [300, 1300])
@pytest.mark.parametrize("alpha", [1.0, "gcv", "auto", "cv"])
@pytest.mark.parametrize("kept", [1, 2, 50])
def test_zero_weights(n, alpha, kept):
    X, y = waves(n)
    w = np.zeros(n)
    w[:kept] = 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "on rows that are left out")
        machine = RandomFeatureRegressor(GRIDS, alpha=alpha).fit(X, y, w)
    assert np.isfinite(machine.predict(X)).all()
    if kept == 1:
        np.testing.assert_allclose(machine.predict(X), y[0], atol=1e-9)
    with pytest.raises(ValueError, match="zero"):
        RandomFeatureRegressor(GRIDS, alpha=alpha).fit(X, y, np.zeros(n))


def test_threads_do_not_change_a_bit(many_threads):
    X, y = waves(1300)
    runs = [RandomFeatureRegressor(GRIDS, n_jobs=n).fit(X, np.c_[y, X[:, 0]]) for n in (1, 2, 5, None)]
    for run in runs[1:]:
        assert (run.feature_coef_ == runs[0].feature_coef_).all() and (run.alpha_scores_ == runs[0].alpha_scores_).all()


def test_a_feature_that_is_no_number():
    X, y = waves(1300)
    with pytest.raises(ValueError, match="NaN"):
        RandomFeatureRegressor(Spoiled(MAPS["trees"]), alpha=1.0).fit(X, y)


def test_a_row_whose_boxes_are_new():
    X, y = waves(1300)
    machine = RandomFeatureRegressor(GRIDS, alpha=1.0).fit(X, y)
    np.testing.assert_allclose(machine.predict(np.full((1, 3), 1e4)), machine.intercept_)
    coder = OneHotEncoder(handle_unknown="ignore")
    machine = RandomFeatureRegressor(coder, alpha=1.0).fit(np.floor(200 * X), y)
    assert machine._sparse
    np.testing.assert_allclose(machine.predict(np.full((1, 3), 1e4)), machine.intercept_)
    dense = Ridge(alpha=1.0).fit(coder.fit_transform(np.floor(200 * X)).toarray(), y)
    np.testing.assert_allclose(machine.predict(np.floor(200 * X)),
                               dense.predict(coder.transform(np.floor(200 * X)).toarray()), atol=1e-4)


def test_iterations_and_the_factorisation_agree(monkeypatch):
    X, y = waves(1200)
    machine = RandomFeatureRegressor(RandomBinningFeatures(length_scale=1.0, n_grids=100, random_state=0), alpha=0.5)
    factored = clone(machine).fit(X, y).predict(X)
    monkeypatch.setattr(regression, "_FACTOR", 0)
    iterated = clone(machine).fit(X, y)
    assert iterated._sparse
    # the residual of the iterations is 1e-6 of the centred targets' norm, and fitted values are no further off
    assert np.linalg.norm(iterated.predict(X) - factored) <= 1.01e-6 * np.linalg.norm(y - y.mean())


class Altered(Dense):
    """Sparse features multiplied by a number, and of another width for five rows."""

    def __init__(self, inner, factor=1.0, width=None):
        super().__init__(inner)
        self.factor, self.width = factor, width

    def transform(self, X):
        Z = self.fitted_.transform(X).tocsr() * self.factor
        return Z[:, : self.width] if len(X) == 5 else Z


@pytest.mark.parametrize("n", [300, 1300])
def test_weights_of_any_spread(n):
    X, y = waves(n)
    Z = GRIDS.fit_transform(X).toarray()
    for top in (1e10, 1e14, 1e20):
        w = np.r_[top, np.ones(n - 1)]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            got = RandomFeatureRegressor(GRIDS, alpha=0.7).fit(X, y, w).predict(X)
        # a weight that is infinite to all purposes: its row is met exactly, the others are fitted to the differences
        beta = np.linalg.solve((Z - Z[0]).T @ (Z - Z[0]) + 0.7 * np.eye(Z.shape[1]), (Z - Z[0]).T @ (y - y[0]))
        np.testing.assert_allclose(got, y[0] + (Z - Z[0]) @ beta, atol=1e-4)


def test_ridges_below_rounding():
    X, y = waves(600)
    limit = RandomFeatureRegressor(GRIDS, alpha=0.0).fit(X, y).predict(X)
    for alpha in (1e-300, 1e-20):
        np.testing.assert_allclose(RandomFeatureRegressor(GRIDS, alpha=alpha).fit(X, y).predict(X), limit, atol=1e-6)
    X, y = waves(1300)
    for alpha in (1e-300, 1e-14):
        with pytest.warns(ConvergenceWarning):
            machine = RandomFeatureRegressor(GRIDS, alpha=alpha).fit(X, y)
        # fitted values are off by the residual, which is at most that of the start
        assert np.linalg.norm(machine.predict(X) - y) <= 2 * np.linalg.norm(y - y.mean())


def test_outputs_of_different_size():
    X, y = waves(1300)
    both = RandomFeatureRegressor(GRIDS, alpha=1.0).fit(X, np.c_[y, 1e-200 * y, np.full(1300, 3.0)]).predict(X)
    np.testing.assert_allclose(1e200 * both[:, 1], both[:, 0], atol=ITERATED * np.sqrt(1300))
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        rows = RowSpace(fit_features(GRIDS, X), np.c_[y, np.full(1300, 3.0)])
        iterative.conjugate_gradients(rows, 0.01, max_iter=3)


@pytest.mark.parametrize("n", [300, 1300])
def test_features_that_overflow_or_change_their_width(n):
    X, y = waves(n)
    with pytest.raises(ValueError, match="features hold NaN or infinity, or their products"):
        RandomFeatureRegressor(Altered(GRIDS, factor=1e160), alpha=1.0).fit(X, y)
    machine = RandomFeatureRegressor(Altered(GRIDS, width=7), alpha=1.0).fit(X, y)
    with pytest.raises(ValueError, match=r"of shape \(5, 7\) for 5 rows"):
        machine.predict(X[:5])


@pytest.mark.parametrize("n_grids", [6, 200])  # few boxes: columns; many: rows, which stay sparse
def test_grids_stay_sparse_whatever_output_is_asked_for(n_grids):
    X, y = waves(400)
    grids = RandomBinningFeatures(length_scale=3.0, n_grids=n_grids, random_state=0)
    plain = RandomFeatureRegressor(grids, alpha=0.5).fit(X, y)
    dense = RandomFeatureRegressor(clone(grids).set_params(sparse_output=False), alpha=0.5).fit(X, y)
    assert plain._sparse == dense._sparse == (n_grids == 200)
    assert np.array_equal(plain.predict(X), dense.predict(X))
    with config_context(transform_output="pandas"):  # no frame is ever made, whether there is pandas or not
        assert np.array_equal(clone(plain).fit(X, y).predict(X), plain.predict(X))


@pytest.mark.parametrize("n_grids", [6, 200])
def test_duplicates_of_sparse_rows_are_summed(n_grids):
    X, y = waves(400)
    grids = RandomBinningFeatures(length_scale=3.0, n_grids=n_grids, random_state=0)
    machine = RandomFeatureRegressor(grids, alpha=0.5)
    machine.fit(sparse.csr_matrix(X), y)
    twice = sparse.csr_matrix(([0.5, 1.5, -2.0], [1, 1, 2], [0, 2, 3]), (2, 3))
    assert np.array_equal(machine.predict(twice), machine.predict(twice.toarray()))
    assert machine.predict(twice)[0] != machine.predict(np.array([[0.0, 0.5, 0.0]]))[0]


def test_very_many_rows_are_predicted_like_few():
    draw = np.random.default_rng(6)
    rows = draw.uniform(-3, 3, (300, 2))
    machine = RandomFeatureRegressor(RandomBinningFeatures(n_grids=60, length_scale=0.5, random_state=0), alpha=1.0)
    machine.fit(rows, rows[:, 0])
    new = draw.uniform(-3, 3, (9000, 2))
    assert machine._sparse and np.array_equal(machine.predict(new)[8500:], machine.predict(new[8500:]))
