"""Machines that stretch: gradients, epochs, limits, what they learn, their bits, and what they refuse."""

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

from rfbook import RandomFeatureRegressor, RFFNetClassifier, RFFNetRegressor
from rfbook.adaptive import stretch
from rfbook.adaptive.training import Stretching, train
from rfbook.draws import Waves, sample_waves
from rfbook.kernels import Gaussian, Matern
from rfbook.solvers import LogisticLoss, MultinomialLoss, SquaredLoss

RNG = np.random.default_rng(0)
X = RNG.standard_normal((600, 6))
Y = np.sin(2 * X[:, 1]) + X[:, 4] * X[:, 1] + 7
LABELS = np.array(["no", "yes"])[(X[:, 2] * X[:, 3] > 0).astype(int)]
THREE = np.digitize(X[:, 0] + X[:, 5], [-0.7, 0.7])


def features(waves, X):
    """By their definition."""
    T = X @ np.asarray(waves.frequencies).T
    return waves.amplitudes * (np.hstack([np.cos(T), np.sin(T)]) if waves.phases is None else np.cos(T + waves.phases))


def reference(waves, theta, coef, shift, loss, X, Y, shares):
    """Mean loss and its gradient in plain NumPy, by the chain rule."""
    T = (X * theta) @ waves.frequencies.T
    Z, n, m = features(waves, X * theta), len(X), len(waves)
    F = Z @ coef.T + shift
    E = loss.gradient(Y, F) * shares[:, None] / n
    if waves.phases is None:
        inner = E @ coef[:, m:] * np.cos(T) - E @ coef[:, :m] * np.sin(T)
    else:
        inner = -E @ coef * np.sin(T + waves.phases)
    slope = waves.amplitudes * (X * (inner @ waves.frequencies)).sum(0)
    values = loss.value(Y, F).reshape(n, -1).sum(1)
    return shares @ values / n, np.concatenate([slope, (E.T @ Z).ravel(), E.sum(0)])


def problem(loss, phase, k=3, n=40, d=4, amplitude=None):
    rng = np.random.default_rng([k, n, d])
    waves = sample_waves(Gaussian(), 5, d, rng, phase=phase)
    waves = waves if amplitude is None else Waves(waves.frequencies, waves.phases, amplitude)
    theta, coef, shift = rng.standard_normal(d), rng.standard_normal((k, waves.width)), rng.standard_normal(k)
    rows, shares = rng.standard_normal((n, d)), rng.uniform(0.5, 2, n)
    codes = rng.integers(k, size=n)
    targets = {SquaredLoss: rng.standard_normal((n, k)), LogisticLoss: np.sign(rng.standard_normal((n, k))),
               MultinomialLoss: np.eye(k)[codes]}[type(loss)]
    return waves, theta, coef, shift, rows, targets, shares


# ---- gradients and epochs --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", [SquaredLoss(), LogisticLoss(), MultinomialLoss()], ids=lambda x: type(x).__name__)
@pytest.mark.parametrize("phase", ["paired", "offset"])
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-13), (np.float32, 1e-6)])
def test_gradients_are_those_of_plain_numpy(loss, phase, dtype, tolerance):
    """Single precision rounds to 6e-8, angles of few turns; sums of forty rows of size 1 / 40 keep that."""
    waves, theta, coef, shift, rows, targets, shares = problem(loss, phase)
    if dtype == np.float32:  # the same numbers for both
        rows, targets, shares, theta, coef, shift = (a.astype(dtype).astype(float) for a in (
            rows, targets, shares, theta, coef, shift))
        waves = Waves(waves.frequencies, waves.phases, float(dtype(waves.amplitudes)))
    training = Stretching(waves, theta, coef, shift, loss, dtype=dtype)
    some = np.array([3, 17, 0, 39, 5, 6, 7])
    value, slope = reference(waves, theta, coef, shift, loss, rows[some], targets[some], shares[some])
    found = training.slopes(*(a.astype(dtype) for a in (rows, targets, shares)), some)
    assert np.abs(found - slope).max() <= tolerance * np.abs(slope).max()
    got = training.value(*(a[some].astype(dtype) for a in (rows, targets, shares)))
    assert got == pytest.approx(value, rel=10 * tolerance)


