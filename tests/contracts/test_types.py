"""What a type checker and tab completion are told: the public names, and no others."""

import ast
import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

import rfbook

MODULES = ["rfbook", *(m.name for m in pkgutil.walk_packages(rfbook.__path__, "rfbook.") if "._" not in m.name)]
LAZY = ["rfbook", "rfbook.bench", "rfbook.bounds", "rfbook.datasets", "rfbook.solvers"]


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
