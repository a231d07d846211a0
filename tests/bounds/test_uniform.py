"""The uniform bounds: their constants, inverses, monotony, extremes and errors."""

import math

import numpy as np
import pytest

from rfbook import bounds
from rfbook.features.fourier import RandomFourierFeatures
from rfbook.kernels import (
    Cauchy,
    Exponential,
    Gaussian,
    InversePower,
    Laplacian,
    Matern,
    SpectralKernel,
    StretchedExponential,
)

PHASES = ("paired", "offset")
TOP = {"paired": 2.0, "offset": 3.0}
SETS = [{"dimension": d, "diameter": R, "sigma": s} for d, R, s in ((1, 4.0, 1.0), (3, 2.0, 1.7), (50, 10.0, 7.0))]


def known(phase, dimension, diameter, sigma):
    """The set as the functions behind the checks take it."""
    return bounds.uniform.UniformSet(dimension, diameter, sigma, np.ones(1), np.log([sigma * diameter]), phase)


def log_bound(eps, D, phase, dimension, diameter, sigma):
    """Logarithm of the bound with net and slope, written anew."""
    d, A = dimension, sigma * diameter / eps
    if phase == "paired":
        C, power, exponent = (d + 2) * (256 / d) ** (d / (d + 2)), 2 * d / (d + 2), D / 2 * eps**2 / (4 * (d + 2))
    else:
        Q = 64 * (2 + math.sqrt(2)) ** 2
        C, power, exponent = (2 * d + 2) * (Q / (2 * d)) ** (d / (d + 1)), 2 * d / (d + 1), D * eps**2 / (12 * (d + 1))
    return math.log(C) + power * math.log(A) - exponent


def test_nets_have_as_many_points_as_the_lemma_says():
    """A point is its own net, and on a line the lemma is an equality."""
    assert [bounds.uniform.net_size(d, 0.0, 0.5) for d in (1, 2, 7)] == [1.0, 1.0, 1.0]
    assert bounds.uniform.net_size(1, 3.0, 0.5) == 13.0 and bounds.uniform.net_size(2, 3.0, 0.5) == 169.0


def test_the_constants_have_the_suprema_of_the_theorems():
    paired = [bounds.uniform_constant(d) for d in range(1, 3000)]
    offset = [bounds.uniform_constant(d, "offset") for d in range(1, 3000)]
    assert max(paired) == pytest.approx(258, rel=1e-13)
    assert paired.index(max(paired)) + 1 == 256
    assert max(offset) == pytest.approx(748.04, abs=2e-3)
    assert offset.index(max(offset)) + 1 == 373
    assert max(offset) <= 64 * (2 + math.sqrt(2)) ** 2 + 2 < 749
    assert paired[0] == pytest.approx(3 * 256 ** (1 / 3))


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("where", SETS)
@pytest.mark.parametrize("eps", [0.02, 0.3, 1.5])
def test_net_and_slope_are_the_theorems_formula_and_below_the_simplified_one(phase, where, eps):
    d, A = where["dimension"], where["sigma"] * where["diameter"] / eps
    C, share = (258, 4 * (d + 2)) if phase == "paired" else (749, 12 * (d + 1))
    for excess in (1.0, 30.0):
        n = math.ceil(share * (math.log(C) + 2 * math.log(A) + excess) / eps**2)
        D = 2 * n if phase == "paired" else n
        log_p = math.log(bounds.uniform.slope_tail(eps, n, known(phase, **where)))
        assert log_p == pytest.approx(log_bound(eps, D, phase, **where), rel=1e-9, abs=1e-9)
        assert log_p <= math.log(C) + 2 * math.log(A) - n * eps**2 / share + 1e-9
        assert bounds.uniform_probability(eps, D, phase, **where) <= math.exp(log_p)


