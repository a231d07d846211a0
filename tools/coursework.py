"""Write assignments as students get them, and mark what they hand in.

``python tools/coursework.py release`` writes ``coursework/release/NAME/NAME.ipynb``.
``python tools/coursework.py grade`` marks ``coursework/submitted/STUDENT/NAME/NAME.ipynb`` and writes
``coursework/grades.csv`` and ``coursework/feedback/STUDENT/NAME.html``; what did not change since the last run is left
alone.  ``python tools/coursework.py mark STUDENT NAME QUESTION POINTS`` records a mark given by a person.

nbgrader makes the student versions and keeps the gradebook.  The notebooks themselves are run here, each in a process
of its own with limits, because nbgrader gives up on a submission that kills its kernel.
"""

from __future__ import annotations

import argparse
import copy
import csv
import hashlib
import html
import json
import logging
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from rfbook.coursework import VARIABLE as SEED

ROOT = Path(__file__).resolve().parents[1]
CODE_STUB = "raise NotImplementedError  # write your code here"
TEXT_STUB = "*Write your answer here.*"
MAX_OUTPUT = 200_000  # characters that one cell may write
MAX_FILE = 2**28  # bytes of any file that a submission writes
MAX_NOTEBOOK = 20 * 2**20  # bytes of a submission


@dataclass(frozen=True)
class Limits:
    """What a submission may use: seconds per cell, seconds in all, and GiB of memory."""

    cell: float = 60.0
    total: float = 600.0
    memory: float = 2.0


class Unreadable(Exception):
    """A submission that is no notebook; the message is a sentence."""


# ---- cells ---------------------------------------------------------------------------------------------------------


def kind(cell) -> str:
    """``answer``, ``check``, ``written``, ``locked``, or the empty string for a cell that nbgrader does not know."""
    mark = cell.metadata.get("nbgrader")
    if not mark:
        return ""
    if mark["grade"]:
        return "written" if mark["solution"] else "check"
    return "answer" if mark["solution"] else "locked"


def grade_id(cell) -> str:
    """Name of a cell in the gradebook."""
    return cell.metadata["nbgrader"]["grade_id"]


def fail(cell, sentence: str) -> None:
    """Give a code cell the output of one that raised."""
    said = f"\x1b[0;31mNot finished\x1b[0m: {sentence}"
    cell.outputs = [*cell.get("outputs", []), nbformat.v4.new_output("error", ename="NotFinished", evalue=sentence,
                                                                     traceback=[said])]


def _loose_cell(raw):
    """A clean cell from whatever stands in a submitted file, or None."""
    if not isinstance(raw, dict):
        return None
    source, metadata = raw.get("source", ""), raw.get("metadata")
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str) or raw.get("cell_type") not in {"code", "markdown", "raw"}:
        return None
    make = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell,
            "raw": nbformat.v4.new_raw_cell}[raw["cell_type"]]
    cell = make(source)
    mark = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = mark.get("grade_id") if isinstance(mark, dict) else None
    cell.metadata["was"] = (name if isinstance(name, str) else None, raw.get("id"))
    return cell


