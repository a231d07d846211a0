"""A weight counts copies of its row, for every estimator: 2 is two rows, 0 is no row, and what stands there is not
read; four times all weights are four times all rows, and choose nothing else; what is reported is counted like what is
used.  Where a row is left out it goes with all its weight, which copies would not."""

import importlib
import inspect
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone, is_classifier

from rfbook import (
    EERF,
    LKRF,
    SES,
    Gaussian,
    HARFERegressor,
    KernelRidgeRegressor,
    LeverageScoreFeatures,
    MetropolisFourierFeatures,
    MetropolisSigmoidFeatures,
    RandomBinningFeatures,
    RandomFeatureClassifier,
    RandomFeatureDensity,
    RandomFeatureGP,
    RandomFeaturePCA,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    RecursiveFeatureMachineClassifier,
    RecursiveFeatureMachineRegressor,
    RFFNetClassifier,
    RFFNetRegressor,
    SRFFRegressor,
    choose_kernel,
)
from rfbook.adaptive import pools as _pools
from rfbook.adaptive import recursion, stretch, weigh_maps
from rfbook.machines import scales
from rfbook.records import RecordsError
from rfbook.solvers import iterative
from rfbook.solvers.design import GridDesign, RowSpace
from rfbook.solvers.direct import RowPath
from rfbook.solvers.fit import variance

rng = np.random.default_rng(0)
N = 60
X = rng.standard_normal((N, 3))
Y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.standard_normal(N)
LABELS = np.array(["low", "middle", "top"])[np.digitize(Y, [-0.5, 0.5])]
TWO = np.where(Y > 0, "yes", "no")
W = rng.integers(0, 4, N).astype(float)
NEW = rng.standard_normal((20, 3))
SEED = {"random_state": 0}
UNIT = {**SEED, "length_scale": 1.0}


def waves(width=12, **options):
    return RandomFourierFeatures(n_components=width, **UNIT, **options)


def regressor(width=12, features=None, **options):
    return RandomFeatureRegressor(waves(width) if features is None else features, **SEED, **options)


def classifier(width=12, **options):
    return RandomFeatureClassifier(waves(width), **SEED, **options)


