"""The paper on choosing features: data as it prescribes, methods that are what they say, verdicts that can fall."""

import csv
import dataclasses
import json
from itertools import pairwise

import numpy as np
import pytest
from sklearn.frozen import FrozenEstimator

from rfbook import RandomFeatureClassifier, RandomFourierFeatures, cli, datasets, records
from rfbook.adaptive.weights import chi_square_weights
from rfbook.lab.experiments import eerf
from rfbook.lab.experiments.eerf import Problem, Settings

IRIS = Problem("iris", "Adult", widths=(6, 10), candidates=40, share=0.9, seeds=2, wider=(20,))
TINY = Settings(problems=(IRIS, Problem("wine", features="squares", widths=(8,), candidates=20, seeds=1)),
                ridges=(0.01, 1.0), radii=(0.5, 5.0), logistic=(("iris", 0.5, 1),), example_rows=60,
                example_candidates=40, example_seeds=1)


def row(method="RKS", width=10, seed=0, error=0.3, name="a9a", **more):
    return {"stage": "test", "dataset": name, "method": method, "width": width, "seed": seed, "error": error, **more}


def test_columns_are_scaled_by_the_training_part_alone():
    data = datasets.load("iris")
    split = eerf.load_problem(TINY, IRIS, 0)
    np.testing.assert_allclose(split.X.mean(0), 0, atol=1e-6)
    np.testing.assert_allclose(split.X.std(0), 1, rtol=1e-5)
    assert split.X.dtype == np.float32 and len(split.X) == 100 and np.abs(split.X_test.mean(0)).max() > 1e-3
    other = eerf.load_problem(TINY, IRIS, 1)
    assert not np.array_equal(other.y, split.y)
    whole = dataclasses.replace(IRIS, scaling="largest")
    pixels = eerf.load_problem(TINY, whole, 0)
    assert pixels.X.max() == 1 and pixels.X.min() == pytest.approx(data.X_train.min() / data.X_train.max(), rel=1)
    np.testing.assert_allclose(np.corrcoef(pixels.X[:, 0], split.X[:, 0])[0, 1], 1, rtol=1e-6)


def test_columns_that_never_change_are_no_harm():
    split = eerf.load_problem(TINY, Problem("digits", widths=(4,)), 0)
    assert np.isfinite(split.X).all() and np.isfinite(split.X_test).all() and (split.X.std(0) == 0).any()


@pytest.mark.parametrize("logarithm", [False, True])
def test_numbers_are_brought_to_one_interval(logarithm):
    problem = Problem("diabetes", widths=(4,), logarithm=logarithm)
    split, raw = eerf.load_problem(TINY, problem, 3), datasets.load("diabetes").y_train
    assert (split.y.min(), split.y.max()) == (-1, 1) and len(split.y) == 294
    order = np.random.default_rng(3).permutation(len(raw))[:294]
    kept = np.log(raw[order]) if logarithm else raw[order].astype(float)
    np.testing.assert_allclose(split.y, 2 * (kept - kept.min()) / np.ptp(kept) - 1)


