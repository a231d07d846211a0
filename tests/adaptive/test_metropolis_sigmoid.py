"""Weights that walk: sigmoids against plain NumPy, their draws, scikit-learn's rules, checkpoints, bad input."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import rfbook._parallel
from rfbook import MetropolisFourierFeatures, MetropolisSigmoidFeatures, RandomFeatureClassifier, RandomFeatureRegressor
from rfbook._validation import streams
from rfbook.maps.sigmoids import Sigmoids, sigmoid_filler
from rfbook.records import RecordsError

rng = np.random.default_rng(0)
X = rng.standard_normal((400, 3))
y = np.abs(X[:, 0] - 0.4) + 0.1 * rng.standard_normal(400)


def walk(**parameters):
    return MetropolisSigmoidFeatures(**{"n_components": 10, "length_scale": 1.0, "n_steps": 8, "random_state": 0,
                                        **parameters})


# ---- the draws -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix, sparse.csr_array])
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-15), (np.float32, 1e-6)])
def test_features_are_sigmoids(make, dtype, tolerance):
    W, b, a = rng.standard_normal((6, 3)), rng.standard_normal(6), rng.standard_normal(6)
    want = a / (1 + np.exp(-(X @ W.T + b)))
    out = np.empty((400, 6), dtype)
    sigmoid_filler(make(X.astype(dtype)), Sigmoids(W, b, a))()(slice(0, 400), out)
    assert np.abs(out - want).max() < tolerance


def test_far_from_the_plane_they_are_0_and_1():
    out = np.empty((3, 1))
    sigmoid_filler(np.array([[-1e300], [0.0], [1e300]]), Sigmoids(np.array([[3.0]]), np.zeros(1)))()(slice(0, 3), out)
    assert out.ravel().tolist() == [0.0, 0.5, 1.0]


def test_the_verbs_of_draws():
    drawn = walk(n_steps=0).fit(X, y).draws_
    assert drawn.width == len(drawn) == 10 and drawn.columns.tolist() == [[j] for j in range(10)]
    some = drawn.take([7, 0])
    assert np.array_equal(some.weights, drawn.weights[[7, 0]]) and np.array_equal(some.biases, drawn.biases[[7, 0]])
    assert drawn.weighted(np.arange(10.0)).take([3]).amplitudes == 3 / np.sqrt(10)
    map_ = walk(n_steps=0).fit(X, y)
    here = map_.transform(X * [2.0, 4.0, 0.5])
    map_._keep(drawn.stretched([2.0, 4.0, 0.5]), None)
    assert np.array_equal(map_.transform(X), here)


# ---- the algorithm -------------------------------------------------------------------------------------------------


def reference(X, Y, *, m, n_steps, exponent, step, seed):
    """Algorithm 1 with a column of ones, from 0, in NumPy."""
    n, X = len(X), np.column_stack([X, np.ones(len(X))])
    key, Y = streams(seed, 4)[3].integers(2**32, size=4).tolist(), (Y - Y.mean(0)) / Y.std(0)

    def solve(W):
        S = 1 / (1 + np.exp(-X @ W.T))
        beta = np.linalg.solve(S.T @ S + 0.1 * n * np.eye(m), S.T @ Y)
        return np.sqrt((beta**2).sum(1)), np.mean((S @ beta - Y) ** 2)

    W, errors = np.zeros((m, X.shape[1])), []
    b = solve(W)[0]
    for t in range(1, n_steps + 1):
        numbers = np.random.default_rng([*key, t])
        normals, uniforms = numbers.standard_normal(W.shape), numbers.random(m)
        proposed = W + step * normals
        new = solve(proposed)[0]
        W = np.where((new**exponent / b**exponent > uniforms)[:, None], proposed, W)
        b, error = solve(W)
        errors.append(error)
    return W, b, np.array(errors)


@pytest.mark.parametrize("targets", [1, 2])
def test_the_walk_is_that_of_the_algorithm(targets):
    Y = np.column_stack([y, np.cos(X[:, 1])])[:, :targets]
    ours = walk(kernel=None, step=0.7, exponent=4.0, resample=False).fit(X, Y if targets > 1 else y)
    W, b, errors = reference(X, Y, m=10, n_steps=8, exponent=4.0, step=0.7, seed=0)
    assert np.allclose(ours.random_weights_.T, W[:, :-1], atol=1e-9)
    assert np.allclose(ours.random_offset_, W[:, -1], atol=1e-9) and np.allclose(ours.amplitudes_, b, atol=1e-9)
    assert np.allclose(ours.trace_["error"][1:], errors, atol=1e-9)
    assert 0 < ours.trace_["acceptance"][1:].mean() <= 1 and ours.kernel_ is None


def test_it_starts_where_the_law_and_the_normal_law_put_it():
    still, (first, second) = walk(n_steps=0, n_components=25).fit(X, y), streams(0, 2)
    assert np.array_equal(still.random_weights_.T, first.standard_normal((25, 3)))
    assert np.array_equal(still.random_offset_, second.standard_normal(25))
    fewer = walk(n_steps=0).fit(X, y)
    assert np.array_equal(still.random_weights_[:, :10], fewer.random_weights_)
    assert np.array_equal(still.random_offset_[:10], fewer.random_offset_)


@pytest.mark.parametrize("scale", [2.0**-7, 2.0**9])
@pytest.mark.parametrize("parameters", [{}, {"resample": False}, {"covariance": "adaptive", "burn_in": 2},
                                        {"exponent": 0.0}], ids=str)
def test_the_walk_scales_with_the_data_and_biases_have_no_unit(scale, parameters):
    parameters = {"length_scale": "median", **parameters}
    one, other = walk(**parameters).fit(X, y), walk(**parameters).fit(X * scale, y * 3)
    assert np.array_equal(one.random_weights_, other.random_weights_ * scale)
    assert np.array_equal(one.random_offset_, other.random_offset_)
    assert not np.array_equal(one.random_offset_, walk(**{**parameters, "n_steps": 0}).fit(X, y).random_offset_)


def test_it_finds_a_ridge():
    U = np.random.default_rng(1).uniform(-1, 1, (600, 4))
    target = np.tanh(20 * (U[:, 0] + U[:, 1] - 0.5))
    left = [1 - RandomFeatureRegressor(walk(n_components=40, length_scale="median", n_steps=steps), alpha=1e-4)
            .fit(U[:400], target[:400]).score(U[400:], target[400:]) for steps in (0, 40)]
    assert left[1] < left[0] / 3


def test_long_weights_are_refused_and_biases_are_free():
    bounded = walk(max_frequency=1.5, n_steps=30, length_scale=3.0, resample=False, exponent=0.0).fit(X + 5, y)
    assert np.linalg.norm(bounded.random_weights_, axis=0).max() < 1.5
    assert np.abs(bounded.random_offset_).max() > 1.5
    free, endless = (walk(max_frequency=longest, n_steps=30, length_scale=3.0, resample=False, exponent=0.0)
                     .fit(X + 5, y).random_weights_ for longest in (None, 1e308))
    assert np.linalg.norm(free, axis=0).max() > 1.5 and np.array_equal(free, endless)


def test_constant_columns_keep_their_weights():
    wide = np.column_stack([X[:, 0], np.zeros(400), X[:, 1], np.full(400, 7.0)])
    for covariance in ("scalar", "adaptive"):
        moved, still = (walk(covariance=covariance, burn_in=1, n_steps=s).fit(wide, y) for s in (8, 0))
        parents = {*map(tuple, still.random_weights_[[1, 3]].T)}
        assert {*map(tuple, moved.random_weights_[[1, 3]].T)} <= parents
        assert moved.exponent_ == rfbook.bounds.optimal_exponent(3)  # two columns and the bias
    with pytest.warns(UserWarning, match="X is constant"):
        walk().fit(np.ones((400, 2)), y)


# ---- scikit-learn --------------------------------------------------------------------------------------------------


def test_scikit_learns_checks_pass_without_exception():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(MetropolisSigmoidFeatures(n_components=6, length_scale=1.0, n_steps=2), on_fail=None)
    assert len(results) > 30
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] not in {"passed", "skipped"}] == []
    assert sum(r["status"] == "skipped" for r in results) <= 2


def test_in_machines_and_pipelines():
    wine, label = load_wine(return_X_y=True)
    classifier = make_pipeline(StandardScaler(), RandomFeatureClassifier(walk(n_components=30, length_scale="median")))
    names = np.array(["barolo", "grignolino", "barbera"])[label]
    assert classifier.fit(wine, names).score(wine, names) > 0.95
    two = RandomFeatureRegressor(walk()).fit(X, np.c_[y, -y], sample_weight=np.linspace(0.5, 2, 400))
    assert two.predict(X).shape == (400, 2)


def test_clone_pickle_and_names():
    fitted = clone(walk()).fit(X, y)
    assert np.array_equal(pickle.loads(pickle.dumps(fitted)).transform(X), fitted.transform(X))
    assert list(fitted.get_feature_names_out())[-1] == "metropolissigmoidfeatures9" and fitted.n_components_ == 10
    out = np.empty((400, 10))
    assert fitted.transform(X, out=out) is out and np.array_equal(out, fitted.transform(X))
    assert fitted.random_weights_.shape == (3, 10) and fitted.random_offset_.shape == (10,)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix, sparse.csr_array])
def test_float32_and_sparse_rows(make):
    want = walk(n_steps=3).fit(X, y)
    for dtype, tolerance in ((np.float64, 1e-9), (np.float32, 1e-2)):
        found = walk(n_steps=3).fit(make(X.astype(dtype)), y)
        assert found.random_weights_.dtype == found.transform(make(X.astype(dtype))).dtype == dtype
        assert np.allclose(found.random_weights_, want.random_weights_, atol=tolerance)
        assert np.allclose(found.random_offset_, want.random_offset_, atol=tolerance)


def test_weights_of_rows_are_copies():
    w = np.random.default_rng(3).integers(0, 3, 400)
    given = {"alpha": 2.0, "n_steps": 4, "kernel": None, "step": 0.5}
    weighted = walk(**given).fit(X, y, sample_weight=w)
    repeated = walk(**given).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    assert np.allclose(weighted.random_weights_, repeated.random_weights_, atol=1e-8)


def test_bits_do_not_depend_on_the_number_of_threads(monkeypatch):
    many = np.random.default_rng(4).standard_normal((3000, 3))
    made = walk(n_components=60, n_steps=4, validation_fraction=0.3)
    want = made.fit(many, np.abs(many[:, 0])).random_weights_
    for threads in (1, 2, 5):
        monkeypatch.setattr(rfbook._parallel, "count_threads", lambda n_jobs, default, threads=threads: threads)
        assert np.array_equal(clone(made).fit(many, np.abs(many[:, 0])).random_weights_, want)


# ---- checkpoints and bad input -------------------------------------------------------------------------------------


def test_a_checkpoint_goes_on_and_that_of_waves_is_refused(tmp_path):
    path = tmp_path / "walk.npz"
    walk(n_steps=4, checkpoint=path).fit(X, y)
    resumed, whole = walk(checkpoint=path).fit(X, y), walk().fit(X, y)
    assert np.array_equal(resumed.random_weights_, whole.random_weights_)
    assert np.array_equal(resumed.random_offset_, whole.random_offset_)
    waves = MetropolisFourierFeatures(n_components=10, length_scale=1.0, n_steps=8, random_state=0, checkpoint=path)
    with pytest.raises(RecordsError, match="another map .MetropolisSigmoidFeatures there, MetropolisFourier"):
        waves.fit(X, y)


@pytest.mark.parametrize(("parameters", "sentence"), [
    ({"n_components": 0}, "n_components is 0"),
    ({"kernel": None}, "step is 'optimal' and kernel is None"),
    ({"kernel": "gausian"}, "did you mean 'gaussian'"),
    ({"length_scale": -1.0}, "length_scale is -1"),
    ({"step": 0.0}, "step is 0.0"),
    ({"max_frequency": -1.0}, "max_frequency is -1"),
])
def test_a_wrong_parameter_is_one_sentence(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        walk(**parameters).fit(X, y)


def test_wrong_data():
    with pytest.raises(ValueError, match="NaN"):
        walk().fit(X, np.full(400, np.nan))
    with pytest.raises(ValueError, match="NaN"):
        walk().fit(np.where(X > 2, np.nan, X), y)
    fitted = walk().fit(X, y)
    with pytest.raises(ValueError, match="X has 2 features"):
        fitted.transform(X[:, :2])
    with pytest.raises(ValueError, match=r"X holds 1e\+308: products with weights overflow float64"):
        fitted.transform(np.full((2, 3), 1e308))
    with pytest.warns(UserWarning, match="y is constant"):
        walk().fit(X, np.ones(400))
    assert np.isfinite(walk(n_components=100).fit(X[:30], y[:30]).random_weights_).all()
