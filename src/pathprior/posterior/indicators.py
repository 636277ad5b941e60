"""What each graph says of edges and pairs, and the probabilities that follow."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.graph.ancestors import NUM_RELATIONS
from pathprior.kernels.graph.relations import add_relations, fill_ties
from pathprior.kernels.prior.ties import RELATION
from pathprior.posterior.draws import Draws

MAX_CODES = 2**24
"""Most codes that are held at a time."""


def all_pairs(num_nodes: int) -> NDArray[np.int64]:
    """Pairs (x, y), x < y, ordered by x, then y."""
    return np.argwhere(np.triu(np.ones((num_nodes, num_nodes), dtype=bool), k=1))


def edge_probabilities(draws: Draws) -> NDArray[np.float64]:
    """Probability of u → v at ``[u, v]``: the weight of the graphs that have the edge."""
    size = len(draws.variables)
    columns = [draws.average(draws.edges_into(v).reshape(-1, size)) for v in range(size)]
    return np.array(columns).T


def relation_probabilities(draws: Draws, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Probability of each relation, one row per pair."""
    sums = np.zeros((len(pairs), NUM_RELATIONS))
    add_relations(draws.graphs, draws.weights, pairs, sums)
    return sums


def tie_codes(draws: Draws, x: int, y: int) -> NDArray[np.uint8]:
    """Ties of one pair by chain and draw."""
    (codes,) = _codes(draws, np.array([[x, y]]))
    return codes


def relation_codes(draws: Draws, pairs: NDArray[np.int64]) -> Iterator[NDArray[np.uint8]]:
    """Relations by chain, draw and pair, some pairs at a time."""
    for codes in _codes(draws, pairs):
        yield RELATION.astype(np.uint8)[codes]


def _codes(draws: Draws, pairs: NDArray[np.int64]) -> Iterator[NDArray[np.uint8]]:
    """Ties likewise."""
    graphs = draws.graphs
    width = max(1, MAX_CODES // max(1, len(graphs)))
    for first in range(0, len(pairs), width):
        block = np.ascontiguousarray(pairs[first : first + width])
        codes = np.empty((len(graphs), len(block)), np.uint8)
        fill_ties(graphs, block, codes)
        yield codes.reshape(draws.num_chains, draws.num_draws, len(block))
