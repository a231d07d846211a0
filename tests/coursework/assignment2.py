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

WRONG = {
    # 1.1
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
        {"estimates-variance": 2}),
    # 2.5
    "one distance for every exponent": ({"witness": _witness("0.1")}, {"witness-all": 2}),
    "too far apart": ({"witness": _witness("2.0")}, {"witness-gaussian": 2, "witness-all": 2}),
    "another property": ({"property": _word("property_used", "symmetric")}, {"property-word": 1}),
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

from rfbook.features.binning import RandomBinningFeatures


def estimates(x, y, n_grids, repeats, rng):
    seed = int(rng.integers(2**31))
    boxes = RandomBinningFeatures(n_grids=n_grids * repeats, length_scale=1.0, random_state=seed).fit([x])
    # the two points share a box of a grid if y has an entry there, for only the boxes of x have columns
    shared = np.zeros(n_grids * repeats)
    shared[boxes.transform([y]).indices] = 1
    return shared.reshape(repeats, n_grids).mean(1)
""",
    "witness": _witness("2.0 ** (-12 / (a - 1) ** 0.3) if a < 1.1 else 1e-3"),
    "property": _word("property_used", "Transitivity"),
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
    "property": _word("property_used", "transitivity"),
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
    "property": _word("property_used", "TRANSITIVE"),
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

RIGHT = {"the library": LIBRARY, "searching and sorting": SEARCH, "terse": TERSE}
