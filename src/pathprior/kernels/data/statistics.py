"""The kernel of the package's own scores: counts or a matrix of products, told apart at run time.

A kernel of its own for each would compile every search twice, which takes half a minute.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.cells import Workspace
from pathprior.kernels.data.columns import fills
from pathprior.kernels.data.families import Rule
from pathprior.kernels.data.gram import Gram, make_gram_room
from pathprior.kernels.data.gram_column import fill_gram
from pathprior.kernels.data.rows import Rows
from pathprior.kernels.data.score_column import Counted, fill_counted
from pathprior.kernels.data.special import LIKELIHOOD
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.inner import pasted


class Statistics(NamedTuple):
    """What columns are filled from; the other one is empty."""

    is_counted: bool
    counted: Counted
    gram: Gram


@fills(Statistics)
@pasted
def fill_statistics(
    kernel: Statistics,
    child: int,
    parents: NDArray[np.int64],
    barred: Words,
    out: NDArray[np.float64],
) -> int:
    """Fill ``out[u]`` with the score after toggling parent u, ``out[child]`` with it as is.

    ``barred`` variables, which cannot be added, get −∞. Returns the work done.
    """
    if kernel.is_counted:
        work = fill_counted(kernel.counted, child, parents, barred, out)
    else:
        work = fill_gram(kernel.gram, child, parents, barred, out)
    return work


def of_counts(counted: Counted) -> Statistics:
    """The kernel of a score that counts."""
    none = np.empty((0, 0))
    nothing = np.empty(0)
    first_column = np.zeros(1, np.int64)
    gram = Gram(
        none, first_column, nothing, nothing, nothing, nothing, nothing, 0, make_gram_room(0, 0)
    )
    return Statistics(True, counted, gram)


def of_gram(gram: Gram) -> Statistics:
    """The kernel of a score that reads a matrix."""
    return Statistics(False, _no_counts(), gram)


def _no_counts() -> Counted:
    codes = np.empty((0, 0), np.uint8)
    codes.flags.writeable = False  # as those of a table: one type, one compiled kernel
    whole, words, real = np.empty(0, np.int64), np.empty((0, 0), np.uint64), np.empty((0, 0))
    few = np.empty(0, np.int32)
    return Counted(
        Rows(codes, whole, whole, whole, words),
        Rule(LIKELIHOOD, 0.0, False, 0.0),
        Workspace(
            cells=words,
            spare=words,
            cell_counts=few,
            occupied=whole,
            numbers=whole,
            spare_numbers=whole,
            counts=few,
            configurations=few,
            cell_of=few,
            tables=np.empty((0, 0, 0)),
            log_gammas=real,
            is_made=np.empty(0, np.bool_),
            large=np.empty(0),
            pending=np.empty((0, 0), np.int64),
        ),
    )
