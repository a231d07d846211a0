"""The search for a scale: what it tries on purpose is nobody's mistake."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from rfbook import RandomFeatureClassifier, RandomFeatureRegressor
from rfbook.machines import scales
from rfbook.persistence import load, save


def test_poor_scales_are_tried_in_silence():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 3))
    search = scales._Search(X, X[:, :1], None, 20, rng)
    assert search.open("standard")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        errors = [search.best(("standard", "gaussian", multiple)).score for multiple in (1e-4, 1.0)]
    assert errors[1] < 0.3 < errors[0]


def rough(n, d=3, seed=0):
    """Rows, and a target with steps, which asks for shorter waves the more rows there are."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, d))
    return X, np.sign(X).sum(1) + 0.1 * rng.standard_normal(n)


def test_more_rows_make_the_length_scale_shorter_and_the_error_smaller():
    X, y = rough(9000)
    machine = RandomFeatureRegressor(random_state=0).fit(X[:4000], y[:4000])
    again = machine.search_["again"]
    assert (again["rows"], again["features"]) == (4000, 512)
    first = machine.search_["length_scale"][machine.search_["weight"].argmax()]
    assert machine.length_scale_ < 0.9 * first
    stiff = RandomFeatureRegressor(length_scale=first, scaling=machine.scaling_, random_state=0).fit(X[:4000], y[:4000])
    errors = [np.mean((one.predict(X[4000:]) - y[4000:]) ** 2) for one in (machine, stiff)]
    assert errors[0] < 0.95 * errors[1]
    assert "again" not in RandomFeatureRegressor(random_state=0).fit(X[:1999], y[:1999]).search_


@pytest.mark.parametrize(("case", "rows"), [
    ("plain", 2000), ("float32", 2000), ("sparse", 2000), ("zero weights", 2000), ("few with weight", None),
    ("outputs", 2000), ("many outputs", 666), ("kernel", 2000), ("several", 2000), ("classes", 2000), ("width", 2000)])
def test_every_path_looks_again(case, rows, tmp_path):
    X, y = rough(2100)
    weights, told = None, {"n_components": 64, "random_state": 0}
    if case == "float32":
        X = X.astype(np.float32)
    elif case == "sparse":
        X = sparse.csr_array(np.where(X > 0, X, 0.0))
    elif "weight" in case:
        weights = np.ones(2100)
        weights[: 100 if case == "zero weights" else 101] = 0.0
    elif "outputs" in case:
        y = y[:, None] * np.arange(1, 4 if case == "outputs" else 301)
    elif case in ("kernel", "several", "width"):
        told |= {"kernel": {"kernel": "auto"}, "several": {"n_candidates": 3},
                 "width": {"n_components": "auto", "max_components": 128}}[case]
    kind = RandomFeatureClassifier if case == "classes" else RandomFeatureRegressor
    y = np.sign(y).astype(int) if case == "classes" else y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        machine = kind(**told).fit(X, y, weights)
    if rows is None:
        assert "again" not in machine.search_
        return
    again = machine.search_["again"]
    assert again["rows"] == (2100 if rows == 2000 and case != "zero weights" else rows)
    assert again["weight"].sum() == 1 and again["features"] == (128 if case == "width" else 64)
    assert machine.length_scale_ == pytest.approx(again["length_scale"][again["weight"].argmax()], rel=1e-6)
    assert (np.diff(again["length_scale"]) < 0).all()
    save(machine, tmp_path / "machine.rfbook")
    assert np.array_equal(load(tmp_path / "machine.rfbook").search_["again"]["score"], again["score"])
