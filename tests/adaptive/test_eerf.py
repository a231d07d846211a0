"""Features that are chosen: the algorithm against plain NumPy, pools of all kinds, scikit-learn's rules, bad input."""

import pickle
import tracemalloc
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.kernel_approximation import RBFSampler
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import rfbook._parallel
from rfbook import (
    EERF,
    LKRF,
    ArcCosineFeatures,
    CoordinateFeatures,
    GaussianProductFeatures,
    MetropolisFourierFeatures,
    RandomBinningFeatures,
    RandomFeatureClassifier,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    RandomMaclaurinFeatures,
)
from rfbook._validation import streams
from rfbook.adaptive import eerf
from rfbook.adaptive import pools as _pools
from rfbook.maps.base import RandomFeatureMap
from rfbook.maps.scales import neighbour_distance

rng = np.random.default_rng(0)
X = rng.standard_normal((400, 3))
y = np.sin(3 * X[:, 0]) + 0.1 * rng.standard_normal(400)

POOLS = {
    "paired": RandomFourierFeatures(length_scale=1.0),
    "offset": RandomFourierFeatures("matern32", length_scale=1.0, phase="offset"),
    "structured": RandomFourierFeatures(length_scale=1.0, sampling="structured"),
    "rectifiers": ArcCosineFeatures(order=1),
    "steps": ArcCosineFeatures(order=0, sampling="iid"),
    "products": GaussianProductFeatures(),
    "signs": RandomMaclaurinFeatures(),
    "coordinates": CoordinateFeatures(),
}


def chosen(features=POOLS["paired"], **parameters):
    return EERF(features, **{"n_components": 20, "n_candidates": 200, "random_state": 0, **parameters})


def reference(features, X, Y, weights=None, seed=0, pool=200):
    """Scores in NumPy: the whole pool, transformed by the plain map with the same seed and divided by its heights."""
    plain = clone(features).set_params(n_components=pool, random_state=seed).fit(X)
    Z, draws = plain.transform(X), plain.draws_
    w = np.full(len(X), 1 / len(X)) if weights is None else weights / weights.sum()
    Y = np.asarray(Y, dtype=float).reshape(len(X), -1)
    Y = Y - w @ Y
    Y = Y / np.sqrt(w @ Y**2)
    S = (w[:, None] * Y).T @ Z
    heights = np.broadcast_to(draws.amplitudes, len(draws))
    return np.sqrt((S**2).sum(0)[draws.columns].sum(1)) / heights, plain


# ---- the algorithm -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [EERF, LKRF])
def test_a_width_is_rounded_up_to_whole_draws(kind):
    for phase, widths in (("paired", (2, 2, 4, 6)), ("offset", (1, 2, 3, 5))):
        for asked, made in zip((1, 2, 3, 5), widths, strict=True):
            map_ = kind(RandomFourierFeatures(phase=phase), n_components=asked, n_candidates=20, random_state=0)
            assert map_.fit(X[:50], y[:50]).transform(X[:2]).shape == (2, made) == (2, map_.n_components_)



