"""The README's example prints what the README says."""

import contextlib
import io
import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[2] / "README.md"


@pytest.mark.skipif(not README.exists(), reason="no README beside the tests")
def test_example_prints_what_it_says():
    text = README.read_text(encoding="utf-8")
    code, output = re.search(r"```python\n(.*?)```\s+```text\n(.*?)```", text, re.S).groups()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, str(README), "exec"), {})
    assert printed.getvalue() == output
