"""Planted answers to variant 2 of assignment 6: the mistakes of the first variant carried over, and its own."""

import assignment6 as first
from planted import Planted, right_again, sets

P = Planted("assignment6-variant2")

DIGEST = 'hashlib.sha256(f"{before}\\n{text}".encode()).hexdigest()'
SEAL = P.wrong(
    "seal",
    [
        *P.again(
            first.P, "seal", without=("another digest", "Python's own hash, another in each process", "UTF-16")
        ),
        ("the protocol alone", "seal-edits seal-form", (DIGEST, "hashlib.sha256(text.encode()).hexdigest()")),
        ("no line break", "seal-form", ("{before}\\n", "{before}")),
        ("the seal before behind the text", "seal-form", ("{before}\\n{text}", "{text}\\n{before}")),
        (
            "a digest of two digests",
            "seal-form",
            (DIGEST, "hashlib.sha256((before + hashlib.sha256(text.encode()).hexdigest()).encode()).hexdigest()"),
        ),
        ("eight letters of the seal before", "seal-edits", ("{before}\\n", "{before[:8]}\\n")),
        ("a line break of Windows", "seal-form", ("\\n", "\\r\\n")),
        ("another digest", "seal-edits seal-form", ("sha256", "md5")),
    ],
)

VALID = "valid.get(part[0]) == what"
COUNTS = P.wrong(
    "counts",
    [
        ("the last seal, also one of later", "counts-logs", (VALID, "part[0] in valid and last == what")),
        ("the first seal", "counts-logs", ("last = what", "last = last or what")),
        ("opened again, begun again", "counts-logs", ("valid.setdefault(what, last)", "valid[what] = last")),
        (
            "one part for all",
            "counts-logs",
            ("valid.setdefault(what, last)", "valid.setdefault('', last)"),
            ("part[0]", "''"),
        ),
        ("any part that was opened", "counts-logs", (VALID, "what in valid.values()")),
        ("a report before its part was opened", "counts-logs", (VALID, "valid.get(part[0], last) == what")),
        ("every report of a part that was opened", "counts-logs", (VALID, "part[0] in valid")),
        ("the first letters", "counts-logs", (VALID, "(valid.get(part[0]) or '')[:16] == what[:16]")),
        ("without a look at the opening", "counts-logs", (VALID, "last == what")),
        (
            "without a seal all is allowed",
            "counts-logs",
            (VALID, "part[0] in valid and valid[part[0]] in (None, what)"),
        ),
        ("all", "counts-logs", (VALID, "True")),
        ("none", "counts-logs", (VALID, "False")),
        ("one answer for all", "counts-logs", ("    return out\n", "    return all(out)\n")),
        (
            "any seal before its part was opened",
            "counts-logs",
            ("last = what", "last = (last or set()) | {what}"),
            (VALID, "what in (valid.get(part[0]) or ())"),
        ),
    ],
)

KEPT = "(t2 > 0) & (np.exp(-t2 / 2) >= 0.5)"
WHOLE = first.WHOLE.replace("t2 > 0", KEPT)
ERROR = P.wrong(
    "error",
    [
        *P.again(
            first.P,
            "error",
            ("kept = t2 > 0\n", f"kept = {KEPT}\n"),
            ("kept = t2 >= 0\n", "kept = np.exp(-t2 / 2) >= 0.5\n"),
            (
                "kept = ~np.eye(len(X), dtype=bool)\n",
                "kept = ~np.eye(len(X), dtype=bool) & (np.exp(-t2 / 2) >= 0.5)\n",
            ),
            ("kept = t2 > 1e-3\n", "kept = (t2 > 1e-3) & (np.exp(-t2 / 2) >= 0.5)\n"),
        ),
        ("all pairs that differ", "error-pairs error-size", first.WHOLE),
        (
            "the estimate is at least one half",
            "error-pairs error-size",
            WHOLE.replace("(np.exp(-t2 / 2) >= 0.5)", "((C @ C.T + S @ S.T) / len(W) >= 0.5)"),
        ),
        (
            "a distance of at most one half",
            "error-pairs error-size",
            WHOLE.replace("(np.exp(-t2 / 2) >= 0.5)", "(t2 <= 0.25)"),
        ),
        (
            "a distance of at most one",
            "error-pairs error-size",
            WHOLE.replace("(np.exp(-t2 / 2) >= 0.5)", "(t2 <= 1)"),
        ),
        ("the kernel is at most one half", "error-pairs error-size", WHOLE.replace(">= 0.5", "<= 0.5")),
        (
            "pairs far apart count as zero",
            "error-pairs error-size",
            WHOLE.replace("(off[kept] ** 2).mean()", "(off[kept] ** 2).sum() / (t2 > 0).sum()"),
        ),
    ],
)

