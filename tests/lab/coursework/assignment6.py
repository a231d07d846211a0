"""Planted answers to assignment 6: wrong ones with the checks that they must lose, and right ones of several kinds."""

from planted import Planted, sets

P = Planted("assignment6")

# ---- a seal --------------------------------------------------------------------------------------------------------

DUMPS = 'json.dumps(protocol, sort_keys=True, separators=(",", ":"), ensure_ascii=False)'
SEAL = P.wrong(
    "seal",
    [
        (
            "names inside of lists as they were written",
            "seal-edits",
            (
                "    text =",
                "    def ordered(v):\n"
                "        return {k: ordered(v[k]) for k in sorted(v)} if isinstance(v, dict) else v\n\n"
                "    protocol = ordered(protocol)\n    text =",
            ),
            (", sort_keys=True", ""),
        ),
        ("names in the order in which they were written", "seal-edits seal-form", (", sort_keys=True", "")),
        (
            "only the outer names sorted",
            "seal-edits seal-form",
            (DUMPS, 'json.dumps(dict(sorted(protocol.items())), separators=(",", ":"), ensure_ascii=False)'),
        ),
        ("spaces", "seal-form", (', separators=(",", ":")', "")),
        ("letters outside of ASCII escaped", "seal-form", (", ensure_ascii=False", "")),
        ("spaces taken out of texts, too", "seal-edits seal-form", (DUMPS, f'{DUMPS}.replace(" ", "")')),
        ("another digest", "seal-edits seal-form", ("sha256(text.encode())", "md5(text.encode())")),
        ("half of it", "seal-edits seal-form", (".hexdigest()", ".hexdigest()[:32]")),
        (
            "Python's own hash, another in each process",
            "seal-form",
            ("hashlib.sha256(text.encode()).hexdigest()", "f'{abs(hash(text)):064x}'"),
        ),
        (
            "values without their names",
            "seal-edits seal-form",
            (DUMPS, 'json.dumps([protocol[k] for k in sorted(protocol)], ensure_ascii=False)'),
        ),
        ("texts of values", "seal-edits seal-form", (DUMPS, "str(sorted((k, str(v)) for k, v in protocol.items()))")),
        ("small letters", "seal-edits seal-form", (DUMPS, f"{DUMPS}.lower()")),
        (
            "numbers to twelve digits",
            "seal-edits",
            (
                "    text =",
                "    def rounded(v):\n        if isinstance(v, dict):\n"
                "            return {k: rounded(w) for k, w in v.items()}\n"
                "        if isinstance(v, list):\n            return [rounded(w) for w in v]\n"
                "        return float(f'{v:.12g}') if isinstance(v, float) else v\n\n"
                "    protocol = rounded(protocol)\n    text =",
            ),
        ),
        (
            "lists run together",
            "seal-edits seal-form",
            (DUMPS, "''.join(k + ''.join(map(str, v if isinstance(v, list) else [v])) for k, v in "
                    "sorted(protocol.items()))"),
        ),
        (
            "characters in their order, sorted",
            "seal-edits seal-form",
            (DUMPS, f"''.join(sorted({DUMPS}))"),
        ),
        ("UTF-16", "seal-form", ("text.encode()", "text.encode('utf-16')")),
    ],
)

# ---- which reports count -------------------------------------------------------------------------------------------

COUNTS = P.wrong(
    "counts",
    [
        (
            "the last seal, also one of later",
            "counts-logs",
            ("seen, valid = True, last", "seen = True"),
            ("and valid is not None and what == valid", "and what == last"),
        ),
        ("any seal of before", "counts-logs", (
            "    last, valid, out = None, None, []", "    last, valid, out = set(), None, []"),
            ("last = what", "last = last | {what}"), ("what == valid", "what in valid")),
        ("the first seal", "counts-logs", ("last = what", "last = last or what")),
        ("the training part counts as opened", "counts-logs", (' and what == "test"', "")),
        ("a report before anything was opened", "counts-logs", ("seen and valid is not None and what == valid",
                                                                "what == (valid if seen else last)")),
        ("opened again, begun again", "counts-logs", (" and not seen", "")),
        ("every report of a log that was sealed", "counts-logs", ("and what == valid", "")),
        ("without a look at the opening", "counts-logs", ("seen and valid is not None and what == valid",
            "what == last")),
        ("the first letters", "counts-logs", ("what == valid)", "what[:16] == valid[:16])")),
        ("all", "counts-logs", ("seen and valid is not None and what == valid", "True")),
        ("none", "counts-logs", ("seen and valid is not None and what == valid", "False")),
        ("one answer for all", "counts-logs", ("    return out\n", "    return all(out)\n")),
        ("without a seal all is allowed", "counts-logs", ("valid is not None and what == valid",
                                                          "(valid is None or what == valid)")),
    ],
)

# ---- an error over pairs -------------------------------------------------------------------------------------------

WHOLE = """
def squared_error(W, X):
    X = np.asarray(X, dtype=float)
    C, S = np.cos(X @ W.T), np.sin(X @ W.T)
    t2 = np.stack([((X - x) ** 2).sum(1) for x in X])
    off = (C @ C.T + S @ S.T) / len(W) - np.exp(-t2 / 2)
    kept = t2 > 0
    return float((off[kept] ** 2).mean()) if kept.any() else 0.0
"""


def whole(*changes):
    """The whole matrix at once, with some changes."""
    text = WHOLE
    for before, after in changes:
        assert before in text, before
        text = text.replace(before, after)
    return text


