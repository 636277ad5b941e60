"""What keeps the user waiting, on standard error: compiling, and work that reports progress."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pathprior.cli.console import error_console


def announce_compiling(
    search: str = "auto",
    score: str = "auto",
    *,
    swap_equivalent: bool | None = None,
    with_chains: bool = False,
) -> None:
    """Say before the first run of a search, or of chains, why it takes so long."""
    from pathprior.kernels.posterior.run import run_chain
    from pathprior.score.named import AUTO, named_score
    from pathprior.search.compiled import entry_kernel, is_kept

    search_kernel = entry_kernel(
        search,
        may_walk_classes=score == AUTO or named_score(score).may_walk_classes,
        swap_equivalent=swap_equivalent,
    )
    kernels = [search_kernel, run_chain] if with_chains else [search_kernel]
    if not all(map(is_kept, kernels)):
        error_console.print(
            "First run: compiling the inner loops, about half a minute. They are kept.",
            highlight=False,
        )


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
