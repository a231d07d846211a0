"""Planted answers to variant 2 of assignment 4: the mistakes of the first variant carried over, and its own."""

import assignment4 as first
from planted import Planted, right_again, sets

P = Planted("assignment4-variant2")

LOWER = "max(0.0, -relative.min())"
SPECTRAL = P.wrong(
    "spectral",
    [
        *P.again(
            first.P,
            "spectral",
            (first.MAX, LOWER),
            without=("the upper side alone",),
            lost={
                "the lower side alone": "spectral-planted",
            },
        ),
        ("both sides", "spectral-planted spectral-definition", (LOWER, first.MAX)),
        ("the upper side", "spectral-planted spectral-definition", (LOWER, "max(0.0, relative.max())")),
        ("the size of the smallest", "spectral-planted", (LOWER, "abs(relative.min())")),
    ],
)

WORST = P.wrong(
    "worst",
    [
        *P.again(first.P, "worst"),
        ("the upper side", "worst-error", ("-eps", "eps")),
    ],
)

FOLLOWS, FOLLOWS_RIGHT = P.choices(
    "follows",
    "what_follows",
    "follows-letters",
    ["bd", "be", "de", "abde", "bcde", "abc", "abcde", "ac", "", 0],
    ["BDE", "b, d, e", "(e), (b) and (d)", ["b", "d", "e"], "b d e"],
)

PREDICTION = "np.mean(y) + at @ (inverse @ y) - (1 / n + at @ inverse) * (y - fitted) / (1 - np.diag(H))"
LEFTOUT = P.wrong(
    "leftout",
    [
        *P.again(
            first.P,
            "leftout",
            ("(Z, y, alpha)", "(Z, y, alpha, x)"),
            ("(Z[i] - m) @ beta", "(x - m) @ beta"),
            without=(
                "residuals for predictions",
                "the row left in",
                "the mean of all rows kept",
                "a penalty on the constant",
            ),
        ),
        (
            "predictions at the rows themselves",
            "leftout-refits leftout-edges",
            (PREDICTION, "y - (y - fitted) / (1 - np.diag(H))"),
        ),
        (
            "no row left out",
            "leftout-refits leftout-edges",
            (PREDICTION, "np.full(n, np.mean(y) + at @ (inverse @ y))"),
        ),
        (
            "the row's leverage for that of x",
            "leftout-refits leftout-edges",
            ("(1 / n + at @ inverse)", "np.diag(H)"),
        ),
        ("no 1/n for x", "leftout-refits leftout-edges", ("(1 / n + at @ inverse)", "(at @ inverse)")),
        ("the other sign", "leftout-refits leftout-edges", ("- (1 / n", "+ (1 / n")),
        ("x is not centred", "leftout-refits leftout-edges", ("x - np.mean(Z, axis=0)", "1.0 * x")),
        ("residuals that are not divided", "leftout-refits leftout-edges", (" / (1 - np.diag(H))", "")),
        (
            "the mean of the other rows forgotten",
            "leftout-refits leftout-edges",
            (
                "(1 / n + at @ inverse) * (y - fitted) / (1 - np.diag(H))",
                "(at @ inverse) * (y - fitted) / (1 - np.diag(H))",
            ),
        ),
    ],
)

COUNT = "1 + (np.asarray(scores) >= own).sum(0)"
JACKKNIFE = P.wrong(
    "jackknife",
    [
        ("equal scores do not count", "jackknife-ends jackknife-promise", (">= own", "> own")),
        ("the new row not counted", "jackknife-ends jackknife-promise", (COUNT, COUNT[4:])),
        ("the level is enough", "jackknife-ends", ("> eta", ">= eta")),
        ("levels by n", "jackknife-ends jackknife-promise", ("eta * (n + 1)", "eta * n")),
        ("one rank too many", "jackknife-ends jackknife-promise", ("eta * (n + 1)", "eta * (n + 1) + 1")),
        ("rows that are missed less", "jackknife-ends", (">= own", "<= own")),
        ("half of the level", "jackknife-ends jackknife-promise", ("> eta", "> eta / 2")),
        ("all labels together", "jackknife-ends", (".sum(0)", ".sum() // len(own) + 0 * own")),
        (
            "the best label alone",
            "jackknife-ends",
            ("eta * (n + 1)", "eta * (n + 1) * np.where(own == np.min(own), 1, np.inf)"),
        ),
        ("the labels that are out", "jackknife-ends jackknife-promise", ("> eta", "<= eta")),
        ("one minus the level", "jackknife-ends jackknife-promise", ("eta * (n + 1)", "(1 - eta) * (n + 1)")),
        (
            "NumPy's quantile",
            "jackknife-ends jackknife-promise",
            (COUNT + " > eta * (n + 1)", "np.asarray(own) <= np.quantile(scores, 1 - eta, axis=0)"),
        ),
        (
            "never empty",
            "jackknife-ends jackknife-promise",
            ("    return ", "    if n < 3:\n        return np.ones(len(own))\n    return "),
        ),
        ("rounded ranks", "jackknife-ends jackknife-promise", ("eta * (n + 1)", "round(eta * (n + 1))")),
    ],
)