UP = "return 0.0, ratio * math.exp(z * spread)"
RATIO = P.wrong(
    "ratio",
    [
        *P.again(
            first.P,
            "ratio",
            ("ndtri((1 + level) / 2)", "ndtri(level)"),
            ("return x.mean() - z * spread, x.mean()", "return 0.0, x.mean()"),
            (
                "return np.quantile(x, (1 - level) / 2), np.quantile(x, (1 + level) / 2)",
                "return 0.0, np.quantile(x, level)",
            ),
            ("return ratio * math.exp(-z * spread), ratio * math.exp(z * spread)", UP),
            ("    return ratio", "    return 0.0, ratio"),
            ("return a.min() / b.max(), ", "return 0.0, "),
            ("default_rng()", "default_rng(3)"),  # of whose one end chance would decide whether it covers
            without=("one side",),
            lost={
                "roots": "ratio-coverage",
                "a bootstrap of pairs": "ratio-coverage",
            },
        ),
        ("an end that chance moves", "ratio-theorem", (UP, UP + " * np.random.default_rng().uniform(1, 1.001)")),
        (
            "both sides",
            "ratio-theorem",
            ("ndtri(level)", "ndtri((1 + level) / 2)"),
            (UP, UP.replace("0.0", "ratio * math.exp(-z * spread)")),
        ),
        ("half of the doubt on the other side", "ratio-coverage", ("ndtri(level)", "ndtri((1 + level) / 2)")),
        ("the lower end of two", "ratio-coverage ratio-theorem", (UP, "return 0.0, ratio * math.exp(-z * spread)")),
        ("open upwards", "ratio-theorem", (UP, "return ratio * math.exp(-z * spread), 1e300")),
        ("the ratio itself", "ratio-coverage ratio-theorem", (UP, "return 0.0, ratio")),
        ("below by a quantile", "ratio-theorem", (UP, UP.replace("0.0", "ratio * math.exp(-9 * spread)"))),
    ],
)

PROMISE, PROMISE_RIGHT = P.choices(
    "promise",
    "what_they_promise",
    "promise-letters",
    ["ac", "ae", "ce", "abce", "acde", "bd", "abcde", "e", "", None],
    ["ACE", "a, c, e", "(c), (a), (e)", ["a", "c", "e"], "c and a and e"],
)

SCALE = "X.min(0), np.ptp(X, axis=0)"
PREDICTED = P.wrong(
    "predicted",
    [
        *P.again(
            first.P,
            "predicted",
            ("new.mean(0), new.std(0) + 1e-12", "new.min(0), np.ptp(new, axis=0) + 1e-12"),
            ("X.mean(0), X.std(0)", SCALE),
            (
                "np.r_[X, new].mean(0), np.r_[X, new].std(0) + 1e-12",
                "np.r_[X, new].min(0), np.ptp(np.r_[X, new], axis=0) + 1e-12",
            ),
            without=(
                "only centred",
                "one scale for all columns",
                "by n - 1",
                "divided by the variance",
                "pixels subtracted in eight bits",
                "a penalty on the constant",
            ),
        ),
        ("standardised", "predicted-dual", (SCALE, "X.mean(0), X.std(0)")),
        ("only shifted", "predicted-dual", (SCALE, "X.min(0), 0 * X[0] + 1")),
        ("divided by the largest", "predicted-dual", (SCALE, "0 * X[0], np.abs(X).max(0)")),
        ("from -1 to 1", "predicted-dual", (SCALE, "(X.min(0) + X.max(0)) / 2, np.ptp(X, axis=0) / 2")),
        ("one range for all columns", "predicted-dual", (SCALE, "X.min(0), np.ptp(X) + 0 * X[0]")),
        (
            "new rows cut to the range",
            "predicted-dual",
            (
                "np.where(varies, (rows - middle) / np.where(varies, size, 1.0), 0.0)",
                "np.where(varies, np.clip((rows - middle) / np.where(varies, size, 1.0), 0, 1), 0.0)",
            ),
        ),
        (
            "pixels subtracted in eight bits",
            "predicted-alone",
            ("    X, new = np.asarray(X, dtype=float), np.asarray(new, dtype=float)\n", ""),
        ),
    ],
)

