"""Kernels that are forked from a process in which the packages of nearly every notebook are imported already.

There is one such process for each process that runs notebooks, which runs them one after the other.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
from importlib.metadata import EntryPoint
from pathlib import Path

from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

KERNEL = Path(__file__).with_name("kernel.py")
NAME = "rfdev-served"


class LocalKernelManager(AsyncKernelManager):
    """Talks to its kernel through sockets in a folder of its own, where the system has these.

    Ports would be chosen before the kernel takes them, and another program may be faster: then the kernel dies.
    """

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        if os.name == "posix":
            self._folder = tempfile.TemporaryDirectory(prefix="rf-")  # removed with this manager
            self.transport, self.connection_file = "ipc", str(Path(self._folder.name, "kernel.json"))


class Server:
    """The process that forks."""

    _instance: Server | None = None

    def __init__(self):
        self._process = subprocess.Popen([sys.executable, str(KERNEL), "--serve"], text=True, bufsize=1,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    @classmethod
    def instance(cls) -> Server:
        """The one of this process."""
        if cls._instance is None or cls._instance._process.poll() is not None:
            cls._instance = cls()
        return cls._instance

    def close(self) -> None:
        """End it, and the kernel that it may have."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def ask(self, **order) -> None:
        """Order a kernel."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")

    def answer(self) -> int:
        """Wait for the next number."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the process that starts kernels has ended")
        return int(line)

    def has_answered(self) -> bool:
        """Whether a number, or the end, can be read without waiting."""
        return bool(select.select([self._process.stdout], [], [], 0)[0])


class Kernel:
    """A forked kernel, as far as a provisioner asks for what `subprocess.Popen` has."""

    stdin = stdout = stderr = None

    def __init__(self, server: Server, **order):
        self._server, self.returncode = server, None
        server.ask(**order)
        self.pid = server.answer()

    def poll(self) -> int | None:
        """Exit status, or None while it runs."""
        if self.returncode is None and self._server.has_answered():
            return self.wait()
        return self.returncode

    def wait(self) -> int:
        """Exit status."""
        if self.returncode is None:
            self.returncode = self._server.answer()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal to it and to what it started; it leads a session, and a process group, of its own."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # it may end meanwhile
                os.killpg(self.pid, number)


class ServedProvisioner(LocalProvisioner):
    """Asks the server for a kernel."""

    async def launch_kernel(self, cmd, **kwargs):
        """Launch the kernel of a command ``[python, kernel.py, argument, ...]``."""
        env, cwd = dict(kwargs.get("env") or os.environ), str(kwargs.get("cwd") or Path.cwd())
        self.process = Kernel(Server.instance(), arguments=cmd[2:], env=env, cwd=cwd)
        self.pid, self.cwd = self.process.pid, cwd
        return self.connection_info


def register() -> None:
    """Make the provisioner known to jupyter_client, whose other ones are installed with packages."""
    known = KernelProvisionerFactory.instance().provisioners
    known[NAME] = EntryPoint(NAME, f"{__name__}:ServedProvisioner", KernelProvisionerFactory.GROUP_NAME)
