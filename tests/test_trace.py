"""The trace: labelled tensors, and the contract of its JSON."""

import json

from mha_tutor.examples import find
from mha_tutor.stages import walk


def test_the_json_reads_back_to_the_very_same_numbers() -> None:
    trace = walk(find("robot"))
    data = json.loads(json.dumps(trace.as_json()))
    assert data["tensors"]["weights"]["values"] == trace["weights"].values.tolist()
