"""The paper on stretching: data as it prescribes, methods that are what they say, verdicts that can fall."""

import csv
import dataclasses
import json
import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from rfbook import cli, datasets, records
from rfbook.adaptive.stretch import AS_PRINTED
from rfbook.lab.experiments import rffnet
from rfbook.lab.experiments.rffnet import Problem, Settings

DEAR = tuple(name for name, method in rffnet.METHODS.items() if method.dear or method.package == "xrfm")
REST = (*DEAR, "boosting", "SWIM", "plain", "RFFNet, text")
JSE3 = Problem("jse3", "jse3", runs=2, width=20, without=REST)
TINY = Settings(problems=(JSE3, Problem("moons", "moons", labels=True, runs=1, width=20, without=REST)), train=120,
                test=60, epochs=3, rounds=1, process_rows=40, most=50, ablation_rows=100, ablation_runs=1,
                strengths=(1e-4, 10.0), sizes=(60,), selection_runs=1, alone=())


def row(method="RFFNet", run=0, score=1.0, name="gse1", **more):
    return {"stage": "test", "dataset": name, "method": method, "run": run, "score": score, **more}


@pytest.mark.parametrize("name,clean", [
    ("gse1", lambda X: np.sin((X[:, 0] + X[:, 2]) ** 2) * np.sin(X[:, 6] * X[:, 7] * X[:, 8])),
    ("gse2", lambda X: np.log((X[:, 10] + X[:, 11] + X[:, 12] + X[:, 13] + X[:, 14]) ** 2)),
    ("jse2", lambda X: X[:, 0] ** 3 + X[:, 1] ** 3), ("jse3", lambda X: X[:, 0] * X[:, 1])])
def test_simulated_sets_are_those_of_the_appendix(name, clean):
    X, y = rffnet.simulated(name, 4000, np.random.default_rng(1))
    noise = y - clean(X)
    # 4000 normal residuals: their mean square is a chi-square, and the bounds fail with probability 2e-9
    low, high = stats.chi2.ppf([1e-9, 1 - 1e-9], 4000) / 4000 * 0.01
    assert X.shape == (4000, rffnet.COLUMNS[name]) and low < np.mean(noise**2) < high
    between = np.corrcoef(X[:, 0], X[:, 1])[0, 1]  # Fisher's transform, six standard errors
    assert abs(np.arctanh(between) - np.arctanh(0.5 if name == "jse2" else 0.0)) < 6.5 / math.sqrt(4000 - 3)
    assert max(rffnet.ACTIVE[name]) < X.shape[1]


def test_replicas_are_scaled_by_the_training_part_alone():
    split, other = (rffnet.load_problem(TINY, JSE3, run) for run in (0, 1))
    assert split.X.shape == (120, 10) and split.X_test.shape == (60, 10) and split.X.dtype == np.float32
    np.testing.assert_allclose(split.X.mean(0), 0, atol=1e-6)
    np.testing.assert_allclose(split.X.std(0), 1, rtol=1e-5)
    assert np.abs(split.X_test.mean(0)).max() > 1e-3 and not np.array_equal(split.y, other.y)


def test_folds_are_those_of_ten_in_a_fixed_order():
    problem = Problem("diabetes", data="diabetes", runs=10)
    raw = datasets.load("diabetes")
    tested = [rffnet.load_problem(TINY, problem, run).y_test for run in range(10)]
    assert sorted(np.concatenate(tested)) == sorted(raw.y_train) and {len(part) for part in tested} == {44, 45}
    assert rffnet.rows_of(problem) == len(raw.y_train) * 9 // 10


class Counts:
    """Numbers that are integers, published in two parts."""

    X_train, y_train = np.arange(60.0).reshape(30, 2), np.arange(30) % 7
    X_test, y_test, extra = np.arange(20.0).reshape(10, 2), np.arange(10) % 7, {}


@pytest.mark.parametrize("labels", [False, True])
def test_integers_are_labels_only_where_the_problem_says_so(labels, monkeypatch):
    rffnet._pooled.cache_clear()
    monkeypatch.setattr(rffnet.datasets, "load", lambda name: Counts)
    split = rffnet.load_problem(TINY, Problem("counts", data="counts", labels=labels), 0)
    assert len(split.y) + len(split.y_test) == 40 and set(split.y) == ({0, 1} if labels else set(range(7)))
    rffnet._pooled.cache_clear()


