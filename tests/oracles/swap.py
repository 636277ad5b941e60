"""The best member of a Markov equivalence class by listing them all."""

from collections.abc import Callable, Sequence

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from tests.oracles.equivalence import Edges, class_members


def relation(edges: Edges, x: int, y: int) -> int:
    """Relation of (x, y) from the definition: 0 for ⇒, 1 for ⇐, 2 for ⇔, 3 for ⇎."""
    graph = nx.DiGraph(list(edges))
    graph.add_nodes_from((x, y))
    above_x, above_y = nx.ancestors(graph, x), nx.ancestors(graph, y)
    if x in above_y:
        return 0
    if y in above_x:
        return 1
    return 2 if above_x & above_y else 3


def log_prior(
    edges: Edges, pairs: Sequence[tuple[int, int]], log_weights: NDArray[np.float64]
) -> float:
    """Σ_k log_weights[k, relation of pair k]."""
    return float(sum(log_weights[k, relation(edges, x, y)] for k, (x, y) in enumerate(pairs)))


def best_log_prior(
    edges: Edges,
    pairs: Sequence[tuple[int, int]],
    log_weights: NDArray[np.float64],
    is_allowed: Callable[[Edges], bool],
) -> float:
    """Highest log prior over the members of the class of ``edges`` that are allowed."""
    return max(
        log_prior(member, pairs, log_weights)
        for member in class_members(edges)
        if is_allowed(member)
    )