def repair(text: bytes, release):
    """A submission with everything in it that should be, and sentences about what was not.

    Parameters
    ----------
    text : bytes
        The submitted file.
    release : NotebookNode
        The notebook that students were given.

    Returns
    -------
    nb : NotebookNode
        Without outputs.  Locked cells are those of `release`, put back where they are missing; answers and cells of the
        student's own are the student's.
    notes : list of str

    Raises
    ------
    Unreadable
        If `text` is no notebook.
    """
    if len(text) > MAX_NOTEBOOK:
        raise Unreadable(f"the file has {len(text) / 2**20:.0f} MB; clear its outputs and hand it in again")
    try:
        data = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the file is damaged ({type(error).__name__}: {str(error)[:100]})") from None
    if isinstance(data, dict) and "worksheets" in data:
        try:
            data = nbformat.convert(nbformat.from_dict(data), 4)
        except Exception as error:  # any old or odd notebook
            raise Unreadable(f"the file is a notebook of an old format that cannot be read ({error})") from None
    if not isinstance(data, dict) or not isinstance(data.get("cells"), list):
        raise Unreadable("the file is not a notebook: it has no cells")

    known = {grade_id(c): c for c in release.cells if kind(c)}
    by_id = {c.id: grade_id(c) for c in release.cells if kind(c)}
    notes, cells, seen = [], [], {}
    for cell in filter(None, map(_loose_cell, data["cells"])):
        name, cell_id = cell.metadata.pop("was")
        # some editors drop metadata and keep the ids of cells
        name = name if name in known else by_id.get(cell_id) if isinstance(cell_id, str) else None
        if name in seen:
            notes.append(f"the cell {name} is there more than once; the first one counts")
        elif name:
            seen[name] = len(cells)
            should = known[name]
            if kind(should) in {"check", "locked"}:
                if cell.source.strip() != should.source.strip():
                    notes.append(f"the cell {name} was changed and has been put back")
                cell = copy.deepcopy(should)
            else:
                source, cell = cell.source, copy.deepcopy(should)
                cell.source = source
        cells.append(cell)
    at = 0  # a missing cell goes behind the one that it should follow
    for name in known:
        if name in seen:
            at = next(i for i, c in enumerate(cells) if kind(c) and grade_id(c) == name) + 1
        else:
            notes.append(f"the cell {name} was missing and has been put back")
            cells.insert(at, copy.deepcopy(known[name]))
            at += 1
    for cell in cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nb = nbformat.v4.new_notebook(cells=cells, metadata=copy.deepcopy(release.metadata))
    for i, cell in enumerate(nb.cells):
        cell.id = f"cell-{i}"  # ids of submitted cells may be anything
    return nb, notes


# ---- running one notebook, in a process of its own -----------------------------------------------------------------

# a check should meet the library's checks even if an answer has changed them
_FRESH = """
import sys as _sys
for _name in ("coursework", "ledger"):
    _sys.modules.pop("rfbook." + _name, None)
    vars(_sys.modules.get("rfbook", _sys)).pop(_name, None)
del _sys, _name
"""


def _kill_tree(pid: int) -> None:
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


class _Watcher(threading.Thread):
    """End a kernel whose resident memory, children included, passes a limit; works on Linux and macOS."""

    def __init__(self, pid: int, gib: float):
        super().__init__(daemon=True)
        self.pid, self.limit, self.tripped, self.over = pid, gib * 2**30, False, threading.Event()

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
            if used > self.limit:
                self.tripped = True
                _kill_tree(self.pid)
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


