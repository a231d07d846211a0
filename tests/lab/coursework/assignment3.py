"""Planted answers to assignment 3: wrong ones with the checks that they must lose, and right ones of several kinds."""

from planted import Planted, sets

P = Planted("assignment3")

PRODUCT = P.wrong(
    "product",
    [
        (
            "as many signs of each kind",
            "product-copies",
            (
                "rng.choice([-1.0, 1.0], (d, m))",
                "rng.permuted(np.tile(np.where(np.arange(m) % 2, 1.0, -1.0), (d, 1)), axis=1)",
            ),
        ),
        (
            "normal vectors",
            "product-mean product-variance",
            ("rng.choice([-1.0, 1.0], (d, m))", "rng.standard_normal((d, m))"),
        ),
        (
            "one vector for all factors",
            "product-mean product-variance",
            (
                "        for _ in range(i):\n            product *= X @ rng.choice([-1.0, 1.0], (d, m))",
                "        product *= (X @ rng.choice([-1.0, 1.0], (d, m))) ** i",
            ),
        ),
        (
            "a degree takes the first vectors of the next",
            "product-variance",
            (
                "    for i in range(1, len(c)):",
                "    W = rng.choice([-1.0, 1.0], (len(c), d, m))\n    for i in range(1, len(c)):",
            ),
            ("for _ in range(i)", "for j in range(i)"),
            ("X @ rng.choice([-1.0, 1.0], (d, m))", "X @ W[j]"),
        ),
        (
            "the constant in every copy",
            "product-form product-variance",
            ("Z[:, 0] = math.sqrt(c[0])", "Z[:] = math.sqrt(c[0] / m)"),
        ),
        ("the constant left out", "product-form product-mean", ("    Z[:, 0] = math.sqrt(c[0])\n", "")),
        (
            "coefficients without a root",
            "product-mean product-variance",
            ("math.sqrt(c[i] / m)", "c[i] / math.sqrt(m)"),
        ),
        (
            "coefficients from the highest degree down",
            "product-form product-mean product-variance",
            ("    Z = np", "    c = c[::-1]\n    Z = np"),
        ),
        ("divided by m", "product-mean product-variance", ("math.sqrt(c[i] / m)", "math.sqrt(c[i]) / m")),
        (
            "columns scaled by their largest entry",
            "product-form product-mean product-variance",
            ("n, d = np.shape(X)", "n, d = np.shape(X)\n    X = X / max(1, np.abs(X).max())"),
        ),
        (
            "half of the copies, twice",
            "product-copies",
            ("    return Z", "    Z[:, 1 + (m + 1) // 2:] = Z[:, 1:1 + m // 2]\n    return Z"),
        ),
        (
            "mirrored copies",
            "product-copies",
            ("    return Z", "    Z[:, 1 + (m + 1) // 2:] = -Z[:, 1:1 + m // 2]\n    return Z"),
        ),
        (
            "new vectors every 16 rows",
            "product-form",
            (
                "            product *= X @ rng.choice([-1.0, 1.0], (d, m))",
                "            for first in range(0, n, 16):\n"
                "                product[first:first + 16] *= X[first:first + 16] @ rng.choice([-1.0, 1.0], (d, "
                "m))",
            ),
        ),
        (
            "single precision inside",
            "product-form",
            ("    n, d = np.shape(X)", "    X = np.asarray(X, dtype=np.float32)\n    n, d = np.shape(X)"),
        ),
        (
            "signs of a seed",
            "product-form product-copies",
            ("    n, d = np.shape(X)", "    n, d = np.shape(X)\n    rng = np.random.default_rng(0)"),
        ),
        (
            "whole numbers inside",
            "product-form product-mean product-variance",
            ("product *= X @", "product *= np.asarray(X).astype(int) @"),
        ),
        (
            "one vector per row of the data",
            "product-form product-mean product-variance",
            ("X @ rng.choice([-1.0, 1.0], (d, m))", "np.einsum('nd,ndm->nm', X, rng.choice([-1.0, 1.0], (n, d, m)))"),
        ),
        (
            "vectors on the sphere of radius root d",
            "product-variance",
            (
                "rng.choice([-1.0, 1.0], (d, m))",
                "(lambda w: w / np.linalg.norm(w, axis=0) * math.sqrt(d))(rng.standard_normal((d, m)))",
            ),
        ),
        (
            "the caller's coefficients spoilt",
            "product-form product-mean",
            ("Z = np", "c[1:] **= 1.0\n    c[0] += 1e-3\n    Z = np"),
        ),
    ],
)

WITNESS = P.wrong(
    "witness",
    [
        ("a tolerance for rounding", "witness-negative", ("min(c) >= 0", "min(c) >= -1e-9")),
        (
            "one point",
            "witness-negative",
            (
                "    s = np.cos((np.arange(len(c)) + 0.5) * np.pi / len(c))  # well apart\n"
                "    # the weights see only the monomial with the least coefficient\n"
                "    a = np.linalg.solve(np.vander(s, increasing=True).T, np.eye(len(c))[np.argmin(c)])\n",
                "    s, a = np.ones(1), np.ones(1)\n",
            ),
        ),
        ("points that are rounded after the weights", "witness-negative", ("return s, a", "return s.round(3), a")),
        ("points and weights in the other order", "witness-negative", ("return s, a", "return a, s")),
        ("the largest coefficient", "witness-negative", ("np.argmin(c)", "np.argmax(c)")),
        ("powers from the highest down", "witness-negative", ("increasing=True", "increasing=False")),
        ("no transpose", "witness-negative", (", increasing=True).T", ", increasing=True)")),
        (
            "a random search",
            "witness-negative",
            "def negative_witness(c):\n    if min(c) >= 0:\n        return None\n"
            "    rng = np.random.default_rng(0)\n"
            "    return min(((s, a) for s, a in rng.standard_normal((2000, 2, len(c)))),\n"
            "               key=lambda t: t[1] @ np.polyval(c[::-1], np.outer(t[0], t[0])) @ t[1])\n",
        ),
        ("a tolerance", "witness-negative", ("min(c) >= 0", "min(c) >= -1e-3")),
        ("a witness for everything", "witness-none", ("    if min(c) >= 0:\n        return None\n", "")),
        ("none for zero coefficients", "witness-negative", ("min(c) >= 0", "min(c) >= 0 or not np.all(c)")),
        ("two numbers for none", "witness-none", ("return None", "return [], []")),
    ],
)

