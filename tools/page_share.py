"""Say of each page how much of its visible height is code and how much is read, and what a telephone cuts.

``python tools/page_share.py [PAGE ...]`` prints a line per built page (default: the chapters of parts 1 to 6), and
exits with 1 if one is beyond the limits; with 3, and one sentence, when Chromium or the built book is missing.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rfdev import ROOT
from rfdev.browser import BrowserError, chromium
from rfdev.shares import faults, narrow_faults, shares

MISSING = 3


def main() -> int:
    """Measure pages and print what is found."""
    pages = [Path(name) for name in sys.argv[1:]] or sorted(ROOT.glob("_build/html/nbs/[1-6]_*/*.html"))
    if not pages:
        print("page_share: the book is not built; run make book first.", file=sys.stderr)
        return MISSING
    beyond = 0
    try:
        with chromium() as browser:
            tab = browser.new_page()
            for page in pages:
                found = shares(tab, page)
                told = "; ".join([*faults(found), *narrow_faults(tab)])
                beyond += bool(told)
                print(f"{page.stem:28s} code {found['code']:.2f}  read {found['read']:.2f}  "
                      f"too wide {found['wide']:.0f} of {found['blocks']:.0f}  {told}".rstrip(), flush=True)
    except BrowserError as error:
        print(f"page_share: {error}", file=sys.stderr)
        return MISSING
    return bool(beyond)


if __name__ == "__main__":
    raise SystemExit(main())
