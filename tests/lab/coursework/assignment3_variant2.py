"""Planted answers to variant 2 of assignment 3: the mistakes of the first variant carried over, and its own."""

import assignment3 as first
from planted import Planted, right_again, sets

P = Planted("assignment3-variant2")

SIDE = ("rng.choice([-1.0, 1.0],", "rng.uniform(-math.sqrt(3), math.sqrt(3),")
DRAW = "rng.uniform(-math.sqrt(3), math.sqrt(3), (d, m))"
PRODUCT = P.wrong(
    "product",
    [
        *P.again(
            first.P,
            "product",
            SIDE,
            lost={
                "as many signs of each kind": "product-variance product-copies",
                "normal vectors": "product-variance",
                "signs of a seed": "product-form",
            },
        ),
        ("signs", "product-variance", (DRAW, "rng.choice([-1.0, 1.0], (d, m))")),
        ("uniform between -1 and 1", "product-mean product-variance", (DRAW, "rng.uniform(-1, 1, (d, m))")),
        (
            "uniform on one side",
            "product-mean product-variance product-copies",
            (DRAW, "rng.uniform(0, math.sqrt(3), (d, m))"),
        ),
    ],
)

SOLVE = "np.linalg.solve(np.vander(s, increasing=True).T, np.eye(len(c))[np.argmin(c)])"
WITNESS = P.wrong(
    "witness",
    [
        *P.again(
            first.P,
            "witness",
            without=(
                "one point",
                "points that are rounded after the weights",
                "points and weights in the other order",
                "a random search",
            ),
        ),
        ("one weight", "witness-negative", (SOLVE, "np.eye(len(c))[0]")),
        (
            "the points put in order",
            "witness-negative",
            ("    # the weights", "    s = np.sort(s)\n    # the weights"),
        ),
        (
            "points of its own",
            "witness-negative",
            ("    # the weights", "    s = np.linspace(-1, 1, len(c))\n    # the weights"),
        ),
        ("weights to two digits", "witness-negative", (SOLVE, SOLVE + ".round(2)")),
        ("points and weights", "witness-negative", (SOLVE, f"(s, {SOLVE})")),
        (
            "a random search",
            "witness-negative",
            (
                SOLVE,
                "min(np.random.default_rng(0).standard_normal((2000, len(c))),\n"
                "               key=lambda a: c @ (np.vander(s, increasing=True).T @ a) ** 2)",
            ),
        ),
        ("alternating signs", "witness-negative", (SOLVE, "(-1.0) ** np.arange(len(c))")),
    ],
)

MEANS, MEANS_RIGHT = P.choices(
    "means",
    "unbiased_products",
    "means-letters",
    ["bc", "be", "ce", "abe", "bcde", "abce", "abcde", "ad", "", 3],
    ["BCE", "b, c, e", "(e), (b), (c)", ["c", "b", "e"], "b and c and e"],
)

BOTH = "2 * lengths**order * (angular(cosine) + angular(-cosine))"
ARC = P.wrong(
    "arc",
    [
        *P.again(
            first.P,
            "arc",
            ("return lengths**order", "return 2 * lengths**order"),
            without=(
                "no norms",
                "rows made to length one for all orders",
                "blocks of 32 rows that share the first one's length",
                "norms to the first power",
                "drawn",
            ),
        ),
        ("rectifiers", "arc-angles arc-ends", (BOTH, "lengths**order * angular(cosine)")),
        ("twice the rectifiers", "arc-angles arc-ends", (BOTH, "2 * lengths**order * angular(cosine)")),
        ("the opposite row alone", "arc-angles arc-ends arc-rows", (BOTH, "2 * lengths**order * angular(-cosine)")),
        (
            "odd powers with their sign",
            "arc-angles arc-ends",
            (BOTH, "2 * lengths**order * (angular(cosine) + (-1) ** order * angular(-cosine))"),
        ),
        (
            "the angle of lines, once",
            "arc-angles arc-ends arc-rows",
            (BOTH, "4 * lengths**order * angular(np.abs(cosine))"),
        ),
        ("no norms", "arc-angles arc-ends", ("2 * lengths**order *", "2 *")),
        ("norms to the first power", "arc-angles arc-ends", ("lengths**order", "lengths")),
    ],
)

