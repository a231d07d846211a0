"""Mistakes, odd inputs and bad surroundings: one sentence, nothing half-written, never a silent wrong answer."""

import fractions
import json
import os
import re
import subprocess
import sys
import warnings
from dataclasses import dataclass

import numba
import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.linear_model import Ridge
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import StandardScaler

import rfbook
from rfbook import (
    RandomFeatureClassifier,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    _parallel,
    _validation,
    cli,
    datasets,
    figures,
    kernels,
    records,
)


@pytest.fixture
def X():
    return np.random.default_rng(0).standard_normal((600, 5))


@pytest.fixture
def y(X):
    return np.sin(X[:, 0])


def machine(alpha=1.0, features=None, **others):
    features = RandomFourierFeatures(length_scale=1.0, n_components=40,
                                     random_state=0) if features is None else features
    return RandomFeatureRegressor(features, alpha=alpha, **others)


def python(code, **environment):
    """Run code in a fresh process; returns what it printed."""
    environment = {**os.environ, **environment}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    return run.stdout


# ---- arguments -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("call", "sentence"), [
    (lambda: _validation.generator(True), "random_state is True; it may be None"),
    (lambda: _parallel.count_threads(np.array([3]), 1), r"n_jobs is array\(\[3\]\)"),
    (lambda: kernels.Gaussian(True)(np.ones((1, 2))), "length_scale is True"),
    (lambda: kernels.Gaussian("2")(np.ones((1, 2))), "length_scale is '2'"),
    (lambda: kernels.Gaussian(np.array(1 + 1j))(np.ones((1, 2))), "length_scale is array"),
    (lambda: kernels.Gaussian()(np.ones((1, 2)) * 1j), "X is a ndarray; it may be a dense array of numbers"),
    (lambda: kernels.Gaussian()([["1", "2"]]), "X is a list; it may be a dense array of numbers"),
    (lambda: datasets.smooth_regression_function(np.ones(3)), r"X has shape \(3,\)"),
    (lambda: datasets.smooth_regression_function(np.ones((3, 0))), r"X has shape \(3, 0\)"),
])
def test_one_sentence_names_the_argument(call, sentence):
    with pytest.raises(ValueError, match="^" + sentence) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("arguments", "sentence"), [
    ({"alpha": np.array(1.0)}, "alpha is array(1.)"), ({"alpha": np.ones((1, 2))}, "alpha is array([[1., 1.]])"),
    ({"features": kernels.Gaussian()}, "features is Gaussian(length_scale=1.0); it may be None or a transformer"),
    ({"features": RandomFourierFeatures}, "features is <class"), ({"features": "gaussian"}, "features is 'gaussian'"),
    ({"features": Ridge()}, "features is Ridge()"), ({"features": []}, "features is []"),
    ({"features": RandomFourierFeatures(kernels.Gaussian)}, "kernel is <class"),
])
def test_wrong_arguments_of_a_machine(X, y, arguments, sentence):
    with pytest.raises(ValueError, match="^" + re.escape(sentence)):
        machine(**arguments).fit(X, y)


def test_a_wrong_ridge_is_found_before_the_work(X, y, monkeypatch):
    monkeypatch.setattr("rfbook.solvers.regression.normal_equations", lambda *a, **k: pytest.fail("worked first"))
    with pytest.raises(ValueError, match="alpha is -1"):
        machine(alpha=-1).fit(X, y)


def test_odd_numbers_that_are_welcome(X, y):
    want = machine(alpha=1 / 2).fit(X, y).feature_coef_
    for alpha in (fractions.Fraction(1, 2), np.float16(0.5), (0.5,), np.array([0.5])):
        np.testing.assert_allclose(machine(alpha=alpha).fit(X, y).feature_coef_, want, rtol=1e-8)


def test_a_generator_without_a_seed_sequence(X):
    def legacy():
        return np.random.Generator(np.random.RandomState(0)._bit_generator)

    a, b = (RandomFourierFeatures("matern32", length_scale=1.0, n_components=4,
                                  random_state=legacy()).fit(X) for _ in range(2))
    assert np.array_equal(a.random_weights_, b.random_weights_)


# ---- features ------------------------------------------------------------------------------------------------------


