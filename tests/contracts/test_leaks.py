"""No experiment looks at the rows it is judged by: these are exchanged, and all that is fitted, chosen, scaled or tuned
stays, to the bit; repeats have draws and splits of their own; noise that is declared is there."""

import functools
import hashlib
import inspect
import json
import math
import sys
import threading
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
import sklearn.ensemble
import sklearn.feature_extraction.text
import sklearn.kernel_approximation
import sklearn.kernel_ridge
import sklearn.linear_model
import sklearn.model_selection
import sklearn.pipeline
import sklearn.svm  # what is imported later is not watched
from scipy import sparse
from scipy.stats import chi2
from sklearn.base import BaseEstimator

from rfbook import datasets
from rfbook.datasets import store
from rfbook.lab.experiments import (
    arff,
    choosing,
    eerf,
    first_hour,
    first_machine,
    gradients,
    intervals,
    kernel_choice,
    protocol,
    rahimi_recht,
    rffnet,
    scaling,
    which_map,
    widths,
)
from rfbook.lab.experiments import field as raw_tables

CLOCKS = {"seconds", "test_seconds", "train_seconds", "tune_seconds", "fit_seconds", "row_seconds", "preprocess",
          "train", "test", "tune", "peak_mib", "chosen_seconds", "median", "given"}
PREDICTS = ("predict", "predict_proba", "decision_function", "predict_interval", "sample_y", "approximate_kernel",
            "kernel_error")
CACHED = (eerf._raw, eerf._prepared, rffnet._pooled, arff.load_digits, intervals._case, raw_tables.whole,
          raw_tables.warm)


# ---- what is fitted, and what is predicted ------------------------------------------------------------------------

def digest(value):
    """The contents of anything that a machine is given or gives."""
    made = hashlib.sha256()

    def add(v):
        if sparse.issparse(v):
            v = v.tocsr()
            add([v.shape, v.data, v.indices, v.indptr])
        elif isinstance(v, BaseEstimator):
            add([type(v).__name__, v.get_params(deep=False)])
        elif isinstance(v, dict):
            add([item for key in sorted(v) for item in (key, v[key])])
        elif isinstance(v, tuple | list):
            made.update(f"[{len(v)}".encode())
            for part in v:
                add(part)
        elif isinstance(v, np.ndarray) and v.dtype != object:
            made.update(f"{v.shape} {v.dtype}".encode() + np.ascontiguousarray(v).tobytes())
        elif type(v).__module__.startswith("rfbook") and hasattr(v, "__dict__"):
            add([type(v).__name__, {k: w for k, w in vars(v).items() if not callable(w)}])
        else:
            made.update(repr(v).encode())

    add(value)
    return made.hexdigest()[:12]


def states(machine):
    """Its random states and those of its parts."""
    found = machine.get_params() if isinstance(machine, BaseEstimator) else vars(machine)
    own = [v for k, v in found.items() if k.endswith(("random_state", "seed")) and v is not None]
    return own + [s for v in found.values() if hasattr(v, "fit") and not isinstance(v, type | BaseEstimator)
                  for s in states(v)]


@dataclass
class Record:
    """What a task fits (name, rows, what it is given), with which random states, and what it predicts."""

    key: dict
    row: dict = field(default_factory=dict)
    fits: list = field(default_factory=list)
    given: list = field(default_factory=list)
    states: list = field(default_factory=list)
    outputs: list = field(default_factory=list)
    seeds: list = field(default_factory=list)


def classes():
    """All classes that can be fitted, of the library, of its experiments and of scikit-learn."""
    found, todo = set(), [BaseEstimator]
    while todo:
        one = todo.pop()
        found.add(one)
        todo += one.__subclasses__()
    for module in (gradients, rahimi_recht, rffnet, arff):
        found |= {v for v in vars(module).values() if inspect.isclass(v) and hasattr(v, "fit")}
    found |= {base for one in found for base in one.__mro__}
    return [c for c in found if c.__module__.startswith(("rfbook", "sklearn"))]


class Watch:
    """Runs an experiment in this process, and notes what each of its tasks fits and predicts."""

    def __init__(self, monkeypatch, module, functions=(), stages=()):
        self.records: dict = {}
        self.stages = stages
        self.now, self.depth, self.thread = None, 0, threading.get_ident()
        self.module = module
        for one in classes():
            for name in ("fit", "partial_fit", "fit_transform", *PREDICTS):
                method = one.__dict__.get(name)
                if inspect.isfunction(method):
                    note = self.fitting if "fit" in name else self.predicting
                    monkeypatch.setattr(one, name, self.wrapped(method, note))
        for owner, name in functions:
            monkeypatch.setattr(owner, name, self.wrapped(getattr(owner, name), self.solving))
        monkeypatch.setattr(protocol, "run_tasks", self.run_tasks)
        make = np.random.default_rng
        monkeypatch.setattr(np.random, "default_rng", lambda *seed: self.seeded(sys._getframe(1), *seed) or make(*seed))

    def seeded(self, caller, *seed):
        """Note the seeds, made of several numbers, that an experiment gives to its generators."""
        ours = caller.f_globals["__name__"].startswith("rfbook.lab.experiments")
        if ours and self.now is not None and threading.get_ident() == self.thread and isinstance(seed[0], list):
            self.now.seeds.append((caller.f_code.co_name, seed[0]))

    def wrapped(self, method, note):
        @functools.wraps(method)
        def outer(*args, **options):
            if self.now is None or self.depth or threading.get_ident() != self.thread:
                return method(*args, **options)
            self.depth += 1
            try:
                return note(method, *args, **options)
            finally:
                self.depth -= 1

        return outer

    def fitting(self, method, machine, *data, **options):
        params = machine.get_params(deep=False) if isinstance(machine, BaseEstimator) else dict(vars(machine))
        self.now.fits.append((type(machine).__name__, np.shape(data[0]), digest([params, data, options])))
        self.now.given.append(data)
        self.now.states.append(states(machine))
        return method(machine, *data, **options)

    def solving(self, method, *data, **options):
        self.now.fits.append((method.__name__, (), digest([data[:2] if "ridge" not in method.__name__ else data])))
        return method(*data, **options)

    def predicting(self, method, machine, *data, **options):
        found = method(machine, *data, **options)
        self.now.outputs.append(digest(found))
        self.now.states.append([options["random_state"]] if "random_state" in options else [])
        return found

    def run_tasks(self, name, settings, tasks, path=None, progress=True, jobs=1):
        for key, work in tasks:
            words = json.dumps(key)
            if words not in self.records and not (self.stages and key["stage"] not in self.stages):
                self.now = self.records[words] = Record(key)
                self.now.row = {**key, **json.loads(json.dumps(work(), default=lambda v: v.item()))}
                self.now = None
        return [record.row for record in self.records.values()]


