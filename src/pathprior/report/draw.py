"""A network on matplotlib axes: causes above effects, beliefs as bands behind the edges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.cpdag import Cpdag
from pathprior.graph.dag import Dag
from pathprior.report import style
from pathprior.report.curve import bezier, page_scale, shorten
from pathprior.report.layout import layered_layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path

MAX_LABEL = 60
"""Most letters of a name that are drawn."""


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
    scale = page_scale(dag, layout) * np.array([1.0, -1.0])  # matplotlib's y grows upwards
    points = layout.positions * scale
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
                path=_path(shorten(route * scale, edge)),
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
            _label(name),
            ha="center",
            va="center",
            fontsize=8,
            color=style.INK,
            parse_math=False,  # a name may hold dollar signs
            zorder=3,
            bbox={"boxstyle": "round,pad=0.3", "fc": style.PAPER, "ec": style.INK, "lw": 0.8},
        )
    if dag.num_nodes:
        low, high = points.min(axis=0), points.max(axis=0)
        ax.set_xlim(low[0] - 0.7, high[0] + 0.7)
        ax.set_ylim(low[1] - 0.5, high[1] + 0.5)
    ax.set_aspect("equal")
    return ax


def _label(name: str) -> str:
    """The name, or the beginning of one that would cover the others."""
    return name if len(name) <= MAX_LABEL else name[: MAX_LABEL - 1] + "…"


def _path(route: NDArray[np.float64]) -> "Path":
    from matplotlib.path import Path

    vertices = bezier(route)
    return Path(vertices, [Path.MOVETO] + [Path.CURVE4] * (len(vertices) - 1))
