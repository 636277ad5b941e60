"""Classes of graphs that experiments cannot tell apart, against a list of all graphs."""

from itertools import combinations

import numpy as np
import pytest

from pathprior.errors import GraphError
from pathprior.graph.cpdag import Cpdag, is_equivalent
from pathprior.graph.dag import Dag
from pathprior.graph.distance import compare, shd
from pathprior.graph.equivalence import essential_matrix
from tests.oracles.equivalence import union_matrix
from tests.oracles.graph import edge_matrix, edge_set
from tests.oracles.interventional import (
    Family,
    cut_by,
    interventional_classes,
    random_families,
)

NODES = tuple("abcd")
SINGLE: list[Family] = [
    (frozenset(), *(frozenset([v]) for v in chosen))
    for size in range(5)
    for chosen in combinations(range(4), size)
]
CHAIN = Dag.from_edges("abc", [("a", "b"), ("b", "c")])


@pytest.mark.parametrize("family", [*SINGLE, *random_families(4, 20)], ids=str)
def test_classes_of_four_nodes_are_those_of_the_definition(family: Family) -> None:
    targets = [[NODES[v] for v in chosen] for chosen in family]
    for members in interventional_classes(4, family):
        matrix = union_matrix(members, 4)
        for member in members:
            dag = Dag(NODES, edge_matrix(member, 4))
            np.testing.assert_array_equal(essential_matrix(dag, cut_by(family, 4)), matrix)
        cpdag = Cpdag.from_dag(Dag(NODES, edge_matrix(members[0], 4)), targets=targets)
        np.testing.assert_array_equal(cpdag.adjacency, matrix)
        assert {edge_set(dag.adjacency) for dag in cpdag.members()} == set(members)
        assert cpdag.num_members() == len(members)
        assert edge_set(cpdag.to_dag().adjacency) in members


def test_an_experiment_directs_its_edge_and_what_follows() -> None:
    cpdag = Cpdag.from_dag(CHAIN, targets=[["a"]])
    assert cpdag.directed_edges == cpdag.settled_edges == (("a", "b"), ("b", "c"))
    assert cpdag.cut is not None
    outward = Cpdag.from_dag(CHAIN, targets=[["c"]])
    assert outward.undirected_edges == (("a", "b"),)
    assert outward.settled_edges == (("b", "c"),)
    assert outward.num_members() == 2


def test_edges_that_v_structures_direct_are_not_settled_by_experiments() -> None:
    collider = Dag.from_edges("abcd", [("a", "b"), ("c", "b"), ("a", "d")])
    cpdag = Cpdag.from_dag(collider, targets=[["a"]])
    assert cpdag.settled_edges == (("a", "d"),)
    assert set(cpdag.directed_edges) == set(collider.edges)


def test_targets_set_together_tell_nothing_of_each_other() -> None:
    pair = Dag.from_edges("ab", [("a", "b")])
    assert Cpdag.from_dag(pair, targets=[["a", "b"]]) == Cpdag.from_dag(pair)
    assert Cpdag.from_dag(pair, targets=[["a", "b"]]).cut is None


def test_equivalence_under_experiments() -> None:
    fork = Dag.from_edges("cab", [("b", "a"), ("b", "c")])
    assert is_equivalent(CHAIN, fork)
    assert not is_equivalent(CHAIN, fork, targets=[["a"]])
    assert is_equivalent(CHAIN, fork, targets=iter([["c"]]))


def test_a_graph_is_compared_under_the_experiments_of_the_other() -> None:
    cpdag = Cpdag.from_dag(CHAIN, targets=[["a"]])
    turned = Dag.from_edges("cba", [("b", "a"), ("c", "b")])
    assert shd(cpdag, CHAIN.reorder("cab")) == shd(CHAIN, cpdag) == 0
    assert shd(CHAIN, turned) == 0
    assert shd(cpdag, turned) == shd(turned, cpdag) == 2
    assert compare(cpdag, CHAIN).orientation_recall == 1.0


def test_the_order_of_the_nodes_can_change() -> None:
    cpdag = Cpdag.from_dag(CHAIN, targets=[["a"]]).reorder("cba")
    assert cpdag == Cpdag.from_dag(CHAIN.reorder("cba"), targets=[["a"]])
    assert cpdag.settled_edges == (("b", "c"), ("a", "b"))


def test_a_class_that_needs_experiments_is_refused_without() -> None:
    directed = [("a", "b"), ("b", "c")]
    with pytest.raises(GraphError, match="do not agree on a direction"):
        Cpdag.from_edges("abc", directed=directed)
    with pytest.raises(GraphError, match="'ab' is a text"):
        Cpdag.from_dag(CHAIN, targets=["ab"])
    with pytest.raises(GraphError, match="unknown node 'x'"):
        Cpdag.from_dag(CHAIN, targets=[["x"]])
