"""A headless Chromium for the tools that print or try the book, spoken to through a pipe: no port, no package.

``with Browser() as browser: tab = browser.open(path); tab.eval("document.title")``.
The protocol is Chromium's DevTools protocol; what is here is the little of it that the book needs.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from pathlib import Path

_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
_FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
          "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--hide-scrollbars",
          "--allow-file-access-from-files", "--disable-dev-shm-usage", "--remote-debugging-pipe"]


class BrowserError(RuntimeError):
    """There is no browser, it ended, or a page of it failed."""


def find() -> str | None:
    """Path of Chromium or Chrome: that in ``$CHROMIUM``, else the first on the path."""
    named = os.environ.get("CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, _NAMES)), None)


class Browser:
    """A browser with a profile of its own, ended and removed on leaving the ``with`` block."""

    def __init__(self, timeout: float = 120.0):
        self.timeout = timeout
        self._calls = 0
        self._buffer = b""

    def __enter__(self) -> Browser:
        program = find()
        if program is None:
            raise BrowserError("Chromium is missing; install it, or let CHROMIUM name a Chrome or Chromium")
        self._profile = tempfile.TemporaryDirectory(prefix="rfbook-browser-", ignore_cleanup_errors=True)
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4: move ours out of the way first
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 16) for end in (theirs_in, theirs_out)]
        os.close(theirs_in)
        os.close(theirs_out)
        actions = [*((os.POSIX_SPAWN_OPEN, i, os.devnull, os.O_WRONLY, 0) for i in (1, 2)),
                   (os.POSIX_SPAWN_DUP2, ends[0], 3), (os.POSIX_SPAWN_DUP2, ends[1], 4)]
        command = [program, *_FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"]
        # a group of its own, so that the helpers that Chromium starts end with it
        self._pid = os.posix_spawn(program, command, os.environ, file_actions=actions, setpgroup=0)
        for end in ends:
            os.close(end)
        return self

    def __exit__(self, *exception) -> None:
        with contextlib.suppress(BrowserError, OSError):
            self.call("Browser.close")
        for end in (self._out, self._in):
            os.close(end)
        for _ in range(50):
            if os.waitpid(self._pid, os.WNOHANG)[0]:
                break
            time.sleep(0.1)
        else:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        self._profile.cleanup()

    def _message(self, until: float) -> dict:
        while b"\0" not in self._buffer:
            if not select.select([self._in], [], [], max(0.0, until - time.monotonic()))[0]:
                raise BrowserError("Chromium gave no answer in time")
            more = os.read(self._in, 1 << 20)
            if not more:
                raise BrowserError("Chromium ended by itself")
            self._buffer += more
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method: str, session: str | None = None, timeout: float | None = None, **params) -> dict:
        """Call a method of the protocol and return its result; what happens meanwhile is let go."""
        self._calls += 1
        order = {"id": self._calls, "method": method, "params": params}
        if session:
            order["sessionId"] = session
        self._send(json.dumps(order).encode() + b"\0")
        until = time.monotonic() + (timeout or self.timeout)
        while True:
            message = self._message(until)
            if message.get("id") == self._calls:
                if "error" in message:
                    raise BrowserError(f"{method}: {message['error'].get('message')}")
                return message["result"]

    def _send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._out, data):]

    def open(self, page: str | Path, width: int = 1400, height: int = 1000) -> Tab:
        """Open a page (a path or an address) in a new tab and wait until it is drawn, formulas too."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        tab = Tab(self, target, self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])
        tab.size(width, height)
        tab.go(page)
        return tab


# the answer comes when the page is loaded and MathJax, if the page has it, has set every formula
_READY = """new Promise(done => {
  const look = () => {
    const mathjax = !document.querySelector("script[src*='mathjax']") || (window.MathJax && MathJax.startup &&
      MathJax.startup.promise);
    if (document.readyState === "complete" && mathjax)
      Promise.resolve(mathjax === true || mathjax).then(() => document.fonts.ready).then(() => done(true));
    else setTimeout(look, 50);
  };
  look();
})"""


class Tab:
    """A page of a :class:`Browser`."""

    def __init__(self, browser: Browser, target: str, session: str):
        self.browser, self.target, self.session = browser, target, session

    def call(self, method: str, **params) -> dict:
        """Call a method of the protocol in this tab."""
        return self.browser.call(method, session=self.session, **params)

    def go(self, page: str | Path) -> None:
        """Load another page in this tab."""
        address = page.resolve().as_uri() if isinstance(page, Path) else page
        failed = self.call("Page.navigate", url=address).get("errorText")
        if failed:
            raise BrowserError(f"{address}: {failed}")
        self.eval(_READY)

    def size(self, width: int, height: int = 1000) -> None:
        """Set the size of the window in CSS pixels."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def eval(self, script: str):
        """Return the value of an expression; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def key(self, name: str, code: int, text: str = "") -> None:
        """Press and release a key, for instance ``key("Tab", 9)``."""
        common = {"key": name, "code": name, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def close(self) -> None:
        """Close the tab."""
        self.browser.call("Target.closeTarget", targetId=self.target)
