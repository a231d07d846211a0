"""The cases of the benchmark: both sides do the same work. Nothing here is timed."""

import sys
import types

import numpy as np
import pytest

from rfbook.lab.bench import roofline, runner
from rfbook.lab.bench._machines import stationarity
from rfbook.lab.bench.cases import cases

CASES = cases("tiny")


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.name}, {c.dtype}, {c.peer}")
def test_both_sides_of_a_case_do_the_same_work(case):
    if case.needs:
        pytest.importorskip(case.needs)
    ours, theirs = (function() for function in case.make())
    if case.kind != "share" and case.peer != "RandomTreesEmbedding":
        assert getattr(ours, "shape", None) == getattr(theirs, "shape", None)
    if isinstance(ours, np.ndarray) and case.kind == "ratio":
        assert ours.dtype == theirs.dtype
        assert np.isfinite(ours).all() and np.isfinite(theirs).all()
    if case.exact is not None:
        assert ours.shape == (case.size["n"], case.size["D"])
        # an error of 1 is that of the features zero; the maps of these widths err by less than a third of the matrix
        errors = runner._errors(case, case.problem(), lambda: ours, lambda: theirs)
        assert set(errors) == {"ours_error", "peer_error"} and all(0 < error < 0.33 for error in errors.values())


def test_both_sides_of_the_offset_scores_have_the_same_means():
    for case in (c for c in CASES if c.name.startswith("offset scores")):
        ours, theirs = (function() for function in case.make())
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-15 if case.dtype == "float64" else 1e-7)


def _sides(peer, **size):
    """The first case against this peer with these sizes, its problem, and what both sides return."""
    case = next(c for c in CASES if c.peer == peer and size.items() <= c.size.items())
    problem = case.problem()
    return case, problem, case.ours(problem)(), case.theirs(problem)()


@pytest.mark.parametrize("d", [10, 90])
@pytest.mark.parametrize("peer", ["unique of rows", "hash and unique"])
def test_peers_of_binning_find_the_very_same_boxes(peer, d):
    _, _, ours, theirs = _sides(peer, d=d)
    assert ours.shape == theirs.shape and ours.nnz == theirs.nnz
    assert ours.indices.dtype == theirs.indices.dtype and ours.data.dtype == theirs.data.dtype
    # which rows share a box, and how much that counts, whatever the boxes are called
    np.testing.assert_allclose((ours @ ours.T).toarray(), (theirs @ theirs.T).toarray(), rtol=0, atol=1e-15)


def test_trees_have_as_many_ones_as_there_are_grids():
    case, _, ours, theirs = _sides("RandomTreesEmbedding", d=10)
    assert ours.nnz == theirs.nnz == case.size["n"] * case.size["P"]


def test_both_sides_of_ridge_solve_ridge_with_an_intercept():
    """Ours has other frequencies than the pipeline; on ours, scikit-learn's Ridge of the peer gives our predictions."""
    from sklearn.linear_model import Ridge

    for dtype, tolerance in (("float32", 1e-4), ("float64", 1e-9)):
        case = next(c for c in CASES if c.peer == "RBFSampler + Ridge" and c.dtype == dtype)
        X, y = case.problem()
        assert X.dtype == y.dtype == dtype
        ours, theirs = (side((X, y))() for side in (case.ours, case.theirs))
        ridge = theirs.named_steps["ridge"]
        assert ridge.alpha == ours.alpha_ and ridge.fit_intercept and ridge.coef_.dtype == dtype
        assert ridge.coef_.size == ours.feature_coef_.size == case.size["D"]
        Z = np.asarray(ours.features_.transform(X), dtype=float)
        exact = Ridge(alpha=ridge.alpha).fit(Z, y).predict(Z)
        np.testing.assert_allclose(ours.predict(X), exact, rtol=0, atol=tolerance)


def test_both_sides_of_ridge_on_binning_reach_the_exact_fit():
    """Each its own: ours has a free constant, lsqr has the centred targets."""
    for case in (c for c in CASES if c.peer == "SciPy lsqr"):
        problem = X, Y, features = case.problem()
        ours, theirs = case.ours(problem)(), case.theirs(problem)()
        n, Z = len(X), features.fit(X).transform(X)
        K, alpha = (Z @ Z.T).toarray(), n / 1e5
        # A residual r of (K + alpha) a = y moves the fit K a by K (K + alpha)^-1 r, which is shorter than r.
        # lsqr bounds s = Z^T (y - Z b) - alpha b by atol |y| times the Frobenius norm of Z and its damping, and s
        # moves the fit by Z (Z^T Z + alpha)^-1 s, at most |s| / (2 sqrt(alpha)).  Twice for rounding.
        watched = 1e-6 * np.sqrt(n + alpha * Z.shape[1]) / np.sqrt(4 * alpha)
        for beta, Q, bound in ((ours, np.eye(n) - 1 / n, 3e-6), (theirs, np.eye(n), watched)):
            exact = Y[:, 0] - alpha * np.linalg.solve(Q @ K @ Q + alpha * np.eye(n), Y[:, 0])
            assert np.linalg.norm(Q @ (Z @ beta) - exact) < 2 * bound * np.linalg.norm(Y)


