"""Everything public has an example in its docstring, and every example prints what it says.

Public are the classes and functions that the public modules name in ``__all__``, and the public methods of these
classes.  Spared are properties, which say a value; methods that the example of their class calls; and methods that
override one of a class of the library, whose example is theirs too.
"""

import doctest
import importlib
import inspect
import pkgutil
import re

import pytest

import rfbook

MODULES = [name for _, name, _ in pkgutil.walk_packages(rfbook.__path__, "rfbook.") if name != "rfbook.__main__"]
# a leading underscore is private, and the claims of the chapters are programs that the ledger runs
PUBLIC = [name for name in MODULES if not re.search(r"[.]_|[.]claims[.]", name)]


def has_example(value):
    return ">>> " in (inspect.getdoc(value) or "")


def full_name(value):
    return f"{value.__module__}.{value.__qualname__}"


def own_methods(kind):
    """Public methods that a class of the library defines and that neither its example nor a parent shows."""
    for name, value in vars(kind).items():
        function = inspect.unwrap(getattr(value, "__func__", value)) if callable(getattr(kind, name)) else None
        shown = f".{name}(" in (kind.__doc__ or "").partition(">>> ")[2]
        inherited = any(name in vars(parent) for parent in kind.__mro__[1:] if parent.__module__.startswith("rfbook"))
        if not (name.startswith("_") or shown or inherited) and inspect.isfunction(function):
            yield function


def public():
    """What is public, by its full name."""
    found = {}
    for module in map(importlib.import_module, PUBLIC):
        values = [inspect.unwrap(v) for name in getattr(module, "__all__", ()) if callable(v := getattr(module, name))]
        for value in values:
            kinds = [k for k in inspect.getmro(value) if k is not value] if inspect.isclass(value) else []
            for part in (value, *(f for k in (*kinds, value) if inspect.isclass(k) for f in own_methods(k))):
                if (part.__module__ or "").startswith("rfbook"):
                    found[full_name(part)] = part
    return found


def test_everything_public_has_an_example():
    bare = sorted(name for name, v in public().items() if not has_example(v))
    assert not bare, f"no example in the docstring of {', '.join(bare)}"


@pytest.mark.parametrize("module", MODULES)
def test_examples_print_what_they_say(module):
    """Each example alone, with nothing at hand but what it imports."""
    if module == "rfbook.lab.bench.memory":  # no system tells all of it, and Windows nothing
        pytest.importorskip("resource")
    runner, report, space = doctest.DocTestRunner(), [], {"__name__": "__main__"}
    for example in doctest.DocTestFinder().find(importlib.import_module(module), module, globs=space):
        runner.run(example, out=report.append)
    assert not runner.failures, "".join(report)
