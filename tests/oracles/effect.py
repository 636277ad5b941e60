"""Effects from their definition: the joint distribution with one factor left out."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from pathprior.network.network import BayesianNetwork


def effect(network: BayesianNetwork, x: int, y: int) -> NDArray[np.float64]:
    """P(y | do(x)): over all rows, the product of every node's probability but that of x."""
    sizes = [len(states) for states in network.states]
    result = np.zeros((sizes[x], sizes[y]))
    for row in product(*map(range, sizes)):
        weight = 1.0
        for v, table in enumerate(network.tables):
            if v != x:
                parents = np.flatnonzero(network.dag.adjacency[:, v])
                weight *= table[(*(row[u] for u in parents), row[v])]
        result[row[x], row[y]] += weight
    return result
