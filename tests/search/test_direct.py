"""Learning with beliefs in edges: the optimum by enumeration, and what is said of it."""

from math import log

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.score.named import make_score
from pathprior.search.class_search import certain_neighbours
from tests.oracles.ties import listed_dags
from tests.problems import make_problem

NAMES = tuple("abcd")


def table(seed: int) -> pd.DataFrame:
    """A noisy chain a, b, c, d."""
    rng = np.random.default_rng(seed)
    columns = [rng.random(60) < 0.5]
    for _ in NAMES[1:]:
        columns.append(np.where(rng.random(60) < 0.7, columns[-1], rng.random(60) < 0.5))
    return pd.DataFrame(dict(zip(NAMES, columns, strict=True))).astype(int).astype(str)


def random_beliefs(seed: int) -> list:
    rng = np.random.default_rng(seed)
    makers = (pp.direct, pp.not_direct, pp.causes, pp.direct, pp.associated)
    ends = [rng.choice(4, 2, replace=False) for _ in range(4)]
    return [
        makers[rng.integers(5)](NAMES[x], NAMES[y], float(rng.uniform(0.4, 0.97))) for x, y in ends
    ]


@pytest.mark.filterwarnings("ignore::pathprior.prior.belief_table.BaselineWarning")
@pytest.mark.parametrize("seed", range(10))
def test_the_best_graph_is_found_and_scored_right(seed):
    data, prior = table(seed), pp.fit_prior(random_beliefs(seed), NAMES)
    fit = pp.learn(data, prior, restarts=5)
    assert fit.resolved.search == "equivalence"
    scores = [
        pp.score_graph(dag, data) + prior.log_prob(dag)
        for dag in (pp.Dag(NAMES, adjacency) for adjacency in listed_dags(4))
    ]
    assert fit.data_score == pytest.approx(pp.score_graph(fit.dag, data))
    total = fit.data_score + prior.log_prob(fit.dag)
    assert total == pytest.approx(max(scores), abs=1e-8)


@pytest.mark.parametrize("search", ["equivalence", "greedy", "turning"])
def test_certain_edges_are_kept_and_certain_gaps_left(search):
    beliefs = [pp.direct("d", "a", 1), pp.not_direct("b", "c", 1), pp.not_direct("c", "b", 1)]
    fit = pp.learn(table(3), beliefs, search=search)
    assert ("d", "a") in fit.dag.edges
    assert not {("b", "c"), ("c", "b")} & set(fit.dag.edges)


def test_certain_edges_tie_neighbours_whatever_is_tried():
    weights = make_problem(
        table(3),
        [pp.direct("d", "a", 1), pp.not_direct("b", "c", 1), pp.not_direct("c", "b", 1)],
        make_score("bdeu", equivalent_sample_size=1.0),
    ).weights
    joined, parted = certain_neighbours(weights, 4)
    assert np.argwhere(joined).tolist() == [[0, 3], [3, 0]]
    assert np.argwhere(parted).tolist() == [[1, 2], [2, 1]]


def test_a_certain_edge_that_the_rules_forbid_is_refused():
    with pytest.raises(pp.errors.PathPriorError, match="no graph holds the hard belief d → a"):
        pp.learn(table(3), [pp.direct("d", "a", 1)], forbidden=[("d", "a")])


def test_a_start_that_breaks_a_certain_edge_is_refused():
    start = pp.Dag.from_edges(NAMES, [("a", "d")])
    with pytest.raises(pp.errors.PathPriorError, match="the start graph has a → d, which"):
        pp.learn(table(3), [pp.not_direct("a", "d", 1)], start=start)


def test_what_became_of_a_belief_in_an_edge():
    beliefs = [pp.direct("a", "b", 0.95), pp.direct("a", "c", 0.6), pp.causes("a", "c", 0.7)]
    fit = pp.learn(table(0), beliefs)
    held = fit.beliefs_held().set_index(["x", "event", "y"])
    for (x, event, y), row in held.iterrows():
        expected = (x, y) in fit.dag.edges if event == "direct" else fit.dag.relation(x, y) == 0
        assert row.holds == expected
    evidence = fit.evidence(restarts=2)
    assert set(evidence["event"]) == {"direct", "causes"}
    assert np.isfinite(evidence["log_ratio"]).all()
    row = evidence.query("event == 'direct' and y == 'b'").iloc[0]
    best = max(row.with_event, row.without_event)
    # every edge is one of those that are seen, nine of ten
    assert fit.score + fit.dag.num_edges * log(0.9) - 1e-9 <= best <= fit.score


def test_what_an_edge_is_supported_by_counts_what_was_said_of_it():
    prior = pp.fit_prior([pp.direct("a", "b", 0.95)], NAMES)
    fit = pp.learn(table(0), prior)
    assert ("a", "b") in fit.dag.edges
    without = pp.Dag.from_edges(NAMES, [e for e in fit.dag.edges if e != ("a", "b")])
    loss = prior.log_prob(fit.dag) - prior.log_prob(without)
    assert loss > 2
