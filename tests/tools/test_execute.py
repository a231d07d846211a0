"""A run of a notebook is reused as long as it would come out the same, and by the book too."""

import json
import os
import sys

import nbformat
import pytest

from rfbook.lab import claims
from rfdev import execute, keys, ledger, reader
from rfdev.kernel import Uses

NOTEBOOKS = {
    "imports": ["import sys; sys.path.insert(0, '..')", "from rfbook.used import value", "print(value)"],
    "reads": ["from pathlib import Path", "print(Path('../data/table.csv').read_text())"],
    "starts": ["import subprocess, sys", "subprocess.run([sys.executable, '-c', 'pass'], check=True)"],
    "lists": ["from pathlib import Path", "print(sorted(p.name for p in Path('..').joinpath('nbs').glob('i*.ipynb')))"],
    "plain": ["#| notest\n1 / 0", "#| slow\n1 / 0", "#| eval: false\n1 / 0", "print(6 * 7)"],
    "fails": ["raise ValueError('of this notebook')"],
    "warns": ["import sys; print('of that notebook', file=sys.stderr)"],
}


def write(path, cells):
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nb, path)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A small repository in which all notebooks were run, and what was printed."""
    root = tmp_path_factory.mktemp("repository")
    for name, text in {"__init__": "", "used": "from .deeper import value", "deeper": "value = 1", "other": ""}.items():
        (root / "rfbook").mkdir(exist_ok=True)
        (root / "rfbook" / f"{name}.py").write_text(text)
    (root / "data").mkdir()
    (root / "data" / "table.csv").write_text("1,2")
    for name, cells in NOTEBOOKS.items():
        write(root / "nbs" / f"{name}.ipynb", cells)
    said = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.print", lambda *words, **_: said.append(" ".join(map(str, words))))
        failed = execute.execute(sorted((root / "nbs").glob("*.ipynb")), root, workers=2)
    return root, failed, "\n".join(said)


def standing(root):
    """Names of the notebooks that would not be run again."""
    sources = keys.Sources(root)
    store = execute.Store(sources)
    return {p.stem for p in (root / "nbs").glob("*.ipynb") if store.has(execute.prepare(p, sources))}


GOOD = {"imports", "reads", "starts", "lists", "plain"}


def test_failures_are_all_told_and_not_kept(ran):
    root, failed, said = ran
    assert failed == 2 and "ValueError: of this notebook" in said and "of that notebook" in said
    assert "7 notebooks run" in said and "2 failed" in said
    assert standing(root) == GOOD


@pytest.mark.parametrize(("name", "text", "again"), [
    ("rfbook/used.py", "from .deeper import value  # changed", {"imports", "starts"}),
    ("rfbook/deeper.py", "value = 2", {"imports", "starts"}),
    ("rfbook/other.py", "changed = True", {"starts"}),
    ("rfbook/new.py", "", {"starts"}),
    ("data/table.csv", "3,4", {"reads", "starts"}),
    ("data/more/new.csv", "5", {"reads", "starts"}),
    ("nbs/imports.ipynb", None, {"imports"}),
    ("nbs/intruder.ipynb", None, {"lists"}),
    ("requirements/lock.txt", "numpy==0", GOOD),
    (".cache/else", "", set()),
    ("_build/html/index.html", "", set()),
])
def test_what_is_run_again_after_a_change(ran, name, text, again):
    root, _, _ = ran
    path = root / name
    before = path.read_bytes() if path.exists() else None
    new = [p for p in path.parents if not p.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        if text is None:
            write(path, ["print('changed')"])
        else:
            path.write_text(text)
        assert standing(root) == GOOD - again
    finally:
        path.unlink() if before is None else path.write_bytes(before)
        for folder in new:
            folder.rmdir()
    assert standing(root) == GOOD


@pytest.mark.parametrize("setting", ["RFBOOK_DATA", "RFBOOK_RESULTS"])
def test_settings_of_the_library_count(ran, monkeypatch, setting):
    monkeypatch.setenv(setting, "/somewhere")
    assert standing(ran[0]) == set()


def test_prose_does_not_count(ran):
    root, _, _ = ran
    path = root / "nbs" / "imports.ipynb"
    before = path.read_text()
    nb = nbformat.reads(before, as_version=4)
    nb.cells.insert(0, nbformat.v4.new_markdown_cell("A word."))
    nbformat.write(nb, path)
    try:
        assert standing(root) == GOOD
    finally:
        path.write_text(before)


def test_damaged_records_are_no_records(ran):
    root, _, _ = ran
    records = sorted((root / keys.RECORDS).glob("*.json"))
    assert len(records) == len(GOOD)
    for damage in ("", "[]", "{}", '{"environment": 1, "uses": 2}'):
        before = [record.read_text() for record in records]
        for record in records:
            record.write_text(damage)
        assert standing(root) == set()
        for record, text in zip(records, before, strict=True):
            record.write_text(text)
    assert standing(root) == GOOD


def test_the_book_finds_what_was_run(ran, monkeypatch):
    """The notebook as Sphinx's reader hands it over, looked up as myst-nb does."""
    root, _, _ = ran
    monkeypatch.setattr(reader, "sources", lambda: keys.Sources(root))
    cache = execute.get_cache(root / execute.CACHE)
    for name, shown in {"imports": "1\n", "reads": "1,2\n", "plain": "42\n"}.items():
        nb = reader.read_nbdev((root / "nbs" / f"{name}.ipynb").read_text())
        _, found = cache.merge_match_into_notebook(nb)
        assert [o.text for c in found.cells for o in c.outputs] == [shown]
        assert found.cells[-1].source.startswith("# rfbook uses ")


