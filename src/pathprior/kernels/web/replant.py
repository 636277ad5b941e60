"""Moves that take one node out of a partial order and plant it anew.

Pair by pair a node cannot well get from above the others to below them: half-way it has few
relations, and the DAGs of a closure with fewer ordered pairs are fewer by powers of two. Here it
goes in one step. Without v the order is Q. A place for v is a set A above it, closed upwards in Q,
and a set B below it, closed downwards, with all of A above all of B.

One of the two, at random, is drawn first (`closed_sets`), and the other among the nodes
that the first leaves. Metropolis and Hastings' rule makes up for any chances with which nodes join.
Good ones are learned: ``seen`` counts how often the nodes that would have been asked were in the
present set. Q, and so the chances and the weights of all places of v, is the same for every place
tried while v is out, so several are tried, one after the other.
"""

import numpy as np

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import NUM_RELATIONS, ONE, Words, relation_code
from pathprior.kernels.inner import allocating, inner
from pathprior.kernels.random import draw_unit, next_word, scale_half
from pathprior.kernels.web.closed_sets import (
    ZERO,
    ask_nodes,
    count_declined,
    fill_survival,
    leave_nodes,
    sort_nodes,
)
from pathprior.kernels.web.places import count_covers, cover_bonus, list_partners, num_ordered, tilt
from pathprior.kernels.web.state import Asking, Closure, Learning, Partners, Places, Tilting
from pathprior.kernels.web.within import Room, Within, accepts_parents

NUM_PLACES = 4
"""Places tried each time that a node is taken out."""
FORMER = 2
"""The place that a node was taken from; 0 and 1 are the one it is at and the one tried."""


@inner
def _toggle_node(closure: Words, v: int, sets: Words, place: int) -> None:
    """Take v out of the order or plant it there."""
    num_words = closure.shape[2]
    for side in range(2):
        for block in range(num_words):
            word = sets[place, side, block]
            closure[side, v, block] ^= word
            while word != 0:
                x = (block << 6) + lowest_bit(word)
                word &= word - ONE
                closure[1 - side, x, v >> 6] ^= ONE << np.uint64(v & 63)


@inner
def _put_back(sides: Words, v: int, sets: Words, here: int) -> None:
    """Plant v where it was taken from."""
    for side in range(2):
        sides[side, v, v >> 6] ^= ONE << np.uint64(v & 63)
    _toggle_node(sides, v, sets, here)
    _toggle_node(sides, v, sets, FORMER)
    for side in range(2):
        sides[side, v, v >> 6] |= ONE << np.uint64(v & 63)


@inner
def _read_pairs(closure: Closure, tilting: Tilting, x: int) -> None:
    """Renew the codes of the pairs of x."""
    pairs, partners, number = tilting.pairs, tilting.partners, tilting.number
    for block in range(partners.shape[1]):
        word = partners[x, block]
        while word != 0:
            k = number[x, (block << 6) + lowest_bit(word)]
            word &= word - ONE
            closure.codes[k] = relation_code(closure.above, pairs[k, 0], pairs[k, 1])


@inner
def _read_again(closure: Closure, tilting: Tilting, v: int, sets: Words, here: int) -> int:
    """Renew the codes that differ if v is elsewhere now; whether it is."""
    num_words = sets.shape[2]
    differ, above, former = ZERO, ZERO, ZERO
    for w in range(num_words):
        above |= sets[here, 0, w]
        former |= sets[FORMER, 0, w]
        differ |= sets[here, 0, w] ^ sets[FORMER, 0, w]
        differ |= sets[here, 1, w] ^ sets[FORMER, 1, w]
    if differ == 0:
        return 0
    _read_pairs(closure, tilting, v)
    if above == 0 or former == 0:
        for block in range(num_words):
            word = sets[here, 1, block] | sets[FORMER, 1, block]
            while word != 0:
                x = (block << 6) + lowest_bit(word)
                word &= word - ONE
                _read_pairs(closure, tilting, x)
    return 1


