"""Random closed sets of a partial order, drawn node by node, with their probability.

A set is closed if it has everything beyond each of its nodes (above it, or else below it). Nodes
are asked from the far end, for sets closed upwards from the lowest node up: one joins with its
chance and takes everything beyond it along, which is not asked again. So every closed set comes
about in one way, its probability is a product, and the nodes that joined when asked are its ends:
those of it that have no others of it on this side of them.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pathprior.kernels.ancestors import ONE, Words, has_bit
from pathprior.kernels.bits import lowest_bit, popcount
from pathprior.kernels.random import draw_unit

Chances = NDArray[np.float32]
Ints = NDArray[np.int64]

ZERO = np.uint64(0)
SMALL = 1e-200
"""Products of chances are turned into logarithms below this."""


@njit(cache=True, nogil=True)
def sort_nodes(ancestors: Words, size: Ints, start: Ints, order: Ints) -> None:
    """Fill ``order`` with all nodes, those above others first, by number of ancestors."""
    num_nodes, num_words = ancestors.shape
    for i in range(num_nodes + 1):
        start[i] = 0
    for x in range(num_nodes):
        total = 0
        for w in range(num_words):
            total += popcount(ancestors[x, w])
        size[x] = total
        start[total] += 1
    for i in range(1, num_nodes + 1):
        start[i] += start[i - 1]
    for x in range(num_nodes):
        # places 0 … n − 1 are filled from the last of each size down
        start[size[x]] -= 1
        order[start[size[x]]] = x


@njit(cache=True, nogil=True)
def leave_nodes(rows: Words, ends: Words, v: int, left: Words) -> bool:
    """Fill ``left`` with the nodes but v in the rows of all ``ends``; whether there are ends."""
    num_nodes, num_words = rows.shape
    for w in range(num_words):
        last = num_nodes - (w << 6)
        left[w] = ~ZERO if last >= 64 else (ONE << np.uint64(last)) - ONE
    left[v >> 6] &= ~(ONE << np.uint64(v & 63))
    is_bound = False
    for block in range(num_words):
        word = ends[block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for w in range(num_words):
                left[w] &= rows[x, w]
            left[block] &= ~(ONE << np.uint64(x & 63))
            is_bound = True
    return is_bound


@njit(cache=True, nogil=True)
def ask_nodes(
    rows: Words,
    left: Words,
    order: Ints,
    is_above: bool,
    is_bound: bool,
    chances: Chances,
    is_given: bool,
    chosen: Words,
    ends: Words,
    random: Words,
    is_learning: bool,
    seen: Ints,
) -> float:
    """Fill ``chosen`` with a random closed set, or find it ``is_given``; the log of its chance.

    ``ends`` are filled with its ends; ``left``, the nodes that may be in it, is used up.
    """
    num_nodes, num_words = rows.shape
    num_left = 0
    for w in range(num_words):
        num_left += popcount(left[w])
        ends[w] = ZERO
        if not is_given:
            chosen[w] = ZERO
    context = int(is_bound)
    logarithm, product = 0.0, 1.0
    place, step = (num_nodes - 1, -1) if is_above else (0, 1)
    while num_left > 0:
        x = order[place]
        place += step
        if not has_bit(left, x):
            continue
        chance = chances[context, x]
        is_in = has_bit(chosen, x) if is_given else draw_unit(random) < chance
        if is_learning:
            seen[context, x, 0] += 1
            seen[context, x, 1] += int(is_in)
        if is_in:
            num_left = 0
            for w in range(num_words):
                chosen[w] |= rows[x, w] & left[w]
                left[w] &= ~rows[x, w]
                num_left += popcount(left[w])
            ends[x >> 6] |= ONE << np.uint64(x & 63)
            context = 2 + int(is_bound)
            product *= chance
        else:
            left[x >> 6] &= ~(ONE << np.uint64(x & 63))
            num_left -= 1
            product *= 1.0 - chance
        if product < SMALL:
            logarithm += np.log(product)
            product = 1.0
    return logarithm + np.log(product)