class Drawing:
    """A kernel whose sampler is what it is told to be."""

    def __init__(self, sample):
        self.sample_frequencies = sample


@pytest.mark.parametrize("sample", [
    lambda n, d, rng: rng.standard_normal((n, d)) + 1j, lambda n, d, rng: np.full((n, d), "1.5"),
    lambda n, d, rng: rng.standard_normal((d, n)), lambda n, d, rng: sparse.csr_matrix((n, d)),
    lambda n, d, rng: None, lambda n, d, rng: "abc",
])
def test_frequencies_that_are_no_real_numbers_are_refused(X, sample):
    with pytest.raises(ValueError, match=r"they must be finite, \(4, 5\), and real"):
        RandomFourierFeatures(Drawing(sample), n_components=8).fit(X)


@pytest.mark.filterwarnings("error")
def test_small_frequencies_give_no_warning_but_of_their_scale(X):
    with pytest.warns(UserWarning, match="alike") as caught:
        Z = RandomFourierFeatures(n_components=8, length_scale=100.0, random_state=0).fit_transform(X)
    assert len(caught) == 1
    assert np.isfinite(Z).all()


def test_out_may_not_overlap(X):
    table = np.random.default_rng(0).standard_normal((1101, 8))
    rff = RandomFourierFeatures(length_scale=1.0, n_components=8, phase="offset", random_state=0).fit(table)
    for source, out in ((table[:-1], table[1:]), (table, table)):
        with pytest.raises(ValueError, match="out shares memory with X"):
            rff.transform(source, out=out)
    both = np.hstack([table, np.empty((1101, 8))])  # beside X in one table is no overlap
    assert np.array_equal(rff.transform(both[:, :8], out=both[:, 8:]), rff.transform(table))


def test_median_of_rows_that_are_mostly_equal():
    data = np.zeros((100, 3))
    data[:10] = 1000 * np.random.default_rng(0).standard_normal((10, 3))
    scale = RandomFourierFeatures(n_components=4, length_scale="median", random_state=0).fit(data).kernel_.length_scale
    assert 100 < scale < 1000
    one = RandomFourierFeatures(n_components=4, length_scale="median").fit(np.ones((9, 2)))
    assert one.kernel_.length_scale == 1.0


# ---- machines ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("alpha", [1.0, "gcv"])
@pytest.mark.parametrize("power", [250, 39, -46, -250])
def test_the_unit_of_y_makes_no_difference(X, y, dtype, alpha, power):
    """A power of two rounds nothing, so the fit is the same to the last bit, beyond the range of float32 too."""
    unit = 2.0 ** round(power * 3.32)
    A = X.astype(dtype)
    one, other = machine(alpha).fit(A, y), machine(alpha).fit(A, y * unit)
    assert one.alpha_ == other.alpha_ and np.array_equal(one.feature_coef_ * unit, other.feature_coef_)
    assert np.array_equal(one.predict(A) * unit, other.predict(A))


@pytest.mark.filterwarnings("ignore:invalid value")
def test_coefficients_that_overflow_are_refused(X, y):
    with pytest.raises(ValueError, match="y holds values near .* scale y"):
        machine(1e-3).fit(X, np.sign(y) * 1e308)


def test_weights_far_from_1(X, y):
    for weight in (1e80, 1e-80, 1e308):
        with pytest.raises(ValueError, match=r"the largest sample_weight is 1e[+-]\d+; it may be from"):
            machine().fit(X, y, np.full(600, weight))
    light, plain = machine("gcv").fit(X, y, np.full(600, 1 / 600)), machine("gcv").fit(X, y)
    np.testing.assert_allclose(light.predict(X), plain.predict(X), rtol=1e-4, atol=1e-6)
    local = np.exp(-30 * np.sum(X**2, axis=1))  # tiny beside the largest: as good as zero, and allowed
    Z = machine().fit(X, y, local).features_.transform(X)
    np.testing.assert_allclose(machine(0.1).fit(X, y, local).predict(X), Ridge(0.1).fit(Z, y, local).predict(Z),
                               rtol=1e-9)


class Made(TransformerMixin, BaseEstimator):
    """A transformer that makes what it is told to."""

    def __init__(self, function=None):
        self.function = function

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return self.function(X)


