"""Planted answers to variant 2 of assignment 5: the mistakes of the first variant carried over, and its own."""

import assignment5 as first
from planted import Planted, right_again, sets

P = Planted("assignment5-variant2")

ANGLE = "np.pi / 2 - np.arctan2(y @ np.sin(inner), y @ np.cos(inner))"
PHASES = P.wrong(
    "phases",
    [
        *P.again(
            first.P,
            "phases",
            (first.ANGLE, ANGLE),
            ("-np.arctan((y", "np.pi / 2 - np.arctan((y"),
            ("y @ np.cos(inner + t)", "y @ np.sin(inner + t)"),
        ),
        ("the phase of a cosine", "phases-best", (ANGLE, first.ANGLE)),
        (
            "sine and cosine the other way round again",
            "phases-best phases-each",
            (ANGLE, "np.arctan2(y @ np.sin(inner), y @ np.cos(inner))"),
        ),
        ("a quarter of a turn to the other side", "phases-best", ("np.pi / 2 -", "-np.pi / 2 -")),
    ],
)

WAVES = P.wrong(
    "waves",
    [
        *P.again(
            first.P,
            "waves",
            ("np.cos(X @ W.T)", "np.cos((X - center) @ W.T)"),
            ("np.sin(X @ W.T)", "np.sin((X - center) @ W.T)"),
            ("np.cos(X @", "np.cos((X - center) @"),
            ("np.cos((X - X.mean(0)) @", "np.cos((X - X.mean(0) - center) @"),
        ),
        ("a bump round zero", "waves-mean waves-many", ("(X - center)", "X")),
        ("moved to the other side", "waves-mean waves-many", ("(X - center)", "(X + center)")),
        (
            "the wave moved as a whole",
            "waves-mean waves-many",
            ("np.cos((X - center) @ W.T)", "np.cos(X @ W.T - center.sum())"),
        ),
        (
            "the amplitude moved",
            "waves-mean waves-many",
            ("np.cos((X - center) @ W.T)", "np.cos(X @ W.T) * np.cos(W @ center)"),
        ),
    ],
)

FORMULA = "float(np.prod(1 / r))"
PRICE = P.wrong(
    "price",
    [
        *P.again(
            first.P,
            "price",
            without=(
                "the root forgotten",
                "not a number for infinity",
                "of squares under one root",
                "infinite above one",
                "infinite only above two",
                "all coordinates must be too wide",
                "the largest amplitude",
                "chi square",
            ),
        ),
        (
            "the mean square",
            "price-finite price-infinite",
            (
                f"math.inf if r.max() > 1 else {FORMULA}",
                "math.inf if r.max() >= math.sqrt(2) else " + first.FORMULA,
            ),
        ),
        ("never infinite", "price-infinite", ("math.inf if r.max() > 1 else ", "")),
        ("infinite from one on", "price-finite", ("r.max() > 1", "r.max() >= 1")),
        ("infinite above the root of two", "price-infinite", ("r.max() > 1", "r.max() > math.sqrt(2)")),
        ("all coordinates must be too wide", "price-infinite", ("r.max()", "r.min()")),
        ("the amplitude at zero of one coordinate", "price-finite", (FORMULA, "float((1 / r).max())")),
        ("a root", "price-finite", (FORMULA, "float(np.prod(1 / np.sqrt(r)))")),
        ("squares", "price-finite", (FORMULA, "float(np.prod(1 / r**2))")),
        ("the product too wide", "price-infinite", ("r.max() > 1", "np.prod(r) > 1")),
    ],
)

POOL = P.wrong(
    "pool",
    [
        *P.again(first.P, "pool", ("np.cos(X @ W.T)", "np.cos(X @ W.T + b)")),
        ("phases forgotten", "pool-least", (" + b)", ")")),
        ("phases with the other sign", "pool-least", (" + b)", " - b)")),
    ],
)