REACH = "math.sqrt(rows)"
PAIRED = P.wrong(
    "paired",
    [
        *P.again(
            first.P,
            "paired",
            without=(
                "not paired",
                "rows alone",
                "draws alone",
                "the larger of the two",
                "all entries as if they were independent",
                "deviations of all differences",
                "over the number of rows",
                "added roots",
                "over the number of draws",
            ),
        ),
        (
            "not paired",
            "paired-coverage paired-laws",
            (REACH, "math.sqrt(np.mean(A, axis=0).var() / n + np.mean(B, axis=0).var() / n)"),
        ),
        ("draws and rows", "paired-coverage", (REACH, "math.sqrt(rows + D.mean(1).var(ddof=1) / len(D))")),
        ("draws alone", "paired-coverage", (REACH, "math.sqrt(D.mean(1).var(ddof=1) / len(D))")),
        (
            "all entries as if they were independent",
            "paired-coverage",
            (REACH, "math.sqrt(D.var(ddof=1) / D.size)"),
        ),
        ("deviations of all differences", "paired-coverage", (REACH, "D.std()")),
        ("every entry a row", "paired-coverage", (REACH, "math.sqrt(D.var() / n)")),
        (
            "over the number of draws",
            "paired-coverage",
            ("D.mean(0).var(ddof=1) / n", "D.mean(0).var(ddof=1) / len(D)"),
        ),
    ],
)

FOUND = "min(rows, default=-1)"
REPEATED = P.wrong(
    "repeated",
    [
        (
            "whether there is one",
            "repeated-planted repeated-whole repeated-size",
            (
                "    return np.array([min(rows, default=-1) for rows in found])",
                "    return np.array([len(rows) > 0 for rows in found])",
            ),
        ),
        ("the last", "repeated-planted repeated-whole", (FOUND, "max(rows, default=-1)")),
        ("counted from one", "repeated-planted repeated-whole repeated-size", (FOUND, "min(rows, default=-1) + 1")),
        ("zero for none", "repeated-planted repeated-whole repeated-size", ("default=-1", "default=0")),
        (
            "the nearest",
            "repeated-planted repeated-whole",
            (
                "    found = tree.query_ball_point(np.asarray(test, dtype=float), tol, p=np.inf)\n"
                "    return np.array([min(rows, default=-1) for rows in found])",
                "    far, at = tree.query(np.asarray(test, dtype=float), p=np.inf)\n    return np.where(far <= "
                "tol, at, -1)",
            ),
        ),
        ("Euclid's distance", "repeated-planted repeated-whole repeated-size", ("p=np.inf", "p=2")),
        ("the sum of the differences", "repeated-planted repeated-whole repeated-size", ("p=np.inf", "p=1")),
        ("twice the tolerance", "repeated-whole repeated-size", ("tol, p", "2 * tol, p")),
        ("half the tolerance", "repeated-planted repeated-whole repeated-size", ("tol, p", "tol / 2, p")),
        ("less and not equal", "repeated-planted repeated-whole", ("tol, p", "tol * (1 - 1e-12) - 1e-300, p")),
        (
            "numbers of test rows",
            "repeated-planted repeated-whole repeated-size",
            ("cKDTree(np.asarray(train, dtype=float))", "cKDTree(np.asarray(test, dtype=float))"),
            ("np.asarray(test, dtype=float), tol", "np.asarray(train, dtype=float), tol"),
        ),
        (
            "entries in any order",
            "repeated-planted repeated-whole",
            ("    tree = ", "    train, test = np.sort(train, axis=1), np.sort(test, axis=1)\n    tree = "),
        ),
        (
            "equal floats",
            "repeated-planted repeated-whole repeated-size",
            "def repeated(train, test, tol):\n    known = {}\n"
            "    for i, row in enumerate(np.asarray(train, dtype=float).tolist()):\n        "
            "known.setdefault(tuple(row), i)\n"
            "    return np.array([known.get(tuple(row), -1) for row in np.asarray(test, dtype=float).tolist()])\n",
        ),
        (
            "pixels subtracted in eight bits",
            "repeated-whole",
            "def repeated(train, test, tol):\n    same = ((abs(train - row) <= tol).all(1) for row in test)\n"
            "    return np.array([int(np.argmax(s)) if s.any() else -1 for s in same])\n",
        ),
        (
            "a matrix of all pairs",
            "repeated-size",
            "def repeated(train, test, tol):\n"
            "    train, test = np.asarray(train, dtype=float), np.asarray(test, dtype=float)\n"
            "    same = np.logical_and.reduce([abs(a[:, None] - b) <= tol for a, b in zip(test.T, train.T, "
            "strict=True)])\n"
            "    return np.where(same.any(1), same.argmax(1), -1)\n",
        ),
    ],
)


