"""Multi-head attention in loops over Python floats: slow, plain, and sharing no line with the engine.

It judges the engine, so it knows nothing of numpy but how to read an array's numbers.
"""

from __future__ import annotations

from math import exp, fsum, inf, sqrt
from typing import Any

Matrix = list[list[float]]


def linear(x: Matrix, w: Matrix, b: list[float] | None) -> Matrix:
    """Every row of x times w, plus b."""
    columns = range(len(w[0]))
    return [
        [fsum([row[i] * w[i][j] for i in range(len(w))] + [b[j] if b else 0.0]) for j in columns] for row in x
    ]


def weights_of(scores: list[float]) -> list[float]:
    """Softmax of one row; zeros when nothing may be asked."""
    top = max(scores)
    if top == -inf:
        return [0.0 for _ in scores]
    exps = [exp(score - top) for score in scores]
    return [value / fsum(exps) for value in exps]


def attention(
    x: Any,
    w_q: Any,
    w_k: Any,
    w_v: Any,
    w_o: Any,
    *,
    heads: int,
    kv_heads: int | None = None,
    mask: Any = None,
    causal: bool = False,
    memory: Any = None,
    past: Any = None,
    b_q: Any = None,
    b_k: Any = None,
    b_v: Any = None,
    b_o: Any = None,
) -> tuple[Matrix, list[Matrix]]:
    """The output and every head's weights, for one sentence; the arguments are the engine's."""
    kv_heads = kv_heads or heads
    plain = [None if array is None else array.tolist() for array in (b_q, b_k, b_v, b_o, mask)]
    b_q, b_k, b_v, b_o, mask = plain
    asked = x if memory is None else memory
    q = linear(x.tolist(), w_q.tolist(), b_q)
    k = linear(asked.tolist(), w_k.tolist(), b_k)
    v = linear(asked.tolist(), w_v.tolist(), b_v)
    d_k, d_v = len(q[0]) // heads, len(v[0]) // kv_heads

    all_weights: list[Matrix] = []
    joined: Matrix = [[] for _ in q]
    for head in range(heads):
        shared = head // (heads // kv_heads)
        keys = [row[shared * d_k : (shared + 1) * d_k] for row in k]
        values = [row[shared * d_v : (shared + 1) * d_v] for row in v]
        if past is not None:
            keys = past[0][shared].tolist() + keys
            values = past[1][shared].tolist() + values
        before = len(keys) - len(k)
        head_weights = []
        for t, row in enumerate(q):
            query = row[head * d_k : (head + 1) * d_k]
            scores = []
            for s, key in enumerate(keys):
                score = fsum(a * b for a, b in zip(query, key, strict=True)) / sqrt(d_k)
                entry = True if mask is None else mask[t][s]
                if entry is False or (causal and s > t + before):
                    score = -inf
                elif entry is not True:
                    score += entry
                scores.append(score)
            weights = weights_of(scores)
            head_weights.append(weights)
            joined[t] += [
                fsum(w * value[j] for w, value in zip(weights, values, strict=True)) for j in range(d_v)
            ]
        all_weights.append(head_weights)
    return linear(joined, w_o.tolist(), b_o), all_weights
