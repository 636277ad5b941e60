"""`FamilyTables`: scores of all families of a problem, and the best sums of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.edge_rules import EdgeRules
from pathprior.kernels.data.columns import Kernel, make_filler
from pathprior.kernels.data.score_column import Counted
from pathprior.kernels.exact.families import score_sets, spread_best
from pathprior.kernels.exact.order import sum_best
from pathprior.kernels.exact.sets import fill_families
from pathprior.problem.problem import Problem
from pathprior.search.interrupt import StopRequest
from pathprior.search.set_values import count_values, is_by_set

Floats = NDArray[np.float64]
Nodes = NDArray[np.int64]

SLICE = 1 << 14
"""Parent sets that are scored at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class FamilyTables:
    """Families by child and set of parents, see `pathprior.kernels.exact`.

    Attributes
    ----------
    families
        Writes the score of each set, edge terms included, −∞ where the rules bar it.
    tables
        Of each set the best of its subsets.
    best
        Of each set of nodes the best sum over a DAG on them.
    """

    families: "Families"
    tables: Floats
    best: Floats


class Families(ABC):
    """The families of all nodes."""

    @abstractmethod
    def write(self, v: int, table: Floats) -> None:
        """Write the scores of those of v into a table of −∞."""


def weigh_all(problem: Problem, stop: StopRequest) -> FamilyTables | None:
    """Score all families and sum up; None if a stop was asked for."""
    n = problem.start.num_nodes
    families = _families(problem, stop)
    if stop.is_set:
        return None
    tables = np.full((n, 1 << (n - 1)), -np.inf)
    for v in range(n):
        families.write(v, tables[v])
        if stop.is_set:
            return None
        spread_best(tables[v])
    best = np.empty(1 << n)
    sum_best(tables, best)
    return FamilyTables(families, tables, best)


def _families(problem: Problem, stop: StopRequest) -> Families:
    """The families as suits the score and the data."""
    kernel = problem.scorer.kernel()
    n = problem.start.num_nodes
    if is_by_set(problem) and isinstance(kernel, Counted):
        steps = np.tile(1 << np.arange(n), (_max_size(problem), 1))
        return _BySet(problem, count_values(problem, kernel, np.arange(n), steps, 1 << n, stop))
    write = _asking(problem, stop) if kernel is None else _filling(kernel, n, stop)
    if not is_by_set(problem):
        return _Each(problem, write)
    return _BySet(problem, _sum_values(n, _max_size(problem), write))


# -- scores that are functions of sets -------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _BySet(Families):
    """Differences between the values of two sets."""

    problem: Problem
    values: Floats

    def write(self, v: int, table: Floats) -> None:
        rules = self.problem.rules
        fill_families(
            self.values, v, _number(rules.required[:, v]), _number(~rules.forbidden[:, v]),
            rules.max_parents, self.problem.weights.log_edge_odds, table,
        )  # fmt: skip


def _max_size(problem: Problem) -> int:
    """Members of the largest sets that are needed: parents and their child."""
    return min(problem.rules.max_parents + 1, problem.start.num_nodes)


def _sum_values(num_nodes: int, max_size: int, write: "Write") -> Floats:
    """The values of all sets: that without the last node, and its score given all others."""
    values = np.zeros(1 << num_nodes)
    for v in range(num_nodes):
        table = np.full(1 << v, -np.inf)
        write(v, np.empty(0, np.int64), np.arange(v), max_size - 1, 0.0, table)
        values[1 << v : 2 << v] = values[: 1 << v] + table
    return values


# -- other scores ----------------------------------------------------------------------------------

Write = Callable[[int, Nodes, Nodes, int, float, Floats], None]
"""Writes the scores of a child's families: required parents, others, most, edge odds, table."""


@dataclass(frozen=True, slots=True, eq=False)
class _Each(Families):
    """Every family for itself."""

    problem: Problem
    fill: Write

    def write(self, v: int, table: Floats) -> None:
        rules = self.problem.rules
        required, others = _free_parents(rules, v)
        self.fill(v, required, others, rules.max_parents, self.problem.weights.log_edge_odds, table)


def _free_parents(rules: EdgeRules, v: int) -> tuple[Nodes, Nodes]:
    """The required parents of v, and who else may be one."""
    required, forbidden = rules.required[:, v], rules.forbidden[:, v]
    return np.flatnonzero(required), np.flatnonzero(~forbidden & ~required)


def _asking(problem: Problem, stop: StopRequest) -> Write:
    """Ask a score without a kernel."""

    def write(
        v: int, required: Nodes, others: Nodes, most: int, log_edge_odds: float, table: Floats
    ) -> None:
        low = (1 << v) - 1
        for subset in range(1 << len(others)):
            chosen = [u for i, u in enumerate(others.tolist()) if subset >> i & 1]
            parents = sorted([*required.tolist(), *chosen])
            if len(parents) <= most and not stop.is_set:
                nodes = sum(1 << u for u in parents)
                score = problem.scorer.local(v, parents) + log_edge_odds * len(parents)
                table[(nodes & low) | ((nodes >> 1) & ~low)] = score

    return write


def _filling(kernel: Kernel, num_nodes: int, stop: StopRequest) -> Write:
    """Let a kernel fill columns."""
    filler = make_filler(kernel)

    def write(
        v: int, required: Nodes, others: Nodes, most: int, log_edge_odds: float, table: Floats
    ) -> None:
        column = np.empty(num_nodes)
        for first in range(0, 1 << len(others), SLICE):
            if not stop.is_set:
                last = min(first + SLICE, 1 << len(others))
                score_sets(
                    filler, v, required, others, most, log_edge_odds, first, last, column, table
                )

    return write


def _number(members: NDArray[np.bool_]) -> int:
    """A set of nodes as a number."""
    return int(sum(1 << v for v in np.flatnonzero(members).tolist()))
