"""A student's answers in a process behind the wall, as the checks see them: functions that can be called."""

from __future__ import annotations

import builtins
import contextlib
import inspect
import io
import math
import pickle
import random
import socket
import sys
import threading
import time
from pathlib import Path

import numpy as np

from rfdev.marking import wire
from rfdev.marking.limits import Limits, kill_tree, limit_process
from rfdev.marking.wall import start

MAX_PROCESSES = 64  # of one submission
CHECK = "__check__"  # name of the module in which checks run


class NotFinished(BaseException):
    """An answer that ran into a limit; no check can catch it by accident."""


def _used(family, what: str) -> int:
    """Resident bytes of some processes, what they share counted once if `what` is ``"pss"`` and the system tells."""
    import psutil

    total = 0
    for process in family:
        with contextlib.suppress(psutil.Error):
            found = process.memory_full_info() if what == "pss" and sys.platform == "linux" else process.memory_info()
            total += getattr(found, what, found.rss)
    return total


class Watcher(threading.Thread):
    """End a tree of processes whose resident memory, or number, passes a limit; works on Linux and macOS."""

    def __init__(self, pid: int, gib: float):
        super().__init__(daemon=True)
        self.pid, self.gib, self.why, self.over = pid, gib, "", threading.Event()

    def run(self):
        import psutil

        while not self.over.wait(0.05):
            try:
                top = psutil.Process(self.pid)
                family = [top, *top.children(recursive=True)]
            except psutil.Error:
                return
            if len(family) > MAX_PROCESSES:
                self.why = f"it started more than {MAX_PROCESSES} processes"
            # copies of a process share memory, which takes longer to see
            elif _used(family, "rss") > self.gib * 2**30 and _used(family, "pss") > self.gib * 2**30:
                self.why = f"it took more than {self.gib:g} GiB of memory"
            if self.why:
                kill_tree(self.pid)
                return


_PLAIN = {type(None), bool, int, float, str, bytes, tuple, list, dict, np.ndarray, np.dtype}  # most of all messages


class _Pickler(pickle.Pickler):
    """Writes what a check gives to an answer; what the check itself defined stays here and is called back."""

    def __init__(self, file, given: list):
        super().__init__(file, protocol=5)
        self.given = given

    def persistent_id(self, obj):
        if type(obj) in _PLAIN:
            return None
        kind = obj if inspect.isfunction(obj) or inspect.isclass(obj) else type(obj)
        if getattr(kind, "__module__", None) != CHECK or inspect.isclass(obj):
            return None
        self.given.append(obj)
        plain = {k: v for k, v in getattr(obj, "__dict__", {}).items()
                 if isinstance(v, (bool, int, float, str, np.ndarray)) and not k.startswith("_")}
        methods = ["__call__"] if inspect.isfunction(obj) else [
            k for k in dir(kind) if callable(getattr(obj, k, None)) and (not k.startswith("_") or k == "__call__")]
        return len(self.given) - 1, methods, plain


def _dumps(value, given: list) -> np.ndarray:
    file = io.BytesIO()
    _Pickler(file, given).dump(value)
    return np.frombuffer(file.getbuffer(), dtype=np.uint8)


def _global_state() -> tuple:
    """Where both global generators stand, to be compared."""
    state = np.random.get_state(legacy=False)  # noqa: NPY002
    return state["state"]["key"].tobytes(), state["state"]["pos"], state["has_gauss"], state["gauss"], random.getstate()


def _to_be_sent(state: tuple) -> list:
    key, pos, has, gauss, (_, numbers, other) = state
    return [np.frombuffer(key, dtype=np.uint32), int(pos), int(has), float(gauss), np.array(numbers, dtype=np.uint32),
            other]


def _set_globals(found) -> None:
    key, pos, has, gauss, numbers, other = found
    if not (key.shape == (624,) and 0 <= pos <= 624 and numbers.shape == (625,)):
        raise wire.Garbled("a generator came back as another one")
    np.random.set_state(("MT19937", key.astype(np.uint32), int(pos), int(has), float(gauss)))  # noqa: NPY002
    random.setstate((3, tuple(int(n) % 2**32 for n in numbers), None if other is None else float(other)))


