"""Checks of draws compare many numbers, each with its share of the false alarm and its own radius: all are counted."""

import numpy as np
import pytest

from rfbook.lab import coursework


@pytest.mark.parametrize(("n", "q"), [(2000, 1), (2500, 2), (4000, 3)])
def test_each_comparison_has_its_share_of_the_false_alarm(n, q, monkeypatch):
    shares, radius, counted = [], coursework.mean_radius_by_variance, {"cells": 0, "tails": 0}
    entropy = coursework._relative_entropy

    def compared(share, p):
        counted["cells" if np.ndim(p) == 0 else "tails"] += np.size(share)
        return entropy(share, p)

    monkeypatch.setattr(coursework, "mean_radius_by_variance", lambda *a: shares.append(a[-1]) or radius(*a))
    monkeypatch.setattr(coursework, "_relative_entropy", compared)
    coursework.independent_uniforms(np.random.default_rng(3).random((n, q)), "thm-bochner", "the draws")
    gaps, together = q, 2 * (q + (q > 1))  # numbers of empty cells, as they are and folded, for each column and for all
    count = len(shares) + counted["cells"] + counted["tails"] + gaps + together
    assert len(shares) == q * coursework.DEGREE and {*shares} == {shares[0]} and len(counted) == 2
    assert shares[0] * count <= coursework.LEVEL <= 1.1 * shares[0] * count


def test_the_radius_of_a_smooth_function_is_that_of_its_largest_value(monkeypatch):
    """Legendre polynomials are largest at the ends."""
    largest, radius = [], coursework.mean_radius_by_variance
    monkeypatch.setattr(coursework, "mean_radius_by_variance", lambda *a: largest.append(a[2]) or radius(*a))
    coursework.independent_uniforms(np.random.default_rng(3).random((2000, 1)), "thm-bochner", "the draws")
    np.testing.assert_allclose(largest, np.abs(coursework._legendre_means(np.ones(1))).ravel(), rtol=1e-12)
