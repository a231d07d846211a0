"""Frequencies that walk: the algorithms against plain NumPy, scikit-learn's rules, checkpoints, bad input."""

import pickle
import tracemalloc
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import rfbook._parallel
from rfbook import MetropolisFourierFeatures, RandomFeatureClassifier, RandomFeatureRegressor, RandomFourierFeatures
from rfbook._validation import streams
from rfbook.adaptive import metropolis, metropolis_walk
from rfbook.adaptive import walks as _walks
from rfbook.records import RecordsError

rng = np.random.default_rng(0)
X = rng.standard_normal((400, 3))
y = np.sin(3 * X[:, 0]) + 0.1 * rng.standard_normal(400)


def walk(**parameters):
    return MetropolisFourierFeatures(**{"n_components": 20, "length_scale": 1.0, "n_steps": 8, "random_state": 0,
                                        **parameters})


# ---- the algorithms ------------------------------------------------------------------------------------------------


def reference(X, Y, *, m, n_steps, exponent, step, lam, seed, refresh=1, W=None, burn_in=None, longest=np.inf,
              resample=False):
    """Algorithms 1 and 2 in float64 NumPy, complex, for the frequencies and their negatives; lam is the paper's."""
    n, d = X.shape
    root = streams(seed, 4)
    W = root[0].standard_normal((m, d)) if W is None else W
    key = root[3].integers(2**32, size=4).tolist()
    Y = (Y - Y.mean(0)) / Y.std(0)

    def solve(W):
        both = np.vstack([W, -W])
        S = np.exp(1j * X @ both.T)
        beta = np.linalg.solve(S.conj().T @ S + lam * n * np.eye(2 * m), S.conj().T @ Y)
        missed = np.mean(np.abs(S @ beta - Y) ** 2) / np.mean(Y**2)
        return 2 * np.sqrt((np.abs(beta[:m]) ** 2).sum(1)), missed

    b, _ = solve(W)
    products, errors, rates = np.zeros((d, d)), [], []
    for t in range(1, n_steps + 1):
        numbers = np.random.default_rng([*key, t])
        normals, uniforms = numbers.standard_normal((m, d)), numbers.random(m)
        if resample:
            edges, u = np.append(0, np.cumsum(b) / b.sum()), (np.arange(m) + numbers.random()) / m
            parents = np.array([np.flatnonzero((edges[:-1] <= v) & (v < edges[1:]))[0] for v in u])
            W, b = W[parents], b[parents] / np.array([(parents == k).sum() for k in parents])
        if burn_in is not None and t > burn_in:
            values, vectors = np.linalg.eigh(products / ((t - 1) * m))
            normals = normals @ np.diag(np.sqrt(values)) @ vectors.T
        proposed = W + step * normals
        new, _ = solve(proposed)
        taken = np.zeros(m, bool)
        for k in range(m):
            if new[k] ** exponent / b[k] ** exponent > uniforms[k] and np.linalg.norm(proposed[k]) < longest:
                W, b, taken[k] = W.copy(), b.copy(), True
                W[k], b[k] = proposed[k], new[k]
        products += W.T @ W
        rates.append(taken.mean())
        if t % refresh == 0:
            b, error = solve(W)
            errors.append(error)
    return W, b, np.array(errors), np.array(rates)


