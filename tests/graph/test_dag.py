from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from pathprior import Dag, Relation
from pathprior.errors import GraphError, PathPriorError
from tests.oracles import graph as oracle
from tests.strategies import dags


def test_reads_as_built():
    dag = Dag.from_edges(["x", "y", "z", "w"], [("x", "y"), ("y", "z")])
    assert dag.nodes == ("x", "y", "z", "w")
    assert dag.edges == (("x", "y"), ("y", "z"))
    assert dag.parents("y") == ("x",)
    assert dag.children("y") == ("z",)
    assert dag.ancestors("z") == ("x", "y")
    assert dag.topological_order == ("x", "y", "z", "w")
    assert dag.relation("x", "z") is Relation.CAUSES
    assert dag.relation("z", "x") is Relation.CAUSED_BY
    assert dag.relation("x", "w") is Relation.UNRELATED


def test_common_ancestor_is_confounding():
    dag = Dag.from_edges("xyz", [("z", "x"), ("z", "y")])
    assert dag.relation("x", "y") is Relation.CONFOUNDED


def test_no_nodes_is_a_graph():
    assert Dag.from_edges([]).edges == ()


def test_is_immutable():
    dag = Dag.from_edges("xy", [("x", "y")])
    with pytest.raises(ValueError, match="read-only"):
        dag.adjacency[0, 1] = False
    with pytest.raises(AttributeError):
        dag.nodes = ("a", "b")  # type: ignore[misc]


def test_equal_graphs_hash_alike():
    a = Dag.from_edges("xyz", [("x", "y"), ("y", "z")])
    b = Dag.from_edges("xyz", [("y", "z"), ("x", "y")])
    assert a == b
    assert hash(a) == hash(b)
    assert a != Dag.from_edges("xyz", [("x", "y")])
    assert a.reorder("zyx").edges == (("y", "z"), ("x", "y"))
    assert a.reorder("zyx").reorder("xyz") == a


@pytest.mark.parametrize(
    ("nodes", "edges", "message"),
    [
        (
            "xyz",
            [("x", "y"), ("y", "z"), ("z", "x")],
            r"cycle: (x → y → z → x|y → z → x → y|z → x)",
        ),
        (["smoking", "exercise"], [("smokin", "exercise")], "'smokin'; did you mean 'smoking'"),
        ("xy", [("x", "q")], "unknown node 'q'"),
        ("xy", [("x", "y"), ("x", "y")], "duplicate edge 'x' → 'y'"),
        ("xy", [("x", "x")], "self edge 'x' → 'x'"),
        ("xyx", [], "duplicate node 'x'"),
        (["x", ""], [], "non-empty string, not ''"),
        (["x", 3], [], "non-empty string, not 3"),
        ("xy", ["x"], r"a pair \(parent, child\), not 'x'"),
    ],
)
def test_refuses_and_names(nodes, edges, message):
    with pytest.raises(GraphError, match=message) as caught:
        Dag.from_edges(nodes, edges)
    assert isinstance(caught.value, PathPriorError)


def test_relation_of_a_node_with_itself_is_refused():
    with pytest.raises(GraphError, match="two different nodes, not 'x' twice"):
        Dag.from_edges("xy").relation("x", "x")


def test_wrong_shape_is_refused():
    with pytest.raises(GraphError, match=r"shape \(3, 3\); 2 nodes need \(2, 2\)"):
        Dag(("x", "y"), np.zeros((3, 3), dtype=bool))


def test_undirected_networkx_is_refused():
    with pytest.raises(GraphError, match="undirected"):
        Dag.from_networkx(nx.Graph([("x", "y")]))


@given(dags(max_nodes=8))
def test_networkx_round_trip(dag):
    graph = dag.to_networkx()
    assert Dag.from_networkx(graph) == dag
    assert set(graph.edges) == set(dag.edges)


@given(dags(min_nodes=2, max_nodes=8))
def test_relations_match_the_definition(dag):
    for i, x in enumerate(dag.nodes):
        for j, y in enumerate(dag.nodes):
            if i != j:
                assert dag.relation(x, y) == oracle.relation(dag.adjacency, i, j)
                assert dag.relation(y, x) == dag.relation(x, y).reverse


@given(dags(max_nodes=10))
def test_topological_order_puts_parents_first(dag):
    position = {node: k for k, node in enumerate(dag.topological_order)}
    assert len(position) == dag.num_nodes
    assert all(position[parent] < position[child] for parent, child in dag.edges)


@pytest.mark.parametrize("num_nodes", [63, 64, 65, 130])
def test_chain_across_word_boundaries(num_nodes):
    nodes = [f"v{i}" for i in range(num_nodes)]
    dag = Dag.from_edges(nodes, pairwise(nodes))
    assert dag.ancestors(nodes[-1]) == tuple(nodes[:-1])
    assert dag.relation(nodes[0], nodes[-1]) is Relation.CAUSES
    assert dag.relation(nodes[-1], nodes[0]) is Relation.CAUSED_BY
    without_first = Dag.from_edges(nodes, [(nodes[0], nodes[-1]), (nodes[0], nodes[-2])])
    assert without_first.relation(nodes[-1], nodes[-2]) is Relation.CONFOUNDED
    assert without_first.relation(nodes[1], nodes[-2]) is Relation.UNRELATED
