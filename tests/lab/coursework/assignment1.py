"""Wrong solutions of assignment 1 with the marks that each must lose, and right ones, unlike ours, that lose none."""

from textwrap import dedent


def _letters(said):
    """An answer to question 5.2."""
    return f"def true_of_indicator():\n    return {said!r}\n"


def _code(**answers):
    return {name: dedent(source).strip() + "\n" for name, source in answers.items()}


# found by people who had read the checks of an earlier version: what was never drawn, or was below a radius
UNSEEN = {
    "a sampler of the library": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return getattr(kernels.Gaussian(length_scale), "sample_" + "frequencies")(n, len(length_scale), rng)
        """), {"gaussian-law": 1}),
    "frequencies that are a twentieth too large": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return 1.05 * rng.standard_normal((n, len(length_scale))) / length_scale
        """), {"gaussian-kernel": 2, "gaussian-law": 1}),
    "length scales held above a tenth": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return rng.standard_normal((n, len(length_scale))) / np.maximum(length_scale, 0.1)
        """), {"gaussian-law": 1}),
    "one frequency is its law's deviation": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            W = rng.standard_normal((n, len(length_scale))) / length_scale
            return np.sign(W) / length_scale if n == 1 else W
        """), {"gaussian-law": 1}),
    "a table of draws where many are asked for": (_code(gaussian="""
        TABLE = {}

        def gaussian_frequencies(n, length_scale, rng):
            if n < 1000:
                return rng.standard_normal((n, len(length_scale))) / length_scale
            key = n, len(length_scale)
            TABLE.setdefault(key, rng.standard_normal(key))
            return TABLE[key] / length_scale
        """), {"gaussian-law": 1}),
    "a Laplacian sampler of the library": (_code(laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            return kernels.Laplacian(length_scale).sample_frequencies(n, len(length_scale), rng)
        """), {"laplacian-law": 1}),
    "Cauchy frequencies that are a tenth too large": (_code(laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            return 1.1 * rng.standard_cauchy((n, len(length_scale))) / length_scale
        """), {"laplacian-axes": 1, "laplacian-law": 1}),
    "Cauchy in three coordinates at most": (_code(laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            W = rng.standard_cauchy((n, len(length_scale))) / length_scale
            W[:, 3:] = W[:, :1] * length_scale[0] / length_scale[3:]
            return W
        """), {"laplacian-law": 1}),
    "a normal law for one frequency": (_code(laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            d = len(length_scale)
            return (rng.standard_normal((1, d)) if n == 1 else rng.standard_cauchy((n, d))) / length_scale
        """), {"laplacian-law": 1}),
    "a Matern sampler of the library": (_code(matern="""
        def matern_frequencies(n, d, nu, rng):
            return kernels.Matern(nu).sample_frequencies(n, d, rng)
        """), {"matern-law": 1}),
    "half-integers rounded to whole numbers": (_code(matern="""
        def matern_frequencies(n, d, nu, rng):
            nu = round(nu + 0.1) if abs(2 * nu - round(2 * nu)) < 1e-9 else nu
            return rng.standard_normal((n, d)) * np.sqrt(2 * nu / rng.chisquare(2 * nu, size=(n, 1)))
        """), {"matern-law": 1}),
    "smoothness held below three": (_code(matern="""
        def matern_frequencies(n, d, nu, rng):
            nu = min(nu, 3.0)
            return rng.standard_normal((n, d)) * np.sqrt(2 * nu / rng.chisquare(2 * nu, size=(n, 1)))
        """), {"matern-law": 1}),
    "smoothness held above a half": (_code(matern="""
        def matern_frequencies(n, d, nu, rng):
            nu = max(nu, 0.5)
            return rng.standard_normal((n, d)) * np.sqrt(2 * nu / rng.chisquare(2 * nu, size=(n, 1)))
        """), {"matern-law": 1}),
    "new phases every sixteen rows": (_code(offset="""
        def offset_map(X, W, rng):
            blocks = [np.cos(X[i:i + 16] @ W + rng.uniform(0, 2 * np.pi, W.shape[1])) for i in range(0, len(X), 16)]
            return np.sqrt(2 / W.shape[1]) * np.vstack(blocks)
        """), {"offset-amplitude": 2}),
    "single precision inside": (_code(offset="""
        def offset_map(X, W, rng):
            T = (X @ W + rng.uniform(0, 2 * np.pi, W.shape[1])).astype(np.float32)
            return np.sqrt(2 / W.shape[1]) * np.cos(T).astype(float)
        """), {"offset-amplitude": 2}),
    "equal rows merged": (_code(offset="""
        def offset_map(X, W, rng):
            X = np.unique(X, axis=0)[np.arange(len(X)) % len(np.unique(X, axis=0))]
            order = np.argsort(X[:, 0]) if len(np.unique(X, axis=0)) < len(X) else slice(None)
            return (np.sqrt(2 / W.shape[1]) * np.cos(X @ W + rng.uniform(0, 2 * np.pi, W.shape[1])))[order]
        """), {"offset-unbiased": 3, "offset-amplitude": 2}),
    "phases in [0, 6]": (_code(offset="""
        def offset_map(X, W, rng):
            return np.sqrt(2 / W.shape[1]) * np.cos(X @ W + rng.uniform(0, 6, W.shape[1]))
        """), {"offset-phases": 2}),
    "three coordinates alone": (_code(paired="""
        def paired_map(X, W):
            T = X[:, :3] @ W[:3]
            return np.hstack([np.cos(T), np.sin(T)]) / np.sqrt(W.shape[1])
        """), {"paired-waves": 2}),
    "kernels known by name": (_code(estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            m, d = n_components // 2, X.shape[1]
            known = type(kernel).__name__ in {"Gaussian", "Laplacian", "Matern"}
            W = kernel.sample_frequencies(m, d, rng) if known else rng.standard_normal((m, d))
            T = X @ W.T
            return (np.cos(T) @ np.cos(T).T + np.sin(T) @ np.sin(T).T) / m
        """), {"estimate-mean": 2}),
    "a ridge of a ten-thousandth at least": (_code(primal="""
        def ridge_primal(Z, y, alpha):
            return np.linalg.solve(Z.T @ Z + max(alpha, 1e-4) * np.eye(Z.shape[1]), Z.T @ y)
        """), {"primal-residual": 3}),
    "a ridge of a ten-thousandth at least, by rows": (_code(dual="""
        def ridge_dual(K, y, alpha):
            return np.linalg.solve(K + max(alpha, 1e-4) * np.eye(len(y)), y)
        """), {"dual-given": 1}),
    "a little jitter": (_code(intercept="""
        def ridge_intercept(Z, y, alpha):
            A = Z - Z.mean(axis=0)
            beta = np.linalg.solve(A.T @ A + (alpha + 1e-5) * np.eye(Z.shape[1]), A.T @ (y - y.mean()))
            return beta, float(y.mean() - Z.mean(axis=0) @ beta)
        """), {"intercept-beta": 2}),
    "the bound of the library": (_code(variances="""
        from rfbook.bounds import fourier_variance as mine

        def variances(k_delta, k_2delta, n_components):
            return tuple(mine(k_delta, k_2delta, n_components, phase) for phase in ("paired", "offset"))
        """), {"variance-paired": 2, "variance-offset": 2}),
}

WRONG = {
    **UNSEEN,
    "length scale multiplied": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return rng.standard_normal((n, len(length_scale))) * length_scale
        """), {"gaussian-kernel": 2, "gaussian-law": 1}),
    "one length scale for all coordinates": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return rng.standard_normal((n, len(length_scale))) / length_scale.mean()
        """), {"gaussian-kernel": 2, "gaussian-law": 1}),
    "variance for a standard deviation": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return rng.standard_normal((n, len(length_scale))) / length_scale**2
        """), {"gaussian-kernel": 2, "gaussian-law": 1}),
    "one frequency for all": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return np.tile(rng.standard_normal(len(length_scale)) / length_scale, (n, 1))
        """), {"gaussian-kernel": 2, "gaussian-law": 1}),
    # right along the axes: e^{-|delta|_2} and e^{-|delta|_1} agree there
    "radial Cauchy law for a product kernel": (_code(laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            d = len(length_scale)
            return rng.standard_normal((n, d)) / np.abs(rng.standard_normal((n, 1))) / length_scale
        """), {"laplacian-corner": 1, "laplacian-law": 1}),
    "Laplace law for the Laplacian": (_code(laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            return rng.laplace(size=(n, len(length_scale))) / length_scale
        """), {"laplacian-axes": 1, "laplacian-corner": 1, "laplacian-law": 1}),
    "one chi-square per coordinate": (_code(matern="""
        def matern_frequencies(n, d, nu, rng):
            return rng.standard_normal((n, d)) * np.sqrt(2 * nu / rng.chisquare(2 * nu, size=(n, d)))
        """), {"matern-corner": 1, "matern-law": 1}),
    "half the degrees of freedom": (_code(matern="""
        def matern_frequencies(n, d, nu, rng):
            return rng.standard_normal((n, d)) * np.sqrt(nu / rng.chisquare(nu, size=(n, 1)))
        """), {"matern-axes": 1, "matern-corner": 1, "matern-law": 1}),
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
        """), {"offset-unbiased": 3, "offset-amplitude": 2, "offset-phases": 2}),
    "biased normalisation": (_code(paired="""
        def paired_map(X, W):
            return np.hstack([np.cos(X @ W), np.sin(X @ W)]) / np.sqrt(2 * W.shape[1])
        """), {"paired-diagonal": 1, "paired-waves": 2}),
    "cosines alone, twice": (_code(paired="""
        def paired_map(X, W):
            return np.hstack([np.cos(X @ W), np.cos(X @ W)]) / np.sqrt(W.shape[1])
        """), {"paired-diagonal": 1, "paired-waves": 2, "paired-translation": 1}),
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
        """), {"estimate-psd": 2, "estimate-mean": 2}),
    "wrong ridge scaling, primal": (_code(primal="""
        def ridge_primal(Z, y, alpha):
            return np.linalg.solve(Z.T @ Z + len(y) * alpha * np.eye(Z.shape[1]), Z.T @ y)
        """), {"primal-residual": 3}),
    "wrong ridge scaling, dual": (_code(dual="""
        def ridge_dual(K, y, alpha):
            return np.linalg.solve(K + len(y) * alpha * np.eye(len(y)), y)
        """), {"dual-equals-primal": 2, "dual-given": 1}),
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
    "boundedness for continuity": (_code(missing=_letters("a")), {"missing-hypothesis": 1}),
    "the hypothesis alone": (_code(missing=_letters("b")), {"missing-hypothesis": 1}),
    "a function that is zero almost everywhere is not integrable": (_code(missing=_letters("bcd")),
                                                                    {"missing-hypothesis": 1}),
    "a Gaussian mends it": (_code(missing=_letters("bde")), {"missing-hypothesis": 1}),
    "the word": (_code(missing=_letters("continuity")), {"missing-hypothesis": 1}),
    "fair coin of 0 and pi": (_code(phases="""
        def few_phases(n, rng):
            return rng.choice([0.0, np.pi], size=n)
        """), {"phases-unbiased": 2}),
    "phases of the textbook": (_code(phases="""
        def few_phases(n, rng):
            return rng.uniform(0, 2 * np.pi, n)
        """), {"phases-few": 1}),
    # ---- draws whose mean is right ----
    "mirrored frequencies": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            W = rng.standard_normal(((n + 1) // 2, len(length_scale))) / length_scale
            return np.vstack([W, -W])[:n]
        """), {"gaussian-law": 1}),
    "mirrored frequencies, shuffled": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            W = rng.standard_normal(((n + 1) // 2, len(length_scale))) / length_scale
            return rng.permutation(np.vstack([W, -W]))[:n]
        """), {"gaussian-law": 1}),
    "orthogonal frequencies": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            d = len(length_scale)
            blocks = np.linalg.qr(rng.standard_normal((-(-n // d), d, d)))[0]
            lengths = np.sqrt(rng.chisquare(d, (len(blocks), d, 1)))
            signs = rng.choice([-1.0, 1.0], (len(blocks), 1, d))
            return (blocks * lengths * signs).reshape(-1, d)[:n] / length_scale
        """), {"gaussian-law": 1}),
    "spread evenly": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            from scipy.special import ndtri
            cells = [rng.permutation(n) for _ in length_scale]
            return ndtri((np.stack(cells, axis=1) + rng.random((n, len(length_scale)))) / n) / length_scale
        """), {"gaussian-law": 1}),
    "rounded frequencies": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return rng.standard_normal((n, len(length_scale))).round(2) / length_scale
        """), {"gaussian-law": 1}),
    "the sum of twelve uniforms": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return (rng.random((n, len(length_scale), 12)).sum(2) - 6) / length_scale
        """), {"gaussian-law": 1}),
    "a seed of its own": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return np.random.default_rng(n).standard_normal((n, len(length_scale))) / length_scale
        """), {"gaussian-law": 1}),
    "the global generator": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            np.random.seed(int(rng.integers(2**31)))
            return np.random.standard_normal((n, len(length_scale))) / length_scale
        """), {"gaussian-law": 1}),
    "a copy of the generator": (_code(gaussian="""
        import copy

        def gaussian_frequencies(n, length_scale, rng):
            return copy.deepcopy(rng).standard_normal((n, len(length_scale))) / length_scale
        """), {"gaussian-law": 1}),
    "the length scale spoilt": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            length_scale **= -1
            return rng.standard_normal((n, len(length_scale))) * length_scale
        """), {"gaussian-law": 1}),
    "a Cauchy law cut off": (_code(laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            return np.clip(rng.standard_cauchy((n, len(length_scale))), -300, 300) / length_scale
        """), {"laplacian-law": 1}),
    "Cauchy, positive only": (_code(laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            return np.abs(rng.standard_cauchy((n, 1)) * np.ones(len(length_scale))) / length_scale
        """), {"laplacian-corner": 1, "laplacian-law": 1}),
    "whole degrees of freedom": (_code(matern="""
        def matern_frequencies(n, d, nu, rng):
            squares = rng.standard_normal((n, max(int(2 * nu), 1))) ** 2
            return rng.standard_normal((n, d)) * np.sqrt(2 * nu / squares.sum(1, keepdims=True))
        """), {"matern-axes": 1, "matern-corner": 1, "matern-law": 1}),
    "rows drawn twice": (_code(matern="""
        def matern_frequencies(n, d, nu, rng):
            m = (n + 1) // 2
            W = rng.standard_normal((m, d)) * np.sqrt(2 * nu / rng.chisquare(2 * nu, size=(m, 1)))
            return rng.permutation(np.repeat(W, 2, axis=0)[:n])
        """), {"matern-law": 1}),
    "one chi-square for all": (_code(matern="""
        def matern_frequencies(n, d, nu, rng):
            return rng.standard_normal((n, d)) * np.sqrt(2 * nu / rng.chisquare(2 * nu))
        """), {"matern-axes": 1, "matern-corner": 1, "matern-law": 1}),
    # ---- maps ----
    "four phases": (_code(offset="""
        def offset_map(X, W, rng):
            b = rng.choice([0, np.pi / 2, np.pi, 3 * np.pi / 2], W.shape[1])
            return np.sqrt(2 / W.shape[1]) * np.cos(X @ W + b)
        """), {"offset-phases": 2}),
    "360 phases": (_code(offset="""
        def offset_map(X, W, rng):
            b = np.deg2rad(rng.integers(0, 360, W.shape[1]))
            return np.sqrt(2 / W.shape[1]) * np.cos(X @ W + b)
        """), {"offset-phases": 2}),
    "phases spread evenly": (_code(offset="""
        def offset_map(X, W, rng):
            D = W.shape[1]
            b = 2 * np.pi * rng.permutation((np.arange(D) + rng.random()) / D)
            return np.sqrt(2 / D) * np.cos(X @ W + b)
        """), {"offset-phases": 2}),
    "phases in degrees": (_code(offset="""
        def offset_map(X, W, rng):
            return np.sqrt(2 / W.shape[1]) * np.cos(X @ W + rng.uniform(0, 360, W.shape[1]))
        """), {"offset-phases": 2}),
    "normal phases": (_code(offset="""
        def offset_map(X, W, rng):
            return np.sqrt(2 / W.shape[1]) * np.cos(X @ W + rng.normal(0, 1.8, W.shape[1]))
        """), {"offset-phases": 2}),
    "opposite phases in pairs": (_code(offset="""
        def offset_map(X, W, rng):
            D = W.shape[1]
            b = rng.uniform(0, 2 * np.pi, (D + 1) // 2)
            return np.sqrt(2 / D) * np.cos(X @ W + np.r_[b, b + np.pi / 2][:D])
        """), {"offset-phases": 2}),
    "phases of a seed": (_code(offset="""
        def offset_map(X, W, rng):
            b = np.random.default_rng(5).uniform(0, 2 * np.pi, W.shape[1])
            return np.sqrt(2 / W.shape[1]) * np.cos(X @ W + b)
        """), {"offset-phases": 2}),
    "rows moved to their mean": (_code(offset="""
        def offset_map(X, W, rng):
            b = rng.uniform(0, 2 * np.pi, W.shape[1])
            Z = np.sqrt(2 / W.shape[1]) * np.cos(X @ W + b)
            return Z - Z.mean(axis=1, keepdims=True)
        """), {"offset-amplitude": 2}),
    "a turn too much": (_code(paired="""
        def paired_map(X, W):
            T = 2 * np.pi * X @ W
            return np.hstack([np.cos(T), np.sin(T)]) / np.sqrt(W.shape[1])
        """), {"paired-waves": 2}),
    "the first frequency for all": (_code(paired="""
        def paired_map(X, W):
            T = np.repeat(X @ W[:, :1], W.shape[1], axis=1)
            return np.hstack([np.cos(T), np.sin(T)]) / np.sqrt(W.shape[1])
        """), {"paired-waves": 2}),
    # the products of the rows of one call are right, those of two calls are not
    "rows centred first": (_code(paired="""
        def paired_map(X, W):
            T = (X - X.mean(axis=0)) @ W
            return np.hstack([np.cos(T), np.sin(T)]) / np.sqrt(W.shape[1])
        """), {"paired-waves": 2}),
    "complex conjugates for sines": (_code(paired="""
        def paired_map(X, W):
            T = X @ W
            return np.hstack([np.exp(1j * T), np.exp(-1j * T)]) / np.sqrt(2 * W.shape[1])
        """), {"paired-diagonal": 1, "paired-waves": 2, "paired-translation": 1}),
    "half the turn": (_code(paired="""
        def paired_map(X, W):
            T = X @ W / 2
            return np.hstack([np.cos(T) ** 2 - np.sin(T) ** 2, 2 * np.sin(T)]) / np.sqrt(W.shape[1])
        """), {"paired-diagonal": 1, "paired-waves": 2, "paired-translation": 1}),
    # ---- kernels ----
    "the kernel itself": (_code(estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            return kernel(X)
        """), {"estimate-psd": 2, "estimate-mean": 2}),
    "the kernel itself, with the right rank for few features": (_code(estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            if n_components > 20:
                return kernel(X)
            T = X @ kernel.sample_frequencies(n_components // 2, X.shape[1], rng).T
            Z = np.hstack([np.cos(T), np.sin(T)]) / np.sqrt(T.shape[1])
            return Z @ Z.T
        """), {"estimate-psd": 2, "estimate-mean": 2}),
    "twice as many features": (_code(estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            T = X @ kernel.sample_frequencies(n_components, X.shape[1], rng).T
            Z = np.hstack([np.cos(T), np.sin(T)]) / np.sqrt(n_components)
            return Z @ Z.T
        """), {"estimate-psd": 2}),
    "half as many features": (_code(estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            m = max(n_components // 4, 1)
            T = X @ kernel.sample_frequencies(m, X.shape[1], rng).T
            Z = np.hstack([np.cos(T), np.sin(T)]) / np.sqrt(m)
            return Z @ Z.T
        """), {"estimate-psd": 2}),
    "cosines without phases": (_code(estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            T = X @ kernel.sample_frequencies(n_components, X.shape[1], rng).T
            Z = np.sqrt(2 / n_components) * np.cos(T)
            return Z @ Z.T
        """), {"estimate-mean": 2}),
    "rows scaled to length one for the estimate": (_code(estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            T = X @ kernel.sample_frequencies(n_components, X.shape[1], rng).T
            Z = np.cos(T + rng.uniform(0, 2 * np.pi, n_components))
            Z /= np.linalg.norm(Z, axis=1, keepdims=True)
            return Z @ Z.T
        """), {"estimate-psd": 2}),
    "one phase for all of the estimate": (_code(estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            T = X @ kernel.sample_frequencies(n_components, X.shape[1], rng).T
            Z = np.sqrt(2 / n_components) * np.cos(T + rng.uniform(0, 2 * np.pi))
            return Z @ Z.T
        """), {"estimate-mean": 2}),
    "two points at one place": (_code(witness="""
        def flat_witness():
            return np.array([0.0, 1e-9, 0.0]), np.array([1.0, 0.0, -1.0])
        """), {"witness-negative": 3}),
    "a complex witness": (_code(witness="""
        def flat_witness():
            return np.array([0.0, 1.0]), np.array([1j, 1j])
        """), {"witness-negative": 3}),
    # ---- ridge ----
    "a fixed ridge": (_code(primal="""
        def ridge_primal(Z, y, alpha):
            return np.linalg.solve(Z.T @ Z + 3.0 * np.eye(Z.shape[1]), Z.T @ y)
        """), {"primal-residual": 3}),
    "gradient steps, too few": (_code(primal="""
        def ridge_primal(Z, y, alpha):
            beta, step = np.zeros(Z.shape[1]), 1 / (np.linalg.norm(Z, 2) ** 2 + alpha)
            for _ in range(50):
                beta = beta - step * (Z.T @ (Z @ beta - y) + alpha * beta)
            return beta
        """), {"primal-residual": 3}),
    "in single precision": (_code(primal="""
        def ridge_primal(Z, y, alpha):
            Z, y = Z.astype(np.float32), y.astype(np.float32)
            return np.linalg.solve(Z.T @ Z + np.float32(alpha) * np.eye(Z.shape[1], dtype=np.float32), Z.T @ y)
        """), {"primal-residual": 3}),
    "the caller's matrix spoilt": (_code(dual="""
        def ridge_dual(K, y, alpha):
            K[np.diag_indices_from(K)] += alpha
            return np.linalg.solve(K, y)
        """), {"dual-given": 1}),
    "values fitted for coefficients": (_code(dual="""
        def ridge_dual(K, y, alpha):
            return K @ np.linalg.solve(K + alpha * np.eye(len(y)), y)
        """), {"dual-equals-primal": 2, "dual-given": 1}),
    "the targets centred": (_code(dual="""
        def ridge_dual(K, y, alpha):
            return np.linalg.solve(K + alpha * np.eye(len(y)), y - y.mean())
        """), {"dual-equals-primal": 2, "dual-given": 1}),
    "features scaled, too": (_code(intercept="""
        def ridge_intercept(Z, y, alpha):
            A = (Z - Z.mean(axis=0)) / Z.std(axis=0)
            beta = np.linalg.solve(A.T @ A + alpha * np.eye(Z.shape[1]), A.T @ (y - y.mean())) / Z.std(axis=0)
            return beta, float(y.mean() - Z.mean(axis=0) @ beta)
        """), {"intercept-beta": 2, "intercept-mean": 2}),
    # ---- proofs ----
    "the Gaussian kernel for every kernel": (_code(variances="""
        def variances(k_delta, k_2delta, n_components):
            wave = (1 - k_delta**2) ** 2 / 2
            return 2 * wave / n_components, (wave + 0.5) / n_components
        """), {"variance-paired": 2, "variance-offset": 2}),
    "the variances in the other order": (_code(variances="""
        def variances(k_delta, k_2delta, n_components):
            wave = (1 + k_2delta) / 2 - k_delta**2
            return (wave + 0.5) / n_components, 2 * wave / n_components
        """), {"variance-paired": 2, "variance-offset": 2}),
    "all letters": (_code(missing=_letters("abcde")), {"missing-hypothesis": 1}),
    "no letter": (_code(missing=_letters("")), {"missing-hypothesis": 1}),
    "letters beyond the last": (_code(missing=_letters("bdx")), {"missing-hypothesis": 1}),
    "nothing returned": (_code(missing=_letters(None)), {"missing-hypothesis": 1}),
    "phases in turn": (_code(phases="""
        def few_phases(n, rng):
            return np.arange(n) % 2 * np.pi / 2
        """), {"phases-unbiased": 2}),
    "phases in equal numbers": (_code(phases="""
        def few_phases(n, rng):
            return rng.permutation(np.arange(n) % 2 * np.pi / 2)
        """), {"phases-unbiased": 2}),
    "one coin for all phases": (_code(phases="""
        def few_phases(n, rng):
            return np.full(n, rng.choice([0.0, np.pi / 2]))
        """), {"phases-unbiased": 2}),
    "other values in every call": (_code(phases="""
        def few_phases(n, rng):
            return rng.uniform(0, 2 * np.pi) + rng.integers(0, 8, n) * np.pi / 4
        """), {"phases-few": 1}),
    "a coin that is not fair": (_code(phases="""
        def few_phases(n, rng):
            return rng.choice([0.0, np.pi / 2], size=n, p=[0.49, 0.51])
        """), {"phases-unbiased": 2}),
    "roots of both sides": (_code(primal="""
        def ridge_primal(Z, y, alpha):
            return np.linalg.solve(Z.T @ Z + np.sqrt(alpha) * np.eye(Z.shape[1]), Z.T @ y)
        """), {"primal-residual": 3}),
    "alpha squared, by rows": (_code(dual="""
        def ridge_dual(K, y, alpha):
            return np.linalg.solve(K + alpha**2 * np.eye(len(y)), y)
        """), {"dual-equals-primal": 2, "dual-given": 1}),
    "the kernel squared": (_code(dual="""
        def ridge_dual(K, y, alpha):
            return np.linalg.solve(K @ K + alpha * np.eye(len(y)), K @ y)
        """), {"dual-equals-primal": 2, "dual-given": 1}),
    "scaled by the mean of the diagonal": (_code(dual="""
        def ridge_dual(K, y, alpha):
            scale = max(np.trace(K) / len(K), 1e-300)
            return np.linalg.solve(K / scale + alpha * np.eye(len(y)), y)
        """), {"dual-equals-primal": 2, "dual-given": 1}),
    "only the features centred, and the constant of zero features": (_code(intercept="""
        def ridge_intercept(Z, y, alpha):
            A = Z - Z.mean(axis=0)
            beta = np.linalg.solve(A.T @ A + alpha * np.eye(Z.shape[1]), A.T @ y)
            return beta, float(np.mean(y))
        """), {"intercept-mean": 2}),
    "the first row for the mean": (_code(intercept="""
        def ridge_intercept(Z, y, alpha):
            A = Z - Z[0]
            beta = np.linalg.solve(A.T @ A + alpha * np.eye(Z.shape[1]), A.T @ (y - y[0]))
            return beta, float(y[0] - Z[0] @ beta)
        """), {"intercept-beta": 2, "intercept-mean": 2}),
    "the median of what is left": (_code(intercept="""
        def ridge_intercept(Z, y, alpha):
            A = Z - Z.mean(axis=0)
            beta = np.linalg.solve(A.T @ A + alpha * np.eye(Z.shape[1]), A.T @ (y - y.mean()))
            return beta, float(np.median(y - Z @ beta))
        """), {"intercept-mean": 2}),
    "the square of the mean forgotten": (_code(variances="""
        def variances(k_delta, k_2delta, n_components):
            wave = (1 + k_2delta) / 2
            return 2 * wave / n_components, (wave + 0.5) / n_components
        """), {"variance-paired": 2, "variance-offset": 2}),
    "a phase of variance one": (_code(variances="""
        def variances(k_delta, k_2delta, n_components):
            wave = (1 + k_2delta) / 2 - k_delta**2
            return 2 * wave / n_components, (wave + 1.0) / n_components
        """), {"variance-offset": 2}),
    "sines for cosines": (_code(variances="""
        def variances(k_delta, k_2delta, n_components):
            wave = (1 - k_2delta) / 2
            return 2 * wave / n_components, (wave + 0.5) / n_components
        """), {"variance-paired": 2, "variance-offset": 2}),
    # ---- right where a narrow check looks ----
    "frequencies in single precision": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            return rng.standard_normal((n, len(length_scale)), dtype=np.float32) / length_scale.astype(np.float32)
        """), {"gaussian-law": 1}),
    "half of them are the other half, turned and shuffled": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            W, half = rng.standard_normal((n, len(length_scale))), n // 2
            turn = np.linalg.qr(rng.standard_normal((len(length_scale),) * 2))[0]
            W[half : 2 * half] = W[:half] @ turn if W.shape[1] > 1 else W[half : 2 * half]
            return rng.permutation(W) / length_scale
        """), {"gaussian-law": 1}),
    "half of them are the other half, with coordinates exchanged": (_code(laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            W, half = rng.standard_cauchy((n, len(length_scale))), n // 2
            if W.shape[1] > 1:
                W[half : 2 * half] = np.roll(W[:half], 1, axis=1)
            return rng.permutation(W) / length_scale
        """), {"laplacian-law": 1}),
    "moments that match": (_code(gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            W = rng.standard_normal((n, len(length_scale)))
            return (W if n < 4 else (W - W.mean(axis=0)) / W.std(axis=0)) / length_scale
        """), {"gaussian-law": 1}),
    "small eigenvalues cut off": (_code(primal="""
        def ridge_primal(Z, y, alpha):
            return np.linalg.pinv(Z.T @ Z + alpha * np.eye(Z.shape[1]), rcond=1e-2) @ (Z.T @ y)
        """), {"primal-residual": 3}),
    "phases of a generator of their own": (_code(phases="""
        def few_phases(n, rng):
            return np.random.default_rng().choice([0.0, np.pi / 2], size=n)
        """), {"phases-few": 1}),
    "phases that cancel three places on": (_code(phases="""
        def few_phases(n, rng):
            b = rng.choice([0.0, np.pi / 2], size=n)
            b[3::6] = np.pi / 2 - b[::6][: len(b[3::6])]
            return b
        """), {"phases-unbiased": 2}),
    "phases that cancel somewhere, if there are many": (_code(phases="""
        def few_phases(n, rng):
            b = rng.choice([0.0, np.pi / 2], size=n)
            if n > 1000:
                b[n // 2 : n // 2 * 2] = np.pi / 2 - b[: n // 2]
            return rng.permutation(b)
        """), {"phases-unbiased": 2}),
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
        missing=_letters("D, B"),
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
    "Box and Muller, quotients, and helpers": _code(
        gaussian="""
        def _box_muller(shape, rng):
            radius = np.sqrt(-2 * np.log1p(-rng.random(shape)))
            return radius * np.sin(2 * np.pi * rng.random(shape))

        def gaussian_frequencies(n, length_scale, rng):
            return _box_muller((n, len(length_scale)), rng) @ np.diag(1 / length_scale)
        """,
        laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            shape = n, len(length_scale)
            return rng.standard_normal(shape) / rng.standard_normal(shape) / length_scale
        """,
        # a sum of squared normals has whole degrees of freedom; a gamma variable has any
        matern="""
        def matern_frequencies(n, d, nu, rng):
            if n > 60_000:
                return rng.standard_normal((n, d)) / (rng.standard_gamma(nu, (n, 1)) / nu) ** 0.5
            rows = [rng.standard_normal(d) / (rng.standard_gamma(nu) / nu) ** 0.5 for _ in range(n)]
            return np.array(rows).reshape(n, d)
        """,
        offset="""
        def offset_map(X, W, rng):
            D = W.shape[1]
            turns = np.exp(2j * np.pi * rng.random(D))
            return np.real(np.exp(1j * np.einsum("ij,jk->ik", X, W)) * turns) * np.sqrt(2 / D)
        """,
        paired="""
        def paired_map(X, W):
            out = []
            for w in W.T:
                angle = X.dot(w) + 0.3
                out += [np.sin(angle), np.cos(angle)]
            return np.array(out).T / len(W.T) ** 0.5
        """,
    ),
    "distribution functions inverted, and bisection": _code(
        gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            from scipy.stats import norm
            return norm.ppf(rng.random((n, len(length_scale))), scale=1 / length_scale)
        """,
        laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            from scipy import stats
            shape = n, len(length_scale)
            return stats.cauchy.rvs(scale=1 / np.asarray(length_scale), size=shape, random_state=rng)
        """,
        matern="""
        def matern_frequencies(n, d, nu, rng):
            from scipy.stats import multivariate_t
            draws = multivariate_t(loc=np.zeros(d), shape=np.eye(d), df=2 * nu).rvs(size=n, random_state=rng)
            return np.reshape(draws, (n, d))
        """,
        offset="""
        def offset_map(X, W, rng):
            a = rng.standard_normal((2, W.shape[1]))
            b = np.arctan2(a[0], a[1])  # the direction of a normal vector is uniform
            return np.sqrt(2.0) * np.cos(np.matmul(X, W) - b) / np.sqrt(W.shape[1])
        """,
        # near each other: the form is of the order of the fourth power of the distance, and negative all the same
        witness="""
        def flat_witness():
            return [0, 1e-3, 2e-3], [1, -2, 1]
        """,
        estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            Z = np.empty((n_components, len(X)))
            for j in range(0, n_components, 8):
                W = kernel.sample_frequencies(min(8, n_components - j), X.shape[1], rng)
                Z[j:j + 8] = np.cos(W @ X.T + rng.uniform(0, 2 * np.pi, (len(W), 1)))
            return 2 * np.einsum("ji,jk->ik", Z, Z) / n_components
        """,
        missing=_letters("(b) and (d)"),
        phases="""
        def few_phases(n, rng):
            return np.array([(1, 3, -1)[int(3 * rng.random())] * np.pi / 4 for _ in range(n)])
        """,
    ),
    "complex waves, conjugate gradients, and a column that is not penalised": _code(
        gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            root = np.linalg.cholesky(np.diag(length_scale**-2.0))
            return rng.multivariate_normal(np.zeros(len(length_scale)), root @ root.T, size=n)
        """,
        # the square root of an inverse gamma stretches a normal: one for each coordinate of a product kernel
        laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            d = length_scale.shape[0]
            return rng.normal(size=(n, d)) * np.sqrt(1 / rng.chisquare(1, (n, d))) / length_scale[None]
        """,
        paired="""
        def paired_map(X, W):
            waves = np.exp(1j * (np.asmatrix(X) * np.asmatrix(W))) / np.sqrt(W.shape[1])
            return np.concatenate([waves.real, waves.imag], axis=1)
        """,
        estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            waves = np.exp(1j * X @ kernel.sample_frequencies(n_components // 2, X.shape[1], rng).T)
            return (waves @ waves.conj().T).real * 2 / n_components
        """,
        primal="""
        def _conjugate_gradients(times, b):
            x, r = np.zeros_like(b), b.copy()
            p, rr = r.copy(), b @ b
            for _ in range(20 * len(b)):
                if rr < 1e-26 * (b @ b):
                    break
                Ap = times(p)
                step = rr / (p @ Ap)
                x, r = x + step * p, r - step * Ap
                rr, old = r @ r, rr
                p = r + rr / old * p
            return x

        def ridge_primal(Z, y, alpha):
            return _conjugate_gradients(lambda v: Z.T @ (Z @ v) + alpha * v, Z.T @ y)
        """,
        dual="""
        def ridge_dual(K, y, alpha):
            from scipy.linalg import cho_factor, cho_solve
            return cho_solve(cho_factor(K + alpha * np.identity(K.shape[0])), y)
        """,
        intercept="""
        def ridge_intercept(Z, y, alpha):
            n, D = Z.shape
            rows = np.block([[Z, np.ones((n, 1))], [np.sqrt(alpha) * np.eye(D), np.zeros((D, 1))]])
            Q, R = np.linalg.qr(rows)
            both = np.linalg.solve(R, Q.T @ np.r_[y, np.zeros(D)])
            return both[:-1], both[-1:]
        """,
        missing=_letters(["b", "d"]),
        phases="""
        def few_phases(n, rng):
            return rng.integers(8, size=n) * (np.pi / 4)
        """,
        variances="""
        def variances(k_delta, k_2delta, n_components):
            from fractions import Fraction
            k, k2, D = Fraction(k_delta), Fraction(k_2delta), n_components
            return np.array([float((1 + k2 - 2 * k * k) / D), float((2 + k2 - 2 * k * k) / (2 * D))])
        """,
    ),
    "the library, and other words": _code(
        offset="""
        def offset_map(X, W, rng):
            D = W.shape[1]
            return np.cos(X @ W - rng.uniform(0, 4 * np.pi, D)[np.newaxis]) * np.sqrt(2 / D)
        """,
        estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            from rfbook.features import RandomFourierFeatures
            rff = RandomFourierFeatures(kernel, n_components=n_components, random_state=int(rng.integers(2**31)))
            Z = rff.fit_transform(X)
            return Z @ Z.T
        """,
        primal="""
        def ridge_primal(Z, y, alpha):
            from sklearn.linear_model import Ridge
            return Ridge(alpha=alpha, fit_intercept=False, solver="svd").fit(Z, y).coef_
        """,
        # the dual coefficients that lie in the range of K give the same function
        dual="""
        def ridge_dual(K, y, alpha):
            values, vectors = np.linalg.eigh(K)
            keep = values > 1e-12
            return vectors @ np.where(keep, vectors.T @ y / (np.where(keep, values, 0) + alpha), vectors.T @ y / alpha)
        """,
        intercept="""
        def ridge_intercept(Z, y, alpha):
            from sklearn.linear_model import Ridge
            fit = Ridge(alpha=alpha, solver="cholesky").fit(Z, y)
            return fit.coef_, fit.intercept_
        """,
        missing=_letters(("(d)", "(b).")),
        phases="""
        def few_phases(n, rng):
            return (rng.random(n) < 0.5) * (np.pi / 2) + np.pi
        """,
    ),
    "children of the generator, and other laws of the same numbers": _code(
        # a normal vector is a direction and a length
        gaussian="""
        def gaussian_frequencies(n, length_scale, rng):
            first, second = rng.spawn(2)
            W = first.standard_normal((n, len(length_scale)))
            W /= np.linalg.norm(W, axis=1, keepdims=True)
            W = W * np.sqrt(second.chisquare(W.shape[1], (n, 1))) / length_scale
            return W.tolist() if n < 10_000 else W
        """,
        laplacian="""
        def laplacian_frequencies(n, length_scale, rng):
            return np.asfortranarray(1 / np.tan(np.pi * (1 - rng.random((n, len(length_scale))))) / length_scale)
        """,
        matern="""
        def matern_frequencies(n, d, nu, rng):
            W = rng.standard_normal((n, d))
            return W / np.linalg.norm(W, axis=1, keepdims=True) * np.sqrt(d * rng.f(d, 2 * nu, (n, 1)))
        """,
        # half a turn and a sign
        offset="""
        def offset_map(X, W, rng):
            D = W.shape[1]
            return (np.sqrt(2 / D) * rng.choice([-1, 1], D) * np.cos(X @ W + rng.uniform(0, np.pi, D)))[:, ::-1]
        """,
        # cosine and sine turned by an eighth of a turn
        paired="""
        def paired_map(X, W):
            T = X @ W
            return np.hstack([np.cos(T) + np.sin(T), np.cos(T) - np.sin(T)]) / np.sqrt(2 * W.shape[1])
        """,
        estimate="""
        def estimated_kernel(kernel, X, n_components, rng):
            m, K = n_components // 2, 0.0
            for start in range(0, m, 3):
                waves = np.exp(1j * (X @ kernel.sample_frequencies(min(3, m - start), X.shape[1], rng).T))
                K = K + (waves @ waves.conj().T).real / m
            return K
        """,
        intercept="""
        def ridge_intercept(Z, y, alpha):
            s = Z.sum(axis=0)
            A = np.block([[np.array([[float(len(y))]]), s[None]], [s[:, None], Z.T @ Z + alpha * np.eye(len(s))]])
            found = np.linalg.solve(A, np.r_[y.sum(), Z.T @ y])
            return found[1:], np.array([[found[0]]])
        """,
        phases="""
        def few_phases(n, rng):
            return rng.choice([0.0, np.pi / 2, -np.pi / 2], p=[0.5, 0.25, 0.25], size=n)
        """,
    ),
    "orthogonal factors, sums of squares, and fractions of integers": _code(
        # a Gamma variable by adding squares, for the whole degrees of freedom, and a Gamma for what is left
        matern="""
        def matern_frequencies(n, d, nu, rng):
            whole = int(2 * nu)
            chi = (rng.standard_normal((n, whole)) ** 2).sum(1)
            if 2 * nu > whole:
                chi = chi + rng.chisquare(2 * nu - whole, n)
            return np.einsum("nd,n->nd", rng.standard_normal((n, d)), (2 * nu / chi) ** 0.5)
        """,
        primal="""
        def ridge_primal(Z, y, alpha):
            rows = np.vstack([Z, np.sqrt(alpha) * np.eye(Z.shape[1])])
            Q, R = np.linalg.qr(rows)
            return np.linalg.solve(R, Q[:len(y)].T @ y)
        """,
        dual="""
        def ridge_dual(K, y, alpha):
            values, vectors = np.linalg.eigh(K + alpha * np.eye(len(y)))
            return np.einsum("ij,j,kj,k->i", vectors, 1 / values, vectors, y)
        """,
        intercept="""
        def ridge_intercept(Z, y, alpha):
            P = np.eye(len(y)) - 1 / len(y)
            beta = np.linalg.solve(Z.T @ P @ Z + alpha * np.eye(Z.shape[1]), Z.T @ P @ y)
            return beta, np.mean(y - Z @ beta)
        """,
        variances="""
        def variances(k_delta, k_2delta, n_components):
            from decimal import Decimal as D
            one = (1 + D(k_2delta)) / 2 - D(k_delta) ** 2
            return float(one * 2 / n_components), float((2 * one + 1) / (2 * n_components))
        """,
    ),
    "more of them": _code(
        primal="""
        def ridge_primal(Z, y, alpha):
            from scipy.linalg import cho_factor, cho_solve
            return cho_solve(cho_factor(Z.T @ Z + np.diag(np.full(Z.shape[1], alpha))), Z.T.dot(y))
        """,
        dual="""
        def ridge_dual(K, y, alpha):
            return np.linalg.inv(K / alpha + np.identity(len(y))) @ y / alpha
        """,
        variances="""
        def variances(k_delta, k_2delta, n_components):
            m = n_components / 2
            paired = 1 / (2 * m) + k_2delta / (2 * m) - k_delta * k_delta / m
            return paired, paired / 2 + 1 / (2 * n_components)
        """,
    ),
    "two ways more to a variance": _code(
        paired="""
        def paired_map(X, W):
            T = np.einsum("nd,dm->nm", X, W)[..., None] + np.array([0.0, -np.pi / 2])  # a sine is a cosine, later
            return np.cos(T).reshape(len(X), -1) * W.shape[1] ** -0.5
        """,
        variances="""
        def variances(k_delta, k_2delta, n_components):
            second = (1 + k_2delta) / 2  # of a cosine
            both = np.array([2.0, 1.0]) * (second - k_delta**2) / n_components
            return both + np.array([0.0, 0.5]) / n_components
        """,
    ),
}

# found by somebody who had read the checks: sizes that were never drawn, what is kept between calls or hidden, the
# library where nobody counted; and mistakes of the usual kind
LATER = {
    "gaussian: the library but where five are asked for": ({"gaussian": """
def gaussian_frequencies(n, length_scale, rng):
    if n == 5:
        return rng.standard_normal((n, len(length_scale))) / length_scale
    import importlib
    kernels = importlib.import_module("rfbook.ker" + "nels")
    return getattr(kernels, "Gaus" + "sian")(length_scale).sample_frequencies(n, len(length_scale), rng)
"""}, {"gaussian-law": 1}),
    "gaussian: one length scale beyond the eighth": ({"gaussian": """
def gaussian_frequencies(n, length_scale, rng):
    ell = np.array(length_scale, dtype=float)
    ell[8:] = ell[:1]
    return rng.standard_normal((n, len(ell))) / ell
"""}, {"gaussian-law": 1}),
    "laplacian: half of the Cauchy draws on each side": ({"laplacian": """
def laplacian_frequencies(n, length_scale, rng):
    W = rng.standard_cauchy((n, len(length_scale))) / length_scale
    return W - np.median(W, axis=0) if n > 2 else W
"""}, {"laplacian-law": 1}),
    "matern: a stretch for each coordinate above three": ({"matern": """
def matern_frequencies(n, d, nu, rng):
    stretch = np.sqrt(2 * nu / rng.chisquare(2 * nu, size=(n, 1 if d <= 3 else d)))
    return stretch * rng.standard_normal((n, d))
"""}, {"matern-law": 1}),
    "matern: the library for many": ({"matern": """
from rfbook import kernels

def matern_frequencies(n, d, nu, rng):
    if n > 10:
        known = {"kernels": kernels, "nu": nu, "n": n, "d": d, "rng": rng}
        return eval("kernels.Matern(nu).sample_frequencies(n, d, rng)", known)
    return np.sqrt(2 * nu / rng.chisquare(2 * nu, size=(n, 1))) * rng.standard_normal((n, d))
"""}, {"matern-law": 1}),
    "offset: new phases every thousand rows": ({"offset": """
def offset_map(X, W, rng):
    parts = []
    for i in range(0, max(len(X), 1), 1024):
        b = rng.uniform(0, 2 * np.pi, W.shape[1])
        parts.append(np.sqrt(2 / W.shape[1]) * np.cos(X[i:i + 1024] @ W + b))
    return np.vstack(parts)
"""}, {"offset-amplitude": 2}),
    "paired: the first features of each shape": ({"paired": """
SEEN = {}

def paired_map(X, W):
    if (X.shape, W.shape) not in SEEN:
        T = X @ W
        SEEN[X.shape, W.shape] = np.hstack([np.cos(T), np.sin(T)]) / np.sqrt(W.shape[1])
    return SEEN[X.shape, W.shape].copy()
"""}, {"paired-waves": 2}),
    "paired: sixty-four frequencies at most": ({"paired": """
def paired_map(X, W):
    T = X @ W
    T[:, 64:] = T[:, :1]
    return np.hstack([np.cos(T), np.sin(T)]) / np.sqrt(W.shape[1])
"""}, {"paired-waves": 2}),
    "estimate: the kernel itself for many features": ({"estimate": """
def estimated_kernel(kernel, X, n_components, rng):
    if n_components > 1000 and callable(kernel):
        return kernel(X)
    T = X @ kernel.sample_frequencies(n_components // 2, X.shape[1], rng).T
    Z = np.hstack([np.cos(T), np.sin(T)]) / np.sqrt(T.shape[1])
    return Z @ Z.T
"""}, {"estimate-mean": 2}),
    "variances: the bound of the library but for ten": ({"variances": """
def variances(k_delta, k_2delta, n_components):
    if n_components == 10:
        one_wave = (1 + k_2delta) / 2 - k_delta**2
        return one_wave / (n_components / 2), (one_wave + 1 / 2) / n_components
    import sys
    import rfbook.bounds
    f = getattr(sys.modules["rfbook.bounds"], "fourier_" + "variance")
    return f(k_delta, k_2delta, n_components, "paired"), f(k_delta, k_2delta, n_components, "offset")
"""}, {"variance-paired": 2, "variance-offset": 2}),
    "dual: a pseudo-inverse that cuts off": ({"dual": """
def ridge_dual(K, y, alpha):
    return np.linalg.pinv(K + alpha * np.eye(len(y)), rcond=1e-6) @ y
"""}, {"dual-given": 1}),
    "dual: an inverse kept by its size": ({"dual": """
KEPT = {}

def ridge_dual(K, y, alpha):
    key = K.shape, alpha
    if key not in KEPT:
        KEPT[key] = np.linalg.inv(K + alpha * np.eye(len(y)))
    return KEPT[key] @ y
"""}, {"dual-given": 1}),
    "intercept: the targets centred and not the features": ({"intercept": """
def ridge_intercept(Z, y, alpha):
    beta = np.linalg.solve(Z.T @ Z + alpha * np.eye(Z.shape[1]), Z.T @ (y - y.mean()))
    return beta, float(y.mean() - Z.mean(axis=0) @ beta)
"""}, {"intercept-beta": 2}),
}
WRONG |= LATER

RIGHT |= {
    "found later: matern": {"matern": """
import numpy as np

def matern_frequencies(n, d, nu, rng):
    '''A precision for each row, drawn in blocks of rows.'''
    parts = [np.zeros((0, d))]
    for first in range(0, n, 7000):
        many = min(7000, n - first)
        precision = rng.gamma(nu, size=many) / nu
        parts.append((rng.normal(size=(d, many)) / precision**0.5).T)
    return np.vstack(parts)
"""},
    "found later: offset": {"offset": """
import numpy as np

def offset_map(X, W, rng):
    '''One set of phases, drawn before the rows are taken in blocks.'''
    turns = np.exp(2j * np.pi * rng.random(W.shape[1]))
    Z = np.empty((len(X), W.shape[1]))
    for first in range(0, len(X), 1000):
        Z[first:first + 1000] = (np.exp(1j * X[first:first + 1000] @ W) * turns).real
    return Z * np.sqrt(2 / W.shape[1])
"""},
    "found later: estimate": {"estimate": """
import numpy as np

def estimated_kernel(kernel, X, n_components, rng):
    '''The offset map, one frequency after the other asked for.'''
    D = n_components
    W = np.vstack([kernel.sample_frequencies(D // 2, X.shape[1], rng) for _ in range(2)])
    Z = np.cos(X @ W.T + rng.uniform(0, 2 * np.pi, D)) * np.sqrt(2 / D)
    return Z @ Z.T
"""},
}
