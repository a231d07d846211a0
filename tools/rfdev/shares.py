"""How much of a built page is read, and how much is code; what does not fit on a telephone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rfdev.browser import visit

WIDTH = 1400
MOST_CODE = 1 / 3
LEAST_READ = 1 / 2
TELEPHONE = 390
MOST_FORMULA = 1.3  # of its column

# the frame after the next: what was to happen before one is drawn has happened
_DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

# what is closed does not count; of things inside each other the outermost does
_SHARES = """() => {
  const article = document.querySelector('article.bd-article') || document.body;
  const shown = e => !e.closest('details:not([open]), .toggle-hidden, .toggle-details') && e.checkVisibility();
  const height = e => e.getBoundingClientRect().height;
  const sum = found => found.reduce((all, e) => all + height(e), 0);
  const outer = found => found.filter(e => !found.some(o => o !== e && o.contains(e)));
  const code = outer([...article.querySelectorAll('div.cell_input')].filter(shown));
  const blocks = [...article.querySelectorAll('div.cell_input div.highlight pre')].filter(shown);
  const read = outer([...article.querySelectorAll('p, li, .math, figure, img, .admonition, .proof, table')].filter(
    e => shown(e) && !e.closest('div.cell_input')));
  return {code: sum(code) / height(article), read: sum(read) / height(article),
    wide: blocks.filter(e => e.scrollWidth > e.clientWidth + 1).length, blocks: blocks.length};
}"""


def shares(tab: Any, page: Path) -> dict[str, float]:
    """Shares of a page's visible height, closed dropdowns left out.

    Parameters
    ----------
    tab : playwright Page
    page : Path
        Built page.

    Returns
    -------
    dict
        ``code``: code cells; ``read``: prose, formulas, figures, tables; ``wide``: blocks of code that overflow, of
        ``blocks``.
    """
    visit(tab, page, width=WIDTH, height=2000)
    tab.evaluate(_DRAWN)  # dropdowns have closed
    return tab.evaluate(_SHARES)


def faults(found: dict[str, float]) -> list[str]:
    """What of the shares of a chapter is beyond the limits, in words; empty if nothing is."""
    told = []
    if found["code"] > MOST_CODE:
        told.append(f"{found['code']:.2f} of the page is code, {MOST_CODE:.2f} at most may be")
    if found["read"] < LEAST_READ:
        told.append(f"{found['read']:.2f} of the page is read, {LEAST_READ:.2f} at least should be")
    if found["wide"]:
        told.append(f"{found['wide']:.0f} blocks of code overflow")
    return told


# what is closed has no width
_NARROW = """most => {
  const told = [], page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) told.push(`the page is ${page.scrollWidth} pixels wide`);
  for (const box of document.querySelectorAll("article div.math > mjx-container")) {
    const columns = box.querySelector("mjx-math").getBoundingClientRect().width / box.clientWidth;
    if (columns > most)
      told.push(`the formula ${box.parentElement.id || "in " + box.closest("[id]").id} is ${columns.toFixed(2)} wide`);
  }
  return told;
}"""


def narrow_faults(tab: Any) -> list[str]:
    """What of the page in `tab` does not fit on a telephone, in words.

    Formulas that are wider than their column scroll in it; those that are much wider should be broken into lines.
    """
    tab.set_viewport_size({"width": TELEPHONE, "height": 900})
    tab.evaluate(_DRAWN)
    return tab.evaluate(_NARROW, MOST_FORMULA)
