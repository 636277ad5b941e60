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

from pathprior.graph.edge_rules import EdgeRules
from pathprior.graph.possible_ties import PossibleTies
from pathprior.graph.tie import Tie
from pathprior.kernels.prior.ties import NUM_TIES

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
    """

    pairs: NDArray[np.int64]
    direct: tuple[int, ...]
    log_weights: NDArray[np.float64]

    @classmethod
    def none(cls, pairs: NDArray[np.int64], direct: Sequence[int]) -> "Barrier":
        """No rules."""
        return cls(pairs, tuple(direct), np.zeros((0, NUM_TIES)))

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
                if row == len(every):
                    every.append([x, y])
                    weights.append(np.zeros(NUM_TIES))
                weights[row] = np.where(left, 0.0, NEVER)
                # a way that cannot be at all needs no word on its edge
                if (left[: Tie.CONFOUNDED] != left[Tie.EDGE :]).any():
                    told.add(row)
        return cls(
            np.array(every, dtype=np.int64).reshape(-1, 2),
            tuple(sorted(told)),
            np.array(weights).reshape(-1, NUM_TIES),
        )

    def field(self, log_weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The log weights of all pairs, given those of the pairs that are asked about."""
        if not len(self.log_weights):
            return log_weights
        field = self.log_weights.copy()
        field[: len(log_weights)] += log_weights
        return field
