"""The packages that running notebooks needs, and how to get those that are missing."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from ..errors import WorkError
from ..installing import install_line

TO_CHECK = ("pytest", "nbval", "nbformat", "ipykernel")
TO_OPEN = ("jupyterlab",)


def require(*packages: str) -> None:
    """Raise WorkError unless all packages are installed beside this program."""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        line = install_line(" ".join(missing))
        raise WorkError(f"Missing for {sys.executable}: {', '.join(missing)}. Install with:  {line}")
