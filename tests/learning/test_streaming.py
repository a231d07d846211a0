"""Rows in blocks, from an iterator or on a cluster, give one machine, also if a worker is killed on the way."""

import os
import signal
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from rfbook import RandomBinningFeatures, RandomFeatureClassifier, RandomFeatureRegressor
from rfbook.learning.blocks import blocks_of
from rfbook.learning.streaming import merge_tree
from rfbook.solvers.cross_validation import fold_numbers
from rfbook.solvers.moments import Moments

rng = np.random.default_rng(0)
N, EACH = 4200, 700
X = rng.standard_normal((N, 4))
Y = np.c_[np.sin(X[:, 0]), X[:, 1] * X[:, 2]] + 0.1 * rng.standard_normal((N, 2))
LABELS = np.array(["low", "middle", "top"])[np.digitize(Y[:, 0], [-0.5, 0.5])]
WEIGHTS = rng.uniform(0.2, 3.0, N)
REGRESSOR = RandomFeatureRegressor(length_scale=2.0, n_components=60, alpha=0.1, n_jobs=1, random_state=0)
CLASSIFIER = RandomFeatureClassifier(length_scale=2.0, n_components=60, alpha=0.1, n_jobs=1, random_state=0)


def cut(*arrays, each=EACH):
    return [tuple(a[i : i + each] for a in arrays) for i in range(0, N, each)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("each", [EACH, 50, N])
def test_an_iterator_gives_the_machine_of_all_rows(each, dtype):
    rows = X.astype(dtype)
    got = clone(REGRESSOR).fit(iter(cut(rows, Y, WEIGHTS, each=each)))
    want = clone(REGRESSOR).fit(rows, Y, WEIGHTS)
    np.testing.assert_allclose(got.predict(rows), want.predict(rows), rtol=0, atol=1e4 * np.finfo(dtype).eps)
    assert sum(fold.count for fold in got._stream.folds) == N  # the first rows decide, and count once


def test_classes_columns_and_sparse_rows():
    got = clone(CLASSIFIER).fit(iter(cut(X, LABELS)), classes=["top", "low", "middle"])
    want = clone(CLASSIFIER).fit(X, LABELS)
    np.testing.assert_allclose(got.decision_function(X), want.decision_function(X), atol=1e-9)
    several = (Y > 0).astype(int)
    got, want = clone(CLASSIFIER).fit(iter(cut(X, several))), clone(CLASSIFIER).fit(X, several)
    assert np.array_equal(got.predict(X), want.predict(X))
    thin = sparse.csr_array(X * (rng.random(X.shape) < 0.5))
    got, want = clone(REGRESSOR).fit(iter(cut(thin, Y))), clone(REGRESSOR).fit(thin, Y)
    np.testing.assert_allclose(got.predict(thin), want.predict(thin), atol=1e-9)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_are_blocks_and_come_out_again(library):
    frames = pytest.importorskip(library, reason=f"{library} is not installed")
    names = ["a", "b", "c", "d"]
    table, y = frames.DataFrame(dict(zip(names, X.T, strict=True))), frames.Series(Y[:, 0])
    got = clone(REGRESSOR).fit(iter(cut(table, y)))
    assert list(got.feature_names_in_) == names
    np.testing.assert_allclose(got.predict(table), clone(REGRESSOR).fit(X, Y[:, 0]).predict(X), atol=1e-9)
    whole = clone(REGRESSOR).fit(table, y)
    assert np.array_equal(whole.predict(table), clone(REGRESSOR).fit(X, Y[:, 0]).predict(X))
    made = whole.features_.set_output(transform=library).transform(X)
    assert isinstance(made, frames.DataFrame) and made.shape == (N, 60)


def test_rows_go_on_after_blocks():
    machine = clone(REGRESSOR).fit(iter(cut(X, Y)[:-1])).partial_fit(X[-EACH:], Y[-EACH:])
    np.testing.assert_allclose(machine.predict(X), clone(REGRESSOR).fit(X, Y).predict(X), atol=1e-9)
    again = machine.fit(iter(cut(X, Y)))
    assert sum(fold.count for fold in again._stream.folds) == N  # a fit begins anew


def test_blocks_without_rows_are_passed_over():
    blocks = cut(X, Y)
    blocks.insert(0, (X[:0], Y[:0])), blocks.insert(5, (X[:0], Y[:0]))
    np.testing.assert_allclose(clone(REGRESSOR).fit(iter(blocks)).predict(X), clone(REGRESSOR).fit(X, Y).predict(X),
                               atol=1e-9)


@pytest.mark.parametrize(("fit", "sentence"), [
    (lambda: REGRESSOR.fit(iter([])), "X gave no rows"),
    (lambda: REGRESSOR.fit(iter([X])), "X gave a block that is a ndarray"),
    (lambda: REGRESSOR.fit(iter(cut(X, Y)), Y), "X is an iterator, and y"),
    (lambda: CLASSIFIER.fit(iter(cut(X, LABELS)), sample_weight=WEIGHTS), "X is an iterator, and y or sample_weight"),
    (lambda: CLASSIFIER.fit(iter(cut(X, LABELS))), "classes is None"),
    (lambda: CLASSIFIER.fit(X, LABELS, classes=["low"]), "classes is given"),
    (lambda: CLASSIFIER.set_params(loss="logistic").fit(iter(cut(X, LABELS))), "X comes in blocks, and loss"),
    (lambda: CLASSIFIER.set_params(class_weight="balanced").fit(iter(cut(X, LABELS))), "class_weight is 'balanced'"),
    (lambda: REGRESSOR.set_params(alpha="loo").fit(iter(cut(X, Y))), "alpha is 'loo'"),
    (lambda: RandomFeatureRegressor(RandomBinningFeatures()).fit(iter(cut(X, Y))), "X comes in blocks, and features"),
])
def test_what_cannot_be_done_is_one_sentence(fit, sentence, monkeypatch):
    monkeypatch.setitem(globals(), "REGRESSOR", clone(REGRESSOR))
    monkeypatch.setitem(globals(), "CLASSIFIER", clone(CLASSIFIER))
    with pytest.raises(ValueError, match=sentence):
        fit()


@pytest.mark.parametrize("count", [1, 2, 5, 64, 100])
def test_no_part_meets_more_than_the_logarithm_of_joins(count):
    joined = []

    def join(pair):
        joined.append(pair)
        return 1 + max(pair)

    assert merge_tree([0] * count, join) == int(np.ceil(np.log2(count))) and len(joined) == count - 1


def test_a_tree_of_moments_is_exact_where_a_line_is_not():
    parts = [Moments(1, intercept=False).update([[z]], [1.0]) for z in [1.0] + [2.0**-27] * 1023]
    total = Fraction(float(merge_tree(parts).gram[0, 0]))
    assert abs(total - 1 - Fraction(1023, 2**54)) <= Fraction(11, 2**53) and merge_tree(parts).count == 1024


# with dask

dask = pytest.importorskip("dask", reason="dask is not installed: pip install rfbook[dask]")
distributed = pytest.importorskip("distributed", reason="distributed is not installed: pip install rfbook[dask]")


def arrays(*parts, each=EACH):
    import dask.array

    return [dask.array.from_array(part, chunks=(each, *part.shape[1:])) for part in parts]


@pytest.mark.parametrize("alpha", [0.1, "auto", "gcv"])
def test_dask_arrays_give_the_machine_of_the_iterator(alpha):
    machine = clone(REGRESSOR).set_params(alpha=alpha)
    got, want = clone(machine).fit(*arrays(X, Y, WEIGHTS)), clone(machine).fit(iter(cut(X, Y, WEIGHTS)))
    np.testing.assert_allclose(got.alpha_, want.alpha_, rtol=1e-9)  # a share of the weight, which is a sum
    np.testing.assert_allclose(got.predict(X), want.predict(X), atol=1e-8)
    if got.alpha_scores_ is not None:
        np.testing.assert_allclose(got.alpha_scores_, want.alpha_scores_, rtol=1e-5)
    assert sum(fold.count for fold in got._stream.folds) == N


def test_weights_of_labels_count_on_a_cluster():
    got, want = clone(CLASSIFIER).fit(*arrays(X, LABELS, WEIGHTS)), clone(CLASSIFIER).fit(X, LABELS, WEIGHTS)
    np.testing.assert_allclose(got.decision_function(X), want.decision_function(X), atol=1e-8)


def test_folds_go_on_from_block_to_block_of_a_cluster_as_they_do_in_one_process():
    """Blocks of 701 rows, which the number of folds does not divide."""
    machine, few = clone(REGRESSOR).set_params(alpha="cv"), slice(0, 1402)
    got, want = machine.fit(*arrays(X[few], Y[few], each=701)), clone(machine)
    want.fit(iter([(X[:701], Y[:701]), (X[701:1402], Y[701:1402])]))
    for one, two in zip(got._stream.folds, want._stream.folds, strict=True):
        assert one.count == two.count
        np.testing.assert_allclose(one.mean, two.mean, rtol=1e-9, atol=1e-12)
    numbers = np.concatenate([(start + fold_numbers(701)) % 5 for start in (0, 701)])
    assert [fold.count for fold in got._stream.folds] == np.bincount(numbers).tolist()


def test_chunks_that_do_not_match_are_brought_together():
    import dask.array

    columns = dask.array.from_array(X, chunks=(EACH, 2))  # cut between columns too
    want = clone(REGRESSOR).fit(X, Y, WEIGHTS)
    got = clone(REGRESSOR).fit(columns, arrays(Y, each=900)[0], WEIGHTS)
    np.testing.assert_allclose(got.predict(X), want.predict(X), atol=1e-9)


def test_delayed_blocks_and_labels_that_nobody_named():
    blocks = [dask.delayed(block) for block in cut(X, LABELS)]
    want = clone(CLASSIFIER).fit(X, LABELS)
    got = clone(CLASSIFIER).fit(blocks)
    assert np.array_equal(got.classes_, want.classes_)
    np.testing.assert_allclose(got.decision_function(X), want.decision_function(X), atol=1e-9)
    rows, labels = ([dask.delayed(part) for part in column] for column in zip(*cut(X, LABELS), strict=True))
    got = clone(CLASSIFIER).fit(rows, labels, classes=["low", "middle", "top"])
    np.testing.assert_allclose(got.decision_function(X), want.decision_function(X), atol=1e-9)


def test_lists_that_do_not_match_are_one_sentence():
    rows = [dask.delayed(X[:EACH])] * 3
    with pytest.raises(ValueError, match="X is a list of 3 blocks"):
        clone(REGRESSOR).fit(rows, rows[:2])
    with pytest.raises(ValueError, match="blocks of unknown length"):
        blocks_of(arrays(X)[0][arrays(X)[0][:, 0] > 0], Y)


def test_dask_is_not_imported_for_others():
    import subprocess
    import sys

    code = ("import sys, numpy as np\nfrom rfbook import RandomFeatureRegressor\n"
            "X = np.random.default_rng(0).standard_normal((300, 2))\n"
            "RandomFeatureRegressor(n_components=20).fit(X, X[:, 0]).fit(iter([(X, X[:, 0])]))\n"
            "assert not {'dask', 'distributed', 'polars'} & {*sys.modules}, {*sys.modules}")
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_worker_is_killed_in_the_middle_of_a_fit(tmp_path):
    """The fifth block takes its process down when it is first made; the answer is that of one machine."""
    flag, where = tmp_path / "killed", os.getpid()

    def made(number, block):
        if number == 4 and os.getpid() != where and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return block

    blocks = cut(X, Y, WEIGHTS)
    want = clone(REGRESSOR).fit(iter(blocks))
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster):
        got = clone(REGRESSOR).fit([dask.delayed(made)(i, block) for i, block in enumerate(blocks)])
    assert flag.exists() and sum(fold.count for fold in got._stream.folds) == N
    np.testing.assert_allclose(got.predict(X), want.predict(X), atol=1e-9)


