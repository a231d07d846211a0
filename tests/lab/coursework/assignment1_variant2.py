"""Planted answers to variant 2 of assignment 1: wrong ones with the checks that they must lose, and right ones."""

from planted import Planted, sets

P = Planted("assignment1-variant2")

DRAW = "rng.standard_normal((n, len(A))) @ A"
TURNED = P.wrong(
    "gaussian",
    [
        ("the transpose", "gaussian-kernel gaussian-law", (DRAW, "rng.standard_normal((n, A.shape[1])) @ A.T")),
        (
            "the inverse",
            "gaussian-kernel gaussian-law",
            (DRAW, "rng.standard_normal((n, len(A))) @ np.linalg.pinv(A).T"),
        ),
        ("the square", "gaussian-kernel gaussian-law", (DRAW, "rng.standard_normal((n, A.shape[1])) @ (A.T @ A)")),
        (
            "stretches without the turn",
            "gaussian-kernel gaussian-law",
            (DRAW, "rng.standard_normal((n, A.shape[1])) * np.linalg.norm(A, axis=0)"),
        ),
        (
            "singular values in their own order",
            "gaussian-kernel gaussian-law",
            (
                f"return {DRAW}",
                "s = np.zeros(A.shape[1])\n    s[:min(A.shape)] = np.linalg.svd(A)[1]\n"
                "    return rng.standard_normal((n, len(s))) * s",
            ),
        ),
        (
            "a root of the covariance from the wrong side",
            "gaussian-kernel gaussian-law",
            (
                f"return {DRAW}",
                "R = np.linalg.qr(A)[1]\n    return rng.standard_normal((n, A.shape[1])) @ np.resize(R.T, "
                "(A.shape[1], A.shape[1]))",
            ),
        ),
        ("a half forgotten", "gaussian-kernel gaussian-law", (DRAW, f"np.sqrt(2) * {DRAW}")),
        ("a twentieth too large", "gaussian-kernel gaussian-law", (DRAW, f"1.05 * {DRAW}")),
        (
            "stretches held above a tenth",
            "gaussian-law",
            (
                f"return {DRAW}",
                "U, s, V = np.linalg.svd(A, full_matrices=False)\n"
                "    return rng.standard_normal((n, len(s))) * np.maximum(s, 0.1) @ V",
            ),
        ),
        (
            "a sampler of the library",
            "gaussian-law",
            (DRAW, 'getattr(kernels.Gaussian(), "sample_" + "frequencies")(n, len(A), rng) @ A'),
        ),
        (
            "mirrored",
            "gaussian-law",
            (
                f"return {DRAW}",
                "half = rng.standard_normal(((n + 1) // 2, len(A)))\n    return np.vstack([half, -half])[:n] @ A",
            ),
        ),
        ("the sum of twelve uniforms", "gaussian-law", (DRAW, "(rng.random((n, len(A), 12)).sum(2) - 6) @ A")),
        (
            "moments that match",
            "gaussian-law",
            (
                f"return {DRAW}",
                "g = rng.standard_normal((n, len(A)))\n    return (g if n < 4 else (g - g.mean(0)) / g.std(0)) @ A",
            ),
        ),
        ("a seed of its own", "gaussian-law", ("rng.standard", "np.random.default_rng(n).standard")),
        ("a copy of the generator", "gaussian-law", ("rng.standard", "__import__('copy').deepcopy(rng).standard")),
        ("in single precision", "gaussian-law", (DRAW, f"({DRAW}).astype(np.float32)")),
        ("the caller's matrix spoilt", "gaussian-law", (f"return {DRAW}", f"A *= 2\n    return {DRAW} / 2")),
    ],
)

LAPLACE = "rng.laplace(size=(n, len(length_scale)))"
CAUCHY = P.wrong(
    "laplacian",
    [
        (
            "the pair the wrong way round",
            "laplacian-axes laplacian-corner laplacian-law",
            (LAPLACE, "rng.standard_cauchy((n, len(length_scale)))"),
        ),
        (
            "a normal law",
            "laplacian-axes laplacian-corner laplacian-law",
            (LAPLACE, "rng.standard_normal((n, len(length_scale)))"),
        ),
        # right along the axes: 1 / (1 + |delta|^2) and the product agree there
        (
            "one stretch for all coordinates",
            "laplacian-corner laplacian-law",
            (LAPLACE, "rng.standard_normal((n, len(length_scale))) * np.sqrt(2 * rng.exponential(size=(n, 1)))"),
        ),
        ("one side", "laplacian-corner laplacian-law", (LAPLACE, "rng.exponential(size=(n, len(length_scale)))")),
        ("variance one", "laplacian-axes laplacian-corner laplacian-law", (LAPLACE, f"{LAPLACE} / np.sqrt(2)")),
        (
            "the length scale upside down",
            "laplacian-axes laplacian-corner laplacian-law",
            ("/ length_scale", "* length_scale"),
        ),
        (
            "the first length scale for all",
            "laplacian-axes laplacian-corner laplacian-law",
            ("/ length_scale", "/ length_scale[0]"),
        ),
        (
            "one number for all coordinates",
            "laplacian-corner laplacian-law",
            (LAPLACE, "rng.laplace(size=(n, 1)) * np.ones(len(length_scale))"),
        ),
        ("a law cut off", "laplacian-law", (LAPLACE, f"np.clip({LAPLACE}, -7, 7)")),
        (
            "a sampler of the library",
            "laplacian-law",
            (f"{LAPLACE} / length_scale", "kernels.Cauchy(length_scale).sample_frequencies(n, len(length_scale), rng)"),
        ),
        ("length scales held above a tenth", "laplacian-law", ("/ length_scale", "/ np.maximum(length_scale, 0.1)")),
        (
            "a normal number if it is one",
            "laplacian-law",
            (LAPLACE, f"({LAPLACE} if n > 1 else rng.standard_normal((1, len(length_scale))))"),
        ),
        (
            "three coordinates at most",
            "laplacian-law",
            (
                f"return {LAPLACE} / length_scale",
                f"W = {LAPLACE}\n    W[:, 3:] = W[:, :1]\n    return W / length_scale",
            ),
        ),
        (
            "half of them are the other half, with coordinates exchanged",
            "laplacian-law",
            (
                f"return {LAPLACE} / length_scale",
                f"W, half = {LAPLACE}, n // 2\n    if W.shape[1] > 1:\n"
                "        W[half:2 * half] = np.roll(W[:half], 1, axis=1)\n    return rng.permutation(W) / length_scale",
            ),
        ),
        ("rounded", "laplacian-law", (LAPLACE, f"{LAPLACE}.round(2)")),
    ],
)

