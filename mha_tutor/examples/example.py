"""What a walk starts from: tokens, their rows, and one set of packed matrices."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import cos, pi, sin
from typing import NamedTuple

import numpy as np

from ..attention import Array
from ..errors import InputError
from .tokens import check_token_count, tokenize, word_key


class Position(NamedTuple):
    """How a place in the sentence becomes numbers: a cosine and a sine of each period, rounded.

    ``features`` names the columns they are added to, in the order cos, sin, cos, sin ...
    """

    features: tuple[str, ...]
    periods: tuple[float, ...]
    decimals: int

    def row(self, place: int) -> dict[str, float]:
        """The position features of the token at ``place``, counted from 0."""
        turns = [2 * pi * place / period for period in self.periods]
        waves = [wave for turn in turns for wave in (cos(turn), sin(turn))]
        return {
            name: round(wave, self.decimals) + 0.0  # -0.0 becomes 0.0
            for name, wave in zip(self.features, waves, strict=True)
        }


BIASES = ("b_Q", "b_K", "b_V", "b_O")
Words = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class Example:
    """Tokens, one row each (n, d), and the packed matrices, float64.

    W_Q, W_K and W_V are (d, heads*e), W_O is (heads*e, d). ``biases`` are none, or
    b_Q, b_K, b_V and b_O, each as long as its matrix has columns. ``words`` says which features a
    word brings, in lower case; with ``position`` it lets other sentences be walked. ``unknown`` are
    the tokens that ``words`` does not know: they carry their position only. ``remade`` makes the
    example anew for another sentence, where rows depend on all of it. ``only_heads`` says why no
    other number of heads fits, and ``published`` has the names that others gave the heads.
    """

    name: str
    provenance: str
    tokens: tuple[str, ...]
    features: tuple[str, ...]
    heads: int
    X: Array
    W_Q: Array
    W_K: Array
    W_V: Array
    W_O: Array
    biases: Mapping[str, Array] = field(default_factory=dict)
    built_by_hand: bool = False
    start: str | None = None
    notes: tuple[str, ...] = ()
    words: Words = field(default_factory=dict)
    position: Position | None = None
    row_maker: Callable[[str], Array] | None = None
    remade: Callable[[str], Example] | None = None
    only_heads: str = ""
    published: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    other_sentence: bool = False

    @property
    def sentence(self) -> str:
        """The tokens as a line of text."""
        return re.sub(r" (?=[,.;:!?])", "", " ".join(self.tokens))

    @property
    def fixed_heads(self) -> bool:
        """Whether only one number of heads fits, since the heads are not cut from d_model."""
        return bool(self.W_Q.shape[1] != self.X.shape[1])

    @property
    def allowed_heads(self) -> tuple[int, ...]:
        """The numbers of heads that this example can be cut into."""
        width = self.X.shape[1]
        if self.fixed_heads or self.only_heads:
            return (self.heads,)
        return tuple(h for h in range(1, width + 1) if width % h == 0)

    def check_heads(self, heads: int) -> None:
        """Raise InputError, with the reason and what is allowed, unless ``heads`` fits."""
        if heads in self.allowed_heads:
            return
        width, packed = self.X.shape[1], self.W_Q.shape[1]
        if self.only_heads:
            raise InputError(
                f"'{self.name}' cannot be cut into {heads} heads: {self.only_heads} Use --heads {self.heads}."
            )
        if self.fixed_heads:
            raise InputError(
                f"'{self.name}' cannot be cut into {heads} heads: its {self.heads} heads have a fixed "
                f"width of {packed // self.heads} each, so W^Q is {width} x {packed} and not square. "
                f"Use --heads {self.heads}."
            )
        raise InputError(
            f"{heads} heads do not divide d_model = {width} of '{self.name}': each head needs the same "
            f"whole number of columns. Choose one of {', '.join(map(str, self.allowed_heads))}."
        )

    def check_no_biases(self, what: str) -> None:
        """Raise InputError where there are biases: ``what`` has no place for them."""
        if self.biases:
            raise InputError(
                f"'{self.name}' has biases ({', '.join(self.biases)}), and {what} has no place for them. "
                "Choose an example without, such as --example robot."
            )

    def with_sentence(self, sentence: str, what: str = "the sentence") -> Example:
        """The same matrices with the tokens of another sentence, or of ``what`` it is.

        Raises InputError when the example cannot make rows for other words, and unless the
        sentence has 2 to 16 tokens.
        """
        if self.remade is not None:
            return replace(self.remade(sentence), start=None, other_sentence=True)
        return replace(self.with_tokens(tokenize(sentence, what)), start=None, other_sentence=True)

    def with_tokens(self, tokens: tuple[str, ...]) -> Example:
        """The same matrices and other tokens; raises InputError as ``with_sentence`` does."""
        if self.remade is not None:
            raise InputError(
                f"'{self.name}' makes its rows from a whole sentence, so no token can be put in beside it. "
                "Give all of it with --sentence."
            )
        check_token_count(len(tokens))
        if self.row_maker is not None:
            rows = np.stack([self.row_maker(token) for token in tokens])
            return replace(self, tokens=tokens, X=rows)
        if not self.words:
            raise InputError(
                f"'{self.name}' has no table of words, so it cannot make rows for other tokens. "
                "Use its own sentence, or add a [words] table to a file made with 'mha-tutor example'."
            )
        rows, unknown = word_rows(tokens, self.features, self.words, self.position)
        return replace(self, tokens=tokens, X=rows, unknown=unknown)


def word_rows(
    tokens: tuple[str, ...], features: tuple[str, ...], words: Words, position: Position | None
) -> tuple[Array, tuple[str, ...]]:
    """A row a token, (n, d), from its word's features and its place; and the unknown tokens."""
    x_td = np.zeros((len(tokens), len(features)))
    column = {name: j for j, name in enumerate(features)}
    unknown = []
    for place, token in enumerate(tokens):
        key = word_key(token)
        if key not in words:
            unknown.append(token)
        for name, value in words.get(key, {}).items():
            x_td[place, column[name]] += value
        for name, value in (position.row(place) if position else {}).items():
            x_td[place, column[name]] += value
    return x_td, tuple(dict.fromkeys(unknown))
