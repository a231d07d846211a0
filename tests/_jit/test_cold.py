"""What the first use of each map compiles: how many functions, and nothing in the process after it."""

import json
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
import json, os, shutil, sys
from pathlib import Path
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
assert not Counter.names

def compiled(code):
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        try:
            eval(code).fit_transform(X)
            os.write(writer, " ".join(Counter.names).encode())
        finally:
            os._exit(0 if sys.exc_info()[0] is None else 1)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        names = pipe.read().split()
    assert os.waitpid(child, 0)[1] == 0, code
    return names

found = {{}}
for name, (code, _) in {maps!r}.items():
    for part in Path(os.environ["NUMBA_CACHE_DIR"]).iterdir():
        shutil.rmtree(part)
    found[name] = compiled(code), compiled(code)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What each map compiles in a process that has imported it and has no cache, and then in the next one.

    One process imports, and forks one for each use, which begins as that began."""
    if os.environ.get("NUMBA_DISABLE_JIT"):
        pytest.skip("nothing is compiled")
    if not hasattr(os, "fork"):
        pytest.skip("no fork on this system")
    run = subprocess.run([sys.executable, "-c", CODE.format(maps=MAPS)], check=True, capture_output=True, text=True,
                         env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("cold"))})
    return json.loads(run.stdout)


@pytest.mark.parametrize("name", MAPS)
def test_first_use_compiles_little_and_second_nothing(name, seen):
    """Half the bill was one message of numba, which comes with an assignment of arrays and needs its whole strings."""
    (first, second), most = seen[name], MAPS[name][1]
    assert 1 < len(first) <= most, first
    assert not [n for n in first if "shape_context" in n or "str" in n]
    assert not second


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
