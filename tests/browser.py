"""Headless Chromium over its DevTools pipe: enough to open a page, look at it and click."""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="needs Chromium on the path (Debian: apt-get install chromium)"
)

TIMEOUT = 180.0  # seconds; a shared machine may be slow to start a browser, or to compile a search

# Chromium reads commands from descriptor 3 and answers on 4.
_START = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Page:
    """One tab. Messages are JSON, each ended by a zero byte (Chromium's remote-debugging-pipe)."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to_browser, self._from_browser = to_browser, from_browser
        self._buffer = b""
        self._last_id = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and wait for its answer; events on the way are kept."""
        self._last_id += 1
        message = {"id": self._last_id, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._last_id:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            self.events.append(answer)

    def _receive(self) -> dict[str, Any]:
        deadline = time.monotonic() + TIMEOUT
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._from_browser], [], [], deadline - time.monotonic())
            assert ready, "Chromium does not answer"
            piece = os.read(self._from_browser, 1 << 16)
            assert piece, "Chromium has gone"
            self._buffer += piece
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def open(self, page: Path | str) -> None:
        """Load a file, or what is at an address, and wait until its scripts have run."""
        # a pointer that rests on the new page would point at something
        self.mouse("mouseMoved", 0, 0)
        self.events.clear()
        address = page if isinstance(page, str) else page.resolve().as_uri()
        self.call("Page.navigate", url=address)
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self._receive())

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression; promises are awaited."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def click(self, selector: str) -> None:
        """Click with the mouse on the middle of the first element that matches."""
        self.evaluate(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
        box = self.evaluate(
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])"
            f"(document.querySelector({selector!r}).getBoundingClientRect())"
        )
        self.mouse("mousePressed", *box, button="left", clickCount=1)
        self.mouse("mouseReleased", *box, button="left", clickCount=1)

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """Send one mouse event, and wait until the page has seen it."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)
        self.wait_for_frames()

    def wait_for_frames(self) -> None:
        """Wait until what was done shows: until the second frame from now."""
        frames = "requestAnimationFrame(() => requestAnimationFrame(done))"
        self.evaluate(f"new Promise((done) => {frames})")

    def wait_for(self, expression: str) -> Any:
        """Wait until a JavaScript expression is true, and return its value."""
        deadline = time.monotonic() + TIMEOUT
        while not (value := self.evaluate(expression)):
            assert time.monotonic() < deadline, f"never came true: {expression}"
            time.sleep(0.02)
        return value

    def press(self, key: str) -> None:
        """Press and release a key."""
        # without its text, Enter does not press the button that has the focus
        text = {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def show(self, *, width: int, height: int, scheme: str = "light") -> None:
        """Set the size of the window and the colour scheme."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def screenshot(self, path: Path) -> None:
        """Save what is visible as PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    @property
    def complaints(self) -> list[dict[str, Any]]:
        """Uncaught exceptions, console errors and warnings, refused resources."""
        return [
            event["params"]
            for event in self.events
            if event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")
            or (
                event["method"] == "Runtime.consoleAPICalled"
                and event["params"]["type"] in ("error", "warning", "assert")
            )
        ]

    @property
    def requests(self) -> list[str]:
        """Addresses that the page asked for."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event["method"] == "Network.requestWillBeSent"
        ]


@contextmanager
def open_browser() -> Iterator[Page]:
    """Start Chromium with a profile of its own and give its only tab."""
    assert CHROMIUM is not None
    read_commands, to_browser = os.pipe()
    from_browser, write_answers = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        arguments = ["--headless=new", "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        # the sandbox needs rights that containers lack; the page is our own
        arguments += ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        starter = [sys.executable, "-c", _START, str(read_commands), str(write_answers)]
        browser = subprocess.Popen(
            [*starter, CHROMIUM, *arguments],
            pass_fds=(read_commands, write_answers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_commands)
        os.close(write_answers)
        try:
            yield Page(to_browser, from_browser)
        finally:
            os.close(to_browser)
            os.close(from_browser)
            browser.terminate()
            browser.wait(timeout=TIMEOUT)
