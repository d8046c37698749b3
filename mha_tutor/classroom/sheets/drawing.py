"""The problem behind a code: a sentence and whole numbers so small that paper will do.

What is drawn depends on the code and on nothing else, for ever: a printed sheet must be found again.
So nothing here may change; a better way to draw is another kind, beside these (see ``SIZES``).
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from ...attention import Array
from ...examples import Example
from .chance import Chance

Rows = list[list[int]]

D_K = 4  # so that the scale divides by exactly 2
SCORES = (0, 1, 2, 3)  # those whose exp stands on the sheet


class Size(NamedTuple):
    """How large a problem is. ``kind`` is its number in a code, from 0 to 7, never given twice."""

    kind: int
    tokens: int
    heads: int
    classes: tuple[str, ...]

    @property
    def width(self) -> int:
        """d_model: a feature for each word, and those of its class and place."""
        return self.tokens + len(self.classes)


SIZES = {
    "tiny": Size(0, 3, 1, ("verb",)),
    "small": Size(1, 3, 2, ("noun", "verb", "first", "middle", "last")),
    "large": Size(2, 5, 2, ("noun", "verb", "adjective")),
}
KINDS = 8  # five are still free

SENTENCES = (
    ("cats", "chase", "mice"), ("dogs", "guard", "sheep"), ("birds", "build", "nests"),
    ("bees", "visit", "roses"), ("robots", "carry", "boxes"), ("cooks", "bake", "bread"),
    ("trains", "cross", "rivers"), ("girls", "fly", "kites"), ("boys", "plant", "trees"),
    ("nurses", "help", "guests"), ("ants", "find", "sugar"), ("owls", "hunt", "moths"),
)  # fmt: skip
ADJECTIVES = ("small", "big", "quick", "old", "young", "quiet")

KEYS = (-1, 0, 0, 1, 1, 2)
QUERIES = (-1, 0, 1, 2)
VALUES = (-1, 0, 1, 1, 2, 3)
OUTPUTS = (-1, 1, 1, 2)
OFTEN_ZERO = (0, 0, 0, 1)

_EVERY_QUERY = np.array(list(product(QUERIES, repeat=D_K)))


class Drawn(NamedTuple):
    """The numbers that stand on a sheet: Q, K and V with the heads side by side (tokens, c), and W^O."""

    q_tc: Array
    k_tc: Array
    v_tc: Array
    w_o: Array


def drawn_numbers(size: Size, draw: int) -> Drawn:
    """The numbers of that size and draw; all scores that follow are whole numbers from 0 to 3."""
    q_tc, k_tc = drawn_queries_and_keys(size, draw)
    chance = _chance(size, draw, "values")
    v_tc = [[chance.pick(VALUES) for _ in range(D_K * size.heads)] for _ in range(size.tokens)]
    w_o = _outputs(chance, D_K * size.heads, size.width)
    return Drawn(q_tc, k_tc, np.array(v_tc, dtype=float), w_o)


def drawn_queries_and_keys(size: Size, draw: int) -> tuple[Array, Array]:
    """Q and K alone, from which all dots follow."""
    chance = _chance(size, draw, "scores")
    heads = [_queries_and_keys(chance, size.tokens) for _ in range(size.heads)]
    q_tc, k_tc = (np.hstack([head[i] for head in heads]).astype(float) for i in (0, 1))
    return q_tc, k_tc


def drawn_example(code: str, size: Size, draw: int) -> Example:
    """The whole problem of that size and draw: a sentence, and matrices that give its Q, K and V."""
    chance = _chance(size, draw, "matrices")
    tokens = _sentence(chance, size)
    numbers, x_td = drawn_numbers(size, draw), _rows(size)
    w_q, w_k, w_v = (_matrix(chance, x_td, wanted_tc) for wanted_tc in numbers[:3])
    return Example(
        name=f"sheet {code}",
        provenance="small whole numbers drawn for paper",
        tokens=tokens,
        features=(*tokens, *size.classes),
        heads=size.heads,
        start=tokens[-1],
        X=x_td,
        W_Q=w_q,
        W_K=w_k,
        W_V=w_v,
        W_O=numbers.w_o,
    )


def _chance(size: Size, draw: int, purpose: str) -> Chance:
    return Chance(f"mha-tutor sheet {size.kind} {draw} {purpose}")


def _sentence(chance: Chance, size: Size) -> tuple[str, ...]:
    subject, verb, object_ = chance.pick(SENTENCES)
    if size.tokens == 3:
        return subject, verb, object_
    first = chance.below(len(ADJECTIVES))
    second = (first + 1 + chance.below(len(ADJECTIVES) - 1)) % len(ADJECTIVES)
    return ADJECTIVES[first], subject, verb, ADJECTIVES[second], object_


def _queries_and_keys(chance: Chance, tokens: int) -> tuple[Rows, Rows]:
    """Q and K of one head, (tokens, 4) each, whose dots are 0, 2, 4 or 6 and not all alike in any row."""
    while True:
        keys = [[chance.pick(KEYS) for _ in range(D_K)] for _ in range(tokens)]
        if len({tuple(key) for key in keys}) < tokens or any(key.count(0) > 2 for key in keys):
            continue
        dots = _EVERY_QUERY @ np.array(keys).T
        least, most = dots.min(1), dots.max(1)
        fits = (dots % 2 == 0).all(1) & (least >= 0) & (most <= 2 * max(SCORES)) & (least < most)
        fitting = _EVERY_QUERY[fits].tolist()
        if len(fitting) >= tokens:
            return [fitting.pop(chance.below(len(fitting))) for _ in range(tokens)], keys


def _rows(size: Size) -> Array:
    """X: each word has a feature of its own, and those of its class and place."""
    x_td = np.zeros((size.tokens, size.width))
    x_td[:, : size.tokens] = np.eye(size.tokens)
    verb, last = size.tokens // 2, size.tokens - 1
    has = {"verb": [verb], "noun": [verb - 1, last], "adjective": [0, verb + 1],
           "first": [0], "middle": [verb], "last": [last]}  # fmt: skip
    for j, name in enumerate(size.classes):
        x_td[has[name], size.tokens + j] = 1
    return x_td


def _matrix(chance: Chance, x_td: Array, wanted_tc: Array) -> Array:
    """A matrix W with X W as wanted: free in the rows of the classes, the rest in each word's own row."""
    tokens, width = x_td.shape
    free = [[chance.pick(OFTEN_ZERO) for _ in wanted_tc[0]] for _ in range(width - tokens)]
    classes = np.array(free, dtype=float)
    return np.concatenate([wanted_tc - x_td[:, tokens:] @ classes, classes])


def _outputs(chance: Chance, rows: int, columns: int) -> Array:
    """W^O: in every column three numbers that are not 0, or two where there are four rows."""
    w_o = np.zeros((rows, columns))
    for column in range(columns):
        places = list(range(rows))
        for _ in range(3 if rows > D_K else 2):
            w_o[places.pop(chance.below(len(places))), column] = chance.pick(OUTPUTS)
    return w_o
