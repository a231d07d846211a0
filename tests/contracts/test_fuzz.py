"""Ten thousand hostile calls of the public API: each is refused in one sentence, or answered with finite numbers.

A call is drawn from a list of functions and methods; one or two of its arguments are replaced by something nasty.
What may come back is a ValueError or a TypeError whose sentence names an argument that was replaced, or a result of the
right shape and type without NaN; anything else is a defect: another exception, a warning about arithmetic, a flood of
warnings, a call that takes the processor more than ten seconds.  Calls are numbered, so that one can be repeated:
``RFBOOK_FUZZ=123``.
"""

import collections
import datetime
import decimal
import fractions
import functools
import inspect
import itertools
import os
import re
import time
import warnings
import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import DataConversionWarning

import rfbook
from rfbook import bounds, datasets, kernels
from rfbook.draws.quasi_sampler import quasi_frequencies
from rfbook.learning import choose_kernel
from rfbook.learning.kernel_machines import duality_gap, kernel_ridge, ridge_bill, svm_dual

CALLS = int(os.environ.get("RFBOOK_FUZZ_CALLS", 10_000))
N, D = 9, 3  # rows and columns of a harmless X
ROUNDS, PARTS = 4, 8

# ---- nasty things, such as users send: nothing is forged so as to lie about what it is -------------------------------

SCALARS = [
    None, True, False, 0, -1, 1, 2, 7, 10**18, -(10**18), 2**63, 2.5, 0.0, -0.0, 1.0, -1.5, np.nan, np.inf, -np.inf,
    1e308, -1e308, 5e-324, 1e-308, 1e-30, 1e30, "", "x", "2", "gcv", "median", "paired", 1j, [], [1.0], [np.nan], [[]],
    [[1.0], [1.0, 2.0]], ["a"], {}, {"a": 1}, (), (1.0, 2.0), {1.0}, object(), (lambda: 0), np.array(2), np.array(2.5),
    np.array([]), np.ones(D), np.ones((2, 2)), np.zeros((0, 3)), np.full(D, np.nan), np.arange(4000.0),
    np.datetime64("2020-01-01"), datetime.date(2020, 1, 1), fractions.Fraction(1, 2), decimal.Decimal("0.5"),
    np.int8(-1), np.int8(3), np.uint64(2**64 - 1), np.float16(0.5), np.float32(np.inf), np.str_("x"), np.bool_(True),
    np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0]), range(3), np.random.default_rng(0), np.random.RandomState(0),
    sparse.csr_matrix((2, 2)), kernels.Gaussian(), kernels.Gaussian, "a\nb", "é" * 300,
]


def _with(X, value, rng):
    X = X.copy()
    X[rng.integers(len(X)), rng.integers(X.shape[1])] = value
    return X


def _matrices():
    """Makers of matrices, most of them bad, from a harmless one of shape (N, D)."""
    values = [np.nan, np.inf, -np.inf, -0.0, 5e-324, 1e308, -1e308, 1e200, 1e30, 1e16, 2.0**53, 3e38]
    kinds = [np.float16, np.float32, np.int8, np.int64, np.uint64, bool, complex, np.longdouble, object, str, ">f8",
             "M8[s]"]
    makers = [lambda X, rng, v=v: _with(X, v, rng) for v in values]
    makers += [lambda X, rng, v=v: np.full(X.shape, v) for v in (*values, 0.0, 1.0)]
    makers += [lambda X, rng, v=v: np.float32(_with(X, v, rng)) for v in (*values[:5], 3e38, -3e38)]
    makers += [lambda X, rng, k=k: X.astype(k) for k in kinds]
    makers += [lambda X, rng, v=v: _with(X.astype(object), v, rng)
               for v in (None, "x", "1", [1], 1j, np.nan, decimal.Decimal(1))]
    makers += [lambda X, rng, s=s: np.ones(s) for s in (
        0, 1, (0, 0), (0, D), (N, 0), (1, D), (1, 1), (N, D + 1), (N, D - 1), (N + 1, D), (N, D, 1), (1, N, D), (N,),
        ())]
    makers += [
        lambda X, rng: X[::-1], lambda X, rng: X[:, ::-1], lambda X, rng: np.asfortranarray(X),
        lambda X, rng: np.broadcast_to(X[0], X.shape), lambda X, rng: np.ma.array(X, mask=X > 0),
        lambda X, rng: np.ma.array(X), lambda X, rng: np.asmatrix(X), lambda X, rng: X.tolist(),
        lambda X, rng: [*X.tolist()[:-1], [1.0]], lambda X, rng: tuple(map(tuple, X)), lambda X, rng: "X",
        lambda X, rng: None, lambda X, rng: 3.0, lambda X, rng: {"a": X[:, 0]}, lambda X, rng: [[]],
        lambda X, rng: np.where(rng.random(X.shape) < 0.5, X, X * 1e300), lambda X, rng: X * 1e-320,
    ]
    return makers


