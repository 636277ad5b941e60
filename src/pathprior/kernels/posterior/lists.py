"""Lists of good parent sets, from which moves draw whole families.

A list guides proposals and excludes nothing: a drawn set is weighed by the score it has, whatever
the weight it was drawn with, and sets that are on no list are reached by `walk`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.column_cache import ColumnCache, find_column
from pathprior.kernels.data.columns import Columns, find_filled
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.inner import allocating_entry, entry, inner


class Lists(NamedTuple):
    """The sets of node v are the entries first[v] … first[v + 1] − 1, the best first."""

    sets: ColumnCache  # one score an entry; never full
    first: NDArray[np.int64]
    log_weights: NDArray[np.float64]  # of drawing an entry, up to a constant of its node
    weights: NDArray[np.float64]


@entry
def enter_sets(lists: Lists, parents: Words, scores: NDArray[np.float64]) -> None:
    """Fill the table, empty before, in the order of ``first``."""
    for v in range(lists.first.shape[0] - 1):
        for row in range(lists.first[v], lists.first[v + 1]):
            number, _ = find_column(lists.sets, v, parents[row])
            lists.sets.scores[number, 0] = scores[row]


@allocating_entry
def read_column(columns: Columns, child: int, parents: Words, scores: NDArray[np.float64]) -> None:
    """Copy the column of a score that has a kernel."""
    number, _ = find_filled(columns, child, parents)
    for u in range(scores.shape[0]):
        scores[u] = columns.cache.scores[number, u]


@inner
def may_draw(row: Words, barred: Words, needed: Words) -> bool:
    """Whether a listed set holds no ``barred`` node and all that are ``needed``."""
    wrong = np.uint64(0)
    for w in range(row.shape[0]):
        wrong |= (row[w] & barred[w]) | (needed[w] & ~row[w])
    return wrong == 0


@inner
def sum_weights(lists: Lists, v: int, barred: Words, needed: Words) -> float:
    """Sum the weights of the entries of v that may be drawn."""
    total = 0.0
    for number in range(lists.first[v], lists.first[v + 1]):
        if may_draw(lists.sets.parents[number], barred, needed):
            total += lists.weights[number]
    return total


@inner
def draw_entry(lists: Lists, v: int, barred: Words, needed: Words, mark: float) -> int:
    """The entry of v at which the running sum passes ``mark``, less than the sum of all."""
    last: Any = np.int64(-1)
    for number in range(lists.first[v], lists.first[v + 1]):
        if may_draw(lists.sets.parents[number], barred, needed):
            last = number
            mark -= lists.weights[number]
            if mark < 0.0:
                break
    return last