SOLVED = "np.linalg.solve(gram + alpha * np.eye(len(gram)), cross)"
LEVERAGE = P.wrong(
    "leverage",
    [
        *P.again(
            first.P,
            "leverage",
            without=(
                "rows for columns",
                "cosines alone",
                "pairs beside each other",
                "cosine and sine not added",
                "half of it",
                "made to sum to one",
                "a root",
                "without the ridge",
                "the norm of a wave",
                "equal waves once",
                "the rest",
            ),
        ),
        (
            "the part that is seen",
            "leverage-values leverage-pool leverage-memory",
            ("(len(X) - seen) / alpha", "seen"),
        ),
        (
            "what is not seen, without the ridge",
            "leverage-values leverage-pool leverage-memory",
            ("(len(X) - seen) / alpha", "len(X) - seen"),
        ),
        (
            "divided by the pool",
            "leverage-values leverage-pool leverage-memory",
            ("(len(X) - seen) / alpha", "(len(X) - seen) / alpha / len(W)"),
        ),
        ("the waves of the pool scored", "leverage-values", ("np.exp(1j * X @ V.T)", "np.exp(1j * X @ W.T)")),
        ("scored by themselves", "leverage-values", ("    inner", "    W = V\n    inner")),
        (
            "cosines alone",
            "leverage-values leverage-pool leverage-memory",
            ("np.exp(1j * X @ V.T)", "np.cos(X @ V.T)"),
        ),
        ("one row counted", "leverage-values leverage-pool leverage-memory", ("(len(X) - seen)", "(1 - seen)")),
        ("a wave without a bar", "leverage-values leverage-pool leverage-memory", ("cross.conj()", "cross")),
        (
            "without the ridge",
            "leverage-values leverage-pool leverage-memory",
            (SOLVED, "(np.linalg.pinv(gram) @ cross)"),
        ),
    ],
)

SHRINKAGE = P.wrong(
    "shrinkage",
    [
        *P.again(
            first.P,
            "shrinkage",
            ("return c,", "return 2 * c,"),
            ("return 1 - c,", "return 2 - 2 * c,"),
            without=("the risk without shrinkage", "the risk of half"),
            lost={
                "the sample's variance": "shrinkage-risk shrinkage-ends",
                "the first coordinate": "shrinkage-risk shrinkage-ends",
            },
        ),
        (
            "the best shrinkage and its risk",
            "shrinkage-risk shrinkage-ends",
            ("return 2 * c, c * variance", "return c, c * gap"),
        ),
        ("the best shrinkage", "shrinkage-risk shrinkage-ends", ("return 2 * c", "return c")),
        ("the risk that is left", "shrinkage-risk shrinkage-ends", ("c * variance", "c * gap")),
        ("all the variance", "shrinkage-risk", ("c * variance", "variance")),
        ("no more than one", "shrinkage-risk shrinkage-ends", ("return 2 * c", "return min(2 * c, 1.0)")),
        ("a share and no risk", "shrinkage-risk shrinkage-ends", ("c * variance", "c")),
    ],
)

ANY = "rng.integers(1, q, n)"
METROPOLIS = P.wrong(
    "metropolis",
    [
        *P.again(
            first.P,
            "metropolis",
            without=(
                "one direction for all",
                "walls at the ends",
                "to the right only",
                "proposals may stay",
                "signs of a seed",
            ),
        ),
        ("neighbours alone", "metropolis-moves", (ANY, "rng.choice([-1, 1], n)")),
        ("one way for all", "metropolis-moves metropolis-balance", (ANY, "rng.integers(1, q)")),
        ("proposals may stay", "metropolis-moves", (ANY, "rng.integers(0, q, n)")),
        ("one place is never reached", "metropolis-moves metropolis-balance", (ANY, "rng.integers(1, q - 1, n)")),
        (
            "the same place for all",
            "metropolis-moves metropolis-balance",
            (f"(places + {ANY}) % q", "np.full(n, rng.integers(q))"),
        ),
        (
            "places in proportion to their heights",
            "metropolis-moves metropolis-balance",
            (
                f"(places + {ANY}) % q",
                "rng.choice(q, n, p=heights / heights.max() / (heights / heights.max()).sum())",
            ),
        ),
        ("ways of a seed", "metropolis-balance", (ANY, "np.random.default_rng(0).integers(1, q, n)")),
    ],
)

