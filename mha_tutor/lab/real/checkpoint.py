"""A BERT-type checkpoint: the sizes in its config.json, and its arrays as a model, all of them checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...attention import Array
from ...errors import WorkError
from ...layouts import Weights, from_bert
from .bert import Bert, Layer, Norm
from .safetensors import Arrays


class Config(NamedTuple):
    """The sizes of a model, as its config.json has them."""

    width: int
    layers: int
    heads: int
    feed_forward: int
    places: int
    eps: float


def read_json(path: Path) -> dict[str, Any]:
    """The table in a JSON file. Raises WorkError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WorkError(f"{path} cannot be read ({error.strerror or error}).") from None
    except (ValueError, RecursionError):
        raise WorkError(f"{path} is not JSON. Get the file again.") from None
    if not isinstance(data, dict):
        raise WorkError(f"{path} holds no table of names and values; expected a model's configuration.")
    return data


def read_config(path: Path) -> Config:
    """The sizes in a config.json. Raises WorkError for a model that is not of BERT's kind."""
    data = read_json(path)
    if data.get("model_type") != "bert":
        given = data.get("model_type")
        raise WorkError(
            f'{path}: model_type is {json.dumps(given)}. mha-tutor reads models of the type "bert" only: '
            "others have other layers."
        )
    if data.get("hidden_act", "gelu") != "gelu":
        raise WorkError(f'{path}: hidden_act is {json.dumps(data["hidden_act"])}; only "gelu" is read.')
    if data.get("position_embedding_type", "absolute") != "absolute":
        raise WorkError(
            f"{path}: position_embedding_type is {json.dumps(data['position_embedding_type'])}; "
            'only "absolute" is read.'
        )
    names = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")
    sizes = []
    for name in (*names, "max_position_embeddings"):
        if type(data.get(name)) is not int or data[name] < 1:
            raise WorkError(f"{path}: {name} is {json.dumps(data.get(name))}; expected a whole number.")
        sizes.append(data[name])
    if sizes[0] % sizes[2]:
        raise WorkError(f"{path}: {sizes[2]} heads do not divide hidden_size {sizes[0]}.")
    eps = data.get("layer_norm_eps", 1e-12)
    if not isinstance(eps, float) or not 0 < eps < 1:
        raise WorkError(f"{path}: layer_norm_eps is {json.dumps(eps)}; expected a small number above 0.")
    width, layers, heads, feed_forward, places = sizes
    return Config(width, layers, heads, feed_forward, places, eps)


class _Reader(NamedTuple):
    """The arrays of a file under the prefix that it has, checked one by one."""

    arrays: Arrays
    prefix: str
    path: Path

    def get(self, name: str, *shape: int | None) -> Array:
        """The array of that name in that shape; None is any size. Raises WorkError."""
        full = self.prefix + name
        if full not in self.arrays:
            raise WorkError(f"{self.path} has no {full} among {len(self.arrays)} arrays.")
        array = self.arrays[full]
        fits = array.ndim == len(shape) and all(
            size in (None, has) for size, has in zip(shape, array.shape, strict=True)
        )
        if not fits:
            wanted = ", ".join("any" if size is None else str(size) for size in shape)
            raise WorkError(f"{self.path}: {full} has the shape {list(array.shape)}; expected [{wanted}].")
        return array

    def norm(self, name: str, config: Config) -> Norm:
        gain, shift = (_copy(self.get(f"{name}.{part}", config.width)) for part in ("weight", "bias"))
        return Norm(gain, shift, config.eps)

    def layer(self, number: int, config: Config) -> Layer:
        d, f, name = config.width, config.feed_forward, f"encoder.layer.{number}."
        attention = self._attention(f"{name}attention.", d)
        parts = [[attention[f"{kind}_{letter}"] for letter in "qkv"] for kind in ("w", "b")]  # type: ignore[literal-required]
        w_qkv, b_qkv = (np.concatenate(arrays, axis=-1) for arrays in parts)
        return Layer(
            attention=attention,
            w_qkv=np.ascontiguousarray(w_qkv),
            b_qkv=b_qkv,
            norm=self.norm(f"{name}attention.output.LayerNorm", config),
            w_1=_copy(self.get(f"{name}intermediate.dense.weight", f, d)).T,
            b_1=_copy(self.get(f"{name}intermediate.dense.bias", f)),
            w_2=_copy(self.get(f"{name}output.dense.weight", d, f)).T,
            b_2=_copy(self.get(f"{name}output.dense.bias", d)),
            last_norm=self.norm(f"{name}output.LayerNorm", config),
        )

    def _attention(self, name: str, d: int) -> Weights:
        found = {}
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            found[f"{part}.weight"] = _copy(self.get(f"{name}{part}.weight", d, d))
            found[f"{part}.bias"] = _copy(self.get(f"{name}{part}.bias", d))
        return from_bert(found)


def read_bert(arrays: Arrays, config: Config, path: Path) -> Bert:
    """The model of those sizes. Raises WorkError for an array that is missing or has another shape."""
    prefix = "bert." if "bert.embeddings.word_embeddings.weight" in arrays else ""
    reader = _Reader(arrays, prefix, path)
    d = config.width
    return Bert(
        words=reader.get("embeddings.word_embeddings.weight", None, d),  # stays in the file
        places=_copy(reader.get("embeddings.position_embeddings.weight", config.places, d)),
        kind=_copy(reader.get("embeddings.token_type_embeddings.weight", None, d)[0]),
        norm=reader.norm("embeddings.LayerNorm", config),
        layers=tuple(reader.layer(number, config) for number in range(config.layers)),
        heads=config.heads,
    )


def _copy(array: Array) -> Array:
    """The numbers in memory, as float32."""
    return np.array(array, dtype=np.float32)
