"""The sentences and their matrices: shipped as data, read from a file, or drawn from a seed."""

from .example import MAX_TOKENS, Example, Position, tokenize
from .files import read_example, write_example
from .library import NAMES, find

__all__ = [
    "MAX_TOKENS",
    "NAMES",
    "Example",
    "Position",
    "find",
    "read_example",
    "tokenize",
    "write_example",
]
