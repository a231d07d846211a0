"""Machines and maps that look at the data, on every path: types, layouts, weights, maps, losses, solvers, scalings.

What an adaptive map says of itself satisfies an equation, and its features are the formula of its pool's draws.  What
a machine predicts is an equation in the kernel matrix of its draws by their formula, whatever solved it; each check is
deterministic but for the rows, and allows what rounding may do.
"""

import math
import warnings

import numpy as np
import pytest
from grid import STORED, TYPES, Grids, covering, exact, features_of, formula, kernel_of, off, stored, thin
from scipy import optimize
from sklearn.base import clone
from sklearn.preprocessing import PowerTransformer, StandardScaler

from rfbook import adaptive, features, learning
from rfbook.draws import samplers
from rfbook.kernels import Gaussian, Laplacian, Matern, Polynomial, PowerSeries
from rfbook.solvers import losses
from rfbook.solvers.iterative import TOLERANCE

# ---- what is put into the library, and where: each must be noticed by the grid that is named -----------------------

UNWEIGHTED = [("robust", "learning.ridge_estimator.checked_weights"),
              ("scaled", "adaptive.recursive_machines.checked_weights"),
              ("pruned", "adaptive.pruning.checked_weights"),
              ("exact_machines", "learning.exact_estimator.checked_weights"),
              ("shrunk", "adaptive.weigh_maps.checked_weights"),
              ("processes", "learning.process_estimator.checked_weights")]
