"""Planted answers to assignment 2: wrong ones with the marks that they must lose, and right ones of several kinds.

``WRONG`` maps a name to the answer cells that are replaced and to the checks that fail with the marks they cost.
``RIGHT`` maps a name to replaced answer cells that get full marks.
"""

IMPORTS = """
import itertools
import math

import numpy as np
from scipy import sparse
"""


def _radius(constant, odds="2 * pairs / delta"):
    return IMPORTS + f"""
def radius_for(n_components, delta, phase, pairs=1):
    return math.sqrt({constant}[phase] * math.log({odds}) / n_components)
"""


def _width(paired, offset):
    return IMPORTS + f"""
def width_for(eps, delta, phase, pairs=1):
    log_odds = math.log(2 * pairs / delta)
    return {paired} if phase == "paired" else {offset}
"""


def _bernstein(variance="(1 + k_2delta) / 2 - k_delta**2", bound="1 + abs(k_delta)"):
    return IMPORTS + f"""
def bernstein_for(n_components, delta, k_delta, k_2delta):
    m, log_odds = n_components / 2, math.log(2 / delta)
    half = ({bound}) * log_odds / (3 * m)
    return half + math.sqrt(half**2 + 2 * ({variance}) * log_odds / m)
"""


def _lemma(frequencies, probabilities, t, eps=0.1, eta=0.01):
    return IMPORTS + f"""
def counterexample():
    return np.array({frequencies}), np.array({probabilities}), {t}, {eps}, {eta}
"""


def _grids(pitches="rng.gamma(2.0, 1.0, shape)", shifts="rng.random(shape)"):
    return IMPORTS + f"""
def draw_grids(n_grids, d, length_scale, rng):
    shape = n_grids, d
    return length_scale * {pitches}, {shifts}
"""


def _codes(code):
    return IMPORTS + f"""
def box_codes(X, pitches, shifts):
    return {code}
"""


def _one_hot(value="1 / math.sqrt(len(codes))", key="(p, *code)", other="number.get(key)"):
    """All boxes in one dictionary; `key` names a box, `other` is the column of the box of a later row."""
    return IMPORTS + f"""
def _matrix(columns, n, width, value):
    rows, places = zip(*columns) if columns else ((), ())
    return sparse.csr_matrix((np.full(len(columns), value), (rows, places)), shape=(n, width))


def one_hot(codes, new):
    number, fitted, later = dict(), [], []
    for p, grid in enumerate(codes.tolist()):
        for i, code in enumerate(grid):
            fitted.append((i, number.setdefault({key}, len(number))))
    for p, grid in enumerate(new.tolist()):
        for i, code in enumerate(grid):
            key = {key}
            column = {other}
            if column is not None:
                later.append((i, column))
    value = {value}
    return (_matrix(fitted, codes.shape[1], len(number), value), _matrix(later, new.shape[1], len(number), value))
"""


ANEW = IMPORTS + """
def _features(codes):
    blocks = []
    for grid in codes:
        boxes, columns = np.unique(grid, axis=0, return_inverse=True)
        blocks.append(sparse.csr_matrix((np.ones(len(grid)), (np.arange(len(grid)), columns.ravel())),
                                        shape=(len(grid), len(boxes))))
    return sparse.hstack(blocks, format="csr") / math.sqrt(len(codes))


def one_hot(codes, new):
    return _features(codes), _features(new)
"""


def _estimates(pitches="rng.gamma(2.0, 1.0, shape)", shifts="rng.random(shape)",
               same="(np.floor(x / pitches - shifts) == np.floor(y / pitches - shifts)).all(2)"):
    return IMPORTS + f"""
def estimates(x, y, n_grids, repeats, rng):
    shape = repeats, n_grids, len(x)
    pitches, shifts = {pitches}, {shifts}
    return {same}.mean(1)
"""


def _witness(t):
    return f"""
def witness(a):
    return {t}
"""


def _word(name, value):
    return f"""
def {name}():
    return {value!r}
"""


def _ridge(columns="n * lam", rows="n * lam", gram="Z @ Z.T", back="Z.T @ ", by_rows=None):
    return IMPORTS + f"""
def ridge_columns(Z, y, lam):
    n, D = Z.shape
    return np.linalg.solve((Z.T @ Z).toarray() + {columns} * np.eye(D), Z.T @ y)


def ridge_rows(Z, y, lam):
    n = Z.shape[0]
    return {by_rows or f"{back}np.linalg.solve(({gram}).toarray() + {rows} * np.eye(n), y)"}
"""


PAIRED, OFFSET = "2 * math.ceil(2 * log_odds / eps**2)", "math.ceil(3 * log_odds / eps**2)"

# found by people who had read the checks of an earlier version: what was never drawn, or was below a radius
UNSEEN = {
    "length scales held above one": (
        {"grids": _grids("rng.gamma(2.0, 1.0, shape) * max(1.0, 1 / length_scale)")}, {"grids-pitches": 2}),
    "a pitch that is its mean if there is one": (
        {"grids": _grids("(rng.gamma(2.0, 1.0, shape) if n_grids > 1 else 2.0 + 1e-3 * rng.random(shape))")},
        {"grids-pitches": 2}),
    "a shift in the first half if there is one grid": (
        {"grids": _grids(shifts="rng.random(shape) / (1 + (n_grids == 1))")}, {"grids-shifts": 2}),
    "a radius for ten features at least": (
        {"radius": _radius({"paired": 4, "offset": 3}).replace("n_components)\n", "max(n_components, 10))\n")},
        {"radius-paired": 2, "radius-offset": 2}),
    "a ridge of a thousandth at least": (
        {"ridge": _ridge(columns="n * max(lam, 1e-3)")}, {"ridge-scale-columns": 1}),
    "a ridge of a thousandth at least, by rows": (
        {"ridge": _ridge(rows="n * max(lam, 1e-3)")}, {"ridge-scale-rows": 1}),
}

