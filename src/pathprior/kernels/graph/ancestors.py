"""Ancestor bitsets: closure, updates under edge moves, and the relation of a pair."""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit, popcount
from pathprior.kernels.inner import allocating_entry, entry, inner

Words = NDArray[np.uint64]

ONE = np.uint64(1)

CAUSES, CAUSED_BY, CONFOUNDED, UNRELATED = 0, 1, 2, 3
"""Codes of the relations ⇒, ⇐, ⇔ and ⇎."""
NUM_RELATIONS = 4


@inner
def has_bit(row: Words, i: int) -> bool:
    """Whether node ``i`` is in the set ``row``."""
    return (row[i >> 6] >> np.uint64(i & 63)) & ONE != 0


@inner
def set_bit(row: Words, i: int) -> None:
    """Put node ``i`` into the set ``row``."""
    row[i >> 6] |= ONE << np.uint64(i & 63)


@inner
def clear_bit(row: Words, i: int) -> None:
    """Take node ``i`` out of the set ``row``."""
    row[i >> 6] &= ~(ONE << np.uint64(i & 63))


@inner
def copy_words(source: Words, target: Words) -> None:
    """Copy the sets ``source``; ``target[:] = source`` is slow to compile."""
    for v in range(source.shape[0]):
        for w in range(source.shape[1]):
            target[v, w] = source[v, w]


@entry
def close_ancestors(parents: Words, order: NDArray[np.int64], ancestors: Words) -> None:
    """Fill ``ancestors`` from ``parents``: anc(v) = {v} ∪ ⋃ anc(p), v in topological ``order``."""
    num_words = parents.shape[1]
    for v in order:
        recompute_row(parents, v, ancestors, num_words)


@inner
def recompute_row(parents: Words, v: int, ancestors: Words, num_words: int) -> None:
    """Recompute anc(v) from its parents' rows, which must be right already."""
    ancestors[v, :] = np.uint64(0)
    set_bit(ancestors[v], v)
    for block in range(num_words):
        word = parents[v, block]
        while word != 0:
            p = (block << 6) + lowest_bit(word)
            for w in range(num_words):
                ancestors[v, w] |= ancestors[p, w]
            word &= word - ONE


@inner
def set_size(row: Words) -> int:
    """Number of nodes in the set ``row``."""
    total = 0
    for word in row:
        total += popcount(word)
    return total


@entry
def insert_edge(parents: Words, ancestors: Words, u: int, v: int) -> None:
    """Add u → v: anc(x) gains anc(u) for every x with v ∈ anc(x). O(n · words)."""
    set_bit(parents[v], u)
    if has_bit(ancestors[v], u):
        return
    num_nodes, num_words = ancestors.shape
    for x in range(num_nodes):
        if has_bit(ancestors[x], v):
            for w in range(num_words):
                ancestors[x, w] |= ancestors[u, w]


@allocating_entry
def remove_edge(parents: Words, ancestors: Words, u: int, v: int) -> None:
    """Remove u → v: recompute anc(x) for x ∈ desc(v), ancestors before descendants.

    Before the removal x ∈ anc(y), x ≠ y, implies |anc(x)| < |anc(y)|, so sorting by the old sizes
    is a topological order. The sort is by insertion: one of numpy's is slow to compile.
    """
    clear_bit(parents[v], u)
    num_nodes, num_words = ancestors.shape
    below = np.empty(num_nodes, np.int64)
    sizes = np.empty(num_nodes, np.int64)
    count = 0
    for x in range(num_nodes):
        if has_bit(ancestors[x], v):
            size, k = set_size(ancestors[x]), count
            while k > 0 and sizes[k - 1] > size:
                below[k], sizes[k] = below[k - 1], sizes[k - 1]
                k -= 1
            below[k], sizes[k] = x, size
            count += 1
    for k in range(count):
        recompute_row(parents, below[k], ancestors, num_words)


@entry
def reverse_edge(parents: Words, ancestors: Words, u: int, v: int) -> None:
    """Replace u → v by v → u; the caller has checked that no other path u ⇒ v exists."""
    remove_edge(parents, ancestors, u, v)
    insert_edge(parents, ancestors, v, u)


@entry
def relation_code(ancestors: Words, x: int, y: int) -> int:
    """Relation of (x, y), as coded above."""
    if has_bit(ancestors[y], x):
        return CAUSES
    if has_bit(ancestors[x], y):
        return CAUSED_BY
    for w in range(ancestors.shape[1]):
        if ancestors[x, w] & ancestors[y, w] != 0:
            return CONFOUNDED
    return UNRELATED
