"""Counts by looking at every DAG: up to six nodes."""

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.base import UNIFORM
from pathprior.counting.code import decode
from pathprior.counting.result import Table
from pathprior.counting.robinson import num_labelled_dags
from pathprior.counting.shape import Shape
from pathprior.errors import CountingError
from pathprior.kernels.counting.enumerate import enumerate_codes

MAX_NODES = 6
"""Largest number of nodes enumerated: 3,781,503 DAGs; seven nodes have 1,138,779,265."""


ROUNDING = 1e-14
"""Bound on the relative error of a sum of weights: of at most 16 different positive ones."""


def enumerate_table(shape: Shape, num_nodes: int, edge_odds: float = UNIFORM) -> Table:
    """N_C, or U_C of weighted DAGs, by enumerating all DAGs. O(N(n) · pairs)."""
    if num_nodes > MAX_NODES:
        raise CountingError(
            f"{num_nodes} nodes have too many DAGs to enumerate (at most {MAX_NODES} nodes); "
            f'use method="exact" or "full"'
        )
    edges = np.array(shape.edges, dtype=np.int64)
    total = num_labelled_dags(num_nodes)
    codes = np.empty(total, dtype=np.uint64)
    num_edges = np.empty(0 if edge_odds == UNIFORM else total, dtype=np.uint8)
    enumerate_codes(
        num_nodes,
        np.ascontiguousarray(edges[:, 0]),
        np.ascontiguousarray(edges[:, 1]),
        codes,
        num_edges,
    )
    if edge_odds != UNIFORM:
        return _weigh(codes, num_edges, len(edges), edge_odds)
    distinct, counts = np.unique(codes, return_counts=True)
    return Table(
        _rows(distinct, len(edges)),
        counts / total,
        counts=tuple(int(count) for count in counts),
    )


def _weigh(
    codes: NDArray[np.uint64], num_edges: NDArray[np.uint8], num_pairs: int, edge_odds: float
) -> Table:
    distinct, group = np.unique(codes, return_inverse=True)
    most = MAX_NODES * (MAX_NODES - 1) // 2
    cells = np.bincount(group * (most + 1) + num_edges, minlength=len(distinct) * (most + 1))
    powers = edge_odds ** np.arange(most + 1.0)
    weights = cells.reshape(-1, most + 1) @ powers
    return Table(_rows(distinct, num_pairs), weights / weights.sum(), relative_error=ROUNDING)


def _rows(codes: NDArray[np.uint64], num_pairs: int) -> NDArray[np.int8]:
    return decode(codes << np.uint64(64 - 2 * num_pairs), num_pairs)
