"""Going on after the first search over classes, until there is reason to think that it is done.

Two things are done in turn. The best class so far is disturbed again, few variables at a time and
many (`pathprior.kernels.classes.shake`): what is missing is mostly a set of parents here and one
there, and disturbances find them one by one. And searches begin elsewhere, at random graphs. They
know nothing of the others, so that one which ends at the best class again is a reason to believe
that there is no better one. All read one cache of scores.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.prior.graph_prior import read_pairs
from pathprior.kernels.records import Records
from pathprior.kernels.steps import STARTED
from pathprior.problem.problem import Problem
from pathprior.search.class_search import ClassRun, warn_of_cliques
from pathprior.search.driver import (
    BOUND_TOLERANCE,
    SearchOptions,
    SearchResult,
    drive,
    make_room,
    read_result,
)
from pathprior.search.interrupt import StopRequest
from pathprior.search.orders import Ints, OrderSearch
from pathprior.search.progress import OnProgress
from pathprior.search.restarts import disturb, possible_start
from pathprior.search.steps import steps_between

QUICK, DEFAULT, THOROUGH = "quick", "default", "thorough"
WORK, WORKING_NODES = 5.5 * 10**8, 80
"""Work for each variable, and of how many at most, see `pathprior.kernels.data.columns`."""
TIMES_FIRST = 3
"""Further work by that of the first search, which is much where columns have many states."""
TIMES = {DEFAULT: 1, THOROUGH: 10}
"""All that by the effort."""
MOST_NODES = 150
"""Of more variables the first search takes longer, and there is no more by default."""
TIMES_FOUND = {DEFAULT: 5, THOROUGH: 20}
"""Searches from elsewhere that must end at the best class again."""

SIZES = (3, 6, 16)
"""Variables that are disturbed at a time; of each size for as much work."""
SHAKES = 50
"""Disturbances in a row of the same size."""
SLICE = 10**8
"""Most work of these at a time."""
NEW_SEARCH = 5 * 10**6
"""What to begin a search takes besides its work."""
WIDEN, ORDER, POLISH, ELSEWHERE, SHAKE = "widen", "order", "polish", "elsewhere", "shake"
SHARES = {WIDEN: 0.3, ORDER: 0.3, POLISH: 0.15, ELSEWHERE: 0.15, SHAKE: 0.1}
"""Shares of the work."""
ORDER_WORK = 2 * 10**7
"""Work of one search over orders."""
RIVAL_SEARCHES = 10
"""Searches over orders, in a row from the same random one, that may come to nothing."""


def work_of(effort: str, num_nodes: int, time_limit: float | None) -> float:
    """What the search may do after the first optimum: what fits into the time if there is a limit.

    Thorough searches of more than `MOST_NODES` variables may do what those of so many do.
    """
    if effort == QUICK or (effort == DEFAULT and num_nodes > MOST_NODES and time_limit is None):
        return 0.0
    if time_limit is not None:
        return np.inf
    return TIMES[effort] * WORK * min(num_nodes, WORKING_NODES)


@dataclass(frozen=True, slots=True)
class _Log:
    """The steps to a graph: those of runs that others overtook, and where the present one joins."""

    parts: tuple[Records, ...]
    joined: int
    """Steps of the present run that came before it had the best graph."""

    def of(self, run: ClassRun) -> Records:
        """All steps."""
        own = run.state.log[self.joined : run.num_logged]
        return np.concatenate([*self.parts, own]).view(np.recarray)


def search_on(
    problem: Problem,
    options: SearchOptions,
    stop: StopRequest,
    on_progress: OnProgress | None = None,
) -> SearchResult:
    """Search from the class of the start, and go on for as much work as ``options`` allow."""
    run = ClassRun(problem, options)
    first = drive(run, stop, on_progress)
    if not options.more_work:
        warn_of_cliques(run, run.state.tally.num_cut)
        return first
    pursuit = Pursuit(problem, options, run, first)
    result = pursuit.go_on(stop, on_progress)
    warn_of_cliques(run, pursuit.num_cut)
    return result


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A graph from which no search over classes was made yet."""

    score: float
    dag: Dag