@allocating
def replant_nodes(
    closure: Closure,
    tilting: Tilting,
    learning: Learning,
    within: Within,
    room: Room,
    num_moves: int,
) -> int:
    """Take ``num_moves`` random nodes out and plant them anew; how many are elsewhere then.

    See the module, `closed_sets`, `places` and `chains`.
    """
    sides, counts, random = closure.sides, closure.counts, closure.random
    log_beta = tilting.log_beta
    _, num_nodes, num_words = sides.shape
    log_free = np.log1p(np.exp(log_beta))
    size = np.empty(num_nodes, np.uint32)
    start = np.empty(num_nodes + 1, np.uint32)
    survival = np.empty(num_nodes)
    places = Places(
        sets=np.empty((3, 2, num_words), np.uint64),
        ends=np.empty((2, 2, num_words), np.uint64),
        queue=np.empty(num_nodes, np.uint32),
        orders=np.empty((2, num_nodes - 1), np.uint32),
    )
    partners = Partners(np.empty(num_nodes, np.uint32), np.empty((num_nodes, NUM_RELATIONS)))
    sets, ends = places.sets, places.ends
    covers = np.empty(2, np.int64)
    log_ratios = np.empty(2)
    left = np.empty(num_words, np.uint64)
    num_moved, former_covers = 0, 0
    for _ in range(num_moves):
        word = next_word(random)
        v = scale_half(word >> np.uint64(32), num_nodes)
        first = int(np.int64(word & ONE))
        for side in range(2):
            # while v is out, not even v itself is in its rows
            sides[side, v, v >> 6] ^= ONE << np.uint64(v & 63)
            for w in range(num_words):
                sets[0, side, w] = sets[FORMER, side, w] = sides[side, v, w]
        _toggle_node(sides, v, sets, FORMER)
        sort_nodes(sides, v, size, start, places.orders)
        fill_survival(places.orders, learning.chances, v, first, survival)
        num_others = list_partners(v, tilting, partners)
        here = 0
        for i in range(NUM_PLACES + 1):
            is_present = i == 0
            place = 0 if is_present else 1 - here
            log_ratio = 0.0
            for stage in range(2):
                threshold = draw_unit(random)
                num_asked, product, is_bound = 0, 1.0, 0
                if stage == 0:
                    side = first
                    num_queued = num_nodes - 1
                    for j in range(num_queued):
                        places.queue[j] = places.orders[side, j]
                    if not is_present:
                        num_asked = count_declined(survival, threshold)
                        product = survival[num_asked]
                else:
                    side = 1 - first
                    num_queued = leave_nodes(sides, side, places, place, left)
                    for w in range(num_words):
                        is_bound |= int(ends[place, first, w] != 0)
                is_learning = learning.is_on and is_present
                asking = Asking(v, place, stage, side, is_bound, is_present, is_learning)
                log_ratio -= ask_nodes(
                    sides, places, learning, asking, num_asked, num_queued, product, threshold,
                    random,
                )  # fmt: skip
            covers[place] = count_covers(sides, ends, place)
            log_ratio += covers[place] * (log_beta - log_free)
            log_ratio += num_ordered(sets, place) * log_free
            log_ratio += tilt(sides, tilting, partners, num_others, sets, place)
            if tilting.bonus.shape[0] > 0:
                log_ratio += cover_bonus(sides, tilting.bonus, v, ends, place)
            # of the weight to the chance of being drawn, up to what all places of v share
            log_ratios[place] = log_ratio
            if is_present:
                former_covers = covers[0]
                counts[0] -= covers[0]
            else:
                change = log_ratio - log_ratios[here]
                if change >= 0.0 or draw_unit(random) < np.exp(change):
                    here = place
        _toggle_node(sides, v, sets, here)
        counts[0] += covers[here]
        counts[1] += num_ordered(sets, here) - num_ordered(sets, FORMER)
        for side in range(2):
            sides[side, v, v >> 6] |= ONE << np.uint64(v & 63)
        for w in range(num_words):
            left[w] = sides[1, v, w] | sets[FORMER, 1, w]
        if within.is_limited and not accepts_parents(closure, within, left, room):
            _put_back(sides, v, sets, here)
            counts[0] += former_covers - covers[here]
            counts[1] += num_ordered(sets, FORMER) - num_ordered(sets, here)
            continue
        num_moved += _read_again(closure, tilting, v, sets, here)
    return num_moved
