"""The benchmark: its cases, roofs, memory, records and resume. Nothing here is timed."""

import dataclasses
import json
import mmap
import os
import sys
import types

import numpy as np
import pytest

from rfbook import _cases, _memory, bench, cli, records, roofline

CASES = _cases.cases("tiny")
LINUX = sys.platform.startswith("linux")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    return tmp_path


# ---- cases


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
        errors = bench._errors(case, case.problem(), lambda: ours, lambda: theirs)
        assert set(errors) == {"ours_error", "peer_error"} and all(0 < error < 0.33 for error in errors.values())


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
        assert ridge.coef_.size == ours.coef_.size == case.size["D"]
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


def test_every_goal_of_maps_binning_and_ridge_is_a_case():
    """(name begins with, dtype, peer) and the goal: what was set for two quiet cores, from the full list."""
    full = {(c.name, c.dtype, c.peer): c for c in _cases.cases()}

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
    assert goal("structured map, d 64", "float32", "our independent draws") >= 1.8
    assert goal("structured map, d 784", "float32", "our independent draws") >= 8
    for d in (10, 90):
        assert goal(f"binning, n 100000, d {d},", "float64", "unique of rows") >= 200
        assert goal(f"binning, n 100000, d {d},", "float64", "hash and unique") >= 15
    assert goal("binning, n 100000, d 10,", "float64", "RandomTreesEmbedding") >= 10
    assert goal("ridge, n", "float32", "RBFSampler + Ridge") >= 1.8
    assert goal("ridge, n", "float64", "RBFSampler + Ridge") >= 2.8
    assert all(c.most == (1e9 if c.peer == "RBFSampler + Ridge" else 0) for c in full.values())
    lsqr = {c.name.rpartition(", ")[2]: c.goal for c in full.values() if c.peer == "SciPy lsqr"}
    assert lsqr["one thread"] >= 4 and lsqr["two threads"] >= 7


def test_cases_say_what_they_are():
    sizes = {size: _cases.cases(size) for size in ("full", "quick", "tiny")}
    for full, quick, tiny in zip(*sizes.values(), strict=True):
        assert {(c.dtype, c.peer, c.kind, tuple(c.size)) for c in (full, quick, tiny)} == {
            (full.dtype, full.peer, full.kind, tuple(full.size))}
        assert full.size["n"] > quick.size["n"] > tiny.size["n"] >= 64
        assert full.how and full.kind in ("ratio", "share", "cost") and full.goal >= 0
        assert full.repeats == 3 if full.goal == 200 or full.peer == "SciPy lsqr" else 15 >= full.repeats >= 5
        assert all(f"{name} {full.size[name]}" in full.name for name in full.size if name in "DP")
        assert set(full.work) <= set(roofline.GROUPS) and all(amount > 0 for amount in full.work.values())
    for made in sizes.values():
        assert len({(c.name, c.dtype, c.peer, c.kind) for c in made}) == len(made)


