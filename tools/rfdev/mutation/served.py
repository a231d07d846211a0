"""A process in the copy of the repository that has imported what is below the library, and forks for each order.

An order is a line of JSON with a task, its arguments, variables of the environment, seconds of processor time, and the
file for the answer.  The fork imports the library as it lies there, with a mutant or without; what it finds cannot
reach the next one.  Answers are printed as lines: the answer as JSON, or why there is none.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import resource
import select
import shutil
import signal
import sys
import threading
import time
import warnings
from pathlib import Path

_READY = ("numba", "numba.core.config", "matplotlib.pyplot", "pytest", "hypothesis", "doctest", "unittest.mock",
          "scipy.integrate", "scipy.linalg", "scipy.optimize", "scipy.sparse.linalg", "scipy.spatial.distance",
          "scipy.special", "scipy.stats", "scipy.stats.qmc", "sklearn.base", "sklearn.datasets", "sklearn.linear_model",
          "sklearn.model_selection", "sklearn.pipeline", "sklearn.preprocessing", "sklearn.kernel_approximation",
          "sklearn.utils.estimator_checks", "sklearn.svm", "sklearn.gaussian_process",
          "threadpoolctl", "joblib", "tqdm")
_MEMORY = 12 << 30  # bytes of address space: a constant that a mutant has made large shall be an error
_WALL = 1800  # seconds after which a process that waits for something is ended


class Recorder:
    """Notes which functions of the library run, compiled loops included: as ``module.py:name`` of the outermost."""

    def __init__(self):
        self.codes: set = set()
        self.home = os.path.join(os.getcwd(), "rfbook") + os.sep

    def __call__(self, frame, event, arg):
        self.codes.add(frame.f_code)

    def start(self):
        """Begin; threads that are alive already are not seen."""
        from numba.core.dispatcher import Dispatcher

        def noted(loop, *arguments, **keywords):
            self.codes.add(loop.py_func.__code__)
            return super(Dispatcher, loop).__call__(*arguments, **keywords)

        Dispatcher.__call__ = noted  # of this process, which ends with its order
        threading.settrace(self)
        sys.settrace(self)

    def take(self):
        """Names of what ran since the last time."""
        sys.settrace(None)
        codes, self.codes = self.codes, set()
        found = set()
        for code in codes:
            if code.co_filename.startswith(self.home):
                module = code.co_filename[len(self.home):].replace(os.sep, "/")
                found.add(f"{module}:{code.co_qualname.partition('.<locals>')[0]}")
        sys.settrace(self)
        return sorted(found)


class _Jury:
    """What pytest is told and asked: seconds of each test to be run, the quickest first, and the first that fails."""

    def __init__(self, usual, least):
        self.usual, self.least, self.failed = usual, least, ""

    def pytest_collection_modifyitems(self, config, items):
        items[:] = sorted((i for i in items if i.nodeid in self.usual), key=lambda i: self.usual[i.nodeid])

    def pytest_runtest_logstart(self, nodeid):
        _allow(self.least + 5 * self.usual[nodeid])

    def pytest_runtest_logreport(self, report):
        if report.failed and not self.failed:
            self.failed = report.nodeid

    pytest_collectreport = pytest_runtest_logreport


class _Clock:
    """Notes the processor seconds of each test that passes."""

    def __init__(self):
        self.tests, self.bad = {}, set()

    def pytest_runtest_logstart(self, nodeid):
        self.begun = time.process_time()

    def pytest_runtest_logreport(self, report):
        if report.failed or report.skipped:
            self.bad.add(report.nodeid)

    def pytest_runtest_logfinish(self, nodeid):
        if nodeid not in self.bad:
            self.tests[nodeid] = round(time.process_time() - self.begun, 3)


def _pytest(files, plugin, *more):
    """Run the tests of some files; an error of pytest itself is no verdict."""
    import pytest

    shutil.rmtree(".hypothesis", ignore_errors=True)  # examples found with another mutant
    code = pytest.main([*files, "-q", "-p", "no:cacheprovider", *more], plugins=[plugin])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED) \
            and not getattr(plugin, "failed", ""):
        raise RuntimeError(f"pytest ends with status {code}")


def _allow(seconds):
    """From now on the process may take so much processor time; what is in an endless loop is ended by the system."""
    used = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds) + 1, resource.RLIM_INFINITY))


def _examples(module):
    """The examples in the docstrings of a module, each with whether it prints what it says."""
    import doctest

    found = doctest.DocTestFinder().find(importlib.import_module(module), module, globs={"__name__": "__main__"})
    runner = doctest.DocTestRunner()
    for example in found:
        _allow(30)
        yield example.name, not runner.run(example, out=lambda text: None).failed


def good_examples(module):
    """Names of the examples that print what they say."""
    return {"good": [name for name, good in _examples(module) if good]}


def examples(module, usual):
    """The first of the examples that usually are right and now is wrong."""
    try:
        wrong = next((name for name, good in _examples(module) if not good and name in usual), "")
    except Exception:  # the library cannot be imported
        return {"killer": f"import of {module}"}
    return {"killer": f"example of {wrong}" if wrong else ""}


def notebooks_of(source):
    """The notebooks that a file of the library says it is made from."""
    found = re.search(r"^# AUTOGENERATED! DO NOT EDIT! File to edit: (.+)\.$", source.read_text(encoding="utf-8"), re.M)
    return [(source.parent / name).resolve() for name in found[1].split(", ")] if found else []


def _cells(module, seconds):
    """Cells of a module's notebooks that are in no module, each with whether it runs on the library as it lies there.

    What the notebook defines for the library is taken from there: that is where the mutant is.
    """
    from rfdev.cells import exports_to, read_notebook
    from rfdev.trial import Names

    home = importlib.import_module(module)
    names = {**vars(home), "__name__": "__main__"}
    for path in notebooks_of(Path(home.__file__)):
        notebook = read_notebook(path, Path.cwd())
        for number, cell in enumerate(notebook.cells):
            if cell.kind != "code" or "default_exp" in cell.nbdev or cell.nbdev.get("eval") == "false":
                continue
            if target := exports_to(cell.nbdev, notebook.module):
                held = vars(importlib.import_module(f"rfbook.{target}"))
                names.update({name: held[name] for name in Names.of(cell.code).binds & held.keys()})
                continue
            _allow(seconds)
            try:
                exec(compile(cell.code, f"cell {number}", "exec"), names)
            except Exception:  # a mutant may raise anything
                yield f"{path.stem} {number}", False
            else:
                yield f"{path.stem} {number}", True


def good_cells(module):
    """Names of the cells of a module's notebooks that run."""
    return {"good": [name for name, good in _cells(module, 400) if good]}


