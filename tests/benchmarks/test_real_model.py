"""A BERT-type model's forward pass stays near its products; the limit itself is for a quiet machine."""

from __future__ import annotations

from tests.benchmarks.real_model import LIMIT, measured, random_model

BUSY = 1.5  # other work on the machine slows small steps more than large products


def test_twelve_tokens_take_little_more_than_their_matrix_products() -> None:
    model = random_model()
    for rounds in (20, 60, 200):
        times = measured(model, rounds)
        if times["forward"] <= LIMIT * BUSY * times["products"]:
            return
    raise AssertionError(times)
