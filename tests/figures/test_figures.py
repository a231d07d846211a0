"""Drawings of records and counts."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from rfbook import figures
from rfbook.lab.bench.roofline import least_seconds


def test_drawing_under_the_roofs():
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    machine = {"product": 3e10, "cosine": 1e9, "hadamard": 5e9, "read": 2e10, "write": 1e10, "update": 1.5e10}
    point = {"name": "here", "work": {"product": 1e6, "cosine": 10, "read": 1e3, "write": 1e3}, "seconds": 1.0}
    fig, ax = plt.subplots()
    figures.roofline(ax, machine, [point], "float64")
    (x,), (y,) = ax.lines[-1].get_data()
    assert x == pytest.approx((1e6 + 240) / 2e3) and y == pytest.approx((1e6 + 240) / 1e9)
    top = ax.lines[-2].get_data()[1][0]
    assert top == pytest.approx((1e6 + 240) / 1e9 / least_seconds(point["work"], machine))
    plt.close(fig)
    fig, ax = plt.subplots()
    assert len(figures.roofline(ax, machine, [], "float64").lines) == 2  # the roofs alone
    plt.close(fig)


def test_relevances_are_ranked_and_the_rest_is_summed_up():
    class Machine:
        relevances_ = np.array([0.1, 0.5, 0.15, 0.25])

    ax = figures.ranked_relevances(Figure().subplots(), Machine(), ["a", "b", "c", "d"], most=2)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["b", "d", "2 others"]
    np.testing.assert_allclose([bar.get_width() for bar in ax.patches], [0.5, 0.25, 0.25])
    assert ax.yaxis_inverted()
    numbered = figures.ranked_relevances(Figure().subplots(), Machine())
    assert [t.get_text() for t in numbered.get_yticklabels()] == ["1", "3", "2", "0"]
