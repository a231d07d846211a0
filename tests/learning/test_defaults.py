"""What machines do when nobody says anything about scales, and what can be said."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_digits, load_wine
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PowerTransformer, StandardScaler

from rfbook import Gaussian, RandomFeatureClassifier, RandomFeatureRegressor, RandomFourierFeatures
from rfbook.machines.scales import choose_scale

SMALL = {"n_components": 100, "random_state": 0}


def raw(n=400, seed=0):
    """A signal in columns of two units, one of them skewed, beside noise in a unit a million times as large."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.standard_normal(n), np.exp(2 * rng.standard_normal(n)), 1e6 * rng.standard_normal(n)])
    return X, np.sin(X[:, 0]) + np.log(X[:, 1]) + 0.1 * rng.standard_normal(n)


def test_raw_columns_are_no_trouble():
    (X, y), (X_new, y_new) = raw(), raw(seed=1)
    machine = RandomFeatureRegressor(**SMALL).fit(X, y)
    assert machine.score(X_new, y_new) > 0.9 and machine.scaling_ == "power" and machine.length_scale_ > 0
    with pytest.warns(UserWarning, match="nothing in common"):
        blind = RandomFeatureRegressor(length_scale=1.0, scaling=None, **SMALL)
        blind.fit(X, y)
    assert blind.score(X_new, y_new) < 0.1 and blind.scaling_ is None and blind.length_scale_ == 1.0


def test_what_was_chosen_is_said():
    X, y = raw()
    machine = RandomFeatureRegressor(**SMALL)
    assert repr(machine) == "RandomFeatureRegressor(n_components=100, random_state=0)"
    said = repr(machine.fit(X, y))
    for name in ("scaling_='power'", f"length_scale_={machine.length_scale_:.3g}", f"alpha_={machine.alpha_:.3g}"):
        assert name in said
    assert "scaling_" not in repr(clone(machine))
    several = RandomFeatureRegressor(**SMALL).fit(X, np.c_[y, y, y, y, y])
    assert "..." in repr(several) and several.alpha_.shape == (5,)


def test_it_is_the_machine_that_it_says():
    X, y = raw()
    machine = RandomFeatureRegressor(**SMALL).fit(X, y)
    scaler = PowerTransformer().fit(X)
    np.testing.assert_allclose(machine.scaler_.lambdas_, scaler.lambdas_, atol=1e-2)
    scaler = machine.scaler_
    rff = RandomFourierFeatures(length_scale=machine.length_scale_, **SMALL).fit(scaler.transform(X))
    Z = rff.transform(scaler.transform(X))
    np.testing.assert_allclose(machine.predict(X), Ridge(alpha=machine.alpha_).fit(Z, y).predict(Z), rtol=1e-6)
    again = pickle.loads(pickle.dumps(machine))
    np.testing.assert_array_equal(again.predict(X), machine.predict(X))
    np.testing.assert_array_equal(clone(machine).fit(X, y).predict(X), machine.predict(X))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kernel", ["gaussian", "laplacian", "matern32"])
def test_kernels_and_dtypes(kernel, dtype):
    X, y = raw()
    machine = RandomFeatureRegressor(kernel=kernel, **SMALL).fit(X.astype(dtype), y)
    assert machine.features_.random_weights_.dtype == dtype and machine.score(X.astype(dtype), y) > 0.8


def test_what_turns_the_search_off(monkeypatch):
    X, y = raw()
    monkeypatch.setattr("rfbook.machines.scales.choose_scale", None)  # to call it would be an error
    median = RandomFeatureRegressor(length_scale="median", **SMALL).fit(X, y)
    assert median.scaling_ == "standard" and isinstance(median.scaler_, StandardScaler)
    assert 1.5 < median.length_scale_ < 3.0  # about sqrt(2 d)
    for length_scale in (2e6, [1.0, 1.0, 1e7]):
        given = RandomFeatureRegressor(length_scale=length_scale, **SMALL).fit(X, y)
        assert given.scaling_ is None and given.scaler_ is None
        np.testing.assert_array_equal(given.length_scale_, length_scale)
    assert RandomFeatureRegressor(length_scale=2.0, scaling="power", **SMALL).fit(X, y).scaling_ == "power"
    kernel = RandomFeatureRegressor(kernel=Gaussian(length_scale=2e6), **SMALL).fit(X, y)
    assert kernel.scaling_ is None and kernel.length_scale_ == 2e6
    features = RandomFeatureRegressor(RandomFourierFeatures(n_components=20), scaling="standard").fit(X, y)
    assert features.scaling_ == "standard" and features.length_scale_ is None


