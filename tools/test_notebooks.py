"""Run the code cells of all notebooks as nbdev does, each in a fresh interpreter, and report how long they took.

``python tools/test_notebooks.py [NOTEBOOK ...]`` runs two at a time.  A chapter of parts 1 to 6 should take 60 s at
most with cold compile caches and 15 s with warm ones.  What takes longer is said and never fails: a clock measures
the machine and its neighbours too.  Only a notebook that hangs is stopped, by a limit that no slow machine reaches.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COLD, WARM = 60.0, 15.0
TIMEOUT = 1800.0


def run_one(path: Path, flags: str) -> int:
    """Run one notebook in this process."""
    from nbdev.config import get_config
    from nbdev.test import test_nb

    cfg = get_config(path=ROOT)
    ok, _ = test_nb(path, skip_flags=cfg.tst_flags.split(), force_flags=flags.split(), basepath=cfg.config_path)
    return not ok


def run(path: Path, flags: str = "") -> tuple[bool, float, str]:
    """Run one notebook in an interpreter of its own; return whether it passed, wall seconds, and what it said."""
    env = {**os.environ, "MPLBACKEND": "agg"}
    start = time.perf_counter()
    try:
        done = subprocess.run([sys.executable, __file__, "--one", str(path), "--flags", flags], cwd=ROOT / "nbs",
                              env=env, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        ok, said = done.returncode == 0, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        ok, said = False, f"stopped after {TIMEOUT:.0f} s"
    return ok, time.perf_counter() - start, said


def main() -> int:
    """Run them all and print a table, slowest first."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all under nbs/")
    parser.add_argument("--flags", default="", help="run cells with these nbdev flags too, for instance slow")
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        return run_one(args.one.resolve(), args.flags)

    paths = [p.resolve() for p in args.notebooks] or sorted(
        p for p in (ROOT / "nbs").rglob("*.ipynb")
        if ".ipynb_checkpoints" not in p.parts and not p.name.startswith("_")
    )
    with ThreadPoolExecutor(args.workers) as pool:
        results = list(pool.map(lambda p: run(p, args.flags), paths))

    bad = []
    table = []
    for path, (ok, seconds, said) in zip(paths, results, strict=True):
        name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)
        verdict = "passed"
        if not ok:
            verdict = "FAILED"
            bad.append(name)
            print(f"\n--- {name}\n{said.strip()}")
        elif re.match(r"nbs/[1-6]_", name):
            if seconds > COLD:
                verdict = f"passed; over {COLD:.0f} s, which is too long if nothing ran beside it"
            elif seconds > WARM:
                verdict = f"passed; over {WARM:.0f} s, which is too long if the caches were warm"
        table.append((seconds, name, verdict))
    for seconds, name, verdict in sorted(table, reverse=True):
        print(f"{seconds:7.1f} s  {name}  {verdict}")
    print(f"{len(paths) - len(bad)} of {len(paths)} notebooks passed" + (": see above" if bad else ""))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
