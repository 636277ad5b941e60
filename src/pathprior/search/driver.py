"""Drives a search: slices of compiled work, watched, stopped, and asked for scores in Python."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import SearchError
from pathprior.graph.bitset import num_words, unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.data.columns import READY, Asked, Columns, make_columns
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.records import Records, make_records
from pathprior.kernels.steps import EDGES_ADDED, FINISHED, NEEDS_SCORES, STARTED, STEP
from pathprior.problem.problem import Problem
from pathprior.search.interrupt import StopRequest
from pathprior.search.progress import OnProgress
from pathprior.search.stop_reason import StopReason

SLICE = 10**9
"""Work of one call into the kernels, see `kernels.data.columns`: about a tenth of a second."""
WATCHED_SLICE = 10**8
RELATIVE_TOLERANCE = 1e-10
SWAP_BUDGET = 100_000
"""Most search nodes of one swap, of a few μs each."""
BOUND_TOLERANCE = 1e-9
"""Gaps to a bound below this part of the score are rounding."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search; see `pathprior.learn`."""

    tabu: int
    swap_budget: int
    is_turning: bool
    shakes: int = 0
    """Disturbances in a row that may come to nothing before the search ends."""
    seed: int = 0
    has_guides: bool = True
    """Whether the guided search begins where other scores lead besides at the start, and goes on
    from disturbances."""
    is_quick: bool = False
    """Whether the exact search was chosen because it takes a second at most."""
    time_limit: float | None = None
    """Seconds after which a proof by cutting planes is given up; None as long as its own limit."""
    more_work: float = 0.0
    """What the search over classes may do after the first optimum, see `kernels.data.columns`."""
    times_found: int = 0
    """Searches from elsewhere that must end at the best class again, which ends it sooner."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The best graph of one search, its scores and its log (records of `kernels.steps.STEP`)."""

    adjacency: NDArray[np.bool_]
    data_score: float
    prior_score: float
    start_score: float
    log: Records
    num_truncated_swaps: int
    is_interrupted: bool
    bound: float = np.inf
    """No graph within the rules scores more, as far as that was proved."""
    bound_parents: int | None = None
    """What was proved holds for graphs with at most so many parents each; None for all graphs."""
    num_searches: int = 0
    """Searches from elsewhere."""
    found_again: int = 0
    """Those of them that ended at the same class, but for the one that found it."""
    problem: Problem | None = None
    """What it is a result of; of drawn cells those that were chosen in the end."""
    reason: StopReason = StopReason.LOCAL_OPTIMUM
    """Why the search stopped."""
    rounds: tuple[Dag, ...] = ()
    """Where missing cells were drawn, the graphs among which this one was chosen."""

    @property
    def score(self) -> float:
        """Data score plus prior score."""
        return self.data_score + self.prior_score

    def on(self, problem: Problem, reason: StopReason) -> "SearchResult":
        """The same, with what it is a result of and why the search stopped."""
        return replace(self, problem=problem, reason=reason)

    @property
    def is_proven(self) -> bool:
        """Whether no graph scores higher, but for rounding."""
        return self.bound <= self.score + BOUND_TOLERANCE * max(1.0, abs(self.score))


