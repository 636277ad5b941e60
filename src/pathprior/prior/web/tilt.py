"""`Tilt`: what closures weigh, the edges beyond cover pairs summed out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.tie import LINKS, WAYS
from pathprior.kernels.graph.ancestors import NUM_RELATIONS


@dataclass(frozen=True, slots=True)
class Tilt:
    """Weights of closures that sum out the edges beyond cover pairs.

    With λ of an edge and μ of a path without it, an ordered pair weighs (μ + β λ) / (1 + β) beside
    the other DAGs of the closure, and a cover pair λ: the rest of its path is not there.
    """

    log_beta: float
    field: NDArray[np.float64]
    """log weights by pair and relation."""
    bonus: NDArray[np.float64]
    """What a cover pair weighs beyond that, by `direct` pair and way (⇒, ⇐)."""
    edge_chances: NDArray[np.float64]
    """Chance of the edge where there is no cover pair, likewise."""

    @classmethod
    def of(cls, log_beta: float, field: NDArray[np.float64], direct: Sequence[int]) -> "Tilt":
        """Those of the weights ``field`` by pair and tie; edges are told apart at ``direct``."""
        by_relation = np.ascontiguousarray(field[:, :NUM_RELATIONS])
        if not len(direct):
            nothing = np.zeros((0, 2))
            return cls(log_beta, by_relation, nothing, nothing)
        rows = list(direct)
        path, edge = field[np.ix_(rows, WAYS)], field[np.ix_(rows, LINKS)]
        with np.errstate(invalid="ignore"):
            total = np.logaddexp(path, log_beta + edge)
            never = np.isneginf(total)
            any_way = total - np.log1p(np.exp(log_beta))
            bonus = np.where(never, 0.0, edge - any_way)
            chances = np.where(never, 0.0, np.exp(log_beta + edge - total))
        by_relation = by_relation.copy()
        by_relation[np.ix_(rows, WAYS)] = any_way
        return cls(log_beta, by_relation, bonus, chances)
