"""What the two reading processes do: one answers at once, the other takes its time."""

import os
from dataclasses import dataclass
from itertools import pairwise
from time import monotonic, sleep
from typing import Any

from pathprior.beliefs.belief import causes
from pathprior.counting.expected_parents import AUTO
from pathprior.studio.ranges import read_range
from pathprior.studio.reading import Reader, Stated, read_carefully
from pathprior.studio.workers import Handler, Report

READING = "reading"

PAUSE = 0.4
"""Seconds in which nothing more must be said before a careful reading begins."""
POLITE = 10
"""How far the careful reader stands back for the quick one, as `nice` counts."""


@dataclass(frozen=True, slots=True)
class RangeAsked:
    """A statement whose slider is to be marked, beside what is stated on other pairs."""

    stated: Stated
    x: str
    relation: str
    y: str
    source: str


def quick_handler() -> Handler:
    """Answers readings, each from where the last left off, and ranges."""
    reader = Reader()
    _warm_up(reader)

    def handle(request: Any, report: Report) -> Any:
        if isinstance(request, RangeAsked):
            return read_range(
                request.stated, request.x, request.relation, request.y, request.source
            )
        return reader.read(request)

    return handle


def careful_handler() -> Handler:
    """Answers readings with all care."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(POLITE)

    def handle(request: Any, report: Report) -> Any:
        _let_others_go_first(report)
        return read_carefully(request, report)

    return handle


def _let_others_go_first(report: Report) -> None:
    """Wait a little: the quick reader needs the processor now, and more may be said."""
    end = monotonic() + PAUSE
    while monotonic() < end:
        sleep(PAUSE / 10)
        report(0, 1)


def _warm_up(reader: Reader) -> None:
    """Load all that a reading needs, before somebody waits for it."""
    names = tuple("abcdef")
    chain = [(k, causes(x, y, 0.6)) for k, (x, y) in enumerate(pairwise(names))]
    stated = Stated(0, names, tuple(chain), AUTO)
    reader.read(stated)
    read_range(stated, "a", "causes", "f", "")
