"""What opens only beyond a number of rows, opened by 60 of them: all numbers of rows in the library are set small, and
every estimator says the same as before where nothing is drawn from the rows, and nearly the same where some of them
are; weights and labels stay with their rows."""

import ast
import functools
import importlib
import inspect
import pkgutil
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone, is_classifier
from test_weights import ESTIMATORS, LABELS, NEW, N, W, X, Y, agree, garbage, said, targets_of

import rfbook
from rfbook import (
    EERF,
    LKRF,
    LeverageScoreFeatures,
    MetropolisFourierFeatures,
    RandomBinningFeatures,
    RandomFeatureClassifier,
    RandomFeatureGP,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    RFFNetClassifier,
    choose_kernel,
)
from rfbook._parallel import row_blocks
from rfbook.lab.baselines import CoreVectorMachine
from rfbook.solvers import cross_validation

EIGHT = {"n_components": 8, "random_state": 0}
MOST = 16  # rows of a block
BLOCKS = {  # how many rows, or numbers, are held or multiplied at a time: what comes out is the same
    "_rows.LARGE": 64, "adaptive.pools.ROWS": MOST, "solvers.newton._KEPT": 0, "solvers.newton._ROWS": MOST,
    "solvers.moments._PENDING": 2, "solvers.preconditioners._ROWS": MOST, "maps.base.BLOCK": MOST,
    "maps.base.SUMMED": 8, "features.arc_cosine_maps._BLOCK": MOST, "features.positive_map._BLOCK": MOST,
    "features.positive._ROWS": 32, "kernels.tiles.SIDE": MOST, "learning.two_sample_tests._ROWS": MOST,
    "kernels.distances._SIDE": MOST, "draws.orthogonal_sampler._ROWS": MOST, "draws.structured_product._ROWS": MOST,
    "learning.choosing._SLICE": 25, "maps.boxes._PIECE": 1, "_jit.binning.ROWS": MOST,
}
WAYS = {  # how many rows decide which of several equal ways is taken
    "solvers.regression.DIRECT": 5, "solvers.regression._FACTOR": 5, "maps.base.SERVED": 5, "maps.boxes.ALONE": 5,
}
DRAWN = {  # how many rows are looked at
    "adaptive.metric_gain._ROWS": 60,
    "machines.scales._ROWS": 30, "machines.scales._FEATURES": 12, "machines.scales._POWER_ROWS": 30,
    "machines.scales._MANY": 40, "machines.scales._MORE_ROWS": 35, "machines.scales._MORE_FEATURES": 14,
    "machines.scales._MORE_ERRORS": 60,
    "machines.widths._SEEN": 30, "machines.widths.NARROWEST": 16, "learning.process_estimator._ROWS": 40,
    "learning.choosing._HEAD": 30, "adaptive.recursion._FEW": (40, 12), "solvers.newton._MANY": 20,
    "solvers.newton._FEW": 20, "solvers.newton._SAMPLE": 3, "learning.blocks._LEAST": 20,
    "learning.blocks._HEAD": 40, "learning.kernel_tests.LOOKED_AT": 40,
}
LEFT_OUT = (*(f"rfbook.lab.{room}" for room in ("claims", "experiments", "bench")), "rfbook.__main__")
AS_THEY_ARE = {  # say why
    "maps.base.SEEN": "64 rows are few", "adaptive.recursion._PARTS": "parts of all rows",
    "maps.boxes._GROUP": "grids", "features.product_maps.TILE": "columns",
    "solvers.regression._ROWS_PER_COLUMN": "which criterion is meant",
    "_jit.hadamard.LANES": "in machine code, and 60 rows end within eight",
    "_jit.cosine._RUN": "in machine code, and 60 rows end within thirty-two",
    "solvers.iterative._PROBES": "probes, of which few rows have 32 each anyway",
    "solvers.cross_validation._SHUFFLED": "which rows are a fold", "adaptive.pruning._DECADES": "ridges",
    "machines.scales._WIDE": "columns", "machines.scales._WITHIN": "rows in a box, of 500",
    "machines.scales._APART": "a ratio", "learning.independence_tests._LEAST": "what is refused",
    "learning.two_sample_tests._FEWEST": "cells",
    **dict.fromkeys(("machines.scales._LOOKED_AT", "machines.stream._DECIDED", "machines.stream._TOO_FEW"),
                    "a warning looks at them"),
    "machines.stream.LEVEL": "a probability", "machines.stream._SHARES": "quartiles",
    "learning.exact_estimator._DIRECT": "to factorise or to step; both solve, to a tolerance",
}


def fewer(n, size):
    """Blocks of a few rows, but for those of a shuffle, which are folds."""
    return row_blocks(n, min(size, MOST) if size != cross_validation._SHUFFLED else size)


