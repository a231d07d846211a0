"""What one random state gives to several parts of a machine are different streams: no two parts draw the same, and
another number makes other draws wherever a part has none of its own."""

import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from rfbook import (
    EERF,
    LKRF,
    SES,
    HARFERegressor,
    JackknifePlus,
    LeverageScoreFeatures,
    RandomFeatureClassifier,
    RandomFeatureGP,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    RecursiveFeatureMachineRegressor,
    RFFNetRegressor,
    SRFFRegressor,
)
from rfbook._validation import streams

MACHINES = [
    RandomFeatureRegressor(n_components=8, random_state=3),
    RandomFeatureRegressor(n_components=8, length_scale="median", random_state=3),
    RandomFeatureClassifier(n_components=8, random_state=3),
    RecursiveFeatureMachineRegressor(n_components=8, n_steps=1, random_state=3),
    RandomFeatureGP(n_components=8, posterior="weights", tune="gcv", random_state=3),
    RFFNetRegressor(n_components=8, n_epochs=2, random_state=3),
    HARFERegressor(n_components=4, n_candidates=8, random_state=3),
    SRFFRegressor(n_components=4, random_state=3),
]


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: type(machine).__name__)
@pytest.mark.filterwarnings("ignore")
def test_no_two_parts_draw_from_one_stream(machine, monkeypatch):
    made = []

    def noted(random_state, n):
        who, found = sys._getframe(1).f_globals["__name__"], streams(random_state, n)
        made.extend((who, rng, rng.bit_generator.state) for rng in found)
        return found

    for module in [m for name, m in sys.modules.items() if name.startswith("rfbook.") and name != "rfbook._validation"]:
        if vars(module).get("streams") is streams:
            monkeypatch.setattr(module, "streams", noted)
    X = np.random.default_rng(0).standard_normal((2100, 3))  # more than any rule takes: all draw some of them
    machine.fit(X, X[:, 0] > 0 if "Classifier" in type(machine).__name__ else np.sin(X[:, 0]))
    users = {}
    for who, rng, before in made:
        if rng.bit_generator.state != before or rng.bit_generator.seed_seq.n_children_spawned:
            users.setdefault(str(before["state"]), set()).add(who)
    assert users and all(len(modules) == 1 for modules in users.values()), users


PLAIN = RandomFourierFeatures(length_scale=1.0, n_components=8)
WRAPPED = [
    JackknifePlus(RandomFeatureRegressor(PLAIN), tuning_share=0.0),  # all rows tune: only the features are drawn
    RandomFeatureRegressor(PLAIN),
    RandomFeatureRegressor(make_pipeline(PLAIN)),
    *(kind(PLAIN, n_components=8) for kind in (EERF, LKRF, SES)),
    LeverageScoreFeatures(length_scale=1.0, n_components=8),
]


@pytest.mark.parametrize("outer", WRAPPED, ids=lambda outer: str(outer)[:60])
def test_parts_without_a_number_draw_by_that_of_the_whole(outer):
    X = np.random.default_rng(0).standard_normal((60, 3))
    told = []
    for number in (3, 3, 4):
        fitted = clone(outer).set_params(random_state=number).fit(X, np.sin(X[:, 0]))
        told.append(fitted.predict(X) if hasattr(fitted, "predict") else fitted.transform(X))
    assert np.array_equal(told[0], told[1]) and not np.allclose(told[0][0], told[2][0])
