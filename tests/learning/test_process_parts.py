"""Parts of the process: what generalised cross-validation says of the noise, and waves of prior paths."""

import numpy as np
import pytest

from rfbook import Gaussian, RandomFeatureGP
from rfbook.learning import process_estimator, processes
from rfbook.solvers import DenseDesign, ridge_regression

rng = np.random.default_rng(0)
X = rng.uniform(-2, 2, (80, 2))
Y = np.sin(2 * X[:, 0]) + 0.3 * rng.standard_normal(80)


@pytest.mark.parametrize("width", [16, 200])
def test_noise_by_gcv_is_what_the_best_ridge_leaves(width):
    process = RandomFeatureGP(Gaussian(1.0), n_components=width, criterion="gcv", posterior="compressed",
                              random_state=0)
    process.fit(X, Y)
    Z, y = process.features_.transform(X), Y - Y.mean()
    Z = Z - Z.mean(0)
    alphas, scores = ridge_regression(DenseDesign(Z), y[:, None], "gcv").alphas, []
    for alpha in alphas:
        H = Z @ np.linalg.solve(Z.T @ Z + alpha * np.eye(width), Z.T)
        left, freedom = ((y - H @ y) ** 2).sum(), 80 - 1 - np.trace(H)
        scores.append((80 * left / freedom**2, left / freedom))
    gcv, noise = np.array(scores).T
    # ridges below rounding are decided by rounding; the best is far from there
    best = np.argmin(gcv)
    assert process.noise_ == pytest.approx(noise[best], rel=1e-4)
    assert process.amplitude_ == pytest.approx(y @ y / 80 - noise[best], rel=1e-4)
    given = RandomFeatureGP(Gaussian(1.0), n_components=width, criterion="gcv", posterior="compressed", noise=0.5,
                            random_state=0).fit(X, Y)
    assert given.noise_ == pytest.approx(0.5) and given.amplitude_ == pytest.approx(max(y @ y / 80 - 0.5, 0.5))


@pytest.mark.parametrize("most", [500, 30])
def test_the_likelihood_counts_every_row_and_its_own_noise(most, monkeypatch):
    """The cost that is minimised is that of the rows and noises that the fit was given, or of some of them."""
    seen, likelihood = [], process_estimator.log_likelihood

    def noted(K, noise, y):
        seen.append((K.copy(), np.array(noise), y.copy()))
        return likelihood(K, noise, y)

    monkeypatch.setattr(process_estimator, "log_likelihood", noted)
    monkeypatch.setattr(process_estimator, "_ROWS", most)
    known = rng.uniform(0.1, 0.5, 80)
    process = RandomFeatureGP("gaussian", length_scale=1.5, scaling=None, posterior="exact", random_state=0)
    process.fit(X, Y, noise_variance=known)
    K, noise, y = min(seen, key=lambda one: abs(one[0][0, 0] * process._unit**2 - process.amplitude_))
    apart = np.abs(y[:, None] - (Y - process._base) / process._unit)
    rows = apart.argmin(1)
    assert len(y) == len({*rows.tolist()}) == min(most, 80) and apart.min(1).max() < 1e-12
    np.testing.assert_allclose((noise - noise.min()) * process._unit**2, known[rows] - known[rows].min(), atol=1e-9)
    np.testing.assert_allclose(K / K[0, 0], Gaussian(1.5)(X[rows]), rtol=1e-9)


@pytest.mark.parametrize("mean", ["auto", 0.0])
def test_numbers_that_are_kept_tell_the_constant_where_it_is_unknown(mean):
    """Of columns of T, times the roots of the noise, orthonormal: they span those of the features, and the constant."""
    known = np.random.default_rng(3).uniform(0.1, 0.5, 80)
    process = RandomFeatureGP(Gaussian(1.0), n_components=6, posterior="compressed", amplitude=1.0, noise=0.05,
                              mean=mean, random_state=0).fit(X, Y, noise_variance=known)
    roots = np.sqrt(process._process.noise)[:, None]
    T, Z = roots * process._process.T, process.features_.transform(X) / roots
    left = [1 - np.linalg.norm(T.T @ v) / np.linalg.norm(v) for v in (*Z.T, 1 / roots[:, 0])]
    assert max(left[:-1]) < 1e-9 and (abs(left[-1]) < 1e-9) == (mean == "auto")
    assert T.shape[1] == 6 + (mean == "auto")


@pytest.mark.parametrize("group", [1, 3, 8])
def test_each_path_has_waves_of_its_own(group, monkeypatch):
    """A path on one wave obeys f(x + h) + f(x - h) = 2 cos(w h) f(x), and no two paths do for the same w."""
    monkeypatch.setattr(processes, "TOGETHER", 2 * group)
    process = RandomFeatureGP(Gaussian(1.0), n_components=2, amplitude=1.0, noise=0.01, mean=0.0, random_state=0)
    process.fit(X[:, :1], Y)
    grid = np.linspace(-0.5, 0.5, 11)[:, None]
    paths = processes.prior_paths(process.kernel_, process._process.amplitude, 2, grid, 8, np.random.default_rng(0))
    cosines = (paths[2:] + paths[:-2])[4] / paths[1:-1][4] / 2
    np.testing.assert_allclose((paths[2:] + paths[:-2]) / 2, cosines * paths[1:-1], rtol=1e-6, atol=1e-7)
    assert len({*cosines.round(9)}) == 8
    assert len({*(paths[5] / paths[6]).round(9)}) == 8  # nor the same weights


def test_paths_have_the_variance_of_the_process():
    """Squares of a path at 0 have the mean of the amplitude; five deviations of 4,000 of them."""
    process = RandomFeatureGP(Gaussian(1.0), n_components=64, amplitude=2.0, noise=0.01, mean=0.0, random_state=0)
    process.fit(X, Y)
    pair = np.array([[0.0, 0.0], [50.0, 0.0]])
    paths = processes.prior_paths(Gaussian(1.0), process._process.amplitude, 64, pair, 4000, np.random.default_rng(1))
    assert np.mean(paths**2, axis=1) == pytest.approx([2.0, 2.0], abs=5 * 2.0 * np.sqrt(2.2 / 4000))
    assert abs(np.mean(paths[0] * paths[1])) < 5 * 2.0 / np.sqrt(4000)


@pytest.mark.parametrize("flat", [False, True])
def test_what_rounding_takes_from_a_variance_the_floor_gives_back(flat):
    noise = np.full(80, 0.01)
    given = process_estimator._Given(Gaussian(1.0), 1.3, X, Y, noise, 2, flat=flat)
    seen: list = []
    given.each(X[:5], lambda rows, cross: seen.append((cross, given.along(cross))))
    for cross, V in seen:
        floor, too_long = processes.variance_floor(1.3, cross, noise), 1.1 * V
        assert ((too_long * too_long).sum(1) > 1.3).all() and (floor > 0).all()
        unknown = (1 - too_long @ given.ones) ** 2 / (given.ones @ given.ones) if flat else 0.0
        np.testing.assert_allclose(given.variances(cross, too_long), floor + unknown, rtol=1e-12)
