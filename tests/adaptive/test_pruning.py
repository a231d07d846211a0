"""The inner steps of pruned machines, against differences and brute force."""

from types import SimpleNamespace

import numpy as np
import pytest

from rfbook import HARFERegressor, SRFFRegressor
from rfbook.adaptive import prune
from rfbook.adaptive import pruning as _pruning
from rfbook.maps.scales import median_distance
from rfbook.solvers import DenseDesign, normal_equations

rng = np.random.default_rng(0)
Z, Y, W = rng.standard_normal((40, 6)), rng.standard_normal((40, 1)), rng.integers(1, 4, 40) * 1.0
WIDE = rng.standard_normal((12, 30))


@pytest.mark.parametrize(("rows", "targets", "weights"), [(Z, Y, W), (Z, Y, None), (WIDE, Y[:12], W[:12])])
@pytest.mark.parametrize("alpha", [0.3, 20.0])
def test_the_objective_of_a_pursuit_its_gradient_and_its_solution(rows, targets, weights, alpha):
    moments = normal_equations(DenseDesign(rows), targets, weights=weights)
    w = np.ones(len(rows)) if weights is None else weights
    heights = np.sqrt(np.average((rows - np.average(rows, axis=0, weights=w)) ** 2, axis=0, weights=w))
    np.testing.assert_allclose(_pruning.feature_heights(moments), heights, rtol=1e-9)
    problem = _pruning.Quadratic(moments, heights, alpha)
    A = (rows - np.average(rows, axis=0, weights=w)) / heights
    b = targets[:, 0] - np.average(targets[:, 0], weights=w)

    def objective(c):
        return w @ (b - A @ c) ** 2 + alpha * c @ c

    c = rng.standard_normal(rows.shape[1])
    slopes = [(objective(c + h) - objective(c - h)) / 2e-4 for h in 1e-4 * np.eye(len(c))]
    np.testing.assert_allclose(2 * problem.gradient(c), slopes, rtol=1e-6, atol=1e-6)
    assert problem.scale() == pytest.approx(np.mean((w[:, None] * A**2).sum(0)), rel=1e-9)
    places = np.array([0, 2, 5])
    solved, value = problem.solved(places)
    assert value == pytest.approx(objective(solved), rel=1e-8)
    assert set(np.flatnonzero(solved)) <= set(places)
    np.testing.assert_allclose(problem.gradient(solved)[places], 0, atol=1e-8)
    assert _pruning.Quadratic(moments, heights, alpha).square == pytest.approx(objective(0 * c), rel=1e-9)


def test_columns_that_are_cut_are_held_at_their_means():
    X, y = rng.standard_normal((50, 3)) + [5.0, -3.0, 1.0], rng.standard_normal(50)
    seen = []

    def score(machine, rows, targets):
        seen.append(rows.copy())
        return -abs(len(seen) - 3)

    machine = SimpleNamespace(relevances_=np.array([0.1, -3.0, 2.0]))
    columns, scores = prune.top_k(machine, X, y, scoring=score)
    assert columns.tolist() == [1, 2] and len(scores) == 4
    for k, kept in enumerate(([], [1], [1, 2], [1, 2, 0])):
        want = np.tile(X.mean(0), (50, 1))
        want[:, kept] = X[:, kept]
        np.testing.assert_allclose(seen[k], want)
    seen.clear()
    prune.top_k(machine, X, y, centre=[7.0, 8.0, 9.0], scoring=score)
    assert np.array_equal(seen[0], np.tile([7.0, 8.0, 9.0], (50, 1)))


@pytest.mark.parametrize("kind", [SRFFRegressor, HARFERegressor])
def test_targets_are_centred_by_their_weights(kind):
    """A constant target away from 0 is fitted by the intercept alone, in whatever units."""
    X, y = rng.standard_normal((60, 2)), np.where(np.arange(60) < 30, 5.0, -1000.0)
    w = (np.arange(60) < 30) * 2.0
    machine = kind(n_components=10, length_scale=1.0, scaling=None, random_state=0).fit(X, y, sample_weight=w)
    np.testing.assert_allclose(machine.predict(X[:5]), 5.0, rtol=1e-9)
    rows = _pruning.pruned_rows(machine, X, np.arange(60.0), np.arange(60.0), rng)
    assert rows.centre == pytest.approx(np.average(np.arange(60.0), weights=np.arange(60.0)))
    assert rows.weights.tolist() == list(range(1, 60)) and rows.size > 1  # a row without weight is none
    assert np.average(rows.y, weights=rows.weights) == pytest.approx(0, abs=1e-12)
    assert np.average(rows.y**2, weights=rows.weights) == pytest.approx(1)
    X[30:] *= 1e9  # which makes no column vary that does not
    X[:30, 1] = 2.0
    again = kind(n_components=10, length_scale=1.0, scaling=None, random_state=0).fit(X, np.sin(X[:, 0]) + y, w)
    assert again.relevances_[1] == 0 < again.relevances_[0]


def test_the_ridge_of_folds_is_the_one_of_least_error_and_of_ties_the_largest():
    halves = [normal_equations(DenseDesign(Z[rows]), Y[rows]) for rows in (slice(0, 20), slice(20, 40))]
    asked = []

    def fit(moments, alpha):
        asked.append(alpha)
        coef, intercept = moments.solve(alpha)
        return coef[:, 0], float(intercept[0]), np.arange(6)

    best = _pruning.ridge_of_folds(halves, fit)
    alphas = 40 * 10.0 ** np.arange(-6, 1)
    errors = []
    for alpha in alphas:
        missed = 0.0
        for held, rest in ((slice(0, 20), slice(20, 40)), (slice(20, 40), slice(0, 20))):
            coef, intercept = normal_equations(DenseDesign(Z[rest]), Y[rest]).solve(alpha)
            missed += ((Z[held] @ coef + intercept - Y[held]) ** 2).sum()
        errors.append(missed)
    assert best == pytest.approx(alphas[np.argmin(errors)]) and len(asked) == 14
    assert _pruning.ridge_of_folds(halves[:1], fit) == pytest.approx(20.0)


def test_the_scale_of_waves_that_look_at_few_columns_shrinks_as_their_distances_do():
    """A square of a distance is a sum over columns, of which a wave of an order sees that share."""
    rows, machine = np.random.default_rng(1).standard_normal((60, 8)), HARFERegressor()
    plain = median_distance(rows, np.random.default_rng(0))
    for order in (1, 2, 8):
        kernel = _pruning.kernel_of_order(machine, rows, order, np.random.default_rng(0))
        assert kernel.length_scale == pytest.approx(plain * (order / 8) ** 0.5, rel=1e-12)


def test_a_round_goes_on_as_long_as_the_value_falls():
    """A bowl of curvatures 1 and 10, from (1, 1): one step of 0.1 ends 0.405 above the least value."""
    def bowl(x):
        slopes = np.array([1.0, 10.0]) * x
        return 1 + x @ slopes / 2, slopes

    found = [_pruning.round_of_steps(bowl, np.ones(2), 0.1, lambda x: x, steps) for steps in (1, 200)]
    assert found[0][1] == pytest.approx(1.405) and found[1][1] < 1.001
    assert all(bowl(point)[0] == value for point, value, _ in found)
