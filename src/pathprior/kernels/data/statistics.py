"""The kernel of the package's own scores: counts or matrices of products, told apart at run time.

A kernel of its own for each would compile every search twice, which takes half a minute.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.cells import Workspace
from pathprior.kernels.data.columns import fills
from pathprior.kernels.data.families import Rule
from pathprior.kernels.data.gram import make_gram_room
from pathprior.kernels.data.grams import Grams, fill_grams
from pathprior.kernels.data.rows import Rows
from pathprior.kernels.data.score_column import Counted, fill_counted
from pathprior.kernels.data.special import LIKELIHOOD
from pathprior.kernels.data.strata import Strata
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.inner import pasted


class Statistics(NamedTuple):
    """What columns are filled from; the other one is empty."""

    is_counted: bool
    counted: Counted
    grams: Grams


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
        work = fill_grams(kernel.grams, child, parents, barred, out)
    return work


def of_counts(counted: Counted) -> Statistics:
    """The kernel of a score that counts."""
    none, whole = np.empty((0, 0)), np.zeros(1, np.int64)
    grams = Grams(
        np.empty((0, 0, 0)), whole, none, none, none, none, none, whole, _no_strata(), np.empty(0),
        make_gram_room(0, 0),
    )  # fmt: skip
    return Statistics(True, counted, grams)


def of_grams(grams: Grams) -> Statistics:
    """The kernel of a score that reads matrices."""
    return Statistics(False, _no_counts(), grams)


def _no_strata() -> Strata:
    whole = np.zeros(1, np.int64)
    return Strata(whole, whole, np.empty((0, 0), np.uint64), whole)


def _no_counts() -> Counted:
    codes = np.empty((0, 0), np.uint8)
    codes.flags.writeable = False  # as those of a table: one type, one compiled kernel
    whole, words, real = np.empty(0, np.int64), np.empty((0, 0), np.uint64), np.empty((0, 0))
    few, none = np.empty(0, np.int32), np.empty((0, 0), np.int64)
    return Counted(
        Rows(codes, whole, whole, whole, words, np.empty(0, np.uint8), none, 0),
        Rule(LIKELIHOOD, 0.0, False, 0.0),
        _no_strata(),
        Workspace(
            cells=words,
            spare=words,
            cell_counts=few,
            occupied=none,
            numbers=whole,
            spare_numbers=whole,
            block_numbers=whole,
            group=whole,
            counts=few,
            listed=few,
            configurations=few,
            cell_of=few,
            tables=np.empty((0, 0, 0)),
            log_gammas=real,
            is_made=np.empty(0, np.bool_),
            large=np.empty(0),
            pending=none,
            column=np.empty(0),
        ),
    )
