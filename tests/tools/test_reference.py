"""The pages of the reference: what has one, what stands on it, and that old ones go."""

import importlib
import inspect
import pkgutil
import re

import rfbook
from rfdev import ROOT, paper, reference


def entry(name):
    return next(e for e in reference.entries(ROOT) if e.full_name == name)


def test_everything_public_has_one_page():
    """Under one name, whatever modules and packages have it."""
    names = [m.name for m in pkgutil.walk_packages(rfbook.__path__, "rfbook.")]
    modules = [name for name in names if not re.search(r"[.]_|claims[.]", name)]
    values = {getattr(module, name) for module in map(importlib.import_module, modules)
              for name in getattr(module, "__all__", ()) if callable(getattr(module, name))}
    entries = reference.entries(ROOT)
    assert {v for v in values if inspect.isclass(v) or inspect.isfunction(v)} <= {e.value for e in entries}
    assert len({e.full_name for e in entries}) == len({id(e.value) for e in entries}) == len(entries)


def test_a_function_is_shown_with_its_theorem_and_its_chapter():
    checked = ["thm-hoeffding-paired", "prop-how-sharp"]
    text = reference.page(entry("rfbook.bounds.hoeffding_radius"), "hoeffding_radius", checked)
    assert text.startswith("hoeffding_radius\n================\n")
    assert ".. autofunction:: hoeffding_radius" in text and ":doc:`/nbs/2_features/22_how_many`" in text
    assert text.count(":prf:ref:`thm-hoeffding-paired`") == 1 and ":prf:ref:`prop-how-sharp`" in text
    assert "Derived in" in text and ":doc:`/nbs/8_appendix/84_api_theory`" in text


def test_a_class_is_shown_with_what_it_inherits_here():
    text = reference.page(entry("rfbook.solvers.moments.Moments"), "Moments", [])
    assert ".. autoclass:: Moments" in text and ":inherited-members: BaseEstimator" in text
    assert "Written in" in text and ":doc:`/nbs/9_engine/solvers_moments`" in text and "Checked by" not in text


def test_bases_are_shown_where_they_are_public():
    assert ":show-inheritance:" in reference.page(entry("rfbook.kernels.Matern"), "Matern", [])
    features = entry("rfbook.features.RandomFourierFeatures")
    assert ":show-inheritance:" not in reference.page(features, "RandomFourierFeatures", [])


def test_titles_are_short_and_tell_pages_apart():
    entries = reference.entries(ROOT)
    titles = [reference.title(e, entries) for e in entries]
    assert len(set(titles)) == len(titles)
    assert {"Gaussian", "which_map.report", "rahimi_recht.report"} <= {*titles}


def test_labels_in_examples_are_no_statements_of_the_page():
    assert ":prf:ref:`thm-pythagoras`" not in reference.page(entry("rfbook.lab.claims.Claim"), "Claim", [])


def test_code_that_is_written_by_hand_has_no_notebook():
    assert reference.source_notebook(test_code_that_is_written_by_hand_has_no_notebook) == ""


def test_a_claim_touches_what_it_calls():
    from rfbook.lab.claims import registry

    claim = next(c for c in registry() if c.label == "thm-roofline")
    assert "rfbook.lab.bench.roofline.least_seconds" in reference.touched(claim, ROOT)


def test_old_pages_go_and_others_are_left_as_they_are(tmp_path, monkeypatch):
    monkeypatch.setattr(reference, "statements", lambda root: {})
    notebook, folder = tmp_path / "nbs" / "8_appendix" / "84_api_x.ipynb", tmp_path / reference.FOLDER
    notebook.parent.mkdir(parents=True)
    notebook.write_text('".. automodule:: rfbook.bounds.bochner"', encoding="utf-8")
    (folder / "x").mkdir(parents=True)
    (folder / "x" / "rfbook.gone.rst").write_text("gone")
    reference.write_pages(tmp_path)
    page = folder / "x" / "rfbook.bounds.bochner.kernel_increment.rst"
    assert [*folder.rglob("*.rst")] == [page]
    before = page.stat().st_mtime_ns
    reference.write_pages(tmp_path)
    assert page.stat().st_mtime_ns == before


def test_pages_are_found_where_the_contents_look_for_them(tmp_path):
    toc, folder = tmp_path / "_toc.yml", tmp_path / "api"
    toc.write_text("root: index\nparts:\n- caption: R\n  chapters:\n  - file: a\n    sections:\n    - glob: api/*\n")
    folder.mkdir()
    for name in ("f.b", "f.a"):
        (folder / f"{name}.rst").touch()
    assert [c.name for c in paper.reading_order(toc)] == ["index", "a"]
    assert [c.name for c in paper.reading_order(toc, patterns=True)] == ["index", "a", "api/f.a", "api/f.b"]
