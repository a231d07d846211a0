"""What the introduction of assignment 2 says about marks and minutes is what its cells add up to."""

import json
import re
from pathlib import Path

CELLS = json.loads((Path(__file__).resolve().parents[3] / "nbs/coursework/assignment2.ipynb").read_text())["cells"]


def test_marks_and_minutes():
    text = ["".join(cell["source"]) for cell in CELLS]
    marks = {kind: sum(cell["metadata"].get("nbgrader", {}).get("points", 0) for cell in CELLS
                       if cell["cell_type"] == kind) for kind in ("code", "markdown")}
    minutes = sum(int(m) for source in text for m in re.findall(r"^### Question.*\((\d+) minutes", source, re.M))
    assert 90 <= minutes <= 150
    assert f"add up to {minutes}," in text[0]
    assert f"There are {sum(marks.values())} marks: {marks['code']} are given by" in text[0]
    assert f"below each answer, {marks['markdown']} by a person" in text[0]


def test_each_check_states_its_marks():
    for cell in CELLS:
        meta = cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] == "code" and meta.get("grade"):
            assert re.match(rf"# .* \({meta['points']} marks?\)\n", cell["source"][0]), meta["grade_id"]
