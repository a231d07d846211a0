"""What machines share: features and their designs, weights, classes, units, and a machine of ten lines."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer, StandardScaler

from rfbook import RandomBinningFeatures, RandomFeatureRegressor, RandomFourierFeatures
from rfbook.machines import FeatureMachine, designs, prepare, targets
from rfbook.solvers.design import FilledDesign, GridDesign, SparseDesign, TransformedDesign, unit_of
from rfbook.solvers.fit import solve

X = np.random.default_rng(0).standard_normal((80, 3))


class Machine(FeatureMachine):
    """Least squares with a ridge of 1."""

    def __init__(self, features=None, *, n_jobs=None, random_state=None):
        self.features, self.n_jobs, self.random_state = features, n_jobs, random_state

    def fit(self, X, Y, weights=None):
        self.n_features_in_ = X.shape[1]
        prepared = prepare(self, X, Y, Y, weights)
        return self._keep(prepared, solve(prepared.design, Y, alpha=1.0, weights=weights))


@pytest.mark.parametrize(("features", "kind"), [
    (RandomFourierFeatures(length_scale=1.0, n_components=20, random_state=0), FilledDesign),
    (StandardScaler(), TransformedDesign),
    (KBinsDiscretizer(5, encode="onehot"), SparseDesign),
    (RandomBinningFeatures(length_scale=1.0, n_grids=5, random_state=0), GridDesign),
    (make_pipeline(StandardScaler(), RandomFourierFeatures(length_scale=1.0, n_components=20, random_state=0)),
     TransformedDesign),
])
def test_a_machine_of_ten_lines(features, kind):
    Y = np.c_[np.sin(X[:, 0]), X[:, 1] ** 2]
    machine = Machine(features).fit(X, Y)
    Z = machine.features_.transform(X)
    Z = Z.toarray() if sparse.issparse(Z) else Z
    A, v = Z - Z.mean(0), Y - Y.mean(0)
    want = A @ np.linalg.solve(A.T @ A + np.eye(Z.shape[1]), A.T @ v) + Y.mean(0)
    np.testing.assert_allclose(machine._scores(X), want, atol=1e-9)
    design, out = designs.fit_features(machine.features_, X, Y), np.empty((7, Z.shape[1]))
    assert type(design) is kind and design.shape == Z.shape
    design.filler()(slice(20, 27), out)
    np.testing.assert_allclose(out, Z[20:27])


def test_steps_without_a_random_state_get_different_ones():
    pair = make_pipeline(RandomFourierFeatures(length_scale=1.0, n_components=6),
                         RandomFourierFeatures(length_scale=1.0, n_components=6, random_state=5))
    ours = designs.own_features(pair, 3)
    assert ours[0].random_state is not None and ours[1].random_state == 5 and pair[0].random_state is None
    three = make_pipeline(*(RandomFourierFeatures(length_scale=1.0, n_components=6) for _ in range(3)))
    assert len({step.random_state for _, step in designs.own_features(three, 3).steps}) == 3
    for wrong in (RandomFourierFeatures, "gaussian", Machine()):
        with pytest.raises(ValueError, match="features is"):
            designs.own_features(wrong, None)


def test_scores_become_labels():
    classes, scores = np.array(["a", "b", "c"]), np.array([[0.1, 0.2, -1.0], [3.0, 2.0, 1.0], [0.0, 0.0, 0.5]])
    assert targets.labels(scores, classes).tolist() == ["b", "a", "c"] and targets.decision_of(scores) is scores
    assert targets.labels(scores[:, 2:], classes[:2]).tolist() == ["a", "b", "b"]
    assert targets.decision_of(scores[:, 2:]).shape == (3,)


def test_sparse_rows_and_huge_rows_meet_a_scaler_of_dense_ones():
    fitted = RandomFeatureRegressor(n_components=20, random_state=0).fit(X, X[:, 0])
    assert fitted.scaler_ is not None
    np.testing.assert_allclose(fitted.predict(sparse.csr_array(X)), fitted.predict(X))
    small = RandomFeatureRegressor(n_components=20, scaling="standard", random_state=0).fit(1e-9 * X, X[:, 0])
    with pytest.raises(ValueError, match="X holds numbers so large"):
        small.predict(np.where(X > 2, 1e305, X))


def test_classes_weights_and_units():
    classes, Y = targets.encoded_classes(np.array(["b", "a", "c"]))
    assert classes.tolist() == ["a", "b", "c"] and Y.tolist() == [[-1, 1, -1], [1, -1, -1], [-1, -1, 1]]
    assert targets.encoded_classes([7, 2, 7])[1].tolist() == [[1.0], [-1.0], [1.0]]
    several, Y = targets.encoded_classes(np.array([[1, 0, 1], [0, 0, 1]]))
    assert several.tolist() == [0, 1, 2] and Y.tolist() == [[1, -1, 1], [-1, -1, 1]]
    with pytest.raises(ValueError, match="zeros and ones only"):
        targets.encoded_classes(np.array([[1, 0], [0, 2]]))
    with pytest.raises(ValueError, match="one class only, 4"):
        targets.encoded_classes([4, 4])
    assert targets.checked_weights(None, X) is None
    assert targets.checked_weights(np.arange(80), X).dtype == np.float64
    for values in (np.zeros(80), np.full(80, 1e31)):
        with pytest.raises(ValueError, match="[Ss]ample.weight"):
            targets.checked_weights(values, X)
    assert unit_of(np.array([0.0])) == 1.0 and unit_of(np.array([[3.0, -0.1]])) == 2.0


def test_features_that_are_not_finite_are_refused():
    bad = FunctionTransformer(lambda X: sparse.csr_array(np.where(X > 1, np.nan, X)))
    with pytest.raises(ValueError, match="features hold NaN or infinity"):
        designs.fit_features(bad, X)