def _sparse_matrices():
    """Makers of sparse matrices of every format and in every disorder."""
    formats = ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"]
    makers = [lambda X, rng, f=f, c=c: c(X * (X > 0)).asformat(f)
              for f in formats for c in (sparse.csr_matrix, sparse.csr_array)]

    def arrays(X):
        S = sparse.csr_matrix(X * (X > 0))
        return S.data.copy(), S.indices.copy(), S.indptr.copy(), S.shape

    def zeros(X, rng):
        data, indices, indptr, shape = arrays(X)
        data[::2] = 0
        return sparse.csr_matrix((data, indices, indptr), shape)

    def doubled(X, rng):
        data, indices, indptr, shape = arrays(X)
        return sparse.csr_matrix((np.repeat(data, 2), np.repeat(indices, 2), 2 * indptr), shape)

    def unsorted(X, rng):
        data, indices, indptr, shape = arrays(X)
        for a, b in itertools.pairwise(indptr):
            data[a:b], indices[a:b] = data[a:b][::-1].copy(), indices[a:b][::-1].copy()
        return sparse.csr_matrix((data, indices, indptr), shape)

    def long(X, rng):
        S = sparse.csr_matrix(X * (X > 0))
        S.indices, S.indptr = S.indices.astype(np.int64), S.indptr.astype(np.int64)
        return S

    def spoilt(value):
        def make(X, rng):
            data, indices, indptr, shape = arrays(X)
            data[rng.integers(max(1, len(data)), size=1)[: len(data)]] = value
            return sparse.csr_matrix((data, indices, indptr), shape)
        return make

    makers += [zeros, doubled, unsorted, long, *map(spoilt, (np.nan, np.inf, 1e308, -1e200, 5e-324, -0.0))]
    makers += [lambda X, rng, k=k: sparse.csr_matrix((X > 0).astype(k)) for k in (bool, np.int8, np.int64, complex,
                                                                                 np.float32)]
    makers += [lambda X, rng, s=s: sparse.csr_matrix(s) for s in ((0, D), (N, D + 1), (1, D), (N, D))]
    makers += [lambda X, rng: sparse.coo_array(X[0])]
    return makers


MATRICES, SPARSE = _matrices(), _sparse_matrices()


def nasty_matrix(rng, good):
    """A matrix that is odd or wrong in some way; a third of them are sparse."""
    pool = SPARSE if rng.random() < 0.33 else MATRICES
    return pool[rng.integers(len(pool))](np.asarray(good), rng)


def nasty_vector(rng, good):
    """Targets, weights or labels that are odd or wrong in some way."""
    good = np.asarray(good)
    n, real = len(good), good.astype(float) if good.dtype.kind in "biuf" else np.arange(len(good), dtype=float)
    one = real.copy()
    one[rng.integers(n)] = rng.choice([np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324, -1.0, 1e-300, 1e200])
    pool = [
        one, one, one, np.full(n, rng.choice([0.0, -1.0, np.nan, 1e308, 1e-320, 1e300])), real[:-1],
        np.append(real, 1.0),
        real[:, None], real[None], np.column_stack([real, real]), real.reshape(1, 1, -1), real.astype(complex),
        real.astype(object), real.astype(str), list(map(str, real)), [None] * n, real > 0, real.astype("M8[s]"),
        np.ma.array(real, mask=real > 0), real.astype(np.float16), np.array([]), "y", None, 1.0, {}, object(),
        real.tolist(),
        [[1.0], [1.0, 2.0]] * n, sparse.csr_matrix(real[:, None]), [[]] * n, np.zeros((n, 0)), iter(real), real[::-1],
        np.array(["a", 1, None] * n, dtype=object)[:n], np.full(n, 2**63, np.uint64),
    ]
    return pool[rng.integers(len(pool))]


