"""Losses: a new one in ten lines, its derivatives, and Newton's method through moments."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.preprocessing import StandardScaler

from rfbook.solvers.losses import (
    LOSSES,
    HingeLoss,
    HuberLoss,
    LogisticLoss,
    Loss,
    MultinomialLoss,
    QuantileLoss,
    SquaredLoss,
)
from rfbook.solvers.moments import Moments


class SquaredHinge(Loss):
    def value(self, targets, scores):
        return 0.5 * np.maximum(1 - targets * scores, 0.0) ** 2

    def gradient(self, targets, scores):
        return -targets * np.maximum(1 - targets * scores, 0.0)

    def curvature(self, targets, scores):
        return (targets * scores < 1).astype(float)


@pytest.mark.parametrize("loss", [SquaredLoss(), LogisticLoss(), SquaredHinge()])
def test_derivatives(loss):
    rng = np.random.default_rng(0)
    f, t, h = 2 * rng.standard_normal((200, 3)), rng.choice([-1.0, 1.0], (200, 3)), 1e-5
    smooth = np.abs(1 - t * f) > 2 * h  # the squared hinge has a corner in its first derivative
    slope = (loss.value(t, f + h) - loss.value(t, f - h)) / (2 * h)
    bend = (loss.gradient(t, f + h) - loss.gradient(t, f - h)) / (2 * h)
    # central differences: h^2 / 6 times a third derivative below 1, and rounding of values below 40 over h
    np.testing.assert_allclose(loss.gradient(t, f), slope, atol=h**2 + 40 * 2.2e-16 / h)
    np.testing.assert_allclose(loss.curvature(t, f)[smooth], bend[smooth], atol=h**2 + 40 * 2.2e-16 / h)
    assert (loss.curvature(t, f) >= 0).all() and loss.value(t, f).shape == f.shape
    np.testing.assert_array_equal(loss.product(t, f, h * f), loss.curvature(t, f) * (h * f))
    np.testing.assert_array_equal(loss.typical(t, f), loss.curvature(t, f).mean(-1))
    assert loss.curvature(t, f).max() <= loss.bound


@pytest.mark.parametrize("loss", [HingeLoss(0.3), QuantileLoss(0.8, 0.3)])
def test_what_is_typical_of_a_row_is_the_mean_over_its_entries(loss):
    """Of rows of several problems with several targets each."""
    T, F = np.random.default_rng(0).choice([-1.0, 1.0], (2, 20, 4, 3))
    typical = loss.typical(T, F / 3)
    np.testing.assert_array_equal(typical, loss.product(T, F / 3, np.ones_like(F)).mean(-1))
    assert typical.shape == (20, 4) and np.ptp(typical) > 0


def newton(loss, Z, t, alpha, steps, w=1.0):
    """Minimise sum w L(t, f) + alpha |beta|^2 / 2 by ridge regressions."""
    f = np.zeros(len(t))
    for _ in range(steps):
        targets, weights = loss.newton(t, f)
        beta, c = Moments(Z.shape[1]).update(Z, targets, w * weights).solve(alpha)
        f = Z @ beta[:, 0] + c
    return beta[:, 0], c[0]


def test_newton_is_logistic_regression():
    X, y = load_breast_cancer(return_X_y=True)
    Z, t = StandardScaler().fit_transform(X), 2.0 * y - 1
    theirs = LogisticRegression(C=1 / 3.0, solver="newton-cholesky", tol=1e-10).fit(Z, y)
    beta, c = newton(LogisticLoss(), Z, t, 3.0, 12)
    np.testing.assert_allclose(beta, theirs.coef_[0], atol=1e-6)
    assert c == pytest.approx(theirs.intercept_[0], abs=1e-6)
    w = np.random.default_rng(0).integers(1, 4, len(y))
    theirs = LogisticRegression(C=1 / 3.0, solver="newton-cholesky", tol=1e-10).fit(Z, y, w)
    np.testing.assert_allclose(newton(LogisticLoss(), Z, t, 3.0, 12, w)[0], theirs.coef_[0], atol=1e-6)


def test_one_newton_step_of_the_squared_loss_is_ridge_regression():
    rng = np.random.default_rng(0)
    Z, t = rng.standard_normal((100, 7)) + 3, rng.standard_normal(100)
    theirs = Ridge(alpha=0.5).fit(Z, t)
    beta, c = newton(SquaredLoss(), Z, t, 0.5, 1)
    np.testing.assert_allclose(beta, theirs.coef_, atol=1e-10)
    assert c == pytest.approx(theirs.intercept_)


def test_flat_losses_have_no_weight():
    targets, weights = SquaredHinge().newton(np.array([1.0, 1.0]), np.array([5.0, 0.0]))
    assert targets.tolist() == [5.0, 1.0] and weights.tolist() == [0.0, 1.0]


def test_losses_by_name():
    assert LOSSES == {"squared": SquaredLoss, "logistic": LogisticLoss, "hinge": HingeLoss}
    with pytest.raises(NotImplementedError, match="Loss has no curvature"):
        Loss().newton(np.zeros(1), np.zeros(1))
    for name in ("value", "gradient"):
        with pytest.raises(NotImplementedError, match=name):
            getattr(Loss(), name)(np.zeros(1), np.zeros(1))


def test_multinomial_derivatives():
    loss, rng, h = MultinomialLoss(), np.random.default_rng(0), 1e-5
    for k in (2, 3, 7):
        F, V, T = 3 * rng.standard_normal((50, k)), rng.standard_normal((50, k)), np.eye(k)[rng.integers(0, k, 50)]
        slope = (loss.value(T, F + h * V) - loss.value(T, F - h * V)) / (2 * h)
        bend = (loss.gradient(T, F + h * V) - loss.gradient(T, F - h * V)) / (2 * h)
        # |V|^3 < 100 times h^2 / 6 times a third derivative below 1, and rounding of values below 40 over h
        noise = 20 * h**2 + 40 * 2.2e-16 / h
        np.testing.assert_allclose((loss.gradient(T, F) * V).sum(1), slope, atol=noise)
        np.testing.assert_allclose(loss.product(T, F, V), bend, atol=noise)
        np.testing.assert_allclose(loss.product(T, F, np.ones((50, k))), 0, atol=1e-15)
        for i, p in enumerate(loss.probabilities(F)):
            H = np.diag(p) - np.outer(p, p)
            values = np.linalg.eigvalsh(H)
            np.testing.assert_allclose(loss.curvature(T, F)[i], H.diagonal())
            assert loss.typical(T, F)[i] == pytest.approx(values.sum() / (k - 1)) and values[-1] <= loss.bound
    assert MultinomialLoss().typical(np.eye(2), np.zeros((2, 2))) == pytest.approx(0.5)  # the bound is reached
    with pytest.raises(NotImplementedError, match="entry by entry"):
        loss.newton(T, F)


def test_probabilities_keep_their_digits():
    F = np.array([[0.0], [40.0], [-800.0]])
    P, log_p = LogisticLoss().probabilities(F), LogisticLoss().log_probabilities(F)
    np.testing.assert_allclose(P, [[0.5, 0.5], [np.exp(-40), 1.0], [1.0, 0.0]], rtol=1e-15)
    np.testing.assert_allclose(log_p, [[-np.log(2)] * 2, [-40.0, -np.exp(-40)], [0.0, -800.0]], rtol=1e-15)
    scores = np.array([[0.0, 1e4, -1e4], [1e4, 1e4, 1e4]])
    P, log_p = MultinomialLoss().probabilities(scores), MultinomialLoss().log_probabilities(scores)
    np.testing.assert_allclose(P, [[0, 1, 0], [1 / 3] * 3])
    np.testing.assert_allclose(log_p, [[-1e4, 0, -2e4], [-np.log(3)] * 3])
    assert LogisticLoss().value(-1.0, 1e5) == 1e5 and LogisticLoss().gradient(1.0, -1e5) == -1
    assert MultinomialLoss().value(np.array([0, 0, 1.0]), scores[0]) == 2e4


@pytest.mark.parametrize("loss", [HingeLoss(0.3), QuantileLoss(0.8, 0.3), HuberLoss(0.7)])
def test_kinked_losses_lie_below_their_parabolas_and_have_their_slopes(loss):
    rng, h = np.random.default_rng(0), 1e-6
    t = rng.choice([-1.0, 1.0], 2000) if isinstance(loss, HingeLoss) else rng.standard_normal(2000)
    f, step = 2 * rng.standard_normal(2000), 2 * rng.standard_normal(2000)
    slope = (loss.value(t, f + h) - loss.value(t, f - h)) / (2 * h)
    np.testing.assert_allclose(loss.gradient(t, f), slope, atol=1e-5)
    above = loss.value(t, f) + loss.gradient(t, f) * step + loss.curvature(t, f) * step**2 / 2
    assert (loss.value(t, f + step) <= above + 1e-12).all() and (loss.value(t, f) >= -1e-12).all()