SYSTEM, SEEN = "T.T @ (K + np.diag(noise)) @ T", "np.linalg.solve(T.T @ (K + np.diag(noise)) @ T, (C @ T).T)"
SUMS_GIVEN = (
    ("Q, y, noise", "Q, T, s, noise"),
    ("np.linalg.eigh(Q - gain @ C.T", "np.linalg.eigh(Q - gain @ (C @ T).T"),
    ("(y - f[:, :n]) @ np.linalg.solve(K + np.diag(noise), C.T)", f"(s - f[:, :n] @ T) @ {SEEN}"),
    ("(y - f[:, :n] - e) @ np.linalg.solve(K + np.diag(noise), C.T)", f"(s - (f[:, :n] + e) @ T) @ {SEEN}"),
)
GIVEN = P.wrong(
    "given",
    [
        *P.again(
            first.P,
            "given",
            *SUMS_GIVEN,
            without=("each point for itself",),
            lost={
                "standard deviations for variances": "given-law",
                "the root the other way round": "given-law given-one",
            },
        ),
        (
            "noise for sums and not for targets",
            "given-law given-one",
            (SYSTEM, "T.T @ K @ T + np.diag(noise[:T.shape[1]])"),
        ),
        ("means for sums", "given-law given-one", ("gain @ s", "gain @ (s / len(K))")),
        (
            "sums of the process without its noise",
            "given-law given-one",
            (SYSTEM, "T.T @ K @ T + 1e-9 * np.eye(T.shape[1])"),
        ),
        (
            "targets guessed from the sums",
            "given-law given-one",
            ("gain @ s", "np.linalg.solve(K + np.diag(noise), C.T).T @ np.linalg.lstsq(T.T, s, rcond=None)[0]"),
        ),
    ],
)

LOGISTIC = P.wrong(
    "logistic",
    [
        *P.again(
            first.P,
            "logistic",
            ("(Z, t, alpha)", "(Z, t, w, alpha)"),
            without=(
                "a mean of losses",
                "labels taken for 0 and 1",
                "classes weighted alike",
                "equal rows once",
                "squares",
                "descent with a fixed rate",
                "the library's default stop",
            ),
        ),
        (
            "no weights",
            "logistic-gradient logistic-hard",
            ("    n, D = np.shape(Z)", "    n, D = np.shape(Z)\n    w = np.ones(n)"),
        ),
        (
            "weights that sum to one",
            "logistic-gradient logistic-hard",
            ("    n, D = np.shape(Z)", "    n, D = np.shape(Z)\n    w = w / np.sum(w)"),
        ),
        (
            "weights that sum to n",
            "logistic-gradient logistic-hard",
            ("    n, D = np.shape(Z)", "    n, D = np.shape(Z)\n    w = w * n / np.sum(w)"),
        ),
        (
            "roots of the weights",
            "logistic-gradient logistic-hard",
            ("    n, D = np.shape(Z)", "    n, D = np.shape(Z)\n    w = np.sqrt(w)"),
        ),
        (
            "weighted rows and not losses",
            "logistic-gradient logistic-hard",
            ("    n, D = np.shape(Z)", "    n, D = np.shape(Z)\n    Z, w = Z * np.c_[w], 1 + 0 * w"),
        ),
        (
            "rows of weight zero count, too",
            "logistic-gradient",
            ("    n, D = np.shape(Z)", "    n, D = np.shape(Z)\n    w = np.maximum(w, 0.2)"),
        ),
        (
            "whole weights",
            "logistic-gradient logistic-hard",
            ("    n, D = np.shape(Z)", "    n, D = np.shape(Z)\n    w = np.rint(w)"),
        ),
        (
            "weights of the whole penalty",
            "logistic-gradient logistic-hard",
            ("penalty = alpha", "penalty = np.mean(w) * alpha"),
        ),
        (
            "the library's default stop",
            "logistic-gradient logistic-hard",
            "from sklearn.linear_model import LogisticRegression\n\n\ndef logistic_fit(Z, t, w, alpha):\n"
            "    found = LogisticRegression(C=1 / alpha).fit(Z, t, sample_weight=w)\n"
            "    return found.coef_[0], found.intercept_[0]\n",
        ),
    ],
)