def nasty_scalar(rng, good):
    """Anything; now and then a good value of another kind."""
    return SCALARS[rng.integers(len(SCALARS))]


NASTY = {"matrix": nasty_matrix, "vector": nasty_vector, "scalar": nasty_scalar}

# ---- calls -----------------------------------------------------------------------------------------------------------

PROBLEM = np.random.default_rng(7)
X = PROBLEM.standard_normal((N, D))
Y = np.sin(X[:, 0])
LABELS = np.arange(N) % 3
K = kernels.Gaussian()(X)
GOOD = {
    "matrix": {"X": X, "Y": X[:5], "K": K, "difference": X, "omega": X, "pitch": np.abs(X)},
    "vector": {"y": Y, "sample_weight": np.ones(N), "labels": LABELS, "signs": np.where(Y > 0, 1.0, -1.0)},
}


@dataclass
class Call:
    """A function, its harmless arguments with the kind of nastiness that each may get, and what it may return."""

    name: str
    function: Any
    arguments: dict[str, tuple[str, Any]]
    shape: Any = None  # of the result from the arguments, or None where any is right
    infinite: bool = False  # whether infinity is a right answer
    nan: bool = False  # whether NaN answers NaN
    also: dict[str, str] = field(default_factory=dict)  # other words for an argument in a sentence


def matrix(value):
    return "matrix", value


def vector(value):
    return "vector", value


def scalar(value):
    return "scalar", value


def _rows(Z):
    return Z.shape[0] if hasattr(Z, "shape") else None if Z is None else len(Z)  # None: as many as X has


def _kernel_calls():
    """Every kernel and each of its methods."""
    made = {"Gaussian": {}, "Laplacian": {}, "Cauchy": {}, "Exponential": {}, "Matern": {"nu": scalar(1.5)},
            "StretchedExponential": {"power": scalar(0.5)}, "InversePower": {"power": scalar(1.0)}}
    methods: dict = {
        "__call__": ({"X": matrix(X), "Y": matrix(X[:5])}, lambda a: (_rows(a["X"]), _rows(a["Y"]))),
        "value": ({"difference": matrix(X)}, lambda a: np.shape(a["difference"])[:-1]),
        "sample_frequencies": ({"n": scalar(4), "d": scalar(D), "rng": scalar(None)}, lambda a: (a["n"], a["d"])),
        "second_moment": ({"d": scalar(D)}, lambda a: ()),
        "spectral_moment": ({"order": scalar(1.0), "d": scalar(D)}, lambda a: ()),
        "spectral_density": ({"omega": matrix(X)}, lambda a: np.shape(a["omega"])[:-1]),
        "sample_pitches": ({"n": scalar(4), "d": scalar(D), "rng": scalar(None)}, lambda a: (a["n"], a["d"])),
        "pitch_density": ({"pitch": matrix(np.abs(X))}, lambda a: np.shape(a["pitch"])[:-1]),
    }
    for kind, extra in made.items():
        for method, (arguments, shape) in methods.items():
            if method == "spectral_density" and kind in ("StretchedExponential", "InversePower"):
                continue  # a NotImplementedError says so
            flat = kind in ("Gaussian", "Cauchy", "Matern", "Exponential") and "pitch" in method
            own = {"length_scale": scalar(1.0), **extra}
            if flat and kind not in ("Matern", "Exponential"):
                continue  # a ValueError whatever the arguments

            def call(kind=kind, method=method, own=own, **a):
                kernel = getattr(rfbook, kind)(**{k: a.pop(k) for k in own})
                if "rng" in a and a["rng"] is None:
                    a["rng"] = np.random.default_rng(0)
                return getattr(kernel, method)(**a)

            wide = {"nu": scalar(0.4), "pitch": matrix(np.abs(X[:, :1])), "d": scalar(1)} if flat else {}
            given = {k: wide.get(k, v) for k, v in {**own, **arguments}.items()}
            densities = ("spectral_density", "pitch_density")
            yield Call(f"{kind}.{method}", call, given, shape, also={"d": "dimension"},
                       nan=method in ("value", *densities),
                       infinite=method in ("second_moment", "spectral_moment", *densities))
    dots = {"Polynomial": {"degree": scalar(2), "coef0": scalar(1.0)}, "ExponentialDotProduct": {},
            "PowerSeries": {"coefficients": vector(np.array([1.0, 0.0, 2.0]))}}
    for kind, extra in dots.items():
        for method, (arguments, shape) in {
            "__call__": methods["__call__"], "taylor_coefficients": ({"n": scalar(4)}, lambda a: (a["n"],)),
        }.items():
            own = {"length_scale": scalar(1.0), **extra}

            def call(kind=kind, method=method, own=own, **a):
                return getattr(getattr(rfbook, kind)(**{k: a.pop(k) for k in own}), method)(**a)

            yield Call(f"{kind}.{method}", call, {**own, **arguments}, shape)

    def arc_cosine(order, length_scale, **a):
        return kernels.ArcCosine(order, length_scale)(**a)

    yield Call("ArcCosine", arc_cosine, {"order": scalar(2), "length_scale": scalar(1.0), "X": matrix(X),
                                         "Y": matrix(X[:5])}, lambda a: (_rows(a["X"]), _rows(a["Y"])))


