"""The ways in which results show themselves.

What draws a result lies to the right of it, so a result asks for a way by name, and `report`
registers for each class of results what to do.
"""

from functools import singledispatch
from os import PathLike
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@singledispatch
def text(result: object) -> str:
    """What a result prints: plain text for a terminal of eighty columns."""
    raise TypeError(f"a {type(result).__name__} has no text to print")


@singledispatch
def html(result: object) -> str:
    """What notebooks show of a result: an HTML fragment without scripts."""
    raise TypeError(f"a {type(result).__name__} has no view for notebooks")


@singledispatch
def dot(result: object) -> str:
    """A graph as Graphviz DOT text."""
    raise TypeError(f"a {type(result).__name__} has no DOT text")


@singledispatch
def plot(result: object, ax: "Axes | None" = None) -> "Axes":
    """The plot of a result, on the caller's axes or on axes made to measure."""
    raise TypeError(f"a {type(result).__name__} has no plot")


@singledispatch
def plot_trace(result: object, ax: "Axes | None" = None) -> "Axes":
    """The course of what led to a result, on the caller's axes or on axes made to measure."""
    raise TypeError(f"a {type(result).__name__} has no course to plot")


@singledispatch
def report(result: object, path: str | PathLike[str], *, title: str | None = None) -> None:
    """Write one self-contained HTML file on a result."""
    raise TypeError(f"a {type(result).__name__} has no report")
