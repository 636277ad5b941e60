"""Graphs from their definitions: reachability by repeated search, relations by ancestor sets."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

BoolMatrix = NDArray[np.bool_]


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
    below = [reaches(adjacency, i) for i in range(len(adjacency))]
    return [{i for i in range(len(adjacency)) if v in below[i]} for v in range(len(adjacency))]


def relation(adjacency: BoolMatrix, x: int, y: int) -> int:
    """The paper's §3: 0 for ⇒, 1 for ⇐, 2 for ⇔, 3 for ⇎."""
    ancestors = ancestor_sets(adjacency)
    if x in ancestors[y]:
        return 0
    if y in ancestors[x]:
        return 1
    return 2 if ancestors[x] & ancestors[y] else 3


def is_acyclic(adjacency: BoolMatrix) -> bool:
    """Whether no node reaches itself along at least one edge."""
    return not any(
        i in reaches(adjacency, j)
        for i in range(len(adjacency))
        for j in range(len(adjacency))
        if adjacency[i, j]
    )


def all_dags(num_nodes: int) -> list[BoolMatrix]:
    """Every DAG on ``num_nodes`` ≤ 4 labelled nodes, by trying all directed graphs."""
    cells = [(i, j) for i in range(num_nodes) for j in range(num_nodes) if i != j]
    found = []
    for bits in product((False, True), repeat=len(cells)):
        adjacency = np.zeros((num_nodes, num_nodes), dtype=bool)
        for (i, j), bit in zip(cells, bits, strict=True):
            adjacency[i, j] = bit
        if is_acyclic(adjacency):
            found.append(adjacency)
    return found
