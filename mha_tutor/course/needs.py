"""The packages that running notebooks needs, and how to get those that are missing."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from ..errors import WorkError
from ..installing import install_line

TO_CHECK = ("pytest", "nbval", "nbformat", "ipykernel")
TO_OPEN = ("jupyterlab",)


def missing(*packages: str) -> list[str]:
    """Those of the packages that are not installed beside this program."""
    return [name for name in packages if find_spec(name) is None]


def require(*packages: str) -> None:
    """Raise WorkError unless all packages are installed beside this program."""
    if lacking := missing(*packages):
        line = install_line(" ".join(lacking))
        raise WorkError(f"Missing for {sys.executable}: {', '.join(lacking)}. Install with:  {line}")
