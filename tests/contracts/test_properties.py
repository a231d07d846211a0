"""Properties of every public class, over shapes, dtypes, strides, sparse formats and seeds.

Examples are derived, not random: the same ones in every run.  ``RFBOOK_EXAMPLES=500`` tries more of them.
"""

import os
import pickle
import tempfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone

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
    bounds,
    datasets,
    kernels,
    records,
)

EXAMPLES = int(os.environ.get("RFBOOK_EXAMPLES", 40))
many = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None,
                suppress_health_check=list(HealthCheck))

seeds = st.integers(0, 2**31)
dtypes = st.sampled_from([np.float64, np.float32])
scales = st.floats(1e-3, 1e3)


@st.composite
def points(draw, least=2, most=40):
    """Rows: normal, with repeats, zeros and scales apart."""
    rng = np.random.default_rng(draw(seeds))
    n, d = draw(st.integers(least, most)), draw(st.integers(1, 5))
    X = rng.standard_normal((n, d)) * 10.0 ** rng.integers(-2, 2, d)
    if draw(st.booleans()):
        X[rng.random((n, d)) < 0.5] = 0.0
    if draw(st.booleans()):
        X[n // 2 :] = X[: n - n // 2]
    return X.astype(draw(dtypes))


@st.composite
def all_kernels(draw):
    """A kernel of every class, with parameters of every size that makes sense."""
    ell = draw(scales)
    kind = draw(st.sampled_from(["Gaussian", "Laplacian", "Cauchy", "Exponential", "Matern", "StretchedExponential",
                                 "InversePower"]))
    power = {"Matern": {"nu": draw(st.floats(0.1, 80))}, "StretchedExponential": {"power": draw(st.floats(0.2, 2))},
             "InversePower": {"power": draw(st.floats(0.2, 5))}}.get(kind, {})
    return getattr(kernels, kind)(length_scale=ell, **power)


@st.composite
def maps(draw):
    """An unfitted map."""
    seed, ell = draw(seeds), draw(st.sampled_from([None, 0.3, 5.0]))
    if draw(st.booleans()):
        name = draw(st.sampled_from(sorted(kernels.NAMES)))
        samplings = ["iid", "structured", "fastfood"] if kernels.by_name(name).radial else ["iid"]
        return RandomFourierFeatures(name, n_components=draw(st.integers(1, 33)), length_scale=ell,
                                     sampling=draw(st.sampled_from(samplings)),
                                     phase=draw(st.sampled_from(["paired", "offset"])), random_state=seed)
    return RandomBinningFeatures(n_grids=draw(st.integers(1, 9)), length_scale=ell, random_state=seed)


def dense(Z):
    return Z.toarray() if sparse.issparse(Z) else Z


def same_bits(A, B):
    A, B = dense(A), dense(B)
    return A.dtype == B.dtype and np.array_equal(A, B)


# ---- kernels ---------------------------------------------------------------------------------------------------------


@many
@given(all_kernels(), points())
def test_kernel_matrices(kernel, X):
    K = kernel(X)
    n = len(X)
    assert K.dtype == float and K.shape == (n, n) and np.isfinite(K).all()
    assert np.array_equal(K, K.T) and (K.diagonal() == 1).all() and (K >= 0).all() and (K <= 1).all()
    assert np.linalg.eigvalsh(K)[0] >= -1e-9 * n
    order = np.random.default_rng(n).permutation(n)
    assert np.array_equal(kernel(X[order]), K[np.ix_(order, order)])
    assert np.array_equal(kernel(X, X[:1]), K[:, :1])
    for other in (np.asfortranarray(X), X.tolist(), np.repeat(X, 2, 0)[::2]):
        assert np.array_equal(kernel(other), K)
    Y = X.astype(float)
    whole = np.round(Y * 64) / 64  # such numbers move by 8 without rounding
    assert np.array_equal(kernel(whole + 8), kernel(whole))


@many
@given(all_kernels(), seeds, st.integers(1, 6))
def test_kernel_draws(kernel, seed, d):
    few, lots = (kernel.sample_frequencies(n, d, np.random.default_rng(seed)) for n in (3, 17))
    assert few.shape == (3, d) and np.isfinite(lots).all() and np.array_equal(few, lots[:3])
    wide = type(kernel)(**{**kernel.get_params(), "length_scale": 2 * kernel.length_scale})
    np.testing.assert_array_equal(wide.sample_frequencies(3, d, np.random.default_rng(seed)) * 2, few)
    for twin in (clone(kernel), pickle.loads(pickle.dumps(kernel)), type(kernel)(**kernel.get_params())):
        assert repr(twin) == repr(kernel)
        assert np.array_equal(twin.sample_frequencies(3, d, np.random.default_rng(seed)), few)
    assert kernel.second_moment(d) > 0


# ---- maps ------------------------------------------------------------------------------------------------------------


@many
@given(maps(), points())
def test_maps_keep_the_dtype_and_do_not_care_for_the_layout(map_, X):
    Z = clone(map_).fit_transform(X)
    map_.fit(X)
    assert Z.shape == (len(X), map_.n_components_) and Z.dtype == X.dtype and same_bits(map_.transform(X), Z)
    assert np.isfinite(dense(Z)).all() and (np.asarray(dense(Z) ** 2).sum(1) <= 2 + 1e-5).all()
    apart = np.repeat(np.repeat(X, 2, 0), 3, 1)[::2, ::3]
    backwards = np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1]
    locked = X.copy()
    locked.flags.writeable = False
    unaligned = np.frombuffer(b"x" + X.tobytes(), np.uint8)[1:].view(X.dtype).reshape(X.shape)
    for other in (np.asfortranarray(X), apart, backwards, locked, unaligned, X.astype(X.dtype.newbyteorder())):
        assert same_bits(clone(map_).fit(other).transform(other), Z)
    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file.name, X)
        assert same_bits(map_.transform(np.load(file.name, mmap_mode="r")), Z)


