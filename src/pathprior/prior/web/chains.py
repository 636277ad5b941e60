"""`Chains`: an ensemble of Markov chains over closures of DAGs, tilted by weights on pairs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import pack_rows
from pathprior.kernels.web.chains import run_chains

START_CHANCE = 0.1
LEAST_CHANCE = 0.005
MEMORY = 5.0
"""Times asked that earlier runs count for when chances are learned."""


@dataclass(frozen=True, slots=True)
class Records:
    """What the chains passed through: one row per record and chain."""

    codes: NDArray[np.int8]
    """Relation codes, records × chains × pairs."""
    num_covers: NDArray[np.int64]
    """Cover pairs of the closure, records × chains."""
    num_ordered: NDArray[np.int64]
    """Ordered pairs of the closure, records × chains."""

    def log_weights(self, log_beta: float, field: NDArray[np.float64]) -> NDArray[np.float64]:
        """log of the unnormalised weight at (β, field) of every closure passed."""
        num_pairs = self.codes.shape[-1]
        tilt = field[np.arange(num_pairs), self.codes].sum(axis=-1)
        free = self.num_ordered - self.num_covers
        total: NDArray[np.float64] = (
            tilt + log_beta * self.num_covers + np.log1p(np.exp(log_beta)) * free
        )
        return total


class Chains:
    """Chains that start from the graph without edges; a function of ``seed``.

    Each is a Markov chain with target π(P) ∝ β^c (1 + β)^(m − c) exp Σ_p field[p, r_p(P)] over the
    closures P of DAGs, which is the closure of G ∝ β^edges · Π_p λ_p(r_p(G)); see
    `pathprior.kernels.web.chains`. A sweep costs about 60 µs at n = 37 and 0.8 ms at n = 200.
    ``ancestors`` and ``descendants`` are the current closures, chain by chain.
    """

    def __init__(
        self, pairs: NDArray[np.int64], num_nodes: int, *, num_chains: int, seed: int
    ) -> None:
        self.num_nodes = num_nodes
        self.num_chains = num_chains
        self._pairs = np.ascontiguousarray(pairs)
        self._partners, self._number = _partners(pairs, num_nodes)
        self._chances = np.full((num_nodes, 2, 2, 4, num_nodes), START_CHANCE, np.float32)
        alone = pack_rows(np.eye(num_nodes, dtype=bool))
        self.ancestors = np.repeat(alone[None], num_chains, axis=0)
        self.descendants = self.ancestors.copy()
        self._random = np.random.default_rng(seed).integers(
            1, 2**64, size=(num_chains, 4), dtype=np.uint64
        )

    def run(
        self,
        log_beta: float,
        field: NDArray[np.float64],
        *,
        num_records: int,
        sweeps: int,
        is_learning: bool = False,
    ) -> Records:
        """Advance all chains by ``num_records × sweeps`` sweeps, recording every ``sweeps``.

        With ``is_learning`` the chances of where nodes are planted then follow what was seen, which
        makes the next run depend on more than where the chains are: not for final averages.
        """
        codes = np.empty((num_records, self.num_chains, len(self._pairs)), np.int8)
        counts = np.empty((num_records, self.num_chains, 2), np.int64)
        seen = np.zeros((*self._chances.shape, 2), np.int64)
        run_chains(
            self.ancestors,
            self.descendants,
            self._pairs,
            self._partners,
            self._number,
            log_beta,
            np.ascontiguousarray(field),
            self._chances,
            is_learning,
            seen,
            sweeps,
            self._random,
            codes,
            counts,
        )
        if is_learning:
            asked, found = seen[..., 0], seen[..., 1]
            chances = (MEMORY * self._chances + found) / (MEMORY + asked)
            self._chances = np.clip(chances, LEAST_CHANCE, 1 - LEAST_CHANCE).astype(np.float32)
        return Records(codes, counts[..., 0], counts[..., 1])

    def replace(self, lost: NDArray[np.bool_]) -> None:
        """Give the chains that are ``lost`` the closures of the others, in turn."""
        kept = np.flatnonzero(~lost)
        source = np.resize(kept, int(lost.sum()))
        self.ancestors[lost] = self.ancestors[source]
        self.descendants[lost] = self.descendants[source]


def _partners(
    pairs: NDArray[np.int64], num_nodes: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The nodes paired with each node as bitset rows, and the number of the pair of two nodes."""
    number = np.full((num_nodes, num_nodes), -1, np.int64)
    x, y = pairs.T
    number[x, y] = number[y, x] = np.arange(len(pairs))
    return pack_rows(number >= 0), number
