"""Run the notebooks that the site offers for download as a reader would: each alone, in an empty folder.

``python tools/test_downloads.py [PYTHON] [NOTEBOOK ...]`` copies each chapter's notebook from
`_build/html/_sources` (from `nbs/` when the book is not built) alone into an empty folder and runs it there with
PYTHON, which needs rfbook's wheel, matplotlib and jupyter, and nothing of this repository.  Two pages of the appendix
are made from the other notebooks of the book; these must say so.  Exit status 1 names those that fail.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from rfdev import ROOT
from rfdev.downloads import SAYS, offered, run_alone


def main() -> int:
    """Run them all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", nargs="?", default=sys.executable, help="default: this one")
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: parts 0 to 7")
    args = parser.parse_args()
    bad = []
    notebooks = args.notebooks or offered(ROOT / "_build" / "html", ROOT / "nbs")
    for path in notebooks:
        start = time.perf_counter()
        ok, said = run_alone(path, args.python)
        expected = SAYS.get(path.name)
        if expected:
            ok = not ok and expected in said
        verdict = "FAILED" if not ok else "says what it needs" if expected else "ran"
        print(f"{time.perf_counter() - start:6.1f} s  {path.name}  {verdict}", flush=True)
        if not ok:
            bad.append(path.name)
            print(said)
    good = len(notebooks) - len(bad)
    print(f"{good} of {len(notebooks)} downloads ran alone in an empty folder, or said what they need")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
