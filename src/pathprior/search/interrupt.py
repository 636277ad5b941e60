"""Ctrl-C as a request to stop at the next safe point, so that the result so far survives."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class StopRequest:
    """Whether somebody asked to stop."""

    def __init__(self) -> None:
        self.is_set = False

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Signal handler: a second Ctrl-C interrupts at once."""
        if self.is_set:
            raise KeyboardInterrupt
        self.is_set = True


@contextmanager
def stop_on_interrupt() -> Iterator[StopRequest]:
    """Within it Ctrl-C sets the request; outside the main thread, where none arrives, nothing."""
    request = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield request
        return
    previous = signal.signal(signal.SIGINT, request.handle)
    try:
        yield request
    finally:
        # None: a handler that was not installed from Python cannot be put back
        signal.signal(signal.SIGINT, signal.SIG_DFL if previous is None else previous)
