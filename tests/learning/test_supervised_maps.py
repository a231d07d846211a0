"""Feature maps that look at y and at weights, in front of the machines."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.datasets import load_diabetes, load_wine
from sklearn.feature_selection import SelectFromModel, SelectKBest, f_classif, f_regression
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rfbook import (
    RandomBinningFeatures,
    RandomFeatureClassifier,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    RandomMaclaurinFeatures,
)

RFF = RandomFourierFeatures(length_scale=4.0, n_components=120, random_state=0)
MAPS = {
    "best": make_pipeline(RFF, SelectKBest(f_regression, k=50)),
    "model": make_pipeline(RFF, SelectFromModel(Ridge(), max_features=40)),
    "polynomial": make_pipeline(RandomMaclaurinFeatures(n_components=80, random_state=0),
                                SelectKBest(f_regression, k=30)),
    "grids": make_pipeline(RandomBinningFeatures(length_scale=8.0, n_grids=20, random_state=0),
                           SelectKBest(f_regression, k=60)),
    "scaled": make_pipeline(StandardScaler(), RFF, SelectKBest(f_regression, k=50)),
}


class Watched(TransformerMixin, BaseEstimator):
    """The identity, which asks for y and remembers what it was fitted to."""

    def fit(self, X, y):
        self.y_ = y
        return self

    def transform(self, X):
        return X


class Weighed(Watched):
    """One that takes weights too."""

    def fit(self, X, y, sample_weight=None):
        self.sample_weight_ = sample_weight
        return super().fit(X, y)


@pytest.fixture(scope="module")
def diabetes():
    X, y = load_diabetes(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), np.array(["red", "rose", "white"])[y]


@pytest.mark.parametrize("name", MAPS)
def test_a_selector_behind_our_features(name, diabetes):
    X, y = diabetes
    Z = clone(MAPS[name]).fit(X, y).transform(X)
    Z = Z.toarray() if sparse.issparse(Z) else Z
    ours, theirs = RandomFeatureRegressor(MAPS[name], alpha=0.5).fit(X, y), Ridge(alpha=0.5).fit(Z, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(Z), rtol=1e-7)
    assert ours.feature_coef_.shape == (Z.shape[1],)


def test_a_selector_of_many_sparse_columns(diabetes):
    X, y = diabetes
    many = make_pipeline(RandomBinningFeatures(length_scale=4.0, n_grids=60, random_state=0),
                         SelectKBest(f_regression, k=1500))
    machine = RandomFeatureRegressor(many, alpha=1.0).fit(X, y)
    Z = clone(many).fit(X, y).transform(X)
    assert sparse.issparse(Z) and machine.feature_coef_.shape == (1500,)
    np.testing.assert_allclose(machine.predict(X), Ridge(alpha=1.0).fit(Z.toarray(), y).predict(Z.toarray()), rtol=1e-6)


def test_a_classifier_shows_its_labels(wine):
    X, y = wine
    features = make_pipeline(RFF, SelectKBest(f_classif, k=50))
    Z = clone(features).fit(X, y).transform(X)
    ours, theirs = RandomFeatureClassifier(features, alpha=0.5).fit(X, y), RidgeClassifier(alpha=0.5).fit(Z, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(Z), atol=1e-7)
    assert (ours.predict(X) == theirs.predict(Z)).all()


def test_several_outputs(diabetes):
    X, y = diabetes
    Y = np.c_[y, X[:, 2]]
    Z = clone(MAPS["model"]).fit(X, Y).transform(X)
    ours = RandomFeatureRegressor(MAPS["model"], alpha=0.5).fit(X, Y)
    np.testing.assert_allclose(ours.predict(X), Ridge(alpha=0.5).fit(Z, Y).predict(Z), rtol=1e-6, atol=1e-6)


def test_a_map_sees_the_targets_as_they_are(diabetes, wine):
    X, y = diabetes
    for targets in (y, np.c_[y, -y]):
        np.testing.assert_array_equal(RandomFeatureRegressor(Watched()).fit(X, targets).features_.y_, targets)
    X, y = wine
    np.testing.assert_array_equal(RandomFeatureClassifier(Watched()).fit(X, y).features_.y_, y)


def test_a_map_that_takes_weights_gets_them(diabetes, wine):
    for machine, (X, y) in ((RandomFeatureRegressor, diabetes), (RandomFeatureClassifier, wine)):
        w = np.random.default_rng(0).integers(1, 4, len(y))
        np.testing.assert_array_equal(machine(Weighed()).fit(X, y, w).features_.sample_weight_, w)
        assert machine(Weighed()).fit(X, y).features_.sample_weight_ is None
        np.testing.assert_array_equal(machine(Watched()).fit(X, y, sample_weight=w).features_.y_, y)


def test_weights_of_a_map_are_repetitions(diabetes):
    X, y = diabetes
    w = np.random.default_rng(0).integers(0, 3, len(y))
    weighted = RandomFeatureRegressor(StandardScaler(), alpha=1.0).fit(X, y, w)
    repeated = RandomFeatureRegressor(StandardScaler(), alpha=1.0).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(weighted.features_.mean_, repeated.features_.mean_, atol=1e-12)
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-9)


def test_a_pipeline_is_fitted_without_weights(diabetes):
    X, y = diabetes
    w = np.random.default_rng(0).integers(1, 4, len(y))
    machine = RandomFeatureRegressor(make_pipeline(Weighed(), RFF), alpha=1.0).fit(X, y, w)
    assert machine.features_[0].sample_weight_ is None


def test_in_searches_and_cross_validation(diabetes):
    X, y = diabetes
    machine = RandomFeatureRegressor(MAPS["best"], alpha=1.0)
    search = GridSearchCV(machine, {"features__selectkbest__k": [5, 60]}, cv=3).fit(X, y)
    assert search.best_params_ == {"features__selectkbest__k": 60}
    assert cross_val_score(machine, X, y, cv=3).mean() > 0.4
    best = clone(search.best_estimator_).fit(X, y)
    np.testing.assert_array_equal(best.predict(X), search.predict(X))
