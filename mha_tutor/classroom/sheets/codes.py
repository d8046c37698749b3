"""The code of a variant: six characters that can be read out, and that give a slip away.

    write_code(12345)    # "23V-6TC"
    read_code("23v6tc")  # 12345

Only characters that do not look like another one are used, and no vowels to make words: 19 of
them, a prime. The sixth makes the weighted sum of all six a multiple of 19, so that one wrong
character, or any two that have changed places, never gives another code.
"""

from __future__ import annotations

from ...errors import InputError

ALPHABET = "2346789CHJKMPRTVWXY"
LENGTH = 6
COUNT: int = len(ALPHABET) ** (LENGTH - 1)


def write_code(number: int) -> str:
    """The code of a number from 0 to COUNT - 1, with a dash in the middle."""
    base = len(ALPHABET)
    digits = [number // base**power % base for power in reversed(range(LENGTH - 1))]
    digits.append(next(last for last in range(base) if _sum([*digits, last]) == 0))
    text = "".join(ALPHABET[digit] for digit in digits)
    return f"{text[:3]}-{text[3:]}"


def read_code(text: str) -> int:
    """The number behind a code, in any case, with or without its dash.

    Raises InputError, which says what is wrong with it.
    """
    plain = "".join(c for c in text.upper() if c not in " -\N{NON-BREAKING HYPHEN}\N{EN DASH}")
    example = write_code(12345)
    if strange := [c for c in plain if c not in ALPHABET]:
        raise InputError(
            f"'{text}' is no code of a sheet: {strange[0]!r} does not occur in codes. "
            f"They are made of {' '.join(ALPHABET)}."
        )
    if len(plain) != LENGTH:
        raise InputError(
            f"'{text}' is no code of a sheet: it has {len(plain)} characters, a code has {LENGTH}, "
            f"such as {example}."
        )
    digits = [ALPHABET.index(c) for c in plain]
    if _sum(digits) != 0:
        raise InputError(
            f"'{text}' is no code of a sheet: a character is wrong, or two have changed places. "
            "Read it again, one character after another."
        )
    number = 0
    for digit in digits[:-1]:
        number = number * len(ALPHABET) + digit
    return number


def _sum(digits: list[int]) -> int:
    """What must be 0: place 1 counts once, place 2 twice ... as in ISBN-10."""
    return sum((i + 1) * digit for i, digit in enumerate(digits)) % len(ALPHABET)
