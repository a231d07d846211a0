"""Structured and Fastfood frequencies: bounds of bias and variance."""

import numpy as np
import pytest

from rfbook import bounds


def test_bounds():
    t = np.array([[0.0, 0.5], [2.0, 1e100]])
    for d in (2, 64, 65, 2**62):
        B = bounds.structured_bias(t, d)
        assert B.shape == t.shape and B[0, 0] == 0 and (B >= 0).all() and (B <= 2).all()
    assert bounds.structured_bias(3.0, 1) == 0 and bounds.structured_bias(1.0, 65) == bounds.structured_bias(1.0, 128)
    assert bounds.structured_bias(np.inf, 9) == 2
    for d in (1, 2, 64, 65, 2**62):
        for phase in ("paired", "offset"):
            with np.errstate(under="ignore"):
                k, k2 = np.exp(-(t**2) / 2), np.exp(-2 * t**2)
            single = bounds.fourier_variance(k, k2, 128, phase)
            V = bounds.fastfood_variance(t, 128, d, phase)
            assert V.shape == t.shape and np.isfinite(V).all()
            p = 1 << (d - 1).bit_length()
            least = bounds.orthogonal_variance(t, 128, p, phase)
            assert (V >= least - 1e-15).all() and (d > 1 or (V == single).all())
    with pytest.raises(ValueError, match="distance"):
        bounds.structured_bias(-1.0, 3)
    with pytest.raises(ValueError, match="dimension"):
        bounds.structured_bias(1.0, 0)
    with pytest.raises(ValueError, match="phase"):
        bounds.fastfood_variance(1.0, 20, 4, "both")
    with pytest.raises(ValueError, match="distance"):
        bounds.fastfood_variance([np.nan], 20, 4, "paired")


@pytest.mark.parametrize("p", [2, 4, 64, 1024, 2**20])
def test_bias_is_what_the_theorem_prints(p):
    """The least of 2, of part 2 and of part 3 for three rounds."""
    t, c = np.array([0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 50.0]), (1 + 2 / p) * (1 + 4 / p) * (1 + 6 / p)
    second = (1 + 2 / p) * (2 / p) ** 2 * t**4 / 12 + c / p**2 * (15 / 8 * t**6 + 35 / 48 * t**8)
    want = np.minimum(np.minimum((1 + 2 / p) * t**4 / (2 * p), second), 2)
    np.testing.assert_allclose(bounds.structured_bias(t, p), want, rtol=1e-13)