class Workbook:
    """A set whose rows stand on five sheets."""

    X_train, y_train, y_test = np.arange(80.0).reshape(40, 2), np.arange(40.0), None
    extra = {"sheet_perm": np.array([np.random.default_rng(k).permutation(40) for k in range(5)])}


def test_copies_are_those_of_the_five_sheets(monkeypatch):
    rffnet._pooled.cache_clear()
    monkeypatch.setattr(rffnet.datasets, "load", lambda name: Workbook)
    once, five = (rffnet.load_problem(TINY, Problem("plant", data="plant", copies=copies), 0)
                  for copies in (False, True))
    assert (len(once.y), len(five.y), len(five.y_test)) == (36, 180, 20)
    assert rffnet.rows_of(Problem("plant", data="plant", copies=True)) == 180
    counts = np.unique(np.r_[five.y, five.y_test], return_counts=True)[1]
    assert not set(once.y_test) & set(once.y) and counts.tolist() == [5] * 40
    rffnet._pooled.cache_clear()


class Reviews:
    """Texts with stars, some of which the authors leave out."""

    X_train = np.array(["good tea", "bad tea", "good cup", "bad cup", "so so"] * 6, dtype=object)
    y_train, y_test = np.array([5, 1, 4, 2, 3] * 6), None
    extra = {"rffnet_keep": np.array([True, True, True, True, False] * 6)}


def test_reviews_become_words_and_labels(monkeypatch):
    rffnet._pooled.cache_clear()
    monkeypatch.setattr(rffnet.datasets, "load", lambda name: Reviews)
    split = rffnet.load_problem(TINY, Problem("reviews", data="reviews", labels=True), 0)
    assert set(split.names) == {"bad", "cup", "good", "tea"} and len(split.y) + len(split.y_test) == 24
    good = split.X[:, split.names.index("good")]
    np.testing.assert_array_equal(split.y, good > 0)
    rffnet._pooled.cache_clear()


def test_the_published_machine_has_the_settings_of_the_program():
    split = rffnet.load_problem(TINY, JSE3, 0)
    made = rffnet.as_published(TINY, JSE3, split, 0)
    for name, value in AS_PRINTED.items():
        if name not in ("n_components", "n_epochs"):
            assert getattr(made, name) == value
    # lambda is that of the mean loss: what shrinks the weights after a step is 1 / (1 + 2 lambda rate)
    assert made.alpha == pytest.approx(2 * 0.1 * 108)
    assert made.fit(split.X, split.y)._training.ridge == pytest.approx(0.2)
    text = rffnet.METHODS["RFFNet, text"].make(TINY, JSE3, split, 0)
    assert text.alpha == pytest.approx(2e-4 * 108)
    ours = rffnet.METHODS["RFFNet, corrected"].make(TINY, JSE3, split, 0)
    assert (ours.optimizer, ours.start, ours.refit, ours.n_components) == ("adam", "median", True, 20)


def test_rivals_have_the_bandwidths_of_the_program():
    split = rffnet.load_problem(TINY, JSE3, 0)
    made = {name: rffnet.METHODS[name].make(TINY, JSE3, split, 0) for name in rffnet.RIVALS}
    assert made["Kernel Ridge"].gamma == made["EigenPro"].gamma == made["Nyström"].features.gamma == 0.1
    assert made["Fastfood"].features.length_scale == 10 and made["Fastfood"].features.sampling == "fastfood"
    assert (made["Nyström"].alpha, made["Kernel Ridge"].alpha) == (0.1, 0.1) and made["SRFF"].length_scale == 1.0
    assert (made["GPR"].rows, made["GPR"].centred) == (40, False)
    labels = TINY.problems[1]
    assert rffnet.METHODS["Fastfood"].make(TINY, labels, rffnet.load_problem(TINY, labels, 0), 0).loss == "logistic"


