"""What a theorem does not know of: cells of circumstances, the textbook formula of each map, and what rounding may add.

The formulas are plain NumPy in double precision, of the draws of a fitted map.  Rounding: let eps be the distance from
1 to the next number of a type.  A product of a row and a frequency, however it is summed, is off by at most
(d + 2) / 2 eps sum |x_i w_i|, the 2 for rounding the frequency and dividing by 2 pi; what it is compared with has an
error of the same form, so that (2 d + 8) eps |x|.|w| covers both, with room for a division by the length scale on one
side only.  A pass of the Hadamard transform over v adds an error of length eps |v| / 2 at most and doubles |v|^2: after
k passes and the diagonals the error relative to the length is at most (k + 4) eps / 2 to first order, and no entry has
a larger error than the vector.  The polynomial of the cosine and its phase are off by less than 40 eps.
"""

import itertools
import math
import zlib

import numpy as np
from scipy import sparse

from rfbook.draws.structured import walsh_hadamard
from rfbook.features.binning import binning_codes
from rfbook.lab.claims import locate

TYPES, LAYOUTS = (np.float64, np.float32), ("rows", "csr", "strided")
STORED = {"dtype": TYPES, "layout": LAYOUTS}


# ---- cells -------------------------------------------------------------------------------------------------------


def covering(**factors):
    """Cells, each with a level of every factor, in which any two levels of two factors meet; few, and always the same.

    A fault that needs three circumstances at once is rare, and all combinations of them are thousands.
    """
    sizes = [len(levels) for levels in factors.values()]
    C = np.indices(sizes).reshape(len(sizes), -1)
    apart = {(i, j): np.ones((sizes[i], sizes[j])) for i, j in itertools.combinations(range(len(sizes)), 2)}
    cells = []
    while (new := sum(pairs[C[i], C[j]] for (i, j), pairs in apart.items())).any():
        best = C[:, new.argmax()]
        for (i, j), pairs in apart.items():
            pairs[best[i], best[j]] = 0
        cells.append({name: levels[k] for (name, levels), k in zip(factors.items(), best, strict=True)})
    return cells


class Grids(dict):
    """Checks, each with its cells: how far the library is off in a cell, where 1 is allowed."""

    def cells(self, *cells):
        """Decorator of a check, a function of a generator and of what is in a cell."""
        return lambda check: self.setdefault(check.__name__, (check, list(itertools.chain(*cells)))) and check

    def wrong(self, name):
        """Cells in which a check finds more than is allowed, or no number; each has a stream of its own."""
        check, cells = self[name]
        for i, cell in enumerate(cells):
            if not check(np.random.default_rng([i, zlib.crc32(name.encode())]), **cell) <= 1:
                yield cell

    def survives(self, name, monkeypatch, place, made):
        """Whether a check passes with `made(what is there)` at a place in the library; what raises does not."""
        owner, attribute = locate(place)
        monkeypatch.setattr(owner, attribute, made(getattr(owner, attribute)))
        try:
            return not any(True for _ in self.wrong(name))
        except Exception:
            return False


# ---- rows as they come -------------------------------------------------------------------------------------------


def thin(rng, n, d):
    """Normal rows, of whose numbers about a third are zero, but the first of each row."""
    X = rng.standard_normal((n, d)) * (rng.random((n, d)) < 0.7)
    X[:, 0] = rng.standard_normal(n)
    return X


def stored(X, dtype, layout):
    """Rows X in a type and a layout: in C order, sparse, or every other row of a matrix that is stored by columns."""
    X = X.astype(dtype)
    if layout == "csr":
        return sparse.csr_array(X)
    return np.asfortranarray(np.repeat(X, 2, axis=0))[::2] if layout == "strided" else X


def exact(rows):
    """Rows as they were stored, in double precision."""
    return (rows.toarray() if sparse.issparse(rows) else rows).astype(float)


def features_of(fitted, rows, layout, width):
    """Features of rows, written to a part of a wider array if the layout is strided; None if their shape is wrong."""
    shape = rows.shape[0], width
    if fitted.n_components_ != width:
        return None
    if layout != "strided":
        Z = fitted.transform(rows)
        return Z if Z.shape == shape and Z.dtype == rows.dtype else None
    wide = np.full((shape[0], width + 3), 7.0, rows.dtype)
    fitted.transform(rows, out=wide[:, 1 : width + 1])
    return wide[:, 1 : width + 1] if (wide[:, [0, width + 1, width + 2]] == 7).all() else None


