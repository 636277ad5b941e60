"""Every labelled DAG within edge rules once: its configuration, or how often each tie occurs.

Children take their parents one after the other. The required edges are there from the start, so
that a node may have any parents besides those that are not below it: every choice made gives DAGs,
and none is made twice. Sets of nodes are the bits of a machine word.
"""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit, popcount
from pathprior.kernels.graph.ancestors import ONE, Words
from pathprior.kernels.inner import allocating_entry, inner
from pathprior.kernels.prior.ties import tie_code

ZERO = np.uint64(0)


@allocating_entry
def count_within(required: Words, optional: Words, room: NDArray[np.int64], limit: int) -> int:
    """How many DAGs there are; ``limit`` + 1 where there are more.

    ``required[v]`` and ``optional[v]`` are the parents that v must and may have, ``room[v]`` how
    many of the latter at most. The required edges are acyclic, and so is each optional edge with
    them.
    """
    num_nodes = required.shape[0]
    below = np.empty((num_nodes + 1, num_nodes), np.uint64)
    extra = np.zeros(num_nodes + 1, np.uint64)
    _begin(required, below[0])
    count = 0
    v = _complete(0, below, extra)
    while v > 0 and count <= limit:
        count += 1
        v = _complete(_advance(v - 1, optional, room, below, extra), below, extra)
    return count


@allocating_entry
def fill_codes_within(
    required: Words,
    optional: Words,
    room: NDArray[np.int64],
    pairs: NDArray[np.int64],
    counted_as: NDArray[np.int8],
    codes: NDArray[np.int8],
    num_edges: NDArray[np.uint16],
) -> int:
    """Write the configuration of every DAG into the rows of ``codes``, and its edges.

    ``counted_as`` says by pair and tie what it counts as. Returns how many there are.
    """
    num_nodes = required.shape[0]
    below = np.empty((num_nodes + 1, num_nodes), np.uint64)
    extra = np.zeros(num_nodes + 1, np.uint64)
    parents = np.empty((num_nodes, 1), np.uint64)
    above = np.empty((num_nodes, 1), np.uint64)
    _begin(required, below[0])
    count = 0
    v = _complete(0, below, extra)
    while v > 0:
        num_edges[count] = _num_edges(required, extra)
        _read(required, extra, below[num_nodes], parents, above)
        for k in range(pairs.shape[0]):
            x, y = pairs[k, 0], pairs[k, 1]
            codes[count, k] = counted_as[k, tie_code(parents, above, x, y)]
        count += 1
        v = _complete(_advance(v - 1, optional, room, below, extra), below, extra)
    return count


@allocating_entry
def tally_ties_within(
    required: Words,
    optional: Words,
    room: NDArray[np.int64],
    pairs: NDArray[np.int64],
    counts: NDArray[np.int64],
    totals: NDArray[np.int64],
) -> int:
    """Add up the DAGs by pair, tie and number of edges, and by the latter alone."""
    num_nodes = required.shape[0]
    below = np.empty((num_nodes + 1, num_nodes), np.uint64)
    extra = np.zeros(num_nodes + 1, np.uint64)
    parents = np.empty((num_nodes, 1), np.uint64)
    above = np.empty((num_nodes, 1), np.uint64)
    _begin(required, below[0])
    count = 0
    v = _complete(0, below, extra)
    while v > 0:
        edges = _num_edges(required, extra)
        totals[edges] += 1
        _read(required, extra, below[num_nodes], parents, above)
        for k in range(pairs.shape[0]):
            counts[k, tie_code(parents, above, pairs[k, 0], pairs[k, 1]), edges] += 1
        count += 1
        v = _complete(_advance(v - 1, optional, room, below, extra), below, extra)
    return count


@inner
def _begin(required: Words, below: Words) -> None:
    """The descendants of every node, itself included, by the required edges alone."""
    num_nodes = required.shape[0]
    for v in range(num_nodes):
        below[v] = ONE << np.uint64(v)
    for _ in range(num_nodes):
        for v in range(num_nodes):
            rest = required[v]
            while rest != ZERO:
                below[lowest_bit(rest)] |= below[v]
                rest &= rest - ONE


@inner
def _complete(v: int, below: Words, extra: Words) -> int:
    """Go on from parents of the first ``v`` nodes to those of all; 0 if there are no more.

    ``below[v]`` are the descendants once the first v nodes have their parents.
    """
    num_nodes = below.shape[1]
    if v < 0:
        return 0
    while v < num_nodes:
        _add_parents(v, extra[v], below)
        v += 1
        extra[v] = ZERO
    return v


@inner
def _add_parents(v: int, chosen: np.uint64, below: Words) -> None:
    """Descendants after v got further parents from those before."""
    num_nodes = below.shape[1]
    gained = below[v, v]
    for u in range(num_nodes):
        if below[v, u] & chosen != ZERO:
            below[v + 1, u] = below[v, u] | gained
        else:
            below[v + 1, u] = below[v, u]


@inner
def _advance(v: int, optional: Words, room: NDArray[np.int64], below: Words, extra: Words) -> int:
    """Give node v its next parents, or the last before it that has others; −1 if none has.

    Sets come in the order of their smallest nodes: a set is followed by itself with a larger node,
    if there is room for one.
    """
    while v >= 0:
        free = optional[v] & ~below[v, v]  # what is below v may not be above it
        chosen = extra[v]
        top = _top(chosen)
        larger = free & ~((ONE << np.uint64(top)) - ONE)
        if larger != ZERO and popcount(chosen) < room[v]:
            extra[v] = chosen | (larger & (~larger + ONE))
            return v
        while chosen != ZERO:
            top = _top(chosen)
            chosen &= ~(ONE << np.uint64(top - 1))
            larger = free & ~((ONE << np.uint64(top)) - ONE)
            if larger != ZERO:
                extra[v] = chosen | (larger & (~larger + ONE))
                return v
        v -= 1
    return v


@inner
def _top(chosen: np.uint64) -> int:
    """One more than the largest node of a set; 0 if it is empty."""
    top = 0
    while chosen != ZERO:
        chosen >>= ONE
        top += 1
    return top


@inner
def _num_edges(required: Words, extra: Words) -> int:
    count = 0
    for v in range(required.shape[0]):
        count += popcount(required[v]) + popcount(extra[v])
    return count


@inner
def _read(required: Words, extra: Words, below: Words, parents: Words, above: Words) -> None:
    """The parents of every node, and its ancestors from the descendants, as rows of one word."""
    num_nodes = below.shape[0]
    for v in range(num_nodes):
        parents[v, 0] = required[v] | extra[v]
        above[v, 0] = ZERO
    for u in range(num_nodes):
        rest = below[u]
        while rest != ZERO:
            above[lowest_bit(rest), 0] |= ONE << np.uint64(u)
            rest &= rest - ONE
