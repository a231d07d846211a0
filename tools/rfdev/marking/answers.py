"""The side of the answers: runs a student's cells in a process of its own, and each check's calls in a copy of it.

Started by `rfdev.marking.session` behind a wall, with `wire` beside it and nothing else of the tools in reach.
``python answers.py FD NUMBA_CACHE ROOT...``: the socket to the checks, compiled code to copy, folders it may read.
"""

from __future__ import annotations

import base64
import contextlib
import importlib
import inspect
import io
import os
import pickle
import random
import shutil
import signal
import socket
import sys
import threading
import tracemalloc
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import wire

sys.path.pop(0)
import numpy as np

MAX_OUTPUT = 200_000  # characters that one cell may write
MAX_PICTURES = 2**22  # bytes of pictures that one cell may show

# ---- what answers try ----------------------------------------------------------------------------------------------

_tried: list[str] = []
_roots: list[str] = []
_watching = threading.local()
_PATHS = {"open": "open", "os.listdir": "list", "os.scandir": "list", "os.remove": "remove", "os.rmdir": "remove",
          "os.rename": "move", "os.truncate": "change", "os.chmod": "change", "os.mkdir": "make", "os.link": "link",
          "os.symlink": "link", "shutil.rmtree": "remove"}
_ACTS = {"socket.connect": "to use the network", "socket.getaddrinfo": "to use the network",
         "subprocess.Popen": "to start a program", "os.system": "to start a program",
         "os.posix_spawn": "to start a program", "os.exec": "to start a program", "os.fork": "to start a process",
         "os.kill": "to end a process"}


def _note(sentence):
    if sentence not in _tried and len(_tried) < 20:
        _tried.append(sentence)


def _hook(event, args):
    """Note what no answer needs, and refuse files outside of what it may see; the wall is what really holds."""
    if not getattr(_watching, "on", False):
        return
    if event in _ACTS:
        _note(f"tried {_ACTS[event]}")
    elif event in _PATHS and args and isinstance(args[0], (str, bytes, os.PathLike)):
        path = os.path.normpath(os.path.join(_roots[0], os.fsdecode(args[0])))  # its folder may be gone
        if not any(path == root or path.startswith(root + os.sep) for root in _roots):
            _note(f"tried to {_PATHS[event]} {path[:200]}")
            raise PermissionError(f"{path} is outside of what an answer may use")


@contextlib.contextmanager
def _watched():
    _watching.on = True
    try:
        yield
    finally:
        _watching.on = False


def _of_student(value):
    """Whether a function or class was made in a cell."""
    if isinstance(value, types.MethodType):
        value = value.__func__
    if isinstance(value, types.FunctionType):
        return value.__module__ == "__main__" or value.__code__.co_filename.startswith("<ipython")
    return getattr(value, "__module__", None) == "__main__" if isinstance(value, type) else False


def _tampered(shell):
    """What answers have put in the place of parts of the library or of Python, in words."""
    found = []
    finders = [*sys.meta_path, *sys.path_hooks]
    if any(_of_student(f) or _of_student(type(f)) for f in finders):
        found.append("has changed how modules are imported")
    manager = shell.input_transformer_manager
    transformers = [*manager.cleanup_transforms, *manager.line_transforms, *manager.token_transformers,
                    *shell.input_transformers_post]
    if shell.ast_transformers or any(_of_student(f) or _of_student(type(f)) for f in transformers):
        found.append("has changed how cells are read")
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] not in {"rfbook", "numpy", "scipy", "builtins", "math", "sys", "random", "inspect"}:
            continue
        if not isinstance(module, types.ModuleType):
            found.append(f"has replaced the module {name}")
            continue
        for key, value in list(vars(module).items()):
            if _of_student(value):
                found.append(f"has replaced {name}.{key}")
            elif name.startswith("rfbook") and isinstance(value, type) and value.__module__ == name:
                found += [f"has replaced {name}.{key}.{part}" for part, of in list(vars(value).items())
                          if _of_student(of)]
    return found[:10]


# ---- cells ---------------------------------------------------------------------------------------------------------


