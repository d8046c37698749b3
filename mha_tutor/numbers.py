"""How a number is written. This is the only place that rounds.

A table has one form for all its numbers: as many decimals as they need, and no more than asked
for. Exact zeros are written 0, so that 0.00 always means "small, but not nothing".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite, isinf, isnan

DECIMALS = 2
TOO_WIDE = 1e7  # from here on, powers of ten


@dataclass(frozen=True)
class NumberForm:
    """One way to write numbers: ``form(x)`` is the text of x."""

    decimals: int

    def __call__(self, x: float) -> str:
        if isnan(x):
            return "nan"
        if isinf(x):
            return "-inf" if x < 0 else "inf"
        if x == 0:
            return "0"
        if abs(x) >= TOO_WIDE:
            return f"{x:.{max(self.decimals, 1)}e}"
        text = f"{x:.{self.decimals}f}"
        return text.lstrip("-") if float(text) == 0 else text

    def rounded(self, x: float) -> float:
        """The number that a reader sees; x itself when it has no digits (-inf)."""
        return float(self(x))

    def exact(self, x: float) -> bool:
        """Whether the written number is the number, up to float noise."""
        return not isfinite(x) or abs(self.rounded(x) - x) <= 1e-9 * max(1.0, abs(x))


def form_for(values: Iterable[float], decimals: int = DECIMALS) -> NumberForm:
    """The form that writes all ``values`` with as few decimals as they need, at most ``decimals``."""
    numbers = [float(x) for x in values]
    for fewer in range(decimals):
        form = NumberForm(fewer)
        if all(form.exact(x) for x in numbers):
            return form
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
