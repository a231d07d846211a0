"""Arc-cosine kernels and their features: values to rounding, both signs, layouts, errors; random coordinates."""

import math
import pickle

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from rfbook import ArcCosine, ArcCosineFeatures, CoordinateFeatures, RandomFeatureRegressor, bounds
from rfbook.features.arc_cosine import arc_cosine_features
from rfbook.features.arc_cosine_maps import Rectifiers

SAMPLINGS = ["antithetic", "iid", "orthogonal"]
NODES, WEIGHTS = leggauss(60)


@pytest.fixture
def X():
    return np.random.default_rng(0).standard_normal((300, 5))


@parametrize_with_checks([
    ArcCosineFeatures(n_components=11), ArcCosineFeatures(0, n_components=10, sampling="orthogonal"),
    ArcCosineFeatures(2, n_components=7, sampling="iid"), CoordinateFeatures(), CoordinateFeatures(7, replace=True)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def pair(theta):
    """Two unit vectors of the plane at an angle."""
    return np.array([[1.0, 0.0]]), np.array([[math.cos(theta), math.sin(theta)]])


def test_length_scales(X):
    scale = np.array([1.0, 2.0, 4.0, 0.5, 1.0])
    f = ArcCosineFeatures(n_components=8, length_scale=scale, random_state=0).fit(X)
    g = ArcCosineFeatures(n_components=8, random_state=0).fit(X)
    assert np.allclose(f.transform(X), g.transform(X / scale))


@pytest.mark.parametrize(("call", "sentence"), [
    (lambda: ArcCosine(9)(np.ones((1, 2))), "order is 9"), (lambda: ArcCosine(-1)(np.ones((1, 2))), "order is -1"),
    (lambda: ArcCosine(1.0)(np.ones((1, 2))), "order is 1.0"), (lambda: ArcCosine()(np.ones(2)), "X has shape"),
    (lambda: ArcCosine()(np.ones((1, 2)), np.ones((1, 3))), "Y has 3 columns"),
    (lambda: ArcCosine()([[np.nan]]), "X holds NaN"), (lambda: ArcCosine(1, 0)(np.ones((1, 2))), "length_scale is 0"),
    (lambda: ArcCosine(1, [1.0])(np.ones((1, 2))), "length_scale has shape"),
    (lambda: ArcCosineFeatures(3).fit(np.ones((1, 2))), "order is 3"),
    (lambda: ArcCosineFeatures(n_components=0).fit(np.ones((1, 2))), "n_components is 0"),
    (lambda: ArcCosineFeatures(sampling="sobol").fit(np.ones((1, 2))), "sampling is 'sobol'"),
    (lambda: ArcCosineFeatures(length_scale=-1).fit(np.ones((1, 2))), "length_scale is -1"),
    (lambda: ArcCosineFeatures(length_scale=1e-320).fit(np.ones((1, 2))), "length_scale is 1e-320; weights overflow"),
    (lambda: ArcCosineFeatures(0, length_scale=1e60).fit(np.ones((1, 2), np.float32)),
     "length_scale is 1e.60; weights underflow float32"),
    (lambda: ArcCosineFeatures(length_scale=[1.0, 1e-60]).fit(np.ones((1, 2), np.float32)),
     r"length_scale is \[1.0, 1e-60\]; weights overflow float32"),
    (lambda: ArcCosineFeatures(2).fit(np.ones((1, 2))).transform([[1e200, 0]]), r"X holds 1e\+200: products"),
    (lambda: ArcCosineFeatures(0).fit(np.ones((1, 2))).transform([[1e308, 1e308]]), "X holds 1e.308: products"),
    (lambda: CoordinateFeatures(0).fit(np.ones((1, 2))), "n_components is 0"),
    (lambda: CoordinateFeatures(replace="no").fit(np.ones((1, 2))), "replace is 'no'"),
    (lambda: CoordinateFeatures(1).fit_transform([[1e308, 1.7e308]]), "X holds 1.7e.308: products"),
    (lambda: bounds.arc_cosine_variance(-1, 2, 4), "k is -1"),
    (lambda: bounds.arc_cosine_variance([1, 2], [1, 2, 3], 4), "k has shape"),
    (lambda: bounds.arc_cosine_variance(1, 2, 4, "orthogonal"), "sampling is 'orthogonal'"),
    (lambda: bounds.arc_cosine_radius(4, 4, 0.1), "angle is 4"), (lambda: bounds.arc_cosine_radius(1, 4, 1.0), "delta"),
    (lambda: bounds.arc_cosine_radius(1, 4, 0.1, 3), "order is 3"),
    (lambda: bounds.coordinate_variance([1, 2], [1], 4), "x has shape"),
    (lambda: bounds.coordinate_variance([1e200, 2], [1e200, 1], 4), "x or y holds"),
    (lambda: bounds.coordinate_variance([1.0], [1.0], 4, "x"), "replace is 'x'"),
])
def test_one_sentence_names_the_argument(call, sentence):
    with pytest.raises(ValueError, match="^" + sentence) as caught:
        call()
    assert "\n" not in str(caught.value)


# ---- the features ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_features_are_the_reference(X, order, sampling, dtype):
    X = X.astype(dtype)
    f = ArcCosineFeatures(order, n_components=21, sampling=sampling, random_state=0)
    Z, eps = f.fit_transform(X), 20 * np.finfo(dtype).eps
    want = arc_cosine_features(X.astype(float), f.random_weights_.astype(float), order, sampling != "iid")
    assert Z.dtype == dtype and Z.shape == (300, 21 if sampling == "iid" else 22) == (300, f.n_components_)
    assert np.allclose(Z, want, rtol=10 * eps, atol=eps * np.abs(X).max() ** order)
    S = sparse.csr_matrix(X)
    assert np.allclose(f.transform(S), Z, rtol=0, atol=eps * Z.max())
    assert np.array_equal(clone(f).fit(S).random_weights_, f.random_weights_)
    wide = clone(f).set_params(n_components=200).fit(X)
    assert np.array_equal(wide.random_weights_[:, :11], f.random_weights_[:, :11])
    out = np.full((300, 40), np.nan, dtype)[:, 3 : 3 + f.n_components_]  # rows apart
    assert f.transform(X, out=out) is out and np.array_equal(out, Z)
    assert np.array_equal(f.transform(np.asfortranarray(X)), Z)
    assert np.array_equal(pickle.loads(pickle.dumps(f)).transform(X), Z)
    assert f.get_feature_names_out()[1] == "arccosinefeatures1"
    assert np.array_equal(f.transform(0 * X[:3]), np.zeros((3, f.n_components_)))


def test_after_the_fit_parameters_do_not_matter(X):
    f = ArcCosineFeatures(1, n_components=6, random_state=0).fit(X)
    Z = f.transform(X)
    f.set_params(order=2, sampling="iid", n_components=9)
    assert np.array_equal(f.transform(X), Z)
    assert f.transform(X.astype(np.float32)).dtype == np.float32


def test_both_signs_of_order_one_are_linear_and_absolute_value(X):
    f = ArcCosineFeatures(1, n_components=40, random_state=0).fit(X)
    T = X @ f.random_weights_
    assert np.allclose(f.approximate_kernel(X), (T @ T.T + np.abs(T) @ np.abs(T).T) / 40)


def test_a_machine_learns_a_kink(X):
    y = np.maximum(X[:, 0], X[:, 1])
    machine = RandomFeatureRegressor(ArcCosineFeatures(1, n_components=300), random_state=0).fit(X[:200], y[:200])
    assert machine.score(X[200:], y[200:]) > 0.97


# ---- coordinates -----------------------------------------------------------------------------------------------------


def test_coordinates_are_exact_after_whole_rounds(X):
    K = X @ X.T
    for D in (None, 5, 15):
        f = CoordinateFeatures(D, random_state=0).fit(X)
        assert np.allclose(f.approximate_kernel(X), K)
        assert (np.bincount(f.coordinates_) == f.n_components_ // 5).all()


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix, sparse.csr_array])
def test_coordinates_layouts_and_nesting(X, replace, make):
    f = CoordinateFeatures(13, replace=replace, random_state=0).fit(make(X))
    want = math.sqrt(5 / 13) * X[:, f.coordinates_]
    assert np.allclose(f.transform(make(X)), want) and f.transform(make(X.astype(np.float32))).dtype == np.float32
    out = np.empty((300, 20))[:, :13]
    assert f.transform(make(X), out=out) is out and np.allclose(out, want)
    for D in (1, 4, 14, 1000):
        other = CoordinateFeatures(D, replace=replace, random_state=0).fit(X).coordinates_
        assert np.array_equal(other[:13], f.coordinates_[:D])


def test_stretched_weights_keep_their_dtype():
    weights = Rectifiers(np.ones((3, 2), np.float32), 1, False).stretched(np.array([2.0, 3.0])).weights
    assert weights.dtype == np.float32 and weights.tolist() == [[2.0, 3.0]] * 3


def test_a_width_that_no_array_has_is_refused(X):
    with pytest.raises(ValueError, match=f"^n_components is {2**31}; it may be"):
        ArcCosineFeatures(n_components=2**31).fit(X)
