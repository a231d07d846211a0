"""Product and random Maclaurin features: exact variances by enumeration, counts of copies."""

import itertools
import math

import numpy as np
import pytest

from rfbook import bounds


def test_variances_want_one_width():
    for function in (bounds.product_variance, bounds.maclaurin_variance):
        assert function([0, 1, 1], np.ones((4, 1, 3)), np.ones((6, 3)), 9).shape == (4, 6)
        for x, y in ((np.ones(1), np.ones(2)), (np.ones((4, 3)), np.ones(1)), (np.ones((4, 3)), np.ones((5, 3)))):
            with pytest.raises(ValueError, match="of one width"):
                function([0, 1, 1], x, y, 9)


@pytest.mark.filterwarnings("error")
def test_variances_that_overflow_say_which_arguments_are_theirs():
    for function, last in ((bounds.product_variance, "fourth_moment"), (bounds.maclaurin_variance, "radius")):
        with pytest.raises(ValueError, match=f"overflows; coefficients, x, y or {last} may be smaller"):
            function([0, 1, 1], [1e100], [1e100], 9)


@pytest.mark.parametrize("degree", range(1, 9))
def test_variance_at_a_unit_vector(degree):
    c = np.eye(degree + 1)[degree]
    assert bounds.product_variance(c, [1.0, 0.0], [1.0, 0.0], 1) == pytest.approx(3.0**degree - 1)
    assert bounds.maclaurin_variance(c, [1.0, 0.0], [1.0, 0.0], 1) == 0  # signs on one coordinate do nothing
    x = np.ones(50) / np.sqrt(50)
    assert bounds.maclaurin_variance(c, x, x, 1) == pytest.approx((3 - 2 / 50) ** degree - 1)


@pytest.mark.parametrize("exact", [0, 1, 2])
@pytest.mark.parametrize("law", ["coefficients", "geometric"])
def test_maclaurin_variance_is_exact(law, exact):
    x, y = np.array([0.6, 0.2]), np.array([0.5, -0.4])
    c, radius = np.array([0.5, 2.0, 0.0, 0.7]), 0.8
    q = bounds.polynomial.degree_probabilities(c, law, radius, exact)
    assert q.sum() == pytest.approx(1) and (q[:exact] == 0).all() and q[2] == 0
    signs = np.array(list(itertools.product([-1.0, 1.0], repeat=2)))
    both = (signs @ x) * (signs @ y)
    mean = sum(q[n] * c[n] / q[n] * both.mean() ** n for n in range(4) if q[n])
    square = sum(q[n] * (c[n] / q[n]) ** 2 * (both**2).mean() ** n for n in range(4) if q[n])
    width = 10 + (exact > 0) + 2 * (exact > 1)
    found = bounds.maclaurin_variance(c, x, y, width, law, radius, exact)
    assert found == pytest.approx((square - mean**2) / 10, rel=1e-12)


def test_the_law_of_the_coefficients_is_the_best_at_its_radius():
    x = np.ones(9) / 3
    rng = np.random.default_rng(0)
    y = rng.standard_normal(9)
    y -= (y @ x) * x
    c = np.array([0.0, 1.0, 2.0, 0.5])
    A = (y @ y) - 2 * np.sum(x**2 * y**2)
    best = bounds.maclaurin_variance(c, x, y, 1, radius=A**0.25)
    for radius in (0.5, 1.0, 2.0, 3.0):
        assert best <= bounds.maclaurin_variance(c, x, y, 1, radius=radius) * (1 + 1e-12)
    assert best <= bounds.maclaurin_variance(c, x, y, 1, "geometric")


def test_counts_of_copies():
    assert bounds.chebyshev_components(8.0, 0.1, 1e-6) == 800_000_000
    assert bounds.chebyshev_components(0.0, 0.1, 0.5) == 1
    blocks, size = bounds.median_of_means_components(8.0, 0.1, 1e-6)
    assert blocks % 2 == 1 and blocks - 2 < 2 * math.log(1e6) / math.log(4 / 3) <= blocks and size == 3200
    for delta in (0.5, 1e-3, 1e-9):
        m = bounds.polynomial._hypercontractive_count(8.0, 0.1, delta, 2)
        r = 0.1 * math.sqrt(m / 8)
        assert r >= math.e**2 * (1 - 1e-9)  # so that the inequality is used for a q of 2 or more
        assert math.exp(-2 - 2 / math.e * math.sqrt(r)) <= delta * (1 + 1e-9)
    for function, arguments in ((bounds.chebyshev_components, ()), (bounds.median_of_means_components, ()),
                                (bounds.polynomial._hypercontractive_count, (2,))):
        with pytest.raises(ValueError, match="delta is 1"):
            function(1.0, 0.1, 1.0, *arguments)
        with pytest.raises(ValueError, match="over 2\\*\\*51"):
            function(1.0, 1e-30, 0.1, *arguments)


