"""`Draws`: graphs from a posterior, as the samplers leave them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag


@dataclass(frozen=True, slots=True)
class Draws:
    """Graphs by chain and draw.

    Attributes
    ----------
    variables
        Names, sorted; all positions follow them.
    parents
        Packed parent sets by chain, draw and node, as `Dag.parent_words`.
    scores
        Data score plus prior score of each graph: Σ_v local score + Σ log λ + edges · log β.
    log_weights
        Log of the posterior probability of each graph where every graph with a positive one is
        listed once, as one chain; None where all draws count alike.
    """

    variables: tuple[str, ...]
    parents: NDArray[np.uint64]
    scores: NDArray[np.float64]
    log_weights: NDArray[np.float64] | None = None

    @property
    def num_chains(self) -> int:
        """Number of chains."""
        return len(self.scores)

    @property
    def num_draws(self) -> int:
        """Number of graphs of each chain."""
        return int(self.scores.shape[1])

    @property
    def is_exact(self) -> bool:
        """Whether every graph is listed with its probability."""
        return self.log_weights is not None

    @property
    def graphs(self) -> NDArray[np.uint64]:
        """``parents`` of all chains one after the other."""
        return self.parents.reshape(-1, *self.parents.shape[2:])

    @property
    def weights(self) -> NDArray[np.float64]:
        """What each of `graphs` counts for; they sum to one."""
        if self.log_weights is None:
            return np.full(self.scores.size, 1 / self.scores.size)
        return np.exp(self.log_weights.ravel())

    def average(self, series: NDArray[np.bool_] | NDArray[np.float64]) -> NDArray[np.float64]:
        """Mean over `graphs` of what each has, in a row of its own.

        Graph after graph, as kernels add, so that whatever is asked in two ways has one answer to
        the last digit. A sum by BLAS depends on the number of threads.
        """
        weights = self.weights
        columns = series.reshape(weights.size, -1).T
        means = np.array([np.cumsum(weights * column)[-1] for column in columns])
        return means.reshape(series.shape[1:])

    def edges_into(self, child: int) -> NDArray[np.bool_]:
        """Whether u → child, by chain, draw and u."""
        words = np.ascontiguousarray(self.parents[:, :, child])
        bits = np.unpackbits(words.astype("<u8").view(np.uint8), axis=-1, bitorder="little")
        return bits[..., : len(self.variables)].astype(bool)

    def dag(self, position: int, nodes: Sequence[str]) -> Dag:
        """One of `graphs`, with its nodes in the order of ``nodes``."""
        size = len(self.variables)
        children = np.array([unpack_row(row, size) for row in self.graphs[position]])
        place = [self.variables.index(name) for name in nodes]
        return Dag(tuple(nodes), children.T[np.ix_(place, place)])