@many
@given(maps(), points())
def test_rows_are_independent(map_, X):
    Z = dense(map_.fit(X).transform(X))
    half, order = len(X) // 2, np.random.default_rng(len(X)).permutation(len(X))
    tolerance = 0 if isinstance(map_, RandomBinningFeatures) else 1e-4 if X.dtype == np.float32 else 1e-11
    for rows in (slice(0, max(1, half)), slice(half, None), slice(1, 2), order, np.r_[0, 0]):
        assert np.abs(dense(map_.transform(X[rows])) - Z[rows]).max() <= tolerance
    out = np.full(Z.shape, np.nan, Z.dtype)
    assert map_.transform(X, out=out) is out and same_bits(out, Z)


@many
@given(maps(), points())
def test_sparse_input_of_every_format(map_, X):
    S = sparse.csr_array(X)
    Z, tolerance = dense(map_.fit(X).transform(X)), 1e-4 if X.dtype == np.float32 else 1e-11
    if isinstance(map_, RandomBinningFeatures):
        tolerance = 0
    twice = sparse.csr_array((np.repeat(S.data / 2, 2), np.repeat(S.indices, 2), 2 * S.indptr), S.shape)
    zeros = sparse.csr_array((X.ravel(), np.tile(np.arange(X.shape[1]), len(X)), np.arange(len(X) + 1) * X.shape[1]),
                             X.shape)
    long = sparse.csr_array(X)
    long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
    formats = [S.asformat(f) for f in ("csc", "coo", "lil", "dok", "bsr")]
    for other in (S, sparse.csr_matrix(X), twice, zeros, long, *formats):
        got = map_.transform(other)
        assert got.dtype == X.dtype and np.abs(dense(got) - Z).max() <= tolerance
        fitted = clone(map_).fit(other)
        if tolerance:  # the draws do not look at the data
            assert np.array_equal(fitted.random_weights_, map_.random_weights_)
        else:  # boxes are numbered in order of first appearance, sparse or not
            assert same_bits(fitted.transform(other), Z)


