"""Rows that come in parts give the machine of all rows, and keep no more than sums."""

import copy
import pickle
import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from rfbook import EERF, RandomBinningFeatures, RandomFeatureClassifier, RandomFeatureRegressor, RandomFourierFeatures
from rfbook.solvers import DenseDesign, Moments, fold_moments, fold_numbers, fold_scores, ridge_from_moments

rng = np.random.default_rng(0)
X = rng.standard_normal((700, 4))
Y = np.c_[np.sin(X[:, 0]), X[:, 1] * X[:, 2]] + 0.1 * rng.standard_normal((700, 2))
LABELS = np.array(["low", "middle", "top"])[np.digitize(Y[:, 0], [-0.5, 0.5])]
WEIGHTS = rng.uniform(0.2, 3.0, 700)
REGRESSOR = RandomFeatureRegressor(length_scale=2.0, n_components=60, alpha=0.1, random_state=0)
CLASSIFIER = RandomFeatureClassifier(length_scale=2.0, n_components=60, alpha=0.1, random_state=0)


def in_parts(machine, X, y, parts, **given):
    machine = clone(machine)
    for rows in np.array_split(np.arange(X.shape[0]), parts):
        weights = {"sample_weight": WEIGHTS[rows]} if "sample_weight" in given else {}
        machine.partial_fit(X[rows], y[rows], **{**given, **weights})
    return machine


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("parts", [1, 3, 40, 700])
@pytest.mark.parametrize("columns", [0, slice(None)], ids=["one output", "two"])
def test_the_machine_is_that_of_all_rows(columns, parts, dtype):
    """Coefficients of a positive ridge move by the rounding of the products within a block over the ridge."""
    rows, y = X.astype(dtype), Y[:, columns]
    got, want = in_parts(REGRESSOR, rows, y, parts).solve(), clone(REGRESSOR).fit(rows, y)
    assert got.feature_coef_.shape == want.feature_coef_.shape and np.shape(got.intercept_) == np.shape(want.intercept_)
    np.testing.assert_allclose(got.predict(rows), want.predict(rows), rtol=0, atol=1e4 * np.finfo(dtype).eps)


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csc_matrix])
def test_weights_and_sparse_rows(make):
    thin = make(X * (rng.random(X.shape) < 0.5))
    want = clone(REGRESSOR).fit(thin, Y, sample_weight=WEIGHTS).predict(thin)
    got = in_parts(REGRESSOR, thin.tocsr(), Y, 5, sample_weight=True).predict(thin)
    np.testing.assert_allclose(got, want, atol=1e-9)


@pytest.mark.parametrize("labels", [LABELS, Y[:, 0] > 0, (Y > 0).astype(int)], ids=["three", "two", "several"])
def test_classes(labels):
    given = {} if labels.ndim == 2 else {"classes": np.unique(labels)[::-1]}
    got, want = in_parts(CLASSIFIER, X, labels, 4, **given), clone(CLASSIFIER).fit(X, labels)
    assert np.array_equal(got.classes_, want.classes_)
    np.testing.assert_allclose(got.decision_function(X), want.decision_function(X), atol=1e-9)
    assert np.array_equal(got.predict(X), want.predict(X)) and got.score(X, labels) == want.score(X, labels)


def test_weights_of_classes():
    machine = clone(CLASSIFIER).set_params(class_weight={"low": 5.0, "middle": 1.0, "top": 0.5})
    got, want = in_parts(machine, X, LABELS, 3, classes=np.unique(LABELS)), clone(machine).fit(X, LABELS)
    np.testing.assert_allclose(got.decision_function(X), want.decision_function(X), atol=1e-9)


def test_a_class_may_be_missing_in_a_part():
    order = np.argsort(LABELS, kind="stable")
    got = in_parts(CLASSIFIER, X[order], LABELS[order], 9, classes=np.unique(LABELS))
    want = clone(CLASSIFIER).fit(X, LABELS)
    np.testing.assert_allclose(got.decision_function(X), want.decision_function(X), atol=1e-9)


def test_one_part_is_judged_as_a_fit_by_folds():
    chosen = clone(REGRESSOR).set_params(alpha="cv")
    got, want = in_parts(chosen, X, Y, 1).solve(), clone(chosen).fit(X, Y)
    assert np.array_equal(got.alpha_, want.alpha_) and got.alpha_criterion_ == want.alpha_criterion_ == "cv"
    np.testing.assert_allclose(got.alpha_scores_, want.alpha_scores_, rtol=1e-9)