@pytest.mark.parametrize("name", POOLS)
@pytest.mark.parametrize("targets", [1, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_scores_and_choice_are_those_of_numpy(name, targets, weighted):
    features = POOLS[name]
    pool = 3 if name == "coordinates" else 200
    Y = np.column_stack([y, 100 * np.cos(X[:, 1])])[:, :targets]
    w = np.random.default_rng(1).uniform(0, 2, 400) if weighted else None
    ours = chosen(features, n_candidates=pool, n_components=2 if pool == 3 else 20)
    ours.fit(X, Y if targets > 1 else y, sample_weight=w)
    want, plain = reference(features, X, Y, w, pool=pool)
    assert np.allclose(ours.scores_, want, atol=1e-12)
    rank = np.argsort(-ours.scores_, kind="stable")  # of structured frequencies in three dimensions some are equal
    assert np.array_equal(ours.order_, rank[_pools.first_of_kind(plain.draws_)[rank]])
    assert len(ours.order_) == len(rank) or name in ("structured", "signs")
    kept = plain.draws_.take(ours.order_[: len(ours.draws_)])
    again = plain._features(X, kept.weighted(np.sqrt(len(plain.draws_) / len(kept))))
    assert np.allclose(ours.transform(X), again, atol=1e-12)
    assert ours.n_components_ >= ours.n_components and np.allclose(ours.features_.transform(X), ours.transform(X))


def test_as_many_components_as_candidates_are_the_whole_pool():
    for features in (POOLS["paired"], POOLS["offset"], POOLS["rectifiers"]):
        ours = chosen(features, n_components=200).fit(X, y)
        plain = clone(features).set_params(n_components=200, random_state=0).fit(X)
        assert np.allclose(ours.approximate_kernel(X[:20]), plain.approximate_kernel(X[:20]))


def test_what_is_kept_is_nested_and_stable():
    few, many = chosen(n_components=10).fit(X, y), chosen(n_components=40).fit(X, y)
    assert np.array_equal(few.draws_.frequencies, many.draws_.frequencies[:5])
    assert np.array_equal(few.order_, many.order_) and np.array_equal(few.scores_, many.scores_)
    assert eerf.ranked([2.0, 1.0, 2.0, 2.0]).tolist() == [0, 2, 3, 1]
    even = chosen(CoordinateFeatures(), n_components=2, n_candidates=4).fit(np.tile(X[:, :1], 4), y)
    assert np.ptp(even.scores_) == 0 and even.order_.tolist() == [0, 1, 2, 3]


def test_a_draw_that_the_pool_holds_twice_is_one_candidate():
    ours = chosen(CoordinateFeatures(replace=True), n_components=3, n_candidates=30).fit(X, y)
    assert sorted(ours.features_.coordinates_) == [0, 1, 2] and len(ours.order_) == 3 and len(ours.scores_) == 30
    with pytest.raises(ValueError, match="n_components is 4, and the pool holds 3 different features"):
        chosen(CoordinateFeatures(), n_components=4, n_candidates=30).fit(X, y)


def test_copies_are_found_whatever_the_sign_of_zero():
    draws = RandomFourierFeatures(length_scale=1.0, n_components=8, random_state=0).fit(X).draws_
    two = draws.frequencies[:2]
    twice = draws.replaced(frequencies=np.vstack([two * [1, 1, 0], two * [1, 1, -0.0]]))
    assert _pools.first_of_kind(twice).tolist() == [True, True, False, False]


def test_the_default_pool_is_the_paper_s():
    ours = EERF(n_components=8, random_state=0).fit(X, y)
    want = neighbour_distance(X, streams(0, 4)[2])
    assert ours.features_.kernel_.length_scale == want and len(ours.candidates_) == 40


def test_it_finds_the_one_frequency_that_matters():
    U = np.random.default_rng(1).uniform(-3, 3, (500, 2))
    target = np.sin(4 * U[:, 0])
    law = RandomFourierFeatures(length_scale=0.5)
    ours = RandomFeatureRegressor(EERF(law, n_components=40, n_candidates=4000, random_state=0), alpha=1e-3)
    assert ours.fit(U[:350], target[:350]).score(U[350:], target[350:]) > 0.9
    drawn = RandomFeatureRegressor(clone(law).set_params(n_components=40, random_state=0), alpha=1e-3)
    assert drawn.fit(U[:350], target[:350]).score(U[350:], target[350:]) < 0.6


def test_the_means_in_the_way_of_the_paper():
    shifted = chosen(POOLS["offset"], centered=False).fit(X, y + 5)
    plain = clone(POOLS["offset"]).set_params(n_components=200, random_state=0).fit(X)
    Z = plain.transform(X) / plain.draws_.amplitudes
    want = np.abs((y + 5) @ Z) / 400 / np.sqrt(np.mean((y + 5) ** 2))
    assert np.allclose(shifted.scores_, want) and not np.allclose(chosen(POOLS["offset"]).fit(X, y + 5).scores_, want)


def test_weights_are_copies():
    w = np.random.default_rng(3).integers(0, 3, 400)
    weighted = chosen().fit(X, y, sample_weight=w)
    repeated = chosen().fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    assert np.allclose(weighted.scores_, repeated.scores_) and np.array_equal(weighted.order_, repeated.order_)
    assert not np.allclose(weighted.scores_, chosen().fit(X, y).scores_)


# ---- subsamples ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("subsample", "rows"), [(100, 100), (0.25, 100), (np.int64(7), 7), (1.0, 400), (10**9, 400)])
def test_scores_of_a_subsample_are_those_of_its_rows(subsample, rows):
    ours = chosen(subsample=subsample).fit(X, y)
    taken = _pools.some_rows(subsample, 400, None, streams(0, 4)[3])
    taken = np.arange(400) if taken is None else taken
    assert len(taken) == rows and len(set(taken)) == rows
    alone = chosen(RandomFourierFeatures(length_scale=1.0, random_state=0)).fit(X[taken], y[taken])
    assert np.allclose(ours.scores_, alone.scores_)


def test_rows_without_weight_are_in_no_subsample():
    w = np.zeros(400)
    w[:50] = 1
    ours = chosen(subsample=50).fit(X, y, sample_weight=w)
    assert np.allclose(ours.scores_, chosen().fit(X[:50], y[:50]).scores_)


# ---- scikit-learn --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("features", [POOLS["paired"], ArcCosineFeatures()], ids=["waves", "rectifiers"])
def test_scikit_learns_checks_pass_without_exception(features):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(EERF(features, n_components=6, n_candidates=30), on_fail=None)
    assert len(results) > 30
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] not in {"passed", "skipped"}] == []
    assert sum(r["status"] == "skipped" for r in results) <= 2


