"""Files of a course folder: written whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path


def write(path: Path, text: str) -> None:
    """Replace a file in one step, so that a run that is stopped leaves the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)


def read_state(folder: Path) -> dict:
    """What is known of each submission: digest, status, notes, seconds."""
    path = folder / "marked.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write_state(folder: Path, state: dict) -> None:
    """Keep what is known of each submission."""
    write(folder / "marked.json", json.dumps(state, indent=1, ensure_ascii=False))
