"""Moves that take one node out of a partial order and plant it anew.

Pair by pair a node cannot well get from above the others to below them: half-way it has few
relations, and the DAGs of a closure with fewer ordered pairs are fewer by powers of two. Here it
goes in one step. Without v the order is Q. A place for v is a set A above it, closed upwards in Q,
and a set B below it, closed downwards, with all of A above all of B.

One of the two, at random, is drawn first (`kernels.closed_sets`), and the other among the nodes
that the first leaves. Metropolis and Hastings' rule makes up for any chances with which nodes join.
Good ones are learned: ``seen`` counts how often the nodes that would have been asked were in the
present set.

``chances`` is node × stage (first, second) × side (above, below) × context × other node, the
context 2 [something has joined] + [the set of the first stage is not empty]; ``seen`` has a last
axis in addition, (times asked, times in).
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pathprior.kernels.ancestors import ONE, Words, has_bit
from pathprior.kernels.bits import lowest_bit, popcount
from pathprior.kernels.closed_sets import (
    Chances,
    draw_closed_set,
    leave_nodes,
    log_chance,
    sort_without,
)
from pathprior.kernels.random import draw_unit, next_word, scale_half

Codes = NDArray[np.int8]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ZERO = np.uint64(0)
CONFOUNDED, APART = 2, 3


@njit(cache=True, nogil=True)
def _end_of(rows: Words, chosen: Words, end: Words) -> int:
    """Fill ``end`` with the nodes of ``chosen`` that have no others of it in their ``rows``."""
    num_words = rows.shape[1]
    for w in range(num_words):
        end[w] = ZERO
    size = 0
    for block in range(num_words):
        word = chosen[block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            inside = 0
            for w in range(num_words):
                inside += popcount(rows[x, w] & chosen[w])
            if inside == 1:
                end[block] |= ONE << np.uint64(x & 63)
                size += 1
    return size


@njit(cache=True, nogil=True)
def _count_covers(
    ancestors: Words, descendants: Words, v: int, above: Words, below: Words, low: Words, top: Words
) -> int:
    """Cover pairs that v adds when it is planted between ``above`` and ``below``.

    Those it is part of, less the covers of Q that v comes between.
    """
    num_words = ancestors.shape[1]
    covers = _end_of(descendants, above, low) + _end_of(ancestors, below, top)
    for block in range(num_words):
        word = low[block]
        while word != 0:
            a = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for other in range(num_words):
                rest = top[other]
                while rest != 0:
                    b = (other << 6) + lowest_bit(rest)
                    rest &= rest - ONE
                    between = 0
                    for w in range(num_words):
                        between += popcount(descendants[a, w] & ancestors[b, w])
                    if has_bit(descendants[a], v) and has_bit(ancestors[b], v):
                        between -= 1
                    if between == 2:
                        covers -= 1
    return covers


@njit(cache=True, nogil=True)
def _plant(rows: Words, v: int, old: Words, new: Words) -> None:
    """Toggle v in the rows of the nodes in which ``old`` and ``new`` differ."""
    for block in range(old.shape[0]):
        word = old[block] ^ new[block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            rows[x, v >> 6] ^= ONE << np.uint64(v & 63)


@njit(cache=True, nogil=True)
def _set_row(rows: Words, v: int, others: Words) -> None:
    for w in range(rows.shape[1]):
        rows[v, w] = others[w]
    rows[v, v >> 6] |= ONE << np.uint64(v & 63)


@njit(cache=True, nogil=True)
def _num_common(some: Words, others: Words) -> int:
    total = 0
    for w in range(some.shape[0]):
        total += popcount(some[w] & others[w])
    return total


@njit(cache=True, nogil=True)
def _size(row: Words) -> int:
    total = 0
    for w in range(row.shape[0]):
        total += popcount(row[w])
    return total


@njit(cache=True, nogil=True)
def _read_again(
    ancestors: Words,
    pairs: Ints,
    partners: Words,
    number: Ints,
    codes: Codes,
    v: int,
    old: Words,
    new: Words,
    touched: Ints,
    fresh: Codes,
) -> int:
    """Fill ``touched`` with the pairs whose relation changes and ``fresh`` with their new codes."""
    num_nodes, num_words = ancestors.shape
    count = 0
    for block in range(num_words):
        word = partners[v, block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            k = number[v, x]
            if has_bit(new[0], x):
                code = 1 if pairs[k, 0] == v else 0
            elif has_bit(new[1], x):
                code = 0 if pairs[k, 0] == v else 1
            else:
                code = CONFOUNDED if _num_common(ancestors[x], new[0]) > 0 else APART
            if code != codes[k]:
                touched[count] = k
                fresh[count] = code
                count += 1
    # with nothing above it, v may be the only common ancestor of two nodes below it
    for end in range(2):
        above, below = (old[0], old[1]) if end == 0 else (new[0], new[1])
        if _size(above) > 0:
            continue
        for x in range(num_nodes):
            if not has_bit(below, x):
                continue
            for block in range(x >> 6, num_words):
                word = partners[x, block] & below[block]
                if block == x >> 6:
                    word &= ~ZERO << np.uint64(x & 63)
                while word != 0:
                    y = (block << 6) + lowest_bit(word)
                    word &= word - ONE
                    k = number[x, y]
                    if end == 0 and codes[k] == CONFOUNDED:
                        is_kept = has_bit(new[1], x) and has_bit(new[1], y)
                        if is_kept or _num_common(ancestors[x], ancestors[y]) > 1:
                            continue
                        fresh[count] = APART
                    elif end == 1 and codes[k] == APART:
                        fresh[count] = CONFOUNDED
                    else:
                        continue
                    touched[count] = k
                    count += 1
    return count


@njit(cache=True, nogil=True)
def replant_nodes(
    ancestors: Words,
    descendants: Words,
    pairs: Ints,
    partners: Words,
    number: Ints,
    codes: Codes,
    counts: Ints,
    log_beta: float,
    field: Floats,
    chances: Chances,
    is_learning: bool,
    seen: Ints,
    num_moves: int,
    random: Words,
) -> int:
    """Try ``num_moves`` times to plant a random node anew; see the module and `kernels.web`."""
    num_nodes, num_words = ancestors.shape
    log_free = np.log1p(np.exp(log_beta))
    size = np.empty(num_nodes, np.int64)
    start = np.empty(num_nodes + 1, np.int64)
    order = np.empty(num_nodes, np.int64)
    old = np.empty((2, num_words), np.uint64)
    new = np.empty((2, num_words), np.uint64)
    nothing = np.zeros(num_words, np.uint64)
    left = np.empty(num_words, np.uint64)
    low = np.empty(num_words, np.uint64)
    top = np.empty(num_words, np.uint64)
    touched = np.empty(codes.shape[0], np.int64)
    fresh = np.empty(codes.shape[0], np.int8)
    accepted = 0
    for _ in range(num_moves):
        word = next_word(random)
        v = scale_half(word >> np.uint64(32), num_nodes)
        first = int(np.int64(word & ONE))
        sort_without(ancestors, v, size, start, order)
        for w in range(num_words):
            old[0, w] = ancestors[v, w]
            old[1, w] = descendants[v, w]
        old[0, v >> 6] &= ~(ONE << np.uint64(v & 63))
        old[1, v >> 6] &= ~(ONE << np.uint64(v & 63))
        change = 0.0
        for stage in range(2):
            side = first if stage == 0 else 1 - first
            rows = ancestors if side == 0 else descendants
            chance, tally = chances[v, stage, side], seen[v, stage, side]
            # the nodes left by the other side; before that is drawn, by the empty set
            other = nothing if stage == 0 else new[1 - side]
            leave_nodes(rows, other, v, left)
            is_bound = int(_size(other) > 0)
            change -= draw_closed_set(
                rows, left, order, side == 0, is_bound, chance, random, new[side]
            )
            other = nothing if stage == 0 else old[1 - side]
            leave_nodes(rows, other, v, left)
            is_bound = int(_size(other) > 0)
            change += log_chance(
                rows, left, order, side == 0, is_bound, chance, old[side], is_learning, tally
            )
        is_same = True
        for w in range(num_words):
            if old[0, w] != new[0, w] or old[1, w] != new[1, w]:
                is_same = False
        if is_same:
            continue
        covers = _count_covers(ancestors, descendants, v, new[0], new[1], low, top)
        covers -= _count_covers(ancestors, descendants, v, old[0], old[1], low, top)
        ordered = _size(new[0]) + _size(new[1]) - _size(old[0]) - _size(old[1])
        change += covers * log_beta + (ordered - covers) * log_free
        num_touched = _read_again(
            ancestors, pairs, partners, number, codes, v, old, new, touched, fresh
        )
        for i in range(num_touched):
            change += field[touched[i], fresh[i]] - field[touched[i], codes[touched[i]]]
        if change >= 0.0 or draw_unit(random) < np.exp(change):
            _plant(descendants, v, old[0], new[0])
            _plant(ancestors, v, old[1], new[1])
            _set_row(ancestors, v, new[0])
            _set_row(descendants, v, new[1])
            for i in range(num_touched):
                codes[touched[i]] = fresh[i]
            counts[0] += covers
            counts[1] += ordered
            accepted += 1
    return accepted
