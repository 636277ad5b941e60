"""The moves between neighbouring equivalence classes, by listing DAGs."""

from collections.abc import Iterator
from itertools import combinations

import networkx as nx

from tests.oracles.equivalence import Signature, class_members, signature
from tests.oracles.graph import Edges

Move = tuple[str, int, int, frozenset[int]]
"""Kind, x, y and the parents that y has apart from x in the DAG that is changed."""


def reachable_classes(edges: Edges, num_nodes: int) -> dict[Move, Signature]:
    """Every change of one edge of one member that leads to a DAG of another class.

    Different members may allow the same move; they must lead to the same class.
    """
    found: dict[Move, Signature] = {}
    for member in class_members(edges):
        for kind, x, y, changed in _neighbours(member, signature(edges), num_nodes):
            others = frozenset(p for p, child in member if child == y and p != x)
            move = (kind, x, y, others)
            assert found.setdefault(move, signature(changed)) == signature(changed)
    return found


def changed_members(edges: Edges, num_nodes: int) -> list[tuple[str, int, int, Edges]]:
    """Kind, x, y and the DAG for every such change."""
    return [
        neighbour
        for member in class_members(edges)
        for neighbour in _neighbours(member, signature(edges), num_nodes)
    ]


def _neighbours(
    member: Edges, own: Signature, num_nodes: int
) -> Iterator[tuple[str, int, int, Edges]]:
    """The changes of one edge that lead to a DAG of another class than ``own``."""
    for a, b in combinations(range(num_nodes), 2):
        for x, y in ((a, b), (b, a)):
            for kind, changed in _changes(member, x, y):
                graph = nx.DiGraph(list(changed))
                if nx.is_directed_acyclic_graph(graph) and signature(changed) != own:
                    yield kind, x, y, changed


def _changes(member: Edges, x: int, y: int) -> list[tuple[str, Edges]]:
    if (x, y) in member:
        return [("remove", member - {(x, y)})]
    if (y, x) in member:
        return [("reverse", member - {(y, x)} | {(x, y)})]
    return [("insert", member | {(x, y)})]
