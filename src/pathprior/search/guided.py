"""Climbs from where other scores lead, for a score that has no equivalence classes to walk between.

Hill climbing over DAGs from the empty graph ends far from the best one. Scores that are like the
one asked for, but equal for equivalent graphs, are searched by classes first; the climb by the
score itself begins at each of the graphs that these find.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.dag import Dag
from pathprior.problem.problem import Problem
from pathprior.score.score import Scorer
from pathprior.search.class_search import DEFAULT_TABU, default_shakes, search_classes
from pathprior.search.climber import climb, score_columns
from pathprior.search.driver import SearchOptions, SearchResult
from pathprior.search.interrupt import StopRequest
from pathprior.search.progress import OnProgress
from pathprior.search.steps import steps_between


def search_guided(
    problem: Problem,
    options: SearchOptions,
    stop: StopRequest,
    on_progress: OnProgress | None = None,
) -> SearchResult:
    """Climb from the start, and from what the score's guides find; keep the best."""
    columns = score_columns(problem)  # most families that one climb meets the others meet too
    first = climb(problem, options, stop, on_progress, columns)
    best = first
    for guide in problem.scorer.guides() if options.has_guides else ():
        if stop.is_set:
            break
        start = _led_by(guide, problem, options, stop)
        found = climb(replace(problem, start=start), options, stop, on_progress, columns)
        if found.score > best.score:
            best = _from_start(found, start, first, problem.start)
    return replace(best, is_interrupted=stop.is_set)


def _led_by(guide: Scorer, problem: Problem, options: SearchOptions, stop: StopRequest) -> Dag:
    """The best graph by another score that a search over classes finds."""
    walking = replace(options, tabu=DEFAULT_TABU, shakes=default_shakes(problem.start.num_nodes))
    found = search_classes(replace(problem, scorer=guide), walking, stop)
    return Dag(problem.rules.variables, found.adjacency)


def _from_start(found: SearchResult, start: Dag, first: SearchResult, origin: Dag) -> SearchResult:
    """Let the steps of a climb begin where the first climb did."""
    begun, at_origin = _scores_at_start(found), _scores_at_start(first)
    way = steps_between(origin.adjacency, start.adjacency, *(begun - at_origin).tolist())
    log = np.concatenate([way, found.log]).view(np.recarray)
    return replace(found, log=log, start_score=first.start_score)


def _scores_at_start(result: SearchResult) -> NDArray[np.float64]:
    """Data and prior score of the graph that the steps begin at."""
    log = result.log
    return np.array(
        [result.data_score - log.data_gain.sum(), result.prior_score - log.prior_gain.sum()]
    )
