"""Numbers by chance that are the same for ever, on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """Whole numbers that follow from a text.

    A printed sheet must be found again from its code in years to come. numpy may change the
    streams of its generators from one version to the next (NEP 19), and Python promises the same
    only for `random()` and `getrandbits()`. SHA-256 is a published standard (FIPS 180-4), so the
    bytes of sha256(text + counter) will never be others.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._blocks = 0
        self._bytes: list[int] = []  # of the latest block, the next one at the end

    def below(self, end: int) -> int:
        """A whole number from 0 to end - 1, each as likely; ``end`` is at most 256 ** 4."""
        size = 1 if end <= 256 else 4
        limit = 256**size - 256**size % end  # from here on, small numbers would come too often
        while True:
            number = 0
            for _ in range(size):
                number = number * 256 + self._next()
            if number < limit:
                return number % end

    def _next(self) -> int:
        if not self._bytes:
            block = sha256(f"{self._text} {self._blocks}".encode()).digest()
            self._bytes = list(reversed(block))
            self._blocks += 1
        return self._bytes.pop()

    def pick(self, choices: Sequence[T]) -> T:
        """One of ``choices``, each as likely."""
        return choices[self.below(len(choices))]
