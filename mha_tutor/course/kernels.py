"""How a kernel is spoken to."""

from __future__ import annotations

import os
import sys

LONGEST_FOLDER = 55  # a socket's path has at most 107 bytes, and the file's name takes 50


def without_ports() -> None:
    """Let kernels of this process speak through files, not through ports, where that is sure to work.

    Ports are chosen before they are taken: of many kernels that start at the same time, two may get
    the same one, and one of them dies. A file's path must be short, and elsewhere than on Linux
    it is not known how short.
    """
    if sys.platform != "linux":
        return
    from jupyter_client.connect import ConnectionFileMixin
    from jupyter_core.paths import jupyter_runtime_dir

    if len(os.fsencode(jupyter_runtime_dir())) <= LONGEST_FOLDER:
        ConnectionFileMixin.transport.default_value = "ipc"
