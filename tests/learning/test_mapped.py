"""A table in a file gives the machine of the same table in memory, and no copy of it is ever made."""

import os
import shutil

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.preprocessing import StandardScaler

from rfbook import ArcCosineFeatures, RandomBinningFeatures, RandomFeatureClassifier, RandomFeatureRegressor
from rfbook.lab.bench import child_memory

rng = np.random.default_rng(0)
N, WIDTH = 3000, 30
X = rng.standard_normal((N, WIDTH))
X[:, 1] = np.exp(X[:, 1])
X[:, 2] *= 1000
Y = np.c_[np.sin(X[:, 0]) + X[:, 1], X[:, 3] * X[:, 4]] + 0.1 * rng.standard_normal((N, 2))
LABELS = np.digitize(Y[:, 0], [0.5, 2.0])
WEIGHTS = rng.uniform(0.2, 3.0, N)


@pytest.fixture
def small(monkeypatch):
    """X is large, and so are the targets of three classes; the choice of the scale goes as ever."""
    monkeypatch.setattr("rfbook._rows.LARGE", 16 * N)
    assert X.size > 16 * N


def mapped(folder, array, name="rows.npy"):
    np.save(folder / name, array)
    return np.load(folder / name, mmap_mode="r")


@pytest.fixture
def no_copies(monkeypatch):
    """Whoever asks for all rows fails."""
    def refuse(X):
        raise AssertionError("all rows at once")

    for place in ("rfbook.machines.designs", "rfbook.machines.base", "rfbook.maps.base", "rfbook.maps.scales",
                  "rfbook.solvers.fit"):
        real = __import__(place, fromlist=["whole"]).whole
        monkeypatch.setattr(place + ".whole", lambda X, real=real: real(X) if isinstance(X, np.ndarray) else refuse(X))


@pytest.mark.parametrize(("dtype", "alpha", "scaling"), [
    (np.float32, "cv", "standard"), (np.float64, "auto", "auto"), (np.float64, "gcv", "power"),
    (np.float64, 0.1, "standard")])
def test_the_machine_is_that_of_the_array(dtype, alpha, scaling, tmp_path, monkeypatch, no_copies):
    machine = RandomFeatureRegressor(n_components=60, alpha=alpha, scaling=scaling, random_state=0)
    rows = X.astype(dtype)
    want = clone(machine).fit(rows, Y)
    monkeypatch.setattr("rfbook._rows.LARGE", 16 * N)
    got = clone(machine).fit(mapped(tmp_path, rows), mapped(tmp_path, Y, "y.npy"))
    assert got.scaling_ == want.scaling_ and got.alpha_criterion_ == want.alpha_criterion_
    # the scaler takes its means by blocks, which moves rows by rounding and nothing else
    np.testing.assert_allclose(got.length_scale_, want.length_scale_, rtol=1e4 * np.finfo(dtype).eps)
    np.testing.assert_allclose(got.alpha_, want.alpha_, rtol=1e-6)
    atol = 1e-2 if dtype == np.float32 else 1e-6
    np.testing.assert_allclose(got.predict(rows), want.predict(rows), rtol=0, atol=atol)


def test_in_memory_and_in_a_file_are_the_same_bits(small, tmp_path):
    machine = RandomFeatureRegressor(n_components=60, random_state=0)
    got, want = clone(machine).fit(mapped(tmp_path, X), Y, WEIGHTS), clone(machine).fit(X, Y, WEIGHTS)
    assert np.array_equal(got.feature_coef_, want.feature_coef_)
    assert np.array_equal(got.predict(mapped(tmp_path, X)), want.predict(X))


@pytest.mark.parametrize("how", [{}, {"loss": "logistic", "alpha": 1.0, "length_scale": "median"}])
def test_classes(small, how, tmp_path):
    machine = RandomFeatureClassifier(n_components=60, random_state=0, **how)
    got = clone(machine).fit(mapped(tmp_path, X), mapped(tmp_path, LABELS, "y.npy"), WEIGHTS)
    want = clone(machine).fit(X, LABELS, WEIGHTS)
    assert np.array_equal(got.decision_function(X), want.decision_function(X)) and got.score(X, LABELS) > 0.5


@pytest.mark.parametrize("kind", ["i2", "f2", ">f4", "b1"])
def test_other_types_are_converted_by_rows(kind, small, tmp_path, no_copies):
    rows = (np.abs(X) * (1 if kind[-2] == "f" else 20)).clip(0, 200).astype(kind)
    machine = RandomFeatureRegressor(n_components=40, alpha=0.1, length_scale="median", random_state=0)
    native = rows.astype(np.float32 if kind == ">f4" else np.float64)
    got, want = clone(machine).fit(mapped(tmp_path, rows), Y), clone(machine).fit(native, Y)
    assert got.n_features_in_ == WIDTH and np.array_equal(got.feature_coef_, want.feature_coef_)
    assert np.array_equal(got.predict(rows), want.predict(native))


