"""Dot-product kernels: values against scikit-learn's and against their power series."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics.pairwise import polynomial_kernel

from rfbook import kernels

X = np.random.default_rng(0).standard_normal((40, 5)) / np.sqrt(5)
KERNELS = [kernels.Polynomial(), kernels.Polynomial(2, 0.0, [1.0, 2.0, 0.5, 1.0, 3.0]), kernels.Polynomial(1, 2.0),
           kernels.PowerSeries([0.5, 0.0, 1.0, 0.2], 1.5), kernels.PowerSeries([2.0]),
           kernels.Polynomial(2, 1.5, [1.0, 2.0, 0.5, 1.0, 3.0])]


@pytest.mark.parametrize(("degree", "coef0", "ell"), [(3, 1.0, 1.0), (2, 0.0, 0.5), (1, 4.0, 3.0), (7, 0.3, 2.0)])
def test_polynomial_is_that_of_scikit_learn(degree, coef0, ell):
    K = kernels.Polynomial(degree, coef0, ell)
    want = polynomial_kernel(X, X[:3], degree, 1 / ell**2, coef0)
    np.testing.assert_allclose(K(X, X[:3]), want, rtol=1e-12, atol=1e-13)
    theirs = polynomial_kernel(X, degree=degree)
    np.testing.assert_allclose(kernels.Polynomial(degree, length_scale=5**0.5)(X), theirs, rtol=1e-12, atol=1e-13)
    assert np.array_equal(K(X), K(X).T)


@pytest.mark.parametrize("kernel", [*KERNELS, kernels.ExponentialDotProduct(), kernels.ExponentialDotProduct(2.0)])
def test_values_are_sums_of_the_series(kernel):
    t = (X / kernel.length_scale) @ (X / kernel.length_scale).T
    c = kernel.taylor_coefficients(60)
    assert c.shape == (60,) and (c >= 0).all() and np.array_equal(kernel.taylor_coefficients(3), c[:3])
    assert kernel.taylor_coefficients(0).shape == (0,)
    np.testing.assert_allclose(kernel(X), sum(c[i] * t**i for i in range(60)), rtol=1e-12, atol=1e-12)
    assert np.linalg.eigvalsh(kernel(X))[0] > -1e-10
    for twin in (clone(kernel), pickle.loads(pickle.dumps(kernel))):
        assert repr(twin) == repr(kernel) and np.array_equal(twin(X), kernel(X))


@pytest.mark.parametrize(("kernel", "message"), [
    (kernels.Polynomial(0), "degree is 0"), (kernels.Polynomial(65), "degree is 65"),
    (kernels.Polynomial(2.0), "degree is"),
    (kernels.Polynomial(2, -1.0), "coef0 is -1"), (kernels.Polynomial(2, np.nan), "coef0 is nan"),
    (kernels.Polynomial(length_scale=0.0), "length_scale is 0"), (kernels.Polynomial(3, 1e300), "overflow"),
    (kernels.PowerSeries([1.0, -0.5]), "coefficients is"), (kernels.PowerSeries([]), "coefficients is"),
    (kernels.PowerSeries([[1.0]]), "coefficients is"), (kernels.PowerSeries([np.inf]), "coefficients is"),
    (kernels.ExponentialDotProduct(1e-3), "overflow"),
])
def test_wrong_parameters_are_named(kernel, message):
    with pytest.raises(ValueError, match=message):
        kernel(X)
