"""The moves between neighbouring equivalence classes, by listing DAGs."""

from itertools import combinations

import networkx as nx

from tests.oracles.equivalence import Edges, Signature, class_members, signature

Move = tuple[str, int, int, frozenset[int]]
"""Kind, x, y and the parents that y has apart from x in the DAG that is changed."""


def reachable_classes(edges: Edges, num_nodes: int) -> dict[Move, Signature]:
    """Every change of one edge of one member that leads to a DAG of another class.

    Different members may allow the same move; they must lead to the same class.
    """
    found: dict[Move, Signature] = {}
    own = signature(edges)
    for member in class_members(edges):
        for a, b in combinations(range(num_nodes), 2):
            for x, y in ((a, b), (b, a)):
                for kind, changed in _changes(member, x, y):
                    graph = nx.DiGraph(list(changed))
                    if not nx.is_directed_acyclic_graph(graph) or signature(changed) == own:
                        continue
                    others = frozenset(p for p, child in member if child == y and p != x)
                    move = (kind, x, y, others)
                    assert found.setdefault(move, signature(changed)) == signature(changed)
    return found


def _changes(member: Edges, x: int, y: int) -> list[tuple[str, Edges]]:
    if (x, y) in member:
        return [("remove", member - {(x, y)})]
    if (y, x) in member:
        return [("reverse", member - {(y, x)} | {(x, y)})]
    return [("insert", member | {(x, y)})]
