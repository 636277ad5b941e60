"""The best parent sets of each variable that searches have met.

A set that scores no more than one of its subsets is left out: wherever it fits, the subset does.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit, popcount
from pathprior.kernels.data.column_cache import ColumnCache
from pathprior.kernels.graph.ancestors import ONE, Words, has_bit
from pathprior.kernels.inner import entry, inner


class Pool(NamedTuple):
    """Parent sets by child, the best first; the last are the required parents alone."""

    sets: Words  # sets[child, place], in words
    scores: NDArray[np.float64]
    sizes: NDArray[np.int64]  # how many sets each child has
    required: Words
    forbidden: Words
    max_parents: int
    firsts: NDArray[np.int64]  # firsts[child, parent]: the first set with this parent
    are_new: NDArray[np.bool_]  # children of whom that is to be found again
    num_read: NDArray[np.int64]  # columns of the cache that were looked at
    spare: Words


@inner
def is_within(inside: Words, outside: Words) -> bool:
    """Whether one set is a subset of another."""
    beyond = np.uint64(0)
    for w in range(inside.shape[0]):
        beyond |= inside[w] & ~outside[w]
    return beyond == 0


@inner
def are_apart(one: Words, other: Words) -> bool:
    """Whether two sets have no member in common."""
    common = np.uint64(0)
    for w in range(one.shape[0]):
        common |= one[w] & other[w]
    return common == 0


@inner
def offer_set(pool: Pool, child: int, members: Words, score: float) -> None:
    """Put a set in unless a subset scores as much, and take out whom it makes needless.

    Where there is no room the worst one goes, but for the last.
    """
    sets, scores = pool.sets[child], pool.scores[child]
    size, at = pool.sizes[child], 0
    while at < size and scores[at] >= score:
        if is_within(sets[at], members):
            return
        at += 1
    kept = at
    for i in range(at, size):
        if not is_within(members, sets[i]):
            scores[kept] = scores[i]
            for w in range(members.shape[0]):
                sets[kept, w] = sets[i, w]
            kept += 1
    if kept == scores.shape[0]:
        if at >= kept - 1:
            return
        kept -= 1
        scores[kept - 1] = scores[kept]
        for w in range(members.shape[0]):
            sets[kept - 1, w] = sets[kept, w]
    for i in range(kept, at, -1):
        scores[i] = scores[i - 1]
        for w in range(members.shape[0]):
            sets[i, w] = sets[i - 1, w]
    scores[at] = score
    for w in range(members.shape[0]):
        sets[at, w] = members[w]
    pool.sizes[child] = kept + 1
    pool.are_new[child] = True


@inner
def offer_column(pool: Pool, cache: ColumnCache, column: int) -> None:
    """Offer the parent set of a column and those one parent away, if within the rules."""
    child, members, scores = cache.children[column], pool.spare, cache.scores[column]
    size = 0
    for w in range(members.shape[0]):
        members[w] = cache.parents[column, w]
        size += popcount(members[w])
    own = scores[child]
    for u in range(scores.shape[0]):
        is_in, block, bit = has_bit(members, u), u >> 6, ONE << np.uint64(u & 63)
        if u == child:
            if size > pool.max_parents:
                continue
        elif is_in:
            if size - 1 > pool.max_parents:
                continue
            members[block] &= ~bit
        elif scores[u] <= own or size >= pool.max_parents:
            continue  # the set without u scores as much
        else:
            members[block] |= bit
        is_allowed = are_apart(members, pool.forbidden[child])
        if scores[u] > -np.inf and is_allowed and is_within(pool.required[child], members):
            offer_set(pool, child, members, scores[u])
        if u != child:
            members[block] = (members[block] & ~bit) | (bit if is_in else np.uint64(0))


@inner
def find_firsts(pool: Pool, child: int) -> None:
    """Note where in the list of a child each parent comes first."""
    firsts = pool.firsts[child]
    for u in range(firsts.shape[0]):
        firsts[u] = pool.sizes[child]
    for i in range(pool.sizes[child] - 1, -1, -1):
        members = pool.sets[child, i]
        for block in range(members.shape[0]):
            word = members[block]
            while word != 0:
                firsts[(block << 6) + lowest_bit(word)] = i
                word &= word - ONE


@entry
def gather(pool: Pool, cache: ColumnCache) -> None:
    """Offer all sets of columns that came since the last time."""
    if cache.num_used[0] < pool.num_read[0]:
        pool.num_read[0] = 0  # the cache was emptied in between
    for column in range(pool.num_read[0], cache.num_used[0]):
        offer_column(pool, cache, column)
    pool.num_read[0] = cache.num_used[0]
    for v in range(pool.sizes.shape[0]):
        if pool.are_new[v]:
            find_firsts(pool, v)
            pool.are_new[v] = False