def off(got, want, error):
    """Largest difference in units of the error that is allowed; infinite if there is nothing to compare."""
    return math.inf if got is None or got.shape != want.shape else float(np.max(np.abs(got - want) / error))


# ---- the formula of each map -------------------------------------------------------------------------------------


def formula(draws, X, dtype, m=None, machine=None):
    """Features of the first m draws, or of all with their amplitudes, and what rounding may add to them in a type."""
    return FORMULAS[type(draws).__name__](draws, X, np.finfo(dtype).eps, m, machine)


def _product(X, W, eps):
    """X W^T, and the bound of its error and of that of what it is compared with."""
    return X @ W.T, (2 * X.shape[1] + 8) * eps * (np.abs(X) @ np.abs(W).T)


def _transformed(W, X, eps):
    """Angles of a fast product by NumPy's transform, and the bound of their error."""
    p, m = W.first.shape[1], len(W.scale)
    y = np.zeros((len(X), 1, p))
    y[:, 0, : W.d] = X
    length = np.linalg.norm(y * W.first, axis=2)
    if len(W.factors) == 1:  # H D H D H D
        gain, rounds = p**1.5, 3
        for diagonal in W.factors[0]:
            y = walsh_hadamard(diagonal * y)
    else:  # Fastfood
        signs, order, normal = W.factors
        gain, rounds = p * np.abs(normal).max(1), 2
        y = np.take_along_axis(walsh_hadamard(signs * y), np.broadcast_to(order, (len(X), *order.shape)), axis=2)
        y = walsh_hadamard(normal * y)
    share = (2 * rounds * math.log2(p) + 16) * eps
    return y.reshape(len(X), -1)[:, :m] * W.scale, share * np.repeat(gain * length, p, axis=1)[:, :m] * W.scale


def _waves(draws, X, eps, m, machine):
    W, b = draws.frequencies, draws.phases
    a = draws.amplitudes if m is None else math.sqrt((1 if b is None else 2) / m)
    T, E = _transformed(W, X, eps) if hasattr(W, "factors") else _product(X, np.asarray(W, float), eps)
    T, E = T[:, :m], np.abs(a) * (E[:, :m] + 40 * eps)
    if b is not None:
        return a * np.cos(T + b[:m]), E
    return np.hstack([a * np.cos(T), a * np.sin(T)]), np.hstack([E, E])


def _rectifiers(draws, X, eps, m, machine):
    a = draws.amplitudes if m is None else math.sqrt((1 if draws.both else 2) / m)
    T, E = _product(X, np.asarray(draws.weights, float)[:m], eps)
    T, E = (np.hstack([T, -T]), np.hstack([E, E])) if draws.both else (T, E)
    if draws.order == 0:  # a step is compared only where the product is further from its edge than rounding reaches
        return a * (T > 0), a * np.where(np.abs(T) <= E, 1.0, 4 * eps)
    return a * np.maximum(T, 0) ** draws.order, a * ((np.abs(T) + 2 * E) ** draws.order - np.abs(T) ** draws.order)


def _coordinates(draws, X, eps, m, machine):
    Z = X[:, draws.coordinates[:m]] * (draws.amplitudes if m is None else math.sqrt(X.shape[1] / m))
    return Z, 4 * eps * np.abs(Z) + 1e-300


def _exponentials(draws, X, eps, m, machine):
    T, E = _product(X, np.asarray(draws.weights, float)[:m], eps)
    b, half = np.asarray(draws.offsets, float)[:m], draws.decay * ((X * draws.scales) ** 2).sum(1)[:, None]
    T = np.hstack([b + T, b - T]) if draws.both else b + T
    E = np.tile(E, 2 if draws.both else 1) + 4 * eps * (np.abs(T) + np.abs(half) + 4)
    a = draws.amplitudes if m is None else math.sqrt(1 / T.shape[1])
    Z = a * np.exp(T - half)
    return Z, np.abs(Z) * np.expm1(E)


