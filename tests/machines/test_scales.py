"""The search for a scale: what it tries on purpose is nobody's mistake."""

import warnings

import numpy as np

from rfbook.machines import scales


def test_poor_scales_are_tried_in_silence():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 3))
    search = scales._Search(X, X[:, :1], None, 20, rng)
    assert search.open("standard")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        errors = [search.best(("standard", "gaussian", multiple)).score for multiple in (1e-4, 1.0)]
    assert errors[1] < 0.3 < errors[0]
