"""Columns of the mixed score where some columns of states are counted, see `pathprior.score.mixed`.

With D(v, P) the score by the matrix of real columns and indicators, C(v, P) that by counts, and P_c
those of P that are counted,

    local(v, P) = C(v, P_c) + D(v, P) − D(v, P_c) of a counted v,   D(v, P) of any other.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.columns import fills
from pathprior.kernels.data.grams import Grams, fill_grams
from pathprior.kernels.data.score_column import Counted, fill_counted
from pathprior.kernels.graph.ancestors import Words, has_bit
from pathprior.kernels.inner import allocating, allocating_entry

Floats = NDArray[np.float64]


class MixedColumns(NamedTuple):
    """Both kernels, on variables with the same numbers, and scratch."""

    grams: Grams
    counted: Counted  # the other columns are of one state, and never candidates
    others: Words  # which these are
    members: NDArray[np.int64]  # the parents that are counted
    barred: Words
    by_products: Floats
    by_counts: Floats


@fills(MixedColumns)
@allocating
def fill_mixed(
    kernel: MixedColumns, child: int, parents: NDArray[np.int64], barred: Words, out: Floats
) -> int:
    """Fill ``out`` as `fill_column` asks."""
    work = fill_grams(kernel.grams, child, parents, barred, out)
    if has_bit(kernel.others, child):
        return work
    size = 0
    for v in parents:
        if not has_bit(kernel.others, v):
            kernel.members[size] = v
            size += 1
    for w in range(barred.shape[0]):
        kernel.barred[w] = barred[w] | kernel.others[w]
    members = kernel.members[:size]
    work += fill_grams(kernel.grams, child, members, kernel.barred, kernel.by_products)
    work += fill_counted(kernel.counted, child, members, kernel.barred, kernel.by_counts)
    for u in range(out.shape[0]):
        if out[u] > -np.inf:
            w = child if has_bit(kernel.others, u) else u
            out[u] = (out[u] - kernel.by_products[w]) + kernel.by_counts[w]
    return work


@allocating_entry
def mixed_column(
    kernel: MixedColumns, child: int, parents: NDArray[np.int64], barred: Words, out: Floats
) -> int:
    """`fill_mixed` for Python."""
    return fill_mixed(kernel, child, parents, barred, out)