def cells(module, usual, least):
    """The first of the cells that usually run and now does not."""
    wrong = next((name for name, good in _cells(module, 60 + least) if not good and name in usual), "")
    return {"killer": f"cell of {wrong}" if wrong else ""}


def tests(usual, least):
    """The first test that fails, of those whose usual seconds are given."""
    jury = _Jury(usual, least)
    _pytest(sorted({name.partition("::")[0] for name in usual}), jury, "-x")
    return {"killer": jury.failed}


def own(module, good, checks, usual, least):
    """Examples, then the cells of notebooks, then tests."""
    found = examples(module, good)
    if not found["killer"] and checks:
        found = cells(module, checks, least)
    _allow(50 + least)
    return found if found["killer"] or not usual else tests(usual, least)


def time_tests(file):
    """Processor seconds of each test of a file that passes."""
    clock = _Clock()
    _pytest([file], clock)
    return {"tests": clock.tests}


def _judge(name):
    """Whether a claim holds; an error refutes it too."""
    module = importlib.import_module(f"rfbook.lab.claims.{name.partition('.')[0]}")
    try:
        return getattr(module, name.partition(".")[2])(0).holds
    except Exception:  # a mutant may raise anything
        return False


def claims(usual, least):
    """The first claim that is refuted, of those whose usual seconds are given."""
    for name, seconds in usual.items():
        _allow(10 + least + 5 * seconds)
        try:
            if not _judge(name):
                return {"killer": name}
        except Exception:  # the library cannot be imported
            return {"killer": name}
    return {"killer": ""}


