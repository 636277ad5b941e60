"""Layered drawing of a DAG: causes above effects, few crossings, straight long edges.

The scheme of Sugiyama, Tagawa and Toda (1981): layers, dummy nodes on long edges, barycentre sweeps
against crossings, then coordinates. Very wide layers are staggered over several rows.
Deterministic: ties keep the order of the nodes.
"""

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.dag import Dag

NUM_SWEEPS = 24
NUM_COORDINATE_SWEEPS = 30
DUMMY_WIDTH, CROWDED_WIDTH = 0.35, 0.12
"""Room for an edge that passes a layer, in node spacings; the latter where layers are staggered."""
LEAST_WIDTH, WIDTH_GROWTH = 8, 1.2
"""A layer of more than the former, and than the latter times √nodes, is staggered."""
LONGEST = 18
"""Letters beyond which a name takes no more room: the report cuts it."""
MARGIN = 3.5
"""Letters that would fit between a name and its neighbours."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where to draw what, in units of one node spacing; y grows downwards, layer by layer.

    Attributes
    ----------
    positions
        ``positions[i]`` is (x, y) of node i.
    widths
        Room for the name of each node, 1 for the longest: neighbours are (w_i + w_j) / 2 apart.
    routes
        ``routes[i, j]``: the points an edge i → j passes, both ends included.
    """

    positions: NDArray[np.float64]
    widths: NDArray[np.float64]
    routes: dict[tuple[int, int], NDArray[np.float64]]


def layered_layout(dag: Dag) -> Layout:
    """Place the nodes of ``dag`` in layers; about O((nodes + dummies) · sweeps · log)."""
    if dag.num_nodes == 0:
        return Layout(np.zeros((0, 2)), np.zeros(0), {})
    layer = _assign_layers(dag)
    sketch = _order(dag, layer, {})
    rows, keys = _stagger(dag, layer, sketch)
    is_staggered = rows != layer
    ordered = _order(dag, rows, keys) if is_staggered else sketch
    widths = _widths(dag.nodes)
    x = _coordinates(ordered, widths, CROWDED_WIDTH if is_staggered else DUMMY_WIDTH)
    points = np.column_stack([x, np.array(ordered.layer_of, dtype=float)])
    return Layout(
        points[: dag.num_nodes],
        widths,
        {edge: points[list(chain)] for edge, chain in ordered.chains.items()},
    )


@dataclass(frozen=True, slots=True)
class _Ordered:
    """Nodes and dummies, layer by layer from left to right.

    Attributes
    ----------
    chains
        Each edge as nodes, one per layer; dummies are numbered after the real nodes.
    layer_of
        Of nodes and dummies.
    above, below
        Neighbours in the layers before and after.
    layers
        The members of each.
    """

    chains: dict[tuple[int, int], list[int]]
    layer_of: list[int]
    above: list[list[int]]
    below: list[list[int]]
    layers: list[list[int]]


def _order(dag: Dag, layer: list[int], keys: dict[tuple[int, int, int], float]) -> _Ordered:
    """Split long edges and order each layer; to begin with by ``keys``, see `_stagger`."""
    chains, layer_of = _split_long_edges(dag, layer)
    above: list[list[int]] = [[] for _ in layer_of]
    below: list[list[int]] = [[] for _ in layer_of]
    for chain in chains.values():
        for a, b in pairwise(chain):
            below[a].append(b)
            above[b].append(a)
    layers: list[list[int]] = [[] for _ in range(max(layer_of) + 1)]
    for v, depth in enumerate(layer_of):
        layers[depth].append(v)
    if keys:
        place = {v: keys[v, v, layer_of[v]] for v in range(dag.num_nodes)}
        for (i, j), chain in chains.items():
            place |= {v: keys[i, j, layer_of[v]] for v in chain[1:-1]}
        for row in layers:
            row.sort(key=place.__getitem__)
    return _Ordered(chains, layer_of, above, below, _reduce_crossings(layers, above, below))


def _stagger(
    dag: Dag, layer: list[int], sketch: _Ordered
) -> tuple[list[int], dict[tuple[int, int, int], float]]:
    """Spread the nodes of each wide layer over as many rows as make it narrow, each in turn.

    Returns the rows, and keys: where from the left, by the sketch, a node v stands,
    ``[v, v, row]``, and an edge passes each row, ``[i, j, row]``.
    """
    most = max(LEAST_WIDTH, ceil(WIDTH_GROWTH * sqrt(dag.num_nodes)))
    rows, parts, first = list(layer), [], 0
    place = {v: float(k) for members in sketch.layers for k, v in enumerate(members)}
    for members in sketch.layers:
        nodes = [v for v in members if v < dag.num_nodes]
        num_rows = max(1, ceil(len(nodes) / most))
        for k, v in enumerate(nodes):
            rows[v] = first + k % num_rows
        parts.append(range(first, first + num_rows))
        first += num_rows
    keys = {(v, v, rows[v]): place[v] for v in range(dag.num_nodes)}
    for edge, chain in sketch.chains.items():
        for v in chain:
            keys |= {(*edge, row): place[v] for row in parts[sketch.layer_of[v]]}
    return rows, keys


def _widths(names: tuple[str, ...]) -> NDArray[np.float64]:
    letters = np.array([min(len(name), LONGEST) + MARGIN for name in names])
    return np.asarray(letters / letters.max())


