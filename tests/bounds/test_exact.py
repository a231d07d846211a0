"""Bounds of the exact machine where claims do not go: no steps, equal eigenvalues, very many steps, no convergence."""

import numpy as np
import pytest

from rfbook.bounds import cg_error, refinement_rate, spectral_condition


def test_steps_at_the_ends():
    assert cg_error(0, [1.0, 5.0, 1e300]).tolist() == [1.0, 1.0, 1.0]
    assert cg_error([1, 9], 1.0).tolist() == [0.0, 0.0] and cg_error(100_000, 2.0) == 0.0
    assert cg_error(1, [3.0, 1e6]) == pytest.approx([0.5, (1e6 - 1) / (1e6 + 1)])  # the method of steepest descent
    assert (np.diff(cg_error(np.arange(50), 40.0)) < 0).all()


def test_refinement_stands_still_at_the_threshold():
    assert refinement_rate(10.0, 0.0, 0.3) == 0.3 and refinement_rate(10.0, 0.03, 0.4) == pytest.approx(1.0)
    assert np.isposinf(refinement_rate([10.0, 1e300], 0.1, 0.0)).all()


def test_a_perfect_sketch():
    assert spectral_condition(0.0) == 1.0
