"""Meek's orientation rules on a partially directed graph, with a trail that can be undone.

The graph is the array ``pdag[4, n, words]`` of `pathprior.kernels.graph.cpdag`. The trail lists
the edges directed so far, oldest first: a queue for the rules and an undo log for a search.
"""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import ONE, Words, clear_bit, set_bit
from pathprior.kernels.graph.cpdag import ADJACENT, CHILDREN, NEIGHBOURS, PARENTS
from pathprior.kernels.inner import entry, inner

Trail = NDArray[np.int64]


@entry
def direct_edge(pdag: Words, trail: Trail, length: int, u: int, v: int) -> int:
    """Turn u − v into u → v, append it to the trail and return the trail's new length."""
    clear_bit(pdag[NEIGHBOURS, u], v)
    clear_bit(pdag[NEIGHBOURS, v], u)
    set_bit(pdag[PARENTS, v], u)
    set_bit(pdag[CHILDREN, u], v)
    trail[length, 0] = u
    trail[length, 1] = v
    return length + 1


@entry
def undo_edges(pdag: Words, trail: Trail, length: int, keep: int) -> None:
    """Make the edges ``trail[keep:length]`` undirected again."""
    for k in range(keep, length):
        u, v = trail[k, 0], trail[k, 1]
        clear_bit(pdag[PARENTS, v], u)
        clear_bit(pdag[CHILDREN, u], v)
        set_bit(pdag[NEIGHBOURS, u], v)
        set_bit(pdag[NEIGHBOURS, v], u)


@entry
def apply_meek_rules(pdag: Words, trail: Trail, head: int, length: int) -> int:
    """Close the graph under Meek's (1995) rules and return the trail's new length.

    ``trail[head:length]`` are the directed edges whose consequences are not drawn yet. In a graph
    closed from a CPDAG, every undirected edge can still take either direction, so a
    search that directs one edge at a time and closes never runs into a dead end.
    """
    num_words = pdag.shape[2]
    while head < length:
        u, v = trail[head, 0], trail[head, 1]
        head += 1
        for w in range(num_words):
            # Rule 1: u → v − c, c not adjacent to u, gives v → c.
            word = pdag[NEIGHBOURS, v, w] & ~pdag[ADJACENT, u, w]
            length = _direct_out_of(pdag, trail, length, v, w, word)
            # Rule 2: u → v → c and u − c give u → c; d → u → v and d − v give d → v.
            word = pdag[NEIGHBOURS, u, w] & pdag[CHILDREN, v, w]
            length = _direct_out_of(pdag, trail, length, u, w, word)
            word = pdag[PARENTS, u, w] & pdag[NEIGHBOURS, v, w]
            length = _direct_into(pdag, trail, length, v, w, word)
        for block in range(num_words):
            # Rule 3: u → v ← d, u and d not adjacent, a neighbour of u, v and d: a → v.
            word = pdag[PARENTS, v, block] & ~pdag[ADJACENT, u, block]
            while word != 0:
                d = (block << 6) + lowest_bit(word)
                word &= word - ONE
                if d != u:
                    for w in range(num_words):
                        common = pdag[NEIGHBOURS, u, w] & pdag[NEIGHBOURS, d, w]
                        common &= pdag[NEIGHBOURS, v, w]
                        length = _direct_into(pdag, trail, length, v, w, common)
            # Rule 4: d → c → b, d and b not adjacent, a − d, a − b, a adjacent to c: a → b.
            word = pdag[CHILDREN, v, block] & ~pdag[ADJACENT, u, block]
            while word != 0:
                b = (block << 6) + lowest_bit(word)
                word &= word - ONE
                length = _apply_rule_4(pdag, trail, length, u, v, b)
            word = pdag[PARENTS, u, block] & ~pdag[ADJACENT, v, block]
            while word != 0:
                d = (block << 6) + lowest_bit(word)
                word &= word - ONE
                length = _apply_rule_4(pdag, trail, length, d, u, v)
    return length


@inner
def _apply_rule_4(pdag: Words, trail: Trail, length: int, d: int, c: int, b: int) -> int:
    for w in range(pdag.shape[2]):
        word = pdag[NEIGHBOURS, d, w] & pdag[NEIGHBOURS, b, w] & pdag[ADJACENT, c, w]
        length = _direct_into(pdag, trail, length, b, w, word)
    return length


@inner
def _direct_out_of(
    pdag: Words, trail: Trail, length: int, v: int, block: int, word: np.uint64
) -> int:
    while word != 0:
        length = direct_edge(pdag, trail, length, v, (block << 6) + lowest_bit(word))
        word &= word - ONE
    return length


@inner
def _direct_into(
    pdag: Words, trail: Trail, length: int, v: int, block: int, word: np.uint64
) -> int:
    while word != 0:
        length = direct_edge(pdag, trail, length, (block << 6) + lowest_bit(word), v)
        word &= word - ONE
    return length