def shorten(monkeypatch):
    """Boosting and forests with three trees."""
    for kind in (sklearn.ensemble.HistGradientBoostingClassifier, sklearn.ensemble.HistGradientBoostingRegressor,
                 sklearn.ensemble.RandomForestClassifier, sklearn.ensemble.RandomForestRegressor):
        few = {"n_estimators" if "Forest" in kind.__name__ else "max_iter": 3}
        monkeypatch.setattr(kind, "fit", lambda self, X, y, fit=kind.fit, few=few: fit(self.set_params(**few), X, y))


def ran(monkeypatch, module, settings, functions=(), stages=()):
    """Records of all tasks of an experiment, or of some stages."""
    with monkeypatch.context() as patch:
        for cached in CACHED:
            cached.cache_clear()
        shorten(patch)
        watch = Watch(patch, module, functions, stages)
        module.EXPERIMENT.run(settings, None, progress=False)
    for cached in CACHED:
        cached.cache_clear()
    return list(watch.records.values())


# ---- rows that are exchanged --------------------------------------------------------------------------------------

def order(n, seed):
    """As the protocol shuffles rows."""
    return np.random.default_rng(seed).permutation(n)


def others(X, y, rows, rng):
    """Other numbers in some rows: far from what was there, other classes, other words."""
    X, y = X.copy(), np.array(y)
    if X.dtype == object:
        X[rows] = [f"nobody said this {i} {word}" for i, word in enumerate(rng.permutation(len(rows)))]
    else:
        X[rows] = X[rows][:, ::-1] * 3 + rng.random((len(rows), X.shape[1])) * (1 + np.abs(X).max())
    if y.dtype.kind in "iu":
        values = np.unique(y)
        y[rows] = values[(np.searchsorted(values, y[rows]) + 1) % len(values)]
    else:
        y[rows] = 2.5 * y[rows] + rng.random(len(rows)) * np.abs(y).max() + 1
    return X, y


def exchanged(rows_of, change=others):
    """``datasets.load``, with other numbers in the rows to be judged; ``rows_of(n)`` says which these are."""
    load = datasets.load

    def loaded(name, **options):
        data = load(name, **options)
        rows = rows_of(len(data.y_train))
        X, y = change(data.X_train, data.y_train, rows, np.random.default_rng(7))
        return replace(data, X_train=X, y_train=y)

    return loaded


def cut(share, seed=0, test_first=False):
    """Rows of the test part of :func:`protocol.split`."""
    def rows(n):
        mixed, at = order(n, seed), n * share[0] // share[1]
        return mixed[:at] if test_first else mixed[at:]

    return rows