def log_chain(eps, n, phase, dimension, diameter, sigma):
    """Logarithm of the bound with a chain at the best of a few hundred x, written anew, for s = 1."""
    def least(reach, factor, terms):
        totals = []
        for x in np.geomspace(1e-3, 2, 500):
            first = math.log(2) + dimension * math.log(1 + 2 * sigma * reach / x)
            later = first + 2 * dimension * math.log(2)
            links = min(1, 2 * math.sqrt(2 * later / terms))
            totals.append(math.sqrt(2 * first / terms) + factor * x * links)
        return min(totals)

    mean, rate = least(diameter, 2, n), 2
    if phase == "offset":
        mean, rate = mean + least(2 * diameter, 1, 2 * n), 8
    return -n * max(eps - mean, 0) ** 2 / rate


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("where", SETS[1:])
@pytest.mark.parametrize("eps", [0.02, 0.3])
def test_the_chain_gives_its_probability(phase, where, eps):
    round_root = {"paired": 7 / 4, "offset": 3}[phase] * math.sqrt(
        where["dimension"] * math.log(64 * (1 + where["diameter"] * where["sigma"])))
    luck = {"paired": math.sqrt(2 * math.log(1e6)), "offset": math.sqrt(8 * math.log(1e6))}[phase]
    n = math.ceil(((round_root + luck) / eps) ** 2)
    radius = bounds.uniform_bounds(2 * n if phase == "paired" else n, 1e-6, phase, **where).chain
    assert log_chain(radius, n, phase, **where) == pytest.approx(math.log(1e-6), rel=2e-3)
    assert 0.7 < (radius / eps) ** 2 < 1  # eq-uniform-rate is a little above


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("where", SETS)
def test_components_are_the_smallest_that_serve(phase, where):
    step = 2 if phase == "paired" else 1
    for eps in (0.003, 0.1, 0.7, 1.9):
        for delta in (0.5, 1e-3, 1e-12, 1e-300):
            D = bounds.uniform_components(eps, delta, phase, **where)
            assert D % step == 0
            assert bounds.uniform_probability(eps, D, phase, **where) <= delta
            assert bounds.uniform_probability(eps, D - step, phase, **where) > delta


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("where", SETS)
def test_radius_inverts_probability_and_components(phase, where):
    for D in (10**4, 10**6, 10**12):
        for delta in (0.5, 1e-9):
            eps = bounds.uniform_radius(D, delta, phase, **where)
            if eps == TOP[phase]:
                continue
            assert bounds.uniform_probability(eps, D, phase, **where) <= delta
            assert bounds.uniform_probability(eps * (1 - 1e-9), D, phase, **where) > delta
            assert bounds.uniform_components(eps, delta, phase, **where) <= D
            assert bounds.uniform_components(eps * (1 - 1e-4), delta, phase, **where) > D
    for eps in (0.05, 0.6):
        D = bounds.uniform_components(eps, 0.01, phase, **where)
        assert bounds.uniform_radius(D, 0.01, phase, **where) == pytest.approx(eps, rel=4e-3)
        assert bounds.uniform_radius(D, 0.01, phase, **where) <= eps


@pytest.mark.parametrize("phase", PHASES)
def test_monotone_in_every_argument(phase):
    where = SETS[1]

    def p(eps=0.3, D=20_000, **change):
        return bounds.uniform_probability(eps, D, phase, **{**where, **change})
    for values in ([p(eps=e) for e in np.geomspace(1e-4, 5, 200)], [p(D=int(D)) for D in np.geomspace(1, 1e7, 200)]):
        assert (np.diff(values) <= 0).all()
        assert 0 <= values[-1] < values[0] <= 1
    sizes = np.geomspace(1e-3, 1e3, 50)
    for values in ([p(sigma=s) for s in sizes], [p(diameter=r) for r in sizes], [p(dimension=d) for d in range(1, 30)]):
        assert (np.diff(values) >= 0).all()
    radii = [bounds.uniform_radius(int(D), 0.01, phase, **where) for D in np.geomspace(1, 1e7, 60)]
    assert radii[0] == TOP[phase]
    assert (np.diff(radii) <= 0).all()
    radii = [bounds.uniform_radius(20_000, delta, phase, **where) for delta in np.geomspace(1e-300, 0.999, 60)]
    assert (np.diff(radii) <= 0).all()


def test_odd_paired_widths_are_rounded_up():
    for where in SETS:
        assert bounds.uniform_probability(0.3, 19_999, **where) == bounds.uniform_probability(0.3, 20_000, **where)
        assert bounds.uniform_radius(19_999, 0.1, **where) == bounds.uniform_radius(20_000, 0.1, **where)
    odd, even = (bounds.interval_radius(D, 0.1, diameter=1, sigma=1) for D in (999, 1000))
    assert odd == even


