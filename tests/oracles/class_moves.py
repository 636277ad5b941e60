"""The moves between neighbouring equivalence classes, by listing DAGs."""

from collections.abc import Iterator
from itertools import combinations

import networkx as nx

from tests.oracles.equivalence import Signature
from tests.oracles.graph import Edges
from tests.oracles.interventional import Family, members_under, signatures

OBSERVED: Family = (frozenset(),)
"""No experiments."""

Move = tuple[str, int, int, frozenset[int]]
"""Kind, x, y and the parents that y has apart from x in the DAG that is changed."""


def reachable_classes(
    edges: Edges, num_nodes: int, family: Family = OBSERVED
) -> dict[Move, tuple[Signature, ...]]:
    """Every change of one edge of one member that leads to a DAG of another class.

    Different members may allow the same move; they must lead to the same class.
    """
    found: dict[Move, tuple[Signature, ...]] = {}
    for member in members_under(edges, family):
        for kind, x, y, changed in _neighbours(member, family, num_nodes):
            others = frozenset(p for p, child in member if child == y and p != x)
            there = signatures(changed, family)
            assert found.setdefault((kind, x, y, others), there) == there
    return found


def changed_members(
    edges: Edges, num_nodes: int, family: Family = OBSERVED
) -> list[tuple[str, int, int, Edges]]:
    """Kind, x, y and the DAG for every such change."""
    return [
        neighbour
        for member in members_under(edges, family)
        for neighbour in _neighbours(member, family, num_nodes)
    ]


def _neighbours(
    member: Edges, family: Family, num_nodes: int
) -> Iterator[tuple[str, int, int, Edges]]:
    """The changes of one edge that lead to a DAG of another class than that of ``member``."""
    own = signatures(member, family)
    for a, b in combinations(range(num_nodes), 2):
        for x, y in ((a, b), (b, a)):
            for kind, changed in _changes(member, x, y):
                graph = nx.DiGraph(list(changed))
                if nx.is_directed_acyclic_graph(graph) and signatures(changed, family) != own:
                    yield kind, x, y, changed


def _changes(member: Edges, x: int, y: int) -> list[tuple[str, Edges]]:
    if (x, y) in member:
        return [("remove", member - {(x, y)})]
    if (y, x) in member:
        return [("reverse", member - {(y, x)} | {(x, y)})]
    return [("insert", member | {(x, y)})]