def test_in_machines_pipelines_and_searches():
    wine, label = load_wine(return_X_y=True)
    classifier = make_pipeline(StandardScaler(), RandomFeatureClassifier(EERF(n_components=40, random_state=0)))
    names = np.array(["barolo", "grignolino", "barbera"])[label]
    assert classifier.fit(wine, names).score(wine, names) > 0.95
    search = GridSearchCV(RandomFeatureRegressor(chosen()), {"features__features__length_scale": [0.5, 2.0],
                                                             "features__n_components": [4, 10]}, cv=3).fit(X, y)
    assert search.best_estimator_.predict(X).shape == (400,)
    two = RandomFeatureRegressor(chosen()).fit(X, np.c_[y, -y], sample_weight=np.linspace(0.5, 2, 400))
    assert two.predict(X).shape == (400, 2)


def test_clone_pickle_and_names():
    fitted = clone(chosen()).fit(X, y)
    assert np.array_equal(pickle.loads(pickle.dumps(fitted)).transform(X), fitted.transform(X))
    assert np.array_equal(clone(chosen()).fit_transform(X, y), fitted.transform(X))
    assert list(fitted.get_feature_names_out())[-1] == "eerf19"
    assert fitted.features is POOLS["paired"] or fitted.features.random_state is None
    assert not hasattr(POOLS["paired"], "draws_")  # the map that was given is left alone


def test_a_pool_with_a_seed_of_its_own():
    seeded = RandomFourierFeatures(length_scale=1.0, random_state=5)
    one, two = (chosen(seeded, random_state=seed).fit(X, y) for seed in (0, 1))
    assert np.array_equal(one.candidates_.frequencies, two.candidates_.frequencies)


def test_labels_of_all_kinds_lead_to_the_same_choice():
    t = np.digitize(X[:, 0], [-0.5, 0.5])
    ints = chosen().fit(X, t).order_
    words = np.array(["a", "b", "c"])
    for labels in (words[t], words[t].astype(object), t.astype(np.int8)):
        assert np.array_equal(chosen().fit(X, labels).order_, ints)
    assert not np.array_equal(chosen(target="numbers").fit(X, t).order_, ints)
    two = chosen().fit(X, words[(t > 0).astype(int)]).scores_
    assert np.allclose(two, chosen(target="numbers").fit(X, t > 0).scores_)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix, sparse.csr_array])
def test_float32_and_sparse_rows(make):
    want = chosen().fit(X, y)
    for dtype, tolerance in ((np.float64, 1e-12), (np.float32, 1e-5)):
        found = chosen().fit(make(X.astype(dtype)), y)
        assert found.draws_.frequencies.dtype == found.transform(make(X.astype(dtype))).dtype == dtype
        assert np.allclose(found.scores_, want.scores_, atol=tolerance)


def test_bits_do_not_depend_on_the_number_of_threads(monkeypatch):
    many = np.random.default_rng(4).standard_normal((20_000, 3))
    target = np.sin(2 * many[:, 0])
    made = chosen(n_candidates=3000)
    want = made.fit(many, target).scores_
    for threads in (1, 2, 5):
        monkeypatch.setattr(rfbook._parallel, "count_threads", lambda n_jobs, default, threads=threads: threads)
        assert np.array_equal(clone(made).fit(many, target).scores_, want)


def test_the_matrix_of_features_never_exists():
    many = np.random.default_rng(5).standard_normal((20_000, 2)).astype(np.float32)
    made = EERF(RandomFourierFeatures(length_scale=1.0), n_components=64, n_candidates=4000, n_jobs=1)
    made.fit(many[:500], many[:500, 0])
    tracemalloc.start()
    made.fit(many, many[:, 0])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000 * 4000 * 4 / 20


# ---- bad input -----------------------------------------------------------------------------------------------------


class Bare(RandomFeatureMap):
    """A map whose draws have no verbs."""

    def __init__(self, n_components=3, random_state=None):
        self.n_components, self.random_state = n_components, random_state

    def _draw(self, X, rng):
        return object()


