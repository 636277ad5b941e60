"""Where everything of a drawn graph lies, the same for SVG and for axes."""

from dataclasses import dataclass
from unicodedata import east_asian_width

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.dag import Dag
from pathprior.report.layout import Layout, layered_layout

MAX_LABEL = 60
"""Most letters of a name that are drawn."""
LETTER_HEIGHT = 0.125
"""Size of the letters, in units of one node spacing as all that follows."""
LETTER_WIDTH = 0.08
LAYER_HEIGHT = 0.75  # names are wide, not high
PADDING = 0.1
BOX_HALF_HEIGHT = 0.16
MAX_SLOPE = 1.0  # sideways by down; an edge that passes a layer has that much room
MARGIN = 0.1
HEAD_LENGTH, HEAD_HALF_WIDTH = 0.09, 0.036


@dataclass(frozen=True, slots=True)
class Picture:
    """A graph to draw; x grows to the right and y downwards.

    Attributes
    ----------
    labels
        What stands in the box of each node.
    centres, half_boxes
        ``centres[i]`` ± ``half_boxes[i]`` are the corners of node i's box.
    curves
        ``curves[i, j]``: control points of i → j as cubic Bézier pieces, the start and then threes,
        from the edge of one box to the edge of the other.
    low, high
        Corners of the smallest page that holds it all, with a margin.
    """

    labels: tuple[str, ...]
    centres: NDArray[np.float64]
    half_boxes: NDArray[np.float64]
    curves: dict[tuple[int, int], NDArray[np.float64]]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def make_picture(dag: Dag) -> Picture:
    """Place the boxes and curves of ``dag``: causes above effects."""
    layout = layered_layout(dag)
    labels = tuple(cut(name) for name in dag.nodes)
    half_boxes = np.array([_half_box(label) for label in labels]).reshape(-1, 2)
    scale = np.array([_stretch(layout, half_boxes), LAYER_HEIGHT])
    centres = layout.positions * scale
    curves = {
        (i, j): _curve(route * scale, half_boxes[i], half_boxes[j])
        for (i, j), route in layout.routes.items()
    }
    # edges may pass outside of the boxes
    drawn = np.concatenate([centres - half_boxes, centres + half_boxes, *curves.values()])
    return Picture(
        labels,
        centres,
        half_boxes,
        curves,
        drawn.min(axis=0, initial=0.0) - MARGIN,
        drawn.max(axis=0, initial=0.0) + MARGIN,
    )


def cut(name: str) -> str:
    """The name, or the beginning of one that would cover the others."""
    return name if len(name) <= MAX_LABEL else name[: MAX_LABEL - 1] + "…"


def text_width(text: str) -> float:
    """About how wide the text is at `LETTER_HEIGHT`: capitals and East Asian letters are wider."""
    weights = (
        1.7 if east_asian_width(letter) in "WF" else 1.15 if letter.isupper() else 1.0
        for letter in text
    )
    return LETTER_WIDTH * sum(weights)


def arrowhead(curve: NDArray[np.float64]) -> NDArray[np.float64]:
    """Corners of a triangle at the end of the curve, along its last tangent, the tip first."""
    along = curve[-1] - curve[-2]
    along = along / max(float(np.hypot(*along)), 1e-9)
    back = curve[-1] - HEAD_LENGTH * along
    across = HEAD_HALF_WIDTH * np.array([-along[1], along[0]])
    return np.array([curve[-1], back + across, back - across])


def _half_box(label: str) -> NDArray[np.float64]:
    return np.array([text_width(label) / 2 + PADDING, BOX_HALF_HEIGHT])


def _stretch(layout: Layout, half_boxes: NDArray[np.float64]) -> float:
    """How wide to draw a layout: names that do not fit their room stretch it."""
    needed = (2 * half_boxes[:, 0] + 0.1) / layout.widths
    return float(needed.max(initial=1.0))


def _curve(
    route: NDArray[np.float64], first: NDArray[np.float64], last: NDArray[np.float64]
) -> NDArray[np.float64]:
    """A smooth curve from below the first box to above the last, along the route.

    It goes down all the way, and within a layer by `MAX_SLOPE` to the side at most: so it stays
    clear of all other boxes, however far it has to go between two layers.
    """
    x, y = route.T
    slopes = np.clip(np.gradient(x, y), -MAX_SLOPE, MAX_SLOPE)
    tangents = np.column_stack([slopes, np.ones_like(slopes)])
    aside = BOX_HALF_HEIGHT * slopes
    aside[[0, -1]] = np.clip(aside[[0, -1]], [-first[0], -last[0]], [first[0], last[0]])
    points: list[NDArray[np.float64]] = []
    for k in range(len(route) - 1):
        start = np.array([x[k] + aside[k], y[k] + BOX_HALF_HEIGHT])
        end = np.array([x[k + 1] - aside[k + 1], y[k + 1] - BOX_HALF_HEIGHT])
        if points:  # straight through the layer
            points += [(2 * points[-1] + start) / 3, (points[-1] + 2 * start) / 3]
        third = (end[1] - start[1]) / 3
        points += [start, start + third * tangents[k], end - third * tangents[k + 1], end]
    return np.array(points)