def _raised(name: str, said: str) -> Exception:
    """An exception of an answer, as one of the same name."""
    kind = getattr(builtins, str(name), None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)) or kind in (UnicodeDecodeError, UnicodeEncodeError):
        kind = type("".join(c for c in str(name) if c.isalnum() or c == "_")[:60] or "Exception", (Exception,), {})
    try:
        return kind(str(said))
    except Exception:
        return RuntimeError(str(said))


class Remote:
    """A function of a student, which runs elsewhere."""

    def __init__(self, line: Line, name: str, parameters):
        self._line, self.__name__ = line, name
        self._parameters = parameters

    @property
    def __signature__(self):
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature([inspect.Parameter(p, kind) for p in self._parameters])

    def __call__(self, *arguments, **names):
        return self._line.call(self, arguments, names)[0]

    def observed(self, arguments, calls=(), memory=False):
        """What it gives, the peak of its memory in bytes, and how often it called functions of the library."""
        return self._line.call(self, arguments, {}, calls=list(calls), memory=memory)


class Line:
    """The calls of one check."""

    def __init__(self, connection: socket.socket, end: float, limits: Limits):
        self.connection, self.end, self.limits = connection, end, limits
        self.dead, self.tried = False, []
        self.there: tuple | None = None  # where the global generators stand on the other side

    def _receive(self):
        # each read waits no longer than what is left
        self.connection.settimeout(max(0.01, self.end - time.monotonic()))
        return wire.receive(self.connection, int(self.limits.memory * 2**30))

    def _exchange(self, tree, buffers=()):
        if self.dead:
            raise NotFinished(self.dead)
        try:
            self.connection.settimeout(max(0.01, self.end - time.monotonic()))
            wire.send(self.connection, tree, buffers)
            return self._receive()
        except TimeoutError:
            self.dead = "late"
        except (wire.Closed, OSError):
            self.dead = "ended"
        except wire.Garbled as error:
            self.dead = str(error)
        raise NotFinished(self.dead)

    def get(self, name: str):
        """What stands for a name: a `Remote` if it can be called; raises KeyError if there is nothing."""
        tree, buffers = self._exchange({"get": name})
        if not isinstance(tree, dict) or tree.get("missing"):
            raise KeyError(name)
        if tree.get("callable"):
            return Remote(self, name, _names(tree.get("parameters")))
        return wire.decode(tree.get("value"), buffers)

    def call(self, remote: Remote, arguments, names, calls=(), memory=False):
        """Call an answer; give its result, its peak of memory and the counts."""
        given: list = []
        now = _global_state()
        state = None if now == self.there else _to_be_sent(now)
        self.there = now
        tree, buffers = self._exchange({"call": remote.__name__, "calls": list(calls), "memory": memory},
                                       [_dumps((arguments, names, state), given)])
        while isinstance(tree, dict) and "back" in tree:
            tree, buffers = self._back(tree, buffers, given)
        if not isinstance(tree, dict):
            raise NotFinished("it sent something that is no message")
        try:
            return self._result(remote, tree, buffers, [*arguments, *names.values()])
        except (wire.Garbled, TypeError, ValueError, KeyError, IndexError, StopIteration, AttributeError) as error:
            self.dead = str(error) if isinstance(error, wire.Garbled) else "it sent something that is no message"
            raise NotFinished(self.dead) from None

    def _result(self, remote, tree, buffers, given):
        found = wire.decode(tree.get("gave"), buffers) if "gave" in tree else None
        for place, value in tree["changed"]:
            _change(given[int(place)], None if value is None else wire.decode(value, buffers))
        generators = [a for a in given if isinstance(a, np.random.Generator)]
        for rng, (state, spawned) in zip(generators, tree["rngs"], strict=True):
            wire.set_state(rng, state, spawned)
        if "globals" in tree:
            _set_globals(wire.decode(tree["globals"], buffers))
            self.there = _global_state()
        self.tried = [str(t)[:300] for t in tree["tried"]][:20]
        remote._parameters = _names(tree["parameters"])
        if "raised" in tree:
            name, said = tree["raised"]
            raise _Raised(_raised(name, said))
        counts = {str(k): int(v) for k, v in tree["counts"].items()}
        return found, float(tree["peak"]), counts

    def _back(self, tree, buffers, given):
        """Let an answer call what the check gave it."""
        thing, method = given[int(tree["back"])], str(tree["method"])
        if method.startswith("_") and method != "__call__":
            raise NotFinished("it asked for what it was not given")
        arguments = [wire.decode(a, buffers) for a in tree["arguments"]]
        names = {str(k): wire.decode(v, buffers) for k, v in tree["names"].items()}
        rngs = [a for a in [*arguments, *names.values()] if isinstance(a, np.random.Generator)]
        reply, found = {"value": True}, None
        try:
            found = (thing if method == "__call__" else getattr(thing, method))(*arguments, **names)
        except Exception as error:
            reply["raised"] = f"{type(error).__name__}: {error}"
        return self._exchange(reply, [_dumps((found, [wire._generator(r)["g"] for r in rngs]), [])])


