"""Counts by looking at every DAG: up to six nodes."""

import numpy as np

from pathprior.counting.code import decode
from pathprior.counting.result import Table
from pathprior.counting.robinson import num_labelled_dags
from pathprior.counting.shape import Shape
from pathprior.errors import CountingError
from pathprior.kernels.counting.enumerate import enumerate_codes

MAX_NODES = 6
"""Largest number of nodes enumerated: 3,781,503 DAGs; seven nodes have 1,138,779,265."""


def enumerate_table(shape: Shape, num_nodes: int) -> Table:
    """N_C of every configuration of ``shape`` by enumerating all DAGs. O(N(n) · pairs)."""
    if num_nodes > MAX_NODES:
        raise CountingError(
            f"{num_nodes} nodes have too many DAGs to enumerate (at most {MAX_NODES} nodes); "
            f'use method="exact" or "full"'
        )
    edges = np.array(shape.edges, dtype=np.int64)
    total = num_labelled_dags(num_nodes)
    codes = np.empty(total, dtype=np.uint64)
    enumerate_codes(
        num_nodes,
        np.ascontiguousarray(edges[:, 0]),
        np.ascontiguousarray(edges[:, 1]),
        codes,
    )
    distinct, counts = np.unique(codes, return_counts=True)
    return Table(
        decode(distinct << np.uint64(64 - 2 * len(edges)), len(edges)),
        counts / total,
        counts=tuple(int(count) for count in counts),
    )
