"""The list of statements that assignments use is true of the chapters."""

import json
import re
from pathlib import Path

import pytest

from rfbook.coursework import STATEMENTS

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("label", STATEMENTS)
def test_statements_are_the_chapters_own(label):
    title, page = STATEMENTS[label]
    cells = json.loads((ROOT / "nbs" / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    assert re.search(rf"\{{prf:\w+\}} {re.escape(title)}\n:label: {label}\n", text), (label, title)
