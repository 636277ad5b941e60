"""Rows of a network by forward sampling, as state codes."""

from math import prod

import numpy as np
from numpy.typing import NDArray

from pathprior.data.column import code_type
from pathprior.graph.dag import Dag
from pathprior.kernels.data.forward_sample import forward_sample
from pathprior.network.model import check_sampling

# Uniforms are drawn for this many rows at a time: enough to forget the call, few enough to
# stay in cache. The stream runs row by row, so the block size does not change the sample.
BLOCK = 4096


def sample_codes(
    dag: Dag, tables: tuple[NDArray[np.float64], ...], num_rows: int, seed: int
) -> NDArray[np.uint8] | NDArray[np.uint16]:
    """Draw ``codes[v, row]``; one uniform per node and row, so longer samples extend shorter ones.

    Cost: num_rows × Σ_v (number of parents + number of states), after one pass over the tables.
    """
    check_sampling(num_rows, seed)
    families = [np.flatnonzero(dag.adjacency[:, v]) for v in range(dag.num_nodes)]
    parent_start = np.cumsum([0, *(family.size for family in families)])
    # Codes index rows of the tables laid end to end: the stride of parent k is the number of cells
    # one step along axis k jumps over.
    strides = [prod(table.shape[k + 1 :]) for table in tables for k in range(table.ndim - 1)]
    table_start = np.cumsum([0, *(table.size for table in tables)])[:-1]
    largest = max((table.shape[-1] for table in tables), default=1)
    codes = np.empty((dag.num_nodes, num_rows), dtype=code_type(largest))
    rng = np.random.default_rng(seed)
    layout = (
        dag.order,
        parent_start.astype(np.int64),
        np.concatenate([np.empty(0, np.int64), *families]),
        np.array(strides, dtype=np.int64),
        table_start.astype(np.int64),
        np.concatenate([np.empty(0), *map(_cumulative, tables)]),
    )
    for start in range(0, num_rows, BLOCK):
        block = codes[:, start : start + BLOCK]
        forward_sample(*layout, rng.random((block.shape[1], dag.num_nodes)), block)
    return codes


def _cumulative(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Running sums of each row, scaled to end in exactly one.

    From the last possible state on they are exactly one, so a state of probability zero is never
    drawn, whatever the rounding of the sum.
    """
    sums = np.cumsum(table, axis=-1)
    sums /= sums[..., -1:]
    return sums.ravel()
