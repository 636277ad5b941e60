"""`GraphPool`: graphs drawn from a prior, for what it says of pairs that nobody spoke of.

Markov chains over closures of graphs, tilted by the weights of the prior, record the ties of *all*
pairs. They start from graphs drawn independently from the base, so that what no belief moves is
right from the first record on, and go on from where they were when the weights change a little.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.event import Event
from pathprior.counting.sampling import sample_dags
from pathprior.graph.alphabets import RELATIONS_ALONE, Alphabets
from pathprior.graph.dag import Dag
from pathprior.graph.tie import Tie
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.posterior.indicators import all_pairs
from pathprior.prior.web.chains import Chains, Records

Floats = NDArray[np.float64]

NUM_CHAINS = 16
"""Each is one observation when it is judged what has moved: with fewer, less could be told."""
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
    by_chain
        How often each pair had each tie, chains × pairs × ties; edges are told from longer paths at
        the pairs where the pool does.
    """

    pairs: NDArray[np.int64]
    relations: NDArray[np.int8]
    by_chain: Floats

    def share(self, event: Event, *, is_reversed: bool = False) -> tuple[Floats, Floats]:
        """Probability of an event, of all pairs, and its Monte Carlo standard errors."""
        codes = sorted(tie.reverse if is_reversed else tie for tie in event.ties)
        shares = self.by_chain[..., codes].sum(axis=-1)
        error: Floats = shares.std(axis=0, ddof=1) / np.sqrt(len(shares))
        return shares.mean(axis=0), error


class GraphPool:
    """Chains over graphs on ``num_nodes`` nodes; what they draw is a function of all calls.

    Of pairs the ties of their ``alphabets`` are told apart, by row. Where ``barred[u, v]``
    there is no edge u → v.
    """

    def __init__(
        self,
        num_nodes: int,
        edge_odds: float,
        *,
        alphabets: Alphabets = RELATIONS_ALONE,
        barred: NDArray[np.bool_] | None = None,
        seed: int = 0,
    ) -> None:
        self.pairs = all_pairs(num_nodes)
        self.alphabets = alphabets
        self._log_odds = log(edge_odds)
        none = np.zeros((num_nodes, num_nodes), dtype=bool)
        barred = none if barred is None else barred
        self._barrier = _barrier(barred, self.pairs)
        told_apart = np.flatnonzero(self._barrier.any(axis=1)).tolist()
        self.chains = Chains(
            self.pairs,
            num_nodes,
            num_chains=NUM_CHAINS,
            seed=seed,
            direct=(alphabets | Alphabets(edges=tuple(told_apart))).edges,
        )
        names = tuple(map(str, range(num_nodes)))
        starts = sample_dags(num_nodes, NUM_CHAINS, seed, edge_odds=edge_odds)
        self.chains.start_from([Dag(names, edges & ~barred) for edges in starts])

    def pass_through(self, field: Floats, num_records: int) -> NDArray[np.int8]:
        """Go on under these weights and learn where nodes go; ties, records × chains × pairs."""
        return self._run(field, num_records, is_learning=True).codes

    def draw(self, field: Floats, num_records: int) -> Drawn:
        """Leave where the chains are, then record: ``field`` holds log weights by pair."""
        self.pass_through(field, max(4, num_records // 2))
        records = self._run(field, num_records, is_learning=False)
        by_chain = (records.codes[..., None] == np.arange(NUM_TIES, dtype=np.int8)).mean(axis=0)
        return Drawn(self.pairs, records.relations.reshape(-1, len(self.pairs)), by_chain)

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
            np.maximum(field + self._barrier, FAR),
            num_records=num_records,
            sweeps=SWEEPS,
            is_learning=is_learning,
        )


def _barrier(barred: NDArray[np.bool_], pairs: NDArray[np.int64]) -> Floats:
    """Log weights by pair that rule out the edges ``barred``, and nothing else."""
    x, y = pairs.T
    barrier = np.zeros((len(pairs), NUM_TIES))
    barrier[barred[x, y], Tie.EDGE] = FAR
    barrier[barred[y, x], Tie.EDGE_BACK] = FAR
    return barrier


def pair_row(i: int, j: int, size: int) -> int:
    """The row of two of ``size`` nodes among all pairs."""
    low, high = min(i, j), max(i, j)
    return low * (2 * size - low - 1) // 2 + high - low - 1


def alphabets_of_rows(beliefs: Iterable[Belief], index: Mapping[str, int]) -> Alphabets:
    """Which ties some belief tells apart, by the row of the pair among all pairs."""
    return Alphabets.of((pair_row(index[b.x], index[b.y], len(index)), b.told) for b in beliefs)


def num_records(num_nodes: int, seconds: float) -> int:
    """About how many records chains make in so much time: a sweep takes n² operations or more."""
    return int(np.clip(seconds * 2e5 / max(num_nodes, 2) ** 1.8, 4, 10_000))
