"""The network of waves: its gradient, its bits, what it learns, and what it refuses."""

import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_limits

from rfbook import FourierNetwork, Gaussian
from rfbook._jit import epochs
from rfbook.lab.baselines import fourier_network

RNG = np.random.default_rng(0)
X = RNG.uniform(-3, 3, (300, 2))
Y = np.cos(3 * X[:, 0] + 1) + 0.5 * X[:, 1] + 7


def output(theta, X, paired):
    """The network by its definition."""
    angles = X @ theta[:-2]
    if paired:
        return np.cos(angles) @ theta[-2] + np.sin(angles) @ theta[-1]
    return np.cos(angles + theta[-1]) @ theta[-2]


@parametrize_with_checks([FourierNetwork(length_scale=1.0, n_components=10, n_epochs=10, phase=p, optimizer=o)
                          for p, o in (("paired", "adam"), ("offset", "sgd"))])
def test_sklearn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("d,m", [(1, 1), (3, 5)])
def test_the_gradient_is_that_of_the_mean_square(paired, d, m):
    """Central differences of step h err by h^2 / 6 times a third derivative, here below 1e4, and by rounding over h."""
    rng = np.random.default_rng([paired, d])
    x, y, theta = rng.standard_normal((6, d)), rng.standard_normal(6), rng.standard_normal((d + 2, m))
    rows, slope, h = np.array([4, 0, 5]), np.full((d + 2, m), np.nan), 1e-5
    total = epochs.gradient(x, y, rows, theta, paired, np.empty((2, m)), slope)
    assert total == pytest.approx(((output(theta, x[rows], paired) - y[rows]) ** 2).sum(), rel=1e-12)
    for place in np.ndindex(theta.shape):
        moved = [theta.copy(), theta.copy()]
        moved[0][place] += h
        moved[1][place] -= h
        squares = [np.mean((output(t, x[rows], paired) - y[rows]) ** 2) for t in moved]
        assert slope[place] == pytest.approx((squares[0] - squares[1]) / (2 * h), abs=1e-6)


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("adam", [True, False])
@pytest.mark.parametrize("batch", [1, 4, 10])
def test_an_epoch_is_the_steps_that_it_says(paired, adam, batch):
    rng = np.random.default_rng(1)
    x, y, theta = rng.standard_normal((10, 2)), rng.standard_normal(10), rng.standard_normal((4, 3))
    order, rate, ridge, made = rng.permutation(10), 0.01, 0.3, 5
    means = np.abs(rng.standard_normal((2, 4, 3)))
    mine, m, v, slope = theta.copy(), *means.copy(), np.empty((4, 3))
    for start in range(0, 10, batch):
        epochs.gradient(x, y, order[start : start + batch], mine, paired, np.empty((2, 3)), slope)
        slope[2] += 2 * ridge * mine[2]
        slope[3] += 2 * ridge * mine[3] if paired else 0.0
        made += 1
        m, v = 0.9 * m + 0.1 * slope, 0.999 * v + 0.001 * slope**2
        adams = m / (1 - 0.9**made) / (np.sqrt(v / (1 - 0.999**made)) + 1e-8)
        mine -= rate * (adams if adam else slope)
    epochs.epoch(x, y, order, batch, theta, means, 5, paired, rate, ridge, adam)
    np.testing.assert_allclose(theta, mine, rtol=1e-9, atol=1e-12)


def test_an_epoch_knows_all_batches_before_it(monkeypatch):
    """Of 300 rows by 80, four: the last has sixty."""
    before, epoch = [], epochs.epoch
    monkeypatch.setattr(epochs, "epoch", lambda *told: before.append(told[6]) or epoch(*told))
    network = FourierNetwork(n_components=8, batch_size=80, n_epochs=3, random_state=0).fit(X, Y)
    network.partial_fit(X, Y)
    assert before == [0, 4, 8, 12]


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
@pytest.mark.parametrize("phase", ["paired", "offset"])
def test_training_learns_what_fixed_frequencies_cannot(phase, optimizer):
    network = FourierNetwork(length_scale=1.0, n_components=40, phase=phase, optimizer=optimizer, n_epochs=60,
                             random_state=0).fit(X, Y)
    assert network.trace_.shape == (60,) and network.trace_[-1] < 0.2 * network.trace_[0]
    assert network.score(X, Y) > 1 - 2 * network.trace_[-1]
    kept = network.waves_
    assert len(kept) == (20 if phase == "paired" else 40) and network.n_components_ == 40
    sums = np.cos(X @ kept.frequencies.T + kept.phases) @ kept.amplitudes + network.intercept_
    np.testing.assert_allclose(network.predict(X), sums, atol=1e-9)
    assert network.intercept_ == pytest.approx(Y.mean())


def test_where_it_starts_and_what_moves_first():
    """All amplitudes are 0, so the first step moves amplitudes alone, whatever the rate."""
    network = FourierNetwork(Gaussian(0.5), n_components=9, optimizer="sgd", n_epochs=0, random_state=3).fit(X, Y)
    assert network.n_components_ == 10 and (network.waves_.amplitudes == 0).all() and network.n_epochs_ == 0
    np.testing.assert_array_equal(network.predict(X), np.full(300, network.intercept_))
    whole = clone(network).set_params(n_epochs=1, batch_size=10_000).fit(X, Y)
    np.testing.assert_array_equal(whole.waves_.frequencies, network.waves_.frequencies)
    assert (whole.waves_.amplitudes > 0).all() and whole.learning_rate_ == 0.1 / 5