OWN = "own = rng.choice(len(weights), size=n, p=weights)"
MIXTURE = P.wrong(
    "matern",
    [
        (
            "a coin for each coordinate",
            "matern-corner matern-law",
            ("size=n", "size=(n, d)"),
            ("scales[own][:, None]", "scales[own]"),
        ),
        (
            "one coin for all",
            "matern-axes matern-corner matern-law",
            (OWN, "own = np.full(n, rng.choice(len(weights), p=weights))"),
        ),
        ("weights forgotten", "matern-axes matern-corner matern-law", (", p=weights", "")),
        ("scales multiplied", "matern-axes matern-corner matern-law", (" / scales", " * scales")),
        ("the mean scale", "matern-axes matern-corner matern-law", ("scales[own][:, None]", "(weights @ scales)")),
        (
            "the mean frequency scale",
            "matern-axes matern-corner matern-law",
            ("/ scales[own][:, None]", "* (weights @ (1 / scales))"),
        ),
        (
            "the variance of the mixture",
            "matern-axes matern-corner matern-law",
            ("/ scales[own][:, None]", "* np.sqrt(weights @ scales**-2.0)"),
        ),
        (
            "a weighted sum of frequencies",
            "matern-axes matern-corner matern-law",
            (
                "return rng.standard_normal((n, d)) / scales[own][:, None]",
                "return sum(p * rng.standard_normal((n, d)) / s for p, s in zip(weights, scales))",
            ),
        ),
        (
            "the heaviest term alone",
            "matern-axes matern-corner matern-law",
            (OWN, "own = np.full(n, np.argmax(weights))"),
        ),
        ("two terms at most", "matern-axes matern-corner matern-law", (OWN, OWN + "\n    own = np.minimum(own, 1)")),
        (
            "numbers of each term that are set",
            "matern-law",
            (
                OWN,
                "own = np.searchsorted(np.cumsum(weights) - 1e-12, (np.arange(n) + 0.5) / n)\n"
                "    own = rng.permutation(np.minimum(own, len(weights) - 1))",
            ),
        ),
        (
            "numbers of each term that are set, from a hundred on",
            "matern-law",
            (
                OWN,
                OWN
                + "\n    if n >= 100:\n        own = np.searchsorted(np.cumsum(weights) - 1e-12, (np.arange(n) "
                  "+ 0.5) / n)\n"
                "        own = rng.permutation(np.minimum(own, len(weights) - 1))",
            ),
        ),
        ("term by term", "matern-law", (OWN, OWN + "\n    own = np.sort(own)")),
        (
            "a sampler of the library",
            "matern-law",
            ("rng.standard_normal((n, d))", "kernels.Gaussian().sample_frequencies(n, d, rng)"),
        ),
        (
            "rows that come twice",
            "matern-law",
            (
                "return rng.standard_normal((n, d)) / scales[own][:, None]",
                "W = rng.standard_normal((n, d)) / scales[own][:, None]\n"
                "    return rng.permutation(np.repeat(W, 2, axis=0)[:n])",
            ),
        ),
        ("the scales sorted in place", "matern-axes matern-law", ("    own", "    scales.sort()\n    own")),
    ],
)

WAVE = "np.sqrt(2 * a) * np.cos(X @ W + b)"
PHASE = "rng.uniform(0, 2 * np.pi, W.shape[1])"
OFFSET = P.wrong(
    "offset",
    [
        ("no root", "offset-unbiased offset-amplitude", ("np.sqrt(2 * a)", "2 * a")),
        ("no two", "offset-unbiased offset-amplitude", ("np.sqrt(2 * a)", "np.sqrt(a)")),
        ("the two outside of the root", "offset-unbiased offset-amplitude", ("np.sqrt(2 * a)", "2 * np.sqrt(a)")),
        (
            "divided by the number, too",
            "offset-unbiased offset-amplitude",
            ("np.sqrt(2 * a)", "np.sqrt(2 * a / len(a))"),
        ),
        ("weights forgotten", "offset-unbiased offset-amplitude", ("np.sqrt(2 * a)", "np.sqrt(2 / len(a))")),
        (
            "weights made to sum to one",
            "offset-unbiased offset-amplitude",
            ("np.sqrt(2 * a)", "np.sqrt(2 * a / a.sum())"),
        ),
        ("weights in another order", "offset-amplitude", ("np.sqrt(2 * a)", "np.sqrt(2 * np.sort(a))")),
        ("the mean weight", "offset-amplitude", ("np.sqrt(2 * a)", "np.sqrt(2 * a.mean())")),
        ("no phase", "offset-unbiased offset-phases", (PHASE, "0.0")),
        ("one phase for all", "offset-unbiased offset-phases", (PHASE, "rng.uniform(0, 2 * np.pi)")),
        ("half a turn", "offset-phases", (PHASE, "rng.uniform(0, np.pi, W.shape[1])")),
        ("phases in [0, 6]", "offset-phases", ("2 * np.pi", "6")),
        ("four phases", "offset-phases", (PHASE, "rng.integers(4, size=W.shape[1]) * np.pi / 2")),
        (
            "phases drawn anew for each row",
            "offset-unbiased offset-amplitude offset-phases",
            ("W.shape[1])", "(len(X), W.shape[1]))"),
        ),
        (
            "new phases every sixteen rows",
            "offset-amplitude",
            (
                f"return {WAVE}",
                "blocks = [np.cos(X[i:i + 16] @ W + (b if i == 0 else rng.uniform(0, 6.3, len(a))))\n"
                "              for i in range(0, len(X), 16)]\n    return np.sqrt(2 * a) * np.vstack(blocks)",
            ),
        ),
        (
            "rows scaled to their length",
            "offset-amplitude",
            (
                f"return {WAVE}",
                f"Z = {WAVE}\n    return Z * np.sqrt(a.sum()) / np.linalg.norm(Z, axis=1, keepdims=True)",
            ),
        ),
        ("single precision inside", "offset-amplitude", ("X @ W + b", "(X @ W + b).astype(np.float32)")),
        ("phases of a seed", "offset-phases", ("rng.uniform", "np.random.default_rng(5).uniform")),
        ("weights doubled in place", "offset-amplitude", ("return np.sqrt(2 * a)", "a *= 2\n    return np.sqrt(a)")),
    ],
)

