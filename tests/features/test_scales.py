"""Rules for length scales, against all distances at once."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist

from rfbook import RandomFourierFeatures
from rfbook.maps import scales as _scales

rng = np.random.default_rng(0)


@pytest.mark.parametrize("n", [2, 30, 120])
@pytest.mark.parametrize("rank", [1, 2, 5, 50])
def test_the_neighbour_of_a_rank_is_that_of_all_distances(n, rank):
    X = rng.standard_normal((n, 3))
    found = _scales.neighbour_distance(X, np.random.default_rng(0), rank=rank)
    want = np.sort(cdist(X, X), axis=1)[:, min(rank, n - 1)]  # place 0 is the row itself
    assert found == pytest.approx(want.mean(), rel=1e-9)


def test_the_rule_of_the_paper_takes_the_fiftieth():
    X = np.arange(101.0)[:, None]  # within 25 of an end a row has neighbours on one side that are farther
    by_hand = (25 * 51 + 2 * sum(50 - m for m in range(25))) / 101
    assert _scales.RULES["knn"](X, rng) == pytest.approx(by_hand)


def test_neighbours_are_sought_among_all_rows():
    X = rng.standard_normal((1500, 2))
    distances = np.sort(cdist(X, X), axis=1)[:, 50]
    found = [_scales.neighbour_distance(X, np.random.default_rng(seed)) for seed in range(2)]
    # means of 1,000 of the 1,500 numbers: five deviations of a mean without replacement
    radius = 5 * distances.std() * np.sqrt((1 / 1000) * (1 - 1000 / 1500))
    assert found[0] != found[1] and max(abs(np.array(found) - distances.mean())) < radius


@pytest.mark.parametrize("made", [np.asarray, sparse.csr_matrix])
def test_the_median_distance_and_the_spread_are_those_of_all_pairs(made):
    X = np.where(rng.random((60, 4)) < 0.5, rng.standard_normal((60, 4)) + 2, 0.0)
    want = np.median(cdist(X, X)[np.triu_indices(60, 1)])
    assert _scales.median_distance(made(X), rng) == pytest.approx(want, rel=1e-7)
    assert _scales._spread(made(X)) == pytest.approx(X.std(), rel=1e-9)


def test_most_rows_equal_take_the_mean():
    X = np.zeros((10, 1))
    X[0] = 3.0
    assert _scales.median_distance(X, rng) == pytest.approx(3.0 * 9 / 45)


@pytest.mark.parametrize(("length_scale", "word"), [(1e-3, "below 0.01"), (1e3, "above 0.99")])
def test_a_scale_for_which_all_pairs_are_alike_is_named(length_scale, word):
    """Ten rows are 45 pairs, whatever the number of columns; on the line, of equally spaced ones none are near."""
    fixed = np.random.default_rng(0)
    for X in (np.linspace(-2, 2, 10)[:, None], fixed.standard_normal((10, 3)), fixed.standard_normal((300, 2))):
        with pytest.warns(UserWarning, match=f"{word}.* for 100% of the pairs"):
            RandomFourierFeatures(length_scale=length_scale, random_state=0).fit(X)