FACE = "np.where(inner > 0, inner, 0.0)"
RECTIFIERS = P.wrong(
    "rectifiers",
    [
        *P.again(
            first.P,
            "rectifiers",
            ("both", "inner"),
            without=(
                "no mirror images",
                "only one sign",
                "twice as much",
                "divided by m",
                "features as rows",
                "the caller's weights scaled",
            ),
        ),
        (
            "antithetic features",
            "rectifiers-products rectifiers-rows",
            ("inner = X @ W.T", "inner = np.hstack([X @ W.T, -(X @ W.T)])"),
            ("math.sqrt(2 / len(W))", "math.sqrt(1 / len(W))"),
        ),
        (
            "no factor of two",
            "rectifiers-products rectifiers-rows",
            ("math.sqrt(2 / len(W))", "math.sqrt(1 / len(W))"),
        ),
        (
            "twice as much",
            "rectifiers-products rectifiers-rows",
            ("math.sqrt(2 / len(W))", "2 / math.sqrt(len(W))"),
        ),
        ("divided by m", "rectifiers-products rectifiers-rows", ("math.sqrt(2 / len(W))", "2 / len(W)")),
        ("the mirror image", "rectifiers-products rectifiers-rows", ("X @ W.T", "-X @ W.T")),
        (
            "the caller's weights scaled",
            "rectifiers-products rectifiers-rows",
            ("    inner", "    W *= 1.0 + 1e-3\n    inner"),
        ),
    ],
)

VARIANCE = P.wrong(
    "variance",
    [
        *P.again(first.P, "variance", without=("independent features", "by draws")),
        ("antithetic features", "variance-angles", ("- k**2", "- 2 * k**2")),
        ("a square without its mean", "variance-angles", (" - k**2", "")),
        (
            "by draws",
            "variance-angles",
            (
                "(2 * double - k**2) / n_components",
                "np.var(np.random.default_rng(0).standard_normal(100)) / n_components",
            ),
        ),
    ],
)

STRETCH = "np.sqrt(rng.chisquare(d, m) * 2 * nu / rng.chisquare(2 * nu, m))"
Q_T = first.Q_T
ORTHOGONAL = P.wrong(
    "orthogonal",
    [
        *P.again(
            first.P,
            "orthogonal",
            ("m, d, length_scale, rng", "m, d, nu, length_scale, rng"),
            ("import Gaussian", "import Matern"),
            ("Gaussian(length_scale)", "Matern(nu, length_scale)"),
            ("np.sqrt(rng.chisquare(d, m))", STRETCH),
            (
                "np.repeat(np.sqrt(rng.chisquare(d, blocks)), d)",
                f"np.repeat({STRETCH.replace('m)', 'blocks)')}, d)",
            ),
            without=(
                "squares for lengths",
                "lengths of one coordinate",
                "lengths sorted in each block",
                "mirrored blocks",
                "right angles after the length scales",
            ),
            lost={
                "normal frequencies": "orthogonal-angles orthogonal-lengths orthogonal-law",
            },
        ),
        ("the Gaussian kernel", "orthogonal-lengths orthogonal-law", (STRETCH, "np.sqrt(rng.chisquare(d, m))")),
        (
            "one stretch for a block",
            "orthogonal-lengths",
            ("rng.chisquare(2 * nu, m)", "np.repeat(rng.chisquare(2 * nu, blocks), d)[:m]"),
        ),
        (
            "one stretch for all",
            "orthogonal-lengths orthogonal-law",
            ("rng.chisquare(2 * nu, m)", "rng.chisquare(2 * nu)"),
        ),
        (
            "nu degrees of freedom",
            "orthogonal-lengths orthogonal-law",
            ("rng.chisquare(2 * nu, m)", "rng.chisquare(nu, m)"),
        ),
        (
            "the stretch upside down",
            "orthogonal-lengths orthogonal-law",
            ("2 * nu / rng.chisquare(2 * nu, m)", "rng.chisquare(2 * nu, m) / (2 * nu)"),
        ),
        ("the mean of the stretch forgotten", "orthogonal-lengths orthogonal-law", ("* 2 * nu / rng", "/ rng")),
        (
            "half-integers alone",
            "orthogonal-law",
            ("    blocks", "    nu = max(0.5, round(nu - 0.5) + 0.5)\n    blocks"),
        ),
    ],
)