def test_what_only_the_user_can_bring(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(eerf.OWN, "year_prediction", ("a source", (12, 6, 3)))
    monkeypatch.setenv("RFBOOK_DATA", str(tmp_path))
    problem = Problem("year_prediction", features="rectifiers", widths=(4,), candidates=8, seeds=1)
    settings = dataclasses.replace(TINY, problems=(problem,), logistic=())
    assert "year_prediction.npz (a source)" in eerf.lacking("year_prediction") and eerf.lacking("iris") == ""
    rows = eerf.EXPERIMENT.run(settings, tmp_path / "rows.jsonl")
    assert {one["stage"] for one in rows} == {"example"} and "was not run" in capsys.readouterr().out
    rng, arrays = np.random.default_rng(0), {}
    for part, n in (("train", 12), ("test", 6)):
        arrays |= {f"X_{part}": rng.standard_normal((n, 3)), f"y_{part}": rng.standard_normal(n)}
    np.savez(tmp_path / "year_prediction.npz", **arrays)
    assert eerf.lacking("year_prediction") == ""
    rows = eerf.EXPERIMENT.run(settings, tmp_path / "rows.jsonl", progress=False)
    assert {one["method"] for one in rows if one["stage"] == "test"} == set(eerf.METHODS) - set(eerf.ONLY_WAVES)
    eerf._raw.cache_clear()
    np.savez(tmp_path / "year_prediction.npz", **{**arrays, "X_test": arrays["X_test"][:5]})
    with pytest.raises(ValueError, match=r"year_prediction.npz holds parts of shape \(12, 3\) and \(5, 3\)"):
        eerf._raw("year_prediction")
    eerf._raw.cache_clear()


def test_methods_are_what_they_say():
    split = eerf.load_problem(TINY, IRIS, 0)
    made = {method: make(IRIS, split, 6, 0).fit(split.X, split.y) for method, make in eerf.METHODS.items()}
    for method in ("RKS", "ORF", "Sobol"):
        assert (made[method].phase, made[method].length_scale) == ("offset", split.scale)
    gram = made["ORF"].random_weights_.T @ made["ORF"].random_weights_
    assert np.abs(gram[:4, :4] - np.diag(np.diag(gram)[:4])).max() < 1e-5  # at right angles, as iid ones are not
    assert made["Sobol"].sampling == "sobol" and made["SES"].weights_.shape == (6,)
    assert made["Nyström"].gamma == pytest.approx(0.5 / split.scale**2)
    for method, centered in (("EERF", False), ("EERF, centred", True), ("LKRF", False), ("LKRF, centred", True)):
        one = made[method]
        assert (one.centered, one.subsample, one.n_candidates) == (centered, 0.9, 40)
        assert one.features.phase == "offset"
    assert made["LKRF"].keep == "published" and made["LKRF, untuned"].radius == "auto"
    assert made["EERF, pairs"].features.phase == "paired" and made["EERF, pairs"].centered
    np.testing.assert_array_equal(made["EERF"].candidates_.frequencies, made["LKRF"].candidates_.frequencies)


def test_the_printed_score_is_that_of_the_paper():
    """Without its mean the score is |mean of y times cosine|, over all rows."""
    problem = dataclasses.replace(IRIS, share=1.0)
    split = eerf.load_problem(TINY, problem, 0)
    y = (split.y == 2) * 1
    for centered in (False, True):
        made = eerf.from_pool(eerf.EERF, problem, split, 6, 0, centered=centered).fit(split.X, y)
        waves, t = made.candidates_, np.where(y > 0, 1.0, -1.0)
        phi = np.cos(split.X @ np.asarray(waves.frequencies).T + waves.phases)
        t = (t - t.mean()) if centered else t
        expected = np.abs(t @ phi) / len(t) / np.sqrt(np.mean(t**2))
        np.testing.assert_allclose(made.scores_, expected, atol=1e-6)


def test_a_row_is_that_of_a_machine_with_the_same_features():
    split = eerf.load_problem(TINY, IRIS, 1)
    found = eerf.measure(TINY, IRIS, "RKS", 10, 1)
    waves = RandomFourierFeatures(length_scale=split.scale, phase="offset", n_components=10, random_state=1)
    machine = RandomFeatureClassifier(waves, alphas=[0.01, 1.0]).fit(split.X, split.y)
    assert found["error"] == pytest.approx(np.mean(machine.predict(split.X_test) != split.y_test), abs=1e-6)
    assert found["alpha"] == machine.alpha_ and found["tested"] == 50
    assert found["left_out"] == pytest.approx(min(machine.alpha_scores_), rel=1e-5)
    assert min(found[part] for part in ("preprocess", "train", "test")) >= 0
    logistic = eerf.measure(TINY, IRIS, "RKS, logistic", 10, 1)
    machine = RandomFeatureClassifier(FrozenEstimator(waves.fit(split.X)), loss="logistic", alpha=0.5)
    machine.fit(split.X, split.y)
    assert logistic["error"] == pytest.approx(np.mean(machine.predict(split.X_test) != split.y_test), abs=1e-6)


def test_a_radius_is_chosen_by_rows_that_are_left_out():
    found = eerf.measure(TINY, IRIS, "LKRF, centred", 6, 0)
    radii, left_out, errors = zip(*found["tried"], strict=True)
    assert radii == (0.5, 5.0) and found["left_out"] == min(left_out)
    assert found["radius"] == radii[np.argmin(left_out)] and found["error"] == errors[np.argmin(left_out)]
    assert found["tune"] >= found["preprocess"] + found["train"]
    own = eerf.measure(TINY, dataclasses.replace(IRIS, radii=(1.0, 2.0)), "LKRF", 6, 0)
    assert [radius for radius, *_ in own["tried"]] == [1.0, 2.0]


def test_the_example_is_that_of_the_script():
    """All candidates with weight, with equal amplitudes, and a ridge regression without intercept."""
    settings = dataclasses.replace(TINY, example_rows=200, example_candidates=3000)
    found = eerf.measure_example(settings, 4)
    X = np.random.default_rng([0, 10, 4]).standard_normal((400, 10))
    y = np.where(np.linalg.norm(X, axis=1) > np.sqrt(10), 1.0, -1.0)
    pool = RandomFourierFeatures(length_scale=1.0, phase="offset", n_components=3000, random_state=4).fit(X).waves_
    phi = np.cos(X @ np.asarray(pool.frequencies).T + pool.phases)
    scores = np.abs(y[:200] @ phi[:200])
    kept = np.argsort(-scores)[: found["width"]]
    q = chi_square_weights(scores**2, 15.0)
    assert (q[kept] > 0).all() and np.count_nonzero(q) == found["width"] < 3000
    A = np.vstack([phi[:200, kept], np.sqrt(0.05) * np.eye(len(kept))])
    coef = np.linalg.lstsq(A, np.r_[y[:200] - y[:200].mean(), np.zeros(len(kept))], rcond=None)[0]
    wrong = np.mean(np.sign(phi[200:, kept] @ coef + y[:200].mean()) != y[200:])
    assert found["weighed"] == pytest.approx(wrong, abs=1e-6) and found["drawn"] != found["weighed"]


def test_differences_are_taken_seed_by_seed():
    rows = [row("RKS", 10, seed, 0.3 + 0.1 * seed) for seed in range(3)]
    rows += [row("EERF", 10, seed, 0.2 + 0.1 * seed) for seed in (2, 0)]
    (gap,) = eerf.gaps(rows, "a9a", "RKS").values()
    assert (gap.mean, gap.error, gap.degrees) == (pytest.approx(0.1), None, 1)  # they do not scatter
    assert eerf.gaps(rows, "a9a", "ORF") == {} and eerf.bands(rows, "letter", "RKS") == {}
    assert eerf.bands(rows, "a9a", "RKS")[10] == (pytest.approx(0.4), pytest.approx(0.1 / 3**0.5), 3)


def test_equal_time_is_told_within_what_was_measured_only():
    rows = [row("RKS", M, error=1 / M, preprocess=0.0, train=M / 10) for M in (10, 20, 40)]
    rows += [row("EERF, centred", M, error=0.9 / M, preprocess=1.0, train=M / 10) for M in (10, 40)]
    found = eerf.equal_time(rows, "a9a")
    assert found[10][:2] == (0.09, pytest.approx(0.05)) and found[40] == (0.0225, None, None)
    more = [row("RKS", M, 1, 2 / M, preprocess=0.0, train=M / 10) for M in (10, 20, 40)]
    own = row("EERF, centred", 10, 1, 0.19, preprocess=1.0, train=1.0)
    gap = eerf.equal_time([*rows, *more, own], "a9a")[10][2]  # .05 less .09, and .1 less .19: seed by seed
    assert (gap.mean, gap.error, gap.degrees) == (pytest.approx(-0.065), pytest.approx(0.025), 1)


def test_the_printed_numbers_are_those_of_the_file():
    with open(records.book_file("papers/eerf.csv"), newline="") as file:
        lines = list(csv.DictReader(file))
    found = eerf.printed()
    assert len(found) == 18 and {key[1] for key in found} == set(eerf.READINGS)
    for line in lines:
        value = found[line["dataset"], line["method"]]
        assert (value["M"], 100 * value["error"]) == (int(line["M"]), pytest.approx(float(line["error_percent"])))
        assert 100 * value["error_se"] == pytest.approx(float(line["standard_error"]))


def test_no_number_of_a_subset_stands_beside_a_printed_one():
    rows = [row("EERF", 1000, name="buzz_twitter_subset"), row("EERF", 100), row("EERF", 50)]
    (one,) = eerf.beside(rows)
    assert (one["problem"], one["M"], one["paper"], one["error"]) == ("a9a", 100, 0.1616, 0.3)
    assert one["gap"].mean == pytest.approx(0.3 - 0.1616) and one["gap"].error is None  # from one draw nothing follows
    rows += [row("EERF", 100, seed, 0.3 + 0.01 * seed) for seed in (1, 2)]
    (one,) = eerf.beside(rows)
    ours = 0.01 / 3**0.5
    assert one["gap"].error == pytest.approx(np.hypot(0.0002, ours))
    # how many draws the paper had is not told: two, at least
    assert one["gap"].degrees == pytest.approx((0.0002**2 + ours**2) ** 2 / (0.0002**4 / 1 + ours**4 / 2))


@pytest.mark.parametrize("ahead,expected", [((0.1, 0.1, 0.1), "reproduced"), ((0.1, 0.0, 0.1), "undecided"),
                                            ((0.1, -0.1, 0.1), "not reproduced")])
def test_a_verdict_follows_the_rows(ahead, expected):
    rows = []
    for width, gap in zip((10, 25, 100), ahead, strict=True):
        for seed in range(4):
            level = 0.3 + 0.01 * seed
            rows.append(row("EERF", width, seed, level, preprocess=1.0, train=2.0))
            rows += [row(rival, width, seed, level + gap + 0.01 * (seed % 2) - 0.005, preprocess=0.0, train=2.0,
                         radius=1.0, tried=[[1.0, 0.5, 0.5]]) for rival in eerf.RIVALS]
    claim = next(iter(eerf.CLAIMS))
    found = {name: verdict for one, name, verdict in eerf.verdicts(rows) if one == claim}
    assert "4 draws" in str(found["a9a"].budget) and found.pop("a9a").word == expected
    assert {verdict.word for verdict in found.values()} == {"not testable here"}
    moved = [{**one, "dataset": "buzz_twitter_subset"} for one in rows]
    assert {verdict.word for _, _, verdict in eerf.verdicts(moved)} == {"not testable here"}


def test_three_seeds_want_more_than_two_standard_errors():
    """A difference of 3 standard errors: with three seeds the quantile is 4.3, with ten 2.26."""
    for seeds, expected in ((3, "undecided"), (10, "reproduced")):
        rows = []
        for seed in range(seeds):
            lift = (seed - (seeds - 1) / 2) / np.std(np.arange(seeds), ddof=1) * np.sqrt(seeds)  # of standard error 1
            rows += [row(rival, 100, seed, 0.3 + 0.01 * (3 + lift)) for rival in eerf.RIVALS]
            rows.append(row("EERF", 100, seed, 0.3))
        (verdict,) = [one for claim, name, one in eerf.verdicts([{**one, "preprocess": 0.0, "train": 1.0, "radius": 1.0,
                                                                  "tried": []} for one in rows])
                      if (claim, name) == (next(iter(eerf.CLAIMS)), "a9a")]
        assert verdict.word == expected and verdict.total == 4


def test_a_rival_that_was_not_run_leaves_a_claim_open():
    rows = []
    for seed in range(4):
        level = 0.3 + 0.01 * (seed % 2)
        rows += [row(method, 450, seed, value, "mnist", preprocess=0.0, train=1.0)
                 for method, value in (("EERF", 0.1), ("RKS", level), ("ORF", level))]
    found = {claim: one for claim, name, one in eerf.verdicts(rows) if name == "mnist"}
    first = found[next(iter(eerf.CLAIMS))]
    assert (first.word, first.ahead, first.total) == ("undecided", 2, 4) and "SES, LKRF not run" in first.why
    assert [*found.values()][-1].why == "not run"


@pytest.mark.parametrize("preprocess,error,near,cheap,crossing",
                         [(1.0, 0.1617, "reproduced", "reproduced", "reproduced"),
                          (3.0, 0.19, "not reproduced", "not reproduced", "not reproduced")])
def test_numbers_and_times_have_verdicts(preprocess, error, near, cheap, crossing):
    rows = [row(method, 100, seed, error + 1e-4 * seed, preprocess=preprocess + 0.01 * seed, train=2.0)
            for method in ("EERF", "EERF, centred") for seed in range(3)]
    rows += [row("RKS", M, seed, (0.1737 + 2e-4 * (seed % 2)) * (100 / M) ** 0.05, preprocess=0.0, train=2.0 * M / 100)
             for M in (50, 100, 400) for seed in range(3)]
    found = {claim: verdict.word for claim, name, verdict in eerf.verdicts(rows) if name == "a9a"}
    assert [*found.values()][2:5] == [near, cheap, crossing]


@pytest.mark.parametrize("other,expected", [(0.25, "reproduced"), (0.1, "not reproduced"), (0.203, "undecided")])
def test_a_radius_that_is_wrong_elsewhere_is_found(other, expected):
    def tried(seed):
        return [[1.0, 0.5, 0.2], [10.0, 0.6, other + 0.001 * seed]]

    rows = [row("LKRF, centred", 10, seed, 0.2, radius=1.0, tried=tried(seed)) for seed in range(3)]
    rows += [row("LKRF, centred", 100, seed, 0.1, radius=10.0, tried=[[1.0, 0.4, 0.15], [10.0, 0.3, 0.1]])
             for seed in range(3)]
    (lost,) = eerf.retuned(rows, "a9a").values()
    assert (lost.mean, lost.degrees) == (pytest.approx(other + 0.001 - 0.2), 2)
    (verdict,) = [verdict for claim, name, verdict in eerf.verdicts(rows)
                  if (name, claim) == ("a9a", [*eerf.CLAIMS][-1])]
    assert verdict.word == expected


@pytest.mark.parametrize(("name", "for_it"), [("a9a", (0, 1)), ("letter", (0, 0)), ("online_news_subset", (1, 0))])
def test_choosing_takes_less_time_but_for_the_news(name, for_it):
    """Choosing took longer here: for the claim where it is of the news, against it elsewhere, of waves alone."""
    (problem,) = (one for one in eerf.FULL.problems if one.name == name)
    rows = [row("EERF", problem.widths[-1], seed, name=name, preprocess=3.0 + 0.01 * seed, train=1.0)
            for seed in range(3)]
    found = [verdict for claim, own, verdict in eerf.verdicts(rows) if own == name and "time than training" in claim]
    assert [(one.ahead, one.behind) for one in found] == ([for_it] if problem.features == "waves" else [])


def test_the_states_are_those_of_the_rows():
    assert {state for _, state, _ in eerf.states([])} == {"not"}
    found = {item: (state, missing) for item, state, missing in eerf.states(
        [row("RKS"), row("EERF"), row("RKS", name="buzz_twitter_subset")])}
    state, missing = found["Table 3"]
    assert state == "in part" and "Adult" not in missing and "Buzz prediction on Twitter (a subset)" in missing
    assert found["Figure 1"][0] == "in part" and "Adult" in found["Figure 1"][1]  # without the other rivals
    assert found["Figure 3"] == ("not", "Letter recognition, Year prediction, Hand movement")


def test_a_stopped_run_goes_on(tmp_path, monkeypatch):
    path, measure, done = tmp_path / "rows.jsonl", eerf.measure, []

    def stop(*task):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(task)
        return measure(*task)

    monkeypatch.setattr(eerf, "measure", stop)
    with pytest.raises(KeyboardInterrupt):
        eerf.EXPERIMENT.run(TINY, path, progress=False)
    kept = records.read_records(path)[1]
    monkeypatch.setattr(eerf, "measure", measure)
    rows = eerf.EXPERIMENT.run(TINY, path, progress=False)
    every = len(eerf.METHODS)
    assert len(kept) == 3 and rows[:3] == kept
    assert len(rows) == 2 * (2 * every + 1) + 2 + every - len(eerf.ONLY_WAVES) + 1
    assert {one["method"] for one in rows if one["stage"] == "test" and one["width"] == 20} == {"RKS"}
    assert eerf.report(rows).count("| M |") == 2
    fewer = dataclasses.replace(IRIS, without=("SES", "EERF"))
    assert {method for method, _ in eerf._cells(TINY, fewer, 1)} == set(eerf.METHODS) - {"SES", "EERF"}


def test_quick_run_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    monkeypatch.setattr(eerf.EXPERIMENT, "quick", TINY)
    assert cli.main(["reproduce", "eerf", "--quick"]) == 0
    assert "| M | RKS | ORF |" in capsys.readouterr().out


@pytest.mark.parametrize("name,value", [("widths", (5, 0)), ("widths", (1000,)), ("seeds", 0), ("share", 0.0),
                                        ("wider", (1.5,)), ("candidates", 0), ("features", "sines"),
                                        ("scaling", "rank"), ("radii", (0.0,))])
def test_problems_are_checked(name, value):
    with pytest.raises(ValueError, match=name):
        Problem("iris", **{name: value})


@pytest.mark.parametrize("name,value", [("ridges", (0.0,)), ("radii", (-1.0,)), ("logistic", (("abalone", "auto", 1),)),
                                        ("logistic", (("iris", "auto", 0),)), ("example_rows", 0),
                                        ("example_seeds", 1.5)])
def test_settings_are_checked(name, value):
    with pytest.raises(ValueError, match=name):
        Settings(**{"problems": (IRIS,), "logistic": (), name: value})


def test_the_committed_rows_are_of_the_settings_of_the_book():
    header, rows = records.read_records(records.book_file("results/eerf.jsonl"))
    assert header["settings"] == json.loads(json.dumps(dataclasses.asdict(eerf.FULL)))
    for problem in eerf.FULL.problems:
        mine = [one for one in rows if one["stage"] == "test" and one["dataset"] == problem.name]
        if problem.name in eerf.OWN:
            continue
        wanted = {(*cell, seed) for seed in range(problem.seeds) for cell in eerf._cells(eerf.FULL, problem, seed)}
        assert {(one["method"], one["width"], one["seed"]) for one in mine} == wanted and len(mine) == len(wanted)
        plain = [mean for mean, *_ in eerf.bands(rows, problem.name, "RKS").values()]
        assert all(late < early for early, late in pairwise(plain))
    assert sum(one["stage"] == "example" for one in rows) == eerf.FULL.example_seeds
