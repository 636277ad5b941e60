"""The compiled climb against the search by the letter."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior import BayesianNetwork, Dag
from pathprior.data.dataset import Dataset
from pathprior.data.table import DataTable
from pathprior.graph.edge_rules import EdgeRules, make_edge_rules
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.problem.problem import Problem
from pathprior.problem.start import find_start
from pathprior.score.named import make_score
from pathprior.score.score import Scorer
from pathprior.search.class_search import search_classes
from pathprior.search.climber import climb
from pathprior.search.driver import RELATIVE_TOLERANCE, SearchOptions, SearchResult
from pathprior.search.interrupt import StopRequest
from tests.data_tables import tables
from tests.oracles.score import local_score
from tests.oracles.search import OracleProblem, cached, oracle_climb
from tests.oracles.ties import random_weights

pytestmark = pytest.mark.kernel


@dataclass(frozen=True)
class Setting:
    table: DataTable
    score: str
    rules: EdgeRules
    prior: GraphPrior

    @property
    def data(self) -> Dataset:
        return Dataset.of_codes(self.table)

    def run(self, *, tabu: int = 0, swap_budget: int = 0, is_turning: bool = True) -> SearchResult:
        options = SearchOptions(tabu, swap_budget, is_turning)
        return climb(self.problem(make_score(self.score).bind(self.data)), options, StopRequest())

    def problem(self, scorer: Scorer) -> Problem:
        start = find_start(self.rules, self.prior.pairs, self.prior.log_weights)
        return Problem(self.data, None, None, scorer, self.prior, self.rules, start)

    def oracle(self) -> OracleProblem:
        states = self.table.num_states.tolist()

        def local(v: int, parents: frozenset[int]) -> float:
            return local_score(self.table.codes, states, v, sorted(parents), score=self.score)

        local = cached(local)
        start = self.rules.required
        largest = max(
            abs(local(v, frozenset(np.flatnonzero(start[:, v]).tolist())))
            for v in range(self.table.num_variables)
        )
        return OracleProblem(
            local,
            [(int(x), int(y)) for x, y in self.prior.pairs],
            self.prior.log_weights,
            self.rules.required,
            self.rules.forbidden,
            self.rules.max_parents,
            RELATIVE_TOLERANCE * max(1.0, largest),
        )


@st.composite
def priors(draw: st.DrawFn, num_variables: int) -> GraphPrior:
    """Random weights on random pairs, here and there a relation of a pair excluded."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    every = np.array([(x, y) for x in range(num_variables) for y in range(x)])
    pairs = every[rng.permutation(len(every))[: draw(st.integers(0, 4))]]
    log_weights = random_weights(rng, len(pairs), 3.0)
    if draw(st.booleans()):
        log_weights[rng.random((len(pairs), 6)) < 0.1] = -np.inf
        log_weights[:, 3] = 0.0  # the empty graph stays possible
    return GraphPrior(pairs.reshape(-1, 2).astype(np.int64), log_weights, 0.0)


@st.composite
def settings_of_a_climb(draw: st.DrawFn, max_variables: int = 5) -> Setting:
    table = draw(tables(max_variables))
    names = table.variables
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    forbidden = [(u, v) for u in names for v in names if u != v and rng.random() < 0.1]
    max_parents = draw(st.sampled_from([None, 1, 2]))
    rules = make_edge_rules(names, forbidden=forbidden, max_parents=max_parents)
    score = draw(st.sampled_from(["bdeu", "averaged-bdeu", "k2", "bic", "aic"]))
    return Setting(table, score, rules, draw(priors(len(names))))


@given(settings_of_a_climb(), st.booleans())
@settings(max_examples=150)
def test_climb_is_the_search_by_the_letter(setting: Setting, is_turning: bool) -> None:
    result = setting.run(is_turning=is_turning)
    oracle = setting.oracle()
    graphs = oracle_climb(oracle, setting.rules.required, is_turning=is_turning)
    np.testing.assert_array_equal(result.adjacency, graphs[-1])
    assert len(result.log) == len(graphs) - 1
    totals = result.start_score + np.cumsum(result.log.data_gain + result.log.prior_gain)
    expected = [oracle.total(graph) for graph in graphs[1:]]
    np.testing.assert_allclose(totals, expected, rtol=1e-9, atol=1e-7)
    assert result.data_score == pytest.approx(oracle.data_score(graphs[-1]), abs=1e-7)
    assert result.prior_score == pytest.approx(oracle.prior_score(graphs[-1]), abs=1e-7)


