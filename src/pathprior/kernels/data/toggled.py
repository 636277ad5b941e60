"""The parents of a family with one of them toggled, in ascending order."""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.graph.ancestors import Words, has_bit
from pathprior.kernels.inner import inner

BARRED = -1
"""In place of the number of parents: the one to be toggled is not to be looked at."""


@inner
def toggle_parent(
    parents: NDArray[np.int64], child: int, u: int, barred: Words, members: NDArray[np.int64]
) -> int:
    """Write ``parents`` with u toggled, which are sorted; of ``u == child`` they are as they were.

    Returns how many these are, or `BARRED`.
    """
    if u != child and has_bit(barred, u):
        return BARRED
    is_parent = False
    for v in parents:
        is_parent |= v == u
    count = 0
    is_put = u == child or is_parent
    for v in parents:
        if not is_put and u < v:
            members[count] = u
            count += 1
            is_put = True
        if v != u:
            members[count] = v
            count += 1
    if not is_put:
        members[count] = u
        count += 1
    return count