@pytest.mark.parametrize("parts", [3, 350])
def test_ridges_are_judged_by_folds_of_all_rows(parts):
    """The scores are those of the folds that the rows fell into, each counted from where the part begins."""
    got = in_parts(clone(REGRESSOR).set_params(alpha="auto"), X, Y, parts).solve()
    Z, folds = got.features_.transform(X), np.empty(700, int)
    for rows in np.array_split(np.arange(700), parts):
        folds[rows] = (rows[0] + fold_numbers(len(rows))) % 5
    assert np.bincount(folds).min() >= 700 / 5 - parts
    want = fold_scores(fold_moments(DenseDesign(Z), Y, folds), got.alphas_)
    np.testing.assert_allclose(got.alpha_scores_, want, rtol=1e-6)
    assert got.alpha_.shape == (2,) and got.alpha_criterion_ == "cv"


def test_gcv_keeps_one_sum():
    machine = in_parts(clone(REGRESSOR).set_params(alpha="gcv"), X, Y, 4).solve()
    assert np.array_equal(machine.alpha_, clone(machine).fit(X, Y).alpha_) and len(machine._stream.folds) == 1


def test_it_is_solved_when_it_is_asked(monkeypatch):
    """And not for each part, nor when an attribute is read; what it said is what it says until rows come."""
    calls = []

    def counted(*arguments, **more):
        calls.append(arguments)
        return ridge_from_moments(*arguments, **more)

    monkeypatch.setattr("rfbook.machines.stream.ridge_from_moments", counted)
    machine = in_parts(REGRESSOR, X, Y, 10)
    assert not calls and not hasattr(machine, "feature_coef_") and not calls
    machine.predict(X), machine.intercept_, machine.alpha_, repr(machine)
    assert len(calls) == 1
    machine.partial_fit(X[:3], Y[:3]).score(X, Y)
    assert len(calls) == 2


def test_a_pickle_in_the_middle_goes_on_with_the_same_bits():
    machine = clone(REGRESSOR).set_params(alpha="auto")
    for rows in np.array_split(np.arange(400), 3):
        machine.partial_fit(X[rows], Y[rows])
    other = pickle.loads(pickle.dumps(machine))
    for going in (machine, other, third := copy.deepcopy(machine)):
        going.partial_fit(X[400:], Y[400:]).solve()
    assert np.array_equal(machine.feature_coef_, other.feature_coef_)
    assert np.array_equal(machine.feature_coef_, third.feature_coef_)


def test_bits_do_not_depend_on_threads():
    one, three = (in_parts(clone(REGRESSOR).set_params(n_jobs=jobs), X, Y, 2).solve() for jobs in (1, 3))
    assert np.array_equal(one.feature_coef_, three.feature_coef_)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 1e200])
def test_a_part_that_fails_leaves_the_machine_as_it_was(wrong):
    machine = in_parts(REGRESSOR, X, Y, 2)
    want, bad = machine.predict(X), X[:10].copy()
    bad[3, 2] = wrong
    with pytest.raises(ValueError, match="X"), np.errstate(all="ignore"):
        machine.partial_fit(bad if not np.isfinite(wrong) else bad * 1e200, Y[:10])
    assert np.array_equal(machine.predict(X), want)
    other = in_parts(REGRESSOR, X, Y, 2)
    assert np.array_equal(other.predict(X), want)  # solved in between, as the first was
    assert np.array_equal(machine.partial_fit(X[:5], Y[:5]).predict(X), other.partial_fit(X[:5], Y[:5]).predict(X))


def test_defaults_choose_on_the_first_rows():
    machine = RandomFeatureRegressor(n_components=64, random_state=0).partial_fit(X[:400], Y[:400])
    scale, mean = machine.length_scale_, machine.scaler_
    machine.partial_fit(X[400:], Y[400:])
    assert machine.length_scale_ == scale and machine.scaler_ is mean and machine.score(X, Y) > 0.8


def test_features_that_look_at_the_targets_look_at_the_first_rows():
    chosen = EERF(RandomFourierFeatures(length_scale=2.0), n_components=40, n_candidates=400, random_state=0)
    machine = RandomFeatureRegressor(chosen, alpha=0.1)
    machine.partial_fit(X[:500], Y[:500]).partial_fit(X[500:], Y[500:]).solve()
    Z = clone(chosen).fit(X[:500], Y[:500]).transform(X)
    want = Moments(40, 2).update(Z, Y).solve(0.1)
    np.testing.assert_allclose(machine.feature_coef_.T, want[0], atol=1e-9)


