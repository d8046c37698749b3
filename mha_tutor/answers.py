"""A number that somebody worked out on paper and typed: how it is read, and how far it may be off."""

from __future__ import annotations

import re
from math import isfinite

from .errors import InputError
from .numbers import DECIMALS, form_for


def half_unit(decimals: int = DECIMALS) -> float:
    """Half a unit of the last printed place: how far a number worked out on paper may be off."""
    return float(0.5 * 10.0**-decimals)


def tolerance(decimals: int = DECIMALS) -> str:
    """Half a unit, as text."""
    return form_for([half_unit(decimals)], decimals + 1)(half_unit(decimals))


def agree(a: float, b: float, unit: float) -> bool:
    """Whether two numbers are within ``unit``, with room for float noise; NaN agrees with nothing."""
    return a == b or (isfinite(b) and abs(a - b) <= unit * (1 + 1e-9) + 1e-12 * abs(b))


_TYPED = re.compile(r"([+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:e[+-]?[0-9]{1,3})?)", re.IGNORECASE)
_MIXED = re.compile(r"([+-]?)\s*([0-9]+)\s+([0-9]+\s*/\s*[0-9]+)")
_TWO_NUMBERS = re.compile(r"[0-9.,]\s+[0-9.,]")


def read_number(text: str) -> float:
    """The number that was typed: 0.33, .33, 0,33, -1/3, 2 1/2, 33 %, -inf.

    Raises InputError that says what can be typed.
    """
    plain = text.strip().replace("\N{MINUS SIGN}", "-").lower()
    mixed = _MIXED.fullmatch(plain)
    number = _read(f"{mixed[1]}{mixed[2]}" if mixed else plain)
    part = _read(mixed[3]) if mixed else 0.0
    if number is None or part is None:
        raise InputError(f"'{text}' is not a number. Type one such as 0.33, -1.5, 1/3 or 33 %.")
    return number - part if mixed and mixed[1] == "-" else number + part


def _read(plain: str) -> float | None:
    """The one number in the text, or None."""
    if _TWO_NUMBERS.search(plain):
        return None
    plain = "".join(plain.split())
    if plain in ("inf", "+inf", "-inf"):
        return float(plain)
    parts = [_TYPED.fullmatch(part) for part in plain.removesuffix("%").split("/")]
    numbers = [float(part[1].replace(",", ".")) for part in parts if part]
    if len(numbers) != len(parts) or len(numbers) > 2 or 0 in numbers[1:]:
        return None
    number = numbers[0] / numbers[1] if len(numbers) == 2 else numbers[0]
    if not isfinite(number):
        return None
    return number / 100 if plain.endswith("%") else number
