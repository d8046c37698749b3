"""The sentences and their matrices: shipped as data, read from a file, or drawn from a seed."""

from .example import Example, Position
from .library import NAMES, REAL, find
from .reading import read_example
from .tokens import MAX_TOKENS, tokenize
from .writing import write_example

__all__ = [
    "MAX_TOKENS",
    "NAMES",
    "REAL",
    "Example",
    "Position",
    "find",
    "read_example",
    "tokenize",
    "write_example",
]
