"""Moves of a Markov chain over partial orders that change one pair or exchange two nodes.

See `pathprior.kernels.web.chains` for what is sampled and for the arrays.
"""

import numpy as np
from numba import njit

from pathprior.kernels.bits import lowest_bit, popcount
from pathprior.kernels.graph.ancestors import ONE, Words, has_bit, relation_code
from pathprior.kernels.inner import allocating, inner
from pathprior.kernels.random import LOW_HALF, draw_unit, next_word, scale_half
from pathprior.kernels.web.closed_sets import ZERO
from pathprior.kernels.web.order import size_between
from pathprior.kernels.web.state import Closure, Floats, Tilting
from pathprior.kernels.web.within import Room, Within, accepts_parents, may_swap

NEAR = 8
FAR = np.uint64(1 << 40)
"""Ends the doubling of the limit on distances."""


@njit(cache=True, nogil=True, inline="always")
def _is_accepted(change: float, random: Words) -> bool:
    """Metropolis: accept with probability min(1, exp(change))."""
    return change >= 0.0 or draw_unit(random) < np.exp(change)


@inner
def _flanking(
    ancestors: Words, descendants: Words, bonus: Floats, u: int, v: int, size: int
) -> tuple[int, float]:
    """Pairs (u, d), d > v, and (a, v), a < u, with ``size`` nodes from end to end.

    Returns how many there are, and their bonus.
    """
    count, total = 0, 0.0
    is_tied = bonus.shape[0] > 0
    num_words = ancestors.shape[1]
    for block in range(num_words):
        word = descendants[v, block]
        while word != 0:
            d = (block << 6) + lowest_bit(word)
            word &= word - ONE
            if d != v and size_between(ancestors, descendants, u, d) == size:
                count += 1
                if is_tied:
                    total += bonus[u, d]
        word = ancestors[u, block]
        while word != 0:
            a = (block << 6) + lowest_bit(word)
            word &= word - ONE
            if a != u and size_between(ancestors, descendants, a, v) == size:
                count += 1
                if is_tied:
                    total += bonus[a, v]
    return count, total


@njit(cache=True, nogil=True, inline="always")
def _is_insertable(ancestors: Words, descendants: Words, u: int, v: int) -> bool:
    """Whether an order stays one when the incomparable pair u < v joins it."""
    for w in range(ancestors.shape[1]):
        above = ancestors[u, w] & ~ancestors[v, w]
        below = descendants[v, w] & ~descendants[u, w]
        if w == u >> 6:
            above &= ~(ONE << np.uint64(u & 63))
        if w == v >> 6:
            below &= ~(ONE << np.uint64(v & 63))
        if above | below != 0:
            return False
    return True


@allocating
def toggle_pairs(
    closure: Closure, tilting: Tilting, within: Within, room: Room, num_moves: int
) -> int:
    """Try ``num_moves`` times to add or take away one ordered pair of the closure.

    The pair (u, v) changes anc(v) by u alone: only the relation of v to u and to nodes below u
    can change.
    """
    ancestors, descendants, random = closure.above, closure.below, closure.random
    pairs, partners, number, bonus = tilting.pairs, tilting.partners, tilting.number, tilting.bonus
    field, log_beta, codes, counts = tilting.field, tilting.log_beta, closure.codes, closure.counts
    num_nodes, num_words = ancestors.shape
    log_free = np.log1p(np.exp(log_beta))
    touched = np.empty(num_nodes, np.int64)
    fresh = np.empty(num_nodes, np.int8)
    accepted = 0
    for _ in range(num_moves):
        word = next_word(random)
        u = scale_half(word >> np.uint64(32), num_nodes)
        v = scale_half(word & LOW_HALF, num_nodes)
        if u == v or (ancestors[u, v >> 6] >> np.uint64(v & 63)) & ONE != 0:
            continue
        is_removal = (ancestors[v, u >> 6] >> np.uint64(u & 63)) & ONE != 0
        if is_removal:
            if size_between(ancestors, descendants, u, v) != 2:
                continue
            turned, gained = _flanking(ancestors, descendants, bonus, u, v, 3)
            change = (turned - 1) * log_beta - turned * log_free
        else:
            if within.is_barred and has_bit(within.barred[0, v], u):
                continue
            if not _is_insertable(ancestors, descendants, u, v):
                continue
            turned, gained = _flanking(ancestors, descendants, bonus, u, v, 2)
            change = (1 - turned) * log_beta + turned * log_free
        if bonus.shape[0] > 0:
            change += gained - bonus[u, v] if is_removal else bonus[u, v] - gained
        ancestors[v, u >> 6] ^= ONE << np.uint64(u & 63)
        num_touched = 0
        for block in range(num_words):
            rest = partners[v, block] & descendants[u, block]
            while rest != 0:
                k = number[v, (block << 6) + lowest_bit(rest)]
                rest &= rest - ONE
                code = relation_code(ancestors, pairs[k, 0], pairs[k, 1])
                if code != codes[k]:
                    change += field[k, code] - field[k, codes[k]]
                    touched[num_touched] = k
                    fresh[num_touched] = code
                    num_touched += 1
        if _is_accepted(change, random):
            descendants[u, v >> 6] ^= ONE << np.uint64(v & 63)
            # only v and what is below it can have gained or lost parents
            if within.is_limited and not accepts_parents(closure, within, descendants[v], room):
                ancestors[v, u >> 6] ^= ONE << np.uint64(u & 63)
                descendants[u, v >> 6] ^= ONE << np.uint64(v & 63)
                continue
            for i in range(num_touched):
                codes[touched[i]] = fresh[i]
            if is_removal:
                counts[0] += turned - 1
                counts[1] -= 1
            else:
                counts[0] += 1 - turned
                counts[1] += 1
            accepted += 1
        else:
            ancestors[v, u >> 6] ^= ONE << np.uint64(u & 63)
    return accepted


