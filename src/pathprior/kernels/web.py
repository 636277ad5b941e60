"""Markov chains over partial orders: the moves that sample a tilted measure over DAGs.

A DAG enters a belief only through its transitive closure P, so the chains walk over closures and
sum the DAGs out. With edge weight β the DAGs of closure P weigh β^c (1 + β)^(m − c) together, m
the number of ordered pairs of P and c the number of cover pairs (nothing between): a cover pair
must be an edge, any other may be one. The target of a chain is

    π(P) ∝ β^c (1 + β)^(m − c) · exp Σ_k field[k, relation of pair k in P].

A closure is two arrays of bitset rows, ``ancestors`` and ``descendants``, each node in its own.
``incident[start[v] : start[v + 1]]`` are the numbers of the pairs with an end at v.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pathprior.kernels.ancestors import ONE, Words, has_bit, relation_code
from pathprior.kernels.bits import lowest_bit, popcount
from pathprior.kernels.random import LOW_HALF, next_word

Codes = NDArray[np.int8]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

UNIT = 1.0 / 9007199254740992.0
"""2^−53: scales 53 random bits to [0, 1)."""


@njit(cache=True, nogil=True, inline="always")
def _draw_unit(random: Words) -> float:
    """A uniform number in [0, 1)."""
    return float(next_word(random) >> np.uint64(11)) * UNIT


@njit(cache=True, nogil=True, inline="always")
def _scale(half: np.uint64, num_nodes: int) -> int:
    """A node from 32 random bits: uniform up to 2⁻³² n, the same whatever the state is."""
    return int(np.int64((half * np.uint64(num_nodes)) >> np.uint64(32)))


@njit(cache=True, nogil=True, inline="always")
def _is_accepted(change: float, random: Words) -> bool:
    """Metropolis: accept with probability min(1, exp(change))."""
    return change >= 0.0 or _draw_unit(random) < np.exp(change)


@njit(cache=True, nogil=True, inline="always")
def size_between(ancestors: Words, descendants: Words, a: int, b: int) -> int:
    """Number of nodes x with a ≤ x ≤ b: 2 iff b covers a; 0 iff not a ≤ b."""
    total = 0
    for w in range(ancestors.shape[1]):
        total += popcount(descendants[a, w] & ancestors[b, w])
    return total


@njit(cache=True, nogil=True)
def read_codes(ancestors: Words, pairs: Ints, codes: Codes) -> None:
    """Fill ``codes`` with the relation of every pair."""
    for k in range(pairs.shape[0]):
        codes[k] = relation_code(ancestors, pairs[k, 0], pairs[k, 1])


@njit(cache=True, nogil=True)
def count_pairs(ancestors: Words, descendants: Words, counts: Ints) -> None:
    """Fill ``counts`` with the numbers of cover pairs and of ordered pairs."""
    covers = 0
    ordered = 0
    num_nodes, num_words = ancestors.shape
    for b in range(num_nodes):
        for block in range(num_words):
            word = ancestors[b, block]
            while word != 0:
                a = (block << 6) + lowest_bit(word)
                word &= word - ONE
                if a != b:
                    ordered += 1
                    if size_between(ancestors, descendants, a, b) == 2:
                        covers += 1
    counts[0] = covers
    counts[1] = ordered


@njit(cache=True, nogil=True)
def _flanking(ancestors: Words, descendants: Words, u: int, v: int, size: int) -> int:
    """Pairs (u, d), d > v, and (a, v), a < u, with ``size`` nodes from end to end."""
    count = 0
    num_words = ancestors.shape[1]
    for block in range(num_words):
        word = descendants[v, block]
        while word != 0:
            d = (block << 6) + lowest_bit(word)
            word &= word - ONE
            if d != v and size_between(ancestors, descendants, u, d) == size:
                count += 1
        word = ancestors[u, block]
        while word != 0:
            a = (block << 6) + lowest_bit(word)
            word &= word - ONE
            if a != u and size_between(ancestors, descendants, a, v) == size:
                count += 1
    return count


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


@njit(cache=True, nogil=True)
def toggle_pairs(
    ancestors: Words,
    descendants: Words,
    pairs: Ints,
    start: Ints,
    incident: Ints,
    codes: Codes,
    counts: Ints,
    log_beta: float,
    field: Floats,
    num_moves: int,
    random: Words,
) -> int:
    """Try ``num_moves`` times to add or take away one ordered pair of the closure.

    The pair (u, v) changes anc(v) by u alone: only the relation of v to u and to nodes below u
    can change.
    """
    num_nodes = ancestors.shape[0]
    log_free = np.log1p(np.exp(log_beta))
    fresh = np.empty(codes.shape[0], np.int8)
    accepted = 0
    for _ in range(num_moves):
        word = next_word(random)
        u = _scale(word >> np.uint64(32), num_nodes)
        v = _scale(word & LOW_HALF, num_nodes)
        if u == v or (ancestors[u, v >> 6] >> np.uint64(v & 63)) & ONE != 0:
            continue
        is_removal = (ancestors[v, u >> 6] >> np.uint64(u & 63)) & ONE != 0
        if is_removal:
            if size_between(ancestors, descendants, u, v) != 2:
                continue
            turned = _flanking(ancestors, descendants, u, v, 3)
            change = (turned - 1) * log_beta - turned * log_free
        else:
            if not _is_insertable(ancestors, descendants, u, v):
                continue
            turned = _flanking(ancestors, descendants, u, v, 2)
            change = (1 - turned) * log_beta + turned * log_free
        ancestors[v, u >> 6] ^= ONE << np.uint64(u & 63)
        for slot in range(start[v], start[v + 1]):
            k = incident[slot]
            fresh[k] = codes[k]
            other = pairs[k, 0] + pairs[k, 1] - v
            if (ancestors[other, u >> 6] >> np.uint64(u & 63)) & ONE != 0:
                fresh[k] = relation_code(ancestors, pairs[k, 0], pairs[k, 1])
                change += field[k, fresh[k]] - field[k, codes[k]]
        if _is_accepted(change, random):
            descendants[u, v >> 6] ^= ONE << np.uint64(v & 63)
            for slot in range(start[v], start[v + 1]):
                codes[incident[slot]] = fresh[incident[slot]]
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


@njit(cache=True, nogil=True)
def _swap_bits(rows: Words, x: int, y: int) -> None:
    for v in range(rows.shape[0]):
        if has_bit(rows[v], x) != has_bit(rows[v], y):
            rows[v, x >> 6] ^= ONE << np.uint64(x & 63)
            rows[v, y >> 6] ^= ONE << np.uint64(y & 63)
    for w in range(rows.shape[1]):
        word = rows[x, w]
        rows[x, w] = rows[y, w]
        rows[y, w] = word


@njit(cache=True, nogil=True)
def swap_labels(
    ancestors: Words,
    descendants: Words,
    pairs: Ints,
    start: Ints,
    incident: Ints,
    codes: Codes,
    field: Floats,
    num_moves: int,
    random: Words,
) -> int:
    """Try ``num_moves`` times to exchange two nodes' places; the closure's shape stays.

    Most tries fail, so the random bound on the change of log weight is drawn first, and a try
    ends as soon as the pairs not yet looked at could not lift it that high.
    """
    num_nodes = ancestors.shape[0]
    best = np.empty(field.shape[0])
    for k in range(field.shape[0]):
        best[k] = field[k].max()
    accepted = 0
    for _ in range(num_moves):
        word = next_word(random)
        x = _scale(word >> np.uint64(32), num_nodes)
        y = _scale(word & LOW_HALF, num_nodes)
        if x == y:
            continue
        bound = np.log(_draw_unit(random))
        change = 0.0
        for end in (x, y):
            for slot in range(start[end], start[end + 1]):
                k = incident[slot]
                if end == x or (pairs[k, 0] != x and pairs[k, 1] != x):
                    change += best[k] - field[k, codes[k]]
        for end in (x, y):
            for slot in range(start[end], start[end + 1]):
                if change <= bound:
                    break
                k = incident[slot]
                a, b = pairs[k, 0], pairs[k, 1]
                if end == y and (a == x or b == x):
                    continue  # counted at x
                a = y if a == x else (x if a == y else a)
                b = y if b == x else (x if b == y else b)
                change += field[k, relation_code(ancestors, a, b)] - best[k]
        if change > bound:
            _swap_bits(ancestors, x, y)
            _swap_bits(descendants, x, y)
            for end in (x, y):
                for slot in range(start[end], start[end + 1]):
                    k = incident[slot]
                    codes[k] = relation_code(ancestors, pairs[k, 0], pairs[k, 1])
            accepted += 1
    return accepted


@njit(cache=True, nogil=True)
def run_chains(
    ancestors: Words,
    descendants: Words,
    pairs: Ints,
    start: Ints,
    incident: Ints,
    log_beta: float,
    field: Floats,
    sweeps: int,
    random: Words,
    codes: Codes,
    counts: Ints,
) -> None:
    """Advance each chain ``sweeps`` sweeps per record, and record codes and counts.

    One sweep is n² tries at a pair and 4n at an exchange of labels. ``codes`` is
    records × chains × pairs, ``counts`` records × chains × (cover pairs, ordered pairs); every
    chain has its own closure and its own row of ``random``.
    """
    num_records, num_chains, num_pairs = codes.shape
    num_nodes = ancestors.shape[1]
    current = np.empty(num_pairs, np.int8)
    count = np.empty(2, np.int64)
    for chain in range(num_chains):
        above, below = ancestors[chain], descendants[chain]
        read_codes(above, pairs, current)
        count_pairs(above, below, count)
        for record in range(num_records):
            for _ in range(sweeps):
                toggle_pairs(
                    above, below, pairs, start, incident, current, count, log_beta, field,
                    num_nodes * num_nodes, random[chain],
                )  # fmt: skip
                swap_labels(
                    above, below, pairs, start, incident, current, field,
                    4 * num_nodes, random[chain],
                )  # fmt: skip
            codes[record, chain] = current
            counts[record, chain] = count