@many
@given(maps(), points())
def test_estimates_are_kernel_matrices(map_, X):
    K = map_.fit(X).approximate_kernel(X)
    eps = 1e-4 if X.dtype == np.float32 else 1e-10
    assert K.shape == (len(X), len(X)) and K.dtype == X.dtype
    assert np.abs(K - K.T).max() <= eps and np.linalg.eigvalsh(K.astype(float))[0] >= -eps * len(X)
    offset = getattr(map_, "phase", "paired") == "offset"
    assert (np.abs(K) <= (2 if offset else 1) + eps).all() and (offset or np.abs(K.diagonal() - 1).max() <= eps)
    assert np.abs(map_.approximate_kernel(X, X[:1]) - K[:, :1]).max() <= eps
    if isinstance(map_, RandomFourierFeatures) and not offset:  # k(x, y) depends on x - y alone, for every draw
        reach = np.abs(map_.random_weights_).max() * (np.abs(X).max() + 1)
        moved = map_.approximate_kernel(X + X.dtype.type(1))
        assert np.abs(moved - K).max() <= 16 * np.finfo(X.dtype).eps * (1 + reach)


@many
@given(maps(), points())
def test_parameters_copies_and_names(map_, X):
    Z = map_.fit(X).transform(X)
    assert type(map_)(**map_.get_params()).get_params() == map_.get_params()
    for twin in (clone(map_).fit(X), pickle.loads(pickle.dumps(map_)), pickle.loads(pickle.dumps(clone(map_))).fit(X)):
        assert same_bits(twin.transform(X), Z)
    names = map_.get_feature_names_out()
    assert len(names) == len(set(names)) == map_.n_components_
    if isinstance(map_, RandomFourierFeatures):
        wide = clone(map_).set_params(n_components=map_.n_components + 10).fit(X)
        m = map_.random_weights_.shape[1]
        assert np.array_equal(wide.random_weights_[:, :m], map_.random_weights_)


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("make", [lambda: RandomFourierFeatures(length_scale=1.0, n_components=4, random_state=0),
                                  lambda: GaussianProductFeatures(n_components=4, random_state=0),
                                  lambda: RandomMaclaurinFeatures(n_components=4, random_state=0),
                                  lambda: RandomBinningFeatures(length_scale=1.0, n_grids=3, random_state=0)])
def test_frames(library, make):
    pytest.importorskip(library)
    X = np.random.default_rng(0).standard_normal((6, 2))
    if isinstance(make(), RandomBinningFeatures):
        with pytest.raises(ValueError, match="sparse"):
            make().set_output(transform=library).fit_transform(X)
        return
    frame = make().set_output(transform=library).fit_transform(X)
    assert list(frame.columns) == [f"{type(make()).__name__.lower()}{i}" for i in range(4)]
    assert np.array_equal(np.asarray(frame), make().fit_transform(X))


# ---- a fit that fails ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [
    lambda **a: RandomFourierFeatures(n_components=4, **a), lambda **a: RandomBinningFeatures(n_grids=3, **a),
    lambda **a: ArcCosineFeatures(n_components=4, **a), CoordinateFeatures,
    lambda **a: PositiveFeatures(n_components=4, **a), lambda **a: NystroemFeatures(n_components=4, **a),
    lambda **a: GaussianProductFeatures(n_components=4, **a), lambda **a: RandomMaclaurinFeatures(n_components=4, **a),
    lambda **a: RandomFeatureRegressor(RandomFourierFeatures(length_scale=1.0, n_components=4), **a),
    lambda **a: RandomFeatureClassifier(RandomBinningFeatures(length_scale=1.0, n_grids=3), **a)])
def test_a_fit_that_fails_leaves_nothing_behind(make):
    from sklearn.exceptions import NotFittedError

    X, y = np.random.default_rng(0).standard_normal((20, 3)), np.arange(20) % 2
    for wrong in (np.full((20, 3), np.nan), np.zeros((0, 3)), np.ones(3)):
        estimator = make(random_state=0).fit(X, y)
        with pytest.raises(ValueError):
            estimator.fit(wrong, y)
        use = getattr(estimator, "transform", None) or estimator.predict
        with pytest.raises(NotFittedError):
            use(X)
        estimator.fit(X[:, :2], y)
        assert use(X[:, :2]).shape[0] == 20


@pytest.mark.parametrize("method", ["fit", "fit_transform"])
def test_the_warning_of_narrow_boxes_points_to_the_caller(method):
    X = np.array([[0.0], [1e17]])
    with pytest.warns(UserWarning, match="narrower than the rounding") as said:
        getattr(RandomBinningFeatures(length_scale=1.0, n_grids=4, random_state=0), method)(X)
    assert [warning.filename for warning in said] == [__file__]


# ---- machines --------------------------------------------------------------------------------------------------------