WALK = {**UNIT, "n_components": 6, "n_steps": 5, "step": 0.3, "exponent": 4.0}
# each with whether copies are the same to rounding: nothing is drawn from the rows, nor a fold made of them
ESTIMATORS = {
    **{f"ridge {width} {alpha}": (partial(regressor, width, alpha=alpha), alpha == 0.5)
       for width in (12, 90) for alpha in (0.5, "loo", "gcv", "cv")},
    "ridge, scaled": (partial(regressor, alpha=0.5, scaling="standard"), True),
    "ridge, powers": (partial(regressor, alpha=0.5, scaling="power"), False),
    "ridge, median": (partial(RandomFeatureRegressor, length_scale="median", n_components=20, alpha=0.5, **SEED),
                      False),
    "ridge, grids": (partial(regressor, features=RandomBinningFeatures(n_grids=5, **UNIT), alpha=0.5), True),
    "ridge, sparse": (partial(regressor, features=RandomBinningFeatures(n_grids=5, **UNIT), alpha="loo"), False),
    "huber": (partial(regressor, alpha=0.5, loss="huber"), True),
    "huber cv": (partial(regressor, loss="huber"), False),
    "quantile": (partial(regressor, alpha=0.5, loss="quantile", quantile=0.7), True),
    "quantile cv": (partial(regressor, loss="quantile", quantile=0.3), False),
    "auto width": (partial(RandomFeatureRegressor, n_components="auto", max_components=128, **UNIT),
                   False),
    "auto scale": (lambda: RandomFeatureRegressor(n_components=20, **SEED), False),
    "classes": (partial(classifier, alpha=0.5), True), "classes loo": (partial(classifier, alpha="loo"), False),
    "classes gcv": (partial(classifier, alpha="gcv"), False), "classes cv": (partial(classifier, alpha="cv"), False),
    "logistic": (partial(classifier, alpha=0.5, loss="logistic"), True),
    "logistic cv": (partial(classifier, alpha="cv", loss="logistic"), False),
    "logistic loo": (partial(classifier, alpha="loo", loss="logistic"), False),
    "hinge": (partial(classifier, alpha=0.5, loss="hinge"), True),
    "hinge cv": (partial(classifier, loss="hinge"), False),
    "balanced": (partial(classifier, alpha=0.5, class_weight={"low": 2.0, "middle": 0.5, "top": 1.0}), True),
    **{f"process {posterior}": (partial(RandomFeatureGP, n_components=16, posterior=posterior, noise=0.05,
                                        amplitude=1.3, **UNIT), True)
       for posterior in ("exact", "compressed", "weights")},
    "process, evidence": (partial(RandomFeatureGP, posterior="exact", **UNIT), True),
    "process, evidence of means": (partial(RandomFeatureGP, n_components=16, posterior="compressed", mean=0.1, **UNIT),
                                   True),
    "process, gcv": (partial(RandomFeatureGP, n_components=16, criterion="gcv", posterior="weights", **UNIT), False),
    "process auto": (partial(RandomFeatureGP, **SEED), False),
    "process auto gcv": (partial(RandomFeatureGP, n_components=16, criterion="gcv", **SEED), False),
    "exact": (partial(KernelRidgeRegressor, length_scale=1.0, alpha=0.5, tol=1e-10, **SEED), True),
    "exact, no intercept": (partial(KernelRidgeRegressor, length_scale=1.0, alpha=0.5, tol=1e-10,
                                    fit_intercept=False, **SEED), True),
    "stretch auto": (partial(RFFNetRegressor, n_components=12, n_epochs=3, start=0.7, **SEED), False),
    "stretch, given": (partial(RFFNetRegressor, n_components=12, n_epochs=3, start=0.7, alpha=0.5,
                               refit=False, optimizer="prox-gradient", **SEED), False),
    "stretch, as printed": (partial(RFFNetRegressor, n_components=12, n_epochs=3, start=0.7, alpha=0.5,
                                    refit=False, fit_intercept=False, optimizer="adam-prox", **SEED), False),
    "stretch, batch": (partial(RFFNetRegressor, n_components=12, n_epochs=0, start=0.7, alpha=0.5,
                               validation_fraction=0.0, **SEED), True),
    "stretch, classes": (partial(RFFNetClassifier, n_components=12, n_epochs=3, start=0.7, **SEED),
                         False),
    "SRFF": (partial(SRFFRegressor, n_components=12, max_iter=3, **UNIT), True),
    "SRFF auto": (partial(SRFFRegressor, n_components=12, max_iter=2, alpha="auto", **UNIT), False),
    "HARFE": (partial(HARFERegressor, n_components=8, n_candidates=40, **UNIT), True),
    "HARFE few rows": (partial(HARFERegressor, n_components=8, n_candidates=200, **UNIT), True),
    "HARFE auto": (partial(HARFERegressor, n_components=8, n_candidates=40, alpha="auto", **UNIT), False),
    "AGOP": (partial(RecursiveFeatureMachineRegressor, n_components=12, n_steps=2, confirm=False,
                     alpha=0.5, **UNIT), False),
    "AGOP confirmed": (partial(RecursiveFeatureMachineRegressor, n_components=12, n_steps=2, **UNIT),
                       False),
    "AGOP classes": (partial(RecursiveFeatureMachineClassifier, n_components=12, n_steps=2,
                             confirm=False, alpha=0.5, **UNIT), False),
    "EERF": (partial(EERF, waves(), n_components=12, n_candidates=60, **SEED), True),
    "EERF, raw": (partial(EERF, waves(), n_components=12, n_candidates=60, centered=False, **SEED), True),
    "EERF, some": (partial(EERF, waves(), n_components=12, n_candidates=60, subsample=0.5, **SEED), False),
    "LKRF": (partial(LKRF, waves(), n_components=12, n_candidates=60, **SEED), True),
    "LKRF, ball": (partial(LKRF, waves(), n_components=12, n_candidates=60, radius=3.0, keep="published", **SEED),
                   True),
    "LKRF, some": (partial(LKRF, waves(), n_components=12, n_candidates=60, subsample=20, **SEED), False),
    "SES": (partial(SES, waves(), n_components=12, subsample=1.0, **SEED), True),
    "SES, some": (partial(SES, waves(), n_components=12, subsample=20, **SEED), False),
    "leverage": (partial(LeverageScoreFeatures, n_components=12, alpha=0.5, n_candidates=60, **UNIT), True),
    "leverage auto": (partial(LeverageScoreFeatures, n_components=12, n_candidates=60, **UNIT), True),
    "surrogate": (partial(LeverageScoreFeatures, n_components=12, scores="surrogate", n_candidates=60, **UNIT), True),
    "walk": (partial(MetropolisFourierFeatures, alpha=0.5, **WALK), True),
    "walk auto": (partial(MetropolisFourierFeatures, **{**WALK, "covariance": "adaptive", "burn_in": 1}), True),
    "walk, held": (partial(MetropolisFourierFeatures, validation_fraction=0.3, patience=3, **WALK), False),
    "sigmoids": (partial(MetropolisSigmoidFeatures, alpha=0.5, **WALK), True),
    "sigmoids, held": (partial(MetropolisSigmoidFeatures, validation_fraction=0.3, **WALK), False),
    "components": (partial(RandomFeaturePCA, 2, waves(), **SEED), True),
    "density": (partial(RandomFeatureDensity, waves(), **SEED), True),
}


