"""Machines whose loss has a kink: against scikit-learn's support vector machine, first-order conditions, limits."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_diabetes, load_iris
from sklearn.svm import SVC

from rfbook import RandomBinningFeatures, RandomFeatureClassifier, RandomFeatureRegressor, RandomFourierFeatures
from rfbook.solvers import DenseDesign, ridge_regression
from rfbook.solvers.losses import HingeLoss, HuberLoss, QuantileLoss
from rfbook.solvers.newton import minimised

rng = np.random.default_rng(0)
X = rng.uniform(-2, 2, (300, 2))
y = np.sin(2 * X[:, 0]) + 0.3 * rng.standard_normal(300)
LABELS = np.where(y > 0, "up", "down")
RFF = RandomFourierFeatures(length_scale=1.0, n_components=40, random_state=0)


@pytest.mark.parametrize("alpha", [0.3, 5.0])
def test_hinge_is_the_support_vector_machine(alpha):
    machine = RandomFeatureClassifier(RFF, loss="hinge", alpha=alpha).fit(X, LABELS)
    Z, t = RFF.fit(X).transform(X), np.where(LABELS == "up", 1.0, -1.0)
    theirs = SVC(kernel="linear", C=1 / alpha, tol=1e-6).fit(Z, t)

    def objective(beta, scores):
        return np.maximum(0, 1 - t * scores).sum() + alpha / 2 * (beta**2).sum()

    least = objective(theirs.coef_, theirs.decision_function(Z))
    ours = objective(machine.feature_coef_, machine.decision_function(X))
    assert least - 1e-3 <= ours <= least + 300 * 0.05 / 4  # prop-choose-kinks
    assert np.mean(machine.predict(X) == np.where(theirs.predict(Z) > 0, "up", "down")) > 0.97
    assert not hasattr(machine, "predict_proba") and machine.alpha_ == alpha and machine.alpha_criterion_ is None


@pytest.mark.parametrize("level", [0.1, 0.5, 0.8])
def test_quantiles_have_their_share_of_the_rows(level):
    machine = RandomFeatureRegressor(RFF, loss="quantile", quantile=level, alpha=1.0).fit(X, 1000 * y - 5e4)
    rest = 1000 * y - 5e4 - machine.predict(X)
    close = np.mean(np.abs(rest) < 0.05 * np.median(np.abs(rest)) * 3)
    assert abs(np.mean(rest < 0) - level) <= close + 0.01  # the intercept has no penalty
    least = minimised(DenseDesign(RFF.fit(X).transform(X)), y[:, None], QuantileLoss(level, 1e-3), 1.0 / 0.3, tol=1e-6,
                      max_iter=2000)
    assert least.alpha == 1.0 / 0.3 and least.scores is None


def test_huber_without_wild_targets_is_ridge_regression_and_with_them_is_not():
    Z = RFF.fit(X).transform(X)
    wide = minimised(DenseDesign(Z), y[:, None], HuberLoss(100.0), 0.5, tol=1e-10)
    plain = ridge_regression(DenseDesign(Z), y[:, None], 0.5)
    np.testing.assert_allclose(wide.coef, plain.coef, atol=1e-6)
    spoilt = np.where(np.arange(300) % 20 == 0, 1e4, y)
    clean = RandomFeatureRegressor(RFF, loss="huber", alpha=0.1).fit(X, y).predict(X)
    kept = RandomFeatureRegressor(RFF, loss="huber", alpha=0.1).fit(X, spoilt).predict(X)
    lost = RandomFeatureRegressor(RFF, alpha=0.1).fit(X, spoilt).predict(X)
    assert np.abs(kept - clean).mean() < 0.2 and np.abs(lost - clean).mean() > 100


@pytest.mark.parametrize("loss", ["huber", "quantile"])
def test_ridge_is_chosen_by_what_is_left_out(loss):
    A, b = load_diabetes(return_X_y=True)
    machine = RandomFeatureRegressor(n_components=60, loss=loss, random_state=0).fit(A, b)
    assert machine.alpha_ == machine.alphas_[np.argmin(machine.alpha_scores_)] and machine.alpha_criterion_ == "cv"
    given = RandomFeatureRegressor(n_components=60, loss=loss, alpha="cv", alphas=[0.5, 50.0], random_state=0).fit(A, b)
    assert given.alpha_ in (0.5, 50.0) and len(given.alpha_scores_) == 2
    assert np.abs(machine.predict(A) - b).mean() < 0.8 * np.abs(b - np.median(b)).mean()
    both = RandomFeatureRegressor(RFF, loss=loss, alpha=1.0).fit(X, np.c_[y, 2 * y])
    assert both.predict(X).shape == (300, 2) and both.feature_coef_.shape == (2, 40)


def test_weights_are_copies_and_sparse_features_and_rows_do():
    w = rng.integers(1, 3, 300)
    twice = np.repeat(np.arange(300), w)
    one = RandomFeatureClassifier(RFF, loss="hinge", alpha=1.0).fit(X, LABELS, w)
    other = RandomFeatureClassifier(RFF, loss="hinge", alpha=1.0).fit(X[twice], LABELS[twice])
    np.testing.assert_allclose(one.decision_function(X), other.decision_function(X), atol=5e-3)
    grids = RandomBinningFeatures(length_scale=2.0, n_grids=30, random_state=0)
    assert RandomFeatureClassifier(grids, loss="hinge", alpha=1.0).fit(X, LABELS).score(X, LABELS) > 0.85
    median = RandomFeatureRegressor(grids, loss="quantile", alpha=1.0).fit(X, y)
    assert np.abs(median.predict(X) - y).mean() < 0.3
    rows = RandomFeatureClassifier(RFF, loss="hinge", alpha=1.0).fit(sparse.csr_matrix(X), LABELS)
    plain = RandomFeatureClassifier(RFF, loss="hinge", alpha=1.0).fit(X, LABELS)
    np.testing.assert_allclose(rows.decision_function(X), plain.decision_function(X), atol=1e-6)
    small = RandomFeatureClassifier(RFF, loss="hinge", alpha=1.0).fit(X.astype(np.float32), LABELS)
    np.testing.assert_allclose(small.decision_function(X), plain.decision_function(X), atol=5e-3)


@pytest.mark.parametrize("loss", ["huber", "quantile"])
def test_first_choices_for_robust_losses_count_weights_as_copies(loss, monkeypatch):
    """Where most weight lies near the middle, and many rows do not: medians of targets and of distances move."""
    w = np.where(np.abs(y) < 0.4, 4, 1)
    wild, targets = np.where(np.arange(300) % 25 == 0, 1e3, y), []
    made = RandomFeatureRegressor(RFF, loss=loss, alpha=1.0)

    def noted(design, Y, *args, **options):
        targets.append(Y.copy())
        return ridge_regression(design, Y, *args, **options)

    monkeypatch.setattr("rfbook.solvers.fit.ridge_regression", noted)
    one = made.fit(X, wild, w).predict(X)
    made.fit(np.repeat(X, w, axis=0), np.repeat(wild, w))
    made.fit(X, wild)
    weighted, copied, plain = targets
    other = made.set_params(alpha=7.0).fit(X, wild, 7 * w).predict(X)  # copies would choose another first ridge
    np.testing.assert_allclose(np.repeat(weighted, w, axis=0), copied, rtol=1e-12)
    np.testing.assert_allclose(one, other, atol=5e-3)
    assert np.abs(weighted.max() / plain.max() - 1) > 0.1  # what is wild is clipped elsewhere


def test_several_classes_stand_against_the_rest():
    A, b = load_iris(return_X_y=True)
    machine = RandomFeatureClassifier(n_components=50, loss="hinge", alpha=1.0, random_state=0).fit(A, b)
    Z = machine.features_.transform(machine.scaler_.transform(A) if machine.scaler_ else A)
    t = np.where(b == 1, 1.0, -1.0)
    alone = minimised(DenseDesign(Z), t[:, None], HingeLoss(), 1.0, tol=1e-4, max_iter=1000)
    np.testing.assert_allclose(machine.decision_function(A)[:, 1], (Z @ alone.coef + alone.intercept)[:, 0], atol=0.02)
    assert machine.score(A, b) > 0.95


def test_wrong_words():
    with pytest.raises(ValueError, match="loss is 'absolute'; it may be one of 'squared', 'huber', 'quantile'"):
        RandomFeatureRegressor(loss="absolute").fit(X, y)
    for level in (0, 1, "half"):
        with pytest.raises(ValueError, match="quantile is"):
            RandomFeatureRegressor(loss="quantile", quantile=level).fit(X, y)
    with pytest.raises(ValueError, match="alpha is 'loo'"):
        RandomFeatureRegressor(loss="huber", alpha="loo").fit(X, y)
    with pytest.raises(ValueError, match="alpha is 0"):
        RandomFeatureClassifier(loss="hinge", alpha=0).fit(X, LABELS)
    with pytest.raises(ValueError, match="several labels"):
        RandomFeatureClassifier(loss="hinge").fit(X, np.c_[y > 0, y > 1].astype(int))
    assert not hasattr(RandomFeatureRegressor(loss="huber"), "partial_fit")
    constant = RandomFeatureRegressor(RFF, loss="huber", alpha=1.0).fit(X, np.full(300, 7.0))
    np.testing.assert_allclose(constant.predict(X), 7.0, atol=1e-6)


@pytest.mark.parametrize("loss", ["huber", "quantile"])
def test_an_output_that_is_zero_is_zero_and_leaves_the_other_alone(loss):
    made = RandomFeatureRegressor(RFF, loss=loss)
    assert not made.fit(X, np.zeros(300)).predict(X).any()
    both = made.fit(X, np.stack([y, np.zeros(300)], axis=1)).predict(X)
    assert not both[:, 1].any() and np.corrcoef(both[:, 0], y)[0, 1] > 0.8


@pytest.mark.parametrize("loss", ["huber", "quantile"])
def test_a_rise_at_the_top_does_not_leave_the_constant(loss):
    """Of these 60 rows two large ridges are a little worse than the largest, and small ones much better."""
    draw = np.random.default_rng(260)
    A, new = draw.standard_normal((60, 3)), draw.standard_normal((500, 3))

    def wave(A):
        return np.sin(2 * A[:, 0]) + A[:, 1] * A[:, 2]

    machine = RandomFeatureRegressor(loss=loss, random_state=0).fit(A, wave(A) + 0.1 * draw.standard_normal(60))
    assert np.std(wave(new) - machine.predict(new)) < 0.7 * np.std(wave(new))
