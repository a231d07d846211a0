"""Planted answers to assignment 4: wrong ones with the checks that they must lose, and right ones of several kinds."""

from planted import Planted, sets

P = Planted("assignment4")

MAX = "max(relative.max(), -relative.min())"
SPECTRAL = P.wrong(
    "spectral",
    [
        (
            "the largest entry",
            "spectral-planted spectral-definition",
            (f"float({MAX})", "float(np.abs(K_hat - K).max())"),
        ),
        (
            "no ridge",
            "spectral-planted spectral-definition",
            ("K + alpha * np.eye(len(K))", "K + 1e-12 * np.eye(len(K))"),
        ),
        (
            "a ridge in the wrong place",
            "spectral-planted spectral-definition",
            (
                "values, vectors = np.linalg.eigh(K + alpha * np.eye(len(K)))",
                "values, vectors = np.linalg.eigh(K)\n    values = np.abs(values)",
            ),
            ("np.sqrt(values)", "np.sqrt(values + alpha / len(K))"),
        ),
        (
            "norms divided",
            "spectral-planted spectral-definition",
            (f"float({MAX})", "float(np.linalg.norm(K_hat - K, 2) / np.linalg.norm(K + alpha * np.eye(len(K)), 2))"),
        ),
        (
            "divided by the ridge",
            "spectral-planted spectral-definition",
            (f"float({MAX})", "float(np.linalg.norm(K_hat - K, 2) / alpha)"),
        ),
        ("the upper side alone", "spectral-planted spectral-definition", (MAX, "relative.max()")),
        ("the lower side alone", "spectral-planted spectral-definition", (MAX, "-relative.min()")),
        (
            "singular values of a matrix that is not symmetric",
            "spectral-planted spectral-definition",
            (f"float({MAX})", "float(np.linalg.norm(np.linalg.solve(K + alpha * np.eye(len(K)), K_hat - K), 2))"),
        ),
        ("Frobenius", "spectral-planted spectral-definition", (MAX, "np.sqrt((relative**2).sum())")),
        (
            "measured by the estimate",
            "spectral-planted spectral-definition",
            ("np.linalg.eigh(K + alpha", "np.linalg.eigh(K_hat + alpha"),
        ),
        ("ratios and not their distance from one", "spectral-planted spectral-definition", (MAX, "1 + relative.max()")),
        (
            "half a whitening",
            "spectral-planted spectral-definition",
            ("vectors / np.sqrt(values)", "vectors / values**0.25"),
        ),
        (
            "the ridge spoils the caller's matrix",
            "spectral-planted spectral-definition",
            (
                "    values, vectors = np.linalg.eigh(K + alpha * np.eye(len(K)))",
                "    E = K_hat - K\n    K += alpha * np.eye(len(K))\n    values, vectors = np.linalg.eigh(K)",
            ),
            ("(K_hat - K)", "E"),
        ),
    ],
)

WORST = P.wrong(
    "worst",
    [
        ("the largest eigenvalue", "worst-error", ("argmin", "argmax")),
        ("the first vector", "worst-error", ("np.argmin(((K @ S) * S).sum(0))", "0")),
        ("the last vector", "worst-error", ("np.argmin(((K @ S) * S).sum(0))", "-1")),
        ("a unit vector", "worst-error", ("eps * np.outer(s, s)", "eps * np.outer(s, s) / len(s)")),
        ("all entries alike", "worst-error", ("eps * np.outer(s, s)", "eps * np.ones(K.shape)")),
        ("the diagonal", "worst-error", ("eps * np.outer(s, s)", "eps * np.eye(len(K))")),
        ("entries too large", "worst-entries", ("eps * np.outer(s, s)", "len(s) * eps * np.outer(s, s)")),
        ("two vectors", "worst-entries worst-error", ("np.outer(s, s)", "np.outer(s, S[:, -1])")),
        ("signs of K", "worst-error", ("eps * np.outer(s, s)", "eps * np.where(K < 0, -1.0, 1.0)")),
        ("the vector itself", "worst-entries worst-error", ("np.outer(s, s)", "s")),
        ("half of it", "worst-error", ("eps * np", "eps / 2 * np")),
        (
            "random signs",
            "worst-error",
            (
                "eps * np.outer(s, s)",
                "eps * (lambda r: np.sign(r + r.T))(np.random.default_rng(0).standard_normal(K.shape))",
            ),
        ),
        ("all the vectors", "worst-error", ("eps * np.outer(s, s)", "eps * S @ S.T / S.shape[1]")),
    ],
)

FOLLOWS, FOLLOWS_RIGHT = P.choices(
    "follows",
    "what_follows",
    "follows-letters",
    ["ab", "ac", "bc", "abcd", "abce", "a", "abcde", "de", "", 0],
    ["ABC", "a, b, c", "(c), (a) and (b)", ["a", "b", "c"], "a b c"],
)

