"""Maps, kernels and draws on every path: single precision, sparse rows, many blocks, odd widths, a scale for each
coordinate, every sampler with every kernel.

A map that is plain, in double precision and of one length scale, says what any other path must give at x / l; means of
draws are within radii that they exceed by chance with probability LEVEL in each of four grids.
"""

import itertools
import math

import numpy as np
import pytest
from grid import LAYOUTS, STORED, TYPES, Grids, covering, exact, features_of, formula, off, same_boxes, stored, thin
from scipy import sparse
from scipy.special import hyp0f1, hyp1f1, ndtr, ndtri

from rfbook import kernels
from rfbook.draws import samplers, structured_product
from rfbook.features import (
    ArcCosineFeatures,
    CoordinateFeatures,
    GaussianProductFeatures,
    PositiveFeatures,
    RandomBinningFeatures,
    RandomFourierFeatures,
    RandomMaclaurinFeatures,
)
from rfbook.kernels import Cauchy, Exponential, Gaussian, InversePower, Laplacian, Matern, StretchedExponential
from rfbook.lab.ledger import LEVEL, mean_miss, mean_radius

# ---- what is put into the library, and where: each must be noticed by the grid that is named -----------------------

FIRST_BLOCK = [("waves", "maps.waves.parts"), ("rectifiers", "features.arc_cosine_maps.parts"),
               ("exponentials", "features.positive_map.parts"),
               ("products", "features.product_maps.parts"), ("degrees", "features.product_maps.parts")]
CUT_OFF = [("waves", "maps.waves.project"), ("rectifiers", "features.arc_cosine_maps.project"),
           ("exponentials", "features.positive_map.project"),
           ("products", "features.polynomial.project"), ("degrees", "features.polynomial.project")]
ONE_SCALE = [(name, "kernels.Kernel.scale") for name in ("waves", "rectifiers", "boxes", "matrices")]
RADIAL_LAW = [(name, f"draws.{module}.radial_law") for name in ("radial_kernels", "lengths")
              for module in ("orthogonal_sampler", "structured_product")]
