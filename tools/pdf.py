"""Print the built book: ``python tools/pdf.py`` writes _build/rfbook.pdf.

It merges the pages that `make book` made, so that every number, figure and result is the one on the site and nothing
is executed again, and lets a headless Chromium set them on A4.  Pages of modules and functions stay on the site.  It
prints twice: the first time to learn on which page everything is, the second time with these numbers in the contents.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import yaml

from rfdev import ROOT
from rfdev.browser import BrowserError, BrowserMissing
from rfdev.paper import SITE, destinations, document, read_chapter, reading_order, small, typeset
from rfdev.site import offer_paper

MISSING = 3


def main() -> int:
    """Make _build/rfbook.pdf."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "_build" / "rfbook.pdf")
    parser.add_argument("--toc", type=Path, default=ROOT / "_toc.yml")
    args = parser.parse_args()
    chapters = [c for c in reading_order(args.toc) if not c.depth]  # pages of modules are for screens
    missing = [c.name for c in chapters if not (SITE / (c.name + ".html")).exists()]
    if missing:
        print(f"make pdf: the book is not built (no page for {missing[0]}); run make book first.", file=sys.stderr)
        return MISSING
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    settings = (ROOT / "settings.ini").read_text(encoding="utf-8")
    version = re.search(r"^version *= *(\S+)", settings, re.M)[1]
    folder = SITE.parent / "pdf"
    folder.mkdir(parents=True, exist_ok=True)
    prefix = os.path.relpath(SITE, folder) + "/"
    named = {c.name: c for c in chapters}
    setups = [read_chapter(c, named, SITE, prefix) for c in chapters]
    setup = next(filter(None, setups), "")
    page = folder / "book.html"
    page.write_text(document(chapters, setup, config["title"], config["author"], version, prefix), encoding="utf-8")
    try:
        pdf, out = typeset(page)
    except BrowserError as error:
        print(f"make pdf: {error}.", file=sys.stderr)
        return MISSING if isinstance(error, BrowserMissing) else 2
    printed, pdf = len(pdf), small(pdf)
    args.output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=args.output.parent, suffix=".pdf", delete=False) as file:
        file.write(pdf)
    os.replace(file.name, args.output)
    args.output.chmod(0o644)
    for line in out:
        print(f"make pdf: wider than the page: {line}", file=sys.stderr)
    count = destinations(pdf)[0]
    if args.toc == ROOT / "_toc.yml":
        _put_beside(args.output, SITE / (chapters[0].name + ".html"), count)
    print(f"{count} pages, {len(pdf) / 1e6:.1f} MB, as printed {printed / 1e6:.1f} MB: {args.output}")
    return bool(out)


def _put_beside(printed: Path, first: Path, count: int) -> None:
    """Lay the printed book into the site and let its first page lead there."""
    copy = SITE / "rfbook.pdf"
    shutil.copyfile(printed, copy)
    text = first.read_text(encoding="utf-8")
    first.write_text(offer_paper(text, os.path.relpath(copy, first.parent), count, copy.stat().st_size),
                     encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
