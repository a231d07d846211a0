"""Positive features and attention: edges, types and errors."""

import numpy as np
import pytest

from rfbook import PositiveFeatures, bounds, load, save
from rfbook.features import attention, linear_attention

X = np.random.default_rng(0).standard_normal((30, 3)) / 2


@pytest.mark.parametrize("kind", ["exponential", "hyperbolic", "optimal"])
def test_a_point_and_its_opposite_have_no_error_where_nothing_is_damped(kind):
    f = PositiveFeatures(kind, n_components=2, random_state=0).fit(X)
    K = f.approximate_kernel(X, -X).diagonal() * np.exp((X**2).sum(1))
    assert kind == "optimal" or np.allclose(K, 1)
    assert (bounds.positive_variance(0.0, 3, 2, kind) == 0) and (f.transform(X) > 0).all()


def test_a_file_keeps_the_map(tmp_path):
    f = PositiveFeatures("hyperbolic", n_components=7, length_scale=[1.0, 2.0, 3.0], random_state=0).fit(X)
    save(f, tmp_path / "map.npz")
    assert np.array_equal(load(tmp_path / "map.npz").transform(X), f.transform(X))


def test_one_column_and_one_row():
    out = linear_attention([[0.5]], [[2.0]], [[3.0, 4.0]], n_components=1, random_state=0)
    assert np.allclose(out, [[3.0, 4.0]]) and PositiveFeatures(n_components=1).fit_transform([[0.3]]).shape == (1, 1)


def test_heads_share_draws_and_single_precision_stays():
    Q, K, V = np.random.default_rng(1).standard_normal((3, 2, 5, 40, 4)).astype(np.float32)
    out = linear_attention(Q, K, V, kind="exponential", causal=True, random_state=0)
    assert out.dtype == np.float32 and out.shape == V.shape
    assert np.allclose(out[1, 2], linear_attention(Q[1, 2], K[1, 2], V[1, 2], kind="exponential", causal=True,
                                                   random_state=0), atol=1e-5)
    assert np.abs(out - attention(Q, K, V, causal=True)).mean() < 0.3


@pytest.mark.parametrize(("change", "says"), [
    ({"Q": X[:, :2]}, "Q has shape"), ({"V": X[:3]}, "Q has shape"), ({"K": X * np.nan}, "K holds NaN"),
    ({"scale": -1.0}, "scale is -1"), ({"kind": "cosine"}, "kind is 'cosine'"), ({"causal": 2}, "causal is 2"),
    ({"Q": X[:4], "causal": True}, "as many queries as keys"), ({"n_components": 0}, "n_components is 0"),
])
def test_what_is_wrong_is_named(change, says):
    with pytest.raises(ValueError, match=says):
        linear_attention(**{"Q": X, "K": X, "V": X, **change})
