"""A network on matplotlib axes: causes above effects, beliefs as bands behind the edges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.cpdag import Cpdag
from pathprior.graph.dag import Dag
from pathprior.report import style
from pathprior.report.layout import layered_layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path

LAYER_HEIGHT = 0.75  # in units of one node spacing: names are wide, not high
CHARACTER_WIDTH = 0.08  # of one letter at eight points, in the same unit


@dataclass(frozen=True, slots=True)
class BeliefMark:
    """One belief to mark on the drawing: the pair, and whether the graph agrees with it."""

    x: str
    y: str
    held: bool


def draw_dag(
    dag: Dag,
    *,
    cpdag: Cpdag | None = None,
    edge_colours: Mapping[tuple[str, str], str] | None = None,
    marks: Sequence[BeliefMark] = (),
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw ``dag`` in layers and return the axes.

    Parameters
    ----------
    cpdag
        Its class; edges that the class leaves open are dashed.
    edge_colours
        Colour of an edge (parent, child); edges not named are dark.
    marks
        Beliefs, drawn as wide translucent bands between their two nodes.
    ax
        Axes to draw on; made to measure when not given.
    """
    import matplotlib.pyplot as plt
    from matplotlib.patches import FancyArrowPatch

    layout = layered_layout(dag)
    points = _on_page(layout.positions)
    if ax is None:
        width, height = np.ptp(points, axis=0) if dag.num_nodes else (1.0, 1.0)
        # wide enough for names of nine letters at nine points
        _, ax = plt.subplots(
            figsize=(min(24, 2 + 0.95 * width), min(16, 1.5 + 0.95 * height)),
            layout="constrained",
        )
    ax.set_axis_off()

    for mark in marks:
        ends = points[[dag.index(mark.x), dag.index(mark.y)]]
        ax.add_patch(
            FancyArrowPatch(
                tuple(ends[0]),
                tuple(ends[1]),
                arrowstyle="-",
                connectionstyle="arc3,rad=0.18",
                linewidth=7,
                alpha=0.28,
                color=style.HELD if mark.held else style.NOT_HELD,
                capstyle="round",
                zorder=1,
            )
        )
    undirected = (
        {frozenset(edge) for edge in cpdag.undirected_edges} if cpdag is not None else set()
    )
    colours = edge_colours or {}
    for (i, j), route in layout.routes.items():
        edge = (dag.nodes[i], dag.nodes[j])
        ax.add_patch(
            FancyArrowPatch(
                path=_smooth(_shorten(_on_page(route), edge)),
                arrowstyle="-|>",
                mutation_scale=10,
                linewidth=1.3,
                linestyle=(0, (4, 2)) if frozenset(edge) in undirected else "solid",
                color=colours.get(edge, style.INK),
                zorder=2,
            )
        )
    for name, (x, y) in zip(dag.nodes, points, strict=True):
        ax.text(
            x,
            y,
            name,
            ha="center",
            va="center",
            fontsize=8,
            color=style.INK,
            zorder=3,
            bbox={"boxstyle": "round,pad=0.3", "fc": style.PAPER, "ec": style.INK, "lw": 0.8},
        )
    if dag.num_nodes:
        low, high = points.min(axis=0), points.max(axis=0)
        ax.set_xlim(low[0] - 0.7, high[0] + 0.7)
        ax.set_ylim(low[1] - 0.5, high[1] + 0.5)
    ax.set_aspect("equal")
    return ax


def _on_page(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Layers grow downwards, matplotlib's y upwards."""
    page: NDArray[np.float64] = points * np.array([1.0, -LAYER_HEIGHT])
    return page


def _shorten(route: NDArray[np.float64], names: tuple[str, str]) -> NDArray[np.float64]:
    """Cut both ends where the first and last pieces leave the boxes of the two names."""
    route = route.copy()
    for end, towards, name in ((0, 1, names[0]), (-1, -2, names[1])):
        step = np.abs(route[towards] - route[end])
        half = np.array([CHARACTER_WIDTH / 2 * len(name) + 0.1, 0.16])
        inside = float(np.min(half / np.maximum(step, 1e-9)))
        route[end] += (route[towards] - route[end]) * min(0.45, inside)
    return route


def _smooth(route: NDArray[np.float64]) -> "Path":
    """A smooth curve through all points: Catmull–Rom, as cubic Bézier pieces."""
    from matplotlib.path import Path

    tangents = np.gradient(route, axis=0) if len(route) > 2 else np.diff(route, axis=0)[[0, 0]]
    vertices = [route[0]]
    for k in range(len(route) - 1):
        vertices += [route[k] + tangents[k] / 3, route[k + 1] - tangents[k + 1] / 3, route[k + 1]]
    codes = [Path.MOVETO] + [Path.CURVE4] * (len(vertices) - 1)
    return Path(np.array(vertices), codes)