def _session(nb, start: int, fatal: set[int], end: float, limits: Limits):
    """Run from cell `start` on in one kernel; return the cell that ended it and why, or None and a remark."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    class Client(NotebookClient):
        written = 0

        def process_message(self, msg, cell, cell_index):
            if msg["msg_type"] in {"stream", "display_data", "execute_result", "update_display_data"}:
                self.written += len(str(msg["content"]))
                if self.written > MAX_OUTPUT:
                    return None
            return super().process_message(msg, cell, cell_index)

    def executed(cell, cell_index, execute_reply):
        # an answer may have switched tracebacks off
        errors = any(o.output_type == "error" for o in cell.outputs)
        if execute_reply["content"]["status"] != "ok" and not errors:
            fail(cell, "the cell did not run to its end")

    client = Client(nb, kernel_name="python3", allow_errors=True, interrupt_on_timeout=False, startup_timeout=120,
                    shutdown_kernel="immediate", raise_on_iopub_timeout=False, on_cell_executed=executed)
    with client.setup_kernel():
        pid = client.km.provisioner.pid
        watcher = _Watcher(pid, limits.memory)
        watcher.start()
        try:
            for index, cell in enumerate(nb.cells):
                if cell.cell_type != "code" or not cell.source.strip() or index in fatal:
                    continue
                again = index < start
                if again and kind(cell) == "check":
                    continue
                left = end - time.monotonic()
                if left <= 0:
                    late = [c for c in nb.cells[max(index, start):] if c.cell_type == "code"]
                    for cell in late:
                        fail(cell, f"not run: the whole notebook had taken {limits.total:g} s")
                    return None, f"{len(late)} cells were not run, because the notebook had taken {limits.total:g} s"
                if kind(cell) == "check":
                    client.kc.execute(_FRESH, silent=True)
                # the client writes what it ran into the notebook; what runs again must leave no trace
                client.nb = copy.deepcopy(nb) if again else nb
                client.timeout, client.written = max(1, int(min(limits.cell, left) + 0.999)), 0
                try:
                    client.execute_cell(client.nb.cells[index], index)
                except CellTimeoutError:
                    _kill_tree(pid)
                    return index, f"stopped after {client.timeout} s"
                except DeadKernelError:
                    watcher.join(1.0) if watcher.tripped else None
                    full = f"it took more than {limits.memory:g} GiB of memory"
                    return index, full if watcher.tripped else "it ended its kernel"
                if not again and client.written > MAX_OUTPUT:
                    note = f"\n... cut after {MAX_OUTPUT} characters\n"
                    cell.outputs.append(nbformat.v4.new_output("stream", name="stdout", text=note))
        finally:
            watcher.over.set()
            _kill_tree(pid)
    return None, ""


def _limit_process(limits: Limits) -> None:
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


def run_here(source: str, target: str, limits: Limits) -> int:
    """Body of the process that runs one submission."""
    logging.getLogger("traitlets").setLevel(logging.CRITICAL)
    _limit_process(limits)
    nb = nbformat.read(source, as_version=4)
    notes = run_notebook(nb, limits)
    Path(target).write_text(json.dumps({"notebook": nb, "notes": notes}), encoding="utf-8")
    return 0


_KEPT = re.compile("PATH|LANG|LC_.*|PYTHONPATH|PYTHONNOUSERSITE|VIRTUAL_ENV|LD_LIBRARY_PATH|DYLD_.*|NUMBA_CACHE_DIR|"
                   "MPLCONFIGDIR|JUPYTER_PREFER_ENV_PATH|PYDEVD_.*|SYSTEMROOT|RFBOOK_DATA")


_RUNNING: set[int] = set()


def run_apart(nb, limits: Limits, seed: int):
    """Run a notebook in another process; return it with its outputs, and sentences.

    Raises
    ------
    RuntimeError
        If that process ends without a result; the message is a sentence.
    """
    with tempfile.TemporaryDirectory(prefix="coursework-", ignore_cleanup_errors=True) as folder:
        box = Path(folder)
        (box / "work").mkdir()
        nbformat.write(nb, box / "in.ipynb")
        env = {k: v for k, v in os.environ.items() if _KEPT.fullmatch(k)}
        env |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        env |= {"HOME": folder, "TMPDIR": folder, "IPYTHONDIR": str(box / "ipython"), SEED: str(seed),
                "JUPYTER_RUNTIME_DIR": str(box / "runtime")}
        command = [sys.executable, __file__, "_run", str(box / "in.ipynb"), str(box / "out.json"),
                   str(limits.cell), str(limits.total), str(limits.memory)]
        with open(box / "said", "wb") as said:
            # in a session of its own: an interrupt of the marking must end it by hand
            process = subprocess.Popen(command, cwd=box / "work", env=env, stdin=subprocess.DEVNULL, stdout=said,
                                       stderr=said, start_new_session=True)
            _RUNNING.add(process.pid)
            try:
                # a cell is stopped within its own limit; the rest is for starting kernels anew
                process.wait(limits.total + limits.cell + 120)
            except subprocess.TimeoutExpired:
                raise RuntimeError("the process that ran it did not end in time") from None
            finally:
                _kill_tree(process.pid)
                process.wait()
                _RUNNING.discard(process.pid)
        try:
            out = json.loads((box / "out.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            last = (box / "said").read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
            raise RuntimeError(f"the process that ran it ended with status {process.returncode} "
                               f"({last[0][:200] if last else 'it said nothing'})") from None
        return nbformat.from_dict(out["notebook"]), out["notes"]


# ---- nbgrader ------------------------------------------------------------------------------------------------------


def _config(folder: Path, staging: Path | None = None):
    """nbgrader's configuration for a course folder."""
    import nbgrader.preprocessors as steps
    from traitlets.config import Config

    c = Config()
    c.CourseDirectory.root = str(folder)
    c.CourseDirectory.course_id = "rfbook"
    c.CourseDirectory.db_url = f"sqlite:///{folder / 'gradebook.db'}"
    c.CourseDirectory.autograded_directory = "graded"
    if staging:
        c.CourseDirectory.submitted_directory = str(staging)
    c.ClearSolutions.code_stub = {"python": CODE_STUB}
    c.ClearSolutions.text_stub = TEXT_STUB
    # the notebook was mended and run before nbgrader sees it
    c.Autograde.sanitize_preprocessors = [steps.OverwriteCells, steps.CheckCellMetadata]
    c.Autograde.autograde_preprocessors = [steps.LimitOutput, steps.SaveAutoGrades, steps.AssignLatePenalties,
                                           steps.CheckCellMetadata]
    return c


