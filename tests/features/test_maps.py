"""The base class of all maps: a map that looks at y is ten lines, and works wherever maps do."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from rfbook import (
    ArcCosineFeatures,
    CoordinateFeatures,
    GaussianProductFeatures,
    RandomBinningFeatures,
    RandomFeatureClassifier,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    RandomMaclaurinFeatures,
)
from rfbook.maps.base import SEEN, RandomFeatureMap, seen


class Largest(RandomFourierFeatures):
    """Keeps the waves with the largest |mean y z|."""

    looks_at_y = True

    def __init__(self, n_kept=50, *, n_components=400, phase="offset", random_state=None):
        super().__init__(n_components=n_components, phase=phase, random_state=random_state)
        self.n_kept = n_kept

    def _adapt(self, X, y, draws, rng):
        score = np.abs(np.asarray(y, float).T @ self._features(X, draws)).reshape(-1, draws.width).max(0)
        return draws.take(np.argsort(-score[draws.columns].max(1), kind="stable")[: self.n_kept])


rng = np.random.default_rng(0)
X = rng.standard_normal((400, 4))
y = np.sin(2 * X[:, 0]) + 0.1 * rng.standard_normal(400)


@pytest.mark.parametrize("phase", ["offset", "paired"])
def test_it_keeps_what_it_says(phase):
    map_ = Largest(20, phase=phase, random_state=0).fit(X, y)
    plain = RandomFourierFeatures(n_components=400, phase=phase, random_state=0).fit(X)
    score = np.abs(y @ plain.transform(X))
    score = score if phase == "offset" else np.maximum(*score.reshape(2, -1))
    best = np.sort(np.argsort(-score, kind="stable")[:20])
    kept = {tuple(w) for w in map_.random_weights_.T}
    # the draws of a map that adapts are those of a map that does not, whose generator is one stream shorter
    assert kept == {tuple(w) for w in plain.random_weights_.T[best]}
    assert map_.n_components_ == map_.transform(X).shape[1] == (20 if phase == "offset" else 40)
    assert np.array_equal(map_.fit(X, y).transform(X), clone(map_).fit_transform(X, y))
    S = sparse.csr_matrix(X)
    assert np.allclose(clone(map_).fit(S, y).transform(S), map_.transform(X), atol=1e-12)
    assert map_.get_feature_names_out()[-1] == f"largest{map_.n_components_ - 1}"


def test_targets_are_asked_for():
    with pytest.raises(ValueError, match="requires y"):
        Largest().fit(X)
    with pytest.raises(ValueError, match="inconsistent"):
        Largest().fit(X, y[:3])


def test_wherever_maps_do():
    machine = RandomFeatureRegressor(Largest(random_state=0))
    plain = RandomFeatureRegressor(RandomFourierFeatures(length_scale=1.0, n_components=50, phase="offset",
                                                         random_state=0))
    assert cross_val_score(machine, X, y).mean() > cross_val_score(plain, X, y).mean()
    search = GridSearchCV(make_pipeline(StandardScaler(), machine),
                          {"randomfeatureregressor__features__n_kept": [5, 60]}).fit(X, y)
    assert search.best_estimator_.predict(X).shape == (400,)
    two = RandomFeatureRegressor(Largest(random_state=0)).fit(X, np.c_[y, -y])
    assert two.predict(X).shape == (400, 2)
    labels = np.where(y > 0, 1, 0)
    assert RandomFeatureClassifier(Largest(random_state=0)).fit(X, labels).score(X, labels) > 0.8


class Weighted(RandomBinningFeatures):
    """Grids with amplitudes that the targets decide."""

    looks_at_y = True

    def _adapt(self, X, y, draws, rng):
        return draws.weighted(np.linspace(0, 2, len(draws)))


def test_a_map_of_grids_may_look_at_y():
    map_ = Weighted(n_grids=20, length_scale=2.0, random_state=0)
    machine = RandomFeatureRegressor(map_, alpha=1.0).fit(X, y)
    Z = machine.features_.transform(X).toarray()
    assert np.allclose(machine.features_.approximate_kernel(X), Z @ Z.T, atol=1e-12)
    A, r = Z - Z.mean(0), y - y.mean()
    want = y.mean() + A @ np.linalg.solve(A.T @ A + np.eye(A.shape[1]), A.T @ r)
    assert np.allclose(machine.predict(X), want, atol=1e-5)


class LargestGrids(RandomBinningFeatures):
    """Keeps the grids on whose boxes the mean of y varies most: their features are asked for before there is a map."""

    looks_at_y = True

    def _adapt(self, X, y, draws, rng):
        spread = [((self._features(X, draws.take([p])).T @ y) ** 2).sum() for p in range(len(draws))]
        return draws.take(np.argsort(spread)[-4:])


def test_a_map_of_grids_may_ask_for_features_in_its_first_fit():
    map_ = LargestGrids(n_grids=10, random_state=0)
    Z = map_.fit_transform(X, y)
    assert len(map_.draws_) == 4 and Z.shape[1] == map_.n_bins_.sum()
    assert np.array_equal(map_.fit(X, y).transform(X).toarray(), Z.toarray())  # and in the next one


class Counted(RandomBinningFeatures):
    """Grids that see the weights of the rows."""

    looks_at_y = True

    def fit(self, X, y, sample_weight=None):
        self._fit(X, y, sample_weight=sample_weight)
        return self

    def _adapt(self, X, y, draws, rng, sample_weight=None):
        self.total_ = None if sample_weight is None else sample_weight.sum()
        return draws


def test_weights_reach_a_map_of_grids():
    machine = RandomFeatureRegressor(Counted(n_grids=5, random_state=0), alpha=1.0)
    assert machine.fit(X, y).features_.total_ is None
    assert machine.fit(X, y, sample_weight=np.full(400, 2.0)).features_.total_ == 800


def test_a_fit_that_fails_leaves_no_map():
    map_ = Largest(random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        map_.fit(np.full((3, 4), np.nan), [1, 2, 3])
    assert not hasattr(map_, "n_components_")


class Fast(RandomFeatureMap):
    """As little as a map can be."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def _draw(self, X, rng):
        from rfbook.draws.waves import Waves

        return Waves(rng.standard_normal((8, X.shape[1])))

    def _filler(self, X, draws):
        def fill(rows, out):
            T = X[rows] @ draws.frequencies.T.astype(X.dtype)
            out[...] = draws.amplitudes * np.hstack([np.cos(T), np.sin(T)])

        return lambda: fill