SLOPES = "T, slopes = X @ W, v @ W"
SLOPE = P.wrong(
    "paired",
    [
        (
            "the map and not its slope",
            "paired-diagonal paired-waves",
            (SLOPES, "T, slopes = X @ W, np.ones(W.shape[1])"),
        ),
        (
            "the length of the direction",
            "paired-diagonal paired-waves",
            ("v @ W", "np.full(W.shape[1], np.linalg.norm(v))"),
        ),
        ("the length of the frequency", "paired-diagonal paired-waves", ("v @ W", "np.linalg.norm(W, axis=0)")),
        ("a direction of length one", "paired-diagonal paired-waves", ("v @ W", "v / np.linalg.norm(v) @ W")),
        ("the second derivative", "paired-diagonal paired-waves", ("v @ W", "(v @ W) ** 2")),
        ("half the product", "paired-diagonal paired-waves", ("np.sqrt(W.shape[1])", "np.sqrt(2 * W.shape[1])")),
        ("no mean", "paired-diagonal paired-waves", (" / np.sqrt(W.shape[1])", "")),
        ("a mean without a root", "paired-diagonal paired-waves", ("np.sqrt(W.shape[1])", "W.shape[1]")),
        ("cosines twice", "paired-diagonal paired-waves paired-translation", ("np.sin(T)", "np.cos(T)")),
        (
            "cosines not differentiated",
            "paired-diagonal paired-waves paired-translation",
            ("-slopes * np.sin(T)", "np.cos(T)"),
        ),
        ("one slope for all", "paired-diagonal paired-waves", ("v @ W", "np.full(W.shape[1], (v @ W).mean())")),
        ("rows centred", "paired-waves", ("X @ W,", "(X - X.mean(0)) @ W,")),
        ("only the first coordinate", "paired-diagonal paired-waves", ("v @ W", "v[0] * W[0]")),
        (
            "a difference and not a limit",
            "paired-diagonal paired-waves",
            (
                "return np.hstack([-slopes * np.sin(T), slopes * np.cos(T)])",
                "return np.hstack([np.cos(T + 1e-3 * slopes) - np.cos(T), np.sin(T + 1e-3 * slopes) - "
                "np.sin(T)]) / 1e-3",
            ),
        ),
        ("angles in turns", "paired-waves", ("X @ W,", "2 * np.pi * X @ W,")),
    ],
)

THREE = "np.array([-1.0, 0.0, 1.0]), np.array([1.0, -2.0, 1.0])"
WITNESS = P.wrong(
    "witness",
    [
        ("too near to each other", "witness-negative", ("[-1.0, 0.0, 1.0]", "[-0.5, 0.0, 0.5]")),
        ("too far apart", "witness-negative", ("[-1.0, 0.0, 1.0]", "[-2.0, 0.0, 2.0]")),
        ("positive weights", "witness-negative", ("[1.0, -2.0, 1.0]", "[1.0, 2.0, 1.0]")),
        ("signs exchanged where it does not count", "witness-negative", ("[1.0, -2.0, 1.0]", "[1.0, -2.0, -1.0]")),
        ("two points", "witness-negative", (THREE, "np.array([0.0, 1.0]), np.array([1.0, -1.0])")),
        (
            "two points at one place",
            "witness-negative",
            (THREE, "np.array([0.0, 1e-9, 0.0]), np.array([1.0, 0.0, -1.0])"),
        ),
        ("no weight", "witness-negative", ("[1.0, -2.0, 1.0]", "[0.0, 0.0, 0.0]")),
        ("complex weights", "witness-negative", (THREE, "np.array([0.0, 1.0]), np.array([1j, 1j])")),
        (
            "too many points",
            "witness-negative",
            (THREE, "np.tile([-1.0, 0.0, 1.0], 50), np.tile([1.0, -2.0, 1.0], 50)"),
        ),
        ("weights alone", "witness-negative", (THREE, "np.array([1.0, -2.0, 1.0])")),
        ("rounding", "witness-negative", (THREE, "np.array([0.1, 0.1 + 1e-17]), np.array([1.0, -1.0])")),
    ],
)

