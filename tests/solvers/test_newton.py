"""Logistic regression by passes: the minimum of scikit-learn, on every design, however the passes are made."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from rfbook.solvers import newton as newton_module
from rfbook.solvers.design import DenseDesign, FilledDesign, GridDesign, SparseDesign
from rfbook.solvers.fit import logistic
from rfbook.solvers.losses import LogisticLoss, MultinomialLoss
from rfbook.solvers.newton import folds_of, newton_ridges, scores_one_step_out

PROBABILITIES = {2: LogisticLoss, 3: MultinomialLoss, 5: MultinomialLoss}


def problem(n=300, k=2, width=40, seed=0, dtype=float):
    """Cosines of rows of the plane, and k classes by a noisy wave."""
    rng = np.random.default_rng(seed)
    X, W = rng.uniform(-3, 3, (n, 2)), rng.standard_normal((2, width))
    wave = 3 * np.sin(X[:, 0]) * np.cos(X[:, 1]) + rng.logistic(size=n)
    codes = np.searchsorted(np.quantile(wave, np.arange(1, k) / k), wave)
    return (np.cos(X @ W + 6 * rng.uniform(size=width)) * np.sqrt(2 / width)).astype(dtype), codes


def slope(Z, codes, found, weights=None):
    """Largest entry of the gradient of the objective, by a formula of its own, over the total weight."""
    k, w = codes.max() + 1, np.ones(len(Z)) if weights is None else weights
    F = Z @ found.coef + found.intercept
    if k == 2:
        F = np.hstack([np.zeros_like(F), F])
    P = np.exp(F - F.max(1, keepdims=True))
    R = w[:, None] * (P / P.sum(1, keepdims=True) - np.eye(k)[codes])
    R = R[:, 1:] if k == 2 else R
    return max(np.abs(Z.T @ R + found.alpha * found.coef).max(), np.abs(R.sum(0)).max()) / w.sum()


def gap(Z, codes, found, weights=None):
    """Largest difference of a probability from scikit-learn's."""
    k = codes.max() + 1
    theirs = LogisticRegression(C=1 / found.alpha, tol=1e-10, max_iter=20_000).fit(Z, codes, weights)
    ours = PROBABILITIES[k]().probabilities(Z @ found.coef + found.intercept)
    return np.abs(ours - theirs.predict_proba(Z)).max()


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("alpha", [10.0, 0.1])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_minimum_of_scikit_learn(k, alpha, weighted):
    Z, codes = problem(k=k)
    w = np.random.default_rng(1).integers(0, 4, len(Z)) * 1.0 if weighted else None
    found = logistic(DenseDesign(Z), codes, alpha, weights=w)
    assert found.coef.shape == (40, 1 if k == 2 else k) and found.alphas is None and found.scores is None
    assert gap(Z, codes, found, w) < 1e-5 and slope(Z, codes, found, w) < 1e-8
    if k > 2:
        np.testing.assert_allclose(found.coef.sum(1), 0, atol=1e-9)  # of all minima in c, the one that sums to zero
        np.testing.assert_allclose(found.intercept.sum(), 0, atol=1e-9)


def test_weights_are_copies_and_units_do_not_matter():
    Z, codes = problem(k=3)
    w = np.random.default_rng(1).integers(0, 4, len(Z))
    copies = np.repeat(np.arange(len(Z)), w)
    weighted = logistic(DenseDesign(Z), codes, 0.5, weights=w * 1.0)
    repeated = logistic(DenseDesign(Z[copies]), codes[copies], 0.5)
    np.testing.assert_allclose(weighted.coef, repeated.coef, atol=1e-5)
    for unit in (1e-12, 1e12):
        scaled = logistic(DenseDesign(Z), codes, 0.5 * unit, weights=w * unit)
        np.testing.assert_allclose(scaled.coef, weighted.coef, atol=1e-9)


@pytest.mark.parametrize("k", [2, 3])
def test_more_features_than_rows(k):
    Z, codes = problem(n=50, k=k, width=200)
    found = logistic(DenseDesign(Z), codes, 0.01)
    assert slope(Z, codes, found) < 1e-8 and gap(Z, codes, found) < 1e-5


