"""A progress bar on standard error for work that reports (done, total)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pathprior.cli.console import error_console


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