@pytest.mark.parametrize("how", ["adam", "prox-gradient", "adam-prox"])
@pytest.mark.parametrize("batch", [1, 7, 40, 100])
def test_an_epoch_is_the_steps_that_it_says(how, batch):
    loss = SquaredLoss()
    waves, theta, coef, shift, rows, targets, shares = problem(loss, "paired", k=2, amplitude=0.7)
    rate, ridge, d, order = 0.01, 0.3, 4, np.random.default_rng(1).permutation(40)
    training = Stretching(waves, theta, coef, shift, loss, optimizer=how, rate=rate, ridge=ridge, dtype=float)
    p, m, v, total = training.p.copy(), 0.0, 0.0, 0.0
    middle = slice(d, d + coef.size)
    for t, start in enumerate(range(0, 40, batch), 1):
        some = order[start : start + batch]
        value, g = reference(waves, p[:d], p[middle].reshape(coef.shape), p[-2:], loss, rows[some], targets[some],
                             shares[some])
        total += value * len(some)
        if how == "adam":
            g[middle] += ridge * p[middle]
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
        adapted = m / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        p -= rate * (g if how == "prox-gradient" else adapted)
        if how != "adam":
            p[middle] /= 1 + rate * ridge
    met = training.epoch(rows, targets, shares, order, batch)
    np.testing.assert_allclose(training.p, p, rtol=1e-9, atol=1e-10)
    assert met == pytest.approx(total / 40, rel=1e-12) and training.made == -(-40 // batch)


def test_what_is_held_does_not_move():
    waves, theta, coef, shift, rows, targets, shares = problem(SquaredLoss(), "offset", k=1)
    training = Stretching(waves, theta, coef, shift, moves=False, shifts=False, dtype=float)
    training.epoch(rows, targets, shares, np.arange(40), 8)
    np.testing.assert_array_equal(training.theta, theta)
    np.testing.assert_array_equal(training.shift, shift)
    assert np.abs(training.coef - coef).max() > 0
    np.testing.assert_allclose(training.stretched().frequencies, waves.frequencies * theta)


def test_training_keeps_the_best_epoch_and_stops_when_patience_ends():
    losses = iter([5.0, 4.0, 4.5, 3.0, 3.5, 3.6, 3.7, 9.9])

    class Script:
        optimizer, p = "adam", np.zeros(1)

        def epoch(self, X, Y, shares, order, batch):
            self.p[:] += 1
            return 1.0

        def value(self, *held):
            return next(losses)

    script, data = Script(), (np.zeros((4, 1)),) * 3
    went = train(script, data, data, np.random.default_rng(0), 100, 2, patience=3)
    assert went.held == [5.0, 4.0, 4.5, 3.0, 3.5, 3.6, 3.7] and len(went.met) == 6  # the third one after the best
    assert went.best == 3 and script.p[0] == 3 and not went.diverged


def test_rows_that_fill_no_batch_wait_as_in_the_paper():
    seen = []

    class Script:
        p = np.zeros(1)

        def epoch(self, X, Y, shares, order, batch):
            seen.append(len(order))
            return 1.0

        def value(self, *held):
            return 1.0

    for how in ("adam", "adam-prox"):
        Script.optimizer = how
        train(Script(), (np.zeros((10, 1)),) * 3, None, np.random.default_rng(0), 1, 4, 1)
    assert seen == [10, 8]


# ---- machines --------------------------------------------------------------------------------------------------------

SMALL = {"n_components": 50, "n_epochs": 20, "validation_fraction": 0.2, "random_state": 0}
WHY = ("rows that are held back and batches are drawn, and a row twice in the table is not the same draw as once with "
       "the weight 2")
DRAWN = {"check_sample_weight_equivalence_on_dense_data": WHY, "check_sample_weight_equivalence_on_sparse_data": WHY}


@parametrize_with_checks([RFFNetRegressor(**SMALL), RFFNetClassifier(**SMALL),
                          RFFNetRegressor(**SMALL, refit=False, learning_rate=0.03, batch_size=16),
                          RFFNetClassifier(**{**SMALL, "n_epochs": 30}, optimizer="prox-gradient", refit=False,
                                           phase="offset")],
                         expected_failed_checks=lambda estimator: DRAWN)
def test_sklearn_contract(estimator, check):
    check(estimator)


def test_relevant_columns_are_found_and_help():
    machine = RFFNetRegressor(n_components=100, random_state=0).fit(X[:500], Y[:500])
    assert set(np.argsort(-machine.relevances_)[:2]) == {1, 4}
    plain = RandomFeatureRegressor(n_components=100, random_state=0).fit(X[:500], Y[:500])
    assert machine.score(X[500:], Y[500:]) > max(0.95, plain.score(X[500:], Y[500:]))
    assert machine.validation_losses_.argmin() == machine.best_epoch_ > 0
    assert machine.n_epochs_ == len(machine.training_losses_) == len(machine.validation_losses_) - 1
    np.testing.assert_array_equal(machine.relevances_, np.abs(machine.stretch_))


@pytest.mark.parametrize("refit", [True, False])
@pytest.mark.parametrize("phase", ["paired", "offset"])
def test_a_prediction_is_stretched_waves_times_weights(refit, phase):
    machine = RFFNetRegressor(n_components=31, n_epochs=3, phase=phase, refit=refit, random_state=0).fit(X, Y)
    waves, S = machine.features_.waves_, (X - X.mean(0)) / X.std(0)
    assert waves.width == machine.features_.n_components_ == (32 if phase == "paired" else 31)
    np.testing.assert_allclose(machine.predict(X), features(waves, S) @ machine.feature_coef_ + machine.intercept_,
                               atol=1e-9)
    start = clone(machine).set_params(n_epochs=0).fit(X, Y)
    ratio = machine.stretch_ / start.stretch_
    np.testing.assert_allclose(waves.frequencies, start.features_.waves_.frequencies * ratio, rtol=1e-12)


def test_weights_are_those_of_ridge_regression():
    machine = RFFNetRegressor(n_components=20, n_epochs=2, alpha=0.5, random_state=0).fit(X, Y)
    Z = features(machine.features_.waves_, (X - X.mean(0)) / X.std(0))
    Z0 = Z - Z.mean(0)
    want = np.linalg.solve(Z0.T @ Z0 + 0.5 * np.eye(20), Z0.T @ (Y - Y.mean()))
    np.testing.assert_allclose(machine.feature_coef_, want, rtol=1e-6, atol=1e-8)
    assert machine.alpha_ == 0.5


@pytest.mark.parametrize("labels", [LABELS, THREE])
@pytest.mark.parametrize("refit", [True, False])
def test_classes(labels, refit):
    machine = RFFNetClassifier(n_components=100, refit=refit, random_state=0).fit(X[:500], labels[:500])
    assert machine.score(X[500:], labels[500:]) > 0.85
    P = machine.predict_proba(X)
    assert P.shape == (600, len(set(labels)))
    np.testing.assert_allclose(P.sum(1), 1, rtol=1e-12)
    np.testing.assert_allclose(np.log(P), machine.predict_log_proba(X), atol=1e-9)
    np.testing.assert_array_equal(machine.classes_[P.argmax(1)], machine.predict(X))
    wanted = {2, 3} if labels is LABELS else {0, 5}
    assert set(np.argsort(-machine.relevances_)[:2]) == wanted


def test_several_targets_are_trained_together():
    both = np.column_stack([Y, 3 * X[:, 0]])
    machine = RFFNetRegressor(n_components=100, random_state=0).fit(X, both)
    assert machine.predict(X).shape == (600, 2) and machine.feature_coef_.shape == (2, 100)
    assert machine.alpha_.shape == (2,) and machine.score(X, both) > 0.95


@pytest.mark.parametrize("how", ["adam", "prox-gradient", "adam-prox"])
def test_every_optimizer_learns(how):
    machine = RFFNetRegressor(n_components=100, optimizer=how, random_state=0).fit(X, Y)
    assert machine.validation_losses_.min() < 0.2 * machine.validation_losses_[0]


def test_the_printed_settings():
    machine = RFFNetRegressor(**stretch.AS_PRINTED | {"n_epochs": 2}, random_state=0).fit(X, Y)
    assert machine.features_.waves_.amplitudes == 1 and machine.intercept_ == 0
    S = (X - X.mean(0)) / X.std(0)
    start = RFFNetRegressor(**stretch.AS_PRINTED | {"n_epochs": 0}, random_state=0).fit(X, Y)
    np.testing.assert_allclose(start.stretch_, np.ptp(S, axis=0) / 6, rtol=1e-6)
    assert np.abs(start.feature_coef_).max() <= 1 / np.sqrt(300) < 30 * np.abs(start.feature_coef_).mean()
    box = RFFNetRegressor(**stretch.AS_PRINTED | {"learning_rate": 0.01}, alpha=540 * 100, random_state=0).fit(X, Y)
    assert np.abs(box.feature_coef_).max() <= 0.01 + 1 / np.sqrt(300) / 2  # the half-width of the box, and what is left


def test_bits_depend_on_the_seed_and_on_nothing_else():
    code = ("import numpy as np\nfrom rfbook import RFFNetRegressor\nnp.random.seed(1)\n"
            "X = np.linspace(-1, 1, 90).reshape(30, 3)\n"
            "n = RFFNetRegressor(n_components=12, n_epochs=3, random_state=5).fit(X, X[:, 0] ** 2)\n"
            "print(n.predict(X).tobytes().hex())")
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                           env={**os.environ, "OPENBLAS_NUM_THREADS": "2"}).stdout
    rows = np.linspace(-1, 1, 90).reshape(30, 3)
    with threadpool_limits(1):
        here = RFFNetRegressor(n_components=12, n_epochs=3, random_state=5).fit(rows, rows[:, 0] ** 2).predict(rows)
    assert there.strip() == here.tobytes().hex()
    a, b, c = (RFFNetRegressor(n_components=12, n_epochs=2, random_state=s).fit(X, Y).predict(X) for s in (0, 0, 1))
    assert (a == b).all() and (a != c).any()


