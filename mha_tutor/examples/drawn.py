"""The example whose numbers are drawn by chance: where training starts."""

from __future__ import annotations

from functools import partial
from zlib import crc32

import numpy as np

from ..attention import Array
from ..errors import InputError
from .example import Example
from .tokens import word_key

WIDTH, HEADS = 12, 3
SENTENCE = ("The", "robot", "carried", "the", "patient", "because", "it", "was", "tired")


def random_example(seed: int) -> Example:
    """Matrices (12, 12) from a normal of deviation 1/sqrt(d); a word's row from seed and word.

    Raises InputError for a seed below 0.
    """
    if seed < 0:
        raise InputError(f"the seed is {seed}; expected a whole number from 0 on, such as --seed 7.")
    draw = np.random.default_rng(seed)
    w_q, w_k, w_v, w_o = draw.normal(scale=WIDTH**-0.5, size=(4, WIDTH, WIDTH))
    row_maker = partial(_word_row, seed)
    return Example(
        name="random",
        provenance=f"numbers drawn by chance, seed {seed}: this is where training starts",
        tokens=SENTENCE,
        features=tuple(str(j + 1) for j in range(WIDTH)),
        heads=HEADS,
        start="it",
        X=np.stack([row_maker(token) for token in SENTENCE]),
        W_Q=w_q,
        W_K=w_k,
        W_V=w_v,
        W_O=w_o,
        row_maker=row_maker,
    )


def _word_row(seed: int, word: str) -> Array:
    """The same row for the same word, whatever its case and place."""
    return np.random.default_rng([seed, crc32(word_key(word).encode())]).normal(size=WIDTH)