NO_WEIGHTS = [("machines", "solvers.regression.normal_equations"), ("walks", "adaptive.walks.normal_equations")]
EVEN_CLASSES = [("classifiers", f"{place}.compute_sample_weight") for place in ("machines.targets",)]
MUTANTS = [
    *((*at, "weights of rows are forgotten", lambda old: lambda weights, X: None) for at in UNWEIGHTED),
    *((*at, "weights of rows are forgotten", lambda old: lambda *args, **given: old(*args, **given | {"weights": None}))
      for at in NO_WEIGHTS),
    *((*at, "weights of classes are forgotten", lambda old: lambda shares, y: np.ones(len(y))) for at in EVEN_CLASSES),
    *(("pools", f"adaptive.{module}.feature_means", "weights of rows are forgotten", lambda old: lambda
        map_, X, Y, draws, weights, *rest: old(map_, X, Y, draws, None, *rest))
      for module in ("eerf_map", "weigh_maps")),
    ("pools", "maps.waves.cosine_sine_sums", "float32: the last rows of a run are lost", lambda old: lambda
        T, y, out: old(T[: len(T) // 32 * 32] if T.dtype == np.float32 else T, y, out)),
    ("pools", "maps.waves.cosine_sine_sums", "the last rows of a run are lost", lambda old: lambda
        T, y, out: old(T[: len(T) // 32 * 32 or 1], y, out)),
    ("copies", "adaptive.pools.first_of_kind", "copies are kept", lambda old: lambda
        draws: np.ones(len(draws), bool)),
    ("pools", "adaptive.eerf.ranked", "the first draws of the pool", lambda old: lambda
        scores, first: np.arange(len(scores))),
    ("pools", "adaptive.weigh._kept", "weights and not their roots", lambda old: lambda
        q, count, keep, rng: (np.flatnonzero(q)[:count], q[q > 0][:count])),
    ("shrunk", "adaptive.weights.shrinkage_weights", "no shrinkage", lambda old: lambda
        P, a, shrink: np.maximum(np.linalg.lstsq(P, a, rcond=None)[0], 0)),
    ("leverages", "adaptive.leverage_map._Scorer.weighed", "weights of rows are forgotten", lambda old: lambda
        self, rows, Z: Z),
    ("leverages", "adaptive.leverage._times", "all waves count alike", lambda old: lambda
        shares, m: np.ones(len(shares))),
    ("leverages", "adaptive.leverage._first", "the rung above has the ridge of the one below", lambda old: lambda
        waves, size: waves.take(np.arange(size))),
    ("leverages", "adaptive.leverage._resemblance", "cosines alone", lambda old: lambda
        P, total: 2 * ((P / total)[: len(P) // 2] ** 2).mean(1)),
    ("walks", "adaptive.metropolis_walk.moving", "constant columns move too", lambda old: lambda
        X: np.ones(X.shape[1], bool)),
    ("machines", "solvers.regression.normal_equations", "no intercept", lambda old: lambda
        *args, **given: old(*args, **given | {"intercept": False})),
    ("machines", "solvers.moments.block_sums", "the last row of a block is lost", lambda old: lambda
        Z, Y, w, *rest: old(*(part[: -1 if len(Z) > 1 else None] if part is not None else None
                              for part in (Z, Y, w)), *rest)),
    ("machines", "solvers.regression.given_ridges", "all outputs have the first one's ridge", lambda old: lambda
        alpha, k, least=0.0: old(alpha, k, least)[:1].repeat(k)),
    ("machines", "solvers.design.RowSpace.__init__", "by rows: weights are forgotten", lambda old: lambda
        self, design, Y, weights=None, *rest: old(self, design, Y, None, *rest)),
    ("classifiers", "solvers.newton.Objective.gradient", "a penalty on the intercept",
     lambda old: penalised(old)),
    ("robust", "solvers.newton.Objective.gradient", "a penalty on the intercept", lambda old: penalised(old)),
    ("robust", "learning.ridge_estimator.QuantileLoss", "the other quantile", lambda old: lambda
        level: losses.QuantileLoss(1 - level)),
    ("robust", "learning.ridge_estimator.REGRESSION", "Huber's loss with other residuals", lambda old: old | {
        "huber": lambda: losses.HuberLoss(1.0)}),
    ("scaled", "machines.scales.StandardScaler", "columns a thousandth too narrow", lambda old: Narrow),
    *((name, "machines.scales.fitted_scaler", "weights of rows are forgotten", lambda old: lambda
        scaling, X, rng, weights=None: old(scaling, X, rng)) for name in ("machines", "scaled", "pruned")),
    *((name, "machines.scales.PowerTransformer", "powers that are not the best", lambda old: lambda: PowerTransformer(
        standardize=False)) for name in ("scaled", "pruned")),
    ("scaled", "adaptive.training.Stretching.stretched", "relevances are forgotten", lambda old: lambda
        self: self.waves),
    ("scaled", "adaptive.recursion._Iteration._root", "another root of the metric", lambda old: lambda
        self, metric: np.linalg.cholesky(metric + 1e-9 * np.eye(len(metric)))),
    ("pruned", "adaptive.pruning.ridge_fit", "SRFF: twice the ridge", lambda old: lambda
        design, y, w, alpha, jobs: old(design, y, w, alpha and 2 * alpha, jobs)),
    ("pruned", "adaptive.prune.feature_heights", "HARFE: features of height 1", lambda old: lambda
        moments: np.ones(moments.width)),
    ("processes", "learning.process_estimator._known_noise", "error bars are forgotten", lambda old: lambda
        noise_variance, n, criterion, unit: 0.0),
    ("processes", "learning.process_estimator.compression", "fewer numbers than ridge uses", lambda old: lambda
        Z, noise: old(Z, noise)[:, 1:]),
    ("processes", "learning.process_estimator._Given.variances", "the constant counts as known", lambda old: lambda
        self, cross, V: np.maximum(self.amplitude - (V * V).sum(1), 1e-12)),
    ("exact_machines", "kernels.Kernel.scale", "one scale for all coordinates", lambda old: lambda
        self, d: np.asarray(old(self, d).flat[0])),
]


def penalised(gradient):
    """The intercept is penalised too."""
    def wrong(self, X, alpha, *rough):
        value, G = gradient(self, X, alpha, *rough)
        G[-1] += alpha * X[-1]
        return value + alpha / 2 * (X[-1] ** 2).sum(-1), G

    return wrong


class Narrow(StandardScaler):
    def transform(self, X, copy=None):
        return super().transform(X) * 0.999


# ---- rows, targets, and what must be solved --------------------------------------------------------------------------

GRIDS = Grids()
ROWS = {**STORED, "weighted": (False, True)}
LOOPS = [(k, dtype) for k in (1, 3) for dtype in TYPES]  # each has a loop of its own, for each kind of wave


def waved(name, phase):
    """What makes waves of a width from a seed."""
    return lambda D, seed: features.RandomFourierFeatures(Matern(2.5, [2.0, 3.0, 2.5]), n_components=D, sampling=name,
                                                          phase=phase, random_state=seed)


MAPS = {name: waved(name, "offset" if name in ("orthogonal", "structured", "halton") else "paired")
        for name in samplers.FREQUENCIES} | {
    "steps": lambda D, seed: features.ArcCosineFeatures(0, n_components=D, sampling="iid", random_state=seed),
    "rectifiers": lambda D, seed: features.ArcCosineFeatures(1, n_components=D, random_state=seed),
    "exponentials": lambda D, seed: features.PositiveFeatures("hyperbolic", n_components=D, length_scale=2.0,
                                                              random_state=seed),
    "products": lambda D, seed: features.GaussianProductFeatures(
        PowerSeries((0.5, 1.0, 0.3), 2.0), n_components=D, random_state=seed),
    "degrees": lambda D, seed: features.RandomMaclaurinFeatures(
        Polynomial(3, 1.0, 3.0), n_components=D, exact_degrees=2, random_state=seed),
    "landmarks": lambda D, seed: features.NystroemFeatures(
        Matern(1.5, [2.0, 3.0, 2.5]), n_components=D, random_state=seed),
    "coordinates": lambda D, seed: features.CoordinateFeatures(D, random_state=seed),
    "few boxes": lambda D, seed: features.RandomBinningFeatures(Laplacian(9.0), n_grids=5, random_state=seed),
    "many boxes": lambda D, seed: features.RandomBinningFeatures(
        Laplacian([1.0, 0.7, 0.9]), n_grids=60, random_state=seed)}


class Rows:
    """Rows of a fit and new ones as they are stored (X, new, all), exactly (A, B), and weights, some of which are 0."""

    def __init__(self, rng, n, new, dtype, layout, weighted, zeros=True, skewed=False):
        drawn = thin(rng, n + new, 3)
        self.all = stored(np.exp(drawn / 2) - 1 if skewed else drawn, dtype, layout)
        self.X, self.new, self.dtype, self.layout = self.all[:n], self.all[n:], dtype, layout
        self.A, self.B = exact(self.X), exact(self.new)
        self.w = rng.uniform(0.2, 3.0, n) * ((np.arange(n) % 7 > 0) | (not zeros)) if weighted else np.ones(n)
        self.weights, self.seed = self.w if weighted else None, int(rng.integers(2**31))

    def fit(self, machine, Y):
        """The machine, fitted to targets of shape (n, k), or (n,) if k is 1."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of features that explain little, or a mutant that does not converge
            return machine.fit(self.X, Y[:, 0] if Y.shape[1] == 1 else Y, sample_weight=self.weights)

    def sums(self, rows):
        """What a sum over rows of unit features, some rows at a time, may be off by."""
        share = (max(64, min(len(self.A), rows) / 8) + 92) * np.finfo(self.dtype).eps
        return (share + 1e-11) * self.w.sum()


def targets(rng, r, k):
    """Targets that are not centred."""
    return rng.standard_normal((len(r.A), k)) * np.arange(1, k + 1) + 2 + np.sin(2 * r.A[:, :1])


def standardised(Y, w):
    """Targets with weighted mean 0 and mean square 1."""
    Y = Y - w @ Y / w.sum()
    return Y / np.sqrt(w @ Y**2 / w.sum())


def solved(K, Y, alpha, w, constant=True):
    """Coefficients of rows and constants with (K + alpha / w) c + b = y and sum c = 0; rows of weight 0 have none."""
    there, found = np.flatnonzero(w), np.zeros((len(w) + 1, Y.shape[1]))
    places, alpha = np.append(there, len(w))[: len(there) + constant], np.broadcast_to(alpha, Y.shape[1])
    for ridge in np.unique(alpha):
        some, A = np.flatnonzero(alpha == ridge), np.ones((len(there) + 1, len(there) + 1))
        A[:-1, :-1], A[-1, -1] = K[np.ix_(there, there)] + np.diag(ridge / w[there]), 0.0
        right = np.vstack([Y[there][:, some], np.zeros(len(some))])
        found[np.ix_(places, some)] = np.linalg.solve(A[: len(places), : len(places)], right[: len(places)])
    return found[:-1], found[-1]


def ridge_off(machine, r, A, B, Y, alpha, left=0.0):
    """How far predictions at all rows, A and B to the map, are from kernel ridge regression, and what is allowed.

    Blocks of rows are summed in the type, and added in double precision, so that with T = sum w |z|^2 the Gram matrix
    is off by a share of T, the right-hand side by that of sqrt(T) |sqrt(w) y|, coefficients by 1 / alpha of the two.
    What iterations leave is a part of the right-hand side, and moves coefficients like an error of it.
    """
    n, width, eps = len(A), machine.features_.n_components_, np.finfo(r.dtype).eps
    (K, K_new), K_end = (kernel_of(machine.features_, rows, A, r.dtype) for rows in (A, B)), kernel_of(
        machine.features_, B, B, r.dtype)
    c, b = solved(K, Y, alpha, r.w)
    share, most = (max(64, -(-n // 8)) + 80) * eps, math.sqrt(max(np.diag(K).max(), np.diag(K_end).max()))
    trace, length = r.w @ np.diag(K), np.sqrt((c * (K @ c)).sum(0).max())
    slack = share * trace * length + (share + left) * math.sqrt(trace) * np.sqrt((r.w @ Y**2).max())
    allowed = 4 * most * (slack / np.min(alpha) + (width * eps + share) * length) + 1e-9 * np.abs(Y).max()
    got, want = machine.predict(r.all).reshape(-1, Y.shape[1]), np.vstack([K, K_new]) @ c + b
    if getattr(machine, "bounds_", None) is not None:  # predictions are held to the range of targets, a tenth wider
        want = np.clip(want, *machine.bounds_)
    return float(np.abs(got - want).max() / allowed), K, allowed


# ---- maps that look at the data --------------------------------------------------------------------------------------

def from_pool(made, r, pool, numbers, amplitudes, machine=None):
    """How far features of an adapted map are from those of the draws of the pool with these numbers and amplitudes."""
    columns, width = made.draws_.columns, made.n_components_
    Z, E = formula(pool, r.A, r.dtype, machine=machine)
    fixed = np.setdiff1d(np.arange(width), columns)  # what is not drawn stays
    a, taken = np.ones(width), np.zeros(width, int)
    a[columns], taken[columns], taken[fixed] = amplitudes[:, None], pool.columns[numbers], fixed
    waves = hasattr(pool, "frequencies")  # a fast product is multiplied out where some of its draws are taken
    own = formula(made.draws_, r.A, r.dtype)[1] if waves else 0.0
    return off(features_of(made, r.X, r.layout, width), a * Z[:, taken], a * E[:, taken] + own)


def ball(squares, radius):
    """Weights above the level at which they are worth M / (1 + radius) equal ones."""
    def above(depth):
        return np.maximum(squares - squares.max() + math.exp(depth) * np.ptp(squares), 0)

    def excess(depth):
        return len(squares) * (above(depth) ** 2).sum() / above(depth).sum() ** 2 - 1 - radius

    u = above(optimize.brentq(excess, -30, 9, xtol=1e-14))
    return u / u.sum()


@GRIDS.cells(covering(name=("iid", "orthogonal", "structured", "fastfood", "rectifiers", "steps"),
                      method=("chosen", "fence", "ball"), loop=LOOPS, rows=(600, 50, 1100), layout=STORED["layout"],
                      weighted=(False, True)))
def pools(rng, name, method, loop, rows, layout, weighted):
    """Scores are the lengths of weighted means of targets times features; the highest are kept, or weighted.

    Sums of 128 rows at most are in the type; an error of a mean moves a root of squares by its length at most.
    """
    (k, dtype), given = loop, {"n_components": 9, "n_candidates": 1500 if rows == 50 else 71}
    r = Rows(rng, rows, 0, dtype, layout, weighted)
    Y, drawn = targets(rng, r, k), MAPS[name](9, r.seed)
    made = r.fit(adaptive.EERF(drawn, **given) if method == "chosen" else adaptive.LKRF(
        drawn, radius=2.5 if method == "ball" else "auto", **given), Y)
    pool, count = made.candidates_, math.ceil(9 / made.candidates_.columns.shape[1])
    Z, E = formula(pool, r.A, dtype)
    Y = standardised(Y, r.w) * r.w[:, None] / r.w.sum()
    want, error = (np.sqrt((means[:, pool.columns] ** 2).sum((0, 2))) for means in (
        Y.T @ Z, np.abs(Y).T @ (E + 150 * np.finfo(dtype).eps * np.abs(Z))))
    squares = made.scores_**2
    order = np.argsort(-squares, kind="stable")
    q = np.full(len(order), 1 / count)
    if method != "chosen":
        fence = np.maximum(squares - squares[order[count]], 0)
        if not np.abs(made.weights_ - (ball(squares, 2.5) if method == "ball" else fence / fence.sum())).max() < 1e-9:
            return math.inf
        q = made.weights_[order]  # of which those near the level, which are small, have lost digits
    kept = q[: min(count, np.count_nonzero(q))]
    share = math.sqrt(2 / pool.columns.shape[1])  # of one draw, whose products have the kernel's diagonal
    return max(off(made.scores_, want, error),
               from_pool(made, r, pool, order[: len(kept)], share * np.sqrt(kept / kept.sum())))


@GRIDS.cells([{}])
def copies(rng):
    """Of a pool of copies each is kept once."""
    class Few:
        def sample_frequencies(self, n, d, rng):
            return rng.integers(1, 6, (n, d)).astype(float)

    few = adaptive.EERF(features.RandomFourierFeatures(Few(), random_state=0), n_components=6, n_candidates=60,
                        random_state=1).fit(rng.standard_normal((40, 1)), rng.standard_normal(40))
    return abs(len(np.unique(few.draws_.frequencies)) - 3) * 2


def pair_sums(H, E, K, dK, columns):
    """The quadratic form of the regression over pairs, A and a, and what errors E of features and dK of K add."""
    parts = [H[:, c] for c in columns.T]  # of all draws the features of one kind
    size, error = ([np.linalg.norm(B[:, c], axis=0) for c in columns.T] for B in (H, E))
    A, dA, a, da = 0.0, 0.0, 0.0, 0.0
    for i, left in enumerate(parts):
        a = a + ((K @ left) * left).sum(0)
        da = da + np.linalg.norm(K, 2) * (2 * error[i] * size[i] + error[i] ** 2) + dK * size[i] ** 2
        for j, right in enumerate(parts):
            G, dG = left.T @ right, np.outer(error[i], size[j] + error[j]) + np.outer(size[i], error[j])
            A, dA = A + G**2, dA + 2 * np.abs(G) * dG + dG**2
    return A, dA, a, da


@GRIDS.cells(covering(name=("iid", "orthogonal", "fastfood", "products"), shrink=(1e-3, 0.1, 3.0), rows=(40, 150),
                      **ROWS))
def shrunk(rng, name, shrink, rows, **path):
    """Weights that come near to the kernel are the least of the regression over pairs, and errors are what they say."""
    r = Rows(rng, rows, 0, **path)
    drawn = MAPS[name](33, r.seed)
    made = adaptive.SES(clone(drawn), n_components=33, shrink=shrink, subsample=None).fit(r.X, sample_weight=r.weights)
    pool = drawn.fit(r.X).draws_
    (Z, E), root, columns = formula(pool, r.A, r.dtype, machine=drawn), np.sqrt(r.w / r.w.sum())[:, None], pool.columns
    fixed, eps = np.setdiff1d(np.arange(Z.shape[1]), columns), np.finfo(r.dtype).eps
    H, K = root * Z, root * drawn.kernel_(r.A) * root.T
    K = K - H[:, fixed] @ H[:, fixed].T
    P, dP, a, da = pair_sums(H, root * E, K, 64 * eps * np.linalg.norm(K), columns)
    v, unit = made.weights_, shrink * np.trace(P) / len(P)
    slope = P @ v - a + unit * (v - 1)
    error = dP @ v + da + unit * np.trace(dP) / np.trace(P) * np.abs(v - 1) + 1e-11 * np.abs(a).max()
    found = [(np.abs(np.where(v > 0, slope, np.minimum(slope, 0))) / error).max()]
    for said, u in ((made.error_, v), (made.plain_error_, np.ones(len(v)))):
        square, total = (K**2).sum() - 2 * a @ u + u @ P @ u, (K**2).sum()
        found.append(abs(said**2 - square) / (u @ dP @ u + 2 * da @ u + (200 * eps + 1e-11) * total))
    return max(*found, from_pool(made, r, pool, np.flatnonzero(v > 0), np.sqrt(v[v > 0]), drawn))


@GRIDS.cells(covering(scores=("pool", "coarse", "surrogate"), width=(7, 24), rows=(1100, 60), alpha=("auto", 2.0),
                      **ROWS))
def leverages(rng, scores, width, rows, alpha, **path):
    """Waves are drawn by their leverage, or by targets, one in each part of the shares, and count less for it."""
    r = Rows(rng, rows, 0, **path)
    Y, m, total, off_by = targets(rng, r, 2), -(-width // 2), r.w.sum(), r.sums(1024)
    made = r.fit(adaptive.LeverageScoreFeatures(Matern(2.5, [2.0, 1.0, 1.5]), n_components=width, scores=scores,
                                                alpha=alpha, random_state=r.seed), Y)
    N, ridge, found = 4 * m, made.alpha_ if alpha == "auto" else alpha, []
    if len(made.pool_) != N or made.n_components_ != 2 * m:
        return math.inf
    Z = formula(made.pool_, r.A, r.dtype)[0] * np.sqrt(r.w)[:, None]  # of length w / N at most for each wave
    if scores == "surrogate":
        means = math.sqrt(N) * Z.T @ (np.sqrt(r.w)[:, None] * standardised(Y, r.w)) / total
        want, error = 1 + (means**2).reshape(2, N, 2).sum(0).mean(1), 4 * off_by / total
    else:
        few = Z if scores == "pool" else 2 * Z[:, np.r_[:m, N : N + m]]  # the lowest rung, as if there were no more
        at = np.linalg.eigvalsh(few.T @ few)
        if alpha == "auto":
            found.append(abs((at / (at + ridge)).sum() - m / 2) / (0.02 + 4 * m * off_by / ridge))
        inner = np.linalg.solve(few.T @ few + ridge * np.eye(few.shape[1]), few.T @ Z)
        want = (Z * (Z - few @ inner)).sum(0).reshape(2, N).sum(0) / ridge
        error = 4 * off_by / ridge * (1 + total / ridge / N)
    found.append(np.abs(made.scores_ - want).max() / error)
    shares = made.scores_ / made.scores_.sum()
    edges, parts = np.cumsum(shares), np.arange(m) / m
    lower = edges[made.chosen_] - shares[made.chosen_]  # each m-th of the shares has one
    found.append(max((lower - parts - 1 / m).max(), (parts - edges[made.chosen_]).max()) / 1e-12)
    return max(*found, from_pool(made, r, made.pool_, made.chosen_, 1 / np.sqrt(m * shares[made.chosen_])))


@GRIDS.cells(covering(kind=("waves", "sigmoids"), rule=((0.0, True), ("optimal", True), (2.0, False)),
                      covariance=("scalar", "adaptive"), rows=(1100, 150), outputs=(1, 2), **ROWS))
def walks(rng, kind, rule, covariance, rows, outputs, **path):
    """Where a walk ends, amplitudes and error are those of ridge regression; constant columns have not moved."""
    r, (exponent, again) = Rows(rng, rows, 0, **path), rule
    r.A[:, 1] = 0.5
    r.X, Y = stored(r.A, r.dtype, r.layout), targets(rng, r, outputs)
    sort = adaptive.MetropolisFourierFeatures if kind == "waves" else adaptive.MetropolisSigmoidFeatures
    how = {"n_components": 15, "exponent": exponent, "resample": again, "covariance": covariance, "burn_in": 1,
           "random_state": r.seed}
    walk, still = (r.fit(sort(Gaussian(1.5), n_steps=steps, **how), Y) for steps in (3, 0))
    (Z, E), (m, each) = formula(walk.draws_, r.A, r.dtype), (8, 2) if kind == "waves" else (15, 1)
    Y, alpha, off_by = standardised(Y, r.w), 0.1 * r.w.sum() / (m * each), r.sums(512)
    c = np.linalg.solve(Z.T @ (r.w[:, None] * Z) + alpha * np.eye(m * each), Z.T @ (r.w[:, None] * Y))
    length = np.linalg.norm(c)
    heights = np.sqrt((c.reshape(each, m, -1) ** 2).sum((0, 2)) / m)
    missed = (r.w @ (Y - Z @ c) ** 2).sum() / (r.w @ Y**2).sum()
    if not np.isin(walk.random_weights_[1], still.random_weights_[1]).all() or np.array_equal(
            walk.random_weights_[0], still.random_weights_[0]):
        return math.inf
    return max(np.abs(walk.amplitudes_ - heights).max() / (4 * off_by / alpha * (length + 1)),
               abs(walk.alpha_ - alpha) / (1e-9 * alpha),
               abs(walk.trace_["error"][-1] - missed) / (8 * off_by / r.w.sum() * (1 + length) ** 2),
               off(features_of(walk, r.X, r.layout, Z.shape[1]), Z, E))


# ---- machines: kernel ridge regression, and sums of slopes over kernels ----------------------------------------------

# rows of a fit, and new ones: features are made in blocks of 512 rows, and predictions in blocks of 1024
SIZES = {100: 60, 300: 60, 560: 500, 260: 60, 90: 60}


@GRIDS.cells(covering(name=[*MAPS, "scaled"], size=((100, 129), (560, 33), (300, 21)),
                      ridge=("one", "each", "auto", "gcv"), outputs=(3, 1), **ROWS))
def machines(rng, name, size, ridge, outputs, **path):
    """Predictions are kernel ridge regression at alpha_, for every map and solver; scores are of rows left out."""
    (n, D), r = size, Rows(rng, size[0], SIZES[size[0]], **path)
    Y = rng.standard_normal((n, outputs)) + 1 + np.arange(outputs)
    Y[:, 0] += 3 * np.sin(r.A[:, 0])
    given = {"one": 0.2 * n, "each": (0.1 * n * (1 + np.arange(outputs))).tolist()}.get(ridge, ridge)
    tried = [0.03 * n, 0.3 * n] if isinstance(given, str) else None
    what = {"kernel": "matern52", "n_components": D, "length_scale": [2.0, 3.0, 2.5], "scaling": "standard",
            "random_state": r.seed} if name == "scaled" else {"features": MAPS[name](D, r.seed)}
    machine = r.fit(learning.RandomFeatureRegressor(**what, alpha=given, alphas=tried), Y)
    alpha = np.atleast_1d(machine.alpha_)
    if not (np.isin(alpha, tried).all() if tried else np.array_equal(alpha, np.broadcast_to(given, outputs))):
        return math.inf
    A, B = as_scaled(machine, "standard" if name == "scaled" else None, r)
    found, K, allowed = ridge_off(machine, r, A, B, Y, alpha, TOLERANCE * (name == "many boxes"))
    if machine.alpha_criterion_ == "loo" and r.weights is None and n < 512:  # the inverse of more rows takes long
        found = max(found, scores_off(machine, K, Y, tried, allowed))
    return found


def scores_off(machine, K, Y, tried, allowed):
    """How far the scores of rows left out are from residuals over 1 - h, in units of what predictions may be off."""
    found, squares = 0.0, []
    for alpha, scores in zip(tried, machine.alpha_scores_.reshape(len(tried), -1), strict=True):
        c, b = solved(K, np.hstack([Y, np.eye(len(K))]), alpha, np.ones(len(K)))
        left = (Y - (K @ c + b)[:, : Y.shape[1]]) / (1 - np.diag((K @ c + b)[:, Y.shape[1] :]))[:, None]
        found = max(found, np.abs(np.sqrt(scores) - np.sqrt((left**2).mean(0))).max() / allowed / 10)
        squares.append(left**2)
    # the largest ridge that is behind by no more than half a standard error, but for what rounding may decide
    means, each = np.mean(squares, axis=1), np.arange(Y.shape[1])
    behind = np.array(squares) - np.moveaxis(np.array(squares)[means.argmin(0), :, each], 0, 1)
    beyond = behind.mean(1) - 0.5 * behind.std(1) / math.sqrt(len(K) - 1)
    chosen, slack = np.searchsorted(tried, np.atleast_1d(machine.alpha_)), 2e-4 * means.min(0)
    largest = [np.flatnonzero(column)[-1] for column in (beyond <= -slack).T | (means == means.min(0)).T]
    return found if (chosen >= largest).all() and (beyond[chosen, each] <= slack).all() else math.inf


@GRIDS.cells(covering(loss=("logistic", "squared", "hinge"), size=((560, 21), (300, 33), (100, 129)),
                      name=("iid", "structured", "fastfood", "degrees", "few boxes", "many boxes", "stretched"),
                      classes=(2, 3), **ROWS))
def classifiers(rng, loss, name, size, classes, **path):
    """Scores are sums of weighted slopes over kernels, which sum to 0; by squares they solve the system."""
    (n, D), r = size, Rows(rng, size[0], SIZES[size[0]], **path, zeros=False)
    codes = (r.A[:, 0] + 0.5 * rng.standard_normal(n) > 0).astype(int) + (classes - 2) * (np.arange(n) % 2)
    w, alpha, how = r.w, 0.1 * n, {}
    if r.weights is not None:
        how, w = {"class_weight": {10: 2.0, 11: 0.5, 12: 1.0}}, w * np.array([2.0, 0.5, 1.0])[codes]
    if name == "stretched":  # whose loss is this
        loss, machine = "logistic", adaptive.RFFNetClassifier(
            Matern(2.5), n_components=D, n_epochs=1, scaling=None, alpha=alpha, random_state=r.seed, **how)
    else:
        machine = learning.RandomFeatureClassifier(MAPS[name](D, r.seed), loss=loss, alpha=alpha, **how)
    r.fit(machine, codes[:, None] + 10)
    F, F_new = np.split(machine.decision_function(r.all).reshape(n + len(r.B), -1), [n])
    K, K_new = (kernel_of(machine.features_, rows, r.A, r.dtype) for rows in (r.A, r.B))
    k, b = F.shape[1], machine.intercept_
    T = 2.0 * (codes[:, None] == (np.arange(k) if k > 1 else [1])) - 1
    if loss == "squared":
        c, b = solved(K, T, alpha, w)
    elif loss == "logistic":
        P = np.exp(np.hstack([np.zeros_like(F), F]) if k == 1 else F)
        c = (np.eye(P.shape[1])[codes] - P / P.sum(1, keepdims=True))[:, P.shape[1] - k :]
    else:
        c = T * np.clip((1 - T * F) / 0.05 / 2 + 0.5, 0, 1)  # a kink that is rounded by 0.05
    c = c if loss == "squared" else w[:, None] * c / alpha
    share = 1e-6 + 400 * np.finfo(r.dtype).eps
    share *= 1000 if loss == "hinge" else 1  # whose slopes change ten times as fast as scores, after looser steps
    allowed = share * (1 + w @ np.diag(K) / alpha) * (1 + np.abs(F).max())
    return float(max(np.abs(F_new - K_new @ c - b).max(), alpha * np.abs(c.sum(0)).max() / n) / allowed)


@GRIDS.cells(covering(loss=(("huber", 0.5), ("quantile", 0.5), ("quantile", 0.8)),
                      name=("iid", "structured", "fastfood", "degrees", "few boxes"), outputs=(1, 2),
                      size=((300, 33), (100, 129), (260, 21)), **ROWS))
def robust(rng, loss, name, size, outputs, **path):
    """Predictions are sums of cut residuals over kernels, in units of a typical residual; pushes are in balance."""
    (n, D), r, alpha = size, Rows(rng, size[0], SIZES[size[0]], **path), 0.1 * size[0]
    Y = 3 * np.sin(r.A[:, :1]) + rng.standard_t(2, (n, outputs)) + 5 * np.arange(outputs)
    machine = r.fit(learning.RandomFeatureRegressor(MAPS[name](D, r.seed), loss=loss[0], quantile=loss[1], alpha=alpha),
                    Y)
    F, F_new = np.split(machine.predict(r.all).reshape(-1, outputs), [n])
    K, K_new = (kernel_of(machine.features_, rows, r.A, r.dtype) for rows in (r.A, r.B))
    # steps end when scores move by 1e-4, and pushes change by 1 or 10 times as much
    share = (1e-4 if loss[0] == "huber" else 1e-3) + 400 * np.finfo(r.dtype).eps

    def missed(unit, j):
        R = (Y[:, j] - F[:, j]) / unit
        push = np.clip(R, -1.35, 1.35) if loss[0] == "huber" else np.clip(R / 0.05, -1, 1) / 2 + loss[1] - 0.5
        push *= r.w
        wrong = np.abs((F_new[:, j] - np.ravel(machine.intercept_)[j]) / unit - K_new @ push / alpha).max()
        return max(wrong / (1 + r.w @ np.diag(K) / alpha), abs(push.sum()) / r.w.sum()) / share

    sizes = typical(learning.RandomFeatureRegressor(MAPS[name](D, r.seed)), r, Y)  # each output has its own
    if outputs == 1:
        return missed(sizes[0], 0)
    found = []
    for j, unit in enumerate(sizes):
        units = unit * np.exp(np.linspace(-0.7, 0.7, 71))  # the first fit has one ridge for both, so that it is near
        best = units[np.argmin([missed(u, j) for u in units])]
        found.append(optimize.minimize_scalar(lambda u, j=j: missed(u, j), bounds=(0.98 * best, 1.02 * best),
                                              method="bounded", options={"xatol": 1e-7 * best}).fun)
    return max(found)


def typical(first, r, Y):
    """The typical residual of a fit by squares to targets, of which wild ones are cut off."""
    def medians(V):  # of the values the one with the least weighted distance to all
        return np.median(V, 0) if r.weights is None else np.array(
            [v[np.argmin(np.abs(v[:, None] - v) @ r.w)] for v in V.T])

    middle = medians(Y)
    reach = 10 * medians(np.abs(Y - middle))
    first = r.fit(first, np.clip(Y, middle - reach, middle + reach))
    return 1.4826 * medians(np.abs(Y - first.predict(r.X).reshape(Y.shape)))


def powered(X, powers):
    """Columns of X by their powers, after Yeo and Johnson."""
    size, q = np.log1p(np.abs(X)), np.where(X < 0, 2 - powers, powers)
    flat = np.abs(q) < 1e-9
    return np.sign(X) * np.where(flat, size, np.expm1(q * size) / np.where(flat, 1, q))


def spreads(X, w):
    """Weighted means and standard deviations of columns."""
    means = w @ X / w.sum()
    return means, np.sqrt(w @ (X - means) ** 2 / w.sum())


def likelihoods(X, powers, w):
    """Logarithms of the likelihoods of normal distributions for columns by their powers."""
    return (powers - 1) * (w @ (np.sign(X) * np.log1p(np.abs(X)))) - w.sum() * np.log(spreads(powered(X, powers), w)[1])


def as_scaled(machine, scaling, r, centred=None):
    """Rows of a fit and new ones as a machine scales them; no numbers if its powers are not the best ones."""
    A, B, centred = r.A, r.B, r.layout != "csr" if centred is None else centred
    if scaling == "power":
        powers = machine.scaler_.lambdas_
        best, *others = (likelihoods(A, powers + step, r.w) for step in (0.0, 0.03, -0.03))
        A, B = powered(A, powers), powered(B, powers) * np.where((best < np.maximum(*others)).any(), np.nan, 1.0)
    if scaling is None:
        return A, B
    means, spread = spreads(A, r.w)
    centre = means if centred else 0.0
    return (A - centre) / spread, (B - centre) / spread


KINDS = {"plain": lambda **how: learning.RandomFeatureRegressor(kernel="matern52", length_scale=[2.0, 3.0, 2.5], **how),
         "stretched": lambda **how: adaptive.RFFNetRegressor(Matern(2.5), n_epochs=2, batch_size=64, **how),
         "offset": lambda **how: adaptive.RFFNetRegressor(Matern(2.5), n_epochs=1, phase="offset", **how),
         "turned": lambda **how: adaptive.RecursiveFeatureMachineRegressor(
             kernel="matern52", length_scale=2.0, n_steps=1, power=1.0, confirm=False, **how)}


@GRIDS.cells(covering(kind=list(KINDS), scaling=("power", "standard", None), size=((300, 33), (560, 20)),
                      outputs=(1, 2), **ROWS))
def scaled(rng, kind, scaling, size, outputs, layout, **path):
    """Machines that stretch or turn their waves end as kernel ridge regression with these, on columns as they say."""
    if kind == "turned" or scaling == "power":  # which take no sparse rows
        layout = {"csr": "strided"}.get(layout, layout)
    (n, D), r, alpha = size, Rows(rng, size[0], SIZES[size[0]], layout=layout, **path, skewed=True), 0.2 * size[0]
    Y = np.sin(3 * r.A[:, :1]) + 0.3 * rng.standard_normal((n, outputs)) + 1 + np.arange(outputs)
    machine = r.fit(KINDS[kind](n_components=D, scaling=scaling, alpha=alpha, random_state=r.seed), Y)
    A, B = as_scaled(machine, scaling, r)
    found = [ridge_off(machine, r, A, B, Y, alpha)[0]]
    W = machine.features_.random_weights_
    if hasattr(machine, "stretch_"):  # the waves of a start, times what the relevances have changed by
        start = clone(machine).set_params(n_epochs=0).fit(r.X, Y[:, 0] if outputs == 1 else Y)
        drawn = start.features_.random_weights_ / start.stretch_[:, None]
        moved = np.abs(machine.stretch_ / start.stretch_ - 1).max()
        found += [np.abs(W / machine.stretch_[:, None] / drawn - 1).max() / 1e-5, 1e-3 / moved]
    if kind == "turned":  # by the root of the metric, and so that distances of rows stay as they are in the mean
        drawn = r.fit(clone(machine).set_params(n_steps=0), Y).features_.random_weights_
        at, vectors = np.linalg.eigh(machine.metric_)
        root = (vectors * np.sqrt(np.maximum(at, 0))) @ vectors.T
        root *= math.sqrt(np.cov(A.T, aweights=r.w).trace() / np.cov((A @ root).T, aweights=r.w).trace())
        found.append(np.abs(W - root @ drawn).max() / 1e-4)
    return float(np.max(found))  # no number if one is none


@GRIDS.cells(covering(kind=("SRFF", "HARFE"), scaling=("power", "standard", None), size=((300, 24), (90, 41)),
                      alpha=("auto", 2.0), **ROWS))
def pruned(rng, kind, scaling, size, alpha, **path):
    """SRFF and HARFE end with ridge regression on their waves, and say what they have found."""
    (n, D), r = size, Rows(rng, size[0], SIZES[size[0]], **path, skewed=True)
    y = 2 * np.sin(3 * r.A[:, 0]) + 0.3 * rng.standard_normal(n) + 1
    sort, more = (adaptive.SRFFRegressor, {"max_iter": 2, "n_steps": 4}) if kind == "SRFF" else (
        adaptive.HARFERegressor, {"n_candidates": 60})
    machine = r.fit(sort(n_components=D, scaling=scaling, alpha=alpha, random_state=r.seed, **more), y[:, None])
    Z, Z_new = (formula(machine.waves_, rows, float)[0] for rows in as_scaled(machine, scaling, r, True))  # written out
    b, c, W, w = machine.intercept_, machine.feature_coef_, np.asarray(machine.waves_.frequencies), r.w
    rest, spread = y - Z @ c - b, np.average((y - np.average(y, weights=w)) ** 2, weights=w)
    penalty, size = machine.alpha_ * np.ones(len(c)), w @ np.abs(y)
    if kind == "HARFE":  # whose features are divided by their heights
        penalty *= np.average((Z - np.average(Z, axis=0, weights=w)) ** 2, axis=0, weights=w)
    said = machine.relevances_ - np.sqrt(c**2 @ W**2 / 2) if kind == "HARFE" else machine.relevances_.sum() - W.shape[1]
    value = (w @ rest**2 + c**2 @ penalty) / spread / w.sum()
    known = kind == "HARFE" or alpha != "auto"
    return float(np.max([np.abs(machine.predict(r.new) - Z_new @ c - b).max() / (1 + np.abs(c).sum()),
                         np.abs(Z.T @ (w * rest) - penalty * c).max() / size, abs(w @ rest) / size,
                         np.abs(said).max(), abs(machine.trace_[-1] - value) * known]) / 1e-9)


@GRIDS.cells(covering(kind=("exact", "compressed", "weights"), known=(True, False), mean=("auto", 0.5), D=(17, 128),
                      **ROWS))
def processes(rng, kind, known, mean, D, dtype, layout, weighted):
    """Posteriors given all targets, or the numbers that ridge uses, and those of weights, are conditioning."""
    X, kernel = stored(thin(rng, 90, 2), dtype, layout), Matern(1.5, [0.4, 0.6])
    A, B, y = exact(X[:60]), exact(X[60:]), 2 + rng.standard_normal(60)
    extra = rng.uniform(0.0, 0.2, 60) if known else np.zeros(60)
    D = 9 if kind == "compressed" else D  # of many waves some numbers drown in rounding
    machine = learning.RandomFeatureGP(kernel, n_components=D, posterior=kind, amplitude=1.7, noise=0.1, mean=mean,
                                       scaling=None, random_state=0)
    w = rng.integers(0, 5, 60) / 2 if weighted else np.ones(60)
    machine.fit(X[:60], y, extra if known else None, sample_weight=w if weighted else None)
    A, y, noise, some = A[w > 0], y[w > 0], (0.1 + extra[w > 0]) / w[w > 0], w[w > 0]
    unknown, base, n = mean == "auto", np.average(y, weights=some) if mean == "auto" else mean, len(y)
    K, C, prior, S, one = 1.7 * kernel(A), 1.7 * kernel(B, A), 1.7, np.eye(n), np.ones(n)
    if kind != "exact":
        Z, Z_new = (formula(machine.features_.draws_, rows, dtype)[0] for rows in (A, B))
    if kind == "weights":
        K, C, prior, unknown = 1.7 * Z @ Z.T, 1.7 * Z_new @ Z.T, 1.7 * (Z_new**2).sum(1), False
    elif kind == "compressed":
        S = np.linalg.qr(np.column_stack([Z, one] if unknown else [Z]) / np.sqrt(noise)[:, None])[0]
        S /= np.sqrt(noise)[:, None]
    inner = np.linalg.inv(S.T @ (K + np.diag(noise)) @ S)
    T, white, one = C @ S @ inner, S.T @ (y - base), S.T @ one
    want, variance = T @ white, prior - (T * (C @ S)).sum(1)
    if unknown:  # a constant beside the process
        mass, rest = one @ inner @ one, 1 - T @ one
        want, variance = want + rest * (one @ inner @ white / mass), variance + rest**2 / mass
    got, std = machine.predict(X[60:], return_std=True)
    wrong = np.abs(got - base - want).max() + np.abs(std**2 - variance).max()
    return float(wrong / (1e4 * np.finfo(dtype).eps + 1e-6 * (kind == "compressed")))


VALUES = {"gaussian": lambda t: np.exp(-(t**2).sum(-1) / 2), "laplacian": lambda t: np.exp(-np.abs(t).sum(-1)),
          "matern32": lambda t: (1 + np.sqrt(3 * (t**2).sum(-1))) * np.exp(-np.sqrt(3 * (t**2).sum(-1)))}


@GRIDS.cells(covering(sketch=("rpcholesky", "nystroem", "features", None), kernel=list(VALUES), rows=(300, 60),
                      outputs=(3, 1), memory=("auto", 0), constant=(True, False), **ROWS))
def exact_machines(rng, sketch, kernel, rows, outputs, memory, constant, **path):
    """The machine without features solves (K + alpha / w) c + b = y, by every sketch, with matrices stored or not."""
    r, scale, alpha = Rows(rng, rows, 40, **path, zeros=False), rng.uniform(0.8, 1.5, 3), 0.5
    Y = 1 + rng.standard_normal((rows, outputs))
    machine = r.fit(learning.KernelRidgeRegressor(
        kernel, length_scale=scale, alpha=alpha, fit_intercept=constant, sketch=sketch, rank=20, memory=memory,
        tol=1e-9, max_iter=2000, random_state=r.seed), Y)
    K, K_new = (VALUES[kernel]((points[:, None] - r.A) / scale) for points in (r.A, r.B))
    c, b = solved(K, Y, alpha, r.w, constant)
    wrong = np.abs(machine.predict(r.new).reshape(-1, outputs) - K_new @ c - b).max()
    # a residual of 1e-9 |sqrt(w) y| moves coefficients by sqrt(w) / alpha of that, predictions by sqrt(n) as much
    return float(wrong / (2e-9 * math.sqrt(rows) * r.w.max() / alpha * np.linalg.norm(Y) + 1e-9))


@pytest.mark.parametrize("name", GRIDS)
def test_maps_and_machines_are_right_on_every_path(name):
    assert not list(GRIDS.wrong(name))


@pytest.mark.parametrize(("name", "place", "what", "made"), MUTANTS)
def test_a_wrong_library_is_noticed(name, place, what, made, monkeypatch):
    assert not GRIDS.survives(name, monkeypatch, f"rfbook.{place}", made)
