"""Ctrl-C on the command line: a line and status 130, whatever it comes upon."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread
from time import sleep
from types import FrameType

STATUS = 130
WORDS = "what was under way was not written"
GRACE = 2.0
"""Seconds in which whatever is under way may clear up, before the process ends in any case."""


class Interruption:
    """Whether Ctrl-C came, where nothing else waits for it."""

    def __init__(self) -> None:
        self.came = False

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Signal handler: interrupt what is under way."""
        self.came = True
        raise KeyboardInterrupt

    def watch(self, reader: int) -> None:
        """End the process if an interruption has not, as where it is lost in compiled code.

        Python hears of a signal between two of its own steps only; the descriptor at once.
        """
        while os.read(reader, 1):
            if self._is_ours():
                sleep(GRACE)
                if self._is_ours():
                    os.write(2, f"interrupted: {WORDS}\n".encode())
                    os._exit(STATUS)
        os.close(reader)

    def _is_ours(self) -> bool:
        """Whether nobody else has taken over, nor the end been reached."""
        return signal.getsignal(signal.SIGINT) == self.handle


@contextmanager
def interruptible(say: Callable[[str], None]) -> Iterator[None]:
    """Within it Ctrl-C interrupts; whatever comes of that, it ends in a line and status 130.

    An interrupted import may fail with any error, and foreign callbacks drop the exception.
    """
    previous = signal.getsignal(signal.SIGINT)
    if previous is signal.SIG_IGN:  # as in the background of a script
        yield
        return
    interruption = Interruption()
    with ExitStack() as stack:
        stack.callback(signal.signal, signal.SIGINT, previous or signal.SIG_DFL)
        _silence(interruption, stack)
        if os.name == "posix":
            _watch(interruption, stack)
        signal.signal(signal.SIGINT, interruption.handle)
        try:
            yield
        except BaseException as error:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            if not interruption.came and not isinstance(error, KeyboardInterrupt):
                raise
            interruption.came = True
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if interruption.came:
            say(WORDS)
            sys.exit(STATUS)


def _silence(interruption: Interruption, stack: ExitStack) -> None:
    """Keep from the terminal what becomes of an interruption where exceptions are dropped."""
    plain = sys.unraisablehook

    def tell(unraisable: "sys.UnraisableHookArgs") -> None:
        if not interruption.came:
            plain(unraisable)

    stack.callback(setattr, sys, "unraisablehook", plain)
    sys.unraisablehook = tell


def _watch(interruption: Interruption, stack: ExitStack) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    stack.callback(os.close, writer)
    stack.callback(signal.set_wakeup_fd, signal.set_wakeup_fd(writer, warn_on_full_buffer=False))
    Thread(target=interruption.watch, args=(reader,), daemon=True).start()