def _assign_layers(dag: Dag) -> list[int]:
    """Layers with the smallest total edge length: min Σ (l_j − l_i) with l_j − l_i ≥ 1, l ≥ 0.

    The constraint matrix is totally unimodular, so the linear programme has whole-number vertices.
    Nodes without edges fill rows of their own below, no wider than the widest layer.
    """
    from scipy.optimize import linprog

    parents, children = np.nonzero(dag.adjacency)
    layer = np.zeros(dag.num_nodes, dtype=np.int64)
    if len(parents):
        edges = np.arange(len(parents))
        steps = np.zeros((len(parents), dag.num_nodes))
        steps[edges, parents], steps[edges, children] = 1, -1
        solution = linprog(
            -steps.sum(axis=0), A_ub=steps, b_ub=-np.ones(len(parents)), method="highs-ds"
        )
        assert solution.x is not None  # every DAG has layers
        layer = np.rint(solution.x).astype(np.int64)
    isolated = np.flatnonzero(~(dag.adjacency.any(axis=0) | dag.adjacency.any(axis=1)))
    linked = np.setdiff1d(np.arange(dag.num_nodes), isolated)
    widest = max(6, int(np.bincount(layer[linked]).max())) if len(linked) else 6
    first = int(layer[linked].max()) + 1 if len(linked) else 0
    layer[isolated] = first + np.arange(len(isolated)) // widest
    return [int(depth) for depth in layer]


def _split_long_edges(
    dag: Dag, layer: list[int]
) -> tuple[dict[tuple[int, int], list[int]], list[int]]:
    """Each edge as a chain of nodes, one per layer; dummies are numbered after the real nodes."""
    layer_of = list(layer)
    chains: dict[tuple[int, int], list[int]] = {}
    for i, j in np.argwhere(dag.adjacency).tolist():
        first = len(layer_of)
        layer_of.extend(range(layer[i] + 1, layer[j]))
        chains[i, j] = [i, *range(first, len(layer_of)), j]
    return chains, layer_of


def _reduce_crossings(
    layers: list[list[int]], above: list[list[int]], below: list[list[int]]
) -> list[list[int]]:
    """Sort layers by the mean position of their neighbours, down and up; keep the best seen."""
    best, fewest = [list(row) for row in layers], _count_crossings(layers, below)
    current = [list(row) for row in layers]
    for sweep in range(NUM_SWEEPS):
        down = sweep % 2 == 0
        neighbours = above if down else below
        rows = range(1, len(current)) if down else range(len(current) - 2, -1, -1)
        for depth in rows:
            other = current[depth - 1 if down else depth + 1]
            position = {v: k for k, v in enumerate(other)}
            # a node without neighbours there keeps its place
            centre = {
                v: _mean([position[u] for u in neighbours[v]]) if neighbours[v] else k
                for k, v in enumerate(current[depth])
            }
            current[depth].sort(key=centre.__getitem__)
        crossings = _count_crossings(current, below)
        if crossings < fewest:
            best, fewest = [list(row) for row in current], crossings
    return best


def _mean(numbers: Sequence[float]) -> float:
    """Of a few numbers, where numpy would take longer."""
    return sum(numbers) / len(numbers)


def _count_crossings(layers: list[list[int]], below: list[list[int]]) -> int:
    """Inversions among the edge ends of neighbouring layers."""
    total = 0
    for upper, lower in pairwise(layers):
        position = {v: k for k, v in enumerate(lower)}
        seen: list[int] = []
        for v in upper:
            ends = sorted(position[w] for w in below[v])
            total += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _coordinates(
    ordered: _Ordered, widths: NDArray[np.float64], dummy_width: float
) -> NDArray[np.float64]:
    """Pull nodes towards their neighbours' mean, keeping order and distance within a layer.

    Per layer: min Σ (x_v − target_v)² subject to x_next − x ≥ gap, which after subtracting the
    cumulated gaps is isotonic regression.
    """
    from scipy.optimize import isotonic_regression

    layers, above, below = ordered.layers, ordered.above, ordered.below
    x: NDArray[np.float64] = np.zeros(len(above))
    is_dummy = np.arange(len(above)) >= len(widths)
    room = np.concatenate([widths, np.full(int(is_dummy.sum()), dummy_width)])
    offsets = []
    for row in layers:
        gaps = np.concatenate([[0.0], (room[row][:-1] + room[row][1:]) / 2])
        offsets.append(np.cumsum(gaps))
        x[row] = offsets[-1] - offsets[-1][-1] / 2
    for sweep in range(NUM_COORDINATE_SWEEPS):
        order = range(len(layers)) if sweep % 2 == 0 else range(len(layers) - 1, -1, -1)
        for depth in order:
            row = layers[depth]
            at = x.tolist()
            target = np.array(
                [
                    _mean([at[u] for u in near]) if (near := above[v] + below[v]) else at[v]
                    for v in row
                ]
            )
            # straight long edges matter more than centred nodes
            weight = np.where(is_dummy[row], 4.0, 1.0)
            fitted = isotonic_regression(target - offsets[depth], weights=weight)
            x[row] = fitted.x + offsets[depth]
    _centre_rows_without_edges(x, layers, above, below)
    x -= x.min()
    return x


def _centre_rows_without_edges(
    x: NDArray[np.float64],
    layers: list[list[int]],
    above: list[list[int]],
    below: list[list[int]],
) -> None:
    """Put nodes that nothing pulls below the middle of those that something does."""
    linked = [v for row in layers for v in row if above[v] or below[v]]
    if not linked:
        return
    middle = (x[linked].min() + x[linked].max()) / 2
    for row in layers:
        if not any(above[v] or below[v] for v in row):
            x[row] += middle - (x[row[0]] + x[row[-1]]) / 2