class _Capped(io.TextIOBase):
    """Keeps the beginning of what is written."""

    def __init__(self, name, outputs):
        self.name, self.outputs, self.left, self.cut = name, outputs, MAX_OUTPUT, False

    def writable(self):
        return True

    def isatty(self):
        return False

    def write(self, text):
        kept = text[:self.left]
        self.left -= len(kept)
        if kept:
            last = self.outputs[-1] if self.outputs else {}
            if last.get("output_type") == "stream" and last.get("name") == self.name:
                last["parts"].append(kept)
            else:
                self.outputs.append({"output_type": "stream", "name": self.name, "parts": [kept]})
        if len(kept) < len(text) and not self.cut:
            self.cut = True
            self.outputs.append({"output_type": "stream", "name": self.name,
                                 "parts": [f"\n... cut after {MAX_OUTPUT} characters\n"]})
        return len(text)


class Cells:
    """An IPython shell whose outputs are kept."""

    def __init__(self):
        from IPython.core.display_trap import DisplayTrap
        from IPython.core.displayhook import DisplayHook
        from IPython.core.displaypub import DisplayPublisher
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        self.outputs, self.pictures = [], MAX_PICTURES
        keep = self.keep

        class Publisher(DisplayPublisher):
            def publish(self, data, metadata=None, **_):
                keep(data)

            def clear_output(self, wait=False):
                pass

        class Hook(DisplayHook):
            def write_output_prompt(self):
                pass

            def write_format_data(self, format_dict, md_dict=None):
                keep(format_dict)

            def finish_displayhook(self):
                pass

        class Shell(InteractiveShell):
            def init_display_pub(self):
                self.display_pub = Publisher(parent=self, shell=self)

            def init_displayhook(self):
                self.displayhook = Hook(parent=self, shell=self, cache_size=0)
                self.display_trap = DisplayTrap(hook=self.displayhook)

            @contextlib.contextmanager
            def _tee(self, channel):  # keeps all that is written
                yield

            def _showtraceback(self, etype, evalue, stb):
                cells.error(etype, evalue, stb)

        cells, config = self, Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "NoColor"
        config.InteractiveShell.cache_size = 0
        self.shell = Shell.instance(config=config)

    def keep(self, data):
        """One thing that is shown: its text, and a picture."""
        out = {"text/plain": str(data.get("text/plain", ""))[:MAX_OUTPUT]}
        if isinstance(picture := data.get("image/png"), (bytes, str)):
            text = base64.b64encode(picture).decode() if isinstance(picture, bytes) else picture
            if len(text) <= self.pictures:
                self.pictures -= len(text)
                out["image/png"] = text
        if len(self.outputs) < 200:
            self.outputs.append({"output_type": "display_data", "data": out})

    def error(self, etype, evalue, stb):
        """What a cell raised."""
        try:
            said = str(evalue)
        except Exception:
            said = ""
        self.outputs.append({"output_type": "error", "ename": etype.__name__[:100], "evalue": said[:2000],
                             "traceback": [str(line)[:5000] for line in list(stb)[-20:]]})

    def run(self, source):
        """Outputs of a cell."""
        self.outputs, self.pictures = [], MAX_PICTURES
        mine, out, err = self.outputs, sys.stdout, sys.stderr
        sys.stdout, sys.stderr = _Capped("stdout", mine), _Capped("stderr", mine)
        try:
            with _watched():
                done = self.shell.run_cell(source)
            bad = not done.success
        except BaseException as error:
            self.error(type(error), error, [])
            bad = True
        finally:
            sys.stdout, sys.stderr = out, err
        if bad and not any(o["output_type"] == "error" for o in mine):
            self.error(RuntimeError, RuntimeError("the cell did not run to its end"), [])
        for output in mine:
            if "parts" in output:
                output["text"] = "".join(output.pop("parts"))
        return mine


# ---- calls ---------------------------------------------------------------------------------------------------------