CASES = {
    "algorithm 1": {},
    "paper": {"exponent": 7.0, "step": 2.4**2 / 3},
    "rarely refreshed": {"refresh": 3, "n_steps": 9},
    "algorithm 2": {"covariance": "adaptive", "burn_in": 3},
    "bounded": {"max_frequency": 2.0},
    "resampled": {"resample": True},
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("targets", [1, 2])
def test_the_walk_is_that_of_the_algorithm(case, targets):
    Y = np.column_stack([y, np.cos(X[:, 1])])[:, :targets]
    given = {"exponent": 1.0, "step": 0.5, "resample": False, "n_steps": 8, **CASES[case]}
    ours = walk(**given).fit(X, Y if targets > 1 else y)
    W, b, errors, rates = reference(
        X, Y, m=10, lam=0.1, seed=0, exponent=given["exponent"], step=given["step"], refresh=given.get("refresh", 1),
        n_steps=given["n_steps"], burn_in=given.get("burn_in") if "covariance" in given else None,
        longest=given.get("max_frequency", np.inf), resample=given["resample"])
    assert np.allclose(ours.random_weights_.T, W, atol=1e-9)
    assert np.allclose(ours.amplitudes_, b, atol=1e-9)
    assert np.allclose(ours.trace_["acceptance"][1:], rates)
    found = ours.trace_["error"][1:]
    assert np.allclose(found[np.isfinite(found)], errors, atol=1e-9)
    assert 0 < rates.mean() <= 1 and not np.allclose(W, streams(0, 4)[0].standard_normal((10, 3)))


def test_it_starts_where_fourier_features_are_drawn_and_0_steps_stay_there():
    plain = RandomFourierFeatures(length_scale=1.0, n_components=20, random_state=0).fit(X)
    still = walk(n_steps=0).fit(X, y)
    assert np.array_equal(still.transform(X), plain.transform(X)) and still.n_steps_ == 0
    assert len(still.trace_["error"]) == 1 and still.kernel_.length_scale == 1.0


def test_steps_are_nested():
    few, many = walk(n_steps=4).fit(X, y), walk(n_steps=8).fit(X, y)
    for name, values in few.trace_.items():
        assert np.array_equal(values, many.trace_[name][:5], equal_nan=True)


def test_from_zero_as_in_the_paper():
    ours = walk(kernel=None, step=0.7, exponent=1.0, resample=False, n_steps=6).fit(X, y)
    assert ours.kernel_ is None and ours.trace_["acceptance"][1] == 1.0  # whatever is better than nothing
    assert len({*map(tuple, ours.random_weights_.T)}) == 10


@pytest.mark.parametrize("scale", [2.0**-7, 2.0**9])
@pytest.mark.parametrize("parameters", [{}, {"resample": False}, {"covariance": "adaptive"}, {"exponent": 0.0}],
                         ids=str)
def test_the_walk_scales_with_the_data(scale, parameters):
    parameters = {"length_scale": "median", **parameters}
    one, other = walk(**parameters).fit(X, y), walk(**parameters).fit(X * scale, y * 3)
    assert np.array_equal(one.random_weights_, other.random_weights_ * scale)


def test_it_finds_the_one_frequency_that_matters():
    U = np.random.default_rng(1).uniform(-3, 3, (500, 2))
    target = np.sin(6 * U[:, 0])
    for parameters in ({}, {"covariance": "adaptive"}):
        ours = MetropolisFourierFeatures(n_components=80, n_steps=40, random_state=0, **parameters)
        assert RandomFeatureRegressor(ours, alpha=1e-6).fit(U[:350], target[:350]).score(U[350:], target[350:]) > 0.99
    plain = RandomFourierFeatures(n_components=80, random_state=0)
    assert RandomFeatureRegressor(plain).fit(U[:350], target[:350]).score(U[350:], target[350:]) < 0.8


def test_parents_are_as_many_as_their_shares_say():
    shares = np.random.default_rng(2).exponential(size=50)
    counts = np.zeros(50)
    for u in (np.arange(200) + 0.5) / 200:
        some = np.bincount(metropolis.resampled(shares, u), minlength=50)
        assert some.sum() == 50 and np.abs(some - 50 * shares / shares.sum()).max() < 1
        counts += some / 200
    assert np.abs(counts - 50 * shares / shares.sum()).max() < 0.01
    assert metropolis.resampled(np.zeros(4), 0.5).tolist() == [0, 1, 2, 3]


def test_weights_are_copies():
    w = np.random.default_rng(3).integers(0, 3, 400)
    weighted = walk(alpha=2.0, n_steps=4).fit(X, y, sample_weight=w)
    repeated = walk(alpha=2.0, n_steps=4).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    assert np.allclose(weighted.random_weights_, repeated.random_weights_, atol=1e-8)
    assert np.allclose(weighted.trace_["error"], repeated.trace_["error"], atol=1e-8)
    assert not np.allclose(weighted.random_weights_, walk(alpha=2.0, n_steps=4).fit(X, y).random_weights_)


# ---- rows held out -------------------------------------------------------------------------------------------------


def test_the_best_step_on_rows_held_out_is_kept():
    long = walk(n_steps=30, validation_fraction=0.25, exponent=0.0).fit(X, y)
    errors = long.trace_["error"]
    best = int(np.argmin(errors))
    short = walk(n_steps=best, validation_fraction=0.25, exponent=0.0).fit(X, y)
    assert np.array_equal(long.random_weights_, short.random_weights_) and 0 < best < 30
    stopped = walk(n_steps=30, validation_fraction=0.25, exponent=0.0, patience=2).fit(X, y)
    assert stopped.n_steps_ < 30 and np.array_equal(stopped.trace_["error"], errors[: stopped.n_steps_ + 1])


# ---- scikit-learn --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parameters", [{"resample": False}, {"exponent": 0.0}], ids=str)
def test_scikit_learns_checks_pass_without_exception(parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(MetropolisFourierFeatures(n_components=6, length_scale=1.0, n_steps=2,
                                                            **parameters), on_fail=None)
    assert len(results) > 30
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] not in {"passed", "skipped"}] == []
    assert sum(r["status"] == "skipped" for r in results) <= 2