def of_new(count, new, seed):
    """Rows to be judged by of :func:`protocol.to_fit_and_to_judge`."""
    return lambda n: order(n, seed)[min(count, 3 * n // 4) :][:new]


def of_part(folds, number):
    return lambda n: order(n, 0)[np.arange(n) * folds // n == number]


def of_fold(run, count=10):
    from sklearn.model_selection import KFold

    return lambda n: list(KFold(count, shuffle=True, random_state=0).split(np.zeros(n)))[run][1]


@dataclass(frozen=True)
class Case:
    """An experiment with tiny settings: which rows are judged, and what of a row may change with them."""

    module: Any
    settings: Any
    judged: Any
    changes: tuple = ("error",)
    functions: tuple = ()
    stages: tuple = ()


FIRST = first_machine.Settings("digits", (20, 40), 2, 120, 30, 2, (0.1, 0.3), (0.01, 1.0), (1.0, 10.0))
HOUR = first_hour.Settings(("wine", "diabetes"), 1, 60, width=16, factors=(0.1, 0.5), folds=2, sizes=(20,), rounds=1)
GRADIENTS = replace(gradients.QUICK, width=16, most=100, tries=3, methods=("plain", "full", "tuned", "boosting"))
CHOICE = replace(kernel_choice.QUICK, rows=60, new=40, n_components=16, folds=2, seeds=1, scales=(0.5, 1.0, 2.0))
WIDTHS = replace(widths.QUICK, rows=60, new=40, draws=1, widths=(16, 64), repeats=1)
EERF = eerf.Settings(
    problems=(eerf.Problem("breast_cancer", widths=(6,), candidates=20, share=0.5, seeds=1),
              eerf.Problem("wine", features="squares", widths=(6,), candidates=12, seeds=1, scaling="largest"),
              eerf.Problem("diabetes", widths=(6,), candidates=20, share=0.5, seeds=1, logarithm=True)),
    ridges=(0.01, 1.0, 100.0), radii=(0.1, 1.0, 10.0), logistic=(("breast_cancer", 1.0, 1),), example_rows=60,
    example_candidates=40, example_seeds=2)
RAHIMI = replace(rahimi_recht.QUICK, problems=(
    rahimi_recht.Problem("wine", "wine", ("range", "standard", "rank"), (16,), (8,),
                         ("exact SVM", "kernel ridge", "kernel ridge, Laplacian"), "float64"),
    rahimi_recht.Problem("diabetes", "diabetes", ("log", "standard"), (16,), (8,), ("exact SVM",)),
    rahimi_recht.Problem("cancer", "breast_cancer", ("standard",), (16,), (8,), (rahimi_recht.CORES,), "float64")),
    seeds=2, tune_rows=90, folds=2, factors=(0.5, 1.0), ridges=(0.1, 1.0), boxes=(1.0, 10.0), cells=(2, 4))
RFFNET = replace(rffnet.QUICK, problems=(
    rffnet.Problem("diabetes", "", "diabetes", runs=1, rate=1e-2, width=12),
    rffnet.Problem("cancer", "", "breast_cancer", labels=True, runs=1, width=12, without=("EigenPro",)),
    rffnet.Problem("jse3", runs=1, width=12, without=("EigenPro",)),
    rffnet.Problem("gse1", runs=1, width=12, without=("EigenPro", "AGOP", "GPR"))),
    train=80, test=40, epochs=3, centres=20, rounds=2, process_rows=20, most=40, ablation_rows=60, ablation_runs=1,
    strengths=(1e-4,), sizes=(60,), selection_runs=1)
MAPS = replace(which_map.QUICK, problems=(which_map.Problem("diabetes", 0, "diabetes"),
                                          which_map.Problem("wine", 0, "wine", "log", "float32")),
               widths=(16,), rows=100, evaluated=30, test_widths=(16,), test_seeds=(1,), tune_rows=90, tune_width=16,
               seeds=2, factors=(0.5, 1.0), reference_most=16, repeats=1)
ARFF = replace(arff.QUICK, rows=60, widths=((4, 1),), crossed=(4,), solves=(6, 6, 6), gradients=2, long_width=4,
               spreads=(0.9,), spread_rows=60, spread_width=8, spread_seeds=2, draws=20, checked=(4,),
               digit_walks=(("algorithm 1", (4,), 2, 1), ("resampled", (4,), 2, 1), ("complex walk", (4,), 2, 1)),
               digit_widths=((4, 1),), digit_complex=((4, 1),), digit_normalised=(4,))
TABLES = replace(raw_tables.QUICK, names=("diabetes",), sizes=(60,), methods=(
    "default", "four averaged", "EERF", "exact ridge", "linear", "neighbours", "support vectors", "boosting", "forest"))
WIDTH_PARTS = ("exact", "oracle", "distances", "errors", "twice", "same", "left", "ridge", "said", "far", "error")

CASES = {
    "first_machine": Case(first_machine, FIRST, cut((2, 3))),
    "first_hour": Case(first_hour, HOUR, lambda n: order(n, [0, 0])[n * 2 // 3 :], stages=("test",)),
    "gradients": Case(gradients, GRADIENTS, of_part(3, 0)),
    "kernel_choice": Case(kernel_choice, CHOICE, of_new(60, 40, 0), ("errors", "hindsight", "five_new")),
    "field": Case(raw_tables, TABLES, of_fold(0, 5)),
    "widths": Case(widths, WIDTHS, of_new(60, 40, 0), WIDTH_PARTS, ((widths, "ridge_regression"),)),
    "eerf": Case(eerf, EERF, cut((2, 3)), ("error", "tried"), stages=("test",)),
    "rahimi_recht": Case(rahimi_recht, RAHIMI, cut((1, 10), test_first=True)),
    "rffnet": Case(rffnet, RFFNET, of_fold(0), ("score",), stages=("test", "select")),
    "which_map": Case(which_map, MAPS, cut((2, 3)), ("error", "kernel_error", "errors", "error_se"),
                      stages=("kernel", "tune", "test")),
    "arff": Case(arff, ARFF, cut((2, 3)), functions=((arff, "_complex_ridge"),), stages=("width", "digits")),
}


@pytest.fixture
def parts_exchanged(monkeypatch):
    """Synthetic problems whose test part is another one."""
    rng, real, make = np.random.default_rng(8), rffnet.simulated, arff.make_data
    judged = {120: 80, 140: 100}  # the first row that is judged, by the number of rows; a selection has more

    def simulated(name, n, draws):
        X, y = real(name, n, draws)
        return others(X, y, np.arange(judged[n], n), rng)

    def make_data(settings, case, seed):
        X, y, X_test, y_test = make(settings, case, seed)
        return X, y, *others(X_test, y_test, np.arange(len(y_test)), rng)

    monkeypatch.setattr(rffnet, "simulated", simulated)
    monkeypatch.setattr(arff, "make_data", make_data)


def fits_of(name, record):
    """What a task fits to; maps that look at no row are told those whose kernel they estimate."""
    if name == "which_map" and record.key["stage"] == "kernel" and record.key["method"] != "Nystroem":
        return []
    return record.fits


def alike(records):
    """Pairs of tasks that have fitted the same to the same rows: what they should differ in was lost on the way."""
    told = [(r.key, r.fits[-1]) for r in records if r.fits and r.key.get("stage") != "tune"]
    return [(one, two) for i, (one, fit) in enumerate(told) for two, other in told[:i]
            if fit == other and one.get("stage") == two.get("stage")]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore")
def test_rows_to_be_judged_by_change_nothing_but_errors(name, monkeypatch, request):
    case = CASES[name]
    before = ran(monkeypatch, case.module, case.settings, case.functions, case.stages)
    request.getfixturevalue("parts_exchanged")
    monkeypatch.setattr(datasets, "load", exchanged(case.judged))
    after = ran(monkeypatch, case.module, case.settings, case.functions, case.stages)
    assert before and [r.key for r in before] == [r.key for r in after]
    before, after = ([r for r in some if r.key.get("method") != "properties"] for some in (before, after))  # all rows
    assert not alike(before)
    for a, b in zip(before, after, strict=True):
        assert a.fits and fits_of(name, a) == fits_of(name, b), a.key
        assert a.row.keys() == b.row.keys()
        changes = {*case.changes} & a.row.keys() if a.key.get("stage") != "tune" else set()
        for what in a.row.keys() - CLOCKS - changes:
            assert a.row[what] == b.row[what], (a.key, what)
        if "tried" in changes:
            assert [one[:2] for one in a.row["tried"]] == [one[:2] for one in b.row["tried"]], a.key
        assert not changes or any(a.row[what] != b.row[what] for what in changes), a.key


@pytest.mark.filterwarnings("ignore")
def test_new_points_of_the_intervals_are_fitted_by_nobody(monkeypatch):
    settings, problem = intervals.Settings((30,), (6, 8), 10, 20, (2,)), intervals.problem
    before = ran(monkeypatch, intervals, settings)

    def other(*args):
        X, y, *rest = problem(*args)
        return X, y, *(2 * part + 0.1 for part in rest)

    monkeypatch.setattr(intervals, "problem", other)
    after = ran(monkeypatch, intervals, settings)
    for a, b in zip(before, after, strict=True):
        assert a.fits == b.fits and (not a.outputs or a.outputs != b.outputs), a.key
    assert sum(len(r.fits) for r in before) >= len(before) - 2  # an exact one serves two rows


class Tampered:
    """A generator whose matrices of normal numbers are others from some row on."""

    def __init__(self, rng, start):
        self.rng, self.start = rng, start

    def __getattr__(self, name):
        return getattr(self.rng, name)

    def standard_normal(self, size=None):
        X = self.rng.standard_normal(size)
        if isinstance(size, tuple):
            X[self.start :] = 2 * X[self.start :] + 0.3
        return X


@pytest.mark.parametrize(("module", "stage", "start"), [(eerf, "example", 60), (arff, "spread", 60)])
def test_new_rows_of_a_study_are_fitted_by_nobody(module, stage, start, monkeypatch):
    settings = {eerf: EERF, arff: ARFF}[module]
    before = ran(monkeypatch, module, settings, stages=(stage,))
    make = np.random.default_rng
    monkeypatch.setattr(np.random, "default_rng", lambda *seed: Tampered(make(*seed), start)
                        if isinstance(seed[0], list) else make(*seed))
    after = ran(monkeypatch, module, settings, stages=(stage,))
    for a, b in zip(before, after, strict=True):
        assert a.fits == b.fits and len(a.fits) > 0 and a.row != b.row
        assert a.row.get("width") == b.row.get("width") and all(size[0] == start for _, size, _ in a.fits)


# ---- tuning: rows of the fold that is held ------------------------------------------------------------------------

def other_inputs(X, y, rows, rng):
    """Other numbers, and the same targets: folds keep the shares of classes."""
    return others(X, y, rows, rng)[0], y


def turned(X, y, rows, rng):
    """Columns in another order, so that the largest entry of all rows stays."""
    X = X.copy()
    X[rows] = X[rows][:, ::-1]
    return X, y


def other_targets(X, y, rows, rng):
    return X, others(np.zeros((len(y), 1)), y, rows, rng)[1]


TUNING = {
    "first_machine": (lambda: first_machine.tune(FIRST, *first_machine.load_split(FIRST)[:2],
                                                 lambda *p: first_machine.machine(*p, 20, 0), [(0.1, 1.0)]),
                      "digits", lambda n: order(n, 0)[: n * 2 // 3], 120, 2, turned),
    "first_hour": (lambda: first_hour.grid(HOUR, *first_hour.load_split(HOUR, "wine", 0)[:2], 0),
                   "wine", lambda n: order(n, [0, 0])[:60], None, 2, other_inputs),
    **{f"rahimi_recht, {m}": (lambda m=m: rahimi_recht._tried(RAHIMI, RAHIMI.problems[0], m), "wine",
                              lambda n: order(n, 0)[n // 10 :], 90, 2, other_inputs)
       for m in rahimi_recht.methods(RAHIMI.problems[0])},
    "which_map": (lambda: which_map._tried(MAPS, which_map._Ready(MAPS, MAPS.problems[0]), "Gaussian"), "diabetes",
                  lambda n: order(n, 0)[: n * 2 // 3], 90, 3, other_targets),
}


@pytest.mark.parametrize("name", TUNING)
@pytest.mark.filterwarnings("ignore")
def test_the_held_fold_is_fitted_by_nobody(name, monkeypatch):
    tune, dataset, trained, most, count, change = TUNING[name]
    folds, y = protocol.folds, datasets.load(dataset).y_train
    rows = trained(len(y))
    if most:  # those that tuning sees
        some = protocol.some_rows(len(rows), most, 1)
        rows = rows[np.sort(some) if name == "which_map" else some]
    held = rows[folds(y[rows], count, 0, stratified=name != "which_map")[0][1]]
    monkeypatch.setattr(protocol, "folds", lambda *args, **options: folds(*args, **options)[:1])

    def fitted():
        with monkeypatch.context() as patch:
            watch = Watch(patch, first_machine)
            watch.now = Record({})
            return tune(), watch.now.fits

    (found, before), _ = fitted(), monkeypatch.setattr(datasets, "load", exchanged(lambda n: held, change))
    again, after = fitted()
    assert before == after and len(before) > 0
    assert name == "first_hour" or json.dumps(found, default=str) != json.dumps(again, default=str)


def fits_with(monkeypatch, fit):
    """What a function fits, outside of any experiment."""
    with monkeypatch.context() as patch:
        watch = Watch(patch, first_machine)
        watch.now = Record({})
        fit()
        return watch.now.fits


@pytest.mark.filterwarnings("ignore")
def test_rows_that_choose_are_fitted_by_no_try(monkeypatch):
    data, rng = datasets.load("diabetes"), np.random.default_rng(0)
    X, y = data.X_train[:60], data.y_train[:60]
    held, kept = gradients.held_fifth(60, 3)
    assert len(held) == 12 and not {*held} & {*kept} and len(kept) == 48
    fit = gradients.Tuned.fit  # which is not watched itself, so that what it fits is
    tries = [fits_with(monkeypatch, lambda X=A, y=b: fit(gradients.Tuned(3, 4, 16), X, y))
             for A, b in ((X, y), others(X, y, held, rng))]
    # two scalers, four tries, and the last fit, whose settings are chosen
    assert tries[0][:6] == tries[1][:6] and {size for _, size, _ in tries[0]} == {(48, 10)} and len(tries[0]) == 7
    machines = [kernel_choice.RandomFeatureRegressor(n_components=8, length_scale=scale, random_state=0)
                for scale in (1.0, 9.0)]
    left = next(iter(sklearn.model_selection.KFold(3, shuffle=True, random_state=0).split(X)))[1]
    one, two = (fits_with(monkeypatch, lambda X=A, y=b: kernel_choice.refitted(machines, X, y, 3))
                for A, b in ((X, y), others(X, y, left, rng)))
    assert len(one) == 6 and one[:2] == two[:2] and one[2:] != two[2:]
    assert {size for _, size, _ in one} == {(40, 10)}


# ---- units: a row of the test part that is also in the training part is the same row ------------------------------

def copied(X, y, rows, rng):
    """In the rows to be judged stand copies of three others."""
    X, y, rest = X.copy(), np.array(y), np.setdiff1d(np.arange(len(y)), rows)
    source = rng.choice(rest, 3, replace=False)[np.arange(len(rows)) % 3]
    X[rows], y[rows] = X[source], y[source]
    return X, y


ALL = replace(HOUR, most=10_000)
FEW = replace(RFFNET.problems[0], width=4)


def _scaled(scaling, problem, dtype="float64"):
    X, y, X_test, y_test = rahimi_recht.load_problem(problem)
    A, B = rahimi_recht.scaled(scaling, X, X_test, dtype)
    return A, y, B, y_test


LOADERS = {
    "first_machine": (lambda: first_machine.load_split(FIRST), cut((2, 3))),
    "first_hour": (lambda: first_hour.load_split(ALL, "wine", 1), lambda n: order(n, [0, 1])[n * 2 // 3 :]),
    "gradients": (lambda: gradients.load_split(replace(GRADIENTS, most=9999), "wine", 1), of_part(3, 1)),
    "kernel_choice": (lambda: _pairs(kernel_choice.table(replace(CHOICE, rows=400), "diabetes", 3)),
                      of_new(400, 40, 3)),
    "field": (lambda: raw_tables.load_split(TABLES, "diabetes", None, 0), of_fold(0, 5)),
    "widths": (lambda: _pairs(widths.table(replace(WIDTHS, rows=400), "diabetes")), of_new(400, 40, 0)),
    **{f"eerf {name} {scaling}": (
        lambda n=name, s=scaling, log=log: eerf.load_problem(
            EERF, eerf.Problem(n, widths=(4,), scaling=s, logarithm=log), 2)[:4],
        cut((2, 3), 2)) for name, scaling, log in [("wine", "standard", False), ("wine", "largest", False),
                                                   ("diabetes", "standard", False), ("diabetes", "largest", True)]},
    **{f"rahimi_recht {scaling}": (lambda s=scaling: _scaled(s, RAHIMI.problems[1]), cut((1, 10), test_first=True))
       for scaling in ("range", "standard", "rank", "log")},
    "rffnet": (lambda: rffnet.load_problem(RFFNET, FEW, 3)[:4], of_fold(3)),
    "rffnet, labels": (lambda: rffnet.load_problem(RFFNET, RFFNET.problems[1], 4)[:4], of_fold(4)),
    **{f"which_map {scaling}": (lambda s=scaling: which_map.load_problem(
        MAPS, which_map.Problem("x", 0, "diabetes", s)), cut((2, 3))) for scaling in ("standard", "log", "centred")},
    "arff": (lambda: arff.load_digits("digits", 0), cut((2, 3))),
    "arff, normalised": (lambda: arff.load_digits("digits", 1, True), cut((2, 3), 1)),
}


def _pairs(made):
    """Inputs and targets of both parts, of what holds more."""
    return made[:4]


def lines(X, y):
    """Each row with its target, as bytes."""
    X = X.toarray() if sparse.issparse(X) else np.asarray(X)
    return [row.tobytes() + target.tobytes() for row, target in zip(X, np.asarray(y), strict=True)]


@pytest.mark.parametrize("name", LOADERS)
@pytest.mark.filterwarnings("ignore")
def test_both_parts_are_in_the_units_of_the_training_part(name, monkeypatch):
    load, rows = LOADERS[name]
    for cached in CACHED:
        cached.cache_clear()
    plain = load()
    shared = {*lines(*plain[:2])} & {*lines(*plain[2:4])}
    assert not shared and len(plain[3]) == len(rows(len(plain[1]) + len(plain[3])))
    for cached in CACHED:
        cached.cache_clear()
    monkeypatch.setattr(datasets, "load", exchanged(rows, copied))
    X, y, X_test, y_test = load()
    for cached in CACHED:
        cached.cache_clear()
    assert np.array_equal(y, plain[1]) and len(y_test) == len(plain[3])
    assert (X != plain[0]).sum() == 0
    known = {*lines(X, y)}
    assert len({*lines(X_test, y_test)}) == min(3, len(y_test)) and {*lines(X_test, y_test)} <= known


def test_categories_and_words_are_those_of_the_training_part(monkeypatch):
    rng, load = np.random.default_rng(0), datasets.load
    codes = np.column_stack([rng.integers(0, 3, 442), rng.integers(0, 4, 442), rng.standard_normal(442)])
    texts = np.array([" ".join(rng.choice(["tea", "coffee", "milk", "sugar", "cup"], 4)) for _ in range(442)], object)
    data = replace(load("diabetes"), X_train=codes, extra={"is_categorical": [True, True, False]})
    reviews = replace(data, X_train=texts, y_train=rng.integers(1, 6, 442), extra={"rffnet_keep": np.ones(442, bool)})
    problem, fold = RAHIMI.problems[1], rffnet.Problem("a", data="diabetes", labels=True, width=4)

    def parts(data):
        for cached in CACHED:
            cached.cache_clear()
        monkeypatch.setattr(datasets, "load", lambda name: data)
        return rahimi_recht.load_problem(problem) if data.X_train.ndim == 2 else rffnet.load_problem(
            RFFNET, fold, 2)

    def change(data, rows, how):
        X, y = how(data.X_train, data.y_train, rows, np.random.default_rng(1))
        return replace(data, X_train=X, y_train=y)

    for whole, rows in ((data, order(442, 0)[:44]), (reviews, of_fold(2)(442))):
        plain, other, same = (parts(one) for one in (whole, change(whole, rows, others), change(whole, rows, copied)))
        for one in (other, same):
            assert np.array_equal(plain[0], one[0]) and np.array_equal(plain[1], one[1]) and plain[4:] == one[4:]
        assert not np.array_equal(plain[2], other[2]) and {*lines(*same[2:4])} <= {*lines(*same[:2])}
    assert set(plain[4]) == {"tea", "coffee", "milk", "sugar", "cup"}
    for cached in CACHED:
        cached.cache_clear()


def test_the_store_keeps_training_and_test_part_apart():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((6, 3)), np.arange(6.0)
    given = {"X": X, "y": y, "rr2007_train_idx": np.array([5, 0, 3]), "rr2007_test_idx": np.array([1, 2])}
    for got, want in zip(store._parts(given), (X[[5, 0, 3]], y[[5, 0, 3]], X[[1, 2]], y[[1, 2]]), strict=True):
        assert np.array_equal(got, want)
    assert np.array_equal(store._extra(given)["X_all"], X) and np.array_equal(store._extra(given)["y_all"], y)
    apart = {"X_train": X[:4], "y_train": y[:4], "X_test": X[4:], "y_test": y[4:]}
    for got, want in zip(store._parts(apart), apart.values(), strict=True):
        assert np.array_equal(got, want)
    thin, rest = {}, {"y_train": y[:4], "y_test": y[4:]}
    for part, rows in (("train", X[:4] > 0), ("test", X[4:] > 0)):
        made = sparse.csr_matrix(rows.astype(float))
        thin |= {f"X_{part}_{k}": np.asarray(getattr(made, k)) for k in ("data", "indices", "indptr", "shape")}
    A, a, B, b = store._parts(thin | rest)
    assert np.array_equal(A.toarray(), X[:4] > 0) and np.array_equal(B.toarray(), X[4:] > 0)
    assert np.array_equal(a, y[:4]) and np.array_equal(b, y[4:])


# ---- repeats ------------------------------------------------------------------------------------------------------

REPEATS = {  # settings with two repeats; the loader that gives both the same data; what names a repeat; no randomness
    "first_machine": (first_machine, replace(FIRST, gammas=(0.1,), alphas=(1.0,), boxes=(1.0,)), (), "seed", ("SVC",)),
    "first_hour": (first_hour, replace(HOUR, splits=2, factors=(0.1,)), (first_hour, "load_split", 2), "split",
                   ("support vectors", "boosting")),
    "gradients": (gradients, replace(GRADIENTS, splits=2), (gradients, "load_split", 2), "split", ("boosting",)),
    "kernel_choice": (kernel_choice, replace(CHOICE, seeds=2), (kernel_choice, "table", 2), "seed", ()),
    "eerf": (eerf, replace(EERF, problems=tuple(replace(p, seeds=2) for p in EERF.problems[::2]), radii=(1.0,),
                           logistic=(("breast_cancer", 1.0, 2),)), (eerf, "load_problem", 2), "seed", ()),
    "rahimi_recht": (rahimi_recht, replace(RAHIMI, problems=RAHIMI.problems[1:], factors=(1.0,), ridges=(1.0,),
                                           boxes=(1.0,)), (), "seed", ()),
    "rffnet": (rffnet, replace(RFFNET, problems=tuple(replace(p, runs=2, dear_runs=2) for p in RFFNET.problems[1:]),
                               ablation_runs=2, selection_runs=2), (rffnet, "load_problem", 2), "run",
               ("Kernel Ridge", "boosting")),
    "which_map": (which_map, replace(MAPS, test_seeds=(2,), problems=MAPS.problems[1:2], factors=(1.0,)), (), "seed",
                  ("coordinates",)),
    "arff": (arff, replace(ARFF, widths=((4, 2),), digit_widths=((4, 2),), digit_complex=((4, 2),), long_seeds=2,
                           digit_walks=tuple((*walk[:3], 2) for walk in ARFF.digit_walks)), (arff, "make_data", 2),
             "seed", ()),
    "intervals": (intervals, intervals.Settings((30,), (6, 8), 10, 20, (2,)), (intervals, "problem", 2), "seed",
                  ("exact",)),
}


SHARED = {"simulated", "ablation_part", "load_problem"}  # rows that both repeats are given


def told(record):
    """What a task has drawn: predictions, or what it solved, or its row."""
    return record.outputs or [digest([v for k, v in record.row.items() if k not in CLOCKS and k not in record.key])]


@pytest.mark.parametrize("name", REPEATS)
@pytest.mark.filterwarnings("ignore")
def test_repeats_draw_anew_from_the_same_rows(name, monkeypatch):
    module, settings, frozen, repeat, calm = REPEATS[name]
    if frozen:
        owner, loader, place = frozen
        load = getattr(owner, loader)
        monkeypatch.setattr(owner, loader, lambda *args: load(*args[:place], 0, *args[place + 1 :]))
    if name == "rffnet":
        part = rffnet.ablation_part
        monkeypatch.setattr(rffnet, "ablation_part", lambda settings, name, run: part(settings, name, 0))
    twins: dict = {}
    for record in ran(monkeypatch, module, settings):
        if repeat in record.key:
            twins.setdefault(json.dumps({k: v for k, v in record.key.items() if k != repeat}), []).append(record)
    compared = [pair for pair in twins.values() if len(pair) == 2]
    assert compared
    for a, b in compared:
        # of tuning and of what is judged; the first repeat may have begun with a fit that compiles
        same = [x == y for x, y in zip(told(a)[::-1], told(b)[::-1], strict=False)]
        assert a.key.get("method") in calm or not any(same), a.key
        assert name != "kernel_choice" or a.row["said"]["gcv"] != a.row["said"]["cv"]
        drawn = [(x, y) for x, y in zip(a.states[::-1], b.states[::-1], strict=False) if x]
        assert not drawn or any(x != y for x, y in drawn), a.key
        rows = {frozen[1]} if frozen else set()  # of the loader that gives both the same
        assert not [seed for seed in a.seeds if seed in b.seeds and seed[0] not in rows | SHARED], a.key


@pytest.mark.filterwarnings("ignore")
def test_draws_within_a_row_are_several(monkeypatch):
    for record in ran(monkeypatch, which_map, replace(MAPS, problems=(which_map.Problem("n", 3),)), stages=("kernel",)):
        assert record.key["method"] == "coordinates" or len({*record.row["errors"]}) == MAPS.seeds, record.key
    some = choosing.Settings(names=("wine",), rows=6, first=16, factor=2, draws=5)
    for record in ran(monkeypatch, choosing, some):
        assert len({*record.outputs}) > 2 * some.draws and len(record.outputs) == 3 * some.draws, record.key
        drawn = [state for (state,) in filter(None, record.states)]
        assert all(drawn.count(seed) == 3 + (seed == 0 and len(drawn) > 15) for seed in range(some.draws)), record.key
    for record in ran(monkeypatch, widths, replace(WIDTHS, draws=2, repeats=2, widths=(16, 64))):
        assert len({*record.outputs}) == len(record.outputs) > 1, record.key


def test_steps_of_a_study_take_the_rows_in_an_order_of_the_run():
    X, y = rffnet.ablation_part(RFFNET, "jse3", 0)
    options = {**rffnet.AS_PRINTED, "n_components": 8, "n_epochs": 2, "batch_size": 16, "learning_rate": 0.01,
               "random_state": 0, "alpha": 1e-4}
    one, again, two = (rffnet.stepped(options, X, y, "SGD", 1e-4, run)[0] for run in (0, 0, 1))
    assert one == again and one[0] == two[0] and one[1:] != two[1:]


@pytest.mark.parametrize("choice", ["SGD", "PALM-Adam"])
def test_rows_that_judge_the_steps_of_a_study_are_fitted_by_nobody(choice):
    X, y = rffnet.ablation_part(RFFNET, "jse3", 0)
    options = {**rffnet.AS_PRINTED, "n_components": 8, "n_epochs": 2, "batch_size": 16, "learning_rate": 0.01,
               "random_state": 0, "alpha": 1e-4}
    other = others(X, y, np.arange(len(y) // 10), np.random.default_rng(0))
    (losses, theta), (left, same) = (rffnet.stepped(options, *part, choice, 1e-4, 0)
                                     for part in ((X, y), other))
    assert np.array_equal(theta, same) and not {*losses} & {*left}


MAKERS = {
    "first_hour": lambda number: first_hour.load_split(HOUR, "wine", number),
    "gradients": lambda number: gradients.load_split(GRADIENTS, "wine", number),
    "kernel_choice": lambda number: kernel_choice.table(CHOICE, "diabetes", number),
    "eerf": lambda number: eerf.load_problem(EERF, EERF.problems[0], number),
    "rffnet, fold": lambda number: rffnet.load_problem(RFFNET, RFFNET.problems[0], number),
    **{f"rffnet, {name}": lambda number, name=name: rffnet.load_problem(
        RFFNET, rffnet.Problem(name, labels=name not in rffnet.TARGETS), number)
       for name in rffnet.SIMULATED},
    **{f"arff, {case}": lambda number, case=case: arff.make_data(ARFF, case, number) for case in (1, 2, 3)},
    "intervals": lambda number: intervals.problem(intervals.Settings(), 30, number),
    "rffnet, study": lambda number: rffnet.ablation_part(RFFNET, "jse3", number),
    "scaling": lambda number: scaling.block_of(scaling.QUICK, 100 * number, 100 * number + 50),
}


@pytest.mark.parametrize("name", MAKERS)
def test_repeats_have_rows_of_their_own(name):
    one, again, two = (MAKERS[name](number) for number in (0, 0, 1))
    for a, b, c in zip(one[:4], again, two, strict=False):
        assert np.array_equal(a, b) and not np.array_equal(a, c)
    if len(one) >= 4 and name != "intervals":
        assert not {*map(bytes, np.ascontiguousarray(one[0]))} & {*map(bytes, np.ascontiguousarray(one[2]))}
        assert not {*map(bytes, np.ascontiguousarray(one[2]))} == {*map(bytes, np.ascontiguousarray(two[2]))}


DRAWN = {  # what draws rows of its own for each problem and each repeat
    "rffnet": {(name, number): (lambda n=name, k=number: rffnet.load_problem(
        RFFNET, rffnet.Problem(n, labels=n not in rffnet.TARGETS), k))
        for name in rffnet.SIMULATED for number in (0, 1, 2)},
    "rffnet, study": {(name, number): (lambda n=name, k=number: rffnet.ablation_part(RFFNET, n, k))
                      for name in rffnet.TARGETS for number in (0, 1, 2)},
    "arff": {**{(case, seed): (lambda c=case, s=seed: arff.make_data(ARFF, c, s)) for case in (1, 2, 3)
                for seed in (0, 1, 2)},
             **{("spread", seed): (lambda s=seed: arff.measure_spread(ARFF, 0.9, s)) for seed in (0, 1, 2)},
             **{("plain", case): (lambda c=case: arff.measure_plain(ARFF, c, 4)) for case in (1, 2, 3)}},
    "intervals": {(n, seed): (lambda n=n, s=seed: intervals.problem(intervals.Settings(), n, s)) for n in (30, 40)
                  for seed in (0, 1, 2)},
    "which_map": {d: (lambda d=d: which_map.load_problem(MAPS, which_map.Problem("normal", d))) for d in (2, 3, 5)},
    "first_hour": {(name, number): (lambda k=number: first_hour.load_split(HOUR, "wine", k)) for name in ("wine",)
                   for number in (0, 1, 2)},
    "gradients": {number: (lambda k=number: gradients.load_split(GRADIENTS, "wine", k)) for number in (0, 1, 2)},
    "scaling": {start: (lambda k=start: scaling.block_of(scaling.QUICK, k, k + 5)) for start in (0, 5, 10)},
}


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.filterwarnings("ignore")
def test_each_problem_and_repeat_has_a_stream_of_its_own(name, monkeypatch):
    """Seeds of several numbers that a problem gives are given by no other; zeros at their end count for nothing."""
    given, make = {}, np.random.default_rng
    for cached in CACHED:
        cached.cache_clear()
    for key, draw in DRAWN[name].items():
        def noted(*seed, key=key):
            if seed and isinstance(seed[0], list):
                state = tuple(np.random.SeedSequence([int(part) for part in seed[0]]).generate_state(4))
                given.setdefault(state, set()).add(key)
            return make(*seed)

        with monkeypatch.context() as patch:
            patch.setattr(np.random, "default_rng", noted)
            draw()
    assert {key for keys in given.values() for key in keys} == {*DRAWN[name]}
    assert not [keys for keys in given.values() if len(keys) > 1]


@pytest.mark.parametrize(("made", "sizes"), [
    (lambda: first_machine.load_split(FIRST), (1198, 599)),
    (lambda: first_hour.load_split(HOUR, "wine", 0), (60, 60)),
    (lambda: gradients.load_split(GRADIENTS, "wine", 0), (100, 60)),
    (lambda: kernel_choice.table(CHOICE, "diabetes", 0), (60, 40)),
    (lambda: widths.table(WIDTHS, "diabetes"), (60, 40)),
    (lambda: eerf.load_problem(EERF, EERF.problems[0], 0), (379, 190)),
    (lambda: rahimi_recht.load_problem(RAHIMI.problems[1]), (398, 44)),
    (lambda: rffnet.load_problem(RFFNET, RFFNET.problems[0], 0), (397, 45)),
    (lambda: rffnet.load_problem(RFFNET, RFFNET.problems[2], 0), (80, 40)),
    (lambda: which_map.load_problem(MAPS, MAPS.problems[0]), (294, 148)),
    (lambda: arff.load_digits("digits", 0), (1198, 599)),
], ids=[*"abcdefghijk"])
def test_parts_are_as_large_as_the_protocol_says(made, sizes):
    X, y, X_test, y_test = made()[:4]
    assert (X.shape[0], X_test.shape[0]) == (len(y), len(y_test)) == sizes


# ---- noise --------------------------------------------------------------------------------------------------------

def spread_is(noise, sigma):
    """Whether a normal sample has this standard deviation; false alarm 2e-7."""
    return chi2.ppf(1e-7, len(noise)) <= (noise**2).sum() / sigma**2 <= chi2.isf(1e-7, len(noise))


@pytest.mark.parametrize("name", rffnet.TARGETS)
def test_simulated_targets_have_their_noise(name):
    X, y = rffnet.simulated(name, 500, np.random.default_rng(0))
    assert spread_is(y - rffnet.TARGETS[name](X.T), 0.1)


def test_noise_that_is_declared_is_there(monkeypatch):
    X, y = scaling.block_of(scaling.QUICK, 0, 500)
    assert spread_is(y - np.sin(X[:, 0]) - X[:, 1] * X[:, 2], 0.3)
    X, y = datasets.make_smooth_regression(500, 3, noise=0.7, random_state=0)
    assert spread_is(y - datasets.smooth_regression_function(X), 0.7)
    [record, *_] = ran(monkeypatch, first_hour, replace(HOUR, sizes=(400,)), stages=("cost",))
    X, y = record.given[-1][:2]
    assert len(y) == 400 and spread_is(y - np.sin(X[:, 0]) - X[:, 1] * X[:, 2], 0.3)
    for record in ran(monkeypatch, arff, ARFF, stages=("spread",)):
        X, y = record.given[0][:2]
        assert spread_is(y - arff.bump(X, 1.0), 0.1)
        assert 0.005 < record.row["noisy"] - record.row["square"] < 0.015  # ten thousand new rows, variance 0.01
    quiet, loud = (intervals.problem(intervals.Settings(sigma=s), 400, 3) for s in (0.0, 0.5))
    assert np.array_equal(quiet[0], loud[0]) and spread_is(loud[1] - quiet[1], 0.5)
    assert all(np.array_equal(a, b) for a, b in zip(quiet[2:], loud[2:], strict=True))  # functions, without noise


def test_new_targets_of_the_intervals_have_noise_and_values_have_none(monkeypatch):
    settings = intervals.Settings((30,), (6, 8), 10, 500, (2,), sigma=0.5)
    *_, inside, outside = intervals.problem(settings, 30, 0)
    middle, half = np.concatenate([inside, outside]), 0.5 * 0.6744898  # half of the targets
    monkeypatch.setattr(intervals, "_intervals", lambda *args: (middle, np.full(1000, half)))
    for method in ("exact", "weights", "jackknife+"):
        row = intervals.measure(settings, 30, method, 8, 0)
        share = 0.5 * (row["inside"] + row["outside"])
        assert share == 1 if method != "jackknife+" else abs(share - 0.5) < math.sqrt(math.log(2e7) / 2000)