def test_a_walk_and_its_peer_solve_one_problem():
    """The peer has no negatives of its frequencies; given them, its amplitudes are half of ours, by the theorem."""
    found = [c for c in CASES if c.name.startswith("walk")]
    assert {(c.dtype, c.peer): c.goal for c in found} == {
        ("float32", "complex128 NumPy"): 4.0, ("float32", "complex64 NumPy"): 0.0, ("float64", "complex128 NumPy"): 0.0}
    for case in found:
        X, Y, W = case.problem()
        both = case.theirs((X, Y, np.vstack([W, -W])))()
        np.testing.assert_allclose(case.ours((X, Y, W))(), both[: len(W)] + both[len(W) :],
                                   rtol=1e-4 if case.dtype == "float32" else 1e-10)


def test_both_sides_of_logistic_regression_stop_at_the_gradient_that_the_row_says():
    """And then at one objective."""
    found = [c for c in CASES if c.name.startswith("stationary")]
    assert {(c.dtype, c.peer.rpartition(" ")[2]) for c in found} == {
        ("float64", "lbfgs"), ("float64", "newton-cg"), ("float32", "lbfgs"), ("float32", "newton-cholesky")}
    kinds = {("26 classes" in c.name, "grids" in c.name) for c in found}
    assert kinds == {(False, False), (True, False), (False, True)}
    for case in found:
        said = float(case.how.partition("is below ")[2].partition(" of")[0])
        noisy = case.dtype == "float32" and case.peer.endswith("lbfgs")
        assert said == (1e-3 if noisy else 1e-5 if "grids" in case.name else 1e-6)
        Z, design, codes = problem = case.problem()
        answers = [side(problem)() for side in (case.ours, case.theirs)]
        assert all(case.left(problem, answer) < said for answer in answers)
        losses = [stationarity(Z, codes, *answer)[0] for answer in answers]
        np.testing.assert_allclose(*losses, rtol=said)  # an objective errs by the order of its gradient squared


def test_every_goal_of_maps_binning_and_ridge_is_a_case():
    """(name begins with, dtype, peer) and the goal: what was set for two quiet cores, from the full list."""
    full = {(c.name, c.dtype, c.peer): c for c in cases()}

    def goal(name, dtype, peer):
        (found,) = [c for (n, t, p), c in full.items() if n.startswith(name) and t == dtype and p == peer]
        return found.goal

    sampler, peak = "scikit-learn RBFSampler", "matrix-product peak"
    for dtype, thin, thick in (("float32", 2.5, 1.8), ("float64", 11, 3.5)):
        assert goal("paired map, d 16", dtype, sampler) >= thin and goal("paired map, d 64", dtype, sampler) >= thin
        assert goal("paired map, d 784", dtype, sampler) >= thick
        assert all(goal(f"paired map, d {d}", dtype, "PyTorch") >= 2 for d in (16, 64, 784))
        assert goal("paired map, d 64, D 4000, out=", dtype, peak) >= 0.6
        assert all(goal(f"paired map, d {d}, D 4000, out=", dtype, peak) >= 0.9 for d in (256, 784))
        assert goal("ridge, n", dtype, "symmetric-product peak") >= 0.85
    for dtype, thin, thick in (("float32", 1.7, 1), ("float64", 7, 2)):
        assert goal("offset map, d 64", dtype, sampler) >= thin and goal("offset map, d 784", dtype, sampler) >= thick
    # beside our own dense map the goal is a share of the bound, which the chapter on speed computes
    assert goal("structured map, d 64", "float32", sampler) >= 3.8
    assert goal("structured map, d 784", "float32", sampler) >= 11.6
    for d in (10, 90):
        assert goal(f"binning, n 100000, d {d},", "float64", "unique of rows") >= 200
        assert goal(f"binning, n 100000, d {d},", "float64", "hash and unique") >= 15
    assert goal("binning, n 100000, d 10,", "float64", "RandomTreesEmbedding") >= 10
    for name, dtype, least in (("ridge, n 65536", "float32", 1.8), ("ridge, n 65536", "float64", 2.8),
                               ("ridge, n 100000", "float64", 2.8), ("ridge, n 500000", "float32", 1.8)):
        assert goal(name, dtype, "RBFSampler + Ridge") >= least
    assert goal("ridge, n 100000", "float64", "Nystroem + Ridge") >= 2.8
    assert all(goal("kernel ridge, n 20000", "float64", peer) >= 2 for peer in ("rlaopt", "GPyTorch"))
    assert all(goal(f"paired scores, d {d},", dtype, "NumPy, by blocks") >= times
               for d in (10, 90) for dtype, times in (("float32", 2), ("float64", 12)))
    assert all(c.most == (1e9 if c.peer in ("RBFSampler + Ridge", "Nystroem + Ridge") else 0) for c in full.values())
    lsqr = {c.name.rpartition(", ")[2]: c.goal for c in full.values() if c.peer == "SciPy lsqr"}
    assert lsqr["one thread"] >= 4 and lsqr["two threads"] >= 7


