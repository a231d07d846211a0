"""How many features the targets ask for: the scatter of groups by brute force, weights, types, parts, refusals."""

import numpy as np
import pytest
from scipy import sparse

from rfbook import (
    Gaussian,
    RandomBinningFeatures,
    RandomFeatureClassifier,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    load,
    save,
)
from rfbook.solvers import DenseDesign, ridge_regression

rng = np.random.default_rng(0)
X = rng.uniform(-2, 2, (400, 3))
WAVE = np.sin(X[:, 0] * X[:, 1]) + np.cos(2 * X[:, 2])
NOISE = rng.standard_normal(400)
LOUD = WAVE + NOISE
FIXED = {"n_components": "auto", "kernel": Gaussian(length_scale=1.5), "random_state": 0}


def regressor(**given):
    return RandomFeatureRegressor(**{**FIXED, **given})


def left_out(Z, Y, w, alpha):
    """What rows miss if each is left out of a fit to all, one by one."""
    out = np.empty(Y.shape)
    for i in np.flatnonzero(w > 0):
        fewer = w.copy()
        fewer[i] = 0.0
        found = ridge_regression(DenseDesign(Z), Y, alpha, weights=fewer)
        out[i] = Y[i] - Z[i] @ found.coef - found.intercept
    return out[w > 0]


@pytest.mark.parametrize("n", [40, 200])  # fewer rows than features, and more
@pytest.mark.parametrize("alpha", [[0.3, 0.3], [0.1, 2.0]])
def test_the_share_is_that_of_fits_without_each_group_and_each_row(n, alpha):
    Y, w = np.c_[LOUD, 10 * WAVE][:n], rng.choice([0.0, 0.5, 1.0, 3.0], n)
    w[:5] = 1.0
    machine = regressor(alpha=alpha, max_components=256).fit(X[:n], Y, sample_weight=w)
    Z = RandomFourierFeatures(FIXED["kernel"], n_components=64, random_state=0).fit(X[:n]).transform(X[:n])
    whole, without = left_out(Z, Y, w, alpha), []
    for group in range(8):
        kept = np.flatnonzero(np.arange(64) % 32 // 4 != group)
        without.append(left_out(Z[:, kept] * np.sqrt(8 / 7), Y, w, alpha))
    scatter = 7 / 8 * ((np.array(without) - whole) ** 2).sum(0)
    bias = 7 * (np.mean(without, axis=0) - whole)
    means = [np.average(part, axis=0, weights=w[w > 0]) for part in (whole**2, scatter + bias**2)]
    variances = np.average((Y - np.average(Y, axis=0, weights=w)) ** 2, axis=0, weights=w)
    error, off = ((part / variances).mean() for part in means)
    np.testing.assert_allclose(machine.widths_[0], [64, error, off / max(error - off, error / 2)], rtol=1e-6)
    width, _, share = machine.widths_[-1]
    assert machine.n_components_ == machine.features_.n_components_ <= 256
    assert machine.n_components_ == np.clip(2 * np.ceil(width * share / 0.2), width // 2, width)
    assert machine.approximation_error_ == pytest.approx(share * width / machine.n_components_)


def test_loud_targets_take_fewer_features_and_a_larger_share_too():
    numbers = [regressor().fit(X, WAVE + scale * NOISE).n_components_ for scale in (2.0, 0.1)]
    numbers += [regressor(approximation_error=error).fit(X, WAVE + 0.1 * NOISE).n_components_ for error in (0.3, 0.03)]
    assert numbers[0] < numbers[1] and numbers[2] < numbers[1] < numbers[3]
    capped = regressor(max_components=300).fit(X, WAVE + 0.01 * NOISE)
    assert capped.n_components_ == 300 and capped.approximation_error_ > 0.1
    assert regressor().fit(X, np.ones(400)).n_components_ == 32  # nothing to learn


def test_types_of_rows_and_states_make_no_difference():
    machine = regressor().fit(X, LOUD)
    for rows in (sparse.csr_array(X), X.astype(np.float32)):
        assert abs(regressor().fit(rows, LOUD).n_components_ / machine.n_components_ - 1) < 0.05
    one, other = (regressor(random_state=np.random.default_rng(3)).fit(X, LOUD) for _ in range(2))
    assert np.array_equal(one.predict(X), other.predict(X)) and np.array_equal(one.widths_, other.widths_)
    widest = regressor(n_components=1024).fit(X, LOUD).features_.random_weights_
    m = machine.n_components_ // 2
    assert np.array_equal(machine.features_.random_weights_, widest[:, :m])  # nested draws
    fixed = machine.set_params(n_components=20).fit(X, LOUD)
    assert fixed.n_components_ == 20 and not hasattr(fixed, "approximation_error_") and not hasattr(fixed, "widths_")


@pytest.mark.parametrize("loss", ["squared", "logistic", "hinge"])
def test_classifiers_choose_by_least_squares(loss):
    labels = np.digitize(LOUD, [-0.5, 0.5] if loss == "squared" else [0.0])
    machine = RandomFeatureClassifier(**FIXED, loss=loss).fit(X, labels)
    assert machine.n_components_ == machine.feature_coef_.shape[1] == machine.features_.n_components_
    assert machine.score(X, labels) > 0.6


def test_robust_machines_choose_too(tmp_path):
    machine = regressor(loss="huber").fit(X, LOUD)
    assert 0 < machine.approximation_error_ <= 0.1001
    save(machine, tmp_path / "machine.npz")
    again = load(tmp_path / "machine.npz")
    assert np.array_equal(again.predict(X), machine.predict(X)) and np.array_equal(again.widths_, machine.widths_)


def test_the_first_part_decides():
    machine = regressor().partial_fit(X[:300], LOUD[:300])
    number = machine.n_components_
    assert number == regressor().fit(X[:300], LOUD[:300]).n_components_
    assert machine.partial_fit(X[300:], LOUD[300:]).n_components_ == number == len(machine.solve().feature_coef_)


@pytest.mark.parametrize(("name", "given"), [
    ("n_components", {"n_components": "all"}), ("n_components", {"features": RandomBinningFeatures()}),
    ("approximation_error", {"approximation_error": 0.0}), ("max_components", {"max_components": 63}),
])
def test_what_makes_no_sense_is_refused(name, given):
    given = {**given, **({"kernel": "gaussian"} if "features" in given else {})}
    with pytest.raises(ValueError, match=name):
        regressor(**given).fit(X, LOUD)