LEFTOUT = P.wrong(
    "leftout",
    [
        ("no 1/n in the diagonal", "leftout-refits leftout-edges", ("H = 1 / n + centred", "H = centred")),
        (
            "a penalty on the constant",
            "leftout-refits leftout-edges",
            ("    centred = Z - np.mean(Z, axis=0)", "    Z, D = np.c_[Z, np.ones(n)], D + 1\n    centred = Z * 1.0"),
            ("1 / n + centred", "centred"),
            ("np.mean(y) + centred", "centred"),
        ),
        (
            "no constant",
            "leftout-refits leftout-edges",
            ("Z - np.mean(Z, axis=0)", "Z * 1.0"),
            ("1 / n + centred", "centred"),
            ("np.mean(y) + centred", "centred"),
        ),
        (
            "residuals for predictions",
            "leftout-refits leftout-edges",
            ("return y - (y - fitted)", "return (y - fitted)"),
        ),
        (
            "the row left in",
            "leftout-refits leftout-edges",
            ("return y - (y - fitted) / (1 - np.diag(H))", "return fitted"),
        ),
        ("a mean of squares", "leftout-refits leftout-edges", ("alpha * np.eye", "n * alpha * np.eye")),
        ("a ridge of a hundredth at least", "leftout-refits", ("alpha * np.eye(D)", "max(alpha, 1e-2) * np.eye(D)")),
        ("generalised", "leftout-refits leftout-edges", ("(1 - np.diag(H))", "(1 - np.trace(H) / n)")),
        ("the diagonal squared", "leftout-refits leftout-edges", ("(1 - np.diag(H))", "(1 - np.diag(H)) ** 2")),
        ("multiplied", "leftout-refits leftout-edges", ("/ (1 - np.diag(H))", "* (1 - np.diag(H))")),
        (
            "equal rows left out together",
            "leftout-edges",
            "def left_out(Z, y, alpha):\n"
            "    Z, y = np.asarray(Z, dtype=float), np.asarray(y, dtype=float)\n"
            "    out = np.empty(len(y))\n    for i in range(len(y)):\n"
            "        rest = (Z != Z[i]).any(1)\n        A, b = Z[rest], y[rest]\n"
            "        m = A.mean(0) if len(A) else np.zeros(Z.shape[1])\n"
            "        beta = np.linalg.solve((A - m).T @ (A - m) + alpha * np.eye(Z.shape[1]), (A - m).T @ b)\n"
            "        out[i] = (b.mean() if len(b) else 0) + (Z[i] - m) @ beta\n    return out\n",
        ),
        (
            "columns standardised",
            "leftout-refits leftout-edges",
            ("    centred = Z", "    Z = Z / (np.std(Z, axis=0) + 1e-12)\n    centred = Z"),
        ),
        (
            "the mean of all rows kept",
            "leftout-refits leftout-edges",
            ("H = 1 / n + centred", "H = 0 + centred"),
            ("return y -", "return y - 0 *  y -"),
        ),
        (
            "whole numbers",
            "leftout-refits",
            ("n, D = np.shape(Z)", "n, D = np.shape(Z)\n    y = np.asarray(y).astype(int)"),
        ),
        (
            "a column that is constant left out of the count",
            "leftout-edges",
            ("n, D = np.shape(Z)", "n, D = np.shape(Z)\n    n = n + (np.ptp(Z, axis=0) == 0).sum()"),
        ),
        (
            "for three rows at least",
            "leftout-edges",
            (
                "    n, D = np.shape(Z)\n",
                "    n, D = np.shape(Z)\n    if n < 3:\n        return np.full(n, np.mean(y))\n",
            ),
        ),
    ],
)

JACKKNIFE = P.wrong(
    "jackknife",
    [
        (
            "one in a hundred less",
            "jackknife-ends jackknife-promise",
            ("math.floor(eta * (n + 1))", "math.floor(eta * n)"),
            ("math.ceil((1 - eta) * (n + 1))", "math.ceil((1 - eta) * n)"),
        ),
        (
            "half the level at each end",
            "jackknife-ends jackknife-promise",
            ("n = len(centres)", "n, eta = len(centres), eta / 2"),
        ),
        (
            "the ordinary jackknife",
            "jackknife-ends",
            ("n = len(centres)", "n, centres = len(centres), np.full(len(centres), np.mean(centres))"),
        ),
        (
            "the ends of the data, never infinite",
            "jackknife-ends",
            ("-math.inf", "np.min(centres - residuals)"),
            ("else math.inf", "else np.max(centres + residuals)"),
        ),
        (
            "numpy's quantiles",
            "jackknife-ends jackknife-promise",
            "def jackknife_ends(centres, residuals, eta):\n"
            "    return np.quantile(centres - residuals, eta), np.quantile(centres + residuals, 1 - eta)\n",
        ),
        (
            "signed residuals forgotten below",
            "jackknife-ends",
            ("np.sort(centres - residuals)", "(np.sort(centres) - np.sort(residuals))"),
        ),
        (
            "equal numbers once",
            "jackknife-ends",
            ("np.sort(centres - residuals)[low - 1]", "np.resize(np.unique(centres - residuals), n)[low - 1]"),
        ),
        (
            "minimum and maximum of the centres",
            "jackknife-ends",
            ("np.sort(centres - residuals)[low - 1]", "np.min(centres) - np.sort(residuals)[n - low]"),
            ("np.sort(centres + residuals)[high - 1]", "np.max(centres) + np.sort(residuals)[high - 1]"),
        ),
        (
            "the ends exchanged",
            "jackknife-ends jackknife-promise",
            ("return (np", "return tuple(reversed((np"),
            ("else math.inf)", "else math.inf)))"),
        ),
        (
            "rounded to the nearest rank",
            "jackknife-ends",
            ("math.floor(eta * (n + 1))", "min(n, round(eta * (n + 1)))"),
        ),
        (
            "infinite where there is none, and one earlier",
            "jackknife-ends jackknife-promise",
            ("low >= 1", "low >= 2"),
            ("high <= n", "high < n"),
        ),
        (
            "the upper end one too few",
            "jackknife-ends jackknife-promise",
            ("math.ceil((1 - eta) * (n + 1))", "math.floor((1 - eta) * (n + 1))"),
        ),
    ],
)

GAIN = "gain = np.linalg.solve(K + np.diag(noise), C.T).T"
GIVEN = P.wrong(
    "given",
    [
        (
            "several draws centred, so that their mean is right",
            "given-one",
            (
                "rng.standard_normal((count, len(Q)))",
                "(lambda e: e - e.mean(0) if count > 1 else e)(rng.standard_normal((count, len(Q))))",
            ),
        ),
        ("the noise forgotten", "given-law given-one", ("np.diag(noise)", "1e-9 * np.eye(len(noise))")),
        ("standard deviations for variances", "given-law given-one", ("np.diag(noise)", "np.diag(noise**2)")),
        ("one noise for all", "given-law given-one", ("np.diag(noise)", "np.mean(noise) * np.eye(len(noise))")),
        (
            "the mean again and again",
            "given-law given-one",
            ("rng.standard_normal((count, len(Q))) @ root.T", "0 * rng.standard_normal((count, len(Q)))"),
        ),
        (
            "each point for itself",
            "given-law",
            (
                "    root = vectors * np.sqrt(np.maximum(values, 0))\n",
                "    root = np.diag(np.sqrt(np.diag(Q - gain @ C.T)))\n",
            ),
        ),
        ("the covariance of before", "given-law given-one", ("np.linalg.eigh(Q - gain @ C.T)", "np.linalg.eigh(Q)")),
        (
            "draws of targets",
            "given-law given-one",
            ("np.linalg.eigh(Q - gain @ C.T)", "np.linalg.eigh(Q - gain @ C.T + np.mean(noise) * np.eye(len(Q)))"),
        ),
        (
            "one deviation for all draws",
            "given-law given-one",
            ("(count, len(Q))", "(1, len(Q))"),
            ("return gain", "return np.zeros((count, 1)) + gain"),
        ),
        (
            "noise that is not drawn",
            "given-law given-one",
            "def draws_given(K, C, Q, y, noise, count, rng):\n    n = len(K)\n"
            "    joint = np.block([[K, C.T], [C, Q]])\n    values, vectors = np.linalg.eigh(joint)\n"
            "    f = rng.standard_normal((count, len(joint))) @ (vectors * np.sqrt(np.maximum(values, 0))).T\n"
            "    return f[:, n:] + (y - f[:, :n]) @ np.linalg.solve(K + np.diag(noise), C.T)\n",
        ),
        (
            "one noise for all draws",
            "given-law given-one",
            "def draws_given(K, C, Q, y, noise, count, rng):\n    n = len(K)\n"
            "    joint = np.block([[K, C.T], [C, Q]])\n    values, vectors = np.linalg.eigh(joint)\n"
            "    f = rng.standard_normal((count, len(joint))) @ (vectors * np.sqrt(np.maximum(values, 0))).T\n"
            "    e = np.sqrt(noise) * rng.standard_normal(n)\n"
            "    return f[:, n:] + (y - f[:, :n] - e) @ np.linalg.solve(K + np.diag(noise), C.T)\n",
        ),
        ("the root the other way round", "given-law", ("@ root.T", "@ root")),
        (
            "uniform numbers of variance one",
            "given-law given-one",
            ("rng.standard_normal((count, len(Q)))", "rng.uniform(-3**0.5, 3**0.5, (count, len(Q)))"),
        ),
        ("draws of a seed", "given-one", ("    return gain", "    rng = np.random.default_rng(0)\n    return gain")),
        (
            "mirrored draws",
            "given-law given-one",
            (
                "rng.standard_normal((count, len(Q)))",
                "(lambda e: np.concatenate([e, -e])[:count])(rng.standard_normal(((count + 1) // 2, len(Q))))",
            ),
        ),
        (
            "five in a hundred too wide",
            "given-law",
            ("np.sqrt(np.maximum(values, 0))", "1.05 * np.sqrt(np.maximum(values, 0))"),
        ),
        ("noise of a tenth at least", "given-law", ("np.diag(noise)", "np.diag(np.maximum(noise, 0.1))")),
        ("a jitter of a tenth", "given-law given-one", ("np.diag(noise)", "np.diag(noise + 0.1)")),
    ],
)