class Pursuit:
    """The search for better classes than the first search ended at."""

    def __init__(
        self, problem: Problem, options: SearchOptions, run: ClassRun, first: SearchResult
    ):
        self._problem, self._options, self._run = problem, options, run
        self._start_score = first.start_score
        self._log = _Log((), 0)
        self._seeds = np.random.SeedSequence((options.seed, 1))
        self._ends: list[float] = []
        self._is_from_elsewhere = False
        self._shaking = dict.fromkeys(SIZES, 0)
        self._has_beliefs = len(problem.weights.pairs) > 0
        self._work = dict.fromkeys(SHARES, 0)
        self._orders = OrderSearch(problem, run.columns, *self._seeds.spawn(1))
        self._best_order = self._rival = self._topological(run)
        self._rounds = dict.fromkeys(SHARES, 0)
        first_work = int(run.state.tally.total_work)
        times = TIMES_FIRST * (10 if options.times_found > TIMES_FOUND[DEFAULT] else 1)
        self._most_work = options.more_work + times * first_work
        self._last = {**dict.fromkeys(SHARES, 0), POLISH: first_work, ELSEWHERE: first_work}
        self._pending: _Candidate | None = None
        self._tried: set[bytes] = set()
        self.num_cut = self._num_truncated = 0

    def go_on(self, stop: StopRequest, on_progress: OnProgress | None) -> SearchResult:
        """Go on until the best class was found again often enough, or the work is spent."""
        ways = {
            WIDEN: self._widen,
            ORDER: self._search_orders,
            POLISH: self._polish,
            ELSEWHERE: self._search_elsewhere,
            SHAKE: self._shake,
        }
        while (
            sum(self._work.values()) < self._most_work
            and self._found_again < self._options.times_found
            and not stop.is_set
        ):
            way = self._next_way()
            work = ways[way](stop)
            self._work[way] += work
            self._last[way] = work
            self._rounds[way] += 1
            if on_progress is not None:
                num_edges = int(self._adjacency(self._run).sum())
                on_progress(int(self._run.state.tally.num_steps), self._score(self._run), num_edges)
        if self._pending is not None and self._pending.score > self._score(self._run):
            self._take(self._pending.dag)
        self._close(self._run)
        result = read_result(
            self._run, self._start_score, self._log.of(self._run), is_interrupted=stop.is_set
        )
        return replace(
            result,
            num_truncated_swaps=self._num_truncated,
            num_searches=len(self._ends),
            found_again=self._found_again,
        )

    def _next_way(self) -> str:
        """What is farthest from its share, if it takes as long as the last time."""
        open_ways = [way for way in SHARES if way != POLISH or self._pending is not None]
        return min(open_ways, key=lambda way: (self._work[way] + self._last[way]) / SHARES[way])

    @property
    def _found_again(self) -> int:
        """Searches from elsewhere that ended at the best class, but for the one that found it."""
        best = self._score(self._run)
        rounding = BOUND_TOLERANCE * max(1.0, abs(best))
        return sum(end >= best - rounding for end in self._ends) - self._is_from_elsewhere

    def _widen(self, stop: StopRequest) -> int:
        """Look for further parent sets, near the best ones and elsewhere in turn."""
        is_near = self._rounds[WIDEN] % 2 == 1
        order = self._best_order if is_near else self._orders.any_order()
        return self._orders.widen(order, self._tolerance, SLICE, is_near=is_near)

    def _search_orders(self, stop: StopRequest) -> int:
        """Search from the best order or a rival's, in turn; go on from where that ends."""
        is_best = self._rounds[ORDER] % 2 == 0
        if self._rounds[ORDER] % (2 * RIVAL_SEARCHES) == 1:
            self._rival = self._orders.any_order()
        order = self._best_order if is_best else self._rival
        work = self._orders.improve(order, self._tolerance, ORDER_WORK)
        score, dag, order = self._orders.found()
        if not is_best:
            self._rival = order
        elif not self._has_beliefs:
            self._best_order = order
        self._weigh(score, dag)
        return work

    def _weigh(self, data_score: float, dag: Dag) -> None:
        """Keep a graph that orders led to in mind if it is better, or beliefs may make it so."""
        weights = self._problem.weights
        codes = np.empty(len(weights.pairs), np.int64)
        prior_score = read_pairs(weights, Graph(dag.parent_words, dag.ancestor_words), codes)
        score = data_score + float(prior_score)
        least = -np.inf if self._has_beliefs else self._score(self._run) + self._tolerance
        if self._pending is not None:
            least = max(least, self._pending.score)
        if score > least and dag.parent_words.tobytes() not in self._tried:
            self._pending = _Candidate(score, dag)

    def _polish(self, stop: StopRequest) -> int:
        """Search over classes from the graph in mind."""
        assert self._pending is not None
        dag, self._pending = self._pending.dag, None
        self._tried.add(dag.parent_words.tobytes())
        run, work = self._search_from(dag, replace(self._options, shakes=0), stop)
        self._keep_better(run, is_from_elsewhere=False)
        return work

    def _take(self, dag: Dag) -> None:
        """Go on from a graph that is known to be better, without a search from there."""
        run = ClassRun(replace(self._problem, start=dag), self._options, self._run.columns)
        while run.advance(SLICE) != STARTED:
            pass
        self._keep_better(run, is_from_elsewhere=False)

    def _shake(self, stop: StopRequest) -> int:
        """Disturb the best class some more times."""
        run, tally = self._run, self._run.state.tally
        before, best = int(tally.total_work), self._score(run)
        size = min(SIZES, key=self._shaking.__getitem__)
        tally.most_work = np.inf  # the ration was one for the first search
        run.fixed = run.fixed._replace(
            shaken=size,
            max_vain=int(tally.num_vain_shakes) + SHAKES,
            max_shakes=int(tally.num_shakes) + SHAKES,
            is_rationed=True,
        )
        run.advance(SLICE)
        make_room(run)
        work = int(tally.total_work) - before
        self._shaking[size] += work
        if self._score(run) > best + run.fixed.tolerance:
            self._is_from_elsewhere = False
            self._best_order = self._topological(run)
        return work

    def _search_elsewhere(self, stop: StopRequest) -> int:
        """Search from a random graph; go on from where that ends if it is better."""
        (seed,) = self._seeds.spawn(1)
        generator = np.random.default_rng(seed)
        problem = self._problem
        drawn = disturb(problem.start, problem.rules, problem.weights, generator)
        options = replace(self._options, seed=int(generator.integers(1 << 31)))
        start = possible_start(problem, drawn, problem.start)
        run, work = self._search_from(start, options, stop)
        self._ends.append(self._score(run))
        self._keep_better(run, is_from_elsewhere=True)
        return work

    def _search_from(
        self, start: Dag, options: SearchOptions, stop: StopRequest
    ) -> tuple[ClassRun, int]:
        """Search over classes from a graph, with the scores known so far; return the work too."""
        run = ClassRun(replace(self._problem, start=start), options, self._run.columns)
        run.fixed = run.fixed._replace(is_rationed=True)
        drive(run, stop, None)
        return run, int(run.state.tally.total_work) + NEW_SEARCH

    def _keep_better(self, run: ClassRun, *, is_from_elsewhere: bool) -> None:
        """Go on from the best class of another run if it is better."""
        if self._score(run) <= self._score(self._run) + self._tolerance:
            self._close(run)
            return
        parts = (self._log.of(self._run), self._bridge(run))
        self._close(self._run)
        self._log = _Log(parts, run.num_logged)
        self._run, self._is_from_elsewhere = run, is_from_elsewhere
        self._best_order = self._topological(run)

    def _bridge(self, run: ClassRun) -> Records:
        """The edges to be put in and taken out on the way to another run's best graph."""
        last, now = self._run.state.tally, run.state.tally
        return steps_between(
            self._adjacency(self._run),
            self._adjacency(run),
            float(now.best_data_score - last.best_data_score),
            float(now.best_prior_score - last.best_prior_score),
        )

    def _close(self, run: ClassRun) -> None:
        """Count what a run could not look at."""
        self._num_truncated += int(run.state.tally.num_truncated)
        self.num_cut += int(run.state.tally.num_cut)

    @staticmethod
    def _score(run: ClassRun) -> float:
        tally = run.state.tally
        return float(tally.best_data_score + tally.best_prior_score)

    @staticmethod
    def _adjacency(run: ClassRun) -> NDArray[np.bool_]:
        return unpack_row(run.best_parents, len(run.columns.barred)).T

    def _topological(self, run: ClassRun) -> Ints:
        """An order of the best graph of a run."""
        return Dag(self._problem.rules.variables, self._adjacency(run)).order

    @property
    def _tolerance(self) -> float:
        """What gains more is better."""
        return float(self._run.fixed.tolerance)
