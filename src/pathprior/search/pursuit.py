"""`Pursuit`: going on after the first search over classes, until it seems that it is done.

Five things are done in turn. Parent sets are looked for, at random and near those that are best
now. Orders of the variables are searched for the best graph that all parent sets met so far make
(`pathprior.search.orders`). From that a search over classes goes on. The best class is disturbed,
few variables at a time and many (`pathprior.kernels.classes.shake`). And searches over classes
begin elsewhere, at random graphs. They follow no other, so that one which ends at the best class
again is a reason to believe that there is no better one. All read one cache of scores.
"""

from dataclasses import dataclass, replace

import numpy as np

from pathprior.graph.dag import Dag
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.prior.graph_prior import read_pairs
from pathprior.kernels.steps import FINISHED, STARTED
from pathprior.problem.problem import Problem
from pathprior.search.best_class import BestClass, score_of
from pathprior.search.class_search import ClassRun, warn_of_cliques
from pathprior.search.driver import (
    BOUND_TOLERANCE,
    SearchOptions,
    SearchResult,
    drive,
    make_room,
)
from pathprior.search.effort import DEFAULT, TIMES_FOUND
from pathprior.search.interrupt import StopRequest
from pathprior.search.orders import OrderSearch
from pathprior.search.progress import OnProgress
from pathprior.search.restarts import disturb, possible_start

