"""What keeps the user waiting, on standard error: compiling, and work that reports progress."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Timer
from time import monotonic

import typer

from pathprior.cli.console import error_console

PATIENCE = 1.0
"""Seconds after which whoever waits is told why."""


@dataclass(slots=True)
class Compiling:
    """How many seconds were spent on it."""

    seconds: float = 0.0


def announce_compiling(context: typer.Context) -> Compiling:
    """Until the command ends, say when compiling takes longer than a second, once, what that is."""
    from numba.core import event

    spent = Compiling()

    def say() -> None:
        watch.is_due = False
        error_console.print(
            "Compiling inner loops for the first time: up to half a minute. They are kept.",
            highlight=False,
        )

    class Watch(event.Listener):
        is_due, depth, left = True, 0, PATIENCE

        def on_start(self, event: event.Event) -> None:
            if self.depth == 0:
                self.begun = monotonic()
                if self.is_due:
                    self.timer = Timer(self.left, say)
                    self.timer.daemon = True
                    self.timer.start()
            self.depth += 1

        def on_end(self, event: event.Event) -> None:
            self.depth -= 1
            if self.depth == 0:
                seconds = monotonic() - self.begun
                spent.seconds += seconds
                if self.is_due:
                    self.timer.cancel()
                    self.left = max(0.0, self.left - seconds)

    watch = Watch()
    context.with_resource(event.install_listener("numba:compile", watch))
    return spent


@contextmanager
def reporting(what: str) -> Iterator[Callable[[int, int], None]]:
    """A callback that draws a bar, shown once work is reported and removed at the end."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
    )
    # a bar in a log file would be noise
    is_off = not error_console.is_terminal
    with Progress(*columns, console=error_console, transient=True, disable=is_off) as bar:
        task = bar.add_task(what, total=None, visible=False)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, visible=True)

        yield report
