"""Draws of every family keep the promises of their verbs, in every dtype, dense and sparse, fast and plain."""

import copy
import pickle

import numpy as np
import pytest
from scipy import sparse

from rfbook import (
    ArcCosineFeatures,
    CoordinateFeatures,
    GaussianProductFeatures,
    NystroemFeatures,
    RandomBinningFeatures,
    RandomFourierFeatures,
    RandomMaclaurinFeatures,
    kernels,
)
from rfbook.draws.samplers import FREQUENCIES, sample_waves
from rfbook.draws.waves import Waves
from rfbook.features.fourier import fourier_features

X = np.random.default_rng(0).standard_normal((530, 3))  # more than one block of rows
SCALES = np.array([0.5, 2.0, 1.5])
MAPS = [RandomFourierFeatures(length_scale=1.0, n_components=n, sampling=s, phase=p, random_state=0)
        for s in FREQUENCIES for p, n in (("paired", 14), ("offset", 7))]
MAPS += [ArcCosineFeatures(order, n_components=8, sampling=s, random_state=0)
         for order in (0, 1, 2) for s in ("iid", "antithetic")]
MAPS += [CoordinateFeatures(7, random_state=0), GaussianProductFeatures(n_components=8, random_state=0),
         RandomMaclaurinFeatures(n_components=9, exact_degrees=2, random_state=0),
         RandomMaclaurinFeatures(kernels.ExponentialDotProduct(2.0), n_components=300, random_state=0),
         NystroemFeatures(length_scale=0.5, n_components=40, random_state=0)]


def features(map_, draws, X):
    return map_._features(X, draws)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("map_", MAPS, ids=str)
def test_verbs(map_, dtype, form):
    data = form(X.astype(dtype))
    map_ = copy.deepcopy(map_).fit(data)
    draws, close = map_.draws_, {"rtol": 1e-3, "atol": 2e-5} if dtype == np.float32 else {"rtol": 1e-9, "atol": 1e-12}
    Z, m, before = map_.transform(data), len(draws), pickle.dumps(draws)
    assert Z.shape[1] == draws.width == map_.n_components_
    columns = draws.columns
    assert columns.shape[0] == m and len(np.unique(columns)) == columns.size

    picked = np.array([m - 1, 0, 2])
    few = draws.take(picked)
    found = features(map_, few, data)
    assert found.dtype == dtype and found.shape[1] == few.width
    np.testing.assert_allclose(found[:, few.columns], Z[:, columns[picked]], **close)
    mask = np.arange(m) % 2 == 0
    np.testing.assert_allclose(features(map_, draws.take(mask), data)[:, draws.take(mask).columns], Z[:, columns[mask]],
                               **close)

    a = np.linspace(0, 2, m)
    weighted = features(map_, draws.weighted(a), data)
    np.testing.assert_allclose(weighted[:, columns], Z[:, columns] * a[:, None], **close)
    twice = draws.weighted(a).weighted(2.0).take(picked)
    np.testing.assert_allclose(features(map_, twice, data)[:, twice.columns], 2 * weighted[:, columns[picked]], **close)

    for scales in (SCALES, np.float64(0.5)):
        stretched = features(map_, draws.stretched(scales), data)
        np.testing.assert_allclose(stretched, features(map_, draws, form((X * scales).astype(dtype))), **close)
    assert pickle.dumps(draws) == before  # no verb changes what it is called on


@pytest.mark.parametrize("weights", [None, "amplitudes"])
def test_grids(weights):
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=9, random_state=0).fit(X)
    draws = rb.draws_
    if weights:
        draws = draws.weighted(np.linspace(0.5, 2, 9))
    few = draws.take([7, 1])
    K = np.zeros((len(X), len(X)))
    for p in (7, 1):
        codes = np.floor(X / draws.pitches[p] - draws.shifts[p])
        a = np.broadcast_to(draws.amplitudes, 9)[p]
        K += a**2 * (codes[:, None] == codes).all(2)
    Z = features(rb, few, X)
    np.testing.assert_allclose((Z @ Z.T).toarray(), K, atol=1e-12)
    same = draws.take(np.arange(9))  # not those of the fit, whose boxes are those of X
    stretched, plain = features(rb, draws.stretched(SCALES), X), features(rb, same, X * SCALES)
    np.testing.assert_allclose((stretched @ stretched.T).toarray(), (plain @ plain.T).toarray(), atol=1e-12)
    rb._keep(few, X)
    assert rb.n_components_ == Z.shape[1] and rb.n_bins_.shape == (2,)
    np.testing.assert_allclose(rb.approximate_kernel(X), K, atol=1e-12)
    out = np.empty(Z.shape)
    np.testing.assert_allclose(rb.transform(X, out=out), rb.transform(X).toarray(), atol=1e-15)


