"""Clusters of nodes in which every node has a parent, as far as fractions of families go.

In each set of nodes of a DAG some node has no parent within it. So the families without parents in
a cluster C, of the nodes of C, must come to one in all. Fractions of families that come to less
violate C (Jaakkola et al., 2010).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.inner import entry, inner

LEAST_VIOLATION = 1e-4
"""By how much the families must fall short of one."""


@inner
def weigh_cluster(
    children: NDArray[np.int64],
    sets: NDArray[np.int64],
    fractions: NDArray[np.float64],
    cluster: int,
) -> float:
    """How many of the cluster's families have no parent within it."""
    total = 0.0
    for i in range(sets.shape[0]):
        if (cluster >> children[i]) & 1 and sets[i] & cluster == 0:
            total += fractions[i]
    return total


@inner
def lighten(
    children: NDArray[np.int64],
    sets: NDArray[np.int64],
    fractions: NDArray[np.float64],
    num_nodes: int,
    cluster: int,
) -> tuple[int, float]:
    """Add or remove the node that lightens a cluster most, until none does."""
    weight = weigh_cluster(children, sets, fractions, cluster)
    while True:
        best, changed = weight - LEAST_VIOLATION / 100, cluster
        for v in range(num_nodes):
            other: Any = cluster ^ (np.int64(1) << v)
            if other & (other - 1):  # two nodes at least
                found = weigh_cluster(children, sets, fractions, other)
                if found < best:
                    best, changed = found, other
        if changed == cluster:
            return cluster, weight
        cluster, weight = changed, best


@entry
def find_clusters(
    children: NDArray[np.int64],
    sets: NDArray[np.int64],
    fractions: NDArray[np.float64],
    num_nodes: int,
    clusters: NDArray[np.int64],
    weights: NDArray[np.float64],
) -> int:
    """Write violated clusters that are near an edge, each once; return how many.

    ``children``, ``sets`` and ``fractions`` are the families that are not zero. There may be
    violated ones that are not found.
    """
    count = 0
    for i in range(sets.shape[0]):
        for v in range(num_nodes):
            if not (sets[i] >> v) & 1 or count == clusters.shape[0]:
                continue
            pair = (np.int64(1) << children[i]) | (np.int64(1) << v)
            cluster, weight = lighten(children, sets, fractions, num_nodes, pair)
            if weight < 1.0 - LEAST_VIOLATION:
                is_new = True
                for j in range(count):
                    is_new &= clusters[j] != cluster
                if is_new:
                    clusters[count], weights[count] = cluster, weight
                    count += 1
    return count
