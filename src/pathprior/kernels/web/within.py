"""Edge rules in chains over closures: who may be above whom, and how many parents there may be.

Edges that may not be, or must, are weights of ties (`pathprior.prior.web.barrier`). Two things are
not. Where the rules let no path lead from a to b, a may never be above b. And with a limit k on
parents the DAGs of a closure have the chance that every node has k at most, edges besides cover
pairs drawn by themselves: the product over nodes b of P(cover parents + drawn parents ≤ k). A move
that the rest of the weight has accepted is accepted once more by the change of that.
"""

from typing import NamedTuple

import numpy as np

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import ONE, Words
from pathprior.kernels.inner import allocating, inner
from pathprior.kernels.random import draw_unit
from pathprior.kernels.web.closed_sets import ZERO
from pathprior.kernels.web.order import size_between
from pathprior.kernels.web.state import Closure, Codes, Floats, Ints

NO_ROOM = -1e300
"""log of a chance of nothing; finite, as differences are taken."""


class Within(NamedTuple):
    """The rules.

    Attributes
    ----------
    barred
        Side (above, below) × node × word: nodes that may never be above it, and below it.
    is_barred
        Whether there are any.
    chances
        ``[a, b]``: chance of the edge a → b where a is above b and more nodes are between.
    max_parents
        The limit.
    is_limited
        Whether a node can have more parents than that.
    """

    barred: Words
    is_barred: bool
    chances: Floats
    max_parents: int
    is_limited: bool


class Room(NamedTuple):
    """What the limit on parents needs to remember.

    Attributes
    ----------
    log_chances
        By node, that it has no more parents than it may.
    sums
        Node asked × number of parents: room for sums of chances.
    above
        Nodes asked.
    shares
        Their chances.
    parents
        The drawn ones of each node, as bitset rows.
    fresh
        What a move makes of ``log_chances``.
    """

    log_chances: Floats
    sums: Floats
    above: Ints
    shares: Floats
    parents: Words
    fresh: Floats


@allocating
def make_room(within: Within, num_nodes: int) -> Room:
    """Room for what the limit needs; none if there is no limit."""
    size = num_nodes if within.is_limited else 0
    return Room(
        np.empty(size),
        np.empty((size + 1, within.max_parents + 1 if within.is_limited else 1)),
        np.empty(size, np.int64),
        np.empty(size),
        np.empty((size, within.barred.shape[2]), np.uint64),
        np.empty(size),
    )


@inner
def may_swap(ancestors: Words, descendants: Words, within: Within, x: int, y: int) -> bool:
    """Whether x and y may stand at each other's place."""
    for end in range(2):
        a, b = (x, y) if end == 0 else (y, x)
        for w in range(ancestors.shape[1]):
            bits = ZERO
            if w == a >> 6:
                bits |= ONE << np.uint64(a & 63)
            if w == b >> 6:
                bits |= ONE << np.uint64(b & 63)
            if (ancestors[b, w] & ~bits & within.barred[0, a, w]) != ZERO:
                return False
            if (descendants[b, w] & ~bits & within.barred[1, a, w]) != ZERO:
                return False
    # one above the other
    if (ancestors[x, y >> 6] >> np.uint64(y & 63)) & ONE != ZERO:
        return (within.barred[0, y, x >> 6] >> np.uint64(x & 63)) & ONE == ZERO
    if (ancestors[y, x >> 6] >> np.uint64(x & 63)) & ONE != ZERO:
        return (within.barred[0, x, y >> 6] >> np.uint64(y & 63)) & ONE == ZERO
    return True


@inner
def _list_parents(closure: Closure, within: Within, b: int, room: Room) -> int:
    """List the nodes above b, and the chance that each is a parent; return how many."""
    ancestors, descendants = closure.above, closure.below
    count = 0
    for block in range(ancestors.shape[1]):
        word = ancestors[b, block]
        while word != ZERO:
            a = (block << 6) + lowest_bit(word)
            word &= word - ONE
            if a != b:
                is_cover = size_between(ancestors, descendants, a, b) == 2
                room.above[count] = a
                room.shares[count] = 1.0 if is_cover else within.chances[a, b]
                count += 1
    return count


@inner
def _log_room(closure: Closure, within: Within, b: int, room: Room) -> float:
    """The log of the chance that b has no more parents than it may."""
    count = _list_parents(closure, within, b, room)
    most = within.max_parents
    if count <= most:
        return 0.0
    sums = room.sums[0]
    for j in range(most + 1):
        sums[j] = 0.0
    sums[0] = 1.0
    for i in range(count):
        share = room.shares[i]
        for j in range(most, 0, -1):
            sums[j] = sums[j] * (1.0 - share) + sums[j - 1] * share
        sums[0] *= 1.0 - share
    total = 0.0
    for j in range(most + 1):
        total += sums[j]
    return np.log(total) if total > 0.0 else NO_ROOM


@inner
def fill_room(closure: Closure, within: Within, room: Room) -> None:
    """Reckon it for all nodes."""
    for b in range(closure.above.shape[0]):
        room.log_chances[b] = _log_room(closure, within, b, room)


@inner
def accepts_parents(closure: Closure, within: Within, changed: Words, room: Room) -> bool:
    """Whether a move is accepted by what it changes of the numbers of parents of some nodes.

    The move has been made; if it is accepted, what is remembered is renewed.
    """
    change = 0.0
    for block in range(changed.shape[0]):
        word = changed[block]
        while word != ZERO:
            b = (block << 6) + lowest_bit(word)
            word &= word - ONE
            room.fresh[b] = _log_room(closure, within, b, room)
            change += room.fresh[b] - room.log_chances[b]
    if change < 0.0 and draw_unit(closure.random) >= np.exp(change):
        return False
    for block in range(changed.shape[0]):
        word = changed[block]
        while word != ZERO:
            b = (block << 6) + lowest_bit(word)
            word &= word - ONE
            room.log_chances[b] = room.fresh[b]
    return True


@inner
def draw_parents(
    closure: Closure, within: Within, pairs: Ints, direct: Ints, room: Room, out: Codes
) -> int:
    """Draw a DAG of the closure with no more parents than there may be; return its edges.

    ``out`` says of each pair at ``direct`` whether there is an edge between its ends.
    """
    most, parents, random = within.max_parents, room.parents, closure.random
    num_edges = 0
    for b in range(closure.above.shape[0]):
        for w in range(parents.shape[1]):
            parents[b, w] = ZERO
        count = _list_parents(closure, within, b, room)
        # sums[i, j]: chance that of the nodes from the i-th on no more than j are parents
        for j in range(most + 1):
            room.sums[count, j] = 1.0
        for i in range(count - 1, -1, -1):
            share = room.shares[i]
            for j in range(most + 1):
                without = room.sums[i + 1, j] * (1.0 - share)
                room.sums[i, j] = without + (room.sums[i + 1, j - 1] * share if j > 0 else 0.0)
        left = most
        for i in range(count):
            if left == 0:
                break
            chance = room.shares[i] * room.sums[i + 1, left - 1] / room.sums[i, left]
            if draw_unit(random) < chance:
                a = room.above[i]
                parents[b, a >> 6] |= ONE << np.uint64(a & 63)
                left -= 1
                num_edges += 1
    for i in range(direct.shape[0]):
        x, y = pairs[direct[i], 0], pairs[direct[i], 1]
        is_edge = (parents[y, x >> 6] >> np.uint64(x & 63)) & ONE != ZERO
        is_edge |= (parents[x, y >> 6] >> np.uint64(y & 63)) & ONE != ZERO
        out[i] = int(is_edge)
    return num_edges
