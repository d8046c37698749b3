"""How a number is written. This is the only place that rounds.

A table has one form for all its numbers: as many decimals as they need, and no more than asked
for. Exact zeros are written 0, so that 0.00 always means "small, but not nothing".
"""

from __future__ import annotations

from math import isfinite, isinf, isnan
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

DECIMALS = 2
TOO_WIDE = 1e7  # from here on, powers of ten
MOST_DIGITS = 17  # a float holds no more; so a number is never wider than 20 characters


class NumberForm(NamedTuple):
    """One way to write numbers: ``form(x)`` is the text of x.

    ``exact`` says that the numbers need no more than ``decimals`` places. Then each is written with
    the digits it has (1, 0.5); otherwise all are rounded to the same places (1.00, 0.52).
    """

    decimals: int
    exact: bool = False

    def __call__(self, x: float) -> str:
        if isnan(x):
            return "nan"
        if isinf(x):
            return "-inf" if x < 0 else "inf"
        if x == 0:
            return "0"
        if abs(x) >= min(TOO_WIDE, 10.0 ** (MOST_DIGITS - self.decimals)):
            return f"{x:.{max(self.decimals, 1)}e}"
        text = f"{x:.{self.decimals}f}"
        if float(text) == 0:
            text = text.lstrip("-")
        return text.rstrip("0").rstrip(".") if self.exact and "." in text else text

    def aligned(self, x: float) -> str:
        """``form(x)`` with spaces for missing decimals, so that a column's points stand in line."""
        text = self(x)
        if not self.decimals or "e" in text or not isfinite(x):
            return text
        _, point, after = text.partition(".")
        return text + " " * (self.decimals - len(after) + (not point))

    def before(self, x: float, old: float) -> str | None:
        """The text of ``old``, of which a change made x; None where both read alike or none was there."""
        if old == x or isnan(old):
            return None
        text = self(old)
        return text if text != self(x) else None

    def rounded(self, x: float) -> float:
        """The number that a reader sees."""
        return float(self(x))


def form_for(values: ArrayLike, decimals: int = DECIMALS) -> NumberForm:
    """The form that writes all ``values`` with as few decimals as they need, at most ``decimals``."""
    import numpy as np  # here, since counts and messages need no arrays

    numbers = np.asarray(values, dtype=float)
    numbers = numbers[np.isfinite(numbers)]
    scale = np.maximum(1.0, np.abs(numbers))
    for enough in range(decimals + 1):
        noise = min(1e-12, 1e-3 * 10.0**-enough)  # what floats lose, far below the last digit
        if (np.abs(numbers.round(enough) - numbers) <= noise * scale).all():
            return NumberForm(enough, exact=True)
    return NumberForm(decimals)


COUNT_NAMES = ("", "thousand", "million", "billion", "trillion", "quadrillion", "quintillion")
BYTE_NAMES = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def counted(count: int) -> str:
    """An exact whole number with commas: 1,048,576."""
    return f"{count:,}"


def count_scaled(count: int) -> str:
    """A large whole number in words: 175 billion when that is exact, else to one decimal: 58.0 billion."""
    return _scaled(count, 1000, COUNT_NAMES).rstrip()


def bytes_scaled(count: int) -> str:
    """Bytes in the largest unit that leaves at least 1, a step being 1024: 4.5 MiB, or 9 GiB if exact."""
    return "1 byte" if count == 1 else _scaled(count, 1024, BYTE_NAMES)


def bytes_written(count: int) -> str:
    """Bytes exactly, and scaled where that is shorter: 4,718,592 bytes (4.5 MiB)."""
    if count < 1024:
        return bytes_scaled(count)
    return f"{counted(count)} bytes ({bytes_scaled(count)})"


def percent(part: int, whole: int) -> str:
    """A share of the whole as a rounded percentage: 33%."""
    return f"{part / whole:.0%}"


def _scaled(count: int, step: int, names: tuple[str, ...]) -> str:
    """``count`` over a power of ``step``, which is the next one when rounding would reach it."""
    power = 0
    while power + 1 < len(names) and round(count / step**power, 1 if power else 0) >= step:
        power += 1
    exact = count % step**power == 0
    digits = counted(count // step**power) if exact else f"{count / step**power:,.1f}"
    return f"{digits} {names[power]}"
