"""An example written as a TOML file; nothing in it is lost."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .example import Example, Position, Words, word_rows


def write_example(example: Example, *, ascii_only: bool = False) -> str:
    """The example as a TOML file that ``read_example`` reads back to the very same numbers.

    With ``ascii_only`` every other character is escaped.
    Only ``random``'s way to draw a row for another word does not fit into a file.
    """
    from_words = _x_is_from_words(example)
    parts = [_head(example)]
    if from_words:
        parts.append("# X is made from [words] and [position] below.\n")
    for key in ("X", "W_Q", "W_K", "W_V", "W_O"):
        if key != "X" or not from_words:
            rows = "".join(f"  {_row(row)},\n" for row in getattr(example, key).tolist())
            parts.append(f"{key} = [\n{rows}]\n")
    if example.biases:
        parts.append("".join(f"{key} = {_row(bias.tolist())}\n" for key, bias in example.biases.items()))
    if example.position:
        parts.append(_position(example.position))
    if example.words:
        parts.append(_words(example.words))
    text = "\n".join(parts)
    return "".join(map(_escaped, text)) if ascii_only else text


def _escaped(letter: str) -> str:
    """A character as TOML escapes it inside a string; ASCII stays."""
    return letter if letter.isascii() else f"\\U{ord(letter):08x}"


def _head(example: Example) -> str:
    notes = f"notes = {_texts(example.notes)}\n" if example.notes else ""
    start = f"start = {_text(example.start)}\n" if example.start is not None else ""
    return (
        "# An example for mha-tutor. Change it, then walk it: mha-tutor step --example mine.toml\n"
        "# W_Q, W_K and W_V hold all heads side by side: head 1's columns first. Rows are tokens: x W.\n"
        f"name = {_text(example.name)}\n"
        f"provenance = {_text(example.provenance)}\n"
        f"built_by_hand = {str(example.built_by_hand).lower()}\n"
        f"tokens = {_texts(example.tokens)}\n"
        f"{start}"
        f"{notes}"
        f"heads = {example.heads}\n"
        f"features = {_texts(example.features)}\n"
    )


def _position(position: Position) -> str:
    return (
        "# A token's place: a cosine and a sine of each period, rounded.\n"
        "[position]\n"
        f"features = {_texts(position.features)}\n"
        f"periods = {_row(position.periods)}\n"
        f"decimals = {position.decimals}\n"
    )


def _words(words: Words) -> str:
    lines = ["# What each word brings, whatever the case. Used by --sentence.\n[words]\n"]
    for word, row in words.items():
        pairs = ", ".join(f"{_text(feature)} = {_plain(x)}" for feature, x in row.items())
        lines.append(f"{_text(word)} = {{ {pairs} }}\n" if pairs else f"{_text(word)} = {{}}\n")
    return "".join(lines)


def _x_is_from_words(example: Example) -> bool:
    """Whether reading would make the same X, and the same unknown tokens, from the words alone."""
    if not example.words:
        return False
    rows, unknown = word_rows(example.tokens, example.features, example.words, example.position)
    return unknown == example.unknown and rows.tobytes() == np.asarray(example.X, dtype=np.float64).tobytes()


def _text(text: str) -> str:
    """A TOML basic string; JSON's escapes are a subset of TOML's."""
    import json  # a walk does without

    return json.dumps(text, ensure_ascii=False)


def _texts(texts: Iterable[str]) -> str:
    return "[" + ", ".join(map(_text, texts)) + "]"


def _plain(x: float) -> str:
    """The shortest digits that read back as the same float; whole numbers without a point."""
    if x == 0 and np.signbit(x):
        return "-0.0"
    return str(int(x)) if float(x).is_integer() and abs(x) < 2**53 else repr(float(x))


def _row(values: Iterable[float]) -> str:
    return "[" + ", ".join(map(_plain, values)) + "]"
