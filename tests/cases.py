"""Walks that tests share: every shipped example, with and without masks, sharing and memory."""

from collections.abc import Iterator

import numpy as np

from mha_tutor.examples import NAMES, Example, find
from mha_tutor.stages import walk
from mha_tutor.trace import Trace


def shipped() -> Iterator[Example]:
    """The shipped examples; one that is announced but not there yet is left out."""
    for name in NAMES:
        try:
            yield find(name)
        except Exception as error:
            if "cannot be read" not in str(error):
                raise


def walks(example: Example) -> Iterator[tuple[str, Trace]]:
    """The kinds of walk one example allows, each with a name."""
    n = len(example.tokens)
    causal = np.tril(np.ones((n, n), dtype=bool))
    yield "plain", walk(example)
    yield "causal", walk(example, allowed=causal)
    if example.name in ("trophy", "chef"):  # the robot's matrices once more
        return
    for heads in example.allowed_heads:
        shared = [g for g in range(1, heads) if heads % g == 0]
        if shared and heads <= 4:
            yield f"heads {heads} sharing {shared[-1]}", walk(example, heads=heads, kv_heads=shared[-1])
    if not example.fixed_heads:
        yield "one head", walk(example, heads=1)
    if example.words or example.row_maker:
        memory = example.with_sentence("The trophy was big, the suitcase was not")
        yield "memory", walk(example, memory=memory)


WALKS = {f"{example.name}, {kind}": trace for example in shipped() for kind, trace in walks(example)}
