"""A graph that some search of its own found, as the result of a search."""

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.dag import Dag
from pathprior.kernels.records import make_records
from pathprior.kernels.steps import STEP
from pathprior.problem.pair_codes import graph_of, weigh_pairs
from pathprior.problem.problem import Problem
from pathprior.search.driver import BOUND_TOLERANCE, SearchResult


def rounding_of(result: SearchResult) -> float:
    """Differences from its score that are none."""
    return BOUND_TOLERANCE * max(1.0, abs(result.score))


def better(one: SearchResult, other: SearchResult) -> SearchResult:
    """The better of two results; the first unless they differ by more than rounding."""
    return other if other.score > one.score + rounding_of(one) else one


def as_matrix(parents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Sets of parents as an adjacency matrix."""
    number = np.arange(len(parents))
    found: NDArray[np.bool_] = (parents[None, :] >> number[:, None] & 1).astype(bool)
    return found


def as_result(problem: Problem, adjacency: NDArray[np.bool_]) -> SearchResult:
    """A graph as the result of a search without steps."""
    dag = Dag(problem.rules.variables, adjacency)
    columns = (np.flatnonzero(column).tolist() for column in adjacency.T)
    data_score = float(sum(problem.scorer.local(v, parents) for v, parents in enumerate(columns)))
    paths = weigh_pairs(problem.weights, graph_of(dag))
    prior_score = paths + dag.num_edges * problem.weights.log_edge_odds
    return SearchResult(
        adjacency=adjacency,
        data_score=data_score,
        prior_score=prior_score,
        start_score=data_score + prior_score,
        log=make_records(0, STEP),
        num_truncated_swaps=0,
        is_interrupted=False,
    )
