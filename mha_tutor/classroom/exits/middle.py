"""Questions of lessons 4 to 6: softmax and masks, mixing, concat and W^O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import exp
from random import Random
from typing import Any

import numpy as np

from ...cost import Shape, matrices
from ...mistakes import practice_problem
from ...numbers import form_for
from .drawing import (
    Drawn,
    Given,
    Wrong,
    known_wrongs,
    made_for,
    of_scores,
    of_tensors,
    of_weights,
    plain_wrongs,
    value,
    whole,
    wrong_array,
)

Words = Mapping[str, Any]
SHARES = ((1, 2, 5), (1, 3, 4), (2, 5, 1), (5, 1, 2), (6, 1, 1), (3, 1, 4))  # eighths


def _row_of_scores(draw: Random) -> list[int]:
    """Four scores from 0 to 3, the largest of them once, 0 at least once."""
    top = draw.choice((1, 2, 3))
    row = [top, 0, *(draw.randrange(top) for _ in range(2))]
    draw.shuffle(row)
    return row


@made_for("4.weight")
def weight_of_a_row(draw: Random, _: Words) -> Drawn:
    row = _row_of_scores(draw)
    at = draw.choice([i for i, score in enumerate(row) if score])
    problem = of_scores([row, *([0.0] * 4 for _ in range(3))])
    given = {"scores": row, "place": at + 1, "exps": [exp(score) for score in range(4)]}
    wrongs = known_wrongs(problem, "weights", (0, 0, at), "F05 B34 F11 S07")
    return Drawn(given, value(problem, "weights", 0, 0, at), wrongs, 2, _division(row, at))


@made_for("4.masked")
def weight_behind_a_mask(draw: Random, _: Words) -> Drawn:
    row = [draw.choice((1, 2)), 0, 0, draw.choice((1, 2, 3))]
    allowed = np.ones((4, 4), dtype=bool)
    allowed[0, 3] = False
    problem = of_scores([row, *([0.0] * 4 for _ in range(3))], allowed=allowed)
    given = {"scores": row, "exps": [exp(score) for score in range(4)]}
    wrongs = known_wrongs(problem, "weights", (0, 0, 0), "B36 B37 B45")
    return Drawn(given, value(problem, "weights", 0, 0, 0), wrongs, 2, _division(row[:3], 0))


def _division(row: Sequence[float], at: int) -> Given:
    """The exp that is divided, and the exps that are added, as they are written."""
    exps = [form_for([exp(score)])(exp(score)) for score in row]
    return {"part": exps[at], "sum": " + ".join(exps)}


@made_for("4.even")
def scores_alike(draw: Random, _: Words) -> Drawn:
    n, hidden = draw.choice(((5, 1), (6, 2), (8, 3), (10, 5), (12, 2), (9, 5)))
    allowed = np.ones((n, n), dtype=bool)
    allowed[0, n - hidden :] = False
    problem = of_scores(np.full((n, n), 3.0), allowed=allowed)
    right = value(problem, "weights", 0, 0, 0)
    wrongs = known_wrongs(problem, "weights", (0, 0, 0), "B36")
    more = plain_wrongs(right, 2, hidden=1 / hidden)
    return Drawn({"n": n, "hidden": hidden}, right, wrongs + more, 2)


@made_for("4.ratio")
def ratio_of_two_weights(draw: Random, _: Words) -> Drawn:
    low, more = draw.choice((1, 2, 4)), draw.choice((1, 2, 3))
    problem = of_scores([[low + more, low], [0, 0]])
    first, second = problem["weights"][0, 0]
    right = float(first / second)
    given = {"high": low + more, "low": low, "exps": [exp(score) for score in range(4)]}
    return Drawn(given, right, plain_wrongs(right, 2, B34=(low + more) / low, difference=more), 2)


@made_for("4.total")
def all_weights_of_a_layer(draw: Random, _: Words) -> Drawn:
    heads, n = draw.choice(((3, 8), (4, 10), (2, 7), (6, 9)))
    problem = practice_problem(n=n, d=heads * 2, heads=heads)
    wrongs = (
        Wrong(round(float(wrong_array(id, problem, "weights").sum())), id) for id in ("B29", "B28", "B27")
    )
    right = round(float(problem["weights"].sum()))
    return Drawn({"heads": heads, "n": n}, right, tuple(wrongs))


@made_for("5.mix")
def one_number_mixed(draw: Random, _: Words) -> Drawn:
    shares = [Fraction(share, 8) for share in draw.choice(SHARES)]
    column = [4 * number for number in whole(draw, 3, -2, 4)]
    rows = [[float(share) for share in shares], *([1 / 3] * 3 for _ in range(2))]
    problem = of_weights(rows, [[number] for number in column])
    given = {"weights": shares, "values": column}
    wrongs = known_wrongs(problem, "mixed", (0, 0, 0), "F12 F13 S05 S06")
    return Drawn(given, value(problem, "mixed", 0, 0, 0), wrongs, 2)


@made_for("5.need")
def weight_that_is_needed(draw: Random, _: Words) -> Drawn:
    top = draw.choice((4, 5, 8, 10))
    wanted = draw.randint(1, top - 1)
    right = float(np.interp(wanted, (0, top), (0, 1)))
    return Drawn({"top": top, "wanted": wanted}, right, plain_wrongs(right, 2, other=1 - right), 2)


@made_for("5.change")
def change_of_a_value(draw: Random, _: Words) -> Drawn:
    share, more = Fraction(draw.choice((1, 3, 5)), 8), draw.choice((8, 16, -8, 24))
    rows = [[float(share), float(1 - share)], [0.5, 0.5]]
    before, after = (value(of_weights(rows, [[v], [3]]), "mixed", 0, 0, 0) for v in (2, 2 + more))
    right = round(after - before, 9)
    wrongs = plain_wrongs(right, 2, whole=more, F13=more / 2)
    return Drawn({"share": share, "more": more}, right, wrongs, 2)


@made_for("5.mixed")
def which_number_is_mixed(draw: Random, _: Words) -> Drawn:
    while True:
        first, second = draw.sample((Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)), 2)
        values = draw.sample((0, 4, 8, 12, 20), 2)
        rows = [[first, 1 - first], [second, 1 - second]]
        problem = of_weights([[float(one) for one in row] for row in rows], [[v] for v in values])
        wrongs = known_wrongs(problem, "mixed", (0, 0, 0), "F06 F12 F13")
        if len(wrongs) == 3:
            break
    given = {"rows": rows, "values": values}
    return Drawn(given, value(problem, "mixed", 0, 0, 0), wrongs, 2)


@made_for("6.output")
def one_number_of_the_output(draw: Random, _: Words) -> Drawn:
    first, second, column = whole(draw, 2), whole(draw, 2), whole(draw, 4)
    mixed = np.array([[first], [second]], dtype=float)
    w_o = np.zeros((4, 4))
    w_o[:, 0] = column
    problem = of_tensors(mixed, mixed, mixed, w_o)
    given = {"first": first, "second": second, "column": column}
    wrongs = known_wrongs(problem, "output", (0, 0), "F02 S08 S05 S06", 0)
    return Drawn(given, value(problem, "output", 0, 0), wrongs)


@made_for("6.place")
def place_in_concat(draw: Random, _: Words) -> Drawn:
    heads, e = draw.choice(((3, 4), (4, 5), (5, 3), (3, 6)))
    head, number = draw.randint(1, heads - 1), draw.randint(1, e - 2)
    mixed = np.zeros((heads, 1, e))
    mixed[head, 0, number] = 1  # a mark, to be found again
    problem = of_tensors(mixed, mixed, mixed)
    right, turns = (
        int(array[0].argmax()) + 1 for array in (problem["concat"], wrong_array("F07", problem, "concat"))
    )
    given = {"heads": heads, "e": e, "head": head + 1, "number": number + 1}
    return Drawn(given, right, plain_wrongs(right, F07=turns, next=(head + 1) * e + number + 1))


@made_for("6.rows")
def rows_of_w_o(draw: Random, _: Words) -> Drawn:
    d, heads, width = draw.choice(((10, 4, 5), (12, 6, 4), (16, 3, 8), (20, 5, 6)))
    right, _columns = matrices(Shape.of(d, heads, head_width=width))["W_O"]
    return Drawn({"d": d, "heads": heads, "e": width}, right, plain_wrongs(right, model=d, B48=width))


@made_for("6.concat")
def which_row_is_concat(draw: Random, _: Words) -> Drawn:
    numbers = draw.sample(range(1, 10), 8)
    mixed = np.array(numbers, dtype=float).reshape(2, 2, 2)
    problem = of_tensors(mixed, mixed, mixed, allowed=np.eye(2))  # who asks only itself gets its own value
    wrongs = tuple(
        Wrong([int(x) for x in wrong_array(id, problem, "concat")[0]], id) for id in ("B47", "F07", "B49a")
    )
    right = [int(x) for x in problem["concat"][0]]
    given = {f"m{h + 1}{t + 1}": [int(x) for x in mixed[h, t]] for h in range(2) for t in range(2)}
    return Drawn(given, right, wrongs)
