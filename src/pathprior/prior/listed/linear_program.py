"""Linear programs over all joints on the patterns: feasibility and bounds.

Unknowns are the probabilities J ≥ 0 of the patterns; each row fixes the probability of one event,
and ΣJ = 1. There are few rows and possibly millions of patterns, so columns are generated: HiGHS
solves a small program, its dual prices all patterns in one pass, and those that would improve it
join. At the end no pattern does, which proves the optimum over all of them.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import PriorError
from pathprior.kernels.listed.loglinear import add_scores
from pathprior.prior.listed.problem import Problem

if TYPE_CHECKING:
    from scipy.sparse import csc_array

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

FEASIBILITY = 1e-9
"""Tolerance that HiGHS works to."""
SLACK = 1e-7
"""Total slack below which stated marginals count as attainable; absorbs rounded input."""
BATCH = 1000
"""Patterns that enter the small program per round; programs up to twice this are solved whole."""
MAX_ROUNDS = 500


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the greatest probability an event can have."""

    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class _Optimum:
    value: float
    prices: Floats
    """Dual values, one per row and one for ΣJ = 1."""
    attained: Floats
    """Left-hand sides of the rows, without the extra columns."""


@dataclass(slots=True)
class MarginalProgram:
    """The joints on a problem's patterns that give chosen events their stated probability."""

    problem: Problem
    _columns: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        size = len(self.problem.events)
        self._columns = np.arange(size) if size <= 2 * BATCH else np.arange(BATCH)

    def least_slack(self, rows: Rows, target: Floats | None = None) -> float:
        """Least total miss Σ |P(e) − π_e| over the events ``rows``; 0 iff they are coherent."""
        return self._nearest(rows, target).value

    def is_feasible(self, rows: Rows, target: Floats | None = None) -> bool:
        """Whether some joint gives every event of ``rows`` its probability."""
        return self.least_slack(rows, target) <= SLACK

    def blamed(self, rows: Rows) -> Rows:
        """Events of ``rows`` that a proof of incoherence uses: those with a price.

        They are incoherent by themselves, though not always minimally so. Empty if coherent.
        """
        nearest = self._nearest(rows)
        return rows[np.abs(nearest.prices[:-1]) > SLACK] if nearest.value > SLACK else rows[:0]

    def bounds(self, rows: Rows, held: NDArray[np.bool_], target: Floats | None = None) -> Bounds:
        """Range of P(held) over the joints with the given marginals, which must be feasible."""
        right = self._nearest(rows, target).attained
        none, nothing = np.zeros((len(rows) + 1, 0)), np.zeros(0)
        cost = held.astype(np.float64)
        lower = self._minimise(rows, right, none, nothing, cost).value
        upper = -self._minimise(rows, right, none, nothing, -cost).value
        return Bounds(max(0.0, min(lower, 1.0)), max(0.0, min(upper, 1.0)))

    def _nearest(self, rows: Rows, target: Floats | None = None) -> _Optimum:
        """A joint whose marginals miss the target least; leaves its columns in the program.

        What it attains is feasible to rounding, which a target within `SLACK` of it may not be.
        """
        right = np.append((self.problem.target if target is None else target)[rows], 1.0)
        identity = np.eye(len(rows) + 1)[:, :-1]
        extra = np.hstack([identity, -identity])
        return self._minimise(rows, right, extra, np.ones(extra.shape[1]), None)

    def _minimise(
        self, rows: Rows, right: Floats, extra: Floats, extra_cost: Floats, cost: Floats | None
    ) -> _Optimum:
        """Minimise cost·J + extra_cost·z over J, z ≥ 0 with A J + extra z = right."""
        from scipy.optimize import linprog
        from scipy.sparse import csc_array, hstack

        problem = self.problem
        pattern_cost = np.zeros(len(problem.events)) if cost is None else cost
        for _ in range(MAX_ROUNDS):
            incidence = self._matrix(rows)
            result = linprog(
                np.concatenate([pattern_cost[self._columns], extra_cost]),
                A_eq=hstack([incidence, csc_array(extra)], format="csc"),
                b_eq=right,
                bounds=(0, None),
                method="highs",
                options={
                    "primal_feasibility_tolerance": FEASIBILITY,
                    "dual_feasibility_tolerance": FEASIBILITY,
                },
            )
            if result.x is None or result.fun is None:
                raise PriorError(f"the coherence program was not solved: {result.message}")
            prices = np.asarray(result.eqlin.marginals, dtype=np.float64)
            entering = self._improving(rows, prices, pattern_cost)
            if len(entering) == 0:
                attained = incidence @ result.x[: len(self._columns)]
                return _Optimum(float(result.fun), prices, attained)
            self._columns = np.union1d(self._columns, entering)
        raise PriorError(f"the coherence program did not settle in {MAX_ROUNDS} rounds")

    def _improving(self, rows: Rows, prices: Floats, cost: Floats) -> NDArray[np.int64]:
        """Patterns outside the program with negative reduced cost, the most negative `BATCH`."""
        if len(self._columns) == len(self.problem.events):
            return self._columns[:0]
        reduced = cost - prices[-1]
        per_event = np.zeros(self.problem.num_events)
        per_event[rows] = -prices[:-1]
        add_scores(self.problem.events, per_event, reduced)
        reduced[self._columns] = 0.0
        entering = np.flatnonzero(reduced < -10 * FEASIBILITY)
        if len(entering) > BATCH:
            entering = entering[np.argpartition(reduced[entering], BATCH)[:BATCH]]
        return entering

    def _matrix(self, rows: Rows) -> "csc_array":
        """Incidence of the events ``rows`` in the current columns, and a last row of ones."""
        from scipy.sparse import csc_array

        position = np.full(self.problem.num_events, -1)
        position[rows] = np.arange(len(rows))
        local = position[self.problem.events[self._columns]]
        local = np.hstack([local, np.full((len(local), 1), len(rows))])
        used = local >= 0
        indptr = np.concatenate([[0], np.cumsum(used.sum(axis=1))])
        shape = (len(rows) + 1, len(local))
        return csc_array((np.ones(int(used.sum())), local[used], indptr), shape=shape)
