"""A call in a process of its own that is stopped after so many processor seconds."""

import multiprocessing
import resource
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TypeVar

T = TypeVar("T")


def run_capped(work: Callable[[], T], limit: int, name: str) -> tuple[T | None, float]:
    """What ``work`` returns, None if it was stopped, and its processor seconds."""
    context = multiprocessing.get_context("fork")  # closures need not be pickled
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(work, limit, sender))
    process.start()
    sender.close()
    found: tuple[T | None, float] = (None, float(limit))
    with suppress(EOFError):
        found = receiver.recv()
    process.join()
    if found[0] is None and process.exitcode != -signal.SIGXCPU:
        raise SystemExit(f"{name} failed; its message is above")
    return found


def _answer(work: Callable[[], T], limit: int, channel: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    begin = time.process_time()
    value = work()
    channel.send((value, time.process_time() - begin))
