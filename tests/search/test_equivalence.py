from collections.abc import Iterator
from math import log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.data.door import read_dataset
from pathprior.data.table import DataTable
from pathprior.errors import SearchError
from pathprior.graph.edge_rules import make_edge_rules
from pathprior.graph.equivalence import essential_matrix, pack_pdag
from pathprior.kernels.classes.state import ClassClimb
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.kernels.steps import FINISHED
from pathprior.problem.problem import Problem
from pathprior.score.bdeu import Bdeu
from pathprior.score.graph import score_graph
from pathprior.search.class_search import ClassRun, search_classes
from pathprior.search.driver import SearchOptions, SearchResult
from pathprior.search.interrupt import StopRequest
from pathprior.search.learn import learn
from pathprior.search.stop_reason import StopReason
from tests.data_tables import tables
from tests.oracles.class_moves import reachable_classes
from tests.oracles.equivalence import all_classes
from tests.oracles.graph import Edges, edge_set
from tests.oracles.prior import log_prior
from tests.oracles.swap import best_log_prior
from tests.oracles.ties import random_weights

BUDGET = 10_000


@pytest.fixture(scope="module")
def sampled() -> pd.DataFrame:
    dag = pp.Dag.from_edges(
        ["a", "b", "c", "d", "e", "f"],
        [("a", "c"), ("b", "c"), ("c", "d"), ("c", "e"), ("e", "f"), ("d", "f")],
    )
    return pp.BayesianNetwork.random(dag, 3, seed=5).sample(800, seed=2)


def small_tables(max_variables: int) -> st.SearchStrategy[DataTable]:
    """Tables of one type of codes, that of the public door, so that kernels are compiled once."""
    return tables(max_variables=max_variables).map(as_coded)


def as_coded(table: DataTable) -> DataTable:
    codes = table.codes.astype(np.uint8)
    codes.flags.writeable = False
    return DataTable(table.variables, codes, table.states)