def test_counts_of_a_map():
    case = next(c for c in _cases.cases() if c.name == "paired map, d 64, D 4000" and c.dtype == "float32")
    n, d, D = case.size["n"], 64, 4000
    assert case.work == {"product": 2 * n * d * (D // 2), "cosine": n * D, "read": 4 * n * d, "write": 4 * n * D}
    assert roofline.flops(case.work, "float32") == n * d * D + 16 * n * D
    assert roofline.traffic(case.work) == 4 * n * (d + D)
    sorf = next(c for c in _cases.cases() if c.name == "structured map, d 784, D 4096" and c.dtype == "float64")
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
    if bench.find_spec("torch") is None:
        monkeypatch.setitem(sys.modules, "torch", fake)
    for case in (c for c in CASES if c.peer == "PyTorch"):
        ours, theirs = (function() for function in case.make())
        assert type(theirs) is np.ndarray and theirs.dtype == ours.dtype == case.dtype
        np.testing.assert_allclose(ours, theirs, atol=1e-5 if case.dtype == "float32" else 1e-12)


def test_a_peer_that_is_not_there_is_skipped(monkeypatch, place, capsys):
    monkeypatch.setattr(bench, "find_spec", lambda name: None)
    monkeypatch.setattr(bench, "interleaved", lambda *a, **k: pytest.fail("timed"))
    assert cli.main(["bench", "--quick", "PyTorch"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "skipped" in line]
    assert len(lines) == sum(c.peer == "PyTorch" for c in CASES) + 1 > 1
    assert lines[-1] == "- skipped: PyTorch is not installed."


@pytest.mark.parametrize("error", [ImportError("undefined\nsymbol"), OSError("cannot load")])
def test_a_peer_that_is_broken_is_skipped(monkeypatch, error):
    number = next(i for i, c in enumerate(CASES) if c.needs)

    def broken(problem):
        raise error

    made = [*CASES]
    made[number] = dataclasses.replace(CASES[number], theirs=broken, needs="json")
    monkeypatch.setattr(bench, "cases", lambda size: made)
    said = bench._measure("tiny", number)["skipped"]
    assert said.startswith("PyTorch cannot be imported: ") and "\n" not in said
    made[number] = dataclasses.replace(CASES[number], theirs=broken, needs="")
    with pytest.raises(type(error)):
        bench._measure("tiny", number)


# ---- the roofs


@pytest.fixture(scope="module")
def roofs():
    """Measurements on arrays so small that they mean nothing."""
    made = []
    for (key, function) in roofline.tasks(quick=True):
        rate, threads, unit, _, fixed = function.args
        small = {"product": (fixed[0], 32), "read": ("read", 4096), "write": ("write", 4096),
                 "update": ("update", 4096)}.get(key["case"], (*fixed[:-1], 1e-6))
        made.append({**key, **roofline._roof(rate, threads, unit, 1, small)})
    return made


def test_roofs_are_positive_and_complete(roofs):
    assert all(np.isfinite(row["rate"]) and row["rate"] > 0 for row in roofs)
    assert all(row["count"] == 1 for row in roofs if row["threads"] == "one")
    assert all(row["count"] >= 1 and row["repeats"] == 1 and row["unit"].endswith("/s") for row in roofs)
    assert len({bench._key(row) for row in roofs}) == len(roofs)
    for dtype in ("float32", "float64"):
        for threads in ("one", "all"):
            found = roofline.rates(roofs, dtype, threads)
            assert {"NumPy cosine", *roofline.GROUPS} == set(found)
            row = next(r for r in roofs if (r["case"], r["dtype"], r["threads"]) == ("cosine", dtype, threads))
            assert found["cosine"] == row["rate"]


def test_loops_of_the_roofs_do_what_they_are_counted_for():
    def arrays(worker):
        worker(0)
        return dict(zip(worker.__code__.co_freevars, (c.cell_contents for c in worker.__closure__), strict=True))

    for dtype in ("float32", "float64"):
        made = {ours: arrays(roofline._cosine_worker(dtype, ours)) for ours in (True, False)}
        entries = roofline._ROWS * roofline._COLUMNS
        assert made[True]["out"].size == made[False]["out"].size == entries  # cosines and sines, or cosines
        assert made[True]["out"].dtype == made[False]["out"].dtype == dtype
        half = roofline._COLUMNS // 2
        np.testing.assert_allclose(made[True]["out"][:, :half], np.cos(2 * np.pi * made[True]["angles"].astype(float)),
                                   atol=1e-5)
        np.testing.assert_array_equal(made[False]["out"], np.cos(made[False]["T"]))
        seen = arrays(roofline._hadamard_worker(dtype))
        assert seen["X"].size == entries and seen["signs"].shape == (roofline._CHAIN, 1, roofline._LENGTH)
        # the scaled chain is orthogonal: no overflow and nothing lost on the way
        np.testing.assert_allclose(np.linalg.norm(seen["out"], axis=1), np.linalg.norm(seen["X"], axis=1), rtol=1e-4)


def test_work_and_rates_agree(roofs):
    """A ceiling is the quotient of amounts and rates, whatever was measured."""
    machine = roofline.rates(roofs, "float32")
    work = {"product": 1e6, "cosine": 1e4, "read": 1e3, "write": 1e5}
    busy = roofline.loads(work, machine)
    assert busy["arithmetic"] == pytest.approx(1e6 / machine["product"] + 1e4 / machine["cosine"])
    assert busy["memory"] == pytest.approx(1e3 / machine["read"] + 1e5 / machine["write"])
    assert roofline.least_seconds(work, machine) == max(busy.values())
    assert roofline.least_seconds({}, machine) == 0.0
    one_kind = {"product": 1e6, "update": 1e5}
    F, B = roofline.flops(one_kind, "float32"), roofline.traffic(one_kind)
    assert F / roofline.least_seconds(one_kind, machine) == pytest.approx(
        roofline.attainable(F / B, machine["product"], machine["update"]))


@pytest.mark.parametrize(("work", "rates", "said"), [
    ({"disk": 1.0}, {"disk": 1.0}, "resource of work"),
    ({"product": -1.0}, {"product": 1.0}, r"work\['product'\]"),
    ({"product": float("nan")}, {"product": 1.0}, r"work\['product'\]"),
    ({"product": 1.0}, {}, r"rates\['product'\]"),
    ({"product": 1.0}, {"product": 0.0}, r"rates\['product'\]"),
])
def test_wrong_work_is_one_sentence(work, rates, said):
    with pytest.raises(ValueError, match=said) as caught:
        roofline.loads(work, rates)
    assert "\n" not in str(caught.value)


def test_wrong_names_of_rates():
    with pytest.raises(ValueError, match="dtype"):
        roofline.rates([], "float16")
    with pytest.raises(ValueError, match="threads"):
        roofline.rates([], "float32", "two")
    with pytest.raises(ValueError, match="dtype"):
        roofline.flops({"cosine": 1}, "int8")


def test_drawing(roofs):
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    machine = roofline.rates(roofs, "float64")
    point = {"name": "here", "work": {"product": 1e6, "cosine": 10, "read": 1e3, "write": 1e3}, "seconds": 1.0}
    fig, ax = plt.subplots()
    roofline.draw(ax, machine, [point], "float64")
    (x,), (y,) = ax.lines[-1].get_data()
    assert x == pytest.approx((1e6 + 240) / 2e3) and y == pytest.approx((1e6 + 240) / 1e9)
    top = ax.lines[-2].get_data()[1][0]
    assert top == pytest.approx((1e6 + 240) / 1e9 / roofline.least_seconds(point["work"], machine))
    plt.close(fig)
    fig, ax = plt.subplots()
    assert len(roofline.draw(ax, machine, [], "float64").lines) == 2  # the roofs alone
    plt.close(fig)


# ---- memory

MB = 10**6
SIZE = 200 * MB
# A process counts pages one processor at a time and may be late by a batch of max(32, 2 cpus) pages on each of them.
LATE = mmap.PAGESIZE * max(32, 2 * (os.cpu_count() or 1)) * (os.cpu_count() or 1)
# What else may climb: the arenas of Python's allocator and the compiled code of the line, both below ten megabytes.
BESIDES = 10 * MB
BEFORE = "import numpy as np"


@pytest.mark.parametrize("work", [f"x = np.ones({SIZE // 8})", f"np.ones({SIZE // 8}); x = 1",
                                  f"x = np.ones({SIZE // 8}); y = x"])
def test_memory_of_a_known_array(work):
    """All its pages are there at once, and new: an array of this size comes from the system, not from a free list."""
    found = _memory.child_memory(work, BEFORE)
    # where the system tells only the highest, what was held and freed before may hide a part
    assert SIZE - LATE - (0 if LINUX else BESIDES) <= found <= SIZE + LATE + BESIDES


def test_two_arrays_that_live_one_after_the_other_count_once():
    found = _memory.child_memory(f"x = np.ones({SIZE // 8}); del x; y = np.ones({SIZE // 8}); del y", BEFORE)
    assert found <= SIZE + LATE + BESIDES
    both = _memory.child_memory(f"x = np.ones({SIZE // 8}); y = np.ones({SIZE // 8})", BEFORE)
    assert both >= 2 * SIZE - LATE - (0 if LINUX else BESIDES)


def test_memory_of_the_parent_does_not_count():
    ballast = np.ones(2 * SIZE // 8)
    found = _memory.child_memory("x = 1", BEFORE)
    assert ballast[-1] == 1 and found <= LATE + BESIDES


@pytest.mark.skipif(not LINUX, reason="the system tells only the highest")
def test_memory_before_the_work_does_not_count():
    found = _memory.child_memory("x = 1", f"{BEFORE}\nnp.ones({SIZE // 8})")
    assert found <= LATE + BESIDES


def test_memory_where_the_peak_cannot_be_set_back(monkeypatch):
    """The growth of the peak is then what is told."""
    told = iter([70, 100])

    def refuse(*a, **k):
        raise PermissionError

    monkeypatch.setattr(_memory.Path, "write_text", refuse)
    monkeypatch.setattr(_memory, "_resident", lambda peak: next(told) if peak else pytest.fail("what is held now"))
    assert _memory._climb("pass", {}) == 30


def test_memory_from_getrusage(monkeypatch):
    resource = pytest.importorskip("resource")

    def refuse(*a, **k):
        raise FileNotFoundError

    monkeypatch.setattr(_memory.Path, "read_text", refuse)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    assert _memory._resident(True) >= most and _memory._resident(False) >= most


def test_work_that_fails_in_the_child():
    with pytest.raises(ValueError, match="ZeroDivisionError") as caught:
        _memory.child_memory("1 / 0")
    assert "\n" not in str(caught.value)


def test_memory_of_a_case():
    """Both sides of an offset map hold the input and the output, which is all that is certain."""
    number = next(i for i, c in enumerate(CASES) if c.name == "offset map, d 784, D 4000" and c.dtype == "float64")
    quick = _cases.cases("quick")[number]
    least = 8 * quick.size["n"] * (784 + 4000) - LATE
    found = bench._memory("quick", number)
    assert set(found) == {"ours_bytes", "peer_bytes"}
    # freed memory of the warm-up, a weight matrix of 784 x 4000 among it, may be used again and so not climb
    assert all(amount >= least - 8 * 784 * 4000 for amount in found.values())


def test_a_child_that_fails_does_not_take_the_times_with_it(monkeypatch):
    def fail(*a):
        raise ValueError("work cannot be measured; the child process ended with: MemoryError")

    monkeypatch.setattr(bench, "child_memory", fail)
    row = {"case": "c", "dtype": "float32", "peer": "p", "kind": "ratio", "n": 7, "how": "so", "goal": 0.0,
           "ratio": 2.0, "low": 1.0, "high": 4.0, "ours_seconds": 0.001, "peer_seconds": 0.002}
    found = bench._memory("tiny", 0)
    if LINUX:
        assert "MemoryError" in found["memory_failed"]
        assert "failed" in bench.report([{**row, **found}])


# ---- records


def _fake(monkeypatch, names=("map one", "map two", "ridge"), fail=None):
    """Replace the measurements by counting ones; returns the list of what was measured."""
    done = []

    def measure(name):
        if name == fail:
            raise KeyboardInterrupt
        done.append(name)
        return {"n": 5, "how": "not at all", "goal": 2.0, "ratio": 1.0 + len(done), "low": 1.0, "high": 9.0,
                "repeats": 3, "ours_seconds": 0.1, "peer_seconds": 0.2, "ours_bytes": 10 * MB, "peer_bytes": 20 * MB}

    def tasks(quick):
        return [({"case": n, "dtype": "float32", "peer": "nobody", "kind": "ratio"}, lambda n=n: measure(n))
                for n in names]

    monkeypatch.setattr(bench, "_tasks", tasks)
    return done


def test_a_killed_run_resumes(place, monkeypatch, capsys):
    first = _fake(monkeypatch, fail="ridge")
    assert cli.main(["bench"]) == 130
    assert first == ["map one", "map two"] and not (place / "bench.jsonl").exists()
    second = _fake(monkeypatch)
    assert cli.main(["bench"]) == 0
    assert second == ["ridge"]
    header, rows = records.read_records(place / "bench.jsonl")
    assert [row["case"] for row in rows] == ["map one", "map two", "ridge"]
    assert header["settings"]["processor"] and "numpy" in header["settings"]["libraries"]
    assert os.listdir(place) == ["bench.jsonl"]
    assert "written to" in capsys.readouterr().out


def test_an_unfinished_run_of_another_machine_is_not_continued(place, monkeypatch, capsys):
    _fake(monkeypatch, fail="ridge")
    assert cli.main(["bench"]) == 130
    done = _fake(monkeypatch)
    monkeypatch.setattr(bench, "_processor", lambda: "another")
    assert cli.main(["bench"]) == 2
    assert "other settings" in capsys.readouterr().err and not done


def test_a_part_is_shown_and_not_written(place, monkeypatch, capsys):
    done = _fake(monkeypatch)
    assert cli.main(["bench", "map"]) == 0
    assert done == ["map one", "map two"] and not os.listdir(place)
    assert capsys.readouterr().out.count("nobody") == 2


def test_a_part_takes_its_place(place, monkeypatch, capsys):
    _fake(monkeypatch)
    assert cli.main(["bench"]) == 0
    before = records.read_records(place / "bench.jsonl")[1]
    _fake(monkeypatch, names=("map one", "map two", "ridge", "map three"))
    assert cli.main(["bench", "map t", "--write"]) == 0
    after = records.read_records(place / "bench.jsonl")[1]
    assert [row["case"] for row in after] == ["map one", "map two", "ridge", "map three"]
    assert after[0] == before[0] and after[2] == before[2]
    assert before[1]["ratio"] == 3.0 and after[1]["ratio"] == 2.0
    monkeypatch.setattr(bench, "_processor", lambda: "another")
    old = (place / "bench.jsonl").read_bytes()
    assert cli.main(["bench", "map", "--write"]) == 2
    assert "another machine" in capsys.readouterr().err and (place / "bench.jsonl").read_bytes() == old
    assert os.listdir(place) == ["bench.jsonl"]


def test_what_cannot_be_written_is_said_before_the_work(place, monkeypatch, capsys):
    done = _fake(monkeypatch)
    (place / "bench.jsonl").write_text('{"experiment": "bench", "settings": {"quick": false}}\n')
    before = (place / "bench.jsonl").read_bytes()
    assert cli.main(["bench", "map", "--write"]) == 2 and "another machine" in capsys.readouterr().err
    (place / "bench.jsonl").write_text("no record\n")
    assert cli.main(["bench", "map", "--write"]) == 2 and "not JSON" in capsys.readouterr().err
    (place / "bench.jsonl").write_bytes(before)
    assert os.listdir(place) == ["bench.jsonl"]  # no folder is left behind
    monkeypatch.setenv("RFBOOK_RESULTS", str(place / "bench.jsonl" / "below"))
    for arguments in (["bench"], ["bench", "map", "--write"]):
        assert cli.main(arguments) == 2
        said = capsys.readouterr().err
        assert "set RFBOOK_RESULTS to a directory that can be written" in said and said.count("\n") <= 2
    assert not done


def test_a_wrong_pattern_is_one_sentence(place, monkeypatch, capsys):
    done = _fake(monkeypatch)
    for arguments in (["bench", "nothing"], ["bench", "nothing", "--write"], ["bench", "--quick", "nothing"]):
        assert cli.main(arguments) == 2
        said = capsys.readouterr().err
        assert "pattern 'nothing' matches no case" in said and "map one, map two, ridge" in said
        assert said.count("\n") == 1
    assert not done and not os.listdir(place)
    assert cli.main(["bench", "NOBODY"]) == 0 and len(done) == 3  # capitals or not


def test_another_version_is_another_file(place, monkeypatch):
    import rfbook

    before = bench._settings(False)
    assert before == bench._settings(False) and f"rfbook {rfbook.__version__}" in before.libraries
    monkeypatch.setattr(rfbook, "__version__", "99")
    assert before != bench._settings(False)


def test_a_part_alone_begins_a_file(place, monkeypatch, capsys):
    _fake(monkeypatch)
    assert cli.main(["bench", "ridge", "--write"]) == 0
    assert [row["case"] for row in records.read_records(place / "bench.jsonl")[1]] == ["ridge"]


def test_small_sizes_are_no_results(place, capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["bench", "--quick", "--write"])
    with pytest.raises(ValueError, match="exclude"):
        bench.main(quick=True, write=True)


def test_one_real_case_and_its_record(place, capsys):
    rows = bench.run(quick=True, pattern="paired map, d 16, D 2000 float32 scikit", path=place / "x.jsonl")
    (row,) = rows
    assert row["n"] == 1000 and row["d"] == 16 and row["D"] == 2000 and row["how"] and row["repeats"] == 3
    assert 0 < row["low"] <= row["ratio"] <= row["high"] and row["ours_seconds"] > 0 and row["peer_seconds"] > 0
    assert json.loads((place / "x.jsonl").read_text().splitlines()[1]) == row
    table = bench.report(rows)
    assert "- a: transform" in table and "nan" not in table
    assert len({len(line) for line in table.splitlines() if line.startswith("|")}) == 1  # columns of even width


def test_a_chapter_reads_a_file_with_nothing_in_it():
    assert bench.report([]) == ""


def test_a_whole_run_measures_the_machine_too():
    kinds = [key["kind"] for key, _ in bench._tasks(quick=True)]
    assert kinds.count("start") == 1 and kinds.count("roof") == len(roofline.tasks(quick=True))
    assert len(kinds) == len(CASES) + kinds.count("roof") + 1


def test_an_old_file_is_still_shown():
    """Rows of before there were sizes, memory, errors and roofs."""
    rows = [{"case": "paired map, d 16, D 2000", "dtype": "float32", "peer": "nobody", "kind": "ratio", "goal": 2.5,
             "ratio": 3.4, "low": 3.3, "high": 3.5, "repeats": 15, "ours_seconds": 0.02, "peer_seconds": 0.08},
            {"case": "import rfbook", "kind": "start", "ours_seconds": 0.0003}]
    table = bench.report(rows)
    assert "3.40" in table and "3.30-3.50" in table and "`import rfbook`" in table and "roof" not in table


def test_the_table_of_all_kinds():
    row = {"case": "c", "dtype": "float32", "peer": "p", "kind": "ratio", "n": 7, "how": "so", "goal": 3.0,
           "ratio": 2.0, "low": 1.0, "high": 4.0, "repeats": 3,
           "ours_seconds": 0.001, "peer_seconds": 0.002, "ours_bytes": 5 * MB,
           "peer_bytes": 6 * MB, "ours_error": 0.01, "peer_error": 0.02}
    table = bench.report([row, {**row, "skipped": "p is not installed"}, {**row, "kind": "cost", "goal": 0.0},
                          {"case": "product", "dtype": "float32", "kind": "roof", "threads": "all", "rate": 2e11,
                           "unit": "operations/s", "count": 2, "repeats": 3}])
    for cell in ("2.00", "1.00-4.00", "3, missed", "1.0/2.0", "5/6", "0.01/0.02", "all (2)", "200",
                 "- skipped: p is not installed.", "- a: so."):
        assert cell in table, cell
    for most, cell in ((5 * MB, "5/6 (goal 5)"), (4 * MB, "5/6 (goal 4, missed)")):
        assert f"| {cell} " in bench.report([{**row, "most": most}])
