"""`FamilyTables`: scores of all families of a task, and the best sums of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.merged import merged
from pathprior.kernels.data.statistics import Statistics
from pathprior.kernels.exact.counted import count_sets
from pathprior.kernels.exact.families import score_sets, spread_best
from pathprior.kernels.exact.order import sum_best
from pathprior.search.interrupt import StopRequest
from pathprior.task.task import Task

Floats = NDArray[np.float64]

SLICE = 1 << 14
"""Parent sets that are scored at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class FamilyTables:
    """Families by child and set of parents, see `pathprior.kernels.exact`.

    Attributes
    ----------
    scores
        Of each set, edge terms included, −∞ where it is left out; None if they were not kept.
    tables
        Of each set the best of its subsets.
    best
        Of each set of nodes the best sum over a DAG on them.
    """

    scores: Floats | None
    tables: Floats
    best: Floats


def weigh_all(task: Task, stop: StopRequest, slack: float | None = None) -> FamilyTables | None:
    """Score all families and sum up; None if a stop was asked for.

    Without ``slack`` families may be left out that cannot be part of the best sum; with it only
    those that fall farther behind a subset, and the scores are kept.
    """
    n = task.start.num_nodes
    tables = np.full((n, 1 << (n - 1)), -np.inf)
    scores = None if slack is None else np.empty_like(tables)
    writer = _writer(task, stop, slack or 0.0)
    for v in range(n):
        writer.write(v, tables[v])
        if stop.is_set:
            return None
        if scores is not None:
            scores[v] = tables[v]
        spread_best(tables[v])
    best = np.empty(1 << n)
    sum_best(tables, best)
    return FamilyTables(scores, tables, best)


@dataclass(frozen=True, slots=True, eq=False)
class _Asking:
    """Scores without a kernel, family by family."""

    task: Task
    stop: StopRequest

    def required(self, v: int) -> NDArray[np.int64]:
        return np.flatnonzero(self.task.rules.required[:, v])

    def others(self, v: int) -> NDArray[np.int64]:
        rules = self.task.rules
        return np.flatnonzero(~rules.forbidden[:, v] & ~rules.required[:, v])

    def write(self, v: int, table: Floats) -> None:
        """Write the scores of all families of v."""
        low, others = (1 << v) - 1, self.others(v).tolist()
        for subset in range(1 << len(others)):
            chosen = [u for i, u in enumerate(others) if subset >> i & 1]
            parents = sorted([*self.required(v).tolist(), *chosen])
            if len(parents) <= self.task.rules.max_parents and not self.stop.is_set:
                nodes = sum(1 << u for u in parents)
                edges = self.task.weights.log_edge_odds * len(parents)
                score = self.task.scorer.local(v, parents) + edges
                table[(nodes & low) | ((nodes >> 1) & ~low)] = score


@dataclass(frozen=True, slots=True, eq=False)
class _Filling(_Asking):
    """Scores with a kernel, column by column."""

    kernel: Any

    def write(self, v: int, table: Floats) -> None:
        """Write the scores of all families of v."""
        others, column = self.others(v), np.empty(self.task.start.num_nodes)
        for first in range(0, 1 << len(others), SLICE):
            if not self.stop.is_set:
                score_sets(
                    self.kernel, v, self.required(v), others, self.task.rules.max_parents,
                    self.task.weights.log_edge_odds, first,
                    min(first + SLICE, 1 << len(others)), column, table,
                )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Counting(_Asking):
    """Scores of counts, set by set, those that are hopeless left out."""

    kernel: Statistics
    codes: Any
    times: NDArray[np.int32]
    slack: float

    def write(self, v: int, table: Floats) -> None:
        """Write the scores of the families of v."""
        counted = self.kernel.counted
        count_sets(
            self.codes, self.times, counted.rows.num_states, counted.rule, v, self.required(v),
            self.others(v), self.task.rules.max_parents, self.task.weights.log_edge_odds,
            self.slack, table,
        )  # fmt: skip


def _writer(task: Task, stop: StopRequest, slack: float) -> _Asking:
    """What writes the scores of a node's families, as suits the score and the data."""
    kernel = task.scorer.kernel()
    if kernel is None:
        return _Asking(task, stop)
    if isinstance(kernel, Statistics) and kernel.is_counted and task.data.intervened is None:
        table = merged(task.data.select(task.rules.variables).states())
        return _Counting(task, stop, kernel, table.held, table.times.astype(np.int32), slack)
    return _Filling(task, stop, kernel)
