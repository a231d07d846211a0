"""The paper on adaptive Metropolis: targets and transforms, methods that are what they say, a run that goes on."""

import dataclasses
import json
import sys
import types
from importlib.util import find_spec

import numpy as np
import pytest
from scipy import integrate, special
from sklearn.base import BaseEstimator

from rfbook import FourierNetwork, bounds, cli, records
from rfbook.lab.experiments import arff, protocol
from rfbook.lab.experiments.verdicts import WORDS

PRINTED = ((1, "algorithm 2", ((4, 2), (8, 1))), (1, "network", ((4, 1),)), (1, "fixed", ((4, 1),)),
           (3, "algorithm 1", ((8, 1),)), (3, "network", ((8, 2),)))
TINY = arff.Settings(rows=60, widths=((4, 2), (8, 1)), crossed=(8,), solves=(12, 12, 12), gradients=2,
                     printed=PRINTED, share=0.01, fresh=(9, 5), long_width=8, long_seeds=1, spreads=(0.9, 1.5),
                     spread_rows=60, spread_width=8, spread_seeds=1, draws=40, checked=(4,), digits="digits",
                     digit_walks=(("algorithm 1", (4, 8), 2, 1), ("resampled", (4,), 2, 2),
                                  ("complex walk", (4,), 2, 1)),
                     digit_widths=((4, 1),), digit_complex=((4, 1),), digit_sampled=((4, 1),), digit_normalised=(4,))


@pytest.mark.parametrize("a", [1e-3, 0.1])
def test_the_transform_is_that_of_the_step(a):
    """In the first coordinate it is Dawson's integral up to the cut at 1/a, and the others are normal."""
    w = np.array([[0.3], [2.0], [6.0]])
    close = -1j * np.pi * np.sqrt(2) * special.dawsn(w[:, 0] / np.sqrt(2))  # for a = 0
    missing = [integrate.quad(lambda v, w=w: np.exp(-((w - v) ** 2) / 2) / v - np.exp(-((w + v) ** 2) / 2) / v, 1 / a,
                              np.inf)[0] for w in w[:, 0]]
    np.testing.assert_allclose(arff.step_transform(w, a), close + 1j * np.sqrt(np.pi / 2) * np.array(missing),
                               atol=1e-7)
    np.testing.assert_allclose(arff.step_transform(-w, a), arff.step_transform(w, a).conj())
    more = np.hstack([w, [[1.0]] * 3])
    np.testing.assert_allclose(arff.step_transform(more, a),
                               arff.step_transform(w, a) * np.sqrt(2 * np.pi) * np.exp(-0.5))
    assert abs(arff.step_transform(np.array([[1 / a + 9.5]]), a)[0]) < 1e-12


def test_the_step_comes_back_from_its_transform():
    w = np.linspace(-25, 25, 20_001)[:, None]
    for x in (0.05, 0.7):
        back = (arff.step_transform(w, 0.1) @ np.exp(1j * w[:, 0] * x)).real * 0.0025 / (2 * np.pi)
        assert back == pytest.approx(arff.step_target([[x]], 0.1)[0], abs=1e-6)
    with_others = arff.step_target([[0.7, 1.0, 2.0]], 0.1)
    assert with_others == pytest.approx(arff.step_target([[0.7]], 0.1) * np.exp(-2.5))


@pytest.mark.parametrize("case", [1, 2, 3])
def test_the_law_is_in_proportion_to_the_transform(case):
    """Amplitudes are equal within the width of the cells, and the constant is that of quadrature."""
    given, rng = arff.CASES[case], np.random.default_rng(case)
    law, d = given.law(), given.d
    W = law.sample_frequencies(4000, d, rng)
    amplitudes = np.abs(given.transform(W)) / ((2 * np.pi) ** d * law.spectral_density(W))
    C, most, _ = arff.constants(case)
    assert W.shape == (4000, d) and amplitudes.max() <= most * (1 + 1e-9)
    middle = np.median(amplitudes)
    assert np.mean(np.abs(amplitudes / middle - 1) < 0.05) > 0.95 and middle**2 == pytest.approx(C, rel=0.01)
    if d == 5:  # each other coordinate is normal: the mean square of 4000 is within six deviations
        assert np.abs((W[:, 1:] ** 2).mean(0) - 1).max() < 6 * np.sqrt(2 / 4000)