@many
@given(maps(), points(least=6), st.floats(1e-2, 1e2))
def test_weights_are_repetitions_and_rows_have_no_order(map_, X, alpha):
    X = X.astype(float)
    rng = np.random.default_rng(len(X))
    y, w = rng.standard_normal(len(X)), rng.integers(1, 4, len(X))
    machine = RandomFeatureRegressor(map_.set_params(length_scale=2.0), alpha=alpha, random_state=0)
    want = clone(machine).fit(X, y, w).predict(X)
    assert want.dtype == float and want.shape == y.shape
    order = rng.permutation(len(X))
    for A, b, c in ((np.repeat(X, w, 0), np.repeat(y, w), None), (X[order], y[order], w[order])):
        np.testing.assert_allclose(clone(machine).fit(A, b, c).predict(X), want, rtol=1e-6, atol=1e-7)


@many
@given(maps(), points(least=6), st.floats(1e-2, 1e2), st.floats(-100, 100), st.integers(-20, 20))
def test_predictions_move_with_the_targets(map_, X, alpha, shift, power):
    X = X.astype(float)
    y = np.sin(np.arange(len(X)))
    machine = RandomFeatureRegressor(map_, alpha=alpha, random_state=0)
    want = clone(machine).fit(X, y).predict(X)
    np.testing.assert_allclose(clone(machine).fit(X, y + shift).predict(X), want + shift, atol=1e-7)
    assert np.array_equal(clone(machine).fit(X, y * 2.0**power).predict(X), want * 2.0**power)
    both = clone(machine).fit(X, np.column_stack([y, -y])).predict(X)
    np.testing.assert_allclose(both, np.column_stack([want, -want]), atol=1e-8)


@many
@given(points(least=6), st.floats(1e-2, 1e2), seeds)
def test_primal_is_dual(X, alpha, seed):
    """The machine on features is kernel ridge regression with their kernel, whichever of n and D is smaller."""
    from rfbook.learning.kernel_machines import kernel_ridge

    X, y = X.astype(float), np.cos(np.arange(len(X)))
    for width in (4, 100):
        machine = RandomFeatureRegressor(RandomFourierFeatures(length_scale=1.0, n_components=width,
                                                               random_state=seed), alpha=alpha)
        K = machine.fit(X, y).features_.approximate_kernel(X)
        c, b = kernel_ridge(K, y, alpha, intercept=True)
        np.testing.assert_allclose(machine.predict(X), K @ c + b, atol=1e-8)


@many
@given(maps(), points(least=8), seeds)
def test_the_names_of_classes_do_not_matter(map_, X, seed):
    X, y = X.astype(float), np.arange(len(X)) % 3
    names = np.array(["zebra", "ape", "mole"])
    machine = RandomFeatureClassifier(map_, alpha=0.5, random_state=0)
    number, name = clone(machine).fit(X, y), clone(machine).fit(X, names[y])
    scores = number.decision_function(X)
    rank = np.argsort(names)
    np.testing.assert_allclose(name.decision_function(X), scores[:, rank], atol=1e-9)
    sure = np.diff(np.sort(scores, 1)[:, -2:], axis=1)[:, 0] > 1e-8
    assert np.array_equal(name.predict(X)[sure], names[number.predict(X)][sure])
    twin = pickle.loads(pickle.dumps(number))
    assert np.array_equal(twin.decision_function(X), scores)


def test_features_far_from_zero_keep_their_digits():
    """Weights of 1e9 apart, features a million spreads from zero: as good as centred ones."""
    from sklearn.preprocessing import FunctionTransformer

    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 4))
    y, w = X @ [1.0, -2.0, 3.0, 0.5], 10.0 ** rng.uniform(-5, 4, 300)
    machine = RandomFeatureRegressor(FunctionTransformer(), alpha=1.0)
    want = clone(machine).fit(X, y, w).feature_coef_
    np.testing.assert_allclose(machine.fit(X + 1e6, y, w).feature_coef_, want, rtol=1e-7)


# ---- bounds ----------------------------------------------------------------------------------------------------------

levels, errors, phases = st.floats(1e-12, 0.5), st.floats(1e-3, 1.0), st.sampled_from(["paired", "offset"])