TIMES_FIRST = 3
"""Further work by that of the first search, which is much where columns have many states."""
SIZES = (3, 6, 16)
"""Variables that are disturbed at a time; of each size for as much work."""
SHAKES = 50
"""Disturbances in a row of the same size."""
SLICE = 10**8
"""Most work of these at a time."""
MOST_OF_ONE = 0.1
"""Part of all work that one search from elsewhere may take."""
NEW_SEARCH = 5 * 10**6
"""What to begin a search takes besides its work."""
WIDEN, ORDER, POLISH, ELSEWHERE, SHAKE = "widen", "order", "polish", "elsewhere", "shake"
SHARES = {WIDEN: 0.3, ORDER: 0.3, POLISH: 0.15, ELSEWHERE: 0.15, SHAKE: 0.1}
"""Shares of the work."""
UNITS = {POLISH: 0.5, ELSEWHERE: 0.5, SHAKE: 0.5}
"""Searches over classes take half as long for a unit of work as the others do; measured."""
MOST_ELSEWHERE = 0.3
"""The share of searches from elsewhere while all of them end at the best class again."""
FEWEST_ROUNDS = {WIDEN: 4, SHAKE: 4}
"""Before which a class that is found again and again is not believed to be the best."""
ORDER_WORK = 2 * 10**7
"""Work of one search over orders."""
RIVAL_SEARCHES = 10
"""Searches over orders, in a row from the same random one, that may come to nothing."""


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
    warn_of_cliques(run, pursuit.best.num_cut)
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
        self._problem, self._options = problem, options
        self.best = BestClass(run, problem.rules.variables)
        self._start_score = first.start_score
        self._seeds = np.random.SeedSequence((options.seed, 1))
        self._ends: list[float] = []
        self._is_from_elsewhere = False
        self._shaking = dict.fromkeys(SIZES, 0)
        self._has_beliefs = len(problem.weights.pairs) > 0
        self._work = dict.fromkeys(SHARES, 0.0)
        self._orders = OrderSearch(problem, run.columns, *self._seeds.spawn(1))
        self._best_order = self._rival = self.best.dag.order
        self._rounds = dict.fromkeys(SHARES, 0)
        first_work = UNITS[ELSEWHERE] * int(run.state.tally.total_work)
        times = TIMES_FIRST * (10 if options.times_found > TIMES_FOUND[DEFAULT] else 1)
        self._most_work = options.more_work + times * first_work
        self._last = {**dict.fromkeys(SHARES, 0.0), POLISH: first_work, ELSEWHERE: first_work}
        self._pending: _Candidate | None = None
        self._tried: set[bytes] = set()

    def go_on(self, stop: StopRequest, on_progress: OnProgress | None) -> SearchResult:
        """Go on until the best class was found again often enough, or the work is spent."""
        ways = {
            WIDEN: self._widen,
            ORDER: self._search_orders,
            POLISH: self._polish,
            ELSEWHERE: self._search_elsewhere,
            SHAKE: self._shake,
        }
        while sum(self._work.values()) < self._most_work and not self._is_done and not stop.is_set:
            way = self._next_way()
            work = ways[way](stop) * UNITS.get(way, 1.0)
            self._work[way] += work
            self._last[way] = work
            self._rounds[way] += 1
            if on_progress is not None:
                num_steps = int(self.best.run.state.tally.num_steps)
                on_progress(num_steps, self.best.score, self.best.dag.num_edges)
        if self._pending is not None and self._pending.score > self.best.score:
            self._take(self._pending.dag)
        result = self.best.result(self._start_score, is_interrupted=stop.is_set)
        found_again = self._found_again
        return replace(result, num_searches=len(self._ends), found_again=found_again)

    def _next_way(self) -> str:
        """What is farthest from its share, if it takes as long as the last time.

        Searches from elsewhere get the more, the more of them end at the best class again: soon
        there will be reason to stop.
        """
        shares = {way: SHARES[way] for way in SHARES if way != POLISH or self._pending is not None}
        part = self._found_again / len(self._ends) if self._ends else 1.0
        shares[ELSEWHERE] = max(SHARES[ELSEWHERE], MOST_ELSEWHERE * part)
        if self._found_again >= self._options.times_found:
            del shares[ELSEWHERE]
        return min(shares, key=lambda way: (self._work[way] + self._last[way]) / shares[way])

    @property
    def _is_done(self) -> bool:
        """Whether there is reason to believe that no class is better."""
        is_tried = all(self._rounds[way] >= least for way, least in FEWEST_ROUNDS.items())
        return is_tried and self._found_again >= self._options.times_found

    @property
    def _found_again(self) -> int:
        """Searches from elsewhere that ended at the best class, but for the one that found it."""
        best = self.best.score
        if self._pending is not None:
            best = max(best, self._pending.score)
        rounding = BOUND_TOLERANCE * max(1.0, abs(best))
        return sum(end >= best - rounding for end in self._ends) - self._is_from_elsewhere

    def _widen(self, stop: StopRequest) -> int:
        """Look for further parent sets, near the best ones and elsewhere in turn."""
        is_near = self._rounds[WIDEN] % 2 == 1
        order = self._best_order if is_near else self._orders.any_order()
        return self._orders.widen(order, self.best.tolerance, SLICE, is_near=is_near)

    def _search_orders(self, stop: StopRequest) -> int:
        """Search from the best order or a rival's, in turn; go on from where that ends."""
        is_best = self._rounds[ORDER] % 2 == 0
        if self._rounds[ORDER] % (2 * RIVAL_SEARCHES) == 1:
            self._rival = self._orders.any_order()
        order = self._best_order if is_best else self._rival
        work = self._orders.improve(order, self.best.tolerance, ORDER_WORK)
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
        least = -np.inf if self._has_beliefs else self.best.score + self.best.tolerance
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
        self._offer(run, is_from_elsewhere=False)
        return work

    def _take(self, dag: Dag) -> None:
        """Go on from a graph that is known to be better, without a search from there."""
        run = ClassRun(replace(self._problem, start=dag), self._options, self.best.run.columns)
        while run.advance(SLICE) != STARTED:
            pass
        self._offer(run, is_from_elsewhere=False)

    def _shake(self, stop: StopRequest) -> int:
        """Disturb the best class some more times."""
        run, tally = self.best.run, self.best.run.state.tally
        before, best = int(tally.total_work), self.best.score
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
        if self.best.score > best + self.best.tolerance:
            self._is_from_elsewhere = False
            self._best_order = self.best.dag.order
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
        self._ends.append(score_of(run))
        self._offer(run, is_from_elsewhere=True)
        return work

    def _search_from(
        self, start: Dag, options: SearchOptions, stop: StopRequest
    ) -> tuple[ClassRun, int]:
        """Search over classes from a graph, with the scores known so far; return the work too.

        One that takes too much of what there is to spend ends at the best class that it has.
        """
        run = ClassRun(replace(self._problem, start=start), options, self.best.run.columns)
        run.fixed = run.fixed._replace(is_rationed=True)
        tally = run.state.tally
        while run.advance(SLICE) != STARTED:
            pass
        run.begin()
        while not stop.is_set and tally.total_work < MOST_OF_ONE * self._most_work:
            make_room(run)
            if run.advance(SLICE) == FINISHED:
                break
        return run, int(tally.total_work) + NEW_SEARCH

    def _offer(self, run: ClassRun, *, is_from_elsewhere: bool) -> None:
        """Go on from the best class of another search if it is better."""
        if self.best.offer(run):
            self._is_from_elsewhere = is_from_elsewhere
            self._best_order = self.best.dag.order
