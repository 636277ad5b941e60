"""Edge rules as chains over closures see them: ties of pairs that may not be.

An edge that rules forbid is an edge of weight next to nothing, on a pair whose edges are told from
longer paths; one that they require is the only tie of its pair that is not so. Chains begin within
the rules and never leave them, so that they are sampled exactly. Pairs on which rules say something
are taken in beside those that are asked about.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import pack_rows
from pathprior.graph.edge_rules import EdgeRules
from pathprior.graph.possible_ties import PossibleTies
from pathprior.graph.tie import LINKS, WAYS
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.kernels.web.within import Within
from pathprior.prior.web.tilt import Tilt

NEVER = -100.0
"""log weight of what the rules rule out: finite, as chains reckon with differences of weights, and
so little that no chain will ever go there."""


@dataclass(frozen=True, slots=True, eq=False)
class Barrier:
    """The pairs that chains need to keep the rules, those that are asked about first.

    Attributes
    ----------
    pairs
        Rows of two nodes.
    direct
        Rows of pairs whose edges are told from longer paths.
    log_weights
        By pair and tie; 0 where the rules say nothing.
    barred
        ``[a, b]`` says that no path can lead from a to b.
    max_parents
        The most parents of a node.
    """

    pairs: NDArray[np.int64]
    direct: tuple[int, ...]
    log_weights: NDArray[np.float64]
    barred: NDArray[np.bool_]
    max_parents: int

    @classmethod
    def none(cls, num_nodes: int, pairs: NDArray[np.int64], direct: Sequence[int]) -> "Barrier":
        """No rules."""
        nowhere = np.zeros((num_nodes, num_nodes), dtype=bool)
        return cls(pairs, tuple(direct), np.zeros((0, NUM_TIES)), nowhere, num_nodes)

    @classmethod
    def of(cls, rules: EdgeRules, pairs: NDArray[np.int64], direct: Sequence[int]) -> "Barrier":
        """What ``rules`` say, beside ``pairs`` of which some are ``direct``."""
        size = len(rules.variables)
        number = {frozenset(pair): k for k, pair in enumerate(pairs.tolist())}
        possible = PossibleTies(rules)
        every, told, weights = pairs.tolist(), set(direct), [np.zeros(NUM_TIES) for _ in pairs]
        for u in range(size):
            for v in range(u + 1, size):
                if not (rules.forbidden[u, v] or rules.forbidden[v, u]):
                    continue
                row = number.get(frozenset((u, v)), len(every))
                x, y = (u, v) if row == len(every) else every[row]
                left = possible.of(x, y)
                # a way that cannot be at all needs no word on its edge
                is_told = bool((left[WAYS] != left[LINKS]).any())
                if row == len(every):
                    if not is_told:
                        continue
                    every.append([x, y])
                    weights.append(np.zeros(NUM_TIES))
                weights[row] = np.where(left, 0.0, NEVER)
                if is_told:
                    told.add(row)
        return cls(
            np.array(every, dtype=np.int64).reshape(-1, 2),
            tuple(sorted(told)),
            np.array(weights).reshape(-1, NUM_TIES),
            ~_reachable(possible.edges | rules.required),
            rules.max_parents,
        )

    @property
    def is_limited(self) -> bool:
        """Whether a node could have more parents than it may."""
        return self.max_parents < len(self.barred) - 1

    def within(self, tilt: Tilt) -> Within:
        """The rules as the kernels read them, given the weights of ties."""
        size = len(self.barred)
        chances = np.zeros((0, 0))
        if self.is_limited:
            beta = np.exp(tilt.log_beta)
            chances = np.full((size, size), beta / (1 + beta))
            x, y = self.pairs[list(self.direct)].T
            chances[x, y], chances[y, x] = tilt.edge_chances.T
        above_and_below = np.stack([pack_rows(self.barred.T), pack_rows(self.barred)])
        return Within(
            above_and_below,
            bool(self.barred.any()),
            chances,
            min(self.max_parents, size),
            self.is_limited,
        )

    def field(self, log_weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The log weights of all pairs, given those of the pairs that are asked about."""
        if not len(self.log_weights):
            return log_weights
        field = self.log_weights.copy()
        field[: len(log_weights)] += log_weights
        return field


def _reachable(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """``[a, b]``: whether a path leads from a to b, or they are the same."""
    reached = edges | np.eye(len(edges), dtype=bool)
    for v in range(len(edges)):
        reached |= reached[:, v, None] & reached[v]
    return reached
