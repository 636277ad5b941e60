"""Columns of local scores for Python: compiled where the score has a kernel."""

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import pack_rows
from pathprior.kernels.data.columns import make_columns
from pathprior.kernels.posterior.lists import read_column
from pathprior.problem.problem import Problem


class ScoreColumns:
    """Scores of families that differ by one parent, edge terms included."""

    def __init__(self, problem: Problem) -> None:
        self._scorer = problem.scorer
        self._forbidden = problem.rules.forbidden
        self._max_parents = problem.rules.max_parents
        self._log_edge_odds = problem.weights.log_edge_odds
        self._known: dict[tuple[int, tuple[int, ...]], float] = {}
        kernel = problem.scorer.kernel()
        self._columns = None
        if kernel is not None:
            barred = pack_rows(self._forbidden.T)
            self._columns = make_columns(kernel, barred, self._max_parents, self._log_edge_odds)

    def column(self, child: int, parents: tuple[int, ...]) -> NDArray[np.float64]:
        """The score with each variable toggled, and as it is at the child's own place."""
        num_nodes = len(self._forbidden)
        if self._columns is not None:
            scores = np.empty(num_nodes)
            mask = np.zeros((1, num_nodes), dtype=bool)
            mask[0, list(parents)] = True
            read_column(self._columns, child, pack_rows(mask)[0], scores)
            return scores
        scores = np.full(num_nodes, -np.inf)
        scores[child] = self._local(child, parents)
        for u in range(num_nodes):
            if u in parents:
                scores[u] = self._local(child, tuple(p for p in parents if p != u))
            elif not self._forbidden[u, child] and len(parents) < self._max_parents:
                scores[u] = self._local(child, tuple(sorted((*parents, u))))
        return scores

    def _local(self, child: int, parents: tuple[int, ...]) -> float:
        key = (child, parents)
        if key not in self._known:
            score = self._scorer.local(child, parents)
            self._known[key] = score + self._log_edge_odds * len(parents)
        return self._known[key]
