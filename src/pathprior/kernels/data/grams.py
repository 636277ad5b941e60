"""Columns of scores from matrices of products, one for each stratum of rows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.columns import fills
from pathprior.kernels.data.gram import Floats, Gram, GramRoom
from pathprior.kernels.data.gram_column import fill_gram
from pathprior.kernels.data.strata import Strata
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.inner import entry, inner, pasted


class Grams(NamedTuple):
    """What `Gram` holds, by stratum."""

    matrices: Floats
    first_column: NDArray[np.int64]
    constants: Floats
    powers: Floats
    offsets: Floats
    floors: Floats
    least: Floats
    max_columns: NDArray[np.int64]
    strata: Strata
    column: Floats  # scores on a further stratum
    room: GramRoom


@pasted
def gram_of(grams: Grams, s: int) -> Gram:
    """What belongs to one stratum."""
    return Gram(
        grams.matrices[s], grams.first_column, grams.constants[s], grams.powers[s],
        grams.offsets[s], grams.floors[s], grams.least[s], grams.max_columns[s], grams.room,
    )  # fmt: skip


@fills(Grams)
@pasted
def fill_grams(
    grams: Grams, child: int, parents: NDArray[np.int64], barred: Words, out: Floats
) -> int:
    """Fill ``out`` as `fill_column` asks: the sum over the strata of the child.

    The first by itself: a loop about it would cost the usual case, where there are no others.
    """
    first, last = grams.strata.first[child], grams.strata.first[child + 1]
    work = fill_gram(gram_of(grams, grams.strata.which[first]), child, parents, barred, out)
    if last > first + 1:
        work += add_grams(grams, child, parents, barred, out)
    return work


@inner
def add_grams(
    grams: Grams, child: int, parents: NDArray[np.int64], barred: Words, out: Floats
) -> int:
    """Add the scores on all strata of the child but the first."""
    more, work = grams.column, 0
    for i in range(grams.strata.first[child] + 1, grams.strata.first[child + 1]):
        work += fill_gram(gram_of(grams, grams.strata.which[i]), child, parents, barred, more)
        for u in range(out.shape[0]):
            out[u] += more[u]
    return work


@entry
def grams_column(
    grams: Grams, child: int, parents: NDArray[np.int64], barred: Words, out: Floats
) -> None:
    """`fill_grams` for Python."""
    fill_grams(grams, child, parents, barred, out)
