"""A Python kernel that takes note of what the notebook in it uses: python kernel.py -f CONNECTION_FILE.

``sys.rfbook_uses()`` in the kernel writes it to the file that RFBOOK_USES names: modules and files under RFBOOK_ROOT,
folders whose names were asked for, whether other programs were started, and the processor time so far.
It imports nothing of this project and nothing that a notebook might patch, and leaves no name behind.

``python kernel.py --serve`` forks such kernels, one after the other, from a process that has imported the packages
that nearly every notebook needs: to import them anew takes longer than most notebooks do.  Each is a process of its
own, in which nothing of this project was imported and no notebook ran before.
"""

import gc
import importlib
import json
import logging
import os
import select
import signal
import sys
import warnings

_SPAWN = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty"}
# programs of the system that libraries ask about fonts and the machine
_STRANGERS = {"fc-list", "uname", "lscpu", "ldconfig", "ld", "gcc", "cc", "file", "sysctl"}
# what a served kernel has imported; nothing that starts programs may be among it, for that tells that one was started,
# nor the inline backend of matplotlib, which at its import asks the shell to show figures, and finds no shell here
_READY = ("ipykernel.kernelapp", "ipykernel.zmqshell", "matplotlib.pyplot", "numba",
          "scipy.integrate", "scipy.linalg", "scipy.optimize", "scipy.sparse.linalg", "scipy.special", "scipy.stats",
          "sklearn.base", "sklearn.datasets", "sklearn.linear_model", "sklearn.model_selection", "sklearn.pipeline",
          "sklearn.preprocessing")


class Uses:
    """What was seen so far."""

    def __init__(self, root):
        self.root = root
        self.files, self.folders, self.spawned = set(), set(), False

    def __call__(self, event, arguments):
        """Audit hook: called by Python for each event."""
        if event == "open":
            self.note(self.files, arguments[0])
        elif event in {"os.listdir", "os.scandir"}:
            if "importlib" not in sys._getframe(1).f_code.co_filename:  # the path finder looks everywhere
                self.note(self.folders, arguments[0])
        elif event in _SPAWN:
            self.spawned |= event != "subprocess.Popen" or not self.stranger(*arguments[:2])

    def note(self, seen, path):
        """Remember a path that lies under the root; one without a folder is in the present one."""
        if isinstance(path, int):
            return
        try:
            path = os.path.abspath(os.fspath(path) if path is not None else os.getcwd())
        except (TypeError, OSError):
            return
        path = os.fsdecode(path)
        if path.startswith(self.root):
            seen.add(path)

    @staticmethod
    def stranger(executable, arguments):
        """Whether a program cannot run Python code of ours."""
        if not executable:
            executable = arguments if isinstance(arguments, (str, bytes)) else next(iter(arguments), "")
        words = os.fsdecode(executable).split()
        return bool(words) and os.path.basename(words[0]) in _STRANGERS

    def write(self):
        """Write what was seen."""
        modules = [getattr(m, "__file__", None) for m in list(sys.modules.values())]
        times = os.times()
        seen = {
            "modules": sorted({m for m in modules if isinstance(m, str) and m.startswith(self.root)}),
            "files": sorted(self.files), "folders": sorted(self.folders),
            "spawned": self.spawned or any(name.rpartition(".")[2].startswith("popen_") for name in sys.modules),
            "seconds": times.user + times.system + times.children_user + times.children_system,
        }
        with open(os.environ["RFBOOK_USES"], "w", encoding="utf-8") as file:
            json.dump(seen, file)


def become_kernel(arguments):
    """Be a kernel that takes note of what is used."""
    uses = Uses(os.environ["RFBOOK_ROOT"] + os.sep)
    sys.addaudithook(uses)
    sys.rfbook_uses = uses.write  # type: ignore[attr-defined]
    logging.getLogger("rfbook").setLevel(logging.ERROR)  # what is compiled and when is no part of a page
    from ipykernel import kernelapp

    kernelapp.launch_new_instance(arguments)


def _fork(order):
    """Start a kernel as a program would be started: a session, an environment and a folder of its own."""
    ready, begun = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: BLAS ends its own before a fork
        pid = os.fork()
    if pid:
        os.close(begun)
        os.read(ready, 1)  # waits for the session, by which the kernel is ended, and gets nothing
        os.close(ready)
        return pid
    os.setsid()
    os.close(begun)
    os.close(ready)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["cwd"])
    become_kernel([*order["arguments"], f"--IPKernelApp.parent_handle={os.getppid()}"])  # it ends if this one does
    sys.exit()


def _prepare():
    """Do once what each kernel would do anew."""
    sys.modules["numba"].njit(lambda x: x)(1.0)  # numba reads its tables of types at its first compilation
    # after each cell pyplot draws all figures in pixels, before the inline backend draws them as the page shows them
    sys.modules["matplotlib.pyplot"].install_repl_displayhook = lambda: None


def serve():
    """Fork a kernel for each line of standard input; answer with its process id, and when it ended with its status."""
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # as ipykernel does before any import
    for name in _READY:
        importlib.import_module(name)
    _prepare()
    gc.freeze()  # what is never collected need not be copied
    for line in sys.stdin:
        pid, status = _fork(json.loads(line)), None
        print(pid, flush=True)
        while status is None:
            done, code = os.waitpid(pid, os.WNOHANG)
            if done:
                status = os.waitstatus_to_exitcode(code)
            elif select.select([0], [], [], 0.02)[0]:  # no order comes before the answer: whoever asked is gone
                os.killpg(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return
        print(status, flush=True)


if __name__ == "__main__":
    del sys.path[0]  # this folder
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        become_kernel(None)