@pytest.mark.parametrize("scaling", ["auto", "standard"])
def test_sparse_rows_on_mapped_arrays(scaling, tmp_path, monkeypatch, no_copies):
    thin = sparse.csr_array(X * (rng.random(X.shape) < 0.3))
    parts = [mapped(tmp_path, getattr(thin, name), name + ".npy") for name in ("data", "indices", "indptr")]
    on_file = sparse.csr_array(tuple(parts), shape=thin.shape, copy=False)
    machine = RandomFeatureRegressor(n_components=40, scaling=scaling, alpha=0.1, random_state=0)
    monkeypatch.setattr("rfbook._rows.LARGE", thin.nnz - 1)
    got = clone(machine).fit(on_file, Y)
    want = clone(machine).fit(thin, Y)
    assert np.array_equal(got.feature_coef_, want.feature_coef_)
    assert np.array_equal(got.predict(on_file), got.predict(thin))


@pytest.mark.parametrize("features", [StandardScaler(), ArcCosineFeatures(n_components=20, random_state=0),
                                      RandomBinningFeatures(n_grids=10, length_scale=50.0, random_state=0)])
def test_maps_that_want_a_matrix_get_one(features, tmp_path, monkeypatch):
    machine = RandomFeatureRegressor(features, scaling="standard", alpha=1.0)
    want = clone(machine).fit(X, Y)
    monkeypatch.setattr("rfbook._rows.LARGE", 16 * N)
    np.testing.assert_allclose(clone(machine).fit(mapped(tmp_path, X), Y).predict(X), want.predict(X), atol=1e-6)


@pytest.mark.parametrize("kind", ["f2", "f4", ">f4", "f8"])
@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_not_finite_is_found_wherever_it_stands(kind, wrong, small):
    bad = X.clip(-100, 100).astype(kind)
    bad[N - 1, 3] = wrong
    with pytest.raises(ValueError, match="NaN|infinity"):
        RandomFeatureRegressor(n_components=40, random_state=0).fit(bad, Y)


def test_targets_that_are_not_finite_are_found(small):
    y = Y[:, 0].copy()
    y[5] = np.nan
    with pytest.raises(ValueError, match="y contains NaN"):
        RandomFeatureRegressor(n_components=40, random_state=0).fit((20 * X).astype(np.int16), y)


MACHINE = "RandomFeature{}(n_components=64, n_jobs=1, random_state=0)"
BEFORE = ("import numpy as np\nfrom rfbook import RandomFeatureRegressor, RandomFeatureClassifier\n"
          "X = np.load({x!r}, mmap_mode='r')\ny = np.load({y!r}, mmap_mode='r')\n"
          "machine = {machine}\nmachine.fit(X[:4000], y[:4000])")


def table(folder, n, width, kind, labels):
    """A table and its targets in files."""
    rows = np.lib.format.open_memmap(folder / "x.npy", "w+", kind, (n, width))
    y = np.lib.format.open_memmap(folder / "y.npy", "w+", np.int8 if labels else np.float32, (n,))
    few = 20 * rng.standard_normal((50_000, width))
    few = few.astype(kind)
    for start in range(0, n, 50_000):
        part = few[: n - start]
        rows[start : start + 50_000] = part
        score = part[:, 0].astype(float) + part[:, 1]
        y[start : start + 50_000] = np.digitize(score, [-30, -10, 10, 30]) if labels else score
    return str(folder / "x.npy"), str(folder / "y.npy")


@pytest.mark.parametrize(("kind", "labels"), [("f4", True), ("i1", False)])
def test_no_copy_of_a_mapped_table_is_made(kind, labels, tmp_path):
    """A table of 32 million numbers, of which a copy in double precision weighs 256 MB and one in single half of it."""
    x, y = table(tmp_path, 500_000, 64, kind, labels)
    before = BEFORE.format(x=x, y=y, machine=MACHINE.format("Classifier" if labels else "Regressor"))
    found = child_memory("machine.fit(X, y)", before, mapped=False)
    print(f"{found / 1e6:.0f} MB")
    assert found < 100e6


@pytest.mark.skipif(not os.environ.get("RFBOOK_LARGE"), reason="RFBOOK_LARGE names no folder with 25 GB to spare")
def test_twenty_gigabytes_in_less_than_one(tmp_path_factory):
    """Written on the spot and deleted; pages that are mapped do not count."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    place = Path(os.environ["RFBOOK_LARGE"])
    if shutil.disk_usage(place).free < 25e9:
        pytest.skip(f"{place} has less than 25 GB to spare")
    with TemporaryDirectory(dir=place) as folder:
        x, y = table(Path(folder), 50_000_000, 100, "f4", False)
        before = BEFORE.format(x=x, y=y, machine="RandomFeatureRegressor(random_state=0, n_components=64)")
        found = child_memory("machine.fit(X, y)", before, mapped=False)
        print(f"{Path(x).stat().st_size / 1e9:.1f} GB, peak of anonymous memory {found / 1e6:.0f} MB above the imports")
    assert found < 0.9e9
