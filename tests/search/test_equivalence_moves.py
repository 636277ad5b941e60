import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.graph.dag import Dag
from pathprior.graph.equivalence import essential_matrix, pack_pdag
from pathprior.kernels.classes.member import apply_class_move, comply
from pathprior.kernels.classes.moves import is_valid, list_candidates, list_cliques
from pathprior.kernels.graph.cpdag import PARENTS
from pathprior.kernels.steps import INSERT, REMOVE, REVERSE
from tests.kernels import entered
from tests.oracles.class_moves import OBSERVED, Move, reachable_classes
from tests.oracles.equivalence import Signature, all_classes, class_members
from tests.oracles.graph import Edges
from tests.oracles.interventional import (
    Family,
    cut_by,
    interventional_classes,
    random_families,
    signatures,
)
from tests.strategies import dags

pytestmark = pytest.mark.kernel

KINDS = {"insert": INSERT, "remove": REMOVE, "reverse": REVERSE}


def to_dag(edges: Edges, num_nodes: int) -> Dag:
    nodes = tuple(f"v{i}" for i in range(num_nodes))
    return Dag.from_edges(nodes, [(nodes[i], nodes[j]) for i, j in sorted(edges)])


def to_edges(parents: np.ndarray) -> Edges:
    num_nodes = len(parents)
    return frozenset(
        (int(u), v)
        for v in range(num_nodes)
        for u in np.flatnonzero(unpack_row(parents[v], num_nodes))
    )


def members_of(row: np.ndarray, num_nodes: int) -> frozenset[int]:
    return frozenset(int(i) for i in np.flatnonzero(unpack_row(row, num_nodes)))


def moves_by_kernel(dag: Dag, family: Family = OBSERVED) -> dict[Move, tuple[Signature, ...]]:
    """All valid moves of the class of ``dag`` and where they lead, by the kernels."""
    num_nodes = dag.num_nodes
    pdag = pack_pdag(essential_matrix(dag, cut_by(family, num_nodes)))
    cliques = np.empty((64, pdag.shape[2]), np.uint64)
    candidates = np.empty(pdag.shape[2], np.uint64)
    found = {}
    for y in range(num_nodes):
        num_cliques = entered(list_cliques)(pdag, y, cliques)
        for clique in cliques[:num_cliques]:
            others = members_of(pdag[PARENTS, y] | clique, num_nodes)
            for kind, code in KINDS.items():
                entered(list_candidates)(pdag, code, y, clique, candidates)
                for x in members_of(candidates, num_nodes):
                    if not entered(is_valid)(pdag, code, x, y, clique):
                        continue
                    parents = dag.parent_words.copy()
                    trail = np.empty((num_nodes**2, 2), np.int64)
                    entered(apply_class_move)(pdag.copy(), code, x, y, clique, trail, parents)
                    found[kind, x, y, others - {x}] = signatures(to_edges(parents), family)
    return found


@pytest.mark.parametrize("num_nodes", [1, 2, 3, 4])
def test_valid_moves_are_those_that_change_the_class_of_a_member(num_nodes: int) -> None:
    for members in all_classes(num_nodes).values():
        expected = reachable_classes(members[0], num_nodes)
        assert moves_by_kernel(to_dag(members[0], num_nodes)) == expected


@pytest.mark.parametrize(
    "targets",
    [
        [[], [0]],
        [[], [1], [2]],
        [[], [0], [1], [2], [3]],
        [[], [0, 1]],
        [[0, 2], [1, 3]],
        [[0], [1, 2, 3]],
    ],
)
def test_valid_moves_under_experiments(targets: list[list[int]]) -> None:
    family = tuple(map(frozenset, targets))
    for members in interventional_classes(4, family):
        expected = reachable_classes(members[0], 4, family)
        assert moves_by_kernel(to_dag(members[0], 4), family) == expected


@given(dags(min_nodes=5, max_nodes=6), st.integers(0, 9))
def test_valid_moves_of_random_classes_under_experiments(dag: Dag, number: int) -> None:
    if dag.adjacency.sum() <= 7:
        family = random_families(dag.num_nodes, 10)[number]
        expected = reachable_classes(to_edges(dag.parent_words), dag.num_nodes, family)
        assert moves_by_kernel(dag, family) == expected


@given(dags(min_nodes=5, max_nodes=7))
def test_valid_moves_of_random_classes(dag: Dag) -> None:
    if dag.adjacency.sum() <= 8:
        expected = reachable_classes(to_edges(dag.parent_words), dag.num_nodes)
        assert moves_by_kernel(dag) == expected


@given(dags(min_nodes=2, max_nodes=6), st.data())
def test_a_class_has_a_dag_without_the_forbidden_edges_iff_one_is_found(
    dag: Dag, data: st.DataObject
) -> None:
    if dag.adjacency.sum() > 8:
        return
    pairs = [(u, v) for u in range(dag.num_nodes) for v in range(dag.num_nodes) if u != v]
    forbidden = data.draw(st.sets(st.sampled_from(pairs), max_size=6))
    members = class_members(to_edges(dag.parent_words))
    matrix = np.zeros((dag.num_nodes, dag.num_nodes), dtype=bool)
    for u, v in forbidden:
        matrix[v, u] = True
    parents = dag.parent_words.copy()
    pdag = pack_pdag(essential_matrix(dag))
    trail = np.empty((dag.num_nodes**2, 2), np.int64)
    is_found = entered(comply)(pdag, pack_rows(matrix), trail, parents)
    assert is_found == any(not member & forbidden for member in members)
    if is_found:
        assert to_edges(parents) in members
        assert not to_edges(parents) & forbidden


def test_cliques_beyond_the_room_for_them_are_reported() -> None:
    star = np.zeros((6, 6), dtype=bool)
    star[0, 1:] = star[1:, 0] = True
    pdag = pack_pdag(star)
    assert entered(list_cliques)(pdag, 0, np.empty((6, 1), np.uint64)) == 6
    assert entered(list_cliques)(pdag, 0, np.empty((5, 1), np.uint64)) == -1


@pytest.mark.parametrize("num_nodes", [63, 64, 65, 130])
def test_candidates_stay_within_the_nodes(num_nodes: int) -> None:
    pdag = pack_pdag(np.zeros((num_nodes, num_nodes), dtype=bool))
    candidates = np.empty(pdag.shape[2], np.uint64)
    for y in (0, num_nodes - 1):
        entered(list_candidates)(pdag, INSERT, y, np.zeros_like(candidates), candidates)
        bits = sum(int(word) << (64 * w) for w, word in enumerate(candidates))
        assert bits == (1 << num_nodes) - 1 - (1 << y)
