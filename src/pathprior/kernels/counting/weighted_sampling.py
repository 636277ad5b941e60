"""DAGs under the base measure β^edges, layer by layer from the sources, as `sampling` does.

An edge is there with chance p = β / (1 + β). Edges are drawn by the gaps between them, so that a
sparse DAG takes about as many random words as it has nodes and edges.
"""

from math import expm1, log1p

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pathprior.kernels.random import Words, draw_unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
ONE = np.uint64(1)


@njit(cache=True, nogil=True)
def draw_weighted_layer(state: Words, row: Floats, last: int, has_parent: float) -> int:
    """A layer size s from the weights ``row[s]`` · ``has_parent``^s, 1 ≤ s ≤ ``last``."""
    total = 0.0
    power = 1.0
    for s in range(1, last + 1):
        power *= has_parent
        total += row[s] * power
    rest = draw_unit(state) * total
    power = 1.0
    for s in range(1, last):
        power *= has_parent
        rest -= row[s] * power
        if rest < 0.0:
            return s
    return last


@njit(cache=True, nogil=True)
def draw_gap(state: Words, log_absent: float, among: float) -> float:
    """Absent edges before the next present one, which comes soon enough with chance ``among``."""
    return np.floor(log1p(-draw_unit(state) * among) / log_absent)


@njit(cache=True, nogil=True)
def draw_weighted_parents(
    state: Words, shares: Floats, lasts: Ints, edge_odds: float, parents: Words
) -> None:
    """Draw a DAG up to the names of its nodes into ``parents``; see `source_shares`."""
    num_nodes = parents.shape[0]
    log_absent = -log1p(edge_odds)  # of the chance 1 − p that an edge is absent
    parents[:, :] = 0
    rest = num_nodes
    layer = 0
    while rest > 0:
        has_parent = 1.0 if layer == 0 else -expm1(layer * log_absent)
        size = draw_weighted_layer(state, shares[rest], int(lasts[rest]), has_parent)
        for v in range(rest - size, rest):
            if layer == 0:
                continue
            p = rest + min(int(draw_gap(state, log_absent, has_parent)), layer - 1)
            while p < num_nodes:
                parents[v, p >> 6] |= ONE << np.uint64(p & 63)
                p += 1 + int(min(draw_gap(state, log_absent, 1.0), num_nodes))
        rest -= size
        layer = size
