"""The `pathprior` command from its first moment on.

It lies beside the package, whose import takes a second or two: what ends the command within that
time is said in a line, as later on.
"""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130
BAD_INPUT = 2
NO_MEMORY = ("cannot allocate memory", "failed to map segment", "can't start new thread")


def main() -> None:
    """Run the command line; Ctrl-C and a lack of memory end it with a line even while it loads."""
    # where the shell has it ignored, as in the background of a script, it stays so
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    try:
        from pathprior.cli import main as run
    except MemoryError:
        _end(BAD_INPUT, "error: not enough memory to start")
    except (ImportError, OSError, RuntimeError) as error:
        if not any(sign in str(error).lower() for sign in NO_MEMORY):
            raise
        _end(BAD_INPUT, f"error: not enough memory to start: {error}")
    try:
        run()
    finally:  # all is said and done: what is left is Python's own end
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _leave(number: int, frame: FrameType | None) -> None:
    """Leave at once: an exception would end somewhere within an import, which may take it ill."""
    _end(INTERRUPTED, "interrupted: nothing was written")


def _end(status: int, text: str) -> None:
    os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, f"{text}\n".encode())
    os._exit(status)