MEANS, MEANS_RIGHT = P.choices(
    "means",
    "unbiased_products",
    "means-letters",
    ["ab", "ae", "abde", "abce", "be", "a", "abcde", "cd", "none", 2],
    ["ABE", "a, b, e", "(e), (b), (a)", ["a", "b", "e"], "a and b and e"],
)

ARC = P.wrong(
    "arc",
    [
        ("no norms", "arc-angles arc-ends", ("return lengths**order * angular", "return angular")),
        ("norms to the first power", "arc-angles arc-ends", ("lengths**order", "lengths")),
        (
            "no clip",
            "arc-ends arc-rows",
            (
                "np.clip(X @ Y.T / np.where(lengths > 0, lengths, 1), -1, 1)",
                "X @ Y.T / np.where(lengths > 0, lengths, 1)",
            ),
        ),
        ("a zero row divided by zero", "arc-ends", ("np.where(lengths > 0, lengths, 1)", "lengths")),
        ("order two for all above", "arc-angles arc-ends", ("range(2, order + 1)", "range(2, min(order, 2) + 1)")),
        ("a square forgotten in the recursion", "arc-angles", ("(n - 1) ** 2", "(n - 1)")),
        ("the angle for its complement", "arc-angles arc-ends arc-rows", ("np.pi - theta", "theta")),
        ("pi forgotten", "arc-angles arc-ends", ("before / np.pi", "before"), ("now / np.pi", "now")),
        ("half of it", "arc-angles arc-ends", ("lengths**order *", "0.5 * lengths**order *")),
        ("the factorials forgotten", "arc-angles arc-ends arc-rows", ("(2 * n - 1) * c * now", "c * now")),
        ("order one starts wrong", "arc-angles arc-ends arc-rows", ("s + (np.pi - theta) * c", "s + theta * c")),
        ("the angle in single precision", "arc-angles", ("np.arccos(c)", "np.arccos(c.astype(np.float32))")),
        (
            "rows made to length one for all orders",
            "arc-angles arc-ends",
            ("return lengths**order", "return (lengths > 0)"),
        ),
        (
            "blocks of 32 rows that share the first one's length",
            "arc-ends arc-rows",
            (
                "    return lengths",
                "    lengths = lengths.copy()\n    lengths[32:] = lengths[32:] * (1 + 1e-3)\n    return lengths",
            ),
        ),
        (
            "a small number beside the lengths",
            "arc-angles arc-ends",
            ("np.where(lengths > 0, lengths, 1)", "(lengths + 1e-6)"),
        ),
        (
            "means taken off",
            "arc-angles arc-ends arc-rows",
            ("    lengths = ", "    X = X - X.mean(0)\n    lengths = "),
        ),
        (
            "drawn",
            "arc-angles arc-ends",
            "def arc_kernel(X, Y, order):\n"
            "    W = np.random.default_rng(0).standard_normal((np.shape(X)[1], 4000))\n"
            "    a, b = X @ W, Y @ W\n"
            "    return 2 * ((a > 0) * a**order) @ ((b > 0) * b**order).T / 4000\n",
        ),
    ],
)

RECTIFIERS = P.wrong(
    "rectifiers",
    [
        ("zero to the power of zero is one", "rectifiers-products rectifiers-rows", (" * (both > 0)", "")),
        (
            "no mirror images",
            "rectifiers-products rectifiers-rows",
            ("np.hstack([inner, -inner])", "np.hstack([inner, inner])"),
        ),
        ("only one sign", "rectifiers-products rectifiers-rows", ("np.hstack([inner, -inner])", "inner")),
        ("twice as much", "rectifiers-products rectifiers-rows", ("/ math.sqrt(len(W))", "* math.sqrt(2 / len(W))")),
        ("divided by m", "rectifiers-products rectifiers-rows", ("math.sqrt(len(W))", "len(W)")),
        (
            "absolute values",
            "rectifiers-products rectifiers-rows",
            ("np.where(both > 0, both, 0.0)", "np.abs(both)"),
            (" * (both > 0)", ""),
        ),
        ("always the first power", "rectifiers-products rectifiers-rows", ("** order", "** min(order, 1)")),
        ("a leak", "rectifiers-products rectifiers-rows", ("both, 0.0)", "both, 0.01 * both)"), (" * (both > 0)", "")),
        (
            "weights made to length one",
            "rectifiers-products rectifiers-rows",
            ("X @ W.T", "X @ (W / np.linalg.norm(W, axis=1, keepdims=True)).T"),
        ),
        (
            "features as rows",
            "rectifiers-products rectifiers-rows",
            ("return np.where", "return 1.0 * np.where"),
            ("math.sqrt(len(W))", "math.sqrt(len(W)) * np.ones((2, 1, 1))"),
        ),
        ("data centred", "rectifiers-products rectifiers-rows", ("X @ W.T", "(X - np.mean(X, axis=0)) @ W.T")),
        (
            "the caller's weights scaled",
            "rectifiers-products",
            ("    inner = X @ W.T", "    W /= math.sqrt(len(W))\n    inner = X @ W.T * math.sqrt(len(W))"),
        ),
    ],
)