@pytest.mark.parametrize("map_", [Fast(), Largest(4, n_components=8)], ids=str)
def test_scikit_learn_checks(map_):
    # the checks give float64 of single rows and single columns, sparse rows and frames
    failed = [r["check_name"] for r in check_estimator(map_, on_fail=None) if r["status"] == "failed"]
    assert failed == []


NUMBERS = {
    "paired": RandomFourierFeatures(), "offset": RandomFourierFeatures(phase="offset"),
    "blocks": RandomFourierFeatures(sampling="orthogonal"), "fast": RandomFourierFeatures(sampling="structured"),
    "grids": RandomBinningFeatures(), "products": GaussianProductFeatures(), "maclaurin": RandomMaclaurinFeatures(),
    "rectifiers": ArcCosineFeatures(), "right angles": ArcCosineFeatures(sampling="orthogonal"),
    "coordinates": CoordinateFeatures(replace=True),
}


def terms_by_hand(map_, rows):
    """What each draw adds to the kernel of all pairs of rows, from one map of a single draw after the other."""
    i, j = np.triu_indices(len(rows))
    found = []
    for k in range(len(map_.draws_)):
        Z = map_._features(rows, map_.draws_.take([k]))
        Z = Z.toarray() if sparse.issparse(Z) else Z
        exact = getattr(map_.draws_, "first", 0)
        found.append(((Z @ Z.T) - Z[:, :exact] @ Z[:, :exact].T)[i, j])
    return np.array(found).T


@pytest.mark.parametrize("name", NUMBERS)
def test_error_is_the_bootstrap_of_whole_units(name):
    map_ = clone(NUMBERS[name]).set_params(random_state=0)
    map_.set_params(**{map_._number: 44}).fit(X[:30])
    terms, rows = terms_by_hand(map_, X[:30]), X[:30]
    each = 4 if name in ("blocks", "fast", "right angles") and len(map_.draws_) >= 40 else 1
    units = np.arange(len(map_.draws_)) // each
    drawn = np.random.default_rng(0).integers(units[-1] + 1, size=(200, units[-1] + 1))
    counts = np.stack([np.bincount(some, minlength=units[-1] + 1) for some in drawn]) - 1
    changes = np.sort(np.abs(terms @ counts[:, units].T).max(0))
    for level, rank in ((0.9, 181), (0.5, 101)):
        said = map_.kernel_error(rows, level=level, random_state=np.random.default_rng(0))
        assert said == pytest.approx(changes[rank - 1], rel=1e-9)
    assert map_.error_estimate_ == map_.kernel_error() == pytest.approx(changes[180], rel=1e-9)


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_auto_is_the_map_of_that_number(name, dtype):
    data = X.astype(dtype)
    auto = clone(NUMBERS[name]).set_params(random_state=3, error=0.5)
    auto.set_params(**{auto._number: "auto"}).fit(data)
    width = auto.draws_.width
    given = clone(auto).set_params(**{auto._number: width}).fit(data)
    assert given.draws_.width == width and np.array_equal(auto.kernel_error(data[:9]), given.kernel_error(data[:9]))
    Z, same = auto.transform(data[:9]), given.transform(data[:9])
    assert (Z != same).nnz == 0 if sparse.issparse(Z) else np.array_equal(Z, same)
    finer = clone(auto).set_params(error=0.25).fit(data)  # four times the draws
    assert 3.9 * len(auto.draws_) - 4 <= len(finer.draws_) <= 4 * len(auto.draws_) + 4
    assert getattr(auto, auto._number) == "auto" and clone(auto).get_params()["error"] == 0.5


