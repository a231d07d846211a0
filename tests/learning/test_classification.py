"""Logistic regression on features: scikit-learn's probabilities, whatever the features, labels and weights are."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_digits, make_moons
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.estimator_checks import (
    check_sample_weight_equivalence_on_dense_data,
    check_sample_weight_equivalence_on_sparse_data,
    parametrize_with_checks,
)

from rfbook import RandomBinningFeatures, RandomFeatureClassifier, RandomFourierFeatures


def moons(dtype=float):
    X, y = make_moons(240, noise=0.3, random_state=0)
    return X.astype(dtype), np.array(["no", "yes"])[y]


def fourier(length_scale=1.0):
    return RandomFourierFeatures(n_components=60, length_scale=length_scale, random_state=0)


def theirs(machine, X, y, weights=None):
    """LogisticRegression on the features of a fitted machine, and these features."""
    Z = machine.features_.transform(X)
    Z = np.asarray(Z.toarray() if hasattr(Z, "toarray") else Z, dtype=float)
    solver = "newton-cholesky" if len(machine.classes_) == 2 else "lbfgs"
    by_class = compute_sample_weight(machine.class_weight, y)  # of the labels alone, whatever the weights
    peer = LogisticRegression(C=1 / machine.alpha_, tol=1e-10, max_iter=20_000, solver=solver)
    return peer.fit(Z, y, by_class if weights is None else weights * by_class), Z


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("class_weight", [None, "balanced", {"no": 1.0, "yes": 5.0}])
def test_two_classes(weighted, class_weight):
    X, y = moons()
    w = np.random.default_rng(0).integers(0, 4, len(y)) if weighted else None
    machine = RandomFeatureClassifier(fourier(), loss="logistic", alpha=0.5, class_weight=class_weight).fit(X, y, w)
    peer, Z = theirs(machine, X, y, w)
    np.testing.assert_allclose(machine.predict_proba(X), peer.predict_proba(Z), atol=1e-5)
    np.testing.assert_allclose(machine.decision_function(X), peer.decision_function(Z), atol=1e-4)
    np.testing.assert_allclose(machine.feature_coef_, peer.coef_, atol=1e-3)
    np.testing.assert_allclose(np.exp(machine.predict_log_proba(X)), machine.predict_proba(X), atol=1e-15)
    assert machine.feature_coef_.shape == (1, 60) and machine.intercept_.shape == (1,)
    assert (machine.predict(X) == machine.classes_[machine.predict_proba(X).argmax(1)]).all()
    assert machine.alphas_ is None and machine.alpha_scores_ is None and machine.alpha_criterion_ is None


def test_ten_classes():
    X, y = load_digits(return_X_y=True)
    X, y = X[:500], y[:500]
    machine = RandomFeatureClassifier(fourier(30.0), loss="logistic", alpha=0.5).fit(X, y)
    peer, Z = theirs(machine, X, y)
    np.testing.assert_allclose(machine.predict_proba(X), peer.predict_proba(Z), atol=1e-5)
    np.testing.assert_allclose(machine.predict_proba(X).sum(1), 1, atol=1e-14)
    np.testing.assert_allclose(machine.predict_proba(X).mean(0), np.bincount(y) / 500, atol=1e-7)
    assert machine.feature_coef_.shape == (10, 60) and machine.decision_function(X).shape == (500, 10)


def test_one_hot_grids_and_other_transformers():
    X, y = moons()
    codes = np.round(X * 3)
    for features, rows in ((RandomBinningFeatures(n_grids=20, length_scale=1.0, random_state=0), X),
                           (OneHotEncoder(), codes), (make_pipeline(StandardScaler(), fourier()), X)):
        machine = RandomFeatureClassifier(features, loss="logistic", alpha=1.0).fit(rows, y)
        peer, Z = theirs(machine, rows, y)
        np.testing.assert_allclose(machine.predict_proba(rows), peer.predict_proba(Z), atol=1e-5)


def test_single_precision():
    X, y = moons(np.float32)
    machine = RandomFeatureClassifier(fourier(), loss="logistic", alpha=0.5).fit(X, y)
    peer, Z = theirs(machine, X, y)
    np.testing.assert_allclose(machine.predict_proba(X), peer.predict_proba(Z), atol=1e-5)


def test_the_ridge_is_chosen():
    X, y = moons()
    auto = RandomFeatureClassifier(fourier(), loss="logistic").fit(X, y)
    assert auto.alpha_criterion_ == "loo" and auto.alphas_[0] == 240
    assert auto.alpha_ == auto.alphas_[auto.alpha_scores_.argmin()]
    listed = RandomFeatureClassifier(fourier(), loss="logistic", alphas=[1e-6, auto.alpha_, 200.0]).fit(X, y)
    assert listed.alpha_ == auto.alpha_ and listed.alphas_.tolist() == [1e-6, auto.alpha_, 200.0]
    # the mean log-loss of what was left out is that of scikit-learn's folds up to the spread of five means
    again = cross_val_score(clone(auto).set_params(alpha=auto.alpha_), X, y, scoring="neg_log_loss")
    assert abs(-again.mean() - auto.alpha_scores_.min()) < 4 * again.std()


@pytest.mark.parametrize("weighted", [False, True])
def test_rows_are_left_out_one_by_one(weighted):
    X, y = moons()
    X, y, w = X[:80], y[:80], np.random.default_rng(0).choice([0.5, 1.0, 2.0], 80) if weighted else np.ones(80)
    machine = RandomFeatureClassifier(fourier(), loss="logistic", alpha="loo", alphas=[3.0, 10.0]).fit(X, y, w)
    for alpha, score in zip(machine.alphas_, machine.alpha_scores_, strict=True):
        missed = []
        for i in range(80):
            fewer = np.where(np.arange(80) == i, 0.0, w)
            rest = RandomFeatureClassifier(fourier(), loss="logistic", alpha=alpha).fit(X, y, fewer)
            missed.append(-rest.predict_log_proba(X[i : i + 1])[0, int(y[i] == rest.classes_[1])])
        assert score == pytest.approx(np.average(missed, weights=w), rel=0.01)
    whole = RandomFeatureClassifier(fourier(), loss="logistic", alpha="cv").fit(X, y)
    assert whole.alpha_criterion_ == "cv" and machine.alpha_criterion_ == "loo"


def test_many_rows_are_judged_by_a_sample():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((4000, 2))
    y = rng.random(4000) < 1 / (1 + np.exp(-3 * np.sin(X[:, 0])))
    ways = {way: RandomFeatureClassifier(fourier().set_params(n_components=20), loss="logistic", alpha=way).fit(X, y)
            for way in ("auto", "loo", "cv")}
    assert [ways[way].alpha_criterion_ for way in ways] == ["cv", "loo", "cv"]
    assert abs(ways["loo"].alpha_scores_.min() - ways["cv"].alpha_scores_.min()) < 0.05  # of 160 rows
    several = RandomFeatureClassifier(fourier().set_params(n_components=20), loss="logistic", alpha="loo")
    assert several.fit(X[:300], np.digitize(X[:300, 0], [-1, 1])).alpha_criterion_ == "loo"
    with pytest.raises(ValueError, match="alpha is 'loo'"):
        RandomFeatureClassifier(RandomBinningFeatures(random_state=0), loss="logistic", alpha="loo").fit(X, y)
    with pytest.raises(ValueError, match="alpha is 'loo'"):
        RandomFeatureClassifier(fourier(), loss="hinge", alpha="loo").fit(X, y)


def test_without_an_argument_and_in_company():
    X, y = moons()
    machine = RandomFeatureClassifier(loss="logistic", n_components=60, random_state=0)
    plain = machine.fit(X, y).predict_proba(X)
    votes = VotingClassifier([("a", machine), ("b", LogisticRegression())], voting="soft").fit(X, y)
    np.testing.assert_allclose(votes.predict_proba(X), (plain + votes.estimators_[1].predict_proba(X)) / 2)
    fixed = RandomFeatureClassifier(fourier(), loss="logistic", alpha=1.0)
    assert (cross_val_score(fixed, X, y, scoring="neg_log_loss") > -np.log(2)).all()
    assert CalibratedClassifierCV(fixed, cv=2).fit(X, y).predict_proba(X).shape == (240, 2)
    search = GridSearchCV(fixed, {"loss": ["squared", "logistic"], "alpha": [0.1, 1.0]}, cv=2, scoring="roc_auc")
    assert search.fit(X, y).best_score_ > 0.9


def test_least_squares_has_no_probabilities():
    machine = RandomFeatureClassifier(fourier()).fit(*moons())
    for name in ("predict_proba", "predict_log_proba"):
        assert not hasattr(machine, name)
        with pytest.raises(AttributeError, match="^loss is 'squared', .* for predict_proba take loss='logistic'$"):
            getattr(machine, name)
    with pytest.raises(AttributeError, match="^loss is 'logistic', which looks at the rows often"):
        machine.set_params(loss="logistic").partial_fit(*moons(), classes=[0, 1])


def test_words():
    X, y = moons()
    for arguments, words in (({"alpha": 0}, "alpha is 0"), ({"alpha": "gcv"}, "alpha is 'gcv'"),
                             ({"alphas": [1.0, -1.0]}, "alphas is -1"), ({"loss": "logit"}, "loss is 'logit'")):
        with pytest.raises(ValueError, match=words):
            RandomFeatureClassifier(fourier(), **{"loss": "logistic", **arguments}).fit(X, y)
    with pytest.raises(ValueError, match="several labels"):
        RandomFeatureClassifier(fourier(), loss="logistic").fit(X, np.column_stack([y == "no", y == "yes"]).astype(int))


def test_weights_of_classes_are_those_of_rows():
    X, y = moons()
    y = np.where(X[:, 0] > 1, "other", y)
    w = compute_sample_weight("balanced", y)
    machine = RandomFeatureClassifier(fourier(), loss="logistic", alpha=1.0)
    by_row = machine.fit(X, y, w).feature_coef_
    by_class = clone(machine).set_params(class_weight="balanced").fit(X, y).feature_coef_
    np.testing.assert_array_equal(by_row, by_class)


COPIES = ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data")


@parametrize_with_checks(
    [RandomFeatureClassifier(loss="logistic", n_components=40)],
    expected_failed_checks=lambda _: dict.fromkeys(COPIES, "a row is left out whole, its copies are not all left out"),
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("check", [check_sample_weight_equivalence_on_dense_data,
                                   check_sample_weight_equivalence_on_sparse_data])
def test_weights_are_copies(check):
    check("fixed", RandomFeatureClassifier(n_components=40, length_scale=1.0, loss="logistic", alpha=1.0))