@pytest.mark.parametrize("phase", PHASES)
def test_beyond_the_hypothesis_the_slope_has_the_bound_of_a_larger_set(phase):
    small = {"dimension": 2, "diameter": 0.1, "sigma": 1.0}
    for eps in (0.1, 0.2, 1.0, TOP[phase]):
        larger = known(phase, **{**small, "diameter": eps})
        for n in (10, 1000, 10**6):
            assert bounds.uniform.slope_tail(eps, n, known(phase, **small)) == bounds.uniform.slope_tail(eps, n, larger)
    assert bounds.uniform_probability(TOP[phase] * (1 + 1e-15), 1, phase, **small) == 0
    assert bounds.uniform_components(4.0, 0.01, phase, **small) == (2 if phase == "paired" else 1)
    assert bounds.uniform_radius(1, 0.01, phase, **small) == TOP[phase]
    assert bounds.uniform_radius(10**6, 0.01, phase, **small) <= 0.01


def test_small_sets_cost_the_paired_map_little_and_the_offset_map_a_point():
    for size in (1e-3, 1e-6):
        where = {"dimension": 3, "diameter": size, "sigma": 1.0}
        constant = 4 * math.sqrt(2 * (math.log(2) + 3 * math.log(3) + 6 * math.log(2)))
        assert bounds.uniform_mean(2 * 10**6, **where) == pytest.approx(constant * size / 1e3, rel=1e-12)
        # the offset map errs at x = y, with a root mean square of (2 D)^-1/2
        assert bounds.uniform_mean(10**6, "offset", **where) == pytest.approx(math.sqrt(0.5) / 1e3, rel=100 * size)


@pytest.mark.parametrize("phase", PHASES)
def test_extreme_arguments(phase):
    for diameter, sigma in ((1e-200, 1e-200), (1e200, 1e200), (5e-324, 1.0), (1e300, 1e-300)):
        where = {"dimension": 3, "diameter": diameter, "sigma": sigma}
        for D in (1, 10**6, 10**18):
            assert 0 <= bounds.uniform_probability(0.1, D, phase, **where) <= 1
            assert 0 < bounds.uniform_radius(D, 1e-9, phase, **where) <= TOP[phase]
    huge = {"dimension": 10**9, "diameter": 1e9, "sigma": 1e9}
    assert bounds.uniform_components(1e-6, 1e-300, phase, **huge) > 10**20
    assert bounds.uniform_probability(1e-300, 10, phase, **SETS[0]) == 1
    assert bounds.uniform_components(1e300, 0.5, phase, **SETS[0]) <= 2
    with pytest.raises(ValueError, match="eps is too small"):
        bounds.uniform_components(1e-200, 0.5, phase, **SETS[0])


def test_interval_bound_and_its_inverse():
    where = {"diameter": 4.0, "sigma": 1.0}
    for delta in (0.5, 1e-12):
        radius = (math.sqrt(8) + math.sqrt(-2 * math.log(delta))) / 100
        assert bounds.interval_radius(20_000, delta, **where) == pytest.approx(radius)
        for eps in (0.003, 0.1, 1.0):
            D = bounds.interval_components(eps, delta, **where)
            assert D % 2 == 0
            assert bounds.interval_radius(D, delta, **where) <= eps < bounds.interval_radius(D - 2, delta, **where)
    assert bounds.interval_radius(20_000, 0.5, diameter=1e-3, sigma=1.0) < 0.012  # gamma is sigma R on short intervals
    assert bounds.interval_radius(2, 1e-9, **where) == 2
    assert bounds.interval_components(5.0, 0.1, **where) == 2
    with pytest.raises(ValueError, match="eps is too small"):
        bounds.interval_components(1e-300, 0.5, **where)


@pytest.mark.parametrize("phase", PHASES)
def test_the_bound_holds_for_the_library(phase):
    kernel, X = Matern(2.5), np.random.default_rng(0).uniform(-1, 1, (150, 2))
    where = {"dimension": 2, "diameter": 2 * math.sqrt(2), "sigma": math.sqrt(kernel.second_moment(2))}
    radius = bounds.uniform_radius(32_768, 1e-9, phase, **where)
    rff = RandomFourierFeatures(kernel, n_components=32_768, phase=phase, random_state=0).fit(X)
    assert np.abs(rff.approximate_kernel(X) - kernel(X)).max() < radius < 0.4


