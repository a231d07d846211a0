"""Units: targets a y + b give predictions a f + b and squares a^2, powers of two to the bit; rows in another unit give
the same wherever a machine finds its scale itself; and what one output is called does not touch the others."""

import warnings
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from test_weights import ESTIMATORS, LABELS, NEW, SEED, UNIT, X, Y, regressor, said

from rfbook import (
    EERF,
    LKRF,
    SES,
    HARFERegressor,
    JackknifePlus,
    KernelRidgeRegressor,
    LeverageScoreFeatures,
    MetropolisFourierFeatures,
    RandomBinningFeatures,
    RandomFeatureClassifier,
    RandomFeatureGP,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    RecursiveFeatureMachineClassifier,
    RecursiveFeatureMachineRegressor,
    RFFNetClassifier,
    RFFNetRegressor,
    SRFFRegressor,
)
from rfbook.lab.baselines import CoreVectorMachine, EigenProRegressor, FourierNetwork
from rfbook.solvers import DenseDesign, solve

TWELVE = {**SEED, "n_components": 12}
MACHINES = {
    **{name: make for name, (make, _) in ESTIMATORS.items() if not is_classifier(make())},
    **{f"process {criterion} {posterior}": partial(RandomFeatureGP, posterior=posterior, criterion=criterion, **TWELVE)
       for criterion in ("likelihood", "gcv") for posterior in ("exact", "weights")},
    "jackknife": lambda: JackknifePlus(RandomFeatureRegressor(length_scale="median", **TWELVE), **SEED),
    "EigenPro": partial(EigenProRegressor, n_centers=30, subsample=40, n_directions=5, n_epochs=2, **SEED),
    "network": partial(FourierNetwork, n_epochs=2, **TWELVE),
    "all defaults": partial(RandomFeatureRegressor, **TWELVE),
}
# as large as they are; what is not named here stays
WITH_TARGETS = ("predict", "bounds_", "feature_coef_", "dual_coef_")
MOVED = ("predict", "intercept_", "bounds_")
SQUARED = ("alpha_scores_", "amplitude_", "noise_", "gradient_product_")
RELATIVE = {  # where they stay, or are as large
    "stretch, given": {"feature_coef_": 0}, **{name: {"alpha_scores_": 0} for name in ("huber cv", "quantile cv")},
    "jackknife": {"residuals_": 1}, **{name: {"relevances_": 1} for name in MACHINES if name.startswith("HARFE")}}
AS_IT_IS = ("stretch, as printed",  # the paper's steps are not relative to anything
            "process exact", "process compressed", "process weights", "process, evidence of means")  # told numbers
NOT_MOVED = ("EERF, raw", "exact, no intercept")  # without a constant
ONE_SIDED = ("quantile", "quantile cv")


def moved(name, base, a, b):
    """What numbers of a fit become when targets y become a y + b."""
    powers = {**dict.fromkeys(WITH_TARGETS, 1), "intercept_": 1, **dict.fromkeys(SQUARED, 2), **RELATIVE.get(name, {})}
    out = {}
    for what, value in base.items():
        size = np.abs(a) if what == "relevances_" else a
        out[what] = value * size ** powers.get(what, 0) + (b if what in MOVED else 0.0)
        if what == "bounds_":
            out[what] = np.sort(out[what], axis=0)
    return out


@pytest.mark.parametrize("name", [name for name in MACHINES if name not in AS_IT_IS])
@pytest.mark.filterwarnings("ignore")
def test_predictions_are_in_the_unit_of_the_targets(name):
    made = MACHINES[name]()
    base = said(clone(made).fit(X, Y))
    moves = [(-(2.0**20), 0.0, 1e-12), (2.0**-70, 0.0, 1e-12), (4.0, 3.0, 1e-4 if "process" in name else 1e-6)]
    for a, b, rtol in moves:
        if (b and name in NOT_MOVED) or (a < 0 and name in ONE_SIDED):
            continue
        found, want = said(clone(made).fit(X, a * Y + b)), moved(name, base, a, b)
        for what, value in want.items():
            size = np.abs(value[np.isfinite(value)]).max(initial=0.0)
            np.testing.assert_allclose(found[what], value, rtol=rtol, atol=rtol * size, err_msg=f"{what} {a} {b}")
    assert name not in ("ridge 12 loo", "process gcv exact") or {*base} & {*SQUARED}