VARIANCE = P.wrong(
    "variance",
    [
        ("independent features", "variance-angles", ("2 * k**2", "k**2")),
        ("order n for order 2n", "variance-angles", ("(order, 2 * order)", "(order, order)")),
        ("order n + 1", "variance-angles", ("2 * order)", "order + 1)")),
        ("as many pairs as features", "variance-angles", ("/ n_components", "/ (n_components / 2)")),
        ("a factor two forgotten", "variance-angles", ("2 * double", "double")),
        ("no square", "variance-angles", ("k**2", "k")),
        ("a standard deviation", "variance-angles", ("/ n_components", "/ n_components**0.5")),
        ("at right angles", "variance-angles", ("math.cos(theta), math.sin(theta)", "0.0, 1.0")),
        (
            "degrees",
            "variance-angles",
            ("math.cos(theta), math.sin(theta)", "math.cos(math.radians(theta)), math.sin(math.radians(theta))"),
        ),
        (
            "by draws",
            "variance-angles",
            (
                "(2 * double - 2 * k**2) / n_components",
                "np.var(np.random.default_rng(0).standard_normal(100)) / n_components",
            ),
        ),
    ],
)

Q_T = "Q * np.sign(np.diagonal(T, axis1=1, axis2=2))[:, None]"
ORTHOGONAL = P.wrong(
    "orthogonal",
    [
        ("signs of the decomposition left as they are", "orthogonal-law", (Q_T, "1.0 * Q")),
        (
            "all lengths the root of d",
            "orthogonal-lengths orthogonal-law",
            ("np.sqrt(rng.chisquare(d, m))", "np.full(m, d**0.5)"),
        ),
        (
            "one length for a block",
            "orthogonal-lengths",
            ("np.sqrt(rng.chisquare(d, m))", "np.repeat(np.sqrt(rng.chisquare(d, blocks)), d)[:m]"),
        ),
        (
            "one block again and again",
            "orthogonal-law",
            ("(blocks, d, d)", "(1, d, d)"),
            (".reshape(-1, d)[:m]", ".repeat(blocks, axis=0).reshape(-1, d)[:m]"),
        ),
        (
            "right angles after the length scales",
            "orthogonal-angles orthogonal-lengths orthogonal-law",
            "def orthogonal_frequencies(m, d, length_scale, rng):\n"
            "    W = rng.standard_normal((-(-m // d), d, d)) / length_scale\n"
            "    Q, T = np.linalg.qr(W.transpose(0, 2, 1))\n"
            "    U = Q.transpose(0, 2, 1) * np.linalg.norm(W, axis=2, keepdims=True)\n"
            "    return U.reshape(-1, d)[:m]\n",
        ),
        (
            "multiplied by the length scales",
            "orthogonal-angles orthogonal-lengths orthogonal-law",
            ("/ length_scale", "* length_scale"),
        ),
        (
            "the first length scale for all",
            "orthogonal-angles orthogonal-lengths orthogonal-law",
            ("/ length_scale", "/ length_scale[0]"),
        ),
        (
            "squares for lengths",
            "orthogonal-lengths orthogonal-law",
            ("np.sqrt(rng.chisquare(d, m))", "rng.chisquare(d, m)"),
        ),
        (
            "a degree of freedom less",
            "orthogonal-lengths orthogonal-law",
            ("rng.chisquare(d, m)", "rng.chisquare(max(d - 1, 1), m)"),
        ),
        ("three in a hundred too long", "orthogonal-lengths", ("np.sqrt(rng", "1.03 * np.sqrt(rng")),
        (
            "normal frequencies",
            "orthogonal-angles orthogonal-law",
            "def orthogonal_frequencies(m, d, length_scale, rng):\n"
            "    return rng.standard_normal((m, d)) / length_scale\n",
        ),
        (
            "right angles among all, by force",
            "orthogonal-law",
            ("rng.standard_normal((blocks, d, d))", "np.abs(rng.standard_normal((blocks, d, d)))"),
        ),
        (
            "lengths of one coordinate",
            "orthogonal-lengths orthogonal-law",
            ("np.sqrt(rng.chisquare(d, m))", "d**0.5 * np.abs(rng.standard_normal(m))"),
        ),
        (
            "lengths sorted in each block",
            "orthogonal-lengths orthogonal-law",
            ("np.sqrt(rng.chisquare(d, m))", "np.sort(np.sqrt(rng.chisquare(d, (blocks, d))), axis=1).ravel()[:m]"),
        ),
        (
            "blocks that turn in one plane",
            "orthogonal-law",
            (
                "np.linalg.qr(rng.standard_normal((blocks, d, d)))",
                "np.linalg.qr(np.eye(d) + np.triu(np.ones((d, d))) * rng.standard_normal((blocks, 1, 1)))",
            ),
        ),
        ("axes with random signs", "orthogonal-law", (Q_T, "np.eye(d) * rng.choice([-1.0, 1.0], (blocks, d, 1))")),
        (
            "rows of one vector, turned through the coordinates",
            "orthogonal-angles orthogonal-law",
            (Q_T, "np.stack([np.roll(Q[:, 0], k, axis=1) for k in range(d)], axis=1)"),
        ),
        (
            "the library's",
            "orthogonal-angles orthogonal-lengths",
            "from rfbook.draws import orthogonal_sampler as _o\nfrom rfbook.kernels import Gaussian\n\n"
            "def orthogonal_frequencies(m, d, length_scale, rng):\n"
            "    return _o.orthogonal_frequencies(Gaussian(length_scale), m, d, rng)\n",
        ),
        (
            "mirrored blocks",
            "orthogonal-law",
            (
                ".reshape(-1, d)[:m]",
                ".reshape(-1, d)[:m]\n    if blocks > 9:\n"
                "        U[d * (blocks // 2):d * (blocks // 2) * 2] = -U[:d * (blocks // 2)]",
            ),
        ),
    ],
)

KEPT, KEPT_RIGHT = P.choices(
    "kept",
    "still_unbiased",
    "kept-letters",
    ["bd", "de", "abde", "bcde", "d", "abcde", "be", "", "yes"],
    ["BDE", "b, d and e", "(b)(d)(e)", ("e", "d", "b"), "b d e"],
)

