"""The list of all statements, and what each rests on."""

import json
import re
from pathlib import Path

from rfdev import ROOT, dependence
from rfdev.cells import read_notebook

CHAPTER = """# A

```{prf:definition} Grid
:label: def-grid
As in {prf:ref}`thm-far`.
```

````{prf:theorem} First
:label: thm-first

$$ x $$ (eq-first)
````

````{admonition} Fine print: more
:class: dropdown
```{prf:corollary}
:label: cor-second
From [what stands before](#thm-first).
```

```{prf:proof}
By {prf:ref}`a grid <def-grid>`, {prf:ref}`thm-first` and {eq}`eq-first`, which is no {eq}`eq-far`.
```
````

```{prf:lemma} Third
:label: lem-third
```
"""


def read(tmp_path, text):
    path = tmp_path / "nbs" / "a.ipynb"
    path.parent.mkdir()
    path.write_text(json.dumps({"cells": [{"cell_type": "markdown", "source": text, "metadata": {}}]}))
    return read_notebook(path, tmp_path)


def test_a_proof_belongs_to_what_stands_before_it_without_one(tmp_path):
    """A formula is named for its statement; nothing is named twice, nor itself, nor what is not there."""
    found = {s.label: s for s in dependence.statements([read(tmp_path, CHAPTER)])}
    assert {label: s.named for label, s in found.items()} == {
        "def-grid": [], "thm-first": ["def-grid"], "cor-second": ["def-grid", "thm-first"], "lem-third": []}
    assert dependence.lines([found["cor-second"]], Path("nbs/b")) == [
        "**[](../a.ipynb)**", "", "- {prf:ref}`cor-second`, from {prf:ref}`def-grid`, {prf:ref}`thm-first`", ""]


def test_the_list_lacks_no_statement():
    """All that a plain search of parts I to VII finds, and arrows that lead backwards in no circle."""
    found, read = dependence.of_the_book(ROOT)
    cells = (cell for path in read for cell in json.loads(path.read_text(encoding="utf-8"))["cells"])
    text = "\n".join("".join(cell["source"]) for cell in cells)
    kinds = "|".join(dependence.KINDS)
    assert [s.label for s in found] == re.findall(rf"\{{prf:(?:{kinds})\}}.*\n:label: (\S+)", text)
    needs = {s.label: set(s.named) for s in found}
    assert sum(map(len, needs.values())) > 80
    while needs:
        free = {label for label, named in needs.items() if not named & needs.keys()}
        assert free, f"statements rest on each other: {sorted(needs)}"
        needs = {label: named for label, named in needs.items() if label not in free}