def test_error_where_it_cannot_be_asked():
    map_ = Largest(random_state=0).fit(X, y)
    assert not hasattr(map_, "error_estimate_") and not hasattr(RandomFourierFeatures(), "error_estimate_")
    with pytest.raises(ValueError, match="Largest looks at the data"):
        map_.kernel_error()
    with pytest.raises(ValueError, match="level is 1; it may be a probability"):
        RandomFourierFeatures(n_components=4).fit(X).kernel_error(level=1)
    with pytest.raises(ValueError, match="error is 0; it may be"):
        RandomFourierFeatures(n_components="auto", error=0).fit(X)
    with pytest.raises(ValueError, match="n_components is 'many'; it may be a number or one of 'auto'"):
        RandomFourierFeatures(n_components="many").fit(X)
    with pytest.raises(ValueError, match="takes more than 1,048,576 components"):
        RandomFourierFeatures(n_components="auto", error=1e-6).fit(X)


def test_coordinates_without_repetition_are_exact_in_whole_rounds():
    assert CoordinateFeatures(8, random_state=0).fit(X).error_estimate_ == 0
    assert CoordinateFeatures(7, random_state=0).fit(X).error_estimate_ > 0
    auto = CoordinateFeatures("auto", random_state=0).fit(X)
    assert auto.n_components_ == 4 and np.allclose(auto.approximate_kernel(X), X @ X.T)
    wide = np.random.default_rng(1).standard_normal((50, 2000))
    some = CoordinateFeatures("auto", error=0.5, random_state=0).fit(wide)
    assert some.n_components_ < 1000


def test_only_a_few_rows_are_kept_and_a_constant_needs_one_draw():
    rows = RandomFourierFeatures(n_components=8, random_state=0).fit(X)._seen
    assert rows.shape == (64, 4) and {tuple(r) for r in rows} <= {tuple(r) for r in X}
    with pytest.warns(UserWarning):
        same = RandomFourierFeatures(length_scale=1e9, n_components="auto", random_state=0).fit(X)
    assert same.n_components_ == 2 and abs(same.approximate_kernel(X) - 1).max() < 1e-6
    S = sparse.csr_matrix(X)
    assert RandomFourierFeatures(length_scale=1.0, random_state=0).fit(S).error_estimate_ == pytest.approx(
        RandomFourierFeatures(length_scale=1.0, random_state=0).fit(X).error_estimate_, rel=1e-9)


def test_rows_that_are_looked_at_differ():
    """All of few rows; of many, so many different ones, in their order, the same whenever there are as many."""
    few, many = np.arange(SEEN)[:, None], np.arange(3 * SEEN)[:, None]
    assert (seen(few) == few).all() and (np.diff(seen(many)[:, 0]) > 0).all() and len(seen(many)) == SEEN
    assert (seen(many) == seen(many)).all()


def test_the_error_of_many_waves_falls_with_the_root_of_their_number():
    rows = np.random.default_rng(0).standard_normal((12, 3))
    few, many = (RandomFourierFeatures(n_components=2 * m, length_scale=1.0, random_state=1).fit(rows).kernel_error()
                 for m in (2048, 8192))
    assert 0.35 < many / few < 0.7  # a half, and the bootstrap's scatter; a quarter if its first waves spoke for few


def test_waves_of_a_block_come_together():
    for sampling, together in (("iid", 1), ("orthogonal", 5), ("structured", 8), ("fastfood", 8), ("sobol", 1)):
        assert RandomFourierFeatures(sampling=sampling)._together(5) == together
    assert [ArcCosineFeatures(sampling=s)._together(5) for s in ("iid", "antithetic", "orthogonal")] == [1, 1, 5]


def test_the_error_of_weighted_grids_is_that_of_their_squares():
    rows = np.random.default_rng(0).standard_normal((12, 2))
    grids = RandomBinningFeatures(n_grids=64, length_scale=1.0, random_state=1).fit(rows)
    before = grids.kernel_error(rows)
    grids.draws_ = grids.draws_.weighted(2.0)
    assert grids.kernel_error(rows) == pytest.approx(4 * before, rel=1e-9)
