"""Which slides a chapter gives, and which of them a deck takes; Marp, which npm brings, is not asked."""

import os
import re
import subprocess
import sys

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from rfdev import ROOT, slides

STATED = """Before it.

> **Theorem 21.1 ([Hoeffding](a.ipynb)).**
>
> For all $x$ of [the set](b.ipynb#c)
>
> $$ x\\le1 . $$
>
> That is all.

Between.

> **A box**
>
> of other things.

<details>
<summary>Fine print</summary>

> **Lemma 21.2.**
>
> Not on a slide.

</details>
"""
RECALL = """## Recall

<details>
<summary>What is <em>it</em>?</summary>

This, $x--y$.

</details>

<details>
<summary>

Is $x<1$?

</summary>

No.

</details>
"""


def chapter(more=()):
    """A plain copy."""
    cells = [new_markdown_cell("# Title"), new_code_cell("import numpy as np"),
             new_code_cell("# @title Imports\nx = 1\ny = 2"),
             new_code_cell("x = 1\nprint(x)"), new_code_cell("y = 1\nprint(y)"), new_markdown_cell(STATED),
             new_markdown_cell("**Figure 21.1.** A line of [it](x.ipynb).", id="cell-caption"), *more,
             new_markdown_cell(RECALL)]
    return new_notebook(cells=cells)


def given(more=()):
    """Its slides."""
    return slides.of_chapter(chapter(more), "21 Title", "Why [so](x.ipynb)?", {"cell": ("figures/a.svg", 'A "line"')})


def test_statements_in_view_without_links():
    (name, said), = slides.statements(STATED)
    assert name == "Theorem 21.1 (Hoeffding)" and said.startswith("For all $x$ of the set")
    assert "\n\n$$\nx\\le1 .\n$$\n\n" in said and said.endswith("That is all.")
    assert not slides.statements(STATED.replace("That is all.", "long " * slides.LONG))


def test_a_chapter_gives_question_code_statement_figure_and_recall():
    first, stated, figure, last = given()
    assert first.text == "Why so?\n\n```python\nx = 1\nprint(x)\n```"
    assert stated.kind == "statement" and figure.title == "Figure 21.1"
    assert figure.text == '<img src="figures/a.svg" alt="A &quot;line&quot;">\n\nA line of it.'
    asked, notes = last.text.split("<!--")
    assert "1. What is <em>it</em>?" in asked and "2. Is $x<1$?" in asked and "This" not in asked
    assert "1. This" in notes and "--" not in notes.partition("-->")[0]
    assert "_class" not in last.markdown()  # notes are not seen, and make no text smaller


def test_a_cell_that_no_slide_holds_is_left_out():
    copy = chapter()
    copy.cells[3].source = "\n".join(["x = 1"] * 8)
    copy.cells[4].metadata["jupyter"] = {"source_hidden": True}
    assert "python" not in slides.of_chapter(copy, "T", "Why?", {})[0].text


def test_one_of_each_kind_before_a_second():
    more = [new_markdown_cell(f"> **{name}.**\n>\n> Later.") for name in ("Proposition 21.3", "Theorem 21.4")]
    found = given(more)
    assert [s.kind for s in slides.chosen(found, 4)] == ["question", "statement", "figure", "recall"]
    assert [s.title for s in slides.chosen(found, 5)][3] == "Theorem 21.4"
    assert slides.chosen(found, 99) == found


@pytest.mark.parametrize(("sizes", "most", "shares"), [
    ([9, 9, 9], 10, [4, 3, 3]), ([2, 9, 9], 10, [2, 4, 4]), ([1, 2], 10, [1, 2]), ([], 3, []),
])
def test_chapters_share_a_deck(sizes, most, shares):
    assert slides.shared(sizes, most) == shares


def test_a_deck_is_marp_and_no_longer_than_it_may_be():
    text = slides.deck("II", [("21 Title", given()), ("22 Other", given())], most=6)
    assert text.startswith("---\nmarp: true\n") and len(re.findall(r"^## ", text, flags=re.M)) == 6
    assert text.count("\n---\n") == 6 and "- 22 Other" in text


@pytest.mark.parametrize("part", "123456")
def test_the_decks_of_the_book(part):
    text = slides.of_part(part, ROOT, lambda page: {})
    titles = re.findall(r"^## (.*)", text, flags=re.M)
    assert 20 <= len(titles) <= slides.MOST and "](" not in text
    numbers = [c.number for c in slides.parts.chapters(ROOT) if str(c.number)[0] == part]
    assert all(any(t.startswith(f"{number} ") for t in titles) for number in numbers)


def test_without_npm_the_command_says_what_is_missing(tmp_path):
    if (ROOT / ".cache" / "marp" / "stamp").exists():
        pytest.skip("Marp is there")
    done = subprocess.run(["/bin/sh", ROOT / "tools" / "marp.sh"], capture_output=True, text=True, check=False,
                          env={**os.environ, "PATH": "/nowhere:" + _basics(tmp_path)})
    assert done.returncode == 3 and "node is not installed, so that" in done.stderr


def _basics(folder):
    """A folder with what a shell script needs, and neither npm nor node."""
    for name in ("dirname", "cksum", "cat", "mktemp", "rm", "cp", "mkdir"):
        for place in ("/usr/bin", "/bin"):
            if os.path.exists(f"{place}/{name}") and not (folder / name).exists():
                (folder / name).symlink_to(f"{place}/{name}")
    return str(folder)


def test_a_part_that_is_none_is_refused():
    done = subprocess.run([sys.executable, ROOT / "tools" / "slides.py", "9"], capture_output=True, text=True,
                          check=False, env={**os.environ, "PYTHONPATH": str(ROOT / "tools")})
    assert done.returncode == 2 and "no slides are made of part '9'" in done.stderr