@pytest.mark.parametrize("eta", [0.1, 1e-3, 1e-9])
def test_the_count_for_the_mean_suffices_where_the_law_is_known(eta):
    """Degree one at a unit vector: chi-square; and within a factor of four of the least number that is enough."""
    from scipy.stats import chi2

    def failure(m):
        return chi2.sf(m * 1.2, m) + chi2.cdf(m * 0.8, m)

    m = bounds.polynomial._clipped_count(0.2, eta, 1)
    assert all(failure(m + more) <= eta for more in range(0, 2 * m, 1 + m // 20)) and failure(m // 4) > eta


@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("dot", [1.0, 0.6, -0.3])
def test_tilted_variance_by_drawing(degree, dot):
    """Under weights of 1/5 means of 400,000 draws are within nine of their standard errors; one in e^20 fails."""
    rng = np.random.default_rng(degree)
    a, b = rng.standard_normal((2, degree, 400_000))
    b = dot * a + math.sqrt(1 - dot * dot) * b
    s, w = 0.1 * (1 + np.polynomial.legendre.leggauss(12)[0]), np.polynomial.legendre.leggauss(12)[1]
    w = w * (1 - s / 0.2)
    weight = np.exp(np.multiply.outer(s, (a * a + b * b).sum(0)) / 4)
    terms = (w @ weight) * ((a * b).prod(0) - dot**degree) ** 2
    found = bounds.polynomial._tilted_variance(np.array([0.2]), degree, dot)[0]
    assert abs(terms.mean() - found) < 9 * terms.std() / math.sqrt(terms.size)
    V = (1 + 2 * dot**2) ** degree - dot ** (2 * degree)
    assert bounds.polynomial._tilted_variance(np.zeros(1), degree, dot)[0] == pytest.approx(V, rel=1e-12)


def test_the_fewest_copies_and_their_proof():
    V = 8.0
    for eps, delta in ((0.1, 0.3), (0.1, 1e-6), (1.0, 1e-12)):
        counts = {"clipped": bounds.polynomial._clipped_count(eps, delta, 2),
                  "Chebyshev": bounds.chebyshev_components(V, eps, delta),
                  "hypercontractive": bounds.polynomial._hypercontractive_count(V, eps, delta, 2)}
        least, proof = bounds.product_components(eps, delta, 2)
        assert least == min(counts.values()) == counts[proof]
        counts["median of means"] = math.prod(bounds.median_of_means_components(V, eps, delta))
        least, proof = bounds.product_components(eps, delta, 2, median=True)
        assert least == min(counts.values()) == counts[proof]
    assert bounds.product_components(0.1, 1e-30, 4, median=True)[1] == "median of means"
    copies, proofs = bounds.product_components(0.1, [[0.3], [1e-6]], 2)
    assert copies.shape == proofs.shape == (2, 1) and copies.dtype == np.int64
    assert bounds.polynomial._clipped_count(0.1, 1e-6, 3, -0.5) == bounds.polynomial._clipped_count(0.1, 1e-6, 3, 0.5)
    assert bounds.product_components(0.1, 1e-6, 2, variance=8.0)[1] == "hypercontractive"
    assert bounds.product_components(0.1, 0.5, 2, variance=0.0) == (1, "Chebyshev")
    for arguments, name in (((0.1, 0.1, 2, 1.5), "dot"), ((0.1, 0.1, 2, math.nan), "dot"), ((0.1, 0.1, 65), "degree"),
                            ((1e-30, 0.1, 2), "eps"), ((0.1, 0.1, 2, 1.0, -1.0), "variance")):
        with pytest.raises(ValueError, match=name):
            bounds.product_components(*arguments)


def test_no_numbers_take_no_copies():
    copies, proofs = bounds.product_components(0.1, np.empty((0, 3)), degree=2)
    assert copies.shape == proofs.shape == (0, 3)


def test_degrees_of_products_end():
    assert bounds.product_components(0.5, 0.1, degree=64, variance=1.0)[0] >= 1
    with pytest.raises(ValueError, match="^degree is 65; it may be"):
        bounds.product_components(0.5, 0.1, degree=65, variance=1.0)