def test_a_scaling_alone_is_searched_with_all_length_scales():
    X, y = raw()
    for scaling in ("standard", "power", None):
        machine = RandomFeatureRegressor(scaling=scaling, **SMALL).fit(X, y)
        assert machine.scaling_ == scaling


def test_names_work_in_searches():
    X, y = load_wine(return_X_y=True)
    grid = {"m__n_components": [32, 64], "m__length_scale": ["median", 3.0], "m__kernel": ["gaussian", "laplacian"]}
    search = GridSearchCV(make_pipeline(StandardScaler(), RandomFeatureClassifier(random_state=0)),
                          {name.replace("m__", "randomfeatureclassifier__"): v for name, v in grid.items()}, cv=3)
    assert search.fit(X, y).best_score_ > 0.95
    assert RandomFeatureRegressor().set_params(n_components=7).fit(X, y).features_.n_components_ == 8


def test_sparse_rows_and_few_rows():
    X, y = load_digits(return_X_y=True)
    thin = RandomFeatureClassifier(**SMALL).fit(sparse.csr_array(X[:500]), y[:500])
    assert thin.scaling_ in (None, "standard") and thin.score(sparse.csr_array(X[500:]), y[500:]) > 0.8
    with pytest.raises(ValueError, match="scaling is 'power' with sparse X"):
        RandomFeatureClassifier(scaling="power", **SMALL).fit(sparse.csr_array(X), y)
    X, y = raw(5)
    for n in (1, 2, 5):
        assert np.isfinite(RandomFeatureRegressor(**SMALL).fit(X[:n], y[:n]).predict(X)).all()


def test_weights_count_in_the_search():
    X, y = raw()
    wrong = np.r_[y, np.random.default_rng(5).permutation(y)]
    w = np.r_[np.ones(400), np.zeros(400)]
    weighted = RandomFeatureRegressor(**SMALL).fit(np.r_[X, X], wrong, sample_weight=w)
    assert weighted.score(X, y) > 0.9
    choice = choose_scale(X, y[:, None], w[:400], "gaussian", 50, ("power",), np.random.default_rng(0))
    assert choice.scaling == "power" and all(0 < score <= 1.5 for score in choice.search["score"])


@pytest.mark.parametrize(("speed", "multiples"), [(0.3, [1, 2, 4]), (12.0, [0.25, 0.5, 1, 2])])
def test_the_search_goes_on_in_the_direction_that_helped(speed, multiples):
    X = np.random.default_rng(0).uniform(-1, 1, (300, 1))
    choice = choose_scale(X, np.sin(speed * X), None, "gaussian", 100, (None,), np.random.default_rng(0))
    tried = choice.search["length_scale"]
    assert set(multiples) <= {float(v) for v in (tried / tried[0]).round(9)}


def test_the_search_ends_half_a_step_around_the_best():
    X = np.random.default_rng(0).uniform(-1, 1, (300, 2))
    choice = choose_scale(X, np.sin(6.0 * X), None, "gaussian", 100, (None,), np.random.default_rng(0))
    multiples, scores = (choice.search[name] for name in ("multiple", "score"))
    whole = np.log2(multiples) % 1 == 0
    best = multiples[whole][scores[whole].argmin()]
    assert best < 1 and not whole[-2:].any()
    np.testing.assert_allclose(multiples[-2:] / best, [0.5**0.5, 2**0.5])
    chosen, least = choice.search["weight"].argmax(), scores.argmin()
    assert scores[chosen] - scores[least] <= 0.5 * choice.search["standard_error"][chosen]


def test_luck_decides_nothing():
    """Of those within half a standard error the plainest, and the largest ridge; criteria by name take the least."""
    X = np.random.default_rng(0).standard_normal((300, 4))
    for seed in range(8):
        y = np.random.default_rng(seed).standard_normal(300)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            careful = RandomFeatureRegressor(**SMALL).fit(X, y)
            least = RandomFeatureRegressor(**SMALL, alpha="loo", scaling=careful.scaling_,
                                           length_scale=careful.length_scale_).fit(X, y)
        search = careful.search_
        near = search["score"] - search["score"].min() <= 0.4 * search["standard_error"]
        plain = np.flatnonzero(near & (search["multiple"] == 1) & (np.array(search["scaling"]) == "standard"))
        assert not len(plain) or search["weight"][plain[0]] == 1
        assert careful.alpha_ >= least.alpha_
        scores = least.alpha_scores_
        assert scores[least.alphas_ == least.alpha_] <= 1.0001 * scores.min()


