"""Pruned machines: their algorithms against plain NumPy and SciPy, scikit-learn's rules, selections, bad input."""

import itertools
import pickle
import warnings

import numpy as np
import pytest
from scipy import optimize, sparse
from sklearn.base import clone
from sklearn.feature_selection import RFE, SelectFromModel
from sklearn.metrics import make_scorer, mean_absolute_error
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from rfbook import Gaussian, HARFERegressor, Matern, RandomFeatureRegressor, SRFFRegressor
from rfbook.adaptive import prune
from rfbook.adaptive import pruning as _pruning
from rfbook.draws import Waves, sample_waves
from rfbook.features.fourier import fourier_features
from rfbook.solvers import Moments

rng = np.random.default_rng(0)
X = rng.uniform(-2, 2, (200, 5))
y = np.sin(2 * X[:, 1]) + 0.1 * rng.standard_normal(200)

SMALL = {SRFFRegressor: {"n_components": 40, "max_iter": 10}, HARFERegressor: {"n_components": 20, "order": 1}}
MACHINES = pytest.mark.parametrize("kind", SMALL)


def small(kind, **parameters):
    return kind(**{**SMALL[kind], "random_state": 0, **parameters})


@parametrize_with_checks([SRFFRegressor(n_components=60, length_scale=3.0, scaling=None, max_iter=5),
                          HARFERegressor(n_components=10, length_scale=1.0, scaling=None)])
def test_the_rules_of_scikit_learn(estimator, check):
    check(estimator)


# ---- what both share -----------------------------------------------------------------------------------------------