ERROR = P.wrong(
    "error",
    [
        ("pairs of a row with itself", "error-pairs error-size", whole(("t2 > 0", "t2 >= 0"))),
        ("copies counted", "error-pairs error-size", whole(("t2 > 0", "~np.eye(len(X), dtype=bool)"))),
        ("neighbours taken for copies", "error-pairs error-size", whole(("t2 > 0", "t2 > 1e-3"))),
        ("not squared", "error-pairs error-size", whole(("off[kept] ** 2", "abs(off[kept])"))),
        ("the root", "error-pairs error-size", whole(("(off[kept] ** 2).mean()", "(off[kept] ** 2).mean() ** 0.5"))),
        ("a sum", "error-pairs error-size", whole((".mean())", ".sum())"))),
        ("each pair twice", "error-pairs error-size", whole((".mean())", ".sum() / (kept.sum() / 2))"))),
        ("over all pairs, copies or not", "error-pairs error-size", whole((".mean())", ".sum() / kept.size)"))),
        ("cosines alone", "error-pairs error-size", whole((" + S @ S.T) / len(W)", ") * 2 / len(W)"))),
        ("another length scale", "error-pairs error-size", whole(("-t2 / 2", "-t2"))),
        ("the square of the mean error", "error-pairs error-size", whole(("(off[kept] ** 2).mean()",
            "off[kept].mean() ** 2"))),
        ("the scatter alone", "error-pairs error-size", whole(("(off[kept] ** 2).mean()", "off[kept].var()"))),
        ("the largest", "error-pairs error-size", whole((".mean())", ".max())"))),
        ("pixels subtracted in eight bits", "error-pairs", whole(("    X = np.asarray(X, dtype=float)\n", ""))),
        (
            "an entry for each pair and frequency",
            "error-size",
            """
def squared_error(W, X):
    X = np.asarray(X, dtype=float)
    delta = X[:, None] - X
    t2 = (delta**2).sum(2)
    off = np.cos(delta @ W.T).mean(2) - np.exp(-t2 / 2)
    kept = t2 > 0
    return float((off[kept] ** 2).mean()) if kept.any() else 0.0
""",
        ),
        ("no pair, no number", "error-pairs", whole((" if kept.any() else 0.0", ""))),
    ],
)

# ---- a ratio -------------------------------------------------------------------------------------------------------

AB = "a, b = np.mean(A, axis=1), np.mean(B, axis=1)"
Z = "z, ratio = ndtri((1 + level) / 2), a.mean() / b.mean()"
SPREAD = "sum(c.var(ddof=1) / len(c) / c.mean() ** 2 for c in (a, b))"
RATIO = P.wrong(
    "ratio",
    [
        ("all entries as if they were independent", "ratio-coverage", (AB, "a, b = np.ravel(A), np.ravel(B)")),
        ("pairs as the draws", "ratio-coverage", (AB, "a, b = np.mean(A, axis=0), np.mean(B, axis=0)")),
        ("deviations and not errors of the mean", "ratio-coverage ratio-theorem", (" / len(c)", "")),
        ("one side", "ratio-coverage ratio-theorem", ("ndtri((1 + level) / 2)", "ndtri(level)")),
        ("always 95 %", "ratio-coverage ratio-theorem", ("ndtri((1 + level) / 2)", "1.96")),
        ("the noise of the numerator alone", "ratio-coverage", ("for c in (a, b)", "for c in (a,)")),
        ("the noise of the denominator alone", "ratio-coverage", ("for c in (a, b)", "for c in (b,)")),
        ("upside down", "ratio-coverage ratio-theorem", ("a.mean() / b.mean()", "b.mean() / a.mean()")),
        ("roots", "ratio-coverage ratio-theorem", (AB, "a, b = np.mean(A, axis=1) ** 0.5, np.mean(B, axis=1) ** 0.5")),
        (
            "a mean of ratios, pair by pair",
            "ratio-coverage ratio-theorem",
            (Z, "z, ratio = ndtri((1 + level) / 2), np.mean(np.mean(A, axis=0) / np.mean(B, axis=0))"),
        ),
        (
            "a mean of ratios, draw by draw",
            "ratio-coverage ratio-theorem",
            ("    return ratio", "    k = min(len(a), len(b))\n    x = a[:k] / b[:k]\n    spread = x.std() / k**0.5\n"
             "    return x.mean() - z * spread, x.mean() + z * spread\n    return ratio"),
        ),
        (
            "medians",
            "ratio-coverage",
            ("a.mean() / b.mean()", "np.median(a) / np.median(b)"),
        ),
        (
            "a difference",
            "ratio-coverage ratio-theorem",
            (Z, "z, ratio = ndtri((1 + level) / 2), a.mean() - b.mean()"),
        ),
        ("spreads without the means", "ratio-coverage ratio-theorem", (" / c.mean() ** 2", "")),
        (
            "the ranges of the draws",
            "ratio-coverage ratio-theorem",
            ("return ratio * math.exp(-z * spread), ratio * math.exp(z * spread)", "return a.min() / b.max(), "
                                        "a.max() / b.min()"),
        ),
        (
            "a bootstrap of pairs",
            "ratio-coverage ratio-theorem",
            ("    return ratio", "    g = np.random.default_rng()\n    n = np.shape(A)[1]\n"
             "    x = [np.mean(A[:, i]) / np.mean(B[:, i]) for i in g.integers(n, size=(50, n))]\n"
             "    return np.quantile(x, (1 - level) / 2), np.quantile(x, (1 + level) / 2)\n    return ratio"),
        ),
    ],
)

PROMISE, PROMISE_RIGHT = P.choices(
    "promise",
    "what_they_promise",
    "promise-letters",
    ["a", "c", "abc", "acd", "ace", "bd", "abcde", "ae", "", None],
    ["AC", "a, c", "(c), (a)", ["a", "c"], "c and a"],
)

# ---- scaled by what it may know ------------------------------------------------------------------------------------