SMALL = {"n_components": 8, "n_grids": 6, "n_candidates": 16, "n_steps": 2, "n_epochs": 2, "max_iter": 3, "eps": 1e-3,
         "max_core": 20, "n_centers": 5, "n_directions": 2, "batch_size": 4, "tol": 1e-3, "validation_fraction": 0.25,
         "burn_in": 1, "n_clusters": 3, "n_random_features": 16, "random_state": 0}
UNASKED = {"n_epochs", "n_steps", "max_iter", "checkpoint", "progress", "warm_start"}  # how long, and where it writes
MAPS = ("RandomFourierFeatures", "RandomBinningFeatures", "ArcCosineFeatures", "CoordinateFeatures",
        "GaussianProductFeatures", "NystroemFeatures", "PositiveFeatures", "RandomMaclaurinFeatures")
VARIANTS: list[tuple[str, dict]] = [
    *((name, {}) for name in rfbook.__all__ if isinstance(getattr(rfbook, name), type) and issubclass(
        getattr(rfbook, name), BaseEstimator)),
    *(("RandomFourierFeatures", {"sampling": name}) for name in ("structured", "fastfood")),
    *((f"RandomFeature{kind}", {"features": features, "alpha": goal}) for kind in ("Regressor", "Classifier")
      for features in MAPS for goal in ("gcv", 0.1)),
    *(("RandomFeatureClassifier", {"loss": loss}) for loss in ("logistic", "hinge")),
]
ALSO = {"length_scale": "scales kernel n_components gamma", "gamma": "scales length_scale kernel", "y": "target labels",
        "sample_weight": "weights y", "n_components": "n_candidates features", "n_candidates": "n_components",
        "subsample": "n_directions n_centers", "n_directions": "subsample", "alphas": "alpha", "kernel": "length_scale"}


def _built(kind, given):
    """An estimator of some parameters, among which features may be the name of a map, which is small then."""
    features = given.get("features")
    if isinstance(features, str) and features in MAPS:
        parameters = inspect.signature(getattr(rfbook, features)).parameters
        given = {**given, "features": _built(features, {p: SMALL[p] for p in parameters if p in SMALL})}
    return getattr(rfbook, kind)(**given)