def test_a_warm_start_goes_on():
    machine = RFFNetRegressor(n_components=50, n_epochs=5, warm_up=100, patience=100, warm_start=True, random_state=0)
    machine.fit(X, Y)
    first, made = machine.validation_losses_, machine._training.made
    waves = machine._training.waves
    machine.fit(X, Y)
    assert machine._training.waves is waves  # seventeen batches of 33 rows; weights alone for six epochs, once
    assert (made, machine._training.made) == (17 * (6 + 5), 17 * (6 + 5 + 5))
    assert machine.validation_losses_[0] == first.min() and machine.validation_losses_.min() < first.min()
    with pytest.raises(ValueError, match="features"):
        machine.fit(X[:, :2], Y)
    labels = RFFNetClassifier(n_components=10, n_epochs=1, warm_start=True).fit(X, LABELS)
    with pytest.raises(ValueError, match="warm_start goes on from"):
        labels.fit(X, THREE)
    assert clone(machine).set_params(warm_start=False).fit(X, Y).n_epochs_ == 5


def test_a_warm_start_goes_on_as_it_is_told_now():
    machine = RFFNetRegressor(n_components=12, n_epochs=1, validation_fraction=0.0, warm_start=True, random_state=0)
    now = {"alpha": 7.0, "learning_rate": 0.02, "optimizer": "prox-gradient", "fit_intercept": False, "refit": False}
    went = machine.fit(X, Y).set_params(**now).fit(X, Y)._training
    assert (went.ridge, went.rate, went.optimizer, went.shifts) == (7.0 / len(Y), 0.02, "prox-gradient", False)