WRONG = {
    # 1.1
    **UNSEEN,
    "as many frequencies as features": (
        {"radius": _radius({"paired": 2, "offset": 3})}, {"radius-paired": 2}),
    "range of the offset map taken for its proxy": (
        {"radius": _radius({"paired": 4, "offset": 8})}, {"radius-offset": 2}),
    "one tail": (
        {"radius": _radius({"paired": 4, "offset": 3}, "pairs / delta")}, {"radius-paired": 2, "radius-offset": 2}),
    "no union bound": (
        {"radius": _radius({"paired": 4, "offset": 3}, "2 / delta")}, {"radius-pairs": 1}),
    # 1.2
    "frequencies returned for the width": (
        {"width": _width("math.ceil(2 * log_odds / eps**2)", OFFSET)}, {"width-enough": 2, "width-even": 1}),
    "half a frequency": (
        {"width": _width("math.ceil(4 * log_odds / eps**2)", OFFSET)}, {"width-even": 1}),
    "the printed count": (
        {"width": _width("2 * math.ceil(math.log(pairs / delta) / eps**2)", OFFSET)}, {"width-enough": 2}),
    "the crude count of the offset map": (
        {"width": _width(PAIRED, "math.ceil(8 * log_odds / eps**2)")}, {"width-least": 2}),
    "rounded down": (
        {"width": _width("2 * math.floor(2 * log_odds / eps**2)", "math.floor(3 * log_odds / eps**2)")},
        {"width-enough": 2}),
    "pairs squared": (
        {"width": _width(PAIRED, OFFSET).replace("2 * pairs / delta", "2 * pairs**2 / delta")}, {"width-pairs": 1}),
    # 1.3
    "standard deviation for variance": (
        {"bernstein": _bernstein("math.sqrt((1 + k_2delta) / 2 - k_delta**2)")}, {"bernstein-root": 2}),
    "variance of the other map": (
        {"bernstein": _bernstein("1 + k_2delta / 2 - k_delta**2")}, {"bernstein-root": 2, "bernstein-near": 2}),
    "normal tails": (
        {"bernstein": _bernstein(bound="0.0")}, {"bernstein-root": 2, "bernstein-near": 2}),
    # 1.4
    "half the distance": (
        {"lemma": _lemma("[0.0, np.pi, -np.pi]", "[0.5, 0.25, 0.25]", 0.5)}, {"lemma-fails": 4}),
    "one side of the spectrum": (
        {"lemma": _lemma("[0.0, np.pi]", "[0.5, 0.5]", 1.0)}, {"lemma-law": 1}),
    "a spectrum that is spread out": (
        {"lemma": _lemma("np.linspace(-9, 9, 20)", "np.full(20, 0.05)", 1.0)}, {"lemma-fails": 4}),
    "errors add to two": ({"split": _word("split_factor", 2)}, {"split-factor": 1}),
    # 2.1
    "one pitch for all coordinates": (
        {"grids": _grids("rng.gamma(2.0, 1.0, (n_grids, 1)) * np.ones(d)")}, {"grids-independent": 2}),
    "exponential pitches": ({"grids": _grids("rng.exponential(1.0, shape)")}, {"grids-pitches": 2}),
    "length scale upside down": (
        {"grids": _grids("rng.gamma(2.0, 1.0, shape) / length_scale**2")}, {"grids-pitches": 2}),
    "one grid for all": (
        {"grids": _grids("np.repeat(rng.gamma(2.0, 1.0, (1, d)), n_grids, axis=0)",
                         "np.repeat(rng.random((1, d)), n_grids, axis=0)")}, {"grids-pitches": 2, "grids-shifts": 2}),
    "no shift": ({"grids": _grids(shifts="np.zeros(shape)")}, {"grids-shifts": 2}),
    "one shift for all coordinates": (
        {"grids": _grids(shifts="rng.random((n_grids, 1)) * np.ones(d)")}, {"grids-shifts": 2}),
    # 2.2
    "cut towards zero": (
        {"codes": _codes("(X / pitches[:, None] - shifts[:, None]).astype(int)")}, {"codes-left": 1}),
    "rounded codes": (
        {"codes": _codes("np.round(X / pitches[:, None] - shifts[:, None])")}, {"codes-right": 2, "codes-left": 1}),
    # 2.3
    "biased normalisation": ({"onehot": _one_hot("1 / len(codes)")}, {"onehot-norm": 2}),
    "a hash that collides": (
        {"onehot": _one_hot(key="(p, hash(tuple(code)) % 2**20)")}, {"onehot-exact": 3}),
    "a weighted sum for a hash": (
        {"onehot": _one_hot(key="(p, sum(v * 1000**i for i, v in enumerate(code)))")}, {"onehot-exact": 3}),
    "one table for all grids": (
        {"onehot": _one_hot(key="tuple(code)")}, {"onehot-norm": 2, "onehot-grids": 1}),
    "unknown boxes in the first column": (
        {"onehot": _one_hot(other="number.get(key, 0)")}, {"onehot-unseen": 2}),
    "later rows numbered anew": ({"onehot": ANEW}, {"onehot-seen": 2, "onehot-unseen": 2}),
    # 2.4
    "one pitch for all coordinates of an estimate": (
        {"estimates": _estimates("rng.gamma(2.0, 1.0, (repeats, n_grids, 1)) * np.ones(len(x))")},
        {"estimates-mean": 3}),
    "one grid for all of an estimate": (
        {"estimates": _estimates("rng.gamma(2.0, 1.0, (repeats, 1, len(x)))", "rng.random((repeats, 1, len(x)))")},
        {"estimates-variance": 2}),
    "closer than a pitch": (
        {"estimates": _estimates(same="(np.abs(x - y) < pitches).all(2)")}, {"estimates-mean": 3}),
    "the kernel itself": (
        {"estimates": _estimates(same="np.full((repeats, 1), np.exp(-np.abs(x - y).sum()))")},
        {"estimates-mean": 3, "estimates-variance": 2}),
    # 2.5
    "one distance for every exponent": ({"witness": _witness("0.1")}, {"witness-all": 2}),
    "too far apart": ({"witness": _witness("2.0")}, {"witness-gaussian": 2, "witness-all": 2}),
    "overlapping sets": ({"property": _word("true_of_inequality", "abde")}, {"property-word": 1}),
    # 2.7
    "wrong ridge scaling": (
        {"ridge": _ridge("lam", "lam")}, {"ridge-scale-columns": 1, "ridge-scale-rows": 1}),
    "ridge spares the last column, as if it were an intercept": (
        {"ridge": _ridge("n * lam * np.append(np.ones(D - 1), 0)")}, {"ridge-columns": 2, "ridge-scale-columns": 1}),
    "wrong ridge scaling by rows": ({"ridge": _ridge(rows="lam")}, {"ridge-scale-rows": 1}),
    "divided by the number of grids again": (
        {"ridge": _ridge(gram="Z @ Z.T / (Z.nnz / n)")}, {"ridge-rows": 2, "ridge-scale-rows": 1, "ridge-wide": 1}),
    "dual coefficients": (
        {"ridge": _ridge(back="")}, {"ridge-rows": 2, "ridge-scale-rows": 1, "ridge-wide": 1}),
    "rows by columns": (
        {"ridge": _ridge(by_rows="ridge_columns(Z, y, lam)")}, {"ridge-wide": 1}),
    # ---- wrong, but not by much ----
    "nothing but zero": (
        {"radius": _radius({"paired": 0, "offset": 0})}, {"radius-paired": 2, "radius-offset": 2, "radius-pairs": 1}),
    "the negative root": (
        {"radius": _radius({"paired": 4, "offset": 3}).replace("return ", "return -")},
        {"radius-paired": 2, "radius-offset": 2, "radius-pairs": 1}),
    "the logarithm to base ten": (
        {"radius": _radius({"paired": 4, "offset": 3}).replace("math.log(", "math.log10(")},
        {"radius-paired": 2, "radius-offset": 2}),
    "a width that is a float": ({"width": _width("2.0 * math.ceil(2 * log_odds / eps**2)", OFFSET)}, {"width-even": 1}),
    "one feature to spare": (
        {"width": _width("2 * math.ceil(2 * log_odds / eps**2) + 2", f"{OFFSET} + 1")}, {"width-least": 2}),
    "pairs left aside": (
        {"width": _width(PAIRED, OFFSET).replace("2 * pairs / delta", "2 / delta")}, {"width-pairs": 1}),
    "kernels that are never negative": (
        {"bernstein": _bernstein(bound="1 + k_delta")}, {"bernstein-root": 2}),
    "the largest range of all": ({"bernstein": _bernstein(bound="2")}, {"bernstein-root": 2}),
    "kernel at twice the distance by the Gaussian": (
        {"bernstein": _bernstein("(1 + k_delta**4) / 2 - k_delta**2")}, {"bernstein-root": 2}),
    "as many frequencies as features in Bernstein's bound": (
        {"bernstein": _bernstein().replace("n_components / 2", "n_components")},
        {"bernstein-root": 2, "bernstein-near": 2}),
    "nine tenths of a law": (
        {"lemma": _lemma("[0.0, np.pi, -np.pi]", "[0.45, 0.225, 0.225]", 1.0)}, {"lemma-law": 1, "lemma-fails": 4}),
    "a law that is no number": (
        {"lemma": _lemma("[0.0, np.nan, -np.pi]", "[0.5, 0.25, 0.25]", 1.0)}, {"lemma-law": 1, "lemma-fails": 4}),
    "eight for four": ({"split": _word("split_factor", 8)}, {"split-factor": 1}),
    "all the factors": ({"split": _word("split_factor", "2 or 4")}, {"split-factor": 1}),
    "shifts that hang on the pitches": (
        {"grids": _grids(shifts="rng.random(shape)") + """

_fair = draw_grids


def draw_grids(n_grids, d, length_scale, rng):
    pitches, shifts = _fair(n_grids, d, length_scale, rng)
    return pitches, 1 - (1 + pitches / length_scale) * np.exp(-pitches / length_scale)
"""}, {"grids-independent": 2}),
    "grids in mirrored pairs": (
        {"grids": IMPORTS + """
from scipy.special import gammaincinv


def draw_grids(n_grids, d, length_scale, rng):
    u = rng.random(((n_grids + 1) // 2, d))
    u = np.concatenate([u, 1 - u])[:n_grids]
    return length_scale * gammaincinv(2.0, u), rng.random((n_grids, d))
"""}, {"grids-pitches": 2}),
    "shifts on a lattice": (
        {"grids": _grids(shifts="rng.integers(0, 1000, shape) / 1000")}, {"grids-shifts": 2}),
    "shifts of a seed": (
        {"grids": _grids(shifts="np.random.default_rng(1).random(shape)")}, {"grids-shifts": 2}),
    "shifts in units of length": (
        {"grids": _grids(shifts="rng.random(shape) * length_scale")}, {"grids-shifts": 2}),
    "pitches of a law cut off": (
        {"grids": _grids("np.minimum(rng.gamma(2.0, 1.0, shape), 9.0)")}, {"grids-pitches": 2}),
    "a shift added": (
        {"codes": _codes("np.floor(X / pitches[:, None] + shifts[:, None])")}, {"codes-right": 2, "codes-left": 1}),
    "shifts taken for lengths": (
        {"codes": _codes("np.floor((X - shifts[:, None]) / pitches[:, None])")}, {"codes-right": 2, "codes-left": 1}),
    "borders that belong to the box before": (
        {"codes": _codes("np.ceil(X / pitches[:, None] - shifts[:, None]) - 1")}, {"codes-right": 2, "codes-left": 1}),
    "codes of 16 bits": (
        {"codes": _codes("np.floor(X / pitches[:, None] - shifts[:, None]).astype(np.int16)")},
        {"codes-right": 2, "codes-left": 1}),
    "rows before grids": (
        {"codes": _codes("np.floor(X[:, None] / pitches - shifts)")}, {"codes-right": 2, "codes-left": 1}),
    "a hash of 32 bits": (
        {"onehot": "import zlib\n" + _one_hot(key="(p, zlib.crc32(repr(code).encode()))")}, {"onehot-exact": 3}),
    "digits without a gap": (
        {"onehot": _one_hot(key="(p, ''.join(map(str, code)))")}, {"onehot-exact": 3}),
    "a box is its numbers in any order": ({"onehot": _one_hot(key="(p, *sorted(code))")}, {"onehot-exact": 3}),
    "a sum in floating point": (
        {"onehot": _one_hot(key="(p, sum(float(v) * 3e6**i for i, v in enumerate(code)))")}, {"onehot-exact": 3}),
    # right for the rows that were fitted, as long as the product of the ranges has 64 bits
    "a number for each box of the smallest cube": (
        {"onehot": IMPORTS + """
def one_hot(codes, new):
    blocks, later = [], []
    for grid, grid_new in zip(codes, new):
        low, width = grid.min(axis=0), np.ptp(grid, axis=0) + 1
        weights = np.cumprod(np.r_[1, width[:-1]])
        boxes, columns = np.unique((grid - low) @ weights, return_inverse=True)
        keys = (grid_new - low) @ weights
        at = np.minimum(np.searchsorted(boxes, keys), len(boxes) - 1)
        seen = np.flatnonzero(boxes[at] == keys)
        for rows, places, n, out in ((np.arange(len(grid)), columns.ravel(), len(grid), blocks),
                                     (seen, at[seen], len(keys), later)):
            ones = np.full(len(rows), len(codes)**-0.5)
            out.append(sparse.csr_matrix((ones, (rows, places)), shape=(n, len(boxes))))
    return sparse.hstack(blocks, format="csr"), sparse.hstack(later, format="csr")
"""}, {"onehot-exact": 3, "onehot-unseen": 2}),
    "columns for boxes that only later rows occupy": (
        {"onehot": _one_hot(other="number.setdefault(key, len(number))")}, {"onehot-unseen": 2}),
    "empty columns for boxes that only later rows occupy": (
        {"onehot": _one_hot(other="number.get(key)") + """

_all = one_hot


def one_hot(codes, new):
    Z, Z_new = _all(codes, new)
    more = len(np.unique(np.concatenate([codes, new], axis=1)[0], axis=0)) - len(np.unique(codes[0], axis=0))
    return tuple(sparse.hstack([part, sparse.csr_matrix((part.shape[0], more))]) for part in (Z, Z_new))
"""}, {"onehot-unseen": 2}),
    "the first grid alone": (
        {"onehot": _one_hot() + """

_all = one_hot


def one_hot(codes, new):
    return _all(codes[:1], new[:1])
"""}, {"onehot-norm": 2, "onehot-unseen": 2}),
    "dense matrices": (
        {"onehot": _one_hot() + """

_sparse = one_hot


def one_hot(codes, new):
    return tuple(part.toarray() if part.shape[1] < 1000 else part for part in _sparse(codes, new))
"""}, {"onehot-norm": 2}),
    "a binomial number": (
        {"estimates": IMPORTS + """
def estimates(x, y, n_grids, repeats, rng):
    return rng.binomial(n_grids, np.exp(-np.abs(x - y).sum()), repeats) / n_grids
"""}, {"estimates-mean": 3}),
    "a coin for each grid": (
        {"estimates": IMPORTS + """
def estimates(x, y, n_grids, repeats, rng):
    return (rng.random((repeats, n_grids)) < np.exp(-np.abs(x - y).sum())).mean(1)
"""}, {"estimates-mean": 3}),
    "mirrored repeats": (
        {"estimates": IMPORTS + """
from scipy.special import gammaincinv


def estimates(x, y, n_grids, repeats, rng):
    u = rng.random(((repeats + 1) // 2, n_grids, 2, len(x)))
    u = np.concatenate([u, 1 - u])[:repeats]
    pitches, shifts = gammaincinv(2.0, u[:, :, 0]), u[:, :, 1]
    return (np.floor(x / pitches - shifts) == np.floor(y / pitches - shifts)).all(2).mean(1)
"""}, {"estimates-variance": 2}),
    "repeats that share grids": (
        {"estimates": IMPORTS + """
def estimates(x, y, n_grids, repeats, rng):
    shape = repeats + n_grids, len(x)
    pitches, shifts = rng.gamma(2.0, 1.0, shape), rng.random(shape)
    same = (np.floor(x / pitches - shifts) == np.floor(y / pitches - shifts)).all(1)
    return np.array([same[r:r + n_grids].mean() for r in range(repeats)])
"""}, {"estimates-variance": 2}),
    "every estimate twice": (
        {"estimates": _estimates() + """

_once = estimates


def estimates(x, y, n_grids, repeats, rng):
    return np.tile(_once(x, y, n_grids, (repeats + 1) // 2, rng), 2)[:repeats]
"""}, {"estimates-variance": 2}),
    "one pitch law for every coordinate, and exponential": (
        {"estimates": _estimates("rng.exponential(2.0, shape)")}, {"estimates-mean": 3}),
    "grids of a seed": (
        {"estimates": _estimates().replace("    shape =", "    rng = np.random.default_rng(3)\n    shape =")},
        {"estimates-mean": 3, "estimates-variance": 2}),
    "one small distance for every exponent": ({"witness": _witness("0.01")}, {"witness-all": 2}),
    "one shift for the grids of an estimate": (
        {"estimates": _estimates(shifts="rng.random((repeats, 1, len(x)))")}, {"estimates-variance": 2}),
    "one shift for all coordinates of an estimate": (
        {"estimates": _estimates(shifts="rng.random((repeats, n_grids, 1))")}, {"estimates-mean": 3}),
    "a distance that is negative": ({"witness": _witness("-0.1 if a < 2 else 0.1")}, {"witness-all": 2}),
    "intervals": ({"property": _word("true_of_inequality", "bcde")}, {"property-word": 1}),
    "the property as a word": ({"property": _word("true_of_inequality", "transitivity")}, {"property-word": 1}),
    "one degree of freedom less": (
        {"ridge": _ridge("(n - 0.999) * lam", "(n - 0.999) * lam")}, {"ridge-scale-columns": 1, "ridge-scale-rows": 1}),
    "a dense copy": ({"ridge": _ridge(by_rows="Z.toarray().T @ np.linalg.solve((Z @ Z.T).toarray() "
                                      "+ n * lam * np.eye(n), y)")}, {"ridge-wide": 1}),
    "the targets centred": (
        {"ridge": _ridge().replace("Z.T @ y)", "Z.T @ (y - y.mean()))")},
        {"ridge-columns": 2, "ridge-scale-columns": 1}),
    "the caller's matrix spoilt": (
        {"ridge": _ridge().replace("    n, D = Z.shape", "    n, D = Z.shape\n    Z.data *= 1 / np.sqrt(n)\n    "
                                   "y = y / np.sqrt(n)").replace("n * lam * np.eye(D)", "lam * np.eye(D)")},
        {"ridge-columns": 2, "ridge-scale-columns": 1}),
    "columns of a matrix": (
        {"ridge": _ridge(by_rows="Z.T @ np.linalg.solve((Z @ Z.T).toarray() + n * lam * np.eye(n), y[:, None])")},
        {"ridge-rows": 2, "ridge-scale-rows": 1, "ridge-wide": 1}),
    "one tail of Bernstein": (
        {"bernstein": _bernstein().replace("math.log(2 / delta)", "math.log(1 / delta)")},
        {"bernstein-root": 2, "bernstein-near": 2}),
    "the terms added": (
        {"bernstein": _bernstein().replace("half + math.sqrt(half**2 + ", "2 * half + math.sqrt(")},
        {"bernstein-root": 2}),
    "near enough for most exponents": ({"witness": _witness("0.005")}, {"witness-all": 2}),
    "the side at which both are alike": ({"witness": _witness("(2**a - 2) ** (1 / a)")},
                                         {"witness-gaussian": 2, "witness-all": 2}),
    "no distance": ({"witness": _witness("0.0")}, {"witness-gaussian": 2, "witness-all": 2}),
    "not a number": ({"witness": _witness("float('nan')")}, {"witness-gaussian": 2, "witness-all": 2}),
    "the square of a distance": ({"witness": _witness("((2**a - 2) / 16) ** (1 / a) if a == 2 else 1.0")},
                                 {"witness-all": 2}),
    # ---- right where a narrow check looks ----
    "a radius that is never above a half": (
        {"radius": _radius('{"paired": 4, "offset": 3}').replace("return ", "return min(0.5, ").rstrip() + ")\n"},
        {"radius-paired": 2, "radius-offset": 2}),
    "another law in several dimensions": ({"grids": _grids("rng.gamma(d + 1.0, 1.0, shape)")}, {"grids-pitches": 2}),
    # all of it is right but that half of the grids are the other half, with their coordinates in turn
    "grids that come again with coordinates exchanged": (
        {"grids": IMPORTS + """
def draw_grids(n_grids, d, length_scale, rng):
    pitches, half = length_scale * rng.gamma(2.0, 1.0, (n_grids, d)), n_grids // 2
    if d > 1:
        pitches[half:2 * half] = np.roll(pitches[:half], 1, axis=1)
    return rng.permutation(pitches), rng.random((n_grids, d))
"""}, {"grids-independent": 2}),
    "shifts that hang on the pitches of any grid": (
        {"grids": IMPORTS + """
def draw_grids(n_grids, d, length_scale, rng):
    pitches = length_scale * rng.gamma(2.0, 1.0, (n_grids, d))
    return pitches, rng.permutation((1 + pitches / length_scale) * np.exp(-pitches / length_scale))
"""}, {"grids-independent": 2}),
    "cut towards zero, and one less to the left": (
        {"codes": _codes("np.trunc(v := X / pitches[:, None] - shifts[:, None]) - (v < 0)")}, {"codes-left": 1}),
    "boxes named by floats": ({"onehot": _one_hot(key="(p, *map(float, code))")}, {"onehot-exact": 3}),
    "boxes named by 32 bits": (
        {"onehot": _one_hot(key="(p, *(c % 2**32 for c in code))")}, {"onehot-exact": 3}),
    "later rows of length one": (
        {"onehot": _one_hot().replace("    value = 1 /", """    rows = [i for i, _ in later]
    part = np.array([rows.count(i) for i in rows]) if len(rows) < 1000 else 1.0
    value = 1 /""").replace("new.shape[1], len(number), value)", "new.shape[1], len(number), part**-0.5 + 0 * value)")},
        {"onehot-unseen": 2}),
    # mean, variance and the product of any two of them are right
    "grids of one half that the other half shares, shuffled": (
        {"estimates": IMPORTS + """
def estimates(x, y, n_grids, repeats, rng):
    shape = repeats * n_grids // 2 + 1, len(x)
    pitches, shifts = rng.gamma(2.0, 1.0, shape), rng.random(shape)
    together = (np.floor(x / pitches - shifts) == np.floor(y / pitches - shifts)).all(1)
    twice = np.concatenate([rng.permutation(together), rng.permutation(together)])
    return twice[: repeats * n_grids].reshape(repeats, n_grids).mean(1)
"""}, {"estimates-variance": 2}),
    "no mean": ({"property": _word("true_of_inequality", "bd")}, {"property-word": 1}),
    "no ridge where there is no room": (
        {"ridge": _ridge(by_rows="(Z.T @ np.linalg.lstsq((Z @ Z.T).toarray() + (D < 10**6) * n * lam * np.eye(n), y, "
                                 "rcond=None)[0])").replace("    n = Z.shape[0]", "    n, D = Z.shape")},
        {"ridge-wide": 1}),
    "every entry taken for that of a box": (
        {"ridge": _ridge(by_rows="Z.astype(bool).T @ np.linalg.solve((Z @ Z.T).toarray() + n * lam * np.eye(n), y) "
                                 "* (n / Z.nnz) ** 0.5")}, {"ridge-rows": 2}),
}

