"""Wrong solutions of assignment 1 with the marks that each must lose, and right ones, unlike ours, that lose none."""

from textwrap import dedent


def _code(**answers):
    return {name: dedent(source).strip() + "\n" for name, source in answers.items()}


WRONG = {
    "length scale multiplied": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return rng.standard_normal((n, len(length_scale))) * length_scale
        """), {"gaussian-kernel": 3}),
    "one length scale for all coordinates": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return rng.standard_normal((n, len(length_scale))) / length_scale.mean()
        """), {"gaussian-kernel": 3}),
    "variance for a standard deviation": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return rng.standard_normal((n, len(length_scale))) / length_scale**2
        """), {"gaussian-kernel": 3}),
    "one frequency for all": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return np.tile(rng.standard_normal(len(length_scale)) / length_scale, (n, 1))
        """), {"gaussian-kernel": 3}),
    # right along the axes: e^{-|delta|_2} and e^{-|delta|_1} agree there
    "radial Cauchy law for a product kernel": (_code(laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            d = len(length_scale)
            return rng.standard_normal((n, d)) / np.abs(rng.standard_normal((n, 1))) / length_scale
        """), {"laplacian-corner": 2}),
    "Laplace law for the Laplacian": (_code(laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            return rng.laplace(size=(n, len(length_scale))) / length_scale
        """), {"laplacian-axes": 1, "laplacian-corner": 2}),
    "one chi-square per coordinate": (_code(matern="""
        def matern_frequencies(n, d, nu, rng):
            return rng.standard_normal((n, d)) * np.sqrt(2 * nu / rng.chisquare(2 * nu, size=(n, d)))
        """), {"matern-corner": 2}),
    "half the degrees of freedom": (_code(matern="""
        def matern_frequencies(n, d, nu, rng):
            return rng.standard_normal((n, d)) * np.sqrt(nu / rng.chisquare(nu, size=(n, 1)))
        """), {"matern-axes": 1, "matern-corner": 2}),
    "missing sqrt 2": (_code(offset="""
        def offset_map(X, W, rng):
            b = rng.uniform(0, 2 * np.pi, W.shape[1])
            return np.cos(X @ W + b) / np.sqrt(W.shape[1])
        """), {"offset-unbiased": 3, "offset-amplitude": 2}),
    # 2b goes all the way round, so that the law of every estimate is right
    "phase in [0, pi]": (_code(offset="""
        def offset_map(X, W, rng):
            b = rng.uniform(0, np.pi, W.shape[1])
            return np.sqrt(2 / W.shape[1]) * np.cos(X @ W + b)
        """), {"offset-phases": 2}),
    "no phase": (_code(offset="""
        def offset_map(X, W, rng):
            return np.sqrt(2 / W.shape[1]) * np.cos(X @ W)
        """), {"offset-unbiased": 3, "offset-phases": 2}),
    "one phase for all": (_code(offset="""
        def offset_map(X, W, rng):
            return np.sqrt(2 / W.shape[1]) * np.cos(X @ W + rng.uniform(0, 2 * np.pi))
        """), {"offset-unbiased": 3, "offset-phases": 2}),
    # the bias of rows of length one is of order 1/D, below what the check of the mean can see at D = 50,000
    "rows scaled to length one": (_code(offset="""
        def offset_map(X, W, rng):
            Z = np.cos(X @ W + rng.uniform(0, 2 * np.pi, W.shape[1]))
            return Z / np.linalg.norm(Z, axis=1, keepdims=True)
        """), {"offset-amplitude": 2}),
    "phases drawn anew for each row": (_code(offset="""
        def offset_map(X, W, rng):
            T = X @ W
            return np.sqrt(2 / W.shape[1]) * np.cos(T + rng.uniform(0, 2 * np.pi, T.shape))
        """), {"offset-unbiased": 3, "offset-amplitude": 2}),
    "biased normalisation": (_code(paired="""
        def paired_map(X, W):
            return np.hstack([np.cos(X @ W), np.sin(X @ W)]) / np.sqrt(2 * W.shape[1])
        """), {"paired-diagonal": 2}),
    "cosines alone, twice": (_code(paired="""
        def paired_map(X, W):
            return np.hstack([np.cos(X @ W), np.cos(X @ W)]) / np.sqrt(W.shape[1])
        """), {"paired-diagonal": 2, "paired-translation": 2}),
    "points without weights that sum to a negative form": (_code(witness="""
        def flat_witness():
            return np.array([0.0, 1.0]), np.array([1.0, -1.0])
        """), {"witness-negative": 3}),
    # exactly zero up to rounding: two points at one place
    "rounding for a counterexample": (_code(witness="""
        def flat_witness():
            return np.array([0.1, 0.1]), np.array([1.0, -1.0])
        """), {"witness-negative": 3}),
    "diagonal set to one": (_code(estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            W = kernel.sample_frequencies(n_components, X.shape[1], rng).T
            Z = np.sqrt(2 / n_components) * np.cos(X @ W + rng.uniform(0, 2 * np.pi, n_components))
            K = Z @ Z.T
            np.fill_diagonal(K, 1.0)
            return K
        """), {"estimate-psd": 2}),
    "two draws": (_code(estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            def features():
                W = kernel.sample_frequencies(n_components, X.shape[1], rng).T
                return np.sqrt(2 / n_components) * np.cos(X @ W + rng.uniform(0, 2 * np.pi, n_components))
            return features() @ features().T
        """), {"estimate-psd": 2, "estimate-mean": 2}),
    "wrong spectrum": (_code(estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            T = X @ rng.standard_normal((X.shape[1], n_components // 2))
            Z = np.hstack([np.cos(T), np.sin(T)]) / np.sqrt(T.shape[1])
            return Z @ Z.T
        """), {"estimate-mean": 2}),
    "one frequency for the estimate": (_code(estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            T = X @ np.tile(kernel.sample_frequencies(1, X.shape[1], rng).T, n_components // 2)
            Z = np.hstack([np.cos(T), np.sin(T)]) / np.sqrt(T.shape[1])
            return Z @ Z.T
        """), {"estimate-mean": 2}),
    "wrong ridge scaling, primal": (_code(primal="""
        def ridge_primal(Z, y, alpha):
            return np.linalg.solve(Z.T @ Z + len(y) * alpha * np.eye(Z.shape[1]), Z.T @ y)
        """), {"primal-residual": 3}),
    "wrong ridge scaling, dual": (_code(dual="""
        def ridge_dual(K, y, alpha):
            return np.linalg.solve(K + len(y) * alpha * np.eye(len(y)), y)
        """), {"dual-equals-primal": 3}),
    "no ridge": (_code(primal="""
        def ridge_primal(Z, y, alpha):
            return np.linalg.lstsq(Z, y, rcond=None)[0]
        """), {"primal-residual": 3}),
    "penalised constant": (_code(intercept="""
        def ridge_intercept(Z, y, alpha):
            A = np.c_[Z, np.ones(len(y))]
            both = np.linalg.solve(A.T @ A + alpha * np.eye(A.shape[1]), A.T @ y)
            return both[:-1], both[-1]
        """), {"intercept-beta": 2, "intercept-mean": 2}),
    "constant without the mean of the features": (_code(intercept="""
        def ridge_intercept(Z, y, alpha):
            A = Z - Z.mean(axis=0)
            return np.linalg.solve(A.T @ A + alpha * np.eye(Z.shape[1]), A.T @ y), y.mean()
        """), {"intercept-mean": 2}),
    "constant added afterwards": (_code(intercept="""
        def ridge_intercept(Z, y, alpha):
            beta = np.linalg.solve(Z.T @ Z + alpha * np.eye(Z.shape[1]), Z.T @ y)
            return beta, np.mean(y - Z @ beta)
        """), {"intercept-beta": 2}),
    "D frequencies for the pair": (_code(variances="""
        def variances(k_delta, k_2delta, n_components):
            wave = (1 + k_2delta) / 2 - k_delta**2
            return wave / n_components, (wave + 0.5) / n_components
        """), {"variance-paired": 2}),
    "no noise from the phase": (_code(variances="""
        def variances(k_delta, k_2delta, n_components):
            wave = (1 + k_2delta) / 2 - k_delta**2
            return 2 * wave / n_components, wave / n_components
        """), {"variance-offset": 2}),
    "boundedness for continuity": (_code(missing="""
        def missing_hypothesis():
            return "bounded"
        """), {"missing-hypothesis": 1}),
    "fair coin of 0 and pi": (_code(phases="""
        def few_phases(n, rng):
            return rng.choice([0.0, np.pi], size=n)
        """), {"phases-unbiased": 2}),
    "phases of the textbook": (_code(phases="""
        def few_phases(n, rng):
            return rng.uniform(0, 2 * np.pi, n)
        """), {"phases-few": 1}),
}


RIGHT = {
    "loops and other formulas": _code(
        gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return np.stack([rng.normal(0.0, 1 / scale, n) for scale in length_scale], axis=1)
        """,
        # a Cauchy variable is the tangent of a uniform angle
        laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            return np.tan(np.pi * (rng.random((n, length_scale.size)) - 0.5)) / length_scale
        """,
        matern="""
        def matern_frequencies(n, d, nu, rng):
            gamma = rng.gamma(shape=nu, scale=1 / nu, size=n)
            return (rng.standard_normal((d, n)) / np.sqrt(gamma)).T
        """,
        # any full turn will do, and a sine is a cosine a quarter later
        offset="""
        def offset_map(X, W, rng):
            D = W.shape[1]
            b = rng.uniform(-np.pi, np.pi, size=D)
            return (2 / D) ** 0.5 * np.sin(X.dot(W) + b[None, :])
        """,
        # interleaved columns are as good
        paired="""
        def paired_map(X, W):
            waves = np.exp(1j * (X @ W)) / np.sqrt(W.shape[1])
            Z = np.empty((len(X), 2 * W.shape[1]))
            Z[:, 0::2], Z[:, 1::2] = waves.real, waves.imag
            return Z
        """,
    ),
    "the offset map and triangular solves": _code(
        witness="""
        def flat_witness():
            x = np.linspace(-3, 3, 61)
            values, vectors = np.linalg.eigh(1 / (1 + np.subtract.outer(x, x) ** 4))
            return x, vectors[:, 0]
        """,
        estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            W = kernel.sample_frequencies(n_components, X.shape[1], rng).T
            b = rng.uniform(0, 2 * np.pi, n_components)
            Z = np.sqrt(2 / n_components) * np.cos(X @ W + b)
            return Z @ Z.T
        """,
        primal="""
        def ridge_primal(Z, y, alpha):
            U, s, Vt = np.linalg.svd(Z, full_matrices=False)
            return Vt.T @ (s / (s**2 + alpha) * (U.T @ y))
        """,
        dual="""
        def ridge_dual(K, y, alpha):
            values, vectors = np.linalg.eigh(K)
            return vectors @ ((vectors.T @ y) / (np.maximum(values, 0) + alpha))
        """,
        intercept="""
        def ridge_intercept(Z, y, alpha):
            D = Z.shape[1]
            A = np.c_[Z, np.ones(len(y))]
            penalty = alpha * np.eye(D + 1)
            penalty[-1, -1] = 0
            both = np.linalg.solve(A.T @ A + penalty, A.T @ y)
            return both[:D], both[D]
        """,
    ),
    "other words and phases": _code(
        variances="""
        def variances(k_delta, k_2delta, n_components):
            return [(1 + k_2delta - 2 * k_delta**2) / n_components, (1 + k_2delta / 2 - k_delta**2) / n_components]
        """,
        missing="""
        def missing_hypothesis():
            return "Continuous at 0"
        """,
        # a single value is a law too: cos(2 pi / 4) = 0
        phases="""
        def few_phases(n, rng):
            return np.full(n, np.pi / 4)
        """,
        estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            W = kernel.sample_frequencies(n_components // 2, X.shape[1], rng)
            return np.cos((X[:, None] - X[None]) @ W.T).mean(axis=2)
        """,
    ),
}
