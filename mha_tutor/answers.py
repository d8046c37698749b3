"""A number that somebody worked out on paper and typed: how it is read, and how far it may be off."""

from __future__ import annotations

import re
from math import isfinite

from .errors import InputError
from .numbers import DECIMALS


def half_unit(decimals: int = DECIMALS) -> float:
    """Half a unit of the last printed place: how far a number worked out on paper may be off."""
    return float(0.5 * 10.0**-decimals)


_TYPED = re.compile(r"([+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:e[+-]?[0-9]{1,3})?)", re.IGNORECASE)


def read_number(text: str) -> float:
    """The number that was typed: 0.33, .33, 0,33, -1/3, 33 %, -inf.

    Raises InputError that says what can be typed.
    """
    plain = "".join(text.split()).replace("\N{MINUS SIGN}", "-").lower()
    if plain in ("inf", "+inf", "-inf"):
        return float(plain)
    percent = plain.endswith("%")
    parts = [_TYPED.fullmatch(part) for part in plain.removesuffix("%").split("/")]
    numbers = [float(part[1].replace(",", ".")) for part in parts if part]
    if len(numbers) == len(parts) and len(numbers) in (1, 2) and 0 not in numbers[1:]:
        number = numbers[0] / numbers[1] if len(numbers) == 2 else numbers[0]
        if isfinite(number):
            return number / 100 if percent else number
    raise InputError(f"'{text}' is not a number. Type one such as 0.33, -1.5, 1/3 or 33 %.")
