"""Planted answers to variant 2 of assignment 2: wrong ones with the checks that they must lose, and right ones."""

from planted import Planted, sets

P = Planted("assignment2-variant2")

CHANCE = "min(1.0, 2 * pairs * math.exp(-n_components * eps**2 / rate))"
RADIUS = P.wrong(
    "radius",
    [
        ("as many frequencies as features", "radius-paired radius-pairs", ('"paired": 4', '"paired": 2')),
        ("the range of the offset map", "radius-offset radius-pairs", ('"offset": 3', '"offset": 8')),
        (
            "the two rates exchanged",
            "radius-paired radius-offset",
            ('{"paired": 4, "offset": 3}', '{"paired": 3, "offset": 4}'),
        ),
        ("one tail", "radius-paired radius-offset", ("2 * pairs", "pairs")),
        (
            "above one",
            "radius-paired radius-offset radius-pairs",
            (CHANCE, "2 * pairs * math.exp(-n_components * eps**2 / rate)"),
        ),
        ("no union bound", "radius-pairs", ("2 * pairs", "2")),
        (
            "pairs as powers",
            "radius-paired radius-offset radius-pairs",
            (CHANCE, "1 - (1 - min(1.0, 2 * math.exp(-n_components * eps**2 / rate))) ** min(pairs, 9)"),
        ),
        ("the error not squared", "radius-paired radius-offset radius-pairs", ("eps**2", "eps")),
        ("powers of ten", "radius-paired radius-offset radius-pairs", ("math.exp(", "10 ** (")),
        ("the chance of success", "radius-paired radius-offset radius-pairs", (CHANCE, f"1 - {CHANCE}")),
        (
            "pairs cut before the exponential",
            "radius-pairs",
            (CHANCE, "min(1.0, 2 * math.exp(-n_components * eps**2 / rate)) * pairs"),
        ),
        ("not above a half", "radius-paired radius-offset radius-pairs", ("min(1.0,", "min(0.5,")),
        ("a hundred features at least", "radius-paired radius-offset", ("-n_components", "-max(n_components, 100)")),
    ],
)

MOST = "math.floor(delta / 2 * math.exp(n_components * eps**2 / rate))"
WIDTH = P.wrong(
    "width",
    [
        ("rounded up", "width-enough width-pairs", ("math.floor", "math.ceil")),
        ("rounded", "width-enough width-pairs", ("math.floor(", "round(")),
        ("a float", "width-even", ("return math.floor", "return 1.0 * math.floor")),
        ("not rounded", "width-even width-pairs", ("math.floor", "")),
        ("one at least", "width-pairs", (MOST, f"max(1, {MOST})")),
        ("one more", "width-enough width-pairs", (MOST, f"{MOST} + 1")),
        ("one less", "width-least width-pairs", (MOST, f"max(0, {MOST} - 1)")),
        ("one tail", "width-enough width-pairs", ("delta / 2", "delta")),
        ("as many frequencies as features", "width-enough width-pairs", ('"paired": 4', '"paired": 2')),
        ("the range of the offset map", "width-least width-pairs", ('"offset": 3', '"offset": 8')),
        (
            "the logarithm",
            "width-least width-even width-pairs",
            (MOST, "math.floor(n_components * eps**2 / rate - math.log(2 / delta))"),
        ),
        ("points and not pairs", "width-least", (MOST, f"math.isqrt(2 * {MOST})")),
        ("a million at most", "width-least", (MOST, f"min({MOST}, 10**6)")),
        (
            "a true value",
            "width-even width-pairs",
            ("return", "if n_components * eps**2 / rate < math.log(2 / delta):\n        return None\n    return"),
        ),
    ],
)

BERNSTEIN = P.wrong(
    "bernstein",
    [
        (
            "the paired map",
            "bernstein-root bernstein-near",
            ("1 + k_2delta / 2 - k_delta**2", "(1 + k_2delta) / 2 - k_delta**2"),
        ),
        (
            "the paired map, frequencies and all",
            "bernstein-root bernstein-near",
            ("1 + k_2delta / 2 - k_delta**2", "(1 + k_2delta) / 2 - k_delta**2"),
            ("n_components, math", "n_components / 2, math"),
        ),
        ("half the features", "bernstein-root bernstein-near", ("n_components, math", "n_components / 2, math")),
        (
            "standard deviation for variance",
            "bernstein-root bernstein-near",
            ("1 + k_2delta / 2 - k_delta**2", "math.sqrt(1 + k_2delta / 2 - k_delta**2)"),
        ),
        ("normal tails", "bernstein-root bernstein-near", ("1 + abs(k_delta)", "0.0")),
        (
            "the range two of an offset feature, and more",
            "bernstein-root bernstein-near",
            ("1 + abs(k_delta)", "2 + abs(k_delta)"),
        ),
        ("kernels that are never negative", "bernstein-root", ("1 + abs(k_delta)", "1 + k_delta")),
        ("the largest variance", "bernstein-root bernstein-near", ("1 + k_2delta / 2 - k_delta**2", "1.5")),
        ("one tail", "bernstein-root bernstein-near", ("2 / delta", "1 / delta")),
        ("the kernel at twice the distance by the Gaussian", "bernstein-root", ("k_2delta / 2", "k_delta**4 / 2")),
        ("the other root", "bernstein-root", ("half + math.sqrt", "half - math.sqrt")),
        (
            "terms added",
            "bernstein-root bernstein-near",
            (
                "half + math.sqrt(half**2 + 2 * variance * log_odds / m)",
                "2 * half + math.sqrt(2 * variance * log_odds / m)",
            ),
        ),
    ],
)