class _Raised(Exception):
    """Carries what an answer raised past the border."""

    def __init__(self, error: Exception):
        super().__init__(str(error))
        self.error = error


def _names(found) -> list[str]:
    names = [str(n) for n in found or [] if str(n).isidentifier()]
    return list(dict.fromkeys(names))[:50]


def _change(given, now) -> None:
    """Do to an argument of a check what an answer did to its copy."""
    if isinstance(given, np.ndarray) and now is not None and now.shape == given.shape:
        np.copyto(given, now, casting="unsafe")
    elif hasattr(given, "tocsr"):
        given.data = given.data + 1.0
    elif isinstance(given, np.ndarray):
        given.fill(0 if given.any() else 1)


class Session:
    """The process of a student's answers."""

    def __init__(self, folder: Path, limits: Limits):
        self.limits, self.tried, self.dead = limits, [], ""
        ours, theirs = socket.socketpair()
        self.control = ours
        with theirs:
            self.process = start(theirs.fileno(), folder, lambda: limit_process(limits))
        self.watcher = Watcher(self.process.pid, limits.memory)
        self.watcher.start()
        self._ask({}, 120, 2**20, send=False)

    def close(self) -> None:
        """End it and all that it started."""
        self.watcher.over.set()
        kill_tree(self.process.pid)
        self.process.wait()
        self.control.close()

    def _ask(self, tree, seconds: float, most: int = 2**26, *, send=True):
        try:
            self.control.settimeout(seconds)
            if send:
                wire.send(self.control, tree)
            found, _ = wire.receive(self.control, most)
            if isinstance(found, dict):
                return found
            self.dead = "it sent something that is no message"
        except TimeoutError:
            self.dead = f"stopped after {math.ceil(seconds)} s"
        except (wire.Closed, OSError):
            self.dead = self._why()
        except wire.Garbled as error:
            self.dead = str(error)
        return {}

    def _why(self) -> str:
        self.watcher.join(1.0) if self.watcher.why else None
        return self.watcher.why or "it ended its process"

    def run(self, source: str, seconds: float) -> list:
        """Outputs of a cell, as they came; `dead` says what ended the process, if anything did."""
        found = self._ask({"run": source}, seconds)
        self._remember(found.get("tried"))
        return found.get("outputs", []) if isinstance(found.get("outputs"), list) else []

    def _remember(self, tried) -> None:
        if isinstance(tried, list):
            self.tried += [s for s in (str(t)[:300] for t in tried[:20]) if s not in self.tried]

    def tampered(self) -> list[str]:
        """What answers have replaced."""
        found = self._ask({"tampered": True}, 20).get("tampered") if not self.dead else []
        return [str(t)[:200] for t in found[:10]] if isinstance(found, list) else []

    def line(self, seconds: float) -> Line | None:
        """A copy of the process for one check."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                wire.send(self.control, {"serve": True})
                socket.send_fds(self.control, [b"x"], [theirs.fileno()])
            except OSError:
                self.dead = self._why()
        if not self.dead:
            self._ask({}, 30, send=False)
        return None if self.dead else Line(ours, time.monotonic() + seconds, self.limits)

    def end(self, line: Line) -> None:
        """Let the copy go."""
        self._remember(line.tried)
        line.connection.close()
        if not self.dead:
            self._ask({"end": True}, 20)

    def sentence(self, line: Line, seconds: float) -> str:
        """What ended a call, in words."""
        if line.dead == "late":
            return f"stopped after {math.ceil(seconds)} s"
        if line.dead == "ended":
            time.sleep(0.1)  # the watcher may be about to say it
            return self._why()
        return line.dead or "it did not finish"
