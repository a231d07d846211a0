"""Rows and targets that are made when they are asked for say what a copy would say."""

import numpy as np
import pytest
from scipy import sparse

from rfbook import _rows
from rfbook._rows import Rows, Targets, large_blocks, targets_of, whole
from rfbook.machines.targets import encoded_classes
from rfbook.solvers.cross_validation import fold_numbers
from rfbook.solvers.design import unit_of

rng = np.random.default_rng(0)


@pytest.fixture
def tiny(monkeypatch):
    """A hundred numbers are many."""
    monkeypatch.setattr("rfbook._rows.LARGE", 100)


@pytest.mark.parametrize("rows", [slice(0, 5), slice(7, None), np.array([9, 3, 3])])
def test_rows_are_converted_and_changed(rows):
    X = rng.integers(0, 255, (10, 3)).astype(np.uint8)
    lazy = Rows(X, np.float32, lambda part: part * 2)
    assert lazy.dtype == lazy[rows].dtype == np.float32 and lazy.shape == X.shape and len(lazy) == 10
    assert np.array_equal(lazy[rows], 2.0 * X[rows]) and np.array_equal(whole(lazy), 2.0 * X)


def test_sparse_rows_stay_sparse():
    X = sparse.random_array((20, 5), density=0.3, format="csr", random_state=0, dtype=np.float64)
    lazy = Rows(X, np.float32)
    assert lazy.sparse and sparse.issparse(lazy[3:7]) and lazy[3:7].dtype == np.float32
    assert (abs(lazy[3:7] - X[3:7]) > 1e-6).nnz == 0


def test_blocks_cover_all_rows_and_stay_small(tiny):
    for shape in ((50, 3), (7, 1000), (40,)):
        blocks = large_blocks(shape)
        assert blocks[0].start == 0 and blocks[-1].stop == shape[0]
        assert all(a.stop == b.start for a, b in zip(blocks, blocks[1:], strict=False))
        assert all((b.stop - b.start) == 1 or (b.stop - b.start) * np.prod(shape[1:]) <= 100 // 16 for b in blocks)


@pytest.mark.parametrize("y", [
    rng.choice(["b", "a", "c"], 90), rng.integers(3, 5, 90), rng.random(90) > 0.5, rng.choice([0.0, 7.0, 3.0], 90),
    rng.integers(0, 2, (90, 4)),
], ids=["text", "two", "truth", "floats", "several"])
def test_classes_by_blocks_are_those_of_all(y, monkeypatch):
    classes, Y = encoded_classes(y)
    monkeypatch.setattr("rfbook._rows.LARGE", 80)
    found, lazy = encoded_classes(y)
    assert isinstance(lazy, Targets) and found.dtype == classes.dtype and np.array_equal(found, classes)
    assert lazy.shape == Y.shape and np.array_equal(whole(lazy), Y) and np.array_equal(lazy[5:9], Y[5:9])
    assert np.array_equal((lazy / 4)[np.array([8, 2])], Y[[8, 2]] / 4)


@pytest.mark.parametrize(("y", "sentence"), [(np.full(90, 3), "one class only"), (rng.random(90), "[Uu]nknown label"),
                                             (rng.integers(0, 3, (90, 2)), "zeros and ones")])
def test_wrong_labels_are_found_by_blocks(y, sentence, tiny):
    with pytest.raises(ValueError, match=sentence):
        encoded_classes(y)


def test_the_unit_of_targets_is_that_of_the_largest(tiny):
    y = np.r_[np.zeros(200), -5.0, np.ones(99)]
    lazy = targets_of(y, 1, lambda part: part[:, None])
    assert isinstance(lazy, Targets) and unit_of(lazy) == unit_of(y) == 4.0


def test_folds_of_very_many_rows_are_even_and_small():
    n = 2**20 + 12_345
    folds = fold_numbers(n)
    counts = np.bincount(folds)
    assert len(counts) == 5 and np.ptp(counts) <= 1 and folds.itemsize == 1 and _rows.LARGE > n
    assert np.array_equal(fold_numbers(50), np.random.default_rng(50).permutation(50) % 5)


def test_blocks_of_a_dask_array_have_whole_rows():
    dask_array = pytest.importorskip("dask.array", reason="dask.array is not installed: pip install rfbook[dask]")
    found, zeros = _rows._collected(None, dask_array.ones((10, 3), chunks=(4, 2)))
    assert found.chunks == ((4, 4, 2), (3,)) and zeros.shape == (1, 3) and not zeros.any()
