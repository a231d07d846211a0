"""The ridge machines: against scikit-learn, over inputs of every kind, and their errors."""

import pickle
import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_digits, make_classification
from sklearn.feature_selection import RFE, SelectFromModel
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import Ridge, RidgeClassifier, RidgeCV
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from rfbook import RandomBinningFeatures, RandomFeatureClassifier, RandomFeatureRegressor, RandomFourierFeatures
from rfbook._rows import Targets, whole


def sets_n_components(machine):
    """Checks that set n_components, which is an error where features are given."""
    names = ("check_dont_overwrite_parameters", "check_fit2d_1feature", "check_fit2d_predict1d",
             "check_methods_sample_order_invariance", "check_methods_subset_invariance", "check_fit2d_1sample")
    if machine.features is None:
        names = [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")]
        return dict.fromkeys(names, "scalings and length scales come from rows, whatever these weigh")
    return dict.fromkeys(names, "features takes over n_components") | (CHOSEN if machine.alpha == "auto" else {})


CHOSEN = dict.fromkeys([f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")],
                       "a row is left out with all its weight where a ridge is chosen, and repeated rows one by one")


@pytest.mark.filterwarnings("ignore:on rows that are left out")  # some checks draw y without a look at X
@parametrize_with_checks([
    RandomFeatureRegressor(n_components=64), RandomFeatureClassifier(n_components=64),
    RandomFeatureRegressor(RandomFourierFeatures(length_scale=1.0, n_components=301, phase="offset"), alpha=0.1),
    RandomFeatureClassifier(RBFSampler(random_state=0), alphas=[0.1, 1.0]),
], expected_failed_checks=sets_n_components)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def diabetes():
    X, y = load_diabetes(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.fixture
def rff():
    return RandomFourierFeatures(length_scale=4.0, n_components=200, random_state=0)


def test_is_ridge_on_the_features(diabetes, rff):
    X, y = diabetes
    Z = rff.fit_transform(X)
    ours, theirs = RandomFeatureRegressor(rff, alpha=0.5).fit(X, y), Ridge(alpha=0.5).fit(Z, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(Z), rtol=1e-9)
    np.testing.assert_allclose(ours.feature_coef_, theirs.coef_, rtol=1e-6, atol=1e-8)
    assert np.isscalar(ours.intercept_) and abs(ours.intercept_ - theirs.intercept_) < 1e-7


def test_gcv_chooses_as_leave_one_out_does_nearly(diabetes, rff):
    X, y = diabetes
    Z, alphas = rff.fit_transform(X), np.logspace(-3, 3, 13)
    ours = RandomFeatureRegressor(rff, alpha="gcv", alphas=list(alphas)).fit(X, y)
    theirs = RidgeCV(alphas).fit(Z, y)
    assert abs(np.log10(ours.alpha_ / theirs.alpha_)) <= 0.5
    assert len(ours.alphas_) == len(ours.alpha_scores_) == 13
    np.testing.assert_allclose(ours.alphas_[np.argmin(ours.alpha_scores_)], ours.alpha_)
    np.testing.assert_allclose(ours.predict(X), Ridge(alpha=ours.alpha_).fit(Z, y).predict(Z), rtol=1e-7)


def test_gcv_is_the_definition(diabetes, rff):
    X, y = diabetes
    Z = rff.fit_transform(X)
    n, (centred, target) = len(y), (Z - Z.mean(0), y - y.mean())
    machine = RandomFeatureRegressor(rff, alpha="gcv", alphas=[0.01, 1.0, 30.0]).fit(X, y)
    for alpha, score in zip(machine.alphas_, machine.alpha_scores_, strict=True):
        hat = centred @ np.linalg.solve(centred.T @ centred + alpha * np.eye(Z.shape[1]), centred.T) + 1 / n
        want = n * np.sum((target - (hat - 1 / n) @ target) ** 2) / (n - np.trace(hat)) ** 2
        assert score == pytest.approx(want, rel=1e-8)


def test_several_outputs(diabetes, rff):
    X, y = diabetes
    Y = np.c_[y, y**2 / 100, np.cos(y)]
    both = RandomFeatureRegressor(rff, alpha=1.0).fit(X, Y)
    assert both.feature_coef_.shape == (3, 200) and both.intercept_.shape == (3,) and both.predict(X).shape == Y.shape
    for k in range(3):
        alone = RandomFeatureRegressor(rff, alpha=1.0).fit(X, Y[:, k])
        np.testing.assert_allclose(both.predict(X)[:, k], alone.predict(X), rtol=1e-9, atol=1e-9)


def test_weights_are_repetitions(diabetes, rff):
    X, y = diabetes
    w = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = RandomFeatureRegressor(rff, alpha=0.3).fit(X, y, sample_weight=w)
    repeated = RandomFeatureRegressor(rff, alpha=0.3).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-6)


def test_classifier_is_ridge_classifier(rff):
    X, y = load_digits(return_X_y=True)
    X = X / 16
    Z = rff.fit_transform(X)
    ours, theirs = RandomFeatureClassifier(rff, alpha=1.0).fit(X, y), RidgeClassifier(alpha=1.0).fit(Z, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(Z), atol=1e-8)
    assert (ours.predict(X) == theirs.predict(Z)).all() and ours.feature_coef_.shape == (10, 200)


def test_two_classes_with_string_labels(rff):
    X, y = make_classification(300, random_state=0)
    names = np.array(["no", "yes"])[y]
    machine = RandomFeatureClassifier(rff).fit(X, names)
    assert machine.feature_coef_.shape == (1, 200) and machine.decision_function(X).shape == (300,)
    assert set(machine.predict(X)) == {"no", "yes"}
    assert ((machine.decision_function(X) > 0) == (machine.predict(X) == "yes")).all()


def test_float32_agrees_with_float64():
    X, y = load_digits(return_X_y=True)
    X = X / 16
    rff = RandomFourierFeatures(gamma=0.3, n_components=500, random_state=0)
    Y = np.eye(10)[y]
    double = RandomFeatureRegressor(rff, alpha=1.0).fit(X, Y).predict(X)
    single = RandomFeatureRegressor(rff, alpha=1.0).fit(X.astype(np.float32), Y).predict(X.astype(np.float32))
    # eps of float32 is 6e-8; the ridge bounds the condition number by about n, and its root enters the prediction
    assert np.abs(single - double).max() <= 6e-8 * np.sqrt(len(y)) * np.abs(double).max()


def test_sparse_strided_and_fortran_inputs(diabetes, rff):
    X, y = diabetes
    want = RandomFeatureRegressor(rff, alpha=1.0).fit(X, y)
    wide = np.zeros((2 * len(X), X.shape[1]))
    wide[::2] = X
    for Other in (sparse.csr_array(X), sparse.csr_matrix(X), sparse.coo_array(X), np.asfortranarray(X), wide[::2]):
        got = RandomFeatureRegressor(rff, alpha=1.0).fit(Other, y)
        np.testing.assert_allclose(got.predict(Other), want.predict(X), rtol=1e-9)


def test_threads_do_not_change_a_bit(rff, many_threads):
    X = np.random.default_rng(0).standard_normal((3000, 7))
    y = np.sin(X).sum(1)
    runs = [RandomFeatureRegressor(rff, alpha="gcv", n_jobs=n).fit(X, y) for n in (1, 2, 4, None, -1)]
    for run in runs[1:]:
        assert (run.feature_coef_ == runs[0].feature_coef_).all() and (run.predict(X) == runs[0].predict(X)).all()


@pytest.mark.parametrize("features", [
    RandomFourierFeatures(length_scale=4.0, n_components=30, random_state=0),
    RandomBinningFeatures(length_scale=20.0, n_grids=30, random_state=0),
], ids=["dense", "sparse"])
def test_many_targets_are_copied_for_sparse_features_alone(features, monkeypatch):
    X, y = load_digits(return_X_y=True)
    X, y, copied = X[:200, 20:23], y[:200], []
    monkeypatch.setattr("rfbook.solvers.regression.DIRECT", 10)  # as if 30 columns were too many to be written out
    want = RandomFeatureClassifier(features, alpha=1.0).fit(X, y)
    monkeypatch.setattr("rfbook._rows.LARGE", 4 * 200 - 1)
    monkeypatch.setattr("rfbook.solvers.fit.whole", lambda Y: copied.append(Y) or whole(Y))
    got = RandomFeatureClassifier(features, alpha=1.0).fit(X, y)
    np.testing.assert_allclose(got.feature_coef_, want.feature_coef_, atol=1e-8)
    assert len(copied) == isinstance(features, RandomBinningFeatures) and all(isinstance(Y, Targets) for Y in copied)


def test_feature_matrix_is_never_whole():
    n, D = 60_000, 200
    X = np.random.default_rng(0).standard_normal((n, 5))
    machine = RandomFeatureRegressor(RandomFourierFeatures(length_scale=1.0, n_components=D, random_state=0),
                                     alpha=1.0, n_jobs=2)
    machine.fit(X[:1000], X[:1000, 0])
    tracemalloc.start()
    machine.fit(X, X[:, 0]).predict(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # two threads, each a block of 4096 rows and its angles; the target and the checks of X take a few arrays of n
    assert peak < 2 * (4096 + 512) * D * 8 * 1.5 + 6 * D * D * 8 + 8 * X.nbytes / 5 + 2 * X.nbytes
    assert peak < n * D * 8 / 2


def test_alpha_zero_and_repeated_features(diabetes):
    X, y = diabetes
    wide = RandomFourierFeatures(length_scale=4.0, n_components=600, random_state=0)  # more features than rows
    machine = RandomFeatureRegressor(wide, alpha=0.0).fit(X, y)
    assert np.isfinite(machine.feature_coef_).all()
    np.testing.assert_allclose(machine.predict(X), y, atol=1e-3)


def test_constant_target_and_single_row(rff):
    X = np.random.default_rng(0).standard_normal((20, 3))
    assert RandomFeatureRegressor(rff).fit(X, np.full(20, 7.0)).predict(X) == pytest.approx(np.full(20, 7.0))
    assert RandomFeatureRegressor(rff).fit(X[:1], [5.0]).predict(X[:1]) == pytest.approx([5.0])


def test_random_state_reaches_the_features(diabetes):
    X, y = diabetes
    a, b = (RandomFeatureRegressor(random_state=3).fit(X, y) for _ in range(2))
    assert (a.feature_coef_ == b.feature_coef_).all() and a.features_.random_state == 3
    own = RandomFeatureRegressor(RandomFourierFeatures(length_scale=1.0, random_state=1), random_state=3).fit(X, y)
    assert own.features_.random_state == 1


def test_in_pipelines_searches_and_pickles(diabetes):
    X, y = diabetes
    machine = RandomFeatureRegressor(RandomFourierFeatures(length_scale=1.0, n_components=50, random_state=0))
    search = GridSearchCV(make_pipeline(StandardScaler(), machine),
                          {"randomfeatureregressor__features__length_scale": [1.0, 5.0]}, cv=3).fit(X, y)
    again = pickle.loads(pickle.dumps(search))
    assert (again.predict(X) == search.predict(X)).all()
    assert clone(machine).get_params()["features__n_components"] == 50


@pytest.mark.parametrize(("arguments", "words"), [
    ({"alpha": -1.0}, "alpha is -1.0"), ({"alpha": "best"}, "alpha is 'best'"), ({"alpha": []}, "alpha has 0 values"),
    ({"alpha": [1.0, 2.0]}, "ridges to choose from go into alphas"), ({"alpha": [np.nan]}, "alpha is nan"),
    ({"alphas": []}, "alphas is empty"), ({"alphas": [1.0, np.nan]}, "alphas is nan"),
    ({"alpha": 1.0, "alphas": [1.0]}, "alphas is given"),
    ({"n_components": 7}, "features is given and n_components is 7"),
    ({"kernel": "laplacian"}, "features is given and kernel is 'laplacian'"), ({"scaling": "log"}, "scaling is 'log'"),
    ({"length_scale": 2.0}, "features is given and length_scale is 2.0"), ({"alpha": None}, "alpha is None"),
    ({"n_jobs": 0}, "n_jobs is 0"),
    ({"random_state": "x"}, "random_state is 'x'"),
])
def test_wrong_arguments_are_named(arguments, words, diabetes, rff):
    arguments = {**arguments, "features": rff} if words.startswith("features") else arguments
    with pytest.raises(ValueError, match=words):
        RandomFeatureRegressor(**arguments).fit(*diabetes)


def test_wrong_data_is_refused(diabetes, rff):
    X, y = diabetes
    bad = y.copy()
    bad[3] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        RandomFeatureRegressor(rff).fit(X, bad)
    with pytest.raises(ValueError, match="loss is 'absolute'"):
        RandomFeatureClassifier(rff, loss="absolute").fit(X, y > 100)
    with pytest.raises(ValueError, match="one class only"):
        RandomFeatureClassifier(rff).fit(X, np.ones(len(y)))
    with pytest.raises(ValueError, match="zero"):
        RandomFeatureRegressor(rff).fit(X, y, sample_weight=np.zeros(len(y)))
    with pytest.raises(ValueError, match="[Nn]egative"):
        RandomFeatureRegressor(rff).fit(X, y, sample_weight=-np.ones(len(y)))
    with pytest.raises(ValueError, match="features"):
        RandomFeatureRegressor(rff).fit(X, y).predict(X[:, :3])


@pytest.mark.parametrize("kind", [RandomFeatureRegressor, RandomFeatureClassifier])
def test_columns_are_selected_as_the_notes_say(kind):
    X = np.random.default_rng(0).standard_normal((300, 6))
    y = np.sin(2 * X[:, 1]) + X[:, 4]
    machine = kind(n_components=100, length_scale=2.0, alpha=1.0, random_state=0)
    target = y if kind is RandomFeatureRegressor else np.digitize(y, [-0.5, 0.5])
    selector = SelectFromModel(machine, importance_getter=lambda fitted: fitted.column_importance(X), max_features=2,
                               threshold=-np.inf)
    assert selector.fit(X, target).get_support(True).tolist() == [1, 4]


@pytest.mark.parametrize("kind", [RandomFeatureRegressor, RandomFeatureClassifier])
def test_selectors_of_columns_are_told_what_is_missing(kind):
    X = np.random.default_rng(0).standard_normal((60, 3))
    machine = kind(n_components=20, length_scale=1.0).fit(X, X[:, 0] > 0)
    with pytest.raises(AttributeError, match="coefficients of its features are feature_coef_"):
        machine.coef_  # noqa: B018
    for selector in (RFE(machine), SelectFromModel(machine)):
        with pytest.raises(ValueError, match="`coef_` or `feature_importances_`"):
            selector.fit(X, X[:, 0] > 0).get_support()
