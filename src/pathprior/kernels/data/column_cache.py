"""Columns of scores kept per (child, parent set), so that a family met again is not recounted."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import mix
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.inner import inner

NUM_COLUMNS = 1 << 14
COLUMNS_PER_NODE = 8
MAX_BYTES = 1 << 31


class ColumnCache(NamedTuple):
    """An open-addressing table; emptied when full."""

    slots: NDArray[np.int32]  # entry at this hash, −1 for none; twice as many as entries, or more
    children: NDArray[np.int64]
    parents: Words
    scores: NDArray[np.float64]
    num_used: NDArray[np.int64]


def make_cache(num_nodes: int, num_words: int) -> ColumnCache:
    """Allocate a cache of `NUM_COLUMNS`, or more for many nodes, within about `MAX_BYTES`.

    A search meets a few families of each node, and few of them once only. What is not used is
    never touched, and so takes no memory.
    """
    most = max(NUM_COLUMNS, COLUMNS_PER_NODE * num_nodes)
    capacity = max(2 * num_nodes, min(most, MAX_BYTES // (8 * num_nodes)))
    return make_table(capacity, num_words, np.empty((capacity, num_nodes)))


def make_table(capacity: int, num_words: int, scores: NDArray[np.float64]) -> ColumnCache:
    """Allocate the rest of a table of ``capacity`` entries: zeros, bits that compare."""
    num_slots = 1 << (2 * capacity - 1).bit_length()
    return ColumnCache(
        slots=np.full(num_slots, -1, np.int32),
        children=np.zeros(capacity, np.int64),
        parents=np.zeros((capacity, num_words), np.uint64),
        scores=scores,
        num_used=np.zeros(1, np.int64),
    )


@inner
def seek_column(cache: ColumnCache, child: int, parents: Words) -> tuple[int, int]:
    """Return the entry of (child, parents), −1 if there is none, and the slot where it belongs."""
    key = mix(np.uint64(0), np.uint64(child + 1))
    for word in parents:
        key = mix(key, word)
    mask = np.int64(cache.slots.shape[0] - 1)
    at: Any = np.int64(key >> np.uint64(32)) & mask
    missing: Any = np.int64(-1)
    while cache.slots[at] >= 0:
        entry: Any = np.int64(cache.slots[at])
        is_same = cache.children[entry] == child
        for w in range(parents.shape[0]):
            is_same &= cache.parents[entry, w] == parents[w]
        if is_same:
            return entry, at
        at = (at + 1) & mask
    return missing, at


@inner
def find_column(cache: ColumnCache, child: int, parents: Words) -> tuple[int, bool]:
    """Return the entry of (child, parents) and whether it was there; a new one is to be filled."""
    if cache.num_used[0] == cache.children.shape[0]:
        cache.slots[:] = -1
        cache.num_used[0] = 0
    entry, at = seek_column(cache, child, parents)
    if entry >= 0:
        return entry, True
    entry = cache.num_used[0]
    cache.num_used[0] += 1
    cache.slots[at] = entry
    cache.children[entry] = child
    for w in range(parents.shape[0]):
        cache.parents[entry, w] = parents[w]
    return entry, False
