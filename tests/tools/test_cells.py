"""Directives of nbdev, cells, and what the book makes of them."""

import json

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from rfdev import cells, reader


@pytest.mark.parametrize(("source", "directives", "code"), [
    ("x = 1", {}, "x = 1"),
    ("#| hide\nx = 1\n#| export", {"hide": ""}, "x = 1\n#| export"),
    ("#| default_exp features.fourier", {"default_exp": "features.fourier"}, ""),
    ("# | export  lab.claims.probe \n  #|eval: false\n\ny", {"export": "lab.claims.probe", "eval": "false"}, "\ny"),
    ("#| code-fold: true\npass", {"code-fold": "true"}, "pass"),
    ("# export\npass", {}, "# export\npass"),
])
def test_directives_are_the_leading_lines(source, directives, code):
    assert cells.split_directives(source) == (directives, code)


def test_where_cells_go():
    sources = ["#| default_exp features.probe", "#| export\na = 1", "#| exporti\nb = 1", "#| export bounds\nc = 1",
               "d = 1"]
    book = cells.Notebook("nbs/2_features/21_probe.ipynb", [cells.Cell(i, "code", s) for i, s in enumerate(sources, 1)])
    assert (book.module, book.part, book.is_chapter) == ("features.probe", "2", True)
    went = [(c.number, to) for c, to in book.exported()]
    assert went == [(2, "features.probe"), (3, "features.probe"), (4, "bounds")]
    assert [c.shown for c in book.cells] == [False, False, False, False, True]


def test_a_notebook_is_read_as_it_stands(tmp_path):
    path = tmp_path / "nbs" / "9_engine" / "x.ipynb"
    path.parent.mkdir(parents=True)
    ran = {"cell_type": "code", "source": ["#| hide\n", "1"], "metadata": {"tags": ["a"]}, "outputs": [],
           "execution_count": 2}
    path.write_text(json.dumps({"cells": [{"cell_type": "markdown", "source": "# T"}, ran]}), encoding="utf-8")
    (book,) = cells.read_notebooks(tmp_path)
    text, code = book.cells
    assert (book.path, text.source, text.kind, text.outputs) == ("nbs/9_engine/x.ipynb", "# T", "markdown", False)
    assert (code.code, code.nbdev, code.tags, code.outputs, book.part) == ("1", {"hide": ""}, {"a"}, True, "9")


@pytest.mark.parametrize(("source", "tags", "left"), [
    ("#| hide\nx", ["remove-cell"], "x"),
    ("#| export\n\nx", ["rf-exported-to-kernels"], "x"),
    ("#| export claims.a\n#| hide_input\nx", ["rf-exported-to-claims.a", "remove-input"], "x"),
    ("#| eval: false\nx", ["skip-execution"], "x"),
    ("#| echo: False\nx", ["remove-input"], "x"),
    ("#| hide_output", ["remove-output", "remove-cell"], ""),
    ("#| eval: true\nx", [], "x"),
])
def test_directives_become_tags(source, tags, left):
    cell = new_code_cell(source)
    assert reader.clean_cell(cell, "kernels") == "kernels"
    assert (cell.metadata.get("tags", []), cell.source) == (tags, left)


def test_default_exp_names_the_module_of_what_follows():
    nb = new_notebook(cells=[new_code_cell("#| default_exp kernels"), new_code_cell("#| export\nx"),
                             new_markdown_cell("#| hide")])
    shown = reader.read_nbdev(json.dumps(nb))
    assert [c.metadata.get("tags") for c in shown.cells] == [
        ["remove-cell", "skip-execution"], ["rf-exported-to-kernels"], None, ["remove-cell"]]
    assert shown.cells[-1].source.startswith("# rfbook ") and shown.cells[2].source == "#| hide"


def test_stubs():
    mark = {"nbgrader": {"grade": False, "solution": True, "grade_id": "a"}}
    answer = new_code_cell("def f():\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION", metadata=mark)
    other = new_code_cell("all of it", metadata=mark)
    nb = new_notebook(cells=[answer, other])
    assert [cells.kind(c) for c in nb.cells] == ["answer", "answer"] and cells.grade_id(answer) == "a"
    assert cells.to_students(nb) and not cells.to_students(new_notebook(cells=[new_code_cell("x")]))
    assert [c.source for c in nb.cells] == [f"def f():\n    {cells.CODE_STUB}", cells.CODE_STUB]


@pytest.mark.parametrize(("code", "doc", "rest"), [
    ('"""Probes."""\n\nimport math', '"""Probes."""', "import math"),
    ("import math", "", "import math"), ("", "", ""), ('r"""More\nlines."""', 'r"""More\nlines."""', ""),
    ('x = """None."""', "", 'x = """None."""'),
])
def test_a_docstring_is_taken_apart_from_what_follows(code, doc, rest):
    assert cells.split_docstring(code) == (doc, rest)


@pytest.mark.parametrize(("source", "summary"), [
    ("# T\n\n> What it is.\n\nMore.", "What it is."), ("# T\n\nWhat it is.", ""), ("Not a title.\n\n> Quoted.", ""),
])
def test_the_summary_is_the_quoted_line_under_the_title(source, summary):
    assert cells.Notebook("nbs/x.ipynb", [cells.Cell(1, "markdown", source)]).summary == summary