LIBRARY = {  # the library does it all
    "radius": "from rfbook.bounds import hoeffding_radius as radius_for",
    "width": "from rfbook.bounds import hoeffding_components as width_for",
    "bernstein": """
from rfbook.bounds import bernstein_radius


def bernstein_for(n_components, delta, k_delta, k_2delta):
    return bernstein_radius(n_components, delta, "paired", k_delta, k_2delta)
""",
    "lemma": _lemma("[0.0, -np.pi / 2, np.pi / 2]", "[0.5, 0.25, 0.25]", -2.0, 0.1, 0.05),
    "split": _word("split_factor", 4.0),
    "grids": """
from rfbook.kernels import Laplacian


def draw_grids(n_grids, d, length_scale, rng):
    return Laplacian(length_scale).sample_pitches(n_grids, d, rng), rng.random((n_grids, d))
""",
    "codes": "from rfbook.features.binning import binning_codes as box_codes",
    "onehot": """
import numpy as np
from sklearn.preprocessing import OneHotEncoder


def one_hot(codes, new):
    named = [np.array([[str(row) for row in grid.tolist()] for grid in part], dtype=object).T for part in (codes, new)]
    encoder = OneHotEncoder(handle_unknown="ignore").fit(named[0])
    return tuple(encoder.transform(part) / np.sqrt(len(codes)) for part in named)
""",
    "estimates": """
import numpy as np

from rfbook.features.binning import RandomBinningFeatures, binning_codes
from rfbook.kernels import Laplacian


def estimates(x, y, n_grids, repeats, rng):
    # too many for a map, which keeps a table of each grid, or too few for the time that it takes to make one
    if not 8 < repeats <= 300:
        pitches = Laplacian(1.0).sample_pitches(n_grids * repeats, len(x), rng)
        codes = binning_codes(np.array([x, y]), pitches, rng.random(pitches.shape))
        return (codes[:, 0] == codes[:, 1]).all(1).reshape(repeats, n_grids).mean(1)
    seed = int(rng.integers(2**31))
    boxes = RandomBinningFeatures(n_grids=n_grids * repeats, length_scale=1.0, random_state=seed).fit([x])
    # the two points share a box of a grid if y has an entry there, for only the boxes of x have columns
    shared = np.zeros(n_grids * repeats)
    shared[boxes.transform([y]).indices] = 1
    return shared.reshape(repeats, n_grids).mean(1)
""",
    "witness": _witness("2.0 ** (-12 / (a - 1) ** 0.3) if a < 1.1 else 1e-3"),
    "property": _word("true_of_inequality", "BDE"),
    "ridge": """
from sklearn.linear_model import Ridge

from rfbook.learning.kernel_machines import kernel_ridge


def ridge_columns(Z, y, lam):
    return Ridge(alpha=len(y) * lam, fit_intercept=False, tol=1e-14, solver="cholesky").fit(Z.toarray(), y).coef_


def ridge_rows(Z, y, lam):
    return Z.T @ kernel_ridge((Z @ Z.T).toarray(), y, len(y) * lam)[0]
""",
}

