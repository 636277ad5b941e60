"""Which rows a variable's family is scored on.

A family scores the sum of its scores on the strata of its child. Without experiments that is one,
all rows. Where values were set, it is the rows in which the child's was not (Cooper and Yoo, 1999);
where mechanisms were changed, also the rows of each set of targets that holds the child, apart.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import ONE, Words
from pathprior.kernels.inner import inner


class Strata(NamedTuple):
    """Those of variable v are ``which[first[v]]`` … ``which[first[v + 1] − 1]``."""

    first: NDArray[np.int64]
    which: NDArray[np.int64]
    rows: Words  # rows[s]: the bitset of the rows of stratum s; none for scores that look at none
    sizes: NDArray[np.int64]  # how many these are


@inner
def list_rows(kept: Words, listed: NDArray[np.int32]) -> None:
    """Write the rows of a bitset in ascending order."""
    count = 0
    for block in range(kept.shape[0]):
        word = kept[block]
        while word != 0:
            listed[count] = (block << 6) + lowest_bit(word)
            count += 1
            word &= word - ONE
