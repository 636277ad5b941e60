"""A network on matplotlib axes: causes above effects, beliefs as bands behind the edges.

Boxes, curves and keys lie in the coordinates of the axes, and letters and lines are sized by them:
the drawing is the same at any size and under any layout of the figure.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.dag import Dag
from pathprior.report import style
from pathprior.report.legend import Verdict
from pathprior.report.picture import (
    LETTER_HEIGHT,
    MARGIN,
    PADDING,
    Picture,
    arrowhead,
    make_picture,
    text_width,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import PathPatch

    from pathprior.report.to_scale import ToScale

INCHES = 1.3
"""Of one node spacing in a figure made to measure: letters of twelve points."""
LARGEST = (24.0, 16.0)
"""Inches of the largest figure; a wider or higher graph is drawn smaller."""

LINE, BAND, DASHES = 0.018, 0.1, (0, (4, 2))
KEY_LENGTH, KEY_HEIGHT = 0.35, 0.22
ARC = 0.18
"""How far a band bends to the side, in parts of its length: edges run straighter."""
QUARTER_TURN = np.array([[0.0, -1.0], [1.0, 0.0]])


@dataclass(frozen=True, slots=True)
class BeliefMark:
    """One belief to mark on the drawing: the pair, and what the graph says of it."""

    x: str
    y: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Key:
    """One entry of the legend: what a line, dashed or not, or a band of this colour means."""

    label: str
    colour: str
    is_dashed: bool = False
    is_band: bool = False


def draw_dag(
    dag: Dag,
    *,
    open_edges: Collection[tuple[str, str]] = (),
    edge_colours: Mapping[tuple[str, str], str] | None = None,
    marks: Sequence[BeliefMark] = (),
    keys: Sequence[Key] = (),
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw ``dag`` in layers and return the axes.

    Parameters
    ----------
    open_edges
        Those that could be turned; they are dashed.
    edge_colours
        Colour of an edge (parent, child); edges not named are dark.
    marks
        Beliefs, drawn as wide translucent bands between their two nodes.
    keys
        What to explain below the graph.
    ax
        Axes to draw on; made to measure when not given.
    """
    import matplotlib.pyplot as plt

    from pathprior.report.to_scale import ToScale

    picture = make_picture(dag)
    own = plt.figure(layout="constrained") if ax is None else None
    if own is not None:
        ax = own.add_subplot()
    assert ax is not None  # the caller's or ours
    ax.set_axis_off()
    drawing = ToScale(ax)
    for mark in marks:
        ends = picture.centres[[dag.index(mark.x), dag.index(mark.y)]]
        middle = ends.mean(axis=0) + ARC * (ends[1] - ends[0]) @ QUARTER_TURN
        _draw_band(drawing, np.insert(ends, 1, middle, axis=0), mark.verdict.colour)
    colours = edge_colours or {}
    for (i, j), curve in picture.curves.items():
        edge = (dag.nodes[i], dag.nodes[j])
        colour = colours.get(edge, style.INK)
        _draw_arrow(drawing, curve, colour, is_dashed=edge in open_edges)
    _draw_boxes(drawing, picture)
    low, high = _draw_keys(drawing, keys, picture)
    ax.set_xlim(low[0], high[0])
    ax.set_ylim(high[1], low[1])  # y grows downwards
    ax.set_aspect("equal")
    if own is not None:
        own.set_size_inches(figure_size(ax))
    return ax


def figure_size(ax: "Axes") -> tuple[float, float]:
    """Inches of a figure that shows a drawing alone; `INCHES` each unit, if that fits `LARGEST`."""
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    width, height = right - left, bottom - top
    scale = min(INCHES, LARGEST[0] / width, LARGEST[1] / height)
    return scale * width, scale * height


def _draw_boxes(drawing: "ToScale", picture: Picture) -> None:
    from matplotlib.patches import FancyBboxPatch

    for label, centre, half in zip(
        picture.labels, picture.centres, picture.half_boxes, strict=True
    ):
        drawing.add_patch(
            FancyBboxPatch(
                (centre - half).tolist(),
                2 * half[0],
                2 * half[1],
                boxstyle="round,pad=0,rounding_size=0.06",
                facecolor=style.PAPER,
                edgecolor=style.INK,
                zorder=3,
            ),
            line_width=0.011,
        )
        drawing.add_text(centre, label, LETTER_HEIGHT, max_width=2 * half[0] - PADDING)


def _draw_keys(
    drawing: "ToScale", keys: Sequence[Key], picture: Picture
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Explain colours and lines below the graph, in up to three columns; return the new corners."""
    low, high = picture.low.copy(), picture.high.copy()
    if not keys:
        return low, high
    column = max(KEY_LENGTH + 3 * PADDING + 0.9 * text_width(key.label) for key in keys)
    num_columns = int(np.clip((high[0] - low[0]) // column, 1, min(3, len(keys))))
    left = (low[0] + high[0] - num_columns * column) / 2
    top = high[1] + MARGIN
    for k, key in enumerate(keys):
        row, place = divmod(k, num_columns)
        x, y = left + place * column, top + (row + 0.5) * KEY_HEIGHT
        ends = np.array([[x, y], [x + KEY_LENGTH, y]])
        if key.is_band:
            _draw_band(drawing, ends, key.colour)
        else:
            _draw_line(drawing, ends, key.colour, is_dashed=key.is_dashed)
        at = ends[1] + [PADDING, 0.0]
        drawing.add_text(at, key.label, 0.9 * LETTER_HEIGHT, is_centred=False)
    num_rows = -(-len(keys) // num_columns)
    low[0] = min(low[0], left)
    high[0] = max(high[0], left + num_columns * column)
    high[1] = top + num_rows * KEY_HEIGHT + MARGIN
    return low, high


def _draw_band(drawing: "ToScale", points: NDArray[np.float64], colour: str) -> None:
    """A wide translucent line from the first point to the last, bent towards one between."""
    drawing.add_patch(_patch(points, colour, alpha=0.28, zorder=1), line_width=BAND)


def _draw_arrow(
    drawing: "ToScale", curve: NDArray[np.float64], colour: str, *, is_dashed: bool
) -> None:
    from matplotlib.patches import Polygon

    _draw_line(drawing, curve, colour, is_dashed=is_dashed)
    drawing.add_patch(Polygon(arrowhead(curve), facecolor=colour, edgecolor="none", zorder=2))


def _draw_line(
    drawing: "ToScale", curve: NDArray[np.float64], colour: str, *, is_dashed: bool
) -> None:
    dashes = DASHES if is_dashed else "solid"
    drawing.add_patch(_patch(curve, colour, linestyle=dashes, zorder=2), line_width=LINE)


def _patch(points: NDArray[np.float64], colour: str, **look: Any) -> "PathPatch":
    """A straight line, one quadratic Bézier piece or cubic ones, by the number of points."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    piece = {2: Path.LINETO, 3: Path.CURVE3}.get(len(points), Path.CURVE4)
    codes = [Path.MOVETO] + [piece] * (len(points) - 1)
    return PathPatch(Path(points, codes), facecolor="none", edgecolor=colour, **look)