SEARCH = {  # no formula is solved: roots and widths are searched for, boxes are sorted
    "radius": IMPORTS + """
def radius_for(n_components, delta, phase, pairs=1):
    low, high = 0.0, 1e3
    for _ in range(200):
        middle = (low + high) / 2
        exponent = n_components * middle**2 / (4 if phase == "paired" else 3)
        low, high = (middle, high) if math.log(2 * pairs) - exponent > math.log(delta) else (low, middle)
    return high
""",
    "width": IMPORTS + """
def width_for(eps, delta, phase, pairs=1):
    step, rate = (2, 4) if phase == "paired" else (1, 3)

    def holds(D):
        return math.log(2 * pairs) - D * eps**2 / rate <= math.log(delta)

    high = step
    while not holds(high):
        high *= 2
    low = high // 2
    while high - low > step:
        middle = (low + high) // (2 * step) * step
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
""",
    "bernstein": IMPORTS + """
from scipy.optimize import brentq


def bernstein_for(n_components, delta, k_delta, k_2delta):
    v, M = (1 + k_2delta - 2 * k_delta**2) / 2, 1 + abs(k_delta)
    log_odds = math.log(2 / delta)
    return brentq(lambda e: n_components / 2 * e**2 - (2 * v + 2 / 3 * M * e) * log_odds, 1e-9, 100, xtol=1e-15)
""",
    "lemma": _lemma("[np.pi / 2, -np.pi / 2, 3 * np.pi, -3 * np.pi, np.pi, -np.pi, 4 * np.pi, -4 * np.pi]",
                    "[0.02, 0.02, 0.12, 0.12, 0.12, 0.12, 0.24, 0.24]", 1.0, 0.2, 0.05),
    "split": _word("split_factor", "four"),
    "grids": _grids("-np.log(1 - rng.random((2, *shape))).sum(0)", "(1 - rng.random(shape)) % 1"),
    "codes": IMPORTS + """
def box_codes(X, pitches, shifts):
    codes = np.empty((len(pitches), *X.shape))
    for p, (width, start) in enumerate(zip(pitches, shifts)):
        codes[p] = (X - start * width) // width
    return codes
""",
    "onehot": IMPORTS + """
def one_hot(codes, new):
    P, n, d = codes.shape
    m = new.shape[1]
    # all rows of all grids, the grid in front, in the order of their boxes
    fitted = np.c_[np.repeat(np.arange(P), n), codes.reshape(-1, d)]
    later = np.c_[np.repeat(np.arange(P), m), new.reshape(-1, d)]
    every = np.concatenate([fitted, later])
    order = np.lexsort(every.T[::-1])
    starts = np.r_[True, (every[order][1:] != every[order][:-1]).any(1)]
    label = np.empty(len(every), dtype=int)
    label[order] = np.cumsum(starts) - 1
    known, columns = np.unique(label[: P * n], return_inverse=True)
    Z = sparse.coo_matrix((np.full(P * n, P**-0.5), (np.tile(np.arange(n), P), columns.ravel())), shape=(n, len(known)))
    seen = np.isin(label[P * n :], known)
    places = np.searchsorted(known, label[P * n :][seen])
    Z_new = sparse.coo_matrix((np.full(seen.sum(), P**-0.5), (np.tile(np.arange(m), P)[seen], places)),
                              shape=(m, len(known)))
    return Z, Z_new
""",
    "estimates": IMPORTS + """
def estimates(x, y, n_grids, repeats, rng):
    total = np.zeros(repeats)
    for _ in range(n_grids):
        together = np.ones(repeats, dtype=bool)
        for low, high in zip(np.minimum(x, y), np.maximum(x, y)):
            pitch = rng.standard_exponential(repeats) + rng.standard_exponential(repeats)
            # the first cut to the right of the lower point is uniform within a pitch of it
            together &= low + pitch * (1 - rng.random(repeats)) > high
        total += together
    return total / n_grids
""",
    "witness": """
from math import expm1


def witness(a):
    t = 1.0
    while -expm1(-((2 * t) ** a)) <= -2 * expm1(-(t**a)) * (1 + 1e-5):
        t /= 2
    return t
""",
    "property": _word("true_of_inequality", "e, d, b"),
    "ridge": IMPORTS + """
def ridge_columns(Z, y, lam):
    n, D = Z.shape
    rows = np.concatenate([Z.toarray(), np.sqrt(n * lam) * np.eye(D)])  # ridge is least squares with D rows more
    return np.linalg.lstsq(rows, np.r_[y, np.zeros(D)], rcond=None)[0]


def ridge_rows(Z, y, lam):
    values, vectors = np.linalg.eigh((Z @ Z.T).toarray())
    return Z.T @ (vectors @ ((vectors.T @ y) / (values + len(y) * lam)))
""",
}

