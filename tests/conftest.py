"""Tests see the package alone, with a backend that needs no screen; ``-n auto`` is a process per core and one more."""

import contextlib
import os

import pytest

with contextlib.suppress(ImportError):  # no repository around the tests
    import rfdev  # noqa: F401  (before nbformat: see there)

os.environ.setdefault("MPLBACKEND", "agg")


@pytest.hookimpl(optionalhook=True)  # tests run without xdist, too
def pytest_xdist_auto_num_workers(config):
    """A process for each core to have, a container's share included, and one more, since some tests wait for others."""
    from joblib import cpu_count

    return cpu_count() + 1


@pytest.fixture
def many_threads():
    """BLAS with four threads, and so the library's default too, where the processes of a run are held to one."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(4, user_api="blas"):
        yield


def pytest_collection_modifyitems(items):
    """What takes longest comes first: whole markings, for which one process makes a course, then tests of tools, which
    start programs. As the last ones they would keep one process busy while the others wait; coursework, which comes
    next, ends with thousands of short tests, which one process takes from another. A process keeps the next two of its
    tests: of two long ones that are neighbours one is marked to start first."""
    items.sort(key=lambda item: (item.get_closest_marker("first") is None, "course" not in item.fixturenames,
                                 "tools" not in item.path.parts, "coursework" not in item.path.parts))
