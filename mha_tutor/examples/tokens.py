"""A sentence cut into words and marks, and what may be a token at all."""

from __future__ import annotations

import re
from unicodedata import category, normalize

from ..errors import InputError

MIN_TOKENS, MAX_TOKENS = 2, 16
MAX_LETTERS = 60  # the longest words in dictionaries have about 50

_NON_JOINER, _JOINER = "\u200c", "\u200d"
# Over the kinds of characters that _kind names: [CLS] and [/s], then a word with its marks,
# apostrophes and hyphens, then a flag, then any other sign with its marks and what is joined to it.
_TOKEN = re.compile(r"\[/?[wm]+\]|w[wmj]*(?:hw[wmj]*)*|rr|[^ ]m*(?:j[^ ]m*)*j*")


def tokenize(sentence: str, what: str = "the sentence") -> tuple[str, ...]:
    """Cut a sentence into words and punctuation marks.

    Accents, emoji sequences and flags stay whole. Raises InputError unless 2 to 16 tokens come out,
    each of a length and of characters that a page can show; ``what`` is what the text is called.
    """
    text = normalize("NFC", sentence)
    check_printable("".join(text.split()), what)
    kinds = "".join(map(_kind, text))
    tokens = tuple(text[match.start() : match.end()] for match in _TOKEN.finditer(kinds))
    check_token_count(len(tokens), what)
    for i, token in enumerate(tokens):
        check_name(token, f"token {i + 1} of {what}")
    return tokens


def _kind(letter: str) -> str:
    """One letter for what a character is to ``_TOKEN``."""
    if letter in "[]/":
        return letter
    if letter in "'’-":
        return "h"
    if letter.isspace():
        return " "
    if letter.isalnum() or letter == "_":
        return "w"
    if letter == _JOINER:
        return "j"
    if "\U0001f1e6" <= letter <= "\U0001f1ff":  # regional indicators: two make a flag
        return "r"
    return "m" if _is_mark(letter) else "o"


def _is_mark(letter: str) -> bool:
    """Whether the character belongs to the one before it: an accent, a skin tone, part of a flag."""
    skin_tone = "\U0001f3fb" <= letter <= "\U0001f3ff"
    return skin_tone or _is_tag(letter) or letter == _NON_JOINER or category(letter).startswith("M")


def _is_tag(letter: str) -> bool:
    return "\U000e0020" <= letter <= "\U000e007f"


def word_key(word: str) -> str:
    """How a word is looked up: the same for every case and every way to write an accent."""
    return normalize("NFC", word.lower())


def check_token_count(count: int, what: str = "the sentence") -> None:
    """Raise InputError unless a walk of that many tokens fits a page."""
    if not MIN_TOKENS <= count <= MAX_TOKENS:
        raise InputError(
            f"{what[0].upper()}{what[1:]} has {count} token{'' if count == 1 else 's'}; a walk takes "
            f"{MIN_TOKENS} to {MAX_TOKENS}. Put spaces between words; words and punctuation marks count "
            "as one each."
        )


def check_printable(text: str, what: str) -> None:
    """Raise InputError when ``text`` holds a control character or another that cannot be printed."""
    for letter in text:
        if not (letter.isprintable() or letter in (_JOINER, _NON_JOINER) or _is_tag(letter)):
            raise InputError(
                f"{what} holds a character that cannot be printed (U+{ord(letter):04X}); "
                "expected letters, digits, signs and spaces. Take it out."
            )


def check_name(name: str, what: str, limit: int = MAX_LETTERS) -> None:
    """Raise InputError unless ``name`` is a short line of printable text with something to see."""
    check_printable(name, what)
    if not any(letter.isprintable() and not letter.isspace() for letter in name):
        raise InputError(f"{what} is empty; expected at least one character that can be seen.")
    if len(name) > limit:
        raise InputError(f"{what} has {len(name)} characters; expected at most {limit}. Shorten it.")