def test_several_candidates_are_averaged():
    X, y = raw()
    for kind, target in ((RandomFeatureRegressor, y), (RandomFeatureClassifier, y > np.median(y))):
        machine = kind(kernel="auto", n_candidates=4, **SMALL).fit(X, target)
        kept = np.flatnonzero(machine.search_["weight"])
        assert 1 <= len(kept) <= 4 and machine.search_["weight"].sum() == pytest.approx(1)
        assert machine.n_components_ == len(kept) * kind(**SMALL).fit(X, target).n_components_
        assert set(machine.search_["kernel"]) == {"gaussian", "matern32", "laplacian"}
        again = pickle.loads(pickle.dumps(machine))
        np.testing.assert_array_equal(again.predict(X), machine.predict(X))
        assert machine.score(X, target) > 0.9
        with pytest.raises(AttributeError, match="n_candidates is 4"):
            machine.partial_fit(X, target)
    thin = RandomFeatureRegressor(n_candidates=2, **SMALL).fit(sparse.csr_array(X), y)
    assert np.isfinite(thin.predict(sparse.csr_array(X))).all()


def test_kernels_that_a_sampling_cannot_draw_are_left_out():
    X, y = raw()
    machine = RandomFeatureRegressor(kernel="auto", sampling="structured", **SMALL).fit(X, y)
    assert "laplacian" not in machine.search_["kernel"]
    with pytest.raises(ValueError, match="kernel is 'auto', which is searched for together with length_scale='auto'"):
        RandomFeatureRegressor(kernel="auto", length_scale=1.0).fit(X, y)


def test_predictions_stay_near_the_targets():
    rng = np.random.default_rng(0)
    X, far = rng.uniform(-1, 1, (200, 2)), 20 * rng.standard_normal((500, 2))
    Y = np.c_[np.exp(3 * X[:, 0]), X[:, 1]]
    free = RandomFeatureRegressor(bounded=False, alpha=1e-6, length_scale=1.0, **SMALL).fit(X, Y)
    held = clone(free).set_params(bounded=True).fit(X, Y)
    span = np.ptp(Y, axis=0)
    np.testing.assert_allclose(held.bounds_, [Y.min(0) - span / 10, Y.max(0) + span / 10])
    np.testing.assert_array_equal(held.predict(far), np.clip(free.predict(far), *held.bounds_))
    assert free.bounds_ is None and (np.abs(free.predict(far)).max(0) > 2 * np.abs(Y).max(0)).all()
    parts = clone(held).partial_fit(X[:100], Y[:100]).partial_fit(X[100:], Y[100:])
    np.testing.assert_allclose(parts.predict(far).max(0), held.bounds_[1])
    np.testing.assert_allclose(parts.bounds_, held.bounds_)
    weighted = clone(held).fit(X, Y, np.where(X[:, 0] > 0, 0.0, 1.0))
    assert weighted.bounds_[1, 0] < 1.2 < held.bounds_[1, 0]
    with pytest.raises(ValueError, match="bounded"):
        RandomFeatureRegressor(bounded="yes").fit(X, Y)


def test_a_column_that_overflows_costs_no_other():
    X, y = raw()
    X[0, 0] = 1e308
    X[1, 0] = -1e308
    machine = RandomFeatureRegressor(**SMALL).fit(X, y)
    assert np.isfinite(machine.predict(X)).all() and machine.score(X[2:], y[2:]) > 0.4  # the other signal is left


def test_one_ridge_for_each_target():
    X, y = load_diabetes(return_X_y=True)
    rff, Y = RandomFourierFeatures(length_scale=0.5, **SMALL), np.c_[y, y**2]
    ours = RandomFeatureRegressor(rff, alpha=[0.1, 10.0]).fit(X, Y)
    Z = rff.fit(X).transform(X)
    np.testing.assert_allclose(ours.predict(X), Ridge(alpha=[0.1, 10.0]).fit(Z, Y).predict(Z), rtol=1e-7)
    assert ours.alpha_.tolist() == [0.1, 10.0]


def test_class_weights():
    X, y = load_wine(return_X_y=True)
    X, rff = StandardScaler().fit_transform(X), RandomFourierFeatures(length_scale=4.0, **SMALL)
    for y_, weights in ((y, "balanced"), (y, {0: 1.0, 1: 5.0, 2: 0.5}), (y > 0, "balanced")):
        ours = RandomFeatureClassifier(rff, alpha=1.0, class_weight=weights).fit(X, y_)
        Z = rff.fit(X).transform(X)
        theirs = RidgeClassifier(alpha=1.0, class_weight=weights).fit(Z, y_)
        np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(Z), rtol=1e-6, atol=1e-8)
    both = RandomFeatureClassifier(rff, alpha=1.0, class_weight={0: 2.0, 1: 1.0, 2: 1.0}).fit(X, y, np.full(178, 3.0))
    want = RandomFeatureClassifier(rff, alpha=1.0).fit(X, y, np.where(y == 0, 6.0, 3.0))
    np.testing.assert_array_equal(both.feature_coef_, want.feature_coef_)
    for wrong, words in (("heavy", "class_weight is 'heavy'"), ({0: -1.0, 1: 1.0, 2: 1.0}, "class_weight is -1")):
        with pytest.raises(ValueError, match=words):
            RandomFeatureClassifier(rff, alpha=1.0, class_weight=wrong).fit(X, y)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_rows_with_several_labels(kind):
    X, y = load_wine(return_X_y=True)
    labels = np.c_[y == 0, y > 0, y == 1].astype(int)
    machine = RandomFeatureClassifier(**SMALL).fit(X, kind(labels))
    predicted = machine.predict(X)
    assert predicted.shape == labels.shape and set(np.unique(predicted)) == {0, 1}
    assert (predicted == labels).mean() > 0.95 and machine.score(X, labels) > 0.9
    assert machine.decision_function(X).shape == (178, 3) and machine.classes_.tolist() == [0, 1, 2]


