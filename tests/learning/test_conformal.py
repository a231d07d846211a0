"""Sets of labels: p-values against refits, coverage, scikit-learn's rules, what is refused."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.estimator_checks import parametrize_with_checks

from rfbook import (
    ConformalClassifier,
    RandomBinningFeatures,
    RandomFeatureClassifier,
    RandomFourierFeatures,
    load,
    save,
)
from rfbook.lab.ledger import LEVEL, binomial_tail

rng = np.random.default_rng(7)
X, NEW = rng.standard_normal((40, 2)), rng.standard_normal((3, 2))
THREE = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + 0.5 * rng.standard_normal(40), [-0.5, 0.5])]


def plain(width=20, alpha=0.2):
    map_ = RandomFourierFeatures(n_components=width, length_scale=1.0, random_state=0)
    return RandomFeatureClassifier(map_, alpha=alpha)


@parametrize_with_checks([ConformalClassifier(RandomFeatureClassifier(n_components=20), random_state=0)])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize("y", [THREE, THREE == "a"], ids=["three", "two"])
@pytest.mark.parametrize("by_class", [False, True])
def test_p_values_are_those_of_refitted_machines(y, by_class):
    machine = ConformalClassifier(plain(), tuning_share=0.0, by_class=by_class).fit(X, y)
    found = machine.p_values(NEW)
    for j, label in np.ndindex(found.shape):
        rows, labels = np.vstack([X, NEW[j]]), np.append(y, machine.classes_[label])
        missed = []
        for i in range(41):
            fit = plain().fit(np.delete(rows, i, 0), np.delete(labels, i))
            scores = fit.decision_function(rows[i : i + 1])[0]
            scores = np.array([-scores, scores]) if np.ndim(scores) == 0 else scores
            own = list(machine.classes_).index(labels[i])
            missed.append(np.delete(scores, own).max() - scores[own])
        among = labels == machine.classes_[label] if by_class else np.ones(41, bool)
        assert found[j, label] == np.mean(np.array(missed)[among] >= missed[-1] - 1e-9)
    np.testing.assert_array_equal(machine.predict_set(NEW, 0.8), found > 0.2)
    np.testing.assert_array_equal(machine.predict(NEW), plain().fit(X, y).predict(NEW))


def test_coverage_on_rows_of_the_same_law():
    hits, draws = 0, np.random.default_rng(11)
    for _ in range(300):
        rows = draws.standard_normal((31, 2))
        y = (rows[:, 0] + draws.standard_normal(31) > 0).astype(int)
        y[:2] = [0, 1]
        machine = ConformalClassifier(plain(), tuning_share=0.0).fit(rows[:-1], y[:-1])
        hits += int(machine.predict_set(rows[-1:], 0.8)[0, y[-1]])
    least = next(k for k in range(300) if binomial_tail(300 - k, 300, 0.2) >= LEVEL)
    assert hits >= least


def test_a_row_twice_ties_and_few_rows_say_nothing():
    machine = ConformalClassifier(plain(), tuning_share=0.0).fit(X, THREE)
    again = machine.p_values(X)[np.arange(40), np.searchsorted(machine.classes_, THREE)]
    assert (again * 41 > 1.5).all()  # its copy is missed by as much
    few = ConformalClassifier(plain(), tuning_share=0.0).fit(X[:8], np.arange(8) % 2)
    assert few.predict_set(NEW, 0.9).all()


def test_rows_that_tune_sparse_rows_and_files(tmp_path):
    machine = ConformalClassifier(RandomFeatureClassifier(n_components=20), random_state=0).fit(X, THREE)
    assert machine.predict_set(NEW).shape == (3, 3) and machine.decision_function(NEW).shape == (3, 3)
    save(machine, tmp_path / "sets.npz")
    np.testing.assert_array_equal(load(tmp_path / "sets.npz").p_values(NEW), machine.p_values(NEW))
    sparsely = ConformalClassifier(plain(), tuning_share=0.0).fit(sparse.csr_array(X), THREE)
    np.testing.assert_allclose(sparsely.p_values(sparse.csr_array(NEW)),
                               ConformalClassifier(plain(), tuning_share=0.0).fit(X, THREE).p_values(NEW))


@pytest.mark.parametrize("parameters,message", [
    ({"tuning_share": 1.0}, "tuning_share is 1"), ({"machine": 3}, "machine is 3"), ({"by_class": 2}, "by_class"),
    ({"machine": RandomFeatureClassifier(loss="logistic")}, "loss of machine is 'logistic'"),
    ({"machine": RandomFeatureClassifier(class_weight="balanced")}, "class_weight of machine"),
    ({"machine": RandomFeatureClassifier(RandomBinningFeatures(length_scale=1.0))}, "sparse rows")])
def test_wrong_arguments_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        ConformalClassifier(**parameters).fit(X, THREE)


def test_wrong_coverage():
    machine = ConformalClassifier(plain()).fit(X, THREE)
    for wrong in (0.0, 1.0, np.nan):
        with pytest.raises(ValueError, match="coverage is"):
            machine.predict_set(NEW, wrong)
