"""The swap-equivalent operator against a list of the whole class."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise, permutations
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.graph.cpdag import is_equivalent
from pathprior.graph.dag import Dag
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.graph.swap import TRUNCATED, swap_equivalent
from pathprior.kernels.prior.graph_prior import GraphPrior
from tests.kernels import entered
from tests.oracles import ties
from tests.oracles.class_moves import OBSERVED
from tests.oracles.equivalence import all_classes
from tests.oracles.graph import Edges, edge_matrix, edge_set
from tests.oracles.interventional import (
    Family,
    cut_by,
    interventional_classes,
    random_families,
    signatures,
)
from tests.oracles.prior import log_prior
from tests.oracles.swap import best_log_prior

pytestmark = pytest.mark.kernel

CHAIN = Dag.from_edges("abc", [("a", "b"), ("b", "c")])


class Swapped(NamedTuple):
    dag: Dag
    log_prior: float
    is_exact: bool


def swap(
    dag: Dag,
    pairs: Sequence[tuple[str, str]],
    log_weights: ArrayLike,
    *,
    required: Iterable[tuple[str, str]] = (),
    forbidden: Iterable[tuple[str, str]] = (),
    family: Family = OBSERVED,
    budget: int = 100_000,
) -> Swapped:
    """Run the kernel on a graph with names; ``dag`` keeps the rules."""
    pairs_by_index = np.array([(dag.index(x), dag.index(y)) for x, y in pairs], np.int64)
    pairs_by_index = pairs_by_index.reshape(-1, 2)
    weights = np.array(log_weights, dtype=np.float64).reshape(len(pairs), -1 if len(pairs) else 6)
    if weights.shape[1] < 6:
        weights = ties.widen(weights)
    banned = np.zeros_like(dag.adjacency)  # row v: what may not be a parent of v
    for parent, child in forbidden:
        banned[dag.index(child), dag.index(parent)] = True
    for parent, child in required:
        banned[dag.index(parent), dag.index(child)] = True
    parents, ancestors = dag.parent_words.copy(), dag.ancestor_words.copy()
    status = entered(swap_equivalent)(
        Graph(parents, ancestors), GraphPrior(pairs_by_index, weights, 0.0), pack_rows(banned),
        pack_rows(cut_by(family, dag.num_nodes)), budget,
    )  # fmt: skip
    found = Dag(dag.nodes, np.array([unpack_row(row, dag.num_nodes) for row in parents]).T)
    np.testing.assert_array_equal(ancestors, found.ancestor_words)
    return Swapped(
        found, log_prior(found.adjacency, pairs_by_index, weights), is_exact=not status & TRUNCATED
    )


def random_weights(rng: np.random.Generator, num_pairs: int) -> NDArray[np.float64]:
    """Mostly ordinary weights, some equal ones, some hard beliefs."""
    weights = ties.random_weights(rng, num_pairs).round(1)
    weights[rng.random((num_pairs, 6)) < 0.1] = -np.inf
    return weights


def random_edges(rng: np.random.Generator, num_nodes: int) -> Edges:
    order = rng.permutation(num_nodes)
    later = [(a, b) for b in range(num_nodes) for a in range(b)]
    size = int(rng.integers(num_nodes - 2, num_nodes + 4))
    chosen = rng.choice(len(later), size=min(size, len(later)), replace=False)
    return frozenset((int(order[later[k][0]]), int(order[later[k][1]])) for k in chosen)


def check(
    edges: Edges,
    num_nodes: int,
    rng: np.random.Generator,
    *,
    num_pairs: int,
    is_constrained: bool,
    family: Family = OBSERVED,
) -> None:
    dag = Dag(tuple(f"v{i}" for i in range(num_nodes)), edge_matrix(edges, num_nodes))
    every = list(permutations(range(num_nodes), 2))
    pairs = [every[k] for k in rng.integers(len(every), size=num_pairs)]
    weights = random_weights(rng, num_pairs)
    required: set[tuple[int, int]] = set()
    forbidden: set[tuple[int, int]] = set()
    if is_constrained:
        required = {edge for edge in sorted(edges) if rng.random() < 0.15}
        forbidden = {e for e in every if e not in edges and rng.random() < 0.15}

    def is_allowed(member: Edges) -> bool:
        is_same = signatures(member, family) == signatures(edges, family)
        return is_same and required <= member and not forbidden & member

    name = dag.nodes
    result = swap(
        dag,
        [(name[x], name[y]) for x, y in pairs],
        weights,
        required=[(name[i], name[j]) for i, j in sorted(required)],
        forbidden=[(name[i], name[j]) for i, j in sorted(forbidden)],
        family=family,
    )
    assert result.is_exact
    assert is_equivalent(result.dag, dag)
    assert is_allowed(edge_set(result.dag.adjacency))
    assert result.log_prior == pytest.approx(log_prior(result.dag.adjacency, pairs, weights))
    best = best_log_prior(edges, num_nodes, pairs, weights, is_allowed)
    assert result.log_prior == pytest.approx(best)


@pytest.mark.parametrize("is_constrained", [False, True])
def test_every_dag_of_four_nodes(is_constrained: bool) -> None:
    rng = np.random.default_rng(4)
    for members in all_classes(4).values():
        for edges in members:
            check(edges, 4, rng, num_pairs=int(rng.integers(1, 7)), is_constrained=is_constrained)


@pytest.mark.parametrize("is_constrained", [False, True])
@given(seed=st.integers(0, 2**32 - 1))
def test_random_dags_of_six_to_eight_nodes(is_constrained: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    num_nodes = int(rng.integers(6, 9))
    check(
        random_edges(rng, num_nodes),
        num_nodes,
        rng,
        num_pairs=int(rng.integers(1, 13)),
        is_constrained=is_constrained,
    )


@pytest.mark.parametrize("number", range(6))
def test_every_dag_of_four_nodes_under_experiments(number: int) -> None:
    rng = np.random.default_rng(number)
    family = random_families(4, 6)[number]
    for members in interventional_classes(4, family):
        num_pairs = int(rng.integers(1, 7))
        check(members[-1], 4, rng, num_pairs=num_pairs, is_constrained=True, family=family)


@given(seed=st.integers(0, 2**32 - 1))
def test_random_dags_under_experiments(seed: int) -> None:
    rng = np.random.default_rng(seed)
    num_nodes = int(rng.integers(6, 9))
    family = random_families(num_nodes, 10)[seed % 10]
    edges = random_edges(rng, num_nodes)
    check(edges, num_nodes, rng, num_pairs=8, is_constrained=False, family=family)


CAUSES_FORWARD = np.log([[0.7, 0.1, 0.1, 0.1]])


def test_a_chain_turns_round() -> None:
    result = swap(CHAIN, [("c", "a")], CAUSES_FORWARD)
    assert result.dag.edges == (("b", "a"), ("c", "b"))
    assert result.log_prior == pytest.approx(np.log(0.7))
    assert result.is_exact


def test_confounding_moves_the_root_to_the_middle() -> None:
    result = swap(CHAIN, [("a", "c")], np.log([[0.1, 0.1, 0.7, 0.1]]))
    assert result.dag.edges == (("b", "a"), ("b", "c"))


def test_ties_keep_the_given_graph() -> None:
    for weights in ([[0.0, 0.0, 0.0, 5.0]], [[1.0, 1.0 + 1e-12, 1.0 - 1e-12, 0.0]]):
        assert swap(CHAIN, [("a", "c")], weights).dag == CHAIN


def test_a_turn_changes_as_few_edges_as_it_can() -> None:
    """Away from the belief's component, and between equally good roots, nothing moves."""
    dag = Dag.from_edges("abcdefg", [("a", "b"), ("b", "c"), ("c", "d"), ("e", "f"), ("f", "g")])
    result = swap(dag, [("b", "a")], CAUSES_FORWARD)
    assert set(dag.edges) - set(result.dag.edges) == {("a", "b")}