@functools.cache
def homes(name):
    """All modules that hold a constant of one of them."""
    room, _, what = name.rpartition(".")
    home = importlib.import_module(f"rfbook.{room}")
    found = [(home, what)]
    for other, module in list(sys.modules.items()):
        if other.startswith("rfbook.") and module is not home and what in vars(module):
            taken = [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.ImportFrom)
                     and any(alias.name == what for alias in node.names)]
            if any((node.module or "").endswith(room.rpartition(".")[2]) for node in taken):
                found.append((module, what))
    return found


@pytest.fixture
def in_blocks(monkeypatch):
    """Opens the branches of many rows that change nothing."""
    def small():
        for name, value in {**BLOCKS, **WAYS}.items():
            for module, what in homes(name):
                monkeypatch.setattr(module, what, value)
        for name, module in list(sys.modules.items()):
            if name.startswith("rfbook.") and not name.startswith(("rfbook.lab.baselines", "rfbook.lab.experiments")):
                if vars(module).get("row_blocks") is row_blocks:
                    monkeypatch.setattr(module, "row_blocks", fewer)
                if name in ("rfbook.solvers.moments", "rfbook.solvers.cross_validation"):
                    monkeypatch.setattr(module, "block_rows", lambda n, dtype: MOST)

    return small


@pytest.fixture
def of_some(monkeypatch):
    """Opens those in which some rows are drawn."""
    def small():
        for name, value in DRAWN.items():
            for module, what in homes(name):
                monkeypatch.setattr(module, what, value)

    return small


def test_numbers_of_rows_are_all_in_a_list():
    """Those whose comment says that they count rows."""
    listed = {*BLOCKS, *WAYS, *DRAWN, *AS_THEY_ARE}
    for module in pkgutil.walk_packages(rfbook.__path__, "rfbook."):
        if module.name.startswith(LEFT_OUT):
            continue
        path = Path(importlib.util.find_spec(module.name).origin)
        for line in path.read_text().splitlines():
            left, says = line.partition(" = ")[0], line.partition("  # ")[2]
            if left.replace("_", "").replace(", ", "").isupper() and "rows" in says and " = " in line:
                for name in left.split(", "):
                    assert f"{module.name[7:]}.{name}" in listed or name == "N_FOLDS", line


MORE = {
    "process": (lambda: RandomFeatureGP(length_scale=1.0, n_components=12, amplitude=1.0, noise=0.1, random_state=0)),
    **{f"process, {kind}": partial(RandomFeatureGP, length_scale=1.0, n_components=12, amplitude=1.0, noise=0.1,
                                   posterior=kind, random_state=0) for kind in ("compressed", "weights")},
    "process, gcv": partial(RandomFeatureGP, n_components=12, criterion="gcv", random_state=0),
    "all defaults": partial(RandomFeatureRegressor, n_components=12, random_state=0),
    "standard": partial(RandomFeatureRegressor, n_components=12, scaling="standard", random_state=0),
    "classifier": partial(RandomFeatureClassifier, n_components=12, random_state=0),
}
ALL = {**{name: make for name, (make, _) in ESTIMATORS.items()}, **MORE}
ITERATED = ("ridge, sparse", "ridge, grids")  # with probes, and to a residual
REFUSED = {"ridge, sparse", "process, gcv"}  # leave out row by row; draw as many rows as large data have
UNEVEN = ("huber cv", "quantile", "quantile cv", "logistic cv", "logistic loo", "hinge", "hinge cv")  # to few digits
COUNTS = ("n_iter_", "n_refinements_", "residuals_")  # of iterations
FROM_A_SAMPLE = ("process", "auto width", "auto scale", "process, gcv", "all defaults", "standard", "classifier",
                 "AGOP", "AGOP confirmed", "AGOP classes")


@pytest.mark.parametrize("name", [name for name in ALL if name not in REFUSED])
@pytest.mark.filterwarnings("ignore")
def test_blocks_change_nothing(name, in_blocks):
    made = ALL[name]()
    given = {"sample_weight": W} if "sample_weight" in inspect.signature(made.fit).parameters else {}
    fitted = clone(made).fit(X, targets_of(made), **given)
    one, sure = said(fitted), getattr(fitted, "predict", lambda rows: None)(NEW)
    in_blocks()
    again = clone(made).fit(X, targets_of(made), **given)
    two = said(again)
    assert one.keys() == two.keys()
    rtol = 1e-2 if name in ITERATED else 3e-2 if name in UNEVEN else 1e-4 if "process" in name else 1e-6
    for what in one.keys() - {*COUNTS, *(("alpha_scores_",) if name in ITERATED else ())}:
        size = np.abs(one[what][np.isfinite(one[what])]).max(initial=0.0)
        np.testing.assert_allclose(two[what], one[what], rtol=rtol, atol=rtol * max(size, 1e-12), err_msg=what)
    assert sure is None or is_classifier(made) is False or np.array_equal(sure, again.predict(NEW))


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if name not in REFUSED])
@pytest.mark.filterwarnings("ignore")
def test_rows_without_weight_are_not_read_in_blocks_either(name, in_blocks, of_some):
    made, filled = ALL[name](), []
    in_blocks()
    of_some()
    for seed in (1, 2):
        A, b = garbage(seed)
        b = np.random.default_rng(seed).permutation(LABELS) if is_classifier(made) else b
        b = np.where(W == 0, b, LABELS) if is_classifier(made) else b
        filled.append(clone(made).fit(A, b, sample_weight=W))
    agree(name, *filled, 1e-2 if name in (*ITERATED, *UNEVEN) else 1e-6)