PREDICTED = P.wrong(
    "predicted",
    [
        ("nearly constant columns left out", "predicted-dual", ("> 0\n", "> 1e-4\n")),
        (
            "new rows scaled by themselves",
            "predicted-dual predicted-alone",
            ("    Z = features(X)", "    Z = features(X)\n    middle, size = new.mean(0), new.std(0) + 1e-12"),
        ),
        (
            "scaled by all rows together",
            "predicted-dual predicted-alone",
            ("X.mean(0), X.std(0)", "np.r_[X, new].mean(0), np.r_[X, new].std(0) + 1e-12"),
        ),
        ("not scaled", "predicted-dual", ("X.mean(0), X.std(0)", "0 * X[0], 0 * X[0] + 1")),
        ("only centred", "predicted-dual", ("X.std(0)", "0 * X[0] + 1")),
        ("one scale for all columns", "predicted-dual", ("X.std(0)", "X.std() + 0 * X[0]")),
        ("by n - 1", "predicted-dual", ("X.std(0)", "X.std(0, ddof=1)")),
        ("divided by the variance", "predicted-dual", ("X.std(0)", "X.var(0)")),
        (
            "a constant column comes back with the new rows",
            "predicted-dual",
            ("np.where(varies, (rows - middle) / np.where(varies, size, 1.0), 0.0)", "(rows - middle) / "
                                        "np.where(varies, size, 1.0)"),
        ),
        (
            "a constant column divided by nothing",
            "predicted-dual predicted-alone",
            ("np.where(varies, (rows - middle) / np.where(varies, size, 1.0), 0.0)", "(rows - middle) / size"),
        ),
        ("no constant", "predicted-dual", ("np.mean(y) + (features(new) - centre)", "(features(new) - centre)")),
        (
            "a penalty on the constant",
            "predicted-dual",
            ("    centre = Z.mean(0)", "    centre = 0 * Z[0]"),
            ("(y - np.mean(y))", "y"),
            ("np.mean(y) +", ""),
        ),
        ("ridge times rows", "predicted-dual", ("alpha * np.eye", "len(X) * alpha * np.eye")),
        ("not divided by the root of m", "predicted-dual", (" / math.sqrt(len(W))", "")),
        ("divided by m", "predicted-dual", ("math.sqrt(len(W))", "len(W)")),
        ("cosines alone", "predicted-dual", ("np.hstack([np.cos(scaled @ W.T), np.sin(scaled @ W.T)])",
                                             "np.hstack([np.cos(scaled @ W.T)])")),
        (
            "new features centred by themselves",
            "predicted-dual predicted-alone",
            ("(features(new) - centre)", "(features(new) - features(new).mean(0))"),
        ),
        (
            "pixels subtracted in eight bits",
            "predicted-alone",
            (
                "    X, new = np.asarray(X, dtype=float), np.asarray(new, dtype=float)\n"
                "    middle, size = X.mean(0), X.std(0)",
                "    middle, size = np.median(X, axis=0).astype(X.dtype), X.std(0)",
            ),
            ("varies = np.ptp(X, axis=0) > 0", "shift, varies = X.mean(0) - middle, np.ptp(X, axis=0) > 0"),
            ("(rows - middle) /", "((rows - middle) - shift) /"),
        ),
        ("labels for scores", "predicted-dual", ("return np.mean(y) + (features(new) - centre) @ beta",
                                                 "return np.sign(np.mean(y) + (features(new) - centre) @ beta)")),
        (
            "new rows in training",
            "predicted-dual predicted-alone",
            ("    centre = Z.mean(0)", "    centre = np.vstack([Z, features(new)]).mean(0)"),
        ),
    ],
)

# ---- the same rows -------------------------------------------------------------------------------------------------

PAIRED = P.wrong(
    "paired",
    [
        (
            "not paired",
            "paired-coverage paired-laws",
            ("math.sqrt(draws + rows)", "math.sqrt(draws + np.mean(A, axis=0).var() / n + np.mean(B, axis=0).var() "
                                        "/ n)"),
        ),
        ("rows alone", "paired-coverage", ("draws + rows", "rows")),
        ("draws alone", "paired-coverage", ("draws + rows", "draws")),
        ("the larger of the two", "paired-coverage", ("draws + rows", "max(draws, rows)")),
        ("all entries as if they were independent", "paired-coverage", ("draws + rows", "D.var(ddof=1) / (r * n)")),
        ("not divided by the rows", "paired-coverage", ("D.mean(0).var(ddof=1) / n", "D.mean(0).var(ddof=1)")),
        ("deviations of all differences", "paired-coverage", ("math.sqrt(draws + rows)", "D.std()")),
        ("over the number of draws", "paired-coverage", ("D.mean(0).var(ddof=1) / n", "D.mean(0).var(ddof=1) / r")),
        ("over the number of rows", "paired-coverage", ("D.mean(1).var(ddof=1) / r", "D.mean(1).var(ddof=1) / n")),
        ("one side", "paired-coverage paired-laws", ("ndtri((1 + level) / 2)", "ndtri(level) if level > 0.5 else "
                                        "ndtri((1 + level) / 2)")),
        ("always 95 %", "paired-coverage paired-laws", ("ndtri((1 + level) / 2)", "1.96")),
        (
            "the other sign",
            "paired-coverage paired-laws",
            ("np.asarray(A, dtype=float) - B", "np.asarray(B, dtype=float) - A"),
        ),
        ("whole numbers that wrap around", "paired-laws", ("np.asarray(A, dtype=float) - B", "A - B")),
        ("the first draw", "paired-coverage paired-laws", ("np.asarray(A, dtype=float) - B", "(np.asarray(A, "
                                        "dtype=float) - B)[:1].repeat(len(A), axis=0)")),
        (
            "sorted, and then paired",
            "paired-coverage paired-laws",
            ("np.asarray(A, dtype=float) - B", "np.sort(A, axis=1) - np.sort(B, axis=1)"),
        ),
        ("a relative difference", "paired-coverage paired-laws", ("return D.mean() - reach, D.mean() + reach",
                                                  "c = np.mean(B)\n"
                                                  "    return (D.mean() - reach) / c, (D.mean() + reach) / c")),
        ("medians", "paired-coverage paired-laws", ("return D.mean() - reach, D.mean() + reach",
                                        "c = np.median(D[:, :20])\n    return c - reach, c + reach")),
        ("added roots", "paired-coverage", ("math.sqrt(draws + rows)", "2 * (math.sqrt(draws) + math.sqrt(rows))")),
    ],
)

# ---- rows on both sides --------------------------------------------------------------------------------------------

