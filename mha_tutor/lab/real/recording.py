"""Writes fooling.json anew: `python -m mha_tutor.lab.real.recording [FOLDER]`, with a model at hand."""

from __future__ import annotations

import json
import sys

import numpy as np

from ...attention import Array
from ...errors import WorkError
from .bert import forward
from .folder import KNOWN_SHA256, Real, real_model
from .fooling import DATA, DIGITS, FORMAT_VERSION, PRONOUN, Sentence, pairs


def measured(real: Real) -> Array | None:
    """The weight from `it` to both nouns of every sentence: (layers, heads, pairs, 2, 2).

    None where the vocabulary does not have the pronoun and all nouns as whole words.
    """
    sentences = [sentence for pair in pairs() for sentence in pair]
    if any(word not in real.pieces.rows for each in sentences for word in (PRONOUN, *each.nouns)):
        return None
    run = forward(real.model, [real.rows(sentence.text) for sentence in sentences])
    found = []
    for number, sentence in enumerate(sentences):
        asks, *asked = _places(real, sentence)
        found.append([seen.weights[number][:, asks, asked] for seen in run.seen])
    by_sentence = np.array(found)  # (sentences, layers, heads, 2)
    return by_sentence.transpose(1, 2, 0, 3).reshape(*by_sentence.shape[1:3], -1, 2, 2)


def _places(real: Real, sentence: Sentence) -> list[int]:
    """Where the pronoun and the two nouns stand; each is one word piece and stands once."""
    tokens = real.pieces.framed(sentence.text)
    return [tokens.index(word) for word in (PRONOUN, *sentence.nouns)]


def record(real: Real) -> str:
    """The text of fooling.json: where the numbers are from, and the numbers, rounded."""
    found = measured(real)
    if found is None:
        raise WorkError(f"The vocabulary of {real.name} lacks words of the sentences.")
    weights = np.vectorize(lambda weight: float(f"{weight:.{DIGITS}g}"))(found)
    head = {
        "format_version": FORMAT_VERSION,
        "provenance": f"{real.name}, 6 layers of 12 heads, trained by others; model.safetensors with sha256 "
        f"{KNOWN_SHA256[:8]}...{KNOWN_SHA256[-4:]}; weights with {DIGITS} digits that count",
        "made_with": "python -m mha_tutor.lab.real.recording",
        "axes": "layer, head, pair, original or control, first or second noun of that sentence",
    }
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()]
    heads = ",\n".join(
        "    [\n" + ",\n".join(f"      {json.dumps(h)}" for h in layer) + "\n    ]"
        for layer in weights.tolist()
    )
    return "{\n" + "\n".join(lines) + '\n  "weights": [\n' + heads + "\n  ]\n}\n"


if __name__ == "__main__":
    DATA.write_text(record(real_model(*sys.argv[1:2])), encoding="utf-8", newline="\n")