@pytest.mark.parametrize("name", FROM_A_SAMPLE)
@pytest.mark.filterwarnings("ignore")
def test_half_of_the_rows_choose_nearly_as_well(name, of_some):
    """Targets that the rows say: what was exchanged among them would explain nothing."""
    rng = np.random.default_rng(2)
    A, B = rng.standard_normal((2, 60, 3))
    made = RandomFeatureGP(n_components=12, random_state=0) if name == "process" else ALL[name]()
    labels = is_classifier(made)

    def target(rows):
        return (rows[:, 0] > 0) if labels else rows[:, 0] + 0.5 * np.sin(rows[:, 1])

    whole = clone(made).fit(A, target(A)).score(B, target(B))
    of_some()
    some = clone(made).fit(A, target(A))
    assert whole > 0.8 and some.score(B, target(B)) > whole - 0.2
    assert name != "auto width" or some.widths_[:, 1].max() < 0.5  # with fewer features than rows, too


LABELLED = {
    "cores": partial(CoreVectorMachine, max_core=30, random_state=0), "EERF": partial(EERF, n_candidates=60, **EIGHT),
    "LKRF": partial(LKRF, n_candidates=60, **EIGHT), "stretch": partial(RFFNetClassifier, n_epochs=2, **EIGHT),
    "surrogate": partial(LeverageScoreFeatures, scores="surrogate", **EIGHT),
    "walk": partial(MetropolisFourierFeatures, n_steps=4, alpha=0.5, **EIGHT),
    **{loss: partial(RandomFeatureClassifier, loss=loss, alpha=0.5, length_scale=1.0, **EIGHT)
       for loss in ("squared", "logistic", "hinge")},
}


@pytest.mark.parametrize("some", [LABELS, LABELS == "top"], ids=["three", "two"])
@pytest.mark.parametrize("name", LABELLED)
@pytest.mark.filterwarnings("ignore")
def test_labels_of_very_many_rows_are_labels(name, some, monkeypatch):
    """Beyond some number of rows their codes are made when they are asked for."""
    def answer():
        fitted = LABELLED[name]().fit(X, some)
        return getattr(fitted, "decision_function" if is_classifier(fitted) else "transform")(NEW)

    one = answer()
    monkeypatch.setattr("rfbook._rows.LARGE", 59)
    np.testing.assert_allclose(answer(), one, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("make", [RandomFourierFeatures, partial(RandomBinningFeatures, n_grids=5)])
def test_rows_that_are_sparse_or_of_another_type_are_the_same_in_blocks(make, in_blocks):
    A = X * (np.abs(X) > 0.7)
    made = RandomFeatureRegressor(make(length_scale=2.0, random_state=0), alpha=0.5, random_state=0)
    one = [clone(made).fit(form(A), Y, W).predict(form(NEW)) for form in (np.asarray, sparse.csr_matrix)]
    in_blocks()
    two = [clone(made).fit(form(A), Y, W).predict(form(NEW)) for form in (np.asarray, sparse.csr_matrix, list)]
    for found in (one[1], *two):
        np.testing.assert_allclose(found, one[0], rtol=1e-4, atol=1e-4)


@pytest.mark.filterwarnings("ignore")
def test_kernels_are_chosen_alike_in_blocks(in_blocks):
    """By a criterion without folds, which are made slice by slice."""
    base = RandomFeatureRegressor(n_components=12, scaling=None, random_state=0)
    choose = partial(choose_kernel, base, X, Y, kernels=("gaussian", "laplacian"), criterion="gcv", sample_weight=W)
    one = choose()
    in_blocks()
    two = choose()
    np.testing.assert_allclose(two.results["scores"], one.results["scores"], rtol=1e-6)
    np.testing.assert_allclose(two.machine.predict(NEW), one.machine.predict(NEW), rtol=1e-6, atol=1e-6)


def test_ridge_regression_is_that_of_a_textbook_in_blocks(in_blocks):
    """In double precision, by NumPy alone."""
    in_blocks()
    for weights in (None, W):
        machine = ESTIMATORS["ridge 90 0.5"][0]().fit(X, Y, weights)
        w = np.ones(N) if weights is None else weights
        Z, new = (np.asarray(machine.features_.transform(rows), dtype=float) for rows in (X, NEW))
        z, y = w @ Z / w.sum(), w @ Y / w.sum()
        beta = np.linalg.solve((Z - z).T * w @ (Z - z) + 0.5 * np.eye(Z.shape[1]), (Z - z).T * w @ (Y - y))
        np.testing.assert_allclose(machine.predict(NEW), (new - z) @ beta + y, rtol=1e-9, atol=1e-9)
