from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.graph.cpdag import Cpdag
from pathprior.graph.dag import Dag
from pathprior.graph.equivalence import essential_matrix, extend, iterate_members, pack_pdag
from pathprior.kernels.graph.cpdag import PARENTS, topological_order
from pathprior.kernels.graph.meek import apply_meek_rules
from tests.kernels import entered
from tests.oracles.equivalence import all_classes, class_members, extensions, union_matrix
from tests.oracles.graph import Edges, all_dags, edge_matrix, edge_set

pytestmark = pytest.mark.kernel


def to_dag(edges: Edges, num_nodes: int) -> Dag:
    return Dag(tuple(f"v{i}" for i in range(num_nodes)), edge_matrix(edges, num_nodes))


def check_all_classes(num_nodes: int) -> None:
    for members in all_classes(num_nodes).values():
        matrix = union_matrix(members, num_nodes)
        for edges in members:
            assert np.array_equal(essential_matrix(to_dag(edges, num_nodes)), matrix)
        listed = [edge_set(m) for m in iterate_members(matrix)]
        assert len(listed) == len(set(listed))
        assert set(listed) == set(members)
        extension = extend(matrix)
        assert extension is not None
        assert edge_set(extension) in members
        assert Cpdag.from_dag(to_dag(members[0], num_nodes)).num_members() == len(members)


@pytest.mark.parametrize("num_nodes", [0, 1, 2, 3, 4])
def test_every_class_of_a_few_nodes(num_nodes: int) -> None:
    check_all_classes(num_nodes)


@pytest.mark.slow
def test_every_class_of_five_nodes() -> None:
    assert len(all_dags(5)) == 29281
    assert len(all_classes(5)) == 8782  # Gillispie and Perlman (2001)
    check_all_classes(5)


@st.composite
def dags(draw: st.DrawFn, max_nodes: int = 7, max_edges: int = 9) -> Dag:
    num_nodes = draw(st.integers(2, max_nodes))
    order = draw(st.permutations(range(num_nodes)))
    pairs = [(order[a], order[b]) for a in range(num_nodes) for b in range(a + 1, num_nodes)]
    return to_dag(frozenset(draw(st.sets(st.sampled_from(pairs), max_size=max_edges))), num_nodes)


@given(dags())
def test_class_of_a_random_dag(dag: Dag) -> None:
    members = class_members(edge_set(dag.adjacency))
    matrix = union_matrix(members, dag.num_nodes)
    assert np.array_equal(essential_matrix(dag), matrix)
    assert {edge_set(m) for m in iterate_members(matrix)} == set(members)
    assert Cpdag.from_dag(dag).num_members() == len(members)


@given(dags(), st.data())
def test_meek_rules_find_every_consequence_of_background_knowledge(
    dag: Dag, data: st.DataObject
) -> None:
    """With some edges directed as in one member, closing gives what all such members share."""
    members = class_members(edge_set(dag.adjacency))
    matrix = union_matrix(members, dag.num_nodes)
    edges = sorted(data.draw(st.sampled_from(members)))
    known = data.draw(st.sets(st.sampled_from(edges))) if edges else set()
    agreeing = tuple(m for m in members if known <= m)
    for i, j in known:
        matrix[j, i] = False
    pdag = pack_pdag(matrix)
    trail = np.zeros((len(edges) + 1, 2), dtype=np.int64)
    directed = np.argwhere(matrix & ~matrix.T)
    trail[: len(directed)] = directed
    apply_meek_rules(pdag, trail, 0, len(directed))
    closed = union_matrix(agreeing, dag.num_nodes)
    assert np.array_equal(pdag, pack_pdag(closed))


def test_extension_of_every_partially_directed_graph_of_four_nodes() -> None:
    pairs = list(combinations(range(4), 2))
    num_extendable = 0
    for marks in product(range(4), repeat=len(pairs)):
        matrix = np.zeros((4, 4), dtype=bool)
        for (i, j), mark in zip(pairs, marks, strict=True):
            matrix[i, j], matrix[j, i] = mark & 1, mark & 2
        extension, expected = extend(matrix), extensions(matrix)
        assert (extension is not None) == bool(expected)
        if extension is not None:
            num_extendable += 1
            assert edge_set(extension) in expected
    assert 0 < num_extendable < 4**6


@pytest.mark.parametrize("num_nodes", [63, 64, 65, 130])
def test_sets_of_several_words(num_nodes: int) -> None:
    """A path with a collider at each end of the middle stretch, shuffled across the words."""
    rng = np.random.default_rng(num_nodes)
    label = rng.permutation(num_nodes)
    adjacency = np.zeros((num_nodes, num_nodes), dtype=bool)
    half = num_nodes // 2
    for i in range(num_nodes - 1):  # 0 ← … ← half − 1 → half → … → last − 1 ← last
        forward = half - 1 <= i < num_nodes - 2
        adjacency[(i, i + 1) if forward else (i + 1, i)] = True
    shuffled = np.zeros_like(adjacency)
    shuffled[np.ix_(label, label)] = adjacency
    dag = Dag(tuple(map(str, range(num_nodes))), shuffled)
    order = np.empty(num_nodes, dtype=np.int64)
    entered(topological_order)(dag.parent_words, order)
    position = np.argsort(order)
    assert all(position[i] < position[j] for i, j in np.argwhere(shuffled))
    cpdag = Cpdag.from_dag(dag)
    # The collider directs two edges; the rest is a path of num_nodes − 2 nodes with a free root.
    assert len(cpdag.directed_edges) == 2
    assert cpdag.num_members() == num_nodes - 2
    listed = list(cpdag.members())
    assert len(set(listed)) == num_nodes - 2
    assert {Cpdag.from_dag(member) for member in listed} == {cpdag}
    assert dag in listed


def test_pack_pdag_orders_its_sets() -> None:
    pdag = pack_pdag(np.array([[0, 1], [0, 0]], dtype=bool))
    assert pdag[:, :, 0].tolist() == [[0, 1], [2, 0], [0, 0], [2, 1]]
    assert pdag[PARENTS, 1, 0] == 1