class Given:
    """Something of the check whose methods an answer may call; it lives on the other side."""

    def __init__(self, line, number, methods, plain):
        self.__dict__.update(plain)
        for name in methods:
            if name != "__call__":
                self.__dict__[name] = lambda *a, _name=name, **k: line.back(number, _name, a, k)
        self._back = lambda *a, **k: line.back(number, "__call__", a, k)


class Callable(Given):
    """The same for what is called itself."""

    def __call__(self, *arguments, **names):
        return self._back(*arguments, **names)


class _Unpickler(pickle.Unpickler):
    """Reads what the checks send; they are trusted, answers are not."""

    def __init__(self, data, line):
        super().__init__(io.BytesIO(data))
        self.line = line

    def persistent_load(self, pid):
        return (Callable if "__call__" in pid[1] else Given)(self.line, *pid)


def globals_state():
    """Where both global generators stand, to be compared."""
    state = np.random.get_state(legacy=False)  # noqa: NPY002
    return state["state"]["key"].tobytes(), state["state"]["pos"], state["has_gauss"], state["gauss"], random.getstate()


def to_be_sent(state):
    """The same as arrays and numbers."""
    key, pos, has, gauss, (_, numbers, other) = state
    return [np.frombuffer(key, dtype=np.uint32), int(pos), int(has), float(gauss), np.array(numbers, dtype=np.uint32),
            other]


def set_globals(found):
    """Put both global generators where they were elsewhere."""
    key, pos, has, gauss, numbers, other = found
    np.random.set_state(("MT19937", key, pos, has, gauss))  # noqa: NPY002
    random.setstate((3, tuple(map(int, numbers)), other))


class Line:
    """Serves the calls of one check."""

    def __init__(self, connection, names):
        self.connection, self.names = connection, names
        self.state = self.asked = None  # of the global generators, and the last function with its parameters

    def serve(self):
        """Answer until the check is over."""
        while True:
            tree, buffers = wire.receive(self.connection)
            reply, out = self.get(tree["get"]) if "get" in tree else self.call(tree, next(buffers).tobytes())
            wire.send(self.connection, reply, out)

    def get(self, name):
        """What stands for a name."""
        if name not in self.names:
            return {"missing": True}, []
        value, out = self.names[name], []
        if callable(value):
            return {"callable": True, "parameters": _parameters(value)}, out
        return {"value": wire.encode(value, out)}, out

    def back(self, number, method, arguments, names):
        """Call something of the check."""
        out: list = []
        rngs = [a for a in [*arguments, *names.values()] if isinstance(a, np.random.Generator)]
        tree = {"back": number, "method": method, "arguments": [wire.encode(a, out) for a in arguments],
                "names": {k: wire.encode(v, out) for k, v in names.items()}}
        wire.send(self.connection, tree, out)
        tree, buffers = wire.receive(self.connection)
        found, states = _Unpickler(next(buffers).tobytes(), self).load()
        for rng, (state, spawned) in zip(rngs, states, strict=True):
            wire.set_state(rng, state, spawned)
        if "raised" in tree:
            raise RuntimeError(tree["raised"])
        return found

    def call(self, tree, data):
        """Call an answer; say what it gave or raised, and what it did besides."""
        arguments, names, state = _Unpickler(data, self).load()
        if state is not None:  # or they stand where the checks' do
            set_globals(state)
            self.state = globals_state()
        given = [*arguments, *names.values()]
        before = [a.copy() if hasattr(a, "shape") and hasattr(a, "copy") else None for a in given]
        function, out, reply = self.names.get(tree["call"]), [], {}
        try:
            with _watched(), _count(tree.get("calls")) as counts:
                if tree.get("memory"):
                    tracemalloc.start()
                found = function(*arguments, **names)
                reply["peak"] = tracemalloc.get_traced_memory()[1] if tree.get("memory") else 0
            reply["gave"] = wire.encode(found, out)
        except BaseException as error:
            counts, out = {}, []
            try:
                said = str(error)[:2000]
            except Exception:
                said = ""
            reply["raised"] = [type(error).__name__[:100], said]
        finally:
            tracemalloc.stop()
        changed = []
        for i, (then, now) in enumerate(zip(before, given, strict=True)):
            if then is not None and (then.shape != now.shape or _differ(then, now)):
                same = isinstance(now, np.ndarray) and now.shape == then.shape and now.dtype == then.dtype
                changed.append([i, wire.encode(now, out) if same else None])
        reply |= {"changed": changed, "counts": counts, "tried": _tried, "parameters": self.parameters(function),
                  "rngs": [wire.encode(a, out)["g"] for a in given if isinstance(a, np.random.Generator)]}
        if self.state != (now := globals_state()):
            reply["globals"], self.state = wire.encode(to_be_sent(now), out), now
        return reply, out

    def parameters(self, function):
        """Names of a function's parameters, which are read once as long as no other one is called."""
        if self.asked is None or self.asked[0] is not function:
            self.asked = function, _parameters(function)
        return self.asked[1]


