"""Minutes on cards are those of the model: prose, statements, formulas and open code, nothing that is closed."""

import json

from rfdev import ROOT, minutes, routes
from rfdev.cells import read_notebook


def book(tmp_path, *cells):
    path = tmp_path / "a.ipynb"
    made = [{"cell_type": kind, "source": source, "metadata": metadata, "outputs": []}
            for kind, source, metadata in cells]
    path.write_text(json.dumps({"cells": made}))
    return read_notebook(path, tmp_path)


def text(source):
    return "markdown", source, {}


def test_prose_statements_formulas_and_code(tmp_path):
    assert minutes.estimate(book(tmp_path, text("word " * 1800))) == 10
    assert minutes.estimate(book(tmp_path, text("```{prf:theorem} T\n:label: t\n" + "word " * 500 + "\n```"))) == 10
    assert minutes.estimate(book(tmp_path, text("\n\n".join(["$$\na\n$$"] * 20)))) == 10
    assert minutes.estimate(book(tmp_path, text("$a$ " * 300))) == 10
    assert minutes.estimate(book(tmp_path, ("code", "x = 1\n" * 150, {}))) == 10


def test_what_is_closed_is_not_counted(tmp_path):
    long = "word " * 1800
    closed = [text("```{admonition} Fine print\n:class: dropdown\n" + long + "\n```"),
              text("```{solution-start} ex\n:class: dropdown\n```\n" + long + "\n```{solution-end}\n```"),
              ("code", "x = 1\n" * 150, {"tags": ["hide-input"]})]
    assert minutes.estimate(book(tmp_path, *closed)) == minutes.STEP
    assert minutes.estimate(book(tmp_path, *closed, text(long))) == 10


def test_cards_say_what_the_model_says():
    books = [read_notebook(path, ROOT) for path in sorted((ROOT / "nbs").glob("[1-7]_*/*.ipynb"))]
    told = {nb.path: (routes.minutes(nb), minutes.estimate(nb)) for nb in books}
    assert not {name: pair for name, pair in told.items() if abs(pair[0] - pair[1]) > minutes.STEP}, (
        "python tools/minutes.py --write")
