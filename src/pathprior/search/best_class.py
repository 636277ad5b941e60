"""`BestClass`: the best class that several searches have found, and the steps that led to it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.records import Records
from pathprior.search.class_search import ClassRun
from pathprior.search.driver import SearchResult, read_result
from pathprior.search.steps import steps_between


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


class BestClass:
    """The search over classes that has the best class; others are to be offered.

    Attributes
    ----------
    run
        That search, from which one can go on.
    num_cut
        Lists of cliques that some search cut short.
    """

    def __init__(self, run: ClassRun, variables: tuple[str, ...]) -> None:
        self.run, self._variables = run, variables
        self._log = _Log((), 0)
        self.num_cut = self._num_truncated = 0

    @property
    def score(self) -> float:
        """The score of the best class."""
        return score_of(self.run)

    @property
    def tolerance(self) -> float:
        """What gains more is better."""
        return float(self.run.fixed.tolerance)

    @property
    def dag(self) -> Dag:
        """A graph of the best class."""
        return Dag(self._variables, _adjacency(self.run))

    def offer(self, run: ClassRun) -> bool:
        """Take what another search has found if it is better; return whether it is."""
        is_better = score_of(run) > self.score + self.tolerance
        if is_better:
            parts = (self._log.of(self.run), self._bridge(run))
            self._close(self.run)
            self._log, self.run = _Log(parts, run.num_logged), run
        else:
            self._close(run)
        return is_better

    def result(self, start_score: float, *, is_interrupted: bool) -> SearchResult:
        """The best class as the result of all searches, after which nothing is offered any more."""
        self._close(self.run)
        steps = self._log.of(self.run)
        result = read_result(self.run, start_score, steps, is_interrupted=is_interrupted)
        return replace(result, num_truncated_swaps=self._num_truncated)

    def _bridge(self, run: ClassRun) -> Records:
        """The edges to be put in and taken out on the way to another search's best graph."""
        last, now = self.run.state.tally, run.state.tally
        return steps_between(
            _adjacency(self.run),
            _adjacency(run),
            float(now.best_data_score - last.best_data_score),
            float(now.best_prior_score - last.best_prior_score),
        )

    def _close(self, run: ClassRun) -> None:
        """Count what a search could not look at."""
        self._num_truncated += int(run.state.tally.num_truncated)
        self.num_cut += int(run.state.tally.num_cut)


def score_of(run: ClassRun) -> float:
    """The score of the best class of a search."""
    tally = run.state.tally
    return float(tally.best_data_score + tally.best_prior_score)


def _adjacency(run: ClassRun) -> NDArray[np.bool_]:
    return unpack_row(run.best_parents, len(run.columns.barred)).T