def families(phase, k):
    """Probability, radius and components of each theorem, as functions of what they share."""
    where = {"dimension": 3, "diameter": 2.0, "sigma": 1.5}
    rough = {"dimension": 2, "diameter": 2.0, "kernel": kernels.Matern(0.4)}
    cube = {"dimension": 2, "side": 1.5, "lipschitz": 1.0}
    steep = {"dimension": 2, "side": 1.5, "kernel": kernels.InversePower(0.5)}
    pair = (k, max(2 * k * k - 1, 0.0))
    return [
        (lambda e, n: bounds.hoeffding_probability(e, n, phase), lambda n, q: bounds.hoeffding_radius(n, q, phase),
         lambda e, q: bounds.hoeffding_components(e, q, phase)),
        (lambda e, n: bounds.bernstein_probability(e, n, phase, *pair),
         lambda n, q: bounds.bernstein_radius(n, q, phase, *pair),
         lambda e, q: bounds.bernstein_components(e, q, phase, *pair)),
        (lambda e, n: bounds.uniform_probability(e, n, phase, **where),
         lambda n, q: bounds.uniform_radius(n, q, phase, **where),
         lambda e, q: bounds.uniform_components(e, q, phase, **where)),
        (lambda e, n: bounds.uniform_probability(e, n, phase, **rough),
         lambda n, q: bounds.uniform_radius(n, q, phase, **rough),
         lambda e, q: bounds.uniform_components(e, q, phase, **rough)),
        (bounds.binning_probability, bounds.binning_radius, bounds.binning_grids),
        (lambda e, n: bounds.binning_uniform_probability(e, n, **cube),
         lambda n, q: bounds.binning_uniform_radius(n, q, **cube),
         lambda e, q: bounds.binning_uniform_grids(e, q, **cube)),
        (lambda e, n: bounds.binning_uniform_probability(e, n, **steep),
         lambda n, q: bounds.binning_uniform_radius(n, q, **steep),
         lambda e, q: bounds.binning_uniform_grids(e, q, **steep)),
    ]


@many
@given(phases, st.floats(0, 1), errors, levels, st.floats(1.01, 10))
def test_bounds_are_monotone_and_inverse(phase, k, eps, delta, more):
    for probability, radius, components in families(phase, k):
        n = components(eps, delta)
        assert isinstance(n, int) and probability(eps, n) <= delta
        step = 2 if n % 2 == 0 and phase == "paired" else 1
        if n > step and components not in (bounds.binning_grids,):
            assert probability(eps, n - 2) > delta if n > 2 else True
        assert radius(n, delta) <= eps * (1 + 1e-9)
        assert components(eps * more, delta) <= n <= components(eps, delta / more)
        assert radius(n, delta / more) >= radius(n, delta) >= radius(int(n * more) + 2, delta)
        assert probability(eps * more, n) <= probability(eps, n) and probability(eps, 2 * n) <= probability(eps, n)


# ---- made data, records ----------------------------------------------------------------------------------------------


@many
@given(st.integers(1, 50), st.integers(1, 6), st.floats(0, 10), seeds)
def test_made_problems(n, d, noise, seed):
    X, y = datasets.make_smooth_regression(n, d, noise=noise, random_state=seed)
    again = datasets.make_smooth_regression(n, d, noise=0.0, random_state=seed)
    assert X.shape == (n, d) and y.shape == (n,) and (np.abs(X) <= 1).all() and np.array_equal(X, again[0])
    assert np.array_equal(again[1], datasets.smooth_regression_function(X))


plain = st.one_of(st.integers(-10**6, 10**6), st.floats(allow_nan=False, allow_infinity=False), st.text(), st.none())


@many
@given(st.dictionaries(st.text(min_size=1), plain, min_size=1, max_size=4), plain)
def test_rows_come_back_as_they_were(key, value):
    from dataclasses import make_dataclass

    chosen = make_dataclass("Chosen", [("n", int, 3)], frozen=True)()
    with tempfile.TemporaryDirectory() as folder:
        made = []
        task = [(key, lambda: made.append(1) or {"value": value})]
        first = records.run_tasks("x", chosen, task, folder + "/x.jsonl", progress=False)
        again = records.run_tasks("x", chosen, task, folder + "/x.jsonl", progress=False)
        assert first == again == records.read_records(folder + "/x.jsonl")[1] and len(made) == 1