QUERY = "tree.query(np.asarray(test, dtype=float), p=np.inf)[0] <= tol"
REPEATED = P.wrong(
    "repeated",
    [
        (
            "equal floats",
            "repeated-planted repeated-whole repeated-size",
            "def repeated(train, test, tol):\n"
            "    known = {tuple(row) for row in np.asarray(train, dtype=float).tolist()}\n"
            "    return np.array([tuple(row) in known for row in np.asarray(test, dtype=float).tolist()])\n",
        ),
        (
            "equal bytes",
            "repeated-planted repeated-whole repeated-size",
            "def repeated(train, test, tol):\n    known = {row.tobytes() for row in train}\n"
            "    return np.array([row.tobytes() in known for row in test])\n",
        ),
        (
            "rounded to a grid",
            "repeated-planted repeated-whole repeated-size",
            "def repeated(train, test, tol):\n    if tol:\n"
            "        train, test = np.rint(train / tol), np.rint(test / tol)\n"
            "    known = {tuple(row) for row in (train + 0.0).tolist()}\n"
            "    return np.array([tuple(row) in known for row in (test + 0.0).tolist()])\n",
        ),
        (
            "upwards only",
            "repeated-planted repeated-whole repeated-size",
            (f"return {QUERY}", "train, test = np.asarray(train, dtype=float), np.asarray(test, dtype=float)\n"
             "    return np.array([any(((row - train[i]) >= 0).all() for i in near) for row, near in\n"
             "                     zip(test, tree.query_ball_point(test, tol, p=np.inf), strict=True)])"),
        ),
        ("Euclid's distance", "repeated-planted repeated-whole repeated-size", ("p=np.inf", "p=2")),
        ("the sum of the differences", "repeated-planted repeated-whole repeated-size", ("p=np.inf", "p=1")),
        (
            "training rows that stand in the test part",
            "repeated-planted repeated-whole repeated-size",
            ("cKDTree(np.asarray(train, dtype=float))", "cKDTree(np.asarray(test, dtype=float))"),
            ("np.asarray(test, dtype=float), p", "np.asarray(train, dtype=float), p"),
        ),
        (
            "repeats within the test part, too",
            "repeated-planted repeated-whole repeated-size",
            (QUERY, f"({QUERY}) | (cKDTree(np.asarray(test, dtype=float)).query(np.asarray(test, dtype=float), k=[2], "
             "p=np.inf)[0][:, 0] <= tol)"),
        ),
        (
            "a matrix of all pairs",
            "repeated-size",
            "def repeated(train, test, tol):\n"
            "    train, test = np.asarray(train, dtype=float), np.asarray(test, dtype=float)\n"
            "    return np.logical_and.reduce([abs(a[:, None] - b) <= tol for a, b in zip(test.T, train.T, "
            "strict=True)]).any(1)\n",
        ),
        (
            "pixels subtracted in eight bits",
            "repeated-whole",
            "def repeated(train, test, tol):\n"
            "    return np.array([(abs(train - row) <= tol).all(1).any() for row in test])\n",
        ),
        ("the first column", "repeated-planted repeated-whole repeated-size", ("cKDTree(np.asarray(train, "
                                        "dtype=float))", "cKDTree(np.asarray(train, dtype=float)[:, :1])"),
         ("np.asarray(test, dtype=float), p", "np.asarray(test, dtype=float)[:, :1], p")),
        (
            "any entry",
            "repeated-planted repeated-whole repeated-size",
            "def repeated(train, test, tol):\n    train = np.asarray(train, dtype=float)\n"
            "    return np.array([(abs(train - row) <= tol).any() for row in np.asarray(test, dtype=float)])\n",
        ),
        (
            "NumPy's closeness, which is relative",
            "repeated-planted repeated-whole repeated-size",
            "def repeated(train, test, tol):\n    train = np.asarray(train, dtype=float)\n"
            "    return np.array([np.isclose(train, row, rtol=1e-2, atol=tol).all(1).any() for row in "
            "np.asarray(test, dtype=float)])\n",
        ),
        ("twice the tolerance", "repeated-whole repeated-size", ("<= tol", "<= 2 * tol")),
        ("half the tolerance", "repeated-planted repeated-whole repeated-size", ("<= tol", "<= tol / 2")),
        ("less and not equal", "repeated-planted repeated-whole", ("<= tol", "< tol")),
        (
            "entries in any order",
            "repeated-planted repeated-whole",
            ("    tree = ", "    train, test = np.sort(train, axis=1), np.sort(test, axis=1)\n    tree = "),
        ),
    ],
)

# ---- lengths and kernels -------------------------------------------------------------------------------------------

def sphere(formula):
    """An answer of one line."""
    head = "from scipy import special\n\n\ndef sphere_kernel(t, r, d):\n    s = r * np.asarray(t, dtype=float)\n"
    return f"{head}    return {formula}\n"


SPHERE = P.wrong(
    "sphere",
    [
        ("the Gaussian limit", "sphere-chi sphere-dimensions", sphere("np.exp(-(s**2) / (2 * d))")),
        ("three dimensions for all", "sphere-chi sphere-dimensions", sphere("np.sinc(s / np.pi)")),
        ("the plane for all", "sphere-chi sphere-dimensions", sphere("special.j0(s)")),
        ("one dimension for all", "sphere-chi sphere-dimensions", sphere("np.cos(s)")),
        ("a formula that fails near 0", "sphere-dimensions", sphere("special.hyp0f1(d / 2, -s**2 / 4)")),
        (
            "a Bessel function over a power, not a number at 0",
            "sphere-chi sphere-dimensions",
            sphere("special.gamma(d / 2) * (2 / s) ** (d / 2 - 1) * special.jv(d / 2 - 1, s)"),
        ),
        ("without the gamma function", "sphere-chi sphere-dimensions", sphere(
            "np.where(s > 0, (2 / np.maximum(s, 1e-9)) ** (d / 2 - 1) * special.jv(d / 2 - 1, s), 1.0)")),
        ("the ball", "sphere-chi sphere-dimensions", ("np.sin(angles) ** (d - 2)", "np.sin(angles) ** d"),
         ("    if d == 1:\n        return np.cos(r * t)\n", "")),
        ("one dimension too many", "sphere-chi sphere-dimensions", ("np.sin(angles) ** (d - 2)", "np.sin(angles) "
                                        "** (d - 1)")),
        ("angles of the plane", "sphere-chi sphere-dimensions", ("np.sin(angles) ** (d - 2)", "1.0")),
        ("twenty nodes", "sphere-chi sphere-dimensions", ("leggauss(150)", "leggauss(20)")),
        ("the length squared", "sphere-chi sphere-dimensions", ("r * t", "r**2 * t")),
        ("the length over the root of d", "sphere-chi sphere-dimensions", ("r * t", "r * t / math.sqrt(d)")),
        (
            "a mean over drawn directions",
            "sphere-chi sphere-dimensions",
            "def sphere_kernel(t, r, d):\n    U = np.random.default_rng(0).standard_normal((500, d))\n"
            "    U = U[:, 0] / np.linalg.norm(U, axis=1)\n    return np.cos(np.outer(r * t, U)).mean(1)\n",
        ),
        ("five terms of the series", "sphere-chi sphere-dimensions", sphere(
            "sum((-s**2 / 4) ** k / math.factorial(k) / special.poch(d / 2, k) for k in range(5))")),
        (
            "sixty terms of the series, which cancel",
            "sphere-dimensions",
            sphere("sum((-s**2 / 4) ** k / math.factorial(k) / special.poch(d / 2, k) for k in range(60))"),
        ),
    ],
)

