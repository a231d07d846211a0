"""Bounds of the chapter on pruning: their formulas, limits and wrong arguments."""

import math

import numpy as np
import pytest

from rfbook import bounds


def test_choice():
    assert math.isclose(bounds.choice_excess(200, 20, 0.05), math.sqrt(2 * math.log(800) / 200))
    assert bounds.choice_excess(100, 10, 1e-300) < bounds.choice_excess(1, 10, 1e-300)
    assert bounds.choice_excess([100, 400], 10, 0.1).shape == (2,)


def test_recursion_of_the_pursuit():
    """The closed form is the fixed recursion x <- rho x + tau h from the size, or below it."""
    delta, size, noise = 0.4, 3.0, 0.2
    rho = math.sqrt(2) * delta / math.sqrt(1 - delta**2)
    tau = math.sqrt(2 / (1 - delta)) + math.sqrt(1 + delta) / (1 - delta)
    x = size
    for k in range(1, 30):
        x = rho * x + tau * noise
        assert x <= bounds.pursuit_error(k, delta, size, noise) * (1 + 1e-12)
    assert math.isclose(x, bounds.pursuit_error(10**6, delta, size, noise), rel_tol=1e-3)
    assert bounds.pursuit_error(3, 0.0, size, 0.0) == 0


@pytest.mark.parametrize(("name", "value"), [
    ("isometry", 0.58), ("isometry", -0.1), ("isometry", math.nan), ("size", -1), ("size", math.inf), ("noise", "x"),
    ("n_steps", 0), ("n_steps", 1.5)])
def test_wrong_arguments(name, value):
    good = {"n_steps": 3, "isometry": 0.2, "size": 1.0, "noise": 0.0}
    with pytest.raises(ValueError, match=f"^{name} is "):
        bounds.pursuit_error(**{**good, name: value})


def test_arrays():
    found = bounds.pursuit_error(np.arange(1, 4), 0.2, 1.0, 0.1)
    assert found.shape == (3,) and (np.diff(found) < 0).all()