@pytest.mark.parametrize("alpha", [1.0, "gcv"])
@pytest.mark.parametrize(("function", "sentence"), [
    (lambda X: np.full((len(X), 3), np.nan), "features hold NaN"), (lambda X: X * 1e200, "features hold NaN"),
    (lambda X: X[:1], r"features gave float64 of shape \(1, 5\) for 75 rows"),
    (lambda X: X[:, 0], r"features gave float64 of shape \(1,\)"), (lambda X: X[:, :0], r"of shape \(1, 0\)"),
    (lambda X: X + 1j, "features gave complex128"), (lambda X: None, "features gave object"),
    (lambda X: np.ones((len(X), len(X))), r"they may give real numbers of shape \(75, 1\)"),
])
@pytest.mark.filterwarnings("ignore:invalid value")
def test_what_a_transformer_may_not_give(X, y, function, sentence, alpha):
    with pytest.raises(ValueError, match=sentence):
        machine(alpha, Made(function)).fit(X, y)


def test_what_a_transformer_may_give(X, y):
    want = Ridge(1.0).fit(X, y).predict(X)
    for function in (np.ndarray.tolist, sparse.csr_matrix, lambda X: X[:, ::-1], np.asfortranarray):
        given = machine(1.0, Made(function), bounded=False)
        np.testing.assert_allclose(given.fit(X, y).predict(X), want, rtol=1e-8)


def test_random_state_reaches_the_steps(X, y):
    def draws(state):
        union = FeatureUnion([(name, RandomFourierFeatures(length_scale=1.0, n_components=20)) for name in "ab"])
        fitted = RandomFeatureRegressor(make_pipeline(StandardScaler(), union), alpha=1.0, random_state=state).fit(X, y)
        return [map_.random_weights_ for _, map_ in fitted.features_[-1].transformer_list]

    (a, b), again, other = draws(0), draws(0), draws(1)
    assert np.array_equal(a, again[0]) and np.array_equal(b, again[1])
    assert not np.array_equal(a, b) and not np.array_equal(a, other[0])


def test_targets_of_the_wrong_kind(X, y):
    with pytest.raises(ValueError, match="y is sparse"):
        machine().fit(X, sparse.csr_matrix(y[:, None]))
    with pytest.raises(ValueError, match="y holds one class only, 'a';"):
        RandomFeatureClassifier().fit(X, np.full(600, "a"))


# ---- threads and compilation ---------------------------------------------------------------------------------------


LATE = """if True:
    import atexit, threading, time
    import numpy as np
    from rfbook import RandomFourierFeatures
    X = np.random.default_rng(0).standard_normal((3000, 3))
    rff = RandomFourierFeatures(n_components=16, random_state=0).fit(X)
    want = rff.transform(X)
    def late():
        time.sleep(0.2)
        print(np.array_equal(rff.transform(X), want))
    threading.Thread(target=late).start()
    atexit.register(lambda: print(np.array_equal(rff.transform(X), want)))
"""


def test_work_after_the_end_of_the_main_thread():
    assert python(LATE) == "True\nTrue\n"


def test_without_another_thread(X, monkeypatch):
    want = machine().fit(X, X[:, 0]).feature_coef_

    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(_parallel, "_pool", {})
    monkeypatch.setattr("threading.Thread.start", refuse)
    assert np.array_equal(machine(n_jobs=4).fit(X, X[:, 0]).feature_coef_, want)


def test_nowhere_to_keep_compiled_code(monkeypatch):
    from numba.core import caching

    def refuse(*arguments, **options):
        raise RuntimeError("cannot cache function: no locator available")

    if numba.config.DISABLE_JIT:
        pytest.skip("nothing is compiled")
    monkeypatch.setattr(caching.FunctionCache, "__init__", refuse)
    from rfbook._jit import cosine

    loop = cosine._compiled(lambda T: T.sum())
    assert loop(np.ones((2, 3))) == 6.0


# ---- files and the command line ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Settings:
    n: int = 3


def tasks(*keys, value=1.0):
    return [(key, lambda: {"v": value}) for key in keys]


