"""Rows of a dask collection go in and dask arrays come out: the same numbers, made when and where somebody asks."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import rfbook
from rfbook import RandomBinningFeatures, RandomFeatureClassifier, RandomFeatureRegressor, RandomFourierFeatures
from rfbook._rows import in_dask
from rfbook.lab.baselines import CoreVectorMachine, EigenProRegressor, FourierNetwork

dask = pytest.importorskip("dask", reason="dask is not installed: pip install rfbook[dask]")
da = pytest.importorskip("dask.array", reason="dask.array is not installed: pip install rfbook[dask]")
distributed = pytest.importorskip("distributed", reason="distributed is not installed: pip install rfbook[dask]")

rng = np.random.default_rng(0)
X = rng.standard_normal((120, 3))
y = np.sin(X[:, 0]) + 0.1 * rng.standard_normal(120)
Y = np.c_[y, X[:, 1] * X[:, 2]]
LABELS = np.array(["low", "middle", "top"])[np.digitize(y, [-0.4, 0.4])]
SMALL = {"n_components": 20, "random_state": 0}
REGRESSOR = RandomFeatureRegressor(length_scale=2.0, alpha=0.1, n_jobs=1, **SMALL)
SCORES = ("predict", "decision_function")
CASES = [
    (RandomFourierFeatures(**SMALL), None, ["transform"]),
    (rfbook.ArcCosineFeatures(**SMALL), None, ["transform"]),
    (rfbook.PositiveFeatures(**SMALL), None, ["transform"]),
    (rfbook.NystroemFeatures(**SMALL), None, ["transform"]),
    (RandomBinningFeatures(n_grids=10, random_state=0), None, ["transform"]),
    (RandomBinningFeatures(n_grids=10, sparse_output=False, random_state=0), None, ["transform"]),
    (rfbook.EERF(**SMALL), y, ["transform"]),
    (REGRESSOR, y, ["predict"]),
    (REGRESSOR, Y, ["predict"]),
    (RandomFeatureRegressor(RandomBinningFeatures(n_grids=10), alpha=0.1, random_state=0), y, ["predict"]),
    (RandomFeatureClassifier(alpha=0.1, **SMALL), LABELS, SCORES),
    (RandomFeatureClassifier(alpha=0.1, **SMALL), (Y > 0).astype(int), SCORES),
    (RandomFeatureClassifier(alpha=0.1, **SMALL), LABELS == "top", SCORES),
    (RandomFeatureClassifier(loss="logistic", alpha=0.1, **SMALL), LABELS, ["predict_proba", "predict_log_proba"]),
    (rfbook.RandomFeatureGP(n_components=20, random_state=0), y, ["predict", "predict_interval"]),
    (rfbook.JackknifePlus(REGRESSOR, random_state=0), y, ["predict", "predict_interval"]),
    (rfbook.KernelRidgeRegressor(length_scale=2.0), Y, ["predict"]),
    (rfbook.RFFNetRegressor(n_epochs=2, **SMALL), Y, ["predict"]),
    (rfbook.RFFNetClassifier(n_epochs=2, **SMALL), LABELS, [*SCORES, "predict_proba", "predict_log_proba"]),
    (rfbook.RecursiveFeatureMachineRegressor(n_steps=1, **SMALL), y, ["predict"]),
    (rfbook.RecursiveFeatureMachineClassifier(n_steps=1, **SMALL), LABELS, SCORES),
    (rfbook.HARFERegressor(**SMALL), y, ["predict"]),
    (EigenProRegressor(n_epochs=2, random_state=0), y, ["predict"]),
    (FourierNetwork(n_components=10, random_state=0), y, ["predict"]),
    (CoreVectorMachine(random_state=0), LABELS == "top", SCORES),
]
BLOCKS = [slice(0, 50), slice(50, 51), slice(51, 120)]


def dense(answer):
    return answer.toarray() if sparse.issparse(answer) else np.asarray(answer)


def same(got, want, rounded=1e-9):
    """Labels alike, numbers up to what other blocks of a product round differently."""
    assert dense(got).dtype == dense(want).dtype
    if dense(want).dtype.kind == "f":
        np.testing.assert_allclose(dense(got), dense(want), rtol=rounded, atol=rounded)
    else:
        assert np.array_equal(dense(got), dense(want))


@pytest.mark.parametrize(("estimator", "targets", "verbs"), CASES, ids=lambda case: type(case).__name__)
def test_each_estimator_answers_for_a_dask_array(estimator, targets, verbs):
    fitted = clone(estimator).fit(X) if targets is None else clone(estimator).fit(X, targets)
    rows = da.from_array(X, chunks=((50, 1, 69), (2, 1)))  # cut between columns too
    for verb in verbs:
        want, got = getattr(fitted, verb)(X), getattr(fitted, verb)(rows)
        pairs = list(zip(got, want, strict=True)) if isinstance(want, tuple) else [(got, want)]
        for late, now in pairs:
            assert isinstance(late, da.Array) and late.shape == now.shape and late.chunks[0] == (50, 1, 69)
            assert late.dtype == now.dtype
            computed = late.compute(scheduler="sync")
            assert sparse.issparse(computed) == sparse.issparse(now)
            same(computed, now)


def test_nothing_is_computed_before_somebody_asks_and_then_only_what_is_asked():
    machine, made = clone(REGRESSOR).fit(X, y), []

    def block(number):
        made.append(number)
        return X[BLOCKS[number]]

    whole = machine.predict([dask.delayed(block)(number) for number in range(3)])
    assert isinstance(whole, da.Array) and whole.dtype == float and np.isnan(whole.shape[0]) and not made
    same(whole.blocks[1].compute(scheduler="sync"), machine.predict(X[50:51]))
    assert made == [1]
    same(whole.compute(scheduler="sync"), machine.predict(X))


@pytest.mark.parametrize("kind", [np.float32, sparse.csr_array, "pandas", "polars"])
def test_delayed_blocks_of_any_kind(kind):
    if isinstance(kind, str):
        frames = pytest.importorskip(kind, reason=f"{kind} is not installed")
        kind = lambda rows: frames.DataFrame(dict(zip("abc", rows.T, strict=True)))  # noqa: E731
    machine = clone(REGRESSOR).fit(kind(X), y)
    blocks = [dask.delayed(kind(X[rows])) for rows in BLOCKS]
    rounded, want = 1e-4 if kind is np.float32 else 1e-9, machine.predict(kind(X))
    same(machine.predict(blocks).compute(scheduler="sync"), want, rounded)
    same(machine.predict(blocks[0]).compute(scheduler="sync"), want[:50], rounded)  # one block alone
    Z = machine.features_.transform(blocks)
    assert Z.shape[1] == 20 and Z.compute(scheduler="sync").dtype == Z.dtype == float


def test_a_dask_frame_keeps_its_names():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frames = pytest.importorskip("dask.dataframe", reason="dask.dataframe is not installed")
    table = pandas.DataFrame(X, columns=["a", "b", "c"])
    machine = clone(REGRESSOR).fit(table, y)
    same(machine.predict(frames.from_pandas(table, npartitions=3)).compute(scheduler="sync"), machine.predict(table))
    with pytest.raises(ValueError, match="feature names"):
        machine.predict(frames.from_pandas(table[["c", "b", "a"]], npartitions=3)).compute(scheduler="sync")


def test_float32_stays_and_blocks_without_rows_are_empty():
    rows = da.from_array(X.astype(np.float32), chunks=(50, 3))
    Z = RandomFourierFeatures(**SMALL).fit(X).transform(rows)
    assert Z.dtype == Z.compute(scheduler="sync").dtype == np.float32
    machine, some = clone(REGRESSOR).fit(X, Y), (np.arange(120) < 50) | (np.arange(120) > 110)
    few = da.from_array(X, chunks=(50, 3))[da.from_array(some, chunks=50)]  # none of the second block
    same(machine.predict(few).compute(scheduler="sync"), machine.predict(X[some]))


def test_the_machine_of_the_call_answers_whatever_becomes_of_it():
    machine, rows = clone(REGRESSOR).fit(X, y), da.from_array(X, chunks=(50, 3))
    want, late = machine.predict(X), machine.predict(rows)
    machine.set_params(random_state=1).fit(X, -y)
    same(late.compute(scheduler="sync"), want)
    machine.partial_fit(X, y)
    want, late = machine.predict(X), machine.predict(rows)
    machine.partial_fit(X, -y)
    same(late.compute(scheduler="sync"), want)


@pytest.mark.parametrize("blocks", [2, 60])
def test_what_is_sent_is_the_machine_once_without_its_sums(blocks):
    import pickle

    machine = RandomFeatureRegressor(length_scale=2.0, n_components=200, alpha=0.1, random_state=0).partial_fit(X, y)
    late = machine.predict(da.zeros((600, 3), chunks=(600 // blocks, 3)))
    graph = dict(late.__dask_graph__())
    assert sum(str(key).startswith("RandomFeatureRegressor") for key in graph) == 1
    assert len(pickle.dumps(late.__dask_graph__())) < 200**2 * 8 / 2  # of which the sums alone take more


def test_what_cannot_be_done_is_one_sentence():
    rows, features = da.from_array(X, chunks=(50, 3)), RandomFourierFeatures(**SMALL)
    with pytest.raises(NotFittedError):
        features.transform(rows)
    features.fit(X)
    with pytest.raises(ValueError, match="out is given and X is a dask collection"):
        features.transform(rows, out=np.empty((120, 20)))
    with pytest.raises(ValueError, match="set_output asks for pandas"):
        clone(features).set_output(transform="pandas").fit(X).transform(rows)
    with config_context(transform_output="pandas"), pytest.raises(ValueError, match="set_output asks for pandas"):
        features.transform(rows)
    with pytest.raises(ValueError, match="2 features"):
        features.transform(rows[:, :2])
    pairs = clone(REGRESSOR).fit(X, y).predict([dask.delayed((X, y))])
    with pytest.raises(ValueError, match="X gave a block that is a tuple; it may be rows alone"):
        pairs.compute(scheduler="sync")
    assert not in_dask([[1.0]]) and not in_dask([]) and not in_dask(X) and in_dask(rows) and in_dask([dask.delayed(X)])


class Counted(RandomFeatureRegressor):
    """A machine that leaves a file wherever it is unpacked."""

    folder = None

    def __setstate__(self, state):
        import tempfile

        super().__setstate__(state)
        tempfile.mkstemp(dir=self.folder)


def test_a_cluster_gets_the_machine_once_for_each_worker_and_not_for_each_block(tmp_path):
    machine = Counted(**REGRESSOR.get_params()).fit(X, y)
    machine.folder = str(tmp_path)
    options = {"n_workers": 1, "threads_per_worker": 2, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster):
        late = machine.predict(da.from_array(X, chunks=(3, 3)))  # 40 blocks
        got = late.compute()
    same(got, machine.predict(X))
    assert 1 <= len(list(tmp_path.iterdir())) <= 4  # on its way through the scheduler, and of the worker