def _estimator_calls():
    """Every map and machine: wrong parameters, rows, targets and weights, in fit and after it."""
    for kind, given in VARIANTS:
        parameters = inspect.signature(getattr(rfbook, kind)).parameters
        usual = {p: SMALL.get(p, q.default) for p, q in parameters.items()} | given
        if "features" in given:  # which takes these over
            usual = {p: v for p, v in usual.items() if p not in ("kernel", "length_scale", "n_components")}
        own = {p: scalar(v) for p, v in usual.items() if p not in UNASKED}
        fixed = {p: v for p, v in usual.items() if p in UNASKED}
        y = LABELS if kind.endswith("Classifier") or kind == "CoreVectorMachine" else Y
        data = {"X": matrix(X), "y": vector(y), "sample_weight": vector(np.ones(N))}
        data = {name: data[name] for name in inspect.signature(getattr(rfbook, kind).fit).parameters if name in data}
        sort = getattr(rfbook, kind)
        maps = hasattr(sort, "transform") and not hasattr(sort, "predict")
        single = (2,) if y is LABELS else (2, None) if maps else None

        def fit(_name=kind, _own=own, _fixed=fixed, **a):
            machine = _built(_name, {p: a.pop(p) for p in _own} | _fixed).fit(**a)
            answer = machine.predict if hasattr(machine, "predict") else machine.transform
            return answer(np.zeros((2, machine.n_features_in_)))

        name = "".join([kind, *(f"({', '.join(map(str, given.values()))})" if given else "")])
        yield Call(f"{name}.fit", fit, {**own, **data},  # several columns of targets have several answers
                   lambda a, single=single: single if getattr(a.get("y"), "ndim", 1) < 2 else None, also=ALSO)
        if "target" in parameters or kind == "LeverageScoreFeatures":
            yield Call(f"{name}.fit, labels", fit, {**own, **data, "y": vector(LABELS)}, lambda a: (2, None), also=ALSO)
        fitted = _built(kind, usual).fit(X, y)
        for method in ("predict", "decision_function", "predict_proba", "transform"):
            if hasattr(fitted, method):
                flat = method == "predict" or kind == "RandomFeatureDensity"
                yield Call(f"{name}.{method}", getattr(fitted, method), {"X": matrix(X)}, lambda a, flat=flat: (
                    (_rows(a["X"]),) if flat else (_rows(a["X"]), None)))
        if kind in MAPS:
            yield Call(f"{name}.fit_transform", _built(kind, usual).fit_transform, {"X": matrix(X)},
                       lambda a: (_rows(a["X"]), None))
            yield Call(f"{name}.transform, out", fitted.transform,
                       {"X": matrix(X), "out": matrix(np.empty((N, fitted.n_components_)))},
                       lambda a, f=fitted: (_rows(a["X"]), f.n_components_), also={"X": "out"})
            yield Call(f"{name}.approximate_kernel", fitted.approximate_kernel, {"X": matrix(X), "Y": matrix(X[:5])},
                       lambda a: (_rows(a["X"]), None if a["Y"] is None else _rows(a["Y"])), also={"Y": "X"})
            if fitted._adapts:  # whose draws are no sample of a kernel's
                continue
            yield Call(f"{name}.kernel_error", fitted.kernel_error, {
                "X": matrix(X[:6]), "level": scalar(0.9), "random_state": scalar(0)}, lambda a: ())


def _choice_calls():
    """The kernel that is chosen, by a regressor and a classifier."""
    for kind, goal in itertools.product(("RandomFeatureRegressor", "RandomFeatureClassifier"), ("cv", "gcv")):
        machine = getattr(rfbook, kind)(n_components=8, random_state=0, **(
            {"loss": "squared"} if kind == "RandomFeatureClassifier" else {}))

        def choose(machine=machine, **a):
            chosen = choose_kernel(machine, **a).machine
            return chosen.predict(np.zeros((2, chosen.n_features_in_)))

        yield Call(f"{kind}: choose_kernel({goal})", choose, {
            "X": matrix(X), "y": vector(Y if kind == "RandomFeatureRegressor" else LABELS),
            "kernels": scalar(("gaussian", "laplacian")), "scales": scalar((1.0, 2.0)), "criterion": scalar(goal),
            "sample_weight": vector(np.ones(N)), "classes": scalar(None), "progress": scalar(False)},
                   also={"classes": "y"})


