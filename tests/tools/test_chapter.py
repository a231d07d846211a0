"""The chapter that new ones begin with: the lint is content with it, its cells run, and its claim holds."""

import subprocess
import sys
from types import SimpleNamespace

import jupytext
import nbformat

from rfdev import ROOT, cells
from rfdev.lint import book

CHAPTER = ROOT / "tools" / "chapter.md"
# all cells in one module, which stands for those that they would be exported to
RUN = """
import sys
from types import ModuleType

import matplotlib
import rfbook.features

matplotlib.use("agg")
module = ModuleType("rfbook.features.averages")
sys.modules[module.__name__] = rfbook.features.averages = module
for code in {codes!r}:
    exec(code, vars(module))

from rfbook.lab.claims import judge, registry

claim, = [claim for claim in registry() if claim.label == "thm-averages"]
verdict = judge(claim)
assert verdict.upheld and len(claim.mutants) == 1, verdict
"""


def read():
    """The chapter as a notebook."""
    nb = jupytext.reads(CHAPTER.read_text(encoding="utf-8"), fmt="md:myst")
    nb.metadata.pop("jupytext")
    return nb


def test_the_lint_is_content(tmp_path):
    path = tmp_path / "nbs" / "2_features" / "27_averages.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(read(), path)
    claim = SimpleNamespace(label="thm-averages", mutants=["sines"])
    assert book.lint(tmp_path, [claim]) == []


def test_it_runs_and_its_claim_holds():
    codes = [cells.split_directives(cell.source)[1] for cell in read().cells if cell.cell_type == "code"]
    done = subprocess.run([sys.executable, "-c", RUN.format(codes=codes)], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
