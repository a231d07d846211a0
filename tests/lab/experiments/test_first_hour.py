"""The first hour: raw splits, contenders that are what they say, and a run that goes on where it stopped."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from rfbook import RandomFeatureClassifier, RandomFeatureRegressor, RandomFourierFeatures, cli, datasets, records
from rfbook.lab.experiments import first_hour, protocol
from rfbook.maps.scales import median_distance

TINY = first_hour.Settings(names=("wine", "diabetes"), splits=2, most=60, width=16, factors=(0.1, 10.0), folds=2,
                           sizes=(40,), rounds=2)


def test_splits_are_raw_rows_without_a_twin():
    X, y, X_test, y_test = first_hour.load_split(TINY, "wine", 0)
    whole = datasets.load("wine").X_train
    assert X.shape == (60, 13) and len(y_test) == len(X_test) == 60 and len(y) == 60
    rows = {tuple(row) for row in whole}
    assert {tuple(row) for row in X} <= rows and {tuple(row) for row in X_test} <= rows
    assert not {tuple(row) for row in X} & {tuple(row) for row in X_test}
    assert (first_hour.load_split(TINY, "wine", 1)[0] != X).any()
    np.testing.assert_array_equal(first_hour.load_split(TINY, "wine", 0)[0], X)


def test_the_error_is_that_of_the_task():
    assert first_hour.task_error(np.array([0, 1, 1, 1]), np.array([0, 1, 0, 0])) == 0.5
    y = np.array([0.0, 2.0, 4.0])
    assert first_hour.task_error(np.full(3, 2.0), y) == pytest.approx(1.0)


@pytest.mark.parametrize("name,kind,exact", [("wine", RandomFeatureClassifier, SVC),
                                             ("diabetes", RandomFeatureRegressor, SVR)])
def test_rows_are_what_the_contenders_give(name, kind, exact):
    X, y, X_test, y_test = split = first_hour.load_split(TINY, name, 1)
    made = {method: first_hour.measure(TINY, name, method, 1) for method in (*first_hour.CONTENDERS, "gcv")}
    plain = kind(n_components=16, random_state=1).fit(X, y)
    assert made["default"]["error"] == first_hour.task_error(plain.predict(X_test), y_test)
    assert made["default"]["scaling_"] == plain.scaling_
    assert made["default"]["alpha_"] == pytest.approx(plain.alpha_, rel=1e-3)
    assert made["support vectors"]["error"] == first_hour.task_error(exact().fit(X, y).predict(X_test), y_test)
    gamma = made["grid"]["gamma"]
    assert gamma * X.shape[1] == pytest.approx(0.1, rel=1e-3)  # the other is so short a scale that nothing is learnt
    features = RandomFourierFeatures(gamma=0.1 / X.shape[1], n_components=16, random_state=1)
    tuned = make_pipeline(StandardScaler(), kind(features, **protocol.least_error(y, 16))).fit(X, y)
    assert made["grid"]["error"] == first_hour.task_error(tuned.predict(X_test), y_test)
    assert made["gcv"]["rows"] == len(split[1]) and made["gcv"]["alpha_"] > 0
    assert all(row["seconds"] > 0 for row in made.values())


@pytest.mark.parametrize("criterion", first_hour.CRITERIA)
def test_a_criterion_chooses_the_ridge_of_its_row(criterion):
    X, y, X_test, y_test = first_hour.load_split(TINY, "diabetes", 0)
    Z = StandardScaler().fit(X)
    scale = 2 * median_distance(Z.transform(X), np.random.default_rng(0))
    features = RandomFourierFeatures(length_scale=scale, n_components=16, random_state=0)
    machine = RandomFeatureRegressor(features, alpha=criterion).fit(Z.transform(X), y)
    row = first_hour.measure(TINY, "diabetes", criterion, 0)
    assert machine.alpha_criterion_ == criterion
    assert row["alpha_"] == pytest.approx(machine.alpha_, rel=1e-3)
    assert row["error"] == pytest.approx(first_hour.task_error(machine.predict(Z.transform(X_test)), y_test), rel=1e-6)
    made = first_hour._contender(TINY, criterion, (X, y), 0)
    assert made[-1].alpha == criterion


def test_a_width_that_is_not_said_is_the_default_one():
    machine = first_hour.default(first_hour.FULL, np.zeros(3), 0)
    assert machine.get_params() == RandomFeatureRegressor(random_state=0).get_params()


def test_a_stopped_run_goes_on(tmp_path, monkeypatch):
    path, measure, done = tmp_path / "rows.jsonl", first_hour.measure, []

    def stop(*task):
        if len(done) == 5:
            raise KeyboardInterrupt
        done.append(task)
        return measure(*task)

    monkeypatch.setattr(first_hour, "measure", stop)
    with pytest.raises(KeyboardInterrupt):
        first_hour.EXPERIMENT.run(TINY, path, progress=False)
    kept = records.read_records(path)[1]
    monkeypatch.setattr(first_hour, "measure", measure)
    rows = first_hour.EXPERIMENT.run(TINY, path, progress=False)
    assert len(kept) == 6 and rows[:6] == kept and len(rows) == 1 + 2 * 2 * 7
    ratios = first_hour.ratios(rows)
    assert ratios.keys() == {"wine", "diabetes"} and min(ratios.values()) > 0
    assert first_hour.costs(rows)[40].keys() == {"chosen", "median"}
    assert first_hour.report(rows).count("\n") == 7


def test_quick_run_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    monkeypatch.setattr(first_hour.EXPERIMENT, "quick", TINY)
    assert cli.main(["reproduce", "first-hour", "--quick"]) == 0
    assert "| wine |" in capsys.readouterr().out


@pytest.mark.parametrize("name,value", [("splits", 0), ("folds", 1), ("factors", (1.0, -1.0)), ("sizes", (1,)),
                                        ("most", 1)])
def test_settings_are_checked(name, value):
    with pytest.raises(ValueError, match=name):
        first_hour.Settings(**{name: value})


# ---- the words of the chapter on the field are those of the committed rows -------------------------------------------

@pytest.fixture(scope="module")
def hour():
    return records.read_records(records.book_file("results/first_hour.jsonl"))


def errors_of(hour, name, method):
    return np.array([row["error"] for row in hour[1]
                     if (row.get("stage"), row.get("dataset"), row.get("method")) == ("test", name, method)])


def test_one_goal_is_missed_by_less_than_chance(hour):
    header, rows = hour
    missed = {name for name, ratio in first_hour.ratios(rows).items() if ratio > 1.1}
    assert missed == {"wine"}
    assert {*first_hour.ratios(rows)} == {*header["settings"]["names"]} and len(first_hour.ratios(rows)) == 8
    default, grid = (errors_of(hour, "wine", method) for method in ("default", "grid"))
    gap = default - 1.1 * grid
    assert 0 < gap.mean() < gap.std(ddof=1) / len(gap) ** 0.5


def test_generalised_cross_validation_fails_on_two_tables(hour):
    names = hour[0]["settings"]["names"]
    ratio = {name: errors_of(hour, name, "gcv").mean() / errors_of(hour, name, "loo").mean() for name in names}
    assert {name for name in names if ratio[name] > 2} == {"abalone", "cpu_act"}
    assert errors_of(hour, "abalone", "gcv").mean() > 5 and errors_of(hour, "abalone", "gcv").max() > 50
    assert abs(ratio["letter"] - 8 / 9) < 0.01
