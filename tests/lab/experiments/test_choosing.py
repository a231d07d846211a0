"""The promised share of errors: what is measured, a table, verdicts, and settings that are refused."""

import numpy as np
import pytest

from rfbook import RandomFourierFeatures, cli
from rfbook.lab.experiments import choosing

TINY = choosing.Settings(names=("diabetes",), rows=6, first=16, draws=8, methods=("pairs", "products"))


def test_shares_are_counted_against_the_kernel():
    X = choosing.some_rows(TINY, "diabetes")
    assert X.shape == (6, 10)
    row, kernel = choosing.measure(TINY, "diabetes", "pairs"), RandomFourierFeatures(random_state=0).fit(X).kernel_
    inside, wider, chosen, errors = 0, 0, [], []
    for seed in range(8):
        small, large = (RandomFourierFeatures(kernel, n_components=D, random_state=seed).fit(X) for D in (16, 64))
        said = small.kernel_error(X, random_state=seed)
        inside += np.abs(small.approximate_kernel(X) - kernel(X)).max() <= said
        errors.append(np.abs(large.approximate_kernel(X) - kernel(X)).max())
        wider += errors[-1] <= said / 2
        chosen.append((said / 2) ** 2)
    chosen = np.array(chosen) / np.quantile(errors, 0.9) ** 2
    assert (row["inside"], row["wider"], row["columns"], row["draws"]) == (inside, wider, 10, 8)
    assert row["twice"] == ((chosen >= 0.5) & (chosen <= 2)).sum()
    assert row["chosen"] == [round(float(v), 3) for v in np.quantile(chosen, (0.05, 0.5, 0.95))]


def test_verdicts_and_table(tmp_path, capsys, monkeypatch):
    rows = choosing.EXPERIMENT.run(TINY, tmp_path / "rows.jsonl", progress=False)
    assert [row["method"] for row in rows] == ["pairs", "products"]
    assert choosing.report(rows).count("\n") == 3 and len(choosing.kept(rows)) == 2
    edge = {"dataset": "a", "method": "b", "inside": 465, "wider": 434, "draws": 500}
    assert choosing.kept([edge]) == [(("a", "b"), True, False)]
    monkeypatch.setattr(choosing.EXPERIMENT, "quick", TINY)
    monkeypatch.setenv("RFBOOK_RESULTS", str(tmp_path))
    assert cli.main(["reproduce", "choosing", "--quick"]) == 0
    assert "| products | diabetes |" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "value"), [("rows", 1), ("level", 1.0), ("methods", ("waves",)), ("draws", 0)])
def test_settings_are_checked(name, value):
    with pytest.raises(ValueError, match=name):
        choosing.Settings(**{name: value})
