"""The best graph of many variables, with a proof: by parent sets and cutting planes."""

from collections.abc import Callable
from dataclasses import replace
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.dag import Dag
from pathprior.search.driver import SearchOptions, SearchResult
from pathprior.search.graph_result import as_matrix, as_result, better, rounding_of
from pathprior.search.interrupt import StopRequest
from pathprior.search.parent_sets import ParentSets, list_parent_sets
from pathprior.search.progress import OnProgress
from pathprior.search.whole_graphs import Clock, WholeSearch
from pathprior.task.task import Task

Search = Callable[[Task, SearchOptions, StopRequest, OnProgress | None], SearchResult]
"""A search from the start of a task."""

MAX_NODES = 62
"""Sets of more nodes are not the bits of one number."""
MOST_SECONDS = 600.0
"""How long a proof may take where nobody says."""


def search_by_planes(
    task: Task,
    options: SearchOptions,
    usual: Search,
    stop: StopRequest,
    on_progress: OnProgress | None = None,
) -> SearchResult:
    """Find the best graph, or say how far from it the best one found may be.

    It begins with the ``usual`` search. Paths are no part of the families: what is proved is a
    bound on these, and on paths the best of each pair. The search goes on from the graph of the
    best families then. What is proved holds for graphs with at most ``bound_parents`` parents of a
    variable. Where a stop was asked for before the families were listed, there is no ``bound``.
    """
    seconds = MOST_SECONDS if options.time_limit is None else options.time_limit
    clock = Clock(stop, monotonic() + seconds)
    found = usual(task, options, stop, on_progress)
    families = list_parent_sets(task, stop, seconds)
    if families is None or not np.diff(families.first).all():
        return found
    search = _choose_families(task, families, found, clock, on_progress)
    if search.chosen is not None:
        found = better(found, _go_on_from(task, options, usual, search.chosen, stop))
    bound = search.bound + float(task.weights.log_weights.max(axis=1).sum())
    return replace(found, bound=max(bound, found.score), bound_parents=families.most)


def _choose_families(
    task: Task,
    families: ParentSets,
    found: SearchResult,
    clock: Clock,
    on_progress: OnProgress | None,
) -> WholeSearch:
    """Look for the DAG of the best families."""

    def tell(num_rounds: int, search: WholeSearch) -> None:
        if on_progress is not None:
            on_progress(len(found.log) + num_rounds, found.score + search.gain, search.num_edges)

    num_edges = int(found.adjacency.sum())
    score = found.data_score + num_edges * task.weights.log_edge_odds
    search = WholeSearch(families, score, rounding_of(found), clock, tell, num_edges)
    search.run()
    return search


def _go_on_from(
    task: Task, options: SearchOptions, usual: Search, parents: NDArray[np.int64], stop: StopRequest
) -> SearchResult:
    """The graph of some families; with paths to weigh, what a search finds from there."""
    result = as_result(task, as_matrix(parents))
    if len(task.weights.pairs) == 0 or result.prior_score == -np.inf or stop.is_set:
        return result
    start = Dag(task.rules.variables, result.adjacency)
    return usual(replace(task, start=start), options, stop, None)
