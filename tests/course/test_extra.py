"""The optional notebook on a real model: it needs no weights to run, and measures when they are there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mha_tutor.course import material
from mha_tutor.course.build import build_extra
from mha_tutor.course.source import read_source
from mha_tutor.errors import WorkError
from mha_tutor.lab.real.folder import INSTALLED, find_folder

(SOURCE,) = material.extras()


def run_cells(capsys: pytest.CaptureFixture[str], folder: str | None) -> list[str]:
    """What each code cell prints, with that folder for the model."""
    space: dict[str, Any] = {}
    said = []
    for cell in read_source(SOURCE).cells:
        if not cell.markdown:
            exec(compile(cell.text.replace("folder = None", f"folder = {folder!r}"), "<cell>", "exec"), space)
            said.append(capsys.readouterr().out)
    return said


def test_the_committed_notebook_is_the_one_that_its_source_gives() -> None:
    committed = material.extra(SOURCE.stem).read_text(encoding="utf-8")
    assert build_extra(SOURCE) == committed, "run 'python -m mha_tutor.course.build real-heads' and commit"
    cells = json.loads(committed)["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)


def test_without_the_model_it_says_how_to_get_it_and_every_cell_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *others = run_cells(capsys, str(tmp_path / "nothing"))
    assert "is not a folder" in first and INSTALLED in first
    assert len(others) == 5 and not any(others)


def test_with_the_model_every_cell_measures(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        find_folder(None)
    except WorkError as error:
        pytest.skip(str(error))
    first, row, places, control, lengths, removed = run_cells(capsys, None)
    assert "6 layers of 12 heads" in first and "[SEP]" in row
    assert "most weight on the token before: layer 1, head 3" in places
    assert "the head that looks best: layer 1, head 2" in control
    assert lengths.count("times as long") == 6 and removed.count("without all heads of layer") == 6
