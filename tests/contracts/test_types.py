"""What a type checker and tab completion are told: the public names, and no others."""

import ast
import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

import rfbook
from rfbook import _types
from rfbook.maps import scales as _scales

MODULES = ["rfbook", *(m.name for m in pkgutil.walk_packages(rfbook.__path__, "rfbook.") if "._" not in m.name)]
LAZY = ["rfbook", "rfbook.lab.bench", "rfbook.bounds", "rfbook.datasets", "rfbook.solvers"]


def public(module):
    """Names of a module that tab completion offers, less its submodules."""
    inner = {m.name for m in pkgutil.iter_modules(getattr(module, "__path__", []))}
    return {name for name in dir(module) if not name.startswith("_")} - (inner - {*getattr(module, "__all__", ())})


@pytest.mark.parametrize("name", LAZY)
def test_a_type_checker_reads_the_names_that_come_when_asked(name):
    """The imports under ``if TYPE_CHECKING``, the literal ``__all__`` and what the package gives are one list."""
    package = importlib.import_module(name)
    body = ast.parse(Path(package.__file__).read_text(encoding="utf-8")).body
    guarded = [node for node in body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    read = [(node.module, alias.name) for node in guarded[0].body for alias in node.names]
    assert sorted(alias for _, alias in read) == sorted(package.__all__)
    written = next(node.value for node in body if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    assert ast.literal_eval(written) == package.__all__  # no expression: who reads and does not run understands it
    for home, alias in read:
        wanted = getattr(package, alias)
        there = importlib.import_module(f"{name}.{home or alias}")
        assert wanted is (there if home is None else getattr(there, alias))


@pytest.mark.parametrize("name", MODULES)
def test_tab_completion_shows_what_a_module_is_for(name):
    module = importlib.import_module(name)
    names = list(getattr(module, "__all__", ()))
    assert public(module) == set(names) and len(names) == len(set(names))
    packages = [n for n in names if isinstance(getattr(module, n), ModuleType)]
    assert all(getattr(module, n).__name__.startswith("rfbook.") for n in packages)
    assert not any(n.startswith("_") for n in names)


def test_python_asks_which_name_was_meant():
    with pytest.raises(AttributeError) as error:
        rfbook.RandomForrestFeatures  # noqa: B018
    assert error.value.name == "RandomForrestFeatures" and error.value.obj is rfbook


ROOMS = ["adaptive", "bounds", "datasets", "draws", "features", "figures", "kernels", "lab.baselines", "lab.bench",
         "lab.claims", "lab.ledger", "learning", "persistence", "records", "solvers"]


def functions(value):
    """The public functions that a public name stands for: itself, or the methods of a class that are ours."""
    if inspect.isclass(value):
        ours = [vars(base).items() for base in value.__mro__ if base.__module__.startswith("rfbook")]
        found = [inspect.unwrap(f) for part in ours for name, f in part
                 if inspect.isfunction(f) and (not name.startswith("_") or name in ("__init__", "__call__"))]
        return [f for f in found if f.__module__.startswith("rfbook")]  # not what a dataclass writes for itself
    return [value] if inspect.isfunction(value) else []


@pytest.mark.parametrize("room", ROOMS)
def test_public_signatures_have_types(room):
    module, bare = importlib.import_module(f"rfbook.{room}"), []
    for f in (f for name in module.__all__ for f in functions(getattr(module, name))):
        signature = inspect.signature(f)
        types = [p.annotation for name, p in signature.parameters.items() if name != "self"]
        bare += [f.__qualname__] if signature.empty in (*types, signature.return_annotation) else []
    assert bare == []


@pytest.mark.parametrize("room", ROOMS)
def test_signatures_can_be_read(room):
    """Where a signature is shown, a type is the word that was written, and not all that the word stands for."""
    module, spelled_out = importlib.import_module(f"rfbook.{room}"), []
    for f in (f for name in module.__all__ for f in functions(getattr(module, name))):
        signature = inspect.signature(f)
        types = [p.annotation for p in signature.parameters.values()] + [signature.return_annotation]
        words = [word for word in types if word not in (signature.empty, None)]  # a dataclass gives None
        spelled_out += [f"{f.__qualname__}: {word}" for word in words if not isinstance(word, str) or len(word) > 110]
    assert spelled_out == []


# ---- a type checker on the script of a user ------------------------------------------------------------------------

RIGHT = """\
import numpy as np
from sklearn.pipeline import make_pipeline

import rfbook
from rfbook import Gaussian, Matern, RandomBinningFeatures, RandomFourierFeatures
from rfbook import RandomFeatureClassifier, RandomFeatureRegressor, bounds, kernels
from rfbook.datasets import load

data = load("diabetes")
radius: float = bounds.hoeffding_radius(1024, 0.01, "paired")
K = Gaussian(length_scale=[1.0, 2.0])(np.ones((3, 2)))
print(K.shape, kernels.by_name("rbf", 2.0).value([1.0, 2.0]), Matern(nu=2.5).second_moment(3) > 0.0, radius)
fourier = RandomFourierFeatures("matern52", n_components=64, length_scale="median", sampling="orthogonal")
print(fourier.fit(data.X_train, data.y_train).transform(data.X_train).shape, fourier.random_weights_.T)
boxes = RandomBinningFeatures(n_grids=8, sparse_output=False, random_state=np.random.default_rng(0))
print(make_pipeline(boxes).fit(data.X_train, data.y_train).transform(data.X_test), rfbook.__version__)
machine = RandomFeatureRegressor(kernel="rbf", length_scale="auto", alpha="loo", n_components=64, random_state=1)
print(machine.fit(data.X_train, data.y_train).predict(data.X_train).mean())
print(RandomFeatureRegressor(boxes, alpha=[0.1, 1.0]), RandomFeatureClassifier(loss="squared", random_state=None))
"""

WRONG = """\
from rfbook import RandomForrestFeatures  # has no attribute "RandomForrestFeatures"; maybe "RandomFourierFeatures"?
from rfbook import RandomFeatureRegressor, RandomFourierFeatures, datasets, kernels

RandomFourierFeatures(n_components="many")  # Argument "n_components" to "RandomFourierFeatures" has incompatible type
RandomFourierFeatures(n_component=64)  # Unexpected keyword argument "n_component" for "RandomFourierFeatures"
RandomFourierFeatures(sampling="orthogonl")  # Argument "sampling" to "RandomFourierFeatures" has incompatible type
kernels.Gaussian().sample_frequency(3, 2)  # "Gaussian" has no attribute "sample_frequency"
datasets.load("iris").X_tain  # "Dataset" has no attribute "X_tain"; maybe "X_train"
kernels.Gausian()  # Module has no attribute "Gausian"; maybe "Gaussian"?
RandomFeatureRegressor(alpha="lo")  # Argument "alpha" to "RandomFeatureRegressor" has incompatible type "Literal['lo']"
RandomFourierFeatures(kernels.Polynomial())  # Argument 1 to "RandomFourierFeatures" has incompatible type "Polynomial"
"""


@pytest.fixture(scope="module")
def complaints(tmp_path_factory):
    """What mypy, once and strict, says of both scripts: their names, lines and sentences."""
    folder, root = tmp_path_factory.mktemp("scripts"), Path(rfbook.__file__).parents[1]
    for name, text in (("right", RIGHT), ("wrong", WRONG)):
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    said = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file=", "--no-error-summary",
         "--disable-error-code=import-untyped", f"--cache-dir={root / '.cache' / 'mypy'}", "right.py", "wrong.py"],
        cwd=folder, env={**os.environ, "MYPYPATH": str(root)}, capture_output=True, text=True, check=False)
    assert not said.stderr
    lines = (line.split(":", 2) for line in said.stdout.splitlines() if ": error:" in line)
    return [(file, int(number), sentence) for file, number, sentence in lines]


def test_a_script_without_mistakes_passes_a_strict_type_checker(complaints):
    assert [complaint for complaint in complaints if complaint[0] == "right.py"] == []


@pytest.mark.parametrize("number", [i for i, line in enumerate(WRONG.splitlines(), 1) if "  # " in line])
def test_a_type_checker_finds_the_mistake(complaints, number):
    sentence = WRONG.splitlines()[number - 1].split("  # ")[1]
    assert [sentence in found for file, line, found in complaints if (file, line) == ("wrong.py", number)] == [True]


def test_the_names_in_signatures_are_those_that_the_library_takes():
    names = {_types.KernelName: rfbook.kernels.NAMES, _types.SamplingName: rfbook.draws.FREQUENCIES,
             _types.QuasiSequence: rfbook.draws.SEQUENCES, _types.ScaleRule: _scales.RULES}
    for literal, taken in names.items():
        assert get_args(literal) == tuple(taken)
