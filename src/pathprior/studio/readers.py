"""What the two reading processes do: one answers at once, the other takes its time."""

from dataclasses import dataclass
from typing import Any

from pathprior.studio.reading import Reader, Stated, read_carefully, read_range
from pathprior.studio.workers import Handler, Report

READING = "reading"


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

    def handle(request: Any, report: Report) -> Any:
        if isinstance(request, RangeAsked):
            return read_range(
                request.stated, request.x, request.relation, request.y, request.source
            )
        return reader.read(request)

    return handle


def careful_handler() -> Handler:
    """Answers readings with all care."""

    def handle(request: Any, report: Report) -> Any:
        return read_carefully(request, report)

    return handle
