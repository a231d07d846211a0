"""Ways through the book, with the minutes of their chapters."""

import json

import pytest

from rfdev import ROOT, routes
from rfdev.cells import read_notebook


def notebook(path, text):
    path.write_text(json.dumps({"cells": [{"cell_type": "markdown", "source": text, "metadata": {}}]}))
    return path


def test_minutes_are_those_of_the_card(tmp_path):
    notebook(tmp_path / "a.ipynb", "# A\n\n**Time.** 35 minutes to read, 10 seconds to run.")
    notebook(tmp_path / "b.ipynb", "# B\n\n" + "word " * 1000)
    lines = ["- [A](a.ipynb): of [B](b.ipynb)", "", "- [B](b.ipynb)", "end [A](a.ipynb)"]
    said, total, read = routes.with_minutes(lines, tmp_path)
    assert said == [lines[0] + " *35 minutes.*", "", lines[2] + " *10 minutes.*", lines[3]]
    assert total == 45 and [path.name for path in read] == ["a.ipynb", "b.ipynb"]


def test_a_stop_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="gone"):
        routes.with_minutes(["- [gone](gone.ipynb)"], tmp_path)


@pytest.mark.parametrize(("total", "said"), [(35, "35 minutes"), (60, "1 hour"), (95, "1½ hours"), (150, "2½ hours"),
                                             (240, "4 hours")])
def test_spelling(total, said):
    assert routes.spell(total) == said


def test_every_chapter_says_how_long_it_takes():
    """So that no route has to guess; pages without a card may be guessed."""
    for path in sorted((ROOT / "nbs").glob("[1-7]_*/*.ipynb")):
        text = "".join(cell.source for cell in read_notebook(path, ROOT).markdown())
        assert "minutes to read" in text and routes.minutes(read_notebook(path, ROOT)) in range(5, 61), path.name