def targets_of(machine):
    """Targets that an estimator is for."""
    return LABELS if is_classifier(machine) else Y


def said(machine):
    """Predictions or features of new rows, and all numbers that a fit has left: those that are reported, too."""
    found = {}
    for how in ("predict", "predict_proba", "decision_function", "transform"):
        if hasattr(machine, how):
            out = getattr(machine, how)(NEW)
            found[how] = out if getattr(out, "dtype", None) is not None and out.dtype.kind == "f" else None
    for name, value in vars(machine).items():
        if name.endswith("_") and not name.startswith("_"):
            value = np.asarray(getattr(value, "frequencies", value)) if not isinstance(value, str) else np.array(0.0)
            found[name] = value if value.dtype.kind in "iuf" else None
    return {name: np.asarray(value, dtype=float) for name, value in found.items() if value is not None}


BY_ROWS = ("dual_coef_", "residuals_", "X_fit_", "n_iter_", "n_refinements_", "n_components_", "feature_coef_",
           "features_", "n_samples_seen_")
# a number for each row or box
BY_ROWS_OF = ("exact", "exact, no intercept", "ridge, grids", "ridge, sparse", "components")
LOOSE = ("quantile", "huber", "hinge")  # solved to four digits
FLAT = ("process, evidence", "process, evidence of means")  # found to two: a likelihood is flat where it is largest
OWN_NOISE = (*FLAT, "process, gcv", "process auto", "process auto gcv")  # four copies that agree have less


def agree(name, one, two, rtol, but=()):
    """All numbers of two fits."""
    one, two = said(one), said(two)
    assert one.keys() == two.keys() and len(one) >= 2
    but = {*but, *(BY_ROWS if name in BY_ROWS_OF else ())}
    for name in one.keys() - but:
        assert one[name].shape == two[name].shape, name
        size = np.abs(one[name][np.isfinite(one[name])]).max(initial=0.0)
        np.testing.assert_allclose(two[name], one[name], rtol=rtol, atol=rtol * max(size, 1e-12), err_msg=name)


EXACT = [name for name, (_, exact) in ESTIMATORS.items() if exact]


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.filterwarnings("ignore")
def test_a_weight_counts_copies(name):
    made = ESTIMATORS[name][0]()
    y, times = targets_of(made), W.astype(int)
    weighted = clone(made).fit(X, y, sample_weight=W)
    copied = clone(made).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    agree(name, weighted, copied, 1e-2 if name in FLAT else 1e-4 if name in LOOSE else 1e-6)
    plain = clone(made).fit(X, y)
    assert any(not np.allclose(a, b) for a, b in zip(said(weighted).values(), said(plain).values(), strict=True))


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.filterwarnings("ignore")
def test_what_stands_in_a_row_without_weight_is_not_read(name):
    made = ESTIMATORS[name][0]()
    y, none, filled = targets_of(made), W == 0, []
    for seed, size in ((1, 1.0), (2, 30.0)):
        other, A, b = np.random.default_rng(seed), X.copy(), y.copy()
        A[none] = size * other.standard_normal((none.sum(), 3))
        b[none] = other.permutation(y[none]) if y.dtype.kind == "U" else size * other.standard_normal(none.sum())
        filled.append(clone(made).fit(A, b, sample_weight=W))
    agree(name, *filled, 1e-6 if name in (*LOOSE, "ridge, sparse") else 1e-9)


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if name not in OWN_NOISE])
@pytest.mark.filterwarnings("ignore")
def test_four_times_all_weights_are_four_times_all_rows(name):
    """But for a noise that is found: of four copies that agree it is less."""
    made = ESTIMATORS[name][0]()
    y, more = targets_of(made), clone(made)
    more.set_params(**{what: 4 * given for what, given in made.get_params(deep=False).items()
                       if what in ("alpha", "noise") and isinstance(given, float)})
    one, four = clone(made).fit(X, y, sample_weight=W + 0.5), more.fit(X, y, sample_weight=4 * W + 2)
    agree(name, one, four, 1e-3 if name in LOOSE else 1e-6, ("alpha_", "alphas_", "alpha_scores_", "noise_"))
    for units in {"alpha_", "alpha_scores_"} & said(one).keys():
        np.testing.assert_allclose(said(four)[units], (4 if units == "alpha_" else 1) * said(one)[units], rtol=1e-4)


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.filterwarnings("ignore")
def test_weights_of_one_are_none(name):
    made = ESTIMATORS[name][0]()
    y = targets_of(made)
    agree(name, clone(made).fit(X, y), clone(made).fit(X, y, sample_weight=np.ones(N)), 1e-9)


