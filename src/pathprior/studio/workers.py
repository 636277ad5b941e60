"""Processes that work for the server: they answer, report how far they are, and end with it."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

from pathprior.errors import PathPriorError

REPORT_EVERY = 0.2
"""Seconds between two reports of progress."""

GONE = "a process of the studio has ended: start the studio again; what was stated is saved"
"""Said where somebody else has ended a worker."""

Report = Callable[[Any, Any], None]
"""Called with how far a request is: done and total, or a stage and words on it."""
Handler = Callable[[Any, Report], Any]
"""Answers a request."""


class Say(StrEnum):
    """What a worker says of a request."""

    PROGRESS = "progress"
    ANSWER = "answer"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Message:
    """Something that a worker says."""

    topic: str
    ticket: int
    say: Say
    content: Any


class Superseded(Exception):
    """Somebody has asked again on the same topic."""


class Worker:
    """A process that answers requests, of each topic only the newest.

    ``on_message`` is called in a thread of its own.
    """

    def __init__(
        self, make_handler: Callable[[], Handler], on_message: Callable[[Message], None]
    ) -> None:
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, make_handler), daemon=True)
        with _single_threaded():
            self._process.start()
        theirs.close()
        self._on_message = on_message
        self._is_wanted = True
        self._last_ticket = 0
        self._outbox: dict[str, tuple[int, Any]] = {}
        self._has_mail = threading.Condition()
        for act in (self._listen, self._deliver):
            threading.Thread(target=act, daemon=True).start()

    def ask(self, topic: str, request: Any) -> int:
        """Send a request; the number returned comes back with the answer.

        It never waits, also where the process is too busy to take what is sent.
        """
        with self._has_mail:
            self._last_ticket += 1
            self._outbox.pop(topic, None)
            self._outbox[topic] = self._last_ticket, request
            self._has_mail.notify()
            return self._last_ticket

    def end(self) -> None:
        """End the process, whatever it does."""
        self._is_wanted = False
        self._process.kill()
        self._process.join()
        self._connection.close()

    def _deliver(self) -> None:
        while True:
            with self._has_mail:
                self._has_mail.wait_for(lambda: self._outbox)
                topic = next(iter(self._outbox))
                ticket, request = self._outbox.pop(topic)
            try:
                self._connection.send((topic, ticket, request))
            except OSError:  # the process was ended
                return

    def _listen(self) -> None:
        while True:
            try:
                message = self._connection.recv()
            except (EOFError, OSError):
                if self._is_wanted:
                    self._on_message(Message("", 0, Say.ERROR, GONE))
                return
            self._on_message(message)


@contextmanager
def _single_threaded() -> Iterator[None]:
    """Start processes in which BLAS has one thread: two that spin would wait for each other."""
    names = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class _Inbox:
    """Requests that wait, the newest of each topic."""

    def __init__(self, source: Connection) -> None:
        self._source = source
        self._waiting: dict[str, tuple[int, Any]] = {}

    def take(self) -> tuple[str, int, Any]:
        """The next request; wait for one if there is none."""
        self._collect()
        if not self._waiting:
            self._receive()
            self._collect()
        topic = next(iter(self._waiting))
        return topic, *self._waiting.pop(topic)

    def has_newer(self, topic: str) -> bool:
        """Whether the topic was asked about again."""
        self._collect()
        return topic in self._waiting

    def _collect(self) -> None:
        while self._source.poll():
            self._receive()

    def _receive(self) -> None:
        topic, ticket, request = self._source.recv()
        self._waiting.pop(topic, None)
        self._waiting[topic] = ticket, request


def _serve(source: Connection, make_handler: Callable[[], Handler]) -> None:
    """Answer requests for good."""
    _end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    inbox, handle = _Inbox(source), make_handler()
    while True:
        try:
            topic, ticket, request = inbox.take()
        except (EOFError, OSError):  # nobody will ask again
            return
        last = monotonic()

        def report(done: Any, total: Any, topic: str = topic, ticket: int = ticket) -> None:
            nonlocal last
            if inbox.has_newer(topic):
                raise Superseded
            if monotonic() - last >= REPORT_EVERY:
                last = monotonic()
                source.send(Message(topic, ticket, Say.PROGRESS, [done, total]))

        try:
            source.send(Message(topic, ticket, Say.ANSWER, handle(request, report)))
        except Superseded:
            continue
        except PathPriorError as error:
            source.send(Message(topic, ticket, Say.ERROR, str(error)))
        except Exception as error:  # whatever is wrong with one request, others will come
            said = f"{type(error).__name__}: {error}"
            source.send(Message(topic, ticket, Say.ERROR, said))


def _end_with_parent() -> None:
    """End this process when its parent has gone, however it went."""
    parent = parent_process()
    assert parent is not None  # it was started by one

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