def _bound_calls():
    """Every bound with every argument."""
    usual = {"eps": 0.1, "delta": 0.01, "n_components": 1024, "n_grids": 1000, "phase": "paired", "pairs": 1,
             "k_delta": 0.5, "k_2delta": 0.2, "dimension": 3, "diameter": 2.0, "sigma": 1.0, "side": 1.0,
             "lipschitz": 1.0, "kernel": None,
             "k": 0.5, "value": 0.5, "mass": 1.0, "distance": 0.5, "variance": 2.0, "degree": 2,
             "coefficients": np.array([1.0, 2.0, 1.0]), "x": np.ones(D), "y": np.arange(D) / D, "radius": 1.0,
             "degree_law": "coefficients", "exact_degrees": 1, "k_double": 0.5, "angle": 0.5,
             "order": 1, "sampling": "iid", "replace": False,
             "points": 0.5, "fourth_moment": 3.0, "target_scale": 1.0, "law_scale": 0.8, "d": 3, "constant": 1.0,
             "bound": 1.0, "kernel_matrix": K, "values": Y, "n_frequencies": 100, "step": 1.0, "exponent": 2.0,
             "n_rows": 1000, "n_candidates": 100, "input_scale": 1.0,
             "largest": 0.5, "intrinsic": 3.0, "freedom": 5.0, "leverage": 50.0, "estimate": K + 0.1 * np.eye(N),
             "k_flipped": 0.3, "k_kept": 0.4, "relevance": 0.7,
             "alpha": 0.5, "n_steps": 10, "isometry": 0.3, "size": 1.0, "noise": 0.1,
             "mean": 0.1, "deviation": 0.2, "standard_error": 0.1, "shrink": 0.5, "gap": 0.5,
             "condition": 9.0, "approximation": 0.5, "precision": 1e-3, "tolerance": 0.01,
             "ridge": 0.1, "target": 1.0, "second_moment": 1.0, "norm": 1.0, "slope": 1.0,
             "count": 3, "n_first": 20, "n_late": 30, "rank": 10,
             "squared_sum": 1.5, "query_norm": 0.5, "key_norm": 0.7, "query": np.ones(D) / 4, "keys": X[:5] / 4,
             "rho": 0.5, "kind": "exponential", "n_queries": 2,
             "hsic": 0.1, "q": 12,
             "n": 20, "p": 30, "inside": 1.0, "outside": 0.5, "columns": 60, "signal": 2.0,
             "n_other": 30, "shift": 1.0, "square": 0.1, "ratio": 3.0, "level": 0.05, "n_resamples": 99,
             "length_scale": 1.0, "spread": 1.0,
             "dot": 0.8, "median": True, "nu": 2.5, "reach": 0.5, "correlation": 0.1}
    unbounded = {"gaussian_constant", "target_variance", "target_radius", "target_components",  # of too narrow laws
                 "score_rows",  # for very small errors
                 "bump_rows",  # in very many dimensions
                 "alignment_ceiling", "shrunk_risk", "product_error", "matrix_bernstein_radius",  # of large numbers
                 "maximiser_excess",  # of a large error
                 "smoothing_cost", "tempering_cost",  # in very many dimensions
                 "refinement_rate",  # where nothing is promised
                 "mmd_detectable", "shift_ratio"}  # with few permutations, in very many dimensions
    for name in bounds.__all__:
        function = getattr(bounds, name)
        given = {p: scalar(usual[p]) for p in inspect.signature(function).parameters}
        if name == "attention_variance":
            given["values"] = scalar(X[:5, :2])
        yield Call(f"bounds.{name}", function, given, infinite=name in unbounded, also={
            "kernel_matrix": "estimate", "fourth_moment": "variance"})
        if name.startswith("uniform") and "kernel" in given:  # in place of sigma
            rough = {**given, "sigma": scalar(None), "kernel": scalar(kernels.Laplacian())}
            yield Call(f"bounds.{name} of a kernel", function, rough)