def test_in_machines_pipelines_and_searches():
    wine, label = load_wine(return_X_y=True)
    classifier = make_pipeline(StandardScaler(), RandomFeatureClassifier(walk(length_scale="median")))
    names = np.array(["barolo", "grignolino", "barbera"])[label]
    assert classifier.fit(wine, names).score(wine, names) > 0.95
    search = GridSearchCV(RandomFeatureRegressor(walk()), {"features__exponent": [0.0, 2.0]}, cv=3).fit(X, y)
    assert search.best_estimator_.predict(X).shape == (400,)
    two = RandomFeatureRegressor(walk()).fit(X, np.c_[y, -y], sample_weight=np.linspace(0.5, 2, 400))
    assert two.predict(X).shape == (400, 2)


def test_clone_pickle_and_names():
    map_ = walk(checkpoint=None)
    fitted = clone(map_).fit(X, y)
    assert np.array_equal(pickle.loads(pickle.dumps(fitted)).transform(X), fitted.transform(X))
    assert np.array_equal(clone(map_).fit_transform(X, y), fitted.transform(X))
    assert list(fitted.get_feature_names_out())[-1] == "metropolisfourierfeatures19"
    assert fitted.approximate_kernel(X[:3]).shape == (3, 3) and np.allclose(np.diag(fitted.approximate_kernel(X)), 1)


def test_labels_of_all_kinds_lead_to_the_same_walk():
    t = np.digitize(X[:, 0], [-0.5, 0.5])
    ints = walk().fit(X, t).random_weights_
    words = np.array(["a", "b", "c"])
    for labels in (words[t], words[t].astype(object), t.astype(np.int8)):
        assert np.array_equal(walk().fit(X, labels).random_weights_, ints)
    assert np.array_equal(walk(target="classes").fit(X, t.astype(float)).random_weights_, ints)
    assert not np.array_equal(walk().fit(X, t.astype(float)).random_weights_, ints)
    assert not np.array_equal(walk(target="numbers").fit(X, t).random_weights_, ints)
    bools = walk().fit(X, t > 0).random_weights_
    assert np.array_equal(walk().fit(X, words[(t > 0).astype(int)]).random_weights_, bools)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix, sparse.csr_array])
def test_float32_and_sparse_rows(make):
    want = walk(n_steps=3).fit(X, y)
    for dtype, tolerance in ((np.float64, 1e-9), (np.float32, 1e-2)):
        found = walk(n_steps=3).fit(make(X.astype(dtype)), y)
        assert found.random_weights_.dtype == found.transform(make(X.astype(dtype))).dtype == dtype
        assert np.allclose(found.random_weights_, want.random_weights_, atol=tolerance)


