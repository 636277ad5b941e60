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
from pathprior.kernels.records import Records
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
from pathprior.search.progress import OnProgress
from pathprior.search.restarts import disturb, possible_start
from pathprior.search.steps import steps_between

QUICK, DEFAULT, THOROUGH = "quick", "default", "thorough"
WORK = {DEFAULT: 7.5e8, THOROUGH: 7.5e9}
"""Work for each variable, see `pathprior.kernels.data.columns`: with 40 about a second."""
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
SHARE = 1 / 2
"""Work of the searches from elsewhere, by that of the disturbances."""


def work_of(effort: str, num_nodes: int, time_limit: float | None) -> float:
    """What the search may do after the first optimum: what fits into the time if there is a limit.

    Thorough searches of more than `MOST_NODES` variables may do what those of so many do.
    """
    if effort == QUICK or (effort == DEFAULT and num_nodes > MOST_NODES and time_limit is None):
        return 0.0
    if time_limit is not None:
        return np.inf
    return float(WORK[effort] * min(num_nodes, MOST_NODES))


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
        self._elsewhere = 0
        self.num_cut = self._num_truncated = 0

    def go_on(self, stop: StopRequest, on_progress: OnProgress | None) -> SearchResult:
        """Go on until the best class was found again often enough, or the work is spent."""
        while (
            self._shaken + self._elsewhere < self._options.more_work
            and self._found_again < self._options.times_found
            and not stop.is_set
        ):
            if self._elsewhere <= SHARE * self._shaken:
                self._search_elsewhere(stop)
            else:
                self._shake()
            if on_progress is not None:
                num_edges = int(self._adjacency(self._run).sum())
                on_progress(int(self._run.state.tally.num_steps), self._score(self._run), num_edges)
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

    @property
    def _shaken(self) -> int:
        """Work of all disturbances."""
        return sum(self._shaking.values())

    @property
    def _found_again(self) -> int:
        """Searches from elsewhere that ended at the best class, but for the one that found it."""
        best = self._score(self._run)
        rounding = BOUND_TOLERANCE * max(1.0, abs(best))
        return sum(end >= best - rounding for end in self._ends) - self._is_from_elsewhere

    def _shake(self) -> None:
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
        self._shaking[size] += int(tally.total_work) - before
        if self._score(run) > best + run.fixed.tolerance:
            self._is_from_elsewhere = False

    def _search_elsewhere(self, stop: StopRequest) -> None:
        """Search from a random graph; go on from where that ends if it is better."""
        (seed,) = self._seeds.spawn(1)
        generator = np.random.default_rng(seed)
        problem = self._problem
        drawn = disturb(problem.start, problem.rules, problem.weights, generator)
        here = replace(problem, start=possible_start(problem, drawn, problem.start))
        options = replace(self._options, seed=int(generator.integers(1 << 31)))
        run = ClassRun(here, options, self._run.columns)
        run.fixed = run.fixed._replace(is_rationed=True)
        drive(run, stop, None)
        self._elsewhere += int(run.state.tally.total_work) + NEW_SEARCH
        self._ends.append(self._score(run))
        if self._score(run) > self._score(self._run) + self._run.fixed.tolerance:
            self._overtake(run)
        else:
            self._close(run)

    def _overtake(self, run: ClassRun) -> None:
        """Go on from the best class of another run."""
        parts = (self._log.of(self._run), self._bridge(run))
        self._close(self._run)
        self._log = _Log(parts, run.num_logged)
        self._run, self._is_from_elsewhere = run, True

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