@pytest.mark.parametrize(("parameters", "sentence"), [
    ({"n_components": 0}, "n_components is 0"),
    ({"n_components": 2.5}, "n_components is 2.5"),
    ({"n_components": 201}, "n_components is 201 and n_candidates is 200"),
    ({"n_candidates": 0}, "n_candidates is 0"),
    ({"n_candidates": "many"}, "n_candidates is 'many'"),
    ({"subsample": 0}, "subsample is 0"),
    ({"subsample": 1.5}, "subsample is 1.5; it may be None, a number of rows or a share"),
    ({"subsample": -0.1}, "subsample is -0.1"),
    ({"subsample": "half"}, "subsample is 'half'"),
    ({"target": "labels"}, "target is 'labels'"),
    ({"centered": 1}, "centered is 1"),
    ({"n_jobs": 0}, "n_jobs is 0"),
    ({"random_state": "x"}, "random_state is 'x'"),
    ({"features": "gaussian"}, "features is 'gaussian'; it may be None or a map of this library"),
    ({"features": RandomFourierFeatures}, "features is <class"),
    ({"features": RBFSampler()}, "features is RBFSampler"),
    ({"features": MetropolisFourierFeatures()}, "features is MetropolisFourierFeatures.*looks at the data itself"),
    ({"features": EERF()}, "looks at the data itself"),
    ({"features": RandomBinningFeatures()}, "features is RandomBinningFeatures.*no parameter|width is not a parameter"),
    ({"features": Bare()}, "features is Bare.*have no 'take'"),
    ({"features": RandomFourierFeatures(length_scale=-1.0)}, "length_scale"),
])
def test_a_wrong_parameter_is_one_sentence(parameters, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        chosen(**parameters).fit(X, y)
    assert "\n" not in str(caught.value)


def test_wrong_data():
    for bad, sentence in ((np.full(400, np.nan), "NaN"), (y * np.inf, "NaN|infinity"), (y[:3], "inconsistent"),
                          (None, "requires y")):
        with pytest.raises(ValueError, match=sentence), np.errstate(invalid="ignore"):
            chosen().fit(X, bad)
    with pytest.raises(ValueError, match="at least one weight must be positive"):
        chosen().fit(X, y, sample_weight=np.zeros(400))


@pytest.mark.parametrize("constant", [np.full(400, 2.5), np.full(400, 3), np.full(400, "a"), np.full((400, 2), 1e300)])
def test_a_constant_target_is_refused(constant):
    with pytest.raises(ValueError, match="^y is constant, or holds one class only; it may not be"):
        chosen().fit(X, constant)
    rare = np.zeros(400)
    rare[17] = 1.0
    with pytest.raises(ValueError, match="on the 2 rows of the subsample"):
        chosen(subsample=2, random_state=1).fit(X, rare)


def test_constant_columns_of_targets_are_left_out():
    assert np.allclose(chosen().fit(X, y).scores_, chosen().fit(X, np.c_[y, np.ones(400)]).scores_, atol=1e-12)


@pytest.mark.parametrize("factor", [1e-300, 1e300])
def test_the_size_of_targets_does_not_matter(factor):
    assert np.allclose(chosen().fit(X, y * factor).scores_, chosen().fit(X, y).scores_)


def test_a_fit_that_fails_leaves_no_map():
    made = chosen().fit(X, y)
    with pytest.raises(ValueError, match="constant"):
        made.fit(X, np.ones(400))
    with pytest.raises(ValueError, match="not fitted"):
        made.transform(X)


def test_a_subsample_keeps_its_weights():
    w = np.random.default_rng(5).uniform(0.2, 3.0, 400)
    ours = chosen(subsample=100).fit(X, y, sample_weight=w)
    taken = _pools.some_rows(100, 400, w, streams(0, 4)[3])
    alone = chosen(RandomFourierFeatures(length_scale=1.0, random_state=0))
    alone.fit(X[taken], y[taken], sample_weight=w[taken])
    assert np.allclose(ours.scores_, alone.scores_)


@pytest.mark.parametrize("phase", ["paired", "offset"])
def test_sums_of_one_target_know_the_amplitude_of_each_wave(phase):
    rff = RandomFourierFeatures(n_components=12, length_scale=1.0, phase=phase, random_state=0).fit(X)
    draws = rff.draws_.weighted(np.arange(1.0, len(rff.draws_) + 1))
    found = rff._summer(X, draws, 1)()(slice(0, 400), y[None])
    assert np.allclose(found[0], y @ rff._features(X, draws), rtol=1e-9)
