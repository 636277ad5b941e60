"""The best DAG of given families, or how far from it the best one found may be.

Where fractions of families leave a gap that whole families do not close soon, the edge whose
fraction is nearest to a half is required in one branch, and ruled out in the other.
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.exact.node_orders import climb_orders, round_order
from pathprior.search.cutting_planes import Fractions, Planes, Whole, find_cycles
from pathprior.search.interrupt import StopRequest
from pathprior.search.parent_sets import ParentSets

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
SECONDS_OF_A_BRANCH = 10.0
"""Time for the whole families of one branch, before it is taken apart."""
LEAST_FALL = 1e-3
"""Part of the gap by which clusters must lower the bound, to be worth going on."""
PATIENCE = 10
"""How often in a row they may not."""


@dataclass(slots=True, eq=False)
class Clock:
    """When to end."""

    stop: StopRequest
    end: float

    @property
    def left(self) -> float:
        """Seconds."""
        return max(self.end - monotonic(), 0.0)

    @property
    def is_over(self) -> bool:
        """Whether a stop was asked for, or the time is over."""
        return self.stop.is_set or self.left == 0.0


@dataclass(slots=True, eq=False)
class WholeSearch:
    """A search under way.

    Attributes
    ----------
    families
        All of them.
    planes
        What is known of fractions.
    paths_of
        What paths add to the families with these parents.
    score, chosen
        The best DAG so far: its score, and its parent sets if it was found here.
    bound
        No DAG of the families scores more.
    num_edges, gain
        Its edges, and how much more it scores than the one before the search.
    rounding
        Differences in scores that are none.
    """

    families: ParentSets
    planes: Planes
    paths_of: Callable[[Ints], float]
    score: float
    rounding: float
    clock: Clock
    on_round: Callable[[int, "WholeSearch"], None]
    num_edges: int
    chosen: Ints | None = None
    gain: float = 0.0
    bound: float = inf
    num_rounds: int = 0
    _open: list[tuple[float, int, NDArray[np.bool_]]] = field(default_factory=list)
    _num_branches: int = 0

    def run(self, most: float = inf) -> None:
        """Search until the best is proved, or the clock says so; some bound there always is.

        No DAG is known to score more than ``most``.
        """
        self._push(most, np.ones(len(self.families.scores), np.bool_))
        while self._open and (self.bound == inf or not self.clock.is_over):
            bound, _, kept = heapq.heappop(self._open)
            if self._is_below(-bound):
                self._open.clear()
            else:
                self._branch(-bound, kept)
        self.bound = max([self.score, *(-bound for bound, *_ in self._open)])

    def _push(self, bound: float, kept: NDArray[np.bool_]) -> None:
        if bound > self.score + self.rounding:
            heapq.heappush(self._open, (-bound, self._num_branches, kept))
            self._num_branches += 1

    def _branch(self, bound: float, kept: NDArray[np.bool_]) -> None:
        """Bound the DAGs of some families, find the best, or leave two halves of them open."""
        if not self._is_possible(kept):
            return
        found = self._tighten(kept, bound)
        if found is None:
            return
        fractions, kept = found
        bound = min(bound, fractions.bound)
        families = self.families.only(kept)
        if self._is_below(bound):
            return
        while not self.clock.is_over:
            whole = self.planes.choose(families, min(SECONDS_OF_A_BRANCH, self.clock.left))
            bound = min(bound, whole.bound)
            self._tell(bound)
            is_wrong = whole.chosen is not None and self._learn_from(whole, whole.chosen, families)
            if self._is_below(bound) or (whole.is_best and not is_wrong):
                return
            if not whole.is_best:
                break
        edge = _fractional_edge(families, fractions.values[kept])
        if self.clock.is_over or edge is None:
            self._push(bound, kept)
            return
        u, v = edge
        has_edge = (self.families.children == v) & (self.families.sets >> u & 1 == 1)
        at_child = self.families.children == v
        self._push(bound, kept & (has_edge | ~at_child))
        self._push(bound, kept & ~has_edge)

    def _learn_from(self, whole: Whole, chosen: Ints, families: ParentSets) -> bool:
        """Keep what whole families found, and add what they break; whether they do."""
        parents = families.sets[chosen]
        cycles = find_cycles(parents.tolist())
        if not cycles:
            self._take(float(families.scores[chosen].sum()), parents)
            return self.planes.terms.correct(parents.tolist(), whole.ties) > 0
        values = np.zeros(len(families.scores))
        values[chosen] = 1.0
        self._round(families, values)
        self.planes.find(families, values)
        self.planes.add(cycles)
        return True

    def _tighten(
        self, kept: NDArray[np.bool_], bound: float
    ) -> tuple[Fractions, NDArray[np.bool_]] | None:
        """Add clusters until none is violated; None if nothing better than the best is left.

        Families that would take the bound below the best score are dropped on the way.
        """
        last, num_vain = inf, 0
        while True:
            families = self.families.only(kept)
            found = self.planes.solve(families)
            if found is None or self._is_below(found.bound):
                return None
            self._tell(min(found.bound, bound))
            self._round(families, found.values)
            worth = found.bound - found.losses > self.score + self.rounding
            wide = replace(found, values=_spread(found.values, kept))
            narrowed = kept.copy()
            narrowed[kept] = worth
            if not self._is_possible(narrowed):
                return None
            gap = max(found.bound - self.score, self.rounding)
            num_vain = 0 if last - found.bound > LEAST_FALL * gap else num_vain + 1
            last = found.bound
            if self.clock.is_over or num_vain == PATIENCE:
                return wide, narrowed
            if not self._cut_off(families, found):
                return wide, narrowed
            kept = narrowed

    def _cut_off(self, families: ParentSets, found: Fractions) -> bool:
        """Add what the fractions break; False if they break nothing."""
        num_found = self.planes.find(families, found.values)
        num_found += self.planes.terms.find(families, found.values, found.ties)
        if num_found:
            return True
        seconds = min(SECONDS_OF_A_BRANCH, self.clock.left)
        return self.planes.find_lightest(families, found.values, seconds) > 0

    def _is_below(self, bound: float) -> bool:
        return bound <= self.score + self.rounding

    def _is_possible(self, kept: NDArray[np.bool_]) -> bool:
        """Whether each node has a family."""
        return bool(np.logical_or.reduceat(kept, self.families.first[:-1]).all())

    def _round(self, families: ParentSets, fractions: Floats) -> None:
        """Make a DAG of fractions, and climb from there."""
        n = families.num_nodes
        order, chosen = np.empty(n, np.int64), np.empty(n, np.int64)
        round_order(families.first, families.sets, families.scores, fractions, order)
        every = self.families
        score = climb_orders(every.first, every.sets, every.scores, self.rounding, order, chosen)
        if score > -inf:
            self._take(score, every.sets[chosen])

    def _take(self, score: float, parents: Ints) -> None:
        """Keep the DAG of families if it is better, paths included."""
        score += self.paths_of(parents)
        if score > self.score + self.rounding:
            self.gain += score - self.score
            self.score, self.chosen = score, parents
            self.num_edges = sum(int(nodes).bit_count() for nodes in parents)

    def _tell(self, bound: float) -> None:
        self.num_rounds += 1
        self.bound = max([self.score, bound, *(-other for other, *_ in self._open)])
        self.on_round(self.num_rounds, self)


def _spread(values: Floats, kept: NDArray[np.bool_]) -> Floats:
    """Values of those that are kept, in their places among all."""
    wide = np.zeros(len(kept))
    wide[kept] = values
    return wide


def _fractional_edge(families: ParentSets, fractions: Floats) -> tuple[int, int] | None:
    """The edge whose fraction is nearest to a half; None if all are whole."""
    n = families.num_nodes
    members = (families.sets[:, None] >> np.arange(n) & 1) * fractions[:, None]
    by_child = np.add.reduceat(members, families.first[:-1], axis=0)
    distance = np.abs(by_child - 0.5)
    v, u = np.unravel_index(int(distance.argmin()), distance.shape)
    if distance[v, u] > 0.5 - 1e-6:
        return None
    return int(u), int(v)
