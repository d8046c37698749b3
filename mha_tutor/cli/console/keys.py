"""Reading single keys: ``with Keys(fd) as keys: name = keys.wait(timeout)``.

``wait`` returns the name of a key (see key_codes), or

- ``"resize"`` when the window has changed its size,
- ``"resume"`` when the program goes on after it was stopped (Ctrl-Z, then ``fg``),
- ``"eof"`` when no more keys can come, now and at every later call,
- None when the timeout has passed.

After ``resize`` and ``resume`` the whole page has to be drawn again. Ctrl-C is the key ``ctrl-c``
and raises nothing, so that a page is never cut off half drawn; a SIGINT sent by another program
still raises KeyboardInterrupt.
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    from mha_tutor.cli.console.windows_keys import WindowsKeys as Keys
else:
    from mha_tutor.cli.console.posix_keys import PosixKeys as Keys

__all__ = ["Keys"]