SUM = "(first.sample_frequencies(m, d, rng) + second.sample_frequencies(m, d, rng))"
BOTH = "    Z = np.hstack([np.cos(T), np.sin(T)]) / np.sqrt(m)\n    return Z @ Z.T"
PRODUCT = P.wrong(
    "estimate",
    [
        (
            "entry by entry",
            "estimate-psd",
            (
                f"T = X @ {SUM}.T\n{BOTH}",
                "def one(kernel):\n        T = X @ kernel.sample_frequencies(m, d, rng).T\n"
                "        return (np.cos(T) @ np.cos(T).T + np.sin(T) @ np.sin(T).T) / m\n\n    return "
                "one(first) * one(second)",
            ),
        ),
        ("the first kernel alone", "estimate-mean", (SUM, "first.sample_frequencies(m, d, rng)")),
        ("the second kernel alone", "estimate-mean", (SUM, "second.sample_frequencies(m, d, rng)")),
        (
            "the mean of the kernels",
            "estimate-mean",
            (
                SUM,
                "np.where(rng.random((m, 1)) < 0.5, first.sample_frequencies(m, d, rng), "
                "second.sample_frequencies(m, d, rng))",
            ),
        ),
        ("half the sum", "estimate-mean", ("T = X @", "T = 0.5 * X @")),
        ("products of frequencies", "estimate-mean", (" + second", " * second")),
        ("twice the frequencies of the first", "estimate-mean", (SUM, "(2 * first.sample_frequencies(m, d, rng))")),
        (
            "both from generators alike",
            "estimate-mean",
            (SUM, "sum(k.sample_frequencies(m, d, np.random.default_rng(seed)) for k in (first, second))"),
            ("    T = ", "    seed = int(rng.integers(2**31))\n    T = "),
        ),
        (
            "the second is Gaussian",
            "estimate-mean",
            ("second.sample_frequencies(m, d, rng)", "rng.standard_normal((m, d))"),
        ),
        ("the product itself", "estimate-psd estimate-mean",
         (f"T = X @ {SUM}.T\n{BOTH}", "return first(X) * second(X)")),
        ("twice as many features", "estimate-psd", ("n_components // 2", "n_components")),
        ("half as many features", "estimate-psd", ("n_components // 2", "max(n_components // 4, 1)")),
        (
            "cosines without phases",
            "estimate-psd estimate-mean",
            (BOTH, "    Z = np.cos(T) * np.sqrt(2 / m)\n    return Z @ Z.T"),
        ),
        (
            "diagonal set to one",
            "estimate-psd",
            (
                f"T = X @ {SUM}.T\n{BOTH}",
                "T = X @ (first.sample_frequencies(2 * m, d, rng) + second.sample_frequencies(2 * m, d, rng)).T\n"
                "    Z = np.cos(T + rng.uniform(0, 2 * np.pi, 2 * m)) / np.sqrt(m)\n    K = Z @ Z.T\n"
                "    np.fill_diagonal(K, 1.0)\n    return K",
            ),
        ),
        (
            "rows moved to their mean",
            "estimate-psd estimate-mean",
            ("    return Z @ Z.T", "    Z = Z - Z.mean(axis=0)\n    return Z @ Z.T"),
        ),
    ],
)

GRAM = "(Z.T * w) @ Z"
PRIMAL = P.wrong(
    "primal",
    [
        ("weights forgotten", "primal-residual", (GRAM, "Z.T @ Z"), ("(w * y)", "y")),
        ("weights on one side", "primal-residual", ("(w * y)", "y")),
        ("weights squared", "primal-residual", ("    return", "    w = w**2\n    return")),
        ("roots of weights", "primal-residual", ("    return", "    w = np.sqrt(w)\n    return")),
        (
            "weights made to sum to the number of rows",
            "primal-residual",
            ("    return", "    w = w * len(w) / w.sum()\n    return"),
        ),
        ("a mean of squares", "primal-residual", ("    return", "    w = w / len(w)\n    return")),
        ("weights for the ridge", "primal-residual", ("alpha * np", "alpha * w.mean() * np")),
        (
            "no ridge",
            "primal-residual",
            (
                f"return np.linalg.solve({GRAM} + alpha * np.eye(Z.shape[1]), Z.T @ (w * y))",
                "return np.linalg.lstsq(np.sqrt(w)[:, None] * Z, np.sqrt(w) * y, rcond=None)[0]",
            ),
        ),
        ("a ridge of a ten-thousandth at least", "primal-residual", ("alpha *", "max(alpha, 1e-4) *")),
        ("heavy rows held back", "primal-residual", ("    return", "    w = np.minimum(w, 2.0)\n    return")),
        (
            "in single precision",
            "primal-residual",
            ("    return", "    Z, y = Z.astype(np.float32), y.astype(np.float32)\n    return"),
        ),
        (
            "the caller's targets weighted",
            "primal-residual",
            ("    return", "    y *= w\n    return"),
            ("(w * y)", "y"),
        ),
    ],
)

DUAL = P.wrong(
    "dual",
    [
        ("weights forgotten", "dual-equals-primal dual-given", ("np.diag(alpha / w)", "alpha * np.eye(len(y))")),
        ("weights upside down", "dual-equals-primal dual-given", ("alpha / w", "alpha * w")),
        ("roots of weights", "dual-equals-primal dual-given", ("alpha / w", "alpha / np.sqrt(w)")),
        ("targets weighted", "dual-equals-primal dual-given", (", y)", ", w * y)")),
        (
            "targets weighted, ridge not",
            "dual-equals-primal dual-given",
            ("alpha / w", "alpha * np.ones(len(w))"),
            (", y)", ", w * y)"),
        ),
        (
            "scaled and not scaled back",
            "dual-equals-primal dual-given",
            (
                "return np.linalg.solve(K + np.diag(alpha / w), y)",
                "r = np.sqrt(w)\n    return np.linalg.solve(r[:, None] * K * r + alpha * np.eye(len(y)), r * y)",
            ),
        ),
        (
            "weights made to sum to the number of rows",
            "dual-equals-primal dual-given",
            ("    return", "    w = w * len(w) / w.sum()\n    return"),
        ),
        ("a mean of squares", "dual-equals-primal dual-given", ("alpha / w", "len(y) * alpha / w")),
        ("values fitted for coefficients", "dual-equals-primal dual-given", ("return np", "return K @ np")),
        ("the targets centred", "dual-equals-primal dual-given", (", y)", ", y - w @ y / w.sum())")),
        ("a ridge of a ten-thousandth at least", "dual-given", ("alpha / w", "np.maximum(alpha, 1e-4) / w")),
        (
            "the caller's matrix spoilt",
            "dual-given",
            (
                "return np.linalg.solve(K + np.diag(alpha / w), y)",
                "K[np.diag_indices_from(K)] += alpha / w\n    return np.linalg.solve(K, y)",
            ),
        ),
    ],
)

