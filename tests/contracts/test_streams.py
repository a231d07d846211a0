"""What one random state gives to several parts of a machine are different streams: no two parts draw the same, and
another number makes other draws wherever a part has none of its own."""

import importlib
import inspect
import sys

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.pipeline import make_pipeline

from rfbook import (
    EERF,
    LKRF,
    SES,
    ArcCosineFeatures,
    ConformalClassifier,
    CoordinateFeatures,
    GaussianProductFeatures,
    HARFERegressor,
    JackknifePlus,
    KernelRidgeRegressor,
    LeverageScoreFeatures,
    MetropolisFourierFeatures,
    MetropolisSigmoidFeatures,
    NystroemFeatures,
    PositiveFeatures,
    RandomBinningFeatures,
    RandomFeatureClassifier,
    RandomFeatureDensity,
    RandomFeatureGP,
    RandomFeatureKMeans,
    RandomFeaturePCA,
    RandomFeatureRegressor,
    RandomFourierFeatures,
    RandomMaclaurinFeatures,
    RecursiveFeatureMachineClassifier,
    RecursiveFeatureMachineRegressor,
    RFFNetClassifier,
    RFFNetRegressor,
    SRFFRegressor,
    kernels,
)
from rfbook._validation import streams
from rfbook.draws import FREQUENCIES, sample_waves
from rfbook.lab.baselines import CoreVectorMachine, EigenProRegressor, FourierNetwork

