"""Components, clusters and a density: scikit-learn's checks, rows of every kind, files, parts."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.decomposition import KernelPCA
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import rfbook
from rfbook import PositiveFeatures, RandomFeatureDensity, RandomFeatureKMeans, RandomFeaturePCA, RandomFourierFeatures

X = load_digits().data[:400] / 16
PCA = RandomFeaturePCA(3, n_random_features=50, length_scale=2.0, random_state=0)
MODELS = {
    "components": (PCA, "transform"),
    "clusters": (RandomFeatureKMeans(4, n_components=50, length_scale=2.0, random_state=0), "predict"),
    "density": (RandomFeatureDensity(n_components=50, length_scale=2.0, random_state=0), "score_samples"),
}


@pytest.mark.parametrize("name", MODELS)
def test_checks_of_scikit_learn(name):
    model, _ = MODELS[name]
    no_copies = {f"check_sample_weight_equivalence_on_{kind}_data": "k-means begins elsewhere, as scikit-learn's does"
                 for kind in ("dense", "sparse")} if name == "clusters" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(clone(model).set_params(length_scale=1.0), on_fail=None,
                                  expected_failed_checks=no_copies)
    assert len(results) > 40 and not [r for r in results if r["status"] == "failed"]


@pytest.mark.parametrize("name", MODELS)
def test_rows_of_every_kind(name):
    model, verb = MODELS[name]
    fitted = clone(model).fit(X)
    want = getattr(fitted, verb)(X[:50])
    for rows in (csr_array(X), X[:, ::-1].copy()[:, ::-1], pd.DataFrame(X).to_numpy(), X.astype(">f8")):
        assert np.allclose(getattr(clone(model).fit(rows), verb)(rows[:50]), want)
    single = getattr(clone(model).fit(X.astype(np.float32)), verb)(X[:50].astype(np.float32))
    assert np.allclose(single, want, atol=1e-4)


@pytest.mark.parametrize("name", MODELS)
def test_landmarks_in_the_place_of_waves(name):
    """With every row a landmark the kernel is exact, for rows of every kind."""
    model, verb = MODELS[name]
    model = clone(model).set_params(sampling="landmarks", **{model._width: 1000})
    few = X[:60]
    fitted = clone(model).fit(few)
    assert len(fitted.features_.landmarks_) == 60 and np.allclose(
        fitted.features_.transform(few) @ fitted.features_.transform(few).T, rfbook.kernels.Gaussian(2.0)(few))
    single = few.astype(np.float32)
    for rows, close in ((csr_array(few), 1e-8), (single, 1e-3), (csr_array(single), 1e-3)):
        assert np.allclose(getattr(clone(model).fit(rows), verb)(rows), getattr(fitted, verb)(few), atol=close)
    if verb == "transform":
        exact = KernelPCA(3, kernel="rbf", gamma=1 / 8).fit_transform(few)
        assert np.allclose(np.abs(fitted.transform(few)), np.abs(exact), atol=1e-7)
    with pytest.raises(ValueError, match="sampling is 'landmark'; it may be one of 'auto', 'landmarks', 'iid'"):
        clone(model).set_params(sampling="landmark").fit(few)


@pytest.mark.parametrize("name", MODELS)
def test_a_file_keeps_them(name, tmp_path):
    model, verb = MODELS[name]
    fitted = clone(model).fit(X)
    rfbook.save(fitted, tmp_path / "model.npz")
    again = rfbook.load(tmp_path / "model.npz")
    assert np.array_equal(getattr(again, verb)(X), getattr(fitted, verb)(X))
    if verb == "transform":
        going_on = clone(model).partial_fit(X[:200])
        rfbook.save(going_on, tmp_path / "part.npz")
        again = rfbook.load(tmp_path / "part.npz").partial_fit(X[200:])
        assert np.allclose(again.transform(X), going_on.partial_fit(X[200:]).transform(X))


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
def test_exact_features_give_the_components_of_the_kernel(kernel):
    """Features that are a root of the kernel matrix: nothing is random."""
    K = rfbook.kernels.by_name(kernel, 3.0)(X[:60])
    values, U = np.linalg.eigh(K)
    root = U * np.sqrt(np.maximum(values, 0))

    class Root(rfbook.maps.RandomFeatureMap):
        def fit(self, X, y=None):
            self.n_features_in_, self.n_components_ = X.shape[1], 60
            return self

        def _row_filler(self, X):
            rows = np.argmin(((X[:, None] - X_60) ** 2).sum(2), axis=1)
            return lambda: lambda part, out: np.copyto(out, root[rows[part]])

    X_60 = X[:60]
    theirs = KernelPCA(5, kernel="precomputed").fit(K)
    ours = RandomFeaturePCA(5, Root()).fit(X_60)
    assert np.allclose(60 * ours.explained_variance_, theirs.eigenvalues_)
    assert np.allclose(np.abs(ours.transform(X_60)), np.abs(theirs.transform(K)))


def test_more_features_come_nearer_to_the_exact_components():
    exact = KernelPCA(3, kernel="rbf", gamma=1 / 8).fit(X)
    gaps = []
    for D in (100, 10_000):
        model = RandomFeaturePCA(3, length_scale=2.0, n_random_features=D, random_state=0).fit(X)
        gaps.append(np.abs(400 * model.explained_variance_ - exact.eigenvalues_).max())
    assert gaps[1] < gaps[0] / 3


def test_blocks_of_every_kind_are_all_rows():
    da = pytest.importorskip("dask.array")
    import dask

    whole = clone(PCA).fit(X)
    want = whole.transform(X)
    blocks = [X[:150], X[150:260], X[260:]]
    heavy = np.arange(400) % 3 + 1.0
    for rows in (iter(blocks), ((part, None) for part in blocks), da.from_array(X, chunks=(150, 20)),
                 [dask.delayed(np.asarray)(part) for part in blocks]):
        fitted = clone(PCA).fit(rows)
        assert np.allclose(fitted.transform(X), want) and fitted.n_samples_seen_ == 400
    weighted = clone(PCA).fit(da.from_array(X, chunks=(100, 64)), sample_weight=da.from_array(heavy, chunks=100))
    assert np.allclose(weighted.explained_variance_, clone(PCA).fit(X, sample_weight=heavy).explained_variance_)
    assert np.allclose(whole.transform(da.from_array(X, chunks=(150, 64))).compute(), want)


def test_a_mapped_file_is_not_copied(tmp_path):
    np.save(tmp_path / "rows.npy", X)
    rows = np.load(tmp_path / "rows.npy", mmap_mode="r")
    assert np.allclose(clone(PCA).fit(rows).explained_variance_, clone(PCA).fit(X).explained_variance_)


def test_names_and_frames():
    frame = pd.DataFrame(X[:, 10:20], columns=[f"c{i}" for i in range(10)])
    out = clone(PCA).set_output(transform="pandas").fit_transform(frame)
    assert list(out.columns) == ["randomfeaturepca0", "randomfeaturepca1", "randomfeaturepca2"]
    both = make_pipeline(clone(PCA), RandomFeatureKMeans(2, length_scale=1.0, random_state=0)).fit(X)
    assert set(both.predict(X)) == {0, 1}


def test_later_rows_that_are_unlike_the_first_are_told():
    rows = np.sort(np.random.default_rng(0).standard_normal((4000, 2)), axis=0)
    model = RandomFeaturePCA(2, n_random_features=20, random_state=0).partial_fit(rows[:1000])
    with pytest.warns(UserWarning, match="later rows are unlike the first"):
        model.partial_fit(rows[1000:])


def test_a_constant_table_has_no_variance():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = RandomFeaturePCA(2, length_scale=1.0, n_random_features=10, random_state=0).fit(np.ones((30, 3)))
    assert np.allclose(model.explained_variance_, 0) and np.isfinite(model.transform(np.ones((2, 3)))).all()


def test_signs_do_not_depend_on_threads_or_order():
    order = np.random.default_rng(0).permutation(400)
    one, other = clone(PCA).fit(X), clone(PCA).fit(X[order])
    assert np.allclose(one.components_, other.components_)


def test_more_cases_of_wrong_arguments():
    for model, says in ((clone(PCA).set_params(n_random_features=0), "n_random_features is 0"),
                        (clone(PCA).set_params(length_scale="mean"), "length_scale is 'mean'; it may be a number"),
                        (RandomFeatureKMeans(0), "n_clusters is 0"), (RandomFeatureKMeans(2, tol=-1.0), "tol is -1.0"),
                        (RandomFeatureDensity(contamination="auto"), "contamination is 'auto'"),
                        (RandomFeatureDensity(RandomFourierFeatures(), kernel="cauchy"), "features is given and k")):
        with pytest.raises(ValueError, match=says):
            model.fit(X)
    with pytest.raises(ValueError, match="X has 64 features, but"):
        clone(PCA).fit(X[:, :9]).transform(X)


def test_a_density_of_positive_features_is_nowhere_negative():
    positive = RandomFeatureDensity(PositiveFeatures(n_components=64, normalize=True, length_scale=2.0, random_state=0))
    assert (positive.fit(X).score_samples(3 * X - 1) >= 0).all()