@pytest.mark.parametrize("covariance", ["scalar", "adaptive"])
def test_bits_do_not_depend_on_the_number_of_threads(covariance, monkeypatch):
    many = np.random.default_rng(4).standard_normal((3000, 3))
    target = np.sin(2 * many[:, 0])
    made = walk(n_components=60, n_steps=4, covariance=covariance, burn_in=1, validation_fraction=0.3)
    want = made.fit(many, target)
    trace, weights = want.trace_, want.random_weights_
    for threads in (1, 2, 5):
        monkeypatch.setattr(rfbook._parallel, "count_threads", lambda n_jobs, default, threads=threads: threads)
        again = clone(made).fit(many, target)
        assert np.array_equal(again.random_weights_, weights)
        assert all(np.array_equal(again.trace_[name], trace[name], equal_nan=True) for name in trace)


def test_features_never_exist_as_a_whole():
    many = np.random.default_rng(5).standard_normal((40_000, 2)).astype(np.float32)
    made = walk(n_components=128, n_steps=1, n_jobs=1)
    made.fit(many[:500], many[:500, 0])
    tracemalloc.start()
    made.fit(many, many[:, 0])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40_000 * 128 * 4 / 1.5


def test_a_bar_if_asked_for(capsys):
    walk(n_steps=3).fit(X, y)
    assert capsys.readouterr().err == ""
    walk(n_steps=3, progress=True).fit(X, y)
    assert "3/3" in capsys.readouterr().err


# ---- checkpoints ---------------------------------------------------------------------------------------------------


def same(one, other):
    return (np.array_equal(one.random_weights_, other.random_weights_) and one.n_steps_ == other.n_steps_
            and all(np.array_equal(one.trace_[name], other.trace_[name], equal_nan=True) for name in one.trace_))


@pytest.mark.parametrize("parameters", [{}, {"covariance": "adaptive", "burn_in": 2}, {"refresh": 3, "resample": False},
                                        {"validation_fraction": 0.2, "patience": 20}], ids=str)
@pytest.mark.parametrize("seed", [0, None])
def test_a_walk_that_was_stopped_goes_on_with_the_same_bits(tmp_path, monkeypatch, parameters, seed):
    path = tmp_path / "walk.npz"
    step, made = metropolis_walk._Walk.step, []

    def stopped(self, state, rng):
        if len(made) == 5:
            raise KeyboardInterrupt
        made.append(1)
        return step(self, state, rng)

    given = {"n_steps": 12, "checkpoint": path, "random_state": seed, **parameters}
    monkeypatch.setattr(metropolis_walk._Walk, "step", stopped)
    with pytest.raises(KeyboardInterrupt):
        walk(**given).fit(X, y)
    monkeypatch.undo()
    left = path.read_bytes()
    resumed = walk(**given).fit(X, y)
    path.write_bytes(left)
    again = walk(**given).fit(X, y)
    assert same(resumed, again) and resumed.n_steps_ == 12 and [p.name for p in tmp_path.iterdir()] == ["walk.npz"]
    if seed is not None:
        assert same(resumed, walk(**{**given, "checkpoint": None}).fit(X, y))
        assert same(walk(**{**given, "n_steps": 15}).fit(X, y),
                    walk(**{**given, "n_steps": 15, "checkpoint": None}).fit(X, y))


def test_the_file_is_written_while_the_walk_goes_on(tmp_path, monkeypatch):
    saved = []
    monkeypatch.setattr(_walks, "_SECONDS", -1.0)
    monkeypatch.setattr(_walks.Checkpoint, "save", lambda self, state: saved.append(int(state["t"])))
    walk(n_steps=3, checkpoint=tmp_path / "walk.npz").fit(X, y)
    assert saved == [1, 2, 3, 3]


def test_a_checkpoint_of_another_walk_is_refused(tmp_path):
    path = str(tmp_path / "walk.npz")
    walk(checkpoint=path).fit(X, y)
    for other, name in (({"exponent": 3.0}, "exponent"), ({"length_scale": 2.0}, "kernel"), ({"alpha": 3.0}, "alpha"),
                        ({"n_components": 22}, "n_components"), ({"random_state": 1}, "random_state"),
                        ({"validation_fraction": 0.5}, "validation_fraction")):
        with pytest.raises(RecordsError, match=f"another {name}"):
            walk(checkpoint=path, **other).fit(X, y)
    for data in ((X + 1, y), (X, y**2), (X[:-1], y[:-1]), (X.astype(np.float32), y)):
        with pytest.raises(RecordsError, match="another rows"):
            walk(checkpoint=path).fit(*data)
    with pytest.raises(RecordsError, match="has made 8 steps and n_steps is 5"):
        walk(checkpoint=path, n_steps=5).fit(X, y)
    assert walk(checkpoint=path).fit(X, y).n_steps_ == 8


