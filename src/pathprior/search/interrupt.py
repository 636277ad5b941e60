"""Ctrl-C or the end of the time as a request to stop at the next safe point, with what there is."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic
from types import FrameType

CLEARING = 1.5
"""Seconds after Ctrl-C in which what there is may still be looked at."""
COMPILER = "numba.core"
"""The modules one of which is at work while kernels compile."""

_present: ContextVar["StopRequest | None"] = ContextVar("stop", default=None)


class StopRequest:
    """Whether to stop: somebody asked for it, or the time is up.

    Attributes
    ----------
    end
        A reading of `monotonic` by which all should be done, what becomes of a stop included.
    is_interrupted
        Whether Ctrl-C came.
    """

    def __init__(self, end: float = inf) -> None:
        self.end = end
        self.is_interrupted = False
        self._previous = signal.getsignal(signal.SIGINT)

    @property
    def is_set(self) -> bool:
        """Whether nothing new is to be begun."""
        return self.is_interrupted or monotonic() > self.end

    @property
    def is_over(self) -> bool:
        """Whether nothing is to be looked at any more."""
        return monotonic() > self.end

    def interrupt(self) -> None:
        """Ask to stop."""
        self.is_interrupted = True
        self.end = min(self.end, monotonic() + CLEARING)

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Signal handler: a second Ctrl-C interrupts at once, as does one while kernels compile.

        That takes many seconds without a safe point, mostly before there is any result.
        """
        if self.is_interrupted or _is_compiling():
            signal.signal(signal.SIGINT, self._previous or signal.SIG_DFL)
            signal.raise_signal(signal.SIGINT)
        self.interrupt()


@contextmanager
def stop_on_interrupt(end: float = inf) -> Iterator[StopRequest]:
    """Within it Ctrl-C sets the request; outside the main thread, where none arrives, nothing.

    What is done within another such block is part of it, and has its request.
    """
    present = _present.get()
    if present is not None:
        yield present
        return
    request = StopRequest(end)
    token = _present.set(request)
    is_main = threading.current_thread() is threading.main_thread()
    previous = signal.signal(signal.SIGINT, request.handle) if is_main else None
    try:
        yield request
    finally:
        _present.reset(token)
        if is_main:
            # None: a handler that was not installed from Python cannot be put back
            signal.signal(signal.SIGINT, signal.SIG_DFL if previous is None else previous)


def _is_compiling() -> bool:
    """Whether any thread is in the compiler."""
    for top in sys._current_frames().values():
        frame: FrameType | None = top
        while frame is not None:
            if str(frame.f_globals.get("__name__", "")).startswith(COMPILER):
                return True
            frame = frame.f_back
    return False
