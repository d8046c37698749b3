"""What a terminal sends -> names of keys. Knows nothing of files, time or pages.

Names: ``left right up down home end insert delete pageup pagedown f1 .. f12 enter space tab
shift-tab escape backspace``, ``ctrl-a`` and so on, ``ctrl-right`` and the like, ``alt-x`` for Alt
with a character, and every other typed character as itself.
"""

from __future__ import annotations

import re

_CHARACTER = (
    rb"[\x00-\x1a\x1c-\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)

# One whole key, sequence or report at the beginning of the bytes. What has no name below is still
# matched, so that all of it is swallowed and none of it is taken for letters.
_WHOLE = re.compile(
    rb"""\x1b\[\[(?P<console>[A-E])                       # f1 to f5 on the Linux console
       | \x1b\[M[^\x00-\x1f]{3}                           # an old mouse report
       | \x1b\[(?![M\[])(?P<csi>[0-?]*[ -/]*)(?P<final>[@-~])
       | \x1bO(?P<ss3>[0-9;]*)(?P<last>[@-~])
       | \x1b[\]PX^_][^\x00-\x1f]*(?:\x07|\x1b\\)         # a reply in words, such as a colour
       | \x1b(?![\[O\]PX^_\x00-\x1f])(?P<alt>%b)
       | (?P<character>%b)"""
    % (_CHARACTER, _CHARACTER),
    re.VERBOSE,
)

# The beginning of one, of which more bytes may be on their way.
_BEGUN = re.compile(
    rb"""\x1b\[\[ | \x1b\[M[^\x00-\x1f]{0,2} | \x1b\[[0-?]*[ -/]* | \x1bO[0-9;]*
       | (?P<reply>\x1b[\]PX^_][^\x00-\x1f]*) | \x1b?[\xc2-\xf4][\x80-\xbf]{0,2} | \x1b""",
    re.VERBOSE,
)

_PARAMETERS = re.compile(rb"(\d{0,3})(?:;(\d{1,3}))?")
_LETTERS = dict(
    zip(b"ABCDHFPQRS", ["up", "down", "right", "left", "home", "end", "f1", "f2", "f3", "f4"], strict=True)
)
_LETTERS |= {ord("Z"): "shift-tab", ord("M"): "enter"}
_NUMBERS = dict(enumerate(["home", "insert", "delete", "end", "pageup", "pagedown", "home", "end"], 1))
_NUMBERS |= {n: f"f{i}" for i, n in enumerate((11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24), 1)}
_CHARACTERS = {"\r": "enter", "\n": "enter", "\t": "tab", "\x1b": "escape", "\x08": "backspace"}
_CHARACTERS |= {"\x7f": "backspace", "\x00": "ctrl-space"}
_CTRL = 4


class Decoder:
    """Bytes in, in pieces of any size; names of keys out, one at a time."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> None:
        """Add what has arrived."""
        self._bytes += data

    @property
    def held(self) -> bytes:
        """What has arrived and is not yet a key, once ``next`` has returned None."""
        return bytes(self._bytes)

    def next(self, *, settled: bool = False) -> str | None:
        """The next key, or None while more bytes are needed.

        With ``settled`` no more are coming: a lone Escape is the Escape key, and what is cut off
        is dropped.
        """
        while self._bytes:
            used, key = _first(self._bytes, settled)
            del self._bytes[:used]
            if key is not None or not used:
                return key
        return None


def character_key(character: str) -> str | None:
    """The name of a typed character; None for those no keyboard types."""
    if character in _CHARACTERS:
        return _CHARACTERS[character]
    if character < " ":
        code = ord(character)
        return f"ctrl-{chr(code + (0x60 if code <= 26 else 0x40))}"
    if "\x7f" < character < "\xa0":
        return None
    return "space" if character.isspace() else character


def _first(data: bytearray, settled: bool) -> tuple[int, str | None]:
    """How many bytes the first key takes (0: not all of it is here) and its name, if it has one."""
    if whole := _WHOLE.match(data):
        return whole.end(), _name(whole)
    begun = _BEGUN.match(data)
    if not begun:
        return 1, None  # a stray byte
    rest = data[begun.end() :]
    if not settled and (not rest or (begun["reply"] and rest == b"\x1b")):  # half of a reply's end
        return 0, None
    return begun.end(), "escape" if begun[0] == b"\x1b" else None


def _name(whole: re.Match[bytes]) -> str | None:
    if (character := whole["character"]) is not None:
        return _typed(character)
    if (character := whole["alt"]) is not None:
        name = _typed(character)
        return name and f"alt-{name}"
    if whole["console"]:
        return f"f{ord(whole['console']) - 64}"
    if whole["last"]:
        return _special(whole["ss3"] and b"1;" + whole["ss3"].split(b";")[-1], whole["last"])
    if whole["final"]:
        return _special(whole["csi"], whole["final"])
    return None


def _typed(character: bytes) -> str | None:
    text = character.decode("utf-8", "ignore")  # surrogates and overlong forms give nothing
    return character_key(text) if text else None


def _special(parameters: bytes, final: bytes) -> str | None:
    """A function key from its parameters and last letter: Ctrl is named, Shift and Alt are not."""
    parsed = _PARAMETERS.fullmatch(parameters)
    if not parsed:
        return None
    number, modifiers = int(parsed[1] or 1), int(parsed[2] or 1) - 1
    if modifiers > 15 or (final != b"~" and number != 1):
        return None  # a report, such as where the cursor is
    name = _NUMBERS.get(number) if final == b"~" else _LETTERS.get(ord(final))
    return f"ctrl-{name}" if name and modifiers & _CTRL else name