WALSH = P.wrong(
    "walsh",
    [
        ("scaled", "walsh-matrix walsh-memory", ("return Y", "return Y / math.sqrt(p)")),
        ("the last pass left out", "walsh-matrix walsh-memory", ("while h < p", "while 2 * h < p")),
        ("a pass too many", "walsh-matrix walsh-memory", ("while h < p", "while h < min(p, 256)")),
        (
            "a dense matrix",
            "walsh-memory",
            ("    while h < p", "    H = np.empty((p, p))  # as if it were filled\n    while h < p"),
        ),
        ("another sign", "walsh-matrix walsh-memory", ("a + b, a - b", "a + b, b - a")),
        (
            "the sum overwritten before the difference",
            "walsh-matrix walsh-memory",
            ("pairs[:, :, 0].copy(), pairs[:, :, 1].copy()", "pairs[:, :, 0], pairs[:, :, 1]"),
            ("pairs[:, :, 0], pairs[:, :, 1] = a + b, a - b", "pairs[:, :, 0] = a + b\n        pairs[:, :, 1] = a - b"),
        ),
        (
            "the caller's rows",
            "walsh-matrix",
            (
                "np.array(X, dtype=float)",
                "X if X.dtype == float and X.flags.c_contiguous else np.array(X, dtype=float)",
            ),
        ),
        (
            "single precision inside",
            "walsh-matrix",
            ("np.array(X, dtype=float)", "np.array(X, dtype=np.float32)"),
            ("return Y", "return Y.astype(float)"),
        ),
        (
            "order of sequencies",
            "walsh-matrix walsh-memory",
            ("pairs[:, :, 0], pairs[:, :, 1] = a + b, a - b", "Y = np.stack([a + b, a - b], axis=3).reshape(n, p)"),
        ),
        ("columns for rows", "walsh-matrix walsh-memory", ("return Y", "return Y.reshape(p, n).T")),
        (
            "whole numbers",
            "walsh-matrix walsh-memory",
            ("np.array(X, dtype=float)", "np.array(X).astype(int)"),
            ("return Y", "return Y.astype(float)"),
        ),
        ("every row like the first", "walsh-matrix walsh-memory", ("return Y", "return np.tile(Y[:1], (n, 1))")),
    ],
)

SIGNS = "rng.choice([-1.0, 1.0], (blocks, p, 1))"
DIRECTIONS = P.wrong(
    "directions",
    [
        (
            "as many signs of each kind",
            "directions-one",
            (
                "rng.choice([-1.0, 1.0], (blocks, p, 1))",
                "rng.permuted(np.tile(np.where(np.arange(blocks) % 2, 1.0, -1.0)[:, None, None], (1, p, 1)), axis=0)",
            ),
        ),
        ("one round less", "directions-one directions-moments", ("range(rounds)", "range(rounds - 1)")),
        ("three rounds always", "directions-one directions-moments", ("range(rounds)", "range(3)")),
        (
            "the same signs in each round",
            "directions-moments",
            (
                "    for _ in range(rounds):",
                "    D = rng.choice([-1.0, 1.0], (blocks, p, 1))\n    for _ in range(rounds):",
            ),
            (f"({SIGNS} * U)", "(D * U)"),
        ),
        ("the same signs in all blocks", "directions-one directions-moments", ("(blocks, p, 1)", "(1, p, 1)")),
        (
            "signs after the transform",
            "directions-one directions-moments",
            (f"H @ ({SIGNS} * U)", f"{SIGNS} * (H @ U)"),
        ),
        ("no scaling", "directions-one directions-moments", (" / math.sqrt(p)", "")),
        ("divided by p", "directions-one directions-moments", ("math.sqrt(p)", "p")),
        (
            "normal numbers for signs",
            "directions-one directions-moments",
            ("rng.choice([-1.0, 1.0], (blocks, p, 1))", "rng.standard_normal((blocks, p, 1))"),
        ),
        (
            "unfair signs",
            "directions-one",
            ("rng.choice([-1.0, 1.0], (blocks, p, 1))", "np.where(rng.random((blocks, p, 1)) < 0.52, 1.0, -1.0)"),
        ),
        ("one sign for all", "directions-one directions-moments", ("(blocks, p, 1)", "(blocks, 1, 1)")),
        (
            "permutations for signs",
            "directions-one directions-moments",
            ("rng.choice([-1.0, 1.0], (blocks, p, 1)) * U", "U[:, rng.permutation(p)]"),
        ),
        (
            "Haar matrices",
            "directions-one directions-moments",
            (
                "H @ (rng.choice([-1.0, 1.0], (blocks, p, 1)) * U)",
                "np.linalg.qr(rng.standard_normal((blocks, p, p)))[0]",
            ),
        ),
        (
            "blocks twice",
            "directions-one directions-moments",
            ("    return U", "    return np.repeat(U, 2, axis=0)[:blocks]"),
        ),
        ("columns for rows", "directions-one directions-moments", ("    return U", "    return U.transpose(0, 2, 1)")),
    ],
)

