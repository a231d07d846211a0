"""Try every page of the built book with axe-core, light and dark, on a desk and on a telephone.

``python tools/a11y.py [PAGE ...]`` prints one line per violation, ``page [theme, width] rule: selector``, and exits
with 1 if there is any; with 3, and one sentence, when Chromium, npm or the built book is missing.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import Browser, BrowserError, find

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
WIDTHS = {"desk": 1400, "telephone": 390}
MISSING = 3

# the theme remembers a choice and follows the system; the attributes are what its style sheets look at
_THEME = """(theme => { document.documentElement.dataset.theme = document.documentElement.dataset.mode = theme;
  document.documentElement.style.colorScheme = theme; })"""
# transitions would be measured half way
_STILL = """(() => { const s = document.createElement("style");
  s.textContent = "*, *::before, *::after { transition: none !important; animation: none !important }";
  document.head.append(s); })()"""
# Formulas are read out from MathJax's MathML; the glyphs that it draws beside it, a million boxes, are hidden from
# readers.  Between light and dark only colours differ.
_RUN = """(only => axe.run({include: document, exclude: [["mjx-math"]]},
  {resultTypes: ["violations"], ...(only ? {runOnly: only} : {})}
).then(r => r.violations.flatMap(v => v.nodes.map(n => ({
  rule: v.id, impact: v.impact, help: v.help, target: n.target.flat().join(" "), html: n.html.slice(0, 160),
  why: [...n.any, ...n.all, ...n.none].map(c => c.message).join("; ").slice(0, 240)})))))"""


def pages(site: Path) -> list[Path]:
    """The pages of a built site, without those that only send the reader on to another."""
    skip = {"_static", "_sources", "mathjax", "reports"}
    found = sorted(p for p in site.rglob("*.html") if not skip & set(p.relative_to(site).parts))
    return [p for p in found if b'http-equiv="Refresh"' not in p.read_bytes()[:2000]]


def examine(tab, page: Path, axe: str, widths=tuple(WIDTHS), themes=("light", "dark")) -> list[dict]:
    """Violations of one page; each is what axe says with the theme and the width beside it."""
    found = []
    tab.size(WIDTHS[widths[0]], 900)
    tab.go(page)
    tab.eval(_STILL)
    tab.eval(axe)
    for name in widths:
        tab.size(WIDTHS[name], 900)
        tab.eval("new Promise(done => setTimeout(done, 500))")  # what follows the width of the window has followed
        for theme in themes:
            tab.eval(f"{_THEME}('{theme}')")
            only = '["color-contrast", "link-in-text-block"]' if theme != themes[0] else "null"
            found += [{**v, "theme": theme, "width": name} for v in tab.eval(f"{_RUN}({only})")]
    return found


def axe_source() -> tuple[str | None, str]:
    """Text of axe-core, or None and the sentence that says what is missing."""
    if find() is None:
        return None, "make a11y: Chromium is missing; install it, or let CHROMIUM name a Chrome or Chromium."
    done = subprocess.run(["sh", str(ROOT / "tools" / "axe.sh")], capture_output=True, text=True, check=False)
    if done.returncode:
        return None, done.stderr.strip()
    return (ROOT / done.stdout.strip()).read_text(encoding="utf-8"), ""


def main() -> int:
    """Examine pages and print what is found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", type=Path, help="default: all of _build/html")
    parser.add_argument("-v", "--verbose", action="store_true", help="the element and the reason, too")
    args = parser.parse_args()
    if not (SITE / "index.html").exists() and not args.pages:
        print("make a11y: the book is not built; run make book first.", file=sys.stderr)
        return MISSING
    axe, missing = axe_source()
    if axe is None:
        print(missing, file=sys.stderr)
        return MISSING
    todo = [p.resolve() for p in args.pages] or pages(SITE)
    rules: Counter = Counter()
    try:
        with Browser() as browser:
            for page in todo:
                # a tab for each page: what one page leaves behind is not charged to the next
                tab = browser.open("about:blank")
                name = page.relative_to(SITE).as_posix() if page.is_relative_to(SITE) else str(page)
                for v in examine(tab, page, axe):
                    rules[v["rule"]] += 1
                    print(f"{name} [{v['theme']}, {v['width']}] {v['rule']}: {v['target']}")
                    if args.verbose:
                        print(f"    {v['html']}\n    {v['why']}")
                if args.verbose:
                    print(f"{name}: seen")
                sys.stdout.flush()
                tab.close()
    except BrowserError as error:
        print(f"make a11y: {error}.", file=sys.stderr)
        return 2
    print(f"{len(todo)} pages, light and dark, {' and '.join(f'{w} px' for w in WIDTHS.values())} wide: "
          + (", ".join(f"{n} {rule}" for rule, n in rules.most_common()) if rules else "no violation"))
    return bool(rules)


if __name__ == "__main__":
    sys.exit(main())
