"""Columns of local scores for Python: compiled where the score has a kernel."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import pack_rows
from pathprior.graph.dag import Dag
from pathprior.kernels.data.columns import Columns, make_columns
from pathprior.kernels.posterior.lists import Lists, read_column
from pathprior.posterior.lists import grow_lists
from pathprior.problem.problem import Problem
from pathprior.search.interrupt import StopRequest


def list_sets(problem: Problem, start: Dag, stop: StopRequest | None = None) -> Lists:
    """List good parent sets, see `grow_lists`, with the scores that they have in ``problem``."""
    columns = ScoreColumns(problem)
    lister = problem.scorer.lister
    if lister is problem.scorer:
        return grow_lists(problem.rules, start, columns.column, stop=stop)
    listing = ScoreColumns(replace(problem, scorer=lister))
    return grow_lists(problem.rules, start, listing.column, score=columns.alone, stop=stop)


class ScoreColumns:
    """Scores of families that differ by one parent, edge terms included."""

    def __init__(self, problem: Problem) -> None:
        self._scorer = problem.scorer
        self._forbidden = problem.rules.forbidden
        self._max_parents = problem.rules.max_parents
        self._log_edge_odds = problem.weights.log_edge_odds
        self._known: dict[tuple[int, tuple[int, ...]], float] = {}
        kernel = problem.scorer.kernel()
        self._columns = self._alone = None
        if kernel is not None:
            barred = pack_rows(self._forbidden.T)
            self._columns = make_columns(kernel, barred, self._max_parents, self._log_edge_odds)
            everyone = np.full_like(barred, ~np.uint64(0))
            size = len(self._forbidden)
            self._alone = make_columns(kernel, everyone, size, self._log_edge_odds)

    def column(self, child: int, parents: tuple[int, ...]) -> NDArray[np.float64]:
        """The score with each variable toggled, and as it is at the child's own place."""
        num_nodes = len(self._forbidden)
        if self._columns is not None:
            return self._read(self._columns, child, parents)
        scores = np.full(num_nodes, -np.inf)
        scores[child] = self._local(child, parents)
        for u in range(num_nodes):
            if u in parents:
                scores[u] = self._local(child, tuple(p for p in parents if p != u))
            elif not self._forbidden[u, child] and len(parents) < self._max_parents:
                scores[u] = self._local(child, tuple(sorted((*parents, u))))
        return scores

    def alone(self, child: int, parents: tuple[int, ...]) -> float:
        """The score of one family."""
        if self._alone is not None:
            return float(self._read(self._alone, child, parents)[child])
        return self._local(child, parents)

    def _read(self, columns: Columns, child: int, parents: tuple[int, ...]) -> NDArray[np.float64]:
        scores = np.empty(len(self._forbidden))
        mask = np.zeros((1, len(self._forbidden)), dtype=bool)
        mask[0, list(parents)] = True
        read_column(columns, child, pack_rows(mask)[0], scores)
        return scores

    def _local(self, child: int, parents: tuple[int, ...]) -> float:
        key = (child, parents)
        if key not in self._known:
            score = self._scorer.local(child, parents)
            self._known[key] = score + self._log_edge_odds * len(parents)
        return self._known[key]