class SearchRun(ABC):
    """A search under way: the kernels' state, and how to go on from it.

    ``state`` has a ``tally`` and a ``log``, whatever else it has.
    """

    state: Any
    step_room: int
    """Records of the log that one step may take."""

    def __init__(self, problem: Problem, barred: Words, columns: Columns | None = None) -> None:
        """``columns`` are those of another search with the same scores and rules, to be shared."""
        self.scorer = problem.scorer
        self.variables = problem.rules.variables
        self.columns = columns or columns_of(problem, barred)
        self._known: dict[tuple[int, tuple[int, ...]], float] = {}

    @abstractmethod
    def advance(self, max_work: int) -> int:
        """Go on for so much work; return a status of `kernels.steps`."""

    @abstractmethod
    def begin(self) -> None:
        """Take note of the scale of the scores, now that the start is scored."""

    def require_possible(self) -> None:
        """Raise if the score rules out the start: no gain could be told from there."""
        if self.state.tally.data_score > -np.inf:
            return
        for v, row in enumerate(self.parents):
            parents = np.flatnonzero(unpack_row(row, len(self.parents))).tolist()
            if self.scorer.local(v, parents) == -np.inf:
                names = [repr(self.variables[u]) for u in (v, *parents)]
                raise SearchError(
                    f"the score rules out the start graph, by the family of {names[0]} with the "
                    f"parents {', '.join(names[1:]) or 'none'}: start from another graph, require "
                    "fewer edges, or use another score"
                )

    def finish(self) -> None:  # noqa: B027, most searches have nothing left to do
        """Tidy up once nothing gains."""

    @property
    @abstractmethod
    def parents(self) -> Words:
        """The present graph."""

    @property
    @abstractmethod
    def best_parents(self) -> Words:
        """The best graph so far."""

    @property
    @abstractmethod
    def num_logged(self) -> int:
        """Steps of the log that led to the best graph."""

    def answer(self) -> None:
        """Fill the column that the kernels wait for; each family is scored once."""
        tally, columns = self.state.tally, self.columns
        entry, cache = int(tally.entry), columns.cache
        child, num_nodes = int(cache.children[entry]), len(columns.barred)
        members = np.flatnonzero(unpack_row(cache.parents[entry], num_nodes)).tolist()
        may_add = ~unpack_row(columns.barred[child], num_nodes)
        if len(members) >= columns.max_parents:
            may_add[:] = False
        column = cache.scores[entry]
        column[:] = -np.inf
        column[child] = self._local(child, members)
        for u in range(num_nodes):
            if u in members:
                column[u] = self._local(child, [v for v in members if v != u])
            elif u != child and may_add[u]:
                column[u] = self._local(child, sorted([*members, u]))
        tally.entry = READY

    def _local(self, child: int, parents: Sequence[int]) -> float:
        key = (child, tuple(parents))
        if key not in self._known:
            self._known[key] = self.scorer.local(child, parents) + self.columns.log_edge_odds * len(
                parents
            )
        return self._known[key]


def columns_of(problem: Problem, barred: Words) -> Columns:
    """Columns of scores, none filled yet."""
    return make_columns(
        problem.scorer.kernel() or Asked(len(barred)),
        barred,
        problem.rules.max_parents,
        problem.weights.log_edge_odds,
    )


def drive(run: SearchRun, stop: StopRequest, on_progress: OnProgress | None) -> SearchResult:
    """Run a search until nothing gains or a stop is asked for; the start is always scored."""
    start_score = -np.inf
    status = -1
    max_work = SLICE if on_progress is None else WATCHED_SLICE
    while status != FINISHED and not (stop.is_set and np.isfinite(start_score)):
        status = run.advance(max_work)
        state = run.state
        if status == NEEDS_SCORES:
            run.answer()
            continue
        if status == STARTED:
            run.begin()
            start_score = float(state.tally.data_score + state.tally.prior_score)
            run.require_possible()
        make_room(run)
        if on_progress is not None:
            num_edges = sum(int(row).bit_count() for row in run.parents.ravel())
            score = float(state.tally.data_score + state.tally.prior_score)
            on_progress(int(state.tally.num_steps), score, num_edges)
    if status == FINISHED:
        run.finish()
    log = run.state.log[: run.num_logged]
    return read_result(run, start_score, log, is_interrupted=status != FINISHED)


def make_room(run: SearchRun) -> None:
    """Lengthen the log where a step might not fit."""
    log = run.state.log
    if run.state.tally.num_logged + run.step_room >= len(log):
        longer = make_records(2 * len(log), STEP)
        longer[: len(log)] = log
        run.state = run.state._replace(log=longer)


def read_result(
    run: SearchRun, start_score: float, steps: Records, *, is_interrupted: bool
) -> SearchResult:
    """Read the result off, and the steps to it; what the edges are worth counts as prior."""
    tally, num_nodes = run.state.tally, len(run.columns.barred)
    adjacency = np.ascontiguousarray(unpack_row(run.best_parents, num_nodes).T)
    log = steps.copy()
    edge_term = run.columns.log_edge_odds * int(adjacency.sum())
    if run.columns.log_edge_odds:
        worth = run.columns.log_edge_odds * EDGES_ADDED[log.move]
        log.data_gain -= worth
        log.prior_gain += worth
    return SearchResult(
        adjacency=adjacency,
        data_score=float(tally.best_data_score) - edge_term,
        prior_score=float(tally.best_prior_score) + edge_term,
        start_score=start_score,
        log=log,
        num_truncated_swaps=int(tally.num_truncated),
        is_interrupted=is_interrupted,
    )


def words_of(num_nodes: int, *shape: int) -> Words:
    """Empty sets of nodes."""
    return np.zeros((*shape, num_words(num_nodes)), np.uint64)
