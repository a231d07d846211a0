"""Run the cells of one notebook, whatever they do."""

from __future__ import annotations

import copy
import threading
import time

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from rfdev.cells import grade_id, kind
from rfdev.marking.limits import Limits, kill_tree
from rfdev.served import LocalKernelManager

MAX_OUTPUT = 200_000  # characters that one cell may write


def fail(cell, sentence: str) -> None:
    """Give a code cell the output of one that raised."""
    said = f"\x1b[0;31mNot finished\x1b[0m: {sentence}"
    cell.outputs = [*cell.get("outputs", []), nbformat.v4.new_output("error", ename="NotFinished", evalue=sentence,
                                                                     traceback=[said])]


# a check should meet the library's checks even if an answer has changed them
_FRESH = """
import sys as _sys
for _name in ("coursework", "ledger"):
    _sys.modules.pop("rfbook.lab." + _name, None)
    vars(_sys.modules.get("rfbook.lab", _sys)).pop(_name, None)
del _sys, _name
"""


class _Watcher(threading.Thread):
    """End a kernel whose resident memory, children included, passes a limit; works on Linux and macOS."""

    def __init__(self, pid: int, gib: float):
        super().__init__(daemon=True)
        self.pid, self.gib, self.tripped, self.over = pid, gib, False, threading.Event()

    def run(self):
        import psutil

        while not self.over.wait(0.05):
            try:
                top = psutil.Process(self.pid)
                used = 0
                for process in [top, *top.children(recursive=True)]:
                    try:
                        used += process.memory_info().rss
                    except psutil.Error:
                        pass
            except psutil.Error:
                return
            if used > self.gib * 2**30:
                self.tripped = True
                kill_tree(self.pid)
                return


def run_notebook(nb, limits: Limits) -> list[str]:
    """Run the code cells of a notebook, whatever they do; say what went wrong beyond ordinary errors.

    A cell that ends its kernel, by time, memory or itself, counts as one that raised.  A new kernel then runs the
    earlier cells that are no checks again and goes on behind it.
    """
    end, fatal, notes, start = time.monotonic() + limits.total, set(), [], 0
    while start < len(nb.cells):
        stopped, sentence = _session(nb, start, fatal, end, limits)
        if stopped is None:
            notes += [sentence] if sentence else []
            break
        cell = nb.cells[stopped]
        cell.outputs = [o for o in cell.outputs if o.output_type != "error"]
        fail(cell, sentence)
        notes.append(f"{grade_id(cell) if kind(cell) else f'cell {stopped + 1}'}: {sentence}")
        fatal.add(stopped)
        start = max(start, stopped + 1)
    for cell in nb.cells:
        if kind(cell) == "check":  # nbgrader takes anything on stderr, warnings too, for a failure
            for output in cell.outputs:
                if output.output_type == "stream":
                    output.name = "stdout"
    return notes


class _Client(NotebookClient):
    """Runs cells, keeps at most `MAX_OUTPUT` characters of what one writes, and marks one that ends too early."""

    written = 0

    def process_message(self, msg, cell, cell_index):
        """Let go of what is too much."""
        if msg["msg_type"] in {"stream", "display_data", "execute_result", "update_display_data"}:
            self.written += len(str(msg["content"]))
            if self.written > MAX_OUTPUT:
                return None
        return super().process_message(msg, cell, cell_index)


def _executed(cell, cell_index, execute_reply) -> None:
    """An answer may have switched tracebacks off."""
    errors = any(o.output_type == "error" for o in cell.outputs)
    if execute_reply["content"]["status"] != "ok" and not errors:
        fail(cell, "the cell did not run to its end")


def _session(nb, start: int, fatal: set[int], end: float, limits: Limits):
    """Run from cell `start` on in one kernel; return the cell that ended it and why, or None and a remark."""
    client = _Client(nb, kernel_name="python3", kernel_manager_class=LocalKernelManager, allow_errors=True,
                     interrupt_on_timeout=False, startup_timeout=120, shutdown_kernel="immediate",
                     raise_on_iopub_timeout=False, on_cell_executed=_executed)
    with client.setup_kernel():
        pid = client.km.provisioner.pid
        watcher = _Watcher(pid, limits.memory)
        watcher.start()
        try:
            for index, cell in enumerate(nb.cells):
                if cell.cell_type != "code" or not cell.source.strip() or index in fatal:
                    continue
                if index < start and kind(cell) == "check":
                    continue
                left = end - time.monotonic()
                if left <= 0:
                    late = [c for c in nb.cells[max(index, start):] if c.cell_type == "code"]
                    for cell in late:
                        fail(cell, f"not run: the whole notebook had taken {limits.total:g} s")
                    return None, f"{len(late)} cells were not run, because the notebook had taken {limits.total:g} s"
                client.timeout = max(1, int(min(limits.cell, left) + 0.999))
                if sentence := _execute(client, nb, index, index < start, watcher):
                    return index, sentence
        finally:
            watcher.over.set()
            kill_tree(pid)
    return None, ""


def _execute(client: _Client, nb, index: int, again: bool, watcher: _Watcher) -> str:
    """Run one cell, perhaps `again` and then without a trace; say what ended the kernel, if anything did."""
    cell = nb.cells[index]
    if kind(cell) == "check":
        client.kc.execute(_FRESH, silent=True)
    # the client writes what it ran into the notebook; what runs again must leave no trace
    client.nb, client.written = copy.deepcopy(nb) if again else nb, 0
    try:
        client.execute_cell(client.nb.cells[index], index)
    except CellTimeoutError:
        kill_tree(watcher.pid)
        return f"stopped after {client.timeout} s"
    except DeadKernelError:
        watcher.join(1.0) if watcher.tripped else None
        return f"it took more than {watcher.gib:g} GiB of memory" if watcher.tripped else "it ended its kernel"
    if not again and client.written > MAX_OUTPUT:
        note = f"\n... cut after {MAX_OUTPUT} characters\n"
        cell.outputs.append(nbformat.v4.new_output("stream", name="stdout", text=note))
    return ""