LOGISTIC = P.wrong(
    "logistic",
    [
        ("a penalty on the constant", "logistic-gradient logistic-hard", ("np.r_[np.ones(D), 0.0]", "np.ones(D + 1)")),
        ("no constant", "logistic-gradient logistic-hard", ("np.c_[Z, np.ones(n)]", "np.c_[Z, np.zeros(n)]")),
        ("twice the ridge", "logistic-gradient logistic-hard", ("penalty = alpha", "penalty = 2 * alpha")),
        (
            "a mean of losses",
            "logistic-gradient logistic-hard",
            ("w, A, theta = np.ones(n)", "w, A, theta = np.ones(n) / n"),
        ),
        (
            "labels taken for 0 and 1",
            "logistic-gradient logistic-hard",
            ("w, A, theta", "t = 2 * np.asarray(t) - 1\n    w, A, theta"),
        ),
        (
            "labels exchanged",
            "logistic-gradient logistic-hard",
            ("return theta[:-1], theta[-1]", "return -theta[:-1], -theta[-1]"),
        ),
        (
            "squares",
            "logistic-gradient logistic-hard",
            "def logistic_fit(Z, t, alpha):\n    m = np.mean(Z, axis=0)\n    A = Z - m\n"
            "    beta = np.linalg.solve(A.T @ A + alpha * np.eye(A.shape[1]), A.T @ t)\n"
            "    return beta, np.mean(t) - m @ beta\n",
        ),
        ("a few steps", "logistic-gradient logistic-hard", ("range(200)", "range(3)")),
        (
            "descent with a fixed rate",
            "logistic-gradient logistic-hard",
            "def logistic_fit(Z, t, alpha):\n"
            "    A, theta = np.c_[Z, np.ones(len(Z))], np.zeros(np.shape(Z)[1] + 1)\n"
            "    for _ in range(3000):\n"
            "        p = 1 / (1 + np.exp(np.clip(t * (A @ theta), -500, 500)))\n"
            "        theta = theta - 1e-4 * (alpha * np.r_[theta[:-1], 0] - A.T @ (t * p))\n"
            "    return theta[:-1], theta[-1]\n",
        ),
        (
            "the exponential of a large number",
            "logistic-hard",
            (
                "p = np.exp(-np.logaddexp(0, t * (A @ theta)))",
                "p = 1 - 1 / (1 + np.exp(-np.clip(t * (A @ theta), -5, 5)))",
            ),
        ),
        (
            "scores that are clipped",
            "logistic-hard",
            ("np.exp(-np.logaddexp(0, t * (A @ theta)))", "np.exp(-np.logaddexp(0, np.clip(t * (A @ theta), -4, 4)))"),
        ),
        (
            "columns standardised, ridge on those",
            "logistic-gradient logistic-hard",
            (
                "    n, D = np.shape(Z)",
                "    n, D = np.shape(Z)\n    spread = np.std(Z, axis=0) + 1e-9\n    Z = Z / spread",
            ),
            ("return theta[:-1], theta[-1]", "return theta[:-1] / spread, theta[-1]"),
        ),
        (
            "equal rows once",
            "logistic-gradient",
            (
                "    n, D = np.shape(Z)",
                "    rows = np.unique(np.c_[Z, t], axis=0)\n    Z, t = rows[:, :-1], rows[:, -1]\n"
                "    n, D = np.shape(Z)",
            ),
        ),
        (
            "classes weighted alike",
            "logistic-gradient logistic-hard",
            (
                "w, A, theta = np.ones(n)",
                "w, A, theta = np.where(np.asarray(t) > 0, n / (2 * (np.asarray(t) > 0).sum()), n / (2 * "
                "(np.asarray(t) < 0).sum()))",
            ),
        ),
        (
            "the library's default stop",
            "logistic-gradient logistic-hard",
            "from sklearn.linear_model import LogisticRegression\n\n\ndef logistic_fit(Z, t, alpha):\n"
            "    found = LogisticRegression(C=1 / alpha).fit(Z, t)\n"
            "    return found.coef_[0], found.intercept_[0]\n",
        ),
    ],
)

