"""Gaussian processes on features: posteriors, paths, hyper-parameters, what is refused."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import (
    check_sample_weight_equivalence_on_dense_data,
    check_sample_weight_equivalence_on_sparse_data,
    parametrize_with_checks,
)

from rfbook import Gaussian, Matern, RandomFeatureGP
from rfbook.learning.processes import compression, log_likelihood

rng = np.random.default_rng(7)
X, NEW = rng.standard_normal((80, 2)), 3 * rng.standard_normal((30, 2))
Y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.1 * rng.standard_normal(80)
KNOWN = {"length_scale": 0.9, "amplitude": 1.3, "noise": 0.02, "random_state": 0}
KINDS = pytest.mark.parametrize("posterior", ["exact", "compressed", "weights"])


COPIES = ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data")


@parametrize_with_checks([RandomFeatureGP(n_components=30, posterior=kind, criterion=criterion, random_state=0)
                          for kind, criterion in (("exact", "likelihood"), ("compressed", "gcv"),
                                                  ("weights", "likelihood"))],
                         expected_failed_checks=lambda _: dict.fromkeys(COPIES, "columns are scaled row by row"))
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", ["exact", "compressed", "weights"])
def test_scikit_learn_finds_that_weights_are_copies(kind):
    fixed = RandomFeatureGP(n_components=10, posterior=kind, length_scale=1.0, amplitude=1.0, noise=0.1, random_state=0)
    check_sample_weight_equivalence_on_dense_data("fixed", fixed)
    check_sample_weight_equivalence_on_sparse_data("fixed", fixed)


def test_copies_and_means_find_another_noise():
    """Without a signal: the weighted mean of squares, and for means of readings more by the mean weight."""
    draws = np.random.default_rng(5)
    w = draws.integers(1, 9, 300).astype(float)
    y = draws.standard_normal(300) / np.sqrt(w)
    found = RandomFeatureGP(length_scale=1e-3, amplitude=1e-9, mean=0.0, scaling=None, random_state=0)
    found.fit(draws.standard_normal((300, 2)), y, sample_weight=w)
    assert found.noise_ == pytest.approx(w @ y**2 / w.sum(), rel=1e-3)
    assert 4 < 1 / found.noise_ < 5.5  # readings had noise 1


def plain(mean, K, C, noise, y, prior):
    """The posterior in plain NumPy; with the mean None the constant is unknown, a flat law."""
    A = K + np.diag(noise)
    B = np.linalg.solve(A, C.T).T
    variance = prior - (B * C).sum(1)
    if mean is None:
        ones = np.linalg.solve(A, np.ones(len(y)))
        mean = ones @ y / ones.sum()
        variance = variance + (1 - C @ ones) ** 2 / ones.sum()
    return mean + B @ (y - mean), variance


@pytest.mark.parametrize("mean", ["auto", 0.0, 3.0])
@pytest.mark.parametrize("extra", [None, np.linspace(0, 0.5, 80)])
def test_exact_is_the_textbook(mean, extra):
    machine = RandomFeatureGP(posterior="exact", mean=mean, **KNOWN).fit(X, Y, extra)
    kernel, noise = Gaussian(0.9), 0.02 + (0 if extra is None else extra) * np.ones(80)
    want = plain(None if mean == "auto" else mean, 1.3 * kernel(X), 1.3 * kernel(NEW, X), noise, Y, 1.3)
    got, std = machine.predict(NEW, return_std=True)
    np.testing.assert_allclose(got, want[0], atol=1e-10)
    np.testing.assert_allclose(std**2, want[1], atol=1e-10)
    np.testing.assert_array_equal(machine.predict(NEW), got)


def test_compressed_with_all_directions_is_exact_and_never_surer():
    rough = {"amplitude": 1.3, "noise": 0.02, "random_state": 0}
    exact, full, few = (RandomFeatureGP(Matern(0.5, 0.9), posterior=kind, n_components=D, **rough).fit(X, Y)
                        .predict(NEW, return_std=True)
                        for kind, D in (("exact", 1), ("compressed", 2000), ("compressed", 20)))
    np.testing.assert_allclose(full[0], exact[0], atol=1e-6)
    np.testing.assert_allclose(full[1], exact[1], atol=1e-6)
    assert (few[1] >= exact[1] - 1e-9).all() and few[1].max() > exact[1].max() * (1 - 1e-9)


def test_far_away_nothing_is_known_but_to_the_weights():
    far = 1e3 * NEW
    stds = {kind: RandomFeatureGP(posterior=kind, n_components=10, mean=0.0, **KNOWN).fit(X, Y).predict(far, True)[1]
            for kind in ("exact", "compressed", "weights")}
    np.testing.assert_allclose(stds["exact"], np.sqrt(1.3), rtol=1e-9)
    np.testing.assert_allclose(stds["compressed"], np.sqrt(1.3), rtol=1e-9)
    assert stds["weights"].max() < 0.8 * np.sqrt(1.3)


@KINDS
def test_no_variance_is_negative(posterior):
    rows = np.repeat(X[:20], 4, axis=0) + 1e-9 * rng.standard_normal((80, 2))
    with pytest.warns(UserWarning, match="above 0.99") if posterior != "exact" else np.errstate():
        machine = RandomFeatureGP(posterior=posterior, length_scale=30.0, amplitude=1.0, noise=1e-13,
                                  random_state=0).fit(rows, Y)
    std = machine.predict(np.vstack([rows, NEW]), return_std=True)[1]
    assert np.isfinite(std).all() and (std >= 0).all() and (posterior == "weights" or (std > 0).all())


@KINDS
def test_paths_are_functions_with_the_law_of_the_posterior(posterior):
    machine = RandomFeatureGP(posterior=posterior, n_components=50, **KNOWN).fit(X, Y)
    paths = machine.sample_y(NEW, 3000, random_state=1)
    mean, std = machine.predict(NEW, return_std=True)
    # 3,000 paths, 30 points: normal up to mixing, so that a mean is off by six errors with probability below 1e-6
    assert np.abs((paths.mean(1) - mean) / std).max() < 6 / np.sqrt(3000)
    assert np.abs(paths.std(1) / std - 1).max() < 0.2
    again = machine.sample_y(NEW[3:9], 3000, random_state=1)
    np.testing.assert_allclose(again, paths[3:9], atol=1e-9)
    np.testing.assert_allclose(machine.sample_y(NEW, 1), machine.sample_y(NEW, 1, random_state=0))
    assert np.abs(machine.sample_y(NEW, 1, random_state=2) - paths[:, :1]).max() > 0.01


def test_intervals_for_new_targets():
    machine = RandomFeatureGP(**KNOWN).fit(X, Y)
    mean, std = machine.predict(NEW, return_std=True)
    lower, upper = machine.predict_interval(NEW, 0.5)
    np.testing.assert_allclose((upper + lower) / 2, mean)
    np.testing.assert_allclose(upper - lower, 2 * 0.6744897501960817 * np.sqrt(std**2 + 0.02))
    for wrong in (0.0, 1.0, "half", np.nan):
        with pytest.raises(ValueError, match="coverage is"):
            machine.predict_interval(NEW, wrong)


def test_the_likelihood_is_that_of_a_normal_law():
    from scipy.stats import multivariate_normal

    K, noise = Gaussian()(X[:10]), np.linspace(0.1, 1, 10)
    want = multivariate_normal(np.zeros(10), K + np.diag(noise)).logpdf(Y[:10])
    assert log_likelihood(K, noise, Y[:10]) == pytest.approx(want, rel=1e-12)
    assert log_likelihood(-np.eye(2), np.zeros(2), np.ones(2)) == -np.inf


@pytest.mark.parametrize("criterion", ["likelihood", "gcv"])
def test_hyper_parameters_are_found(criterion):
    draws = np.random.default_rng(3)
    rows = draws.uniform(-6, 6, (600, 1))
    f = np.linalg.cholesky(4 * Gaussian()(rows) + 1e-8 * np.eye(600)) @ draws.standard_normal(600)
    y = 5.0 + f + 0.2 * draws.standard_normal(600)
    machine = RandomFeatureGP(criterion=criterion, n_components=200, scaling=None, random_state=0).fit(rows, y)
    assert 0.5 < machine.length_scale_ < 2 and 0.03 < machine.noise_ < 0.05 and 0.4 < machine.amplitude_ < 40
    given = {"criterion": criterion, "noise": 0.04, "random_state": 0}
    fixed = RandomFeatureGP(amplitude=4.0, length_scale=1.0, **given).fit(rows, y)
    assert (fixed.noise_, fixed.amplitude_, fixed.length_scale_) == pytest.approx((0.04, 4.0, 1.0), rel=1e-12)
    half = RandomFeatureGP(length_scale=1.0, **given).fit(rows, y)
    assert half.noise_ == pytest.approx(0.04) and 0.4 < half.amplitude_ < 40
    twice = clone(machine).fit(rows, 1024 * y)
    assert twice.noise_ == pytest.approx(1024**2 * machine.noise_, rel=1e-3)


@pytest.mark.parametrize("D", [12, 200])  # fewer features than rows, and more
def test_noise_and_amplitude_by_gcv_are_those_of_the_hat_matrix(D):
    """Noise is the residual sum over its degrees of freedom, at the ridge of least GCV; amplitude the rest of y."""
    machine = RandomFeatureGP(criterion="gcv", length_scale=0.9, n_components=D, scaling=None, random_state=0).fit(X, Y)
    y, Z = Y - Y.mean(), machine.features_.transform(X)
    Z = Z - Z.mean(0)

    def of(alpha):
        H = Z @ np.linalg.solve(Z.T @ Z + alpha * np.eye(Z.shape[1]), Z.T) + 1 / 80  # with the constant
        left, freedom = np.sum((y - H @ y) ** 2), 80 - np.trace(H)
        return left / freedom, 80 * left / freedom**2

    noise, score = np.array([of(alpha) for alpha in np.geomspace(1e-6, 80, 400)]).T
    at = np.abs(noise / machine.noise_ - 1).argmin()  # the ridge whose noise it is, among many
    assert noise[at] == pytest.approx(machine.noise_, rel=5e-3) and score[at] < 1.003 * score.min()
    assert machine.amplitude_ == pytest.approx(np.mean(y**2) - machine.noise_, rel=1e-9)


def test_the_most_likely_is_more_likely_than_its_neighbours():
    machine = RandomFeatureGP(scaling=None, random_state=0).fit(X, Y)
    y = Y - Y.mean()

    def value(scale, amplitude, noise):
        return log_likelihood(amplitude * Gaussian(scale)(X), np.full(80, noise), y)

    best = (machine.length_scale_, machine.amplitude_, machine.noise_)
    for i in range(3):
        for factor in (0.8, 1.25):
            other = [v * (factor if i == j else 1) for j, v in enumerate(best)]
            assert value(*other) < value(*best)


def test_sparse_rows_and_float32():
    dense = RandomFeatureGP(posterior="compressed", n_components=20, **KNOWN).fit(X, Y)
    rows = RandomFeatureGP(posterior="compressed", n_components=20, **KNOWN).fit(sparse.csr_array(X), Y)
    for ours, theirs in zip(rows.predict(sparse.csr_array(NEW), True), dense.predict(NEW, True), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-8)
    np.testing.assert_allclose(rows.sample_y(sparse.csr_array(NEW), 3), dense.sample_y(NEW, 3), atol=1e-8)
    single = RandomFeatureGP(posterior="compressed", n_components=20, **KNOWN).fit(X.astype(np.float32), Y)
    np.testing.assert_allclose(single.predict(NEW.astype(np.float32)), dense.predict(NEW), atol=1e-2)


def test_kernel_objects_constants_and_the_choice_of_the_posterior():
    machine = RandomFeatureGP(Matern(2.5, 1.5), random_state=0).fit(X, Y)
    assert machine.kernel_ == machine.kernel and machine.posterior_ == "exact" and machine.scaler_ is None
    many = np.random.default_rng(0).standard_normal((2001, 2))
    assert RandomFeatureGP(n_components=4, **KNOWN).fit(many, many[:, 0]).posterior_ == "compressed"
    flat = RandomFeatureGP(random_state=0).fit(X, np.full(80, 3.0))
    np.testing.assert_allclose(flat.predict(NEW), 3.0)
    one = RandomFeatureGP(random_state=0).fit(X[:1], Y[:1])
    assert np.isfinite(one.predict(NEW, return_std=True)).all()


def test_a_compression_keeps_the_range_and_whitens_the_noise():
    noise = np.linspace(0.1, 2.0, 80)
    for D in (10, 80, 200):
        Z = rng.standard_normal((80, D))
        T = compression(Z, noise)
        assert T.shape == (80, min(D, 80))
        np.testing.assert_allclose(T.T @ (noise[:, None] * T), np.eye(T.shape[1]), atol=1e-6)
        target = Z / noise[:, None]
        np.testing.assert_allclose(T @ np.linalg.lstsq(T, target, rcond=None)[0], target, atol=1e-6)


@pytest.mark.parametrize("name,value", [("amplitude", 0.0), ("noise", -1.0), ("noise", "much"), ("mean", np.inf),
                                        ("posterior", "best"), ("criterion", "mcmc"), ("length_scale", "knn"),
                                        ("length_scale", -1.0), ("n_components", 0), ("scaling", "max"),
                                        ("kernel", "gauss"), ("kernel", 3)])
def test_wrong_arguments_are_named(name, value):
    with pytest.raises(ValueError, match=f"{name}"):
        RandomFeatureGP(**{name: value}).fit(X, Y)


@pytest.mark.parametrize("wrong", [np.ones(79), -np.ones(80), np.full(80, np.nan), np.ones((80, 1))])
def test_wrong_noise_is_named(wrong):
    with pytest.raises(ValueError, match="noise_variance has shape"):
        RandomFeatureGP(**KNOWN).fit(X, Y, wrong)


def test_what_does_not_go_together():
    with pytest.raises(ValueError, match="criterion is 'gcv'"):
        RandomFeatureGP(criterion="gcv").fit(X, Y, np.ones(80))
    with pytest.raises(ValueError, match="brings its own scale"):
        RandomFeatureGP(Gaussian(), length_scale=2.0).fit(X, Y)
    with pytest.raises(ValueError, match="overflow"):
        RandomFeatureGP().fit(X, 1e300 * Y)
    for when in (np.arange(80).astype("datetime64[D]"), np.arange(80).astype("timedelta64[s]")):
        with pytest.raises(TypeError, match=rf"^y cannot be read as numbers: y holds {when.dtype.name[:8]}"):
            RandomFeatureGP(**KNOWN).fit(X, when)
    with pytest.raises(ValueError, match="n_samples"):
        RandomFeatureGP(**KNOWN).fit(X, Y).sample_y(NEW, 0)


def test_known_noise_is_no_noise_to_be_found():
    draw = np.random.default_rng(3)
    rows, noise = draw.standard_normal((200, 2)), draw.standard_normal(200)
    found = RandomFeatureGP(length_scale=1.0, amplitude=0.01, mean=0.0, random_state=0)
    alone = clone(found).fit(rows, noise).noise_
    assert 0.7 < alone < 1.4 and found.fit(rows, noise, noise_variance=np.ones(200)).noise_ < 0.4
