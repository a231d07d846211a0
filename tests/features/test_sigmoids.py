"""Sigmoids of rows: those that are asked for, in blocks."""

import numpy as np

from rfbook.maps import sigmoids


def test_rows_in_the_middle_are_filled(monkeypatch):
    monkeypatch.setattr(sigmoids, "BLOCK", 3)
    rng = np.random.default_rng(0)
    X, W, b, out = rng.standard_normal((20, 3)), rng.standard_normal((6, 3)), rng.standard_normal(6), np.empty((8, 6))
    sigmoids.sigmoid_filler(X, sigmoids.Sigmoids(W, b, np.full(6, 0.5)))()(slice(5, 13), out)
    np.testing.assert_allclose(out, 0.5 / (1 + np.exp(-X[5:13] @ W.T - b)), rtol=1e-12)
