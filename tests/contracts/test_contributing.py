"""The worked examples of CONTRIBUTING run as they stand there, and are as short as it says."""

import re
from unittest import mock

from rfbook.lab.claims import judge
from rfdev import ROOT

SECTION = "## How to add a kernel, a map that looks at y, a loss, a sampler, a claim"


def examples():
    """Its blocks of Python, the imports first."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    text = text[text.index(SECTION) :]
    return re.findall(r"```python\n(.*?)```", text[: text.index("\n## ", 5)], flags=re.S)


def test_five_examples_run():
    blocks, names = examples(), {"__name__": "rfbook.lab.claims.contributing"}
    assert len(blocks) == 6
    with mock.patch.dict("rfbook.lab.claims._registry._REGISTRY"):  # its claim is to be forgotten
        for block in blocks:
            exec(block, names)
        verdict = judge(names["length_of_features"])
    assert verdict.upheld, verdict.faults


def test_each_takes_ten_lines():
    for block in examples()[1:]:
        lines = [line for line in block.splitlines() if line and not line.startswith("assert")]
        assert len(lines) <= 10, block
