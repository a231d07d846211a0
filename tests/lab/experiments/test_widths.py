"""The oracle of widths: exact predictions, where a curve meets a goal, what is counted, settings that are refused."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge

from rfbook import RandomFeatureRegressor, cli
from rfbook.lab.experiments import widths

TINY = replace(widths.QUICK, rows=60, new=30, draws=2, widths=(4, 16, 64), repeats=2)


def test_the_exact_machine_is_exact():
    X, y, new, later, kernel = widths.table(TINY, "diabetes")
    assert X.shape == (60, 10) and new.shape == (30, 10) and len(later) == 30 and abs(y.mean()) < 1e-12
    got, centred = widths.exact_predictions(kernel, X, y, new), np.inf
    K, C = kernel(X), np.eye(60) - 1 / 60
    for alpha in np.logspace(-16, 2, 73) * 60:  # one of the ridges of the grid
        peer = KernelRidge(alpha=alpha, kernel="precomputed").fit(C @ K @ C, y)
        again = peer.predict((kernel(new, X) - K.mean(0)) @ C)
        centred = min(centred, np.abs(again - got).max())
    assert centred < 0.05 * got.std()


def test_the_exact_machine_with_any_ridge_and_without_any_row():
    X, y, new, later, kernel = widths.table(TINY, "diabetes")
    K, C, fitted = kernel(X), np.eye(60) - 1 / 60, widths._Exact(kernel, X, y, new)
    for alpha in (0.01, 1.0):
        got, left = fitted(alpha)
        peer = KernelRidge(alpha=alpha, kernel="precomputed").fit(C @ K @ C, y - y.mean())
        np.testing.assert_allclose(got, y.mean() + peer.predict((kernel(new, X) - K.mean(0)) @ C), atol=1e-9)
        for i in (0, 7, 59):
            others = np.arange(60) != i
            without = widths._Exact(kernel, X[others], y[others], X[i : i + 1])(alpha)[0]
            assert left[i] == pytest.approx(y[i] - without[0], abs=1e-9)


def test_a_distance_in_its_parts():
    tiny = replace(TINY, widths=(4, 64, 128), repeats=1)
    X, y, new, later, kernel = widths.table(tiny, "diabetes")
    row, exact = widths.separate(tiny, "diabetes"), widths.exact_predictions(kernel, X, y, new)
    least = np.mean((exact - later) ** 2)
    assert row["widths"] == [64, 128]
    for i, width in enumerate(row["widths"]):
        machine = RandomFeatureRegressor(kernel=kernel, scaling=None, n_components=width, random_state=0).fit(X, y)
        guess = machine.predict(new)
        own = widths._Exact(kernel, X, y, new)(machine.alpha_)[0]
        assert row["exact"][i] == pytest.approx(np.mean((guess - exact) ** 2) / least, abs=1e-4)
        assert row["same"][i] == pytest.approx(np.mean((guess - own) ** 2) / least, abs=1e-4)
        assert row["ridge"][i] == pytest.approx(np.mean((own - exact) ** 2) / least, abs=1e-4)
        assert row["error"][i] == pytest.approx(np.mean((guess - later) ** 2) / least, abs=1e-4)
        assert 0 < row["far"][i] < 1 and row["said"][i] > 0


def test_where_a_curve_meets_a_goal():
    assert widths.least_width((10, 40, 160), [0.4, 0.1, 0.025], 0.2) == pytest.approx(20)  # it falls like 1 / D
    assert widths.least_width((10, 40), [0.4, 0.3], 0.2) == pytest.approx(60)
    assert widths.least_width((10, 40), [0.1, 0.05], 0.2) is None


def test_numbers_and_errors_are_counted(tmp_path, capsys, monkeypatch):
    X, y, new, later, kernel = widths.table(TINY, "diabetes")
    row = widths.measure(TINY, "diabetes")
    machines = [RandomFeatureRegressor(kernel=kernel, scaling=None, n_components="auto", random_state=seed).fit(X, y)
                for seed in (0, 1)]
    chosen = sorted(machine.n_components_ for machine in machines)
    assert row["chosen"][0] == chosen[0] and row["chosen"][2] == chosen[1] and row["draws"] == 2
    errors = np.array([np.mean((machine.predict(new) - later) ** 2) for machine in machines]) / row["exact"]
    np.testing.assert_allclose(row["errors"], np.quantile(errors, (0.05, 0.5, 0.95)), rtol=1e-3)
    assert row["twice"] == (sum(row["oracle"] / 2 <= n <= 2 * row["oracle"] for n in chosen) if row["oracle"] else 0)
    monkeypatch.setattr(widths.EXPERIMENT, "quick", TINY)
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    assert cli.main(["reproduce", "widths", "--quick"]) == 0
    assert "| diabetes | 60 |" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "value"), [("rows", 1), ("error", 0.0), ("draws", 0), ("repeats", 0)])
def test_settings_are_checked(name, value):
    with pytest.raises(ValueError, match=name):
        widths.Settings(**{name: value})