@inner
def _swap_bits(rows: Words, x: int, y: int) -> None:
    for v in range(rows.shape[0]):
        if has_bit(rows[v], x) != has_bit(rows[v], y):
            rows[v, x >> 6] ^= ONE << np.uint64(x & 63)
            rows[v, y >> 6] ^= ONE << np.uint64(y & 63)
    for w in range(rows.shape[1]):
        word = rows[x, w]
        rows[x, w] = rows[y, w]
        rows[y, w] = word


@inner
def _cover_change(closure: Closure, tilting: Tilting, x: int, y: int) -> float:
    """What the bonus of cover pairs gains when x and y exchange their places."""
    ancestors, descendants = closure.above, closure.below
    tied, bonus = tilting.tied, tilting.bonus
    before, after = 0.0, 0.0
    for end in range(2):
        a, b = (x, y) if end == 0 else (y, x)
        for block in range(tied.shape[1]):
            rest = tied[a, block]
            while rest != 0:
                z = (block << 6) + lowest_bit(rest)
                rest &= rest - ONE
                if z == b and end == 1:
                    continue
                far = a if z == b else z  # who stands at z's place as seen from b
                if size_between(ancestors, descendants, a, z) == 2:
                    before += bonus[a, z]
                elif size_between(ancestors, descendants, z, a) == 2:
                    before += bonus[z, a]
                if size_between(ancestors, descendants, b, far) == 2:
                    after += bonus[a, z]
                elif size_between(ancestors, descendants, far, b) == 2:
                    after += bonus[z, a]
    return after - before


@allocating
def swap_labels(
    closure: Closure, tilting: Tilting, within: Within, room: Room, num_moves: int
) -> int:
    """Try ``num_moves`` times to exchange two nodes' places; the closure's shape stays.

    Places that differ much are exchanged in vain, so a try is given up if the rows of x and y
    differ in more nodes than a random limit: 8 half of the time, 16 a quarter of it, and so on.
    The shape decides on that, and is the same on the way back.
    """
    ancestors, descendants, codes = closure.above, closure.below, closure.codes
    pairs, partners, number, field = tilting.pairs, tilting.partners, tilting.number, tilting.field
    random = closure.random
    num_nodes, num_words = ancestors.shape
    touched = np.empty(2 * num_nodes, np.int64)
    fresh = np.empty(2 * num_nodes, np.int8)
    below = np.empty(num_words, np.uint64)
    accepted = 0
    for _ in range(num_moves):
        word = next_word(random)
        x = scale_half(word >> np.uint64(32), num_nodes)
        y = scale_half(word & LOW_HALF, num_nodes)
        if x == y:
            continue
        distance = 0
        for w in range(num_words):
            distance += popcount(ancestors[x, w] ^ ancestors[y, w])
            distance += popcount(descendants[x, w] ^ descendants[y, w])
        if distance > NEAR << lowest_bit(next_word(random) | FAR):
            continue
        if within.is_barred and not may_swap(ancestors, descendants, within, x, y):
            continue
        change = 0.0
        num_touched = 0
        for end in range(2):
            a, b = (x, y) if end == 0 else (y, x)
            for block in range(num_words):
                # above or below both ends: no change
                rest = partners[a, block]
                rest &= ~(ancestors[x, block] & ancestors[y, block])
                rest &= ~(descendants[x, block] & descendants[y, block])
                if block == b >> 6:
                    bit = ONE << np.uint64(b & 63)
                    rest = (rest & ~bit) | (partners[a, block] & bit if end == 0 else ZERO)
                while rest != 0:
                    z = (block << 6) + lowest_bit(rest)
                    rest &= rest - ONE
                    k = number[a, z]
                    far = a if z == b else z
                    if pairs[k, 0] == a:
                        code = relation_code(ancestors, b, far)
                    else:
                        code = relation_code(ancestors, far, b)
                    if code != codes[k]:
                        change += field[k, code] - field[k, codes[k]]
                        touched[num_touched] = k
                        fresh[num_touched] = code
                        num_touched += 1
        if tilting.bonus.shape[0] > 0:
            change += _cover_change(closure, tilting, x, y)
        if _is_accepted(change, random):
            _swap_bits(ancestors, x, y)
            _swap_bits(descendants, x, y)
            for w in range(num_words):
                below[w] = descendants[x, w] | descendants[y, w]
            if within.is_limited and not accepts_parents(closure, within, below, room):
                _swap_bits(ancestors, x, y)
                _swap_bits(descendants, x, y)
                continue
            for i in range(num_touched):
                codes[touched[i]] = fresh[i]
            accepted += 1
    return accepted
