"""Forward sampling: each node's state by inversion of its conditional distribution."""

import numba as nb
import numpy as np
from numpy.typing import NDArray


@nb.njit(cache=True, nogil=True)
def forward_sample(
    order: NDArray[np.int64],
    parent_start: NDArray[np.int64],
    parents: NDArray[np.int64],
    strides: NDArray[np.int64],
    table_start: NDArray[np.int64],
    cumulative: NDArray[np.float64],
    uniforms: NDArray[np.float64],
    codes: NDArray[np.unsignedinteger],
) -> None:
    """Fill ``codes[v, row]`` from ``uniforms[row, v]``, parents before children.

    The parents of v are ``parents[parent_start[v] : parent_start[v + 1]]``; their codes times
    ``strides`` give the offset, from ``table_start[v]``, of the row of ``cumulative`` to search.
    Every such row ends in 1.0, so the search stops within it for any uniform in [0, 1).
    """
    for row in range(uniforms.shape[0]):
        for v in order:
            cell = table_start[v]
            for k in range(parent_start[v], parent_start[v + 1]):
                cell += strides[k] * np.int64(codes[parents[k], row])
            state = 0
            while cumulative[cell + state] <= uniforms[row, v]:
                state += 1
            codes[v, row] = state