@pytest.mark.parametrize("posterior", ["exact", "compressed", "weights"])
def test_deviations_intervals_and_paths_are_in_the_unit_of_the_targets(posterior):
    made = RandomFeatureGP(length_scale=1.0, posterior=posterior, criterion="gcv", **TWELVE)
    one, two = clone(made).fit(X, Y), clone(made).fit(X, -4.0 * Y + 3)
    (f, s), (g, t) = (machine.predict(NEW, return_std=True) for machine in (one, two))
    np.testing.assert_allclose(g, 3 - 4 * f, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(t, 4 * s, rtol=1e-6)
    np.testing.assert_allclose(two.predict_interval(NEW), 3 - 4 * np.array(one.predict_interval(NEW))[::-1],
                               rtol=1e-6, atol=1e-6)
    up = clone(made).fit(X, 4 * Y + 3)
    np.testing.assert_allclose(up.sample_y(NEW, random_state=1), 3 + 4 * one.sample_y(NEW, random_state=1),
                               rtol=1e-5, atol=1e-5)
    left, right = (MACHINES["jackknife"]().fit(X, y).predict_interval(NEW) for y in (Y, 4 * Y + 3))
    np.testing.assert_allclose(right, 3 + 4 * np.array(left), rtol=1e-6, atol=1e-6)


ALONE = {  # of several outputs, with ridges that are given
    "ridge": partial(regressor, alpha=0.5), "ridge, wide": partial(regressor, 90, alpha=0.5),
    "ridge, grids": partial(regressor, features=RandomBinningFeatures(n_grids=5, **UNIT), alpha=0.5),
    "exact": partial(KernelRidgeRegressor, length_scale=1.0, alpha=0.5, tol=1e-12, **SEED),
}


@pytest.mark.parametrize("name", ALONE)
def test_outputs_do_not_feel_each_other(name, monkeypatch):
    """However small one is beside the others; also where sparse features are solved for by iterations."""
    units = np.array([2.0**100, 1.0, 2.0**-100])
    targets = np.column_stack([Y, np.cos(X[:, 0]), X[:, 2] + 1])
    for least in (0, 10_000):
        monkeypatch.setattr("rfbook.solvers.regression.DIRECT", least)
        together = ALONE[name]().fit(X, targets * units).predict(NEW) / units
        for k in range(3):
            np.testing.assert_allclose(together[:, k], ALONE[name]().fit(X, targets[:, k]).predict(NEW), rtol=1e-4,
                                       atol=1e-5)


def test_a_small_output_that_is_explained_is_not_a_constant():
    """Each with a ridge of its own: one is noise, and another, far smaller, is a feature."""
    rng = np.random.default_rng(0)
    Z, noise = rng.standard_normal((80, 4)), rng.standard_normal(80)
    for size, warned in ((2.0**-60, False), (0.0, True)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            solve(DenseDesign(Z), np.column_stack([noise, size * Z[:, 0]]), None, "loo", per_target=True)
        assert bool([w for w in caught if "on rows that are left out" in str(w.message)]) == warned
    with pytest.warns(UserWarning, match="on rows that are left out"):  # rounding of a constant is no variance
        solve(DenseDesign(Z), np.column_stack([noise, 2.0**30 * (1 + 2.0**-52 * (Z[:, 0] > 0))]), None, "loo",
              per_target=True)


# ---- units of the rows ---------------------------------------------------------------------------------------------

MEDIAN = {**TWELVE, "length_scale": "median"}
FINDS_ITS_SCALE = {
    **{rule: partial(RandomFourierFeatures, **TWELVE, length_scale=rule) for rule in ("median", "knn")},
    "gamma": partial(RandomFourierFeatures, gamma="scale", **TWELVE),
    "grids": partial(RandomBinningFeatures, n_grids=5, length_scale="median", **SEED),
    **{kind.__name__: partial(kind, n_candidates=40, **TWELVE) for kind in (EERF, LKRF, LeverageScoreFeatures)},
    "SES": partial(SES, **TWELVE), "walk": partial(MetropolisFourierFeatures, n_steps=4, **MEDIAN),
    "regressor": partial(RandomFeatureRegressor, scaling=None, **TWELVE),
    "regressor, median": partial(RandomFeatureRegressor, scaling=None, **MEDIAN),
    "regressor, auto": partial(RandomFeatureRegressor, scaling=None, **TWELVE | {
        "n_components": "auto", "max_components": 128}),
    "classifier": partial(RandomFeatureClassifier, scaling=None, **TWELVE),
    "process": partial(RandomFeatureGP, **MEDIAN), "process, auto": partial(RandomFeatureGP, criterion="gcv", **TWELVE),
    "exact": partial(KernelRidgeRegressor, length_scale="median", **SEED),
    "jackknife": MACHINES["jackknife"], "EigenPro": MACHINES["EigenPro"],
    "cores": partial(CoreVectorMachine, **SEED),
}
SCALES_COLUMNS = {
    **{f"{kind.__name__} {rule}": partial(kind, scaling="standard", **TWELVE, length_scale=rule)
       for kind in (RandomFeatureRegressor, RandomFeatureClassifier, RecursiveFeatureMachineRegressor,
                    RecursiveFeatureMachineClassifier) for rule in ("auto", "median")},
    "auto width": partial(RandomFeatureRegressor, scaling="standard", **SEED, n_components="auto", max_components=128),
    "jackknife": lambda: JackknifePlus(RandomFeatureRegressor(scaling="standard", **MEDIAN), **SEED),
    "SRFF": partial(SRFFRegressor, max_iter=2, **TWELVE), "HARFE": partial(HARFERegressor, n_candidates=40, **TWELVE),
    "stretch": partial(RFFNetRegressor, n_epochs=2, **TWELVE),
    "stretch, classes": partial(RFFNetClassifier, n_epochs=2, **TWELVE),
}


def answers(made, unit, shift=0.0):
    """Predictions or features of new rows, in some unit."""
    machine = made()
    y = Y if is_regressor(machine) or not is_classifier(machine) else LABELS
    fitted = machine.fit(X * unit + shift, y)
    how = next(verb for verb in ("decision_function", "predict", "transform") if hasattr(fitted, verb))
    found = getattr(fitted, how)(NEW * unit + shift)
    return found.toarray() if hasattr(found, "toarray") else found


@pytest.mark.parametrize("name", FINDS_ITS_SCALE)
@pytest.mark.filterwarnings("ignore")
def test_rows_in_another_unit_are_the_same_rows(name):
    one = answers(FINDS_ITS_SCALE[name], 1.0)
    for unit in (2.0**12, 2.0**-9):
        np.testing.assert_allclose(answers(FINDS_ITS_SCALE[name], unit), one, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", SCALES_COLUMNS)
@pytest.mark.filterwarnings("ignore")
def test_columns_in_other_units_are_the_same_columns(name):
    """Of a machine that scales them; those that train in single precision round more."""
    one = answers(SCALES_COLUMNS[name], 1.0)
    other = answers(SCALES_COLUMNS[name], np.array([2.0**10, 3.0, 2.0**-7]), np.array([-200.0, 5.0, 0.01]))
    np.testing.assert_allclose(other, one, rtol=1e-3 if "stretch" in name else 1e-6, atol=1e-4)