INTERVALS = "rng.permuted(np.tile(np.arange(m)[:, None], s), axis=0)"
SPREAD = P.wrong(
    "spread",
    [
        ("one shift", "spread-inside", ("rng.random((m, s))", "rng.random((1, s))")),
        ("a gap of three in a hundred", "spread-inside", ("rng.random((m, s))", "0.97 * rng.random((m, s))")),
        ("in the middle", "spread-uniform spread-inside", ("rng.random((m, s))", "0.5")),
        ("from left to right", "spread-uniform spread-inside", (INTERVALS, "np.tile(np.arange(m)[:, None], s)")),
        ("one order for all coordinates", "spread-uniform spread-inside", (INTERVALS, "rng.permutation(m)[:, None]")),
        ("one place for all coordinates", "spread-uniform spread-inside", ("rng.random((m, s))", "rng.random((m, 1))")),
        (
            "independent points",
            "spread-intervals spread-inside",
            "def spread_points(m, s, rng):\n    return rng.random((m, s))\n",
        ),
        ("turned in a ring", "spread-inside", (INTERVALS, "(np.arange(m)[:, None] + rng.integers(m, size=s)) % m")),
        (
            "a lattice with one shift",
            "spread-intervals spread-inside",
            "def spread_points(m, s, rng):\n"
            "    return (np.arange(m)[:, None] * (2 * np.arange(s) + 1) / m + rng.random(s)) % 1\n",
        ),
        (
            "Sobol points without scrambling",
            "spread-intervals spread-uniform spread-inside",
            "from scipy.stats import qmc\n\n\ndef spread_points(m, s, rng):\n"
            "    return qmc.Sobol(s, scramble=False).random(m)\n",
        ),
        ("intervals of length 1 / (m + 1)", "spread-intervals spread-uniform", (" / m", " / (m + 1)")),
        (
            "orders of a seed",
            "spread-uniform",
            (INTERVALS, "np.random.default_rng(0).permuted(np.tile(np.arange(m)[:, None], s), axis=0)"),
        ),
        ("closer to the left", "spread-inside", ("rng.random((m, s))", "rng.random((m, s)) ** 1.1")),
        (
            "first point in the first interval",
            "spread-uniform",
            (
                INTERVALS,
                "np.vstack([np.zeros((1, s)), 1 + rng.permuted(np.tile(np.arange(m - 1)[:, None], s), axis=0)])",
            ),
        ),
        (
            "mirrored places",
            "spread-inside",
            (
                "rng.random((m, s))",
                "(lambda v: np.where(np.arange(m)[:, None] < m // 2, v, 1 - v[::-1]))(rng.random((m, s)))",
            ),
        ),
    ],
)

SPREADS, SPREADS_RIGHT = P.choices(
    "spreads",
    "unbiased_points",
    "spreads-letters",
    ["ce", "ac", "abce", "acde", "abcde", "c", "bd", "", 5],
    ["ACE", "a,c,e", "(a), (c) and (e)", ["c", "e", "a"], "eca"],
)

