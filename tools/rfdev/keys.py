"""What the outputs of a notebook depend on, so that a run is reused as long as it would come out the same.

The record of a run says which modules and files of the repository the notebook used, with their content then.  While
all of these are as they were, and the notebook's code is, the run stands; its key, which jupyter-cache sees as the
hidden last cell of the notebook, is a digest of them.  Without such a record the key is a digest of everything.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
import sys
from pathlib import Path

import nbformat

from rfdev import ROOT

RECORDS = Path(".cache") / "notebooks"
FORM = 1  # of the records; another one makes the old ones void
KEEP = 500  # records
KEY_CELL = "rfbook-hash"
# what a notebook may use; what lies elsewhere is made from these
_PLACES = ("rfbook", "nbs", "data", "tests", "tools", "_ext", "references.bib", "_toc.yml", "_config.yml", "README.md",
           "settings.ini", "pyproject.toml")
CLAIMS = Path(".cache") / "claims"  # verdicts of the ledger, which stand for the whole library
_SETTINGS = ("RFBOOK_DATA", "RFBOOK_CACHE", "RFBOOK_RESULTS", "RFBOOK_COURSE_SEED")
_PASSING = {"__pycache__", ".ipynb_checkpoints"}


def digest(*parts: str | bytes) -> str:
    """Digest of some texts, each of which counts with its length."""
    h = hashlib.sha256()
    for part in parts:
        part = part.encode() if isinstance(part, str) else part
        h.update(len(part).to_bytes(8, "big") + part)
    return h.hexdigest()[:24]


class Sources:
    """The repository as it is now; each file is read once.

    Parameters
    ----------
    root : Path
        Of the repository.
    """

    def __init__(self, root: Path = ROOT):
        self.root = root
        self._known: dict[str, str] = {}

    def relevant(self, path: str) -> str:
        """Name, relative to the root, of a file or folder that outputs may depend on; else empty."""
        try:
            name = Path(path).relative_to(self.root)
        except ValueError:
            return ""
        wanted = name.parts and name.parts[0] in _PLACES and not _PASSING & set(name.parts)
        return name.as_posix() if wanted and name.suffix != ".pyc" else ""

    def content(self, name: str) -> str:
        """Digest of a file, or of the names in a folder; empty for what is not there."""
        if name not in self._known:
            path = self.root / name
            if path.is_dir():
                names = sorted(p.name for p in path.iterdir() if self.relevant(str(p)))
                self._known[name] = digest(*names)
            else:
                self._known[name] = digest(path.read_bytes()) if path.is_file() else ""
        return self._known[name]

    def below(self, *places: str) -> set[str]:
        """Names of some places, and of all files and folders in them."""
        paths = [p for place in places for p in ((self.root / place), *(self.root / place).rglob("*"))]
        return {self.relevant(str(p)) for p in paths} - {""}

    @functools.cached_property
    def environment(self) -> str:
        """Digest of Python, of the locked packages and of the settings that the library reads."""
        lock = self.root / "requirements" / "lock.txt"
        packages = lock.read_bytes() if lock.exists() else b""
        settings = [os.environ.get(name, "") for name in _SETTINGS]
        return digest(str(FORM), sys.version, platform.machine(), packages, *settings)

    @functools.cached_property
    def everything(self) -> str:
        """Digest of all that any notebook may depend on."""
        names = sorted(self.below(*_PLACES))
        return digest(self.environment, *names, *map(self.content, names))


def code_of(nb: nbformat.NotebookNode) -> str:
    """Digest of what runs when a notebook, its directives turned into tags, is run."""
    cells = [c for c in nb.cells if c.cell_type == "code" and c.get("id") != KEY_CELL]
    return digest(*(("skipped:" if "skip-execution" in c.metadata.get("tags", []) else "") + c.source for c in cells))


def uses_of(seen: dict, sources: Sources) -> dict[str, str]:
    """Names and contents of what a run used.

    Parameters
    ----------
    seen : dict
        What ``rfdev/kernel.py`` wrote.  Whoever starts another program, reads a verdict of the ledger, or asks for
        anything under data/, may depend on more than was seen.
    """
    paths = [path for part in ("modules", "files", "folders") for path in seen[part]]
    names = {sources.relevant(path) for path in paths} - {""}
    judged = any(path.startswith(str(sources.root / CLAIMS)) for path in paths)
    if seen["spawned"] or judged:
        names |= sources.below("rfbook", "data")
    elif any(name.partition("/")[0] == "data" for name in names):
        names |= sources.below("data")
    return {name: sources.content(name) for name in sorted(names)}


def _file(code: str, sources: Sources) -> Path:
    return sources.root / RECORDS / f"{code}.json"


def write_record(code: str, uses: dict[str, str], sources: Sources) -> None:
    """Keep what a run used, and no more than the newest records."""
    path = _file(code, sources)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(f".{os.getpid()}")
    new.write_text(json.dumps({"environment": sources.environment, "uses": uses}, indent=1), encoding="utf-8")
    new.replace(path)
    for old in sorted(path.parent.glob("*.json"), key=lambda p: p.stat().st_mtime)[:-KEEP]:
        old.unlink()


def key(code: str, sources: Sources) -> str:
    """Key of a notebook with this code in the repository as it is."""
    try:
        record = json.loads(_file(code, sources).read_text(encoding="utf-8"))
        uses = record["uses"]
        stands = record["environment"] == sources.environment and all(
            sources.content(name) == was for name, was in uses.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):  # none, or a damaged one
        stands = False
    return "uses " + digest(sources.environment, json.dumps(uses)) if stands else "all " + sources.everything


def add_key(nb: nbformat.NotebookNode, sources: Sources) -> str:
    """Add the hidden last cell with the key to a notebook; returns the digest of its code."""
    code = code_of(nb)
    cell = nbformat.v4.new_code_cell(f"# rfbook {key(code, sources)}", id=KEY_CELL)
    cell.metadata["tags"] = ["remove-cell"]
    nb.cells.append(cell)
    return code