def _convert(converter, config, name: str, student: str | None = None):
    """Run one of nbgrader's converters on one assignment, of one student."""
    from nbgrader.coursedir import CourseDirectory

    place = CourseDirectory(config=config)
    place.assignment_id = name
    if student:
        place.student_id = student
    step = converter(coursedir=place, config=config)
    step.force = True
    step.start()


def _gradebook(folder: Path):
    from nbgrader.api import Gradebook

    return Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "rfbook")


def _log_to(folder: Path) -> None:
    """What nbgrader has to say goes into a file; the screen is for progress."""
    import warnings

    from traitlets.log import get_logger

    log = get_logger()
    for handler in list(log.handlers):
        log.removeHandler(handler)
    log.addHandler(logging.FileHandler(folder / "nbgrader.log", encoding="utf-8"))
    log.propagate = False
    log.setLevel(logging.WARNING)
    warnings.filterwarnings("ignore", module="nbgrader|nbformat|sqlalchemy|alembic")


def masters() -> list[str]:
    """Names of the assignments that there are."""
    return sorted(p.stem for p in (ROOT / "nbs" / "coursework").glob("assignment*.ipynb"))


def release(folder: Path, names: list[str]) -> int:
    """Write the student versions of assignments; return 1 if one could not be written."""
    from nbgrader.converters import GenerateAssignment, NbGraderException

    bad = 0
    for name in names:
        source = folder / "source" / name
        source.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "nbs" / "coursework" / f"{name}.ipynb", source)
        try:
            _convert(GenerateAssignment, _config(folder), name)
        except (NbGraderException, SystemExit):
            bad = 1
            print(f"{name}: could not be written; {folder / 'nbgrader.log'} says why.  Once submissions are marked, "
                  "the cells of an assignment may change and their number may not: give a new version another name.")
            continue
        print(f"{name}: {folder / 'release' / name / f'{name}.ipynb'}")
    return bad


# ---- marking -------------------------------------------------------------------------------------------------------


@dataclass
class Submission:
    """One file to mark, and what became of it."""

    student: str
    name: str
    path: Path
    digest: str
    status: str = ""  # marked, unreadable, unmarked
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def key(self) -> str:
        return f"{self.student}/{self.name}"


