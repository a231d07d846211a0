"""Run one notebook: the student's cells behind the wall, the checks here, each with functions that are called there."""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import linecache
import math
import os
import re
import signal
import tempfile
import threading
import time
import traceback
from pathlib import Path

import nbformat

from rfbook.lab.coursework import VARIABLE as SEED
from rfdev.cells import grade_id, kind
from rfdev.marking.limits import Limits
from rfdev.marking.session import CHECK, NotFinished, Session, _Raised

MAX_OUTPUT = 200_000  # characters that one cell may write


def fail(cell, sentence: str) -> None:
    """Give a code cell the output of one that raised."""
    said = f"\x1b[0;31mNot finished\x1b[0m: {sentence}"
    cell.outputs = [*cell.get("outputs", []), nbformat.v4.new_output("error", ename="NotFinished", evalue=sentence,
                                                                     traceback=[said])]


def unbound(source: str, known) -> list[str]:
    """Names that a check uses and does not make: the answers."""
    tree, made, used = ast.parse(source), set(dir(builtins)) | set(known), []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used.append if isinstance(node.ctx, ast.Load) else made.add)(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            made.add(node.name)
        elif isinstance(node, ast.arg):
            made.add(node.arg)
        elif isinstance(node, ast.alias):
            made.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            made.add(node.name)
    return [name for name in dict.fromkeys(used) if name not in made]


# ---- outputs: what comes from an answer is text and pictures, and nothing that a browser would run ------------------

_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")


def _clean(raw) -> list:
    """Outputs of a cell, as far as they are sound."""
    out = []
    for output in raw if isinstance(raw, list) else []:
        if not isinstance(output, dict):
            continue
        sort, data = output.get("output_type"), output.get("data")
        if sort == "stream":
            name = "stderr" if output.get("name") == "stderr" else "stdout"
            out.append(nbformat.v4.new_output("stream", name=name, text=str(output.get("text", ""))))
        elif sort == "display_data" and isinstance(data, dict):
            kept = {"text/plain": str(data.get("text/plain", ""))}
            if isinstance(picture := data.get("image/png"), str) and _BASE64.fullmatch(picture):
                kept["image/png"] = picture
            out.append(nbformat.v4.new_output("display_data", data=kept))
        elif sort == "error":
            trace = output.get("traceback")
            name, said = str(output.get("ename", "")), str(output.get("evalue", ""))
            out.append(nbformat.v4.new_output("error", ename=name, evalue=said,
                                              traceback=[str(t) for t in trace] if isinstance(trace, list) else []))
    return out


# ---- checks --------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _alarm(seconds: float):
    """Stop what runs here after some time, where the system can."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_):
        raise NotFinished(f"stopped after {math.ceil(seconds)} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds + 5)  # calls have their own limit, which is earlier
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _trace(error: BaseException, name: str) -> list[str]:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == name]
    where = "".join(traceback.format_list(frames[-1:]))
    return [*where.splitlines(), f"{type(error).__name__}: {error}"]


def check_cell(cell, base: dict, line) -> None:
    """Run a check with the answers that it names, and give the cell what it said.

    Raises
    ------
    NotFinished
        If an answer ran into a limit.
    """
    name, said, names = f"<check {grade_id(cell)}>", io.StringIO(), {**base, "__name__": CHECK}
    linecache.cache[name] = (len(cell.source), None, cell.source.splitlines(keepends=True), name)
    error: BaseException | None = None
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            for answer in unbound(cell.source, base):
                with contextlib.suppress(KeyError):
                    names[answer] = line.get(answer)
            exec(compile(cell.source, name, "exec"), names)
        except _Raised as carried:
            error = carried.error.with_traceback(carried.__traceback__)
        except Exception as found:
            error = found
        finally:
            if text := said.getvalue()[:MAX_OUTPUT]:
                cell.outputs.append(nbformat.v4.new_output("stream", name="stdout", text=text))
    if error is not None:
        cell.outputs.append(nbformat.v4.new_output("error", ename=type(error).__name__, evalue=str(error),
                                                   traceback=_trace(error, name)))


# ---- the notebook --------------------------------------------------------------------------------------------------


class _Course:
    """One run of a notebook."""

    def __init__(self, nb, folder: Path, limits: Limits):
        self.nb, self.folder, self.limits = nb, folder, limits
        self.end = time.monotonic() + limits.total
        self.session: Session | None = None
        self.fatal: set[int] = set()
        self.remarks: list[str] = []
        self.base: dict = {}

    def seconds(self) -> float:
        """How long the next cell may take."""
        return max(0.0, min(self.limits.cell, self.end - time.monotonic()))

    def leave(self) -> None:
        """End the process, and keep what it did that no answer needs."""
        if self.session is not None:
            tried = [*self.session.tampered(), *self.session.tried]
            self.remarks += [s for s in tried if s not in self.remarks]
            self.session.close()
        self.session = None

    def enter(self, index: int) -> Session | None:
        """A process in which the cells before `index` have run, checks and those that end it aside."""
        for _ in range(4):
            if self.session is not None and not self.session.dead:
                return self.session
            self.leave()
            self.session = Session(self.folder, self.limits)
            for i, cell in enumerate(self.nb.cells[:index]):
                if i not in self.fatal and is_code(cell) and kind(cell) != "check" and not self.session.dead:
                    self.session.run(cell.source, max(1.0, self.seconds()))
                    if self.session.dead and i:
                        self.fatal.add(i)
        return None if self.session is None or self.session.dead else self.session

    def one(self, index: int) -> str:
        """Run a cell; say what ended it, if anything did."""
        cell, session = self.nb.cells[index], self.enter(index)
        if session is None:
            return "its process could not be started"
        cell.outputs, seconds = [], max(1.0, math.ceil(self.seconds()))
        if kind(cell) != "check":
            if kind(cell) == "locked":
                with contextlib.suppress(Exception):
                    exec(compile(cell.source, "<setup>", "exec"), self.base)
            cell.outputs = _clean(session.run(cell.source, seconds))
            return session.dead
        line = session.line(seconds)
        if line is None:
            return session.dead
        try:
            with _alarm(seconds):
                check_cell(cell, self.base, line)
        except NotFinished as error:
            return session.sentence(line, seconds) if line.dead else str(error)
        finally:
            session.end(line)
        return ""


def is_code(cell) -> bool:
    """Whether there is something to run."""
    return cell.cell_type == "code" and bool(cell.source.strip())


def run_notebook(nb, limits: Limits, seed: int = 0) -> list[str]:
    """Run the code cells of a notebook, whatever they do; say what went wrong beyond ordinary errors.

    A cell that ends its process, by time, memory or itself, counts as one that raised.  A new process then runs the
    earlier cells that are no checks again and goes on behind it.
    """
    notes: list[str] = []
    os.environ[SEED] = str(seed)
    with tempfile.TemporaryDirectory(prefix="answers-", ignore_cleanup_errors=True) as folder:
        course = _Course(nb, Path(folder), limits)
        try:
            for index, cell in enumerate(nb.cells):
                if not is_code(cell):
                    continue
                if course.seconds() <= 0:
                    late = [c for c in nb.cells[index:] if c.cell_type == "code"]
                    for other in late:
                        fail(other, f"not run: the whole notebook had taken {limits.total:g} s")
                    notes.append(f"{len(late)} cells were not run, because the notebook had taken {limits.total:g} s")
                    break
                if sentence := course.one(index):
                    cell.outputs = [o for o in cell.outputs if o.output_type != "error"]
                    fail(cell, sentence)
                    notes.append(f"{grade_id(cell) if kind(cell) else f'cell {index + 1}'}: {sentence}")
                    if kind(cell) != "check":
                        course.fatal.add(index)
        finally:
            course.leave()
    for remark in course.remarks[:12]:
        notes.append(f"an answer {remark}; a person should look")
    return notes
