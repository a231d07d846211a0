"""Sums over pools of candidates: in the precision of the rows."""

import numpy as np

from rfbook import RandomFourierFeatures
from rfbook.adaptive.pools import feature_means


def test_targets_have_the_precision_of_the_rows(monkeypatch):
    """Loops are compiled for one type of numbers, and a product of two types would copy the features."""
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((50, 3)).astype(np.float32), rng.standard_normal((50, 2))
    map_, seen = RandomFourierFeatures(n_components=8, length_scale=1.0, random_state=0).fit(X), []
    summer = map_._summer

    def noting(*args):
        make = summer(*args)
        return lambda: lambda rows, targets: seen.append(targets.dtype) or make()(rows, targets)

    monkeypatch.setattr(map_, "_summer", noting)
    for weights in (None, rng.random(50)):
        found = feature_means(map_, X, Y, map_.draws_, weights)
        shares = np.ones(50) if weights is None else weights
        want = (Y * shares[:, None]).T @ map_.transform(X) / shares.sum()
        np.testing.assert_allclose(found, want[:, map_.draws_.columns], atol=1e-5)
    assert {*seen} == {X.dtype}