def test_every_estimator_that_takes_weights_is_among_these():
    tried = {type(make()).__name__ for make, _ in ESTIMATORS.values()}
    tried |= {"RandomFeatureKMeans"}  # which begins with rows that are drawn, by weight, as scikit-learn's does
    for room in ("features", "adaptive", "learning", "lab.baselines"):
        module = importlib.import_module(f"rfbook.{room}")
        for name in module.__all__:
            kind = getattr(module, name)
            if inspect.isclass(kind) and "sample_weight" in inspect.signature(getattr(kind, "fit", len)).parameters:
                assert name in tried, name


# ---- what is weighed inside, and what is only reported ---------------------------------------------------------------

TIMES = W.astype(int)
COPIES, COPIED = np.repeat(X, TIMES, axis=0), np.repeat(Y, TIMES)


def garbage(seed, size=30.0):
    """The rows with other numbers where they have no weight."""
    other, A, b = np.random.default_rng(seed), X.copy(), Y.copy()
    A[W == 0] = size * other.standard_normal(((W == 0).sum(), 3))
    b[W == 0] = size * other.standard_normal((W == 0).sum())
    return A, b


@pytest.mark.filterwarnings("ignore")
def test_few_rows_are_taken_from_those_with_weight(monkeypatch):
    monkeypatch.setattr("rfbook.adaptive.recursion._FEW", (25, 8))
    monkeypatch.setattr("rfbook.machines.widths._SEEN", 20)
    monkeypatch.setattr("rfbook.machines.scales._ROWS", 20)
    monkeypatch.setattr("rfbook.machines.scales._FEATURES", 8)
    for name in ("AGOP", "AGOP confirmed", "auto width", "auto scale"):
        agree(name, *(clone(ESTIMATORS[name][0]()).fit(*garbage(seed), W) for seed in (1, 2)), 1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["EERF, some", "LKRF, some", "SES, some"])
def test_a_subsample_takes_the_weights_of_its_rows_along(name, monkeypatch):
    """Draws do not depend on rows, so that a map for some of them is the one that is given no others."""
    rows = np.flatnonzero(W)[::2]
    made, taken = ESTIMATORS[name][0](), []
    y = targets_of(made)
    for module in (_pools, weigh_maps):
        monkeypatch.setattr(module, "some_rows", lambda *given: taken.append(given) or rows)
    weighted = clone(made).fit(X, y, sample_weight=W)
    assert len(taken) == 1 and not np.ptp(W[rows]) == 0
    for module in (_pools, weigh_maps):
        monkeypatch.setattr(module, "some_rows", lambda *given: None)
    alone = clone(made).fit(X[rows], y[rows], sample_weight=W[rows])
    plain = clone(made).fit(X[rows], y[rows])
    agree(name, weighted, alone, 1e-9, ("subsample",))
    assert not np.allclose(weighted.transform(NEW), plain.transform(NEW))


