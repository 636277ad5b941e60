"""Random closed sets of a partial order, drawn node by node, with their probability.

A set is closed if it has everything beyond each of its nodes (above it, or else below it). Nodes
are asked from the far end, for sets closed upwards from the lowest node up: one joins with its
chance and takes everything beyond it along, which is not asked again. So every closed set comes
about in one way, and its probability is a product.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pathprior.kernels.ancestors import ONE, Words
from pathprior.kernels.bits import lowest_bit, popcount
from pathprior.kernels.random import draw_unit

Chances = NDArray[np.float32]
Ints = NDArray[np.int64]

ZERO = np.uint64(0)
SMALL = 1e-200
"""Products of chances are turned into logarithms below this."""


@njit(cache=True, nogil=True)
def sort_without(ancestors: Words, v: int, size: Ints, start: Ints, order: Ints) -> None:
    """Fill ``order`` with all nodes, those above others first, by number of ancestors but v."""
    num_nodes, num_words = ancestors.shape
    for i in range(num_nodes + 1):
        start[i] = 0
    for x in range(num_nodes):
        total = 0 if x == v else -np.int64(ancestors[x, v >> 6] >> np.uint64(v & 63) & ONE)
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
def leave_nodes(rows: Words, chosen: Words, v: int, left: Words) -> None:
    """Fill ``left`` with the nodes but v that are in the rows of all ``chosen`` nodes."""
    num_nodes, num_words = rows.shape
    for w in range(num_words):
        last = num_nodes - (w << 6)
        left[w] = ~np.uint64(0) if last >= 64 else (ONE << np.uint64(last)) - ONE
    left[v >> 6] &= ~(ONE << np.uint64(v & 63))
    for block in range(num_words):
        word = chosen[block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for w in range(num_words):
                left[w] &= rows[x, w]
            left[x >> 6] &= ~(ONE << np.uint64(x & 63))


@njit(cache=True, nogil=True)
def draw_closed_set(
    rows: Words,
    left: Words,
    order: Ints,
    is_above: bool,
    is_bound: int,
    chances: Chances,
    random: Words,
    drawn: Words,
) -> float:
    """Fill ``drawn`` with a random closed set; return the log of its probability.

    ``left``, the nodes that may be in it, is used up.
    """
    num_nodes, num_words = rows.shape
    for w in range(num_words):
        drawn[w] = ZERO
    context = is_bound
    logarithm, product = 0.0, 1.0
    for i in range(num_nodes):
        x = order[num_nodes - 1 - i] if is_above else order[i]
        if left[x >> 6] >> np.uint64(x & 63) & ONE == 0:
            continue
        chance = chances[context, x]
        if draw_unit(random) < chance:
            for w in range(num_words):
                drawn[w] |= rows[x, w] & left[w]
                left[w] &= ~rows[x, w]
            context = 2 + is_bound
            product *= chance
        else:
            product *= 1.0 - chance
        if product < SMALL:
            logarithm += np.log(product)
            product = 1.0
    return logarithm + np.log(product)


@njit(cache=True, nogil=True)
def log_chance(
    rows: Words,
    left: Words,
    order: Ints,
    is_above: bool,
    is_bound: int,
    chances: Chances,
    given: Words,
    is_learning: bool,
    seen: Ints,
) -> float:
    """The log of the probability that `draw_closed_set` draws ``given``; ``left`` is used up."""
    num_nodes, num_words = rows.shape
    context = is_bound
    logarithm, product = 0.0, 1.0
    for i in range(num_nodes):
        x = order[num_nodes - 1 - i] if is_above else order[i]
        if left[x >> 6] >> np.uint64(x & 63) & ONE == 0:
            continue
        chance = chances[context, x]
        is_in = given[x >> 6] >> np.uint64(x & 63) & ONE != 0
        if is_learning:
            seen[context, x, 0] += 1
            seen[context, x, 1] += int(is_in)
        if is_in:
            for w in range(num_words):
                left[w] &= ~rows[x, w]
            context = 2 + is_bound
            product *= chance
        else:
            product *= 1.0 - chance
        if product < SMALL:
            logarithm += np.log(product)
            product = 1.0
    return logarithm + np.log(product)
