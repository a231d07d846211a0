"""Print the page to open as the last line of `make book`, and open it with ``--open``."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Print the address; say first when the pages need the network for their formulas."""
    site = ROOT / "_build" / "html"
    page = site / "index.html"
    if not page.exists():
        print("make book: no page was built", file=sys.stderr)
        return 1
    if not (site / "mathjax" / "startup.js").exists():
        print("The formulas of this build need the network; install npm and run make book again to read offline.")
    address = page.as_uri()
    if "--open" in sys.argv[1:]:
        webbrowser.open(address)
    print(address)
    return 0


if __name__ == "__main__":
    sys.exit(main())
