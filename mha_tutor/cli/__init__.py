"""The command line: arguments, printing, keys and exit codes."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run mha-tutor. Exit code 2 for wrong usage, 1 for failed work, 130 for Ctrl-C."""
    # One thread is faster for matrices this small, and numpy starts in half the time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from ..errors import InputError, StoppedError, WorkError

    try:
        from .app import app_for

        app_for(sys.argv[1:], os.environ)(prog_name="mha-tutor")
    except InputError as error:
        _fail(str(error), 2)
    except WorkError as error:
        _fail(str(error), 1)
    except OSError as error:
        where = f"'{error.filename}': " if error.filename else ""
        _fail(f"{where}{error.strerror or error}.", 1)
    except StoppedError as error:
        _fail(str(error), 130)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if os.environ.get("MHA_TUTOR_DEBUG"):
            raise
        _fail(
            f"an error inside mha-tutor: {type(error).__name__}: {error}. This is a fault of the program. "
            "MHA_TUTOR_DEBUG=1 shows where it is.",
            1,
        )


def _fail(message: str, code: int) -> None:
    if sys.stderr is not None:  # it is None where the caller has closed it
        text = f"mha-tutor: {message}\n"
        encoding = sys.stderr.encoding or "utf-8"
        sys.stderr.write(text.encode(encoding, "replace").decode(encoding))
    sys.exit(code)