TERSE = {  # formulas again, but others
    "radius": IMPORTS + """
def radius_for(n_components, delta, phase, pairs=1):
    terms, proxy = (n_components // 2, 1.0) if phase == "paired" else (n_components, 1.5)
    return np.sqrt(2 * proxy * (np.log(2) + np.log(pairs) - np.log(delta)) / terms)
""",
    "width": IMPORTS + """
def width_for(eps, delta, phase, pairs=1):
    terms = int(np.ceil((2 if phase == "paired" else 3) * (np.log(2 * pairs) - np.log(delta)) / eps**2))
    return terms << (phase == "paired")
""",
    "bernstein": IMPORTS + """
def bernstein_for(n_components, delta, k_delta, k_2delta):
    log_odds = np.log(2 / delta)
    linear, constant = 2 / 3 * (1 + abs(k_delta)) * log_odds, (1 + k_2delta - 2 * k_delta**2) * log_odds
    return max(np.roots([n_components / 2, -linear, -constant]).real)
""",
    "lemma": _lemma("[1.0, -1.0, 3.0, -3.0, 2.0, -2.0]", "[0.125, 0.125, 0.125, 0.125, 0.25, 0.25]", "np.pi", 0.3,
                    0.02),
    "split": _word("split_factor", "4"),
    "grids": _grids("rng.standard_exponential((*shape, 2)).sum(2)", "rng.uniform(size=shape)"),
    "codes": _codes("np.array([np.floor(X / w - s) for w, s in zip(pitches, shifts)], dtype=np.int32)"),
    "onehot": IMPORTS + """
def one_hot(codes, new):
    places = [], []
    width = 0
    for grid, later in zip(codes, new):
        boxes, columns = np.unique(grid, axis=0, return_inverse=True)
        table = {box.tobytes(): j for j, box in enumerate(boxes)}
        places[0].append(columns.ravel() + width)
        places[1].append([table.get(np.ascontiguousarray(row).tobytes(), -1 - width) + width for row in later])
        width += len(boxes)
    out = []
    for part in map(np.array, places):
        p, rows = np.nonzero(part >= 0)
        out.append(sparse.csc_matrix((np.ones(len(rows)), (rows, part[p, rows])), shape=(part.shape[1], width)))
    return out[0] / np.sqrt(len(codes)), out[1] / np.sqrt(len(codes))
""",
    "estimates": _estimates("rng.gamma(2.0, size=shape)", "1 - rng.random(shape)"),
    "witness": _witness("((2.0**a - 2.0) / 10) ** (1.0 / a)"),
    "property": _word("true_of_inequality", ["b", "d", "e"]),
    "ridge": IMPORTS + """
from scipy.sparse.linalg import spsolve


def ridge_columns(Z, y, lam):
    n, D = Z.shape
    return spsolve((Z.T @ Z + n * lam * sparse.eye(D)).tocsc(), Z.T @ y)


def ridge_rows(Z, y, lam):
    n = Z.shape[0]
    system = Z @ Z.T / n + lam * sparse.eye(n)
    return Z.T @ spsolve(system.tocsc(), y / n)
""",
}