LAW = "w - np.pi, np.full(20, 0.05), np.arange(1.0, 9.0), 100, 0.16"
LEMMA = P.wrong(
    "lemma",
    [
        ("one distance", "lemma-fails", ("np.arange(1.0, 9.0)", "np.array([1.0])")),
        ("one distance, several times", "lemma-fails", ("np.arange(1.0, 9.0)", "np.ones(8)")),
        ("distances that differ in sign alone", "lemma-fails", ("np.arange(1.0, 9.0)", "np.array([3.0, -3.0])")),
        ("distances near to each other", "lemma-fails", ("np.arange(1.0, 9.0)", "1 + 0.001 * np.arange(8)")),
        ("an error that is too rare", "lemma-fails", ("0.16", "0.5")),
        ("an error that is too common", "lemma-fails", ("0.16", "0.05"), ("100,", "20,")),
        ("one side of the spectrum", "lemma-law", ("w - np.pi", "w / 2")),
        ("nine tenths of a law", "lemma-law lemma-fails", ("np.full(20, 0.05)", "np.full(20, 0.045)")),
        ("a law that is no number", "lemma-law lemma-fails", ("w - np.pi", "w * np.nan")),
        ("negative probabilities", "lemma-law lemma-fails", ("np.full(20, 0.05)", "np.tile([0.15, -0.05], 10)")),
        (
            "too many frequencies",
            "lemma-law lemma-fails",
            (LAW, "np.r_[w - np.pi, 0.0], np.r_[np.full(20, 0.05), 0.0], np.arange(1.0, 9.0), 100, 0.16"),
        ),
        (
            "a coin",
            "lemma-fails",
            (LAW, "np.array([0.0, np.pi, -np.pi]), np.array([0.5, 0.25, 0.25]), np.arange(1.0, 9.0), 100, 0.16"),
        ),
    ],
)
SPLIT = P.wrong("split", [(str(k), "split-factor", ("18", repr(k))) for k in (2, 9, 6, 36, 12, 3, "18 or 36", 18.5)])

PITCH = "np.sqrt(1 - rng.random((n_grids, d)))"
SHIFT = "rng.random((n_grids, d))\n"
GRIDS = P.wrong(
    "grids",
    [
        ("pitches of the Laplacian kernel", "grids-pitches", (PITCH, "rng.gamma(2.0, 1.0, (n_grids, d))")),
        ("one pitch, of the hat", "grids-pitches", (PITCH, "np.ones((n_grids, d))")),
        ("uniform pitches", "grids-pitches", (PITCH, "(1 - rng.random((n_grids, d)))")),
        ("the second derivative without the distance", "grids-pitches", (PITCH, "(1 - rng.random((n_grids, d)) ** 2)")),
        ("the cube root", "grids-pitches", (PITCH, "np.cbrt(1 - rng.random((n_grids, d)))")),
        (
            "one pitch for all coordinates",
            "grids-independent",
            (PITCH, "np.sqrt(1 - rng.random((n_grids, 1))) * np.ones(d)"),
        ),
        ("the length scale upside down", "grids-pitches", ("length_scale *", "1 / length_scale *")),
        ("the length scale under the root", "grids-pitches", ("length_scale *", "np.sqrt(length_scale) *")),
        ("length scales held above one", "grids-pitches", ("length_scale *", "max(length_scale, 1.0) *")),
        ("one grid for all", "grids-pitches", (PITCH, "np.repeat(np.sqrt(1 - rng.random((1, d))), n_grids, axis=0)")),
        (
            "spread evenly",
            "grids-pitches grids-independent",
            (PITCH, "np.sqrt((rng.permutation(n_grids)[:, None] + rng.random((n_grids, d))) / n_grids)"),
        ),
        (
            "grids that come again with coordinates exchanged",
            "grids-independent",
            (
                "    # t k''(t) = 2 t on [0, 1]: the root of a uniform number, here of one that is not zero\n   "
                " return length_scale * "
                + PITCH,
                "    p, half = np.sqrt(1 - rng.random((n_grids, d))), n_grids // 2\n    if d > 1:\n"
                "        p[half:2 * half] = np.roll(p[:half], 1, axis=1)\n    return length_scale * rng.permutation(p)",
            ),
        ),
        (
            "the mean pitch if there is one grid",
            "grids-pitches",
            (PITCH, f"({PITCH} if n_grids > 1 else 0.667 + 1e-3 * rng.random((1, d)))"),
        ),
        ("no shift", "grids-shifts", (", rng.random((n_grids, d))", ", np.zeros((n_grids, d))")),
        (
            "one shift for all coordinates",
            "grids-shifts",
            (", rng.random((n_grids, d))", ", rng.random((n_grids, 1)) * np.ones(d)"),
        ),
        (
            "shifts in units of length",
            "grids-shifts",
            (", rng.random((n_grids, d))", ", rng.random((n_grids, d)) * length_scale"),
        ),
        (
            "shifts on a lattice",
            "grids-shifts",
            (", rng.random((n_grids, d))", ", rng.integers(0, 1000, (n_grids, d)) / 1000"),
        ),
        (
            "shifts of a seed",
            "grids-shifts",
            (", rng.random((n_grids, d))", ", np.random.default_rng(1).random((n_grids, d))"),
        ),
        (
            "shifts that hang on the pitches",
            "grids-independent",
            (
                "return length_scale * " + PITCH + ", rng.random((n_grids, d))",
                "u = rng.random((n_grids, d))\n    return length_scale * np.sqrt(1 - u), u",
            ),
        ),
    ],
)

