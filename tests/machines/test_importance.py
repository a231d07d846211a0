"""What columns are worth: against differences of scores, for every machine with waves, and errors of those without."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rfbook import (
    EERF,
    HARFERegressor,
    RandomBinningFeatures,
    RandomFeatureClassifier,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    RecursiveFeatureMachineClassifier,
    RFFNetClassifier,
    RFFNetRegressor,
    SRFFRegressor,
)

rng = np.random.default_rng(0)
X = rng.standard_normal((200, 4)) * [1, 50, 0.1, 1] + 3
y = np.sin(X[:, 0]) + X[:, 1] / 50
TOLD = {"n_components": 40, "random_state": 0}


def by_differences(score, X):
    """Root mean square slope of scores, times the deviation of the column, summed over scores."""
    deviations, found = X.std(axis=0), []
    for c, deviation in enumerate(deviations):
        step = 1e-5 * deviation * np.eye(X.shape[1])[c]
        slopes = (score(X + step) - score(X - step)) / 2e-5
        found.append(np.sqrt(np.sum(np.mean(slopes.reshape(len(X), -1) ** 2, axis=0))))
    return np.array(found)


@pytest.mark.parametrize("machine", [
    RandomFeatureRegressor(**TOLD, scaling="standard", bounded=False),
    RandomFeatureRegressor(**TOLD, scaling=None, length_scale=[1.0, 50.0, 0.1, 1.0], bounded=False),
    RandomFeatureRegressor(**TOLD, scaling="standard", sampling="structured", bounded=False),
    RandomFeatureRegressor(RandomFourierFeatures(**TOLD, phase="offset", length_scale=3.0), scaling="standard",
                           bounded=False),
    RandomFeatureRegressor(EERF(RandomFourierFeatures(**TOLD, length_scale=3.0), n_components=20), scaling="standard",
                           bounded=False),
    RFFNetRegressor(**TOLD, n_epochs=3, scaling="standard"), SRFFRegressor(**TOLD, max_iter=2),
    HARFERegressor(**TOLD),
], ids=lambda machine: type(machine).__name__)
def test_against_differences(machine):
    machine.fit(X, y)
    np.testing.assert_allclose(machine.column_importance(X), by_differences(machine.predict, X), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("machine", [RandomFeatureClassifier(**TOLD, scaling="standard"),
                                     RandomFeatureClassifier(**TOLD, scaling="standard", loss="logistic"),
                                     RFFNetClassifier(**TOLD, n_epochs=3, scaling="standard"),
                                     RecursiveFeatureMachineClassifier(**TOLD, n_steps=1, scaling="standard")],
                         ids=lambda machine: type(machine).__name__)
@pytest.mark.parametrize("classes", [2, 3])
def test_classes_are_summed(machine, classes):
    labels = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))
    machine.fit(X, labels)
    found = machine.column_importance(X)
    assert found.shape == (4,)
    np.testing.assert_allclose(found, by_differences(machine.decision_function, X), rtol=1e-4, atol=1e-6)


def test_targets_weights_and_units():
    both = RandomFeatureRegressor(**TOLD, length_scale="median", alpha=0.1).fit(X, np.c_[y, 1e200 * X[:, 2]])
    found = both.column_importance(X)
    one = RandomFeatureRegressor(**TOLD, length_scale="median", alpha=0.1).fit(X, y).column_importance(X)
    assert found.shape == (2, 4) and np.isfinite(found).all()
    np.testing.assert_allclose(found[0], one, rtol=1e-6)
    weights = rng.integers(0, 3, 200)
    copies = np.repeat(X, weights, axis=0)
    np.testing.assert_allclose(both.column_importance(X, weights), both.column_importance(copies), rtol=1e-9)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, lambda X: X.astype(np.float32)])
def test_other_rows(kind):
    rows = rng.standard_normal((700, 4)) * (rng.uniform(size=(700, 4)) < 0.5)
    machine = RandomFeatureRegressor(**TOLD, scaling=None, length_scale=2.0).fit(rows, rows[:, 0])
    np.testing.assert_allclose(machine.column_importance(kind(rows)), machine.column_importance(rows), rtol=1e-4)


def test_bits_are_the_same_for_any_threads_and_rows_in_parts_are_solved():
    machine = RandomFeatureRegressor(**TOLD)
    rows = rng.standard_normal((2000, 4))
    for part in (rows[:1000], rows[1000:]):
        machine.partial_fit(part, part[:, 0])
    found = machine.set_params(n_jobs=1).column_importance(rows)
    assert np.array_equal(found, machine.set_params(n_jobs=2).column_importance(rows))
    assert found.argmax() == 0


@pytest.mark.parametrize(("machine", "what"), [
    (RandomFeatureRegressor(RandomBinningFeatures(n_grids=20), scaling="standard"), "RandomBinningFeatures"),
    (RandomFeatureRegressor(make_pipeline(StandardScaler(), RandomFourierFeatures(**TOLD))), "Pipeline"),
    (RandomFeatureRegressor(**TOLD, n_candidates=3), "FeatureUnion")])
def test_no_waves(machine, what):
    with pytest.raises(ValueError, match=f"features_ is a {what}, and column_importance .* permutation_imp"):
        machine.fit(X, y).column_importance(X)
