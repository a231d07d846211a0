"""The table of the field: raw tables, methods that are what they say, limits, and a run that goes on."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import studentized_range

from rfbook import RandomFeatureClassifier, RandomFeatureRegressor, cli, records
from rfbook.lab.experiments import field, field_rows
from rfbook.lab.experiments.verdicts import Share, difference

TINY = replace(field.QUICK, sizes=(60,), new=30, methods=("median", "neighbours"))
HERE = [name for name, method in field.METHODS.items() if name not in field.PEERS]


def test_splits_are_raw_rows_without_a_twin():
    whole = {tuple(row) for row in field.whole("breast_cancer")[0]}
    X, y, X_test, y_test = field.load_split(TINY, "breast_cancer", 60, 0)
    assert X.shape == (60, 30) and y.shape == (60,) and X_test.shape == (30, 30) and y_test.shape == (30,)
    seen, left = {tuple(row) for row in X}, {tuple(row) for row in X_test}
    assert seen < whole and left < whole and not seen & left
    everything = field.load_split(replace(TINY, new=1000), "breast_cancer", None, 0)
    assert len(everything[1]) + len(everything[3]) == 569
    np.testing.assert_array_equal(field.load_split(TINY, "breast_cancer", 60, 0)[0], X)


@pytest.mark.parametrize(("name", "kind"), [("wine", RandomFeatureClassifier), ("diabetes", RandomFeatureRegressor)])
def test_a_row_is_what_the_method_gives(name, kind):
    X, y, X_test, y_test = field.load_split(TINY, name, 60, 1)
    row = field.measure(TINY, name, 60, 1, "median")
    machine = kind(length_scale="median", random_state=1).fit(X, y)
    assert row["error"] == pytest.approx(field.task_error(machine.predict(X_test), y_test), rel=1e-5)
    assert row["seed"] == 1 and row["package"].startswith("rfbook ") and row["seconds"] > 0
    best = field.METHODS["neighbours"].make(name == "wine", X.shape[1], 1)
    number = field.choose(best, X, y, 1)
    row = field.measure(replace(TINY, tries=6), name, 60, 1, "neighbours")
    assert row["chosen"] == number
    assert row["error"] == pytest.approx(field.task_error(best[number].fit(X, y).predict(X_test), y_test), rel=1e-5)


@pytest.mark.parametrize("method", HERE)
@pytest.mark.parametrize("name", ["wine", "diabetes"])
def test_every_method_fits_tables_of_both_kinds(name, method):
    if name == "wine" and field.METHODS[method].numbers_only:
        return
    row = field.measure(replace(field.QUICK, tries=1), name, 100, 0, method)
    assert row["error"] is not None, row["stopped"]
    most = 1.3 if method == "Metropolis" else 1.0  # its walk overfits 100 rows
    assert row["error"] < (0.35 if name == "wine" else most)


def test_the_search_takes_the_best_and_keeps_to_its_budget():
    machines = field.METHODS["neighbours"].make(False, 1, 0)
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, (200, 1))
    assert machines[field.choose(machines, X, np.sin(3 * X[:, 0]), 0)][-1].n_neighbors <= 5  # nothing but a curve
    assert machines[field.choose(machines, X, rng.standard_normal(200), 0)][-1].n_neighbors == 40  # nothing but noise
    assert [field.measure(replace(TINY, tries=n), "wine", 60, 0, "support vectors")["tries"] for n in (1, 3)] == [1, 3]


def test_limits_of_rows_and_of_time(monkeypatch):
    few = replace(TINY, exact_rows=20, tries=1)
    row = field.measure(few, "diabetes", 60, 0, "exact ridge")
    assert (row["rows"], row["fitted"]) == (60, 20)
    late = field.measure(replace(few, seconds=0.01), "diabetes", 60, 0, "forest")
    assert late["error"] is None and late["stopped"] == "over 0.01 seconds"

    def broken(labels, columns, seed):
        raise ValueError("no such machine")

    monkeypatch.setitem(field.METHODS, "forest", field.Method(broken))
    row = field.measure(few, "diabetes", 60, 0, "forest")
    assert row["error"] is None and row["stopped"] == "ValueError: no such machine"


def test_what_was_stopped_is_not_tried_again(tmp_path, monkeypatch):
    settings, path, asked, real = replace(TINY, splits=3), tmp_path / "rows.jsonl", [], field.measure

    def watched(settings, name, most, number, method):
        asked.append((number, method))
        row = real(settings, name, most, number, method)
        return {**row, "error": None} if method == "median" else row

    monkeypatch.setattr(field, "measure", watched)
    rows = field.EXPERIMENT.run(settings, path, progress=False)
    assert asked == [(0, "neighbours"), (0, "median"), (1, "neighbours"), (2, "neighbours")]
    assert len(field.runs(rows)) == 4
    assert field.EXPERIMENT.run(settings, path, progress=False) == rows == records.read_records(path)[1]
    assert len(asked) == 4
    assert field.report(rows).splitlines()[2].startswith("| wine | 60 | – | ")


def test_tables_that_are_not_at_hand_are_left_out(monkeypatch, tmp_path):
    monkeypatch.delenv("RFBOOK_DATA", raising=False)
    both = replace(TINY, names=("wine", "yacht"))
    assert {key["dataset"] for key, _ in next(iter(field._stages(both, [])))} == {"wine"}
    assert field._lacking(both)[0].startswith("yacht: ")
    rng = np.random.default_rng(0)
    np.savez(tmp_path / "yacht.npz", X=rng.normal(size=(9, 2)), y=np.arange(9))
    monkeypatch.setenv("RFBOOK_DATA", str(tmp_path))
    assert field.at_hand(both.names) == both.names and not field._lacking(both)
    X, y = field.whole("yacht")
    assert X.shape == (9, 2) and y.dtype == float
    field.whole.cache_clear()


def test_quick_run_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    monkeypatch.setattr(field.EXPERIMENT, "quick", TINY)
    assert cli.main(["reproduce", "field", "--quick"]) == 0
    assert "| wine | 60 |" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "value"), [("new", 1), ("folds", 1), ("splits", 0), ("splits", 6), ("tries", 0),
                                             ("sizes", (3,)), ("exact_rows", 1), ("vector_rows", 1), ("seconds", 0.0),
                                             ("seed", -1), ("names", ("nothing",)), ("methods", ("magic",))])
def test_settings_are_checked(name, value):
    with pytest.raises(ValueError, match=f"^{name} "):
        replace(field.FULL, **{name: value})


# ---- the words of the chapter are those of the committed rows -------------------------------------------------------

@pytest.fixture(scope="module")
def rows():
    return records.read_records(records.book_file("results/field.jsonl"))[1]


@pytest.fixture(scope="module")
def more():
    return records.read_records(records.book_file("results/field_rows.jsonl"))[1]


def with_many(more):
    """Rows of training parts of at most 10,000 rows."""
    return [row for row in field.runs(more) if row["most"] == 10_000]


def word(some, one, other, names=None):
    """Whether one of two is shown to be ahead on tables like these, by exact limits."""
    errors = field.compared(some, [one, other], names).errors
    low, high = Share(int(np.sum(errors[:, 0] < errors[:, 1])), int(np.sum(errors[:, 0] != errors[:, 1]))).limits()
    return "ahead" if low > 0.5 else "behind" if high < 0.5 else "undecided"


def test_who_is_shown_to_be_behind_the_first(rows):
    table = field.compared(rows, [*field.COMPARED])
    ranks, (n, k) = table.ranks().mean(0), table.ranks().shape
    apart = studentized_range.ppf(0.95, k, np.inf) * (k * (k + 1) / (12 * n)) ** 0.5
    behind = {name for name, rank in zip(field.COMPARED, ranks, strict=True) if rank > ranks.min() + apart}
    assert behind == {"linear", "neighbours", "support vectors", "exact ridge", "binning", "EERF", "leverage",
                      "Metropolis", "median"}


def test_the_least_mean_regrets_and_what_one_table_does_to_them(rows):
    table, names = field.compared(rows, [*field.COMPARED]), np.array([*field.COMPARED])
    regret = table.regret()
    others = np.delete(regret, table.tables.index("naval"), axis=0)
    assert {*names[np.argsort(regret.mean(0))][:3]} == {"xRFM", "recursive", "RFFNet"}
    assert {*names[np.argsort(others.mean(0))][:2]} == {"xRFM", "boosting"}


@pytest.mark.parametrize(("name", "said"), [
    ("median", "behind"), ("EERF", "behind"), ("recursive", "ahead"), ("kernel auto", "undecided"),
    ("RFFNet", "undecided"), ("boosting", "undecided"), ("LightGBM", "undecided"), ("forest", "undecided"),
    ("support vectors", "undecided"), ("exact ridge", "behind"), ("four averaged", "ahead")])
def test_who_is_shown_to_be_ahead_of_the_default(rows, name, said):
    assert word(field.runs(rows), name, "default") == said


@pytest.mark.parametrize(("name", "said"), [("boosting", "ahead"), ("LightGBM", "ahead"), ("default", "ahead"),
                                            ("xRFM", "undecided"), ("recursive", "undecided"), ("RFFNet", "undecided")])
def test_whom_catboost_is_ahead_of(rows, name, said):
    assert word([row for row in field.runs(rows) if row["fold"] == 0], "CatBoost", name) == said


@pytest.mark.parametrize("name", ["default", "RFFNet", "recursive"])
def test_boosting_is_ahead_with_more_rows(rows, more, name):
    assert word(field.runs(rows), "LightGBM", name, field_rows.MANY) == "undecided"
    assert word(with_many(more), "LightGBM", name, field_rows.MANY) == "ahead"


@pytest.mark.parametrize(("rival", "few", "many"), [
    ("default", "ahead", "ahead"), ("four averaged", "ahead", "ahead"), ("wide", "ahead", "ahead"),
    ("orthogonal", "ahead", "ahead"),
    ("RFFNet", "undecided", "undecided"), ("recursive", "undecided", "undecided"), ("LightGBM", "undecided", "behind")])
def test_what_landmarks_are_ahead_of(rows, more, rival, few, many):
    assert word(field.runs(rows), "landmarks", rival) == few
    assert word(with_many(more), "landmarks", rival, field_rows.MANY) == many


@pytest.mark.parametrize(("rival", "said"), [
    ("xRFM", "undecided"), ("boosting", "undecided"), ("kernel auto", "ahead")])
def test_landmarks_beside_others_with_few_rows(rows, rival, said):
    assert word(field.runs(rows), "landmarks", rival) == said


def test_landmarks_take_half_of_the_time_of_twice_as_many_waves(rows):
    seconds = {name: {(r["dataset"], r["fold"]): r["seconds"] for r in rows
                      if r.get("most") == 3000 and r["method"] == name} for name in ("wide", "landmarks")}
    both = seconds["wide"].keys() & seconds["landmarks"].keys()
    assert 0.4 < np.median([seconds["landmarks"][key] / seconds["wide"][key] for key in both]) < 0.65


def test_more_features_are_ahead_with_more_rows(more):
    assert word(with_many(more), "wide", "default", field_rows.MANY) == "ahead"


@pytest.mark.parametrize(("other", "told"), [("LightGBM", False), ("support vectors", False), ("recursive", True)])
def test_what_xrfm_gains_from_rows(rows, more, other, told):
    """By limits at five per cent, with the table of least errors and without it."""
    gained, others = ({table: np.log(one.after / one.before) for table, one in
                       field_rows.gains(rows, more, name, 10_000, folds=[0]).items()} for name in ("xRFM", other))
    limits = [difference([gained[t] for t in some], [others[t] for t in some]).limits()
              for some in ([*gained], [t for t in gained if t != "naval"])]
    assert all(high < 0 for _, high in limits) == told


def test_a_second_look_is_better_more_often_than_worse(more):
    some = field.compared(with_many(more), ["default", "one look"]).errors
    logs = np.log(some[:, 0] / some[:, 1])
    assert 2.5 < np.sum(logs < -0.01) / np.sum(logs > 0.01) < 3.5


def test_a_guide_is_not_shown_to_be_better_than_one_method(rows):
    names = ["default", "kernel auto", "RFFNet", "recursive", "boosting", "LightGBM", "forest"]
    table = field.compared(rows, [*field.COMPARED])
    loss = table.regret()[:, [field.COMPARED.index(name) for name in names]]
    known = {row["dataset"]: row for row in rows if row["method"] == "properties"}
    facts = [{q: known[name][q] for q in ("rows", "columns", "coded", "skewed", "classes")} for name in table.tables]
    low, high = difference(field.advised(loss, facts, names), loss[:, names.index("RFFNet")]).limits()
    assert low < 0 < high


def test_how_many_tables_and_methods_of_ours(rows):
    table = field.compared(rows, [*field.COMPARED])
    classes = [row["classes"] for row in rows if row["method"] == "properties" and row["dataset"] in table.tables]
    assert (sum(count == 0 for count in classes), sum(count > 0 for count in classes)) == (24, 27)
    assert sum(field.METHODS[name].package == "rfbook" for name in field.COMPARED) == 14


@pytest.mark.parametrize("one", ["xRFM", "boosting"])
@pytest.mark.parametrize("other", ["RFFNet", "recursive"])
def test_a_tenth_of_regret_without_one_table_is_little(rows, one, other):
    table = field.compared(rows, [*field.COMPARED])
    regret = np.delete(table.regret(), table.tables.index("naval"), axis=0)
    gap = regret[:, field.COMPARED.index(other)] - regret[:, field.COMPARED.index(one)]
    assert 0.08 < gap.mean() < 0.12
    assert gap.mean() < 1.5 * gap.std(ddof=1) / len(gap) ** 0.5


def test_on_which_tables_whole_families_fail(rows):
    table = field.compared(rows, [*field.COMPARED])
    factors = {name: dict(zip(field.COMPARED, np.exp(line), strict=True))
               for name, line in zip(table.tables, table.regret(), strict=True)}
    far = {name for name, factor in factors["parkinsons_telemonitoring"].items() if factor > 10}
    assert {*field.COMPARED} - far == {"boosting", "LightGBM", "forest", "xRFM"}
    assert factors["puma32h"]["recursive"] > 10
    off = {name for name, factor in factors["naval"].items() if factor > 1000}
    assert off == {"boosting", "LightGBM", "forest", "binning", "support vectors", "exact ridge", "linear",
                   "neighbours"}
    others = [factor["boosting"] for name, factor in factors.items() if name != "naval"]
    assert factors["naval"]["boosting"] > 100 * max(others)


def test_what_four_candidates_and_other_kernels_gain(rows):
    table = field.compared(rows, [*field.COMPARED])
    regret, naval = table.regret(), table.tables.index("naval")
    default = regret[:, field.COMPARED.index("default")]
    four = default - regret[:, field.COMPARED.index("four averaged")]
    assert round(100 * (1 - np.exp(-four.mean()))) == 3 and 0.4 < four[naval] / four.sum() < 0.5
    auto = default - regret[:, field.COMPARED.index("kernel auto")]
    assert 0.4 < np.mean(auto != 0) < 0.6 and np.sum(auto > 0) < np.sum(auto < 0) < 1.5 * np.sum(auto > 0)
    assert {table.tables[i] for i in np.argsort(-auto)[:3]} == {"yacht", "splice", "concrete"}
    assert np.sort(auto)[-3:].min() > -auto.min()


def test_rffnet_takes_half_of_the_time_of_the_default(rows):
    clock = [row for row in field.runs(rows) if row["fold"] == 4]
    one, other = (np.median([row["seconds"] for row in clock if row["method"] == name])
                  for name in ("RFFNet", "default"))
    assert 0.45 < one / other < 0.55


def test_what_our_models_gain_from_rows(rows, more):
    gains = {name: np.array([one.after / one.before for one in
                             field_rows.gains(rows, more, name, 10_000).values()])
             for name in ("default", "wide", "kernel auto", "RFFNet", "recursive", "median", "linear")}
    mean = {name: np.exp(np.log(gain).mean()) for name, gain in gains.items()}
    assert all(0.87 < mean[name] < 0.93 for name in mean if name != "linear") and mean["linear"] > 0.96


@pytest.mark.parametrize(("many", "said"), [(False, 5), (True, 7)])
def test_what_twice_as_many_features_are_worth(rows, more, many, said):
    some = with_many(more) if many else field.runs(rows)
    errors = field.compared(some, ["wide", "default"], field_rows.MANY).errors
    assert round(100 * (1 - np.exp(np.log(errors[:, 0] / errors[:, 1]).mean()))) == said


def test_beside_lightgbm_on_small_tables(rows):
    """In units of the spread, as beside the public benchmark."""
    error = {(name, method): np.mean([row["error"] for row in field.runs(rows)
                                      if (row["dataset"], row["method"]) == (name, method)]) ** 0.5
             for name in ("qsar_fish_toxicity", "airfoil", "concrete")
             for method in ("default", "kernel auto", "LightGBM")}
    over = {name: error[name, "default"] / error[name, "LightGBM"] - 1 for name, _ in error}
    assert abs(over["qsar_fish_toxicity"]) < 0.01
    assert 0.11 < over["airfoil"] < 0.14
    assert 0.16 < over["concrete"] < 0.2
    back = error["concrete", "default"] - error["concrete", "kernel auto"]
    assert 0.4 < back / (error["concrete", "default"] - error["concrete", "LightGBM"]) < 0.6
