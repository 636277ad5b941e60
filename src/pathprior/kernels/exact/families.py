"""Scores of all parent sets of one node, and the best of each set's subsets."""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.apart import Bound
from pathprior.kernels.data.columns import fill_column
from pathprior.kernels.inner import allocating_entry, entry, inner


@inner
def squeeze(nodes: int, v: int) -> int:
    """The place of a set in the table of v, which is not in it."""
    low = (1 << v) - 1
    return (nodes & low) | ((nodes >> 1) & ~low)


@inner
def widen(place: int, v: int) -> int:
    """The set at a place of the table of v."""
    low = (1 << v) - 1
    return (place & low) | ((place & ~low) << 1)


@allocating_entry
def score_sets(
    filler: Bound,
    child: int,
    required: NDArray[np.int64],
    others: NDArray[np.int64],
    max_parents: int,
    log_edge_odds: float,
    first: int,
    last: int,
    column: NDArray[np.float64],
    table: NDArray[np.float64],
) -> None:
    """Write the scores, edge terms included, of the child's parent sets, some at a time.

    They are the required parents with each subset of ``others``; the subsets ``first`` … ``last`` −
    1, as numbers, are extended by nodes after their last one, so that of all each is scored once.
    """
    members = np.empty(required.shape[0] + others.shape[0], np.int64)
    barred = np.empty(1, np.uint64)
    base = np.int64(0)
    for i in range(required.shape[0]):
        base |= np.int64(1) << required[i]
    for subset in range(first, last):
        parents, num_members, after = base, required.shape[0], 0
        for i in range(required.shape[0]):
            members[i] = required[i]
        for i in range(others.shape[0]):
            if (subset >> i) & 1:
                members[num_members] = others[i]
                parents |= np.int64(1) << others[i]
                num_members += 1
                after = i + 1
        if num_members > max_parents or (num_members == max_parents and subset > 0):
            continue
        if after == others.shape[0] and subset > 0:
            continue
        barred[0] = ~np.uint64(0)
        if num_members < max_parents:
            for i in range(after, others.shape[0]):
                barred[0] &= ~(np.uint64(1) << np.uint64(others[i]))
        ordered = np.sort(members[:num_members])
        fill_column(filler, child, ordered, barred, column)
        if subset == 0:
            table[squeeze(parents, child)] = column[child] + log_edge_odds * num_members
        if num_members < max_parents:
            for i in range(after, others.shape[0]):
                larger = parents | (np.int64(1) << others[i])
                score = column[others[i]] + log_edge_odds * (num_members + 1)
                table[squeeze(larger, child)] = score


@entry
def spread_best(table: NDArray[np.float64]) -> None:
    """Replace the score of each set by the best of its subsets'."""
    bit = 1
    while bit < table.shape[0]:
        for first in range(0, table.shape[0], 2 * bit):
            without, with_it = table[first : first + bit], table[first + bit : first + 2 * bit]
            for place in range(bit):
                with_it[place] = max(with_it[place], without[place])
        bit <<= 1


@inner
def find_best(table: NDArray[np.float64], place: int) -> int:
    """The smallest subset that has the best score, in the table of `spread_best`."""
    bit = 1
    while bit <= place:
        if place & bit and table[place ^ bit] == table[place]:
            place ^= bit
        bit <<= 1
    return place
