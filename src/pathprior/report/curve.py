"""Smooth curves along the routes of a layout, as cubic Bézier pieces."""

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.dag import Dag
from pathprior.report.layout import Layout

LAYER_HEIGHT = 0.75  # in units of one node spacing: names are wide, not high
CHARACTER_WIDTH = 0.08  # of one letter at eight points, in the same unit


def half_box(name: str) -> NDArray[np.float64]:
    """Half the width and height of the box around a name."""
    return np.array([CHARACTER_WIDTH / 2 * len(name) + 0.1, 0.16])


def page_scale(dag: Dag, layout: Layout) -> NDArray[np.float64]:
    """How wide and high to draw a layout: names that do not fit their room stretch it."""
    stretch = [
        (2 * float(half_box(name)[0]) + 0.1) / width
        for name, width in zip(dag.nodes, layout.widths, strict=True)
    ]
    return np.array([max(1.0, *stretch) if stretch else 1.0, LAYER_HEIGHT])


def shorten(route: NDArray[np.float64], names: tuple[str, str]) -> NDArray[np.float64]:
    """Cut both ends where the first and last pieces leave the boxes of the two names."""
    route = route.copy()
    for end, towards, name in ((0, 1, names[0]), (-1, -2, names[1])):
        step = np.abs(route[towards] - route[end])
        inside = float(np.min(half_box(name) / np.maximum(step, 1e-9)))
        route[end] += (route[towards] - route[end]) * min(0.45, inside)
    return route


def bezier(route: NDArray[np.float64]) -> NDArray[np.float64]:
    """Control points of a smooth curve through all points (Catmull–Rom): start, then threes."""
    tangents = np.gradient(route, axis=0) if len(route) > 2 else np.diff(route, axis=0)[[0, 0]]
    points = [route[0]]
    for k in range(len(route) - 1):
        points += [route[k] + tangents[k] / 3, route[k + 1] - tangents[k + 1] / 3, route[k + 1]]
    return np.array(points)