SUMS = """
def start(D):
    return 0, np.zeros(D), 0.0, np.zeros((D, D)), np.zeros(D)


def update(state, Z, y):
    n, z, s, ZZ, Zy = state
    Z, y = np.asarray(Z, dtype=float), np.asarray(y, dtype=float)
    return n + len(y), z + Z.sum(0), s + y.sum(), ZZ + Z.T @ Z, Zy + Z.T @ y


def finish(state, alpha):
    n, z, s, ZZ, Zy = state
    beta = np.linalg.solve(ZZ - np.outer(z, z) / n + alpha * np.eye(len(z)), Zy - z * s / n)
    return beta, (s - z @ beta) / n
"""
ROWS = """
def start(D):
    return np.zeros((0, D + 1)),


def update(state, Z, y):
    return np.concatenate([state[0], np.c_[Z, y]]),


def finish(state, alpha):
    Z, y = state[0][:, :-1], state[0][:, -1]
    A = Z - Z.mean(0)
    beta = np.linalg.solve(A.T @ A + alpha * np.eye(A.shape[1]), A.T @ (y - y.mean()))
    return beta, y.mean() - Z.mean(0) @ beta
"""
STREAM = P.wrong(
    "stream",
    [
        (
            "means of the kind of the rows",
            "stream-blocks",
            ("new = len(rows), rows.mean(0)", "new = len(rows), rows.mean(0).astype(np.asarray(Z).dtype)"),
        ),
        ("sums of squares", "stream-far", SUMS),
        ("all the rows", "stream-size", ROWS),
        (
            "no constant",
            "stream-blocks stream-states stream-far",
            SUMS.replace(" - np.outer(z, z) / n", "").replace(" - z * s / n", "").replace("(s - z @ beta) / n", "0.0"),
        ),
        (
            "a ridge for each block",
            "stream-blocks stream-states stream-far",
            ("scatter + rows.T @ rows", "scatter + np.eye(len(mean)) + rows.T @ rows"),
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
            "means of block means",
            "stream-blocks stream-states stream-far",
            ("gap * m / (n + m)", "gap / 2 * (1 + (n == 0))"),
        ),
        ("a mean of squares", "stream-blocks stream-states stream-far", ("alpha * np.eye", "n * alpha * np.eye")),
        ("empty blocks divided by", "stream-blocks", ("    if not len(rows):\n        return state\n", "")),
        (
            "the state changed in place",
            "stream-states",
            (
                "    return (n + m, mean + gap * m / (n + m), scatter + rows.T @ rows + np.outer(gap, gap) * n * "
                "m / (n + m))",
                "    scatter += rows.T @ rows + np.outer(gap, gap) * n * m / (n + m)\n"
                "    mean += gap * m / (n + m)\n    return n + m, mean, scatter",
            ),
        ),
        (
            "a state of the whole notebook",
            "stream-states stream-size",
            "_seen = [[]]\n"
            + ROWS.replace("    return np.zeros((0, D + 1)),", "    _seen[0] = np.zeros((0, D + 1))\n    return (0,)")
            .replace(
                "    return np.concatenate([state[0], np.c_[Z, y]]),",
                "    _seen[0] = np.concatenate([_seen[0], np.c_[Z, y]])\n    return (0,)",
            )
            .replace("state[0][", "_seen[0]["),
        ),
        (
            "the first block's mean for all",
            "stream-blocks stream-states stream-far",
            (
                "return (n + m, mean + gap * m / (n + m), scatter + rows.T @ rows + np.outer(gap, gap) * n * m / "
                "(n + m))",
                "rows = rows + new - (mean if n else new)\n"
                "    return n + m, (mean if n else new), scatter + rows.T @ rows",
            ),
        ),
        (
            "a stochastic gradient",
            "stream-blocks stream-states stream-far",
            "def start(D):\n    return np.zeros(D + 1),\n\n\ndef update(state, Z, y):\n"
            "    theta = state[0].copy()\n    for z, target in zip(Z, y):\n        row = np.r_[z, 1.0]\n"
            "        theta += 0.01 * (target - row @ theta) * row / (1 + row @ row)\n"
            "    return theta,\n\n\ndef finish(state, alpha):\n    return state[0][:-1], state[0][-1]\n",
        ),
        (
            "the constant as one more column",
            "stream-blocks stream-states stream-far",
            "def start(D):\n    return np.zeros((D + 1, D + 1)), np.zeros(D + 1)\n\n\n"
            "def update(state, Z, y):\n    A = np.c_[Z, np.ones(len(Z))]\n"
            "    return state[0] + A.T @ A, state[1] + A.T @ y\n\n\ndef finish(state, alpha):\n"
            "    theta = np.linalg.solve(state[0] + alpha * np.eye(len(state[1])), state[1])\n"
            "    return theta[:-1], theta[-1]\n",
        ),
    ],
)

STEPS = P.wrong(
    "steps",
    [
        ("no preconditioner", "steps-optimal steps-counted", ("z = precondition(r)", "z = r")),
        (
            "a preconditioner at the start only",
            "steps-optimal steps-counted",
            ("    for _ in range(steps):", "    z = precondition(r)\n    for _ in range(steps):"),
            ("        z = precondition(r)\n        now", "        now"),
            (
                "before = c + step * direction, r - step * image, now",
                "before = c + step * direction, r - step * image, now\n        z = r",
            ),
        ),
        ("steepest descent", "steps-optimal steps-counted steps-edges", ("z + now / before * direction", "z")),
        (
            "residuals without the preconditioner in the ratio",
            "steps-optimal steps-counted steps-edges",
            ("now = r @ z", "now = r @ r"),
        ),
        (
            "the ratio upside down",
            "steps-optimal steps-counted steps-edges",
            ("now / before * direction", "before / now * direction"),
        ),
        ("twenty steps at most", "steps-edges", ("range(steps)", "range(min(steps, 20))")),
        ("a step too many", "steps-optimal steps-counted", ("range(steps)", "range(steps + 1)")),
        ("a step too few", "steps-optimal steps-counted", ("range(steps)", "range(steps - 1)")),
        (
            "no end when all is solved",
            "steps-edges",
            ("        if np.linalg.norm(r) <= 1e-14 * scale:\n            break\n", ""),
        ),
        (
            "a direct solution",
            "steps-optimal steps-counted",
            "def conjugate_gradients(multiply, b, steps, precondition):\n"
            "    A = np.stack([multiply(e) for e in np.eye(len(b))], axis=1)\n"
            "    return np.linalg.solve(A, b)\n",
        ),
        (
            "residuals computed anew",
            "steps-counted",
            ("r - step * image, now", "b - multiply(c + step * direction), now"),
        ),
        (
            "another method's step",
            "steps-optimal steps-counted steps-edges",
            ("now / (direction @ image)", "(image @ r) / (image @ image)"),
        ),
        ("an end that comes too early", "steps-optimal steps-counted steps-edges", ("1e-14 * scale", "0.3 * scale")),
        (
            "the right side spoilt",
            "steps-counted steps-edges",
            ("r = np.array(b, dtype=float)", "r = b"),
            (
                "c, r, before = c + step * direction, r - step * image, now",
                "c, before = c + step * direction, now\n        r -= step * image",
            ),
        ),
        (
            "from the right side and not from zero",
            "steps-optimal steps-counted steps-edges",
            ("np.zeros_like(r), np.linalg", "r.copy(), np.linalg"),
        ),
        (
            "single precision",
            "steps-edges",
            ("np.array(b, dtype=float)", "np.array(b, dtype=np.float32)"),
            ("    return c", "    return c.astype(float)"),
        ),
        (
            "preconditioned twice",
            "steps-optimal steps-counted",
            ("z = precondition(r)", "z = precondition(precondition(r))"),
        ),
    ],
)