def ball(formula):
    """An answer of one line."""
    head = "from scipy import special\n\n\ndef sphere_kernel(t, r, d):\n    s = r * np.asarray(t, dtype=float)\n"
    return f"{head}    return {formula}\n"


SPHERE = P.wrong(
    "sphere",
    [
        *P.again(
            first.P,
            "sphere",
            without=(
                "the ball",
                "one dimension too many",
                "angles of the plane",
                "a mean over drawn directions",
                "a formula that fails near 0",
                "sixty terms of the series, which cancel",
                "five terms of the series",
                "a Bessel function over a power, not a number at 0",
                "without the gamma function",
            ),
        ),
        ("the sphere", "sphere-chi sphere-dimensions", ("np.sin(angles) ** d", "np.sin(angles) ** max(d - 2, 0)")),
        (
            "one dimension too few",
            "sphere-chi sphere-dimensions",
            ("np.sin(angles) ** d", "np.sin(angles) ** (d - 1)"),
        ),
        (
            "one dimension too many",
            "sphere-chi sphere-dimensions",
            ("np.sin(angles) ** d", "np.sin(angles) ** (d + 1)"),
        ),
        ("angles of the plane", "sphere-chi sphere-dimensions", ("np.sin(angles) ** d", "1.0")),
        (
            "lengths uniform between 0 and 1",
            "sphere-chi sphere-dimensions",
            (
                "    return np.cos(np.outer(r * t, np.cos(angles))) @ (weights / weights.sum())",
                "    weights = weights * np.sin(angles) ** -2.0 if d > 1 else weights\n"
                "    return sum(np.cos(np.outer(r * u * t, np.cos(angles))) @ (weights / weights.sum()) for u in "
                "(np.arange(50) + 0.5) / 50) / 50",
            ),
        ),
        ("the mean length for all", "sphere-chi sphere-dimensions", ("r * t", "r * d / (d + 1) * t")),
        ("a formula that fails near 0", "sphere-dimensions", ball("special.hyp0f1(d / 2 + 1, -s**2 / 4)")),
        (
            "a Bessel function over a power, not a number at 0",
            "sphere-chi sphere-dimensions",
            ball("special.gamma(d / 2 + 1) * (2 / s) ** (d / 2) * special.jv(d / 2, s)"),
        ),
        (
            "sixty terms of the series, which cancel",
            "sphere-dimensions",
            ball("sum((-s**2 / 4) ** k / math.factorial(k) / special.poch(d / 2 + 1, k) for k in range(60))"),
        ),
        (
            "a mean over drawn points",
            "sphere-chi sphere-dimensions",
            "def sphere_kernel(t, r, d):\n    g = np.random.default_rng(0)\n"
            "    U = g.standard_normal((500, d))\n    V = U[:, 0] / np.linalg.norm(U, axis=1) * g.random(500) ** "
            "(1 / d)\n"
            "    return np.cos(np.outer(r * t, V)).mean(1)\n",
        ),
    ],
)

