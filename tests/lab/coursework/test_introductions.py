"""What the introduction of an assignment says about marks and minutes is what its cells add up to."""

import re

import pytest

from rfdev.marking import checks
from rfdev.marking.release import masters

NAMES = [name for variant in (1, 2) for name in masters(variant=variant) if not name.startswith("assignment1")]


@pytest.mark.parametrize("name", NAMES)
def test_marks_and_minutes(name):
    cells = checks.master(name)
    text = [cell["source"] for cell in cells]
    marks = {kind: sum(cell["metadata"].get("nbgrader", {}).get("points", 0) for cell in cells
                       if cell["cell_type"] == kind) for kind in ("code", "markdown")}
    minutes = sum(int(m) for source in text for m in re.findall(r"^### Question.*\((\d+) minutes", source, re.M))
    least, most = checks.minutes_allowed(name)
    assert least <= minutes <= most
    assert f"add up to {minutes}," in text[0]
    assert f"There are {sum(marks.values())} marks: {marks['code']} are given by" in text[0]
    assert f"below each answer, {marks['markdown']} by a person" in text[0]


@pytest.mark.parametrize("name", NAMES)
def test_each_check_states_its_marks(name):
    for cell in checks.master(name):
        meta = cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] == "code" and meta.get("grade"):
            first = cell["source"].split("\n", 1)[0]
            assert re.match(rf"# .* \({meta['points']} marks?\)$", first), meta["grade_id"]