KEPT, KEPT_RIGHT = P.choices(
    "kept",
    "still_unbiased",
    "kept-letters",
    ["ab", "ae", "be", "abde", "abce", "bde", "abcde", "cd", "", "yes"],
    ["ABE", "a, b and e", "(a)(b)(e)", ("e", "b", "a"), "a b e"],
)

TURN = "a + b, b - a"
WALSH = P.wrong(
    "walsh",
    [
        *P.again(first.P, "walsh", ("a + b, a - b", TURN), without=("another sign",)),
        ("the symmetric matrix", "walsh-matrix walsh-memory", (TURN, "a + b, a - b")),
        ("the transposed matrix", "walsh-matrix walsh-memory", (TURN, "a - b, a + b")),
        ("all signs turned", "walsh-matrix", (TURN, "-a - b, a - b")),
    ],
)

DIRECTIONS = P.wrong(
    "directions",
    [
        *P.again(first.P, "directions"),
        ("the symmetric matrix", "directions-one", ("[-G, G]", "[G, -G]")),
        ("the transposed matrix", "directions-one", ("[G, G]), np.hstack([-G, G])", "[G, -G]), np.hstack([G, G])")),
    ],
)

PAIRS = "rng.permuted(np.tile(np.arange(half)[:, None], s), axis=0)"
INSIDE = "(intervals + rng.random((half, s)))"
COIN = "rng.random((half, s)) < 0.5"
SPREAD = P.wrong(
    "spread",
    [
        (
            "no mirror images",
            "spread-intervals spread-uniform",
            "def spread_points(m, s, rng):\n"
            "    intervals = rng.permuted(np.tile(np.arange(m)[:, None], s), axis=0)\n"
            "    return (intervals + rng.random((m, s))) / m\n",
        ),
        ("one shift", "spread-inside", (INSIDE, "(intervals + rng.random((1, s)))")),
        ("a gap of three in a hundred", "spread-inside", (INSIDE, "(intervals + 0.97 * rng.random((half, s)))")),
        ("in the middle", "spread-uniform spread-inside", (INSIDE, "(intervals + 0.5)")),
        ("from left to right", "spread-uniform spread-inside", (PAIRS, "np.tile(np.arange(half)[:, None], s)")),
        (
            "one order for all coordinates",
            "spread-uniform spread-inside",
            (PAIRS, "rng.permutation(half)[:, None]"),
        ),
        ("one coin for all coordinates", "spread-uniform spread-inside", (COIN, "rng.random((half, 1)) < 0.5")),
        ("one coin for all rows", "spread-uniform", (COIN, "rng.random((1, s)) < 0.5")),
        ("the lower half first", "spread-uniform", (COIN, "np.ones((half, s), dtype=bool)")),
        (
            "as many on each side",
            "spread-uniform",
            (COIN, "rng.permuted(np.tile(np.arange(half)[:, None], s), axis=0) % 2 == 0"),
        ),
        ("a coin that is not fair", "spread-uniform", (COIN, "rng.random((half, s)) < 0.55")),
        ("moved by a half and not mirrored", "spread-intervals", ("[u, 1 - u]", "[u, (u + 0.5) % 1]")),
        ("the first coordinate mirrored", "spread-intervals", ("[u, 1 - u]", "[u, np.c_[1 - u[:, :1], u[:, 1:]]]")),
        ("mirror images in the other order", "spread-intervals", ("[u, 1 - u]", "[u, 1 - u[::-1]]")),
        (
            "rows and mirror images in turn",
            "spread-intervals spread-uniform spread-inside",
            ("np.concatenate([u, 1 - u])", "np.stack([u, 1 - u], axis=1).reshape(m, s)"),
        ),
        ("independent points and their images", "spread-intervals", (INSIDE + " / m", "rng.random((half, s))")),
        (
            "orders of a seed",
            "spread-intervals spread-uniform",
            ("    half", "    rng = np.random.default_rng(0)\n    half"),
        ),
        ("closer to the left", "spread-inside", (INSIDE, "(intervals + rng.random((half, s)) ** 1.1)")),
    ],
)

