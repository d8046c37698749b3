"""A count-down for a room: it is started and stopped by a press, and asks nothing of the screen."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil

MINUTE = 60.0
MOST = 99 * MINUTE


class Timer:
    """Counts ``minutes`` down once it is started; ``clock`` gives seconds that only go forward."""

    def __init__(self, minutes: float = 3.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = minutes * MINUTE
        self._clock = clock
        self._end: float | None = None

    @property
    def running(self) -> bool:
        """Whether it was started and not stopped since; one that has come to 0 still shows that."""
        return self._end is not None

    @property
    def left(self) -> int:
        """The whole seconds that are left, rounded up, so that a full minute begins as 1:00."""
        return 0 if self._end is None else max(ceil(self._end - self._clock()), 0)

    def start(self) -> None:
        """Begin from the full time."""
        self._end = self._clock() + self.seconds

    def stop(self) -> None:
        """Put it away."""
        self._end = None

    def toggle(self) -> None:
        """Start it, or stop it and put it away."""
        if self.running:
            self.stop()
        else:
            self.start()

    def add(self, minutes: float) -> None:
        """Give a running timer more time, or less."""
        if self._end is not None:
            left = min(max(self._end - self._clock(), 0.0) + minutes * MINUTE, MOST)
            self._end = self._clock() + max(left, 0.0)

    def next_change(self) -> float | None:
        """Seconds until it reads differently; None when it will not by itself."""
        if self._end is None or (left := self._end - self._clock()) <= 0:
            return None
        return left - (ceil(left) - 1) + 0.002  # a little later, so that it has changed for sure

    def text(self) -> str:
        """Minutes and seconds, as in 2:05."""
        return f"{self.left // 60}:{self.left % 60:02}"