def _other_calls():
    """Exact machines, made problems, summaries."""
    y, signs = vector(Y), vector(np.where(Y > 0, 1.0, -1.0))
    yield Call("kernel_ridge", lambda **a: kernel_ridge(**a)[0], {"K": matrix(K), "y": y, "alpha": scalar(0.1)},
               lambda a: (N,))
    yield Call("svm_dual", lambda **a: svm_dual(**a)[0], {"K": matrix(K), "y": signs, "C": scalar(1.0),
                                                        "tol": scalar(1e-3), "max_iter": scalar(1000)}, lambda a: (N,))
    yield Call("duality_gap", duality_gap, {"K": matrix(K), "y": signs, "C": scalar(1.0), "a": vector(np.zeros(N)),
                                          "b": scalar(0.0)}, lambda a: ())
    for name in ("independence_test", "conditional_independence_test", "randomized_dependence_coefficient"):
        function, long = getattr(rfbook, name), np.vstack([X, X + 1])
        more = {"n_resamples": scalar(9)} if name == "independence_test" else {"alpha": scalar(0.1)}
        more |= {"Z": matrix(long**3), "n_components_z": scalar(8)} if name.startswith("cond") else {}
        yield Call(name, lambda function=function, **a: float(getattr(found := function(**a), "pvalue", found)), {
            "X": matrix(long), "Y": matrix(long[:, :1] ** 2), "n_components": scalar(4), "length_scale": scalar(1.0),
            "random_state": scalar(0), **more}, lambda a: (), also={"length_scale": "X"})
    yield Call("ridge_bill", ridge_bill, {"n": scalar(10), "n_components": scalar(None)})
    yield Call("make_smooth_regression", lambda **a: datasets.make_smooth_regression(**a)[0],
               {"n": scalar(5), "d": scalar(2), "noise": scalar(0.1), "random_state": scalar(0)})
    yield Call("smooth_regression_function", datasets.smooth_regression_function, {"X": matrix(X)},
               lambda a: (_rows(a["X"]),))
    yield Call("two_sample_test", lambda **a: rfbook.two_sample_test(**a).null_distribution, {
        "X": matrix(X), "Y": matrix(X[:7] + 1.0), "kernel": scalar("gaussian"), "length_scale": scalar(1.0),
        "n_components": scalar(8), "n_resamples": scalar(9), "n_cells": scalar(16), "random_state": scalar(0),
        "features": scalar(None)}, lambda a: (a["n_resamples"],), also={
            "X": "Y", "Y": "X", "kernel": "length_scale features", "length_scale": "kernel features scales",
            "n_components": "features"})
    yield Call("datasets.load", lambda **a: datasets.load(**a).y_train, {"name": scalar("iris"),
               "download": scalar(False)})
    yield Call("kernels.by_name", lambda **a: kernels.by_name(**a)(X), {"kernel": scalar("gaussian"),
                                                                      "length_scale": scalar(1.0)}, lambda a: (N, N))
    yield Call("quasi_frequencies", lambda rng, **a: quasi_frequencies(
        rng=np.random.default_rng(0) if rng is None else rng, **a), {
            "kernel": scalar(kernels.Gaussian()), "n": scalar(5), "d": scalar(D), "rng": scalar(None),
            "sequence": scalar("sobol"), "phases": scalar(False)}, lambda a: (a["n"], a["d"] + a["phases"]))
    for name, arguments in {"mean_radius": {"n": 100, "width": 1.0, "level": 1e-9},
                            "mean_miss": {"gap": 1.0, "radius": 0.5, "n": 100, "width": 1.0},
                            "mean_radius_by_variance": {"n": 100, "variance": 1.0, "bound": 1.0, "level": 1e-9},
                            "mean_miss_by_variance": {"gap": 1.0, "radius": 0.5, "n": 100, "variance": 1.0,
                                                      "bound": 1.0},
                            "binomial_tail": {"count": 3, "n": 10, "p": 0.5}}.items():
        yield Call(f"ledger.{name}", getattr(rfbook.lab.ledger, name), {k: scalar(v) for k, v in arguments.items()},
                   lambda a: (), infinite=True)




@functools.cache
def call_list():
    """All calls; each estimator among them is fitted, which only a process that calls them need do."""
    return [*_kernel_calls(), *_estimator_calls(), *_choice_calls(), *_bound_calls(), *_other_calls()]


# ---- judging ---------------------------------------------------------------------------------------------------------

# sentences of scikit-learn, NumPy and SciPy about X and y that reach the caller as they are
PEERS = re.compile("|".join([
    r"Input (X|y|sample_weight|should)", r"Found (array|input|unknown)", r"Expected \dD (array|input)",
    r"Complex data not",
    r"setting an array element", r"could not convert string", r"Unable to convert array", r"X has \d+ features, but",
    r"y should be a 1d array", r"[Uu]nknown label type", r"[Ss]ample.?weights?\b", r"dtype='numeric' is not compatible",
    r"Input data", r"inhomogeneous shape", r"Expected sequence or array-like", r"inconsistent numbers", r"Sparse data",
    r"Input contains", r"unsupported (Type|format)", r"number of dimensions", r"y cannot be None", r"object dtype",
]))


def _leaves(value):
    """Numbers in a result, as arrays."""
    if sparse.issparse(value):
        return [value.data]
    array = np.asarray(value)
    return [array] if array.dtype.kind in "biuf" else []


OUTCOMES: collections.Counter = collections.Counter()


