"""One live line while a search runs: step, score, edges."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol


class OnProgress(Protocol):
    """Called every now and then while a search runs."""

    def __call__(self, step: int, score: float, num_edges: int) -> None:
        """Take note of the state of the search."""
        ...


def watching(
    progress: bool | OnProgress,
) -> AbstractContextManager[OnProgress | None]:
    """Whom to call while a search runs: the live line, what was passed in its place, or nobody."""
    if progress is True:
        return progress_line()
    return nullcontext(progress or None)


@contextmanager
def progress_line() -> Iterator[OnProgress]:
    """Show the line on standard error; it disappears at the end."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(Text("starting"), console=Console(stderr=True), transient=True) as live:

        def update(step: int, score: float, num_edges: int) -> None:
            live.update(Text(f"step {step}   score {score:.2f}   edges {num_edges}"))

        yield update
