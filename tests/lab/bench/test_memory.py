"""The memory of a piece of code, measured in a process of its own."""

import mmap
import os
import sys

import numpy as np
import pytest

from rfbook.lab.bench import memory, runner
from rfbook.lab.bench.cases import cases

LINUX = sys.platform.startswith("linux")
MB = 10**6
SIZE = 200 * MB
# A process counts pages one processor at a time and may be late by a batch of max(32, 2 cpus) pages on each of them;
# a climb is the difference of two such readings, and each may be late.
LATE = 2 * mmap.PAGESIZE * max(32, 2 * (os.cpu_count() or 1)) * (os.cpu_count() or 1)
# What else may climb: the arenas of Python's allocator and the compiled code of the line, both below ten megabytes.
BESIDES = 10 * MB
BEFORE = "import numpy as np"


@pytest.mark.parametrize("work", [f"x = np.ones({SIZE // 8})", f"np.ones({SIZE // 8}); x = 1",
                                  f"x = np.ones({SIZE // 8}); y = x"])
def test_memory_of_a_known_array(work):
    """All its pages are there at once, and new: an array of this size comes from the system, not from a free list."""
    found = memory.child_memory(work, BEFORE)
    # where the system tells only the highest, what was held and freed before may hide a part
    assert SIZE - LATE - (0 if LINUX else BESIDES) <= found <= SIZE + LATE + BESIDES


def test_two_arrays_that_live_one_after_the_other_count_once():
    found = memory.child_memory(f"x = np.ones({SIZE // 8}); del x; y = np.ones({SIZE // 8}); del y", BEFORE)
    assert found <= SIZE + LATE + BESIDES
    both = memory.child_memory(f"x = np.ones({SIZE // 8}); y = np.ones({SIZE // 8})", BEFORE)
    assert both >= 2 * SIZE - LATE - (0 if LINUX else BESIDES)


def test_memory_of_the_parent_does_not_count():
    ballast = np.ones(2 * SIZE // 8)
    found = memory.child_memory("x = 1", BEFORE)
    assert ballast[-1] == 1 and found <= LATE + BESIDES


@pytest.mark.skipif(not LINUX, reason="the system tells only the highest")
def test_memory_before_the_work_does_not_count():
    found = memory.child_memory("x = 1", f"{BEFORE}\nnp.ones({SIZE // 8})")
    assert found <= LATE + BESIDES


def test_memory_where_the_peak_cannot_be_set_back(monkeypatch):
    """The growth of the peak is then what is told."""
    told = iter([70, 100])

    def refuse(*a, **k):
        raise PermissionError

    monkeypatch.setattr(memory.Path, "write_text", refuse)
    monkeypatch.setattr(memory, "resident", lambda peak: next(told) if peak else pytest.fail("what is held now"))
    assert memory.climb("pass", {}) == 30


def test_memory_from_getrusage(monkeypatch):
    resource = pytest.importorskip("resource")

    def refuse(*a, **k):
        raise FileNotFoundError

    monkeypatch.setattr(memory.Path, "read_text", refuse)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    assert memory.resident(True) >= most and memory.resident(False) >= most


def test_memory_of_a_case():
    """Both sides of an offset map hold the input and the output, which is all that is certain."""
    wanted = ("offset map, d 784, D 4000", "float64")
    number = next(i for i, c in enumerate(cases("quick")) if (c.name, c.dtype) == wanted)
    quick = cases("quick")[number]
    least = 8 * quick.size["n"] * (784 + 4000) - LATE
    found = runner._memory("quick", number)
    assert set(found) == {"ours_bytes", "peer_bytes"}
    # freed memory of the warm-up, a weight matrix of 784 x 4000 among it, may be used again and so not climb
    assert all(amount >= least - 8 * 784 * 4000 for amount in found.values())
