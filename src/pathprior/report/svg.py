"""A graph as a small inline SVG, for notebooks."""

from collections.abc import Collection, Mapping
from html import escape

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.cpdag import Cpdag
from pathprior.graph.dag import Dag
from pathprior.report import style
from pathprior.report.picture import LETTER_HEIGHT, Picture, arrowhead, make_picture

UNIT = 88
"""Pixels of one node spacing."""


def dag_svg(
    dag: Dag,
    *,
    open_edges: Collection[tuple[str, str]] = (),
    edge_colours: Mapping[tuple[str, str], str] | None = None,
) -> str:
    """Draw ``dag`` as SVG text, as `draw_dag` does on axes.

    Parameters
    ----------
    open_edges
        Those that could be turned; they are dashed.
    edge_colours
        Colour of an edge (parent, child); edges not named are dark.
    """
    picture = make_picture(dag)
    colours = edge_colours or {}
    lines = []
    for (i, j), curve in picture.curves.items():
        edge = (dag.nodes[i], dag.nodes[j])
        colour = colours.get(edge, style.INK)
        dash = ' stroke-dasharray="6 4"' if edge in open_edges else ""
        lines.append(_curve(curve, colour, dash) + _arrowhead(curve, colour))
    return _page(picture, lines, title=repr(dag))


def cpdag_svg(cpdag: Cpdag) -> str:
    """Draw a class as SVG text: an arrow where all members agree, a plain line elsewhere."""
    member = cpdag.to_dag()
    picture = make_picture(member)
    undirected = {frozenset(edge) for edge in cpdag.undirected_edges}
    lines = []
    for (i, j), curve in picture.curves.items():
        is_open = frozenset((member.nodes[i], member.nodes[j])) in undirected
        head = "" if is_open else _arrowhead(curve, style.INK)
        lines.append(_curve(curve, style.INK) + head)
    return _page(picture, lines, title=repr(cpdag))


def _page(picture: Picture, edges: list[str], *, title: str) -> str:
    boxes = [
        f'<rect x="{x - half_x:.1f}" y="{y - half_y:.1f}" '
        f'width="{2 * half_x:.1f}" height="{2 * half_y:.1f}" rx="6" '
        f'fill="{style.PAPER}" stroke="{style.INK}"/>'
        f'<text x="{x:.1f}" y="{y:.1f}" dy="0.35em" text-anchor="middle" '
        f'fill="{style.INK}">{escape(label)}</text>'
        for label, (x, y), (half_x, half_y) in zip(
            picture.labels, picture.centres * UNIT, picture.half_boxes * UNIT, strict=True
        )
    ]
    left, top = picture.low * UNIT
    width, height = (picture.high - picture.low) * UNIT
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" '
        f'viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}" width="{width:.0f}" '
        f'style="max-width: 100%; height: auto; background: {style.PAPER}" '
        f'font-family="sans-serif" font-size="{LETTER_HEIGHT * UNIT:g}">'
        f"{''.join(edges)}{''.join(boxes)}</svg>"
    )


def _curve(curve: NDArray[np.float64], colour: str, dash: str = "") -> str:
    start, *rest = _numbers(curve)
    return (
        f'<path d="M{start} C{" ".join(rest)}" fill="none" stroke="{colour}" '
        f'stroke-width="1.6"{dash}/>'
    )


def _arrowhead(curve: NDArray[np.float64], colour: str) -> str:
    return f'<polygon points="{" ".join(_numbers(arrowhead(curve)))}" fill="{colour}"/>'


def _numbers(points: NDArray[np.float64]) -> list[str]:
    return [f"{x:.1f},{y:.1f}" for x, y in points * UNIT]
