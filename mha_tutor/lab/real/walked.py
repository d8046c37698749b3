"""One layer of a real model as an Example: its input X and its own matrices, walked like any other."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from ...attention import Array
from ...errors import InputError
from ...examples import REAL
from ...examples.example import Example
from ...examples.tokens import check_printable, check_token_count
from ...texts import texts
from .bert import forward
from .folder import real_model

SENTENCE = "The robot carried the patient because it was tired."
START = "it"
FRAME = 2  # tokens around every sentence


@lru_cache(maxsize=2)  # a walk whose numbers are changed starts from its example again
def real_example(model_dir: str | None = None, layer: int = 1, sentence: str | None = None) -> Example:
    """The layer of that number, from 1, when the model reads the sentence.

    X is what the layer is given: word vectors and places for layer 1, what the layers before made of
    them for the others. Raises InputError and WorkError.
    """
    real = real_model(model_dir)
    layers = len(real.model.layers)
    if not 1 <= layer <= layers:
        raise InputError(f"--layer {layer}: {real.name} has {layers} layers; choose from 1 to {layers}.")
    text = SENTENCE if sentence is None else sentence
    check_printable("".join(text.split()), "the sentence")
    tokens = real.pieces.framed(text)
    if len(tokens) <= FRAME:
        raise InputError("The sentence is empty; give one word or more, in quotes.")
    check_token_count(len(tokens), "the sentence, with [CLS], [SEP] and word pieces,")
    weights = real.model.layers[layer - 1].attention
    run = forward(real.model, [real.rows_of(tokens)])
    return Example(
        name=REAL,
        provenance=f"{real.name}, layer {layer} of {layers}, trained by others; {real.source}",
        tokens=tokens,
        features=tuple(str(j + 1) for j in range(real.model.width)),
        heads=real.model.heads,
        start=START if sentence is None and START in tokens else None,
        notes=_notes(layer, tokens),
        X=_wide(run.seen[layer - 1].x_td),
        W_Q=_wide(weights["w_q"]),
        W_K=_wide(weights["w_k"]),
        W_V=_wide(weights["w_v"]),
        W_O=_wide(weights["w_o"]),
        biases={f"b_{letter.upper()}": _wide(weights[f"b_{letter}"]) for letter in "qkvo"},  # type: ignore[literal-required]
        remade=partial(_remade, model_dir, layer),
        only_heads=f"it was trained with {real.model.heads} heads, so other columns belong to no head.",
        published=tuple(f"{layer - 1}.{h}" for h in range(real.model.heads)),
    )


def changed_by(what: str, example: Example) -> Example:
    """The example, and a word on how the model never ran: with a mask, or with a memory."""
    say = texts("real")["walked"]
    notes = (say[what], *example.notes)
    return replace(example, notes=notes, provenance=f"{example.provenance}; {say['never']}")


def _remade(model_dir: str | None, layer: int, sentence: str) -> Example:
    return real_example(model_dir, layer, sentence)


def _notes(layer: int, tokens: tuple[str, ...]) -> tuple[str, ...]:
    """What to know about these rows."""
    say = texts("real")["walked"]
    kind = {1: "first", 2: "second"}.get(layer, "later")
    notes = [say[kind].format(layer=layer, before=layer - 1), say["unnamed"]]
    if any(token.startswith("##") for token in tokens):
        notes.append(say["pieces"])
    return tuple(notes)


def _wide(array: Array) -> Array:
    """The same numbers as float64."""
    return np.array(array, dtype=np.float64)
