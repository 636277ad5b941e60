"""Moves that take one node out of a partial order and plant it anew.

Pair by pair a node cannot well get from above the others to below them: half-way it has few
relations, and the DAGs of a closure with fewer ordered pairs are fewer by powers of two. Here it
goes in one step. Without v the order is Q. A place for v is a set A above it, closed upwards in Q,
and a set B below it, closed downwards, with all of A above all of B.

One of the two, at random, is drawn first (`kernels.closed_sets`), and the other among the nodes
that the first leaves. Metropolis and Hastings' rule makes up for any chances with which nodes join.
Good ones are learned: ``seen`` counts how often the nodes that would have been asked were in the
present set. Q, and so the chances and the weights of all places of v, is the same for every place
tried while v is out, so several are tried, one after the other.

``chances`` is node × stage (first, second) × side (above, below) × context × other node, the
context 2 [something has joined] + [the set of the first stage is not empty]; ``seen`` has a last
axis in addition, (times asked, times in).
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pathprior.kernels.ancestors import ONE, Words, has_bit, relation_code
from pathprior.kernels.bits import lowest_bit, popcount
from pathprior.kernels.closed_sets import Chances, ask_nodes, leave_nodes, sort_nodes
from pathprior.kernels.random import draw_unit, next_word, scale_half

Codes = NDArray[np.int8]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ZERO = np.uint64(0)
ABOVE, BELOW, CONFOUNDED, APART = 0, 1, 2, 3
NUM_PLACES = 4
"""Places tried each time that a node is taken out."""


@njit(cache=True, nogil=True)
def _toggle(rows: Words, v: int, others: Words) -> None:
    """Toggle v in the rows of ``others``."""
    for block in range(others.shape[0]):
        word = others[block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            rows[x, v >> 6] ^= ONE << np.uint64(v & 63)


@njit(cache=True, nogil=True)
def _have_common(some: Words, others: Words) -> bool:
    common = ZERO
    for w in range(some.shape[0]):
        common |= some[w] & others[w]
    return common != 0


@njit(cache=True, nogil=True)
def _is_empty(row: Words) -> bool:
    return not _have_common(row, row)


@njit(cache=True, nogil=True)
def _count_covers(ancestors: Words, descendants: Words, low: Words, top: Words) -> int:
    """Cover pairs that a node adds between sets with the ends ``low`` and ``top``.

    Those it is part of, less the covers of Q that it comes between.
    """
    num_words = ancestors.shape[1]
    covers = 0
    for block in range(num_words):
        covers += popcount(low[block]) + popcount(top[block])
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
                    if between == 2:
                        covers -= 1
    return covers


@njit(cache=True, nogil=True)
def _list_partners(
    v: int,
    pairs: Ints,
    partners: Words,
    number: Ints,
    field: Floats,
    others: Ints,
    tilts: Floats,
) -> int:
    """List the nodes paired with v and the field of each by where it is seen from v."""
    count = 0
    for block in range(partners.shape[1]):
        word = partners[v, block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            k = number[v, x]
            is_first = int(pairs[k, 0] == v)
            others[count] = x
            tilts[count, ABOVE] = field[k, is_first]
            tilts[count, BELOW] = field[k, 1 - is_first]
            tilts[count, CONFOUNDED] = field[k, CONFOUNDED]
            tilts[count, APART] = field[k, APART]
            count += 1
    return count


@njit(cache=True, nogil=True)
def _tilt(
    ancestors: Words,
    partners: Words,
    number: Ints,
    field: Floats,
    others: Ints,
    tilts: Floats,
    num_others: int,
    above: Words,
    below: Words,
) -> float:
    """Σ of the field over the pairs of v, and what v changes of the others', planted there."""
    total = 0.0
    for i in range(num_others):
        x = others[i]
        where = CONFOUNDED if _have_common(ancestors[x], above) else APART
        where = BELOW if has_bit(below, x) else where
        where = ABOVE if has_bit(above, x) else where
        total += tilts[i, where]
    if not _is_empty(above):
        return total
    # with nothing above it, v may be the only common ancestor of two nodes below it
    for block in range(below.shape[0]):
        word = below[block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for other in range(block, below.shape[0]):
                rest = partners[x, other] & (word if other == block else below[other])
                while rest != 0:
                    y = (other << 6) + lowest_bit(rest)
                    rest &= rest - ONE
                    if not _have_common(ancestors[x], ancestors[y]):
                        k = number[x, y]
                        total += field[k, CONFOUNDED] - field[k, APART]
    return total


@njit(cache=True, nogil=True)
def _read_again(
    ancestors: Words,
    pairs: Ints,
    partners: Words,
    number: Ints,
    codes: Codes,
    some: Words,
    others: Words,
) -> None:
    """Renew the codes of the pairs of a node of ``some`` and one of ``others``."""
    for block in range(some.shape[0]):
        word = some[block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for other in range(some.shape[0]):
                rest = partners[x, other] & others[other]
                while rest != 0:
                    k = number[x, (other << 6) + lowest_bit(rest)]
                    rest &= rest - ONE
                    codes[k] = relation_code(ancestors, pairs[k, 0], pairs[k, 1])


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
    """Take ``num_moves`` random nodes out and plant them anew; see the module and `kernels.web`."""
    num_nodes, num_words = ancestors.shape
    log_free = np.log1p(np.exp(log_beta))
    size = np.empty(num_nodes, np.int64)
    start = np.empty(num_nodes + 1, np.int64)
    order = np.empty(num_nodes, np.int64)
    others = np.empty(num_nodes, np.int64)
    tilts = np.empty((num_nodes, 4))
    # of two places, the present one and the one tried, either side
    sets = np.empty((2, 2, num_words), np.uint64)
    ends = np.empty((2, 2, num_words), np.uint64)
    covers = np.empty(2, np.int64)
    ordered = np.empty(2, np.int64)
    log_ratios = np.empty(2)
    former = np.empty(num_words, np.uint64)
    nothing = np.zeros(num_words, np.uint64)
    itself = np.zeros(num_words, np.uint64)
    left = np.empty(num_words, np.uint64)
    accepted = 0
    for _ in range(num_moves):
        word = next_word(random)
        v = scale_half(word >> np.uint64(32), num_nodes)
        first = int(np.int64(word & ONE))
        itself[v >> 6] = ONE << np.uint64(v & 63)
        for w in range(num_words):
            sets[0, 0, w] = ancestors[v, w] & ~itself[w]
            sets[0, 1, w] = descendants[v, w] & ~itself[w]
            former[w] = sets[0, 1, w]
        was_free = _is_empty(sets[0, 0])
        _toggle(descendants, v, sets[0, 0])
        _toggle(ancestors, v, sets[0, 1])
        for w in range(num_words):
            ancestors[v, w] = itself[w]
            descendants[v, w] = itself[w]
        sort_nodes(ancestors, size, start, order)
        num_others = _list_partners(v, pairs, partners, number, field, others, tilts)
        here = 0
        num_changes = 0
        for i in range(NUM_PLACES + 1):
            is_present = i == 0
            place = 0 if is_present else 1 - here
            log_ratio = 0.0
            for stage in range(2):
                side = first if stage == 0 else 1 - first
                rows = ancestors if side == 0 else descendants
                # the nodes left by the other side; before that is drawn, by the empty set
                bounds = nothing if stage == 0 else ends[place, 1 - side]
                is_bound = leave_nodes(rows, bounds, v, left)
                log_ratio -= ask_nodes(
                    rows, left, order, side == 0, is_bound, chances[v, stage, side], is_present,
                    sets[place, side], ends[place, side], random, is_learning and is_present,
                    seen[v, stage, side],
                )  # fmt: skip
            covers[place] = _count_covers(ancestors, descendants, ends[place, 0], ends[place, 1])
            total = 0
            for w in range(num_words):
                total += popcount(sets[place, 0, w]) + popcount(sets[place, 1, w])
            ordered[place] = total
            log_ratio += covers[place] * log_beta + (total - covers[place]) * log_free
            log_ratio += _tilt(
                ancestors, partners, number, field, others, tilts, num_others,
                sets[place, 0], sets[place, 1],
            )  # fmt: skip
            log_ratios[place] = log_ratio
            if is_present:
                counts[0] -= covers[0]
                counts[1] -= ordered[0]
            else:
                change = log_ratio - log_ratios[here]
                if change >= 0.0 or draw_unit(random) < np.exp(change):
                    here = place
                    num_changes += 1
        _toggle(descendants, v, sets[here, 0])
        _toggle(ancestors, v, sets[here, 1])
        for w in range(num_words):
            ancestors[v, w] = sets[here, 0, w] | itself[w]
            descendants[v, w] = sets[here, 1, w] | itself[w]
        counts[0] += covers[here]
        counts[1] += ordered[here]
        if num_changes > 0:
            _read_again(ancestors, pairs, partners, number, codes, itself, partners[v])
            if was_free:
                _read_again(ancestors, pairs, partners, number, codes, former, former)
            if _is_empty(sets[here, 0]):
                below = sets[here, 1]
                _read_again(ancestors, pairs, partners, number, codes, below, below)
        itself[v >> 6] = ZERO
        accepted += num_changes
    return accepted