def _write(path: Path, text: str) -> None:
    """Replace a file in one step, so that a run that is stopped leaves the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)


def course_seed(folder: Path, seed: int | None) -> int:
    """The seed of the marking: given, or drawn once and kept in the course folder."""
    path = folder / "seed"
    if seed is not None:
        if seed < 1:
            raise SystemExit(f"--seed is {seed}; it may be a positive integer, because 0 is the students' own")
        _write(path, f"{seed}\n")
    elif not path.exists():
        _write(path, f"{secrets.randbelow(10**9) + 1}\n")
    text = path.read_text(encoding="utf-8").strip()
    if not text.isdecimal() or int(text) < 1:
        raise SystemExit(f"{path} holds {text!r}; it may hold a positive integer")
    return int(text)


def find(folder: Path, names: list[str], seed: int) -> list[Submission]:
    """All submissions of some assignments."""
    out = []
    for name in names:
        given = (folder / "release" / name / f"{name}.ipynb").read_bytes()
        for place in sorted((folder / "submitted").glob(f"*/{name}")):
            if not place.is_dir():
                continue
            files = sorted(p for p in place.glob("*.ipynb") if p.is_file())
            exact = place / f"{name}.ipynb"
            path = exact if exact in files or not files else files[0]
            text = path.read_bytes() if path.is_file() else b""
            digest = hashlib.sha256(b"\0".join([given, str(seed).encode(), text])).hexdigest()
            found = Submission(place.parent.name, name, path, digest)
            if not files:
                found.status, found.notes = "unreadable", [f"the folder holds no {name}.ipynb"]
            elif path != exact:
                found.notes.append(f"the file is called {path.name} and not {exact.name}"
                                   + (f", and {len(files) - 1} others were left aside" if len(files) > 1 else ""))
            out.append(found)
    return out


def _save(folder: Path, item: Submission, nb) -> None:
    """Hand a notebook that was run to nbgrader, which reads the marks off it, and write its feedback."""
    from nbgrader.converters import Autograde, GenerateFeedback

    with tempfile.TemporaryDirectory(prefix="coursework-") as staging:
        place = Path(staging) / item.student / item.name
        place.mkdir(parents=True)
        nbformat.write(nb, place / f"{item.name}.ipynb")
        if (stamp := item.path.with_name("timestamp.txt")).is_file():
            shutil.copy(stamp, place)
        _convert(Autograde, _config(folder, Path(staging)), item.name, item.student)
    _convert(GenerateFeedback, _config(folder), item.name, item.student)


def marks(folder: Path, student: str, name: str) -> list[dict]:
    """Marks of a submission from the gradebook, in the order of the assignment; empty if there is none."""
    from nbgrader.api import MissingEntry

    order = [grade_id(c) for c in _released(folder, name).cells if kind(c) in {"check", "written"}]
    with _gradebook(folder) as book:
        try:
            grades = book.find_submission_notebook(name, name, student).grades
        except MissingEntry:
            return []
        found = {g.name: {"id": g.name, "score": g.score, "max": g.max_score, "hand": g.manual_score,
                          "waiting": bool(g.needs_manual_grade)} for g in grades}
    return [found[i] for i in order if i in found]


def _released(folder: Path, name: str):
    path = folder / "release" / name / f"{name}.ipynb"
    if not path.exists():
        raise SystemExit(f"{name} is not released in {folder}; run the command release first")
    return nbformat.read(path, as_version=4)


def grade(folder: Path, names: list[str], limits: Limits, *, jobs: int, seed: int | None, book: str,
          again: bool) -> int:
    """Mark what is new or changed; return 1 if something could not be marked."""
    from tqdm import tqdm

    if late := [n for n in names if not (folder / "release" / n / f"{n}.ipynb").exists()]:
        if release(folder, late):
            return 1
    number = course_seed(folder, seed)
    state_file = folder / "marked.json"
    state = json.loads(state_file.read_text(encoding="utf-8")) if state_file.exists() else {}
    items = find(folder, names, number)
    if not items:
        print(f"no submission: they go into {folder / 'submitted' / 'STUDENT' / 'NAME' / 'NAME.ipynb'}")
    work = []
    for item in items:
        old = state.get(item.key, {})
        graded = folder / "graded" / item.student / item.name / f"{item.name}.ipynb"
        if not again and old.get("digest") == item.digest and old.get("status") == "marked" and graded.exists():
            item.status, item.notes, item.seconds = "marked", old["notes"], 0.0
        elif item.status != "unreadable":
            try:
                nb, notes = repair(item.path.read_bytes(), _released(folder, item.name))
                item.notes += notes
                work.append((item, nb))
            except (Unreadable, OSError) as error:
                item.status = "unreadable"
                item.notes.append(str(error))

    def one(item, nb):
        start = time.perf_counter()
        try:
            return run_apart(nb, limits, number)
        finally:
            item.seconds = time.perf_counter() - start

    with ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(one, item, nb): item for item, nb in work}
        try:
            for job in tqdm(as_completed(waiting), total=len(waiting), desc="marking", unit="notebook",
                            disable=not waiting):
                item = waiting[job]
                try:
                    nb, notes = job.result()
                    item.notes += notes
                    _save(folder, item, nb)
                    item.status = "marked"
                # one submission must not stop the marking of the others, whatever is wrong with it
                except (Exception, SystemExit) as error:
                    item.status = "unmarked"
                    item.notes.append(f"it could not be marked: {error}")
                state[item.key] = {"digest": item.digest, "status": item.status, "notes": item.notes,
                                   "seconds": round(item.seconds, 1)}
                _write(state_file, json.dumps(state, indent=1, ensure_ascii=False))
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            for pid in list(_RUNNING):
                _kill_tree(pid)
            raise
    touched = {item.key for item, _ in work}
    for item in items:
        if item.status != "marked":
            state[item.key] = {"digest": item.digest, "status": item.status, "notes": item.notes, "seconds": 0.0}
        page = _summary_path(folder, item.student, item.name)
        if item.key in touched or item.status != "marked" or not page.exists():
            _summarise(folder, item.student, item.name, item.status, item.notes, book)
    _write(state_file, json.dumps(state, indent=1, ensure_ascii=False))
    write_grades(folder, state)
    return _report(folder, items, touched)


def _report(folder: Path, items: list[Submission], touched: set[str]) -> int:
    """Print what was done and what was odd."""
    for item in items:
        if item.status != "marked" or (item.key in touched and item.notes):
            print(f"{item.key}: {item.status}; " + "; ".join(item.notes))
    bad = [item for item in items if item.status != "marked"]
    seconds = sum(item.seconds for item in items if item.key in touched)
    print(f"{len(touched)} marked in {seconds:.0f} s of running, {len(items) - len(touched) - len(bad)} unchanged, "
          f"{len(bad)} could not be marked; the marks are in {folder / 'grades.csv'}"
          if not bad or touched.isdisjoint(i.key for i in bad) else
          f"{len(touched)} run in {seconds:.0f} s, {len(bad)} could not be marked; "
          f"the marks are in {folder / 'grades.csv'}")
    return bool(bad)


def write_grades(folder: Path, state: dict) -> None:
    """``grades.csv``: one row per student and assignment."""
    new = folder / "grades.csv.new"
    with open(new, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["student", "assignment", "score", "max_score", "by_machine", "by_hand", "waiting_for_a_person",
                      "status", "remarks"])
        for key in sorted(state):
            student, name = key.rsplit("/", 1)
            rows = marks(folder, student, name)
            hand = sum(r["hand"] or 0 for r in rows)
            total = sum(r["score"] for r in rows)
            out.writerow([student, name, total if rows else "", sum(r["max"] for r in rows) if rows else "",
                          total - hand if rows else "", hand if rows else "", sum(r["waiting"] for r in rows),
                          state[key]["status"], "; ".join(state[key]["notes"])])
    os.replace(new, folder / "grades.csv")


# ---- feedback ------------------------------------------------------------------------------------------------------

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #222;
  background: #fff }}
table {{ border-collapse: collapse; width: 100% }}
td, th {{ border-top: 1px solid #ccc; padding: .4rem .6rem; text-align: left; vertical-align: top }}
td.n {{ white-space: nowrap }}
.lost td.n {{ font-weight: bold }}
pre {{ white-space: pre-wrap; margin: .3rem 0; background: #f6f6f6; padding: .4rem .6rem }}
@media (prefers-color-scheme: dark) {{
  body {{ color: #ddd; background: #1b1b1b }} a {{ color: #8ab4f8 }} td, th {{ border-color: #444 }}
  pre {{ background: #2a2a2a }} }}
</style>
<h1>{title}</h1>
{body}
</html>
"""


