"""How fast a BERT-type model runs, as ratios within one run: `python -m tests.benchmarks.real_model [DIR]`.

One thread, the least CPU time of many interleaved rounds. The forward pass is held against its matrix
products alone, with the very same matrices: whatever a layer does besides must not take as long again.
The numbers are the installed model's, or those of a folder, or random ones of the same sizes.
"""

# ruff: noqa: E402 - the number of threads must be set before numpy is loaded
from __future__ import annotations

import os

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ[threads] = "1"

import sys
from time import process_time
from typing import Any

import numpy as np

from mha_tutor.errors import WorkError
from mha_tutor.lab.real.bert import Bert, Layer, Norm, forward
from mha_tutor.lab.real.folder import real_model
from mha_tutor.lab.real.measuring import head_map
from tests.benchmarks.engine import least_times

TOKENS, WIDTH, WIDE, LAYERS, HEADS = 12, 384, 1536, 6, 12
LIMIT = 2.0  # times the matrix products alone
MAP_LIMIT = 5.0  # seconds of CPU for the map over 100 sentences


def random_model() -> Bert:
    """A model of the size of all-MiniLM-L6-v2 with random numbers."""
    draw = np.random.default_rng(1)

    def numbers(*shape: int) -> Any:
        return (draw.standard_normal(shape) * 0.05).astype(np.float32)

    def norm() -> Norm:
        return Norm(1 + numbers(WIDTH), numbers(WIDTH), 1e-12)

    def layer() -> Layer:
        names = {f"w_{letter}": numbers(WIDTH, WIDTH).T for letter in "qkvo"}
        biases = {f"b_{letter}": numbers(WIDTH) for letter in "qkvo"}
        w_qkv = np.ascontiguousarray(np.concatenate([names[f"w_{letter}"] for letter in "qkv"], axis=1))
        b_qkv = np.concatenate([biases[f"b_{letter}"] for letter in "qkv"])
        attention: Any = {**names, **biases}
        first, second = numbers(WIDE, WIDTH).T, numbers(WIDTH, WIDE).T
        return Layer(attention, w_qkv, b_qkv, norm(), first, numbers(WIDE), second, numbers(WIDTH), norm())

    tables = numbers(1000, WIDTH), numbers(512, WIDTH), numbers(WIDTH)
    return Bert(*tables, norm(), tuple(layer() for _ in range(LAYERS)), HEADS)


def products(model: Bert, tokens: int) -> Any:
    """The matrix products of a forward pass and nothing else."""
    x_td = np.ones((tokens, model.width), dtype=np.float32)
    e = model.width // model.heads
    q_hte = np.ones((model.heads, tokens, e), dtype=np.float32)
    weights_hts = np.ones((model.heads, tokens, tokens), dtype=np.float32)
    wide_tf = np.ones((tokens, model.layers[0].w_1.shape[1]), dtype=np.float32)

    def run() -> None:
        for layer in model.layers:
            x_td @ layer.w_qkv
            q_hte @ q_hte.swapaxes(1, 2)
            weights_hts @ q_hte
            x_td @ layer.attention["w_o"]
            x_td @ layer.w_1
            wide_tf @ layer.w_2

    return run


def measured(model: Bert, rounds: int = 60) -> dict[str, float]:
    """Seconds of CPU of the forward pass and of its products alone."""
    rows = [list(range(TOKENS))]
    contestants = {"forward": lambda: forward(model, rows), "products": products(model, TOKENS)}
    return least_times(contestants, rounds, calls=2)


def main() -> None:
    try:
        folder = sys.argv[1] if len(sys.argv) > 1 else None
        start = process_time()
        real = real_model(folder)
        print(f"read and checked: {process_time() - start:.2f} s of CPU")
    except WorkError as error:
        print(f"{error}\nWith random numbers of the same sizes:")
        real = None
    times = measured(random_model() if real is None else real.model)
    ratio = times["forward"] / times["products"]
    print(
        f"{TOKENS} tokens: {times['forward'] * 1e3:.1f} ms, products alone {times['products'] * 1e3:.1f} ms, "
        f"ratio {ratio:.2f} (limit {LIMIT})"
    )
    if real is not None:
        start = process_time()
        found = head_map(real)
        took = process_time() - start
        print(f"map of {found.sentences} sentences and controls: {took:.2f} s of CPU (limit {MAP_LIMIT})")


if __name__ == "__main__":
    main()