SKEWED = rng.lognormal(0, 1.5, (12_000, 3))
WAVE = np.sin(2 * np.log(SKEWED[:, 0])) + np.cos(SKEWED[:, 1]) + 0.1 * rng.standard_normal(12_000)
ORDERS = {"shuffled": rng.permutation(9000), "column": np.argsort(SKEWED[:9000, 0]), "y": np.argsort(-WAVE[:9000])}


def missed(machine):
    return float(np.sqrt(np.mean((machine.predict(SKEWED[9000:]) - WAVE[9000:]) ** 2)))


@pytest.fixture(scope="module")
def in_memory():
    return missed(RandomFeatureRegressor(n_components=150, n_jobs=1, random_state=0).fit(SKEWED[:9000], WAVE[:9000]))


@pytest.mark.parametrize("order", ORDERS)
def test_a_cluster_looks_at_all_blocks_before_it_decides(order, in_memory, recwarn):
    dask = pytest.importorskip("dask", reason="dask is not installed: pip install rfbook[dask]")
    parts = np.split(ORDERS[order], 9)
    blocks = [dask.delayed((SKEWED[part], WAVE[part])) for part in parts]
    machine = RandomFeatureRegressor(n_components=150, n_jobs=1, random_state=0)
    with dask.config.set(scheduler="sync"):
        assert missed(machine.fit(blocks)) < 1.2 * in_memory
    machine.partial_fit(SKEWED[parts[0]], WAVE[parts[0]])
    assert sum("unlike the first" in str(warning.message) for warning in recwarn) == (order != "shuffled")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("door", ["fit", "partial_fit"])