FIT = "np.abs(np.linalg.solve(S.conj().T @ S / n + ridge * np.eye(m), S.conj().T @ y / n))"
WALK = P.wrong(
    "walk",
    [
        *P.again(
            first.P,
            "walk",
            without=(
                "the rows not counted",
                "cosines alone",
                "real parts",
                "a sum of sizes",
                "squares",
                "complex waves",
            ),
        ),
        (
            "real parts of waves",
            "walk-taken walk-heights",
            (
                f"        return {FIT}",
                "        F = np.hstack([S.real, -S.imag])\n"
                "        c = np.linalg.solve(F.T @ F / n + ridge * np.eye(2 * m), F.T @ y / n)\n"
                "        return np.hypot(c[:m], c[m:])",
            ),
        ),
        (
            "the rows not counted",
            "walk-taken walk-heights",
            (FIT, "np.abs(np.linalg.solve(S.conj().T @ S + ridge * np.eye(m), S.conj().T @ y))"),
        ),
        ("transposed and not conjugate", "walk-taken walk-heights", ("S.conj().T @ S", "S.T @ S")),
        ("the right side not conjugate", "walk-taken walk-heights", ("S.conj().T @ y", "S.T @ y")),
        (
            "real parts",
            "walk-taken walk-heights",
            ("np.abs(np.linalg", "np.abs(np.real(np.linalg"),
            (" @ y / n))", " @ y / n)))"),
        ),
        ("squares", "walk-taken walk-heights", (" @ y / n))", " @ y / n)) ** 2")),
        ("scores and no fit", "walk-taken walk-heights", (FIT, "np.abs(S.conj().T @ y / n)")),
    ],
)

GRADIENT = "-Z.T @ (y * 0.5 * (1 - np.tanh(0.5 * y * (Z @ beta)))) / len(y)"
PROXIMAL = P.wrong(
    "proximal",
    [
        *P.again(
            first.P,
            "proximal",
            ("gradient = Z", "gradient = -Z"),
            without=("a row at a time", "the minimum itself"),
        ),
        ("squares", "proximal-steps proximal-distance", (GRADIENT, "Z.T @ (Z @ beta - y) / len(y)")),
        (
            "labels 0 and 1",
            "proximal-steps proximal-distance",
            (GRADIENT, "Z.T @ (0.5 * (1 + np.tanh(0.5 * (Z @ beta))) - y) / len(y)"),
        ),
        (
            "the chance of the label and not of the other",
            "proximal-steps proximal-distance",
            ("(1 - np.tanh", "(1 + np.tanh"),
        ),
        (
            "labels forgotten in the margin",
            "proximal-steps proximal-distance",
            ("0.5 * y * (Z @ beta)", "0.5 * (Z @ beta)"),
        ),
        ("twice the margin", "proximal-steps proximal-distance", ("np.tanh(0.5 * y", "np.tanh(y")),
        (
            "an exponential that overflows",
            "proximal-steps",
            (GRADIENT, "-Z.T @ (y * np.exp(-y * (Z @ beta)) / (1 + np.exp(-y * (Z @ beta)))) / len(y)"),
        ),
        (
            "margins cut at five",
            "proximal-steps",
            ("np.tanh(0.5 * y * (Z @ beta))", "np.tanh(0.5 * np.clip(y * (Z @ beta), -5, 5))"),
        ),
        ("the hinge", "proximal-steps proximal-distance", (GRADIENT, "-Z.T @ (y * (y * (Z @ beta) < 1)) / len(y)")),
    ],
)

KNOWN, KNOWN_RIGHT = P.choices(
    "known",
    "what_is_known",
    "known-letters",
    ["bc", "abce", "bcde", "ce", "be", "abd", "b", "abcde", ""],
    ["BCE", "b, c, e", "(e), (c), (b)", ["b", "c", "e"], "b and c and e"],
)

