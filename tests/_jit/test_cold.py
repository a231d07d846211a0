"""What the first use of each map compiles: how many functions, and nothing in the process after it."""

import os
import subprocess
import sys

import pytest

from rfbook._jit import cosine

MAPS = {  # what is fitted, and how many functions numba may compile for it, those of its own library among them
    "iid": ('RandomFourierFeatures(length_scale=3.0, random_state=0)', 4),
    "structured": ('RandomFourierFeatures(length_scale=3.0, sampling="structured", random_state=0)', 6),
    "fastfood": ('RandomFourierFeatures(length_scale=3.0, sampling="fastfood", phase="offset", random_state=0)', 5),
    "binning": ('RandomBinningFeatures(length_scale=3.0, random_state=0)', 12),
}
CODE = """
import numpy as np
from numba.core import event
from rfbook.features import RandomBinningFeatures, RandomFourierFeatures

class Counter(event.Listener):
    names = []
    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__qualname__)
    def on_end(self, event):
        pass

event.register("numba:compile", Counter())
X = np.random.default_rng(0).standard_normal((40, 5))
{map}.fit_transform(X)
print(*Counter.names)
"""


@pytest.mark.parametrize("name", MAPS)
def test_first_use_compiles_little_and_second_nothing(name, tmp_path):
    """Half the bill was one message of numba, which comes with an assignment of arrays and needs its whole strings."""
    if os.environ.get("NUMBA_DISABLE_JIT"):
        pytest.skip("nothing is compiled")
    code, most = MAPS[name]
    seen = []
    for _ in range(2):
        run = subprocess.run([sys.executable, "-c", CODE.format(map=code)], check=True, capture_output=True, text=True,
                             env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)})
        seen.append(run.stdout.split())
    assert 1 < len(seen[0]) <= most, seen[0]
    assert not [n for n in seen[0] if "shape_context" in n or "str" in n]
    assert not seen[1]


class _Compile:
    """What numba says of a compilation."""

    def __init__(self, module):
        function = type("", (), {"__module__": module})
        self.data = {"dispatcher": type("", (), {"py_func": function})}


@pytest.mark.parametrize("module,long,seen,told", [("rfbook._jit.cosine", 0.0, True, ["WARNING"]),
                                                   ("rfbook._jit.cosine", 0.0, False, ["INFO"]),
                                                   ("rfbook._jit.cosine", 60.0, True, []), ("scipy", 0.0, True, [])])
def test_a_long_compilation_is_told_once(module, long, seen, told, monkeypatch, caplog):
    monkeypatch.setattr(cosine, "_LONG", long)
    monkeypatch.setattr("sys.stderr.isatty", lambda: seen, raising=False)
    if not seen:
        monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    caplog.set_level("INFO", logger="rfbook")
    wait, inner = cosine._Wait(), _Compile(module)
    for _ in range(2):
        wait.on_start(inner)
        wait.on_start(inner)
        if told:
            wait.timer.join()  # until the line is out, not only on its way
        wait.on_end(inner)
        wait.on_end(inner)
    assert [record.levelname for record in caplog.records] == told
    assert wait.told == bool(told)