@pytest.mark.parametrize("kernel", [Laplacian(), Exponential(), Matern(1.0)])
def test_kernels_without_second_moment_are_told_why(kernel):
    where = {"dimension": 2, "diameter": 1.0, "sigma": math.sqrt(kernel.second_moment(2))}
    for call in (lambda: bounds.uniform_radius(100, 0.1, **where), lambda: bounds.uniform_components(0.1, 0.1, **where),
                 lambda: bounds.uniform_probability(0.1, 100, **where), lambda: bounds.uniform_mean(100, **where),
                 lambda: bounds.uniform_bounds(100, 0.1, **where),
                 lambda: bounds.interval_radius(100, 0.1, diameter=1.0, sigma=math.inf)):
        with pytest.raises(ValueError, match="sigma is inf; the bound needs .* Cauchy.* take the kernel"):
            call()
    assert bounds.uniform_radius(10_000, 0.1, dimension=2, diameter=1.0, kernel=kernel) < 0.2


HOUSE = [Gaussian(2.0), Gaussian([1.0, 3.0]), Cauchy(), Laplacian(), Laplacian([0.5, 4.0]), Exponential(), Matern(0.1),
         Matern(1.0, 0.3), Matern(2.5), Matern(1e100), StretchedExponential(0.3), StretchedExponential(1.5),
         StretchedExponential(2.0), InversePower(0.5), InversePower(3.0)]


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("kernel", HOUSE, ids=repr)
def test_every_kernel_has_a_bound_at_the_rate_of_one_pair(kernel, phase):
    where = {"dimension": 2, "diameter": 3.0, "kernel": kernel}
    means = [bounds.uniform_mean(D, phase, **where) for D in (10**5, 10**9)]
    assert means[1] <= means[0] / 99 < 0.02
    D = bounds.uniform_components(0.1, 0.01, phase, **where)
    assert bounds.uniform_probability(0.1, D, phase, **where) <= 0.01 and D < 200_000
    assert bounds.uniform_radius(D, 0.01, phase, **where) <= 0.1
    if math.isfinite(sigma := math.sqrt(kernel.second_moment(2))):
        told = {"dimension": 2, "diameter": 3.0, "sigma": sigma}
        assert bounds.uniform_mean(10**4, phase, **where) <= bounds.uniform_mean(10**4, phase, **told) * (1 + 1e-12)


@pytest.mark.parametrize("kernel", [Laplacian(), Exponential(0.7), Matern(0.3), StretchedExponential(0.5),
                                    InversePower(1.0)], ids=repr)
@pytest.mark.parametrize("phase", PHASES)
def test_the_bound_holds_without_a_variance(kernel, phase):
    X = np.random.default_rng(0).uniform(-1, 1, (150, 2))
    where = {"dimension": 2, "diameter": 2 * math.sqrt(2), "kernel": kernel}
    rff = RandomFourierFeatures(kernel, n_components=32_768, phase=phase, random_state=0).fit(X)
    radius = bounds.uniform_radius(32_768, 1e-9, phase, **where)
    assert np.abs(rff.approximate_kernel(X) - kernel(X)).max() < radius < 0.3


@pytest.mark.parametrize("phase", PHASES)
def test_all_theorems_by_name(phase):
    for where in (*SETS, {"dimension": 1, "diameter": 2.0, "kernel": Laplacian()}):
        widths = [100, 10**4, 10**6]
        found = bounds.uniform_bounds(widths, 0.01, phase, **where)
        assert found._fields == ("slope", "chain", "interval", "variance") and found.chain.shape == (3,)
        np.testing.assert_array_equal(np.min(found, axis=0), bounds.uniform_radius(widths, 0.01, phase, **where))
        line = where["dimension"] == 1 and phase == "paired" and "sigma" in where
        assert (found.interval == TOP[phase]).all() != line
        assert ("kernel" in where) == (found.slope == TOP[phase]).all()
        if line:
            alone = bounds.interval_radius(widths, 0.01, diameter=4.0, sigma=1.0)
            np.testing.assert_allclose(found.interval, alone, rtol=1e-12)


