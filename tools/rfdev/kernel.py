"""A Python kernel that takes note of what the notebook in it uses: python kernel.py -f CONNECTION_FILE.

``sys.rfbook_uses()`` in the kernel writes it to the file that RFBOOK_USES names: modules and files under RFBOOK_ROOT,
folders whose names were asked for, whether other programs were started, and the processor time so far.
It imports nothing of this project and nothing that a notebook might patch, and leaves no name behind.
"""

import json
import os
import sys

_SPAWN = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty"}
# programs of the system that libraries ask about fonts and the machine
_STRANGERS = {"fc-list", "uname", "lscpu", "ldconfig", "ld", "gcc", "cc", "file", "sysctl"}


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


if __name__ == "__main__":
    del sys.path[0]  # this folder
    uses = Uses(os.environ["RFBOOK_ROOT"] + os.sep)
    sys.addaudithook(uses)
    sys.rfbook_uses = uses.write  # type: ignore[attr-defined]
    from ipykernel import kernelapp

    kernelapp.launch_new_instance()
