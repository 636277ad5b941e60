"""Hill climbing over DAGs: the state of `kernels.climb`, ready to be driven."""

import numpy as np

from pathprior.graph.bitset import pack_rows
from pathprior.graph.dag import Dag
from pathprior.kernels.climb.climb import run_climb
from pathprior.kernels.climb.state import TALLY, Climb, ClimbProblem, Moves, Options, Scratch
from pathprior.kernels.data.columns import READY, Columns
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.prior.graph_prior import GraphPrior, read_pairs
from pathprior.kernels.prior.moves import PriorScratch
from pathprior.kernels.records import make_record, make_records
from pathprior.kernels.steps import NEVER, STEP
from pathprior.problem.problem import Problem
from pathprior.search.driver import (
    RELATIVE_TOLERANCE,
    SearchOptions,
    SearchResult,
    SearchRun,
    columns_of,
    drive,
    words_of,
)
from pathprior.search.interrupt import StopRequest
from pathprior.search.progress import OnProgress

MAX_TIES = 64


def climb(
    problem: Problem,
    options: SearchOptions,
    stop: StopRequest,
    on_progress: OnProgress | None = None,
    columns: Columns | None = None,
) -> SearchResult:
    """Climb from the start until nothing gains; see `pathprior.kernels.climb`.

    ``columns`` are those of other climbs with the same score and rules, see `score_columns`.
    """
    return drive(ClimbRun(problem, options, columns), stop, on_progress)


def score_columns(problem: Problem) -> Columns:
    """Columns of scores that several climbs fill together."""
    return columns_of(problem, problem.rules.limits().forbidden)


class ClimbRun(SearchRun):
    """A climb under way."""

    state: Climb

    def __init__(
        self, problem: Problem, options: SearchOptions, columns: Columns | None = None
    ) -> None:
        limits = problem.rules.limits()
        self.step_room = problem.start.num_nodes**2  # a swap may turn every edge
        super().__init__(problem, limits.forbidden, columns)
        self.fixed = ClimbProblem(limits, problem.weights, pack_rows(problem.cut))
        self.options = Options(0.0, options.tabu, options.swap_budget, options.is_turning)
        self.state = _make_state(problem.weights, problem.start)

    def advance(self, max_work: int) -> int:
        """Go on climbing."""
        return run_climb(self.columns, self.fixed, self.options, self.state, max_work)

    def begin(self) -> None:
        """All families of the start are scored."""
        local, tally = self.state.moves.scores.diagonal(), self.state.tally
        tolerance = RELATIVE_TOLERANCE * max(1.0, float(np.abs(local).max(initial=0.0)))
        self.options = self.options._replace(tolerance=tolerance)
        tally.data_score = tally.best_data_score = local.sum()
        tally.best_prior_score = tally.prior_score

    def finish(self) -> None:
        """Replace the sum of rounded gains by the sum of the scores."""
        if np.array_equal(self.best_parents, self.parents):
            self.state.tally.best_data_score = self.state.moves.scores.diagonal().sum()

    @property
    def parents(self) -> Words:
        """The present graph."""
        return self.state.graph.parents

    @property
    def best_parents(self) -> Words:
        """The best graph so far."""
        return self.state.best_parents

    @property
    def num_logged(self) -> int:
        """All steps, those after the best graph too."""
        return int(self.state.tally.num_logged)


def _make_state(prior: GraphPrior, start: Dag) -> Climb:
    num_nodes, num_pairs = start.num_nodes, len(prior.pairs)
    graph = Graph(start.parent_words.copy(), start.ancestor_words.copy())
    codes = np.empty(num_pairs, np.int64)
    tally = make_record(TALLY)
    tally.prior_score = read_pairs(prior, graph, codes)
    tally.entry = READY
    return Climb(
        graph=graph,
        codes=codes,
        moves=Moves(
            scores=np.empty((num_nodes, num_nodes)),
            is_dirty=np.ones(num_nodes, np.bool_),
            best=np.full(num_nodes, -np.inf),
            best_parent=np.full(num_nodes, -1),
            is_stale=np.ones(num_nodes, np.bool_),
            last_moved=np.full((num_nodes, num_nodes), -NEVER),
        ),
        tally=tally,
        best_parents=graph.parents.copy(),
        log=make_records(num_nodes * num_nodes + 1024, STEP),
        scratch=Scratch(
            insert_bound=np.zeros(num_nodes),
            change_bound=np.zeros(num_nodes),
            tied=make_records(MAX_TIES, STEP),
            turn=make_records(1, STEP),
            prior=PriorScratch(
                touched=np.empty(num_pairs, np.int64),
                order=start.order.copy(),
                after=words_of(num_nodes, num_nodes),
                below=words_of(num_nodes),
                codes=np.empty(num_pairs, np.int64),
            ),
        ),
    )
