"""The best DAG by the sum of its families' scores: its last node, then that of the rest, and on."""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.exact.families import find_best, squeeze, widen
from pathprior.kernels.inner import entry


@entry
def sum_best(tables: NDArray[np.float64], best: NDArray[np.float64]) -> None:
    """Fill in the best score of a DAG on each set of nodes, its parents within the set.

    best(S) = max over v ∈ S of best(S − v) + the best of v's sets within S − v: some v has no child
    (Silander and Myllymäki, 2006).
    """
    best[0] = 0.0
    for nodes in range(1, best.shape[0]):
        highest = -np.inf
        for v in range(tables.shape[0]):
            if (nodes >> v) & 1:
                rest = nodes ^ (1 << v)
                score = best[rest] + tables[v, squeeze(rest, v)]
                if score > highest:
                    highest = score
        best[nodes] = highest


@entry
def read_best(
    tables: NDArray[np.float64], best: NDArray[np.float64], parents: NDArray[np.int64]
) -> None:
    """Write the parent sets of a DAG with the best score."""
    nodes = best.shape[0] - 1
    for _ in range(tables.shape[0]):
        for v in range(tables.shape[0]):
            if (nodes >> v) & 1:
                rest = nodes ^ (1 << v)
                if best[rest] + tables[v, squeeze(rest, v)] == best[nodes]:
                    parents[v] = widen(find_best(tables[v], squeeze(rest, v)), v)
                    nodes = rest
                    break
