"""The best graph of many variables, with a proof: by parent sets and cutting planes."""

from dataclasses import replace
from time import monotonic

import numpy as np

from pathprior.search.driver import SearchOptions, SearchResult
from pathprior.search.graph_result import as_matrix, as_result, better, rounding_of
from pathprior.search.interrupt import StopRequest
from pathprior.search.parent_sets import list_parent_sets
from pathprior.search.progress import OnProgress
from pathprior.search.whole_graphs import Clock, WholeSearch
from pathprior.task.task import Task

MAX_NODES = 62
"""Sets of more nodes are not the bits of one number."""
MOST_SECONDS = 600.0
"""How long a proof may take where nobody says."""


def search_by_planes(
    task: Task,
    options: SearchOptions,
    found: SearchResult,
    stop: StopRequest,
    on_progress: OnProgress | None = None,
) -> SearchResult:
    """Find a better graph than ``found``, and say how far from the best it may be.

    What is proved holds for graphs with at most ``bound_parents`` parents of a variable. Where a
    stop was asked for before the families were listed, the result has no ``bound``.
    """
    seconds = MOST_SECONDS if options.time_limit is None else options.time_limit
    clock = Clock(stop, monotonic() + seconds)
    families = list_parent_sets(task, stop, seconds)
    if families is None or not np.diff(families.first).all():
        return found

    def tell(num_rounds: int, search: WholeSearch) -> None:
        if on_progress is not None:
            on_progress(len(found.log) + num_rounds, search.score, search.num_edges)

    search = WholeSearch(families, found.score, rounding_of(found), clock, tell)
    search.num_edges = int(found.adjacency.sum())
    search.run()
    if search.chosen is not None:
        found = better(found, as_result(task, as_matrix(search.chosen)))
    return replace(found, bound=max(search.bound, found.score), bound_parents=families.most)
