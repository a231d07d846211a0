"""Sums and products of kernels: values, laws, moments, uniform numbers, what takes them, what is refused."""

import math
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone

from rfbook import (
    Cauchy,
    Gaussian,
    KernelRidgeRegressor,
    Laplacian,
    Matern,
    ProductKernel,
    RandomFeatureGP,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    StretchedExponential,
    SumKernel,
)
from rfbook.draws import FREQUENCIES, sample_waves
from rfbook.lab.ledger import LEVEL, mean_radius

PARTS = [Gaussian(2.0), Laplacian([0.5, 1.0, 2.0]), Matern(1.5, 0.7)]
WEIGHTS = np.array([0.5, 0.2, 0.3])
NESTED = SumKernel([ProductKernel([Gaussian(2.0), Laplacian(3.0)]), Cauchy(0.5)], [3, 1], 1.5)
ALL = [SumKernel(PARTS, WEIGHTS), ProductKernel(PARTS), SumKernel(PARTS, length_scale=[1.0, 2.0, 3.0]), NESTED,
       ProductKernel([SumKernel(PARTS), Gaussian(1.0)], length_scale=2.0)]
RADIAL = [SumKernel([Gaussian(2.0), Matern(1.5, 0.7)]), ProductKernel([Gaussian(2.0), Matern(0.5, 3.0)])]
every = pytest.mark.parametrize("kernel", ALL + RADIAL, ids=range(len(ALL + RADIAL)))


def rng(seed=0):
    return np.random.default_rng(seed)


def test_values_are_sums_and_products():
    delta = rng().standard_normal((2, 20, 3))
    each = np.array([part.value(delta) for part in PARTS])
    assert_allclose(SumKernel(PARTS, 10 * WEIGHTS).value(delta), np.tensordot(WEIGHTS, each, 1), rtol=1e-14)
    assert_allclose(SumKernel(PARTS).value(delta), each.mean(0), rtol=1e-14)
    assert_allclose(ProductKernel(PARTS).value(delta), each.prod(0), rtol=1e-14)
    assert_allclose(ProductKernel(PARTS, 2.0).value(2 * delta), each.prod(0), rtol=1e-14)
    assert_array_equal(SumKernel(PARTS, rng(1).random(3)).value(np.zeros((1, 3))), 1.0)  # to the last bit
    assert_array_equal([k.value([np.inf, 0.0, 0.0]) for k in ALL], 0.0)


@every
def test_matrices(kernel):
    X, Y = rng().standard_normal((40, 3)), rng(1).standard_normal((9, 3))
    K = kernel(X)
    assert_array_equal(K, K.T)
    assert_array_equal(np.diag(K), 1.0)
    assert_allclose(K, kernel.value(X[:, None] - X[None]), rtol=1e-10, atol=1e-13)
    assert_allclose(kernel(sparse.csr_array(X), sparse.csr_array(Y)), kernel(X, Y), rtol=1e-10, atol=1e-13)
    wide = rng(2).standard_normal((30, 40)) / 4  # distances from products where the kernel is radial
    if kernel in RADIAL:
        assert_allclose(kernel(wide), kernel.value(wide[:, None] - wide[None]), rtol=0, atol=1e-10)


@every
@pytest.mark.parametrize("sampling", ["iid", "sobol"])
def test_the_law_is_that_of_the_kernel(kernel, sampling):
    n, t = 1 << 14, rng(3).standard_normal((8, 3))
    W = FREQUENCIES["iid"](kernel, n, 3, rng(4)) if sampling == "iid" else kernel.frequencies_from_uniforms(
        np.clip(rng(4).random((n, kernel.n_uniforms(3))), 1e-12, None), 3)
    assert np.abs(np.cos(W @ t.T).mean(0) - kernel.value(t)).max() <= mean_radius(n, 2.0, LEVEL / 8)


