"""Markov equivalence by listing all DAGs: skeleton and v-structures, nothing clever."""

from collections import defaultdict
from functools import cache
from itertools import product

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from tests.oracles.graph import Edges, all_dags, edge_set

Signature = tuple[frozenset[frozenset[int]], frozenset[tuple[frozenset[int], int]]]


def signature(edges: Edges) -> Signature:
    """Skeleton and v-structures: equal iff the DAGs are Markov equivalent (Verma and Pearl)."""
    skeleton = frozenset(frozenset(edge) for edge in edges)
    colliders = frozenset(
        (frozenset((a, b)), child)
        for a, child in edges
        for b, other in edges
        if child == other and a != b and frozenset((a, b)) not in skeleton
    )
    return skeleton, colliders


@cache
def all_classes(num_nodes: int) -> dict[Signature, tuple[Edges, ...]]:
    """All DAGs on ``num_nodes`` nodes, grouped into Markov equivalence classes."""
    groups: dict[Signature, list[Edges]] = defaultdict(list)
    for dag in all_dags(num_nodes):
        groups[signature(edge_set(dag))].append(edge_set(dag))
    return {key: tuple(members) for key, members in groups.items()}


def class_members(edges: Edges) -> tuple[Edges, ...]:
    """All DAGs equivalent to ``edges``: every orientation of its skeleton that passes."""
    free = sorted(edges)
    members = []
    for flips in product((False, True), repeat=len(free)):
        other = frozenset(
            (j, i) if flip else (i, j) for (i, j), flip in zip(free, flips, strict=True)
        )
        is_acyclic = nx.is_directed_acyclic_graph(nx.DiGraph(list(other)))
        if is_acyclic and signature(other) == signature(edges):
            members.append(other)
    return tuple(members)


def extensions(matrix: NDArray[np.bool_]) -> tuple[Edges, ...]:
    """All DAGs with the skeleton, directed edges and v-structures of a partially directed graph."""
    stated = frozenset((int(i), int(j)) for i, j in np.argwhere(matrix & ~matrix.T))
    skeleton = frozenset(frozenset((int(i), int(j))) for i, j in np.argwhere(matrix | matrix.T))
    colliders = frozenset(
        (frozenset((a, b)), child)
        for a, child in stated
        for b, other in stated
        if child == other and a != b and frozenset((a, b)) not in skeleton
    )
    candidates = all_classes(len(matrix)).get((skeleton, colliders), ())
    return tuple(edges for edges in candidates if stated <= edges)


def union_matrix(members: tuple[Edges, ...], num_nodes: int) -> NDArray[np.bool_]:
    """CPDAG by definition: i → j present iff some member has it."""
    matrix = np.zeros((num_nodes, num_nodes), dtype=bool)
    for edges in members:
        for i, j in edges:
            matrix[i, j] = True
    return matrix