def test_a_wider_choice_of_moments_is_no_worse_and_failure_costs_no_dimension():
    where = {"dimension": 7, "diameter": 5.0}
    tight = {**where, "sigma": math.sqrt(7)}
    assert bounds.uniform_radius(10**5, 0.01, **where, kernel=Gaussian()) <= bounds.uniform_radius(10**5, 0.01, **tight)
    for phase, price in (("paired", 2), ("offset", 8)):
        mean, n = bounds.uniform_mean(10**6, phase, **tight), 10**6 / (2 if phase == "paired" else 1)
        for delta in (0.1, 1e-30, 1e-300):
            radius = bounds.uniform_bounds(10**6, delta, phase, **tight).chain
            assert radius == pytest.approx(mean + math.sqrt(price * math.log(1 / delta) / n), rel=1e-9)


@pytest.mark.parametrize("phase", PHASES)
def test_the_variance_saves_features(phase):
    v, most = {"paired": (0.5, 2), "offset": (1.0, 3)}[phase]
    where, D = {"dimension": 3, "diameter": 4.0, "kernel": Gaussian()}, 10**6
    n, mean = D / (2 if phase == "paired" else 1), bounds.uniform_mean(D, phase, **where)
    for delta in (0.3, 1e-3, 1e-9):
        L = math.log(1 / delta)
        simple = mean + math.sqrt(2 * L * (v + 2 * most * mean) / n) + most * L / (3 * n)  # eq-uniform-variance
        found = bounds.uniform_bounds(D, delta, phase, **where)
        assert 0.9 * simple < found.variance <= simple and found.variance < found.chain
        assert bounds.uniform_radius(D, delta, phase, **where) == found.variance
    few = bounds.uniform_bounds(1000, 1e-250, phase, **where)
    assert bounds.uniform_radius(1000, 1e-250, phase, **where) == few.chain < few.variance  # far out, differences win
    told = {"dimension": 3, "diameter": 4.0, "sigma": math.sqrt(3)}  # nothing but the range of a cosine is known
    if phase == "paired":
        assert bounds.uniform_bounds(D, 0.01, **told).variance > bounds.uniform_radius(D, 0.01, **told)
    else:
        assert bounds.uniform_bounds(D, 0.01, phase, **told).variance == bounds.uniform_radius(D, 0.01, phase, **told)


def test_the_exponent_has_no_step_where_its_series_begins():
    u = np.geomspace(1e-9, 1e-1, 4000)
    h = np.array([bounds.uniform.rare_exponent(x) for x in u])
    assert (np.diff(h) > 0).all()
    np.testing.assert_allclose(h, u**2 / 2 - u**3 / 6 + u**4 / 12 - u**5 / 20 + u**6 / 30 - u**7 / 42, rtol=1e-7)


@pytest.mark.parametrize("kernel", [Gaussian([0.5, 2.0]), Laplacian([0.5, 2.0]), Exponential(), Cauchy(), Matern(0.2),
                                    Matern(3.0), StretchedExponential(0.2), StretchedExponential(1.9),
                                    InversePower(0.1), InversePower(4.0)], ids=repr)
def test_waves_vary_no_more_than_the_kernel_says(kernel):
    delta = np.random.default_rng(0).standard_normal((4000, 2)) * np.geomspace(1e-6, 1e9, 4000)[:, None]
    k, far = kernel.value(delta), kernel.value(2 * delta)
    assert ((1 + far) / 2 - k**2).max() <= kernel._wave_variance <= 9 / 16
    assert (far >= 0).all() and (far <= k).all()


def test_kernels_that_are_no_help():
    class Mine:
        def sample_frequencies(self, n, d, rng):
            return rng.standard_normal((n, d))

    class Bare(SpectralKernel):
        def _variance(self):
            return 4.0

    where = {"dimension": 2, "diameter": 1.0}
    for wrong in ("laplacian", 1.0, Mine()):
        with pytest.raises(ValueError, match="^kernel is .*; it may be a kernel that knows moments"):
            bounds.uniform_radius(100, 0.1, **where, kernel=wrong)
    with pytest.raises(ValueError, match="^sigma is 1.0 and kernel is Gaussian"):
        bounds.uniform_radius(100, 0.1, **where, sigma=1.0, kernel=Gaussian())
    with pytest.raises(ValueError, match="^sigma is None"):
        bounds.uniform_mean(100, **where)
    want = bounds.uniform_mean(10**4, **where, sigma=math.sqrt(8))  # by Jensen's inequality
    assert bounds.uniform_mean(10**4, **where, kernel=Bare()) <= want * (1 + 1e-12)
    for scale in (1e-200, 1e200):
        radius = bounds.uniform_radius(10**6, 0.1, dimension=2, diameter=scale, kernel=Laplacian(scale))
        assert radius == pytest.approx(bounds.uniform_radius(10**6, 0.1, **where, kernel=Laplacian()), rel=0.02)


