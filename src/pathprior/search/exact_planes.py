"""The best graph of many variables, with a proof: by parent sets and cutting planes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.dag import Dag
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.problem.pair_codes import graph_of, weigh_pairs
from pathprior.problem.problem import Problem
from pathprior.search.cutting_planes import Planes
from pathprior.search.driver import SearchOptions, SearchResult
from pathprior.search.graph_result import as_matrix, as_result, better, rounding_of
from pathprior.search.interrupt import StopRequest
from pathprior.search.parent_sets import ParentSets, ScoredFamilies
from pathprior.search.path_terms import PathTerms
from pathprior.search.progress import OnProgress
from pathprior.search.whole_graphs import Clock, WholeSearch

Search = Callable[[Problem, SearchOptions, StopRequest, OnProgress | None], SearchResult]
"""A search from the start of a problem."""

MAX_NODES = 62
"""Sets of more nodes are not the bits of one number."""
MOST_SECONDS = 600.0
"""How long a proof may take where nobody says."""
MOST_FAMILIES = 50_000
"""Families that are weighed together with paths."""


def search_by_planes(
    problem: Problem,
    options: SearchOptions,
    usual: Search,
    stop: StopRequest,
    on_progress: OnProgress | None = None,
) -> SearchResult:
    """Find the best graph, or say how far from it the best one found may be.

    It begins with the ``usual`` search. The families of a graph score no more than the best ones,
    and its paths no more than the best of each pair: where that leaves a gap, families that fall
    by no more than the gap are weighed together with the paths. What is proved holds for graphs
    with at most ``bound_parents`` parents of a variable. Where a stop was asked for before the
    families were listed, there is no ``bound``.
    """
    seconds = MOST_SECONDS if options.time_limit is None else options.time_limit
    clock = Clock(stop, monotonic() + seconds)
    found = usual(problem, options, stop, on_progress)
    scored = ScoredFamilies(problem, stop, seconds)
    families = scored.list_best()
    if families is None or not np.diff(families.first).all():
        return found
    alone = replace(problem, weights=_without_pairs(problem.weights))
    search = _weigh(alone, families, found, clock, on_progress)
    search.run()
    if search.chosen is not None:
        found = better(found, _go_on_from(problem, options, usual, search.chosen, stop))
    most_paths = float(problem.weights.log_weights.max(axis=1).sum())
    bound = max(search.bound + most_paths, found.score)
    if len(problem.weights.pairs) > 0 and not clock.is_over:
        wider = scored.list_best(bound - found.score)
        if wider is not None and len(wider.scores) <= MOST_FAMILIES:
            search = _weigh(problem, wider, found, clock, on_progress, search.planes.clusters)
            search.run(bound)
            bound = min(bound, search.bound)
            if search.chosen is not None:
                found = better(found, as_result(problem, as_matrix(search.chosen)))
    return replace(found, bound=max(bound, found.score), bound_parents=families.most)


def _weigh(
    problem: Problem,
    families: ParentSets,
    found: SearchResult,
    clock: Clock,
    on_progress: OnProgress | None,
    clusters: Sequence[int] = (),
) -> WholeSearch:
    """A search for the DAG of the best families, with the paths of the problem's pairs."""

    def tell(num_rounds: int, search: WholeSearch) -> None:
        if on_progress is not None:
            on_progress(len(found.log) + num_rounds, found.score + search.gain, search.num_edges)

    planes = Planes(families.num_nodes, PathTerms(problem.weights, families.num_nodes))
    planes.add(list(clusters))
    begun = as_result(problem, found.adjacency)
    num_edges, rounding = int(found.adjacency.sum()), rounding_of(found)

    def paths_of(parents: NDArray[np.int64]) -> float:
        dag = Dag(problem.rules.variables, as_matrix(parents))
        return weigh_pairs(problem.weights, graph_of(dag))

    return WholeSearch(families, planes, paths_of, begun.score, rounding, clock, tell, num_edges)


def _without_pairs(weights: GraphPrior) -> GraphPrior:
    """The same with edges alone."""
    return weights._replace(pairs=weights.pairs[:0], log_weights=weights.log_weights[:0])


def _go_on_from(
    problem: Problem,
    options: SearchOptions,
    usual: Search,
    parents: NDArray[np.int64],
    stop: StopRequest,
) -> SearchResult:
    """The graph of some families; with paths to weigh, what a search finds from there."""
    result = as_result(problem, as_matrix(parents))
    if len(problem.weights.pairs) == 0 or result.prior_score == -np.inf or stop.is_set:
        return result
    start = Dag(problem.rules.variables, result.adjacency)
    return usual(replace(problem, start=start), options, stop, None)