def test_cases_say_what_they_are():
    sizes = {size: cases(size) for size in ("full", "quick", "tiny")}
    for full, quick, tiny in zip(*sizes.values(), strict=True):
        assert {(c.dtype, c.peer, c.kind, tuple(c.size)) for c in (full, quick, tiny)} == {
            (full.dtype, full.peer, full.kind, tuple(full.size))}
        assert full.size["n"] > quick.size["n"] > tiny.size["n"] >= 64
        assert full.how and full.kind in ("ratio", "share", "cost") and full.goal >= 0
        slow = full.name.startswith(("walk", "jackknife+", "kernel ridge", "ridge, n 100000, d", "ridge, n 500000"))
        slow |= full.peer == "SciPy lsqr"
        assert full.repeats == 3 if slow or full.goal == 200 else 15 >= full.repeats >= 5
        assert all(f"{name} {full.size[name]}" in full.name for name in full.size if name in "DP")
        assert set(full.work) <= set(roofline.GROUPS) and all(amount > 0 for amount in full.work.values())
    for made in sizes.values():
        assert len({(c.name, c.dtype, c.peer, c.kind) for c in made}) == len(made)


def test_counts_of_a_map():
    case = next(c for c in cases() if c.name == "paired map, d 64, D 4000" and c.dtype == "float32")
    n, d, D = case.size["n"], 64, 4000
    assert case.work == {"product": 2 * n * d * (D // 2), "cosine": n * D, "read": 4 * n * d, "write": 4 * n * D}
    assert roofline.flops(case.work, "float32") == n * d * D + 16 * n * D
    assert roofline.traffic(case.work) == 4 * n * (d + D)
    sorf = next(c for c in cases() if c.name == "structured map, d 784, D 4096" and c.dtype == "float64")
    assert sorf.work["hadamard"] == n * 2 * 3 * 1024 * 10  # two blocks of 1024, three transforms, ten stages


def test_the_peer_written_with_torch(monkeypatch):
    """Against a stand-in with the four functions that the case asks of torch, where torch itself is not there."""
    class Tensor(np.ndarray):
        def cos(self):
            return np.cos(self)

        def sin(self):
            return np.sin(self)

        def mul_(self, scale):
            self *= scale
            return self

        def numpy(self):
            return self.view(np.ndarray)

    fake = types.SimpleNamespace(from_numpy=lambda a: a.view(Tensor),
                                 cat=lambda parts, axis: np.concatenate(parts, axis).view(Tensor))
    if runner.find_spec("torch") is None:
        monkeypatch.setitem(sys.modules, "torch", fake)
    for case in (c for c in CASES if c.peer == "PyTorch" and not c.name.startswith("training")):
        ours, theirs = (function() for function in case.make())
        assert type(theirs) is np.ndarray and theirs.dtype == ours.dtype == case.dtype
        np.testing.assert_allclose(ours, theirs, atol=1e-5 if case.dtype == "float32" else 1e-12)


def test_an_epoch_of_training_moves_the_parameters_as_automatic_differentiation_does():
    """Five batches of float32, three times over: Adam's steps are at most 1e-3 each, and rounding moves few of them."""
    pytest.importorskip("torch")
    for case in (c for c in CASES if c.name.startswith("training")):
        ours, theirs = case.make()
        start = case.ours(case.problem())
        for _ in range(3):
            np.testing.assert_allclose(ours(), theirs(), rtol=0, atol=2e-5)
        assert np.abs(ours() - start()).max() > 0.005  # four epochs and one are not the same


def test_a_process_and_its_peer_say_the_same():
    pytest.importorskip("gpytorch")
    ours, theirs = next(c for c in CASES if c.peer == "GPyTorch, Cholesky").make()
    np.testing.assert_allclose(ours(), theirs(), rtol=0, atol=1e-6)


def test_exact_machines_have_the_same_coefficients():
    """Residuals of a millionth of the targets, and a ridge of 1, so that coefficients differ by no more than both."""
    for case in (c for c in CASES if c.name.startswith("kernel ridge")):
        if case.needs:
            pytest.importorskip(case.needs)
        ours, theirs = (function() for function in case.make())
        assert np.linalg.norm(ours - theirs) <= 2e-6 * np.linalg.norm(case.problem()[1])


def test_our_side_of_intervals_needs_no_peer():
    for case in (c for c in CASES if c.name.startswith(("process", "jackknife+"))):
        lower, upper = said = case.ours(case.problem())()
        assert said.shape == (2, 500) and np.isfinite(said).all()
        if case.needs == "mapie":
            assert (lower < upper).all()
        else:  # standard deviations, of a process of variance one
            assert (upper > 0).all() and (upper <= 1 + 1e-9).all()


def test_an_offset_map_and_its_peer_agree():
    case = next(c for c in cases("quick") if c.name.startswith("offset map, d 64") and c.dtype == "float64")
    ours, theirs = case.make()
    np.testing.assert_allclose(ours(), theirs(), atol=1e-10)
