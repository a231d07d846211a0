"""`import rfbook` costs nothing, and every name that it promises is there."""

import subprocess
import sys

import pytest

import rfbook


def fresh(code):
    """Return what `code` prints in a fresh interpreter."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


HEAVY = ("numpy", "scipy", "sklearn", "numba", "matplotlib", "pooch", "threadpoolctl")


def test_import_is_lazy():
    assert fresh(f"import sys, rfbook; print([m for m in {HEAVY!r} if m in sys.modules])") == "[]"


def test_import_is_fast():
    """In processor time of a fresh process, because a busy machine makes every wall clock late."""
    code = "import time; t = time.process_time(); import rfbook; print(time.process_time() - t)"
    seconds = [float(fresh(code)) for _ in range(5)]
    assert min(seconds) < 0.05, seconds


@pytest.mark.parametrize("name", rfbook.__all__)
def test_every_public_name_resolves(name):
    assert getattr(rfbook, name) is not None


def test_dir_lists_the_lazy_names():
    assert fresh("import rfbook; print(sorted(set(rfbook.__all__) - set(dir(rfbook))))") == "[]"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'RandomFourier'"):
        rfbook.RandomFourier  # noqa: B018


def test_it_is_typed_and_has_a_version():
    from importlib.metadata import version
    from importlib.resources import files

    assert files("rfbook").joinpath("py.typed").is_file()
    assert version("rfbook") == rfbook.__version__
