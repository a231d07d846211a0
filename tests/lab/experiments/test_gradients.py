"""Learnt metrics on tables: splits, machines that are what they say, xRFM where it is, a run that goes on."""

import sys
import types

import numpy as np
import pytest

from rfbook import (
    RandomFeatureRegressor,
    RecursiveFeatureMachineClassifier,
    RecursiveFeatureMachineRegressor,
    cli,
    records,
)
from rfbook.lab.experiments import gradients, protocol
from rfbook.machines.scales import fitted_scaler

TINY = gradients.Settings(names=("wine", "diabetes"), folds=3, splits=2, most=60, width=16, tries=3, large=(),
                          methods=("plain", "full", "boosting"))


def test_splits_are_raw_rows_and_test_parts_are_apart():
    tested = []
    for number in range(2):
        X, y, X_test, y_test = gradients.load_split(TINY, "wine", number)
        assert X.shape == (60, 13) and len(y) == 60 and len(X_test) == len(y_test)
        assert not {tuple(row) for row in X} & {tuple(row) for row in X_test}
        tested.append({tuple(row) for row in X_test})
    assert len(X_test) in (59, 60) and not tested[0] & tested[1]
    np.testing.assert_array_equal(gradients.load_split(TINY, "wine", 1)[0], X)


def test_rows_are_what_the_machines_give():
    X, y, X_test, y_test = gradients.load_split(TINY, "diabetes", 1)
    ours = RecursiveFeatureMachineRegressor(n_components=16, random_state=1).fit(X, y)
    row = gradients.measure(TINY, "diabetes", "full", 1)
    assert row["error"] == pytest.approx(np.mean((ours.predict(X_test) - y_test) ** 2) / y_test.var(), rel=1e-5)
    assert row["best_step"] == ours.best_step_ and row["power"] == ours.power_ and row["rows"] == 60
    np.testing.assert_allclose(row["scores"], ours.scores_, rtol=1e-3)
    assert gradients.machine_for(TINY, "diagonal", y, 0).metric == "diagonal"
    assert isinstance(gradients.machine_for(TINY, "full", np.array([0, 1]), 0), RecursiveFeatureMachineClassifier)
    plain = gradients.machine_for(gradients.FULL, "plain", y, 0)
    assert isinstance(plain, RandomFeatureRegressor) and plain.n_components == gradients.FULL.width


def fake_torch_and_xrfm(monkeypatch, seen):
    """Modules that stand for torch and xrfm: a machine that remembers what it was given, and predicts a constant."""
    class Tensor(np.ndarray):
        def float(self):
            return self.astype(np.float32)

    class Machine:
        def __init__(self, rfm_params, device, tuning_metric, verbose):
            self.point, seen["metric"] = rfm_params, tuning_metric
            seen["points"] = [*seen.get("points", []), rfm_params]

        def fit(self, X, Y, X_held, Y_held):
            seen["shapes"], seen["Y"] = (X.shape, Y.shape, X_held.shape, Y_held.shape), np.asarray(Y)

        def predict(self, X):
            return np.tile(seen["Y"][:1], (len(X), 1))

    torch = types.ModuleType("torch")
    torch.manual_seed, torch.device = lambda seed: None, lambda name: name
    torch.tensor = lambda A: np.asarray(A).view(Tensor)
    xrfm = types.ModuleType("xrfm")
    xrfm.xRFM = Machine
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "xrfm", xrfm)


def test_the_peer_gets_scaled_rows_and_a_fifth_for_its_choices(monkeypatch):
    seen: dict = {}
    fake_torch_and_xrfm(monkeypatch, seen)
    X, y, X_test, _ = gradients.load_split(TINY, "diabetes", 0)
    peer = gradients.Peer(0).fit(X, y)
    assert seen["shapes"] == ((48, 10), (48, 1), (12, 10), (12, 1)) and seen["metric"] == "mse"
    predicted = peer.predict(X_test)
    np.testing.assert_allclose(predicted, np.full(len(X_test), y[np.argmin(np.abs(y - predicted[0]))]), rtol=1e-5)
    X, y, X_test, _ = gradients.load_split(TINY, "wine", 0)
    peer = gradients.Peer(0).fit(X, y)
    assert seen["shapes"][1] == (48, 3) and seen["metric"] == "accuracy"
    assert set(peer.predict(X_test)) == {np.arange(3)[seen["Y"][0].argmax()]}