MERGED = "n + m, mean + gap * m / (n + m), scatter + more + np.outer(gap, gap) * n * m / (n + m)"
SUMS = """
def summary(Z, y):
    Z, y = np.asarray(Z, dtype=float), np.asarray(y, dtype=float)
    return len(y), Z.sum(0), y.sum(), Z.T @ Z, Z.T @ y


def merge(a, b):
    return tuple(p + q for p, q in zip(a, b))


def finish(state, alpha):
    n, z, s, ZZ, Zy = state
    beta = np.linalg.solve(ZZ - np.outer(z, z) / n + alpha * np.eye(len(z)), Zy - z * s / n)
    return beta, (s - z @ beta) / n
"""
ROWS = """
def summary(Z, y):
    return np.c_[Z, y],


def merge(a, b):
    return np.concatenate([a[0], b[0]]),


def finish(state, alpha):
    Z, y = state[0][:, :-1], state[0][:, -1]
    A = Z - Z.mean(0)
    beta = np.linalg.solve(A.T @ A + alpha * np.eye(A.shape[1]), A.T @ (y - y.mean()))
    return beta, y.mean() - Z.mean(0) @ beta
"""
FITS = """
def summary(Z, y):
    return len(y), np.array(Z, dtype=float), np.array(y, dtype=float)


def merge(a, b):
    return a[0] + b[0], np.concatenate([a[1], b[1]])[-20:], np.concatenate([a[2], b[2]])[-20:]


def finish(state, alpha):
    n, Z, y = state
    A = Z - Z.mean(0)
    beta = np.linalg.solve(A.T @ A + alpha * np.eye(A.shape[1]), A.T @ (y - y.mean()))
    return beta, y.mean() - Z.mean(0) @ beta
"""
STREAM = P.wrong(
    "stream",
    [
        ("sums of squares", "stream-far", SUMS),
        ("all the rows", "stream-size", ROWS),
        ("the last twenty rows", "stream-blocks stream-far", FITS),
        (
            "no constant",
            "stream-blocks stream-states stream-far",
            SUMS.replace(" - np.outer(z, z) / n", "")
            .replace(" - z * s / n", "")
            .replace("(s - z @ beta) / n", "0.0"),
        ),
        (
            "a ridge for each block",
            "stream-blocks stream-states stream-far",
            ("(rows - mean).T @ (rows - mean)", "(rows - mean).T @ (rows - mean) + np.eye(len(mean))"),
        ),
        (
            "blocks centred each by its own mean",
            "stream-blocks stream-states stream-far",
            (" + np.outer(gap, gap) * n * m / (n + m)", ""),
        ),
        (
            "the gap of means counted by rows",
            "stream-blocks stream-states stream-far",
            ("np.outer(gap, gap) * n * m / (n + m)", "np.outer(gap, gap) * m"),
        ),
        (
            "means of means",
            "stream-blocks stream-states stream-far",
            ("mean + gap * m / (n + m)", "(mean + new) / 2"),
        ),
        (
            "the mean of the first",
            "stream-blocks stream-states stream-far",
            ("mean + gap * m / (n + m)", "(mean if n else new)"),
        ),
        ("a mean of squares", "stream-blocks stream-states stream-far", ("alpha * np.eye", "n * alpha * np.eye")),
        (
            "empty blocks divided by",
            "stream-blocks stream-far",
            ("rows.mean(0) if len(rows) else np.zeros(rows.shape[1])", "rows.mean(0)"),
        ),
        ("one of the two empty", "stream-blocks stream-far", ("    if n + m == 0:\n", "    if n * m == 0:\n")),
        (
            "the first state changed in place",
            "stream-states",
            (
                f"    return {MERGED}",
                "    mean += gap * m / (n + m)\n    scatter += more + np.outer(gap, gap) * n * m / (n + m)\n"
                "    return n + m, mean, scatter",
            ),
        ),
        (
            "one state not from its own mean",
            "stream-blocks stream-states stream-far",
            ("(rows - mean).T @ (rows - mean)", "rows.T @ rows"),
        ),
    ],
)

