"""The mode of a terminal in which every key arrives at once."""

from __future__ import annotations

import errno
import os
import sys
import termios
from typing import Any

assert sys.platform != "win32"

_INPUT, _LOCAL, _CHARACTERS = 0, 3, 6  # where termios keeps its flags
_GONE = (errno.EIO, errno.ENOTTY, errno.EBADF, errno.ENXIO)


def single_keys(fd: int, before: list[Any]) -> list[Any]:
    """The mode ``before``, but keys come at once and unseen, and Ctrl-C and Ctrl-S are keys.

    Ctrl-Z still stops the program and all others that the shell started together with it.
    """
    mode = [*before]
    mode[_INPUT] &= ~(termios.IXON | termios.ISTRIP)
    mode[_LOCAL] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN)
    off = bytes([os.fpathconf(fd, "PC_VDISABLE") & 0xFF])
    characters = [*before[_CHARACTERS]]
    characters[termios.VINTR] = characters[termios.VQUIT] = off
    characters[termios.VMIN], characters[termios.VTIME] = 1, 0
    mode[_CHARACTERS] = characters
    return mode


def set_mode(fd: int, mode: list[Any]) -> bool:
    """Set the mode, whatever signals come in between; False when the terminal is gone.

    Raises termios.error when the terminal refuses the mode.
    """
    while True:
        try:
            termios.tcsetattr(fd, termios.TCSANOW, mode)
            return True
        except termios.error as error:
            if error.args[0] in _GONE:
                return False
            if error.args[0] != errno.EINTR:
                raise