CORNER = "(np.floor(X / pitches - shifts) + shifts) * pitches"
CODES = P.wrong(
    "codes",
    [
        ("the code and not the corner", "codes-right codes-left", (CORNER, "np.floor(X / pitches - shifts)")),
        ("cut towards zero", "codes-left", ("np.floor", "np.trunc")),
        ("rounded", "codes-right codes-left", ("np.floor", "np.rint")),
        ("the upper end", "codes-right codes-left", ("+ shifts)", "+ shifts + 1)")),
        ("the middle", "codes-right codes-left", ("+ shifts)", "+ shifts + 0.5)")),
        ("the shift forgotten again", "codes-right codes-left", (" + shifts) * pitches", ") * pitches")),
        ("the shift for a length", "codes-right codes-left", ("+ shifts) * pitches", ") * pitches + shifts")),
        ("the shift added twice", "codes-right codes-left", ("X / pitches - shifts", "X / pitches + shifts")),
        (
            "the shift taken for a length from the start",
            "codes-right codes-left",
            (CORNER, "np.floor((X - shifts) / pitches) * pitches + shifts"),
        ),
        (
            "the end of the box before",
            "codes-right codes-left",
            ("np.floor(X / pitches - shifts)", "(np.ceil(X / pitches - shifts) - 1)"),
        ),
        (
            "codes of 16 bits",
            "codes-right codes-left",
            ("np.floor(X / pitches - shifts)", "np.floor(X / pitches - shifts).astype(np.int16)"),
        ),
        ("rows before grids", "codes-right codes-left", (CORNER, f"({CORNER}).swapaxes(0, 1)")),
        ("single precision", "codes-right codes-left", (CORNER, f"({CORNER}).astype(np.float32)")),
    ],
)

ADD = "sums[code] = sums.get(code, 0.0) + value"
LOOK = "[sums.get(code, 0.0) for code in map(tuple, grid_new.tolist())]"
ONEHOT = P.wrong(
    "onehot",
    [
        ("a sum and not a mean", "onehot-norm onehot-grids onehot-seen onehot-unseen", ("total / len(codes)", "total")),
        (
            "a root",
            "onehot-norm onehot-grids onehot-seen onehot-unseen",
            ("total / len(codes)", "total / np.sqrt(len(codes))"),
        ),
        ("the last row of a box", "onehot-norm onehot-exact onehot-seen", (ADD, "sums[code] = value")),
        ("the first row of a box", "onehot-norm onehot-exact onehot-seen", (ADD, "sums.setdefault(code, value)")),
        (
            "the mean of a box",
            "onehot-exact onehot-seen",
            (ADD, "sums.setdefault(code, []).append(value)"),
            ("    total +=", "    sums = {k: sum(x) / len(x) for k, x in sums.items()}\n        total +="),
        ),
        (
            "one table for all grids",
            "onehot-norm onehot-grids onehot-seen",
            ("        sums = {}\n", ""),
            ("    for grid,", "    sums = {}\n    for grid,"),
        ),
        (
            "a hash that collides",
            "onehot-exact onehot-seen",
            ("map(tuple, grid.tolist())", "(hash(tuple(c)) % 2**20 for c in grid.tolist())"),
            ("map(tuple, grid_new.tolist())", "(hash(tuple(c)) % 2**20 for c in grid_new.tolist())"),
        ),
        (
            "a weighted sum for a hash",
            "onehot-exact",
            ("map(tuple, grid.tolist())", "(sum(x * 1000**i for i, x in enumerate(c)) for c in grid.tolist())"),
            ("map(tuple, grid_new.tolist())", "(sum(x * 1000**i for i, x in enumerate(c)) for c in grid_new.tolist())"),
        ),
        (
            "boxes named by floats",
            "onehot-exact",
            ("grid.tolist()", "grid.astype(float).tolist()"),
            ("grid_new.tolist()", "grid_new.astype(float).tolist()"),
        ),
        (
            "boxes named by 32 bits",
            "onehot-exact",
            ("grid.tolist()", "grid.astype(np.int32).tolist()"),
            ("grid_new.tolist()", "grid_new.astype(np.int32).tolist()"),
        ),
        (
            "a box is its numbers in any order",
            "onehot-exact onehot-seen",
            ("map(tuple, grid.tolist())", "map(tuple, np.sort(grid).tolist())"),
            ("map(tuple, grid_new.tolist())", "map(tuple, np.sort(grid_new).tolist())"),
        ),
        (
            "unknown boxes get the mean",
            "onehot-unseen",
            ("        sums = {}\n", "        sums, mean = {}, float(np.mean(v))\n"),
            (LOOK, LOOK.replace("0.0", "mean")),
        ),
        ("unknown boxes get the first", "onehot-unseen", (LOOK, LOOK.replace("0.0", "v[0]"))),
        (
            "boxes numbered in the smallest cube",
            "onehot-exact onehot-unseen",
            (
                "        sums = {}\n",
                "        low, wide = grid.min(0), np.ptp(grid, axis=0) + 1\n"
                "        weights = np.cumprod(np.r_[1, wide[:-1]])\n"
                "        grid, grid_new = ((g - low) @ weights[:, None] for g in (grid, grid_new))\n        "
                "sums = {}\n",
            ),
        ),
        (
            "divided by the grids that are known",
            "onehot-unseen",
            (
                "    return total / len(codes)",
                "    known = np.array([sum(tuple(r) in set(map(tuple, g.tolist())) for r, g in "
                "zip(rows.tolist(), codes)) if len(codes) > 1 else 1 for rows in new.swapaxes(0, 1)])\n"
                "    return total / np.maximum(known, 1)",
            ),
        ),
        (
            "the first grid alone",
            "onehot-seen onehot-unseen",
            ("return total / len(codes)", "return kernel_times(codes[:1], new[:1], v) if len(codes) > 1 else total"),
        ),
        (
            "counts",
            "onehot-norm onehot-exact onehot-grids onehot-seen onehot-unseen",
            (ADD, "sums[code] = sums.get(code, 0.0) + 1.0"),
        ),
    ],
)