MACHINES = [
    RandomFeatureRegressor(n_components=8, random_state=3),
    RandomFeatureRegressor(n_components=8, length_scale="median", random_state=3),
    RandomFeatureClassifier(n_components=8, random_state=3),
    RecursiveFeatureMachineRegressor(n_components=8, n_steps=1, random_state=3),
    RandomFeatureGP(n_components=8, posterior="weights", criterion="gcv", random_state=3),
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


# ---- who draws, from which stream ------------------------------------------------------------------------------------


class Noted(np.random.Generator):
    """A generator that notes who draws from its stream: the line that handed it on, and the function that draws."""

    drawn: dict = {}

    def __init__(self, bits, born=None):
        super().__init__(bits)
        self.born = born

    def spawn(self, n):
        """Children, and the function that has asked for them."""
        frame = sys._getframe(1)
        while frame.f_globals["__name__"] == "rfbook._validation":
            frame = frame.f_back
        return [Noted(bits, frame.f_code) for bits in self.bit_generator.spawn(n)]

    def noted(self):
        """Add this draw."""
        frame, leaf, line = sys._getframe(2), None, None
        while frame is not None and line is None:
            if leaf is None and frame.f_globals.get("__name__", "").startswith("rfbook."):
                leaf = frame.f_code.co_qualname.partition(".<locals>")[0]
            line = frame.f_lineno if frame.f_code is self.born else None
            frame = frame.f_back
        seeds = self.bit_generator.seed_seq
        if np.all(np.asarray(seeds.entropy, dtype=object) > 10**6):  # not those that a number of rows gives
            self.drawn.setdefault((str(seeds.entropy), seeds.spawn_key), set()).add((line, leaf))


def _noting(name):
    def drawn(self, *args, **options):
        self.noted()
        return getattr(super(Noted, self), name)(*args, **options)

    return drawn


for _name in [name for name in dir(np.random.Generator) if name[0] != "_" and name not in ("bit_generator", "spawn")]:
    setattr(Noted, _name, _noting(_name))


@pytest.fixture
def drawn(monkeypatch):
    """Who has drawn from each stream."""
    made = np.random.Generator
    monkeypatch.setattr(np.random, "default_rng",
                        lambda seed=None: seed if isinstance(seed, made) else Noted(np.random.PCG64(seed)))
    monkeypatch.setattr(Noted, "drawn", {})
    return Noted.drawn


LOOK = {"_sample_rows", "neighbour_distance", "_warn_of_scale", "_fitted_powers", "_some_order", "_Search.__init__"}
TOGETHER = [  # functions that are one part: they draw by turns
    LOOK,  # rows that are looked at for scales
    {"_signs", "_orders", "_fastfood_factors", "Gaussian.sample_lengths"},  # blocks of frequencies
    {"_blocks", "_gaussian_frequencies"},
    {"rpcholesky", "_accepted"},  # rejection
    {"target_waves", "_draws"},
]


def of_one_part(sites):
    """Whether those who have drawn from a stream, (line that handed it on, function), are one part."""
    lines, names = {line for line, _ in sites}, {name for _, name in sites}
    return (len(names) == 1 or any(names <= part for part in TOGETHER)) and (len(lines) == 1 or names <= LOOK)


SEED = {"random_state": 987_654_321}
EIGHT = {**SEED, "n_components": 8}
RULED = {**EIGHT, "length_scale": "median"}
OFFSET = {**EIGHT, "phase": "offset"}
DRAWING = {
    **{kind.__name__: kind(**EIGHT) for kind in (
        ArcCosineFeatures, CoordinateFeatures, GaussianProductFeatures, NystroemFeatures, PositiveFeatures,
        RandomFourierFeatures, RandomMaclaurinFeatures, EERF, LKRF, SES, RandomFeatureRegressor,
        RandomFeatureClassifier)},
    "grids": RandomBinningFeatures(n_grids=4, **SEED),
    **{f"waves, {sampling}": RandomFourierFeatures(sampling=sampling, **OFFSET) for sampling in FREQUENCIES},
    "waves, neighbours": RandomFourierFeatures(**OFFSET | {"length_scale": "knn"}),
    **{f"{kind.__name__}, some": kind(subsample=50, **EIGHT) for kind in (EERF, LKRF, SES)},
    **{f"leverage, {scores}": LeverageScoreFeatures(scores=scores, n_candidates=80, **EIGHT)
       for scores in ("pool", "coarse", "surrogate")},
    **{kind.__name__: kind(n_steps=4, validation_fraction=0.3, **EIGHT)
       for kind in (MetropolisFourierFeatures, MetropolisSigmoidFeatures)},
    **{f"{kind.__name__}, {scaling}": kind(scaling=scaling, **RULED) for scaling in ("standard", "power")
       for kind in (RandomFeatureRegressor, RandomFeatureClassifier)},
    "auto width": RandomFeatureRegressor(**RULED | {"n_components": "auto", "max_components": 128}),
    **{kind.__name__: kind(n_steps=1, **EIGHT)
       for kind in (RecursiveFeatureMachineRegressor, RecursiveFeatureMachineClassifier)},
    **{f"process, {criterion}, {posterior}": RandomFeatureGP(posterior=posterior, criterion=criterion, **EIGHT)
       for posterior in ("exact", "weights") for criterion in ("likelihood", "gcv")},
    **{f"exact, {sketch}": KernelRidgeRegressor(sketch=sketch, **SEED)
       for sketch in ("rpcholesky", "nystroem", "features")},
    "jackknife": JackknifePlus(RandomFeatureRegressor(**RULED), **SEED),
    "sets": ConformalClassifier(RandomFeatureClassifier(**RULED), **SEED),
    **{kind.__name__: kind(n_epochs=2, scaling="power", **OFFSET) for kind in (RFFNetRegressor, RFFNetClassifier)},
    "HARFE": HARFERegressor(n_components=4, n_candidates=8, scaling="power", **SEED),
    "SRFF": SRFFRegressor(n_components=4, max_iter=2, scaling="power", **SEED),
    "components": RandomFeaturePCA(2, n_random_features=8, length_scale="median", **SEED),
    "clusters": RandomFeatureKMeans(3, **RULED), "density": RandomFeatureDensity(**RULED),
    "cores": CoreVectorMachine(max_core=20, **SEED),
    "EigenPro": EigenProRegressor(n_epochs=2, n_centers=40, subsample=50, n_directions=5, **SEED),
    "network": FourierNetwork(n_epochs=2, **OFFSET),
}


@pytest.mark.parametrize("name", DRAWING)
@pytest.mark.filterwarnings("ignore")
def test_each_stream_is_drawn_from_by_one_part(name, drawn, monkeypatch):
    """A part that took the stream of another would draw anew whenever that one draws more or less."""
    monkeypatch.setattr("rfbook.machines.scales._POWER_ROWS", 50)
    monkeypatch.setattr("rfbook.machines.scales._ROWS", 40)
    monkeypatch.setattr("rfbook.machines.scales._FEATURES", 8)
    X = np.random.Generator(np.random.PCG64(0)).standard_normal((120, 3))
    machine = clone(DRAWING[name])
    machine.fit(X, X[:, 0] > 0 if is_classifier(machine) else np.sin(X[:, 0]) + 0.1 * X[:, 1])
    if hasattr(machine, "sample_y"):
        machine.sample_y(X[:5], random_state=987_654_322)
    assert drawn and not [sites for sites in drawn.values() if not of_one_part(sites)]


def test_every_estimator_that_draws_is_among_these():
    tried = {type(machine).__name__ for machine in DRAWING.values()}
    for room in ("features", "adaptive", "learning", "lab.baselines"):
        module = importlib.import_module(f"rfbook.{room}")
        for name in module.__all__:
            kind = getattr(module, name)
            if inspect.isclass(kind) and "random_state" in inspect.signature(kind).parameters:
                assert name in tried, name


KERNELS = [kernels.Gaussian(), kernels.Laplacian(), kernels.Exponential(), kernels.Cauchy(), kernels.Matern(1.5),
           kernels.Matern(60.0), kernels.StretchedExponential(0.7), kernels.InversePower(1.5),
           kernels.SumKernel([kernels.Gaussian(2.0), kernels.Matern(1.5)], [1, 2]),
           kernels.ProductKernel([kernels.Laplacian(2.0), kernels.Exponential(3.0)])]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("phase", ["paired", "offset"])
def test_waves_take_a_stream_for_each_part(kernel, phase, drawn):
    """So that the first waves do not depend on how many there are."""
    few, many = (sample_waves(kernel, n, 3, np.random.default_rng(987_654_321), phase=phase) for n in (5, 9))
    assert np.array_equal(few.frequencies, many.frequencies[:5])
    assert phase == "paired" or np.array_equal(few.phases, many.phases[:5])
    assert drawn and not [sites for sites in drawn.values() if not of_one_part(sites)]


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