TEST = "np.any(np.abs(np.mean(E, axis=0) - k) > ndtri(1 - eta / (2 * q)) * error + 1e-12)"
BIASED = P.wrong(
    "biased",
    [
        ("each distance for itself", "biased-alarms", ("eta / (2 * q)", "eta / 2")),
        ("one side of the quantile", "biased-alarms", ("eta / (2 * q)", "min(eta / q * 2, 0.9)")),
        ("always 5 %", "biased-alarms", ("eta / (2 * q)", "0.05 / (2 * q)")),
        ("upwards only", "biased-power biased-lengths", ("np.abs(np.mean(E, axis=0) - k)", "(np.mean(E, axis=0) - k)")),
        ("downwards only", "biased-power biased-lengths", ("np.abs(np.mean(E, axis=0) - k)", "(k - np.mean(E, "
                                        "axis=0))")),
        ("deviations and not errors of the mean", "biased-power biased-lengths", (" / math.sqrt(n)", "")),
        (
            "the mean over distances",
            "biased-power",
            ("np.abs(np.mean(E, axis=0) - k) >", "np.abs(np.mean(E - k)) >"),
            ("np.std(E, axis=0, ddof=1)", "np.std(np.mean(E, axis=1), ddof=1)"),
            ("+ 1e-12", ""),
        ),
        ("all entries as if they were independent", "biased-alarms", ("np.std(E, axis=0, ddof=1) / math.sqrt(n)",
                                                                      "np.std(E, axis=0, ddof=1) / math.sqrt(n * q)")),
        ("rounding taken for a bias", "biased-alarms biased-lengths", (
            f"return bool({TEST})", "return bool(np.any(np.mean(E, axis=0) != k))")),
        ("not a number", "biased-power", (
            f"return bool({TEST})", "x = np.abs(np.mean(E, axis=0) - k) / error\n"
                                    "    return bool(np.nanmax(x[error > 0]) > ndtri(1 - eta / (2 * q)))")),
        ("a fixed tolerance", "biased-alarms biased-power", (TEST, "np.any(np.abs(np.mean(E, axis=0) - k) > 0.05)")),
        ("never", "biased-power biased-lengths", (f"bool({TEST})", "False")),
        ("always", "biased-alarms biased-power biased-lengths", (f"bool({TEST})", "True")),
        ("at every distance", "biased-power biased-lengths", ("np.any(", "np.all(")),
        ("the first draws", "biased-alarms biased-power biased-lengths", ("    n, q = np.shape(E)", "    E = E[:30]\n"
                                        "    n, q = np.shape(E)")),
        ("no bias said the other way round", "biased-alarms biased-power biased-lengths", (f"bool({TEST})",
            f"not bool({TEST})")),
        ("the largest deviation at any distance for all", "biased-power", ("error + 1e-12)", "error.max() + 1e-12)")),
        ("divided by n twice", "biased-alarms biased-lengths", (" / math.sqrt(n)", " / n")),
    ],
)