def _sigmoids(draws, X, eps, m, machine):
    b = np.asarray(draws.biases, float)
    T, E = _product(X, np.asarray(draws.weights, float), eps)
    return draws.amplitudes / (1 + np.exp(-(T + b))), draws.amplitudes * (E + 8 * eps * (1 + np.abs(b)))


def _first_columns(draws, X, eps, machine):
    """The columns that have no randomness: of degree 0, and of degree 1."""
    c, constant = machine.coefficients_, int(draws.first > 0 and machine.coefficients_[0] > 0)
    parts = [np.full((len(X), 1), math.sqrt(c[0]))][:constant]
    if draws.first > constant:
        parts.append(math.sqrt(c[1]) * X / machine.kernel_.length_scale)
    Z = np.hstack([np.zeros((len(X), 0)), *parts])
    return Z, 8 * eps * np.abs(Z) + 1e-300


def _multiplied(X, vectors, eps):
    """The product of a row's products with vectors of shape (v, m, d), and what rounding may add."""
    Z, E = np.ones((2, len(X), vectors.shape[1]))
    for W in vectors:
        Z, E = Z * (X @ W.T), E * (np.abs(X) @ np.abs(W).T)
    return Z, len(vectors) * (2 * X.shape[1] + 16) * eps * E


def _gaussian_products(draws, X, eps, m, machine):
    first, W = _first_columns(draws, X, eps, machine), np.asarray(draws.vectors, float)[:m].swapaxes(0, 1)
    Z, E, used = *np.zeros((2, len(X), W.shape[1])), 0
    for i, c in enumerate(machine.coefficients_):
        if i and c > 0:
            z, e = _multiplied(X, W[used : used + i], eps)
            Z, E, used = Z + math.sqrt(c) * z, E + math.sqrt(c) * e, used + i
    a = draws.amplitudes / math.sqrt(W.shape[1])
    return np.hstack([first[0], a * Z]), np.hstack([first[1], a * (E + 1e-300)])


def _maclaurin_products(draws, X, eps, m, machine):
    Z, E = ([part] for part in _first_columns(draws, X, eps, machine))
    m = len(draws) if m is None else m
    for N, start in zip(draws.degrees[:m], draws.firsts[:m], strict=True):
        a = math.sqrt(machine.coefficients_[N] / machine.probabilities_[N] / m)
        z, e = _multiplied(X, np.asarray(draws.vectors, float)[:, start : start + N].T[:, None], eps)
        Z.append(a * z)
        E.append(a * (e + 8 * eps * np.abs(z)) + 1e-300)
    return np.hstack(Z), np.hstack(E)


def _landmarks(draws, X, eps, m, machine):
    rows = draws.rows.toarray() if hasattr(draws.rows, "toarray") else draws.rows
    Z, E = _product(draws.kernel(X, rows.astype(float)), np.asarray(draws.weights, float)[:m], eps)
    return draws.amplitudes * Z, draws.amplitudes * (E + 4 * eps)


FORMULAS = {"Waves": _waves, "Rectifiers": _rectifiers, "Coordinates": _coordinates, "Sigmoids": _sigmoids,
            "Exponentials": _exponentials, "GaussianProducts": _gaussian_products,
            "MaclaurinProducts": _maclaurin_products, "Landmarks": _landmarks}


def same_boxes(grids, A, B, dtype):
    """The share of grids in which rows of A and of B lie in one box, weighted by the squares of amplitudes.

    Codes in the type are whole numbers, and so exact.
    """
    both, K = np.concatenate([A, B]).astype(dtype), np.zeros((len(A), len(B)))
    squares = np.broadcast_to(np.square(grids.amplitudes), len(grids))
    for square, codes in zip(squares, binning_codes(both, grids.pitches, grids.shifts), strict=True):
        codes = codes.astype(np.int64) - codes.min(0).astype(np.int64)
        box = np.ravel_multi_index(tuple(codes.T), tuple(codes.max(0) + 1))
        K += square * (box[: len(A), None] == box[len(A) :])
    return K


def kernel_of(features, A, B, dtype):
    """The kernel matrix that the draws of a fitted map make of rows A and B, by its formula."""
    if hasattr(features.draws_, "pitches"):
        return same_boxes(features.draws_, A, B, dtype)
    left, right = (formula(features.draws_, rows, dtype, machine=features)[0] for rows in (A, B))
    return left @ right.T