def test_features_that_say_nothing_of_y():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((300, 4)), rng.standard_normal(300)
    with pytest.warns(UserWarning, match="less than 1 % of the variance"):
        RandomFeatureRegressor(**SMALL).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RandomFeatureRegressor(**SMALL).fit(X, X[:, 0] + y)
        RandomFeatureRegressor(alpha=1e9, **SMALL).fit(X, X[:, 0])  # who gives a ridge is not told


def test_kernels_that_see_nothing_say_so():
    X = np.random.default_rng(0).standard_normal((200, 5))
    for scale, words in ((0.05, "nothing in common"), (500.0, "alike")):
        with pytest.warns(UserWarning, match=words):
            RandomFourierFeatures(length_scale=scale, random_state=0).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RandomFourierFeatures(random_state=0).fit(X)
        RandomFourierFeatures(random_state=0).fit(np.zeros((200, 5)))  # equal rows are no matter of scale
        RandomFourierFeatures(length_scale=500.0).fit(X[:5])


def test_what_was_chosen_is_said_none_too():
    X = np.random.default_rng(0).uniform(-3, 3, (200, 2))
    told = repr(RandomFeatureRegressor(n_components=20, length_scale=2.0, random_state=0).fit(X, X[:, 0]))
    assert "with scaling_=None, length_scale_=2, alpha_=" in told
    given = RandomFeatureRegressor(RandomFourierFeatures(length_scale=2.0, n_components=20), alpha=1.0)
    assert "scaling_" not in repr(given.fit(X, X[:, 0]))
    assert "with scaling_='standard', alpha_=1" in repr(given.set_params(scaling="standard").fit(X, X[:, 0]))


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_a_map_with_a_rule_is_scaled_as_the_default_is(kind):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 2)) * [1.0, 1e3]
    y = np.sin(2 * X[:, 0])
    for rule in ("median", "knn"):
        machine = RandomFeatureRegressor(RandomFourierFeatures(length_scale=rule, random_state=0)).fit(kind(X), y)
        assert machine.scaling_ == "standard" and machine.score(kind(X), y) > 0.9
        alone = RandomFeatureRegressor(length_scale=rule, random_state=0).fit(kind(X), y)
        assert alone.scaling_ == "standard" and alone.score(kind(X), y) > 0.9
    assert RandomFeatureRegressor(RandomFourierFeatures(), scaling=None).fit(kind(X), y).scaling_ is None


def test_one_number_for_columns_far_apart_is_worth_a_word_and_pixels_are_not():
    rng = np.random.default_rng(0)
    X, (pixels, digit) = rng.standard_normal((300, 2)) * [1.0, 1e3], load_digits(return_X_y=True)
    with pytest.warns(UserWarning, match="^columns of X have standard deviations from .*; scaling='standard' scales"):
        RandomFeatureRegressor(RandomFourierFeatures(length_scale=20.0, n_components=20)).fit(X, X[:, 0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        waves = RandomFourierFeatures(length_scale=20.0, n_components=20)
        RandomFeatureClassifier(waves, alpha=1.0).fit(pixels, digit)
        RandomFeatureRegressor(clone(waves).set_params(length_scale=[1.0, 1e3]), alpha=1.0).fit(X, X[:, 0])
        RandomFeatureRegressor(waves, scaling=None, alpha=1.0).fit(X, X[:, 1])


def test_columns_of_one_unit_may_stay_as_they_are():
    """Pixels: standard scaling makes the border, which is nearly always white, as loud as the middle."""
    X, y = load_digits(return_X_y=True)
    machine = RandomFeatureClassifier(n_components=256, random_state=0).fit(X[:1000], y[:1000])
    assert machine.scaling_ is None and machine.scaler_ is None and machine.score(X[1000:], y[1000:]) > 0.93
