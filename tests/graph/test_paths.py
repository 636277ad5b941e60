from itertools import pairwise

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from pathprior import Dag, Relation
from pathprior.graph.paths import connect
from tests.strategies import dags


def edges_between(graph, start, end):
    """Edges of all directed paths, one path after the other."""
    return {edge for path in nx.all_simple_paths(graph, start, end) for edge in pairwise(path)}


@given(dags(min_nodes=2, max_nodes=7), st.data())
def test_the_paths_are_those_of_the_relation(dag, data):
    x, y = data.draw(st.permutations(dag.nodes))[:2]
    graph, relation = dag.to_networkx(), dag.relation(x, y)
    found = connect(dag, x, y)
    if relation in (Relation.CAUSES, Relation.CAUSED_BY):
        start, end = (x, y) if relation is Relation.CAUSES else (y, x)
        expected = edges_between(graph, start, end)
    else:
        common = nx.ancestors(graph, x) & nx.ancestors(graph, y)
        tops = [c for c in common if not common & nx.descendants(graph, c)]
        expected = set().union(*(edges_between(graph, c, end) for c in tops for end in (x, y)))
    assert set(found.edges) == expected
    assert set(found.nodes) == {node for edge in expected for node in edge}
    assert bool(found.edges) == (relation is not Relation.UNRELATED)


def test_the_nearest_common_cause_is_enough():
    dag = Dag.from_edges("rcxy", [("r", "c"), ("c", "x"), ("c", "y")])
    assert connect(dag, "x", "y").edges == (("c", "x"), ("c", "y"))