def test_units_of_targets_and_columns_do_not_matter():
    plain = RFFNetRegressor(n_components=20, n_epochs=3, random_state=0).fit(X, Y)
    for power in (-300, 300):
        scaled = RFFNetRegressor(n_components=20, n_epochs=3, random_state=0).fit(X, 2.0**power * Y)
        np.testing.assert_allclose(scaled.predict(X), 2.0**power * plain.predict(X), rtol=1e-6)
    columns = 2.0 ** np.array([-20, 3, 0, 9, 30, -1])
    moved = RFFNetRegressor(n_components=20, n_epochs=3, random_state=0).fit(X * columns, Y)
    np.testing.assert_allclose(moved.relevances_, plain.relevances_, rtol=1e-3)


def test_constant_and_equal_columns():
    wide = np.column_stack([X[:, 1], np.full(600, 3.0), X[:, 4], X[:, 1]])
    machine = RFFNetRegressor(n_components=100, random_state=0).fit(wide, Y)
    assert machine.relevances_[1] == 0 and machine.relevances_[[0, 2, 3]].min() > 0.1
    assert machine.score(wide, Y) > 0.95
    flat = RFFNetRegressor(n_components=10, random_state=0).fit(np.ones((50, 2)), Y[:50])
    np.testing.assert_allclose(flat.predict(np.ones((3, 2))), Y[:50].mean(), rtol=1e-6)
    same = RFFNetRegressor(n_components=10, random_state=0).fit(X, np.full(600, 2.5))
    np.testing.assert_allclose(same.predict(X), 2.5, rtol=1e-9)


