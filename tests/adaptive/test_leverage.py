"""Features drawn by leverage: scores against plain linear algebra, unbiased, scikit-learn's rules, bad input."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import rfbook._parallel
from rfbook import Gaussian, LeverageScoreFeatures, RandomFeatureClassifier, RandomFeatureRegressor, bounds
from rfbook.adaptive import leverage, leverage_map
from rfbook.draws import Waves

rng = np.random.default_rng(0)
X = rng.standard_normal((300, 3))
y = np.sin(3 * X[:, 0]) + 0.1 * rng.standard_normal(300)
WAYS = ("pool", "coarse", "surrogate")


def scored(**parameters):
    return LeverageScoreFeatures(**{"n_components": 20, "length_scale": 1.0, "random_state": 0, **parameters})


def waves_at(rows, W):
    """Complex waves of the rows of W."""
    return np.exp(1j * rows @ np.asarray(W, dtype=float).T)


# ---- scores --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.01, 1.0, 100.0])
def test_leverages_of_the_pool_are_resolvents(alpha):
    map_ = scored(alpha=alpha, n_candidates=50).fit(X)
    E = waves_at(X, map_.pool_.frequencies)
    K = (E @ E.conj().T).real / 50
    want = np.einsum("ij,ik,kj->j", E.conj(), np.linalg.inv(K + alpha * np.eye(300)), E).real / 50
    assert np.allclose(map_.scores_, want, rtol=1e-6)
    assert map_.scores_.sum() == pytest.approx(bounds.effective_dimension(K, alpha))
    assert map_.alpha_ == alpha


def test_the_ladder_by_hand():
    """160 candidates for 10 waves: rungs of 10, 40 and 160."""
    map_ = scored(alpha=2.0, n_candidates=160, scores="coarse").fit(X)
    W = map_.pool_.frequencies

    def seen(candidates, F, ridge):
        E = waves_at(X, candidates)
        return np.einsum("ij,ik,kj->j", E.conj(), np.linalg.inv(F @ F.T + ridge * np.eye(300)), E).real

    def features(waves, a):
        A = X @ waves.T
        return np.hstack([np.cos(A) * a, np.sin(A) * a])

    scores = seen(W[:40], features(W[:10], np.full(10, 10**-0.5)), 8.0)
    ladder = rfbook._validation.streams(0, 4)[3].spawn(2)[0]
    edges = np.cumsum(scores / scores.sum())
    taken = np.searchsorted(edges, (np.arange(10) + ladder.random(10)) / 10, side="right")
    shares = scores / scores.sum()
    last = seen(W, features(W[taken], (10 * 40 * shares[taken]) ** -0.5), 2.0) / 160
    assert np.allclose(map_.scores_, last, rtol=1e-6)


def test_the_surrogate_is_a_resemblance():
    map_ = scored(scores="surrogate", n_candidates=50).fit(X, np.c_[y, -3 * y])
    z = (y - y.mean()) / y.std()
    assert np.allclose(map_.scores_, 1 + np.abs(z @ waves_at(X, map_.pool_.frequencies) / 300) ** 2)
    assert map_.alpha_ is None and map_.looks_at_y and not scored().looks_at_y


def test_the_ridge_that_is_chosen_leaves_a_quarter():
    for width in (20, 100):
        assert scored(n_components=width).fit(X).scores_.sum() == pytest.approx(width / 4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        flat = scored().fit(np.zeros((30, 2)))  # one direction, and no more
    assert flat.alpha_ == pytest.approx(3e-7) and np.isfinite(flat.transform(np.zeros((2, 2)))).all()
    assert leverage_map.ridge_for(np.zeros(3), 1.0) == 1.0


# ---- resampling ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scores", WAYS)
def test_amplitudes_say_how_often(scores):
    map_ = scored(scores=scores, n_candidates=60).fit(X, y)
    shares = map_.scores_ / map_.scores_.sum()
    assert np.allclose(map_.waves_.amplitudes, (10 * 60 * shares[map_.chosen_]) ** -0.5)
    assert np.array_equal(map_.waves_.frequencies, map_.pool_.frequencies[map_.chosen_])
    assert (np.diff(map_.chosen_) >= 0).all() and map_.n_components_ == 20 and len(map_.scores_) == 60


@pytest.mark.parametrize("scores", WAYS)
def test_the_kernel_is_estimated_without_bias(scores):
    """The mean over draws of the estimate at a pair of rows: an exact mean, judged by the sample's own deviation.

    A normal deviate beyond 6 has probability 2e-9, and the sum of 400 bounded terms is near one; without weights the
    distance is above 20 for leverage.
    """
    rows, kernel = X[:60], Gaussian()
    found = np.array([scored(scores=scores, alpha=0.1, n_components=30, random_state=s).fit(
        rows, y[:60]).approximate_kernel(rows[:4])[0] for s in range(400)])
    z = (found.mean(0) - kernel(rows[:4])[0]) / (found.std(0) / 20)
    assert np.abs(z).max() < 6


def test_equal_scores_take_each_once():
    waves = Waves(np.arange(8.0)[:, None])
    assert np.array_equal(leverage.resampled_waves(waves, np.ones(8), np.full(8, 0.5)).frequencies, waves.frequencies)
    assert np.allclose(leverage.resampled_waves(waves, np.ones(8), np.full(8, 0.99)).amplitudes, waves.amplitudes)
    last = leverage.resampled_waves(waves, [1.0] + 7 * [1e-300], [np.nextafter(1, 0)])
    assert last.frequencies.shape == (1, 1)


def test_weights_are_copies():
    w = np.random.default_rng(3).integers(0, 3, 300)
    for scores in WAYS:
        weighted = scored(alpha=2.0, scores=scores).fit(X, y, sample_weight=w)
        repeated = scored(alpha=2.0, scores=scores).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
        assert np.allclose(weighted.scores_, repeated.scores_, rtol=1e-6)
        assert np.array_equal(weighted.chosen_, repeated.chosen_)
        assert not np.allclose(weighted.scores_, scored(alpha=2.0, scores=scores).fit(X, y).scores_, rtol=1e-6)


def test_fewer_features_are_enough():
    """A narrow kernel on the line: leverage reaches half of the ridge in all directions with fewer waves."""
    x = np.random.default_rng(1).uniform(-3, 3, (200, 1))
    K, kernel = Gaussian(0.3)(x), Gaussian(0.3)
    least = {}
    for name, make in (("plain", rfbook.RandomFourierFeatures), ("leverage", LeverageScoreFeatures)):
        given = {"n_candidates": 400, "alpha": 0.01} if name == "leverage" else {}
        least[name] = np.median([bounds.relative_eigenvalues(K, make(kernel, n_components=120, random_state=s, **given)
                                                             .fit(x).approximate_kernel(x), 0.01)[0] for s in range(9)])
    assert least["leverage"] > 2 * least["plain"]


# ---- scikit-learn --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scores", WAYS)
def test_scikit_learns_checks_pass_without_exception(scores):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(LeverageScoreFeatures(n_components=6, length_scale=1.0, scores=scores), on_fail=None)
    assert len(results) > 30
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] not in {"passed", "skipped"}] == []
    assert sum(r["status"] == "skipped" for r in results) <= 2


def test_in_machines_pipelines_and_searches():
    wine, label = load_wine(return_X_y=True)
    for scores in WAYS:
        map_ = LeverageScoreFeatures(n_components=60, scores=scores, random_state=0)
        classifier = make_pipeline(StandardScaler(), RandomFeatureClassifier(map_))
        assert classifier.fit(wine, np.array(["a", "b", "c"])[label]).score(wine, np.array(["a", "b", "c"])[label]) > .9
    search = GridSearchCV(RandomFeatureRegressor(scored()), {"features__scores": ["pool", "surrogate"]}, cv=3).fit(X, y)
    assert search.best_estimator_.predict(X).shape == (300,)
    alone = make_pipeline(StandardScaler(), scored()).fit(X).transform(X)
    assert alone.shape == (300, 20)


def test_clone_pickle_and_names():
    fitted = scored().fit(X)
    assert np.array_equal(pickle.loads(pickle.dumps(fitted)).transform(X), fitted.transform(X))
    assert np.array_equal(clone(fitted).fit_transform(X), fitted.transform(X))
    assert list(fitted.get_feature_names_out())[-1] == "leveragescorefeatures19"


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix, sparse.csr_array])
@pytest.mark.parametrize("scores", WAYS)
def test_float32_and_sparse_rows(make, scores):
    want = scored(alpha=1.0, scores=scores).fit(X, y)
    for dtype, tolerance in ((np.float64, 1e-9), (np.float32, 1e-3)):
        found = scored(alpha=1.0, scores=scores).fit(make(X.astype(dtype)), y)
        assert found.random_weights_.dtype == found.transform(make(X.astype(dtype))).dtype == dtype
        assert np.allclose(found.scores_, want.scores_, rtol=tolerance)


@pytest.mark.parametrize("scores", WAYS)
def test_bits_do_not_depend_on_the_number_of_threads(scores, monkeypatch):
    many = np.random.default_rng(4).standard_normal((5000, 3))
    want = scored(scores=scores).fit(many, many[:, 0])
    for threads in (1, 2, 5):
        monkeypatch.setattr(rfbook._parallel, "count_threads", lambda n_jobs, default, threads=threads: threads)
        again = scored(scores=scores).fit(many, many[:, 0])
        assert np.array_equal(again.scores_, want.scores_) and np.array_equal(again.chosen_, want.chosen_)


# ---- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("parameters", "sentence"), [
    ({"n_candidates": 9}, "n_candidates is 9; it may be an integer that is at least 10"),
    ({"n_candidates": 20.0}, "n_candidates is 20.0"),
    ({"alpha": 0.0}, "alpha is 0.0; it may be a finite number above 0"),
    ({"alpha": -1.0}, "alpha is -1.0"),
    ({"alpha": "gcv"}, "alpha is 'gcv'"),
    ({"alpha": None}, "alpha is None"),
    ({"scores": "bless"}, "scores is 'bless'"),
    ({"scores": None}, "scores is None"),
    ({"kernel": "gausian"}, "did you mean 'gaussian'"),
    ({"n_components": 0}, "n_components is 0"),
    ({"n_jobs": 0}, "n_jobs is 0"),
    ({"random_state": "x"}, "random_state is 'x'"),
])
def test_a_wrong_parameter_is_one_sentence(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        scored(**parameters).fit(X, y)


def test_wrong_data():
    for bad, sentence in ((np.full(300, np.nan), "NaN"), (y[:3], "inconsistent"), (None, "requires y")):
        with pytest.raises(ValueError, match=sentence):
            scored(scores="surrogate").fit(X, bad)
    with pytest.raises(ValueError, match="at least one weight must be positive"):
        scored().fit(X, y, sample_weight=np.zeros(300))
    with pytest.raises(ValueError, match="NaN"):
        scored().fit(np.full((3, 2), np.nan))
    scored().fit(X)  # needs no targets


def test_a_constant_target_is_nothing_to_score_by():
    with pytest.warns(UserWarning, match="y is constant"):
        still = scored(scores="surrogate").fit(X, np.ones(300))
    assert (still.scores_ == 1).all()


def test_the_last_draw_does_not_depend_on_how_much_the_ladder_takes(monkeypatch):
    plain, climbed = scored(scores="coarse").fit(X, y), leverage_map._Scorer.climbed

    def wasteful(*args):
        found = climbed(*args)
        args[-1].random(1000)
        return found

    monkeypatch.setattr(leverage_map._Scorer, "climbed", wasteful)
    again = scored(scores="coarse").fit(X, y)
    assert np.array_equal(again.scores_, plain.scores_) and np.array_equal(again.chosen_, plain.chosen_)
