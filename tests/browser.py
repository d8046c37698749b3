"""A browser for tests: open a file in headless Chromium, press keys, ask the page.

with Browser(path) as b:
    b.press("ArrowRight")
    assert b.ask("location.hash") == "#project"
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import Any, Self

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PATIENCE = 60.0  # seconds, as other tests may run beside
CODES = {"ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40, "ArrowUp": 38, "Tab": 9, "Enter": 13}


def _started(command: list[str]) -> tuple[int, int, int]:
    """Start Chromium; its process, and our ends of the pipes that it reads as 3 and writes as 4."""
    ends = [*os.pipe(), *os.pipe()]
    to_browser, ours_out, ours_in, from_browser = (
        fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (ends[0], ends[1], ends[2], ends[3])
    )
    for end in ends:
        os.close(end)
    actions = [
        *((os.POSIX_SPAWN_OPEN, n, os.devnull, os.O_RDWR, 0) for n in (0, 1, 2)),
        (os.POSIX_SPAWN_DUP2, to_browser, 3),
        (os.POSIX_SPAWN_DUP2, from_browser, 4),
    ]
    arguments = [*command, "--remote-debugging-pipe", "about:blank"]
    child = os.posix_spawn(command[0], arguments, os.environ, file_actions=actions)
    os.close(to_browser)
    os.close(from_browser)
    return child, ours_out, ours_in


class Browser:
    """One page, driven over the pipe of Chromium's DevTools."""

    def __init__(self, path: Path, width: int = 1280, height: int = 1000, *, dark: bool = False) -> None:
        assert CHROMIUM is not None
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._child, self._out, self._in = _started(
            [CHROMIUM, *FLAGS, f"--user-data-dir={self._folder.name}"]
        )
        self._buffer, self._count, self._session = b"", 0, ""
        targets = self.call("Target.getTargets")["targetInfos"]
        target = next(t["targetId"] for t in targets if t["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=path if isinstance(path, str) else path.as_uri())
        deadline = time.monotonic() + PATIENCE
        while self.ask("document.readyState + location.protocol") != "completefile:":
            assert time.monotonic() < deadline, "the page does not load"
            time.sleep(0.02)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        os.close(self._out)  # Chromium ends with its pipe
        os.close(self._in)
        deadline = time.monotonic() + 5
        while os.waitpid(self._child, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:
                os.kill(self._child, signal.SIGKILL)
            time.sleep(0.02)
        self._folder.cleanup()

    def call(self, method: str, **params: Any) -> Any:
        """One DevTools command and its result."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._count:
            pass
        assert "result" in answer, answer
        return answer["result"]

    def _next(self) -> Any:
        while b"\0" not in self._buffer:
            assert select.select([self._in], [], [], PATIENCE)[0], "the browser does not answer"
            data = os.read(self._in, 1 << 16)
            assert data, "the browser has ended"
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press and release a key, as a keyboard would."""
        given: dict[str, Any] = {"key": key, "modifiers": 8 if shift else 0}
        if key in CODES:
            given["windowsVirtualKeyCode"] = CODES[key]
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **given, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **given)

    def picture(self, path: Path) -> None:
        """What is on the screen, as a PNG file."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