@pytest.mark.parametrize("kernel", RADIAL, ids=("sum", "product"))
@pytest.mark.parametrize("sampling", ["orthogonal", "fastfood"])
def test_radial_draws(kernel, sampling):
    assert kernel.radial
    n, d = 1 << 14, 4
    W = np.asarray(sample_waves(kernel, n, d, rng(5), sampling=sampling).frequencies)
    t = rng(6).standard_normal((6, d)) / 2
    assert np.abs(np.cos(W @ t.T).mean(0) - kernel.value(t)).max() <= mean_radius(n // d, 2.0, LEVEL / 6)


def test_what_is_radial():
    assert not any(kernel.radial for kernel in ALL)
    assert not SumKernel([Gaussian([1.0, 2.0])]).radial and SumKernel([Gaussian()], length_scale=[1.0, 2.0]).radial
    assert ProductKernel([Laplacian(2.0), Laplacian()])._metric == "cityblock"
    assert ProductKernel([Laplacian([2.0, 1.0])])._metric is None
    with pytest.raises(ValueError, match="only if it is radial"):
        sample_waves(ALL[0], 8, 3, rng(), sampling="orthogonal")


@every
def test_draws_are_nested(kernel):
    few, many = (kernel.sample_frequencies(n, 3, rng(7)) for n in (5, 80))
    assert_array_equal(few, many[:5])


def test_quasi_random_shares_are_even():
    """The first coordinate picks the part, so of 2^k points each share is off by one point at most."""
    kernel = SumKernel([Gaussian(1e-3), Gaussian(1e3)], [0.3, 0.7])
    W = sample_waves(kernel, 1024, 2, rng(8), sampling="sobol").frequencies
    assert abs(np.sum(np.linalg.norm(W, axis=1) > 1) - 0.3 * 1024) <= 1
    independent = sample_waves(kernel, 1024, 2, rng(8)).frequencies
    assert abs(np.mean(np.linalg.norm(independent, axis=1) > 1) - 0.3) <= mean_radius(1024, 1.0)


def test_densities():
    w = rng(9).standard_normal((50, 3))
    each = [part.spectral_density(w) for part in PARTS]
    assert_allclose(SumKernel(PARTS, WEIGHTS).spectral_density(w), np.tensordot(WEIGHTS, each, 1), rtol=1e-12)
    two = SumKernel(PARTS, WEIGHTS, [1.0, 2.0, 3.0])
    assert_allclose(two.spectral_density(w), 6 * SumKernel(PARTS, WEIGHTS).spectral_density(w * [1, 2, 3]), rtol=1e-12)
    with pytest.raises(NotImplementedError, match="convolution"):
        ProductKernel(PARTS).spectral_density(w)


def test_second_moments():
    smooth = [Gaussian([1.0, 2.0]), Matern(2.5, 0.7), Cauchy(3.0)]
    each = np.array([part.second_moment(2) for part in smooth])
    assert SumKernel(smooth, WEIGHTS).second_moment(2) == pytest.approx(WEIGHTS @ each)
    assert ProductKernel(smooth).second_moment(2) == pytest.approx(each.sum())
    assert ProductKernel(smooth, 2.0).second_moment(2) == pytest.approx(each.sum() / 4)
    by_column = 1 + 5 / 3 / 0.49 + 2 / 9, (0.25 + 5 / 3 / 0.49 + 2 / 9) / 9
    assert ProductKernel(smooth, [1.0, 3.0]).second_moment(2) == pytest.approx(sum(by_column))
    assert SumKernel([Gaussian(), Laplacian()]).second_moment(2) == math.inf == ALL[1].second_moment(3)
    assert SumKernel([Gaussian(), Laplacian()], [1, 0]).second_moment(2) == pytest.approx(2.0)


@pytest.mark.parametrize("kernel", [*RADIAL, SumKernel([Gaussian(1.0), Laplacian(2.0)], [1, 3]),
                                    ProductKernel([Gaussian([1.0, 5.0, 0.2]), Cauchy(1.0)], [3.0, 1.0, 1.0]),
                                    ProductKernel([Matern(0.7), StretchedExponential(0.9)])], ids=range(5))
def test_spectral_moments_bound(kernel):
    """E min(2, |w| r)^2 is at most 4 (r / 2)^q E|w|^q for every q, so it is below the least of these bounds."""
    n, orders = 50_000, np.linspace(0.05, 2, 40)
    moments = np.array([kernel.spectral_moment(q, 3) for q in orders])
    assert np.isfinite(moments[0]) and kernel.spectral_moment(2, 3) == pytest.approx(kernel.second_moment(3))
    norms = np.linalg.norm(kernel.sample_frequencies(n, 3, rng(10)), axis=1)
    for reach in (0.1, 1.0):
        found = np.mean(np.minimum(2, norms * reach) ** 2)
        assert found <= (4 * (reach / 2) ** orders * moments).min() + mean_radius(n, 4.0, LEVEL)


def test_a_part_of_no_weight_is_not_drawn():
    only = SumKernel([Gaussian(1e-3), Gaussian(), Gaussian(1e-3)], [0.0, 1.0, 0.0])
    assert np.abs(only.sample_frequencies(1000, 2, rng())).max() < 10
    u = np.full((3, only.n_uniforms(2)), 0.5)
    u[:, 0] = 1e-300, 0.5, 1 - 1e-16
    assert np.abs(only.frequencies_from_uniforms(u, 2)).max() < 10


@every
def test_machines_take_them(kernel):
    X = rng(11).uniform(-2, 2, (200, 3))
    y = np.sin(X[:, 0]) + 0.1 * rng(12).standard_normal(200)
    clone(RandomFourierFeatures(kernel))
    exact = KernelRidgeRegressor(kernel, alpha=0.1).fit(X, y)
    assert_allclose(kernel(X) @ exact.dual_coef_ + 0.1 * exact.dual_coef_ + exact.intercept_, y, atol=1e-4)
    machine = RandomFeatureRegressor(kernel=kernel, n_components=4000, alpha=0.1, random_state=0).fit(X, y)
    assert np.abs(machine.predict(X) - exact.predict(X)).mean() < 0.1
    given = dict(amplitude=1.0, noise=0.01, mean=0.0, random_state=0)
    gp = RandomFeatureGP(kernel, posterior="exact", **given).fit(X, y)
    B = np.linalg.solve(kernel(X) + 0.01 * np.eye(200), kernel(X, X[:5])).T
    mean, std = gp.predict(X[:5], return_std=True)
    assert_allclose(mean, B @ y, atol=1e-8)
    assert_allclose(std**2, 1 - (B * kernel(X[:5], X)).sum(1), atol=1e-8)


def test_a_machine_and_its_copies():
    kernel = NESTED
    again = pickle.loads(pickle.dumps(kernel))
    assert repr(clone(kernel, safe=False)) == repr(kernel) == repr(again)
    X = rng(13).standard_normal((30, 3))
    assert_array_equal(again(X), kernel(X))


@pytest.mark.parametrize("kernels", [[], None, Gaussian(), [Gaussian], ["gaussian"], [Gaussian(), 3], 1.0, [None]])
@pytest.mark.parametrize("kind", [SumKernel, ProductKernel])
def test_wrong_parts(kind, kernels):
    for call in (lambda k: k.value([[1.0]]), lambda k: k([[1.0]]), lambda k: k.sample_frequencies(3, 1, rng()),
                 lambda k: k.second_moment(1), lambda k: RandomFourierFeatures(k, sampling="orthogonal").fit([[1.0]])):
        with pytest.raises(ValueError, match="^kernels is .*; it may be a list of kernels such as"):
            call(kind(kernels))


@pytest.mark.parametrize("weights", [[1.0], [1.0, 2.0, 3.0], [1.0, -1.0], [0.0, 0.0], [1.0, np.nan], [np.inf, 1.0],
                                     "equal", [[0.5, 0.5]]])
def test_wrong_weights(weights):
    for call in (lambda k: k.value([[1.0]]), lambda k: k.sample_frequencies(3, 1, rng())):
        with pytest.raises(ValueError, match="^weights "):
            call(SumKernel([Gaussian(), Cauchy()], weights))
