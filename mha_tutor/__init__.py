"""mha-tutor: one sentence through multi-head attention, every number of it.

In Python and in notebooks::

    from mha_tutor import show, walk, why

    trace = walk("robot", heads=3)
    show(trace, "softmax", head=2, token="it")
    why(trace, "weights[head 2, it, robot]")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .notebook import show, walk, why

__version__ = "0.1.0"
__all__ = ["__version__", "show", "walk", "why"]


def __getattr__(name: str) -> Any:
    """The functions are imported when they are first asked for: the name alone costs no numpy."""
    if name in {"show", "walk", "why"}:
        from . import notebook

        found = globals()[name] = getattr(notebook, name)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