ESTIMATE = "(np.floor(x / pitches - shifts) == np.floor(y / pitches - shifts)).all(2).mean(1)"
ESTIMATES = P.wrong(
    "estimates",
    [
        (
            "pitches of the Laplacian kernel",
            "estimates-mean",
            ("np.sqrt(1 - rng.random(shape))", "rng.gamma(2.0, 1.0, shape)"),
        ),
        ("uniform pitches", "estimates-mean", ("np.sqrt(1 - rng.random(shape))", "(1 - rng.random(shape))")),
        ("one pitch", "estimates-mean", ("np.sqrt(1 - rng.random(shape))", "np.ones(shape)")),
        (
            "one pitch for all coordinates",
            "estimates-mean",
            ("np.sqrt(1 - rng.random(shape))", "np.sqrt(1 - rng.random((*shape[:2], 1)))"),
        ),
        (
            "one shift for all coordinates",
            "estimates-mean",
            (", rng.random(shape)\n", ", rng.random((*shape[:2], 1))\n"),
        ),
        ("one grid for all of an estimate", "estimates-variance", ("repeats, n_grids, len(x)", "repeats, 1, len(x)")),
        (
            "one shift for the grids of an estimate",
            "estimates-variance",
            (", rng.random(shape)\n", ", rng.random((repeats, 1, len(x)))\n"),
        ),
        ("closer than a pitch", "estimates-mean", (ESTIMATE, "(np.abs(x - y) < pitches).all(2).mean(1)")),
        ("one box in some coordinate", "estimates-mean", (".all(2)", ".any(2)")),
        (
            "the kernel itself",
            "estimates-mean estimates-variance",
            (ESTIMATE, "np.full(repeats, np.prod(np.maximum(0, 1 - np.abs(x - y)) ** 2))"),
        ),
        (
            "a binomial number",
            "estimates-mean",
            (ESTIMATE, "rng.binomial(n_grids, np.prod(np.maximum(0, 1 - np.abs(x - y)) ** 2), repeats) / n_grids"),
        ),
        (
            "every estimate twice",
            "estimates-variance",
            (f"return {ESTIMATE}", f"return np.repeat({ESTIMATE}[: (repeats + 1) // 2], 2)[:repeats]"),
        ),
        (
            "grids of a seed",
            "estimates-mean estimates-variance",
            ("    shape =", "    rng = np.random.default_rng(3)\n    shape ="),
        ),
        (
            "the estimates of a call held at their mean",
            "estimates-variance",
            (
                f"return {ESTIMATE}",
                f"found = {ESTIMATE}\n    return found - found.mean() + np.prod(np.maximum(0, 1 - np.abs(x - y)) ** 2)",
            ),
        ),
    ],
)