SOLID = "    if np.maximum(v, 0).sum() <= r:\n        return np.maximum(v, 0)\n"
NEAREST = P.wrong(
    "nearest",
    [
        *P.again(
            first.P,
            "nearest",
            without=("the solid simplex", "positive entries only"),
            lost={
                "cut and scaled": "nearest-point",
                "a softmax": "nearest-point",
                "sizes for entries": "nearest-point",
            },
        ),
        ("the face alone", "nearest-point nearest-ties", (SOLID, "")),
        (
            "as it is where its sum is small",
            "nearest-point",
            (SOLID, "    if v.sum() <= r:\n        return np.maximum(v, 0)\n"),
        ),
        (
            "as it is, negative entries and all",
            "nearest-point",
            ("        return np.maximum(v, 0)\n", "        return v\n"),
        ),
        (
            "what is left over as one more entry",
            "nearest-point nearest-ties",
            (SOLID, "    v = np.r_[v, 0.0]\n"),
            ("    return " + first.LAST, "    return " + first.LAST[:-5] + "0.0)[:-1]"),
        ),
        (
            "scaled to the sum",
            "nearest-point nearest-ties",
            (
                "        return np.maximum(v, 0)\n",
                "        return np.maximum(v, 1e-300) * (r / np.maximum(v, 1e-300).sum())\n",
            ),
        ),
    ],
)

HELD = P.wrong(
    "held",
    [
        *P.again(
            first.P,
            "held",
            ("@ s[chosen]", "@ np.sign(s[chosen])"),
            ("@ (y @ X)[chosen]", "@ np.sign((y @ X)[chosen])"),
            without=("signs of scores", "means of scores"),
        ),
        ("scores and not their signs", "held-rule", ("np.sign(s[chosen])", "s[chosen]")),
        ("every sign is positive", "held-rule", ("np.sign(s[chosen])", "np.ones(keep)")),
        ("a mean over the columns", "held-rule", ("@ np.sign(s[chosen])", "@ np.sign(s[chosen]) / keep")),
    ],
)

TABLES = (PHASES, WAVES, PRICE, POOL, LEVERAGE, SHRINKAGE, METROPOLIS, WALK, PROXIMAL, KNOWN, NEAREST, HELD)
WRONG = {name: case for table in TABLES for name, case in table.items()}