def test_scores_of_scales_do_not_depend_on_the_unit_of_weights():
    found = []
    for A, b, w in ((X, Y, W), (X, Y, 7 * W), (X, Y, None)):
        search = scales._Search(A, b[:, None], w, 12, np.random.default_rng(0))
        search.open(None)
        search.seed, search.medians[None] = 0, 2.0
        tried = [search.best((None, "gaussian", multiple)) for multiple in (0.25, 0.5, 1.0)]
        found.append([(trial.score, trial.alpha, search.behind(trial, tried[0])[1]) for trial in tried])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-7)
    assert not np.allclose(found[0], found[2], rtol=1e-2)
    np.testing.assert_allclose(variance(np.c_[Y, X], W), np.c_[COPIED, COPIES].var(0), rtol=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_widths_and_their_errors_do_not_depend_on_the_unit_of_weights():
    make = ESTIMATORS["auto width"][0]
    one, two = make().fit(X, Y, W), make().fit(X, Y, 7 * W)
    np.testing.assert_allclose(one.widths_, two.widths_, rtol=1e-6)
    assert one.approximation_error_ == pytest.approx(two.approximation_error_, rel=1e-6)
    assert abs(make().fit(X, Y).approximation_error_ / two.approximation_error_ - 1) > 1e-3


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("criterion", ["cv", "gcv"])
def test_kernels_are_chosen_by_weights(criterion):
    base = RandomFeatureRegressor(n_components=12, scaling="standard", random_state=0)
    choose = partial(choose_kernel, base, kernels=(Gaussian(0.7), Gaussian(2.0), Gaussian(5.0)), criterion=criterion)
    one, two = (choose(*garbage(seed), sample_weight=W) for seed in (1, 2))
    np.testing.assert_allclose(one.results["scores"], two.results["scores"], rtol=1e-7)
    np.testing.assert_allclose(one.machine.predict(NEW), two.machine.predict(NEW), rtol=1e-6, atol=1e-8)
    plain = choose(*garbage(1))
    assert not np.allclose(plain.results["scores"], one.results["scores"], rtol=1e-2)
    heavy = choose(*garbage(1), sample_weight=7 * W)
    np.testing.assert_allclose(one.results["score"], heavy.results["score"], rtol=1e-7)


@pytest.mark.parametrize("make", [partial(regressor, alpha=0.5), partial(regressor, alpha="gcv"),
                                  partial(classifier, alpha=0.5)])
def test_rows_in_parts_count_by_their_weights(make):
    machine, copied = make(), make()
    y = targets_of(machine)
    first = {"classes": np.unique(y)} if is_classifier(machine) else {}
    for rows in (slice(0, 25), slice(25, N)):
        given = first if rows.start == 0 else {}
        machine.partial_fit(X[rows], y[rows], sample_weight=W[rows], **given)
        copied.partial_fit(np.repeat(X[rows], TIMES[rows], 0), np.repeat(y[rows], TIMES[rows]), **given)
    if machine.alpha != "gcv":
        agree("in parts", machine, copied, 1e-6)
    how = "decision_function" if is_classifier(machine) else "predict"
    whole = make().fit(X, y, sample_weight=W)
    np.testing.assert_allclose(getattr(machine, how)(NEW), getattr(whole, how)(NEW), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("posterior", ["exact", "compressed", "weights"])
def test_half_the_noise_is_two_rows(posterior):
    """Of a process: rows of noise s at the same place are one with s over their number."""
    some = W > 0
    process = partial(RandomFeatureGP, Gaussian(1.0), n_components=16, amplitude=1.3, noise=0.05, mean=0.2,
                      posterior=posterior, random_state=0)
    one = process().fit(X[some], Y[some], noise_variance=0.3 / W[some] - 0.05)
    two = process().fit(COPIES, COPIED, noise_variance=np.full(len(COPIED), 0.25))
    for a, b in zip(one.predict(NEW, return_std=True), two.predict(NEW, return_std=True), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("kind", ["regressor", "classifier"])
def test_rows_that_are_held_back_count_by_their_weights(kind, monkeypatch):
    """The loss of the start, at which all scores are the constant, is known."""
    seen, held_rows = [], stretch.held_rows
    monkeypatch.setattr(stretch, "held_rows", lambda *args: seen.append(held_rows(*args)) or seen[-1])
    make, y = {"regressor": (RFFNetRegressor, Y), "classifier": (RFFNetClassifier, TWO)}[kind]
    machine = make(n_components=8, n_epochs=0, scaling=None, start=1.0, validation_fraction=0.4, **SEED).fit(X, y, W)
    (held,) = seen
    trained = ~held & (W > 0)
    assert (W[held] > 0).all() and held.sum() == np.ceil(0.4 * (W > 0).sum())
    if kind == "regressor":
        mean = np.average(Y, weights=W)
        losses = 0.5 * (Y - mean) ** 2 / np.average((Y - mean) ** 2, weights=W)
    else:
        share = np.average(TWO == "yes", weights=W)
        losses = -np.log(np.where(TWO == "yes", share, 1 - share))
    want = (W[held] @ losses[held]) / held.sum() / W[trained].mean()
    assert machine.validation_losses_[0] == pytest.approx(want, rel=1e-5)


def test_a_walk_with_other_weights_is_another_walk(tmp_path):
    make = partial(MetropolisFourierFeatures, alpha=0.5, checkpoint=tmp_path / "walk.npz", **WALK)
    make().fit(X, Y, W)
    again = make().fit(X, Y, W)
    assert again.trace_["error"].shape == (6,)
    for other in (None, W + 1, np.ones(N)):
        with pytest.raises(RecordsError, match="another rows"):
            make().fit(X, Y, other)
    for A, b in ((X, Y + 1e-9), (X + 1e-9, Y)):
        with pytest.raises(RecordsError, match="another rows"):
            make().fit(A, b, W)


def test_the_trace_is_asked_of_rows_with_weight():
    """Generalised cross-validation by probes, where most rows have none; about six deviations of 32 probes."""
    draws = np.random.default_rng(3)
    ids = draws.integers(0, 12, (10, 400)).astype(np.int32)
    target = np.cos(ids[:1].T) + 0.3 * draws.standard_normal((400, 1))
    weights = np.where(np.arange(400) % 4 == 0, draws.integers(1, 4, 400), 0) * 1.0
    rows, alphas = RowSpace(GridDesign(ids, np.full(10, 12)), target, weights), np.array([0.3, 3.0, 30.0])
    path = RowPath(rows)
    exact = np.array([path.gcv(alpha) for alpha in alphas])
    np.testing.assert_allclose(iterative.gcv_scores(rows, alphas), exact, rtol=0.35)
    few = weights > 0
    same = RowPath(RowSpace(GridDesign(ids[:, few], np.full(10, 12)), target[few], weights[few]))
    np.testing.assert_allclose(exact, [same.gcv(alpha) for alpha in alphas], rtol=1e-7)


def test_weights_alone_make_another_walk(tmp_path):
    """Targets of 1 and -1, whose mean and square these weights leave as they are."""
    signs = np.where(np.arange(N) % 2, 1.0, -1.0)
    one, two = np.ones(N), np.ones(N)
    one[:2], two[2:4] = 3.0, 3.0
    make = partial(MetropolisFourierFeatures, alpha=0.5, checkpoint=tmp_path / "walk.npz", **WALK)
    make().fit(X, signs, one)
    with pytest.raises(RecordsError, match="another rows"):
        make().fit(X, signs, two)


def test_kernels_are_chosen_by_the_weights_of_all_slices(monkeypatch):
    base = RandomFeatureRegressor(n_components=12, scaling="standard", random_state=0)
    monkeypatch.setattr("rfbook.learning.choosing._SLICE", 25)
    one, two = (choose_kernel(base, *garbage(seed), kernels=(Gaussian(0.7), Gaussian(2.0)), criterion="gcv",
                              sample_weight=W) for seed in (1, 2))
    np.testing.assert_allclose(one.results["scores"], two.results["scores"], rtol=1e-7)
    whole = clone(one.machine).fit(X, Y, W)
    np.testing.assert_allclose(one.machine.predict(NEW), whole.predict(NEW), rtol=1e-6, atol=1e-8)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("few", [(25, 512), (2000, 512)])
def test_steps_are_confirmed_by_rows_with_weight(few, monkeypatch):
    said_of, confirmed = [], recursion._confirmed
    monkeypatch.setattr(recursion, "_FEW", few)

    def noted(some, whole, *rest):
        assert some.weights is None or len(some.rows) == N or (W[some.rows] > 0).all()
        said_of.append(confirmed(some, whole, *rest))
        return said_of[-1]

    monkeypatch.setattr(recursion, "_confirmed", noted)
    machine = RecursiveFeatureMachineRegressor(n_components=12, n_steps=2, scaling=None, alpha=0.5, **UNIT)
    for seed in (1, 2):
        clone(machine).fit(*garbage(seed), W)
    machine.fit(X, Y)
    np.testing.assert_allclose(said_of[0], said_of[1], rtol=1e-9)
    assert len(said_of) == 3 and not np.allclose(said_of[0], said_of[2], rtol=1e-2)


@pytest.mark.filterwarnings("ignore:Gaussian")
def test_the_warning_of_a_constant_counts_weights():
    """Noise alone has weight, and wild targets have none: nothing is explained."""
    draws = np.random.default_rng(5)
    A, b, w = draws.standard_normal((200, 3)), draws.standard_normal(200), (np.arange(200) < 100) * 1.0
    b[100:] *= 1000
    with pytest.warns(UserWarning, match="on rows that are left out the features explain less"):
        RandomFeatureRegressor(RandomFourierFeatures(n_components=40, length_scale=0.05, random_state=0)).fit(A, b, w)