def test_constraints_stop_a_turn() -> None:
    pairs = [("c", "a")]
    assert swap(CHAIN, pairs, CAUSES_FORWARD, required=[("a", "b")]).dag == CHAIN
    assert swap(CHAIN, pairs, CAUSES_FORWARD, forbidden=[("b", "a")]).dag == CHAIN
    fork = swap(CHAIN, [("b", "a")], CAUSES_FORWARD, forbidden=[("c", "b")]).dag
    assert fork.edges == (("b", "a"), ("b", "c"))


@pytest.mark.parametrize("num_nodes", [3, 4])
def test_the_largest_number_of_parents_is_the_same_in_a_class(num_nodes: int) -> None:
    for members in all_classes(num_nodes).values():
        largest = {max(Counter(child for _, child in m).values(), default=0) for m in members}
        assert len(largest) == 1


def test_an_exhausted_budget_is_reported_and_never_makes_things_worse() -> None:
    rng = np.random.default_rng(0)
    names = tuple(f"v{i}" for i in range(9))
    dag = Dag(names, np.triu(np.ones((9, 9), dtype=bool), 1))
    pairs = [(names[i], names[j]) for i in range(9) for j in range(i)]
    weights = rng.normal(size=(len(pairs), 4))
    given = sum(weights[:, 1])  # every pair is (later, earlier): ⇐ holds throughout
    previous = given
    for budget in (1, 10, 30):
        result = swap(dag, pairs, weights, budget=budget)
        assert not result.is_exact
        assert result.log_prior >= previous
        previous = result.log_prior
        assert is_equivalent(result.dag, dag)
    exact = swap(dag, pairs, weights)
    assert exact.is_exact
    assert exact.log_prior >= previous > given


@pytest.mark.parametrize("num_nodes", [63, 64, 65, 130])
def test_long_paths_across_words(num_nodes: int) -> None:
    label = np.random.default_rng(num_nodes).permutation(num_nodes)
    names = [f"v{i}" for i in range(num_nodes)]
    path = [names[i] for i in label]
    dag = Dag.from_edges(names, list(pairwise(path)))
    turned = swap(dag, [(path[-1], path[0])], CAUSES_FORWARD)
    assert set(turned.dag.edges) == {(b, a) for a, b in dag.edges}
    closed = Dag.from_edges(names, [*dag.edges, (path[0], path[2])])  # a triangle: no tree
    assert swap(closed, [(path[-1], path[0])], CAUSES_FORWARD).log_prior == (
        pytest.approx(np.log(0.7))
    )


def test_no_beliefs_is_no_change() -> None:
    result = swap(CHAIN, [], [])
    assert (result.dag, result.log_prior, result.is_exact) == (CHAIN, 0.0, True)