def test_both_sides_try_as_many_settings_on_the_same_rows(monkeypatch):
    seen: dict = {}
    X, y, X_test, y_test = gradients.load_split(TINY, "diabetes", 0)
    with monkeypatch.context() as patched:  # others ask whether torch is there, and what it is
        fake_torch_and_xrfm(patched, seen)
        peer = gradients.machine_for(TINY, "xrfm tuned", y, 0).fit(X, y)
    assert peer.tries == TINY.tries == len(seen["points"]) and seen["points"][0] is None
    assert peer.machine.point is None  # all err alike, and the first, its defaults, is kept
    for point in seen["points"][1:]:
        assert 0.5 <= point["model"]["bandwidth"] <= 200 and 0.7 <= point["model"]["exponent"] <= 1.4
        assert 1e-6 <= point["fit"]["reg"] <= 10
    fits = []
    fit = RecursiveFeatureMachineRegressor.fit
    monkeypatch.setattr(RecursiveFeatureMachineRegressor, "fit", lambda self, X, y: fits.append((self, len(y))) or fit(
        self, X, y))
    ours = gradients.machine_for(TINY, "tuned", y, 0).fit(X, y)
    assert [n for _, n in fits] == [48] * (TINY.tries + 1) and ours.machine is fits[-1][0]
    held, kept = gradients.held_fifth(60, 0)
    errors = [gradients.task_error(machine.predict(X[held]), y[held]) for machine, _ in fits[:-1]]
    best = fits[int(np.argmin(errors))][0]
    assert ours.machine.length_scale == best.length_scale and ours.machine.n_components == TINY.width
    assert gradients.measure(TINY, "diabetes", "tuned", 0)["error"] == pytest.approx(
        gradients.task_error(ours.predict(X_test), y_test), rel=1e-5)


def test_settings_are_chosen_by_rows_that_no_try_was_fitted_to(monkeypatch):
    """The first try knows its own rows by heart and is far off on all others, later ones are the better the later."""
    class Try:
        def __init__(self, length_scale, n_steps, **rest):
            self.length_scale, self.final = length_scale, n_steps == 3

        def fit(self, X, y):
            if not self.final:
                tried.append(self.length_scale)
            self.known, self.number = {row.tobytes(): target for row, target in zip(X, y, strict=True)}, len(tried)
            return self

        def predict(self, X):
            return np.array([self.known.get(row.tobytes(), 1e3) if self.number == 1 else -self.number for row in X])

    tried: list = []
    monkeypatch.setattr(gradients, "RecursiveFeatureMachineRegressor", Try)
    X, rng = np.random.default_rng(0).standard_normal((50, 3)), np.random.default_rng(1)
    ours = gradients.Tuned(0, 4, 16).fit(X, rng.uniform(-20, -10, 50))
    assert len(tried) == 4 and ours.machine.final and ours.machine.length_scale == tried[-1] != tried[0]


def test_a_length_scale_counts_medians_of_its_own_scaling(monkeypatch):
    """Medians that are told apart: after the powers, distances are said to be a thousand times as long."""
    monkeypatch.setattr(gradients.protocol, "median_distances",
                        lambda Z: (1000.0 if np.array_equal(Z, by_powers) else 1.0, 0.0))
    X = np.exp(np.random.default_rng(0).standard_normal((50, 3)))
    by_powers = fitted_scaler("power", X, None).transform(X)
    points = list(gradients.Tuned(0, 40, 16).points(X))
    assert {point["scaling"] for point in points} == {"standard", "power"} and points[0]["length_scale"] == 1.0
    for point in points:
        assert 0.5 <= point["length_scale"] / {"standard": 1.0, "power": 1000.0}[point["scaling"]] <= 4.0


def test_memory_is_that_of_the_process():
    row = gradients.measure_memory(TINY, "wine", 100)
    assert row["rows"] == 100 and 10 < row["peak_mib"] < 100_000


def test_a_stopped_run_goes_on_and_a_missing_peer_is_said(tmp_path, monkeypatch, capsys):
    path, measure, done = tmp_path / "rows.jsonl", gradients.measure, []

    def stop(*task):
        if len(done) == 5:
            raise KeyboardInterrupt
        done.append(task)
        return measure(*task)

    monkeypatch.setattr(gradients, "measure", stop)
    with pytest.raises(KeyboardInterrupt):
        gradients.EXPERIMENT.run(TINY, path, progress=False)
    kept = records.read_records(path)[1]
    monkeypatch.setattr(gradients, "measure", measure)
    rows = gradients.EXPERIMENT.run(TINY, path, progress=False)
    assert len(kept) == 5 and rows[:5] == kept and len(rows) == 2 * 2 * 3
    found = gradients.ratios(rows, "full", "boosting")
    assert found.keys() == {"wine", "diabetes"} and gradients.ratios(rows, "full", "xrfm") == {}
    assert gradients.ratios(rows[:-1], "full", "boosting").keys() == {"wine"}  # not on the same splits
    assert gradients.report(rows).count("\n") == 8
    monkeypatch.setattr(protocol, "find_spec", lambda name: None)
    other = gradients.Settings(names=("wine",), folds=3, splits=1, most=60, width=16, large=(),
                               methods=("plain", "xrfm"))
    assert len(gradients.EXPERIMENT.run(other, tmp_path / "others.jsonl")) == 1
    assert "xrfm: left out, for their packages are not installed here" in capsys.readouterr().out


def test_quick_run_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    monkeypatch.setattr(gradients.EXPERIMENT, "quick", TINY)
    assert cli.main(["reproduce", "gradients", "--quick"]) == 0
    assert "| wine |" in capsys.readouterr().out


@pytest.mark.parametrize("name,value", [("splits", 0), ("folds", 1), ("most", 1), ("width", 0), ("methods", ("best",)),
                                        ("splits", 11)])
def test_settings_are_checked(name, value):
    with pytest.raises(ValueError, match=name):
        gradients.Settings(**{name: value})
