"""Pages of the built book through axe-core, light and dark, on a desk and on a telephone."""

from __future__ import annotations

import os
import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page

from rfdev import ROOT
from rfdev.browser import chromium, find, visit

WIDTHS = {"desk": 1400, "telephone": 390}

# the theme remembers a choice and follows the system; the attributes are what its style sheets look at
_THEME = """theme => { document.documentElement.dataset.theme = document.documentElement.dataset.mode = theme;
  document.documentElement.style.colorScheme = theme; }"""
# transitions would be measured half way
_STILL = """() => { const s = document.createElement("style");
  s.textContent = "*, *::before, *::after { transition: none !important; animation: none !important }";
  document.head.append(s); }"""
# Formulas are read out from MathJax's MathML; the glyphs that it draws beside it, a million boxes, are hidden from
# readers: a box of the same size takes their place.
_EMPTY = """() => {
  const formulas = [...document.querySelectorAll("mjx-math")].map(e => [e, e.getBoundingClientRect()]);
  for (const [e, box] of formulas) {
    e.style.cssText += `; display: inline-block; width: ${box.width}px; height: ${box.height}px`;
    e.replaceChildren();
  }
}"""
# between light and dark only colours differ
_RUN = """only => axe.run({include: document, exclude: [["mjx-math"]]},
  {resultTypes: ["violations"], ...(only ? {runOnly: only} : {})}
).then(r => r.violations.flatMap(v => v.nodes.map(n => ({
  rule: v.id, impact: v.impact, help: v.help, target: n.target.flat().join(" "), html: n.html.slice(0, 160),
  why: [...n.any, ...n.all, ...n.none].map(c => c.message).join("; ").slice(0, 240)}))))"""


def pages(site: Path) -> list[Path]:
    """The pages of a built site, without those that only send the reader on to another."""
    skip = {"_static", "_sources", "notebooks", "mathjax", "reports"}
    found = sorted(p for p in site.rglob("*.html") if not skip & set(p.relative_to(site).parts))
    return [p for p in found if b'http-equiv="refresh"' not in p.read_bytes()[:2000].lower()]


_STEPS = {"api": 10, "_modules": 10, "nbs/9_engine": 3}  # of pages that come from one template, or read like code


def of_a_kind(found: list[Path], site: Path) -> list[Path]:
    """The pages without nine in ten of the reference's and of its sources', and two in three of the engine's."""
    left = set(found)
    for folder, step in _STEPS.items():
        made = [p for p in found if (site / folder) in p.parents]
        left -= set(made) - set(made[::step])
    return [p for p in found if p in left]


def examine(tab: Page, page: Path, axe: str, widths=tuple(WIDTHS), themes=("light", "dark")) -> list[dict]:
    """Violations of one page; each is what axe says with the theme and the width beside it."""
    found = []
    visit(tab, page, width=WIDTHS[widths[0]], height=900)
    tab.evaluate(_STILL)
    tab.evaluate(_EMPTY)
    tab.evaluate(axe)
    for name in widths:
        tab.set_viewport_size({"width": WIDTHS[name], "height": 900})
        tab.wait_for_timeout(500)  # what follows the width of the window has followed
        for theme in themes:
            tab.evaluate(_THEME, theme)
            only = ["color-contrast", "link-in-text-block"] if theme != themes[0] else None
            found += [{**v, "theme": theme, "width": name} for v in tab.evaluate(_RUN, only)]
    return found


def examine_all(todo: list[Path], axe: str, jobs: int | None = None) -> Iterator[tuple[Path, list[dict], float]]:
    """Yield each page with its violations and seconds as it is done, with a browser for each of `jobs` threads.

    Raises
    ------
    BrowserError
        If a browser is missing, ends, or fails on a page.
    """
    waiting: queue.SimpleQueue[Path] = queue.SimpleQueue()
    for page in todo:
        waiting.put(page)
    done: queue.SimpleQueue = queue.SimpleQueue()

    def work() -> None:
        try:
            with chromium() as browser:
                while not over.is_set():
                    page, start = waiting.get_nowait(), time.perf_counter()
                    # a profile for each page: what one leaves behind is not charged to the next
                    tab = browser.new_page()
                    found = examine(tab, page, axe)
                    tab.close()
                    done.put((page, found, time.perf_counter() - start))
        except queue.Empty:
            pass
        except Exception as error:  # the caller's thread raises it
            done.put(error)

    over = threading.Event()
    threads = [threading.Thread(target=work, daemon=True) for _ in range(jobs or os.cpu_count() or 1)]
    for thread in threads:
        thread.start()
    try:
        for _ in todo:
            if isinstance(result := done.get(), Exception):
                raise result
            yield result
    finally:
        over.set()
        for thread in threads:
            thread.join()


def axe_source() -> tuple[str | None, str]:
    """Text of axe-core, or None and the sentence that says what is missing."""
    if find() is None:
        return None, "make a11y: Chromium is missing; install it, or let CHROMIUM name a Chrome or Chromium."
    done = subprocess.run(["sh", str(ROOT / "tools" / "axe.sh")], capture_output=True, text=True, check=False)
    if done.returncode:
        return None, done.stderr.strip()
    return (ROOT / done.stdout.strip()).read_text(encoding="utf-8"), ""
