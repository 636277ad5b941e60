"""The alphabet of ties: what graphs say, and what each edge that comes or goes makes of it."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pathprior.beliefs.event import Event
from pathprior.graph.dag import Dag
from pathprior.graph.tie import ALL_TIES, LATER, Tie
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.prior.graph_prior import GraphPrior, most_of, tells_edges
from pathprior.kernels.prior.moves import PriorScratch, bound_gains, change_gain, list_touched
from pathprior.kernels.prior.ties import (
    ABOVE_ENDS,
    GROWS,
    INTO_X,
    INTO_Y,
    NOWHERE,
    tie_after_insertion,
    tie_code,
)
from pathprior.kernels.steps import REMOVE, REVERSE
from pathprior.problem.pair_codes import graph_of, read_codes, removal_losses
from tests.kernels import entered
from tests.oracles.ties import random_weights, tie
from tests.strategies import dags

pytestmark = pytest.mark.kernel


def every_pair(num_nodes: int) -> list[tuple[int, int]]:
    return list(permutations(range(num_nodes), 2))


def ties_of(adjacency: NDArray[np.bool_]) -> dict[tuple[int, int], int]:
    return {(x, y): tie(adjacency, x, y) for x, y in every_pair(len(adjacency))}


def turned(
    adjacency: NDArray[np.bool_], off: tuple[int, int] | None, on: tuple[int, int] | None
) -> NDArray[np.bool_] | None:
    """The graph with one edge off and one on; None if that closes a cycle."""
    other = adjacency.copy()
    if off is not None:
        other[off] = False
    if on is not None:
        other[on] = True
    powers = np.linalg.matrix_power(other.astype(np.int64) + np.eye(len(other), dtype=int), 9)
    return None if ((powers > 0) & (powers.T > 0))[~np.eye(len(other), dtype=bool)].any() else other


@given(dags(min_nodes=2, max_nodes=6))
@settings(max_examples=60, deadline=None)
def test_a_graph_says_what_the_definition_says(dag: Dag) -> None:
    words = dag.parent_words.copy(), dag.ancestor_words.copy()
    found = ties_of(dag.adjacency)
    for (x, y), code in found.items():
        assert entered(tie_code)(*words, x, y) == code == dag.tie(dag.nodes[x], dag.nodes[y])
        assert Tie(code).reverse == found[y, x]
        assert Tie(code).relation == dag.relation(dag.nodes[x], dag.nodes[y])


@given(dags(min_nodes=2, max_nodes=5))
@settings(max_examples=60, deadline=None)
def test_insertions_make_of_ties_what_the_definition_says(dag: Dag) -> None:
    graph = graph_of(dag)
    before = ties_of(dag.adjacency)
    for u, v in every_pair(dag.num_nodes):
        grown = None if dag.adjacency[u, v] else turned(dag.adjacency, None, (u, v))
        if grown is None:
            continue
        for (x, y), after in ties_of(grown).items():
            code = before[x, y]
            assert after in LATER[code]
            if GROWS[code] != NOWHERE:
                assert entered(tie_after_insertion)(graph, code, x, y, u, v) == after
            if after == code:
                continue
            assert {
                ABOVE_ENDS: bool(graph.ancestors[x, 0] >> np.uint64(v) & np.uint64(1))
                or bool(graph.ancestors[y, 0] >> np.uint64(v) & np.uint64(1)),
                INTO_X: v == x,
                INTO_Y: v == y,
            }[GROWS[code]]


@given(dags(min_nodes=2, max_nodes=5), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_moves_gain_what_both_graphs_weigh_and_no_more_than_is_bounded(dag: Dag, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = dag.num_nodes
    pairs = rng.permutation(np.array([p for p in every_pair(n) if p[0] < p[1]]))[:4]
    prior = GraphPrior(pairs, random_weights(rng, len(pairs), 3.0), 0.0)
    graph = graph_of(dag)
    codes = read_codes(prior, graph)

    def weigh(adjacency: NDArray[np.bool_]) -> float:
        return sum(prior.log_weights[k, tie(adjacency, x, y)] for k, (x, y) in enumerate(pairs))

    here = weigh(dag.adjacency)
    inserts, changes = np.empty(n), np.empty(n)
    entered(bound_gains)(prior, codes, graph.ancestors, inserts, changes)
    rows = np.zeros_like(graph.ancestors)
    touched = np.empty(len(pairs), np.int64)
    scratch = PriorScratch(touched, dag.order.copy(), rows, rows[0].copy(), codes.copy())
    losses = removal_losses(prior, dag)
    for u, v in every_pair(n):
        if not dag.adjacency[u, v]:
            grown = turned(dag.adjacency, None, (u, v))
            if grown is not None:
                assert weigh(grown) - here <= inserts[v] + 1e-9
                listed = touched[: entered(list_touched)(prior, codes, graph.ancestors, v, touched)]
                changed = codes != read_codes(prior, graph_of(Dag(dag.nodes, grown)))
                assert set(np.flatnonzero(changed)) <= set(listed.tolist())
            continue
        for move, on in ((REMOVE, None), (REVERSE, (v, u))):
            other = turned(dag.adjacency, (u, v), on)
            if other is None:
                continue
            gain = entered(change_gain)(prior, codes, graph, scratch, move, u, v)
            assert gain == pytest.approx(weigh(other) - here, abs=1e-9)
            assert gain <= changes[[v, u] if move == REVERSE else [v]].max() + 1e-9
            np.testing.assert_array_equal(
                scratch.codes, read_codes(prior, graph_of(Dag(dag.nodes, other)))
            )
            np.testing.assert_array_equal(graph.parents, dag.parent_words)  # as it was
            if move == REMOVE:
                assert losses[u, v] == pytest.approx(-gain, abs=1e-9)


@given(st.integers(0, 2**32 - 1), st.integers(1, 63))
def test_the_most_among_some_ties(seed: int, among: int) -> None:
    weights = random_weights(np.random.default_rng(seed), 1)[0]
    assert entered(most_of)(weights, among) == max(weights[t] for t in Tie if among >> t & 1)
    assert entered(tells_edges)(weights) == bool((weights[4:] != weights[:2]).any())


def test_events_and_their_opposites_share_all_ties_out() -> None:
    for event, opposite in (
        (Event.CAUSES, Event.NOT_CAUSES),
        (Event.ASSOCIATED, Event.NOT_ASSOCIATED),
        (Event.DIRECT, Event.NOT_DIRECT),
    ):
        assert event.ties | opposite.ties == ALL_TIES
        assert not event.ties & opposite.ties
    assert Event.CAUSES.ties == {Tie.CAUSES, Tie.EDGE}
    assert Event.CAUSED_BY.ties == {tie.reverse for tie in Event.CAUSES.ties}
    assert Event.ASSOCIATED.ties == ALL_TIES - {Tie.UNRELATED}
    assert Event.CONFOUNDED.ties == {Tie.CONFOUNDED}
    assert Event.DIRECT.ties == {Tie.EDGE}


def test_a_graph_is_not_changed_by_being_read() -> None:
    dag = Dag.from_edges("abc", [("a", "b"), ("b", "c")])
    graph = graph_of(dag)
    assert isinstance(graph, Graph)
    graph.parents[:] = 0
    assert dag.tie("a", "b") is Tie.EDGE
