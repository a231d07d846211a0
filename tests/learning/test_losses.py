"""Losses through one door: counts and durations, several quantiles, somebody's own loss; what they refuse."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import GammaRegressor, PoissonRegressor

import rfbook
from rfbook import RandomBinningFeatures, RandomFeatureClassifier, RandomFeatureRegressor, RandomFourierFeatures
from rfbook.solvers import HuberLoss, LogisticLoss, MultinomialLoss, SquaredLoss

rng = np.random.default_rng(0)
X = rng.uniform(-3, 3, (400, 2))
RATE = np.exp(np.sin(X[:, 0]) + 0.3 * X[:, 1])
COUNTS, DURATIONS = rng.poisson(RATE).astype(float), rng.gamma(3.0, RATE / 3)
RFF = RandomFourierFeatures(length_scale=2.0, n_components=30, random_state=0)


class LogCosh:
    """Smooth, between the square and the absolute value."""

    def value(self, t, f):
        return np.logaddexp(f - t, t - f) - np.log(2)

    def gradient(self, t, f):
        return np.tanh(f - t)

    def curvature(self, t, f):
        return 1 - np.tanh(f - t) ** 2


@pytest.mark.parametrize(("loss", "peer", "y"), [("poisson", PoissonRegressor, COUNTS),
                                                 ("gamma", GammaRegressor, DURATIONS)])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("dtype", "close"), [(np.float64, 1e-5), (np.float32, 2e-3)])
def test_a_positive_mean_is_that_of_scikit_learn(loss, peer, y, weighted, dtype, close):
    w = rng.integers(0, 4, 400).astype(float) if weighted else np.ones(400)
    machine = RandomFeatureRegressor(RFF, loss=loss, alpha=2.0).fit(X.astype(dtype), y, w if weighted else None)
    Z = RFF.fit(X).transform(X)
    want = peer(alpha=2.0 / w.sum(), tol=1e-10, max_iter=2000).fit(Z, y, w).predict(Z)
    np.testing.assert_allclose(machine.predict(X.astype(dtype)), want, rtol=close)
    assert (machine.predict(X) > 0).all() and machine.alpha_ == 2.0


@pytest.mark.parametrize(("loss", "y"), [("poisson", COUNTS), ("gamma", DURATIONS), (LogCosh(), COUNTS)],
                         ids=["poisson", "gamma", "own"])
def test_a_ridge_is_chosen_by_what_is_left_out(loss, y):
    few = RandomFeatureRegressor(RFF, loss=loss).fit(X, y)
    assert few.alpha_criterion_ == "loo" and few.alpha_ in few.alphas_ and np.ndim(few.alpha_) == 0
    folds = RandomFeatureRegressor(RFF, loss=loss, alpha="cv").fit(X, y)
    assert folds.alpha_criterion_ == "cv" and 0.03 < folds.alpha_ / few.alpha_ < 30
    both = RandomFeatureRegressor(RFF, loss=loss, alpha=1.0).fit(X, np.c_[y, y[::-1]])
    one = RandomFeatureRegressor(RFF, loss=loss, alpha=1.0).fit(X, y)
    np.testing.assert_allclose(both.predict(X)[:, 0], one.predict(X), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("loss", ["poisson", "gamma", "huber"])
@pytest.mark.parametrize("alpha", [1.0, "auto", "cv"])
def test_the_unit_of_one_target_says_nothing_about_another(loss, alpha):
    machine = RandomFeatureRegressor(RFF, loss=loss, alpha=alpha)
    Y = np.c_[DURATIONS, DURATIONS[::-1]]
    as_they_are, large = clone(machine).fit(X, Y), clone(machine).fit(X, Y * [1, 2.0**20])
    np.testing.assert_allclose(large.predict(X)[:, 0], as_they_are.predict(X)[:, 0], rtol=1e-8)
    if loss != "huber":  # whose ridge is one for all
        alone = clone(machine).fit(X, Y[:, 0])
        np.testing.assert_allclose(large.predict(X)[:, 0], alone.predict(X), rtol=1e-8)
        assert large.alpha_.shape == (2,) and large.alpha_[0] == alone.alpha_
    if loss != "huber" and alpha != 1.0:
        tried = large.alphas_[:, 0]
        assert np.array_equal(tried[~np.isnan(tried)], alone.alphas_)
        assert large.alphas_.shape == large.alpha_scores_.shape
        assert clone(machine).set_params(alpha="loo").fit(X, Y).alpha_criterion_ == "loo"


@pytest.mark.parametrize("loss", ["poisson", "gamma", LogCosh(), HuberLoss(1.0)],
                         ids=["poisson", "gamma", "own", "huber"])
def test_a_weight_counts_copies_and_sparse_features_do(loss):
    y, w = DURATIONS, rng.integers(0, 3, 400)
    grids = RandomBinningFeatures(length_scale=3.0, n_grids=20, random_state=0)
    for features in (RFF, grids):
        made = RandomFeatureRegressor(features, loss=loss, alpha=1.0)
        one = clone(made).fit(X, y, w).predict(X[:50])
        other = clone(made).fit(np.repeat(X, w, axis=0), np.repeat(y, w)).predict(X[:50])
        if features is RFF:  # grids are numbered by the rows that there are
            close = 5e-2 if isinstance(loss, HuberLoss) else 2e-3  # whose unit is that of a fit with a chosen ridge
            np.testing.assert_allclose(one, other, rtol=close, atol=1e-3)
        assert np.isfinite(one).all()


def test_several_quantiles_are_those_of_each_in_order():
    y = X[:, 0] + np.exp(0.4 * X[:, 1]) * rng.standard_normal(400)
    levels = [0.1, 0.5, 0.9]
    machine = RandomFeatureRegressor(RFF, loss="quantile", quantile=levels, alpha=0.5).fit(X, y)
    found = machine.predict(X)
    assert found.shape == (400, 3) and (np.diff(found, axis=1) >= 0).all() and machine.feature_coef_.shape == (3, 30)
    for j, level in enumerate(levels):
        alone = RandomFeatureRegressor(RFF, loss="quantile", quantile=level, alpha=0.5).fit(X, y)
        np.testing.assert_allclose(machine._scores(X)[:, j], alone.predict(X), atol=0.05)
        assert abs(np.mean(y < found[:, j]) - level) < 0.05
    single = RandomFeatureRegressor(RFF, loss="quantile", quantile=[0.5], alpha=0.5).fit(X, y)
    assert single.predict(X).shape == (400, 1)


def test_an_object_is_the_name_and_nothing_else_changes():
    named = RandomFeatureRegressor(RFF, loss="huber", alpha=1.0).fit(X, COUNTS).predict(X)
    given = RandomFeatureRegressor(RFF, loss=HuberLoss(), alpha=1.0).fit(X, COUNTS).predict(X)
    assert np.array_equal(named, given)
    squares = RandomFeatureRegressor(RFF, loss=SquaredLoss(), alpha=1.0).fit(X, COUNTS)
    assert np.array_equal(squares.predict(X), RandomFeatureRegressor(RFF, alpha=1.0).fit(X, COUNTS).predict(X))
    parts = RandomFeatureRegressor(RFF, loss=SquaredLoss(), alpha=1.0).partial_fit(X, COUNTS)
    np.testing.assert_allclose(parts.predict(X), squares.predict(X))


def test_own_losses_of_classes():
    y = np.digitize(X[:, 0], [-1.0, 1.0])
    two, three = (y > 0).astype(int), y
    for labels in (two, three):
        machine = RandomFeatureClassifier(RFF, loss=LogCosh(), alpha=0.1).fit(X, labels)
        assert machine.score(X, labels) > 0.9 and not hasattr(machine, "predict_proba")
    named = RandomFeatureClassifier(RFF, loss="logistic", alpha=1.0).fit(X, two)
    assert np.array_equal(RandomFeatureClassifier(RFF, loss=LogisticLoss(), alpha=1.0).fit(X, two).predict_proba(X),
                          named.predict_proba(X))
    several = RandomFeatureClassifier(RFF, loss=MultinomialLoss(), alpha=1.0).fit(X, three).predict_proba(X)
    named = RandomFeatureClassifier(RFF, loss="logistic", alpha=1.0).fit(X, three)
    assert np.array_equal(several, named.predict_proba(X))
    for loss, labels in ((LogisticLoss(), three), (MultinomialLoss(), two)):
        with pytest.raises(ValueError, match="'logistic' is a loss for any number of classes"):
            RandomFeatureClassifier(RFF, loss=loss).fit(X, labels)


@pytest.mark.parametrize(("given", "y", "match"), [
    ({"loss": "poison"}, COUNTS, "loss is 'poison'"), ({"loss": HuberLoss}, COUNTS, "an object with value"),
    ({"loss": None}, COUNTS, "an object with value"), ({"loss": 3}, COUNTS, "an object with value"),
    ({"loss": "poisson"}, COUNTS - 1, "y holds -1.0; with PoissonLoss"),
    ({"loss": "gamma"}, COUNTS, "y holds 0.0; with GammaLoss"), ({"loss": "poisson"}, 0 * COUNTS, "zeros only"),
    ({"loss": "quantile", "quantile": [0.9, 0.1]}, COUNTS, "increasing list"),
    ({"loss": "quantile", "quantile": []}, COUNTS, "quantile"),
    ({"loss": "quantile", "quantile": 1.0}, COUNTS, "quantile"),
    ({"loss": "quantile", "quantile": [0.1, 0.9]}, np.c_[COUNTS, COUNTS], "y may have one column"),
    ({"loss": "quantile", "alpha": "loo"}, COUNTS, "smooth loss"),
])
def test_what_is_refused(given, y, match):
    with pytest.raises(ValueError, match=match):
        RandomFeatureRegressor(RFF, **given).fit(X, y)


def test_counts_stay_in_a_file(tmp_path):
    machine = RandomFeatureRegressor(RFF, loss="poisson", alpha=1.0).fit(X, COUNTS)
    rfbook.save(machine, tmp_path / "machine.npz")
    assert np.array_equal(rfbook.load(tmp_path / "machine.npz").predict(X), machine.predict(X))
    with pytest.raises(ValueError, match="not the library's"):
        rfbook.save(RandomFeatureRegressor(RFF, loss=LogCosh(), alpha=1.0).fit(X, COUNTS), tmp_path / "own.npz")


@pytest.mark.parametrize("sampling", ["orthogonal", "sobol"])
def test_sampling_reaches_the_features(sampling):
    machine = RandomFeatureRegressor(n_components=32, sampling=sampling, length_scale=2.0, alpha=0.1, random_state=0)
    alone = RandomFourierFeatures(length_scale=2.0, n_components=32, sampling=sampling, random_state=0)
    assert np.array_equal(machine.fit(X, COUNTS).predict(X),
                          RandomFeatureRegressor(alone, alpha=0.1).fit(X, COUNTS).predict(X))
    with pytest.raises(ValueError, match="features takes over sampling"):
        RandomFeatureRegressor(alone, sampling=sampling).fit(X, COUNTS)
