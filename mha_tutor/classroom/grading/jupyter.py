"""Lines that only Jupyter understands, such as %timeit or !ls, left out where plain Python stumbles."""

from __future__ import annotations

NOT_PYTHON = "%%"
PYTHON_CELLS = ("%%time", "%%timeit", "%%capture", "%%prun")  # the rest of such a cell is Python


def without_magics(source: str, name: str) -> tuple[str, bool]:
    """The cell as plain Python, line numbers kept, and whether something was left out.

    A cell that is Python as it stands is not touched: % may begin a line of a long formula.
    """
    try:
        compile(source, name, "exec")
    except SyntaxError:
        pass
    else:
        return source, False
    lines = source.split("\n")
    first = next((line.strip() for line in lines if line.strip()), "")
    if first.startswith(NOT_PYTHON) and first.split()[0] not in PYTHON_CELLS:
        return "", True
    kept = [_without(line) for line in lines]
    return "\n".join(kept), kept != lines


def _without(line: str) -> str:
    text = line.strip()
    if text.startswith(("%", "!", "?")) or (text.endswith("?") and not text.startswith("#")):
        return line[: len(line) - len(line.lstrip())] + "pass"
    return line