def test_the_slope_of_a_process_is_that_of_its_likelihood():
    rng = np.random.default_rng(0)
    X, r = rng.standard_normal((30, 3)), rng.standard_normal(30)
    machine = rffnet.RelevanceProcess(30, False, 0)
    machine.X_, p = X, np.array([0.1, -0.4, 0.3, 0.2, -0.7, 0.1])

    def mean_log(p):
        K = machine._matrix(p)[1]
        u = r - p[-1]
        return (-0.5 * u @ np.linalg.solve(K, u) - 0.5 * np.linalg.slogdet(K)[1]) / 30

    numeric = [(mean_log(p + 1e-5 * e) - mean_log(p - 1e-5 * e)) / 2e-5 for e in np.eye(6)]
    np.testing.assert_allclose(machine._slope(p, r), numeric, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("centred", [False, True])
def test_predictions_of_a_process_are_those_of_scikit_learn(centred):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((60, 2))
    y = 3 + np.sin(2 * X[:, 0])
    machine = rffnet.RelevanceProcess(60, centred, 0, n_steps=20).fit(X, y)
    *logs, height, noise, mean = machine.parameters_
    kernel = ConstantKernel(np.exp(height)) * RBF(np.exp(-np.array(logs))) + WhiteKernel(np.exp(noise) + 1e-6)
    shift = machine.mean_ + mean * machine.spread_
    other = GaussianProcessRegressor(kernel, optimizer=None, alpha=0.0).fit(X, (y - shift) / machine.spread_)
    np.testing.assert_allclose(machine.predict(X[:9] + 0.1), other.predict(X[:9] + 0.1) * machine.spread_ + shift,
                               rtol=1e-7)


@pytest.mark.parametrize("choice", ["SGD", "PALM-SGD", "Adam", "PALM-Adam"])
def test_a_step_is_that_of_its_rule(choice):
    """One batch: the gradient of the mean square, at the moved relevances in the second of two blocks."""
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((20, 3)).astype(np.float32), rng.standard_normal(20)
    options = AS_PRINTED | {"n_components": 6, "n_epochs": 1, "batch_size": 18, "learning_rate": 0.01, "patience": 1,
                            "random_state": 3, "alpha": 1.0}
    begun = rffnet_start(options, X, y)
    theta, coef, waves = begun.theta.astype(float), begun.coef[0].astype(float), begun.waves
    W, b = np.asarray(waves.frequencies, dtype=float), np.asarray(waves.phases, dtype=float)
    A, t = X[2:].astype(float), y[2:]

    def slopes(theta, coef):
        angle = (A * theta) @ W.T + b
        left = np.cos(angle) @ coef - t
        inner = -np.sin(angle) * coef
        return 2 * np.mean(left[:, None] * (inner @ W) * A, 0), 2 * np.cos(angle).T @ left / len(t)

    move = np.sign if choice.endswith("Adam") else lambda slope: slope
    first, second = slopes(theta, coef)
    after = theta - 0.01 * move(first)
    if choice.startswith("PALM"):
        second = slopes(after, coef)[1]
    expected = (coef - 0.01 * move(second)) / (1 + 2 * 0.5 * 0.01)
    losses, found = rffnet.stepped(options, X, y, choice, 0.5, 0)
    np.testing.assert_allclose(found, after, rtol=1e-4, atol=1e-5)
    held = np.cos((X[:2] * after) @ W.T + b) @ expected - y[:2]
    assert losses[1] == pytest.approx(np.mean(held**2), rel=1e-3) and len(losses) == 2


def rffnet_start(options, X, y):
    """Waves, relevances and weights before the first step."""
    made = rffnet.RFFNetRegressor(**options | {"n_epochs": 0, "validation_fraction": 0.0})
    return made.fit(X[2:], y[2:])._training


def test_studies_change_one_part():
    found = {choice: rffnet.study(TINY, "jse3", kind, choice, 0)
             for kind, choices in rffnet.STUDIES.items() for choice in choices}
    assert {(len(one["losses"]), len(one["relevances"])) for one in found.values()} == {(4, 10)}
    assert found["Gaussian"] == found["Constant"] != found["Laplace"]
    assert found["Constant"]["losses"][0] != found["Restarter"]["losses"][0]
    weak, strong = (rffnet.study(TINY, "jse3", "ridge", value, 0) for value in (1e-4, 1e6))
    assert weak == found["Gaussian"]  # the ridge of the studies
    X, y = rffnet.ablation_part(TINY, "jse3", 0)
    assert strong["losses"][-1] == pytest.approx(np.mean(y**2), rel=1)  # nothing but zero is left of the weights
    np.testing.assert_allclose(X.std(0), 1, rtol=1e-5)


def test_a_selection_is_scored_on_rows_of_its_own(monkeypatch):
    settings, select, centres = dataclasses.replace(TINY, train=300, epochs=30), rffnet.top_k, []

    def noted(machine, X, y, *, centre):
        centres.append((centre, machine.scaler_.mean_))
        return select(machine, X, y, centre=centre)

    monkeypatch.setattr(rffnet, "top_k", noted)
    found = rffnet.select(settings, Problem("gse1", runs=1, width=20), 200, 0)
    assert found["precision"] + found["false discovery"] == pytest.approx(1 if found["kept"] else 0)
    assert found == rffnet.select(settings, Problem("gse1", runs=1, width=20), 200, 0)
    assert len(centres) == 2 and all(np.array_equal(centre, mean) for centre, mean in centres)  # of the training part


def test_columns_are_chosen_on_one_half_and_scored_on_the_other():
    problem, more = Problem("gse1", runs=1, width=20), dataclasses.replace(TINY, train=200, test=2 * TINY.test)
    split = rffnet.load_problem(more, problem, 0)
    machine = rffnet.as_published(more, problem, split, 0).fit(split.X, split.y)
    first, second = (slice(0, TINY.test), slice(TINY.test, None))
    kept, _ = rffnet.top_k(machine, split.X_test[first], split.y_test[first], centre=machine.scaler_.mean_)
    score = np.mean((machine.predict(split.X_test[second]) - split.y_test[second]) ** 2)
    found = rffnet.select(TINY, problem, 200, 0)
    assert found["kept"] == len(kept) and found["score"] == pytest.approx(score, rel=1e-5)


def test_a_row_is_what_the_machine_gives():
    split = rffnet.load_problem(TINY, JSE3, 0)
    found = rffnet.measure(TINY, JSE3, "Nyström", 0)
    machine = rffnet.METHODS["Nyström"].make(TINY, JSE3, split, 0).fit(split.X, split.y)
    assert found["score"] == pytest.approx(np.mean((machine.predict(split.X_test) - split.y_test) ** 2), rel=1e-5)
    assert found["rows"] == 120 and found["seconds"] >= 0 and "relevances" not in found
    with_relevances = rffnet.measure(TINY, JSE3, "RFFNet", 0)
    assert len(with_relevances["relevances"]) == 10 and min(with_relevances["relevances"]) >= 0
    assert rffnet.relevances_of(np.arange(200.0), tuple(f"w{j}" for j in range(200)))["most"][0] == ["w199", 199.0]


def test_labels_are_scored_by_order():
    labels = TINY.problems[1]
    split = rffnet.load_problem(TINY, labels, 0)
    found = rffnet.measure(TINY, labels, "Nyström", 0)["score"]
    machine = rffnet.METHODS["Nyström"].make(TINY, labels, split, 0).fit(split.X, split.y)
    values = machine.decision_function(split.X_test)
    pairs = values[split.y_test == 1][:, None] > values[split.y_test == 0]
    assert found == pytest.approx(np.mean(pairs), rel=1e-5) and found > 0.5


def test_a_run_that_fails_says_why(monkeypatch):
    def fails(*args):
        raise ValueError("learning_rate is 9, and with it the training diverges")

    monkeypatch.setattr(rffnet, "fitted", fails)
    split = rffnet.load_problem(TINY, JSE3, 0)
    found = rffnet.trial(TINY, JSE3, "RFFNet", split, 0)
    assert found["score"] is None and "diverges" in found["why"]
    assert rffnet.band([{**row(), **found}], "gse1", "RFFNet") is None


def test_memory_is_that_of_a_process_of_its_own():
    found = rffnet.measure_alone(TINY, JSE3, "Nyström", 0)
    assert found["score"] == rffnet.measure(TINY, JSE3, "Nyström", 0)["score"] and 0 <= found["mebibytes"] < 200


def test_memory_is_measured_as_often_as_the_settings_say():
    asked = dataclasses.replace(TINY, alone=("jse3",), alone_runs=2)
    keys = [key for key, _ in rffnet.tasks_of(asked)]
    alone = [(key["dataset"], key["method"], key["run"]) for key in keys if key["stage"] == "memory"]
    cheap = {*rffnet.taking_part(asked, JSE3)} & {*rffnet.CHEAP}
    assert sorted(alone) == sorted(("jse3", method, run) for method in cheap for run in range(2)) and "Nyström" in cheap
    assert len(keys) == len(alone) + len(rffnet.tasks_of(TINY))


@pytest.mark.parametrize(("limits", "word"), [
    ((1, 2), "for"), ((-2, -1), "against"), ((4, 5), "against"), ((-1, 1), "open"), ((-1, 0), "open"), ((0, 1), "open"),
    ((3, 4), "open"), ((2, 3), "open")])
def test_an_interval_that_touches_a_limit_decides_nothing(limits, word):
    assert rffnet._stands(SimpleNamespace(low=0, high=3, limits=lambda: limits)) == word


def test_who_takes_part():
    assert "Kernel Ridge" in {*rffnet.taking_part(TINY, Problem("jse3"))}
    assert "Kernel Ridge" not in {*rffnet.taking_part(dataclasses.replace(TINY, exact=119), Problem("jse3"))}
    assert "SRFF" not in {*rffnet.taking_part(TINY, Problem("moons", labels=True))}
    assert {*rffnet.EXPERIMENT.packages} == {"xRFM", "SWIM"}


def test_differences_are_taken_run_by_run_and_a_single_one_decides_nothing():
    gse1, a9a = rffnet.FULL.problems[0], Problem("a9a", data="a9a", labels=True)
    ours = [row(run=run, score=1.0 + 0.1 * run) for run in range(3)]
    theirs = [row("SRFF", run, 1.5 + 0.2 * run) for run in (2, 0)]
    gap = rffnet.gaps(ours + theirs, gse1, "SRFF")
    assert (gap.mean, gap.error, gap.degrees) == (pytest.approx(0.6), pytest.approx(0.1), 1)
    gap = rffnet.gaps(ours + theirs[:1], gse1, "SRFF")
    assert (gap.mean, gap.error) == (pytest.approx(0.7), None) and gap.limits() == (-math.inf, math.inf)
    higher = [row(name="a9a", score=0.9), row("SRFF", 0, 0.8, "a9a")]
    assert rffnet.gaps(higher, a9a, "SRFF").mean == pytest.approx(0.1) and rffnet.gaps(ours, gse1, "SRFF") is None


def test_the_printed_numbers_are_those_of_the_file():
    with open(records.book_file("papers/rffnet.csv"), newline="") as file:
        lines = list(csv.DictReader(file))
    found = rffnet.printed()
    assert len(found) == len(lines) and found["score", "yearprediction", "SRFF"] == (None, None)
    assert found["mebibytes", "higgs", "Nyström"] == (8680.3, 8.591)


def test_no_number_of_a_subset_stands_beside_a_printed_one():
    rows = [row(score=0.9, name="higgs_subset"), row(score=0.09), row(run=1, score=0.11)]
    (one,) = rffnet.beside(rows)
    assert (one["problem"], one["paper"], one["runs"]) == ("gse1", 0.073, 2)
    assert one["gap"].mean == pytest.approx(0.027)
    assert one["gap"].error == pytest.approx(math.hypot(0.004 / math.sqrt(10), 0.01))
    assert "0.073" in rffnet.table(rows, names=("gse1",)) and "0.774" not in rffnet.table(rows, names=("higgs_subset",))


@pytest.mark.parametrize("theirs,expected", [(1.5, "reproduced"), (0.5, "not reproduced"), (1.01, "undecided")])
def test_verdicts_follow_the_rows(theirs, expected):
    rows = [row(run=run, score=1.0 + 0.1 * run, relevances=[1.0] * 18) for run in range(3)]
    rows += [row(method, run, theirs + 0.1 * run + 0.02 * (run % 2)) for method in rffnet.RIVALS for run in range(3)]
    claim = next(iter(rffnet.CLAIMS))
    (found,) = [verdict for one, name, verdict in rffnet.verdicts(rows) if (one, name) == (claim, "gse1")]
    assert (found.word, found.total) == (expected, 6)
    assert "3 runs" in found.budget.ours and found.budget.paper == "10 runs"
    wild = [one if one["method"] == "RFFNet" else {**one, "score": one["score"] + 0.5 * one["run"]} for one in rows]
    (found,) = [verdict for one, name, verdict in rffnet.verdicts(wild) if (one, name) == (claim, "gse1")]
    assert found.word == "undecided"  # two degrees of freedom ask for 4.3 standard errors
    some = [one for one in rows if one["method"] != "GPR"]
    (found,) = [verdict for one, name, verdict in rffnet.verdicts(some) if (one, name) == (claim, "gse1")]
    assert found.word != "reproduced" and "GPR not run" in found.why
    moved = [{**one, "dataset": "higgs_subset"} for one in rows]
    assert "not testable here" in {one.word for _, name, one in rffnet.verdicts(moved) if name == "higgs_subset"}


@pytest.mark.parametrize("share,expected", [(1.02, "reproduced"), (1.2, "not reproduced")])
def test_to_match_is_to_err_by_a_twentieth_more_at_most(share, expected):
    rows = [row(run=run, score=share * (4 + 0.2 * run), name="abalone") for run in range(4)]
    rows += [row(method, run, 4 + 0.2 * run + 0.01 * (run % 2), "abalone") for method in rffnet.RIVALS
             for run in range(4)]
    found = {claim: one.word for claim, name, one in rffnet.verdicts(rows) if name == "abalone"}
    assert found["RFFNet outperforms or matches the others on real data (tables 3 and 4)"] == expected


def study(kind, choice, run, end):
    return {"stage": "study", "dataset": "gse1", "study": kind, "choice": choice, "run": run, "losses": [9.0, end]}


@pytest.mark.parametrize("good", [True, False])
def test_relevances_selections_and_ridges_have_verdicts(good):
    theta = np.zeros(18)
    theta[[0, 2, 6, 7, 8] if good else [1, 2, 6, 7, 8]] = 1
    rows: list = []
    for run in range(8):
        lift = 0.01 * (run % 2)  # with no scatter at all nothing would be decided
        rows.append({"stage": "relevances", "dataset": "gse1", "run": run, "relevances": theta.tolist()})
        for method, taken in (("RFFNet", 10.0), *((rival, 9.0 if good else 4.0) for rival in rffnet.RIVALS)):
            rows.append({"stage": "memory", "dataset": "gse1", "method": method, "run": run, "mebibytes": taken + lift})
        for n, precision in ((100, 0.92), (200, 0.98 if good else 0.9)):
            true = precision + 0.001 * (run % 3) * n / 100
            rows.append({"stage": "select", "dataset": "gse1", "rows": n, "run": run, "precision": true,
                         "recall": 1.0, "false discovery": 1 - true, "kept": 5, "score": 0.1})
        for value in rffnet.FULL.strengths:
            rows.append(study("ridge", value, run, (5.0 if value >= 10 and good else 1.0) + lift * value))
        for kind, choices in rffnet.STUDIES.items():
            for choice in choices:
                end = 1.0 if choice in ("Gaussian", "Constant", "Adam", "PALM-Adam") else 2.0 if good else 0.5
                end = 0.5 if choice == "PALM-Adam" and not good else end
                rows.append(study(kind, choice, run, end + lift * (1 + len(choice))))
    claims = [*rffnet.CLAIMS][4:]
    found = {claim: one.word for claim, name, one in rffnet.verdicts(rows) if name == "gse1" and claim in claims}
    assert found and set(found.values()) <= ({"reproduced"} if good else {"not reproduced", "undecided"})
    assert len(found) == 8


def test_nothing_that_is_kept_is_no_false_discovery():
    # at first nothing was kept: no discovery, neither true nor false
    rows = [{"stage": "select", "dataset": "gse1", "rows": n, "run": run, "precision": true + 0.001 * run,
             "false discovery": false + 0.001 * run}
            for n, true, false in ((1000, 0.0, 0.0), (10_000, 0.9, 0.0)) for run in range(3)]
    claim = next(claim for claim in rffnet.CLAIMS if "discoveries" in claim)
    (found,) = [one for line, name, one in rffnet.verdicts(rows) if (line, name) == (claim, "gse1")]
    assert found.why == "true discoveries from 0.00 to 0.90, false ones up to 0.00"
    assert found.word == "undecided"  # the rise is the same in every run: its scatter is not known


def test_the_states_are_those_of_the_rows():
    found = {item: (state, missing) for item, state, missing in rffnet.states([row(), row("SRFF")])}
    assert [*found] == [*(f"Table {k}" for k in range(1, 15)), *(f"Figure {k}" for k in range(1, 12))]
    state, missing = found["Table 1"]
    assert state == "in part" and missing.startswith("gse1 without EigenPro and Fastfood") and "jse3" in missing
    assert found["Table 3"][0] == "not" and found["Figure 2"] == ("not", "gse1, gse2, jse2, jse3")
    part = {item: line for item, *line in rffnet.states([row(name="higgs_subset", relevances=[1.0])])}
    assert part["Figure 4"] == ["in part", "amazon, higgs (a subset)"] and "higgs (a subset)" in part["Table 4"][1]


def test_other_peoples_packages_are_run_least_often():
    problem = Problem("gse1", runs=5, dear_runs=8, peer_runs=2)
    assert [problem.repeats(rffnet.METHODS[name]) for name in ("RFFNet", "boosting", "SRFF", "SWIM")] == [5, 5, 5, 2]


def test_a_stopped_run_goes_on(tmp_path, monkeypatch):
    path, measure, done = tmp_path / "rows.jsonl", rffnet.measure, []

    def stop(*task):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(task)
        return measure(*task)

    monkeypatch.setattr(rffnet, "measure", stop)
    with pytest.raises(KeyboardInterrupt):
        rffnet.EXPERIMENT.run(TINY, path, progress=False)
    kept = records.read_records(path)[1]
    monkeypatch.setattr(rffnet, "measure", measure)
    rows = rffnet.EXPERIMENT.run(TINY, path, progress=False)
    assert len(kept) == 3 and rows[:3] == kept and len(rows) == len(rffnet.tasks_of(TINY))
    assert {one["method"] for one in rows if one["stage"] == "test"} == {"RFFNet", "RFFNet, corrected", "Nyström",
                                                                         "Fastfood"}
    assert rffnet.report(rows).count("| method |") == 4


def test_quick_run_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    monkeypatch.setattr(rffnet.EXPERIMENT, "quick", TINY)
    assert cli.main(["reproduce", "rffnet", "--quick"]) == 0
    assert "| method | jse3 |" in capsys.readouterr().out


@pytest.mark.parametrize("name,value", [("runs", 11), ("runs", 0), ("dear_runs", 11), ("rate", 0.0), ("ridge", -1.0),
                                        ("width", 0), ("without", ("nothing",)), ("name", "gse9")])
def test_problems_are_checked(name, value):
    with pytest.raises(ValueError, match=name):
        Problem(**{"name": "gse1", name: value})


@pytest.mark.parametrize("name,value", [("train", 0), ("epochs", 1.5), ("strengths", (0.0,)), ("sizes", (-1,)),
                                        ("alone", ("nothing",))])
def test_settings_are_checked(name, value):
    with pytest.raises(ValueError, match=name):
        dataclasses.replace(TINY, **{name: value})


def test_the_committed_rows_are_of_the_settings_of_the_book(monkeypatch):
    header, rows = records.read_records(records.book_file("results/rffnet.jsonl"))
    assert header["settings"] == json.loads(json.dumps(dataclasses.asdict(rffnet.FULL)))
    monkeypatch.setattr(rffnet, "rows_of", lambda problem: 48_000 if problem.copies else 4000)
    complete = {problem.name for problem in rffnet.FULL.problems if problem.name not in ("year_prediction", "a9a")}
    wanted = [key for key, _ in rffnet.tasks_of(rffnet.FULL) if key["dataset"] in complete]
    there = [{name: one.get(name) for name in key} for key in wanted for one in rows
             if all(one.get(name) == value for name, value in key.items())]
    assert [json.dumps(one) for one in there] == [json.dumps(json.loads(json.dumps(key))) for key in wanted]
    assert {one["stage"] for one in rows} == {"test", "relevances", "memory", "study", "select"}