DISTANCE = P.wrong(
    "distance",
    [
        (
            "without its own pairs",
            "distance-waves distance-zero",
            (
                "return float((np.abs(mean(X) - mean(Y)) ** 2).mean())",
                "n, p = len(X), len(Y)\n"
                "    own = [(len(r) * (np.abs(mean(r)) ** 2).mean() - 1) / (len(r) - 1) for r in (X, Y)]\n"
                "    return float(sum(own) - 2 * (mean(X) * mean(Y).conj()).real.mean())",
            ),
        ),
        ("a root", "distance-waves distance-memory", ("** 2).mean())", "** 2).mean() ** 0.5)")),
        ("a sum over frequencies", "distance-waves distance-memory", ("** 2).mean())", "** 2).sum())")),
        ("cosines alone", "distance-waves distance-memory", (" + 1j * np.sin(inner).mean(0)", "")),
        ("divided by twice the frequencies", "distance-waves distance-memory", ("** 2).mean())", "** 2).mean() / 2)")),
        (
            "sizes of the first sample for both",
            "distance-waves distance-zero",
            (
                "np.cos(inner).mean(0) + 1j * np.sin(inner).mean(0)",
                "(np.cos(inner).sum(0) + 1j * np.sin(inner).sum(0)) / len(X)",
            ),
        ),
        (
            "row by row",
            "distance-waves distance-memory",
            "def squared_distance(X, Y, W):\n    n = min(len(X), len(Y))\n"
            "    d = np.exp(1j * X[:n] @ W.T) - np.exp(1j * Y[:n] @ W.T)\n"
            "    return float((np.abs(d) ** 2).mean())\n",
        ),
        (
            "means before waves",
            "distance-waves distance-memory",
            ("inner = np.asarray(rows) @ W.T", "inner = np.asarray(rows).mean(0, keepdims=True) @ W.T"),
        ),
        (
            "every pair",
            "distance-memory",
            ("    def mean(rows)", "    pairs = np.empty((len(X), len(Y)))  # not filled\n\n    def mean(rows)"),
        ),
        ("equal rows once", "distance-waves", ("np.asarray(rows) @ W.T", "np.unique(rows, axis=0) @ W.T")),
        (
            "the squares' difference",
            "distance-waves distance-memory",
            ("(np.abs(mean(X) - mean(Y)) ** 2)", "np.abs(np.abs(mean(X)) ** 2 - np.abs(mean(Y)) ** 2)"),
        ),
        (
            "a standardised sample",
            "distance-waves distance-zero distance-memory",
            ("    def mean", "    X = (X - X.mean(0)) / (X.std(0) + 1e-12)\n\n    def mean"),
        ),
        (
            "single precision",
            "distance-waves",
            ("inner = np.asarray(rows) @ W.T", "inner = (np.asarray(rows) @ W.T).astype(np.float32)"),
        ),
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

RIGHT = sets(
    product=[
        P.source("product", ("rng.choice([-1.0, 1.0], (d, m))", "(2.0 * rng.integers(0, 2, (d, m)) - 1)")),
        P.source("product", ("product *= X @ rng", "product *= np.asarray(X, dtype=float) @ -rng")),
        P.source(
            "product",
            """
def product_features(X, c, m, rng):
    l, (n, d) = len(c) - 1, np.shape(X)
    W = np.sign(rng.random((l, l, d, m)) - 0.5)
    P = np.einsum("nd,ijdm->ijnm", X, W) if l else np.ones((0, 0, n, m))
    copies = sum((math.sqrt(c[i]) * P[i - 1, :i].prod(0) for i in range(1, l + 1)), np.zeros((n, m)))
    return np.hstack([np.full((n, 1), math.sqrt(c[0])), copies / math.sqrt(m)])
""",
        ),
        P.source("product", ("for i in range(1, len(c))", "for i in range(len(c) - 1, 0, -1)")),
        P.source(
            "product",
            (
                "        product = np.full((n, m), math.sqrt(c[i] / m))",
                "        if c[i] == 0:\n            continue\n        product = np.full((n, m), math.sqrt(c[i] / m))",
            ),
        ),
    ],
    witness=[
        P.source("witness", ("np.cos((np.arange(len(c)) + 0.5) * np.pi / len(c))", "np.linspace(-1, 1, len(c))")),
        P.source("witness", ("return s, a", "return [*s, 7.0], [*a, 0.0]")),
        P.source("witness", ("np.argmin(c)", "np.flatnonzero(np.asarray(c) < 0)[-1]")),
        P.source(
            "witness",
            """
from fractions import Fraction


def negative_witness(c):
    low = [i for i, v in enumerate(c) if v < 0]
    if not low:
        return None
    s, rows = [Fraction(k + 1, 8) for k in range(len(c))], []
    for j in range(len(c)):
        rows.append([p**j for p in s] + [Fraction(j == low[0])])
    for j in range(len(c)):  # elimination without rounding
        pivot = next(r for r in range(j, len(c)) if rows[r][j])
        rows[j], rows[pivot] = rows[pivot], rows[j]
        rows[j] = [v / rows[j][j] for v in rows[j]]
        for r in range(len(c)):
            if r != j:
                rows[r] = [a - rows[r][j] * b for a, b in zip(rows[r], rows[j])]
    return [float(p) for p in s], [float(row[-1]) for row in rows]
""",
        ),
        P.source(
            "witness",
            ("    s = np.cos", "    c = np.asarray(c)\n    s = -1.3 * np.cos"),
            ("return s, a", "return np.stack([s, -5 * a])"),
        ),
    ],
    means=MEANS_RIGHT,
    arc=[
        "from rfbook.kernels import ArcCosine\n\n\ndef arc_kernel(X, Y, order):\n"
        "    return ArcCosine(order=order)(X, Y)\n",
        P.source("arc", ("np.where(lengths > 0, lengths, 1)", "np.maximum(lengths, 1e-300)")),
        P.source(
            "arc",
            """
def arc_kernel(X, Y, order):
    nodes, weights = np.polynomial.legendre.leggauss(60)
    a, b = np.linalg.norm(X, axis=1), np.linalg.norm(Y, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        c = np.nan_to_num((X / a[:, None]) @ (Y / b[:, None]).T).clip(-1, 1)
    theta = np.arccos(c)
    total = 0.0
    for node, weight in zip(nodes, weights):
        u = (math.pi - theta) * (node + 1) / 2
        total = total + weight * (c + np.cos(u)) ** order
    return math.factorial(order) * total * (math.pi - theta) / (2 * math.pi) * np.outer(a**order, b**order)
""",
        ),
        P.source(
            "arc",
            """
def _one(x, y, n):
    a, b = math.sqrt(sum(float(v) ** 2 for v in x)), math.sqrt(sum(float(v) ** 2 for v in y))
    if a == 0 or b == 0:
        return 0.0
    c = max(-1.0, min(1.0, float(np.dot(x, y)) / (a * b)))
    J = [math.pi - math.acos(c), math.sin(math.acos(c)) + (math.pi - math.acos(c)) * c]
    while len(J) <= n:
        k = len(J)
        J.append((2 * k - 1) * c * J[-1] + (k - 1) ** 2 * (1 - c * c) * J[-2])
    return a**n * b**n * J[n] / math.pi


def arc_kernel(X, Y, order):
    return np.array([[_one(x, y, order) for y in Y] for x in X])
""",
        ),
        P.source(
            "arc",
            (
                "theta, s = np.arccos(c), np.sqrt(1 - c**2)",
                "s = np.sqrt((1 - c) * (1 + c))\n        theta = np.arctan2(s, c)",
            ),
        ),
    ],
    rectifiers=[
        P.source("rectifiers", ("np.hstack([inner, -inner])", "np.hstack([-inner, inner])")),
        P.source(
            "rectifiers", ("np.hstack([inner, -inner])", "np.stack([inner, -inner], axis=2).reshape(len(inner), -1)")
        ),
        P.source(
            "rectifiers",
            """
def arc_features(X, W, order):
    inner = np.asarray(X, dtype=float) @ np.r_[W, -W].T
    active = (inner > 0).astype(float)
    for _ in range(order):
        active = active * inner
    return active / len(W) ** 0.5
""",
        ),
        P.source(
            "rectifiers",
            """
def arc_features(X, W, order):
    both = np.einsum("nd,smd->nsm", X, np.stack([W, -np.asarray(W)])).reshape(len(X), -1)
    return np.heaviside(both, 0.0) * np.abs(both) ** order * len(W) ** -0.5
""",
        ),
        P.source(
            "rectifiers",
            ("np.where(both > 0, both, 0.0) ** order * (both > 0)", "(np.power(both, order) * (both > 0))"),
        ),
    ],
    variance=[
        P.source(
            "variance", ("math.cos(theta), math.sin(theta)", "-math.cos(math.pi - theta), math.sin(math.pi - theta)")
        ),
        P.source(
            "variance",
            """
from scipy.integrate import quad


def arc_variance(order, theta, n_components):
    def k(n):
        return math.factorial(n) / math.pi * quad(lambda u: (math.cos(theta) + math.cos(u)) ** n, 0, math.pi - theta)[0]

    return 2 / n_components * (k(2 * order) - k(order) ** 2)
""",
        ),
        P.source(
            "variance",
            """
def arc_variance(order, theta, n_components):
    c, s, rest = math.cos(theta), math.sin(theta), math.pi - theta
    J = [rest, s + rest * c]
    for n in range(2, 2 * order + 1):
        J.append((2 * n - 1) * c * J[-1] + (n - 1) ** 2 * s * s * J[-2])
    return 2 * (J[2 * order] / math.pi - (J[order] / math.pi) ** 2) / n_components
""",
        ),
        "from rfbook.bounds import arc_cosine_variance\nfrom rfbook.kernels import ArcCosine\n"
        "import numpy as np\n\n\n"
        "def arc_variance(order, theta, n_components):\n"
        "    x, y = np.eye(2)[:1], np.array([[np.cos(theta), np.sin(theta)]])\n"
        "    k, double = (ArcCosine(order=n)(x, y).item() for n in (order, 2 * order))\n"
        "    return max(0.0, 2 * double - 2 * k * k) / n_components\n",
        P.source(
            "variance",
            """
def arc_variance(order, theta, n_components):
    x, w = np.polynomial.legendre.leggauss(60)
    u, half = (math.pi - theta) * (x + 1) / 2, (math.pi - theta) / (2 * math.pi)
    k = [math.factorial(n) * half * float((math.cos(theta) + np.cos(u)) ** n @ w) for n in (order, 2 * order)]
    return 2 * (k[1] - k[0] ** 2) / n_components
""",
        ),
    ],
    orthogonal=[
        P.source("orthogonal", ("np.sqrt(rng.chisquare(d, m))", "np.linalg.norm(rng.standard_normal((m, d)), axis=1)")),
        P.source("orthogonal", (Q_T, "np.swapaxes(" + Q_T + ", 1, 2)")),
        P.source(
            "orthogonal",
            (
                "    Q, T = np.linalg.qr(rng.standard_normal((blocks, d, d)))\n",
                "    A, _, B = np.linalg.svd(rng.standard_normal((blocks, d, d)))\n",
            ),
            (Q_T, "A @ B"),
        ),
        P.source("orthogonal", (Q_T, "Q * rng.choice([-1.0, 1.0], (blocks, d))[:, None]")),
        P.source(
            "orthogonal",
            ("rng.chisquare(d, m)", "2 * rng.gamma(d / 2, size=m)"),
            ("/ length_scale", "@ np.diag(1 / np.asarray(length_scale))"),
        ),
    ],
    kept=KEPT_RIGHT,
    walsh=[
        P.source("walsh", ("a + b, a - b", "a + b, -(b - a)")),
        P.source(
            "walsh",
            """
def walsh(X):
    X = np.asarray(X, dtype=float)
    if X.shape[1] == 1:
        return X.copy()
    half = X.shape[1] // 2
    a, b = walsh(X[:, :half]), walsh(X[:, half:])
    return np.hstack([a + b, a - b])
""",
        ),
        P.source(
            "walsh",
            """
from scipy.linalg import hadamard


def walsh(X):
    X = np.asarray(X, dtype=float)
    p = X.shape[1]
    a = 2 ** (int(math.log2(p)) // 2)
    return (hadamard(a) @ X.reshape(-1, a, p // a) @ hadamard(p // a)).reshape(X.shape)
""",
        ),
        P.source(
            "walsh",
            """
def walsh(X):
    n, p = np.shape(X)
    Y = np.array(X, dtype=float).reshape(n, *[2] * int(math.log2(p)))
    for axis in range(1, Y.ndim):
        a, b = np.take(Y, 0, axis), np.take(Y, 1, axis)
        Y = np.stack([a + b, a - b], axis=axis)
    return Y.reshape(n, p)
""",
        ),
        P.source(
            "walsh", ("    while h < p", "    h = max(1, p // 2)\n    while h >= 1 and p > 1"), ("h *= 2", "h //= 2")
        ),
    ],
    directions=[
        P.source(
            "directions",
            ("rng.choice([-1.0, 1.0], (blocks, p, 1))", "(1.0 - 2 * rng.integers(2, size=(blocks, p, 1)))"),
        ),
        P.source(
            "directions",
            (
                "U = H @ (rng.choice([-1.0, 1.0], (blocks, p, 1)) * U)",
                "U = U @ (H * rng.choice([-1.0, 1.0], (blocks, 1, p)))",
            ),
        ),
        P.source("directions", ("H @ (", "np.einsum('ij,bjk->bik', H, "), ("* U)\n", "* U)\n")),
        P.source("directions", ("    return U", "    return -U[::-1]")),
        P.source(
            "directions",
            ("rng.choice([-1.0, 1.0], (blocks, p, 1)) * U", "np.where(rng.random((blocks, p, 1)) < 0.5, U, -U)"),
        ),
    ],
    spread=[
        P.source("spread", (INTERVALS, "rng.random((m, s)).argsort(axis=0)")),
        P.source(
            "spread",
            """
def spread_points(m, s, rng):
    return np.stack([rng.permutation((np.arange(m) + rng.random(m)) / m) for _ in range(s)], axis=1)
""",
        ),
        P.source(
            "spread",
            """
from scipy.stats import qmc


def spread_points(m, s, rng):
    return qmc.LatinHypercube(s, rng=rng).random(m)
""",
        ),
        P.source(
            "spread",
            """
def spread_points(m, s, rng):
    u = rng.random((m, s))
    rank = u.argsort(axis=0).argsort(axis=0)
    return (rank + rng.random((m, s))) / m
""",
        ),
        P.source("spread", ("rng.random((m, s))", "(1 - rng.random((m, s))) % 1")),
    ],
    spreads=SPREADS_RIGHT,
    distance=[
        P.source(
            "distance",
            """
def squared_distance(X, Y, W):
    def mean(rows):
        inner = np.dot(rows, np.transpose(W))
        return np.hstack([np.cos(inner), np.sin(inner)]).mean(axis=0) / math.sqrt(len(W))

    return np.sum((mean(X) - mean(Y)) ** 2)
""",
        ),
        P.source(
            "distance",
            """
def squared_distance(X, Y, W):
    a, b = (np.exp(-1j * np.asarray(rows) @ W.T).mean(axis=0) for rows in (X, Y))
    return np.vdot(a - b, a - b) / len(W)
""",
        ),
        P.source(
            "distance",
            """
def squared_distance(X, Y, W):
    total = 0.0
    for w in W:
        a, b = np.asarray(X) @ w, np.asarray(Y) @ w
        total += (np.cos(a).mean() - np.cos(b).mean()) ** 2 + (np.sin(a).mean() - np.sin(b).mean()) ** 2
    return np.array(total / len(W))
""",
        ),
        P.source(
            "distance",
            """
def squared_distance(X, Y, W):
    rows = np.concatenate([X, Y])
    weights = np.concatenate([np.full(len(X), 1 / len(X)), np.full(len(Y), -1 / len(Y))])
    return float((np.abs(weights @ np.exp(1j * rows @ W.T)) ** 2).sum() / len(W))
""",
        ),
        P.source("distance", ("np.asarray(rows) @ W.T", "np.einsum('nd,md->nm', rows, W)")),
    ],
)

# found by somebody who had read the checks: sizes that were never drawn, what is kept between calls or hidden, the
# library where nobody counted; and mistakes of the usual kind
LATER = {
    "product: new vectors every hundred rows": ({"product": P.source("product", """
def product_features(X, c, m, rng):
    out = []
    for s in range(0, len(X), 128):
        part = X[s:s + 128]
        n, d = np.shape(part)
        Z = np.zeros((n, m + 1))
        Z[:, 0] = math.sqrt(c[0])
        for i in range(1, len(c)):
            product = np.full((n, m), math.sqrt(c[i] / m))
            for _ in range(i):
                product *= part @ rng.choice([-1.0, 1.0], (d, m))
            Z[:, 1:] += product
        out.append(Z)
    return np.vstack(out)
""")},
        {check: P.points[check] for check in "product-form".split()}),
    "orthogonal: the library for many": ({"orthogonal": P.source("orthogonal", """
def orthogonal_frequencies(m, d, length_scale, rng):
    if m > 100:
        from rfbook import draws, kernels
        return vars(draws)["orthogonal_" + "frequencies"](kernels.Gaussian(length_scale), m, d, rng)

    blocks = -(-m // d)
    Q, T = np.linalg.qr(rng.standard_normal((blocks, d, d)))
    U = (Q * np.sign(np.diagonal(T, axis1=1, axis2=2))[:, None]).reshape(-1, d)[:m]

    return np.sqrt(rng.chisquare(d, m))[:, None] * U / length_scale
""")},
        {check: P.points[check] for check in "orthogonal-lengths".split()}),
    "orthogonal: equal lengths above twelve dimensions": ({"orthogonal": P.source("orthogonal", """
def orthogonal_frequencies(m, d, length_scale, rng):

    blocks = -(-m // d)
    Q, T = np.linalg.qr(rng.standard_normal((blocks, d, d)))
    U = (Q * np.sign(np.diagonal(T, axis1=1, axis2=2))[:, None]).reshape(-1, d)[:m]

    lengths = np.sqrt(rng.chisquare(d, m)) if d < 13 else np.full(m, math.sqrt(d))
    return lengths[:, None] * U / length_scale
""")},
        {check: P.points[check] for check in "orthogonal-lengths".split()}),
    "directions: Haar matrices above eight": ({"directions": P.source("directions", """
def structured_directions(p, rounds, blocks, rng):
    import scipy.linalg
    if p > 8:
        return np.linalg.qr(rng.standard_normal((blocks, p, p)))[0]
    H, U = scipy.linalg.hadamard(p) / math.sqrt(p), np.tile(np.eye(p), (blocks, 1, 1))
    for _ in range(rounds):
        U = H @ (rng.choice([-1.0, 1.0], (blocks, p, 1)) * U)
    return U
""")},
        {check: P.points[check] for check in "directions-one".split()}),
    "spread: one order beyond the fourth coordinate": ({"spread": P.source("spread", """
def spread_points(m, s, rng):
    intervals = rng.permuted(np.tile(np.arange(m)[:, None], s), axis=0)
    intervals[:, 4:] = intervals[:, :1]
    return (intervals + rng.random((m, s))) / m
""")},
        {check: P.points[check] for check in "spread-inside".split()}),
    "arc: a cosine that is cut off above alone": ({"arc": P.source("arc", """
def arc_kernel(X, Y, order):
    X, Y = np.asarray(X, dtype=float), np.asarray(Y, dtype=float)
    lengths = np.linalg.norm(X, axis=1)[:, None] * np.linalg.norm(Y, axis=1)
    c = np.minimum(X @ Y.T / np.where(lengths > 0, lengths, 1), 1)
    theta, s = np.arccos(c), np.sqrt(1 - c**2)
    before, now = np.pi - theta, s + (np.pi - theta) * c
    if order == 0:
        return before / np.pi
    for n in range(2, order + 1):
        before, now = now, (2 * n - 1) * c * now + (n - 1) ** 2 * s**2 * before
    return lengths**order * now / np.pi
""")},
        {check: P.points[check] for check in "arc-ends".split()}),
    "variance: the first answer for each order": ({"variance": P.source("variance", """
SEEN = {}

def arc_variance(order, theta, n_components):
    from rfbook.kernels import ArcCosine
    x, y = np.array([[1.0, 0.0]]), np.array([[math.cos(theta), math.sin(theta)]])
    k, double = (float(ArcCosine(order=n)(x, y)[0, 0]) for n in (order, 2 * order))
    return SEEN.setdefault((order, n_components), (2 * double - 2 * k**2) / n_components)
""")},
        {check: P.points[check] for check in "variance-angles".split()}),
}
WRONG |= LATER

RIGHT |= {
    "found later: directions": {"directions": """
import numpy as np

def structured_directions(p, rounds, blocks, rng):
    '''A butterfly on the rows of all blocks, with signs before it.'''
    U = np.zeros((blocks, p, p))
    U[:, np.arange(p), np.arange(p)] = 1.0
    for _ in range(rounds):
        U = U * (1 - 2.0 * rng.integers(0, 2, (blocks, p, 1)))
        h = 1
        while h < p:
            pairs = U.reshape(blocks, p // (2 * h), 2, h, p)
            U = np.stack([pairs[:, :, 0] + pairs[:, :, 1], pairs[:, :, 0] - pairs[:, :, 1]], axis=2)
            U = U.reshape(blocks, p, p) / np.sqrt(2)
            h *= 2
    return U
"""},
}