@pytest.mark.parametrize("k", [2, 5])
def test_features_that_are_filled_anew_and_sampled(k, monkeypatch):
    Z, codes = problem(n=700, k=k)
    kept = logistic(DenseDesign(Z), codes, 0.1)
    calls = []

    def make_fill():
        def fill(rows, out):
            calls.append(rows)
            out[...] = Z[rows]

        return fill

    filled = FilledDesign(make_fill, Z.shape, Z.dtype)
    once = logistic(filled, codes, 0.1)
    assert len(calls) == -(-700 // 64)  # kept: each row was filled once
    np.testing.assert_array_equal(once.coef, kept.coef)
    calls.clear()
    monkeypatch.setattr(newton_module, "_KEPT", 0)
    monkeypatch.setattr(newton_module, "_SAMPLE", 4)
    anew = logistic(filled, codes, 0.1)
    assert len(calls) == (anew.passes + 2) * -(-700 // 256)  # the sample and the first gradient are not counted
    assert slope(Z, codes, anew) < 1e-8
    np.testing.assert_allclose(anew.coef, kept.coef, atol=1e-5)


@pytest.mark.parametrize(("n", "k", "criterion"), [(1000, 2, "loo"), (1001, 2, "cv"), (60, 3, "cv")])
def test_auto_leaves_out_rows_where_two_classes_have_few(n, k, criterion):
    Z, codes = problem(n=n, k=k, width=5)
    assert logistic(DenseDesign(Z), codes, alphas=[1.0, 0.1]).criterion == criterion


def test_a_sample_of_rows_stands_for_all_of_them(monkeypatch):
    """Rows that are all alike: the factor of a sample is that of all rows, whose curvature is 1/4 each."""
    monkeypatch.setattr(newton_module, "_SAMPLE", 5)
    n, Z = 300, np.tile([1.0, -2.0], (300, 1))
    newton = newton_module._Newton(newton_module._DensePasses(DenseDesign(Z), None), LogisticLoss(), np.ones((n, 1)),
                                    np.ones((n, 1)), None)
    factor = newton.factor(1.0)
    assert len(newton.sampled[0]) == 10
    assert factor.weight == pytest.approx(n / 4) and factor.mean == pytest.approx(Z[0])


def test_rows_of_a_sample_that_are_left_out_are_as_light_as_among_all_rows():
    """One row of 4,000 moves nothing: what is missed without it is what the fit misses, up to about 1 / 4000."""
    rng = np.random.default_rng(3)
    Z = rng.standard_normal((4000, 1))
    codes = (Z[:, 0] + rng.logistic(size=4000) > 0).astype(int)
    chosen = logistic(DenseDesign(Z), codes, "loo", alphas=[1.0, 0.5])
    rows = newton_module._DensePasses(DenseDesign(Z), None).sample(np.ones(4000, bool))[0]
    assert len(rows) == 8
    for alpha, said in zip(chosen.alphas, chosen.scores, strict=True):
        fit = logistic(DenseDesign(Z), codes, alpha)
        margins = (2 * codes[rows] - 1) * (Z[rows] @ fit.coef + fit.intercept)[:, 0]
        assert said == pytest.approx(np.log1p(np.exp(-margins)).mean(), abs=0.003)


def test_the_same_bits_for_any_number_of_threads():
    Z, codes = problem(n=1500, k=3)
    one, four = (logistic(DenseDesign(Z), codes, n_jobs=jobs) for jobs in (1, 4))
    np.testing.assert_array_equal(one.coef, four.coef)
    np.testing.assert_array_equal(one.scores, four.scores)


@pytest.mark.parametrize("k", [2, 3])
def test_sparse_and_one_hot_features(k, monkeypatch):
    rng = np.random.default_rng(0)
    ids = rng.integers(0, 8, (6, 400)).astype(np.int32)
    codes = np.searchsorted([3.0, 7.0][: k - 1], ids[:2].sum(0) * 0.7 + rng.logistic(size=400))
    grids, Z = GridDesign(ids, np.full(6, 8)), np.empty((400, 48))
    grids.fill(slice(0, 400), Z)
    V = rng.standard_normal((48, 3))
    thin = SparseDesign(sparse.csr_array(Z))
    for design in (grids, thin):
        np.testing.assert_allclose(design.multiply(V), Z @ V, atol=1e-12)
        np.testing.assert_array_equal(design.multiply(V, 1), design.multiply(V, 4))
    w = rng.integers(0, 3, 400) * 1.0
    dense = logistic(DenseDesign(Z), codes, 0.3, weights=w)
    monkeypatch.setattr("rfbook.solvers.regression.DIRECT", 10)  # as if 48 columns were too many to be written out
    for design in (grids, thin):
        found = logistic(design, codes, 0.3, weights=w)
        assert slope(Z, codes, found, w) < 1e-7
        np.testing.assert_allclose(found.coef, dense.coef, atol=1e-5)
        assert np.isfinite(logistic(design, codes, weights=w).scores).all()


def test_single_precision():
    for k in (2, 3):
        Z, codes = problem(n=2000, k=k, dtype=np.float32)
        found = logistic(DenseDesign(Z), codes, 0.1)
        assert gap(Z.astype(float), codes, found) < 1e-4  # rounding of scores near 10


@pytest.mark.parametrize("k", [2, 3])
def test_alpha_is_chosen_by_the_log_loss_of_rows_left_out(k):
    Z, codes = problem(n=400, k=k)
    tried, w = [10.0, 0.1, 1.0], np.random.default_rng(1).integers(0, 3, 400) * 1.0
    found, folds = logistic(DenseDesign(Z), codes, "cv", alphas=tried, weights=w), folds_of(codes, w)
    assert found.alphas.tolist() == tried and found.alpha == tried[np.argmin(found.scores)]
    for alpha, score in zip(tried, found.scores, strict=True):
        missed = np.zeros(400)
        for fold in range(5):
            out = folds == fold
            machine = logistic(DenseDesign(Z[~out]), codes[~out], alpha, weights=w[~out])
            log_p = PROBABILITIES[k]().log_probabilities(Z[out] @ machine.coef + machine.intercept)
            missed[out] = -log_p[np.arange(out.sum()), codes[out]]
        # at the loose tolerance scores move by 1e-3, root mean square, and log-losses at most by as much
        assert score == pytest.approx(w @ missed / w[folds >= 0].sum(), abs=2e-3)
    auto = logistic(DenseDesign(Z), codes, weights=w)
    assert auto.alphas[0] == pytest.approx(w.sum()) and auto.scores.min() < auto.scores[0]
    assert (np.diff(auto.alphas) < 0).all() and auto.scores.argmin() == len(auto.scores) - 3  # two worse, the end
    assert slope(Z, codes, auto, w) < 1e-8


@pytest.mark.parametrize("width", [12, 60])  # fewer and more than rows
@pytest.mark.parametrize("k", [3, 5])
def test_one_step_of_several_classes_is_newtons(k, width):
    """Against the pseudoinverse of the second derivative in all coordinates, row by row."""
    Z, codes = problem(n=40, k=k, width=width)
    draws = np.random.default_rng(1)
    w, alpha, A = draws.uniform(0.2, 2.0, 40), 0.3, np.hstack([Z, np.ones((40, 1))])
    found = logistic(DenseDesign(Z), codes, alpha, weights=w, tol=1e-12)
    F = Z @ found.coef + found.intercept
    P, T, copies = MultinomialLoss().probabilities(F), np.eye(k)[codes], np.minimum(w, 1.0)
    bends = [np.kron(np.diag(p) - np.outer(p, p), np.outer(a, a)) for p, a in zip(P, A, strict=True)]
    whole = sum(wi * bend for wi, bend in zip(w, bends, strict=True))
    whole += np.kron(np.eye(k), alpha * np.diag(np.append(np.ones(width), 0.0)))
    want = F.copy()
    for i in range(40):
        slope = copies[i] * np.kron(P[i] - T[i], A[i])
        want[i] += np.kron(np.eye(k), A[i]) @ np.linalg.pinv(whole - copies[i] * bends[i], rcond=1e-12) @ slope
    got = scores_one_step_out(Z, F, T, MultinomialLoss(), alpha, w, copies)
    np.testing.assert_allclose(got, want, atol=1e-8)
    turned = draws.permutation(k)  # classes have no order
    np.testing.assert_allclose(
        scores_one_step_out(Z, F[:, turned], T[:, turned], MultinomialLoss(), alpha, w, copies), got[:, turned],
        atol=1e-8)


def test_two_classes_with_two_scores_step_as_with_one():
    Z, codes = problem(n=50, k=2, width=20)
    one = logistic(DenseDesign(Z), codes, 0.2, tol=1e-12)
    f, ones = Z @ one.coef + one.intercept, np.ones(50)
    want = scores_one_step_out(Z, f, 2.0 * codes[:, None] - 1, LogisticLoss(), 0.2, ones, ones)
    got = scores_one_step_out(Z, np.hstack([-f, f]) / 2, np.eye(2)[codes], MultinomialLoss(), 0.4, ones, ones)
    np.testing.assert_allclose(got[:, 1:] - got[:, :1], want, atol=1e-9)
    np.testing.assert_allclose(got.sum(1), 0, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_of_several_classes_are_left_out(dtype, monkeypatch):
    Z, codes = problem(n=60, k=3, width=20, dtype=dtype)
    found = logistic(DenseDesign(Z), codes, "loo", alphas=[3.0, 0.3])
    assert found.criterion == "loo" and found.alpha == found.alphas[found.scores.argmin()]
    for alpha, score in zip(found.alphas, found.scores, strict=True):
        missed, most = [], []
        whole = logistic(DenseDesign(Z), codes, alpha)
        for i in range(60):
            rest = logistic(DenseDesign(Z), codes, alpha, weights=(np.arange(60) != i) * 1.0)
            F = Z @ rest.coef + rest.intercept
            missed.append(MultinomialLoss().value(np.eye(3)[codes[i]], F[i]))
            most.append(np.ptp(F - Z @ whole.coef - whole.intercept, axis=1).max())
        now = MultinomialLoss().value(np.eye(3)[codes], Z @ whole.coef + whole.intercept)
        # a step is off by delta / 2 of itself, nearly, and moves the loss by what the truth does up to the same
        assert abs(score - np.mean(missed)) <= max(most) * (np.mean(missed) - now.mean()) + 1e-3
        assert score > now.mean() + 5e-3
    assert logistic(DenseDesign(Z), codes).criterion == "cv"
    monkeypatch.setattr("rfbook.solvers.newton._ORDER", 41)
    with pytest.raises(ValueError, match="alpha is 'loo', which for 3 classes takes a matrix of order 42"):
        logistic(DenseDesign(Z), codes, "loo")


def test_a_row_that_is_alone_in_its_class_is_not_left_out():
    Z, codes = problem(n=60, k=3, width=20)
    alone = np.append(codes[:59], 3)
    found = logistic(DenseDesign(Z), alone, "loo", alphas=[1.0])
    fit = logistic(DenseDesign(Z), alone, 1.0)
    F, ones = Z @ fit.coef + fit.intercept, np.ones(60)
    missed = MultinomialLoss().value(np.eye(4)[alone],
                                     scores_one_step_out(Z, F, np.eye(4)[alone], MultinomialLoss(), 1.0, ones, ones))
    assert found.scores[0] == pytest.approx(missed[:59].mean(), abs=2e-3) and missed[59] > 2 * missed[:59].mean()


def test_folds():
    codes, w = np.repeat([0, 1, 2, 3], [60, 40, 3, 1]), np.ones(104)
    w[:10] = 0
    folds = folds_of(codes, w)
    assert (folds[:10] == -1).all() and folds[-1] == -1 and len(set(folds[100:103])) == 3
    assert (np.bincount(folds[10:60]) == 10).all() and (np.bincount(folds[60:100]) == 8).all()
    many = folds_of(np.arange(30_000) % 2, np.ones(30_000))
    assert (many == 0).sum() == 6000 and (many == -1).sum() == 24_000


def test_classes_that_a_fold_or_the_weights_leave_empty():
    Z, codes = problem(n=100, k=2)
    codes[0] = 2
    assert np.isfinite(logistic(DenseDesign(Z), codes).coef).all()
    w = np.ones(100)
    w[0] = 0  # class 2 has no weight: its intercept falls until its probability is nothing
    found = logistic(DenseDesign(Z), codes, 1.0, weights=w)
    P = MultinomialLoss().probabilities(Z @ found.coef + found.intercept)
    assert P[:, 2].max() < 1e-5
    binary = logistic(DenseDesign(Z[1:]), codes[1:], 0.5)
    P_binary = LogisticLoss().probabilities(Z[1:] @ binary.coef + binary.intercept)
    np.testing.assert_allclose(P[1:, :2], P_binary, atol=1e-4)  # of two scores, half the penalty on the difference


def test_separable_classes_and_constant_features():
    Z = np.repeat([[0.0, 1.0], [1.0, 1.0]], 50, axis=0)
    codes = np.repeat([0, 1], 50)
    for alpha in (1.0, 1e-6):
        found = logistic(DenseDesign(Z), codes, alpha)
        assert slope(Z, codes, found) < 1e-8 and found.coef[1, 0] == pytest.approx(0, abs=1e-9)


def test_words_about_alpha():
    assert newton_ridges("auto") == newton_ridges("cv") == (None, None) and newton_ridges(3) == (3.0, None)
    assert newton_ridges("cv", [1, 2.5])[1].tolist() == [1.0, 2.5]
    for alpha, alphas, words in ((0.0, None, "alpha is 0"), (-1.0, None, "alpha is -1"),
                                 ("gcv", None, "alpha is 'gcv'"), ([1.0, 2.0], None, "alpha is"),
                                 ("auto", [], "alphas is empty"),
                                 ("auto", [1, None], "alphas is None"), ("auto", [1.0, 0.0], "alphas holds 0"),
                                 (1.0, [1.0], "alpha is 1.0 and alphas is given")):
        with pytest.raises(ValueError, match=words):
            newton_ridges(alpha, alphas)
    with pytest.raises(ValueError, match="two rows"):
        logistic(DenseDesign(np.eye(2)), np.array([0, 1]))


def test_steps_that_are_not_enough_and_features_that_overflow():
    Z, codes = problem()
    with pytest.warns(ConvergenceWarning, match="stopped after 1 steps"):
        logistic(DenseDesign(Z), codes, 1e-3, max_iter=1)
    Z[3, 2] = np.inf
    with pytest.raises(ValueError, match="features hold NaN or infinity"):
        logistic(DenseDesign(Z), codes, 1.0)


def test_the_score_of_folds_counts_weights():
    Z, codes = problem(n=200, width=6)
    w = np.random.default_rng(2).integers(0, 4, 200) * np.where(np.arange(200) < 100, 1.0, 5.0)
    found = logistic(DenseDesign(Z), codes, "cv", alphas=[2.0], weights=w)
    folds, total = folds_of(codes, w / w.mean()), 0.0
    for fold in range(5):
        held = folds == fold
        part = logistic(DenseDesign(Z[~held]), codes[~held], 2.0, weights=w[~held])
        margin = (2 * codes[held] - 1) * (Z[held] @ part.coef[:, 0] + part.intercept[0])
        total += w[held] @ np.logaddexp(0, -margin)
    assert found.scores[0] == pytest.approx(total / w[folds >= 0].sum(), abs=5e-3)  # rough steps are enough for scores


@pytest.mark.parametrize("k", [2, 3])
def test_rows_left_out_count_by_their_weights(k):
    """A row is left out with all its weight, and what is missed counts with it; so few that none is only sampled."""
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((60, 16))
    codes = np.where(rng.random(60) < 0.2, rng.integers(0, k, 60), np.digitize(Z[:, 0], [-0.5, 0.5][: k - 1]))
    w = np.where(codes == np.digitize(Z[:, 0], [-0.5, 0.5][: k - 1]), 1, 5)
    tried = [10.0, 100.0]
    weighted = logistic(DenseDesign(Z), codes, "loo", alphas=tried, weights=w * 1.0).scores
    slow = []
    for alpha in tried:
        left = [logistic(DenseDesign(Z), codes, alpha, weights=np.where(np.arange(60) == i, 0.0, w)) for i in range(60)]
        scores = np.array([Z[i] @ fit.coef + fit.intercept for i, fit in enumerate(left)])
        scores = np.hstack([np.zeros((60, 1)), scores]) if k == 2 else scores
        slow.append(w @ (np.log(np.exp(scores).sum(1)) - scores[np.arange(60), codes]) / w.sum())
    np.testing.assert_allclose(weighted, slow, rtol=4e-2)  # by one Newton step
    heavy = logistic(DenseDesign(Z), codes, "loo", alphas=[70.0, 700.0], weights=w * 7.0).scores
    np.testing.assert_allclose(heavy, weighted, rtol=5e-3)
    assert (abs(weighted / logistic(DenseDesign(Z), codes, "loo", alphas=tried).scores - 1) > 0.02).all()
