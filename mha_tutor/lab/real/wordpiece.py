"""A sentence cut into word pieces, as BERT does it (Devlin et al. 2019, section 3; Wu et al. 2016, 4.1).

First into words: spaces part them, a mark or a Chinese character is a word of its own, and letters
lose case and accents where the vocabulary has none. Then each word into the longest pieces that the
vocabulary has, from the left; a piece inside a word begins with ##.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from unicodedata import category, normalize

from ...errors import WorkError

FIRST, LAST, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
SPECIAL = (UNKNOWN, LAST, "[PAD]", FIRST, "[MASK]")
LONGEST = 100  # letters; a longer word is unknown
NOTHING = ("Cc", "Cf", "Co", "Cs")  # what prints nothing: control and format characters, and the like
# The blocks of Chinese characters that BERT sets apart.
CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class Pieces(NamedTuple):
    """The vocabulary: every piece and its row in the table of word vectors."""

    rows: Mapping[str, int]
    lower: bool = True

    def cut(self, text: str) -> tuple[str, ...]:
        """The word pieces of a text, without [CLS] and [SEP]."""
        return tuple(piece for word in words(text, self.lower) for piece in self._pieces(word))

    def framed(self, text: str) -> tuple[str, ...]:
        """The tokens that the model reads: [CLS], the word pieces, [SEP]."""
        return FIRST, *self.cut(text), LAST

    def _pieces(self, word: str) -> list[str]:
        if len(word) > LONGEST:
            return [UNKNOWN]
        found, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            stop = next((end for end in ends if mark + word[start:end] in self.rows), None)
            if stop is None:
                return [UNKNOWN]
            found.append(mark + word[start:stop])
            start = stop
        return found


def read_pieces(path: Path, lower: bool = True) -> Pieces:
    """The vocabulary of a vocab.txt, a piece a line. Raises WorkError."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise WorkError(f"{path} cannot be read ({reason}).") from None
    rows = {line.rstrip("\r"): i for i, line in enumerate(lines) if line}
    if missing := [name for name in (FIRST, LAST, UNKNOWN) if name not in rows]:
        raise WorkError(
            f"{path} has no {missing[0]} among {len(rows)} lines; expected BERT's vocab.txt, a piece a line."
        )
    return Pieces(rows, lower)


def words(text: str, lower: bool = True) -> list[str]:
    """The words and marks of a text; [MASK] and its like stay whole."""
    found: list[str] = []
    for chunk in _spaced(text).split():
        found += [chunk] if chunk in SPECIAL else _parted(_plain(chunk) if lower else chunk)
    return found


def _spaced(text: str) -> str:
    """Spaces for every kind of space and around what stands alone; characters that print nothing go."""
    out = []
    for letter in text:
        if letter in " \t\n\r" or category(letter) == "Zs":
            out.append(" ")
        elif letter == "\ufffd" or category(letter) in NOTHING:
            continue
        else:
            out.append(f" {letter} " if _is_chinese(letter) else letter)
    spaced = "".join(out)
    for name in SPECIAL:
        spaced = spaced.replace(name, f" {name} ")
    return spaced


def _plain(word: str) -> str:
    """The word in small letters without accents."""
    return "".join(letter for letter in normalize("NFD", word.lower()) if category(letter) != "Mn")


def _parted(word: str) -> list[str]:
    """The word cut before and after each mark."""
    spaced = "".join(f" {letter} " if _is_mark(letter) else letter for letter in word)
    return spaced.split()


def _is_mark(letter: str) -> bool:
    """Punctuation; and all ASCII that is neither letter, digit nor space, such as $ and ^."""
    ascii_mark = letter.isascii() and letter.isprintable() and not letter.isalnum() and letter != " "
    return ascii_mark or category(letter).startswith("P")


def _is_chinese(letter: str) -> bool:
    return letter >= "\u3400" and any(low <= ord(letter) <= high for low, high in CHINESE)