def _apart(function):
    """What a function returns, from a process of its own."""
    here, there = os.pipe()
    pid = os.fork()
    if not pid:
        with contextlib.suppress(BaseException), os.fdopen(there, "w") as file:
            json.dump(function(), file)
        os._exit(0)
    os.close(there)
    with os.fdopen(here) as file:
        text = file.read()
    os.waitpid(pid, 0)
    return json.loads(text) if text else None


def _claim(claim):
    """Seconds of a claim, what it runs, and what it or its mutants name: the code that its statement speaks of."""
    import inspect

    from rfbook.lab.claims import locate
    from rfdev.reference import mentioned

    tools = {claim.check.__module__, "rfbook.lab.ledger", "rfbook.lab.claims._registry"}
    values = {v for v in mentioned(claim.check, claim.check.__module__, set()) if v.__module__ not in tools}
    for m in claim.mutants:
        owner, part = locate(m.target)
        mentioned(owner if inspect.isclass(owner) else getattr(owner, part), "", values)
    below = {b for v in values for b in mentioned(v, v.__module__, set()) if b.__module__ == v.__module__}
    named = sorted({f"{v.__module__.partition('.')[2].replace('.', '/')}.py:{v.__qualname__.partition('.')[0]}"
                    for v in values | below})
    claim(0)  # what is compiled on the way costs nobody else
    recorder = Recorder()
    recorder.start()
    begun = time.process_time()
    holds = bool(claim(0).holds)
    seconds = round(time.process_time() - begun, 3)
    ran = recorder.take()
    sys.settrace(None)
    return {"holds": holds, "seconds": seconds, "label": claim.label, "runs": ran, "speaks": named}


def map_claims(chapter):
    """What each claim of a chapter runs and speaks of."""
    from rfbook.lab.claims import Claim

    made = vars(importlib.import_module(f"rfbook.lab.claims.{chapter}")).values()
    mine = [c for c in made if isinstance(c, Claim) and c.name.partition(".")[0] == chapter]
    return {claim.name: _apart(lambda claim=claim: _claim(claim)) for claim in mine}


_TASKS = {f.__name__: f for f in (tests, own, claims, good_examples, good_cells, time_tests, map_claims)}


def _become(order):
    """Do what the order says, in a process that nobody else is."""
    _allow(order["seconds"])
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    log = os.open(order["answer"] + ".log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.environ.clear()
    os.environ.update(order["environment"])
    from numba.core import config

    config.reload_config()
    answer = _TASKS[order["task"]](**order["arguments"])
    home = Path(sys.modules["rfbook"].__file__) if "rfbook" in sys.modules else Path("rfbook/__init__.py").resolve()
    assert home.parents[1] == Path.cwd(), f"{home} is not in the copy"
    Path(order["answer"]).write_text(json.dumps(answer), encoding="utf-8")
    sys.stdout.flush()
    sys.stderr.flush()


def _fork(order):
    ready, begun = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: BLAS has one
        pid = os.fork()
    if pid:
        os.close(begun)
        os.read(ready, 1)  # waits for the session, by which the process is ended, and gets nothing
        os.close(ready)
        return pid
    os.setsid()
    os.close(ready)
    os.close(begun)
    status = 1
    try:
        _become(order)
        status = 0
    except BaseException:  # also what pytest or a mutant raises to end the process
        import traceback

        traceback.print_exc()
    finally:
        os._exit(status)


def _fate(pid):
    """How a process ended: well, by a signal, or because it took longer than any program of ours."""
    deadline, code = time.monotonic() + _WALL, None
    while code is None:
        done, code = os.waitpid(pid, os.WNOHANG)
        code = code if done else None
        if code is None and time.monotonic() > deadline:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return "hang"
        if code is None and select.select([0], [], [], 0.01)[0]:  # no order comes before the answer: nobody is there
            os.killpg(pid, signal.SIGKILL)
            sys.exit(1)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # programs that it started
    code = os.waitstatus_to_exitcode(code)
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return "hang"
    return "" if code == 0 else f"crash, status {code}"


def serve():
    """Fork for each line of standard input."""
    for name in _READY:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    assert "rfbook" not in sys.modules
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        order = json.loads(line)
        path = Path(order["answer"])
        path.unlink(missing_ok=True)
        fate = _fate(_fork(order))
        answer = {"fate": fate} if fate or not path.exists() else {"fate": "", **json.loads(path.read_text())}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
