"""A small BERT-type model with random numbers, written to a folder as others write theirs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mha_tutor.attention import Array
from mha_tutor.lab.real.measuring import sentences

WIDTH, LAYERS, HEADS, WIDE, PLACES = 12, 3, 2, 20, 40
CONFIG = {
    "model_type": "bert",
    "hidden_size": WIDTH,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "intermediate_size": WIDE,
    "max_position_embeddings": PLACES,
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-12,
}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MARKS = ".,?'!"
WORDS = ("the", "robot", "carried", "patient", "because", "it", "was", "tired", "dog", "cat")
VOCABULARY = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    *WORDS,
    *MARKS,
    *LETTERS,
    *(f"##{a}" for a in LETTERS),
)
TYPES = {"F64": np.float64, "F32": np.float32, "F16": np.float16}


def arrays(seed: int = 0) -> dict[str, Array]:
    """The learned numbers of a small model by the names that checkpoints use."""
    draw = np.random.default_rng(seed)

    def numbers(*shape: int) -> Array:
        return draw.normal(scale=0.4, size=shape).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": numbers(len(VOCABULARY), WIDTH),
        "embeddings.position_embeddings.weight": numbers(PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": numbers(2, WIDTH),
        "embeddings.LayerNorm.weight": 1 + numbers(WIDTH),
        "embeddings.LayerNorm.bias": numbers(WIDTH),
    }
    linear = {
        "attention.self.query": (WIDTH, WIDTH),
        "attention.self.key": (WIDTH, WIDTH),
        "attention.self.value": (WIDTH, WIDTH),
        "attention.output.dense": (WIDTH, WIDTH),
        "intermediate.dense": (WIDE, WIDTH),
        "output.dense": (WIDTH, WIDE),
    }
    for layer in range(LAYERS):
        for name, (rows, columns) in linear.items():
            found[f"encoder.layer.{layer}.{name}.weight"] = numbers(rows, columns)
            found[f"encoder.layer.{layer}.{name}.bias"] = numbers(rows)
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            found[f"encoder.layer.{layer}.{name}.weight"] = 1 + numbers(WIDTH)
            found[f"encoder.layer.{layer}.{name}.bias"] = numbers(WIDTH)
    return found


def safetensors(given: Mapping[str, Array], kind: str = "F32") -> bytes:
    """The arrays as the bytes of a .safetensors file."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, array in given.items():
        raw = array.astype(TYPES[kind]).tobytes()
        header[name] = {
            "dtype": kind,
            "shape": list(array.shape),
            "data_offsets": [len(body), len(body) + len(raw)],
        }
        body += raw
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def write_folder(
    folder: Path,
    given: Mapping[str, Array] | None = None,
    *,
    prefix: str = "",
    kind: str = "F32",
    **config: object,
) -> Path:
    """Write config.json, vocab.txt and model.safetensors into a new folder."""
    folder.mkdir()
    named = {prefix + name: array for name, array in (arrays() if given is None else given).items()}
    (folder / "config.json").write_text(json.dumps({**CONFIG, **config}), encoding="utf-8")
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    (folder / "model.safetensors").write_bytes(safetensors(named, kind))
    return folder


assert all(set(text.lower()) <= {*LETTERS, *MARKS, " "} for text in sentences())