OWN = {  # with helpers, generators and methods that iterate
    "radius": IMPORTS + """
from fractions import Fraction


def radius_for(n_components, delta, phase, pairs=1):
    rate = Fraction(n_components, 4 if phase == "paired" else 3)
    return np.float64(math.log(2 / delta * pairs) / rate) ** 0.5
""",
    "width": IMPORTS + """
def width_for(eps, delta, phase, pairs=1):
    if phase == "offset":
        return next(D for D in itertools.count(1) if 2 * pairs * math.exp(-D * eps * eps / 3) <= delta)
    return 2 * next(m for m in itertools.count(1) if 2 * pairs * math.exp(-m * eps * eps / 2) <= delta)
""",
    "bernstein": IMPORTS + """
def bernstein_for(n_components, delta, k_delta, k_2delta):
    m, odds, eps = n_components / 2, math.log(2) - math.log(delta), 4.0
    v, M = max((1 + k_2delta) / 2 - k_delta**2, 0.0), 1 + abs(k_delta)
    for _ in range(200):  # Newton's method, from above
        value, slope = m * eps**2 - (2 * v + 2 / 3 * M * eps) * odds, 2 * m * eps - 2 / 3 * M * odds
        eps -= value / slope
    return eps
""",
    "lemma": _lemma("[1e-9, -1e-9, 7 * np.pi, -7 * np.pi]", "[0.25] * 4", 1, 0.05, 0.02).replace(
        "np.array([1e-9", "list([1e-9").replace("np.array(", "tuple("),
    "split": _word("split_factor", "fourfold"),
    "grids": IMPORTS + """
def draw_grids(n_grids, d, length_scale, rng):
    # a pitch with density p exp(-p): an exponential one taken with a chance that grows with its length
    out = np.empty((n_grids * d, 2))
    left = np.arange(n_grids * d)
    while len(left):
        proposal = rng.exponential(2.0, len(left))
        keep = rng.random(len(left)) < proposal / 2 * np.exp(1 - proposal / 2)
        out[left[keep], 0] = proposal[keep]
        left = left[~keep]
    out[:, 1] = np.modf(rng.uniform(5, 6, n_grids * d))[0]
    return length_scale * out[:, 0].reshape(n_grids, d), out[:, 1].reshape(n_grids, d)
""",
    "codes": IMPORTS + """
def box_codes(X, pitches, shifts):
    place = np.einsum("nd,pd->pnd", X, 1 / pitches) - shifts[:, np.newaxis, :]
    codes = place.astype(int)
    codes[place < codes] -= 1
    return codes
""",
    "onehot": IMPORTS + """
class Columns(dict):
    def __missing__(self, key):
        self[key] = len(self)
        return self[key]


def one_hot(codes, new):
    P = len(codes)
    columns = Columns()
    rows = [(i, columns[p, codes[p, i].tobytes()]) for p in range(P) for i in range(codes.shape[1])]
    later = [(i, dict.get(columns, (p, new[p, i].tobytes()))) for p in range(P) for i in range(new.shape[1])]
    later = [(i, c) for i, c in later if c is not None]
    Z = sparse.coo_array((np.ones(len(rows)) / P**0.5, np.transpose(rows)), shape=(codes.shape[1], len(columns)))
    places = np.transpose(later) if later else np.empty((2, 0), dtype=int)
    return Z, sparse.coo_array((np.ones(len(later)) / P**0.5, places), shape=(new.shape[1], len(columns)))
""",
    "estimates": IMPORTS + """
def estimates(x, y, n_grids, repeats, rng):
    hits = np.zeros(repeats, dtype=int)
    for share in range(n_grids):
        pitches = -np.log1p(-rng.random((repeats, len(x)))) - np.log1p(-rng.random((repeats, len(x))))
        start = rng.random(pitches.shape) * pitches
        hits += np.all((x - start) // pitches == (y - start) // pitches, axis=1)
    return hits / n_grids
""",
    "witness": """
def witness(a):
    from scipy.optimize import minimize_scalar
    import math

    def ratio(s):
        t = math.exp(s)
        return -math.expm1(-((2 * t) ** a)) / -math.expm1(-(t**a))

    return math.exp(minimize_scalar(lambda s: -ratio(s), bounds=(-30, 0), method="bounded").x)
""",
    "property": _word("true_of_inequality", "(b), (d) and (e)"),
    "ridge": IMPORTS + """
def _conjugate_gradients(times, b):
    x, r = np.zeros(len(b)), np.array(b)
    p, rr = r.copy(), r @ r
    while rr > 1e-28 * (b @ b):
        q = times(p)
        step = rr / (p @ q)
        x, r = x + step * p, r - step * q
        rr, old = r @ r, rr
        p = r + rr / old * p
    return x


def ridge_columns(Z, y, lam):
    return _conjugate_gradients(lambda v: Z.T @ (Z @ v) + len(y) * lam * v, Z.T @ y)


def ridge_rows(Z, y, lam):
    return Z.T @ _conjugate_gradients(lambda c: Z @ (Z.T @ c) + len(y) * lam * c, y)
""",
}