@MACHINES
def test_predictions_are_the_sum_of_the_waves(kind):
    machine = small(kind).fit(X, y)
    waves, S = machine.waves_, machine.scaler_.transform(X)
    T = S @ waves.frequencies.T
    Z = np.hstack([np.cos(T), np.sin(T)]) if waves.phases is None else np.cos(T + waves.phases)
    Z *= np.tile(np.broadcast_to(waves.amplitudes, len(waves)), Z.shape[1] // len(waves))
    assert np.allclose(Z @ machine.feature_coef_ + machine.intercept_, machine.predict(X), atol=1e-9)
    assert machine.predict(X).dtype == float and machine.score(X, y) > 0.9


@MACHINES
def test_the_same_seed_gives_the_same_bits_for_any_number_of_threads(kind):
    a, b, c = (small(kind, n_jobs=jobs, random_state=seed).fit(X, y) for jobs, seed in ((1, 0), (3, 0), (1, 1)))
    assert np.array_equal(a.predict(X), b.predict(X)) and np.array_equal(a.relevances_, b.relevances_)
    assert not np.array_equal(a.predict(X), c.predict(X))
    again = pickle.loads(pickle.dumps(a))
    assert np.array_equal(again.predict(X), a.predict(X))


@MACHINES
def test_a_weight_counts_copies_of_a_row(kind):
    w = np.random.default_rng(1).integers(0, 3, 200)
    options = {"scaling": None, "length_scale": 1.0}
    weighted = small(kind, **options).fit(X, y, sample_weight=w)
    copied = small(kind, **options).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    assert np.allclose(weighted.predict(X), copied.predict(X), atol=1e-5)
    assert np.allclose(weighted.relevances_, copied.relevances_, atol=1e-4)


@MACHINES
def test_targets_in_other_units(kind):
    plain, scaled = small(kind).fit(X, y), small(kind).fit(X, 2.0**400 * y + 2.0**400)
    assert np.allclose(scaled.predict(X) / 2.0**400 - 1, plain.predict(X), atol=1e-6)
    constant = small(kind).fit(X, np.full(200, 3.5))
    assert np.allclose(constant.predict(X), 3.5)


@MACHINES
def test_columns_that_do_not_vary_have_no_relevance_and_change_nothing(kind):
    wide = np.insert(X, [1, 5], [[7.0, -1e5]], axis=1)  # columns 1 and 6
    machine = small(kind).fit(wide, y)
    assert machine.relevances_[[1, 6]].tolist() == [0, 0] and machine.relevances_[2] == machine.relevances_.max()
    moved = wide.copy()
    moved[:, [1, 6]] += 5.0
    assert np.array_equal(machine.predict(moved), machine.predict(wide))
    nothing = small(kind).fit(np.ones((30, 2)), y[:30])
    assert not nothing.relevances_.any() and np.allclose(nothing.predict(np.ones((2, 2))), y[:30].mean())


@MACHINES
def test_equal_columns_bring_a_warning_that_names_them(kind):
    with pytest.warns(UserWarning, match="columns 1 and 5 of X are equal: no fit can tell their relevances apart"):
        small(kind).fit(np.hstack([X, X[:, [1]]]), y)
    with pytest.warns(UserWarning, match="are equal, and 1 more pairs"):
        small(kind).fit(np.hstack([X, X[:, [1, 2]]]), y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        small(kind).fit(np.hstack([X, X[:, [1]] + 1e-9, np.ones((200, 2))]), y)


@MACHINES
def test_sparse_rows_a_kernel_object_and_a_grid(kind):
    S = sparse.csr_matrix(np.where(X > 0, X, 0))
    assert np.allclose(small(kind).fit(S, y).predict(S), small(kind).fit(S.toarray(), y).predict(S.toarray()))
    assert small(kind, kernel=Matern(nu=1.5, length_scale=2.0)).fit(X, y).score(X, y) > 0.8
    search = GridSearchCV(small(kind), {"alpha": [0.1, 1e6]}, cv=3).fit(X, y)
    assert search.best_params_ == {"alpha": 0.1}
    assert small(kind, scaling="power").fit(X, y).score(X, y) > 0.9


@MACHINES
@pytest.mark.parametrize(("parameters", "sentence"), [
    ({"n_components": 0}, "n_components is 0"), ({"alpha": 0}, "alpha is 0"), ({"alpha": "loo"}, "alpha is 'loo'"),
    ({"scaling": "robust"}, "scaling is 'robust'"), ({"scaling": ""}, "scaling is ''"), ({"tol": -1}, "tol is -1"),
    ({"max_iter": -1}, "max_iter is -1"), ({"kernel": "gausian"}, "kernel is 'gausian'"),
    ({"length_scale": "long"}, "length_scale is 'long'"), ({"n_jobs": 0}, "n_jobs is 0"), ({"step": 0}, "step is 0"),
])
def test_wrong_parameters(kind, parameters, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}") as caught:
        small(kind, **parameters).fit(X, y)
    assert "\n" not in str(caught.value)


@MACHINES
def test_a_fit_that_fails_leaves_no_machine(kind):
    machine = small(kind).fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        machine.fit(np.where(X > 1.9, np.nan, X), y)
    with pytest.raises(ValueError, match="overflow"):
        small(kind, scaling=None).fit(np.where(X > 1.9, 1e308, -1e308), y)
    assert not hasattr(machine, "feature_coef_")


# ---- columns -------------------------------------------------------------------------------------------------------


def test_the_simplex_against_a_general_solver():
    for d, radius in ((1, 1.0), (4, 2.0), (9, 0.5)):
        v = rng.standard_normal(d)
        want = optimize.minimize(lambda u, v=v: ((u - v) ** 2).sum(), np.full(d, radius / d), bounds=[(0, None)] * d,
                                 constraints={"type": "eq", "fun": lambda u, r=radius: u.sum() - r}, tol=1e-12)
        assert np.allclose(prune.onto_simplex(v, radius), want.x, atol=1e-5)
    assert prune.onto_simplex([1e300, 0.0]).tolist() == [1.0, 0.0]
    assert prune.onto_simplex([2.0, 2.0], 1.0).tolist() == [0.5, 0.5]
    for bad, sentence in (((np.ones((2, 2)),), "v has shape"), (([np.nan],), "v has"), (([1.0], 0.0), "radius is 0")):
        with pytest.raises(ValueError, match=sentence):
            prune.onto_simplex(*bad)


@pytest.mark.parametrize("phase", ["paired", "offset"])
def test_gradients_in_the_relevances_are_those_of_differences(phase):
    waves, gamma = sample_waves(Gaussian(), 9, 5, rng, phase=phase), rng.uniform(0.5, 1.5, 5)
    shares, coef = rng.dirichlet(np.ones(200)), rng.standard_normal(waves.width)
    objective = _pruning.Stretch(X, y, shares, waves, coef, 0.3, 1)
    Z = fourier_features(X * gamma, waves.frequencies.T, waves.phases)
    assert np.isclose(objective(gamma)[0], shares @ (Z @ coef + 0.3 - y) ** 2)
    slopes = [(objective(gamma + h)[0] - objective(gamma - h)[0]) / 2e-6 for h in 1e-6 * np.eye(5)]
    assert np.allclose(objective(gamma)[1], slopes, rtol=1e-6)


def test_rounds_never_go_up_and_end_on_the_simplex():
    machine = small(SRFFRegressor, max_iter=40, radius=3.0).fit(X, y)
    assert np.diff(machine.trace_).max() < 1e-12 and len(machine.trace_) == machine.n_iter_ + 1
    assert np.isclose(machine.relevances_.sum(), 3.0) and machine.relevances_.min() == 0
    assert machine.relevances_.argmax() == 1 and np.count_nonzero(machine.relevances_) < 5
    start = small(SRFFRegressor, max_iter=0).fit(X, y)
    assert np.allclose(start.relevances_, 1.0) and start.n_iter_ == 0
    residual = np.mean((machine.predict(X) - y) ** 2) / y.var()
    penalty = 0.1 / 200 * (machine.feature_coef_**2).sum() / y.var()
    assert np.isclose(residual + penalty, machine.trace_[-1])


def test_a_machine_with_no_rounds_is_ridge_regression():
    machine = small(SRFFRegressor, max_iter=0, scaling=None, length_scale=1.0, alpha=0.7).fit(X, y)
    Z = np.hstack([np.cos(X @ machine.waves_.frequencies.T), np.sin(X @ machine.waves_.frequencies.T)]) / np.sqrt(20)
    Z0, y0 = Z - Z.mean(0), (y - y.mean()) / y.std()
    want = np.linalg.solve(Z0.T @ Z0 + 0.7 * np.eye(40), Z0.T @ y0)
    assert np.allclose(machine.feature_coef_ / y.std(), want)
    assert small(SRFFRegressor, n_components=5).fit(X, y).n_components_ == 6


def test_a_radius_that_is_none():
    with pytest.raises(ValueError, match="radius is 0"):
        small(SRFFRegressor, radius=0).fit(X, y)
    with pytest.raises(ValueError, match="n_steps is 0"):
        small(SRFFRegressor, n_steps=0).fit(X, y)


# ---- waves ---------------------------------------------------------------------------------------------------------


def test_sparse_waves_keep_some_coordinates_and_are_nested():
    waves = sample_waves(Gaussian(), 300, 6, rng, phase="offset")
    few = prune.sparse_waves(waves, 2, np.random.default_rng(3))
    kept = few.frequencies != 0
    assert (kept.sum(1) == 2).all() and np.array_equal(few.frequencies[kept], waves.frequencies[kept])
    assert np.array_equal(few.phases, waves.phases) and few.amplitudes == waves.amplitudes
    fewer = prune.sparse_waves(waves.take(np.arange(10)), 2, np.random.default_rng(3))
    assert np.array_equal(fewer.frequencies, few.frequencies[:10])
    assert np.array_equal(prune.sparse_waves(waves, 6, rng).frequencies, waves.frequencies)
    for order in (0, 7, 1.5):
        with pytest.raises(ValueError, match=f"order is {order}"):
            prune.sparse_waves(waves, order, rng)


def test_largest_counts_absolute_values_and_earlier_ones_first():
    assert prune.largest([1.0, -1.0, 0.0, 1.0], 2).tolist() == [0, 1]
    assert prune.largest([0.0, -5.0, 2.0], 1).tolist() == [1]
    with pytest.raises(ValueError, match="n is 4"):
        prune.largest([1.0], 4)


def reference(Z, y, s, alpha, step, n_steps):
    """The pursuit in NumPy."""
    c = np.zeros(Z.shape[1])
    for _ in range(n_steps):
        u = c - step * (Z.T @ (Z @ c - y) + alpha * c)
        S = np.sort(np.argsort(-np.abs(u))[:s])
        c = np.zeros(Z.shape[1])
        c[S] = np.linalg.solve(Z[:, S].T @ Z[:, S] + alpha * np.eye(s), Z[:, S].T @ y)
    return c


@pytest.mark.parametrize("n", [30, 90])
@pytest.mark.parametrize("heights", [1.0, np.arange(1.0, 61.0)])
def test_the_pursuit_is_that_of_numpy(n, heights):
    Z = rng.standard_normal((n, 60))
    t = Z[:, :5] @ [1.0, -1.0, 2.0, -2.0, 1.0] + 0.1 * rng.standard_normal(n)
    moments, divided = Moments(60, intercept=False).update(Z, t), Z / heights
    step = 0.5 / np.linalg.norm(divided, 2) ** 2
    for n_steps in (1, 2, 5):
        coef, kept, trace = prune.pursuit(moments, 6, 0.3, step=step, max_iter=n_steps, heights=heights)
        assert np.allclose(coef, reference(divided, t, 6, 0.3, step, n_steps), atol=1e-10)
        assert np.array_equal(kept, np.flatnonzero(coef)) and len(trace) <= n_steps
        assert np.isclose(trace[-1], ((t - divided @ coef) ** 2).sum() + 0.3 * (coef**2).sum())


@pytest.mark.parametrize("n", [30, 90])
def test_without_a_step_every_step_goes_down(n):
    Z = rng.standard_normal((n, 60)) + rng.standard_normal((n, 1))  # far from orthogonal
    t = rng.standard_normal(n)
    _, kept, trace = prune.pursuit(Moments(60).update(Z, t), 10, 1e-3)
    assert len(trace) > 1 and (np.diff(trace) < 0).all() and len(kept) == 10
    best = min(((t - t.mean() - A @ np.linalg.lstsq(A, t - t.mean(), rcond=None)[0]) ** 2).sum()
               for S in itertools.combinations(range(6), 2) for A in [(Z - Z.mean(0))[:, S]])
    two = prune.pursuit(Moments(6).update(Z[:, :6], t), 2, 1e-9)[2][-1]
    assert two >= best * (1 - 1e-9)


def test_the_pool_is_chosen_from_and_nested():
    machine = small(HARFERegressor, n_candidates=300, order=1).fit(X, y)
    assert len(machine.kept_) == 20 and machine.kept_.max() < 300 and machine.waves_.width == 20
    assert ((machine.waves_.frequencies != 0).sum(1) == 1).all()
    assert machine.relevances_.argmax() == 1
    assert np.allclose(machine.relevances_, prune.relevances(machine.waves_, machine.feature_coef_))
    assert (np.diff(machine.trace_) < 0).all() and 0 < machine.trace_[-1] < 0.2
    whole = small(HARFERegressor, n_components=30, n_candidates=30, scaling=None, length_scale=1.0).fit(X, y)
    assert whole.kept_.tolist() == list(range(30))
    few = small(HARFERegressor, n_components=1, n_candidates=10, scaling=None, length_scale=1.0).fit(X, y)
    where = whole.kept_.tolist().index(few.kept_[0])
    assert np.array_equal(few.waves_.frequencies[0], whole.waves_.frequencies[where])


def test_all_waves_of_the_pool_are_ridge_regression_on_standardised_features():
    machine = small(HARFERegressor, n_components=30, n_candidates=30, scaling=None, length_scale=1.0, alpha=2.0)
    Z = np.cos(X @ machine.fit(X, y).waves_.frequencies.T + machine.waves_.phases)
    P = (Z - Z.mean(0)) / Z.std(0)
    want = np.linalg.solve(P.T @ P + 2.0 * np.eye(30), P.T @ (y - y.mean()))
    assert np.allclose(machine.feature_coef_ * Z.std(0), want)


def test_a_ridge_below_rounding_is_one_of_rounding():
    """Thirty smooth waves of one column hang together, up to rounding."""
    least, less = (small(HARFERegressor, n_components=30, n_candidates=30, scaling=None, length_scale=3.0, alpha=alpha)
                   .fit(X[:, :1], y).predict(X[:, :1]) for alpha in (1e-12, 1e-308))
    np.testing.assert_allclose(less, least, atol=1e-3)


def test_more_waves_than_the_pool_holds():
    sentence = "n_components is 20, and the pool holds 10 waves; it may be at most as many"
    with pytest.raises(ValueError, match=sentence):
        small(HARFERegressor, n_candidates=10).fit(X, y)
    with pytest.raises(ValueError, match="order is 0"):
        small(HARFERegressor, order=0).fit(X, y)
    assert small(HARFERegressor, order=99).fit(X, y).waves_.frequencies.all()  # at most all columns


def test_additive_targets_are_learnt_from_few_rows():
    """Friedman's function as in the paper, and a plain machine of as many waves."""
    from sklearn.datasets import make_friedman1

    A, b = make_friedman1(1200, 10, noise=0.0, random_state=0)
    kept = HARFERegressor(n_components=200, n_candidates=2000, order=2, alpha=0.2, random_state=0)
    plain = RandomFeatureRegressor(n_components=200, length_scale="median", random_state=0)
    scores = [machine.fit(A[:200], b[:200]).score(A[200:], b[200:]) for machine in (kept, plain)]
    assert scores[0] > 0.95 > scores[1]


# ---- selections ----------------------------------------------------------------------------------------------------


def test_shares_of_a_selection():
    found = prune.rates(range(10), range(5), 20)
    assert found == {"precision": 0.5, "recall": 1.0, "false discovery": 0.5, "false omission": 0.0}
    assert prune.rates([], [1], 4) == {"precision": 0.0, "recall": 0.0, "false discovery": 0.0, "false omission": 0.25}
    assert prune.rates([0, 1], [], 2)["false omission"] == 0
    for bad in ([4], [-1], [0.5], ["a"], [True]):
        with pytest.raises(ValueError, match="^selected is"):
            prune.rates(bad, [0], 4)


def test_top_k_keeps_columns_where_they_stand_and_leaves_the_machine_alone():
    machine = small(SRFFRegressor).fit(X[:100], y[:100])
    before = machine.relevances_.copy()
    columns, scores = prune.top_k(machine, X[100:], y[100:])
    assert columns.tolist() == [1] and scores.shape == (6,) and np.array_equal(machine.relevances_, before)
    assert scores.argmax() == 1 and np.isclose(scores[5], machine.score(X[100:], y[100:]))
    held = X[100:].mean(0)
    alone = np.tile(held, (100, 1))
    alone[:, 1] = X[100:, 1]
    assert np.isclose(scores[1], machine.score(alone, y[100:]))
    scorer = make_scorer(mean_absolute_error, greater_is_better=False)
    assert prune.top_k(machine, X[100:], y[100:], scoring=scorer)[0].tolist() == [1]


def test_top_k_is_the_machine_with_relevances_set_to_zero():
    machine = small(SRFFRegressor).fit(X, y)
    centre = machine.scaler_.mean_
    _, scores = prune.top_k(machine, X, y, centre=centre)
    order = np.argsort(-machine.relevances_, kind="stable")
    for k in (1, 3):
        cut = clone(machine).fit(X, y)
        cut.waves_ = machine.waves_.stretched(np.isin(np.arange(5), order[:k]).astype(float))
        assert np.isclose(cut.score(X, y), scores[k])


def test_signs_of_relevances_do_not_matter_and_equal_scores_take_fewer_columns():
    class Machine:
        relevances_ = np.array([0.1, -3.0, 2.0])

        def score(self, X, y):
            return float(X[:, 1].any())

    columns, scores = prune.top_k(Machine(), np.ones((4, 3)), None, centre=np.zeros(3))
    assert columns.tolist() == [1] and scores.tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize("relevances", [[np.nan, 1.0], [1.0], None, "ab"])
def test_relevances_that_are_none(relevances):
    class Machine:
        relevances_ = relevances

    with pytest.raises(ValueError, match="machine is|could not convert"):
        prune.top_k(Machine(), np.ones((4, 2)), np.ones(4))
    with pytest.raises(ValueError, match="machine is"):
        prune.top_k(RandomFeatureRegressor(), np.ones((4, 2)), np.ones(4))


def test_a_centre_that_does_not_fit():
    machine = small(HARFERegressor).fit(X, y)
    with pytest.raises(ValueError, match=r"centre has shape \(2,\); it may be 5 finite numbers"):
        prune.top_k(machine, X, y, centre=[0, 1])
    with pytest.raises(ValueError, match=r"X has shape \(5,\)"):
        prune.top_k(machine, X[0], y)


def test_shadows_are_shuffled_copies():
    wide = prune.shadowed(X, 2, 7, np.random.default_rng(0))
    assert wide.shape == (200, 12) and np.array_equal(wide[:, :5], X)
    assert np.array_equal(np.sort(wide[:, 5:], axis=0), np.tile(np.sort(X[:, [2]], axis=0), 7))
    assert len(np.unique(wide, axis=1).T) == 12
    for bad, sentence in (((X[0], 0, 1), "X has shape"), ((X, 5, 1), "column is 5"), ((X, 0, 0), "n_shadows is 0")):
        with pytest.raises(ValueError, match=sentence):
            prune.shadowed(*bad, rng)


def test_relevances_are_root_mean_square_derivatives():
    waves = Waves(np.array([[2.0, 0.0], [0.0, 3.0]]), amplitudes=[1.0, 2.0])
    assert np.allclose(prune.relevances(waves, [3.0, 0.0, 4.0, 1.0]), [2 * 5 / np.sqrt(2), 3 * 2 / np.sqrt(2)])
    offset = Waves(np.array([[2.0, 1.0]]), [0.7], 1.0)
    assert np.allclose(prune.relevances(offset, [-3.0]), [6 / np.sqrt(2), 3 / np.sqrt(2)])


@MACHINES
def test_the_selectors_of_scikit_learn_take_the_relevances(kind):
    kept = SelectFromModel(small(kind), importance_getter="relevances_", max_features=1, threshold=-np.inf).fit(X, y)
    assert kept.get_support(indices=True).tolist() == [1]
    steps = RFE(small(kind), n_features_to_select=1, importance_getter="relevances_").fit(X, y)
    assert steps.support_.sum() == 1


@pytest.mark.parametrize("kind", [SRFFRegressor, HARFERegressor])
def test_ridges_that_are_chosen(kind):
    rows = np.random.default_rng(5).uniform(-2, 2, (240, 3))
    clean = np.sin(2 * rows[:, 0])
    noisy = clean + 2.0 * np.random.default_rng(6).standard_normal(240)
    weak, strong = (small(kind, alpha="auto").fit(rows, y) for y in (clean, noisy))
    assert weak.alpha_ < strong.alpha_
    assert small(kind, alpha=0.7).fit(rows, clean).alpha_ == 0.7
    new = np.random.default_rng(7).uniform(-2, 2, (500, 3))
    loose = small(kind, alpha=1e-6).fit(rows, noisy)
    missed = [np.mean((machine.predict(new) - np.sin(2 * new[:, 0])) ** 2) for machine in (strong, loose)]
    assert missed[0] < missed[1]
    if kind is HARFERegressor:
        ridges = 240 * 10.0 ** np.arange(-6, 1)
        assert np.isclose(ridges, strong.alpha_).any()
        again = small(kind, alpha=strong.alpha_).fit(rows, noisy)
        np.testing.assert_allclose(strong.predict(new), again.predict(new), atol=1e-6)