def test_the_floor():
    for n, mean in ((1, math.sqrt(2 / math.pi)), (2, 2 / math.sqrt(math.pi))):
        assert bounds.uniform.uniform_floor(1, 2.0 * n + 1, 1.0) == pytest.approx(mean / math.sqrt(2), abs=1e-7)
    for d, R in ((1, 1e3), (4, 1e9), (100, 1e50), (10**6, 1e200)):
        floor = bounds.uniform_floor(d, R, 1.0)
        assert math.sqrt(d * math.log(R)) * 0.87 < floor < math.sqrt(d * math.log(R))  # sqrt(log(2 N)), nearly
        assert bounds.uniform_floor(d, R, 1.0, 0.1) == pytest.approx(floor * math.sqrt(0.6 * 1.1))
        assert floor < bounds.uniform_mean(2 * 10**300, dimension=d, diameter=R, sigma=1.0) * 1e150
    assert bounds.uniform_floor(5, 1.0, 1.0) == bounds.uniform_floor(5, 0.5, 2.0) == 0
    with pytest.raises(ValueError, match=r"^correlation is 0.25; it may be from 0 to below 1/4$"):
        bounds.uniform_floor(1, 2.0, 1.0, 0.25)


def test_crowded_frequencies():
    count = bounds.uniform.crowded_frequencies
    assert [count(1, side, 1.0) for side in (0.5, 4, 5, 6, 35, 36, 1295, 1296)] == [-1, 0, 0, 1, 1, 2, 3, 4]
    assert count(2, 36.5, 1.0) == 4 and count(3, 12.0, 2.0) == 3


GOOD = {"eps": 0.1, "n_components": 1000, "delta": 0.1, "phase": "paired", "dimension": 2, "diameter": 1.0,
        "sigma": 1.0, "reach": 0.5, "correlation": 0.1}
BAD = [("reach", 0.0), ("reach", math.inf), ("correlation", -0.1), ("correlation", math.nan),
       ("eps", 0), ("eps", -1.0), ("eps", math.nan), ("eps", "a"), ("n_components", 0), ("n_components", 1.5),
       ("n_components", True), ("delta", 0.0), ("delta", 1.0), ("delta", 2), ("delta", math.nan), ("delta", "0.1"),
       ("phase", "both"), ("phase", None), ("dimension", 0), ("dimension", 2.0), ("diameter", 0.0),
       ("diameter", math.inf), ("diameter", -1.0), ("sigma", 0.0), ("sigma", math.nan), ("sigma", -1.0)]


@pytest.mark.parametrize(("name", "value"), BAD)
def test_errors_are_one_sentence_that_names_the_argument(name, value):
    takes = {bounds.uniform_probability: ("eps", "n_components", "phase", "dimension", "diameter", "sigma"),
             bounds.uniform_radius: ("n_components", "delta", "phase", "dimension", "diameter", "sigma"),
             bounds.uniform_components: ("eps", "delta", "phase", "dimension", "diameter", "sigma"),
             bounds.uniform_bounds: ("n_components", "delta", "phase", "dimension", "diameter", "sigma"),
             bounds.uniform_mean: ("n_components", "phase", "dimension", "diameter", "sigma"),
             bounds.uniform_floor: ("dimension", "diameter", "reach", "correlation"),
             bounds.uniform_constant: ("dimension", "phase"),
             bounds.interval_radius: ("n_components", "delta", "diameter", "sigma"),
             bounds.interval_components: ("eps", "delta", "diameter", "sigma")}
    for function, names in takes.items():
        arguments = {n: GOOD[n] for n in names}
        function(**arguments)
        if name in names:
            with pytest.raises(ValueError, match=f"^{name} is .*; it may be") as caught:
                function(**{**arguments, name: value})
            assert "\n" not in str(caught.value)


def test_numbers_of_numpy_are_welcome():
    where = {"dimension": np.int64(2), "diameter": np.float32(1.0), "sigma": np.float64(1.0)}
    assert bounds.uniform_radius(np.int64(10**6), np.float64(0.1), **where) > 0
    assert bounds.uniform_components(np.float32(0.1), np.float32(0.1), **where) > 0
