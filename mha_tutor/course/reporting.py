"""A plugin for pytest beside nbval: one line of JSON for every cell that was run.

It also watches the kernel: when the kernel dies, nbval would wait for an answer until its time is
over, so the process ends at once.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .kernels import without_ports
from .results import KERNEL_DIED, REPORT

LOOK_EVERY = 0.25
MOST_TEXT = 4000


def pytest_configure() -> None:
    """Two notebooks are run at a time; they must not take each other's ports."""
    without_ports()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Iterator[None]:
    """Write what happened to a cell."""
    report = yield
    if call.when == "call" or call.excinfo is not None:
        _write(item, *_error(item, call))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Iterator[None]:
    """Run the cell while somebody watches the kernel."""
    over = threading.Event()
    threading.Thread(target=_watch, args=(item, over), daemon=True).start()
    try:
        return (yield)
    finally:
        over.set()


def _watch(item: Any, over: threading.Event) -> None:
    process = getattr(getattr(item.parent.kernel.km, "provisioner", None), "process", None)
    while process is not None and not over.wait(LOOK_EVERY):
        if process.poll() is not None:
            if not over.wait(2 * LOOK_EVERY):
                _write(item, "KernelDied", "")
                os._exit(KERNEL_DIED)
            return


def _error(item: Any, call: Any) -> tuple[str, str]:
    """The name and the text of what a cell raised; two empty texts when it ran through."""
    if call.excinfo is None:
        return "", ""
    if "Timeout" in str(call.excinfo.value):
        return "Timeout", ""
    for output in reversed(item.test_outputs or []):
        if output["output_type"] == "error":
            return output["ename"], output["evalue"][:MOST_TEXT]
    return type(call.excinfo.value).__name__, str(call.excinfo.value)[:MOST_TEXT]


def _write(item: Any, name: str, text: str) -> None:
    ours = item.cell.metadata.get("mha_tutor", {})
    line = {
        "exercise": ours.get("exercise"),
        "part": ours.get("part", "added"),
        "error": name,
        "text": text,
        "time": time.time(),
    }
    with Path(os.environ[REPORT]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