@given(settings_of_a_climb(), st.sampled_from([(0, 0), (0, 1000), (4, 0), (4, 1000)]))
def test_every_step_scores_what_rescoring_says(
    setting: Setting, tabu_and_budget: tuple[int, int]
) -> None:
    tabu, budget = tabu_and_budget
    if setting.score == "k2":
        budget = 0
    result = setting.run(tabu=tabu, swap_budget=budget)
    oracle = setting.oracle()
    matrix = setting.rules.required.copy()
    total = oracle.total(matrix)
    assert result.start_score == pytest.approx(total, abs=1e-7)
    best = total
    rows = result.log.tolist()
    for i, (code, u, v, data_gain, prior_gain) in enumerate(rows):
        if code == 3:  # a swap's edge as it is afterwards, the gain with the first of its rows
            matrix[v, u], matrix[u, v] = False, True
        else:
            matrix[u, v] = code == 0
            matrix[v, u] |= code == 2
        total += data_gain + prior_gain
        is_inside_swap = i + 1 < len(rows) and code == rows[i + 1][0] == 3
        if not is_inside_swap:
            assert oracle.is_legal(matrix)
            assert total == pytest.approx(oracle.total(matrix), rel=1e-9, abs=1e-6)
            assert total > -np.inf
            best = max(best, total)
    assert result.data_score + result.prior_score == pytest.approx(best, abs=1e-6)
    if tabu == 0:
        np.testing.assert_array_equal(result.adjacency, matrix)


@given(settings_of_a_climb())
def test_tabu_ends_no_lower_than_its_first_descent(setting: Setting) -> None:
    plain = setting.run(is_turning=False)
    walked = setting.run(tabu=5, is_turning=False)
    assert walked.data_score + walked.prior_score >= plain.data_score + plain.prior_score - 1e-6


class InPython(Scorer):
    """A score without a kernel."""

    def __init__(self, oracle: OracleProblem) -> None:
        self.oracle = oracle

    @property
    def is_score_equivalent(self) -> bool:
        return False

    def local(self, child: int, parents: Sequence[int]) -> float:
        return self.oracle.local(child, frozenset(parents))

    def estimate(self, dag: Dag, *, equivalent_sample_size: float) -> BayesianNetwork:
        raise AssertionError("no search asks for parameters")


@given(settings_of_a_climb(), st.booleans())
def test_python_scores_climb_like_compiled_ones(setting: Setting, is_turning: bool) -> None:
    oracle = setting.oracle()
    options = SearchOptions(tabu=0, swap_budget=0, is_turning=is_turning)
    result = climb(setting.problem(InPython(oracle)), options, StopRequest())
    graphs = oracle_climb(oracle, setting.rules.required, is_turning=is_turning)
    np.testing.assert_array_equal(result.adjacency, graphs[-1])


@given(settings_of_a_climb(), st.floats(-4.0, 1.0), st.booleans())
def test_edges_are_worth_the_same_to_every_search(
    setting: Setting, log_edge_odds: float, is_compiled: bool
) -> None:
    oracle = setting.oracle()
    scorer = make_score(setting.score).bind(setting.data) if is_compiled else InPython(oracle)
    run = search_classes if scorer.is_score_equivalent else climb
    weights = setting.prior._replace(log_edge_odds=log_edge_odds)
    problem = replace(setting.problem(scorer), weights=weights)
    options = SearchOptions(tabu=0, swap_budget=1000, is_turning=False)
    result = run(problem, options, StopRequest())
    graph = result.adjacency
    edges = log_edge_odds * graph.sum()
    assert result.data_score == pytest.approx(oracle.data_score(graph), abs=1e-7)
    assert result.prior_score == pytest.approx(oracle.prior_score(graph) + edges, abs=1e-7)
    gained = result.log.data_gain.sum() + result.log.prior_gain.sum()
    total = result.data_score + result.prior_score
    assert result.start_score + gained == pytest.approx(total, abs=1e-6)