def test_what_comes_once_and_is_sorted_gives_one_warning(order, door, recwarn):
    machine, parts = RandomFeatureRegressor(n_components=20, n_jobs=1, random_state=0), np.split(ORDERS[order], 9)
    blocks = [(SKEWED[part], WAVE[part]) for part in parts]
    for block in [(iter(blocks),)] if door == "fit" else blocks:
        getattr(machine, door)(*block)
    said = [str(warning.message) for warning in recwarn if "unlike the first" in str(warning.message)]
    assert len(said) == (order != "shuffled")
    assert all(("column 0 is" if order == "column" else " is at least") in sentence for sentence in said)


def test_where_the_first_rows_decide_nothing_nothing_is_said(recwarn):
    order = ORDERS["column"]
    clone(REGRESSOR).fit((SKEWED[part], WAVE[part]) for part in np.split(order, 9))
    assert not [warning for warning in recwarn if "unlike the first" in str(warning.message)]


def test_a_sample_of_blocks_is_a_random_set_of_rows_in_their_order():
    dask = pytest.importorskip("dask", reason="dask is not installed: pip install rfbook[dask]")
    numbers = np.arange(60_000.0)
    blocks = [dask.delayed((numbers[i : i + 3000, None], numbers[i : i + 3000])) for i in range(0, 60_000, 3000)]
    with dask.config.set(scheduler="sync"):
        rows, y, weights = blocks_of(blocks).head()
        few = blocks_of([dask.delayed((numbers[:1], numbers[:1]))] * 300).head()
    assert len(rows) == 10_000 and np.array_equal(rows[:, 0], y) and (np.diff(y) > 0).all() and weights is None
    assert np.abs(np.bincount((y // 3000).astype(int), minlength=20) - 500).max() < 150  # seven standard deviations
    assert len(few[0]) == 256