MUTANTS = [
    *((*at, "every block reads the first rows", lambda old: first_again(old)) for at in FIRST_BLOCK),
    *((*at, "sparse rows are cut off at 1", lambda old: lambda X, W, T: old(
        X.minimum(1.0) if sparse.issparse(X) else X, W, T)) for at in CUT_OFF),
    *((*at, "one scale for all coordinates", lambda old: lambda self, d: np.asarray(old(self, d).flat[0]))
      for at in ONE_SCALE),
    *((*at, "a kernel that is not asked", lambda old: lambda kernel, d, sampling: (Gaussian(), kernel.scale(d)))
      for at in RADIAL_LAW),
    ("waves", "maps.waves.Matrix.__init__", "float32: frequencies a thousandth too long", lambda old: lambda
        self, W, dtype: old(self, W * (1.001 if dtype == np.float32 else 1.0), dtype)),
    ("waves", "features.fourier_map.waves_from", "odd widths lose a frequency", lambda old: lambda
        kernel, n, *rest: old(kernel, n - 1 if n % 2 and n > 1 else n, *rest)),
    ("fast_products", "draws.structured_product.hd_waves", "a pass is missing at p = 512",
     lambda old: fewer_passes(old, 512)),
    ("fast_products", "draws.structured_product.hd_waves", "a pass is missing at p = 2048",
     lambda old: fewer_passes(old, 2048)),
    ("fast_products", "draws.structured_product.hd_waves", "one round of signs", lambda old: lambda X, D, *rest: old(
        X, np.concatenate([D[:1], 0 * D[1:] + 1]), *rest)),
    ("fast_products", "draws.structured_product.fastfood_waves", "one permutation for all blocks", lambda old: lambda
        X, B, order, *rest: old(X, B, np.repeat(order[:1], len(order), 0), *rest)),
    ("fast_products", "draws.structured_product.fastfood_waves", "float32: the amplitude of float64", lambda old: lambda
        X, B, order, G, scale, phase, a, Z: old(X, B, order, G, scale, phase, a * (1 + (Z.itemsize < 8) / 1000), Z)),
    ("exponentials", "features.positive_map._inverse", "one scale for all coordinates", lambda old: lambda
        scale, d: np.asarray(old(scale, d)).flat[0]),
    ("exponentials", "features.positive_map._squares", "float32: lengths a hundredth too long", lambda old: lambda
        X, scales: old(X, scales) * (1.01 if X.dtype == np.float32 else 1.0)),
    ("exponentials", "features.positive_map._amplitude", "the scale of an even width", lambda old: lambda
        D: old(D + D % 2 if D > 1 else D)),
    ("products", "features.product_maps.GaussianProductFeatures._filler", "columns beyond a tile repeat the first",
     lambda old: lambda self, X, draws: tiled(old(self, X, draws))),
    ("series", "kernels.Polynomial.taylor_coefficients", "the binomial with another constant", lambda old: lambda
        self, n: np.pad([math.comb(self.degree, i) for i in range(self.degree + 1)], (0, n - self.degree - 1))),
    ("degrees", "features.product_maps.RandomMaclaurinFeatures._exact_columns", "the exact part has one scale",
     lambda old: lambda self, d, scale: old(self, d, np.asarray(scale.flat[0]))),
    ("coordinates", "features.arc_cosine_maps.dense", "sparse rows lose their signs", lambda old: lambda
        X: np.abs(X.toarray()) if sparse.issparse(X) else X),
    ("coordinates", "draws.waves.Draws.take", "amplitudes stay where they were", lambda old: lambda draws, order: old(
        draws.weighted(draws.amplitudes[np.argsort(order)] / draws.amplitudes), order)),
    ("coordinates", "features.arc_cosine_maps._coordinate_amplitude", "the scale of an even width", lambda old: lambda
        D, d: math.sqrt(d / (D // 2 * 2 or 1))),
    ("boxes", "_jit.binning.transposed_blocks", "the last block is the first", lambda old: last_block_lost(old)),
    ("boxes", "features.binning_map.fill_boxes", "dense output: 1 / P", lambda old: lambda ids, counts, out: (
        old(ids, counts, out), np.divide(out, len(ids) ** 0.5, out=out))),
    ("boxes", "features.binning_map.one_hot", "float32: 1 / P", lambda old: lambda ids, counts, dtype: old(
        ids, counts, dtype) * dtype.type(1 if dtype == np.float64 else len(ids) ** -0.5)),
    ("matrices", "kernels.distances._mend", "what cancels is not mended", lambda old: lambda
        square, near, *rest: np.maximum(square, 0, out=square)),
    ("matrices", "kernels.distances.in_units", "sparse rows have no units", lambda old: lambda
        X, scale: X if sparse.issparse(X) else X / scale),
    ("independent", "draws.samplers.FREQUENCIES", "a kernel that is not asked", lambda old: {
        **old, "iid": lambda kernel, n, d, rng: old["iid"](Gaussian(kernel.length_scale), n, d, rng)}),
    ("independent", "kernels.SpectralKernel.sample_frequencies", "length scales times two", lambda old: lambda
        self, n, d, rng: old(self, n, d, rng) / 2),
    ("lengths", "kernels.Gaussian.sample_lengths", "lengths as in three dimensions", lambda old: lambda
        self, n, d, rng: np.sqrt(rng.chisquare(d - 1, n))),
    ("quantile_maps", "kernels.Matern._from_uniforms", "normal quantiles for Matern kernels", lambda old: lambda
        self, u: ndtri(u[:, 1:])),
    ("points", "draws.samplers.FREQUENCIES", "a kernel that is not asked", lambda old: {
        **old, "halton": lambda kernel, n, d, rng, **how: old["halton"](
            Gaussian(kernel.length_scale), n, d, rng, **how)}),
    ("points", "draws.quasi_monte_carlo._joint", "phases from the last coordinate", lambda old: lambda
        u, phases: (u[:, -1], u[:, :-1]) if phases else (None, u)),
]


def first_again(parts):
    """Every block reads the first rows."""
    return lambda X, rows, out, size: ((X[: len(Z)], Z) for _, Z in parts(X, rows, out, size))


def fewer_passes(waves, length):
    """For that length the last transform is of blocks of half the length."""
    def wrong(X, D, scale, phase, amplitude, Z):
        if D.shape[2] != length:
            return waves(X, D, scale, phase, amplitude, Z)
        T = np.empty((len(X), len(scale)), X.dtype)
        structured_product.hd_angles(X, D, scale, T)
        parts = T[:, : len(T[0]) // length * length].reshape(len(T), -1, 2, length // 2)
        a, b = parts[:, :, 0].copy(), parts[:, :, 1].copy()
        parts[:, :, 0], parts[:, :, 1] = (a + b) / 2, (a - b) / 2
        angles, a = 2 * np.pi * (T if phase is None else T + phase), np.broadcast_to(amplitude, len(scale))
        Z[:] = np.hstack([a * np.cos(angles), a * np.sin(angles)]) if phase is None else a * np.cos(angles)

    return wrong


def tiled(fill):
    """What fills features whose columns from 256 on are those from 0 on."""
    def wrong(rows, out):
        fill_rows(rows, out)
        out[:, 256:] = out[:, : max(out.shape[1] - 256, 0)]

    fill_rows = fill()
    return lambda: wrong


def last_block_lost(transposed):
    """Rows beyond the first block are those of the first."""
    def wrong(X, block, out):
        transposed(X, block, out)
        n = len(X) - block * out.shape[2]
        out[block, :, :n] = out[0, :, :n]

    return wrong


# ---- maps: a path at x is the formula of the plain draws at x / l ---------------------------------------------------

GRIDS = Grids()
SCALED, PHASES = {**STORED, "scales": ("each", "one")}, ("paired", "offset")


def on_edges(sizes, **factors):
    """Cells for these numbers of rows, columns and features, and others for an edge, where little can be seen."""
    return [*covering(size=sizes, **factors), *covering(size=((1, 1, 1),), **factors)]


def fourier(kernel, sampling, phase, width, seed):
    return RandomFourierFeatures(kernel, n_components=width, sampling=sampling, phase=phase, random_state=seed)


def compared(rng, make, size, each, first, scales, dtype, layout):
    """How far features are from the formula, in roundings; a map is made of a scale, and of a width and a seed."""
    rows, d, D = size
    X, seed = stored(thin(rng, rows, d), dtype, layout), int(rng.integers(2**31))
    m, unit = -(-max(D - first, 1) // each), max(1.0, math.sqrt(d) / 3)
    scale = {"each": unit * rng.uniform(0.5, 2.0, d), "one": unit * rng.uniform(0.5, 2.0), "none": 1.0}[scales]
    plain = make(1.0, n_components=D + first + 7, random_state=seed).fit(np.ones((1, d)))  # wider: draws are nested
    path, a = make(scale, n_components=D, random_state=seed).fit(X), np.ones(first + each * m)
    if scales == "each" and len(path.draws_) == m:  # and an amplitude for each draw
        a[path.draws_.columns] = sizes = rng.uniform(0.5, 2.0, (m, 1))
        path.draws_ = path.draws_.weighted(sizes[:, 0])
    order = np.arange(first + each * m)
    if scales == "none":  # the draws in another order, each with an amplitude
        order, a = rng.permutation(m), rng.uniform(0.5, 2.0, m)
        path.draws_ = path.draws_.weighted(a).take(order)
    want, error = formula(plain.draws_, exact(X) / scale, dtype, m, plain)
    return off(features_of(path, X, layout, first + each * m), (a * want)[:, order], (a * error)[:, order])


@GRIDS.cells(on_edges(((600, 3, 33), (70, 6, 8)), draw=[(s, p) for s in samplers.FREQUENCIES for p in PHASES],
                      kind=(Gaussian, Exponential), **SCALED))
def waves(rng, size, draw, kind, **path):
    sampling, phase = draw
    return compared(rng, lambda scale, **how: RandomFourierFeatures(
        kind(length_scale=scale), sampling=sampling, phase=phase, **how), size, 1 + (phase == "paired"), 0, **path)


@GRIDS.cells(covering(k=range(13), draw=[(s, p) for s in ("structured", "fastfood") for p in PHASES], **STORED))
def fast_products(rng, k, draw, **path):
    p, each = 2**k, 1 + (draw[1] == "paired")
    d, m = int(rng.integers(p // 2, p)) + 1, (2 * p if p <= 256 else p) + 3
    return waves(rng, (70 if p <= 64 else 9, d, each * m + 1 - each), draw, Gaussian, scales="each", **path)


@GRIDS.cells(on_edges(((300, 3, 33), (70, 6, 8)), order=(0, 1, 2), sampling=("iid", "antithetic", "orthogonal"),
                      **SCALED))
def rectifiers(rng, size, order, sampling, **path):
    return compared(rng, lambda scale, **how: ArcCosineFeatures(
        order, length_scale=scale, sampling=sampling, **how), size, 2 - (sampling == "iid"), 0, **path)


@GRIDS.cells(on_edges(((300, 3, 33), (70, 6, 8)), kind=("exponential", "hyperbolic", "optimal"),
                      sampling=("iid", "orthogonal"), normalize=(False, True), **SCALED))
def exponentials(rng, size, kind, sampling, normalize, **path):
    rho = {"rho": 0.6} if kind == "optimal" else {}
    return compared(rng, lambda scale, **how: PositiveFeatures(
        kind, length_scale=scale, sampling=sampling, normalize=normalize, **rho, **how), size,
                    1 + (kind == "hyperbolic"), 0, **path)


SERIES, TILES = ((0.3, 1.0, 0.0, 0.5), (0.0, 0.7, 0.4)), ((600, 3, 301), (40, 6, 9))


@GRIDS.cells(on_edges(TILES, c=SERIES, **SCALED))
def products(rng, size, c, **path):
    return compared(rng, lambda scale, **how: GaussianProductFeatures(kernels.PowerSeries(c, scale), **how), size, 1,
                    int(c[0] > 0), **path)


@GRIDS.cells(on_edges(TILES, c=SERIES, law=("coefficients", "geometric"), e=(0, 1, 2), **SCALED))
def degrees(rng, size, c, law, e, **path):
    return compared(rng, lambda scale, **how: RandomMaclaurinFeatures(
        kernels.PowerSeries(c, scale), degree_law=law, exact_degrees=e, **how), size, 1,
                    (e > 0 and c[0] > 0) + (e == 2) * size[1], **path)


@GRIDS.cells([{"kind": "power"}, {"kind": "binomial"}, {"kind": "exponential"}])
def series(rng, kind):
    t, scale = rng.uniform(-0.4, 0.4, (5, 3)), rng.uniform(0.8, 2.0)
    kernel = {"power": kernels.PowerSeries(SERIES[0], scale), "binomial": kernels.Polynomial(5, 0.7, scale),
              "exponential": kernels.ExponentialDotProduct(scale)}[kind]
    return off(kernel(t), np.polynomial.polynomial.polyval(t @ t.T / scale**2, kernel.taylor_coefficients(40)), 1e-12)


@GRIDS.cells(on_edges(TILES, replace=(True, False), **STORED))
def coordinates(rng, size, replace, **path):
    return compared(rng, lambda scale, **how: CoordinateFeatures(replace=replace, **how), size, 1, 0, "none", **path)


@GRIDS.cells(on_edges(((1100, 3, 7), (40, 6, 8)), kind=(Laplacian, StretchedExponential, InversePower),
                      output=("sparse", "dense", "out"), **SCALED))
def boxes(rng, size, kind, output, dtype, layout, scales):
    """Grids number the boxes of the rows that they were fitted to: what counts is which rows share how many boxes."""
    rows, d, P = size
    X, new = (stored(thin(rng, n, d), dtype, layout) for n in (rows, 30))
    seed, scale = int(rng.integers(2**31)), rng.uniform(2.0, 4.0, d) if scales == "each" else rng.uniform(2.0, 4.0)
    plain, made = (RandomBinningFeatures(kind(length_scale=unit), n_grids=n, sparse_output=output != "dense",
                                         random_state=seed) for unit, n in ((1.0, P + 2), (scale, P)))
    made.fit(X)
    if scales == "each":  # grids with amplitudes of their own
        made.draws_ = made.draws_.weighted(rng.uniform(0.5, 2.0, P))
    pitches = scale * plain.fit(np.ones((1, d))).random_pitches_[:P]
    out = {"out": np.full((30, made.n_components_), 7.0, dtype)} if output == "out" else {}
    old, fresh = made.transform(X), made.transform(new, **out)
    if not (np.allclose(made.random_pitches_, pitches, rtol=1e-12) and old.dtype == fresh.dtype == dtype):
        return math.inf
    some = np.r_[: min(20, rows), max(rows - 20, 0) : rows]
    K = old @ np.concatenate([exact(old)[some], exact(fresh)]).T
    want = same_boxes(made.draws_, exact(X), np.concatenate([exact(X)[some], exact(new)]), dtype)
    return off(K, want, 64 * np.finfo(dtype).eps)  # squares of amplitudes are below 4


# ---- kernel matrices: values at differences over l, within 1e-10 ----------------------------------------------------

MADE = {"gaussian": Gaussian, "exponential": Exponential, "matern": lambda scale: Matern(1.3, scale),
        "laplacian": Laplacian, "cauchy": Cauchy, "stretched": lambda scale: StretchedExponential(0.7, scale)}
SHAPES = {"rows": ((300, 7), (7, 300), (40, None)), **SCALED}


@GRIDS.cells(covering(kind=("gaussian", "exponential", "matern"), d=(40,), **SHAPES),
             covering(kind=list(MADE), d=(3, 1), **SHAPES))
def matrices(rng, kind, d, rows, dtype, layout, scales):
    scale = math.sqrt(d) * (rng.uniform(0.5, 2.0, d) if scales == "each" else 1.3)
    far = 100.0 if layout != "csr" else 0.0
    A = thin(rng, rows[0], d) + far
    A[1] = A[0] + 1e-3 * rng.standard_normal(d)  # whose distance a product of matrices would lose
    X = stored(A, dtype, layout)
    Y = None if rows[1] is None else stored(np.vstack([A[:3], thin(rng, rows[1] - 3, d) + far]), dtype, layout)
    delta = exact(X)[:, None] - exact(X if Y is None else Y)
    got = MADE[kind](scale)(X) if Y is None else MADE[kind](scale)(X, Y)
    if Y is None and not (np.array_equal(got, got.T) and (np.diag(got) == 1).all()):
        return math.inf
    found = [off(got, MADE[kind](1.0).value(delta / scale), 1e-10)]
    if kind == "gaussian" and d == 3:  # which has two names for its scale
        gamma = rng.uniform(0.1, 1.0)
        for said, value in ((gamma, gamma), ("scale", 1 / exact(X).var() / d)):
            rff = RandomFourierFeatures(gamma=said, n_components=2).fit(X)
            found.append(off(rff.kernel_(X, Y), np.exp(-value * (delta**2).sum(-1)), 1e-6))
    return max(found)


# ---- draws: each way to draw has the distribution of each kernel ----------------------------------------------------

RADIAL = (Gaussian(0.8), Exponential(1.2), Matern(0.7), Matern(2.5, 1.1),
          kernels.SumKernel([Gaussian(0.6), Matern(1.5, 2.0)], [2, 3], 1.2),
          kernels.ProductKernel([Gaussian(1.3), Exponential(3.0)]))
KERNELS = (*RADIAL, kernels.ProductKernel([Gaussian([1.0, 2.0, 1.5]), Laplacian(3.0)]),
           kernels.SumKernel([Cauchy(0.9), Matern(0.7, [1.0, 2.0, 3.0])]), Laplacian(1.3), Cauchy(0.9),
           StretchedExponential(0.6, 1.5), InversePower(1.3, 0.8))
IID, BLOCKS = covering(kernel=KERNELS, phase=PHASES), covering(
    kernel=RADIAL, phase=PHASES, sampling=("orthogonal", "fastfood"))
LENGTHS = covering(kernel=RADIAL, sampling=("orthogonal", "structured", "fastfood"))
COUNT, POINTS, DISTANCES = 25_000, 40_000, np.array([0.5, 1.0, 2.0])


def steps_of(rng, lengths):
    """Steps of these lengths in random directions of three dimensions."""
    steps = rng.standard_normal((len(lengths), 3))
    return lengths[:, None] * steps / np.linalg.norm(steps, axis=1, keepdims=True)


def mean_off(rng, kernel, sampling, phase, D, block, level):
    """The largest error of an entry of an estimate of the kernel matrix of ten rows, in units of its radius.

    As many summands are independent as there are blocks; each lies between -1 and 1, or -2 and 2 with phases.
    """
    X = steps_of(rng, np.linspace(0.1, 1.2, 5))
    X = np.concatenate([X, -X])
    K = fourier(kernel, sampling, phase, D, int(rng.integers(2**31))).fit(X).approximate_kernel(X)
    m, width = (-(-D // 2), 2.0) if phase == "paired" else (D, 4.0)
    return float(np.abs(K - kernel(X)).max() / mean_radius(m // block, width, level / 55))


@GRIDS.cells(IID)
def independent(rng, kernel, phase):
    return mean_off(rng, kernel, "iid", phase, 100_001, 1, LEVEL / len(IID))


@GRIDS.cells(BLOCKS)
def radial_kernels(rng, kernel, phase, sampling):
    return mean_off(rng, kernel, sampling, phase, 60_003, 4, LEVEL / len(BLOCKS))


@GRIDS.cells(LENGTHS)
def lengths(rng, kernel, sampling):
    """Structured draws have a small bias, so that lengths R are judged, and in four dimensions.

    The mean of cos(w.t) over all directions is 0F1(; 2; -R^2 |t|^2 / 4), and its mean over lengths the kernel.
    """
    rff = fourier(kernel, sampling, "offset", COUNT, int(rng.integers(2**31))).fit(np.ones((1, 4)))
    means = hyp0f1(2, -np.outer(DISTANCES**2, (rff.random_weights_**2).sum(0)) / 4).mean(1)
    radius = mean_radius(COUNT, 2.0, LEVEL / len(LENGTHS) / len(DISTANCES))
    return float(np.abs(means - kernel.value(DISTANCES[:, None] * np.eye(4)[0])).max() / radius)


@GRIDS.cells([{"kernel": kernel} for kernel in KERNELS])
def quantile_maps(rng, kernel):
    """Points of a sequence are uniform, but dependent: what maps them is judged on independent ones."""
    steps = steps_of(rng, np.linspace(0.4, 2.0, 5))
    W = kernel.frequencies_from_uniforms(rng.random((POINTS, kernel.n_uniforms(3))), 3)
    radius = mean_radius(POINTS, 2.0, LEVEL / len(KERNELS) / 5)
    return float(np.abs(np.cos(W @ steps.T).mean(0) - kernel.value(steps)).max() / radius)


@GRIDS.cells(covering(kernel=KERNELS, sampling=("sobol", "halton"), phase=PHASES))
def points(rng, kernel, sampling, phase):
    """Frequencies are those quantiles at the very points that the Gaussian kernel has used."""
    seed, s = int(rng.integers(2**31)), kernel.n_uniforms(3) + (phase == "offset")
    u = ndtr(fourier(Gaussian(), sampling, "paired", 130, seed).fit(np.ones((1, s))).random_weights_.T)
    got = fourier(kernel, sampling, phase, 65 * (1 + (phase == "paired")), seed).fit(np.ones((1, 3)))
    want = kernel.frequencies_from_uniforms(u[:, s - kernel.n_uniforms(3) :], 3)
    found = [np.abs(got.random_weights_.T / want - 1).max() / 1e-6]
    if phase == "offset":
        found.append(np.abs(got.random_offset_ - 2 * np.pi * u[:, 0]).max() / 1e-9)
    return max(found)


@pytest.mark.parametrize(("right", "wrong", "distances", "n", "share"), [
    (RADIAL[1], Gaussian(1.2).value, np.linspace(0.2, 2.4, 5), 50_000, 55 * len(IID)),
    (RADIAL[0], Gaussian(1.6).value, np.linspace(0.2, 2.4, 5), 50_000, 55 * len(IID)),
    (RADIAL[1], Gaussian(1.2).value, np.linspace(0.2, 2.4, 5), 30_002 // 4, 55 * len(BLOCKS)),
    (RADIAL[1], Gaussian(1.2).value, DISTANCES, COUNT, 3 * len(LENGTHS)),
    (RADIAL[0], lambda t: hyp1f1(1.5, 2, -(t**2).sum(1) / 1.28), DISTANCES, COUNT, 3 * len(LENGTHS)),
    (RADIAL[1], Gaussian(1.2).value, np.linspace(0.4, 2.0, 5), POINTS, 5 * len(KERNELS)),
])
def test_means_of_the_wrong_draws_pass_with_less_than_one_in_a_thousand(right, wrong, distances, n, share):
    t = distances[:, None] * np.eye(3)[0]
    assert mean_miss(np.abs(right.value(t) - wrong(t)).max(), mean_radius(n, 2.0, LEVEL / share), n, 2.0) < 1e-3


# ---- the grids themselves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GRIDS)
def test_features_draws_and_matrices_are_right_on_every_path(name):
    assert not list(GRIDS.wrong(name))


@pytest.mark.parametrize(("name", "place", "what", "made"), MUTANTS)
def test_a_wrong_library_is_noticed(name, place, what, made, monkeypatch):
    assert not GRIDS.survives(name, monkeypatch, f"rfbook.{place}", made)


def test_any_two_levels_meet_in_few_cells():
    sizes = {"a": 7, "b": 1, "c": 3, "d": 3, "e": 2}
    cells = covering(**{name: range(size) for name, size in sizes.items()})
    assert len(cells) < 26 and all(
        len({(cell[a], cell[b]) for cell in cells}) == sizes[a] * sizes[b] for a, b in itertools.combinations(sizes, 2))
    for design in (cells for _, cells in GRIDS.values() if "layout" in cells[0]):
        assert {(cell["dtype"], cell["layout"]) for cell in design} == {*itertools.product(TYPES, LAYOUTS)}


def test_what_cannot_be_compared_is_infinitely_far():
    one = np.ones(1)
    assert off(None, one, 1.0) == math.inf == off(np.ones(2), one, 1.0) and off(1.5 * one, one, 0.25) == 2