@st.composite
def weights(draw: st.DrawFn, num_nodes: int) -> GraphPrior:
    """Weights on a few random pairs, now and then hard ones that the empty graph keeps."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    num_pairs = draw(st.integers(0, 3)) if num_nodes > 1 else 0
    pairs = [rng.choice(num_nodes, size=2, replace=False) for _ in range(num_pairs)]
    log_weights = random_weights(rng, num_pairs, 8.0)
    if num_pairs and draw(st.booleans()):
        log_weights[0, rng.integers(3)] = -np.inf
    return GraphPrior(np.array(pairs, dtype=np.int64).reshape(-1, 2), log_weights, 0.0)


def gains(result: SearchResult) -> float:
    return float((result.log.data_gain + result.log.prior_gain).sum())


def dag_of(edges: Edges, names: tuple[str, ...]) -> pp.Dag:
    return pp.Dag.from_edges(names, [(names[i], names[j]) for i, j in sorted(edges)])


def problem_of(table: DataTable, prior: GraphPrior, start: pp.Dag) -> Problem:
    """BDeu, and no rules."""
    rules = make_edge_rules(table.variables)
    data = Dataset.of_codes(table)
    base = pp.fit_prior([], table.variables, expected_parents=None)
    return Problem(data, base, Bdeu(), Bdeu().bind(data), prior, rules, start)


def visited(table: DataTable, prior: GraphPrior, tabu: int) -> Iterator[ClassClimb]:
    """Run the search in the smallest slices and show its state after each."""
    options = SearchOptions(tabu=tabu, swap_budget=BUDGET, is_turning=False)
    run = ClassRun(problem_of(table, prior, pp.Dag.from_edges(table.variables, [])), options)
    run.advance(0)
    run.begin()
    yield run.state
    while run.advance(0) != FINISHED:
        yield run.state
    yield run.state


@pytest.mark.kernel
@given(small_tables(5), st.data())
@settings(max_examples=40)
def test_every_visited_class_is_one_and_scored_right(table: DataTable, data: st.DataObject) -> None:
    prior = data.draw(weights(table.num_variables))
    seen = set()
    for state in visited(table, prior, tabu=data.draw(st.integers(0, 4))):
        key = state.here.parents.tobytes()
        if key in seen:
            continue
        seen.add(key)
        parents = [
            [u for u in range(table.num_variables) if int(row[0]) >> u & 1]
            for row in state.here.parents
        ]
        edges = frozenset((u, v) for v, row in enumerate(parents) for u in row)
        dag = dag_of(edges, table.variables)
        assert np.array_equal(state.here.pdag, pack_pdag(essential_matrix(dag)))
        assert state.tally.data_score == pytest.approx(score_graph(dag, table), abs=1e-7)
        assert state.tally.prior_score == pytest.approx(
            log_prior(dag.adjacency, prior.pairs, prior.log_weights), abs=1e-9
        )
        assert state.tally.prior_score == pytest.approx(
            best_log_prior(edges, len(dag.nodes), prior.pairs, prior.log_weights), abs=1e-8
        )


@pytest.mark.kernel
@given(small_tables(4), st.data())
@settings(max_examples=40)
def test_no_neighbouring_class_is_better(table: DataTable, data: st.DataObject) -> None:
    prior = data.draw(weights(table.num_variables))
    names = table.variables
    result = search_classes(
        problem_of(table, prior, pp.Dag.from_edges(names, [])),
        SearchOptions(tabu=0, swap_budget=BUDGET, is_turning=False),
        StopRequest(),
    )
    edges = edge_set(result.adjacency)
    total = result.data_score + result.prior_score
    assert total == pytest.approx(result.start_score + gains(result), abs=1e-7)
    classes = all_classes(len(names))
    for (target,) in set(reachable_classes(edges, len(names)).values()):
        other = dag_of(classes[target][0], names)
        best = best_log_prior(classes[target][0], len(names), prior.pairs, prior.log_weights)
        assert score_graph(other, table) + best <= total + 1e-6


def test_result_is_complete(sampled: pd.DataFrame) -> None:
    fit = learn(sampled, search="equivalence", effort="quick")
    assert fit.dag.nodes == tuple(sampled.columns)
    assert fit.data_score == pytest.approx(score_graph(fit.dag, sampled), abs=1e-7)
    assert fit.score == pytest.approx(fit.steps[-1].score, abs=1e-7)
    assert fit.stopped_because is StopReason.SHAKEN
    assert fit.score > learn(sampled, search="greedy").score + 1


def test_column_order_has_no_influence(sampled: pd.DataFrame) -> None:
    beliefs = [pp.causes("a", "f", 0.9), pp.not_associated("a", "b", 0.7)]
    for given_beliefs in (None, beliefs):
        fit = learn(sampled, given_beliefs, search="equivalence")
        for seed in range(4):
            order = np.random.default_rng(seed).permutation(sampled.columns)
            other = learn(sampled[list(order)], given_beliefs, search="equivalence")
            assert other.score == fit.score
            assert other.dag.reorder(fit.dag.nodes) == fit.dag


@given(small_tables(6), st.data())
@settings(max_examples=40)
def test_limits_are_kept(table: DataTable, data: st.DataObject) -> None:
    names = table.variables
    half = len(names) // 2
    tiers = [names[:half], names[half:]]
    backwards = {(u, v) for u in tiers[1] for v in tiers[0]}
    pairs = [(u, v) for u in names for v in names if u != v]
    order = data.draw(st.permutations(names))
    required = {
        (u, v)
        for u, v in data.draw(st.sets(st.sampled_from(pairs), max_size=2))
        if order.index(u) < order.index(v)
    } - backwards
    forbidden = data.draw(st.sets(st.sampled_from(pairs), max_size=8)) - required
    hard = pp.not_causes(names[0], names[-1], 1.0)
    fit = learn(
        table,
        None if _leads(required, names[0], names[-1]) else [hard],
        search="equivalence",
        required=required,
        forbidden=forbidden,
        tiers=tiers,
        max_parents=2,
        constant_columns="keep",
    )
    edges = set(fit.dag.edges)
    assert required <= edges
    assert not edges & (forbidden | backwards)
    assert fit.dag.adjacency.sum(axis=0).max() <= 2
    assert not fit.has_beliefs or fit.dag.relation(names[0], names[-1]) is not pp.Relation.CAUSES
    assert fit.data_score == pytest.approx(score_graph(fit.dag, table), abs=1e-7)


def _leads(edges: set[tuple[str, str]], source: str, target: str) -> bool:
    reached = {source}
    for _ in edges:
        reached |= {v for u, v in edges if u in reached}
    return target in reached


def test_scores_and_options_that_do_not_fit_are_refused(sampled: pd.DataFrame) -> None:
    with pytest.raises(SearchError, match="k2 is not"):
        learn(sampled, search="equivalence", score="k2")
    with pytest.raises(SearchError, match="highest prior"):
        learn(sampled, search="equivalence", swap_equivalent=False)


def test_a_stop_request_keeps_the_start(sampled: pd.DataFrame) -> None:
    stop = StopRequest()
    stop.interrupt()
    table = read_dataset(sampled).discrete()
    start = pp.Dag.from_edges(table.variables, [("a", "b")])
    result = search_classes(
        problem_of(table, GraphPrior(np.empty((0, 2), np.int64), np.empty((0, 6)), 0.0), start),
        SearchOptions(tabu=0, swap_budget=0, is_turning=False),
        stop,
    )
    assert result.is_interrupted
    assert result.adjacency.sum() == 1
    assert result.data_score == pytest.approx(score_graph(start, table), abs=1e-7)


def test_more_than_one_word_of_variables() -> None:
    rng = np.random.default_rng(3)
    order = rng.permutation(70)
    names = [f"v{i:02d}" for i in range(70)]
    edges = [(names[order[i // 2]], names[order[i]]) for i in range(1, 70)]
    network = pp.BayesianNetwork.random(pp.Dag.from_edges(names, edges), 2, seed=1)
    data = network.sample(2000, seed=4)
    fit = learn(data, search="equivalence", tabu=0)
    edges = log(fit.prior.edge_odds) * network.dag.num_edges
    assert fit.score >= score_graph(network.dag, data) + edges
