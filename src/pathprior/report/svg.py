"""A graph as a small inline SVG, for notebooks."""

from collections.abc import Mapping
from html import escape

import numpy as np

from pathprior.graph.cpdag import Cpdag
from pathprior.graph.dag import Dag
from pathprior.report import style
from pathprior.report.curve import bezier, half_box, page_scale, shorten
from pathprior.report.layout import layered_layout

UNIT = 88
"""Pixels of one node spacing."""


def dag_svg(
    dag: Dag,
    *,
    cpdag: Cpdag | None = None,
    edge_colours: Mapping[tuple[str, str], str] | None = None,
) -> str:
    """Draw ``dag`` as SVG text, as `draw_dag` does on axes.

    Parameters
    ----------
    cpdag
        Its class; edges that the class leaves open are dashed.
    edge_colours
        Colour of an edge (parent, child); edges not named are dark.
    """
    layout = layered_layout(dag)
    scale = page_scale(dag, layout)
    points = layout.positions * scale
    boxes = np.array([half_box(name) for name in dag.nodes]).reshape(-1, 2)
    curves = [
        bezier(shorten(route * scale, (dag.nodes[i], dag.nodes[j])))
        for (i, j), route in layout.routes.items()
    ]
    drawn = np.concatenate([points - boxes, points + boxes, *curves])  # edges may pass outside
    low, high = drawn.min(axis=0, initial=0.0) - 0.1, drawn.max(axis=0, initial=0.0) + 0.1
    undirected = {frozenset(edge) for edge in cpdag.undirected_edges} if cpdag else set()
    colours = edge_colours or {}
    lines = []
    for (i, j), curve in zip(layout.routes, curves, strict=True):
        edge = (dag.nodes[i], dag.nodes[j])
        numbers = [f"{x:.1f},{y:.1f}" for x, y in curve * UNIT]
        dashed = ' stroke-dasharray="6 4"' if frozenset(edge) in undirected else ""
        colour = colours.get(edge, style.INK)
        lines.append(
            f'<path d="M{numbers[0]} C{" ".join(numbers[1:])}" fill="none" stroke="{colour}" '
            f'stroke-width="1.6"{dashed}/>{_arrowhead(curve * UNIT, colour)}'
        )
    for name, (x, y), (half_x, half_y) in zip(dag.nodes, points, boxes, strict=True):
        lines.append(
            f'<rect x="{(x - half_x) * UNIT:.1f}" y="{(y - half_y) * UNIT:.1f}" '
            f'width="{2 * half_x * UNIT:.1f}" height="{2 * half_y * UNIT:.1f}" rx="6" '
            f'fill="{style.PAPER}" stroke="{style.INK}"/>'
            f'<text x="{x * UNIT:.1f}" y="{y * UNIT:.1f}" dy="0.35em" text-anchor="middle" '
            f'fill="{style.INK}">{escape(name)}</text>'
        )
    left, top = low * UNIT
    width, height = (high - low) * UNIT
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(repr(dag))}" '
        f'viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}" width="{width:.0f}" '
        f'style="max-width: 100%; height: auto; background: {style.PAPER}" '
        f'font-family="sans-serif" font-size="11">{"".join(lines)}</svg>'
    )


def _arrowhead(curve: np.ndarray, colour: str) -> str:
    """A triangle at the end of the curve, along its last tangent."""
    along = curve[-1] - curve[-2]
    along = along / max(float(np.hypot(*along)), 1e-9)
    across = np.array([-along[1], along[0]])
    corners = (
        curve[-1],
        curve[-1] - 8 * along + 3.2 * across,
        curve[-1] - 8 * along - 3.2 * across,
    )
    listed = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return f'<polygon points="{listed}" fill="{colour}"/>'