def test_a_foreign_file_is_left_alone(tmp_path):
    path = tmp_path / "x.jsonl"
    for text in (b"notes without a newline", b'{"mine": 1}', b"\xff\xfe\n", b'{"experiment": "x"}\n', b"[]\n", b"\n"):
        path.write_bytes(text)
        with pytest.raises(records.RecordsError, match="restore the file or remove it"):
            records.run_tasks("x", Settings(), tasks({"i": 0}), path, progress=False)
        assert path.read_bytes() == text


def test_keys_and_values_of_every_kind_are_found_again(tmp_path):
    path, made = tmp_path / "x.jsonl", []
    keys = [{"i": (1, 2)}, {"i": np.int64(7)}, {"i": "a"}]

    def task(key):
        return key, lambda: made.append(key) or {"v": np.float32(0.5), "i": "another"}

    first = records.run_tasks("x", Settings(), [task(k) for k in keys], path, progress=False)
    again = records.run_tasks("x", Settings(), [task(k) for k in keys], path, progress=False)
    assert len(made) == 3 and first == again and [row["i"] for row in again] == [[1, 2], 7, "a"]
    with pytest.raises(TypeError, match="a record may hold"):
        records.run_tasks("x", Settings(), tasks({"i": 9}, value=object()), path, progress=False)
    assert len(records.read_records(path)[1]) == 3


def test_places_that_cannot_be_written(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder" / "first_machine_quick.jsonl").mkdir(parents=True)
    for place in ("file", "folder"):
        monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path / place))
        assert cli.main(["reproduce", "first-machine", "--quick"]) == 2
        said = capsys.readouterr().err
        assert re.match(r"rfbook: the results file .* cannot be opened \(.*RFBOOK_RESULTS.*\n$", said)
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path / "file"))
    monkeypatch.setattr("rfbook.lab.bench.runner.run", lambda *a: pytest.fail("worked first"))
    assert cli.main(["bench"]) == 2


def test_a_home_that_nobody_has(monkeypatch, capsys):
    for name in ("RFBOOK_DATA", "RFBOOK_CACHE"):
        monkeypatch.delenv("RFBOOK_DATA", raising=False)
        monkeypatch.setenv(name, "~nosuchuser/x")
        assert cli.main(["datasets"]) == (2 if name == "RFBOOK_DATA" else 0)
        assert "Traceback" not in capsys.readouterr().err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full disk at hand")
def test_a_full_disk(tmp_path):
    with pytest.raises(OSError, match="No space left"):
        records._append("/dev/full", {"a": 1})
    with open("/dev/full", "w") as full:
        run = subprocess.run([sys.executable, "-m", "rfbook", "datasets"], stdout=full, stderr=subprocess.PIPE,
                             text=True)
    assert run.returncode == 2 and run.stderr.startswith("rfbook: ") and run.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no such pipes")