def test_bits_depend_on_the_seed_and_on_nothing_else():
    code = ("import numpy as np\nfrom rfbook import FourierNetwork\nnp.random.seed(1)\n"
            "X = np.linspace(-1, 1, 90).reshape(30, 3)\n"
            "n = FourierNetwork(n_components=12, n_epochs=3, random_state=5).fit(X, X[:, 0] ** 2)\n"
            "print(n.predict(X).tobytes().hex())")
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                           env={**os.environ, "OPENBLAS_NUM_THREADS": "2"}).stdout
    rows = np.linspace(-1, 1, 90).reshape(30, 3)
    with threadpool_limits(1):
        here = FourierNetwork(n_components=12, n_epochs=3, random_state=5).fit(rows, rows[:, 0] ** 2).predict(rows)
    assert there.strip() == here.tobytes().hex()
    a, b, c = (FourierNetwork(n_components=12, n_epochs=2, random_state=s).fit(X, Y).predict(X) for s in (0, 0, 1))
    assert (a == b).all() and (a != c).any()


def test_one_epoch_more_is_an_epoch_of_the_fit():
    whole = FourierNetwork(n_components=20, n_epochs=4, random_state=0).fit(X, Y)
    parts = FourierNetwork(n_components=20, random_state=0)
    for _ in range(4):
        parts.partial_fit(X, Y)
    np.testing.assert_array_equal(parts.predict(X), whole.predict(X))
    np.testing.assert_array_equal(parts.trace_, whole.trace_)
    with pytest.raises(ValueError, match="features"):
        parts.partial_fit(X[:, :1], Y)


def test_units_of_the_targets_do_not_matter():
    plain = FourierNetwork(n_components=20, n_epochs=3, random_state=0).fit(X, Y)
    scaled = FourierNetwork(n_components=20, n_epochs=3, random_state=0).fit(X, 2.0**400 * Y)
    np.testing.assert_allclose(scaled.predict(X), 2.0**400 * plain.predict(X), rtol=1e-9)
    constant = FourierNetwork(n_components=20, n_epochs=3, random_state=0).fit(X, np.full(300, 3.5))
    np.testing.assert_allclose(constant.predict(X), 3.5, rtol=1e-12)


def test_sparse_rows_are_rows():
    A = sparse.random(60, 5, density=0.4, random_state=0, format="csr")
    y = np.arange(60.0)
    network = FourierNetwork(length_scale=1.0, n_components=8, n_epochs=2, random_state=0)
    np.testing.assert_array_equal(clone(network).fit(A, y).predict(A), network.fit(A.toarray(), y).predict(A.toarray()))


def test_a_ridge_makes_amplitudes_small():
    free, held = (FourierNetwork(n_components=20, alpha=a, random_state=0).fit(X, Y).waves_.amplitudes
                  for a in (0.0, 300.0))
    assert np.abs(held).max() < 0.5 * np.abs(free).max()


@pytest.mark.parametrize("name,value", [("optimizer", "adagrad"), ("phase", "both"), ("learning_rate", 0),
                                        ("learning_rate", "fast"), ("learning_rate", np.nan), ("batch_size", 0),
                                        ("n_epochs", -1), ("n_epochs", 2.5), ("alpha", -1.0), ("n_components", 0),
                                        ("kernel", "square"), ("length_scale", -1.0), ("random_state", "x")])
def test_wrong_parameters_are_named(name, value):
    with pytest.raises(ValueError, match=name):
        FourierNetwork(**{"n_components": 4, name: value}).fit(X[:20], Y[:20])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_wrong_data_are_refused(bad):
    network = FourierNetwork(n_components=4, n_epochs=1)
    with pytest.raises(ValueError, match="X"):
        network.fit(np.where(np.arange(600).reshape(300, 2) == 7, bad, X), Y)
    with pytest.raises(ValueError, match="y"):
        network.fit(X, np.where(np.arange(300) == 7, bad, Y))
    with pytest.raises(ValueError, match="samples"):
        network.fit(X, Y[:-1])
    with pytest.raises(ValueError, match="y"):
        network.fit(X, np.column_stack([Y, Y]))
    with pytest.raises(NotFittedError):
        network.predict(X)


def test_a_rate_that_is_too_large_says_so_and_leaves_no_network():
    network = FourierNetwork(length_scale=1.0, n_components=200, optimizer="sgd", learning_rate=5.0, random_state=0)
    with pytest.raises(ValueError, match="learning_rate is 5, and with it the training diverges"):
        network.fit(X, Y)
    with pytest.raises(NotFittedError):
        network.predict(X)


def test_moments_of_large_and_of_equal_targets():
    assert fourier_network.mean_and_spread(np.array([1e300, 3e300])) == pytest.approx((2e300, 1e300), rel=1e-12)
    assert fourier_network.mean_and_spread(np.zeros(4)) == (0.0, 1.0)
    assert fourier_network.mean_and_spread(np.full(4, 0.1))[1] == 1.0