STEPS = P.wrong(
    "steps",
    [
        *P.again(
            first.P,
            "steps",
            ("multiply, b, steps", "multiply, b, c, steps"),
            without=(
                "the right side spoilt",
                "from the right side and not from zero",
                "single precision",
                "a direct solution",
                "residuals computed anew",
            ),
            lost={
                "residuals without the preconditioner in the ratio": "steps-optimal steps-counted",
            },
        ),
        ("from zero", "steps-optimal", ("    r = b - multiply(c)", "    c = 0.0 * c\n    r = 1.0 * b")),
        (
            "the first residual from zero",
            "steps-optimal steps-counted steps-edges",
            ("r = b - multiply(c)", "r = 1.0 * b"),
        ),
        (
            "the first guess added at the end",
            "steps-optimal steps-counted steps-edges",
            ("r = b - multiply(c)", "c, first, r = 0.0 * c, c, 1.0 * b"),
            ("    return c", "    return c + first"),
        ),
        (
            "the first residual with the other sign",
            "steps-optimal steps-counted steps-edges",
            ("r = b - multiply(c)", "r = multiply(c) - b"),
        ),
        (
            "the end from the right side alone",
            "steps-optimal steps-counted steps-edges",
            ("np.linalg.norm(b) + np.linalg.norm(r)", "1e14 * np.linalg.norm(b)"),
        ),
        (
            "the first guess spoilt",
            "steps-counted steps-edges",
            ("    r = b", "    c = np.asarray(c, dtype=float)\n    r = b"),
            ("c, r, before = c + step * direction, r", "c += step * direction\n        r, before = r"),
            ("r, before = r - step * image, now", "r, before = r - step * image, now"),
        ),
        (
            "residuals computed anew",
            "steps-counted",
            ("r - step * image, now", "b - multiply(c + step * direction), now"),
        ),
        (
            "a direct solution",
            "steps-optimal steps-counted",
            "def conjugate_gradients(multiply, b, c, steps, precondition):\n"
            "    A = np.stack([multiply(e) for e in np.eye(len(b))], axis=1)\n    return np.linalg.solve(A, b)\n",
        ),
    ],
)

SKETCH = P.wrong(
    "sketch",
    [
        *P.again(
            first.P,
            "sketch",
            ("alpha * np.eye(len(F))", "np.diag(alpha)"),
            without=(
                "the part that F sees",
                "Woodbury without the ridge inside",
                "one ridge too few",
                "the ridge alone",
                "ridge times rows",
                "no division of the rest",
                "the inverse of FF' and that of the ridge",
                "the full orthogonal matrix",
                "a ridge of a thousandth at least",
            ),
        ),
        (
            "one ridge for all",
            "sketch-solves sketch-memory",
            ("root = np.sqrt(alpha)", "root = np.full(len(F), np.sqrt(np.mean(alpha)))"),
        ),
        (
            "the first ridge for all",
            "sketch-solves sketch-memory",
            ("root = np.sqrt(alpha)", "root = np.full(len(F), np.sqrt(alpha[0]))"),
        ),
        ("no root", "sketch-solves sketch-memory", ("root = np.sqrt(alpha)", "root = 1.0 * alpha")),
        (
            "the ridges alone",
            "sketch-solves sketch-memory",
            (" - U @ (s**2 / (s**2 + 1) * (U.T @ (v / root)))", ""),
        ),
        ("scaled on one side", "sketch-solves sketch-memory", ("(U.T @ (v / root))", "(U.T @ v)")),
        ("F not scaled", "sketch-solves sketch-memory", ("F / root[:, None]", "F")),
        (
            "multiplied at the end",
            "sketch-solves sketch-memory",
            ("(U.T @ (v / root)))) / root", "(U.T @ (v / root)))) * root"),
        ),
        (
            "a ridge of a hundredth at least",
            "sketch-solves",
            ("np.sqrt(alpha)", "np.sqrt(np.maximum(alpha, 1e-2))"),
        ),
        ("the part that F sees", "sketch-solves sketch-memory", ("(v / root - U", "(U")),
    ],
)

