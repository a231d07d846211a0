"""Try the pages of the built book with axe-core, light and dark, on a desk and on a telephone.

``python tools/a11y.py [PAGE ...]`` prints a line per page as it is done, with one line per violation above it,
``page [theme, width] rule: selector``, and exits with 1 if there is any; with 3, and one sentence, when Chromium, npm
or the built book is missing.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from pathlib import Path

from rfdev import ROOT
from rfdev.accessibility import WIDTHS, axe_source, examine_all, of_a_kind, pages
from rfdev.browser import BrowserError

SITE = ROOT / "_build" / "html"
MISSING = 3


def main() -> int:
    """Examine pages and print what is found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", type=Path,
                        help="default: _build/html, one page in ten of the reference, one in three of the engine")
    parser.add_argument("-v", "--verbose", action="store_true", help="the element and the reason, too")
    parser.add_argument("--all", action="store_true", help="every page")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="pages at a time (default: all cores)")
    args = parser.parse_args()
    if not (SITE / "index.html").exists() and not args.pages:
        print("make a11y: the book is not built; run make book first.", file=sys.stderr)
        return MISSING
    axe, missing = axe_source()
    if axe is None:
        print(missing, file=sys.stderr)
        return MISSING
    todo = [p.resolve() for p in args.pages] or (pages(SITE) if args.all else of_a_kind(pages(SITE), SITE))
    rules: Counter = Counter()
    start = time.perf_counter()
    try:
        for i, (page, found, seconds) in enumerate(examine_all(todo, axe, min(args.jobs, len(todo))), 1):
            name = page.relative_to(SITE).as_posix() if page.is_relative_to(SITE) else str(page)
            for v in found:
                rules[v["rule"]] += 1
                print(f"{name} [{v['theme']}, {v['width']}] {v['rule']}: {v['target']}")
                if args.verbose:
                    print(f"    {v['html']}\n    {v['why']}")
            said = f"{len(found)} violations" if found else "no violation"
            print(f"{i:3d}/{len(todo)}  {seconds:5.1f} s  {name}: {said}", flush=True)
    except BrowserError as error:
        print(f"make a11y: {error}.", file=sys.stderr)
        return 2
    print(f"{len(todo)} pages, light and dark, {' and '.join(f'{w} px' for w in WIDTHS.values())} wide, "
          f"in {time.perf_counter() - start:.0f} s: "
          + (", ".join(f"{n} {rule}" for rule, n in rules.most_common()) if rules else "no violation"))
    return bool(rules)


if __name__ == "__main__":
    sys.exit(main())
