"""Core vector machine: the ball against general solvers, the growth of the core, scikit-learn's rules, bad input."""

import numpy as np
import pytest
from scipy import optimize
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from rfbook import CoreVectorMachine, Gaussian, Polynomial
from rfbook.lab.baselines.core_vector_machine import smallest_ball

rng = np.random.default_rng(0)
X = rng.standard_normal((300, 2))
y = np.where((X**2).sum(1) + 0.5 * rng.standard_normal(300) > 1.4, "out", "in")


def machine(**parameters):
    return CoreVectorMachine(**{"length_scale": 1.0, "C": 10.0, "random_state": 0, **parameters})


@parametrize_with_checks([CoreVectorMachine(length_scale=1.0, C=100.0, random_state=0)])
def test_the_rules_of_scikit_learn(estimator, check):
    check(estimator)


def test_the_ball_is_the_smallest():
    """Its dual by a general solver, and its definition: no point outside, weights on the outermost only."""
    for m in (2, 5, 12):
        P = rng.standard_normal((m, 15))
        P *= 3 / np.linalg.norm(P, axis=1, keepdims=True)
        alpha, radius = smallest_ball(P @ P.T)
        want = optimize.minimize(lambda a, K=P @ P.T: a @ K @ a, np.full(m, 1 / m), bounds=[(0, None)] * m, tol=1e-12,
                                 constraints={"type": "eq", "fun": lambda a: a.sum() - 1})
        assert np.isclose(radius, np.sqrt(9 - want.fun), atol=1e-6) and np.isclose(alpha.sum(), 1)
        far = np.linalg.norm(P - alpha @ P, axis=1)
        assert far.max() <= radius + 1e-9 and np.allclose(far[alpha > 1e-9], radius)


def test_where_the_search_begins_does_not_matter():
    """Two hundred points of which few are outermost, from all of them, from one, from a wrong set; and NNLS."""
    t = np.where(y[:200] == "out", 1.0, -1.0)
    K = np.outer(t, t) * (Gaussian(1.0)(X[:200]) + 1) + np.eye(200) / 100
    L = np.linalg.cholesky(K)
    want = optimize.nnls(L.T, np.linalg.solve(L, np.ones(200)), maxiter=6000)[0]
    assert 5 < (want > 0).sum() < 195
    for start in (None, np.ones(200), np.eye(200)[7], (want == 0).astype(float), want):
        alpha, radius = smallest_ball(K, start)
        assert np.allclose(alpha, want / want.sum(), atol=1e-8) and (alpha >= 0).all()
        assert np.isclose(radius, np.sqrt(K[0, 0] - alpha @ K @ alpha))


def test_the_core_stands_for_all_rows():
    """Points of the feature space written out: the dual over all rows is at least that of the core, and nearly it."""
    t = np.where(y == "out", 1.0, -1.0)
    K = np.outer(t, t) * (Gaussian(1.0)(X) + 1) + 0.1 * np.eye(300)
    R = smallest_ball(K)[1]
    for eps in (0.1, 0.01):
        ours = machine(eps=eps).fit(X, y)
        radii, core = ours.radii_[0], ours.cores_[0]
        assert R / (1 + eps) <= radii[-1] <= R + 1e-9 and len(set(core)) == len(core)
        steps = np.arange(len(radii))
        assert (np.diff(radii) > 0).all() and (radii >= R * (1 - 2 / (steps + 2)) - 1e-9).all()
        assert len(radii) <= 4 / eps + 4 and len(core) == len(radii) + 1
    assert len(machine(eps=1e308).fit(X, y).cores_[0]) == 2  # the ball of the first two holds everything
    alone = smallest_ball(K[np.ix_(core, core)])
    assert np.isclose(alone[1], radii[-1])
    scores = (Gaussian(1.0)(X, X[core]) + 1) @ (alone[0] * t[core])
    assert np.allclose(ours.decision_function(X), scores)
    assert (ours.predict(X) == np.where(scores > 0, "out", "in")).all()


def test_it_is_the_machine_with_squared_slacks():
    """With the core complete: stationarity of the primal, weights in proportion to slacks."""
    ours = machine(eps=1e-7, max_core=300).fit(X, y)
    t, core = np.where(y == "out", 1.0, -1.0), ours.cores_[0]
    K = np.outer(t, t) * (Gaussian(1.0)(X) + 1) + 0.1 * np.eye(300)
    alpha = np.zeros(300)
    alpha[core] = ours._weights[0] * t[core]
    rho = alpha @ K @ alpha
    slack = rho - t * ours.decision_function(X)  # of the margin rho: C times the weight where it is positive
    assert np.allclose(10 * np.maximum(slack, 0), alpha, atol=1e-4)


def test_several_classes_and_sparse_rows():
    A, b = load_iris(return_X_y=True)
    ours = machine(C=1000.0).fit(A, b)
    assert len(ours.cores_) == 3 and ours.decision_function(A).shape == (150, 3) and ours.score(A, b) > 0.95
    assert ours.n_iter_ == max(map(len, ours.radii_))
    assert machine(max_core=5).fit(X, y).cores_[0].shape == (5,)


@pytest.mark.parametrize(("parameters", "sentence"), [
    ({"C": 0}, "C is 0"), ({"eps": 0}, "eps is 0"), ({"max_core": 1}, "max_core is 1"),
    ({"kernel": Polynomial(degree=2), "length_scale": None}, "kernel is Polynomial"),
    ({"kernel": "linear"}, "kernel is"), ({"length_scale": -1.0}, "length_scale is -1.0")])
def test_wrong_parameters(parameters, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}") as caught:
        machine(**parameters).fit(X, y)
    assert "\n" not in str(caught.value)


def test_one_class():
    with pytest.raises(ValueError, match="y holds one class only"):
        machine().fit(X, np.ones(300))
