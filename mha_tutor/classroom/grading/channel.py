"""Messages between the judge and the desk: JSON in pieces of limited size, over a pipe with a deadline."""

from __future__ import annotations

import json
import time
from multiprocessing.connection import Connection
from typing import Any

MOST_BYTES = 32_000_000
MOST_REMARKS = 12
MOST_TEXT = 200
GONE, LATE = "KernelDied", "Timeout"


class Lost(BaseException):
    """The other side is gone or talks nonsense (``why`` is GONE), or was silent for too long (LATE)."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Channel:
    """One end. ``remarks`` collects what the other side notes in passing; ``size`` is the last message's."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.remarks: list[str] = []
        self.size = 0

    def say(self, *message: Any) -> None:
        """Send a message. Raises Lost when nobody listens, ValueError when it is too large."""
        data = json.dumps(message).encode("ascii")
        if len(data) > MOST_BYTES:
            raise ValueError(f"more than {MOST_BYTES // 1_000_000} MB")
        try:
            self.connection.send_bytes(data)
        except OSError:
            raise Lost(GONE) from None

    def hear(self, deadline: float | None = None) -> list[Any]:
        """The next message that is no remark. Raises Lost."""
        while True:
            message = self._next(deadline)
            if message[0] != "remark":
                return message
            text = str(message[-1])[:MOST_TEXT]
            if text not in self.remarks and len(self.remarks) < MOST_REMARKS:
                self.remarks.append(text)

    def _next(self, deadline: float | None) -> list[Any]:
        try:
            if deadline is not None and not self.connection.poll(max(deadline - time.monotonic(), 0)):
                raise Lost(LATE)
            data = self.connection.recv_bytes(MOST_BYTES)
            self.size, message = len(data), json.loads(data)
        except (OSError, EOFError, ValueError, RecursionError):
            raise Lost(GONE) from None
        if not isinstance(message, list) or not message or not isinstance(message[0], str):
            raise Lost(GONE)
        return message