OWN_LEVERAGE = (
    "    cross = Z.T @ np.exp(1j * X @ V.T)\n"
    f"    seen = (cross.conj() * {SOLVED}).real.sum(0)\n    return (len(X) - seen) / alpha\n"
)
RIGHT = sets(
    phases=[
        P.source("phases", (ANGLE, "np.pi / 2 + np.angle(np.exp(-1j * inner).T @ y)")),
        P.source("phases", (ANGLE, f"({ANGLE}) % (2 * np.pi)")),
        P.source("phases", (ANGLE, "np.arctan2(y @ np.cos(inner), y @ np.sin(inner))")),
        P.source(
            "phases",
            (f"return {ANGLE}", "return [math.atan2(y @ np.cos(t), y @ np.sin(t)) - 2 * np.pi for t in inner.T]"),
        ),
        P.source(
            "phases",
            (
                f"return {ANGLE}",
                "s, c = y @ np.cos(inner), y @ np.sin(inner)\n    return 2 * np.arctan2(s, np.hypot(c, s) + c)",
            ),
        ),
    ],
    waves=right_again(
        first.RIGHT,
        "waves",
        ("(X, W, p, scale)", "(X, W, p, scale, center)"),
        ("np.exp(1j * X @ W.T)", "np.exp(1j * (X - center) @ W.T)"),
        ("np.cos(X @ W.T)", "np.cos(X @ W.T - W @ center)"),
        ("np.cos(W @ x)", "np.cos(W @ (x - center))"),
    ),
    price=[
        P.source("price", (FORMULA, "math.exp(-np.log(r).sum())")),
        P.source("price", (FORMULA, "float(np.prod(scale) / np.prod(law_scale))")),
        "import math\n\n\ndef price(scale, law_scale):\n    M = 1.0\n    for a, b in zip(scale, law_scale):\n"
        "        if b > a:\n            return math.inf\n        M *= a / b\n    return M\n",
        P.source("price", (f"math.inf if r.max() > 1 else {FORMULA}", "np.prod(np.where(r <= 1, 1 / r, np.inf))")),
        P.source("price", ("r.max() > 1", "np.any(law_scale > np.asarray(scale))")),
    ],
    pool=right_again(
        first.RIGHT,
        "pool",
        ("def from_pool(W, a, X)", "def from_pool(W, b, a, X)"),
        ("np.cos(X @ W.T)", "np.cos(X @ W.T + b)"),
        ("np.cos(2 * X @ W.T)", "np.cos(2 * (X @ W.T + b))"),
    ),
    leverage=[
        """
import numpy as np


def leverage(X, V, W, alpha):
    E, F = np.exp(1j * X @ W.T), np.exp(1j * X @ V.T)
    if len(X) > 200:  # the same, in the space of the waves
        G = np.hstack([E.real, E.imag]) / np.sqrt(len(W))
        back = np.linalg.solve(np.eye(G.shape[1]) + G.T @ G / alpha, G.T @ F)
        return ((np.abs(F) ** 2).sum(0) - (F.conj() * (G @ back)).real.sum(0) / alpha) / alpha
    K = (E @ E.conj().T).real / len(W)
    return (F.conj() * np.linalg.solve(K + alpha * np.eye(len(X)), F)).sum(0).real
""",
        P.source(
            "leverage",
            (
                OWN_LEVERAGE.rstrip("\n"),
                "    L = np.linalg.cholesky(gram + alpha * np.eye(len(gram)))\n"
                "    half = np.linalg.solve(L, Z.T @ np.exp(1j * X @ V.T))\n"
                "    return (len(X) - (np.abs(half) ** 2).sum(0)) / alpha",
            ),
        ),
        P.source(
            "leverage",
            (
                OWN_LEVERAGE.rstrip("\n"),
                "    inner = X @ V.T\n    out = 0.0\n"
                "    for side in (np.cos(inner), np.sin(inner)):\n        seen = Z.T @ side\n"
                "        out = out + ((side**2).sum(0) - (seen * np.linalg.solve(gram + alpha * "
                "np.eye(len(gram)), seen)"
                ").sum(0)) / alpha\n    return out",
            ),
        ),
        P.source(
            "leverage",
            (
                OWN_LEVERAGE.rstrip("\n"),
                "    values, vectors = np.linalg.eigh(gram)\n"
                "    seen = np.abs(vectors.T @ (Z.T @ np.exp(1j * X @ V.T))) ** 2\n"
                "    return (len(X) - (1 / (np.maximum(values, 0) + alpha)) @ seen) / alpha",
            ),
        ),
        P.source("leverage", ("np.exp(1j * X @ V.T)", "np.exp(-1j * X @ V.T)")),
    ],
    shrinkage=[
        P.source("shrinkage", ("c * variance", "variance - (1 - c) ** 2 * variance - c**2 * gap")),
        P.source("shrinkage", ("return 2 * c, c * variance", "return [np.float64(2 * c), np.array(c * variance)]")),
        P.source("shrinkage", ("theta = chances @ values", "theta = np.average(values, axis=0, weights=chances)")),
        P.source("shrinkage", ("if len(values) > 1 and variance > 0 else 0.0", "if variance else 0.0")),
        P.source(
            "shrinkage",
            (
                "return 2 * c, c * variance",
                "return 2 / (1 + gap / variance) if variance else 0, "
                "variance**2 / (variance + gap) if variance else 0",
            ),
        ),
    ],
    metropolis=[
        P.source("metropolis", (ANY, "1 + rng.integers(0, q - 1, n)")),
        P.source(
            "metropolis", (f"(places + {ANY}) % q", "(lambda k: k + (k >= places))(rng.integers(0, q - 1, n))")
        ),
        P.source(
            "metropolis",
            (
                "np.where(rng.random(n) < ratio**gamma, proposed, places)",
                "np.where(rng.random(n) ** (1 / gamma) < ratio, proposed, places)",
            ),
        ),
        P.source("metropolis", (ANY, "np.floor(1 + (q - 1) * rng.random(n)).astype(int)")),
        "def metropolis(places, heights, gamma, rng):\n    out = places.copy()\n    q, h = len(heights), "
        "heights.tolist()\n"
        "    steps, u = rng.integers(1, q, len(places)).tolist(), rng.random(len(places))\n"
        "    for i, k in enumerate(places.tolist()):\n        new = (k - steps[i]) % q\n"
        "        if h[new] >= h[k] or u[i] < (h[new] / h[k]) ** gamma:\n            out[i] = new\n    return out\n",
    ],
    walk=[
        P.source("walk", (FIT, "np.abs(S.conj().T @ np.linalg.solve(S @ S.conj().T + n * ridge * np.eye(n), y))")),
        P.source(
            "walk",
            (
                FIT,
                "np.abs(np.linalg.lstsq(np.vstack([S, math.sqrt(n * ridge) * np.eye(m)]), "
                "np.r_[y, np.zeros(m)], rcond=None)[0])",
            ),
        ),
        P.source("walk", ("np.exp(1j * X @ W.T)", "np.exp(-1j * X @ W.T)")),
        P.source(
            "walk",
            (
                "uniforms < (heights(proposed) / heights(W)) ** gamma",
                "uniforms * heights(W) ** gamma < heights(proposed) ** gamma",
            ),
        ),
        P.source(
            "walk",
            (
                f"return {FIT}",
                "A = S.conj().T @ S / n + ridge * np.eye(m)\n"
                "        c = np.linalg.inv(A) @ (S.conj().T @ y) / n\n        return np.hypot(c.real, c.imag)",
            ),
        ),
    ],
    proximal=[
        P.source("proximal", (GRADIENT, "-Z.T @ (y * np.exp(-np.logaddexp(0, y * (Z @ beta)))) / len(y)")),
        P.source(
            "proximal",
            (
                f"gradient = {GRADIENT}",
                "from scipy.special import expit\n\n        gradient = -np.mean(Z * "
                "(y * expit(-y * (Z @ beta)))[:, None], axis=0)",
            ),
        ),
        P.source("proximal", (first.STEP, "beta - eta / (1 + eta * ridge) * (gradient + ridge * beta)")),
        P.source("proximal", ("return np.array(path)", "return path")),
        P.source("proximal", (GRADIENT, "Z.T @ (0.5 * (1 + np.tanh(0.5 * (Z @ beta))) - (1 + y) / 2) / len(y)")),
    ],
    known=KNOWN_RIGHT,
    nearest=[
        P.source("nearest", ("[falling > levels][-1]", ".max()")),
        "import numpy as np\nfrom rfbook.adaptive.prune import onto_simplex\n\n\ndef nearest(v, r):\n"
        "    inside = np.clip(v, 0, None)\n    return inside if inside.sum() <= r else onto_simplex(v, r)\n",
        P.source("nearest", ("    falling", "    v = np.maximum(v, 0.0)\n    falling")),
        P.source(
            "nearest", ("- levels[falling > levels][-1]", "- max(0.0, levels[falling > levels][-1])"), (SOLID, "")
        ),
        P.source(
            "nearest",
            (
                "    return " + first.LAST,
                "kept = v > 0\n    while True:\n        t = (v[kept].sum() - r) / kept.sum()\n"
                "        if (v[kept] > t).all():\n            return np.where(kept, np.maximum(v - t, 0), 0.0)\n"
                "        kept &= v > t".replace("kept = v > 0", "    kept = v > 0", 1),
            ),
        ),
    ],
    held=right_again(
        first.RIGHT,
        "held",
        ("@ s[chosen]", "@ np.sign(s[chosen])"),
        (
            "np.where(np.isin(np.arange(len(s)), chosen), s, 0.0)",
            "np.where(np.isin(np.arange(len(s)), chosen), np.sign(s), 0.0)",
        ),
        ("sum(s[j] * X[i, j] for j in best)", "sum(X[i, j] if s[j] > 0 else -X[i, j] for j in best)"),
    ),
)