def _differ(then, now):
    if hasattr(then, "tocsr"):
        return (then != now).nnz > 0 or then.nnz != now.nnz
    return not np.array_equal(then, now, equal_nan=then.dtype.kind in "fc")


def _parameters(function):
    try:
        return list(inspect.signature(function).parameters)
    except (ValueError, TypeError):
        return []


@contextlib.contextmanager
def _count(names):
    """Count calls of functions of the library with some names."""
    counts = dict.fromkeys(names or (), 0)
    if not counts:
        yield counts
        return

    library = str(Path(getattr(sys.modules.get("rfbook"), "__file__", None) or "/none/it").parent) + os.sep

    def profile(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_name in counts and code.co_filename.startswith(library):
            counts[code.co_name] += 1

    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        yield counts
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


# ---- the keeper ----------------------------------------------------------------------------------------------------


def _end(child):
    if child:
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(OSError):
                kill(child, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.waitpid(child, 0)


def _prepare(cache, roots):
    """A folder of compiled code of one's own, no screen, no more processes than it takes."""
    here = Path.cwd()
    if cache and Path(cache).is_dir():
        shutil.copytree(cache, here / ".numba", dirs_exist_ok=True)
    if fonts := os.environ.get("MPLCONFIGDIR"):
        with contextlib.suppress(OSError):
            shutil.copytree(fonts, here / ".mpl", dirs_exist_ok=True)
    os.environ |= {"NUMBA_CACHE_DIR": str(here / ".numba"), "MPLCONFIGDIR": str(here / ".mpl")}
    if not any((here / ".mpl").glob("fontlist*")):  # or an answer that draws would be said to have started fc-list
        with contextlib.suppress(ImportError, OSError):
            importlib.import_module("matplotlib.font_manager")
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    _roots.extend(map(os.path.abspath, [here, *roots, "/dev", "/proc", "/sys", os.devnull]))
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        own = sum(1 for p in Path("/proc").glob("[0-9]*") if p.stat().st_uid == os.getuid())
        resource.setrlimit(resource.RLIMIT_NPROC, (own + 256,) * 2)


def main(fd, cache, *roots):
    """Do what the checks' side says until it goes."""
    control = socket.socket(fileno=int(fd))
    _prepare(cache, roots)
    cells = Cells()
    sys.addaudithook(_hook)
    child = 0
    wire.send(control, {"ready": True})
    while True:
        tree, _ = wire.receive(control)
        if "run" in tree:
            reply = {"outputs": cells.run(tree["run"]), "tried": _tried}
        elif "serve" in tree:
            _, fds, _, _ = socket.recv_fds(control, 1, 1)
            if not (child := os.fork()):
                os.setpgid(0, 0)
                control.close()
                with contextlib.suppress(wire.Closed):
                    Line(socket.socket(fileno=fds[0]), cells.shell.user_ns).serve()
                os._exit(0)
            os.close(fds[0])
            reply = {"serving": True}
        elif "end" in tree:
            _end(child)
            child, reply = 0, {"ended": True}
        else:
            reply = {"tampered": _tampered(cells.shell)}
        wire.send(control, reply)


if __name__ == "__main__":
    with contextlib.suppress(wire.Closed):
        main(*sys.argv[1:])
    os._exit(0)
