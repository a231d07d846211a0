"""Write plain copies of the pages for any Jupyter: python tools/notebooks.py [--execute all|sample|NOTEBOOK ...].

They lie in `_build/notebooks`.  `RFBOOK_URL`, the address of the site, makes their links lead there;
`RFBOOK_REPOSITORY`, OWNER/NAME on GitHub, gives them a first cell that installs the library from there.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from rfdev import ROOT, downloads, plain


def main() -> int:
    """Write them, and run those that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / plain.FOLDER)
    parser.add_argument("--execute", nargs="*", default=[], help="all, sample, notebooks, or parts such as 2_features")
    parser.add_argument("--python", default=sys.executable, help="that runs them (default: this one)")
    args = parser.parse_args()
    try:
        pages = downloads.chosen(args.execute, ROOT)
    except ValueError as error:
        parser.error(str(error))
    edition = plain.Edition(os.environ.get("RFBOOK_URL", ""), *plain.repository(), version=plain.version(),
                            solutions=plain.solutions())
    written = plain.write_copies(args.out, edition)
    print(f"{len(written)} plain copies in {args.out}", flush=True)
    copies = [(plain.copy_of(page), args.out / plain.copy_of(page)) for page in pages]
    copies = [(name, path) for name, path in copies if downloads.runs(path)]
    bad, start = 0, time.perf_counter()
    for name, verdict, seconds, said in downloads.run_copies(copies, str(Path(args.python).absolute())):
        print(f"{seconds:6.1f} s  {name}  {verdict}" + (f"\n{said}\n" if said else ""), flush=True)
        bad += verdict == "FAILED"
    if copies:
        took = time.perf_counter() - start
        print(f"{len(copies) - bad} of {len(copies)} copies ran alone, or said what they need, in {took:.0f} s")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
