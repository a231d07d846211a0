"""A headless Chromium, the system's own, driven by playwright, for the tools that print or try the book.

``with chromium() as browser: page = visit(browser.new_page(), path)``.  No browser is downloaded.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
from playwright.sync_api import Browser, Error, Page, sync_playwright

_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
_FLAGS = ["--allow-file-access-from-files", "--disable-quic"]  # the site's search reads files of the site

# the answer comes when the page is loaded and MathJax, if the page has it, has set every formula
_READY = """() => new Promise(done => {
  let since = 0;
  const look = () => {
    const mathjax = !document.querySelector("script[src*='mathjax']") || (window.MathJax && MathJax.startup &&
      MathJax.startup.promise);
    if (document.readyState === "complete" && mathjax)
      Promise.resolve(mathjax === true || mathjax).then(() => document.fonts.ready).then(() => done(true));
    else if (document.readyState === "complete" && (since ||= Date.now()) < Date.now() - 20000) done(false);
    else setTimeout(look, 50);
  };
  look();
})"""


class BrowserError(RuntimeError):
    """There is no browser, it ended, or a page of it failed; the message is a sentence."""


class BrowserMissing(BrowserError):
    """There is no browser."""


def find() -> str | None:
    """Path of Chromium or Chrome: that in ``$CHROMIUM``, else the first on the path."""
    named = os.environ.get("CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, _NAMES)), None)


def _end_drivers(late: threading.Event) -> None:
    """End the drivers that this process started, and their browsers with them: what waits for them then fails."""
    late.set()
    for child in psutil.Process().children():
        with suppress(psutil.Error):
            if any("playwright" in word for word in child.cmdline()):
                for process in [*child.children(recursive=True), child]:
                    process.kill()


@contextmanager
def chromium(limit: float = 3600.0) -> Iterator[Browser]:
    """Start a browser with a profile of its own; it belongs to the thread that starts it.

    Scripts and printing have no time limit of their own, so that what hangs is stopped after `limit` seconds, which no
    slow machine reaches.
    """
    program = find()
    if program is None:
        raise BrowserMissing("Chromium is missing; install it, or let CHROMIUM name a Chrome or Chromium")
    late = threading.Event()
    watchdog = threading.Timer(limit, _end_drivers, [late])
    watchdog.daemon = True
    watchdog.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=_FLAGS)
            try:
                yield browser
            finally:
                if not late.is_set():
                    browser.close()
    except Exception as error:
        if late.is_set():
            raise BrowserError(f"Chromium gave no answer in {limit:g} s") from error
        if isinstance(error, Error):
            raise BrowserError(error.message.split("\n")[0]) from error
        raise
    finally:
        watchdog.cancel()


def visit(page: Page, address: str | Path, width: int = 1400, height: int = 1000) -> Page:
    """Load a page (a path or an address) in a window of that size and wait until it is drawn, formulas too.

    Raises
    ------
    BrowserError
        If MathJax, which a page asks for, has not come twenty seconds after everything else.
    """
    page.set_viewport_size({"width": width, "height": height})
    page.goto(address.resolve().as_uri() if isinstance(address, Path) else address, timeout=0)
    if not page.evaluate(_READY):
        raise BrowserError(f"MathJax, which {address} asks for, cannot be reached: install npm and run make book again")
    return page