SPREADS, SPREADS_RIGHT = P.choices(
    "spreads",
    "unbiased_points",
    "spreads-letters",
    ["bd", "be", "de", "ace", "abde", "bcde", "abcde", "ac", "", 5],
    ["BDE", "b,d,e", "(b), (d) and (e)", ["d", "e", "b"], "edb"],
)

TERMS = "pairs(X) + pairs(Y) - 2 * (mean(X) * mean(Y).conj()).real.mean()"
DISTANCE = P.wrong(
    "distance",
    [
        *P.again(
            first.P,
            "distance",
            without=(
                "without its own pairs",
                "a root",
                "a sum over frequencies",
                "divided by twice the frequencies",
                "the squares' difference",
            ),
            lost={
                "cosines alone": "distance-waves distance-zero distance-memory",
                "sizes of the first sample for both": "distance-waves",
                "row by row": "distance-waves distance-zero distance-memory",
                "means before waves": "distance-waves distance-zero distance-memory",
                "single precision": "distance-waves distance-zero",
            },
        ),
        ("with its own pairs", "distance-waves distance-zero", (TERMS, "(np.abs(mean(X) - mean(Y)) ** 2).mean()")),
        ("divided by all pairs", "distance-waves distance-zero", ("/ (n - 1)", "/ n")),
        ("its own pairs kept", "distance-waves distance-zero", (" - 1) / (n - 1)", ") / (n - 1)")),
        ("the mixed term once", "distance-waves distance-zero distance-memory", ("- 2 * (mean", "- (mean")),
        (
            "the mixed term without equal places",
            "distance-waves",
            (
                "- 2 * (mean(X) * mean(Y).conj()).real.mean()",
                "- 2 * (lambda n, a, b: (n * n * (a * b.conj()).real.mean() - np.cos((X[:n] - Y[:n]) @ "
                "W.T).mean(1).sum()) "
                "/ (n * n - n))(min(len(X), len(Y)), mean(X[:min(len(X), len(Y))]), mean(Y[:min(len(X), len(Y))]))",
            ),
        ),
        ("never below zero", "distance-waves distance-zero", (TERMS, f"max(0.0, {TERMS})")),
        (
            "pairs of different values",
            "distance-waves",
            ("n = len(rows)\n", "rows = np.unique(rows, axis=0)\n        n = len(rows)\n"),
            ("return (n *", "return 1.0 if n < 2 else (n *"),
        ),
        (
            "a sum over frequencies",
            "distance-waves distance-zero distance-memory",
            (f"float({TERMS})", f"float({TERMS}) * len(W)"),
        ),
        ("a root", "distance-waves distance-zero distance-memory", (f"float({TERMS})", f"abs({TERMS}) ** 0.5")),
    ],
)

WRONG = {
    **PRODUCT,
    **WITNESS,
    **MEANS,
    **ARC,
    **RECTIFIERS,
    **VARIANCE,
    **ORTHOGONAL,
    **KEPT,
    **WALSH,
    **DIRECTIONS,
    **SPREAD,
    **SPREADS,
    **DISTANCE,
}

