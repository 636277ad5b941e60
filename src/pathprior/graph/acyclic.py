"""Whether a matrix of edges has a cycle: an order of its nodes, or one cycle."""

from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray


def topological_order(adjacency: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Nodes, parents first, of several the smallest; fewer than all iff there is a cycle."""
    parents, all_children = np.nonzero(adjacency)  # by parent
    first = np.searchsorted(parents, np.arange(len(adjacency) + 1)).tolist()
    children = all_children.tolist()
    in_degree = adjacency.sum(axis=0).tolist()
    ready = [i for i, degree in enumerate(in_degree) if degree == 0]  # ascending, so a heap
    order: list[int] = []
    while ready:
        i = heappop(ready)
        order.append(i)
        for j in children[first[i] : first[i + 1]]:
            in_degree[j] -= 1
            if in_degree[j] == 0:
                heappush(ready, j)
    return np.array(order, dtype=np.int64)


def find_cycle(adjacency: NDArray[np.bool_], rest: NDArray[np.int64]) -> list[int]:
    """A cycle among ``rest``, the nodes that have no place in the order.

    Each of them has a parent in ``rest``, so walking to parents must come back.
    """
    walk: list[int] = [int(rest[0])]
    while True:
        parent = int(rest[np.flatnonzero(adjacency[rest, walk[-1]])[0]])
        if parent in walk:
            return walk[walk.index(parent) :][::-1]
        walk.append(parent)
