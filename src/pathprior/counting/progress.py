"""Progress of long work: a callback, because nothing below the command line prints."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with the work done so far and the work in all."""


def silent(done: int, total: int) -> None:
    """Report nothing."""