@pytest.mark.parametrize("sampling", FREQUENCIES)
@pytest.mark.parametrize("phase", ["paired", "offset"])
def test_every_sampler_returns_waves(sampling, phase):
    waves = sample_waves(kernels.Gaussian(2.0), 300, 3, np.random.default_rng(0), sampling=sampling, phase=phase)
    assert isinstance(waves, Waves) and waves.width == (600 if phase == "paired" else 300)
    W = np.asarray(waves.frequencies)
    assert W.shape == (300, 3) and waves.amplitudes == np.sqrt(2 / waves.width)
    assert (waves.phases is None) == (phase == "paired")
    Z = fourier_features(X, W.T, waves.phases)
    # Hoeffding at level 1e-9 for one pair of points of an unbiased map; structured draws have a bias below 0.01 here
    k = kernels.Gaussian(2.0).value(X[0] - X[1])
    radius = (1 if phase == "paired" else 2) * np.sqrt(2 * np.log(2e9) / 300) + 0.01
    assert abs(Z[0] @ Z[1] - k) < radius


def test_a_map_takes_waves_that_it_has_not_drawn():
    rff = RandomFourierFeatures(length_scale=1.0, n_components=10, random_state=0).fit(X)
    waves = Waves(np.eye(3), [0.0, 1.0, 2.0], [1.0, -2.0, 0.0])
    rff.waves_ = waves
    assert rff.n_components_ == 3 and rff.transform(X).shape == (530, 3)
    np.testing.assert_allclose(rff.transform(X), [1, -2, 0] * np.cos(X + [0, 1, 2]), atol=1e-14)
    assert np.array_equal(rff.random_offset_, [0, 1, 2]) and np.array_equal(rff.random_weights_, np.eye(3))
    rff.random_weights_ = 2 * np.eye(3)
    np.testing.assert_allclose(rff.transform(X), [1, -2, 0] * np.cos(2 * X + [0, 1, 2]), atol=1e-14)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: Waves([1.0, 2.0]), "frequencies is"), (lambda: Waves([[np.nan]]), "frequencies is"),
    (lambda: Waves([["a"]]), "frequencies is"), (lambda: Waves(np.eye(2), [1.0]), "phases is"),
    (lambda: Waves(np.eye(2), [1.0, np.inf]), "phases is"),
    (lambda: Waves(np.eye(2), amplitudes=[1.0, 2.0, 3.0]), "amplitudes has"),
    (lambda: Waves(np.eye(2)).weighted([1.0]), "amplitudes has"),
    (lambda: Waves(np.eye(2)).weighted(np.nan), "amplitudes holds NaN"),
    (lambda: ArcCosineFeatures(random_state=0).fit(X).draws_.weighted("all"), "amplitudes is a str"),
    (lambda: Waves(np.eye(2)).take([2]), "indices is"), (lambda: Waves(np.eye(2)).take([True]), "indices is"),
    (lambda: Waves(np.eye(2)).cast(int), "dtype is"), (lambda: Waves([[1.0], [1.0, 2.0]]), "frequencies is"),
    (lambda: Waves(np.eye(2)).stretched(np.eye(2)), "scales has"),
    (lambda: ArcCosineFeatures(random_state=0).fit(X).draws_.weighted(-1.0), "amplitudes holds"),
    (lambda: RandomBinningFeatures(length_scale=1.0, random_state=0).fit(X).draws_.stretched(0.0), "scales holds"),
    (lambda: sample_waves(kernels.Gaussian(), 3, 2, np.random.default_rng(0), sampling="best"), "sampling is"),
    (lambda: sample_waves(kernels.Gaussian(), 3, 2, np.random.default_rng(0), phase="none"), "phase is"),
])
def test_wrong_arguments_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()
