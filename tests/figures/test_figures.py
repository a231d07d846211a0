"""Drawings of records and counts."""

import pytest

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
    assert all(roof.get_xdata()[0] < x / 200 and roof.get_xdata()[-1] > x for roof in ax.lines[:2])  # over all points
    top = ax.lines[-2].get_data()[1][0]
    assert top == pytest.approx((1e6 + 240) / 1e9 / least_seconds(point["work"], machine))
    plt.close(fig)
    fig, ax = plt.subplots()
    assert len(figures.roofline(ax, machine, [], "float64").lines) == 2  # the roofs alone
    plt.close(fig)
