"""The synthetic problem: moments, noise, seeds, and what it refuses."""

import numpy as np
import pytest

from rfbook.datasets import make_smooth_regression, smooth_regression_function


def test_smooth_regression():
    """Mean 0, variance 1 (within 5 standard errors), the noise as asked, the seed decides all."""
    for d in (1, 2, 5):
        X, y = make_smooth_regression(20_000, d, noise=0, random_state=0)
        assert (
            X.shape == (20_000, d)
            and np.abs(X).max() <= 1
            and np.array_equal(y, smooth_regression_function(X))
        )
        assert abs(y.mean()) < 5 * y.std() / 20_000**0.5 and abs(y.var() - 1) < 5 * np.std(y**2) / 20_000**0.5
    a, b = (make_smooth_regression(50, 2, noise=0.3, random_state=np.random.RandomState(1)) for _ in range(2))
    assert np.array_equal(a[1], b[1])
    assert np.array_equal(
        make_smooth_regression(5, 2, random_state=np.random.default_rng(3))[0],
        make_smooth_regression(5, 2, noise=2, random_state=3)[0],
    )


@pytest.mark.parametrize("arguments, name", [((0, 2), "n"), ((True, 2), "n"), ((5, 2.0), "d"), ((5, "2"), "d")])
def test_smooth_regression_refuses(arguments, name):
    """Sizes are integers of at least 1, noise is finite, the seed is a seed."""
    with pytest.raises(ValueError, match=f"{name} is"):
        make_smooth_regression(*arguments)
    for key, bad in (("noise", -1), ("noise", np.nan), ("noise", "1"), ("random_state", "x"), ("random_state", -1)):
        with pytest.raises(ValueError, match=f"{key} is"):
            make_smooth_regression(5, 2, **{key: bad})
