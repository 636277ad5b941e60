from math import factorial

import numpy as np
import pytest

from pathprior.errors import GraphError
from pathprior.graph.cpdag import Cpdag, is_equivalent
from pathprior.graph.dag import Dag

CHAIN = Dag.from_edges("abc", [("a", "b"), ("b", "c")])
FORK = Dag.from_edges("abc", [("b", "a"), ("b", "c")])
COLLIDER = Dag.from_edges("abc", [("a", "b"), ("c", "b")])


def test_edges_of_a_chain_and_a_collider() -> None:
    chain, collider = Cpdag.from_dag(CHAIN), Cpdag.from_dag(COLLIDER)
    assert chain.undirected_edges == (("a", "b"), ("b", "c"))
    assert chain.directed_edges == ()
    assert collider.undirected_edges == ()
    assert collider.directed_edges == (("a", "b"), ("c", "b"))
    assert chain.num_edges == collider.num_edges == 2
    assert repr(collider) == "Cpdag(3 nodes, 2 directed and 0 undirected edges)"


def test_members_come_in_a_fixed_order() -> None:
    edges = [dag.edges for dag in Cpdag.from_dag(CHAIN).members()]
    assert edges == [
        (("a", "b"), ("b", "c")),
        (("b", "a"), ("b", "c")),
        (("b", "a"), ("c", "b")),
    ]


def test_members_are_lazy_and_the_count_is_exact() -> None:
    names = [f"v{i}" for i in range(40)]
    complete = Dag(tuple(names), np.triu(np.ones((40, 40), dtype=bool), 1))
    cpdag = Cpdag.from_dag(complete)
    assert cpdag.num_members() == factorial(40)
    assert next(cpdag.members()) == complete


def test_equality_hash_and_extension() -> None:
    a, b = Cpdag.from_dag(CHAIN), Cpdag.from_dag(FORK)
    assert a == b
    assert hash(a) == hash(b)
    assert a != Cpdag.from_dag(COLLIDER)
    assert a != CHAIN
    assert Cpdag.from_dag(a.to_dag()) == a
    assert not a.adjacency.flags.writeable


def test_equivalence_ignores_the_order_of_nodes() -> None:
    assert is_equivalent(CHAIN, FORK.reorder("cab"))
    assert is_equivalent(Cpdag.from_dag(CHAIN), FORK)
    assert not is_equivalent(CHAIN, COLLIDER)
    with pytest.raises(GraphError, match="different nodes"):
        is_equivalent(CHAIN, Dag.from_edges("abd"))


def test_from_edges() -> None:
    cpdag = Cpdag.from_edges("abcd", directed=[("a", "c"), ("b", "c"), ("c", "d")], undirected=[])
    assert cpdag == Cpdag.from_dag(Dag.from_edges("abcd", [("a", "c"), ("b", "c"), ("c", "d")]))
    assert Cpdag.from_edges("abc", undirected=[("b", "a"), ("c", "b")]) == Cpdag.from_dag(CHAIN)


@pytest.mark.parametrize(
    ("directed", "undirected", "message"),
    [
        (["ab"], [], "'a' → 'b', but the DAGs of its class do not agree on a direction"),
        (["ac", "bc"], ["cd"], "'c' − 'd', but the DAGs of its class agree on a direction"),
        (["ab", "bc", "ca"], [], "no DAG has this skeleton"),
        ([], ["ab", "bc", "cd", "da"], "no DAG has this skeleton"),
        (["ab"], ["ab"], "duplicate edge between 'a' and 'b'"),
        (["ab", "ba"], [], "duplicate edge between 'b' and 'a'"),
        (["aa"], [], "self edge 'a' → 'a'"),
        (["ax"], [], "unknown node 'x'"),
    ],
)
def test_a_graph_that_is_no_cpdag_is_refused(
    directed: list[str], undirected: list[str], message: str
) -> None:
    with pytest.raises(GraphError, match=message):
        Cpdag.from_edges(
            "abcd",
            directed=[(e[0], e[1]) for e in directed],
            undirected=[(e[0], e[1]) for e in undirected],
        )


def test_a_matrix_of_the_wrong_shape_is_refused() -> None:
    with pytest.raises(GraphError, match=r"shape \(2, 2\)"):
        Cpdag(("a", "b", "c"), np.zeros((2, 2), dtype=bool))