def _summary_path(folder: Path, student: str, name: str) -> Path:
    return folder / "feedback" / student / f"{name}.html"


_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def _statement(source: str, said: str) -> str:
    """Label of the statement that a check broke, or else of the last that it names: earlier ones are about shapes."""
    from rfbook.coursework import STATEMENTS

    broken = re.findall(r"^It should, by .*\(([\w-]+)\)\.$", said, flags=re.M)
    named = re.findall(r'"([a-z]+-[\w-]+)["{]', source)[::-1]  # f"thm-hoeffding-{phase}" stands for the first of them
    return next((label for name in [*broken, *named] for label in STATEMENTS if label == name
                 or (name.endswith("-") and label.startswith(name))), "")


def _summarise(folder: Path, student: str, name: str, status: str, notes: list[str], book: str) -> None:
    """Write the page that a student reads first: each check, its marks, its theorem, and where to read."""
    from rfbook.coursework import STATEMENTS

    rows = marks(folder, student, name)
    graded = folder / "graded" / student / name / f"{name}.ipynb"
    cells = {}
    if graded.exists():
        cells = {grade_id(c): c for c in nbformat.read(graded, as_version=4).cells if kind(c) in {"check", "written"}}
    parts = []
    if status != "marked":
        parts.append("<p><strong>This file could not be marked:</strong> " + html.escape("; ".join(notes)) + ".</p>")
        if rows:
            parts.append("<p>The marks below are those of an earlier version.</p>")
    elif notes:
        parts.append("<ul>" + "".join(f"<li>{html.escape(n)}.</li>" for n in notes) + "</ul>")
    if rows:
        waiting = sum(r["waiting"] for r in rows)
        parts.append(f"<p>{sum(r['score'] for r in rows):g} of {sum(r['max'] for r in rows):g} marks"
                     + (f"; {waiting} answers wait for a person" if waiting else "") + ".</p>")
        if graded.exists():
            parts.append(f'<p><a href="{name}/{name}.html">Your notebook with its output</a></p>')
        parts.append("<table><tr><th>Question</th><th>Marks</th><th>Statement</th></tr>")
    for row in rows:
        cell = cells.get(row["id"])
        source = cell.source if cell is not None else ""
        first = source.split("\n", 1)[0]
        title = re.sub(r"\s*\(\d+ marks?\)$", "", first.lstrip("# ")) if first.startswith("#") else "read by a person"
        said = ""
        for output in cell.get("outputs", []) if cell is not None else []:
            if output.output_type == "error":
                what = "" if output.ename in {"Missed", "NotFinished"} else f"{output.ename}: "
                said = _ANSI.sub("", what + output.evalue)
        label, said = _statement(source, said), said.split("\nIt should, by")[0][:2000]
        where = ""
        if label:
            where, page = STATEMENTS[label]
            where = f'<a href="{html.escape(f"{book}{page}.html#{label}")}">{html.escape(where)}</a>'
        score = "waits" if row["waiting"] and row["hand"] is None else f"{row['score']:g}"
        if row["waiting"] and row["hand"] is not None:
            score += " (given for an earlier version)"
        lost = row["score"] < row["max"] and not row["waiting"]
        found = f"<pre>{html.escape(said)}</pre>" if said else ""
        parts.append(f'<tr class="{"lost" if lost else "kept"}"><td><code>{html.escape(row["id"])}</code> '
                     f'{html.escape(title)}{found}</td><td class="n">{score} / {row["max"]:g}</td>'
                     f'<td>{where}</td></tr>')
    if rows:
        parts.append("</table>")
    _write(_summary_path(folder, student, name), _PAGE.format(title=html.escape(f"{name}: {student}"),
                                                              body="\n".join(parts)))


