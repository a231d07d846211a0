"""EigenPro: the preconditioner and the steps against plain NumPy, projections, scikit-learn's rules, bad input."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.kernel_ridge import KernelRidge
from sklearn.utils.estimator_checks import parametrize_with_checks

from rfbook import EigenProRegressor, Gaussian, Matern
from rfbook.lab.baselines.eigenpro import held_back, longest_step

rng = np.random.default_rng(0)
X = rng.uniform(-2, 2, (240, 2))
y = np.sin(2 * X[:, 0]) + X[:, 1]


def machine(**parameters):
    return EigenProRegressor(Gaussian(1.0), **{"n_directions": 20, "random_state": 0, **parameters})


@parametrize_with_checks([EigenProRegressor(length_scale=2.0, n_epochs=50, batch_size=20, random_state=0)])
def test_the_rules_of_scikit_learn(estimator, check):
    check(estimator)


def test_what_is_held_back():
    K = Gaussian(1.0)(X[:50])
    values, U = np.linalg.eigh(K)
    vectors, factors, largest = held_back(K, 5)
    assert np.isclose(largest, values[-6])
    P = np.eye(50) - vectors @ np.diag(factors * values[::-1][:5]) @ vectors.T
    want = np.minimum(values, values[-6])
    assert np.allclose(np.sort(np.linalg.eigvals(P @ K).real), np.sort(want), atol=1e-9)
    assert held_back(K, 0)[0].shape == (50, 0) and np.isclose(held_back(K, 0)[2], values[-1])


@pytest.mark.parametrize("delay", [1, 3])
def test_steps_of_batches_are_those_of_numpy(delay):
    """All rows are centres and subsample, so that projections lose nothing and delay changes nothing."""
    ours = machine(batch_size=60, n_epochs=2, delay=delay).fit(X, y)
    K, t = Gaussian(1.0)(X), (y - y.mean()) / y.std()
    vectors, factors, _ = held_back(K, 20)
    P = np.eye(240) - vectors @ np.diag(factors) @ vectors.T @ K  # of coefficients
    from rfbook._validation import streams

    order, theta = streams(0, 4)[2], np.zeros(240)
    for _ in range(2):
        shuffled = order.permutation(240)
        for rows in np.split(shuffled, 4):
            step = np.zeros(240)
            step[rows] = K[rows] @ theta - t[rows]
            G = K[rows] @ vectors
            left = K[np.ix_(rows, rows)] - (G * factors) @ G.T
            theta = theta - min(ours.step_, 1 / np.linalg.eigvalsh(left)[-1]) * (P @ step)
    assert np.allclose(ours.predict(X), y.mean() + y.std() * (K @ theta), atol=1e-6)


def test_steps_are_no_longer_than_their_batch_allows():
    left = np.cov(rng.standard_normal((30, 12)).T)
    top = np.linalg.eigvalsh(left)[-1]
    assert np.isclose(longest_step(left, 1e6), 1 / top) and longest_step(left, 0.9 / top) == 0.9 / top
    assert longest_step(left, 1e-3) == 1e-3


@pytest.mark.parametrize("delay", [1, 10])
@pytest.mark.parametrize("n_centers", [60, 244])
def test_far_rows_do_not_overshoot(delay, n_centers):
    """Rows unlike those of the subsample: the step of the subsample alone multiplies their residuals in each epoch."""
    outside = 20.0 * np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    rows, targets = np.vstack([X, outside]), np.append(y, [3.0, -3.0, 3.0, -3.0])
    found = machine(n_centers=n_centers, subsample=40, n_directions=30, batch_size=20, n_epochs=40, delay=delay)
    assert found.fit(rows, targets).step_ > 10  # what is left of the kernel at a far row is 1: 2 would be too long
    assert found.trace_.max() <= 1.5 and found.trace_[-1] < 0.5


def test_many_epochs_solve_the_machine():
    ours = machine(n_directions=60, n_epochs=300, batch_size=240).fit(X, y)
    exact = KernelRidge(alpha=1e-8, kernel="rbf", gamma=0.5).fit(X, y - y.mean())
    assert np.abs(ours.predict(X) - exact.predict(X) - y.mean()).max() < 0.02
    assert ours.trace_.shape == (300,) and ours.trace_[-1] < 1e-4


def test_few_centres_are_projections_and_delay_is_cheap():
    few = machine(n_centers=40, n_epochs=200, batch_size=60, delay=1).fit(X, y)
    late = machine(n_centers=40, n_epochs=200, batch_size=60, delay=4).fit(X, y)
    Z = few.centers_
    best = np.linalg.lstsq(Gaussian(1.0)(X, Z), y - y.mean(), rcond=1e-10)[0]
    least = np.mean((Gaussian(1.0)(X, Z) @ best + y.mean() - y) ** 2)
    for found in (few, late):
        assert found.centers_.shape == (40, 2) and found.dual_coef_.shape == (40,)
        assert np.mean((found.predict(X) - y) ** 2) < least + 0.01 * y.var()


def test_holding_back_is_faster():
    fast, slow = (machine(n_directions=q, n_epochs=10).fit(X, y).trace_[-1] for q in (60, 0))
    assert fast < slow


def test_random_states_units_and_kernels():
    a, b, c = (machine(n_centers=50, batch_size=30, random_state=seed).fit(X, y).predict(X) for seed in (0, 0, 1))
    assert np.array_equal(a, b) and not np.array_equal(a, c)
    scaled = machine(n_centers=50, batch_size=30).fit(X, 2.0**400 * y).predict(X)
    assert np.allclose(scaled / 2.0**400, a)
    assert np.allclose(machine().fit(X, np.full(240, 3.0)).predict(X), 3.0)
    rough = EigenProRegressor(Matern(nu=1.5, length_scale=1.0), n_epochs=30, random_state=0).fit(X, y)
    assert rough.score(X, y) > 0.9
    S = sparse.csr_matrix(np.where(X > 0, X, 0))
    assert np.allclose(machine().fit(S, y).predict(S), machine().fit(S.toarray(), y).predict(S.toarray()))
    assert np.allclose(machine(n_epochs=0).fit(X, y).predict(X), y.mean())


@pytest.mark.parametrize(("parameters", "sentence"), [
    ({"n_centers": 0}, "n_centers is 0"), ({"n_directions": -1}, "n_directions is -1"), ({"delay": 0}, "delay is 0"),
    ({"subsample": 0}, "subsample is 0"), ({"batch_size": 1.5}, "batch_size is 1.5"), ({"n_epochs": -1}, "n_epochs is"),
    ({"kernel": "gausian"}, "kernel is 'gausian'")])
def test_wrong_parameters(parameters, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}") as caught:
        machine(**{k: v for k, v in parameters.items() if k != "kernel"}).set_params(**parameters).fit(X, y)
    assert "\n" not in str(caught.value)
