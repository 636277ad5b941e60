"""Random closed sets of a partial order, drawn node by node, with their probability.

A set is closed if it has everything beyond each of its nodes (above it, or else below it). Nodes
are asked from the far end, for sets closed upwards from the lowest node up: one joins with its
chance and takes everything beyond it along, which is not asked again. So every closed set comes
about in one way, its probability is a product, and the nodes that joined when asked are its ends:
those that have no others of the set on the near side.

A ``closure`` is side (above, below) × node × word: the ancestors of each node and its descendants.
Arrays are passed whole, with the indices of the part that is meant: a slice would be counted as a
reference, which takes longer than what is done with it.
"""

import numpy as np
from numba import njit

from pathprior.kernels.bits import lowest_bit, popcount
from pathprior.kernels.graph.ancestors import ONE, Words
from pathprior.kernels.inner import inner, pasted
from pathprior.kernels.random import draw_unit
from pathprior.kernels.web.state import Asking, Chances, Floats, Learning, Nodes, Places

ZERO = np.uint64(0)
SMALL = 1e-200
"""Products of chances are turned into logarithms below this."""


@njit(cache=True, nogil=True, inline="always")
def is_in_row(rows: Words, i: int, j: int, x: int) -> bool:
    """Whether node x is in the set ``rows[i, j]``."""
    return (rows[i, j, x >> 6] >> np.uint64(x & 63)) & ONE != 0


@inner
def sort_nodes(closure: Words, v: int, size: Nodes, start: Nodes, orders: Nodes) -> None:
    """Fill ``orders`` with the nodes but v, the lowest first and the highest first."""
    num_nodes = closure.shape[1]
    num_words = closure.shape[2]
    for i in range(num_nodes + 1):
        start[i] = 0
    for x in range(num_nodes):
        total = 0
        for w in range(num_words):
            total += popcount(closure[0, x, w])
        size[x] = total
        start[total] += int(x != v)
    for i in range(1, num_nodes + 1):
        start[i] += start[i - 1]
    # by number of ancestors: places 0 … n − 2 are filled from the last of each number down
    for x in range(num_nodes):
        if x != v:
            place = int(start[size[x]]) - 1
            start[size[x]] = place
            orders[0, num_nodes - 2 - place] = x
            orders[1, place] = x


@inner
def fill_survival(orders: Nodes, chances: Chances, v: int, side: int, survival: Floats) -> None:
    """Fill ``survival`` with the chance that none has joined, by how many have been asked."""
    product = 1.0
    survival[0] = product
    for i in range(orders.shape[1]):
        product *= 1.0 - float(chances[v, 0, side, 0, int(orders[side, i])])
        survival[i + 1] = product


@inner
def count_declined(survival: Floats, threshold: float) -> int:
    """Nodes asked in vain before the first joins: while the chance of none is over the number."""
    count = 0
    # not a bisection: comparing all of them takes no branch
    for i in range(1, survival.shape[0]):
        count += int(survival[i] > threshold)
    return count


@pasted
def leave_nodes(closure: Words, side: int, places: Places, place: int, left: Words) -> int:
    """Queue the nodes beyond all ends of the other side, in order; return how many."""
    ends, orders, queue = places.ends, places.orders, places.queue
    num_words = closure.shape[2]
    for w in range(num_words):
        left[w] = ~ZERO
    for block in range(num_words):
        word = ends[place, 1 - side, block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for w in range(num_words):
                left[w] &= closure[side, x, w]
            left[block] &= ~(ONE << np.uint64(x & 63))
    count = 0
    for i in range(orders.shape[1]):
        x = int(orders[side, i])
        # written in any case: that spares a branch that nothing predicts
        queue[count] = x
        count += int((left[x >> 6] >> np.uint64(x & 63)) & ONE != 0)
    return count


@pasted
def ask_nodes(
    closure: Words, places: Places, learning: Learning, asking: Asking,
    num_asked: int, num_queued: int, product: float, threshold: float, random: Words,
) -> float:  # fmt: skip
    """Fill ``sets`` with a random closed set, or find it there; return the log of its chance.

    One random number, ``threshold``, does for all nodes up to the next that joins: that is where
    the chance of none so far falls to it. The first ``num_asked`` of the queue have been asked in
    vain, with chance ``product``.
    """
    v, place, stage, side, is_bound, is_given, is_learning = asking
    sets, ends, queue = places.sets, places.ends, places.queue
    chances, seen = learning.chances, learning.seen
    num_words = closure.shape[2]
    for w in range(num_words):
        ends[place, side, w] = ZERO
        if not is_given:
            sets[place, side, w] = ZERO
    context = is_bound
    logarithm = 0.0
    while num_asked < num_queued:
        x = int(queue[num_asked])
        num_asked += 1
        chance = float(chances[v, stage, side, context, x])
        without = product * (1.0 - chance)
        is_in = is_in_row(sets, place, side, x) if is_given else without <= threshold
        if is_learning:
            seen[v, stage, side, context, x, 0] += 1
            seen[v, stage, side, context, x, 1] += int(is_in)
        if is_in:
            for w in range(num_words):
                sets[place, side, w] |= closure[side, x, w]
            ends[place, side, x >> 6] |= ONE << np.uint64(x & 63)
            kept = 0
            for i in range(num_asked, num_queued):
                y = int(queue[i])
                queue[kept] = y
                kept += int(not is_in_row(closure, side, x, y))
            num_asked = 0
            num_queued = kept
            context = 2 + is_bound
            product *= chance
            threshold = product * draw_unit(random)
        else:
            product = without
        if product < SMALL:
            # not by a division: that may raise, and makes numba count references all along
            reduction = np.log(product)
            threshold *= np.exp(-reduction)
            logarithm += reduction
            product = 1.0
    return logarithm + np.log(product)
