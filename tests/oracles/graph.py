"""Graphs from their definitions: reachability by repeated search, relations by ancestor sets."""

from functools import cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

BoolMatrix = NDArray[np.bool_]
Edge = tuple[int, int]
Edges = frozenset[Edge]


def reaches(adjacency: BoolMatrix, source: int) -> set[int]:
    """Nodes on some directed path from ``source``, with ``source`` itself."""
    seen = {source}
    todo = [source]
    while todo:
        i = todo.pop()
        for j in range(len(adjacency)):
            if adjacency[i, j] and j not in seen:
                seen.add(j)
                todo.append(j)
    return seen


def ancestor_sets(adjacency: BoolMatrix) -> list[set[int]]:
    """Ancestors of every node, the node itself included."""
    return [reaches(adjacency.T, v) for v in range(len(adjacency))]


def relation(adjacency: BoolMatrix, x: int, y: int) -> int:
    """The paper's §3: 0 for ⇒, 1 for ⇐, 2 for ⇔, 3 for ⇎."""
    above_x, above_y = reaches(adjacency.T, x), reaches(adjacency.T, y)
    if x in above_y:
        return 0
    if y in above_x:
        return 1
    return 2 if above_x & above_y else 3


def is_acyclic(adjacency: BoolMatrix) -> bool:
    """Whether no node reaches itself along at least one edge."""
    return not any(
        i in reaches(adjacency, j)
        for i in range(len(adjacency))
        for j in range(len(adjacency))
        if adjacency[i, j]
    )


@cache
def all_dags(num_nodes: int) -> tuple[BoolMatrix, ...]:
    """Every DAG on ``num_nodes`` ≤ 5 labelled nodes: for each pair no edge, → or ←; no cycle."""
    pairs = list(combinations(range(num_nodes), 2))
    found = []
    for choice in product(((), (0, 1), (1, 0)), repeat=len(pairs)):
        edges = frozenset(
            (pair[ends[0]], pair[ends[1]]) for pair, ends in zip(pairs, choice, strict=True) if ends
        )
        adjacency = edge_matrix(edges, num_nodes)
        adjacency.flags.writeable = False
        if is_acyclic(adjacency):
            found.append(adjacency)
    return tuple(found)


def edge_set(adjacency: BoolMatrix) -> Edges:
    """The edges of a graph as pairs (parent, child)."""
    return frozenset((int(i), int(j)) for i, j in np.argwhere(adjacency))


def edge_matrix(edges: Edges, num_nodes: int) -> BoolMatrix:
    """The graph with the given edges."""
    adjacency = np.zeros((num_nodes, num_nodes), dtype=bool)
    for i, j in edges:
        adjacency[i, j] = True
    return adjacency