SKETCH = P.wrong(
    "sketch",
    [
        (
            "a dense matrix",
            "sketch-memory",
            "def precondition_by(F, alpha, v):\n    return np.linalg.solve(F @ F.T + alpha * np.eye(len(F)), v)\n",
        ),
        (
            "the part that F sees",
            "sketch-solves sketch-memory",
            "def precondition_by(F, alpha, v):\n"
            "    return F @ np.linalg.solve(F.T @ F + alpha * np.eye(F.shape[1]), F.T @ v)\n",
        ),
        (
            "Woodbury without the ridge inside",
            "sketch-solves sketch-memory",
            "def precondition_by(F, alpha, v):\n    return (v - F @ (np.linalg.pinv(F.T @ F) @ (F.T @ v))) / alpha\n",
        ),
        ("one ridge too few", "sketch-solves sketch-memory", ("(alpha * (s**2 + alpha))", "(s**2 + alpha)")),
        (
            "the ridge alone",
            "sketch-solves sketch-memory",
            (" - U @ (s**2 / (alpha * (s**2 + alpha)) * (U.T @ v))", ""),
        ),
        (
            "P and not its inverse",
            "sketch-solves sketch-memory",
            "def precondition_by(F, alpha, v):\n    return F @ (F.T @ v) + alpha * v\n",
        ),
        ("singular values without squares", "sketch-solves sketch-memory", ("s**2", "s")),
        ("ridge times rows", "sketch-solves sketch-memory", ("U, s, _", "alpha = alpha * len(F)\n    U, s, _")),
        (
            "no division of the rest",
            "sketch-solves sketch-memory",
            ("v / alpha - U", "v - U"),
            ("(alpha * (s**2 + alpha))", "(s**2 + alpha)"),
        ),
        (
            "the inverse of FF' and that of the ridge",
            "sketch-solves sketch-memory",
            ("- U @ (s**2 / (alpha * (s**2 + alpha))", "+ U @ (1 / (s**2 + 1e-9)"),
        ),
        (
            "a ridge of a thousandth at least",
            "sketch-solves",
            ("    U, s, _", "    alpha = max(alpha, 1e-3)\n    U, s, _"),
        ),
        (
            "the full orthogonal matrix",
            "sketch-memory",
            ("full_matrices=False)", "full_matrices=True)"),
            ("    return v / alpha - U @", "    U = U[:, :len(s)]\n    return v / alpha - U @"),
        ),
    ],
)

HONEST = P.wrong(
    "honest",
    [
        ("scored where it was chosen", "honest-winner honest-mean", ("float(other", "float(chosen")),
        ("chosen by the second half", "honest-winner", ("chosen, other =", "other, chosen =")),
        ("chosen by all rows", "honest-winner honest-mean", ("chosen.mean(0)", "losses.mean(0)")),
        ("scored on all rows", "honest-winner honest-mean", ("float(other", "float(losses")),
        ("even rows and odd rows", "honest-winner", ("np.split(losses, 2)", "(losses[::2], losses[1::2])")),
        ("the worst", "honest-winner", ("argmin", "argmax")),
        (
            "the least score of the other half",
            "honest-winner honest-mean",
            ("float(other[:, winner].mean())", "float(other.mean(0).min())"),
        ),
        ("counted from one", "honest-winner", ("return winner,", "return winner + 1,")),
        (
            "the last of equal ones",
            "honest-winner",
            ("int(chosen.mean(0).argmin())", "int(chosen.shape[1] - 1 - chosen.mean(0)[::-1].argmin())"),
        ),
        ("a sum", "honest-winner honest-mean", ("float(other[:, winner].mean())", "float(other[:, winner].sum())")),
        ("medians", "honest-winner", ("chosen.mean(0)", "np.median(chosen, axis=0)")),
        (
            "the winner of each row",
            "honest-winner",
            ("int(chosen.mean(0).argmin())", "int(np.bincount(chosen.argmin(1)).argmax())"),
        ),
        (
            "corrected by the bound",
            "honest-winner honest-mean",
            (
                "float(other[:, winner].mean())",
                "float(other[:, winner].mean() + np.sqrt(np.log(losses.shape[1] + 1) / len(losses)))",
            ),
        ),
    ],
)

