"""The wall around answers: bubblewrap, or namespaces of Linux, so that no network and no file but the library is there.

Where a system has neither, `wall` says what is missing, and answers run with limits on time, memory and files only.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from rfdev import ROOT

DISK = 2**28  # bytes that answers may write
_SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/lib32", "/sbin", "/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts",
           "/etc/localtime", "/etc/mime.types", "/nix/store")
INSIDE = "/answers"  # where the two files of the answers' side are


@dataclass(frozen=True)
class Wall:
    """What stands around answers, by name (empty: nothing), and a sentence."""

    name: str
    sentence: str


def readable() -> list[str]:
    """Folders that an answer may read: the system, Python, the library and the data sets."""
    import rfbook

    python = [sys.prefix, sys.base_prefix, sys.exec_prefix, Path(sys.executable).resolve().parent.parent,
              Path(rfbook.__file__).resolve().parent, os.environ.get("RFBOOK_DATA", ""),
              os.environ.get("MPLCONFIGDIR", "")]
    if sys.pycache_prefix:  # what is compiled of these, and of nothing else
        python += [sys.pycache_prefix + str(p) for p in python if str(p)]
    return list(dict.fromkeys(str(p) for p in [*_SYSTEM, *python] if str(p) and Path(p).exists()))


def _cache() -> str:
    return os.environ.get("NUMBA_CACHE_DIR", "")


def _bubblewrap(command: list[str]) -> list[str]:
    out = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--proc", "/proc",
           "--dev", "/dev", "--size", str(DISK), "--tmpfs", "/tmp"]
    for place in [*readable(), *filter(os.path.isdir, [_cache()])]:
        link = Path(place).is_symlink() and place in _SYSTEM
        out += ["--symlink", os.readlink(place), place] if link else ["--ro-bind", place, place]
    for name in ("answers.py", "wire.py"):
        out += ["--ro-bind", str(Path(__file__).with_name(name)), f"{INSIDE}/{name}"]
    return [*out, "--dir", "/tmp/work", "--chdir", "/tmp/work", "--setenv", "HOME", "/tmp",
            "--setenv", "TMPDIR", "/tmp", "--setenv", "IPYTHONDIR", "/tmp/.ipython", *command]


def _namespaces(command: list[str]) -> list[str]:
    """A root of bind mounts in namespaces of its own; the inner user namespace may not take it apart.

    It is mounted on the working directory, which the caller made for this and removes: nothing else is left of it.
    """
    q = shlex.quote
    lines = ["set -e", "R=$(pwd -P)", f'mount -t tmpfs -o size={DISK},mode=755 none "$R"',
             'mkdir -p "$R/old" "$R/proc" "$R/dev" "$R/tmp/work"', 'chmod -R 777 "$R/tmp"',
             'mount -t proc proc "$R/proc"', f'mkdir -p "$R{INSIDE}"']
    for name in ("null", "zero", "urandom", "random"):
        lines += [f'touch "$R/dev/{name}"', f'mount --bind /dev/{name} "$R/dev/{name}"']
    places = [(p, p) for p in [*readable(), *filter(os.path.isdir, [_cache()])]]
    places += [(str(Path(__file__).with_name(name)), f"{INSIDE}/{name}") for name in ("answers.py", "wire.py")]
    for source, target in places:
        path = Path(source)
        if path.is_symlink() and source in _SYSTEM:
            lines.append(f'ln -s {q(os.readlink(source))} "$R"{q(target)}')
            continue
        lines.append(f'mkdir -p "$R"{q(target if path.is_dir() else str(Path(target).parent))}')
        if not path.is_dir():
            lines.append(f'touch "$R"{q(target)}')
        lines += [f'mount --rbind {q(source)} "$R"{q(target)}', f'mount -o remount,bind,ro "$R"{q(target)}']
    inner = f"umount -l /old; cd /tmp/work; exec unshare --user {shlex.join(command)}"
    lines += ['cd "$R"', "export HOME=/tmp TMPDIR=/tmp IPYTHONDIR=/tmp/.ipython", "pivot_root . old",
              f"exec chroot . /bin/sh -c {q(inner)}"]
    return ["unshare", "--user", "--map-root-user", "--net", "--mount", "--pid", "--ipc", "--uts", "--fork",
            "--kill-child", "--mount-proc", "/bin/sh", "-c", "\n".join(lines)]


_WAYS = {"bubblewrap": _bubblewrap, "namespaces": _namespaces}


def _probe(name: str) -> str:
    """The empty string if a wall stands here, or what is in its way."""
    tool = {"bubblewrap": "bwrap", "namespaces": "unshare"}[name]
    if not shutil.which(tool):
        return f"there is no {tool}"
    # what it must do: show the library, hide the masters, have no network but the loop
    hidden, net = ROOT / "nbs" / "coursework", "print(len(open('/proc/net/dev').readlines()) - 2)"
    test = (f"import os, rfbook; assert not os.path.exists({str(hidden)!r}); assert os.path.exists(rfbook.__file__); "
            f"open('x', 'w').close(); {net}")
    try:
        with tempfile.TemporaryDirectory(prefix="wall-", ignore_cleanup_errors=True) as folder:
            done = subprocess.run(_WAYS[name]([sys.executable, "-c", test]), capture_output=True, text=True, timeout=60,
                                  check=False, stdin=subprocess.DEVNULL, cwd=folder, env=environment(folder))
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{tool} does not work ({type(error).__name__})"
    if done.returncode or done.stdout.strip() not in {"0", "1"}:
        last = (done.stderr.strip().splitlines() or [f"network devices: {done.stdout.strip()}"])[-1]
        return f"{tool} does not work ({last[:150]})"
    return ""


_settled: list[Wall] = []


def settle(name: str) -> None:
    """Take a wall that another process has tried."""
    _settled[:] = [Wall(name, "")]


def wall() -> Wall:
    """The wall of this process: the best that the system has; ``RFBOOK_WALL`` names one to use, or ``none``."""
    if not _settled:
        _settled.append(_found())
    return _settled[0]


def _found() -> Wall:
    wanted, missing = os.environ.get("RFBOOK_WALL", ""), []
    for name in _WAYS if wanted != "none" else ():
        if wanted in {"", name}:
            if not (why := _probe(name)):
                return Wall(name, f"answers run behind {name}: no network, no files but the library's")
            missing.append(why)
    what = "; ".join(missing) or "RFBOOK_WALL is none"
    return Wall("", f"there is no wall around answers: {what}.  They run as you, with limits on time, memory and files "
                    "and in a process without the checks, but they can read your files and use the network.  Install "
                    "bubblewrap (Linux), or mark in a container or virtual machine with no network and nothing to lose")


def environment(folder: str) -> dict[str, str]:
    """Variables that answers may see; no seed is among them."""
    kept = ("PATH", "LANG", "PYTHONNOUSERSITE", "PYTHONPYCACHEPREFIX", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "RFBOOK_DATA",
            "NUMBA_CACHE_LOCATOR_CLASSES", "MPLCONFIGDIR")
    env = {k: v for k, v in os.environ.items() if k in kept or k.startswith(("LC_", "DYLD_"))}
    env |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return env | {"HOME": folder, "TMPDIR": folder, "IPYTHONDIR": f"{folder}/.ipython",
                  "MPLBACKEND": "module://matplotlib_inline.backend_inline", "PYTHONDONTWRITEBYTECODE": "1"}


def start(fd: int, folder: Path, before=None) -> subprocess.Popen:
    """Start the answers' side, which speaks through the socket `fd`, behind the wall; `folder` is its own."""
    name = wall().name
    here = INSIDE if name else str(_copied(folder))
    roots = [*readable(), here, *(["/tmp"] if name else [])]
    command = [sys.executable, f"{here}/answers.py", str(fd), _cache(), *roots]
    work = folder / "work"
    work.mkdir(exist_ok=True)
    with open(folder / "said", "wb") as said:
        return subprocess.Popen(_WAYS[name](command) if name else command, cwd=work, env=environment(str(work)),
                                stdin=subprocess.DEVNULL, stdout=said, stderr=said, pass_fds=[fd],
                                start_new_session=True, preexec_fn=before)


def _copied(folder: Path) -> Path:
    """The two files of the answers' side, away from the other tools."""
    place = folder / "answers"
    place.mkdir(exist_ok=True)
    for name in ("answers.py", "wire.py"):
        shutil.copy(Path(__file__).with_name(name), place)
    return place