TEST = "np.abs(np.mean(E, axis=0) - k) > ndtri(1 - eta / (2 * q)) * error + 1e-12"
BIASED = P.wrong(
    "biased",
    [
        *P.again(
            first.P,
            "biased",
            ("return bool(np.any(np.mean(E, axis=0) != k))", "return np.mean(E, axis=0) != k"),
            without=(
                "rounding taken for a bias",
                "not a number",
                "a fixed tolerance",
                "never",
                "always",
                "at every distance",
                "no bias said the other way round",
                "the largest deviation at any distance for all",
                "the mean over distances",
            ),
            lost={
                "each distance for itself": "biased-alarms biased-power",
                "all entries as if they were independent": "biased-alarms biased-power",
                "divided by n twice": "biased-alarms biased-power biased-lengths",
            },
        ),
        (
            "one answer for all",
            "biased-power",
            (f"return {TEST}", f"return np.any({TEST}) & np.ones(q, dtype=bool)"),
        ),
        (
            "whether there is any",
            "biased-alarms biased-power biased-lengths",
            (f"return {TEST}", f"return np.any({TEST})"),
        ),
        (
            "the largest alone",
            "biased-power",
            (
                f"return {TEST}",
                f"x = np.abs(np.mean(E, axis=0) - k) / (error + 1e-12)\n    return ({TEST}) & (x == x.max())",
            ),
        ),
        (
            "where there is none",
            "biased-alarms biased-power biased-lengths",
            (f"return {TEST}", f"return ~({TEST})"),
        ),
        (
            "rounding taken for a bias",
            "biased-alarms biased-power biased-lengths",
            (TEST, "np.mean(E, axis=0) != k"),
        ),
        ("a fixed tolerance", "biased-alarms biased-power", (TEST, "np.abs(np.mean(E, axis=0) - k) > 0.05")),
        ("never", "biased-power biased-lengths", (TEST, "np.zeros(q)")),
        ("always", "biased-alarms biased-power biased-lengths", (TEST, "np.ones(q)")),
        ("the largest deviation at any distance for all", "biased-power", ("error + 1e-12", "error.max() + 1e-12")),
    ],
)

LENGTHS, LENGTHS_RIGHT = P.choices(
    "lengths",
    "which_lengths",
    "lengths-letters",
    ["bc", "be", "ce", "abce", "bcde", "abd", "abcde", "c", 0],
    ["BCE", "b, c, e", "(e), (b) and (c)", ("b", "c", "e"), "c b e"],
)

WRONG = {
    **SEAL,
    **COUNTS,
    **ERROR,
    **RATIO,
    **PROMISE,
    **PREDICTED,
    **PAIRED,
    **REPEATED,
    **SPHERE,
    **BIASED,
    **LENGTHS,
}