def test_plain_amplitudes_err_as_the_theorem_says():
    """The radius has the failure probability 1e-7; a constant that is off by a quarter is outside."""
    made = arff.measure_plain(arff.Settings(draws=4000), 3, 4)
    predicted = (made["constant"] - made["value"]) / 4
    assert abs(made["square"] - predicted) <= made["radius"] < 0.25 * predicted
    assert made["solved"] <= made["allowed"] + made["solved_radius"]
    assert made["solved"] < predicted


def test_data_are_the_case_and_the_seed():
    X, y, X_test, y_test = arff.make_data(TINY, 2, 0)
    np.testing.assert_array_equal(y, arff.CASES[2].target(X))
    assert X.shape == X_test.shape == (60, 5) and len(y_test) == 60 and X.dtype == np.float32
    assert (arff.make_data(TINY, 2, 1)[0] != X).any()
    np.testing.assert_array_equal(arff.make_data(TINY, 2, 0)[0], X)


def test_walks_are_those_of_table_2():
    for case, d, steps, refresh in ((1, 1, (5.76, 0.1), (10, 50)), (2, 5, (0.1152, 0.1), (25, 25)),
                                    (3, 2, (0.5, 0.1), (25, 25))):
        for i, method in enumerate(("algorithm 1", "algorithm 2")):
            walk = arff.walk(case, method, 64, 1000, 1010, 7)
            assert (walk.kernel, walk.resample, walk.exponent, walk.refresh) == (None, False, 3 * d - 2, refresh[i])
            assert walk.step == pytest.approx(steps[i]) and walk.random_state == 7
            assert walk.covariance == ("scalar", "adaptive")[i] and walk.burn_in == walk.n_steps // 10
            assert walk.alpha == pytest.approx(0.1 * 1000 / 64)
            assert 1010 - refresh[i] < walk.n_steps * (1 + 1 / refresh[i]) <= 1010


def test_corrections_change_what_they_say():
    paper = arff.walk(2, "algorithm 1", 64, 1000, 520, 0).get_params()
    changes = {method: {k for k, v in arff.walk(2, method, 64, 1000, 520, 0).get_params().items() if v != paper[k]}
               for method in ("exponent", "step", "corrected", "resampled")}
    assert changes["exponent"] == {"exponent"} and changes["step"] == {"step"}
    assert changes["corrected"] == {"exponent", "step"}
    assert changes["resampled"] == {"exponent", "resample", "refresh", "n_steps", "burn_in"}
    shaped = arff.walk(3, "corrected, shaped", 64, 1000, 520, 0)
    assert shaped.covariance == "adaptive" and shaped.step == bounds.optimal_step(2)
    scales = np.sqrt((32.0**2 + 32.0**-2) / 2)  # of the optimal density; 6 deviations of its mean square of 100,000
    assert arff.walk(3, "corrected", 64, 1000, 520, 0).step == pytest.approx(bounds.optimal_step(2) * scales, rel=0.03)


@pytest.mark.parametrize("method", ["algorithm 1", "corrected", "resampled", "defaults"])
def test_no_walk_solves_more_often_than_it_may(method):
    row = arff.measure_width(TINY, 1, method, 8, 0)
    most = (1 + TINY.solves[0]) * arff.solve_work(60, 8, 1)
    assert 0.8 * most < row["work"] <= most * (1 + 1e-6)
    assert 0 <= row["acceptance"] <= 1 and 0 < row["effective"] <= 1.0001


def test_rows_are_what_the_methods_give():
    X, y, X_test, y_test = arff.make_data(TINY, 1, 0)
    for method in arff.METHODS[1]:
        made = arff.machine(TINY, 1, method, 8, 0).fit(X, y)
        wanted = np.sqrt(np.mean((made.predict(X_test) - y_test) ** 2)) / y_test.std()
        assert arff.measure_width(TINY, 1, method, 8, 0)["error"] == pytest.approx(wanted, rel=1e-5)
    network = arff.machine(TINY, 1, "network, wide", 8, 0)
    assert isinstance(network, FourierNetwork) and network.learning_rate == 1.5e-4 and network.length_scale == 0.02