def test_memory_does_not_grow_with_the_rows(tmp_path):
    """A memory-mapped table of 48 MB through a machine whose sums take 0.3 MB."""
    table = np.lib.format.open_memmap(tmp_path / "rows.npy", "w+", np.float32, (400_000, 30))
    for rows in np.array_split(np.arange(len(table)), 20):
        table[rows] = rng.standard_normal((len(rows), 30))
    table, machine = np.load(tmp_path / "rows.npy", mmap_mode="r"), clone(REGRESSOR)
    machine.set_params(n_jobs=1).partial_fit(table[:2000], table[:2000, 0])
    tracemalloc.start()
    for start in range(2000, len(table), 8000):
        part = table[start : start + 8000]
        machine.partial_fit(part, part[:, 0])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sum(fold.count for fold in machine._stream.folds) == len(table) and peak < 12e6


@pytest.mark.parametrize(("first", "then", "sentence"), [
    (lambda: REGRESSOR.set_params(alpha="loo").partial_fit(X, Y), None, "alpha is 'loo'"),
    (lambda: RandomFeatureRegressor(Pipeline([("grids", RandomBinningFeatures(length_scale=0.5))])).partial_fit(X, Y),
     None, "sparse rows"),
    (lambda: REGRESSOR.partial_fit(X, sparse.csr_array(Y)), None, "y is sparse"),
    (lambda: REGRESSOR.partial_fit(X, Y), lambda m: m.partial_fit(X, Y[:, 0]), "y has 1 columns; it may have 2"),
    (lambda: REGRESSOR.partial_fit(X, Y), lambda m: m.partial_fit(X[:, :3], Y), "3 features"),
    (lambda: REGRESSOR.set_params(alpha="auto").partial_fit(X[:1], Y[:1]), lambda m: m.predict(X), "takes two"),
    (lambda: CLASSIFIER.partial_fit(X, LABELS), None, "classes is None"),
    (lambda: CLASSIFIER.partial_fit(X, LABELS, classes=["low", "top"]), None, "y holds 'middle'"),
    (lambda: CLASSIFIER.partial_fit(X, LABELS, classes=["low"]), None, "one class only"),
    (lambda: CLASSIFIER.partial_fit(X, LABELS, classes=[]), None, r"classes is \[\]"),
    (lambda: CLASSIFIER.partial_fit(X, LABELS, classes=np.unique(LABELS)),
     lambda m: m.partial_fit(X, LABELS, classes=["low", "top"]), "classes are not those"),
    (lambda: CLASSIFIER.partial_fit(X, (Y > 0) * 1), lambda m: m.partial_fit(X, np.c_[Y, Y] > 0), "y has 4 columns"),
    (lambda: CLASSIFIER.set_params(class_weight="balanced").partial_fit(X, LABELS), None, "class_weight is 'balanced'"),
])
def test_what_cannot_be_done_is_one_sentence(first, then, sentence, monkeypatch):
    monkeypatch.setitem(globals(), "REGRESSOR", clone(REGRESSOR))
    monkeypatch.setitem(globals(), "CLASSIFIER", clone(CLASSIFIER))
    if then is None:
        with pytest.raises(ValueError, match=sentence):
            first()
    else:
        machine = first()
        with pytest.raises(ValueError, match=sentence):
            then(machine)


@pytest.mark.parametrize("machine", [RandomFeatureRegressor(RandomBinningFeatures(length_scale=2.0)),
                                     RandomFeatureClassifier(RandomBinningFeatures(length_scale=2.0)),
                                     RandomFeatureClassifier(loss="logistic")])
def test_what_takes_all_rows_has_no_partial_fit(machine):
    assert not hasattr(machine, "partial_fit")


def test_parts_behind_a_fit_begin_anew_and_say_so():
    machine = clone(CLASSIFIER).fit(X[:300], LABELS[:300])
    with pytest.warns(UserWarning, match="fitted as a whole"):
        machine.partial_fit(X[300:], LABELS[300:])  # which knows the classes
    want = in_parts(CLASSIFIER, X[300:], LABELS[300:], 1, classes=np.unique(LABELS))
    assert np.array_equal(machine.predict(X), want.predict(X))


def test_a_fit_begins_anew():
    machine = in_parts(REGRESSOR, X, Y, 2).fit(X[:, :3], Y[:, 0])
    assert machine.n_features_in_ == 3 and machine._stream is None
    assert np.array_equal(machine.feature_coef_, clone(REGRESSOR).fit(X[:, :3], Y[:, 0]).feature_coef_)


def test_names_that_are_not_there():
    for machine in (clone(REGRESSOR), in_parts(REGRESSOR, X, Y, 2), clone(REGRESSOR).fit(X, Y)):
        with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
            machine.nothing  # noqa: B018
        assert not hasattr(machine, "coef_")
    assert not hasattr(clone(REGRESSOR), "feature_coef_")
