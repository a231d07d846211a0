"""Where a part of the rows is drawn to choose something, rows, targets and weights of the part belong together: spies
stand at the doors through which they go, and each row says itself which target and which weight it has."""

import importlib
from itertools import pairwise

import numpy as np
import pytest

from rfbook import (
    EERF,
    LKRF,
    RandomFeatureClassifier,
    RandomFeatureGP,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    RecursiveFeatureMachineRegressor,
)
from rfbook.adaptive import recursion
from rfbook.learning import process_estimator
from rfbook.machines import scales, widths
from rfbook.solvers import newton
from rfbook.solvers.losses import Loss, MultinomialLoss

N = 100
X = np.random.default_rng(0).permutation(N)[:, None] / N
Y = np.exp(X[:, 0]) + np.sin(20 * X[:, 0])
W = np.where(np.round(N * X[:, 0]) % 4 == 0, 0.0, 1 + X[:, 0] ** 2)
LABELS = np.round(N * X[:, 0]).astype(int) // 7 % 3
SEED = {"random_state": 0}


@pytest.fixture
def marked(monkeypatch):
    """Features whose first column is the row, and columns of X that are not scaled."""
    def marking(filler):
        def made(*given):
            X = given[-2]  # before the draws

            def make_fill():
                fill = filler(*given)()

                def marked(rows, out):
                    fill(rows, out)
                    out[:, 0] = X[rows, 0]

                return marked

            return make_fill

        return made

    monkeypatch.setattr(RandomFourierFeatures, "_filler", marking(RandomFourierFeatures._filler))
    monkeypatch.setattr(scales, "wave_filler", marking(scales.wave_filler))  # of the search
    monkeypatch.setattr(scales, "_through", lambda scaler, X: X)


@pytest.fixture
def spy(monkeypatch):
    """Puts spies at functions: a list of pairs of arguments, those that are named in a dict, and answers."""
    def on(*places):
        seen: list = []
        for home, name in places:
            function = getattr(home, name)

            def spied(*given, function=function, **named):
                seen.append(((*given, named), function(*given, **named)))
                return seen[-1][1]

            monkeypatch.setattr(home, name, spied)
        return seen

    return on


def numbers_of(rows):
    """Which rows of X these are."""
    off = np.abs(np.asarray(rows)[:, :1] - X[:, 0])
    assert off.min(1).max() < 1e-12
    return off.argmin(1)


def filled(design):
    """All features of a design."""
    out = np.empty(design.shape, design.dtype)
    design.filler()(slice(0, len(out)), out)
    return out


def belong(rows, targets=None, weights=None, count=None):
    """That these rows of X are as many as expected, and have these targets, up to units and a constant, and weights,
    up to units."""
    numbers = numbers_of(rows)
    assert len(set(numbers)) == len(numbers) == (len(numbers) if count is None else count)
    for got, whole, fixed in ((targets, Y, 1.0), (weights, W, 0.0)):
        if got is not None:
            of_them = np.column_stack([whole[numbers], np.full(len(numbers), fixed)])
            np.testing.assert_allclose(of_them @ np.linalg.lstsq(of_them, np.ravel(got))[0], np.ravel(got), atol=1e-9)
            assert np.ptp(got) > 0
    return numbers


@pytest.mark.parametrize("weights", [None, W])
def test_scales_are_judged_by_rows_with_their_targets_and_weights(weights, marked, spy, monkeypatch):
    monkeypatch.setattr(scales, "_ROWS", 30)
    monkeypatch.setattr(scales, "_FEATURES", 12)
    fits, choices = spy((scales, "left_out")), spy((scales, "choose_scale"))
    RandomFeatureRegressor(n_components=16, **SEED).fit(X, Y, weights)
    (_, choice), = choices
    for ((Z, T, w, _), (_, errors)), score in zip(fits, choice.search["score"], strict=True):
        belong(Z, T, None if weights is None else w, 30)
        variance = np.cov(T[:, 0], aweights=w, ddof=0)  # of these very rows
        assert score == pytest.approx(errors.sum(1).min() / w.sum() / variance, rel=1e-9)
    assert choice.search["rows"] == 30


@pytest.mark.parametrize("weights", [None, W])
def test_the_second_look_judges_by_rows_with_their_targets_and_weights(weights, marked, spy, monkeypatch):
    for name, value in {"_ROWS": 30, "_FEATURES": 12, "_MANY": 40, "_MORE_ROWS": 35, "_MORE_FEATURES": 14}.items():
        monkeypatch.setattr(scales, name, value)
    fits, choices = spy((scales, "left_out")), spy((scales, "choose_scale"))
    RandomFeatureRegressor(n_components=16, **SEED).fit(X, Y, weights)
    (_, choice), = choices
    again, first = choice.search["again"], len(choice.search["score"])
    assert len(fits) == first + len(again["score"]) and (again["rows"], again["features"]) == (35, 14)
    for ((Z, T, w, _), (_, errors)), score in zip(fits[first:], again["score"], strict=True):
        belong(Z, T, None if weights is None else w, 35)
        variance = np.cov(T[:, 0], aweights=w, ddof=0)
        assert score == pytest.approx(errors.sum(1).min() / w.sum() / variance, rel=1e-9)


