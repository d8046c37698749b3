"""Making a Windows console understand escape codes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

_ESCAPE_CODES = 0x0004  # ENABLE_VIRTUAL_TERMINAL_PROCESSING


def _nothing() -> None:
    pass


def switch_mode(kernel32: Any, handle: int) -> Callable[[], None]:
    """Turn escape codes on; returns what turns them off again.

    Raises OSError when the console is too old for them. What is no console is left alone.
    """
    from ctypes import byref, c_uint32, c_void_p

    mode, console = c_uint32(), c_void_p(handle)  # a bare int would be cut to 32 bits
    if not kernel32.GetConsoleMode(console, byref(mode)) or mode.value & _ESCAPE_CODES:
        return _nothing
    before = mode.value
    if not kernel32.SetConsoleMode(console, c_uint32(before | _ESCAPE_CODES)):
        raise OSError("this console does not understand escape codes")
    return lambda: kernel32.SetConsoleMode(console, c_uint32(before)) and None


if sys.platform == "win32":

    def allow_escape_codes(fd: int) -> Callable[[], None]:
        """See switch_mode; ``fd`` is where the screen is written to."""
        import ctypes
        import msvcrt

        return switch_mode(ctypes.windll.kernel32, msvcrt.get_osfhandle(fd))

else:

    def allow_escape_codes(fd: int) -> Callable[[], None]:
        """Terminals elsewhere understand them already."""
        return _nothing