def test_a_checkpoint_of_another_rule_or_program_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "walk.npz"
    walk(checkpoint=path).fit(X, y)
    monkeypatch.setattr(metropolis_walk, "_VERSION", metropolis_walk._VERSION + 1)
    with pytest.raises(RecordsError, match="another version"):
        walk(checkpoint=path).fit(X, y)
    np.savez(path, a=np.zeros(3))
    with pytest.raises(RecordsError, match="damaged"):
        walk(checkpoint=path).fit(X, y)
    assert np.load(path)["a"].shape == (3,)


@pytest.mark.parametrize("damage", [lambda b: b"", lambda b: b[: len(b) // 2], lambda b: b"not a file",
                                    lambda b: b[:400] + bytes([b[400] ^ 255]) + b[401:], lambda b: b[:-30]])
def test_a_damaged_checkpoint_is_refused_and_left_alone(tmp_path, damage):
    path = tmp_path / "walk.npz"
    walk(checkpoint=path).fit(X, y)
    broken = damage(path.read_bytes())
    path.write_bytes(broken)
    with pytest.raises(RecordsError, match="damaged"):
        walk(checkpoint=path).fit(X, y)
    assert path.read_bytes() == broken


def test_a_checkpoint_without_a_place(tmp_path):
    with pytest.raises(OSError, match="cannot be used"):
        walk(checkpoint=tmp_path / "no" / "walk.npz").fit(X, y)
    with pytest.raises(OSError, match="cannot be used"):
        walk(checkpoint=tmp_path).fit(X, y)


# ---- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("parameters", "sentence"), [
    ({"exponent": -1.0}, "exponent is -1.0"),
    ({"exponent": "best"}, "exponent is 'best'"),
    ({"step": 0.0}, "step is 0.0; it may be a finite number above 0"),
    ({"step": "best"}, "step is 'best'"),
    ({"kernel": None}, "step is 'optimal' and kernel is None"),
    ({"kernel": "gausian"}, "did you mean 'gaussian'"),
    ({"n_steps": -1}, "n_steps is -1"),
    ({"n_steps": 2.5}, "n_steps is 2.5"),
    ({"covariance": "full"}, "covariance is 'full'"),
    ({"burn_in": -1}, "burn_in is -1"),
    ({"resample": "yes"}, "resample is 'yes'"),
    ({"alpha": -1.0}, "alpha is -1.0"),
    ({"alpha": "loo"}, "alpha is 'loo'"),
    ({"refresh": 0}, "refresh is 0"),
    ({"max_frequency": 0.0}, "max_frequency is 0.0"),
    ({"target": "labels"}, "target is 'labels'"),
    ({"validation_fraction": 1.0}, "validation_fraction is 1"),
    ({"validation_fraction": -0.1}, "validation_fraction is -0.1"),
    ({"validation_fraction": 0.999}, "leaves none to fit"),
    ({"patience": 3}, "patience is given and validation_fraction is 0"),
    ({"n_components": 0}, "n_components is 0"),
    ({"progress": 1}, "progress is 1"),
    ({"n_jobs": 0}, "n_jobs is 0"),
    ({"random_state": "x"}, "random_state is 'x'"),
])
def test_a_wrong_parameter_is_one_sentence(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        walk(**parameters).fit(X, y)


def test_wrong_data():
    for bad, sentence in ((np.full(400, np.nan), "NaN"), (y * np.inf, "NaN|infinity"), (y[:3], "inconsistent"),
                          (None, "requires y")):
        with pytest.raises(ValueError, match=sentence), np.errstate(invalid="ignore"):
            walk().fit(X, bad)
    with pytest.raises(ValueError, match="at least one weight must be positive"):
        walk().fit(X, y, sample_weight=np.zeros(400))
    with pytest.raises(ValueError, match="inconsistent|shape"):
        walk().fit(X, y, sample_weight=np.ones(3))


@pytest.mark.parametrize("constant", [np.full(400, 2.5), np.full(400, 3), np.full(400, "a"), np.full((400, 2), 1e300)])
def test_a_constant_target_is_nothing_to_walk_by(constant):
    with pytest.warns(UserWarning, match="y is constant"):
        still = walk().fit(X, constant)
    assert np.array_equal(still.random_weights_, walk(n_steps=0).fit(X, y).random_weights_)
    assert still.n_steps_ == 0 and not still.amplitudes_.any() and not len(still.trace_["error"])


def test_constant_columns_of_targets_are_left_out():
    alone, beside = walk().fit(X, y), walk().fit(X, np.c_[y, np.ones(400)])
    assert np.array_equal(alone.random_weights_, beside.random_weights_)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("covariance", ["scalar", "adaptive"])
def test_constant_columns_keep_their_coordinate(make, covariance):
    wide = np.column_stack([X[:, 0], np.zeros(400), X[:, 1], np.full(400, 7.0)])
    moved, still = (walk(covariance=covariance, burn_in=1, n_steps=s).fit(make(wide), y) for s in (8, 0))
    assert moved.trace_["acceptance"][1:].any()
    parents = {*map(tuple, still.random_weights_[[1, 3]].T)}
    assert {*map(tuple, moved.random_weights_[[1, 3]].T)} <= parents
    assert moved.exponent_ == rfbook.bounds.optimal_exponent(2)
    with pytest.warns(UserWarning, match="X is constant"):
        walk().fit(np.ones((400, 2)), y)


def test_more_features_than_rows():
    ours = walk(n_components=100, n_steps=5).fit(X[:30], y[:30])
    assert np.isfinite(ours.random_weights_).all() and ours.trace_["error"][-1] < 1
    zero = walk(n_components=100, n_steps=3, alpha=0.0).fit(X[:30], y[:30])
    assert zero.trace_["error"][-1] < 1e-6
    assert walk(n_components=1).fit(X, y).n_components_ == 2


@pytest.mark.parametrize("factor", [1e-300, 1e300])
def test_the_size_of_targets_does_not_matter(factor):
    assert np.allclose(walk().fit(X, y * factor).random_weights_, walk().fit(X, y).random_weights_)


# ---- many features -------------------------------------------------------------------------------------------------


def problem(dtype=np.float64, make=np.asarray, weights=None, targets=1, alpha=0.5):
    draw = np.random.default_rng(8)
    rows = draw.standard_normal((900, 5))
    Y = np.column_stack([np.sin(3 * rows[:, 0]), np.cos(2 * rows[:, 1])])[:, :targets]
    return _walks.Problem(make(rows.astype(dtype)), Y - Y.mean(0), weights, alpha), draw.standard_normal((2, 100, 5))


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("weights", [None, np.linspace(0, 2, 900)])
@pytest.mark.parametrize("targets", [1, 2])
def test_conjugate_gradients_do_not_move_the_test(make, dtype, weights, targets):
    """Coefficients are off by at most the residual over the ridge, probabilities by less than 1e-3 in the mean."""
    one, (W, proposed) = problem(dtype, make, weights, targets)
    exact, _ = problem(weights=weights, targets=targets)
    heights = []
    for places in (W, proposed):
        (want, missed), (found, left) = exact._factored(exact.design(places)), one._iterated(one.design(places))
        assert abs(left - missed) < 1e-4 * one.square
        heights.append([metropolis.amplitudes(want), metropolis.amplitudes(found)])
        if dtype == np.float64:
            moments = _walks.normal_equations(exact.design(places), exact.Y, weights=weights, intercept=False)
            residual = moments.right - moments.gram @ found - exact.alpha * found
            assert np.linalg.norm(residual) <= 1.01e-5 * np.linalg.norm(moments.right)
            assert np.linalg.norm(found - want) <= np.linalg.norm(residual) / exact.alpha
    for exponent in (0.3, 1.0, 2.4, 13.0, 47.0):
        with np.errstate(over="ignore"):
            right, ours = (np.minimum(1, (heights[1][i] / heights[0][i]) ** exponent) for i in (0, 1))
        assert np.abs(right - ours).mean() < 1e-3


def test_which_problems_are_iterated(monkeypatch):
    one, (W, _) = problem()
    assert not one._is_wide(one.design(W))
    monkeypatch.setattr(_walks, "_WIDE", 200)
    assert one._is_wide(one.design(W)) and not one._is_wide(one.design(W[:99]))
    two, three = problem(targets=2)[0], problem()[0]
    three.Y = np.repeat(three.Y, 3, axis=1)
    assert two._is_wide(two.design(W)) and not three._is_wide(three.design(W))
    assert three._is_wide(three.design(np.vstack([W, W[:50]])))  # half as many features again for the third
    assert not problem(alpha=0.0)[0]._is_wide(one.design(W))
    assert not one._is_wide(one.design(np.vstack([W] * 5)))  # more features than rows
    monkeypatch.setattr(_walks, "_HELD", 900 * 200 * 8 - 1)
    assert not one._is_wide(one.design(W))


def test_a_tiny_ridge_is_factored(monkeypatch, recwarn):
    monkeypatch.setattr(_walks, "_WIDE", 400)
    one, (W, _) = problem(np.float32, alpha=1e-9)
    wide = np.vstack([W, 1.01 * W])
    assert one._is_wide(one.design(wide)) and one._iterated(one.design(wide))[0] is None
    assert np.array_equal(one.solve(wide)[0], one._factored(one.design(wide))[0]) and not recwarn.list


def test_a_wide_walk_goes_on_with_the_same_bits_on_any_threads(tmp_path, monkeypatch):
    held = []
    monkeypatch.setattr(_walks, "_WIDE", 400)
    monkeypatch.setattr(_walks, "HeldFeatures", lambda *given, make=_walks.HeldFeatures: held.append(1) or make(*given))
    many = np.random.default_rng(9).standard_normal((1500, 3))
    given = {"n_components": 400, "n_steps": 4}
    want, path = walk(**given).fit(many, np.sin(3 * many[:, 0])), tmp_path / "walk.npz"
    assert len(held) == 10
    for threads, n_steps in ((1, 2), (5, 4)):
        monkeypatch.setattr(rfbook._parallel, "count_threads", lambda n_jobs, default, threads=threads: threads)
        again = walk(**{**given, "n_steps": n_steps}, checkpoint=path).fit(many, np.sin(3 * many[:, 0]))
    assert same(again, want)


def test_rows_that_are_held_out_count_by_their_weights():
    w = np.random.default_rng(4).uniform(0.0, 3.0, 400)
    problem = _walks.Problem(X, y[:, None], w, 0.5, n_jobs=1)
    W = np.random.default_rng(5).standard_normal((6, 3))
    coef = np.random.default_rng(6).standard_normal((12, 1))
    Z = np.hstack([np.cos(X @ W.T), np.sin(X @ W.T)]) / np.sqrt(6)
    assert problem.missed(W, coef) == pytest.approx(w @ (y - Z @ coef[:, 0]) ** 2 / (w @ y**2), rel=1e-9)


def test_children_share_the_amplitude_of_their_parent(monkeypatch):
    said = []
    monkeypatch.setattr(metropolis, "resampled", lambda heights, uniform: np.array([0, 0, 0, 1]))
    monkeypatch.setattr(metropolis, "accepted", lambda now, *rest: said.append(now) or np.zeros(len(now), bool))
    rules = metropolis_walk._Rules(1.0, 0.1, "scalar", 0, True, 10, np.inf, np.ones(3, bool), 3)
    step = metropolis_walk._Walk(_walks.Problem(X, y[:, None], None, 0.5, n_jobs=1), None, rules)
    state = {**step.start(np.eye(4, 3)), "heights": np.array([6.0, 5.0, 4.0, 3.0])}
    step.step(state, np.random.default_rng(0))
    assert said[0].tolist() == [2.0, 2.0, 2.0, 5.0]