@pytest.mark.parametrize("weights", [None, W])
@pytest.mark.filterwarnings("ignore")
def test_widths_are_judged_by_rows_with_their_targets_and_weights(weights, marked, spy, monkeypatch):
    """With fewer features than rows, and with more."""
    monkeypatch.setattr(widths, "_SEEN", 30)
    monkeypatch.setattr(widths, "NARROWEST", 16)
    fits, judged = spy((widths, "ridge_regression")), spy((widths, "_of_predictions"))
    machine = RandomFeatureRegressor(n_components="auto", max_components=128, approximation_error=1e-9,
                                     length_scale=0.1, **SEED)
    machine.fit(X, Y, weights)
    assert len(machine.widths_) == len(judged) == len(fits) == 4
    for ((_, found, Z, numbers, T, w, _), _), ((design, targets, told), solution) in zip(judged, fits, strict=True):
        counted = np.arange(N) if weights is None else np.flatnonzero(weights)  # others are left out at the border
        belong(filled(design), targets, told["weights"], len(counted))
        np.testing.assert_array_equal(belong(Z, T, None if weights is None else w, 30), counted[numbers])
        assert found is solution and (weights is not None or (w == 1).all())


class Uneven(Loss):
    """Squares, of large targets more: what it is at a row depends on the target."""

    def value(self, targets, scores):
        return (1 + targets**2) * (scores - targets) ** 2 / 2

    def gradient(self, targets, scores):
        return (1 + targets**2) * (scores - targets)

    def curvature(self, targets, scores):
        return (1 + targets**2) * np.ones_like(scores)


def affine(Z, scores):
    """That scores are those of the rows of features Z, whatever the coefficients."""
    Z = np.column_stack([Z, np.ones(len(Z))])
    np.testing.assert_allclose(Z @ np.linalg.lstsq(Z, scores)[0], scores, atol=1e-8)


@pytest.mark.parametrize("labels", [False, True])
def test_newton_samples_rows_with_their_targets_scores_and_weights(labels, marked, spy):
    """To leave rows out and for the factors of its systems: 8 rows for each feature, which are less than all."""
    kind, loss, y = (RandomFeatureClassifier, "logistic", LABELS) if labels else (RandomFeatureRegressor, Uneven(), Y)
    outs = spy((newton, "scores_one_step_out"))
    factors = spy((MultinomialLoss if labels else Uneven, "typical"), (newton, "normal_equations"))
    machine = kind(loss=loss, alpha="loo", n_components=4, length_scale=0.1, **SEED).fit(X, y, W)

    def those_of(Z, T, F, weights):
        numbers = belong(Z, None if labels else T, weights, 32)
        affine(Z, F.reshape(len(Z), -1))
        assert not labels or np.array_equal(T.reshape(-1, 3).argmax(1), LABELS[numbers])
        return numbers

    assert len(outs) == (~np.isnan(machine.alpha_scores_)).sum()
    for ((Z, F, T, loss, _, w, copies, *_), without), score in zip(outs, machine.alpha_scores_, strict=True):
        numbers = those_of(Z, T, F, w)
        np.testing.assert_allclose(copies, W[numbers] / W[W > 0].mean(), atol=1e-12)  # all of a row
        losses = loss.value(T, without).reshape(32, -1).sum(1)
        assert score == pytest.approx(np.average(losses, weights=W[numbers]), rel=1e-9)
    pairs = [(told[1:3], curvature, sums) for (told, curvature), (sums, _) in pairwise(factors)
             if isinstance(told[0], Loss)]
    for (T, F), curvature, (design, _, named) in pairs:
        those_of(filled(design), T, F, named["weights"] / curvature[:, 0])
    assert len(pairs) > 1


def test_metrics_are_learnt_from_rows_with_their_targets_and_weights(spy, monkeypatch):
    """From few rows, and from two thirds of them, with the share of the weight that these bear."""
    monkeypatch.setattr(recursion, "_FEW", (60, 12))
    begun = spy((recursion._Iteration, "__init__"))
    rows, counts = np.column_stack([X, np.random.default_rng(1).standard_normal((N, 3))]), []
    RecursiveFeatureMachineRegressor(n_components=40, scaling=None, length_scale=0.5, alpha=0.1, **SEED).fit(rows, Y, W)
    for (_, _, S, T, w, _, _, *share, _), _ in begun:
        numbers = belong(S, T, w)
        counts.append(len(numbers))
        assert sum(share or [1.0]) == pytest.approx(W[numbers].sum() / W.sum())
    assert counts == [N, 60, 40, 40, 40]


def test_likelihoods_are_those_of_rows_with_their_targets_and_noise(spy, monkeypatch):
    monkeypatch.setattr(process_estimator, "_ROWS", 40)
    monkeypatch.setattr(scales, "_through", lambda scaler, X: X)
    asked = spy((process_estimator, "_most_likely"))
    RandomFeatureGP(n_components=12, **SEED).fit(X, Y, noise_variance=W)
    ((_, S, T, extra, *_), _), = asked
    belong(S, T, extra, 40)


@pytest.mark.parametrize("kind", [EERF, LKRF])
def test_features_are_chosen_by_rows_with_their_targets_and_weights(kind, spy):
    taken = spy((importlib.import_module(kind.__module__), "chosen_rows"))
    kind(RandomFourierFeatures(length_scale=0.3, n_components=20), n_components=4, subsample=40, **SEED).fit(X, Y, W)
    (_, rows), = taken
    belong(*rows, 40)
