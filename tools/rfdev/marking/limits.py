"""What a submission may use, and how its processes are ended."""

from __future__ import annotations

import sys
from dataclasses import dataclass

MAX_FILE = 2**28  # bytes of any file that a submission writes


@dataclass(frozen=True)
class Limits:
    """What a submission may use: seconds per cell, seconds in all, and GiB of memory."""

    cell: float = 120.0
    total: float = 900.0
    memory: float = 2.0


def kill_tree(pid: int) -> None:
    """End a process and all its descendants."""
    import psutil

    try:
        top = psutil.Process(pid)
        family = [*top.children(recursive=True), top]
    except psutil.NoSuchProcess:
        return
    for process in family:
        try:
            process.kill()
        except psutil.Error:
            pass


def limit_process(limits: Limits) -> None:
    """Limits that the system keeps; the kernels inherit them."""
    try:
        import resource
    except ImportError:  # Windows
        return
    wanted = {"RLIMIT_CORE": 0, "RLIMIT_FSIZE": MAX_FILE, "RLIMIT_CPU": int(limits.total) + 60}
    if sys.platform == "linux":  # macOS accepts this one and does nothing
        # an array that is far too large then fails at once; libraries reserve a few GiB that they never touch
        wanted["RLIMIT_AS"] = int((limits.memory + 4) * 2**30)
    for name, value in wanted.items():
        hard = resource.getrlimit(getattr(resource, name))[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(getattr(resource, name), (value, hard if name == "RLIMIT_CPU" else value))
