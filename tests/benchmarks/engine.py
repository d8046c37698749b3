"""How fast the engine is, as ratios within one run: `python -m tests.benchmarks.engine [--quick]`.

One thread. A time is the least CPU time of many rounds in which every contestant takes its turn, so
that a busy machine disturbs all alike. The limit is the time that the multiply-adds of all matrix
products would take at the rate of one large square product, measured in the same rounds.
With torch installed its nn.MultiheadAttention, giving per-head weights, is one of the contestants:
as a plain call, and within inference_mode.
"""

# ruff: noqa: E402 - the number of threads must be set before numpy is loaded
from __future__ import annotations

import os

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ[threads] = "1"

import platform
import sys
import tracemalloc
from collections.abc import Callable
from math import log2
from time import process_time
from typing import Any

import numpy as np

from mha_tutor.multihead import multi_head_attention

try:
    import torch
except ImportError:
    torch = None

SIZES = ((8, 12, 3), (16, 64, 4), (128, 512, 8), (512, 768, 12), (1024, 1024, 16))
TORCH = ("torch", "torch inference")
Contestants = dict[str, Callable[[], Any]]


def layer(n: int, d: int, dtype: Any) -> tuple[Any, ...]:
    """Tokens and the four matrices, scaled so that the scores stay near 1."""
    rng = np.random.default_rng([n, d])
    matrices = (rng.standard_normal((d, d)) / np.sqrt(d) for _ in range(4))
    return tuple(array.astype(dtype) for array in (rng.standard_normal((n, d)), *matrices))


def least_times(contestants: Contestants, rounds: int, calls: int = 1) -> dict[str, float]:
    """Seconds of CPU for one call of each, the least of so many interleaved rounds."""
    least = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, run in contestants.items():
            repeats = 1 if name == "product" else calls
            start = process_time()
            for _ in range(repeats):
                run()
            least[name] = min(least[name], (process_time() - start) / repeats)
    return least


def torch_contestants(x: Any, w_q: Any, w_k: Any, w_v: Any, w_o: Any, heads: int) -> Contestants:
    """torch's layer with the same numbers in it."""
    if torch is None:
        return {}
    torch.set_num_threads(1)
    d = x.shape[1]
    module = torch.nn.MultiheadAttention(d, heads, bias=False, dtype=torch.from_numpy(x).dtype).eval()
    state = {"in_proj_weight": np.concatenate([w_q.T, w_k.T, w_v.T]), "out_proj.weight": w_o.T.copy()}
    module.load_state_dict({name: torch.from_numpy(value) for name, value in state.items()})
    tokens = torch.from_numpy(x)

    def plain() -> Any:
        return module(tokens, tokens, tokens, need_weights=True, average_attn_weights=False)

    def inference() -> Any:
        with torch.inference_mode():
            return plain()

    return dict(zip(TORCH, (plain, inference), strict=True))