NEAR = "(2 * c - 1) / (4 * (6 * c - 1)) / max(1.0, math.sqrt(c))"
WITNESS = P.wrong(
    "witness",
    [
        ("one distance for every c", "witness-gaussian witness-all", (NEAR, "0.05")),
        ("one small distance for every c", "witness-gaussian", (NEAR, "0.001")),
        ("too far apart", "witness-gaussian witness-all", (NEAR, "2.0")),
        ("a distance that is negative", "witness-gaussian witness-all", (NEAR, f"-{NEAR}")),
        ("far too near", "witness-gaussian witness-all", (NEAR, "1e-9")),
        ("right for large c alone", "witness-all", (NEAR, "0.1 / c")),
        ("the scale of the Gaussian", "witness-gaussian witness-all", (NEAR, "1 / math.sqrt(2 * c)")),
        ("no number", "witness-gaussian witness-all", (NEAR, "float('nan')")),
        (
            "twice the distance where the sides meet",
            "witness-gaussian witness-all",
            (NEAR, "2 * (2 * c - 1) / (6 * c - 1)"),
        ),
    ],
)

HOLDS, RIGHT_HOLDS = P.choices(
    "property",
    "true_of_partitions",
    "property-word",
    ["bc", "be", "ce", "abce", "bcde", "abcde", "transitivity", "", None],
    ["ecb", "B, C, E", "(b), (c) and (e)", ["b", "c", "e"], "b c e"],
)

COLUMNS, ROWS = "n * lam * np.diag(a)", "n * lam * np.eye(n)"
RIDGE = P.wrong(
    "ridge",
    [
        (
            "prices forgotten",
            "ridge-columns ridge-rows ridge-scale-columns ridge-scale-rows ridge-wide",
            ("np.diag(a)", "np.eye(D)"),
            ("Z.multiply(1 / a).tocsr()", "Z"),
        ),
        ("prices forgotten by columns", "ridge-columns ridge-scale-columns", ("np.diag(a)", "np.eye(D)")),
        ("prices forgotten by rows", "ridge-rows ridge-scale-rows ridge-wide", ("Z.multiply(1 / a).tocsr()", "Z")),
        (
            "prices upside down",
            "ridge-rows ridge-scale-rows ridge-wide",
            ("np.diag(a)", "np.diag(1 / a)"),
            ("1 / a", "a"),
        ),
        (
            "prices upside down by rows",
            "ridge-rows ridge-scale-rows ridge-wide",
            ("Z.multiply(1 / a)", "Z.multiply(a)"),
        ),
        (
            "roots of prices",
            "ridge-columns ridge-rows ridge-scale-columns ridge-scale-rows ridge-wide",
            ("np.diag(a)", "np.diag(np.sqrt(a))"),
            ("Z.multiply(1 / a)", "Z.multiply(1 / np.sqrt(a))"),
        ),
        ("the mean price", "ridge-columns ridge-scale-columns", ("np.diag(a)", "(a.mean() * np.eye(D))")),
        (
            "a sum of squares",
            "ridge-scale-columns ridge-scale-rows",
            (COLUMNS, "lam * np.diag(a)"),
            (ROWS, "lam * np.eye(n)"),
        ),
        ("a sum of squares by rows", "ridge-scale-rows", (ROWS, "lam * np.eye(n)")),
        ("prices in the matrix alone", "ridge-rows ridge-scale-rows ridge-wide", ("return cheap.T @", "return Z.T @")),
        (
            "prices outside of the matrix alone",
            "ridge-rows ridge-scale-rows ridge-wide",
            ("(cheap @ Z.T)", "(Z @ Z.T)"),
        ),
        ("dual coefficients", "ridge-rows ridge-scale-rows ridge-wide", ("return cheap.T @ np", "return np")),
        (
            "rows by columns",
            "ridge-wide",
            (
                "    cheap = Z.multiply(1 / a).tocsr()\n    return cheap.T @ np.linalg.solve((cheap @ "
                "Z.T).toarray() + n * lam * np.eye(n), y)",
                "    if Z.shape[1] > 10**5:\n        raise MemoryError('too large')\n    return "
                "ridge_columns(Z, y, a, lam)",
            ),
        ),
        ("a dense copy", "ridge-wide", ("return cheap.T @", "return cheap.toarray().T @")),
        ("a ridge of a thousandth at least", "ridge-scale-columns", (COLUMNS, "n * max(lam, 1e-3) * np.diag(a)")),
        ("a ridge of a thousandth at least, by rows", "ridge-scale-rows", (ROWS, "n * max(lam, 1e-3) * np.eye(n)")),
        ("the targets centred", "ridge-columns ridge-scale-columns", ("Z.T @ y)", "Z.T @ (y - y.mean()))")),
        (
            "one degree of freedom less",
            "ridge-scale-columns ridge-scale-rows",
            (COLUMNS, "(n - 0.999) * lam * np.diag(a)"),
            (ROWS, "(n - 0.999) * lam * np.eye(n)"),
        ),
    ],
)

WRONG = {
    **RADIUS,
    **WIDTH,
    **BERNSTEIN,
    **LEMMA,
    **SPLIT,
    **GRIDS,
    **CODES,
    **ONEHOT,
    **ESTIMATES,
    **WITNESS,
    **HOLDS,
    **RIDGE,
}