HONEST = P.wrong(
    "honest",
    [
        *P.again(
            first.P,
            "honest",
            ("np.split(losses, 2)", "losses[::2], losses[1::2]"),
            without=("even rows and odd rows",),
        ),
        ("the first half and the second", "honest-winner", ("losses[::2], losses[1::2]", "np.split(losses, 2)")),
    ],
)

LUCK, LUCK_RIGHT = P.choices(
    "luck",
    "what_luck_does",
    "luck-letters",
    ["b", "d", "abd", "bcd", "bde", "ade", "abcde", "ac", None],
    ["BD", "b, d", "(b), (d).", ("d", "b"), "b and d"],
)

WRONG = {
    **SPECTRAL,
    **WORST,
    **FOLLOWS,
    **LEFTOUT,
    **JACKKNIFE,
    **GIVEN,
    **LOGISTIC,
    **STREAM,
    **STEPS,
    **SKETCH,
    **HONEST,
    **LUCK,
}

RIGHT = sets(
    spectral=[
        "from scipy.linalg import eigh\n\n\ndef spectral_error(K, K_hat, alpha):\n"
        "    return max(0.0, -eigh(K_hat - K, K + alpha * np.eye(len(K)), eigvals_only=True)[0])\n",
        "import numpy as np\n\n\ndef spectral_error(K, K_hat, alpha):\n"
        "    L = np.linalg.inv(np.linalg.cholesky(K + alpha * np.eye(len(K))))\n"
        "    return np.maximum(0, np.linalg.eigvalsh(L @ (K - K_hat) @ L.T)[-1])\n",
        "import numpy as np\n\n\ndef spectral_error(K, K_hat, alpha):\n    M = K + alpha * np.eye(len(K))\n"
        "    ratios = np.linalg.eigvals(np.linalg.solve(M, K_hat + alpha * np.eye(len(K)))).real\n"
        "    return 1 - min(1, ratios.min())\n",
        "import numpy as np\nfrom rfbook.bounds import spectral as g\n\n\ndef spectral_error(K, K_hat, alpha):\n"
        "    return np.array(np.max([0, *(1 - g.relative_eigenvalues(K, K_hat, alpha))]))\n",
        P.source("spectral", (LOWER, "np.clip(-relative, 0, None).max()")),
    ],
    worst=[
        P.source("worst", ("-eps * np.outer(s, s)", "eps * np.outer(s, -s)")),
        *right_again(
            first.RIGHT,
            "worst",
            ("return eps *", "return -eps *"),
            ("np.where(s[:, None] == s, eps, -eps)", "np.where(s[:, None] == s, -eps, eps)"),
            without=(0,),
        ),
    ],
    follows=FOLLOWS_RIGHT,
    leftout=[
        *right_again(
            first.RIGHT,
            "leftout",
            ("(Z, y, alpha)", "(Z, y, alpha, x)"),
            ("predict(Z[[i]])", "predict([x])"),
            ("(Z[i] - A.mean(0)) @ beta", "(x - A.mean(0)) @ beta"),
            (
                "    return (H @ y - h * y) / (1 - h)",
                "    own = np.r_[1, x] @ np.linalg.solve(A.T @ A + np.diag(np.r_[0.0, "
                "np.full(D, alpha)]), A.T)\n    return own @ y - own * (y - H @ y) / (1 - h)",
            ),
            (
                "    return y - np.linalg.solve(np.diag(1 - np.diag(H)), y - H @ y)",
                "    own = 1 / n + (x - np.mean(Z, axis=0)) @ Z.T @ J @ np.linalg.inv(J @ Z @ Z.T @ J + alpha * "
                "np.eye(n))\n"
                "    return own @ y - own * np.linalg.solve(np.diag(1 - np.diag(H)), y - H @ y)",
            ),
            without=(4,),
        ),
        P.source("leftout", ("- (1 / n + at @ inverse) * (y - fitted)", "+ (at @ inverse + 1 / n) * (fitted - y)")),
    ],
    jackknife=[
        """
def label_set(scores, own, eta):
    out = []
    for column, score in zip(scores.T, own):
        p = (1 + sum(s >= score for s in column)) / (len(column) + 1)
        out.append(bool(p > eta))
    return out
""",
        """
import numpy as np


def label_set(scores, own, eta):
    n, inside = len(scores), np.zeros(len(own), dtype=int)
    for label, column in enumerate(np.sort(scores, axis=0).T):
        if n - np.searchsorted(column, own[label], side="left") + 1 > eta * (n + 1):
            inside[label] = 1
    return inside
""",
        """
import math

import numpy as np


def label_set(scores, own, eta):
    k = math.floor(eta * (len(scores) + 1))
    return np.ones(len(own), bool) if k == 0 else own <= -np.sort(-scores, axis=0)[k - 1]
""",
        P.source(
            "jackknife", (COUNT + " > eta * (n + 1)", "np.mean(np.vstack([scores, own]) >= own, axis=0) > eta")
        ),
        P.source(
            "jackknife",
            (
                "    return " + COUNT + " > eta * (n + 1)",
                "    return 1.0 - ((n + 1 - (np.asarray(scores) < own).sum(0)) <= eta * (n + 1))",
            ),
        ),
    ],
    given=[
        *right_again(
            first.RIGHT,
            "given",
            *SUMS_GIVEN,
            (
                "np.linalg.solve(K + np.diag(noise), (y - f[:, :n] - e).T).T @ C.T",
                f"(s - (f[:, :n] + e) @ T) @ {SEEN}",
            ),
            ("A = np.linalg.inv(K + np.diag(noise))", f"A = T @ np.linalg.inv({SYSTEM})"),
            ("C @ A @ y, Q - C @ A @ C.T", "C @ A @ s, Q - C @ A @ T.T @ C.T"),
            ("np.linalg.cholesky(Q - gain @ C.T)", "np.linalg.cholesky(Q - gain @ (C @ T).T)"),
            ("gain = np.linalg.solve(K + np.diag(noise), C.T).T", f"gain = {SEEN}.T"),
            ("gain @ y", "gain @ s"),
        ),
    ],
    logistic=right_again(
        first.RIGHT,
        "logistic",
        ("(Z, t, alpha)", "(Z, t, w, alpha)"),
        ("w, A, theta = np.ones(n), ", "A, theta = "),
        ("np.logaddexp(0, -A @ x).sum()", "w @ np.logaddexp(0, -A @ x)"),
        ("A.T @ np.exp(-np.logaddexp(0, A @ x))", "A.T @ (w * np.exp(-np.logaddexp(0, A @ x)))"),
        ("(A.T * (p * (1 - p)))", "(A.T * (w * p * (1 - p)))"),
        ("size = np.abs(A).max(0)", "size = np.abs(A[w > 0]).max(0)"),
    ),
    stream=[
        """
import numpy as np


def summary(Z, y):
    rows = np.c_[Z, y].astype(float)
    shift = rows[0] if len(rows) else np.zeros(rows.shape[1])  # a row from which all are counted
    rows = rows - shift
    return len(rows), shift, rows.sum(0), rows.T @ rows


def merge(a, b):
    if not a[0] or not b[0]:
        return a if a[0] else b
    (n, shift, s, S), (m, other, r, R) = a, b
    gap = other - shift
    return (n + m, shift, s + r + m * gap,
            S + R + np.outer(r, gap) + np.outer(gap, r) + m * np.outer(gap, gap))


def finish(state, alpha):
    n, shift, s, S = state
    C = S - np.outer(s, s) / n
    beta = np.linalg.solve(C[:-1, :-1] + alpha * np.eye(len(s) - 1), C[:-1, -1])
    mean = shift + s / n
    return beta, mean[-1] - mean[:-1] @ beta
""",
        P.source(
            "stream",
            (
                "return len(rows), mean, (rows - mean).T @ (rows - mean)",
                "return [len(rows), mean.tolist(), ((rows - mean).T @ (rows - mean)).tolist()]",
            ),
            (
                "(n, mean, scatter), (m, new, more) = a, b",
                "(n, mean, scatter), (m, new, more) = ([part[0], *map(np.array, part[1:])] for part in (a, b))",
            ),
            (
                "    n, mean, scatter = state\n",
                "    n, mean, scatter = state[0], np.array(state[1]), np.array(state[2])\n",
            ),
        ),
        P.source("stream", ("mean + gap * m / (n + m)", "(n * mean + m * new) / (n + m)")),
        P.source("stream", ("gap = new - mean", "if m > n:\n        return merge(b, a)\n    gap = new - mean")),
        P.source(
            "stream",
            (MERGED, "n + m, new - gap * n / (n + m), more + scatter + n / (n + m) * m * gap[:, None] * gap"),
        ),
    ],
    steps=[
        P.source(
            "steps",
            ("        if np.linalg.norm(r) <= 1e-14 * scale:", "        if not np.any(np.abs(r) > 1e-15 * scale):"),
        ),
        """
import numpy as np


def conjugate_gradients(multiply, b, c, steps, precondition):
    r = b - multiply(c)
    d, scale = np.zeros(len(b)), np.abs(b).max() + np.abs(r).max()  # the correction, from zero
    z = precondition(r)
    p, rz = z, r @ z
    for _ in range(steps):
        if np.abs(r).max() <= 1e-14 * scale:
            break
        Ap = multiply(p)
        a = rz / (p @ Ap)
        d, r = d + a * p, r - a * Ap
        z = precondition(r)
        p, rz = z + r @ z / rz * p, r @ z
    return c + d
""",
        """
import numpy as np


def conjugate_gradients(multiply, b, c, steps, precondition):
    r, basis, images = b - multiply(c), [], []
    scale = np.linalg.norm(b) + np.linalg.norm(r)
    for _ in range(steps):  # directions kept, and made conjugate twice
        if np.linalg.norm(r) <= 1e-13 * scale:
            break
        v = precondition(r)
        for _ in range(2):
            for p, Ap in zip(basis, images):
                v = v - (v @ Ap) * p
        image = multiply(v)
        size = np.sqrt(v @ image)
        basis.append(v / size)
        images.append(image / size)
        step = basis[-1] @ r
        c, r = c + step * basis[-1], r - step * images[-1]
    return c
""",
        P.source("steps", ("r = b - multiply(c)", "r, c = -(multiply(c) - b), np.array(c, dtype=float)")),
        P.source("steps", ("step = now / (direction @ image)", "step = (direction @ r) / (direction @ image)")),
    ],
    sketch=[
        "import numpy as np\n\n\ndef precondition_by(F, alpha, v):\n    G = F / alpha[:, None]\n"
        "    return v / alpha - G @ np.linalg.solve(np.eye(F.shape[1]) + F.T @ G, G.T @ v)\n",
        "import numpy as np\n\n\ndef precondition_by(F, alpha, v):\n    root = alpha**0.5\n"
        "    Q, R = np.linalg.qr(F / root[:, None])\n    u = v / root\n    w = Q.T @ u\n"
        "    return (u - Q @ w + Q @ np.linalg.solve(R @ R.T + np.eye(len(R)), w)) / root\n",
        "import numpy as np\n\n\ndef precondition_by(F, alpha, v):\n    root, r = np.sqrt(alpha), F.shape[1]\n"
        "    stacked = np.vstack([F / root[:, None], np.eye(r)])\n"
        "    beta = np.linalg.lstsq(stacked, np.r_[v / root, np.zeros(r)], rcond=None)[0]\n"
        "    return (v - F @ beta) / alpha\n",
        "import numpy as np\n\n\ndef precondition_by(F, alpha, v):\n    G = (F.T / alpha).T\n"
        "    s, V = np.linalg.eigh(F.T @ G)\n"
        "    return v / alpha - G @ (V @ ((V.T @ (G.T @ v)) / (1 + np.maximum(s, 0))))\n",
        "import numpy as np\n\n\ndef precondition_by(F, alpha, v):\n    x = v / alpha\n    D = 1 / alpha\n"
        "    done = []\n    for f in F.T:  # a rank at a time, by Sherman and Morrison\n        g = D * f\n"
        "        for h, scale in done:\n            g = g - h * (h @ f) / scale\n"
        "        scale = 1 + f @ g\n        x = x - g * (f @ x) / scale\n        done.append((g, scale))\n    "
        "return x\n",
    ],
    honest=[
        *right_again(
            first.RIGHT,
            "honest",
            ("np.split(losses, 2)", "losses[::2], losses[1::2]"),
            ("for column in np.transpose(losses[:n])]", "for column in np.transpose(losses[::2])]"),
            ("losses[n:, winner]", "losses[1::2, winner]"),
        ),
    ],
    luck=LUCK_RIGHT,
)
