"""The same bits for any number of threads, under concurrent callers, and without compilation up to rounding."""

import functools
import inspect
import os
import subprocess
import sys
import threading
import warnings
from unittest import mock

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, is_classifier
from threadpoolctl import threadpool_limits

import rfbook
from rfbook import (
    ArcCosineFeatures,
    CoordinateFeatures,
    GaussianProductFeatures,
    NystroemFeatures,
    PositiveFeatures,
    RandomBinningFeatures,
    RandomFeatureClassifier,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    RandomMaclaurinFeatures,
)
from rfbook.solvers import regression

FOURIER = {"n_components": 40, "random_state": 0}
BINNING = {"n_grids": 12, "length_scale": 0.2, "random_state": 0}


def data(n, kind, dtype):
    X = np.random.default_rng(n).standard_normal((n, 4)).astype(dtype)
    return sparse.csr_array(X * (X > 0)) if kind == "csr" else X


def bits(*arrays):
    """The bits of arrays, dense or sparse."""
    out = []
    for array in arrays:
        parts = (array.data, array.indices, array.indptr) if sparse.issparse(array) else (np.asarray(array),)
        out += [part.tobytes() for part in parts]
    return out


def everything(kind, dtype, n_jobs=None, sizes=(450, 30)):
    """Bits of every fit and transform of the library on problems of some sizes: many rows, few rows, sparse designs."""
    out = []
    for n in sizes:
        X = data(n, kind, dtype)
        y = np.sin(np.arange(n)) + np.asarray(X[:, [0]].toarray() if kind == "csr" else X[:, :1])[:, 0]
        for map_ in (ArcCosineFeatures(2, sampling="orthogonal", **FOURIER), CoordinateFeatures(7, random_state=0),
                     PositiveFeatures(length_scale=9.0, **FOURIER), NystroemFeatures(length_scale=9.0, **FOURIER)):
            out += bits(map_.fit(X).transform(X), map_.approximate_kernel(X[:20]))
        for make in (lambda: RandomFourierFeatures(**FOURIER), lambda: RandomBinningFeatures(**BINNING),
                     lambda: GaussianProductFeatures(**FOURIER), lambda: RandomMaclaurinFeatures(**FOURIER),
                     lambda: RandomFourierFeatures(sampling="structured", **FOURIER),
                     lambda: RandomFourierFeatures(phase="offset", length_scale="median", **FOURIER)):
            map_ = make().fit(X)
            out += bits(map_.transform(X), map_.approximate_kernel(X[:20]), make().fit_transform(X))
            for alpha in ("gcv", 0.3) if n < 100 else (0.3,):
                machine = RandomFeatureRegressor(make(), alpha=alpha, n_jobs=n_jobs).fit(X, y, np.arange(n) % 5 + 0.5)
                out += bits(machine.feature_coef_, machine.intercept_, machine.alpha_, machine.predict(X))
            machine = RandomFeatureClassifier(make(), alpha=1.0, n_jobs=n_jobs).fit(X, (y * 3).round())
            out += bits(machine.feature_coef_, machine.decision_function(X))
    return out


@functools.cache
def alone(kind, dtype):
    """The bits of one thread, once for all that are compared with them."""
    with threadpool_limits(1):
        return everything(kind, dtype, 1)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", ["dense", "csr"])
def test_bits_for_every_number_of_threads(kind, dtype):
    want = alone(kind, dtype)
    for n_jobs in (2, 4):
        assert everything(kind, dtype, n_jobs) == want
    assert everything(kind, dtype, 4, (1100,)) == everything(kind, dtype, 1, (1100,))
    with threadpool_limits(4):  # where nobody says how many; one and two are asked of each estimator below
        assert everything(kind, dtype) == want


ESTIMATORS = [kind for name in rfbook.__all__ if isinstance(kind := getattr(rfbook, name), type)
              and issubclass(kind, BaseEstimator)]
LITTLE = {"n_components": 300, "n_grids": 40, "n_candidates": 400, "n_steps": 2, "n_epochs": 1, "n_centers": 400,
          "subsample": 400, "max_core": 60, "n_iterations": 1, "random_state": 0}
OWN = {"JackknifePlus": {"machine": RandomFeatureRegressor(n_components=300)},
       "ConformalClassifier": {"machine": RandomFeatureClassifier(n_components=300)},
       "CoreVectorMachine": {"max_core": 150}, "SRFFRegressor": {"max_iter": 20},
       "LeverageScoreFeatures": {"n_candidates": 200, "n_components": 100}, "SES": {"n_components": 900},
       "RandomFeatureGP": {"posterior": "compressed"}}
ASKED = ("transform", "predict", "predict_proba", "decision_function", "predict_interval", "sample_y")


def arrays(value, seen=()):
    """Arrays and numbers in what an estimator has learnt, in order; objects of other libraries are left out."""
    if isinstance(value, np.ndarray | np.generic | float) or sparse.issparse(value):
        yield from bits(value)
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from arrays(part, seen)
    elif type(value).__module__.startswith("rfbook") and hasattr(value, "__dict__") and id(value) not in seen:
        yield from arrays(vars(value), (*seen, id(value)))