INTERCEPT = P.wrong(
    "intercept",
    [
        ("plain means", "intercept-beta intercept-mean", ("w @ Z / w.sum(), w @ y / w.sum()", "Z.mean(0), y.mean()")),
        ("a plain mean of the targets", "intercept-mean", ("w @ y / w.sum()", "y.mean()")),
        ("a plain mean of the features", "intercept-beta intercept-mean", ("w @ Z / w.sum()", "Z.mean(0)")),
        (
            "weights forgotten after the means",
            "intercept-beta",
            ("(A.T * w) @ A", "A.T @ A"),
            ("(w * (y - level))", "(y - level)"),
        ),
        ("weights squared", "intercept-beta intercept-mean", ("    middle", "    w = w**2\n    middle")),
        ("weights made to sum to one", "intercept-beta", ("    middle", "    w = w / w.sum()\n    middle")),
        (
            "a penalised constant",
            "intercept-beta intercept-mean",
            (
                "    middle",
                "    B = np.c_[Z, np.ones(len(y))]\n"
                "    both = np.linalg.solve((B.T * w) @ B + alpha * np.eye(B.shape[1]), B.T @ (w * y))\n"
                "    return both[:-1], both[-1]\n    middle",
            ),
        ),
        (
            "a constant added afterwards",
            "intercept-beta",
            (
                "    middle",
                "    beta = np.linalg.solve((Z.T * w) @ Z + alpha * np.eye(Z.shape[1]), Z.T @ (w * y))\n"
                "    return beta, np.average(y - Z @ beta, weights=w)\n    middle",
            ),
        ),
        ("without the mean of the features", "intercept-mean", ("level - middle @ beta", "level")),
        (
            "the plain mean of what is left",
            "intercept-mean",
            ("float(level - middle @ beta)", "float(np.mean(y - Z @ beta))"),
        ),
        ("a little jitter", "intercept-beta", ("alpha *", "(alpha + 1e-5) *")),
        (
            "features scaled, too",
            "intercept-beta",
            ("    A = Z - middle", "    A = (Z - middle) / (1 + Z.std(axis=0))"),
        ),
    ],
)

COVARIANCES = P.wrong(
    "variances",
    [
        ("the product of the means forgotten", "variance-paired variance-offset", (" - k_first * k_second", "")),
        ("as many frequencies as features", "variance-paired", ("(n_components / 2)", "n_components")),
        (
            "half the frequencies for both",
            "variance-offset",
            ("+ k_minus / 2) / n_components", "+ k_minus / 2) / (n_components / 2)"),
        ),
        ("the phase has variance, and no covariance", "variance-offset", ("+ k_minus / 2)", "+ 0.5)")),
        ("no phase", "variance-offset", ("(one_wave + k_minus / 2)", "one_wave")),
        ("the phase at the sum", "variance-offset", ("+ k_minus / 2)", "+ k_plus / 2)")),
        ("the difference alone", "variance-paired variance-offset", ("(k_minus + k_plus) / 2", "k_minus")),
        ("the sum alone", "variance-paired variance-offset", ("(k_minus + k_plus) / 2", "k_plus")),
        ("sines for cosines", "variance-paired variance-offset", ("k_minus + k_plus", "k_minus - k_plus")),
        (
            "the other order",
            "variance-paired variance-offset",
            (
                "return one_wave / (n_components / 2), (one_wave + k_minus / 2) / n_components",
                "return (one_wave + k_minus / 2) / n_components, one_wave / (n_components / 2)",
            ),
        ),
        ("no half", "variance-paired variance-offset", ("(k_minus + k_plus) / 2", "(k_minus + k_plus)")),
        ("a variance at the first", "variance-paired variance-offset", ("k_first * k_second", "k_first**2")),
        (
            "never negative",
            "variance-paired variance-offset",
            ("    return", "    one_wave = max(one_wave, 0.0)\n    return"),
        ),
    ],
)

HOLDS, RIGHT_HOLDS = P.choices(
    "missing",
    "what_holds",
    "missing-hypothesis",
    ["abce", "ac", "ae", "ce", "acde", "bd", "", "continuity", "acex", None],
    ["eca", "A, C, E", "(a), (c) and (e)", ["a", "c", "e"], "a c e"],
)

FOUR = "rng.integers(4, size=n) * (np.pi / 4)"
PHASES = P.wrong(
    "phases",
    [
        ("a quarter of a turn by a coin", "phases-unbiased", (FOUR, "rng.choice([0.0, np.pi / 2], size=n)")),
        ("a single phase", "phases-few phases-unbiased", (FOUR, "np.full(n, np.pi / 4)")),
        (
            "a twelfth and a sixth of a turn by a coin",
            "phases-unbiased",
            (FOUR, "rng.choice([np.pi / 6, np.pi / 3], size=n)"),
        ),
        ("half turns", "phases-unbiased", (FOUR, "rng.choice([0.0, np.pi], size=n)")),
        ("phases of the textbook", "phases-few", (FOUR, "rng.uniform(0, 2 * np.pi, n)")),
        ("nine phases", "phases-few", (FOUR, "rng.integers(9, size=n) * (2 * np.pi / 9)")),
        ("in turn", "phases-few phases-unbiased", (FOUR, "(np.arange(n) + rng.integers(4)) % 4 * (np.pi / 4)")),
        ("in equal numbers", "phases-unbiased", (FOUR, "rng.permutation(np.arange(n) % 4) * (np.pi / 4)")),
        (
            "in equal numbers by pairs of quarters",
            "phases-unbiased",
            (FOUR, "(rng.permutation(np.arange(n) % 2) + 2 * rng.integers(2, size=n)) * (np.pi / 4)"),
        ),
        ("one draw for all", "phases-few phases-unbiased", (FOUR, "np.full(n, rng.integers(4) * (np.pi / 4))")),
        ("other values in every call", "phases-few", (FOUR, f"{FOUR} + rng.uniform(0, 1)")),
        ("not all alike", "phases-unbiased", (FOUR, "rng.choice(4, size=n, p=[0.27, 0.23, 0.25, 0.25]) * (np.pi / 4)")),
        ("a generator of its own", "phases-few", ("rng.integers", "np.random.default_rng().integers")),
    ],
)

