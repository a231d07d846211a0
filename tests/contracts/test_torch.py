"""The recipe that makes a PyTorch module of a machine says what the machine says, with its slopes."""

import json
from pathlib import Path

import numpy as np
import pytest

from rfbook import RandomFeatureClassifier, RandomFeatureRegressor

torch = pytest.importorskip("torch")
PAGE = Path(__file__).parents[2] / "nbs" / "0_start" / "04_recipes.ipynb"
rng = np.random.default_rng(0)
X = rng.standard_normal((300, 3)) * [1, 10, 0.1]
y = np.sin(X[:, 0]) + X[:, 1] / 10


def as_module(machine):
    cells = ["".join(cell["source"]) for cell in json.loads(PAGE.read_text(encoding="utf-8"))["cells"]]
    room = {"np": np}
    exec(next(text for text in cells if text.startswith("def as_module")), room)
    return room["as_module"](machine)


@pytest.mark.parametrize("scaling", ["standard", None])
def test_predictions_and_slopes(scaling):
    machine = RandomFeatureRegressor(n_components=40, scaling=scaling, bounded=False, random_state=0).fit(X, y)
    module, x = as_module(machine), torch.tensor(X, requires_grad=True)
    out = module(x)
    np.testing.assert_allclose(out.detach().numpy()[:, 0], machine.predict(X), atol=1e-8)
    out.sum().backward()
    slopes = np.sqrt(np.mean(x.grad.numpy() ** 2, axis=0)) * X.std(axis=0)
    np.testing.assert_allclose(slopes, machine.column_importance(X), rtol=1e-6)


def test_scores_of_classes():
    labels = np.digitize(y, [-0.5, 0.5])
    machine = RandomFeatureClassifier(n_components=40, scaling="standard", random_state=0).fit(X, labels)
    np.testing.assert_allclose(as_module(machine)(torch.tensor(X)).detach().numpy(), machine.decision_function(X),
                               atol=1e-8)