LENGTHS, LENGTHS_RIGHT = P.choices(
    "lengths",
    "which_lengths",
    "lengths-letters",
    ["a", "ab", "ad", "bd", "abc", "abcd", "abde", "abcde", "ce", 0],
    ["ABD", "a, b, d", "(d), (a) and (b)", ("a", "b", "d"), "b a d"],
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
        P.source("seal", ("hashlib.sha256(text.encode())", 'hashlib.new("sha256", text.encode("utf-8"))')),
        P.source("seal", (DUMPS, 'json.JSONEncoder(sort_keys=True, separators=(",", ":"), '
                                 'ensure_ascii=False).encode(protocol)')),
        "import hashlib\nimport json\n\n\ndef text_of(value):\n    if isinstance(value, dict):\n"
        "        return '{' + ','.join(f'{text_of(k)}:{text_of(value[k])}' for k in sorted(value)) + '}'\n"
        "    if isinstance(value, (list, tuple)):\n        return '[' + ','.join(map(text_of, value)) + ']'\n"
        "    return json.dumps(value, ensure_ascii=False)\n\n\ndef seal(protocol):\n    digest = hashlib.sha256()\n"
        "    digest.update(text_of(protocol).encode())\n    return digest.hexdigest()\n",
        "import hashlib\nimport json\n\n\ndef seal(protocol):\n    def ordered(value):\n"
        "        if isinstance(value, dict):\n"
        "            return {k: ordered(v) for k, v in sorted(value.items())}\n"
        "        return [ordered(v) for v in value] if isinstance(value, list) else value\n\n"
        "    text = json.dumps(ordered(protocol), separators=(',', ':'), ensure_ascii=False)\n"
        "    return hashlib.sha256(bytes(text, 'utf-8')).digest().hex()\n",
        P.source("seal", ("text.encode()).hexdigest()", 'bytearray(text, "utf8")).hexdigest().lower()')),
    ],
    counts=[
        "def counts(log):\n    opened = log.index(('open', 'test')) if ('open', 'test') in log else len(log)\n"
        "    seals = [what for kind, what in log[:opened] if kind == 'seal']\n"
        "    return [i > opened and seals[-1:] == [what] for i, (kind, what) in enumerate(log) if kind == 'report']\n",
        P.source("counts", ("    return out\n", "    return tuple(out)\n")),
        P.source("counts", ("    return out\n", "    return np.array(out)\n")),
        "def counts(log):\n    state, answers = ['', None], []\n    for event in log:\n        match event:\n"
        "            case ('seal', name):\n                state[0] = name\n            case ('open', 'test'):\n"
        "                state[1] = state[0] if state[1] is None else state[1]\n            case ('report', name):\n"
        "                answers.append(int(state[1] == name))\n    return answers\n",
        "def counts(log):\n    def one(i):\n        before = [e for e in log[:i]]\n"
        "        if ('open', 'test') not in before:\n"
        "            return False\n        for kind, what in reversed(before[:before.index(('open', 'test'))]):\n"
        "            if kind == 'seal':\n                return what == log[i][1]\n        return False\n\n"
        "    return [one(i) for i in range(len(log)) if log[i][0] == 'report']\n",
    ],
    error=[
        WHOLE,
        "def squared_error(W, X):\n    X, total, pairs = np.asarray(X, dtype=float), 0.0, 0\n"
        "    for i in range(1, len(X)):\n"
        "        delta = X[:i] - X[i]\n        delta = delta[(delta != 0).any(1)]\n"
        "        off = np.cos(delta @ W.T).mean(1) - np.exp(-(delta**2).sum(1) / 2)\n"
        "        total, pairs = total + off @ off, pairs + len(off)\n    return total / max(pairs, 1)\n",
        "from scipy.spatial.distance import pdist\n\n\ndef squared_error(W, X):\n    X = np.asarray(X, dtype=float)\n"
        "    t, Z = pdist(X), np.exp(1j * X @ W.T)\n    i, j = np.triu_indices(len(X), 1)\n"
        "    off = ((Z @ Z.conj().T).real / len(W))[i, j] - np.exp(-t**2 / 2)\n"
        "    return np.mean(off[t > 0] ** 2) if (t > 0).any() else 0.0\n",
        "def squared_error(W, X):\n"
        "    rows, times = np.unique(np.asarray(X, dtype=float), axis=0, return_counts=True)\n"
        "    K = np.zeros((len(rows), len(rows)))\n    for w in W:\n"
        "        K += np.cos(np.subtract.outer(rows @ w, rows @ w)) / len(W)\n"
        "    t2 = sum(np.subtract.outer(c, c) ** 2 for c in rows.T)\n    weights = np.outer(times, times) * 1.0\n"
        "    np.fill_diagonal(weights, 0)\n"
        "    return float((weights * (K - np.exp(-t2 / 2)) ** 2).sum() / max(weights.sum(), 1))\n",
        "from rfbook.kernels import Gaussian\n\n\ndef squared_error(W, X):\n    X = np.asarray(X, dtype=float)\n"
        "    Z = np.hstack([np.cos(X @ W.T), np.sin(X @ W.T)]) / np.sqrt(len(W))\n"
        "    differ = np.stack([(X != x).any(1) for x in X])\n"
        "    off = (Z @ Z.T - Gaussian()(X)) * differ\n    return np.float64((off**2).sum() / max(differ.sum(), 1))\n",
    ],
    ratio=[
        P.source("ratio", ("return ratio * math.exp(-z * spread), ratio * math.exp(z * spread)",
                           "return ratio * (1 - z * spread), ratio * (1 + z * spread)")),
        P.source("ratio", ("ndtri((1 + level) / 2)", "-ndtri((1 - level) / 2)"), ("ddof=1", "ddof=0")),
        "from scipy import stats\n\n\ndef ratio_interval(A, B, level):\n    a, b = A.mean(1), B.mean(1)\n"
        "    u, v = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)\n"
        "    z = stats.norm.isf((1 - level) / 2)  # Fieller\n"
        "    p, q, c = b.mean() ** 2 - z**2 * v, a.mean() * b.mean(), a.mean() ** 2 - z**2 * u\n"
        "    root = math.sqrt(q**2 - p * c)\n    return [(q - root) / p, (q + root) / p]\n",
        "from scipy import stats\n\n\ndef ratio_interval(A, B, level):\n    a, b = A.sum(1), B.sum(1)\n"
        "    r, s = len(a), len(b)\n"
        "    x = np.log((a.sum() - a) / (r - 1)) - np.log(b.mean())\n"
        "    y = np.log(a.mean()) - np.log((b.sum() - b) / (s - 1))\n"
        "    spread = math.sqrt((r - 1) / r * ((x - x.mean()) ** 2).sum() + (s - 1) / s * ((y - y.mean()) ** "
        "2).sum())\n"
        "    z, middle = stats.norm.ppf(0.5 + level / 2), np.log(a.mean() / b.mean())\n"
        "    return np.exp([middle - z * spread, middle + z * spread])\n",
        "from statistics import NormalDist\n\n\ndef ratio_interval(A, B, level):\n"
        "    a, b = np.mean(A, axis=1), np.mean(B, axis=1)\n"
        "    g = a.mean() / b.mean()\n"
        "    error = math.sqrt(np.var(a, ddof=1) / len(a) + g**2 * np.var(b, ddof=1) / len(b)) / b.mean()\n"
        "    z = NormalDist().inv_cdf((1 + level) / 2)\n"
        "    return g * math.exp(-z * error / g), g * math.exp(z * error / g)\n",
    ],
    promise=PROMISE_RIGHT,
    predicted=[
        "from sklearn.linear_model import Ridge\nfrom sklearn.preprocessing import StandardScaler\n\n\n"
        "def predicted(X, y, new, W, alpha):\n    X, new = np.array(X, dtype=float), np.array(new, dtype=float)\n"
        "    flat = (X == X[0]).all(0)\n    X[:, flat] = new[:, flat] = 0\n    scaler = StandardScaler().fit(X)\n\n"
        "    def features(rows):\n        A = scaler.transform(rows) @ W.T\n"
        "        return np.c_[np.cos(A), np.sin(A)] / len(W) ** 0.5\n\n"
        "    return Ridge(alpha=alpha, solver='svd').fit(features(X), y).predict(features(new))\n",
        P.source("predicted", ("np.where(varies, (rows - middle) / np.where(varies, size, 1.0), 0.0)",
                               "(rows - middle) * np.where(varies, 1 / np.where(varies, size, 1), 0)")),
        P.source("predicted", ("    beta = np.linalg.solve(A.T @ A + alpha * np.eye(A.shape[1]), A.T @ (y - "
                               "np.mean(y)))",
                               "    beta = A.T @ np.linalg.solve(A @ A.T + alpha * np.eye(len(A)), y - np.mean(y))")),
        P.source("predicted", ("np.hstack([np.cos(scaled @ W.T), np.sin(scaled @ W.T)])",
                               "np.hstack([np.sin(scaled @ W.T), np.cos(scaled @ W.T)])")),
        P.source("predicted", ("    Z = features(X)", "    keep = np.flatnonzero(varies)\n"
                                        "    X, new, W, middle, size = (a[..., keep] for a in "
                               "(X, new, W, middle, size))\n    varies = varies[keep]\n    Z = features(X)")),
    ],
    paired=[
        P.source("paired", ("draws + rows", "draws + rows - (D - D.mean(0) - D.mean(1)[:, None] + D.mean()).var() "
                                        "/ (r * n)")),
        P.source("paired", ("ddof=1", "ddof=0")),
        P.source("paired", ("from scipy.special import ndtri", "from scipy.stats import t"),
                 ("ndtri((1 + level) / 2)", "t(r + n).ppf((1 + level) / 2)")),
        "from statistics import NormalDist\n\n\ndef paired_interval(A, B, level):\n"
        "    D = np.subtract(A, B, dtype=float)\n"
        "    middle = math.fsum(D.ravel().tolist()) / D.size\n    r, n = len(D), len(D[0])\n"
        "    by_draw = [(row.mean() - middle) ** 2 for row in D]\n"
        "    by_row = [(column.mean() - middle) ** 2 for column in D.T]\n"
        "    z = NormalDist().inv_cdf((1 + level) / 2)\n"
        "    reach = z * math.sqrt(sum(by_draw) / r / (r - 1) + sum(by_row) / n / (n - 1))\n"
        "    return np.array([middle - reach, middle + reach])\n",
        "from scipy.special import ndtri\n\n\ndef paired_interval(A, B, level):\n"
        "    D = A.astype(float) - B.astype(float)\n    r, n = D.shape\n"
        "    whole = D.mean()\n    no_draw = (D.sum() - D.sum(1)) / (D.size - n)\n"
        "    no_row = (D.sum() - D.sum(0)) / (D.size - r)\n"
        "    square = sum((len(x) - 1) / len(x) * ((x - whole) ** 2).sum() for x in (no_draw, no_row))\n"
        "    reach = ndtri(0.5 + level / 2) * square**0.5\n    return [whole - reach, whole + reach]\n",
    ],
    repeated=[
        "from sklearn.neighbors import NearestNeighbors\n\n\ndef repeated(train, test, tol):\n"
        "    near = NearestNeighbors(n_neighbors=1, metric='chebyshev').fit(np.asarray(train, dtype=float))\n"
        "    return near.kneighbors(np.asarray(test, dtype=float))[0][:, 0] <= tol\n",
        "def repeated(train, test, tol):\n"
        "    train, test = np.asarray(train, dtype=float), np.asarray(test, dtype=float)\n"
        "    return np.array([bool((abs(train - row).max(1) <= tol).any()) for row in test])\n",
        "def repeated(train, test, tol):\n"
        "    train, test = np.asarray(train, dtype=float), np.asarray(test, dtype=float)\n"
        "    by = np.argmax(np.ptp(train, axis=0))\n    train = train[np.argsort(train[:, by])]\n"
        "    low = np.searchsorted(train[:, by], test[:, by] - tol * (1 + 1e-9) - 1e-15)\n"
        "    high = np.searchsorted(train[:, by], test[:, by] + tol * (1 + 1e-9) + 1e-15, 'right')\n"
        "    return [any((abs(train[i] - row) <= tol).all() for i in range(a, b)) for row, a, b in zip(test, low, "
        "high)]\n",
        P.source("repeated", (QUERY, "np.array([len(rows) > 0 for rows in tree.query_ball_point(np.asarray(test, "
                                     "dtype=float), tol, p=np.inf)])")),
        P.source("repeated", (QUERY, f"({QUERY}).astype(int)")),
    ],
    sphere=[
        "def sphere_kernel(t, r, d):\n    s = r * np.asarray(t, dtype=float)\n    if d == 1:\n"
        "        return np.cos(s)\n"
        "    from scipy.special import roots_gegenbauer, roots_chebyt\n"
        "    x, w = roots_gegenbauer(120, d / 2 - 1) if d > 2 else roots_chebyt(120)\n"
        "    return np.cos(np.outer(s, x)) @ w / w.sum()\n",
        "from scipy.integrate import quad\nfrom scipy.special import hyp0f1\n\n\ndef sphere_kernel(t, r, d):\n"
        "    out = []\n    for s in r * np.asarray(t, dtype=float):\n"
        "        term, total, k = 1.0, 1.0, 0\n        if s * s > 4 * d:\n"
        "            total = float(hyp0f1(d / 2, -s * s / 4))\n        else:\n"
        "            while abs(term) > 1e-18 and k < 500:\n                k += 1\n"
        "                term *= -s * s / 4 / k / (d / 2 + k - 1)\n                total += term\n"
        "        out.append(total)\n    return np.array(out)\n",
        P.source("sphere", ("leggauss(150)", "leggauss(300)")),
        P.source("sphere", ("    weights = weights * np.sin(angles) ** (d - 2)", "    weights = weights * "
                                        "np.exp((d - 2) * np.log(np.sin(angles)))")),
        "def sphere_kernel(t, r, d):\n    s, a = r * np.asarray(t, dtype=float), np.linspace(0, np.pi, 4001)\n"
        "    if d == 1:\n        return np.cos(s)\n    from scipy.integrate import simpson\n\n"
        "    p = np.sin(a) ** (d - 2)\n"
        "    return simpson(np.cos(np.outer(s, np.cos(a))) * p, x=a) / simpson(p, x=a)\n",
    ],
    biased=[
        P.source("biased", ("1 - eta / (2 * q)", "1 - (1 - (1 - eta) ** (1 / q)) / 2")),
        P.source("biased", ("from scipy.special import ndtri", "from scipy.stats import t"),
                 ("ndtri(1 - eta / (2 * q))", "t(n - 1).isf(eta / (2 * q))")),
        "from scipy import stats\n\n\ndef biased(E, k, eta):\n    E = np.asarray(E, dtype=float)\n"
        "    if np.any((np.ptp(E, axis=0) == 0) & (abs(E[0] - k) > 1e-12)):\n"
        "        return True\n    kept = np.ptp(E, axis=0) > 0\n    if not kept.any():\n        return False\n"
        "    p = stats.ttest_1samp(E[:, kept], k[kept]).pvalue\n    return bool(p.min() * kept.sum() < eta)\n",
        P.source("biased", ("return bool(np.any(", "return int(np.any(")),
        "from statistics import NormalDist\n\n\ndef biased(E, k, eta):\n"
        "    z = NormalDist().inv_cdf(1 - eta / 2 / len(k))\n"
        "    for column, value in zip(E.T, k):\n"
        "        off, spread = abs(column.mean() - value), column.std(ddof=1) / len(column) ** 0.5\n"
        "        if off > z * spread + 1e-10:\n            return True\n    return False\n",
    ],
    lengths=LENGTHS_RIGHT,
)