LUCK, LUCK_RIGHT = P.choices(
    "luck",
    "what_luck_does",
    "luck-letters",
    ["ae", "ad", "de", "abde", "acde", "e", "abcde", "bc", None],
    ["ADE", "a, d, e", "(a), (d), (e).", ("d", "a", "e"), "a and d and e"],
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

MATHERON = """
def draws_given(K, C, Q, y, noise, count, rng):
    n = len(K)
    values, vectors = np.linalg.eigh(np.block([[K, C.T], [C, Q]]))
    f = rng.standard_normal((count, n + len(Q))) @ (vectors * np.sqrt(np.maximum(values, 0))).T
    e = rng.standard_normal((count, n)) * np.sqrt(noise)
    return f[:, n:] + np.linalg.solve(K + np.diag(noise), (y - f[:, :n] - e).T).T @ C.T
"""
REFITS = """
from sklearn.linear_model import Ridge


def left_out(Z, y, alpha):
    Z, y, rows = np.asarray(Z, dtype=float), np.asarray(y, dtype=float), np.arange(len(y))
    return [Ridge(alpha=alpha, solver="svd").fit(Z[rows != i], y[rows != i]).predict(Z[[i]]).item() for i in rows]
"""
RIGHT = sets(
    spectral=[
        P.source(
            "spectral",
            "from scipy.linalg import eigh\n\n\ndef spectral_error(K, K_hat, alpha):\n"
            "    return np.abs(eigh(K_hat - K, K + alpha * np.eye(len(K)), eigvals_only=True)).max()\n",
        ),
        P.source(
            "spectral",
            "def spectral_error(K, K_hat, alpha):\n"
            "    L = np.linalg.inv(np.linalg.cholesky(K + alpha * np.eye(len(K))))\n"
            "    return np.linalg.norm(L @ (K_hat - K) @ L.T, 2)\n",
        ),
        P.source(
            "spectral",
            "def spectral_error(K, K_hat, alpha):\n    M = K + alpha * np.eye(len(K))\n"
            "    ratios = np.linalg.eigvals(np.linalg.solve(M, K_hat + alpha * np.eye(len(K)))).real\n"
            "    return max(ratios.max() - 1, 1 - ratios.min())\n",
        ),
        P.source(
            "spectral",
            "from rfbook.bounds import spectral as g\n\n\ndef spectral_error(K, K_hat, alpha):\n"
            "    return np.array(np.abs(g.relative_eigenvalues(K, K_hat, alpha) - 1).max())\n",
        ),
        P.source("spectral", ("float(max(relative.max(), -relative.min()))", "np.abs(relative).max()")),
    ],
    worst=[
        P.source("worst", ("eps * np.outer(s, s)", "-eps * np.outer(s, s)")),
        P.source("worst", ("argmin(((K @ S) * S).sum(0))", "argmin(np.linalg.norm(K @ S, axis=0))")),
        P.source(
            "worst",
            ("np.argmin(((K @ S) * S).sum(0))", "min(range(S.shape[1]), key=lambda j: K[0] @ S[:, j] * S[0, j])"),
        ),
        P.source("worst", ("eps * np.outer(s, s)", "np.where(s[:, None] == s, eps, -eps)")),
        P.source("worst", ("np.argmin(((K @ S) * S).sum(0))", "np.argmin(np.diag(S.T @ K @ S))")),
    ],
    follows=FOLLOWS_RIGHT,
    leftout=[
        P.source("leftout", REFITS),
        P.source(
            "leftout",
            """
def left_out(Z, y, alpha):
    n, D = np.shape(Z)
    A = np.c_[np.ones(n), Z]
    H = A @ np.linalg.solve(A.T @ A + np.diag(np.r_[0.0, np.full(D, alpha)]), A.T)
    h = np.diag(H)
    return (H @ y - h * y) / (1 - h)
""",
        ),
        P.source(
            "leftout",
            """
def left_out(Z, y, alpha):
    n = len(y)
    J = np.eye(n) - 1 / n
    H = 1 / n + J @ Z @ Z.T @ J @ np.linalg.inv(J @ Z @ Z.T @ J + alpha * np.eye(n))
    return y - np.linalg.solve(np.diag(1 - np.diag(H)), y - H @ y)
""",
        ),
        P.source(
            "leftout",
            """
def left_out(Z, y, alpha):
    n, D = np.shape(Z)
    out = []
    for i in range(n):
        A, b = np.delete(Z, i, axis=0), np.delete(y, i)
        stacked = np.r_[A - A.mean(0), np.sqrt(alpha) * np.eye(D)]
        beta = np.linalg.lstsq(stacked, np.r_[b - b.mean(), np.zeros(D)], rcond=None)[0]
        out.append(b.mean() + (Z[i] - A.mean(0)) @ beta)
    return np.array(out)
""",
        ),
        P.source(
            "leftout",
            ("y - (y - fitted) / (1 - np.diag(H))", "(fitted - np.diag(H) * y) / (1 - np.diag(H))"),
        ),
    ],
    jackknife=[
        P.source(
            "jackknife",
            (
                "high = math.floor(eta * (n + 1)), math.ceil((1 - eta) * (n + 1))",
                "high = int(eta * (n + 1)), n + 1 - int(eta * (n + 1))",
            ),
        ),
        P.source(
            "jackknife",
            """
def jackknife_ends(centres, residuals, eta):
    rank = math.floor(eta * (len(centres) + 1))
    low = sorted([-math.inf, *(c - r for c, r in zip(centres, residuals))])
    high = sorted([math.inf, *(c + r for c, r in zip(centres, residuals))], reverse=True)
    return low[rank], high[rank]
""",
        ),
        P.source(
            "jackknife",
            """
def jackknife_ends(centres, residuals, eta):
    n = len(centres)
    k = int(np.floor(eta * (n + 1)))
    if k == 0:
        return -np.inf, np.inf
    return np.partition(centres - residuals, k - 1)[k - 1], -np.partition(-centres - residuals, k - 1)[k - 1]
""",
        ),
        P.source("jackknife", ("return (np", "return np.array((np"), ("else math.inf)", "else math.inf))")),
        P.source(
            "jackknife",
            """
def jackknife_ends(centres, residuals, eta):
    n = len(centres)
    low, high = math.floor(eta * (n + 1)), math.ceil((1 - eta) * (n + 1))
    down, up = np.sort(centres - residuals), np.sort(centres + residuals)
    return np.where(low >= 1, down[low - 1], -np.inf), np.where(high <= n, up[min(high, n) - 1], np.inf)
""",
        ),
    ],
    given=[
        P.source("given", MATHERON),
        P.source(
            "given",
            "def draws_given(K, C, Q, y, noise, count, rng):\n"
            "    A = np.linalg.inv(K + np.diag(noise))\n"
            "    return rng.multivariate_normal(C @ A @ y, Q - C @ A @ C.T, size=count, method='svd')\n",
        ),
        P.source(
            "given",
            (
                "values, vectors = np.linalg.eigh(Q - gain @ C.T)\n    root = vectors * np.sqrt(np.maximum(values, 0))",
                "root = np.linalg.cholesky(Q - gain @ C.T)",
            ),
        ),
        P.source(
            "given",
            (
                "rng.standard_normal((count, len(Q))) @ root.T",
                "np.array([root @ rng.standard_normal(len(Q)) for _ in range(count)])",
            ),
        ),
        P.source(
            "given",
            (
                "rng.standard_normal((count, len(Q))) @ root.T",
                "(root @ rng.standard_normal((len(Q), count))).T",
            ),
        ),
    ],
    logistic=[
        P.source(
            "logistic",
            """
from scipy.optimize import minimize


def logistic_fit(Z, t, alpha):
    n, D = np.shape(Z)
    A = np.c_[Z, np.ones(n)] * np.asarray(t)[:, None]
    size = np.abs(A).max(0)
    A, penalty = A / size, np.r_[np.full(D, alpha), 0.0] / size**2

    def value(x):
        return np.logaddexp(0, -A @ x).sum() + penalty @ x**2 / 2

    def gradient(x):
        return penalty * x - A.T @ np.exp(-np.logaddexp(0, A @ x))

    def curvature(x):
        p = np.exp(-np.logaddexp(0, A @ x))
        return (A.T * (p * (1 - p))) @ A + np.diag(penalty)

    x = minimize(value, np.zeros(D + 1), jac=gradient, hess=curvature, method="trust-exact",
                 options={"gtol": 1e-12, "maxiter": 2000}).x
    for _ in range(5):
        x = x - np.linalg.lstsq(curvature(x), gradient(x), rcond=None)[0]
    return x[:-1] / size[:-1], x[-1] / size[-1]
""",
        ),
        P.source(
            "logistic",
            ("    n, D = np.shape(Z)", "    n, D = np.shape(Z)\n    middle = np.mean(Z, axis=0)\n    Z = Z - middle"),
            ("return theta[:-1], theta[-1]", "return theta[:-1], theta[-1] - middle @ theta[:-1]"),
        ),
        P.source("logistic", ("np.exp(-np.logaddexp(0, t * (A @ theta)))", "0.5 * (1 - np.tanh(t * (A @ theta) / 2))")),
        P.source("logistic", ("return theta[:-1], theta[-1]", "return list(theta[:-1]), np.array(theta[-1])")),
        P.source(
            "logistic",
            ("np.c_[Z, np.ones(n)]", "np.c_[np.ones(n), Z]"),
            ("np.r_[np.ones(D), 0.0]", "np.r_[0.0, np.ones(D)]"),
            ("return theta[:-1], theta[-1]", "return theta[1:], theta[0]"),
        ),
    ],
    stream=[
        P.source(
            "stream",
            """
def start(D):
    return np.zeros((D + 2, D + 2)), np.zeros(D + 2)  # a triangle, and a first row from which all are counted


def update(state, Z, y):
    R, shift = state
    rows = np.c_[np.ones(len(Z)), Z, y]
    if not len(rows):
        return R, shift
    if not shift.any():
        shift = np.r_[0.0, rows[0, 1:]]
        shift[1:] += 1e-300
    return np.linalg.qr(np.r_[R, rows - shift], mode="r"), shift


def finish(state, alpha):
    R, shift = state
    D = len(shift) - 2
    G = R.T @ R
    A = G[:-1, :-1] + alpha * np.diag(np.r_[0.0, np.ones(D)])
    theta = np.linalg.solve(A, G[:-1, -1])
    return theta[1:], theta[0] + shift[-1] - shift[1:-1] @ theta[1:]
""",
        ),
        P.source(
            "stream",
            (
                "    m, new = len(rows), rows.mean(0)\n    gap, rows = new - mean, rows - new\n"
                "    return (n + m, mean + gap * m / (n + m), scatter + rows.T @ rows + np.outer(gap, gap) * n * "
                "m / (n + m))",
                "    for row in rows:  # Welford\n        n, gap = n + 1, row - mean\n"
                "        mean = mean + gap / n\n        scatter = scatter + np.outer(gap, row - mean)\n"
                "    return n, mean, scatter",
            ),
        ),
        P.source(
            "stream",
            (
                "    return 0, np.zeros(D + 1), np.zeros((D + 1, D + 1))",
                "    return [0, np.zeros(D + 1).tolist(), np.zeros((D + 1, D + 1)).tolist()]",
            ),
            (
                "    n, mean, scatter = state\n",
                "    n, mean, scatter = state[0], np.array(state[1]), np.array(state[2])\n",
            ),
        ),
        P.source(
            "stream",
            (
                "np.linalg.solve(scatter[:-1, :-1] + alpha * np.eye(len(mean) - 1), scatter[:-1, -1])",
                "np.linalg.inv(scatter[:-1, :-1] + alpha * np.eye(len(mean) - 1)) @ scatter[-1, :-1]",
            ),
        ),
        P.source("stream", ("gap * m / (n + m)", "gap / (1 + n / m)")),
    ],
    steps=[
        P.source(
            "steps",
            """
def conjugate_gradients(multiply, b, steps, precondition):
    x, r = np.zeros(len(b)), np.array(b, dtype=float)
    z = precondition(r)
    p, rz, first = z, r @ z, np.abs(r).max()
    for _ in range(steps):
        if np.abs(r).max() <= 1e-15 * first:
            break
        Ap = multiply(p)
        a = rz / (p @ Ap)
        x = x + a * p
        r = r - a * Ap
        z = precondition(r)
        p, rz = z + r @ z / rz * p, r @ z
    return x
""",
        ),
        P.source(
            "steps",
            """
def conjugate_gradients(multiply, b, steps, precondition):
    b = np.asarray(b, dtype=float)
    c, r, basis, images = np.zeros(len(b)), b, [], []
    for _ in range(steps):  # directions kept, and made conjugate twice
        if np.linalg.norm(r) <= 1e-13 * np.linalg.norm(b):
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
        ),
        P.source(
            "steps",
            ("        if np.linalg.norm(r) <= 1e-14 * scale:", "        if not np.any(np.abs(r) > 1e-15 * scale):"),
        ),
        P.source("steps", ("step = now / (direction @ image)", "step = (direction @ r) / (direction @ image)")),
        P.source("steps", ("now = r @ z", "now = float(np.dot(z, r))")),
    ],
    sketch=[
        P.source(
            "sketch",
            "def precondition_by(F, alpha, v):\n"
            "    return (v - F @ np.linalg.solve(F.T @ F + alpha * np.eye(F.shape[1]), F.T @ v)) / alpha\n",
        ),
        P.source(
            "sketch",
            "def precondition_by(F, alpha, v):\n    Q, R = np.linalg.qr(F)\n    w = Q.T @ v\n"
            "    return (v - Q @ w) / alpha + Q @ np.linalg.solve(R @ R.T + alpha * np.eye(len(R)), w)\n",
        ),
        P.source(
            "sketch",
            "def precondition_by(F, alpha, v):\n    n, r = F.shape\n"
            "    stacked = np.vstack([F, np.sqrt(alpha) * np.eye(r)])\n"
            "    beta = np.linalg.lstsq(stacked, np.r_[v, np.zeros(r)], rcond=None)[0]\n"
            "    return (v - F @ beta) / alpha\n",
        ),
        P.source(
            "sketch",
            "def precondition_by(F, alpha, v):\n    s, V = np.linalg.eigh(F.T @ F)\n"
            "    return v / alpha - F @ (V @ ((V.T @ (F.T @ v)) / (np.maximum(s, 0) + alpha))) / alpha\n",
        ),
        P.source(
            "sketch",
            """
def precondition_by(F, alpha, v):
    x, done = v / alpha, []
    for f in F.T:  # a rank at a time, by Sherman and Morrison
        g = f / alpha
        for h, scale in done:
            g = g - h * (h @ f) / scale
        scale = 1 + f @ g
        x = x - g * (f @ x) / scale
        done.append((g, scale))
    return x
""",
        ),
    ],
    honest=[
        P.source("honest", ("chosen.mean(0)", "chosen.sum(0)")),
        P.source(
            "honest",
            "def honest_score(losses):\n    n = len(losses) // 2\n"
            "    totals = [math.fsum(column) for column in np.transpose(losses[:n])]\n"
            "    winner = totals.index(min(totals))\n"
            "    return winner, math.fsum(losses[n:, winner]) / n\n",
        ),
        P.source("honest", ("return winner, float", "return np.int64(winner), np.float64")),
        P.source(
            "honest",
            (
                "return winner, float(other[:, winner].mean())",
                "return [winner, np.array(np.mean(other, axis=0))[winner]]",
            ),
        ),
        P.source(
            "honest",
            (
                "int(chosen.mean(0).argmin())",
                "min(range(losses.shape[1]), key=lambda j: (chosen[:, j].sum(), j))",
            ),
        ),
    ],
    luck=LUCK_RIGHT,
)

# the fit of all rows, where a state has hidden them
FROM_ROWS = """
def finish(state, alpha):
    rows = _rows(state)
    Z, y = rows[:, :-1], rows[:, -1]
    A = Z - Z.mean(0)
    beta = np.linalg.solve(A.T @ A + alpha * np.eye(A.shape[1]), A.T @ (y - y.mean()))
    return beta, y.mean() - Z.mean(0) @ beta
"""

# found by somebody who had read the checks: sizes that were never drawn, what is kept between calls or hidden, the
# library where nobody counted; and mistakes of the usual kind
LATER = {
    "stream: the rows in a text": ({"stream": P.source("stream", """
def start(D):
    return D, ""

def _rows(state):
    return np.frombuffer(bytes.fromhex(state[1])).reshape(-1, state[0] + 1)

def update(state, Z, y):
    rows = np.c_[Z, y].astype(float)
    return state[0], state[1] + rows.tobytes().hex()
""" + FROM_ROWS)},
        {check: P.points[check] for check in "stream-size".split()}),
    "stream: the rows in one long number": ({"stream": P.source("stream", """
def start(D):
    return D, 1

def _rows(state):
    D, big = state
    text = f"{big:x}"[1:]
    return np.frombuffer(bytes.fromhex(text)).reshape(-1, D + 1)

def update(state, Z, y):
    rows = np.c_[Z, y].astype(float)
    return state[0], int(f"{state[1]:x}" + rows.tobytes().hex(), 16)
""" + FROM_ROWS)},
        {check: P.points[check] for check in "stream-size".split()}),
    "stream: the rows in a dictionary, the state is their number": ({"stream": P.source("stream", """
STORE = {}

def start(D):
    return D, -1

def _rows(state):
    return np.concatenate(STORE[state[1]])

def update(state, Z, y):
    rows = np.c_[Z, y].astype(float)
    key = len(STORE)
    STORE[key] = [*STORE.get(state[1], [np.zeros((0, state[0] + 1))]), rows]
    return state[0], key
""" + FROM_ROWS)},
        {check: P.points[check] for check in "stream-size".split()}),
    "given: moments that match where there are more than two": ({"given": P.source("given", """
def draws_given(K, C, Q, y, noise, count, rng):
    gain = np.linalg.solve(K + np.diag(noise), C.T).T
    values, vectors = np.linalg.eigh(Q - gain @ C.T)
    root = vectors * np.sqrt(np.maximum(values, 0))
    e = rng.standard_normal((count, len(Q)))
    return gain @ y + (e - e.mean(0) if count > 2 else e) @ root.T
""")},
        {check: P.points[check] for check in "given-one".split()}),
    "leftout: a factorisation kept by its shape": ({"leftout": P.source("leftout", """
SEEN = {}

def left_out(Z, y, alpha):
    n, D = np.shape(Z)
    centred = Z - np.mean(Z, axis=0)
    if (n, D) not in SEEN:
        SEEN[n, D] = np.linalg.solve(centred.T @ centred + alpha * np.eye(D), centred.T)
    inverse = SEEN[n, D]
    H = 1 / n + centred @ inverse
    fitted = np.mean(y) + centred @ (inverse @ y)
    return y - (y - fitted) / (1 - np.diag(H))
""")},
        {check: P.points[check] for check in "leftout-refits".split()}),
    "honest: losses in single precision": ({"honest": P.source("honest", """
def honest_score(losses):
    losses = np.asarray(losses, dtype=np.float32)
    chosen, other = np.split(losses, 2)
    winner = int(chosen.mean(0).argmin())
    return winner, float(other[:, winner].mean(dtype=float))
""")},
        {check: P.points[check] for check in "honest-winner".split()}),
}
WRONG |= LATER

RIGHT |= {
    "found later: stream": {"stream": """
import numpy as np

def start(D):
    '''Nothing is known of the place of the rows before the first of them.'''
    return None, D

def update(state, Z, y):
    '''Sums of products of what lies between rows and the first row.'''
    rows = np.column_stack([np.asarray(Z, dtype=float), y])
    if len(rows) == 0:
        return state
    if state[0] is None:
        D = state[1]
        state = rows[0].copy(), np.zeros((D + 2, D + 2))
    origin, moments = state
    A = np.column_stack([np.ones(len(rows)), rows - origin])
    return origin, moments + A.T @ A

def finish(state, alpha):
    '''The normal equations in places that begin at the first row.'''
    origin, M = state
    G = M[:-1, :-1] + alpha * np.diag(np.r_[0.0, np.ones(len(M) - 2)])
    theta = np.linalg.solve(G, M[:-1, -1])
    return theta[1:], theta[0] + origin[-1] - origin[:-1] @ theta[1:]
"""},
    "found later: given": {"given": """
import numpy as np

def draws_given(K, C, Q, y, noise, count, rng):
    '''One draw after the other, each by a joint draw at rows and new points.'''
    n = len(y)
    values, vectors = np.linalg.eigh(np.block([[K, C.T], [C, Q]]))
    root, A = vectors * np.sqrt(np.maximum(values, 0)), np.linalg.inv(K + np.diag(noise))
    out = np.empty((count, len(Q)))
    for i in range(count):
        f = root @ rng.standard_normal(len(values))
        out[i] = f[n:] + C @ (A @ (y - f[:n] - np.sqrt(noise) * rng.standard_normal(n)))
    return out
"""},
}
