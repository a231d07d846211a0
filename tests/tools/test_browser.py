"""The browser of the tools: what is missing or hangs is said in a sentence."""

import psutil
import pytest

from rfdev import browser


def test_a_missing_browser_is_said_to_be_missing(monkeypatch):
    monkeypatch.setenv("CHROMIUM", "no-such-browser")
    assert browser.find() is None
    with pytest.raises(browser.BrowserMissing, match="Chromium is missing; install it"), browser.chromium():
        pass


@pytest.mark.skipif(browser.find() is None, reason="Chromium is missing")
@pytest.mark.filterwarnings("ignore")  # the driver's last words
def test_a_page_that_hangs_is_stopped():
    before = {p.pid for p in psutil.Process().children()}
    with pytest.raises(browser.BrowserError, match="no answer in 10 s"), browser.chromium(limit=10) as running:
        running.new_page().evaluate("new Promise(() => 0)")
    assert {p.pid for p in psutil.Process().children()} <= before


@pytest.mark.skipif(browser.find() is None, reason="Chromium is missing")
def test_formulas_that_cannot_be_drawn_are_not_waited_for(monkeypatch, tmp_path):
    monkeypatch.setattr(browser, "_READY", browser._READY.replace("20000", "200"))
    page = tmp_path / "page.html"
    page.write_text('<script defer src="mathjax/none.js"></script><p>x</p>')
    with pytest.raises(browser.BrowserError, match="MathJax, .*page.html"), browser.chromium() as running:
        browser.visit(running.new_page(), page)