def _all(answer, head, *bodies):
    """Right answers with one head."""
    return [P.source(answer, f"from scipy import sparse\n\n\ndef {head}:\n    {body}\n") for body in bodies]


RIGHT = sets(
    radius=_all(
        "radius",
        "chance_for(n_components, eps, phase, pairs=1)",
        "terms, proxy = (n_components / 2, 1.0) if phase == 'paired' else (n_components, 1.5)\n"
        "    return float(np.clip(2 * pairs * np.exp(-terms * eps**2 / (2 * proxy)), 0, 1))",
        "from rfbook.bounds import hoeffding_probability\n"
        "    return hoeffding_probability(eps, n_components, phase, pairs)",
        "rate = 4 if phase == 'paired' else 3\n"
        "    return math.exp(min(0.0, math.log(2) + math.log(pairs) - n_components * eps * eps / rate))",
        "from decimal import Decimal as D\n    rate = D(4 if phase == 'paired' else 3)\n"
        "    return min(D(1), 2 * D(pairs) * (-D(n_components) * D(eps) ** 2 / rate).exp())",
        "one = 2 * math.exp(-n_components * eps**2 / dict(paired=4.0, offset=3.0)[phase])\n"
        "    return 1 if one >= 1 / pairs else one * pairs",
    ),
    width=_all(
        "width",
        "pairs_for(n_components, eps, delta, phase)",
        "return int(delta / (2 * math.exp(-n_components * eps**2 / (3 + (phase == 'paired')))))",
        "terms, proxy = (n_components // 2, 1.0) if phase == 'paired' else (n_components, 1.5)\n"
        "    return int(np.floor(np.exp(terms * eps**2 / (2 * proxy) + np.log(delta / 2))))",
        "from fractions import Fraction\n    one = Fraction(2 * math.exp(-n_components * eps**2 / (4 if phase == "
        "'paired' else 3)))\n    return Fraction(delta) // one",
        "exponent = n_components * eps**2 / (4 if phase == 'paired' else 3)\n    low, high = 0, 1\n"
        "    while math.log(2 * high) - exponent <= math.log(delta):\n        low, high = high, 2 * high\n"
        "    while high - low > 1:\n        middle = (low + high) // 2\n"
        "        low, high = ((middle, high) if math.log(2 * middle) - exponent <= math.log(delta) "
        "else (low, middle))\n    return low",
        "return np.int64(delta * math.exp(n_components * eps**2 / {'paired': 4, 'offset': 3}[phase]) // 2)",
    ),
    bernstein=_all(
        "bernstein",
        "bernstein_for(n_components, delta, k_delta, k_2delta)",
        "from rfbook.bounds import bernstein_radius\n"
        "    return bernstein_radius(n_components, delta, 'offset', k_delta, k_2delta)",
        "L = np.log(2 / delta)\n"
        "    return max(np.roots([n_components, -2 / 3 * (1 + abs(k_delta)) * L, "
        "-(2 + k_2delta - 2 * k_delta**2) * L]).real)",
        "from scipy.optimize import brentq\n    v, M, L = 1 + k_2delta / 2 - k_delta**2, 1 + abs(k_delta), "
        "math.log(2 / delta)\n    return brentq(lambda e: n_components * e**2 - (2 * v + 2 / 3 * M * e) * L, "
        "1e-9, 1e3, xtol=1e-15)",
        "v, M, e = 1 + k_2delta / 2 - k_delta**2, 1 + abs(k_delta), 50.0\n"
        "    L = math.log(2) - math.log(delta)\n    for _ in range(200):\n"
        "        e -= (n_components * e**2 - (2 * v + 2 / 3 * M * e) * L) / (2 * n_components * e - 2 / 3 * M * L)"
        "\n    return e",
        "L, M = math.log(2 / delta) / n_components, 1 + abs(k_delta)\n    v2 = 2 + k_2delta - 2 * k_delta**2\n"
        "    return 2 * v2 * L / (math.sqrt((2 / 3 * M * L) ** 2 + 4 * v2 * L) - 2 / 3 * M * L)",
    ),
    lemma=_all(
        "lemma",
        "counterexample()",
        "w = np.arange(1.0, 11.0)\n    return np.r_[w, -w], np.full(20, 0.05), np.linspace(0.2, 1.8, 8) * 2, 200, 0.12",
        "return [-3, -1, 1, 3, 0.5, -0.5, 2.2, -2.2], [0.125] * 8, (1, 2.5, 4, 7, 9.5, 13, 17, 22), 60, 0.22",
        "w = np.sqrt([2, 3, 5, 7, 11, 13, 17, 19, 23, 29])\n"
        "    return np.r_[-w, w], np.full(20, 1 / 20), np.array([10.0, 20, 37, 55, 80, 111]), 400, 0.09",
        "p = np.array([1, 2, 3, 4, 3, 2, 1, 2, 2]) / 20\n    w = np.arange(9) - 4.0\n"
        "    p = (p + p[::-1]) / 2\n    return w, p, np.pi * np.arange(1, 9) / 4.7, 50, 0.22",
        "w = 2 * np.pi * (np.arange(20) + 0.5) / 20 - np.pi\n"
        "    return (part for part in (w, np.full(20, 0.05), range(1, 10), 30, 0.28))",
    ),
    split=_all(
        "split", "growth_factor()", *(f"return {k!r}" for k in (18.0, "18", "18 times as many", 18, "It is 18."))
    ),
    grids=_all(
        "grids",
        "draw_grids(n_grids, d, length_scale, rng)",
        "return length_scale * rng.random((2, n_grids, d)).max(axis=0), rng.random((n_grids, d))",
        "return length_scale * rng.beta(2, 1, (n_grids, d)), rng.uniform(size=(n_grids, d))",
        "return length_scale * rng.triangular(0, 1, 1, (n_grids, d)), 1 - (1 - rng.random((n_grids, d)))",
        "return np.stack([length_scale * np.exp(-rng.exponential(0.5, (n_grids, d))), rng.random((n_grids, d))])",
        "g = rng.standard_gamma([2.0, 1.0], (n_grids, d, 2))\n"
        "    return length_scale * g[..., 0] / g.sum(2), rng.uniform(5, 6, (n_grids, d)) % 1",
    ),
    codes=_all(
        "codes",
        "box_corners(X, pitches, shifts)",
        "place = X[None] / pitches[:, None] - shifts[:, None]\n"
        "    return X[None] - (place - np.floor(place)) * pitches[:, None]",
        "out = np.empty((len(pitches), *X.shape))\n    for p, (w, s) in enumerate(zip(pitches, shifts)):\n"
        "        out[p] = np.floor(X / w - s) * w + s * w\n    return out",
        "return np.array([((X - s * w) // w + s) * w for w, s in zip(pitches, shifts)])",
        "from rfbook.features.binning import binning_codes\n"
        "    return (binning_codes(X, pitches, shifts) + shifts[:, None]) * pitches[:, None]",
        "place = np.einsum('nd,pd->pnd', X, 1 / pitches) - shifts[:, np.newaxis, :]\n    codes = place.astype(int)\n"
        "    codes[place < codes] -= 1\n    return (codes + shifts[:, None]) * pitches[:, None]",
    ),
    onehot=_all(
        "onehot",
        "kernel_times(codes, new, v)",
        "out = np.zeros(new.shape[1])\n    for grid, later in zip(codes, new):\n"
        "        both = np.concatenate([grid, later])\n"
        "        at = np.unique(both, axis=0, return_inverse=True)[1].ravel()\n"
        "        out += np.bincount(at[:len(grid)], weights=v, minlength=at.max() + 1)[at[len(grid):]]\n"
        "    return out / len(codes)",
        "sums = {}\n    for p, grid in enumerate(codes):\n        for row, value in zip(grid, v):\n"
        "            key = p, row.tobytes()\n            sums[key] = sums.get(key, 0) + value\n"
        "    return [sum(sums.get((p, np.ascontiguousarray(new[p, i]).tobytes()), 0) for p in range(len(new))) "
        "/ len(new)\n            for i in range(new.shape[1])]",
        "from collections import defaultdict\n    out = np.zeros(new.shape[1])\n    for p in range(len(codes)):\n"
        "        sums = defaultdict(float)\n        for i, code in enumerate(codes[p].tolist()):\n"
        "            sums[str(code)] += v[i]\n"
        "        out = out + np.array([sums[str(code)] for code in new[p].tolist()])\n    return out / len(codes)",
        "m, out = new.shape[1], 0.0\n    for grid, later in zip(codes, new):\n"
        "        every = np.concatenate([grid, later])\n        order = np.lexsort(every.T)\n"
        "        starts = np.r_[True, (every[order][1:] != every[order][:-1]).any(1)]\n"
        "        label = np.empty(len(every), dtype=int)\n        label[order] = np.cumsum(starts) - 1\n"
        "        sums = np.zeros(starts.sum())\n        np.add.at(sums, label[:len(grid)], v)\n"
        "        out = out + sums[label[len(grid):]]\n    return out / len(codes)",
        "n, m = codes.shape[1], new.shape[1]\n    blocks = []\n    for grid, later in zip(codes, new):\n"
        "        table = {}\n        mine = [table.setdefault(tuple(c), len(table)) for c in grid.tolist()]\n"
        "        other = [table.setdefault(tuple(c), len(table)) for c in later.tolist()]\n"
        "        Z = sparse.csr_matrix((np.ones(n + m), (np.arange(n + m), mine + other)), "
        "shape=(n + m, len(table)))\n        blocks.append(Z[n:] @ (Z[:n].T @ v))\n"
        "    return np.mean(blocks, axis=0)",
    ),
    estimates=_all(
        "estimates",
        "estimates(x, y, n_grids, repeats, rng)",
        "shape = repeats, n_grids, len(x)\n    w = rng.random((2, *shape)).max(0)\n    s = rng.random(shape) * w\n"
        "    return np.all((x - s) // w == (y - s) // w, axis=2).mean(axis=1)",
        "hits = np.zeros(repeats)\n    for _ in range(n_grids):\n        w = rng.beta(2, 1, (repeats, len(x)))\n"
        "        s = rng.random(w.shape)\n"
        "        hits += (np.floor(x / w + s) == np.floor(y / w + s)).all(1)\n    return hits / n_grids",
        "total = np.zeros(repeats)\n    for _ in range(n_grids):\n        near = np.ones(repeats, dtype=bool)\n"
        "        for low, high in zip(np.minimum(x, y), np.maximum(x, y)):\n"
        "            w = np.sqrt(1 - rng.random(repeats))\n"
        "            near &= low + w * (1 - rng.random(repeats)) > high\n        total += near\n"
        "    return total / n_grids",
        "w = np.exp(-rng.exponential(0.5, (n_grids, repeats, len(x))))\n    s = 1 - rng.random(w.shape)\n"
        "    return np.mean((np.floor(x / w - s) == np.floor(y / w - s)).all(-1), axis=0)",
        "w = rng.triangular(0, 1, 1, (repeats * n_grids, len(x)))\n    s = rng.random(w.shape)\n"
        "    same = (np.floor(x / w - s) == np.floor(y / w - s)).all(1)\n"
        "    return same.reshape(repeats, n_grids).mean(1)",
    ),
    witness=_all(
        "witness",
        "witness(c)",
        "t = 1.0\n    while -math.expm1(-2 * t - 4 * c * t * t) <= -2 * math.expm1(-t - c * t * t) * (1 + 1e-5):\n"
        "        t *= 0.9\n    return t",
        "return min((c - 0.5) / 9, 0.1 / math.sqrt(c))",
        "t = np.geomspace(1e-7, 1, 9000)\n"
        "    gap = np.expm1(-2 * t - 4 * c * t**2) / np.expm1(-t - c * t**2)\n    return t[np.argmax(gap)]",
        "return (2 * c - 1) / (6 * c - 1) / (3 + c)",
        "return np.array((c - 0.5) / (10 * c * math.sqrt(1 + c)))",
    ),
    property=RIGHT_HOLDS,
    ridge=[
        P.source(
            "ridge",
            f"from scipy import sparse\n\n\ndef ridge_columns(Z, y, a, lam):\n    n, D = Z.shape\n"
            f"    {columns}\n\n\ndef ridge_rows(Z, y, a, lam):\n    n, D = Z.shape\n    {rows}\n",
        )
        for columns, rows in (
            (
                "r = np.sqrt(a)\n    Y = Z.toarray() / r\n    return np.linalg.solve(Y.T @ Y + n * lam * "
                "np.eye(D), Y.T @ y) / r",
                "Y = Z @ sparse.diags(a**-0.5)\n    return (Y.T @ np.linalg.solve((Y @ Y.T).toarray() + n * lam "
                "* np.eye(n), y))"
                " / np.sqrt(a)",
            ),
            (
                "rows = np.concatenate([Z.toarray(), np.sqrt(n * lam) * np.diag(np.sqrt(a))])\n"
                "    return np.linalg.lstsq(rows, np.r_[y, np.zeros(D)], rcond=None)[0]",
                "values, vectors = np.linalg.eigh((Z @ sparse.diags(1 / a) @ Z.T).toarray())\n"
                "    return Z.T @ (vectors @ ((vectors.T @ y) / (values + n * lam))) / a",
            ),
            (
                "from scipy.sparse.linalg import spsolve\n"
                "    return spsolve((Z.T @ Z / n + lam * sparse.diags(a)).tocsc(), Z.T @ y / n)",
                "from scipy.sparse.linalg import spsolve\n    K = Z @ sparse.diags(1 / a) @ Z.T / n\n"
                "    return Z.T @ spsolve((K + lam * sparse.eye(n)).tocsc(), y / n) / a",
            ),
            (
                "return np.linalg.inv((Z.T @ Z).toarray() / n + lam * np.diag(a)) @ (Z.T @ y) / n",
                "K = (Z @ (Z.multiply(1 / a)).T).toarray()\n    K[np.diag_indices_from(K)] += n * lam\n"
                "    return (np.linalg.inv(K) @ y) @ Z / a",
            ),
            (
                "from scipy.linalg import cho_factor, cho_solve\n"
                "    return cho_solve(cho_factor((Z.T @ Z).toarray() + n * lam * np.diag(a)), np.asarray(y @ "
                "Z).ravel())",
                "def times(c):\n        return Z @ ((Z.T @ c) / a) + n * lam * c\n\n    x, r = np.zeros(n), y.copy()\n"
                "    p, rr = r.copy(), r @ r\n    while rr > 1e-28 * (y @ y):\n        q = times(p)\n"
                "        step = rr / (p @ q)\n        x, r = x + step * p, r - step * q\n        rr, old = r @ r, rr\n"
                "        p = r + rr / old * p\n    return Z.T @ x / a",
            ),
        )
    ],
)