def test_a_reader_that_leaves():
    run = subprocess.Popen([sys.executable, "-m", "rfbook", "datasets"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    run.stdout.close()
    assert run.stderr.read() == b"" and run.wait() == 141
    run.stderr.close()


def test_seeds_of_the_command_line(capsys):
    for seed in ("-1", "x", "1.5", ""):
        with pytest.raises(SystemExit, match="2"):
            cli.main(["claims", "--seed=" + seed])
        assert "at least 0" in capsys.readouterr().err


def test_a_row_without_its_values(tmp_path, monkeypatch, capsys):
    from rfbook.lab.experiments import first_machine

    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    monkeypatch.setattr(first_machine.EXPERIMENT, "run", lambda settings, path, jobs: [json.loads("{}")])
    assert cli.main(["reproduce", "first-machine", "--quick"]) == 2
    assert "holds a row without" in capsys.readouterr().err


def test_more_curves_than_colours():
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    figures.bound_and_measurement(ax, [1, 2], {}, {str(i): [1, 2] for i in range(10)})
    figures.error_against_time(ax, [{"method": str(i), "error": 1, "seconds": 1} for i in range(10)])


# ---- strings, bytes, large targets, wrong indices ------------------------------------------------------------------

PLAIN = {"n_components": 8, "length_scale": 1.0, "random_state": 0}
CONTAINERS = {"list": list, "array": np.array, "objects": lambda v: np.array(v, dtype=object),
              "frame": lambda v: pytest.importorskip("pandas").DataFrame(v).squeeze(axis=1),
              "texts": lambda v: pytest.importorskip("pandas").DataFrame(v, dtype="string").squeeze(axis=1)}


@pytest.mark.parametrize("held", CONTAINERS)
def test_strings_are_no_numbers_in_whatever_they_come(held):
    """A frame with numbers in strings was read, a list was not; columns, targets and weights are now treated alike."""
    rows, vector = np.random.default_rng(0).standard_normal((12, 2)), np.arange(1.0, 13)
    words, word = CONTAINERS[held](rows.astype(str).tolist()), CONTAINERS[held](vector.astype(str).tolist())
    for given in ((words, vector), (rows, word), (rows, vector, word)):
        with pytest.raises(ValueError, match="X holds strings|y holds strings|dense array of numbers"):
            rfbook.RandomFeatureRegressor(**PLAIN).fit(*given)
    machine = rfbook.RandomFeatureRegressor(**PLAIN).fit(rows.astype(object), vector)
    with pytest.raises(ValueError, match="X holds strings; it may hold numbers"):
        machine.predict(words)
    if held in ("frame", "texts"):
        import pandas

        mixed = pandas.DataFrame({"a": rows[:, 0], "b": rows[:, 1].astype(str)})
        with pytest.raises(ValueError, match="X holds strings"):
            rfbook.RandomFourierFeatures(**PLAIN).fit(mixed)
        counts = pandas.DataFrame({"a": pandas.array([1, 2] * 6, dtype="Int64"), "b": rows[:, 0]})
        assert rfbook.RandomFourierFeatures(**PLAIN).fit_transform(counts).shape == (12, 8)


def test_labels_that_are_bytes_are_told_from_labels_of_several_kinds():
    rows = np.random.default_rng(0).standard_normal((12, 2))
    for y in (np.array([b"a", b"b"] * 6), [b"a", b"b"] * 6, np.array([b"a", b"b"] * 6, dtype=object)):
        with pytest.raises(ValueError, match="y holds labels that are bytes; it may hold strings: decode them"):
            rfbook.RandomFeatureClassifier(**PLAIN).fit(rows, y)
    with pytest.raises(ValueError, match="labels of several kinds"):
        rfbook.RandomFeatureClassifier(**PLAIN).fit(rows, np.array(["a", 1] * 6, dtype=object))


def test_the_exact_machine_takes_targets_of_any_size_without_a_warning():
    rows = np.random.default_rng(0).standard_normal((30, 2))
    want = rfbook.KernelRidgeRegressor(random_state=0).fit(rows, rows[:, 0]).predict(rows)
    for size in (2.0**-900, 2.0**600, 2.0**996):  # powers of two round nothing
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            got = rfbook.KernelRidgeRegressor(random_state=0).fit(rows, size * rows[:, 0]).predict(rows)
        assert np.array_equal(got, size * want)


def _broken(layout, what):
    """A sparse matrix that SciPy accepts, with one wrong place."""
    X = sparse.random_array((20, 6), density=0.4, format=layout, random_state=np.random.default_rng(0))
    X = X if layout != "bsr" else sparse.bsr_array(X.toarray(), blocksize=(2, 3))
    if layout == "coo":
        X = sparse.coo_matrix(X)
        {"high": X.col, "low": X.row, "ends": X.row}[what][1] = {"high": 10**8, "low": -1, "ends": 20}[what]
    elif what == "ends":
        X.indptr[2] = X.indptr[3] + 10**8
    else:
        X.indices[1] = 10**8 if what == "high" else -(10**8)
    return X


@pytest.mark.parametrize("what", ["high", "low", "ends"])
@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr"])
def test_indices_outside_of_a_sparse_matrix_are_refused_before_a_loop_sees_them(layout, what):
    good = sparse.csr_array(np.eye(20, 6))
    binning = rfbook.RandomBinningFeatures(n_grids=3, length_scale=1.0, random_state=0)
    waves, fitted = rfbook.RandomFourierFeatures(**PLAIN), clone(binning).fit(good)
    machine = rfbook.RandomFeatureRegressor(**PLAIN).fit(good, np.arange(20.0))
    for use in (binning.fit, waves.fit_transform, fitted.transform, machine.predict, rfbook.Gaussian()):
        with pytest.raises(ValueError, match=r"X is a sparse matrix whose indices do not fit its shape, \(20, 6\)"):
            use(_broken(layout, what))
