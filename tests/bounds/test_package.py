"""The package of bounds: one module per chapter, every name also at the top, and no second copy of any."""

import importlib
import pkgutil

import pytest

from rfbook import bounds

CHAPTERS = [m.name for m in pkgutil.iter_modules(bounds.__path__) if not m.name.startswith("_")]


def test_every_bound_of_a_chapter_is_at_the_top():
    modules = [importlib.import_module(f"rfbook.bounds.{name}") for name in CHAPTERS]
    assert sorted(name for module in modules for name in module.__all__) == sorted(bounds.__all__)
    for module in modules:
        assert all(getattr(bounds, name) is getattr(module, name) for name in module.__all__)
    assert {*bounds.__all__, *CHAPTERS} <= {*dir(bounds)}


def test_what_takes_the_place_of_a_bound_in_its_chapter_is_seen_at_the_top(monkeypatch):
    before = bounds.binning_variance
    monkeypatch.setattr("rfbook.bounds.binning.binning_variance", "another")
    assert bounds.binning_variance == "another"
    monkeypatch.undo()
    assert bounds.binning_variance is before


def test_what_is_no_bound():
    with pytest.raises(AttributeError, match="module 'rfbook.bounds' has no attribute 'mcdiarmid_radius'"):
        bounds.mcdiarmid_radius  # noqa: B018
