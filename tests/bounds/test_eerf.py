"""Bounds of scores where claims do not go: scales whose squares overflow, counts beyond the floats, limits."""

import numpy as np
import pytest

from rfbook.bounds import bump_rows, score_peak, score_rows


def test_the_peak_of_any_scale():
    scales = [0.0, 1e-9, 1.0, 1e160, np.inf]
    np.testing.assert_allclose(score_peak(scales, 2), [1.0, 1.0, 0.5, 0.0, 0.0], atol=1e-300)
    assert score_peak(1e160, 1) == pytest.approx(1e-160)


def test_without_spread_a_bump_is_a_coin():
    assert bump_rows(0.0, 7, 1000, 0.05) == score_rows(1.0, 1000, 0.05)


def test_in_many_dimensions_the_exponent_is_halved_and_rows_may_be_infinite():
    ratio = bump_rows([10.0, 20.0], 8, 1000, 0.05) * score_peak([10.0, 20.0], 8)
    assert ratio[0] == pytest.approx(ratio[1], rel=0.05) and ratio[0] < 10 / 3 * np.log(2 * 1000 / 0.05)
    assert np.isposinf(bump_rows([1e200, np.inf], 50, 10, 0.5)).all()
    assert (np.diff(bump_rows(np.linspace(0, 20, 100), 3, 100, 0.1)) >= 0).all()
