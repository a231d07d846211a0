"""The table of all exercises."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from rfdev import ROOT, exercises, parts, plain
from rfdev.cells import read_notebook

ONE = "```{exercise-start} Count $x$ ★★\n:label: ex-a\n```\nCount.\n```{exercise-end}\n```\n"
SOLVED = "```{solution-start} ex-a\n:class: dropdown\n```\nSo."
END = "```{solution-end}\n```"


def found(tmp_path, *cells):
    path = tmp_path / "nbs" / "2_features" / "21_probe.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=list(cells)), path)
    return exercises.of_notebook(read_notebook(path, tmp_path))


def test_title_stars_and_kind(tmp_path):
    cells = [new_code_cell("x = 1"), new_markdown_cell(ONE), new_markdown_cell(SOLVED)]
    after = [new_markdown_cell(END), new_code_cell("y = 1")]
    assert found(tmp_path, *cells, *after) == [exercises.Exercise("ex-a", "Count $x$", 2)]
    with_code = exercises.Exercise("ex-a", "Count $x$", 2, code=True)
    assert found(tmp_path, *cells, new_code_cell("z = 1"), *after) == [with_code]
    assert found(tmp_path, new_markdown_cell("None.")) == []


def test_the_table_names_a_chapter_once():
    chapter = parts.Chapter(21, "Probe", "nbs/2_features/21_probe", "Why?", frozenset())
    two = [exercises.Exercise("ex-a", "A", 1), exercises.Exercise("ex-b", "B", 3, code=True)]
    _, _, first, second = exercises.lines([(chapter, two)], Path("nbs/coursework"))
    assert first == ("| [21 Probe](../../nbs/2_features/21_probe.ipynb) | {ref}`ex-a` | A | Monte Carlo, variance "
                     "| ★ | 15 | on paper |")
    assert second == "|  | {ref}`ex-b` | B | Monte Carlo, variance | ★★★ | 150 | with code |"


def test_all_exercises_of_the_book():
    book = exercises.of_the_book(ROOT)
    assert len(book) > 30 and all(1 <= e.stars <= 3 for _, some in book for e in some)
    assert {chapter.number for chapter, _ in book} <= set(exercises.TOPICS)
    page = plain.Page("nbs/coursework/teacher.ipynb", plain.Edition())
    said = page.text("```{exercises}\n```")
    assert said.count("\n|") >= sum(len(some) for _, some in book) and "{ref}" not in said


def test_solutions_can_be_left_out():
    cells = [new_markdown_cell(ONE + "\n" + SOLVED), new_code_cell("z = 1"), new_markdown_cell("More."),
             new_markdown_cell(END + "\n\nAfter."), new_code_cell("y = 1"), new_markdown_cell("Untouched.\n")]
    nb = new_notebook(cells=cells)
    plain.without_solutions(nb)
    assert [c.source for c in nb.cells] == [ONE.strip("\n"), "After.", "y = 1", "Untouched.\n"]


def test_a_copy_without_solutions():
    page = "nbs/2_features/22_how_many.ipynb"
    text = (ROOT / page).read_text(encoding="utf-8")
    full, short = (plain.plain(text, page, plain.Edition(solutions=yes)) for yes in (True, False))
    said, less = ("\n".join(c.source for c in nb.cells) for nb in (full, short))
    assert "Solution of" in said and "Solution" not in less
    assert all(f"Exercise 22.{i}" in less for i in range(1, 5)) and "## Sources" in less
