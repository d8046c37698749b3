"""Questions of lessons 0 to 3: tokens, rows, projections, scores."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

import numpy as np

from ...cost import Shape, matrices
from ...examples import find
from ...examples.example import Position
from ...examples.tokens import tokenize
from ...mistakes import Problem, practice_problem
from .drawing import (
    Drawn,
    known_wrongs,
    made_for,
    of_tensors,
    of_weights,
    plain_wrongs,
    value,
    whole,
    wrong_array,
)

Words = Mapping[str, Any]
CUTS = ((12, 3), (24, 4), (24, 3), (32, 4), (48, 6), (40, 5), (60, 6), (64, 4))  # d_model, heads


@made_for("0.left")
def share_left(draw: Random, _: Words) -> Drawn:
    first, second = draw.sample(range(1, 5), 2)
    right = round(1 - first / 10 - second / 10, 1)
    spent = round(first / 10 + second / 10, 1)
    given = {"first": first / 10, "second": second / 10}
    return Drawn(given, right, plain_wrongs(right, 1, spent=spent, even=round(1 / 3, 1)), 1)


@made_for("0.mixture")
def two_shares(draw: Random, _: Words) -> Drawn:
    share = Fraction(draw.choice((1, 3)), 4)
    first, second = draw.sample((0, 4, 8, 12, 20), 2)
    rows = [[float(share), float(1 - share)], [0.5, 0.5]]
    problem = of_weights(rows, [[first], [second]])
    given = {"share": share, "rest": 1 - share, "first": first, "second": second}
    wrongs = known_wrongs(problem, "mixed", (0, 0, 0), "F12 F13 S05", 0)
    return Drawn(given, value(problem, "mixed", 0, 0, 0), wrongs)


@made_for("0.rows")
def rows_of_shares(draw: Random, _: Words) -> Drawn:
    n, heads = draw.randint(5, 12), draw.choice((2, 4, 6, 8))
    found = practice_problem(n=n, d=heads, heads=heads)["weights"]
    right = int(np.prod(found.shape[:-1]))
    return Drawn({"n": n, "heads": heads}, right, plain_wrongs(right, tokens=n, one=heads, all=found.size))


@made_for("0.tokens")
def tokens_of_a_sentence(draw: Random, words: Words) -> Drawn:
    sentence = draw.choice(words["sentences"])
    tokens = tokenize(sentence)
    letters = [token for token in tokens if token[0].isalnum()]
    once = {token.lower() for token in tokens}
    wrongs = plain_wrongs(len(tokens), marks=len(letters), once=len(once))
    return Drawn({"sentence": sentence}, len(tokens), wrongs)


@made_for("1.clock")
def hand_of_a_clock(draw: Random, _: Words) -> Drawn:
    period = draw.choice((8, 12, 16))
    place = period // 4 * draw.choice((1, 2, 3, 5, 6, 7))
    clock = Position(("cos", "sin"), (period,), 2)
    right = clock.row(place)
    late = clock.row(place + 1)["cos"]
    wrongs = plain_wrongs(right["cos"], 2, counted=late, sine=right["sin"])
    return Drawn({"period": period, "token": place + 1}, right["cos"], wrongs, 2)


@made_for("1.same")
def rows_without_places(draw: Random, words: Words) -> Drawn:
    sentence = draw.choice(words["sentences"])
    rows = find("random").with_sentence(sentence).X  # this example has no columns for places
    right = len(np.unique(rows, axis=0))
    lonely = sum(int((rows == row).all(axis=1).sum() == 1) for row in rows)
    return Drawn({"sentence": sentence}, right, plain_wrongs(right, all=len(rows), lonely=lonely))


@made_for("1.grow")
def numbers_of_more_tokens(draw: Random, _: Words) -> Drawn:
    d, n, more = draw.choice((6, 8, 12, 20)), draw.randint(5, 9), draw.randint(2, 4)
    before, after = (practice_problem(n=count, d=d).x.size for count in (n, n + more))
    right = after - before
    return Drawn({"d": d, "n": n, "more": more}, right, plain_wrongs(right, tokens=more, all=after))


@made_for("2.cell")
def row_times_matrix(draw: Random, _: Words) -> Drawn:
    x, w = whole(draw, 3), [whole(draw, 3) for _ in range(3)]
    column = draw.randrange(3)
    x_td, w_hde = np.array([x], dtype=float), np.array([w], dtype=float)
    problem = Problem(x_td, w_hde, w_hde, w_hde, np.eye(3))
    wrongs = known_wrongs(problem, "Q", (0, 0, column), "B09 S04 S05 S06", 0)
    given = {"x": x, "w": w, "column": column + 1}
    return Drawn(given, value(problem, "Q", 0, 0, column), wrongs)


@made_for("2.width")
def width_of_a_query(draw: Random, _: Words) -> Drawn:
    d, heads = draw.choice(CUTS)
    right = Shape.of(d, heads).d_k
    return Drawn({"d": d, "heads": heads}, right, plain_wrongs(right, B04=d, heads=heads))


@made_for("2.matrix")
def numbers_of_one_matrix(draw: Random, _: Words) -> Drawn:
    d, heads = draw.choice(CUTS[:4])
    rows, columns = matrices(Shape.of(d, heads))["W_Q"]
    right = rows * columns // heads
    wrongs = plain_wrongs(right, B01=(columns // heads) ** 2, B04=rows * columns, width=columns // heads)
    return Drawn({"d": d, "heads": heads}, right, wrongs)


def _two_tokens(draw: Random, heads: int, e: int, d_model: int) -> Problem:
    """Queries and keys of two tokens, small whole numbers, so that no dot product is 0."""
    while True:
        q, k, v = ([[whole(draw, e) for _ in range(2)] for _ in range(heads)] for _ in range(3))
        problem = of_tensors(q, k, v, d_model=d_model)
        if problem["dots"].all():
            return problem


def _as_whole(row: Any) -> list[int]:
    return [int(number) for number in row]


@made_for("3.score")
def one_score(draw: Random, _: Words) -> Drawn:
    d, heads = 12, 3
    problem = _two_tokens(draw, heads, d // heads, d)
    h = draw.randrange(heads)
    given = {
        **{"d": d, "heads": heads, "head": h + 1},
        "query": _as_whole(problem["Q"][h, 0]),
        "key": _as_whole(problem["K"][h, 1]),
    }
    wrongs = known_wrongs(problem, "scores", (h, 0, 1), "B16 B17 B18 B20 F03")
    return Drawn(given, value(problem, "scores", h, 0, 1), wrongs, 2)


@made_for("3.pairs")
def number_of_dot_products(draw: Random, _: Words) -> Drawn:
    n, heads = draw.randint(5, 12), draw.choice((2, 3, 4))
    dots = practice_problem(n=n, d=2 * heads, heads=heads)["dots"]
    wrongs = plain_wrongs(dots.size, one=n * n, tokens=heads * n, pairs=heads * n * (n - 1) // 2)
    return Drawn({"n": n, "heads": heads}, dots.size, wrongs)


@made_for("3.spread")
def size_of_a_dot_product(draw: Random, _: Words) -> Drawn:
    width = draw.choice((9, 16, 25, 36, 100))
    return Drawn({"width": width}, sqrt(width), plain_wrongs(sqrt(width), variance=width, one=1))


@made_for("3.back")
def dot_product_from_score(draw: Random, _: Words) -> Drawn:
    width, score = draw.choice((4, 9, 16, 25)), draw.choice((-3, -2, 2, 3, 5))
    right = score * sqrt(width)
    wrongs = plain_wrongs(right, 2, again=score / sqrt(width), B20=score * width, B16=score)
    return Drawn({"width": width, "score": score}, right, wrongs, 2)


@made_for("3.asks")
def which_way_round(draw: Random, _: Words) -> Drawn:
    while True:
        problem = _two_tokens(draw, 1, 2, 4)
        wrongs = known_wrongs(problem, "dots", (0, 0, 1), "B24 F09 S04 S05", 0)
        if len(wrongs) >= 3:
            break
    q, k, v = (problem[name][0] for name in "QKV")
    given = {
        f"{name}{i + 1}": _as_whole(rows[i])
        for name, rows in (("q", q), ("k", k), ("v", v))
        for i in range(2)
    }
    return Drawn(given, value(problem, "dots", 0, 0, 1), wrongs[:3])


@made_for("3.divisor")
def what_was_divided_by(draw: Random, _: Words) -> Drawn:
    """Scores of a program that divided by sqrt(d_model); the others are what else it might have done."""
    d, heads = draw.choice(((36, 4), (64, 4), (100, 4), (36, 9), (144, 9), (144, 16)))
    dot = draw.choice((12, 24, 36, 60))
    e = d // heads
    q, k = np.zeros((heads, 2, e)), np.zeros((heads, 2, e))
    q[:, 0, 0], k[:, 1, 0] = dot, 1
    problem = of_tensors(q, k, k, d_model=d)
    seen, right = wrong_array("B17", problem, "scores")[0, 0, 1], value(problem, "scores", 0, 0, 1)
    return Drawn({"d": d, "heads": heads, "dot": dot, "seen": float(seen), "right": right})
