"""A course in which all assignments are released, made once for all processes of a run."""

import os
import shutil
import time
from pathlib import Path

import pytest

from rfdev.marking.cli import main


def _made(folder: Path) -> None:
    """Release all assignments into a folder, and leave a word on how it went."""
    status = 1
    try:
        status = main(["release", "--folder", str(folder)])
    finally:
        folder.with_name("released.status").write_text(str(status), encoding="utf-8")


@pytest.fixture(scope="session")
def released(tmp_path_factory):
    """The course as it was made, which nobody may change."""
    place = tmp_path_factory.getbasetemp()
    place = place.parent if os.environ.get("PYTEST_XDIST_WORKER") else place  # which all processes of xdist share
    folder, said = place / "released", place / "released.status"
    try:
        (place / "released.begun").mkdir()
        _made(folder)
    except FileExistsError:
        while not said.exists():
            time.sleep(0.1)
    assert said.read_text(encoding="utf-8") == "0"
    return folder


@pytest.fixture(scope="module")
def course(released, tmp_path_factory):
    """A course of one's own with all assignments, where students may hand in."""
    return Path(shutil.copytree(released, tmp_path_factory.mktemp("course") / "course"))
