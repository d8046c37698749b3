"""What every engine of multi-head attention must do, as functions that take the engine.

The ordinary tests give them ours, the mutation check gives them wrong ones. Each name is a
sentence about the engine; each check fails with AssertionError.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests import oracle

Engine = Callable[..., Any]
Check = Callable[[Engine], None]

# Every size a prime, all of them different, so that no two axes can be taken for each other.
N, M, D, D_MEMORY, D_OUT, HEADS, D_K, D_V = 7, 5, 11, 13, 17, 3, 2, 19


def drawn(seed: int, *shape: int) -> np.ndarray:
    """Normal numbers of that shape, the same for the same seed."""
    return np.random.default_rng([seed, *shape]).standard_normal(shape)


def problem(
    seed: int = 0, *, biases: bool = True, kv_heads: int = HEADS, heads: int = HEADS
) -> dict[str, Any]:
    """Arguments for a sentence that asks itself."""
    given: dict[str, Any] = {
        "x": drawn(seed, N, D),
        "w_q": drawn(seed + 1, D, heads * D_K),
        "w_k": drawn(seed + 2, D, kv_heads * D_K) / 2,
        "w_v": drawn(seed + 3, D, kv_heads * D_V) / 3,
        "w_o": drawn(seed + 4, heads * D_V, D_OUT) / 4,
        "heads": heads,
        "kv_heads": kv_heads,
    }
    if biases:
        given |= {f"b_{name}": drawn(seed + 5, given[f"w_{name}"].shape[1]) for name in "qkvo"}
    return given


def square_problem(seed: int = 20, d: int = 6, heads: int = 3) -> dict[str, Any]:
    """Arguments where W^O is square: a slip about it shows in the numbers and not in a shape."""
    return {"x": drawn(seed, N, d), "heads": heads} | {
        f"w_{name}": drawn(seed + i, d, d) for i, name in enumerate("qkvo", 1)
    }


def allowed_places(seed: int, n: int, m: int) -> np.ndarray:
    """Random booleans with at least one True a row."""
    allowed = drawn(seed, n, m) > 0.3
    allowed[np.arange(n), np.arange(n) % m] = True
    return allowed


def same_as_the_loops(engine: Engine, given: dict[str, Any], atol: float = 1e-12) -> None:
    output, weights = engine(**given, return_weights=True)
    expected_output, expected_weights = oracle.attention(**given)
    np.testing.assert_allclose(weights, expected_weights, rtol=0, atol=atol)
    np.testing.assert_allclose(output, expected_output, rtol=0, atol=atol)


def agrees_with_the_loops(engine: Engine) -> None:
    for seed in (0, 100):
        same_as_the_loops(engine, problem(seed, biases=False))


def agrees_with_the_loops_when_w_o_is_square(engine: Engine) -> None:
    same_as_the_loops(engine, square_problem())


def adds_every_bias(engine: Engine) -> None:
    same_as_the_loops(engine, problem(1))


def asks_another_sentence(engine: Engine) -> None:
    given = problem(2) | {
        "memory": drawn(3, M, D_MEMORY),
        "w_k": drawn(4, D_MEMORY, HEADS * D_K),
        "w_v": drawn(5, D_MEMORY, HEADS * D_V),
    }
    same_as_the_loops(engine, square_problem() | {"memory": drawn(6, M, 6)})
    same_as_the_loops(engine, given)


def shares_key_value_heads_in_groups(engine: Engine) -> None:
    same_as_the_loops(engine, problem(6, heads=6, kv_heads=2))
    same_as_the_loops(engine, problem(7, heads=5, kv_heads=1))


def obeys_a_mask_of_booleans(engine: Engine) -> None:
    same_as_the_loops(engine, problem(8) | {"mask": allowed_places(8, N, N)})


def adds_a_mask_of_numbers(engine: Engine) -> None:
    numbers = np.where(allowed_places(9, N, N), drawn(9, N, N), -np.inf)
    same_as_the_loops(engine, problem(9) | {"mask": numbers})


def hides_what_comes_later(engine: Engine) -> None:
    same_as_the_loops(engine, problem(10) | {"causal": True})


def joins_a_mask_and_the_causal_order(engine: Engine) -> None:
    allowed = allowed_places(11, N, N)
    numbers = np.where(allowed, drawn(11, N, N), -np.inf)
    same_as_the_loops(engine, problem(11) | {"causal": True, "mask": allowed})
    same_as_the_loops(engine, problem(11) | {"causal": True, "mask": numbers})


def continues_from_a_cache(engine: Engine) -> None:
    same_as_the_loops(engine, square_problem() | {"past": (drawn(13, 3, M, 2), drawn(14, 3, M, 2))})
    past = drawn(12, HEADS, M, D_K), drawn(12, HEADS, M, D_V)
    same_as_the_loops(engine, problem(12) | {"past": past})
    same_as_the_loops(engine, problem(12) | {"past": past, "causal": True})


def gives_exact_zeros_to_the_forbidden(engine: Engine) -> None:
    # With scores near -1e12 a stand-in such as -1e9 for -inf would win instead of vanish.
    given = square_problem() | {"mask": allowed_places(13, N, N), "b_k": drawn(13, 6), "b_q": drawn(14, 6)}
    for size in (1.0, 1e6):
        _, weights = engine(**given | {"x": given["x"] * size}, return_weights=True)
        assert np.all(weights[:, ~given["mask"]] == 0), "a forbidden token has weight"
        np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-12)


def gives_zeros_to_a_row_that_may_ask_nobody(engine: Engine) -> None:
    allowed = allowed_places(15, N, N)
    allowed[4] = False
    same_as_the_loops(engine, problem(15) | {"mask": allowed})


def survives_large_logits(engine: Engine) -> None:
    for dtype, atol in ((np.float64, 1e-12), (np.float32, 1e-5)):
        given = square_problem()
        given["x"] = np.round(given["x"] * 4)  # whole numbers: no rounding before the softmax
        for name in ("w_q", "w_k", "w_v", "w_o"):
            given[name] = np.round(given[name] * 4)
        given["w_q"] *= 16
        for name in ("x", "w_q", "w_k", "w_v", "w_o"):
            given[name] = given[name].astype(dtype)
        expected_output, expected_weights = oracle.attention(**given)
        output, weights = engine(**given, return_weights=True)
        np.testing.assert_allclose(weights, expected_weights, rtol=0, atol=atol)
        np.testing.assert_allclose(output, expected_output, rtol=1e-5, atol=atol)


def keeps_the_type_of_float(engine: Engine) -> None:
    given = problem(16)
    exact, _ = oracle.attention(**given)
    for dtype, atol in ((np.float64, 1e-12), (np.float32, 1e-4), (np.float16, 0.1)):
        cast = {k: v.astype(dtype) if isinstance(v, np.ndarray) else v for k, v in given.items()}
        output = engine(**cast)
        assert output.dtype == dtype, f"{dtype.__name__} in, {output.dtype} out"
        np.testing.assert_allclose(output, exact, rtol=0, atol=atol)


def passes_float16_beyond_its_largest_number(engine: Engine) -> None:
    given = {k: v.astype(np.float16) if isinstance(v, np.ndarray) else v for k, v in square_problem().items()}
    given["w_q"] *= np.float16(300)
    given["w_k"] *= np.float16(300)
    output = engine(**given)
    assert output.dtype == np.float16
    np.testing.assert_allclose(output, oracle.attention(**given)[0], rtol=0.01, atol=0.1)


def treats_each_sentence_of_a_batch_alone(engine: Engine) -> None:
    x = drawn(17, 2, 3, N, D)
    for kv_heads in (6, 2):
        given = problem(17, heads=6, kv_heads=kv_heads) | {"causal": True}
        output, weights = engine(**given | {"x": x}, return_weights=True)
        for place in np.ndindex(2, 3):
            one_output, one_weights = engine(**given | {"x": x[place]}, return_weights=True)
            np.testing.assert_allclose(output[place], one_output, rtol=0, atol=1e-12)
            np.testing.assert_allclose(weights[place], one_weights, rtol=0, atol=1e-12)


def works_out_the_whole_number_case(engine: Engine) -> None:
    """Two tokens, two heads of width 1; every weight is 1/2, 1/4 or 3/4 by hand."""
    log3 = np.log(3.0)
    output, weights = engine(
        x=np.array([[1.0, 0.0], [0.0, 1.0]]),
        # head 1 asks nothing: 1/2 each. Head 2: token 1 scores 0 and log 3, token 2 log 3 and 0.
        w_q=np.array([[0.0, 1.0], [0.0, -1.0]]),
        w_k=np.array([[5.0, 0.0], [7.0, log3]]),
        w_v=np.array([[2.0, 4.0], [6.0, 8.0]]),
        w_o=np.array([[1.0, 0.0], [10.0, 1.0]]),
        heads=2,
        return_weights=True,
    )
    np.testing.assert_allclose(weights, [[[1 / 2, 1 / 2], [1 / 2, 1 / 2]], [[1 / 4, 3 / 4], [3 / 4, 1 / 4]]])
    # Heads side by side: [4, 7] and [4, 5]; times W^O: [4 + 70, 7] and [4 + 50, 5].
    np.testing.assert_allclose(output, [[74, 7], [54, 5]])


CHECKS: tuple[Check, ...] = (
    works_out_the_whole_number_case,
    agrees_with_the_loops,
    agrees_with_the_loops_when_w_o_is_square,
    adds_every_bias,
    asks_another_sentence,
    shares_key_value_heads_in_groups,
    obeys_a_mask_of_booleans,
    adds_a_mask_of_numbers,
    hides_what_comes_later,
    joins_a_mask_and_the_causal_order,
    continues_from_a_cache,
    gives_exact_zeros_to_the_forbidden,
    gives_zeros_to_a_row_that_may_ask_nobody,
    survives_large_logits,
    keeps_the_type_of_float,
    passes_float16_beyond_its_largest_number,
    treats_each_sentence_of_a_batch_alone,
)