RIGHT = sets(
    seal=[
        P.source("seal", (DIGEST, 'hashlib.new("sha256", "\\n".join([before, text]).encode("utf-8")).hexdigest()')),
        *right_again(
            first.RIGHT,
            "seal",
            ("seal(protocol)", "seal(protocol, before)"),
            ("digest = hashlib.sha256()", "digest = hashlib.sha256(before.encode() + bytes([10]))"),
            (
                "hashlib.sha256(bytes(text, 'utf-8'))",
                "hashlib.sha256(bytes(before, 'utf-8') + b'\\n' + bytes(text, 'utf-8'))",
            ),
            ("hashlib.sha256(text.encode())", "hashlib.sha256((before + chr(10) + text).encode())"),
            ('hashlib.sha256(bytearray(text, "utf8"))', 'hashlib.sha256(bytearray(before + "\\n" + text, "utf8"))'),
            without=(0,),
        ),
    ],
    counts=[
        "def counts(log):\n    out = []\n    for i, event in enumerate(log):\n        if event[0] != 'report':\n "
        "           continue\n"
        "        opened = next((j for j in range(i) if log[j] == ('open', event[2])), 0)\n"
        "        seals = [e[1] for e in log[:opened] if e[0] == 'seal']\n        out.append(seals[-1:] == [event[1]])\n"
        "    return out\n",
        P.source("counts", ("    return out\n", "    return tuple(out)\n")),
        "import numpy as np\n\n\ndef counts(log):\n    state, answers = {'': ''}, []\n    for event in log:\n    "
        "    match event:\n"
        "            case ('seal', name):\n                state[''] = name\n            case ('open', part):\n"
        "                state[part] = state.get(part, state[''])\n            case ('report', name, part):\n"
        "                answers.append(state.get(part) == name)\n    return np.array(answers)\n",
        P.source("counts", ("valid.setdefault(what, last)", "valid = {what: last, **valid}")),
        P.source("counts", (f"out.append({VALID})", "out += [int(part[0] in valid and valid[part[0]] == what)]")),
    ],
    error=right_again(
        first.RIGHT,
        "error",
        ("kept = t2 > 0\n", f"kept = {KEPT}\n"),
        (
            "delta = delta[(delta != 0).any(1)]",
            "delta = delta[(delta != 0).any(1) & ((delta**2).sum(1) <= 2 * np.log(2))]",
        ),
        (
            "off[t > 0] ** 2) if (t > 0).any()",
            "off[(t > 0) & (t**2 <= 2 * np.log(2))] ** 2) if ((t > 0) & (t**2 <= 2 * np.log(2))).any()",
        ),
        (
            "weights = np.outer(times, times) * 1.0",
            "weights = np.outer(times, times) * (np.exp(-t2 / 2) >= 0.5) * 1.0",
        ),
        (
            "differ = np.stack([(X != x).any(1) for x in X])",
            "differ = np.stack([(X != x).any(1) for x in X]) & (Gaussian()(X) >= 0.5)",
        ),
    ),
    ratio=[
        P.source("ratio", (UP, "return 0.0, ratio * (1 + z * spread)")),
        P.source("ratio", ("ndtri(level)", "-ndtri(1 - level)"), ("ddof=1", "ddof=0")),
        *right_again(
            first.RIGHT,
            "ratio",
            ("(1 - level) / 2", "1 - level"),
            ("0.5 + level / 2", "level"),
            ("(1 + level) / 2", "level"),
            ("return [(q - root) / p, ", "return [0, "),
            (
                "return np.exp([middle - z * spread, middle + z * spread])",
                "return np.array([0.0, np.exp(middle + z * spread)])",
            ),
            ("return g * math.exp(-z * error / g), ", "return 0, "),
            without=(0, 1),
        ),
    ],
    promise=PROMISE_RIGHT,
    predicted=[
        *right_again(first.RIGHT, "predicted", ("StandardScaler", "MinMaxScaler"), ("X.mean(0), X.std(0)", SCALE)),
        P.source(
            "predicted", (SCALE, "X.mean(0), np.ptp(X, axis=0)")
        ),  # waves mind a shift as little as the kernel does
    ],
    paired=[
        P.source("paired", ("ddof=1", "ddof=0")),
        P.source(
            "paired",
            ("from scipy.special import ndtri", "from scipy.stats import t"),
            ("ndtri((1 + level) / 2)", "t(n - 1).ppf((1 + level) / 2)"),
        ),
        "import numpy as np\nfrom scipy import stats\n\n\ndef paired_interval(A, B, level):\n"
        "    d = np.mean(np.subtract(A, B, dtype=float), axis=0)\n"
        "    return stats.t.interval(level, len(d) - 1, loc=d.mean(), scale=stats.sem(d))\n",
        "import math\nfrom statistics import NormalDist\n\nimport numpy as np\n\n\ndef paired_interval(A, B, level):\n"
        "    d = np.mean(A, axis=0) - np.mean(B, axis=0)\n    middle = math.fsum(d.tolist()) / len(d)\n"
        "    square = sum((v - middle) ** 2 for v in d.tolist()) / len(d) / (len(d) - 1)\n"
        "    reach = NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(square)\n"
        "    return np.array([middle - reach, middle + reach])\n",
        "import numpy as np\nfrom scipy.special import ndtri\n\n\ndef paired_interval(A, B, level):\n"
        "    d = (A.astype(float) - B.astype(float)).mean(0)\n    n = len(d)\n    without = (d.sum() - d) / (n - "
        "1)  # jackknife\n"
        "    reach = ndtri(0.5 + level / 2) * ((n - 1) / n * ((without - d.mean()) ** 2).sum()) ** 0.5\n"
        "    return [d.mean() - reach, d.mean() + reach]\n",
    ],
    repeated=[
        "import numpy as np\n\n\ndef repeated(train, test, tol):\n"
        "    train, test = np.asarray(train, dtype=float), np.asarray(test, dtype=float)\n    out = []\n    for "
        "row in test:\n"
        "        at = np.flatnonzero(abs(train - row).max(1) <= tol)\n        out.append(at[0] if len(at) else -1)\n"
        "    return np.array(out)\n",
        "import numpy as np\nfrom sklearn.neighbors import NearestNeighbors\n\n\ndef repeated(train, test, tol):\n"
        "    near = NearestNeighbors(radius=tol, metric='chebyshev').fit(np.asarray(train, dtype=float))\n"
        "    rows = near.radius_neighbors(np.asarray(test, dtype=float), return_distance=False)\n"
        "    return [int(r.min()) if len(r) else -1 for r in rows]\n",
        "import numpy as np\n\n\ndef repeated(train, test, tol):\n"
        "    train, test = np.asarray(train, dtype=float), np.asarray(test, dtype=float)\n"
        "    by = np.argmax(np.ptp(train, axis=0))\n    order = np.argsort(train[:, by], kind='stable')\n    "
        "values = train[order, by]\n"
        "    low = np.searchsorted(values, test[:, by] - tol * (1 + 1e-9) - 1e-15)\n"
        "    high = np.searchsorted(values, test[:, by] + tol * (1 + 1e-9) + 1e-15, 'right')\n"
        "    return [min((i for i in order[a:b] if (abs(train[i] - row) <= tol).all()), default=-1) for row, a, b in "
        "zip(test, low, high)]\n",
        P.source(
            "repeated",
            (FOUND, "sorted(rows + [10**9])[0]"),
            ("for rows in found])", "for rows in found]) % 10**9"),
            ("    return np.array(", "    out = np.array("),
            ("% 10**9", "\n    return np.where(out == 10**9, -1, out)"),
        ),
        P.source(
            "repeated",
            (
                "    return np.array([min(rows, default=-1) for rows in found])",
                "    out = np.full(len(test), -1.0)\n    for i, rows in enumerate(found):\n        if rows:\n"
                "            out[i] = np.min(rows)\n    return out",
            ),
        ),
    ],
    sphere=[
        "import numpy as np\nfrom scipy.special import roots_gegenbauer\n\n\ndef sphere_kernel(t, r, d):\n"
        "    x, w = roots_gegenbauer(120, d / 2)\n    return np.cos(np.outer(r * np.asarray(t, dtype=float), x)) "
        "@ w / w.sum()\n",
        "import numpy as np\nfrom scipy.special import hyp0f1\n\n\ndef sphere_kernel(t, r, d):\n    out = []\n"
        "    for s in r * np.asarray(t, dtype=float):\n        term, total, k = 1.0, 1.0, 0\n        if s * s > "
        "4 * (d + 2):\n"
        "            total = float(hyp0f1(d / 2 + 1, -s * s / 4))\n        else:\n"
        "            while abs(term) > 1e-18 and k < 500:\n                k += 1\n"
        "                term *= -s * s / 4 / k / (d / 2 + k)\n                total += term\n        "
        "out.append(total)\n"
        "    return np.array(out)\n",
        P.source("sphere", ("leggauss(150)", "leggauss(300)")),
        P.source(
            "sphere",
            (
                "    weights = weights * np.sin(angles) ** d",
                "    weights = weights * np.exp(d * np.log(np.sin(angles)))",
            ),
        ),
        "import numpy as np\nfrom scipy.integrate import simpson\n\n\ndef sphere_kernel(t, r, d):\n"
        "    a = np.linspace(0, np.pi, 4001)\n    p = np.sin(a) ** d\n"
        "    return simpson(np.cos(np.outer(r * np.asarray(t, dtype=float), np.cos(a))) * p, x=a) / simpson(p, x=a)\n",
    ],
    biased=[
        P.source("biased", ("1 - eta / (2 * q)", "1 - (1 - (1 - eta) ** (1 / q)) / 2")),
        P.source(
            "biased",
            ("from scipy.special import ndtri", "from scipy.stats import t"),
            ("ndtri(1 - eta / (2 * q))", "t(n - 1).isf(eta / (2 * q))"),
        ),
        "import numpy as np\nfrom scipy import stats\n\n\ndef biased(E, k, eta):\n    E = np.asarray(E, dtype=float)\n"
        "    still = np.ptp(E, axis=0) == 0\n    out = still & (abs(E[0] - k) > 1e-12)\n"
        "    with np.errstate(all='ignore'):\n        p = np.where(still, 1.0, stats.ttest_1samp(E, k).pvalue)\n"
        "    for place, j in enumerate(np.argsort(p)):  # Holm\n        if p[j] * (len(k) - place) >= eta:\n     "
        "       break\n"
        "        out[j] = True\n    return out\n",
        P.source("biased", (f"return {TEST}", f"return ({TEST}).astype(int).tolist()")),
        "from statistics import NormalDist\n\n\ndef biased(E, k, eta):\n    z, out = NormalDist().inv_cdf(1 - "
        "eta / 2 / len(k)), []\n"
        "    for column, value in zip(E.T, k):\n"
        "        off, spread = abs(column.mean() - value), column.std(ddof=1) / len(column) ** 0.5\n"
        "        out.append(bool(off > z * spread + 1e-10))\n    return out\n",
    ],
    lengths=LENGTHS_RIGHT,
)
