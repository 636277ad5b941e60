"""Climbs from where other scores lead, for a score that has no equivalence classes to walk between.

Hill climbing over DAGs from the empty graph ends far from the best one. Scores that are like the
one asked for, but equal for equivalent graphs, are searched by classes first; the climb by the
score itself begins at each of the graphs that these find. The best graph is then disturbed: a few
variables that lie close together lose their edges, and the climb begins again there. All climbs
read one cache of scores, so that the later ones cost little.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.dag import Dag
from pathprior.kernels.data.columns import Columns
from pathprior.problem.pair_codes import breaks_belief, graph_of
from pathprior.problem.problem import Problem
from pathprior.score.score import Scorer
from pathprior.search.class_search import DEFAULT_TABU, search_classes
from pathprior.search.climber import climb, score_columns
from pathprior.search.directions import ClassScores, weigh
from pathprior.search.driver import SearchOptions, SearchResult
from pathprior.search.graph_result import rounding_of
from pathprior.search.interrupt import StopRequest
from pathprior.search.progress import OnProgress
from pathprior.search.steps import steps_between

SHAKES = {"quick": 0, "default": 50, "thorough": 500}
"""Disturbances in a row that come to nothing, by effort."""
SIZES = (2, 4, 8)
"""Variables that are disturbed at a time, in turn."""


def search_guided(
    problem: Problem,
    options: SearchOptions,
    stop: StopRequest,
    on_progress: OnProgress | None = None,
) -> SearchResult:
    """Climb from the start, and from what the score's guides find; disturb the best, keep the best.

    The climbs from elsewhere are counted in the result, and those that ended at its score.
    """
    climbs = _Climbs(problem, options, stop)
    first = climb(problem, options, stop, on_progress, columns=climbs.columns)
    best, ends = first, [first.score]
    for guide in problem.scorer.guides() if options.has_guides else ():
        if stop.is_set:
            break
        start = without_losses(_led_by(guide, problem, options, stop), problem, climbs.scores)
        found = climbs.from_graph(start.adjacency)
        ends.append(found.score)
        if found.score > best.score:
            best = _from_start(found, start, first, problem.start)
    if options.has_guides:
        best = climbs.disturb(best, on_progress)
    num_found = sum(end >= best.score - rounding_of(best) for end in ends)
    return replace(
        best,
        num_searches=len(ends) - 1,
        found_again=max(num_found - 1, 0),
        is_interrupted=stop.is_set,
    )


class _Climbs:
    """Climbs on one problem, which share what they know of its scores."""

    def __init__(self, problem: Problem, options: SearchOptions, stop: StopRequest) -> None:
        self.problem, self.options, self.stop = problem, options, stop
        self.columns: Columns = score_columns(problem)
        self.scores = ClassScores.of(problem)

    def from_graph(self, adjacency: NDArray[np.bool_]) -> SearchResult:
        """Climb from a graph."""
        start = Dag(self.problem.rules.variables, adjacency)
        return climb(
            replace(self.problem, start=start), self.options, self.stop, columns=self.columns
        )

    def disturb(self, best: SearchResult, on_progress: OnProgress | None) -> SearchResult:
        """Begin again at disturbances of the best graph until enough of them came to nothing."""
        generator = np.random.default_rng(self.options.seed)
        num_vain = num_made = 0
        while num_vain < self.options.shakes and not self.stop.is_set:
            size = SIZES[num_made % len(SIZES)]
            num_made += 1
            num_vain += 1
            start = detached(best.adjacency, self.problem, size, generator)
            found = self.from_graph(start)
            if found.score > best.score + rounding_of(best):
                best, num_vain = _onward(best, found), 0
            if on_progress is not None:
                on_progress(len(best.log), best.score, int(best.adjacency.sum()))
        return best


def detached(
    adjacency: NDArray[np.bool_], problem: Problem, size: int, generator: np.random.Generator
) -> NDArray[np.bool_]:
    """The graph without the edges of some variables that lie close together.

    Required edges stay, and all edges where a hard belief would break.
    """
    num_nodes = len(adjacency)
    neighbours = adjacency | adjacency.T
    chosen = np.zeros(num_nodes, np.bool_)
    chosen[generator.integers(num_nodes)] = True
    while chosen.sum() < min(size, num_nodes):
        near = neighbours[chosen].any(axis=0) & ~chosen
        chosen[generator.choice(np.flatnonzero(near if near.any() else ~chosen))] = True
    found = adjacency & (problem.rules.required | ~(chosen[:, None] | chosen[None, :]))
    dag = Dag(problem.rules.variables, found)
    return adjacency if breaks_belief(problem.weights, graph_of(dag)) else found


def _led_by(guide: Scorer, problem: Problem, options: SearchOptions, stop: StopRequest) -> Dag:
    """The best graph by another score that a search over classes finds.

    That search is not disturbed: the climbs that begin there are.
    """
    walking = replace(options, tabu=DEFAULT_TABU, shakes=0)
    found = search_classes(replace(problem, scorer=guide), walking, stop)
    return Dag(problem.rules.variables, found.adjacency)


def without_losses(dag: Dag, problem: Problem, scores: ClassScores) -> Dag:
    """Take edges away that cost more than they are worth: of each child the dearest first.

    A climb would do the same, but weighs all insertions in between, which in families of many
    parents takes long.
    """
    adjacency = dag.adjacency.copy()
    for v in range(len(adjacency)):
        while True:
            here = scores.family(v, adjacency[:, v]) + weigh(problem, adjacency)
            gains = {}
            for u in np.flatnonzero(adjacency[:, v] & ~problem.rules.required[:, v]).tolist():
                adjacency[u, v] = False
                gains[u] = scores.family(v, adjacency[:, v]) + weigh(problem, adjacency) - here
                adjacency[u, v] = True
            dearest = max(gains, key=gains.__getitem__, default=-1)
            if dearest < 0 or gains[dearest] <= 0:
                break
            adjacency[dearest, v] = False
    return Dag(dag.nodes, adjacency)


def _from_start(found: SearchResult, start: Dag, first: SearchResult, origin: Dag) -> SearchResult:
    """Let the steps of a climb begin where the first climb did."""
    begun, at_origin = _scores_at_start(found), _scores_at_start(first)
    way = steps_between(origin.adjacency, start.adjacency, *(begun - at_origin).tolist())
    log = np.concatenate([way, found.log]).view(np.recarray)
    return replace(found, log=log, start_score=first.start_score)


def _onward(best: SearchResult, found: SearchResult) -> SearchResult:
    """Let the way to a better graph be one step more than that to the best before."""
    gains = found.data_score - best.data_score, found.prior_score - best.prior_score
    way = steps_between(best.adjacency, found.adjacency, *gains)
    log = np.concatenate([best.log, way]).view(np.recarray)
    return replace(found, log=log, start_score=best.start_score)


def _scores_at_start(result: SearchResult) -> NDArray[np.float64]:
    """Data and prior score of the graph that the steps begin at."""
    log = result.log
    return np.array(
        [result.data_score - log.data_gain.sum(), result.prior_score - log.prior_gain.sum()]
    )
