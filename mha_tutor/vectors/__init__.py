"""Inputs and results that other libraries made: small, and stored with where they come from.

    layer = made_elsewhere("torch_layer")
    layer.origin, layer.tolerance, layer.arrays["output_td"]

A function that agrees with them agrees with something that nobody here wrote.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..attention import Array


class Vectors(NamedTuple):
    """Arrays by name, their suffixes as in ``attention``; results agree within ``tolerance``."""

    origin: str
    tolerance: float
    arrays: Mapping[str, Array]


@cache
def _stored(name: str) -> Vectors:
    found = json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
    arrays = {key: np.array(numbers, dtype=np.float64) for key, numbers in found["arrays"].items()}
    return Vectors(found["origin"], found["tolerance"], arrays)


def made_elsewhere(name: str) -> Vectors:
    """The stored vectors of that name: ``onnx_core`` or ``torch_layer``. Every call gives fresh arrays."""
    found = _stored(name)
    return found._replace(arrays={key: array.copy() for key, array in found.arrays.items()})