def test_curves_are_errors_on_rows_that_were_not_fitted(monkeypatch):
    walks, walk = [], arff.walk
    monkeypatch.setattr(arff, "walk", lambda *args: walks.append(walk(*args)) or walks[-1])
    made = arff.measure_curve(TINY, "resampled", 0)
    ended = np.asarray(walks[0].waves_.frequencies, dtype=float)
    assert made["spreads"] == pytest.approx(np.linalg.norm(ended, axis=0) / np.sqrt(len(ended)), rel=1e-5)
    works = [work for work, _ in made["points"]]
    assert works == sorted(works) and works[-1] <= 13 * arff.solve_work(60, 8, 2) * (1 + 1e-6)
    network = arff.measure_curve(TINY, "network", 0)["points"]
    X, y, X_test, y_test = arff.make_data(TINY, 3, 0)
    last = arff.machine(TINY, 3, "network", 8, 0).set_params(n_epochs=6).fit(X, y).predict(X_test)
    assert network[-1][1] == pytest.approx(np.sqrt(np.mean((last - y_test) ** 2)) / y_test.std(), rel=1e-5)


def test_the_paper_s_work_is_that_of_table_2():
    """Steps and solutions at whole budget; the prescriptions of the chapter on the walk are those of the cases."""
    for (case, method), theirs in arff.SPENT.items():
        made = arff.printed_machine(arff.FULL, case, method, 8, 3)
        if method.startswith("network"):
            assert made.n_epochs * arff.FULL.rows == theirs.steps and made.random_state == 3
        elif method == "fixed":
            assert theirs.steps == 0 and made.features.length_scale == 1.0
        else:
            walk = made.features
            assert (walk.n_steps, walk.refresh, walk.burn_in) == (theirs.steps, theirs.refresh, theirs.steps // 10)
            assert walk.exponent == 3 * arff.CASES[case].d - 2 and not walk.resample
            assert arff.spent(case, method) == f"{theirs.steps + theirs.steps // theirs.refresh:,} solves"
    row = arff.measure_width(TINY, 1, "algorithm 2", 8, 0, arff.printed_machine)
    assert row["steps"] == 50 and row["work"] == pytest.approx((1 + 50 + 1) * arff.solve_work(60, 8, 1), rel=1e-5)
    walk = arff.printed_machine(TINY, 3, "algorithm 1", 8, 0).features
    last = arff.measure_curve(TINY, "algorithm 1", 0, 8)["points"][-1]
    assert walk.n_steps == 100 and last[0] == pytest.approx(102 * arff.solve_work(60, 8, 2), rel=1e-5)


def test_a_network_on_new_rows_sees_each_once(monkeypatch):
    """What it is given are blocks that differ, in their order; its error is that on the test part of the seed."""
    seen, fit = [], FourierNetwork.partial_fit
    monkeypatch.setattr(FourierNetwork, "partial_fit", lambda self, X, y: [seen.append((X, y)), fit(self, X, y)][1])
    made = arff.measure_fresh(TINY, 8, 1)["points"]
    X, y, X_test, y_test = arff.make_data(TINY, 3, 1)
    rows = np.vstack([X, X_test, *(X for X, _ in seen)])
    assert len(seen) == 5 and len(np.unique(rows, axis=0)) == 7 * 60 and rows.dtype == np.float32
    for X, y in seen:
        np.testing.assert_array_equal(y, arff.CASES[3].target(X))
    network = arff.machine(TINY, 3, "network", 8, 1)
    for X, y in seen:
        fit(network, X, y)
    assert made[-1] == [pytest.approx(300 * arff.gradient_work(8, 2)),
                        pytest.approx(np.sqrt(np.mean((network.predict(X_test) - y_test) ** 2)) / y_test.std(),
                                      rel=1e-5)]


def test_pixels_that_never_change_are_no_harm():
    pixels, *_ = arff.load_digits("digits", 0)
    assert pixels.min() == 0 and pixels.max() == 1
    X, y, X_test, _ = arff.load_digits("digits", 0, normalised=True)
    spread = X.std(0)
    assert ((spread < 1e-6) | (np.abs(spread - 1) < 1e-3)).all() and (spread < 1e-6).any()
    assert np.isfinite(X).all() and np.isfinite(X_test).all()
    paper = arff.digit_features("algorithm 1", 8, 5, 100, X, 0)
    assert (paper.exponent, paper.step, paper.refresh) == (3 * 64 - 2, 0.1, 6)


def test_complex_waves_are_those_of_the_paper():
    X, y, X_test, y_test = arff.load_digits("digits", 0)
    W = 0.1 * np.random.default_rng(3).standard_normal((64, 6)).astype(np.float32)
    S, Y = np.exp(1j * (X @ W)), np.eye(10)[y]
    beta = np.linalg.lstsq(np.vstack([S, np.sqrt(0.1 * len(X)) * np.eye(6)]), np.vstack([Y, np.zeros((6, 10))]),
                           rcond=None)[0]
    guess = np.exp(1j * (X_test @ W)) @ beta
    wrong = np.mean(np.abs(guess).argmax(1) != y_test)
    assert arff.complex_error(X, y, X_test, y_test, 6, 0, 3) == pytest.approx(wrong, abs=2 / len(y_test))
    wide = arff.complex_error(X, y, X_test, y_test, 6, 0, 3, spread=10.0)  # of which nothing is learnt
    assert wide == arff.complex_error(100 * X, y, 100 * X_test, y_test, 6, 0, 3) > wrong
    assert arff.complex_error(X, y, X_test, y_test, 6, 60, 3) < wrong  # at 0, where it starts, all digits are alike


def test_a_stopped_run_goes_on(tmp_path, monkeypatch):
    path, measure, done = tmp_path / "rows.jsonl", arff.measure_width, []

    def stop(*task):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(task)
        return measure(*task)

    monkeypatch.setattr(arff, "measure_width", stop)
    with pytest.raises(KeyboardInterrupt):
        arff.EXPERIMENT.run(TINY, path, progress=False)
    kept = records.read_records(path)[1]
    monkeypatch.setattr(arff, "measure_width", measure)
    rows = arff.EXPERIMENT.run(TINY, path, progress=False)
    assert len(kept) == 3 + 2 + 3 and rows[:8] == kept
    widths, of_digits, curves, printed = 3 * (10 + 7) + 4, 2 + 2 + 1 + 2 + 2 + 1, 7, 3 + 1 + 1 + 1 + 2
    ours = [row for row in rows if row.get("method") != arff.SAMPLED]  # which runs where its package is installed
    assert len(ours) == 5 + widths + of_digits + curves + printed
    assert arff.bands(rows, 1, "algorithm 2", printed=True)[4][2] == 2 and "±" in arff.table(rows, 1, printed=True)
    assert arff.bands(rows, 1, "fixed")[4][2] == 2 and arff.bands(rows, 1, "fixed")[8][1] is None
    assert arff.bands(rows, 4, "resampled").keys() == {4}
    assert arff.report(rows).count("| K |") == 3


class Layer(BaseEstimator):
    """A layer of the peer: the first hands rows on, the last predicts the mean of the targets."""

    seen: list = []

    def __init__(self, layer_width=None, activation=None, parameter_sampler=None, random_seed=None):
        self.layer_width, self.activation = layer_width, activation
        self.parameter_sampler, self.random_seed = parameter_sampler, random_seed

    def fit(self, X, y):
        self.seen.append(self.layer_width)
        self.mean_ = np.reshape(y, (len(X), -1)).mean(0)
        return self

    def transform(self, X):
        return X if self.layer_width else np.tile(self.mean_, (len(X), 1))


def test_the_peer_joins_where_it_is_installed(tmp_path, monkeypatch, capsys):
    fake = types.SimpleNamespace(Dense=Layer, Linear=Layer)
    without = len(arff.EXPERIMENT.run(TINY, tmp_path / "without.jsonl")) if find_spec("swimnetworks") is None else None
    assert without is None or "make peers" in capsys.readouterr().out
    monkeypatch.setitem(sys.modules, "swimnetworks", fake)
    monkeypatch.setattr(protocol, "find_spec", lambda name: fake)
    monkeypatch.setattr(arff, "version", lambda name: "9.9")
    rows = arff.EXPERIMENT.run(TINY, tmp_path / "rows.jsonl", progress=False)
    peers = [row for row in rows if row.get("method") == arff.SAMPLED]
    assert len(peers) == 2 * 3 + 1 and {row["version"] for row in peers} == {"9.9"}
    assert without is None or len(rows) == without + len(peers)
    assert set(Layer.seen) == {None, 4, 8}
    for row in (row for row in peers if row["stage"] == "width"):  # the mean errs by one, up to the means of two parts
        assert row["error"] == pytest.approx(1.0, abs=0.1)
    assert all(0.8 < row["error"] < 1 for row in peers if row["stage"] == "digits")
    assert {row["tested"] for row in rows if row["stage"] == "digits"} == {len(arff.load_digits("digits", 0)[3])}
    assert "| sampled |" in arff.report(rows)


def test_quick_run_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    monkeypatch.setattr(arff.EXPERIMENT, "quick", TINY)
    assert cli.main(["reproduce", "arff", "--quick"]) == 0
    assert "| K | fixed | best | algorithm 1 |" in capsys.readouterr().out


@pytest.mark.parametrize("name,value", [("rows", 3), ("gradients", 0), ("widths", ((4, 0),)), ("spreads", (0.0,)),
                                        ("solves", (5, 5, 0)), ("digit_walks", (("algorithm 1", (4,), 1.5, 1),)),
                                        ("digit_walks", (("algorithm 9", (4,), 1, 1),)), ("share", 0.0),
                                        ("printed", ((4, "algorithm 1", ((4, 1),)),)), ("fresh", (0,)),
                                        ("printed", ((1, "fixed", ((4, 0),)),))])
def test_settings_are_checked(name, value):
    with pytest.raises(ValueError, match=name):
        arff.Settings(**{name: value})


def test_the_committed_rows_are_of_the_settings_of_the_book():
    header, rows = records.read_records(records.book_file("results/arff.jsonl"))
    assert header["settings"] == json.loads(json.dumps(dataclasses.asdict(arff.FULL)))
    assert {row["stage"] for row in rows} == {"plain", "spread", "width", "digits", "curve", "printed"}
    keys = [json.loads(json.dumps(key)) for key, _ in arff._tasks(arff.FULL)]  # nothing stands there that is not run
    assert all(any(key.items() <= row.items() for key in keys) for row in rows)
    for row in (row for row in rows if row["stage"] == "plain"):
        predicted = (row["constant"] - row["value"]) / row["K"]
        assert abs(row["square"] - predicted) <= row["radius"]
        assert row["solved"] <= row["allowed"] + row["solved_radius"]


def planted(case, method, errors, seeds=10):
    """Rows with the paper's work, the same at each seed but for one part in a hundred that belongs to the method."""
    rng = np.random.default_rng(len(method) + case)
    return [{"stage": "printed", "case": case, "method": method, "K": K, "seed": seed,
             "error": error * (1 + 0.01 * rng.standard_normal())}
            for K, error in errors.items() for seed in range(seeds)]


def word(claim, rows, settings=arff.FULL):
    return next(verdict.word for text, verdict in arff.verdicts(rows, settings) if text.startswith(claim))


def test_verdicts_follow_the_rows():
    widths = (4, 16, 64, 256, 512)
    flat, half, bent = ({K: c * K**-s for K in widths} for c, s in ((0.5, 0.0), (1.0, 0.5), (1.0, 0.5)))
    bent |= {512: 0.03}
    rows = planted(1, "algorithm 1", half) + planted(1, "fixed", flat | {4: 0.9, 16: 0.8})
    assert word("Case 1: Algorithm 1 errs less", rows) == "reproduced"
    assert word("Case 1: Algorithm 1 has", rows) == "reproduced"
    assert word("Case 1: Algorithm 1 has", planted(1, "algorithm 1", bent)) == "not reproduced"
    moved = planted(1, "algorithm 1", flat) + planted(1, "fixed", half)
    assert word("Case 1: Algorithm 1 errs", moved) == "not reproduced"
    assert word("Case 1: Algorithm 1 errs", [row for row in rows if row["seed"] < 1]) == "not testable here"
    noisy = [{**row, "error": row["error"] * (1 + 3 * (row["method"] != "fixed") * (row["seed"] % 2))} for row in rows]
    assert word("Case 1: Algorithm 1 errs", [row for row in noisy if row["seed"] < 3 and row["K"] < 99]) == "undecided"
    assert word("Case 2: Algorithm 1", planted(2, "algorithm 1", half)) == "reproduced"
    assert word("Case 2: Algorithm 1", planted(2, "algorithm 1", flat)) == "undecided"  # the paper has wider ones
    assert word("Case 2: Algorithm 1", planted(2, "algorithm 1", flat | {1024: 0.5})) == "not reproduced"
    stops = half | {512: half[256]}
    assert word("Case 2: and stops", planted(2, "network", stops)) == "reproduced"
    assert word("Case 2: and stops", planted(2, "network", half)) == "undecided"  # the paper has wider ones


@pytest.mark.parametrize("slow,expected", [(100.0, "reproduced"), (0.01, "not reproduced")])
def test_speed_is_compared_at_several_amounts(slow, expected):
    """A line of the network that is so many times as slow; with one seed nothing is decided."""
    work = np.geomspace(1e7, 1e12, 50)

    def line(stage, method, seed, factor):
        errors = (1 + work / factor / 1e10) ** -0.5 * (1 + 0.01 * seed * (2 if method == "network" else 1))
        return {"stage": stage, "case": 3, "method": method, "K": 256, "seed": seed, "seconds": 1.0,
                "points": np.transpose([work, errors]).tolist()}

    rows = [line(*of, seed, factor) for seed in range(4) for of, factor in
            ((("curve", "algorithm 1"), 1.0), (("curve", "network"), 1.0), (("printed", "network"), slow))]
    assert word("Case 3: Algorithm 1 is faster than stochastic gradients, in mult", rows) == expected
    assert word("Case 3: Algorithm 1 is faster than stochastic gradients, in sec", rows) == expected
    one = [row for row in rows if row["seed"] == 0]
    assert word("Case 3: Algorithm 1 is faster than stochastic gradients, in mult", one) == "undecided"


def test_columns_of_the_table_have_verdicts():
    printed, rng = arff.table_1(), np.random.default_rng(0)
    assert printed[8192] == pytest.approx({"complex 1": 0.8398, "complex": 0.0316, "complex walk": 0.0198})
    rows = [{"stage": "digits", "method": method, "K": K, "steps": 0, "seed": seed,
             "error": error + 1e-3 * rng.standard_normal()}
            for K, line in printed.items() for method, error in line.items() for seed in range(5)]
    assert word("Case 4: the column of Algorithm 1", rows) == "reproduced"
    assert word("Case 4: Algorithm 1 has the smallest", rows) == "reproduced"
    worse = [{**row, "error": row["error"] + 0.1 * (row["method"] == "complex walk") * (row["K"] == 64)}
             for row in rows]
    assert word("Case 4: Algorithm 1 has the smallest", worse) == "not reproduced"
    off = [{**row, "error": row["error"] + 0.05 * (row["K"] == 8)} for row in rows]
    assert word("Case 4: the column of Algorithm 1", off) == "not reproduced"
    assert word("Case 4: the column of Algorithm 1", [row for row in rows if row["K"] < 9]) == "undecided"
    assert word("Case 4: the column of Algorithm 1", rows, arff.QUICK) == "not testable here"
    assert word("Case 4: frequencies", [row for row in rows if row["K"] <= 256]) == "undecided"


def test_states_count_widths_runs_and_work():
    assert dict.fromkeys(item for item, *_ in arff.states([])).keys() == {
        *(f"Figure {i}" for i in range(1, 7)), "Table 1", "Table 2"}
    whole = [row for method in arff.PANELS["Figure 3"][1] for row in
             planted(2, method, dict.fromkeys(arff.SPENT[2, method].widths, 0.5))]
    state = {item: rest for item, *rest in arff.states(whole)}
    assert state["Figure 3"] == ["in full", ""] and state["Figure 2"][0] == "not"
    part = [row for row in whole if (row["K"], row["seed"]) != (8, 3) and row["K"] != 1024]
    assert {item: rest for item, *rest in arff.states(part)}["Figure 3"] == ["in part", ". ".join(
        f"{method}: not K = 1024; 9 of 10 runs at K = 8" for method in arff.PANELS["Figure 3"][1])]
    assert {item: rest for item, *rest in arff.states(whole, TINY)}["Figure 3"][0] == "not"  # not the paper's work
    assert "in full" in arff.table_2(whole, arff.FULL).split("| 2 | fixed")[1].split("\n")[0]


def test_the_verdicts_on_the_committed_rows_are_words_with_budgets():
    found = arff.verdicts(records.read_records(records.book_file("results/arff.jsonl"))[1])
    assert {verdict.word for _, verdict in found} <= set(WORDS)
    assert all(verdict.budget.ours and verdict.budget.paper and verdict.why for _, verdict in found)


def test_a_curve_over_work_lacks_the_seconds():
    methods = [method for case, method in arff.SPENT if case == 3]
    whole = [{"stage": "printed", "case": 3, "method": method, "K": K, "seed": seed}
             for method in methods for K in arff.SPENT[3, method].widths for seed in range(10)]
    assert arff._curves(whole, arff.FULL, 3, methods) == ("in part", "multiplications in the place of seconds")
    assert arff._curves([], arff.FULL, 3, methods)[0] == "not"
