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

CLEARING = 1.0
"""Seconds after Ctrl-C in which what there is may still be looked at."""
COMPILER = "numba.core"
"""The modules one of which is at work while kernels compile."""

_end: ContextVar[float] = ContextVar("end", default=inf)


class StopRequest:
    """Whether to stop: somebody asked for it, or the time is up.

    Attributes
    ----------
    end
        A reading of `monotonic` by which all should be done, what becomes of a stop included.
    """

    def __init__(self, end: float = inf, *, part_of: "StopRequest | None" = None) -> None:
        self.end = end
        self._whole = part_of
        self._is_interrupted = False
        self._previous = signal.getsignal(signal.SIGINT)

    def by(self, end: float) -> "StopRequest":
        """Return what a part is asked, that is to be done by ``end``: the same, or earlier."""
        return StopRequest(min(end, self.end), part_of=self)

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C came."""
        return self._is_interrupted or (self._whole is not None and self._whole.is_interrupted)

    @property
    def is_set(self) -> bool:
        """Whether nothing new is to be begun."""
        return self.is_interrupted or monotonic() > self.end

    def interrupt(self) -> None:
        """Ask to stop."""
        self._is_interrupted = True
        self.end = min(self.end, monotonic() + CLEARING)
        if self._whole is not None:
            self._whole.interrupt()

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Signal handler: a second Ctrl-C interrupts at once, as does one while kernels compile.

        That takes many seconds without a safe point, mostly before there is any result.
        """
        if self.is_interrupted or _is_compiling():
            signal.signal(signal.SIGINT, self._previous or signal.SIG_DFL)
            signal.raise_signal(signal.SIGINT)
        self.interrupt()


@contextmanager
def ending_by(end: float) -> Iterator[None]:
    """Requests made within it are to stop by ``end``, a reading of `monotonic`, at the latest."""
    token = _end.set(min(end, _end.get()))
    try:
        yield
    finally:
        _end.reset(token)


@contextmanager
def stop_on_interrupt() -> Iterator[StopRequest]:
    """Within it Ctrl-C sets the request; outside the main thread, where none arrives, nothing."""
    request = StopRequest(_end.get())
    if threading.current_thread() is not threading.main_thread():
        yield request
        return
    previous = signal.signal(signal.SIGINT, request.handle)
    try:
        yield request
    finally:
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
