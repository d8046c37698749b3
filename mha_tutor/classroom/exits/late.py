"""Questions of lessons 7 to 10: cuts, what heads do, what they cost, the whole layer."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb, factorial, sqrt
from random import Random
from typing import Any

import numpy as np

from ...ablation import head_terms
from ...attention import causal_mask
from ...cost import Shape, cache, parameters, softmax_entries
from ...cost.shape import divisors
from ...mistakes import Problem
from .drawing import Drawn, known_wrongs, made_for, of_tensors, plain_wrongs, value, whole

Words = Mapping[str, Any]


@made_for("7.score")
def score_of_one_head(draw: Random, _: Words) -> Drawn:
    d, heads = draw.choice(((16, 4), (36, 4), (64, 4), (36, 9)))
    heads = min(heads, 4)
    dots = [draw.randint(0, 9) for _ in range(heads)]
    dots[draw.randrange(heads)] += 6
    width = d // heads
    q, k = np.zeros((1, 2, d)), np.zeros((1, 2, d))
    q[0, 0, ::width], k[0, 1, ::width] = dots, 1  # each block of columns gives one head's dot product
    problem = of_tensors(q, k, k)
    right = value(problem, "scores", 0, 0, 1)
    wrongs = plain_wrongs(right, 2, narrow=sum(dots) / sqrt(width), B16=sum(dots), mean=sum(dots) / heads)
    return Drawn({"d": d, "heads": heads, "dots": dots}, right, wrongs, 2)


@made_for("7.cuts")
def number_of_cuts(draw: Random, _: Words) -> Drawn:
    d = draw.choice((8, 16, 18, 20, 30, 32, 48))
    right = len(divisors(d))
    return Drawn({"d": d}, right, plain_wrongs(right, every=d, ends=right - 2))


@made_for("7.left")
def what_is_left_of_one_budget(draw: Random, _: Words) -> Drawn:
    shares = [n / 20 for n in draw.sample(range(5, 9), 2)]
    right = round(1 - sum(shares), 2)
    given = {"first": shares[0], "second": shares[1]}
    return Drawn(given, right, plain_wrongs(right, 2, own=1.0, one=round(1 - shares[0], 2)), 2)


@made_for("8.without")
def output_without_a_head(draw: Random, _: Words) -> Drawn:
    first, second, column = whole(draw, 2), whole(draw, 2), whole(draw, 4)
    mixed = np.array([[first], [second]], dtype=float)
    w_o = np.zeros((4, 4))
    w_o[:, 0] = column
    output = value(of_tensors(mixed, mixed, mixed, w_o), "output", 0, 0)
    term = float(head_terms(mixed, w_o)[1][0, 0])
    right = output - term
    given = {"output": int(output), "mixed": second, "block": column[2:]}
    return Drawn(given, right, plain_wrongs(right, term=term, nothing=output, added=output + term))


@made_for("8.chance")
def chance_that_it_goes(draw: Random, _: Words) -> Drawn:
    heads, removed = draw.choice(((8, 2), (8, 4), (12, 3), (10, 4), (6, 2), (16, 4)))
    stays = comb(heads - 1, removed) / comb(heads, removed)
    right = 1 - stays
    wrongs = plain_wrongs(right, 2, stays=stays, one=1 / heads, one_removed=1 / removed)
    return Drawn({"heads": heads, "removed": removed}, right, wrongs, 2)


@made_for("8.orders")
def orders_of_heads(draw: Random, _: Words) -> Drawn:
    heads = draw.choice((2, 3, 4, 5))
    right = factorial(heads)
    return Drawn({"heads": heads}, right, plain_wrongs(right, once=1, heads=heads, squared=heads**2))


@made_for("8.longer")
def which_arrives_longer(draw: Random, _: Words) -> Drawn:
    weights = draw.choice(((0.8, 0.1), (0.6, 0.2), (0.5, 0.25), (0.9, 0.05)))
    lengths = draw.choice(((0.5, 8.0), (1.0, 10.0), (0.5, 16.0), (1.0, 36.0)))
    arrives = [abs(weight * length) for weight, length in zip(weights, lengths, strict=True)]
    right = round(arrives[1] / arrives[0], 9)
    given = {"w1": weights[0], "w2": weights[1], "l1": lengths[0], "l2": lengths[1]}
    upside = arrives[0] / arrives[1]
    return Drawn(given, right, plain_wrongs(right, 2, weights=weights[1] / weights[0], upside=upside), 2)


@made_for("9.shared")
def learned_numbers_when_shared(draw: Random, _: Words) -> Drawn:
    d, heads, kv = draw.choice(((16, 4, 2), (16, 4, 1), (32, 8, 2), (24, 6, 3), (20, 5, 1)))
    right = parameters(Shape.of(d, heads, kv_heads=kv))
    own = parameters(Shape.of(d, heads))
    wrongs = plain_wrongs(right, own=own, no_output=right - d * d, all_shared=own * kv // heads)
    return Drawn({"d": d, "heads": heads, "kv": kv}, right, wrongs)


@made_for("9.cache")
def numbers_in_the_cache(draw: Random, _: Words) -> Drawn:
    d, heads, kv = draw.choice(((24, 6, 3), (32, 8, 2), (40, 4, 1), (48, 6, 2)))
    layers, tokens = draw.choice((2, 3, 5)), draw.choice((10, 20, 100))
    right = cache(Shape.of(d, heads, kv_heads=kv, layers=layers, tokens=tokens)).whole
    given = {"e": d // heads, "heads": heads, "kv": kv, "layers": layers, "tokens": tokens}
    wrongs = plain_wrongs(
        right, keys=right // 2, own=right * heads // kv, layer=right // layers, token=right // tokens
    )
    return Drawn(given, right, wrongs)


@made_for("9.longer")
def weights_of_a_longer_text(draw: Random, _: Words) -> Drawn:
    times, heads, tokens = draw.choice((3, 4, 5, 10)), draw.choice((4, 8)), draw.choice((50, 100))
    before, after = (softmax_entries(Shape.of(64, heads, tokens=n)) for n in (tokens, times * tokens))
    right = after // before
    wrongs = plain_wrongs(right, linear=times, doubled=2 * times, heads=heads * times)
    return Drawn({"times": times, "heads": heads, "tokens": tokens}, right, wrongs)


@made_for("10.first")
def first_row_of_a_masked_layer(draw: Random, _: Words) -> Drawn:
    x, w_v, w_o = whole(draw, 2), [whole(draw, 2) for _ in range(2)], [whole(draw, 2) for _ in range(2)]
    x_td = np.array([x, whole(draw, 2)], dtype=float)
    w_q = np.array([[[1.0, 2.0], [-1.0, 1.0]]])
    problem = Problem(
        x_td, w_q, w_q, np.array([w_v], dtype=float), np.array(w_o, dtype=float), causal_mask(2, 2)
    )
    wrongs = known_wrongs(problem, "output", (0, 0), "B50 F10 S05 S06", 0)
    return Drawn({"x": x, "w_v": w_v, "w_o": w_o}, value(problem, "output", 0, 0), wrongs)


@made_for("10.asks")
def keys_that_a_new_token_asks(draw: Random, _: Words) -> Drawn:
    kept, new = draw.choice(((6, 3), (10, 4), (20, 5), (7, 2)))
    which = draw.randint(1, new - 1)
    right = int(causal_mask(new, kept + new, kept)[which - 1].sum())
    top_left = int(causal_mask(new, kept + new)[which - 1].sum())
    given = {"kept": kept, "new": new, "which": which}
    return Drawn(given, right, plain_wrongs(right, B60=top_left, B45=kept + new, B44a=right - 1))


@made_for("10.hidden")
def places_that_a_mask_hides(draw: Random, _: Words) -> Drawn:
    n = draw.randint(4, 10)
    right = int((~causal_mask(n, n)).sum())
    wrongs = {id: int((~causal_mask(n, n, past)).sum()) for id, past in (("B44a", -1), ("B44b", 1))}
    return Drawn({"n": n}, right, plain_wrongs(right, **wrongs, half=n * n // 2))
