"""The `pathprior` command from its first moment on.

It lies beside the package, whose import takes a second or two: what ends the command within that
time is said in a line, as later on.
"""

import os
import signal
import sys
from collections.abc import Iterator
from time import monotonic
from types import FrameType

INTERRUPTED = 130
BAD_INPUT = 2
NO_MEMORY = ("annot allocate memory", "failed to map segment", "can't start new thread")
"""What the loader of libraries and the starter of threads say where there is no memory."""


def main() -> None:
    """Run the command line; Ctrl-C and a lack of memory end it with a line even while it loads."""
    begun = monotonic()
    # where the shell has it ignored, as in the background of a script, it stays so
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    try:
        from pathprior.cli import main as run

        run(begun)
    except MemoryError:
        _end(BAD_INPUT, "error: not enough memory")
    except (ImportError, OSError, RuntimeError) as error:
        if not any(sign in str(cause) for cause in _causes(error) for sign in NO_MEMORY):
            raise
        _end(BAD_INPUT, "error: not enough memory to load a library or to start a thread")
    finally:  # all is said and done: what is left is Python's own end
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and those that it was raised for."""
    found: BaseException | None = error
    while found is not None:
        yield found
        found = found.__cause__ or found.__context__


def _leave(number: int, frame: FrameType | None) -> None:
    """Leave at once: an exception would end somewhere within an import, which may take it ill."""
    _end(INTERRUPTED, "interrupted: nothing was written")


def _end(status: int, text: str) -> None:
    os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, f"{text}\n".encode())
    os._exit(status)
