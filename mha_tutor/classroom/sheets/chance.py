"""Numbers by chance that are the same for ever, on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
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
        self._bytes = self._stream(text)

    @staticmethod
    def _stream(text: str) -> Iterator[int]:
        for block in count():
            yield from sha256(f"{text} {block}".encode()).digest()

    def below(self, end: int) -> int:
        """A whole number from 0 to end - 1, each as likely; ``end`` is at most 256 ** 4."""
        size = 1 if end <= 256 else 4
        limit = 256**size - 256**size % end  # from here on, small numbers would come too often
        while True:
            number = 0
            for _ in range(size):
                number = number * 256 + next(self._bytes)
            if number < limit:
                return number % end

    def pick(self, choices: Sequence[T]) -> T:
        """One of ``choices``, each as likely."""
        return choices[self.below(len(choices))]
