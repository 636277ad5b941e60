"""The part of a graph that makes a relation hold: what to light up for a belief."""

from dataclasses import dataclass

import numpy as np

from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag
from pathprior.graph.relation import Relation


@dataclass(frozen=True, slots=True)
class Connection:
    """The nodes and edges that connect two nodes; both empty for ⇎."""

    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]


def connect(dag: Dag, x: str, y: str) -> Connection:
    """Find all directed paths between x and y, or those from their nearest common causes.

    A common cause is nearest if none of its children is one too; every other common cause acts
    through such a one on at least one of the two.
    """
    # ancestry[v, u]: u is an ancestor of v or v itself
    ancestry = np.array([unpack_row(row, dag.num_nodes) for row in dag.ancestor_words])
    i, j = dag.index(x), dag.index(y)
    relation = dag.relation(x, y)
    if relation is Relation.CAUSES:
        legs = [(i, j)]
    elif relation is Relation.CAUSED_BY:
        legs = [(j, i)]
    else:
        common = ancestry[i] & ancestry[j]
        nearest = np.flatnonzero(common & ~(dag.adjacency & common).any(axis=1))
        legs = [(top, end) for top in nearest.tolist() for end in (i, j)]
    on_path = np.zeros_like(dag.adjacency)
    for start, end in legs:
        on_path |= dag.adjacency & np.outer(ancestry[:, start], ancestry[end])
    touched = np.flatnonzero(on_path.any(axis=0) | on_path.any(axis=1))
    return Connection(
        tuple(dag.nodes[v] for v in touched),
        tuple((dag.nodes[u], dag.nodes[v]) for u, v in np.argwhere(on_path)),
    )