def mark(folder: Path, student: str, name: str, question: str, points: float, book: str) -> int:
    """Record a mark that a person gave; no later run changes it."""
    from nbgrader.api import MissingEntry
    from nbgrader.converters import GenerateFeedback

    with _gradebook(folder) as gradebook:
        try:
            given = gradebook.find_grade(question, name, name, student)
        except MissingEntry:
            known = ", ".join(r["id"] for r in marks(folder, student, name)) or "none: grade it first"
            print(f"{student} has no {question} in {name}; the questions are {known}")
            return 1
        if not 0 <= points <= given.max_score:
            print(f"POINTS is {points:g}; it may be from 0 to {given.max_score:g}")
            return 1
        given.manual_score, given.needs_manual_grade = points, False
        gradebook.db.commit()
    state_file = folder / "marked.json"
    state = json.loads(state_file.read_text(encoding="utf-8")) if state_file.exists() else {}
    old = state.setdefault(f"{student}/{name}", {"digest": "", "status": "marked", "notes": [], "seconds": 0.0})
    if (folder / "graded" / student / name).exists():
        _convert(GenerateFeedback, _config(folder), name, student)
    _summarise(folder, student, name, old["status"], old["notes"], book)
    write_grades(folder, state)
    print(f"{student}, {name}, {question}: {points:g} marks")
    return 0


