"""Waves in a learnt metric: products against plain NumPy, what the iteration keeps, scikit-learn's rules, bad input."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from rfbook import (
    Gaussian,
    RandomFeatureClassifier,
    RandomFeatureRegressor,
    RecursiveFeatureMachineClassifier,
    RecursiveFeatureMachineRegressor,
)
from rfbook._validation import streams
from rfbook.adaptive import recursion as learning
from rfbook.adaptive.gradients import gradient_product, gradients, next_metric, phase_products
from rfbook.draws import Waves
from rfbook.solvers import regression

rng = np.random.default_rng(0)
X = rng.standard_normal((300, 4))
y = np.sin(2 * X @ [0.0, 0.6, 0.8, 0.0])
BOTH = pytest.mark.parametrize("kind", [RecursiveFeatureMachineRegressor, RecursiveFeatureMachineClassifier])


def machine(kind=RecursiveFeatureMachineRegressor, **parameters):
    return kind(**{"n_components": 60, "n_steps": 2, "random_state": 0, **parameters})


def targets(kind):
    return y if kind is RecursiveFeatureMachineRegressor else np.array(["low", "high"])[(y > 0).astype(int)]


# ---- the products --------------------------------------------------------------------------------------------------


def by_hand(waves, coef, X):
    """Gradients of shape (n, k, d) by the chain rule, wave by wave."""
    out = np.zeros((len(X), coef.shape[1], X.shape[1]))
    for j, w in enumerate(waves.frequencies):
        t, a = X @ w, np.broadcast_to(waves.amplitudes, len(waves))[j]
        if waves.phases is None:
            slope = a * (-np.sin(t)[:, None] * coef[j] + np.cos(t)[:, None] * coef[len(waves) + j])
        else:
            slope = -a * np.sin(t + waves.phases[j])[:, None] * coef[j]
        out += slope[:, :, None] * w
    return out


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("n", [7, 700])  # fewer and more rows than features, and than a block
def test_closed_form_is_the_mean_of_products(single, n):
    rows, weights = rng.standard_normal((n, 4)), rng.uniform(0, 2, n)
    waves = Waves(rng.standard_normal((9, 4)), rng.uniform(0, 6, 9) if single else None, rng.uniform(0.5, 2, 9))
    coef = rng.standard_normal((waves.width, 3))
    F = by_hand(waves, coef, rows)
    np.testing.assert_allclose(gradients(waves, coef, rows), F, atol=1e-11)
    for w in (None, weights):
        share = np.full(n, 1 / n) if w is None else w / w.sum()
        want = np.einsum("i,ioc,iob->cb", share, F, F)
        found = gradient_product(waves, coef, rows, w)
        np.testing.assert_allclose(found, want, atol=1e-10 * np.trace(want))
        np.testing.assert_array_equal(found, found.T)
    np.testing.assert_allclose(gradients(waves, coef[:, 0], rows)[:, 0], F[:, 0], atol=1e-11)
    low = gradient_product(waves.cast(np.float32), coef, rows.astype(np.float32))
    np.testing.assert_allclose(low, gradient_product(waves, coef, rows), atol=1e-4 * np.trace(low))


def test_phase_products_sum_over_outputs():
    A = rng.standard_normal((6, 6))
    seconds, coef = A @ A.T, rng.standard_normal((6, 3))
    whole = sum(phase_products(seconds, coef[:, [o]]) for o in range(3))
    np.testing.assert_allclose(phase_products(seconds, coef), whole)
    np.testing.assert_allclose(phase_products(seconds, coef, 1), seconds * (coef @ coef.T))


def test_metrics():
    Q = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    M = Q @ np.diag([16.0, 4.0, 0.0]) @ Q.T
    np.testing.assert_allclose(next_metric(M), Q @ np.diag([2.0, 1.0, 0.0]) @ Q.T, atol=1e-12)
    np.testing.assert_allclose(next_metric(M, 1.0), M * 3 / 20, atol=1e-12)
    d = np.sqrt(np.diag(M))
    np.testing.assert_allclose(next_metric(M, 0.5, True), np.diag(d * 3 / d.sum()), atol=1e-12)
    np.testing.assert_allclose(next_metric(1e300 * M), next_metric(M), atol=1e-12)
    with np.errstate(all="raise", under="ignore"):
        np.testing.assert_allclose(next_metric(M, 1e300), 3 * np.outer(Q[:, 0], Q[:, 0]), atol=1e-12)
    assert next_metric(np.zeros((2, 2))) is None and next_metric(np.full((2, 2), np.nan)) is None


# ---- the iteration -------------------------------------------------------------------------------------------------


@BOTH
def test_no_step_is_the_plain_machine(kind):
    ours = machine(kind, n_steps=0).fit(X, targets(kind))
    peer = RandomFeatureRegressor if kind is RecursiveFeatureMachineRegressor else RandomFeatureClassifier
    plain = peer(n_components=60, random_state=0).fit(X, targets(kind))
    np.testing.assert_allclose(ours.feature_coef_, plain.feature_coef_, rtol=1e-9)
    assert ours.scaling_ == plain.scaling_ and ours.length_scale_ == plain.length_scale_
    assert ours.alpha_ == plain.alpha_ and ours.scores_.shape == (1,) and ours.best_step_ == 0
    np.testing.assert_array_equal(ours.metric_, np.eye(4))
    np.testing.assert_array_equal(ours.predict(X), plain.predict(X))


@pytest.mark.parametrize("metric", ["full", "diagonal"])
def test_what_is_kept_is_what_it_says(metric):
    ours = machine(metric=metric, n_steps=4, patience=4, scaling=None, power=0.5).fit(X, y)
    assert ours.scores_.shape == (5,) and ours.best_step_ == ours.scores_.argmin() > 0
    F = by_hand(ours.features_.waves_, ours.feature_coef_[:, None], X)[:, 0]
    np.testing.assert_allclose(ours.gradient_product_, F.T @ F / len(X), atol=1e-8)
    np.testing.assert_allclose(ours.relevances_, np.diag(F.T @ F) / (F**2).sum(), atol=1e-8)
    np.testing.assert_allclose(np.trace(ours.metric_), 4)
    assert metric == "full" or np.count_nonzero(ours.metric_ - np.diag(np.diag(ours.metric_))) == 0
    # the waves are those of the start in the metric, up to the length scale
    base = machine(metric=metric, n_steps=0, scaling=None).fit(X, y).features_.random_weights_
    values, vectors = np.linalg.eigh(ours.metric_)
    root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
    ratio = ours.features_.random_weights_ / (root @ base)
    np.testing.assert_allclose(ratio, ratio[0, 0], rtol=1e-6)
    # the score is the error of the ridge machine on these waves
    again = RandomFeatureRegressor(FixedWaves(ours.features_), alpha="auto").fit(X, y)
    assert again.alpha_scores_.min() / y.var() < ours.scores_.min() * (1 + 1e-6)  # its length scale may be better
    fixed = machine(metric=metric, n_steps=4, patience=4, scaling=None, power=0.5, length_scale=1.5).fit(X, y)
    again = RandomFeatureRegressor(FixedWaves(fixed.features_), alpha="auto").fit(X, y)
    np.testing.assert_allclose(again.alpha_scores_.min() / y.var(), fixed.scores_.min(), rtol=1e-6)


class FixedWaves:
    """A map that is fitted already."""

    def __init__(self, map_=None):
        self.map_ = map_

    def get_params(self, deep=True):
        return {"map_": self.map_}

    def set_params(self, **parameters):
        return self

    def __sklearn_clone__(self):
        return self

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return self.map_.transform(X)


def test_relevant_directions_are_found():
    ours = machine(n_steps=5, n_components=200).fit(X, y)
    vector = np.linalg.eigh(ours.gradient_product_)[1][:, -1]
    assert abs(vector @ [0, 0.6, 0.8, 0]) > 0.99 and ours.relevances_[1:3].sum() > 0.98
    assert ours.scores_.min() < 0.5 * ours.scores_[0]
    X_new = np.random.default_rng(1).standard_normal((500, 4))
    y_new = np.sin(2 * X_new @ [0.0, 0.6, 0.8, 0.0])
    plain = machine(n_steps=0, n_components=200).fit(X, y)
    assert np.mean((ours.predict(X_new) - y_new) ** 2) < np.mean((plain.predict(X_new) - y_new) ** 2)


@pytest.mark.parametrize(("patience", "n_steps", "taken", "best"), [(1, 9, 3, 1), (2, 9, 4, 1), (3, 9, 8, 4),
                                                                    (9, 9, 8, 4), (9, 3, 4, 1), (1, 0, 1, 0)])
def test_steps_end_with_patience_and_the_first_best_is_kept(patience, n_steps, taken, best, monkeypatch):
    steps = [learning._Step(i, score, *[None] * 5) for i, score in enumerate([5.0, 3.0, 4.0, 3.0, 2.0, 2.0, 4.0, 2.5])]
    monkeypatch.setattr(learning._Iteration, "steps", lambda *given: iter(steps))
    kept, scores = learning._Iteration.__new__(learning._Iteration).best(steps[0], n_steps, patience, 0.5, False)
    assert (len(scores), kept.number) == (taken, best)
    assert scores.tolist() == [step.score for step in steps[:taken]]


def test_patience_and_targets_without_slopes():
    noise = np.random.default_rng(1).standard_normal(300)
    ours = machine(n_steps=8, patience=1, confirm=False).fit(X, noise)
    assert len(ours.scores_) <= ours.best_step_ + 2
    assert ours.power_scores_.keys() == {0.5, 1.0} and ours.power_scores_[ours.power_] is ours.scores_
    assert ours.scores_.min() == min(scores.min() for scores in ours.power_scores_.values())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        flat = machine().fit(X, np.full(300, 3.0))
    assert flat.scores_.shape == (1,) and np.array_equal(flat.relevances_, np.full(4, 0.25))
    np.testing.assert_allclose(flat.predict(X), 3.0)


def test_a_metric_that_flatters_is_not_kept():
    kept = []
    for seed in range(4):
        many = np.random.default_rng(seed).standard_normal((60, 25))
        blind = many.sum(1) / 5 + np.random.default_rng(seed + 9).standard_normal(60)
        loose, strict = (machine(confirm=c, scaling=None).fit(many, blind) for c in (False, True))
        assert loose.confirmation_ is None and loose.best_step_ > 0 and loose.scores_.min() < 0.8 * loose.scores_[0]
        first, last = strict.confirmation_
        assert last / first > 1.1 * loose.scores_.min() / loose.scores_[0]  # the gain was an accident
        assert (strict.best_step_ > 0) == (last < first)
        kept.append(strict.best_step_)
    assert 0 in kept


def test_confirmation_by_hand():
    fixed = {"power": 1.0, "scaling": None, "length_scale": 1.5, "bounded": False}  # steps are judged as they are
    ours = machine(n_steps=1, **fixed).fit(X, y)
    assert ours.best_step_ == 1
    seed = int(streams(0, 5)[4].integers(2**31))
    part, missed = np.random.default_rng(seed).permutation(300) % 3, np.zeros(2)
    for k in range(3):
        for n_steps in (0, 1):
            less = machine(n_steps=n_steps, confirm=False, **fixed).fit(X[part != k], y[part != k])
            assert less.best_step_ == n_steps
            missed[n_steps] += ((less.predict(X[part == k]) - y[part == k]) ** 2).sum()
    np.testing.assert_allclose(ours.confirmation_, missed / 300 / y.var(), rtol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_metrics_are_taken_from_few_rows_and_confirmed_on_others(monkeypatch, weighted):
    fixed = {"power": 1.0, "scaling": None, "length_scale": 1.5, "n_steps": 1, "alpha": 0.3}
    weights = np.random.default_rng(3).uniform(0.5, 2, 300) if weighted else None
    monkeypatch.setattr("rfbook.adaptive.recursion._FEW", (100, 40))
    ours = machine(**fixed).fit(X, y, weights)
    assert ours.features_.n_components_ == 60 and ours.best_step_ == 1
    seed = int(streams(0, 5)[4].integers(2**31))
    rows = np.sort(np.random.default_rng(seed).permutation(300)[:100])
    w = np.ones(300) if weights is None else weights
    base = machine(**{**fixed, "n_steps": 0}).fit(X, y, weights).features_.waves_.frequencies
    few = ridge_by_hand(Waves(base[:20]), X[rows], y[rows], w[rows], 0.3 * w[rows].sum() / w.sum())
    F = by_hand(Waves(base[:20]), few[0][:, None], X[rows])[:, 0]
    metric = next_metric((F * w[rows, None]).T @ F, 1.0)
    np.testing.assert_allclose(ours.metric_, metric, atol=1e-8)
    rest = np.setdiff1d(np.arange(300), rows)
    missed = (ridge_by_hand_predicts(Waves(base[:20]), few, X[rest]) - y[rest]) ** 2 @ w[rest]
    spread = np.average((y[rows] - np.average(y[rows], weights=w[rows])) ** 2, weights=w[rows])
    np.testing.assert_allclose(ours.confirmation_[0], missed / w[rest].sum() / spread, rtol=1e-7)
    whole = ridge_by_hand(ours.features_.waves_, X, y, w, 0.3)
    np.testing.assert_allclose(ours.predict(X), ridge_by_hand_predicts(ours.features_.waves_, whole, X), atol=1e-8)


def ridge_by_hand(waves, X, y, w, alpha):
    Z = X @ waves.frequencies.T
    Z = np.hstack([np.cos(Z), np.sin(Z)]) * waves.amplitudes
    mean, centre = w @ Z / w.sum(), w @ y / w.sum()
    A = (Z - mean) * w[:, None]
    coef = np.linalg.solve(A.T @ (Z - mean) + alpha * np.eye(Z.shape[1]), A.T @ (y - centre))
    return coef, centre - mean @ coef


def ridge_by_hand_predicts(waves, found, X):
    Z = X @ waves.frequencies.T
    return np.hstack([np.cos(Z), np.sin(Z)]) * waves.amplitudes @ found[0] + found[1]


def test_a_column_that_is_constant_or_copied():
    Z = np.c_[X, np.ones(300), X[:, 1]]
    for metric in ("full", "diagonal"):
        ours = machine(metric=metric, scaling="standard", n_components=200, n_steps=4).fit(Z, y)
        assert np.isfinite(ours.predict(Z)).all() and ours.score(Z, y) > 0.95


def test_outputs_and_scales_of_targets():
    Y = np.c_[y, X[:, 0]]
    ours = machine(n_steps=1).fit(X, Y)
    assert ours.predict(X).shape == (300, 2) and ours.alpha_.shape == (2,)
    F = by_hand(ours.features_.waves_, ours.feature_coef_.T, ours.scaler_.transform(X) if ours.scaler_ else X)
    np.testing.assert_allclose(ours.gradient_product_, np.einsum("ioc,iob->cb", F, F) / 300, atol=1e-8)
    large = machine(n_steps=1).fit(X, 2.0**100 * Y)
    np.testing.assert_allclose(large.predict(X), 2.0**100 * ours.predict(X), rtol=1e-9)
    np.testing.assert_array_equal(large.relevances_, ours.relevances_)
    with pytest.raises(ValueError, match="y holds values near"):
        machine(n_steps=1).fit(X, 1e200 * y)


@pytest.mark.parametrize("parameters", [{"length_scale": 2.0}, {"length_scale": "median"}, {"kernel": Gaussian(2.0)},
                                        {"kernel": "matern52"}, {"alpha": 0.1}, {"alphas": [0.1, 1.0]},
                                        {"alpha": "gcv"}, {"scaling": "power"}, {"power": 1.0}], ids=str)
def test_parameters(parameters):
    ours = machine(**parameters).fit(X, y)
    assert ours.score(X, y) > 0.8 and len(ours.scores_) >= 2
    assert ours.alpha_ in parameters.get("alphas", [parameters.get("alpha", ours.alpha_), ours.alpha_])


# ---- scikit-learn --------------------------------------------------------------------------------------------------


@BOTH
def test_scikit_learns_checks(kind):
    copies = {"check_sample_weight_equivalence_on_dense_data":
              "a row is left out whole, its copies are not all left out"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(kind(n_components=30, n_steps=1, power=0.5), on_fail=None,
                                  expected_failed_checks=copies)
    assert len(results) > 50
    failed = [(r["check_name"], r["exception"]) for r in results if r["status"] not in {"passed", "skipped", "xfail"}]
    assert failed == []


@BOTH
def test_the_unit_of_weights_does_not_matter(kind):
    w = np.random.default_rng(0).integers(0, 4, len(X)).astype(float)
    made = kind(n_components=40, length_scale=1.0, alpha=0.1, confirm=False, random_state=0)
    one, heavy = clone(made).fit(X, targets(kind), w), made.set_params(alpha=0.7).fit(X, targets(kind), 7 * w)
    how = "decision_function" if is_classifier(one) else "predict"
    np.testing.assert_allclose(getattr(one, how)(X), getattr(heavy, how)(X), rtol=1e-5, atol=1e-6)


@BOTH
def test_in_pipelines_searches_and_pickles(kind):
    made = make_pipeline(StandardScaler(), machine(kind, scaling=None)).fit(X, targets(kind))
    assert made.score(X, targets(kind)) > 0.8
    search = GridSearchCV(machine(kind, n_steps=1), {"metric": ["full", "diagonal"]}, cv=2).fit(X, targets(kind))
    loaded = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(loaded.predict(X), search.predict(X))
    assert clone(loaded).get_params() == loaded.get_params()


def test_classes():
    wine, label = load_wine(return_X_y=True)
    names = np.array(["barolo", "grignolino", "barbera"])[label]
    ours = machine(RecursiveFeatureMachineClassifier, n_components=200).fit(wine, names)
    assert ours.decision_function(wine).shape == (178, 3) and ours.score(wine, names) > 0.97
    assert isinstance(ours.alpha_, float) and ours.relevances_.shape == (13,)
    two = machine(RecursiveFeatureMachineClassifier).fit(X, targets(RecursiveFeatureMachineClassifier))
    assert two.decision_function(X).shape == (300,) and set(two.classes_) == {"low", "high"}


@BOTH
def test_float32_and_threads(kind):
    low = machine(kind, n_jobs=1).fit(X.astype(np.float32), targets(kind))
    more = machine(kind, n_jobs=2).fit(X.astype(np.float32), targets(kind))
    assert low.features_.random_weights_.dtype == np.float32
    np.testing.assert_array_equal(low.feature_coef_, more.feature_coef_)
    assert low.score(X.astype(np.float32), targets(kind)) > 0.8


# ---- bad input -----------------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(("parameters", "said"), [
    ({"n_steps": -1}, "n_steps is -1"), ({"patience": 0}, "patience is 0"), ({"power": 0.0}, "power is 0"),
    ({"metric": "diag"}, "metric is 'diag'.*did you mean 'diagonal'"), ({"alpha": "best"}, "alpha is 'best'"),
    ({"alpha": [1.0, 2.0]}, "alpha is a list"), ({"alpha": -1.0}, "alpha is -1"),
    ({"alpha": 1.0, "alphas": [1.0]}, "alphas is given"), ({"alphas": []}, "alphas is empty"),
    ({"length_scale": [1.0, 1.0, 1.0, 1.0]}, "length_scale is"), ({"scaling": "log"}, "scaling is 'log'"),
    ({"n_components": 0}, "n_components is 0"), ({"confirm": 1}, "confirm is 1"),
    ({"power": "half"}, "power is 'half'")])
def test_wrong_parameters_are_named(kind, parameters, said):
    with pytest.raises(ValueError, match=said):
        machine(kind, **parameters).fit(X, targets(kind))


@BOTH
def test_wrong_data(kind):
    with pytest.raises(TypeError, match="X is a sparse matrix"):
        machine(kind).fit(sparse.csr_array(X), targets(kind))
    fitted = machine(kind).fit(X, targets(kind))
    with pytest.raises(TypeError, match="X is a sparse matrix"):
        fitted.predict(sparse.csr_array(X))
    with pytest.raises(ValueError, match="4 features"):
        fitted.predict(X[:, :3])
    with pytest.raises(ValueError, match="NaN"):
        machine(kind).fit(np.where(X > 2, np.nan, X), targets(kind))
    with pytest.raises(ValueError, match="one class only"):
        machine(RecursiveFeatureMachineClassifier).fit(X, np.zeros(300, int))


def test_few_rows_have_their_share_of_the_ridge(monkeypatch):
    said, right = [], regression.ridge_regression
    monkeypatch.setattr(learning, "_FEW", (100, 512))
    monkeypatch.setattr(regression, "ridge_regression", lambda design, *rest, **given: said.append(
        (design.shape[0], given["alphas"])) or right(design, *rest, **given))
    machine(alpha=6.0, n_steps=1, confirm=False, length_scale=1.0, scaling=None).fit(X, y)
    assert said[0][0] == 100 and said[-1][0] == 300
    assert all(alphas == pytest.approx([6.0 * rows / 300]) for rows, alphas in said)


@pytest.mark.parametrize("weighted", [False, True])
def test_all_parts_of_the_rows_have_their_share_of_the_ridge(monkeypatch, weighted):
    said, weights = [], np.random.default_rng(5).uniform(0.2, 3.0, len(X)) if weighted else np.ones(len(X))
    on = learning._Iteration.on

    def noted(whole, rows, draws, share):
        some = on(whole, rows, draws, share)
        part = np.array([np.flatnonzero((X == row).all(1))[0] for row in some.S])
        said.append((share, weights[part].sum() / weights.sum(), len(part)))
        return some

    monkeypatch.setattr(learning._Iteration, "on", noted)
    for few in (200, 512):  # some of the rows and a third of these less; all rows and a third of these less
        monkeypatch.setattr(learning, "_FEW", (few, 512))
        machine(alpha=6.0, n_steps=1, length_scale=1.0, scaling=None).fit(X, y, weights if weighted else None)
    assert {133, 134, 200} <= {size for *_, size in said}
    np.testing.assert_allclose(*np.array(said).T[:2], rtol=1e-12)