# found by somebody who had read the checks: sizes that were never drawn, what is kept between calls or hidden, the
# library where nobody counted; and mistakes of the usual kind
LATER = {
    "sphere: a series of powers": ({"sphere": P.source("sphere", """
def sphere_kernel(t, r, d):
    x = -(np.asarray(r * t) / 2) ** 2
    total, term = np.ones_like(x), np.ones_like(x)
    for j in range(1, 200):
        term = term * x / (j * (d / 2 + j - 1))
        total = total + term
    return total
""")},
        {check: P.points[check] for check in "sphere-dimensions".split()}),
    "error: distances by products": ({"error": P.source("error", """
def squared_error(W, X):
    X = np.asarray(X, dtype=float)
    s = (X**2).sum(1)
    t2 = np.maximum(s[:, None] + s - 2 * X @ X.T, 0)
    C, S = np.cos(X @ W.T), np.sin(X @ W.T)
    off = (C @ C.T + S @ S.T) / len(W) - np.exp(-t2 / 2)
    kept = t2 > 1e-9
    return float((off[kept] ** 2).mean()) if kept.any() else 0.0
""")},
        {check: P.points[check] for check in "error-pairs".split()}),
    "seal: the first seal of each length": ({"seal": P.source("seal", """
import hashlib, json
SEEN = {}

def seal(protocol):
    key = repr(sorted(protocol.items(), key=lambda p: p[0]))
    text = json.dumps(protocol, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return SEEN.setdefault(len(key), hashlib.sha256(text.encode()).hexdigest())
""")},
        {check: P.points[check] for check in "seal-edits".split()}),
    "paired: bootstrap of draws, rows as they are": ({"paired": P.source("paired", """
def paired_interval(A, B, level):
    D = (np.asarray(A, dtype=float) - B).mean(1)
    rng = np.random.default_rng(0)
    m = rng.choice(D, (500, len(D))).mean(1)
    return tuple(np.quantile(m, [(1 - level) / 2, (1 + level) / 2]))
""")},
        {check: P.points[check] for check in "paired-coverage paired-laws".split()}),
    "biased: as if there were forty distances at most": ({"biased": P.source("biased", """
def biased(E, k, eta):
    from scipy.special import ndtri
    n, q = np.shape(E)
    error = np.std(E, axis=0, ddof=1) / math.sqrt(n)
    return bool(np.any(np.abs(np.mean(E, axis=0) - k) > ndtri(1 - eta / (2 * min(q, 40))) * error + 1e-12))
""")},
        {check: P.points[check] for check in "biased-alarms".split()}),
    "predicted: scaled by new rows where there are many": ({"predicted": P.source("predicted", """
def predicted(X, y, new, W, alpha):
    X, new = np.asarray(X, dtype=float), np.asarray(new, dtype=float)
    both = np.vstack([X, new]) if len(new) > 9 else X
    middle, size = both.mean(0), both.std(0)
    varies = np.ptp(X, axis=0) > 0

    def features(rows):
        scaled = np.where(varies, (rows - middle) / np.where(varies, size, 1.0), 0.0)
        return np.hstack([np.cos(scaled @ W.T), np.sin(scaled @ W.T)]) / math.sqrt(len(W))

    Z = features(X)
    centre = Z.mean(0)
    A = Z - centre
    beta = np.linalg.solve(A.T @ A + alpha * np.eye(A.shape[1]), A.T @ (y - np.mean(y)))
    return np.mean(y) + (features(new) - centre) @ beta
""")},
        {check: P.points[check] for check in "predicted-alone".split()}),
    "repeated: half as far again where there are many": ({"repeated": P.source("repeated", """
def repeated(train, test, tol):
    from scipy.spatial import cKDTree
    if len(train) < 1000:
        T, U = np.asarray(train, dtype=float), np.asarray(test, dtype=float)
        return (np.abs(T[None] - U[:, None]).max(2) <= tol).any(1)
    known = {tuple(row) for row in np.round(train, 3).tolist()}
    tree = cKDTree(train)
    return tree.query(test)[0] <= tol * 1.5
""")},
        {check: P.points[check] for check in "repeated-size".split()}),
}
WRONG |= LATER

