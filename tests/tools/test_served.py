"""Kernels that are forked from one that is ready: each is as apart from the others as a program of its own."""

import os
import sys

import nbformat
import pytest
from jupyter_client.connect import write_connection_file

from rfdev import ROOT, execute, keys, served

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kernels are served on Linux")

LOOK = ("import os, sys, numpy; "
        "print(os.getcwd(), hasattr(numpy, 'mark'), 'MARK' in os.environ, os.getsid(0) == os.getpid())")
OURS = "print(sorted(n for n in sys.modules if n.startswith(('rfbook', 'rfdev', 'nbclient')) or 'popen_' in n))"


@pytest.fixture
def run(tmp_path):
    """Run cells in a kernel; what they printed, and what went wrong."""
    def run(*cells):
        (tmp_path / "nbs").mkdir(exist_ok=True)
        nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        code = keys.add_key(nb, keys.Sources(tmp_path))
        outcome = execute.run(execute.Job("nbs/a.ipynb", nb, code, tmp_path))
        return [o.text.strip() for c in outcome.nb.cells for o in c.get("outputs", []) if "text" in o], outcome.error

    return run


def test_nothing_is_left_of_the_kernel_before(run, tmp_path):
    seen = [str(tmp_path / "nbs"), "False", "False", "True"]
    assert run(LOOK, OURS, "numpy.mark = os.environ['MARK'] = 'x'") == ([" ".join(seen), "[]"], "")
    assert run(LOOK, OURS) == ([" ".join(seen), "[]"], "")


def test_a_figure_is_drawn_only_as_it_is_shown(run):
    watch = ("from matplotlib import pyplot\nfrom matplotlib.backends.backend_agg import FigureCanvasAgg\n"
             "from rfbook.figures import use_style\nuse_style()\ndrawn = []\n"
             "FigureCanvasAgg.draw = lambda canvas: drawn.append(1)")
    said, error = run(watch, "pyplot.subplots()[1].plot([1, 2]);", "print(drawn, pyplot.get_fignums())")
    assert (said, error) == (["[] []"], "")


def test_numba_has_read_its_tables(run):
    look = "from numba.core.registry import cpu_target\nprint(len(cpu_target.target_context._defns) > 100)"
    assert run(look) == (["True"], "")


def test_a_kernel_that_dies_is_told_and_the_next_one_runs(run):
    assert "Kernel died" in run("import os; os._exit(3)")[1]
    assert run("print(1)") == (["1"], "")


def test_no_other_program_can_take_a_kernel_its_sockets(run):
    said, error = run("import ipykernel\nprint(ipykernel.get_connection_info(unpack=True)['transport'])")
    assert (said, error) == (["ipc"], "")


def test_a_kernel_ends_with_whoever_asked_for_it(tmp_path):
    server = served.Server()
    path, _ = write_connection_file(str(tmp_path / "connection.json"))
    env = {**os.environ, "RFBOOK_ROOT": str(ROOT), "RFBOOK_USES": str(tmp_path / "uses.json")}
    kernel = served.Kernel(server, arguments=["-f", path], env=env, cwd=str(tmp_path))
    os.kill(kernel.pid, 0)
    assert kernel.poll() is None
    server.close()
    with pytest.raises(ProcessLookupError):
        os.kill(kernel.pid, 0)