def test_what_changed_during_the_run_is_not_kept(tmp_path):
    (tmp_path / "data").mkdir()
    table = tmp_path / "data" / "table.csv"
    table.write_text("before")
    path = tmp_path / "nbs" / "a.ipynb"
    write(path, ["print()"])
    sources = keys.Sources(tmp_path)
    store, job = execute.Store(sources), execute.prepare(path, sources)
    sources.content("data/table.csv")
    seen = {"modules": [], "files": [str(table)], "folders": [], "spawned": False}
    outcome = execute.Outcome(job, job.nb, seen)
    table.write_text("after")
    assert not store.keep(outcome) and not store.has(job)


@pytest.mark.parametrize(("last", "failed"), [("fig, ax = plt.subplots();", 0), ("ax = None", 1)])
def test_a_figure_that_is_promised_is_shown(tmp_path, last, failed):
    path = tmp_path / "nbs" / "draws.ipynb"
    write(path, ["import matplotlib.pyplot as plt", last])
    nb = nbformat.read(path, as_version=4)
    nb.cells[1].metadata["mystnb"] = {"figure": {"name": "fig-a", "caption": "A figure."}}
    nbformat.write(nb, path)
    (tmp_path / "rfbook").mkdir()
    assert execute.execute([path], tmp_path, workers=1) == failed


def test_longest_first(tmp_path):
    for name in "abc":
        write(tmp_path / "nbs" / f"{name}.ipynb", ["print()"])
    record = tmp_path / execute.SECONDS
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps({"nbs/a.ipynb": 1, "nbs/b.ipynb": 9}))
    sources = keys.Sources(tmp_path)
    jobs = [execute.prepare(p, sources) for p in sorted((tmp_path / "nbs").glob("*.ipynb"))]
    assert [job.name[4] for job in execute.Store(sources).longest_first(jobs)] == ["b", "a", "c"]


def test_claims_that_start_first_are_claims():
    assert set(ledger.FIRST) <= {claim.name for claim in claims.registry()}


def test_flags_of_nbdev_run_what_is_skipped(ran):
    root, _, _ = ran
    sources = keys.Sources(root)
    path = root / "nbs" / "plain.ipynb"

    def skipped(*flags):
        cells = execute.prepare(path, sources, flags).nb.cells
        return ["skip-execution" in c.metadata.get("tags", []) for c in cells]

    assert skipped() == [True, True, True, False, False]
    assert skipped("slow") == [True, False, True, False, False]


def test_the_kernel_sees_what_hides(tmp_path, monkeypatch):
    """Programs of the system are no Python of ours; relative paths are those of the moment."""
    uses = Uses(str(tmp_path) + os.sep)
    uses("subprocess.Popen", ("/usr/bin/fc-list", ["fc-list"], None, None))
    uses("subprocess.Popen", (None, "uname -p", None, None))
    assert not uses.spawned
    uses("subprocess.Popen", (None, [sys.executable, "-c", ""], None, None))
    assert uses.spawned
    monkeypatch.chdir(tmp_path)
    uses("open", ("a.txt", "r", 0))
    uses("open", (3, "r", 0))
    uses("open", ("/etc/passwd", "r", 0))
    uses("os.scandir", (b".",))
    assert uses.files == {str(tmp_path / "a.txt")} and uses.folders == set()