# ---- command line --------------------------------------------------------------------------------------------------


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no positive number")
    return value


def main(argv: list[str] | None = None) -> int:
    """Read the command line and do what it says."""
    argv = sys.argv[1:] if argv is None else argv
    if argv[:1] == ["_run"]:
        return run_here(argv[1], argv[2], Limits(*map(float, argv[3:6])))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--folder", type=Path, default=ROOT / "coursework", help="of the course (default: coursework)")
    common.add_argument("--book", default=None, metavar="ADDRESS",
                        help="where the book's notebooks are, for links in feedback (default: the built book)")
    some = argparse.ArgumentParser(add_help=False)
    some.add_argument("names", nargs="*", metavar="NAME", help=f"assignments (default: {', '.join(masters())})")
    commands.add_parser("release", parents=[common, some], help="write the student versions")
    grading = commands.add_parser("grade", parents=[common, some], help="mark submissions")
    grading.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="notebooks at a time")
    grading.add_argument("--cell-limit", type=_positive, default=Limits.cell, metavar="SECONDS")
    grading.add_argument("--limit", type=_positive, default=Limits.total, metavar="SECONDS", help="per submission")
    grading.add_argument("--memory", type=_positive, default=Limits.memory, metavar="GIB", help="per submission")
    grading.add_argument("--seed", type=int, default=None, help="of the marking (default: drawn once, then kept)")
    grading.add_argument("--again", action="store_true", help="mark what did not change, too")
    hand = commands.add_parser("mark", parents=[common], help="record a mark that a person gave")
    hand.add_argument("student")
    hand.add_argument("name")
    hand.add_argument("question")
    hand.add_argument("points", type=float)
    args = parser.parse_args(argv)

    folder = args.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    _log_to(folder)
    # from feedback/STUDENT/NAME.html to the pages of the book
    built = os.path.relpath(ROOT / "_build" / "html" / "nbs", folder / "feedback" / "STUDENT")
    book = (args.book or Path(built).as_posix()).rstrip("/") + "/"
    if args.command == "mark":
        return mark(folder, args.student, args.name, args.question, args.points, book)
    if unknown := set(args.names) - set(masters()):
        parser.error(f"there is no assignment {', '.join(sorted(unknown))}; there are {', '.join(masters())}")
    names = args.names or masters()
    if args.command == "release":
        return release(folder, names)
    if args.jobs < 1:
        parser.error(f"--jobs is {args.jobs}; it may be a positive integer")
    return grade(folder, names, Limits(args.cell_limit, args.limit, args.memory), jobs=args.jobs, seed=args.seed,
                 book=book, again=args.again)


if __name__ == "__main__":
    sys.exit(main())