def measure(n: int, d: int, heads: int, dtype: Any, rounds: int) -> tuple[float, dict[str, float]]:
    """The limit in seconds, and the time of everyone."""
    x, *matrices = layer(n, d, dtype)
    side = max(d, 512)
    square, *_ = layer(side, side, dtype)
    other = square.copy()  # a product of an array with itself takes another way
    contestants: Contestants = {
        "product": lambda: square @ other,
        "weights": lambda: multi_head_attention(x, *matrices, heads=heads, return_weights=True),
        "trace": lambda: multi_head_attention(x, *matrices, heads=heads, return_trace=True),
        **torch_contestants(x, *matrices, heads),
    }
    if torch is not None:
        expected, ours = contestants["torch"]()[0].detach().numpy(), contestants["weights"]()[0]
        np.testing.assert_allclose(ours, expected, atol=1e-4)
    times = least_times(contestants, rounds if n < 512 else rounds // 3, max(1, 40_000 // (n * d)))
    return times["product"] * (4 * n * d * d + 2 * n * n * d) / side**3, times


def print_speed(rounds: int) -> None:
    """The limit, our two ways to call, and both over torch's two."""
    print("weights: the output and every head's weights; trace: every stage kept")
    print(f"{'':8} {'n, d, h':>15} {'limit':>10} | {'time':^21} | {'limit / time':^15} |", end="")
    print(f"{'time / torch':^15} | {'/ torch inference':^17}")
    print(f"{'':35} |" + f" {'weights':>10} {'trace':>10} |" + f" {'weights':>7} {'trace':>7} |" * 3)
    for dtype in (np.float32, np.float64):
        for n, d, heads in SIZES:
            limit, times = measure(n, d, heads, dtype, rounds)
            ours = times["weights"], times["trace"]
            ratios = [(limit / ours[0], limit / ours[1])]
            ratios += [(ours[0] / times[name], ours[1] / times[name]) for name in TORCH if name in times]
            print(f"{dtype.__name__:8} {f'{n}, {d}, {heads}':>15} {micro(limit)} |", end="")
            print(f" {micro(ours[0])} {micro(ours[1])} |", end="")
            print("".join(f" {first:7.2f} {second:7.2f} |" for first, second in ratios), flush=True)


def micro(seconds: float) -> str:
    return f"{seconds * 1e6:7,.1f} us" if seconds < 1e-3 else f"{seconds * 1e3:7.2f} ms"


def print_memory() -> None:
    n, d, heads = 1024, 1024, 16
    x, *matrices = layer(n, d, np.float32)
    scores_bytes = heads * n * n * x.itemsize
    print(f"\nmemory at ({n}, {d}, {heads}) in float32, in arrays of h n^2 ({scores_bytes / 2**20:.0f} MiB)")
    for name, options in {
        "output and weights": {"return_weights": True},
        "trace": {"return_trace": True},
        "trace, causal": {"return_trace": True, "causal": True},
    }.items():
        tracemalloc.start()
        kept = multi_head_attention(x, *matrices, heads=heads, **options)
        held, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        del kept
        print(f"  {name:20} held {held / scores_bytes:5.2f}   peak {peak / scores_bytes:5.2f}")


def print_growth(rounds: int) -> None:
    """Double one size, hold the others, and see by which power the time grows."""
    base = {"n": 512, "d": 512, "h": 8}
    steps = (
        ("n", 64, 128, "1: d x d products prevail"),
        ("n", 1024, 2048, "2: n x n products prevail"),
        ("d", 512, 1024, "2 for the d x d products, 1 for the n x n"),
        ("h", 8, 16, "0 for the products, 1 for the h n^2 weights"),
    )
    print("\ngrowth: one size doubled, from n 512, d 512, h 8; time grows by that power of it (float32)")
    print(f"  {'':>14} {'multiply-adds':>14} {'h n^2':>6} {'measured':>9}  expected")
    for size, low, high, expected in steps:
        cases = [base | {size: value} for value in (low, high)]
        contestants: Contestants = {}
        for case in cases:
            arrays = layer(case["n"], case["d"], np.float32)
            contestants[str(case)] = lambda a=arrays, h=case["h"]: multi_head_attention(*a, heads=h)  # type: ignore[misc]
        first, second = least_times(contestants, max(4, rounds // 4)).values()
        adds = [4 * c["n"] * c["d"] ** 2 + 2 * c["n"] ** 2 * c["d"] for c in cases]
        entries = [c["h"] * c["n"] ** 2 for c in cases]
        print(
            f"  {f'{size} {low} to {high}':>14} {log2(adds[1] / adds[0]):14.2f} "
            f"{log2(entries[1] / entries[0]):6.2f} {log2(second / first):9.2f}  {expected}"
        )


def main() -> None:
    rounds = 9 if "--quick" in sys.argv else 60
    versions = f"Python {platform.python_version()}, numpy {np.__version__}"
    print(f"{versions}, torch {torch.__version__ if torch else 'not installed'}; one thread, CPU time")
    print_speed(rounds)
    print_memory()
    print_growth(rounds)


if __name__ == "__main__":
    main()
