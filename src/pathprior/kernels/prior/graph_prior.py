"""The prior of a graph as searches and chains see it: a weight per tie of a pair, a term per edge.

It is read (`read_pairs`), its change by a move is computed (`moves`), and what moves can add at
most is bounded (`moves`, `class_moves`). Whatever else weighs graphs by more than their families
must offer these three.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.inner import entry, inner
from pathprior.kernels.prior.ties import NUM_TIES, RELATION, has_edge, tie_code

Codes = NDArray[np.int64]
"""What a graph says of each pair."""


class GraphPrior(NamedTuple):
    """log P(G) = Σ_k log_weights[k, code of pair k in G] + log_edge_odds · |edges of G| + constant.

    The codes are those of `pathprior.kernels.prior.ties`; ``log_weights`` of −∞ exclude. Base
    measure, beliefs in paths and in edges come to the searches as one such object.
    """

    pairs: NDArray[np.int64]
    log_weights: NDArray[np.float64]  # one column per code
    log_edge_odds: float


@inner
def pair_code(graph: Graph, x: int, y: int) -> int:
    """What the graph says of a pair: the column of its weight."""
    return tie_code(graph.parents, graph.ancestors, x, y)


@entry
def read_code(graph: Graph, x: int, y: int) -> int:
    """`pair_code`, for Python."""
    return pair_code(graph, x, y)


@entry
def read_pairs(prior: GraphPrior, graph: Graph, codes: Codes) -> float:
    """Fill ``codes`` with what the graph says of each pair; return the sum of their weights."""
    total = 0.0
    for k in range(prior.pairs.shape[0]):
        codes[k] = pair_code(graph, prior.pairs[k, 0], prior.pairs[k, 1])
        total += prior.log_weights[k, codes[k]]
    return total


@inner
def most_of(weights: NDArray[np.float64], among: int) -> float:
    """The highest weight among some ties of a pair, as bits."""
    highest = -np.inf
    rest = np.uint64(among)
    while rest != 0:
        highest = max(highest, weights[lowest_bit(rest)])
        rest &= rest - np.uint64(1)
    return highest


@inner
def tells_edges(weights: NDArray[np.float64]) -> bool:
    """Whether edges of a pair weigh otherwise than longer paths."""
    for code in range(NUM_TIES):
        if has_edge(code) and weights[code] != weights[RELATION[code]]:
            return True
    return False
