"""Defaults that docstrings tell are those of the signatures."""

import ast
import importlib
import inspect
import re

import pytest
from test_examples import PUBLIC

TOLD = re.compile(r"^ *(\w+(?:, \w+)*) : .*\bdefault=(.+)$", re.MULTILINE)


def public():
    """Classes, functions and public methods by their names."""
    for module in map(importlib.import_module, PUBLIC):
        for value in (getattr(module, name) for name in getattr(module, "__all__", ())):
            if getattr(value, "__module__", "") == module.__name__ and callable(value):
                yield f"{module.__name__}.{value.__qualname__}", value
                for name, method in vars(value).items() if inspect.isclass(value) else ():
                    if not name.startswith("_") and inspect.isfunction(inspect.unwrap(method)):
                        yield f"{module.__name__}.{value.__qualname__}.{name}", method


def said_wrongly(value):
    """Arguments whose told default is another one, with what is told."""
    try:
        signature = inspect.signature(value).parameters
    except (TypeError, ValueError):
        return {}
    wrong = {}
    for names, told in TOLD.findall(inspect.getdoc(value) or ""):
        for name in names.split(", "):
            if name in signature:
                default = signature[name].default
                try:
                    right = ast.literal_eval(told) == default
                except (SyntaxError, ValueError):
                    right = (told in (str(default), getattr(default, "__name__", ""))
                             or re.search(rf"\b{name}: [^\n]*= {re.escape(told)}[,)]", inspect.getsource(value)))
                if not right:
                    wrong[name] = (told, default)
    return wrong


def test_defaults_are_those_that_docstrings_tell():
    found = dict(public())
    told = sum(len(TOLD.findall(inspect.getdoc(value) or "")) for value in found.values())
    assert told > 300
    assert {name: wrong for name, value in found.items() if (wrong := said_wrongly(value))} == {}


@pytest.mark.parametrize("told,wrong", [("default=3", {}), ("default=4", {"a": ("4", 3)}),
                                        ("default='3'", {"a": ("'3'", 3)}), ("default=LIMIT", {"a": ("LIMIT", 3)})])
def test_a_wrong_one_is_seen(told, wrong):
    def function(a: int = 3):
        pass

    function.__doc__ = f"Something.\n\n    Parameters\n    ----------\n    a : int, {told}\n"
    assert said_wrongly(function) == wrong