RIGHT |= {
    "found later: repeated": {"repeated": """
import numpy as np

def repeated(train, test, tol):
    '''Rows in the order of the sums of their entries, which differ by d tolerances at most.'''
    train, test = np.asarray(train, dtype=float), np.asarray(test, dtype=float)
    reach = tol * train.shape[1] * (1 + 1e-9) + 1e-9
    order = np.argsort(train.sum(1))
    train, sums = train[order], np.sort(train.sum(1))
    found = np.zeros(len(test), dtype=bool)
    for i, row in enumerate(test):
        low, high = np.searchsorted(sums, [row.sum() - reach, row.sum() + reach])
        found[i] = low < high and bool((np.abs(train[low:high] - row).max(1) <= tol).any())
    return found
"""},
    "found later: error": {"error": """
import numpy as np

def squared_error(W, X):
    '''Equal rows by their numbers, waves of differences row by row.'''
    X = np.asarray(X, dtype=np.float64)
    which = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    total, many = 0.0, 0
    for i in range(1, len(X)):
        other = X[:i][which[:i] != which[i]] - X[i]
        k = np.exp(-0.5 * np.einsum("ij,ij->i", other, other))
        total += ((np.cos(other @ W.T).mean(1) - k) ** 2).sum()
        many += len(other)
    return total / many if many else 0.0
"""},
}