def all_of(kind, X):
    """Bits of all that an estimator of this kind learns and answers, with no decomposition of order above 1,024."""
    parameters = inspect.signature(kind.__init__).parameters
    little = {**LITTLE, **OWN.get(kind.__name__, {})}
    machine = kind(**{name: value for name, value in little.items() if name in parameters})
    y = np.sin(2 * X[:, 0]) + 0.1 * X[:, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        machine.fit(X, y > 0 if is_classifier(machine) else y)
    answers = [getattr(machine, name)(X) for name in ASKED if hasattr(machine, name)]
    if isinstance(machine, rfbook.RandomFeatureGP):
        answers.append(machine.predict(X, return_std=True))
    return list(arrays([vars(machine), answers]))


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_bits_of_every_estimator(kind):
    X = np.random.default_rng(0).standard_normal((480, 4))
    found = []
    for threads in (1, 2, 4):
        with threadpool_limits(threads):
            found.append(all_of(kind, X))
    assert len(found[0]) > 1 and found[1] == found[0] and found[2] == found[0]


def test_bits_under_concurrent_callers():
    kinds = [(kind, dtype) for kind in ("dense", "csr") for dtype in (np.float64, np.float32)]
    want, got = [alone(*k) for k in kinds], [None] * len(kinds)

    def call(i):
        got[i] = everything(*kinds[i], 2)

    callers = [threading.Thread(target=call, args=(i,)) for i in range(len(kinds))]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert got == want


SCRIPT = """if True:
    import pickle, sys
    sys.path.insert(0, sys.argv[1])
    import test_threads
    sys.stdout.buffer.write(pickle.dumps(test_threads.{what}))
"""


def elsewhere(what, **environment):
    """A value of this module, computed in a process with other settings."""
    import pickle

    here = os.path.dirname(os.path.abspath(__file__))
    run = subprocess.run([sys.executable, "-c", SCRIPT.format(what=what), here], capture_output=True, check=True,
                         env={**os.environ, **environment})
    return pickle.loads(run.stdout)


def test_bits_do_not_depend_on_the_environment():
    want = alone("dense", np.float64)
    got = elsewhere("everything('dense', test_threads.np.float64)", OMP_NUM_THREADS="4", OPENBLAS_NUM_THREADS="4",
                    MKL_NUM_THREADS="4")
    assert got == want


def small():
    """Results of small problems, as arrays: what compiled loops compute, and what rests on them."""
    out = {}
    for kind in ("dense", "csr"):
        for dtype in (np.float64, np.float32):
            X = data(40, kind, dtype)
            y = np.sin(np.arange(40))
            for phase in ("paired", "offset"):
                map_ = RandomFourierFeatures(phase=phase, **FOURIER).fit(X)
                out["rounding", kind, dtype.__name__, phase] = map_.transform(X)
            out["rounding", kind, dtype.__name__, "arc"] = ArcCosineFeatures(**FOURIER).fit_transform(X)
            for map_ in (GaussianProductFeatures(**FOURIER), RandomMaclaurinFeatures(**FOURIER)):
                out["rounding", kind, dtype.__name__, type(map_).__name__] = map_.fit_transform(X)
            out["exact", kind, dtype.__name__] = RandomBinningFeatures(**BINNING).fit_transform(X).toarray()
            grids = RandomBinningFeatures(length_scale=1.0, n_grids=5, random_state=0).fit(X[:20])
            out["exact", kind, dtype.__name__, "new"] = grids.transform(X).toarray()
            out["exact", kind, dtype.__name__, "share"] = grids.approximate_kernel(X)
            machine = RandomFeatureRegressor(RandomBinningFeatures(**BINNING), alpha=0.5).fit(X, y)
            out["rounding", kind, dtype.__name__, "machine"] = machine.predict(X)
    big = data(210, "dense", np.float64)
    machine = RandomFeatureRegressor(RandomBinningFeatures(n_grids=4, length_scale=0.05, random_state=0), alpha=1.0)
    for way, most, y in (("factor", 300, big[:, :2]), ("products", 0, big[:, 0])):
        with mock.patch.multiple(regression, DIRECT=200, _FACTOR=most):  # more rows and columns than that
            out["iterations", way] = machine.fit(big, y).predict(big[:50])
    return out


def test_without_compilation_the_results_are_the_same():
    want, got = small(), elsewhere("small()", NUMBA_DISABLE_JIT="1")
    assert want.keys() == got.keys()
    for key, value in want.items():
        assert got[key].dtype == value.dtype and got[key].shape == value.shape
        if key[0] == "exact":
            assert np.array_equal(got[key], value), key
        else:
            tolerance = 1e-5 if key[0] == "iterations" else 1e-6 if "float32" in key else 1e-12
            assert np.abs(got[key] - value).max() <= tolerance, key