WRONG = {
    **TURNED,
    **CAUCHY,
    **MIXTURE,
    **OFFSET,
    **SLOPE,
    **WITNESS,
    **PRODUCT,
    **PRIMAL,
    **DUAL,
    **INTERCEPT,
    **COVARIANCES,
    **HOLDS,
    **PHASES,
}

RIGHT = sets(
    gaussian=[
        P.source(
            "gaussian",
            """
def turned_frequencies(n, A, rng):
    radius = np.sqrt(-2 * np.log1p(-rng.random((n, len(A)))))
    return (radius * np.cos(2 * np.pi * rng.random((n, len(A))))).dot(A)
""",
        ),
        P.source(
            "gaussian",
            """
def turned_frequencies(n, A, rng):
    return rng.multivariate_normal(np.zeros(A.shape[1]), A.T @ A, size=n)
""",
        ),
        P.source(
            "gaussian",
            """
def turned_frequencies(n, A, rng):
    from scipy.stats import norm
    _, s, V = np.linalg.svd(A, full_matrices=False)
    return np.einsum("ni,i,id->nd", norm.ppf(rng.random((n, len(s)))), s, V)
""",
        ),
        P.source(
            "gaussian",
            """
def turned_frequencies(n, A, rng):
    W = np.zeros((n, A.shape[1]))
    for row in A:
        W += np.outer(rng.normal(size=n), row)
    return W
""",
        ),
        P.source(
            "gaussian",
            """
def turned_frequencies(n, A, rng):
    W = np.linalg.qr(A, mode="r").T.dot(rng.standard_normal((min(A.shape), n))).T
    return W.tolist() if n < 10_000 else W
""",
        ),
    ],
    laplacian=[
        P.source(
            "laplacian",
            """
def cauchy_frequencies(n, length_scale, rng):
    shape = n, len(length_scale)
    return (rng.exponential(size=shape) - rng.exponential(size=shape)) / length_scale
""",
        ),
        P.source(
            "laplacian",
            """
def cauchy_frequencies(n, length_scale, rng):
    shape = n, length_scale.size
    return rng.choice([-1.0, 1.0], shape) * rng.standard_gamma(1.0, shape) * (1 / length_scale)
""",
        ),
        P.source(
            "laplacian",
            """
def cauchy_frequencies(n, length_scale, rng):
    shape = n, len(length_scale)
    return rng.standard_normal(shape) * np.sqrt(rng.chisquare(2, shape)) / length_scale
""",
        ),
        P.source(
            "laplacian",
            """
def cauchy_frequencies(n, length_scale, rng):
    g = rng.standard_normal((4, n, len(length_scale)))
    return (g[0] * g[1] - g[2] * g[3]) / length_scale  # a determinant of normal numbers
""",
        ),
        P.source(
            "laplacian",
            """
def cauchy_frequencies(n, length_scale, rng):
    from scipy.stats import laplace
    return np.stack([laplace.ppf(rng.random(n), scale=1 / s) for s in length_scale], axis=1)
""",
        ),
    ],
    matern=[
        P.source(
            "matern",
            """
def mixture_frequencies(n, d, weights, scales, rng):
    own = np.minimum(np.searchsorted(np.cumsum(weights), rng.random(n)), len(weights) - 1)
    return (rng.standard_normal((d, n)) / scales[own]).T
""",
        ),
        P.source(
            "matern",
            """
def mixture_frequencies(n, d, weights, scales, rng):
    own = np.repeat(np.arange(len(weights)), rng.multinomial(n, weights))
    return rng.permutation(rng.standard_normal((n, d)) / scales[own, np.newaxis])
""",
        ),
        P.source(
            "matern",
            """
def mixture_frequencies(n, d, weights, scales, rng):
    own = np.argmax(np.log(weights) + rng.gumbel(size=(n, len(weights))), axis=1)
    return np.take_along_axis(rng.standard_normal((n, len(weights), d)) / scales[:, None], own[:, None, None], 1)[:, 0]
""",
        ),
        P.source(
            "matern",
            """
def mixture_frequencies(n, d, weights, scales, rng):
    from bisect import bisect
    ends, last = np.cumsum(weights).tolist(), len(weights) - 1
    if n > 60_000:
        own = np.minimum(np.searchsorted(ends, rng.random(n), side="right"), last)
        return rng.standard_normal((n, d)) / scales[own][:, None]
    rows = [rng.standard_normal(d) / scales[min(bisect(ends, rng.random()), last)] for _ in range(n)]
    return np.array(rows).reshape(n, d)
""",
        ),
        P.source(
            "matern",
            """
def mixture_frequencies(n, d, weights, scales, rng):
    W, left = rng.standard_normal((n, d)), 1.0
    todo = np.ones(n, dtype=bool)
    for p, scale in zip(weights[:-1], scales[:-1]):  # this term, or one of those that are left
        now = todo & (rng.random(n) < p / left)
        W[now] /= scale
        todo, left = todo & ~now, left - p
    W[todo] /= scales[-1]
    return W
""",
        ),
    ],
    offset=[
        P.source(
            "offset",
            """
def offset_map(X, W, a, rng):
    return (2 * a) ** 0.5 * np.sin(X.dot(W) + rng.uniform(-np.pi, np.pi, len(a))[None])
""",
        ),
        P.source(
            "offset",
            """
def offset_map(X, W, a, rng):
    turns = np.exp(2j * np.pi * rng.random(len(a)))
    return np.real(np.exp(1j * np.einsum("ij,jk->ik", X, W)) * turns) * np.sqrt(2 * a)
""",
        ),
        P.source(
            "offset",
            """
def offset_map(X, W, a, rng):
    g = rng.standard_normal((2, len(a)))
    return np.cos(X @ W - np.arctan2(*g)) * np.sqrt(a) * 2 / np.sqrt(2)
""",
        ),
        P.source(
            "offset",
            """
def offset_map(X, W, a, rng):
    signs = rng.choice([-1, 1], len(a))
    return (np.sqrt(a + a) * signs * np.cos(X @ W + rng.uniform(0, np.pi, len(a))))[:, ::-1]
""",
        ),
        P.source(
            "offset",
            """
def offset_map(X, W, a, rng):
    Z = np.empty((len(X), len(a)))
    for j in range(0, len(a), 8):
        some = slice(j, j + 8)
        Z[:, some] = np.sqrt(2 * a[some]) * np.cos(X @ W[:, some] + 2 * math.pi * rng.random(len(a[some])))
    return Z
""",
        ),
    ],
    paired=[
        P.source(
            "paired",
            """
def slope_map(X, W, v):
    waves = 1j * (v @ W) * np.exp(1j * (X @ W)) / np.sqrt(W.shape[1])
    return np.hstack([waves.real, waves.imag])
""",
        ),
        P.source(
            "paired",
            """
def slope_map(X, W, v):
    out = []
    for w in W.T:
        angle, slope = X.dot(w) + 0.3, w.dot(v)
        out += [slope * np.sin(angle), slope * np.cos(angle)]
    return np.array(out).T / len(W.T) ** 0.5
""",
        ),
        P.source(
            "paired",
            """
def slope_map(X, W, v):
    T, s = X @ W, v @ W
    return np.hstack([s * (np.cos(T) + np.sin(T)), s * (np.cos(T) - np.sin(T))]) / np.sqrt(2 * W.shape[1])
""",
        ),
        P.source(
            "paired",
            """
def slope_map(X, W, v):
    step = 1e-20j  # the derivative by an imaginary step has no difference in it
    T = (X + step * v) @ W
    return np.imag(np.hstack([np.cos(T), np.sin(T)])) / 1e-20 / np.sqrt(W.shape[1])
""",
        ),
        P.source(
            "paired",
            """
def slope_map(X, W, v):
    T, s = np.matmul(X, W), np.abs(np.einsum("i,ij->j", v, W))
    Z = np.empty((len(X), 2 * W.shape[1]))
    Z[:, 1::2], Z[:, ::2] = s * np.cos(T), s * np.sin(T)
    return Z * W.shape[1] ** -0.5
""",
        ),
    ],
    witness=[
        P.source(
            "witness",
            f"""
def table_witness():
    return {points}
""",
        )
        for points in (
            "[0, 1, 2], [1, -2, 1]",
            "(7.0, 8.0, 9.0), (1.0, -math.sqrt(2), 1.0)",
            "np.array([-0.9, 0, 0.9]), np.array([1, -2, 1])",
            "[-1, 0, 1, 5], [0.5, -0.8, 0.5, 0.0]",
        )
    ]
    + [
        P.source(
            "witness",
            """
def table_witness():
    x = np.linspace(-4, 4, 61)
    gram = np.clip(2 - np.abs(np.subtract.outer(x, x)), 0, 1)
    return x, np.linalg.eigh(gram)[1][:, 0]
""",
        )
    ],
    estimate=[
        P.source(
            "estimate",
            """
def estimated_product(first, second, X, n_components, rng):
    D, d = n_components, X.shape[1]
    W = first.sample_frequencies(D, d, rng) - second.sample_frequencies(D, d, rng)  # a law is even
    Z = np.sqrt(2 / D) * np.cos(X @ W.T + rng.uniform(0, 2 * np.pi, D))
    return Z @ Z.T
""",
        ),
        P.source(
            "estimate",
            """
def estimated_product(first, second, X, n_components, rng):
    one, other = (k.sample_frequencies(n_components // 2, X.shape[1], rng) for k in (first, second))
    waves = np.exp(1j * X @ one.T) * np.exp(1j * X @ other.T)
    return (waves @ waves.conj().T).real * 2 / n_components
""",
        ),
        P.source(
            "estimate",
            """
def estimated_product(first, second, X, n_components, rng):
    W = sum(k.sample_frequencies(n_components // 2, X.shape[1], rng) for k in (second, first))
    return np.cos((X[:, None] - X[None]) @ W.T).mean(axis=2)
""",
        ),
        P.source(
            "estimate",
            """
def estimated_product(first, second, X, n_components, rng):
    K, m = np.zeros((len(X), len(X))), n_components // 2
    for j in range(0, m, 8):
        W = sum(k.sample_frequencies(min(8, m - j), X.shape[1], rng) for k in (first, second))
        for w in W:
            K += np.cos(np.subtract.outer(X @ w, X @ w)) / m
    return K
""",
        ),
        P.source(
            "estimate",
            """
def estimated_product(first, second, X, n_components, rng):
    m, d = n_components // 2, X.shape[1]
    signs = rng.choice([-1.0, 1.0], (m, 1))
    T = X @ (signs * first.sample_frequencies(m, d, rng) + second.sample_frequencies(m, d, rng)).T
    Z = np.hstack([np.cos(T) + np.sin(T), np.cos(T) - np.sin(T)]) / np.sqrt(2 * m)
    return np.einsum("ik,jk->ij", Z, Z)
""",
        ),
    ],
    primal=[
        P.source(
            "primal",
            """
def ridge_primal(Z, y, w, alpha):
    r = np.sqrt(w)
    U, s, Vt = np.linalg.svd(r[:, None] * Z, full_matrices=False)
    return Vt.T @ (s / (s**2 + alpha) * (U.T @ (r * y)))
""",
        ),
        P.source(
            "primal",
            """
def ridge_primal(Z, y, w, alpha):
    from sklearn.linear_model import Ridge
    return Ridge(alpha=alpha, fit_intercept=False, solver="svd").fit(Z, y, sample_weight=w).coef_
""",
        ),
        P.source(
            "primal",
            """
def ridge_primal(Z, y, w, alpha):
    rows = np.vstack([np.sqrt(w)[:, None] * Z, np.sqrt(alpha) * np.eye(Z.shape[1])])
    return np.linalg.lstsq(rows, np.r_[np.sqrt(w) * y, np.zeros(Z.shape[1])], rcond=None)[0]
""",
        ),
        P.source(
            "primal",
            """
def ridge_primal(Z, y, w, alpha):
    G = sum(wi * np.outer(z, z) for wi, z in zip(w, Z)) / alpha
    return np.linalg.inv(np.eye(Z.shape[1]) + G) @ (Z.T @ np.diag(w) @ y) / alpha
""",
        ),
        P.source(
            "primal",
            """
def ridge_primal(Z, y, w, alpha):
    from scipy.linalg import cho_factor, cho_solve
    return cho_solve(cho_factor(np.einsum("ni,n,nj->ij", Z, w, Z) + alpha * np.identity(Z.shape[1])), w * y @ Z)
""",
        ),
    ],
    dual=[
        P.source(
            "dual",
            """
def ridge_dual(K, y, w, alpha):
    r = np.sqrt(w)
    return r * np.linalg.solve(r[:, None] * K * r + alpha * np.eye(len(y)), r * y)
""",
        ),
        P.source(
            "dual",
            """
def ridge_dual(K, y, w, alpha):
    return np.linalg.solve(w[:, None] * K + alpha * np.eye(len(y)), w * y)
""",
        ),
        P.source(
            "dual",
            """
def ridge_dual(K, y, w, alpha):
    values, vectors = np.linalg.eigh(np.sqrt(np.outer(w, w)) * K)
    return np.sqrt(w) * (vectors @ (vectors.T @ (np.sqrt(w) * y) / (np.maximum(values, 0) + alpha)))
""",
        ),
        P.source(
            "dual",
            """
def ridge_dual(K, y, w, alpha):
    from scipy.linalg import cho_factor, cho_solve
    A = K.copy()
    A.flat[:: len(y) + 1] += alpha / w
    return cho_solve(cho_factor(A), y)
""",
        ),
        P.source(
            "dual",
            """
def ridge_dual(K, y, w, alpha):
    return np.linalg.solve(K / alpha + np.diag(1 / w), y / alpha)
""",
        ),
    ],
    intercept=[
        P.source(
            "intercept",
            """
def ridge_intercept(Z, y, w, alpha):
    A = np.c_[Z, np.ones(len(y))]
    penalty = alpha * np.diag(np.r_[np.ones(Z.shape[1]), 0.0])
    both = np.linalg.solve((A.T * w) @ A + penalty, A.T @ (w * y))
    return both[:-1], both[-1]
""",
        ),
        P.source(
            "intercept",
            """
def ridge_intercept(Z, y, w, alpha):
    from sklearn.linear_model import Ridge
    fit = Ridge(alpha=alpha, solver="cholesky").fit(Z, y, sample_weight=w)
    return fit.coef_, fit.intercept_
""",
        ),
        P.source(
            "intercept",
            """
def ridge_intercept(Z, y, w, alpha):
    n, D = Z.shape
    r = np.sqrt(w)[:, None]
    rows = np.block([[r * Z, r], [np.sqrt(alpha) * np.eye(D), np.zeros((D, 1))]])
    Q, R = np.linalg.qr(rows)
    both = np.linalg.solve(R, Q.T @ np.r_[r[:, 0] * y, np.zeros(D)])
    return both[:-1], both[-1:]
""",
        ),
        P.source(
            "intercept",
            """
def ridge_intercept(Z, y, w, alpha):
    r = np.sqrt(w)
    off = np.eye(len(y)) - np.outer(r, r) / w.sum()  # what is orthogonal to the constant
    A, t = off @ (r[:, None] * Z), off @ (r * y)
    beta = np.linalg.solve(A.T @ A + alpha * np.eye(Z.shape[1]), A.T @ t)
    return beta, np.average(y - Z @ beta, weights=w)
""",
        ),
        P.source(
            "intercept",
            """
def ridge_intercept(Z, y, w, alpha):
    s = w @ Z
    system = np.block([[np.array([[w.sum()]]), s[None]], [s[:, None], (Z.T * w) @ Z + alpha * np.eye(len(s))]])
    found = np.linalg.solve(system, np.r_[w @ y, Z.T @ (w * y)])
    return [found[1:], np.array([[found[0]]])]
""",
        ),
    ],
    variances=[
        P.source(
            "variances",
            f"""
def covariances(k_first, k_second, k_minus, k_plus, n_components):
    {body}
""",
        )
        for body in (
            "return [(k_minus + k_plus - 2 * k_first * k_second) / n_components, "
            "(k_minus + k_plus / 2 - k_first * k_second) / n_components]",
            "c = k_plus + k_minus - 2 * k_first * k_second\n    return np.array([c, (c + k_minus) / 2]) / n_components",
            "from fractions import Fraction as F\n    c = F(k_minus) + F(k_plus) - 2 * F(k_first) * F(k_second)\n"
            "    return float(c / n_components), float((c + F(k_minus)) / (2 * n_components))",
            "m = n_components // 2\n    wave = 0.5 * k_minus + 0.5 * k_plus - k_first * k_second\n    "
            "yield wave / m\n    yield wave / (2 * m) + k_minus / (4 * m)",
            "p = (k_minus + k_plus) / n_components - 2 * k_first * k_second / n_components\n    "
            "return p, p / 2 + k_minus / 2 / n_components",
        )
    ],
    missing=RIGHT_HOLDS,
    phases=[
        P.source(
            "phases",
            f"""
def few_phases(n, rng):
    return {phases}
""",
        )
        for phases in (
            "rng.integers(8, size=n) * (np.pi / 4)",
            "rng.integers(3, size=n) * (2 * np.pi / 3)",
            "rng.choice([np.pi / 8, 3 * np.pi / 8], size=n)",
            "np.array([int(5 * rng.random()) for _ in range(n)]) * 1.2 * np.pi",
            "np.pi / 4 * (rng.random(n) < 0.5) + np.pi / 2 * (rng.random(n) < 0.5) - 1.0",
        )
    ],
)