def judge(call, arguments, replaced):
    """What is wrong with the answer to a call, or None."""
    words = [w for name in replaced for w in (name, *call.also.get(name, "").split())]
    start = time.process_time()  # on a busy machine a wait is no fault of ours
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            result, error = call.function(**arguments), None
        except (ValueError, TypeError) as caught:
            result, error = None, caught
        except BaseException as caught:
            return f"{type(caught).__name__}: {str(caught)[:200]}"
    if (seconds := time.process_time() - start) > 10:
        return f"it took {seconds:.0f} s"
    for warning in said:
        if not issubclass(warning.category, (UserWarning, DataConversionWarning)):
            return f"{warning.category.__name__}: {str(warning.message)[:200]} at {warning.filename}:{warning.lineno}"
    if len(said := {str(warning.message) for warning in said}) > 3:
        return f"{len(said)} warnings, such as {min(said)}"
    OUTCOMES["refused" if error is not None else "answered"] += 1
    if error is not None:
        text = str(error)
        if len(text) > 600 and not PEERS.search(text):
            return f"{len(text)} characters: {text[:100]}"
        if not any(re.search(rf"\b{re.escape(word)}\b", text) for word in words):
            estimator = call.name.startswith(tuple(kind for kind, _ in VARIANTS))
            theirs = PEERS.search(text) if estimator else re.search("be broadcast|mismatch", text)
            return None if theirs else f"names no argument: {type(error).__name__}: {text[:200]}"
        return None
    want = call.shape(arguments) if call.shape else None
    if want is not None and (len(np.shape(result)) != len(want) or any(
            w is not None and w != g for g, w in zip(np.shape(result), want, strict=True))):
        return f"shape {np.shape(result)} instead of {want}"
    for numbers in _leaves(result):
        if np.isnan(numbers).any() and not call.nan:
            return "NaN"
        if np.isinf(numbers).any() and not call.infinite:
            return "infinity"
    return None


def draw(number):
    """The call with this number, its arguments and the names of those that are nasty."""
    calls = call_list()
    call = calls[number % len(calls)]
    rng = np.random.default_rng([2026, number // len(calls), zlib.crc32(call.name.encode())])  # whatever others are
    names = list(call.arguments)
    replaced = rng.choice(names, size=min(len(names), 1 + (rng.random() < 0.2)), replace=False).tolist()
    arguments = {name: value for name, (_, value) in call.arguments.items()}
    for name in replaced:
        kind, good = call.arguments[name]
        kind = kind if rng.random() < 0.9 or name == "sampling" else ["matrix", "vector", "scalar"][rng.integers(3)]
        base = good if isinstance(good, np.ndarray) and good.ndim == (2 if kind == "matrix" else 1) else (
            X if kind == "matrix" else Y)
        arguments[name] = NASTY[kind](rng, base)
    return call, arguments, replaced


def show(value):
    return re.sub(r"\s+", " ", repr(value))[:120]


def findings(numbers):
    for number in numbers:
        call, arguments, replaced = draw(number)
        given = ", ".join(f"{name}={show(arguments[name])}" for name in replaced)
        if wrong := judge(call, arguments, replaced):
            yield f"{number}: {call.name}({given}): {wrong}"


@pytest.fixture(scope="module")
def compiled():
    """Compile before the clock runs."""
    for X_, dtype in itertools.product((X, sparse.csr_matrix(X), np.asfortranarray(X)), (np.float64, np.float32)):
        for kind in MAPS:
            map_ = getattr(rfbook, kind)(random_state=0).fit(X_.astype(dtype))
            map_.transform(X_.astype(dtype)), map_.approximate_kernel(X_.astype(dtype))
        rfbook.RandomFeatureRegressor(rfbook.RandomBinningFeatures(length_scale=1.0), alpha=1.0).fit(X_.astype(dtype),
                                                                                                     Y)


@pytest.mark.parametrize("part", range(PARTS))
def test_hostile_calls(part, compiled):
    OUTCOMES.clear()
    found = list(findings(range(part, CALLS, PARTS)))
    assert not found, "\n".join(found[:40])
    assert min(OUTCOMES["refused"], OUTCOMES["answered"]) > CALLS // PARTS // 10  # or it is no test


if __name__ == "__main__":
    import sys

    start = time.perf_counter()
    chosen = range(*map(int, sys.argv[1:])) if len(sys.argv) > 2 else [int(sys.argv[1])]
    kinds = collections.Counter()
    for line in findings(chosen):
        print(line)
        kinds[line.split("(")[0].split(": ")[1]] += 1
    print(kinds, len(call_list()), time.perf_counter() - start)
