"""The ways in which results show themselves.

What draws a result lies to the right of it, so a result asks for a way by name, and `report`
registers for each class of results what to do.
"""

from collections.abc import Callable
from functools import singledispatch
from os import PathLike
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _unknown(result: object, way: Callable[..., object]) -> TypeError:
    name = way.__name__
    return TypeError(
        f"a {type(result).__name__} has no way to show itself as {name}; "
        f"register one with pathprior.showing.{name}.register"
    )


@singledispatch
def text(result: object) -> str:
    """What a result prints: plain text for a terminal of eighty columns."""
    raise _unknown(result, text)


@singledispatch
def html(result: object) -> str:
    """What notebooks show of a result: an HTML fragment without scripts."""
    raise _unknown(result, html)


@singledispatch
def dot(result: object) -> str:
    """A graph as Graphviz DOT text."""
    raise _unknown(result, dot)


@singledispatch
def plot(result: object, ax: "Axes | None" = None) -> "Axes":
    """The plot of a result, on the caller's axes or on axes made to measure."""
    raise _unknown(result, plot)


@singledispatch
def plot_trace(result: object, ax: "Axes | None" = None) -> "Axes":
    """The course of what led to a result, on the caller's axes or on axes made to measure."""
    raise _unknown(result, plot_trace)


@singledispatch
def plot_beliefs(result: object, ax: "Axes | None" = None) -> "Axes":
    """What became of each belief, on the caller's axes or on axes made to measure."""
    raise _unknown(result, plot_beliefs)


@singledispatch
def report(
    result: object, path: str | PathLike[str], *, title: str | None = None, **more: object
) -> None:
    """Write one self-contained HTML file on a result."""
    raise _unknown(result, report)