def test_weights_of_rows_count():
    """Rows whose target is turned have no weight, and are not learnt."""
    turned = np.where(np.arange(600) % 3 == 0, -Y, Y)
    weights = np.where(np.arange(600) % 3 == 0, 0.0, 2.0)
    machine = RFFNetRegressor(n_components=100, random_state=0).fit(X, turned, sample_weight=weights)
    assert machine.score(X, Y) > 0.95
    ones = RFFNetRegressor(n_components=20, n_epochs=2, random_state=0)
    fives = clone(ones).fit(X, Y, np.full(600, 5.0))
    np.testing.assert_allclose(fives.predict(X), ones.fit(X, Y).predict(X), rtol=1e-3)
    with pytest.raises(ValueError, match="n_samples = 1 with weight"):
        ones.fit(X[:20], Y[:20], np.eye(20)[0])
    rare = RFFNetClassifier(n_components=20, n_epochs=2, class_weight={"no": 1e-3, "yes": 1.0}, random_state=0)
    assert (rare.fit(X, LABELS).predict(X) == "yes").mean() > 0.9


def test_sparse_rows_are_rows():
    A = sparse.random(80, 5, density=0.4, random_state=0, format="csr")
    y = A @ np.arange(5.0)
    machine = RFFNetRegressor(n_components=8, n_epochs=2, scaling=None, random_state=0)
    np.testing.assert_allclose(clone(machine).fit(A, y).predict(A), machine.fit(A.toarray(), y).predict(A.toarray()),
                               rtol=1e-6)
    assert RFFNetClassifier(n_components=8, n_epochs=2).fit(A, y > y.mean()).predict(A).shape == (80,)


def test_kernels_bring_their_waves():
    for kernel in ("laplacian", "matern52", Matern(0.7), Gaussian(0.5)):
        assert RFFNetRegressor(kernel, n_components=100, random_state=0).fit(X, Y).score(X, Y) > 0.9


def test_batches_suit_the_rows():
    for n, size in ((100, 16), (600, 33)):
        assert RFFNetRegressor(n_components=4, n_epochs=1).fit(X[:n], Y[:n]).batch_size_ == size
    many = RNG.standard_normal((3000, 1))
    assert RFFNetRegressor(n_components=4, n_epochs=1).fit(many, many[:, 0]).batch_size_ == 128


def test_starts():
    theta = stretch.starting_relevances(X, "median", 0)
    assert theta.shape == (6,) and np.ptp(theta) == 0
    np.testing.assert_array_equal(stretch.starting_relevances(X, "range"), np.ptp(X, axis=0) / 6)
    np.testing.assert_array_equal(stretch.starting_relevances(X, 0.5), np.full(6, 0.5))
    np.testing.assert_array_equal(stretch.starting_relevances(sparse.csr_matrix(X), "range"),
                                  stretch.starting_relevances(X, "range"))
    for bad in ("mean", [1.0, 2.0], np.nan, [[1.0] * 6], None, np.full(6, np.inf)):
        with pytest.raises(ValueError, match="start"):
            stretch.starting_relevances(X, bad)


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), [
    ("optimizer", "sgd"), ("phase", "both"), ("learning_rate", 0), ("learning_rate", "fast"), ("learning_rate", np.nan),
    ("batch_size", 0), ("batch_size", "all"), ("n_epochs", -1), ("n_epochs", 2.5), ("patience", 0), ("alpha", -1.0),
    ("alpha", "loo"),
    ("n_components", 0), ("kernel", "square"), ("start", "mean"), ("start", 1e308), ("start", 1e30),
    ("scaling", "minmax"), ("amplitude", 0.0),
    ("validation_fraction", 1.0), ("validation_fraction", -0.1), ("fit_intercept", False), ("refit", 1),
    ("warm_start", None), ("random_state", "x")])