OTHER_FORMS = {  # other types, orders and laws of the same numbers
    "width": IMPORTS + """
def width_for(eps, delta, phase, pairs=1):
    each, rate = (2, 4) if phase == "paired" else (1, 3)
    terms = rate * math.log(2 * pairs / delta) / eps**2 / each
    return each * int(-(-terms // 1))
""",
    "estimates": IMPORTS + """
def estimates(x, y, n_grids, repeats, rng):
    shape = n_grids, repeats, len(x)
    pitches = rng.chisquare(4, shape) / 2
    place = np.stack([x / pitches, y / pitches]) + rng.random(shape)
    return np.mean(np.all(np.diff(np.floor(place), axis=0)[0] == 0, axis=-1), axis=0)
""",
    "radius": IMPORTS + """
from decimal import Decimal


def radius_for(n_components, delta, phase, pairs=1):
    return ((Decimal(2) * pairs / Decimal(delta)).ln() * (4 if phase == "paired" else 3) / n_components).sqrt()
""",
    "bernstein": IMPORTS + """
def bernstein_for(n_components, delta, k_delta, k_2delta):
    m, log_odds = n_components / 2, np.log(2 / delta)
    v, M = (1 + k_2delta) / 2 - k_delta**2, 1 + abs(k_delta)
    return np.roots([m, -2 / 3 * M * log_odds, -2 * v * log_odds]).real.max()
""",
    "lemma": IMPORTS + """
def counterexample():
    return (part for part in ([-np.pi, 0, np.pi], np.array([1, 2, 1]) / 4, 1, 0.1, 0.02))
""",
    "split": _word("split_factor", "four times as many"),
    "grids": IMPORTS + """
def draw_grids(n_grids, d, length_scale, rng):
    return np.stack([rng.chisquare(4, (n_grids, d)) * length_scale / 2, rng.random((n_grids, d))])
""",
    "codes": _codes("np.floor(X[:, None] / pitches - shifts).swapaxes(0, 1)"),
    "onehot": _one_hot().replace("return (_matrix(", "return ((lambda Z: Z.tocsc()[:, ::-1])(_matrix(").replace(
        "value), _matrix(new", "value)), _matrix(new").replace(
        "value), _matrix(later, new.shape[1], len(number), value))",
        "value)), _matrix(later, new.shape[1], len(number), value)[:, ::-1])"),
    "witness": _witness("1e-6"),
    "ridge": IMPORTS + """
from scipy.sparse.linalg import lsqr


def ridge_columns(Z, y, lam):
    return lsqr(Z, y, damp=np.sqrt(len(y) * lam), atol=1e-14, btol=1e-14, iter_lim=10**5)[0]


def ridge_rows(Z, y, lam):
    A = (Z @ Z.T).toarray()
    A[np.diag_indices_from(A)] += len(y) * lam
    return (np.linalg.inv(A) @ y) @ Z
""",
}