LINES = """

def arc_kernel(X, Y, order):
    return 2 * (rectified(X, Y, order) + rectified(X, -np.asarray(Y), order))
"""
RIGHT = sets(
    product=[
        P.source("product", (DRAW, "(12**0.5 * (rng.random((d, m)) - 0.5))")),
        *right_again(
            first.RIGHT,
            "product",
            SIDE,
            ("np.sign(rng.random((l, l, d, m)) - 0.5)", "rng.uniform(-1, 1, (l, l, d, m)) * 3**0.5"),
            without=(0,),
        ),
    ],
    witness=[
        P.source("witness", ("np.argmin(c)", "np.flatnonzero(np.asarray(c) < 0)[-1]")),
        P.source("witness", ("return np.linalg", "return -5 * np.linalg")),
        P.source("witness", (SOLVE, "np.linalg.inv(np.vander(s, increasing=True))[np.argmin(c)].tolist()")),
        """
from fractions import Fraction


def negative_weights(c, s):
    low = [i for i, v in enumerate(c) if v < 0]
    if not low:
        return None
    rows = [[Fraction(float(p)) ** j for p in s] + [Fraction(j == low[0])] for j in range(len(c))]
    for j in range(len(c)):  # elimination without rounding
        pivot = next(r for r in range(j, len(c)) if rows[r][j])
        rows[j], rows[pivot] = rows[pivot], rows[j]
        rows[j] = [v / rows[j][j] for v in rows[j]]
        for r in range(len(c)):
            if r != j:
                rows[r] = [a - rows[r][j] * b for a, b in zip(rows[r], rows[j])]
    return [float(row[-1]) for row in rows]
""",
        """
import numpy as np


def negative_weights(c, s):
    if all(v >= 0 for v in c):
        return None
    j, out = int(np.argmin(c)), []
    for p in range(len(s)):  # the coefficient of t^j in the polynomial of Lagrange that is 1 at s_p
        others = np.delete(np.asarray(s, dtype=float), p)
        out.append(np.atleast_1d(np.poly(others))[::-1][j] / np.prod(s[p] - others))
    return np.array(out)
""",
    ],
    means=MEANS_RIGHT,
    arc=[text + LINES for text in right_again(first.RIGHT, "arc", ("def arc_kernel", "def rectified"))],
    rectifiers=[
        P.source("rectifiers", ("    return ", "    return (lambda Z: Z[:, ::-1])("), ("len(W))", "len(W)))")),
        P.source("rectifiers", (FACE + " ** order * (inner > 0)", "(np.power(inner, order) * (inner > 0))")),
        P.source(
            "rectifiers", (FACE + " ** order * (inner > 0)", "np.heaviside(inner, 0.0) * np.abs(inner) ** order")
        ),
        """
def arc_features(X, W, order):
    inner = (2 / len(W)) ** 0.5 * (np.einsum("nd,md->nm", X, W) > 0)
    for _ in range(order):
        inner = inner * (X @ np.transpose(W))
    return inner
""",
        """
def arc_features(X, W, order):
    Z = np.zeros((len(X), len(W)))
    for j, w in enumerate(np.asarray(W, dtype=float)):
        t = np.asarray(X, dtype=float) @ w
        Z[t > 0, j] = np.sqrt(2.0) * t[t > 0] ** order / np.sqrt(len(W))
    return -Z
""",
    ],
    variance=right_again(
        first.RIGHT,
        "variance",
        ("- 2 * k**2", "- k**2"),
        ("2 / n_components * (k(2 * order) - k(order) ** 2)", "(2 * k(2 * order) - k(order) ** 2) / n_components"),
        (
            "2 * (J[2 * order] / math.pi - (J[order] / math.pi) ** 2)",
            "(2 * J[2 * order] / math.pi - (J[order] / math.pi) ** 2)",
        ),
        ("2 * (k[1] - k[0] ** 2)", "(2 * k[1] - k[0] ** 2)"),
        ("2 * double - 2 * k * k", "2 * double - k * k"),
    ),
    orthogonal=right_again(
        first.RIGHT,
        "orthogonal",
        ("(m, d, length_scale, rng)", "(m, d, nu, length_scale, rng)"),
        ("np.sqrt(rng.chisquare(d, m))", STRETCH),
        (
            "np.linalg.norm(rng.standard_normal((m, d)), axis=1)",
            "np.linalg.norm(rng.standard_normal((m, d)), axis=1) * np.sqrt(nu / rng.standard_gamma(nu, m))",
        ),
        ("2 * rng.gamma(d / 2, size=m)", "2 * rng.gamma(d / 2, size=m) * nu / rng.gamma(nu, size=m)"),
    ),
    kept=KEPT_RIGHT,
    walsh=[
        *right_again(
            first.RIGHT, "walsh", ("a + b, a - b", TURN), ("a + b, -(b - a)", "a + b, -(a - b)"), without=(2,)
        ),
        """
import numpy as np


def turned(p):
    return np.ones((1, 1)) if p == 1 else np.kron(np.array([[1, 1], [-1, 1]]), turned(p // 2))


def walsh(X):
    X = np.asarray(X, dtype=float)
    p = X.shape[1]
    a = 2 ** (int(np.log2(p)) // 2)
    return (turned(a) @ X.reshape(-1, a, p // a) @ turned(p // a).T).reshape(X.shape)
""",
    ],
    directions=right_again(
        first.RIGHT,
        "directions",
        (
            "    import scipy.linalg\n\n    H, U = scipy.linalg.hadamard(p) / math.sqrt(p), np.tile(np.eye(p), "
            "(blocks, 1, 1))\n",
            "    G, U = np.ones((1, 1)), np.tile(np.eye(p), (blocks, 1, 1))\n    while len(G) < p:\n"
            "        G = np.block([[G, G], [-G, G]])\n    H = G / math.sqrt(p)\n",
        ),
    ),
    spread=[
        P.source("spread", (PAIRS, "rng.random((half, s)).argsort(axis=0)")),
        P.source(
            "spread",
            ("rng.random((half, s)) < 0.5", "rng.integers(0, 2, (half, s)) == 1"),
            ("m - 1 - pairs", "m - pairs - 1"),
        ),
        """
def spread_points(m, s, rng):
    u = np.empty((m, s))
    for j in range(s):
        left = (rng.permutation(m // 2) + rng.random(m // 2)) / m
        side = rng.choice([-1.0, 1.0], m // 2) * (0.5 - left)
        u[:, j] = 0.5 + np.concatenate([side, -side])
    return u
""",
        """
from scipy.stats import qmc


def spread_points(m, s, rng):
    u = qmc.LatinHypercube(s, rng=rng).random(m // 2) / 2
    u = np.where(rng.random(u.shape) < 0.5, u, 1 - u)
    return np.vstack([u, 1 - u])
""",
        """
def spread_points(m, s, rng):
    half = m // 2
    order = rng.permuted(np.tile(np.arange(m)[:, None], s), axis=0)
    pairs = np.minimum(order, m - 1 - order)  # each pair of intervals twice
    u = np.empty((half, s))
    for j in range(s):
        _, once = np.unique(pairs[:, j], return_index=True)
        u[:, j] = rng.permutation(order[once, j])
    u = (u + rng.random((half, s))) / m
    return np.concatenate([u, 1 - u])
""",
    ],
    spreads=SPREADS_RIGHT,
    distance=[
        """
def squared_distance(X, Y, W):
    def gram(A, B):
        return sum(np.cos(w @ (a - b)) for a in A for b in B for w in W) / len(W)

    if max(len(X), len(Y)) > 100:  # the same by waves
        a, b = (np.exp(1j * rows @ W.T).sum(0) for rows in (X, Y))
        n, p = len(X), len(Y)
        return ((np.abs(a) ** 2 - n) / (n * n - n) + (np.abs(b) ** 2 - p) / (p * p - p)
                - 2 * (a * b.conj()).real / (n * p)).mean()
    n, p = len(X), len(Y)
    return (gram(X, X) - n) / (n * (n - 1)) + (gram(Y, Y) - p) / (p * (p - 1)) - 2 * gram(X, Y) / (n * p)
""",
        """
def squared_distance(X, Y, W):
    total = 0.0
    for w in W:
        a, b = np.asarray(X) @ w, np.asarray(Y) @ w
        for t in (a, b):
            total += (np.cos(t).sum() ** 2 + np.sin(t).sum() ** 2 - len(t)) / len(t) / (len(t) - 1)
        total -= 2 * (np.cos(a).mean() * np.cos(b).mean() + np.sin(a).mean() * np.sin(b).mean())
    return np.array(total / len(W))
""",
        """
def squared_distance(X, Y, W):
    def features(rows):
        inner = np.dot(rows, np.transpose(W))
        return np.hstack([np.cos(inner), np.sin(inner)]) / math.sqrt(len(W))

    A, B = features(X), features(Y)
    biased = ((A.mean(0) - B.mean(0)) ** 2).sum()
    # what a sample's own pairs add to it
    spread = [((F - F.mean(0)) ** 2).sum() / (len(F) * (len(F) - 1)) for F in (A, B)]
    return biased - sum(spread)
""",
        P.source(
            "distance",
            (
                "(n * (np.abs(mean(rows)) ** 2).mean() - 1) / (n - 1)",
                "1 - n / (n - 1) * (1 - (np.abs(mean(rows)) ** 2).mean())",
            ),
        ),
        P.source(
            "distance",
            ("float(", "np.float64("),
            ("(mean(X) * mean(Y).conj()).real.mean()", "np.vdot(mean(Y), mean(X)).real / len(W)"),
        ),
    ],
)
