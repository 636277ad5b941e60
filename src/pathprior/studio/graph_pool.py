"""`GraphPool`: graphs drawn from a prior, for what it says of pairs that nobody spoke of.

Markov chains over closures of graphs, tilted by the weights of the prior, record the ties of *all*
pairs. They go on from where they were when the weights change a little.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.event import Event
from pathprior.graph.tie import Tie
from pathprior.kernels.graph.ties import NUM_TIES
from pathprior.posterior.indicators import all_pairs
from pathprior.prior.web.chains import Chains, Records

Floats = NDArray[np.float64]

NUM_CHAINS = 8
MOST_NODES = 150
"""Variables beyond which the pairs are too many to draw while somebody waits."""
SWEEPS = 2
"""Sweeps of a chain between two records."""
FAR = -50.0
"""What stands for a log weight of −∞ in the chains."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """What graphs say of all pairs.

    Attributes
    ----------
    pairs
        Rows of two positions, x < y.
    relations
        Relation codes, graphs × pairs.
    probabilities, errors
        Of each pair's ties, and their Monte Carlo standard errors; edges are told from longer paths
        at the pairs where the pool does.
    """

    pairs: NDArray[np.int64]
    relations: NDArray[np.int8]
    probabilities: Floats
    errors: Floats

    def share(self, event: Event, *, is_reversed: bool = False) -> tuple[Floats, Floats]:
        """Probability of an event, of all pairs, and its errors."""
        codes = sorted(tie.reverse if is_reversed else tie for tie in event.ties)
        error: Floats = np.sqrt((self.errors[:, codes] ** 2).sum(axis=1))
        return self.probabilities[:, codes].sum(axis=1), error


class GraphPool:
    """Chains over graphs on ``num_nodes`` nodes; what they draw is a function of all calls.

    Edges are told from longer paths at the pairs in the rows ``direct``.
    """

    def __init__(
        self, num_nodes: int, edge_odds: float, *, direct: tuple[int, ...] = (), seed: int = 0
    ) -> None:
        self.pairs = all_pairs(num_nodes)
        self.direct = direct
        self._log_odds = log(edge_odds)
        self.chains = Chains(self.pairs, num_nodes, num_chains=NUM_CHAINS, seed=seed, direct=direct)

    def pass_through(self, field: Floats, num_records: int) -> NDArray[np.int8]:
        """Go on under these weights and learn where nodes go; ties, records × chains × pairs."""
        return self._run(field, num_records, is_learning=True).codes

    def draw(self, field: Floats, num_records: int) -> Drawn:
        """Leave where the chains are, then record: ``field`` holds log weights by pair."""
        self.pass_through(field, max(4, num_records // 4))
        records = self._run(field, num_records, is_learning=False)
        by_chain = (records.codes[..., None] == np.arange(NUM_TIES, dtype=np.int8)).mean(axis=0)
        return Drawn(
            self.pairs,
            records.relations.reshape(-1, len(self.pairs)),
            by_chain.mean(axis=0),
            by_chain.std(axis=0, ddof=1) / np.sqrt(NUM_CHAINS),
        )

    def no_field(self) -> Floats:
        """Log weights of no belief at all."""
        return np.zeros((len(self.pairs), NUM_TIES))

    def field_of(self, pairs: NDArray[np.int64], log_weights: Floats) -> Floats:
        """Log weights of some pairs, in either direction, as those of all pairs."""
        field, size = self.no_field(), self.chains.num_nodes
        for (i, j), weights in zip(pairs.tolist(), log_weights, strict=True):
            turned = weights if i < j else weights[[tie.reverse for tie in Tie]]
            field[pair_row(i, j, size)] += turned
        return field

    def _run(self, field: Floats, num_records: int, *, is_learning: bool) -> Records:
        return self.chains.run(
            self._log_odds,
            np.maximum(field, FAR),
            num_records=num_records,
            sweeps=SWEEPS,
            is_learning=is_learning,
        )


def pair_row(i: int, j: int, size: int) -> int:
    """The row of two of ``size`` nodes among all pairs."""
    low, high = min(i, j), max(i, j)
    return low * (2 * size - low - 1) // 2 + high - low - 1


def direct_rows(beliefs: Iterable[Belief], index: Mapping[str, int]) -> tuple[int, ...]:
    """The rows of pairs whose edges some belief tells from longer paths."""
    ends = {(index[b.x], index[b.y]) for b in beliefs if b.is_about_edge}
    return tuple(sorted({pair_row(i, j, len(index)) for i, j in ends}))


def num_records(num_nodes: int, seconds: float) -> int:
    """About how many records chains make in so much time: a sweep takes n² operations or more."""
    return int(np.clip(seconds * 4e5 / max(num_nodes, 2) ** 1.8, 6, 20_000))
