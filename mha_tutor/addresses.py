"""Where a number stands: ``weights[head 2, it, robot]``, in words or counted from 1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .errors import InputError, close_to
from .trace import Axis, Tensor, Trace

# What an axis is called in a message, and the words that may stand before its number.
AXIS_NAMES = {
    "h": "head",
    "g": "key/value head",
    "t": "token that asks",
    "s": "token that is asked",
    "d": "feature",
    "e": "column",
    "c": "column",
}
NUMBER_WORDS = {
    "h": ("head",),
    "g": ("kv head",),
    "t": ("token", "row"),
    "s": ("token", "row", "col", "column"),
    "d": ("feature", "row", "col", "column"),
    "e": ("col", "column"),
    "c": ("row", "col", "column"),
}
MOST_LISTED = 16
_ADDRESS = re.compile(r"\s*([\w^]+)\s*\[(.*)\]\s*", re.DOTALL)
_PART = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^,]*?))\s*(?:,|\Z)""")
_NUMBER = re.compile(r"(?:([a-z][a-z ]*?)\s*)?(-?[0-9]{1,9})", re.IGNORECASE)
_NEEDS_QUOTES = re.compile(r"""[,"'\[\]]|^\s|\s$""")


@dataclass(frozen=True)
class Cell:
    """One place in one tensor of a trace; the index counts from 0."""

    tensor: str
    index: tuple[int, ...]

    def value(self, trace: Trace) -> float:
        """The number in that place."""
        return float(trace[self.tensor].values[self.index])

    def label(self, trace: Trace, letter: str) -> str:
        """The label of this cell along the axis of that letter."""
        tensor = trace[self.tensor]
        return tensor.axis(letter).labels[self.index[tensor.letters.index(letter)]]


class Change(NamedTuple):
    """One given number set to another."""

    cell: Cell
    value: float


@dataclass(frozen=True)
class _Part:
    """One place as it was typed; a quoted one is always a word."""

    text: str
    quoted: bool


def parse_address(trace: Trace, text: str) -> Cell:
    """The cell that ``text`` names, such as ``weights[head 2, it, robot]`` or ``weights[2, 7, 2]``.

    Numbers count from 1, names and words may be in any case, and a word with a comma is quoted.

    Raises InputError for an unknown name or word, a number out of range, a wrong number of places,
    and a word that stands for several tokens.
    """
    match = _ADDRESS.fullmatch(text)
    if match is None:
        raise InputError(
            f"'{text}' is not the address of a number. "
            f"Write a name and its places, such as {_sample(trace, 'weights')}."
        )
    tensor = _tensor(trace, match[1])
    parts = list(_parts(match[2]))
    if len(parts) != len(tensor.axes):
        names = ", ".join(AXIS_NAMES[letter] for letter in tensor.letters)
        raise InputError(
            f"'{text}' names {len(parts)} place{'' if len(parts) == 1 else 's'}; {tensor.name} needs "
            f"{len(tensor.axes)}: {names}. Write it like {_sample(trace, tensor.name)}."
        )
    index = tuple(
        _place(f"{tensor.name}, place {i + 1}", axis, part)
        for i, (axis, part) in enumerate(zip(tensor.axes, parts, strict=True))
    )
    return Cell(tensor.name, index)


def address(trace: Trace, cell: Cell) -> str:
    """The address of ``cell`` in words, or in numbers where a word would not be enough."""
    axes = trace[cell.tensor].axes
    written = (_written(axis, place) for axis, place in zip(axes, cell.index, strict=True))
    return f"{cell.tensor}[{', '.join(written)}]"


def _written(axis: Axis, place: int) -> str:
    """The first way to write the place that is read back as the same place."""
    label, number = axis.labels[place], str(place + 1)
    if axis.letter == "e" or (axis.letter == "d" and label == number):
        return f"col {number}"
    for text in (label, f'"{label}"', f"'{label}'"):
        quoted = text != label
        bare = not quoted and not _NEEDS_QUOTES.search(label) and label != ""
        if bare or (quoted and text[0] not in label):
            try:
                if _place("", axis, _Part(label, quoted)) == place:
                    return text
            except InputError:
                continue
    return number


def _sample(trace: Trace, name: str) -> str:
    """An address that works, to show how one is written."""
    return address(trace, Cell(name, (0,) * trace[name].values.ndim))


def _tensor(trace: Trace, given: str) -> Tensor:
    """The tensor of that name in any case; W^Q is W_Q."""
    names = {tensor.name.lower(): tensor for tensor in trace.tensors}
    wanted = given.replace("^", "_").lower()
    if wanted in names:
        return names[wanted]
    close = close_to(wanted, names)
    hint = f" Did you mean {names[close].name}?" if close else ""
    raise InputError(
        f"This walk has no '{given}'.{hint} "
        f"Choose one of {', '.join(tensor.name for tensor in names.values())}."
    )


def _parts(inside: str) -> Iterator[_Part]:
    """What stands between the brackets, cut at the commas that are not in quotes."""
    at = 0
    while match := _PART.match(inside, at):
        double, single, bare = match.groups()
        yield _Part(bare, quoted=False) if bare is not None else _Part(double or single or "", quoted=True)
        at = match.end()
        if at == len(inside) and not (match[0].endswith(",")):
            return


def _place(where: str, axis: Axis, part: _Part) -> int:
    """The place along ``axis``, counted from 0, that ``part`` names."""
    if not part.quoted and (number := _NUMBER.fullmatch(part.text)):
        word, digits = number.groups()
        if word is None or " ".join(word.lower().split()) in NUMBER_WORDS[axis.letter]:
            return _numbered(where, axis, part.text, int(digits))
    same = [i for i, label in enumerate(axis.labels) if label == part.text]
    found = same or [i for i, label in enumerate(axis.labels) if label.lower() == part.text.lower()]
    if len(found) == 1:
        return found[0]
    kind = AXIS_NAMES[axis.letter]
    if found:
        choices = ", ".join(f"{i + 1} ({axis.labels[i]})" for i in found)
        raise InputError(
            f"{where}: '{part.text}' stands for more than one {kind}. Give its number instead: {choices}."
        )
    listed = ", ".join(axis.labels[:MOST_LISTED]) + (", ..." if len(axis.labels) > MOST_LISTED else "")
    raise InputError(
        f"{where}: '{part.text}' is no {kind}. Choose one of {listed}, "
        f"or a number from 1 to {len(axis.labels)}."
    )


def _numbered(where: str, axis: Axis, given: str, number: int) -> int:
    size = len(axis.labels)
    if not 1 <= number <= size:
        raise InputError(
            f"{where}: '{given}' is out of range. The {AXIS_NAMES[axis.letter]} is a number from 1 to {size}."
        )
    return number - 1