@pytest.mark.parametrize("machine", [RFFNetRegressor, RFFNetClassifier])
def test_wrong_parameters_are_named(machine, name, value):
    with pytest.raises(ValueError, match=name):
        machine(**{"n_components": 4, name: value}).fit(X[:40], LABELS[:40] if machine is RFFNetClassifier else Y[:40])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_wrong_data_are_refused(bad):
    machine = RFFNetRegressor(n_components=4, n_epochs=1)
    with pytest.raises(ValueError, match="X"):
        machine.fit(np.where(np.arange(3600).reshape(600, 6) == 7, bad, X), Y)
    with pytest.raises(ValueError, match="y"):
        machine.fit(X, np.where(np.arange(600) == 7, bad, Y))
    with pytest.raises(NotFittedError):
        machine.predict(X)


def test_one_class_and_too_few_rows():
    with pytest.raises(ValueError, match="one class only, 'no'"):
        RFFNetClassifier().fit(X, np.full(600, "no"))
    for n, count in ((10, 1), (3, 1)):
        with pytest.raises(ValueError, match=f"n_samples = {n}, which leaves {count} to validate on"):
            RFFNetRegressor().fit(X[:n], Y[:n])
    with pytest.raises(ValueError, match="which leaves 9 to validate on and 1 to train on"):
        RFFNetRegressor(validation_fraction=0.9).fit(X[:10], Y[:10])
    assert RFFNetRegressor(n_components=4, validation_fraction=0).fit(X[:3], Y[:3]).predict(X[:3]).shape == (3,)


def test_no_class_loses_its_last_row_to_validation():
    labels = np.array(["many"] * 38 + ["rare", "single"])
    for seed in range(20):
        held = stretch.held_rows(40, 0.5, np.random.default_rng(seed), np.unique(labels, return_inverse=True)[1])
        assert held.sum() == 20 and set(labels[~held]) == {"many", "rare", "single"}


@pytest.mark.parametrize("how", ["adam", "prox-gradient", "adam-prox"])
def test_a_rate_that_is_too_large_says_so_and_keeps_the_best(how):
    machine = RFFNetRegressor(n_components=40, optimizer=how, learning_rate=1e5, random_state=0)
    with pytest.raises(ValueError, match="learning_rate is 100000, and with it the training diverges in epoch 1"):
        machine.fit(X, Y)
    assert machine.best_epoch_ == 0 and machine.score(X, Y) > 0.1  # with the relevances of the start
    start = RFFNetRegressor(n_components=40, n_epochs=0, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(machine.relevances_, start.relevances_)


def test_the_best_before_a_divergence_is_kept():
    machine = RFFNetRegressor(n_components=40, n_epochs=3, warm_start=True, random_state=0).fit(X, Y)
    best = machine.relevances_
    with pytest.raises(ValueError, match="keeps the weights of epoch 0"):
        machine.set_params(learning_rate=1e6).fit(X, Y)
    np.testing.assert_array_equal(machine.relevances_, best)
    machine.set_params(learning_rate="auto").fit(X, Y)


@pytest.mark.parametrize(("wrong", "sentence"), [("a", "y holds strings"), (np.inf, "y contains NaN or infinity")])
def test_targets_that_are_objects_are_numbers_or_refused(wrong, sentence):
    y = X[:, 0].astype(object)
    machine = RFFNetRegressor(n_components=8, n_epochs=1, random_state=0)
    assert np.array_equal(machine.fit(X, y).predict(X), machine.fit(X, X[:, 0]).predict(X))
    y[3] = wrong
    with pytest.raises(ValueError, match=sentence):
        machine.fit(X, y)