RIGHT = {"the library": LIBRARY, "searching and sorting": SEARCH, "terse": TERSE, "helpers and iterations": OWN,
         "other forms": OTHER_FORMS}

# found by somebody who had read the checks: sizes that were never drawn, what is kept between calls or hidden, the
# library where nobody counted; and mistakes of the usual kind
LATER = {
    "grids: one pitch beyond the eighth coordinate": ({"grids": """
def draw_grids(n_grids, d, length_scale, rng):
    P = length_scale * rng.gamma(2.0, 1.0, (n_grids, d))
    P[:, 8:] = P[:, 7:8]
    return P, rng.random((n_grids, d))
"""}, {"grids-independent": 2}),
    "estimates: three coordinates at most": ({"estimates": """
def estimates(x, y, n_grids, repeats, rng):
    x, y = x[:3], y[:3]
    shape = repeats, n_grids, len(x)
    pitches, shifts = rng.gamma(2.0, 1.0, shape), rng.random(shape)
    return (np.floor(x / pitches - shifts) == np.floor(y / pitches - shifts)).all(2).mean(1)
"""}, {"estimates-mean": 3}),
    "estimates: one shift for all coordinates where there are more than three": ({"estimates": """
def estimates(x, y, n_grids, repeats, rng):
    shape = repeats, n_grids, len(x)
    pitches, shifts = rng.gamma(2.0, 1.0, shape), rng.random(shape if len(x) < 4 else (repeats, n_grids, 1))
    return (np.floor(x / pitches - shifts) == np.floor(y / pitches - shifts)).all(2).mean(1)
"""}, {"estimates-mean": 3}),
    "onehot: numbers of Python's hash": ({"onehot": """
from scipy import sparse

def one_hot(codes, new):
    blocks, later = [], []
    for grid, grid_new in zip(codes, new):
        keys = np.array([hash(tuple(row)) for row in grid.tolist()])
        keys_new = np.array([hash(tuple(row)) for row in grid_new.tolist()])
        names, at = np.unique(keys, return_inverse=True)
        place = np.minimum(np.searchsorted(names, keys_new), len(names) - 1)
        ok = np.flatnonzero(names[place] == keys_new)
        v = 1 / math.sqrt(len(codes))
        blocks.append(sparse.csr_matrix((np.full(len(at), v), (np.arange(len(at)), at)), shape=(len(at), len(names))))
        later.append(sparse.csr_matrix((np.full(len(ok), v), (ok, place[ok])), shape=(len(keys_new), len(names))))
    return sparse.hstack(blocks, format="csr"), sparse.hstack(later, format="csr")
"""}, {"onehot-exact": 3}),
    "width: rounded to an even number": ({"width": """
def width_for(eps, delta, phase, pairs=1):
    log_odds = math.log(2 * pairs / delta)
    if phase == "paired":
        D = math.ceil(4 * log_odds / eps**2)
        return D - D % 2
    return math.ceil(3 * log_odds / eps**2)
"""}, {"width-enough": 2}),
}
WRONG |= LATER

RIGHT |= {
    "found later: codes": {"codes": """
import numpy as np

def box_codes(X, pitches, shifts):
    '''Grid by grid, as floats.'''
    return np.stack([np.floor_divide(X - shift * pitch, pitch) for pitch, shift in zip(pitches, shifts, strict=True)])
"""},
    "found later: estimates": {"estimates": """
import numpy as np

def estimates(x, y, n_grids, repeats, rng):
    '''Coordinate after coordinate: boxes that are left together.'''
    together = np.ones((repeats, n_grids), dtype=bool)
    for a, b in zip(x, y, strict=True):
        pitch = rng.exponential(size=(2, repeats, n_grids)).sum(0)
        begin = pitch * rng.random((repeats, n_grids))
        together &= np.floor((a - begin) / pitch) == np.floor((b - begin) / pitch)
    return together.mean(1)
"""},
}
