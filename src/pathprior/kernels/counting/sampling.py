"""Uniform DAGs, layer by layer from the sources (Kuipers and Moffa), and their configurations.

Nodes are positions here: the sources have the highest ones, so that the lowest bit of a parent set
is the parent drawn last. ``thresholds[m, k, s − 1]`` is the probability, as a 128-bit fraction in
two words, that the next layer has at most s nodes when m nodes remain and the layer before has k
(k = 0: no layer yet).
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.counting.weighted_sampling import draw_weighted_parents
from pathprior.kernels.graph.ancestors import has_bit, relation_code
from pathprior.kernels.random import Words, draw_below, next_word

Ints = NDArray[np.int64]
ONE = np.uint64(1)
ALL = ~np.uint64(0)


class Law(NamedTuple):
    """What DAGs are drawn from: ``thresholds`` where ``edge_odds`` is 1, else ``shares``."""

    edge_odds: float
    thresholds: Words
    shares: NDArray[np.float64]
    lasts: Ints


@njit(cache=True, nogil=True)
def draw_layer_size(state: Words, row: Words, num_sizes: int) -> int:
    """A layer size from its cumulative distribution; the second word is drawn only on a tie."""
    high = next_word(state)
    low = np.uint64(0)
    is_drawn = False
    for i in range(num_sizes - 1):
        if high > row[i, 0]:
            continue
        if high < row[i, 0]:
            return i + 1
        if not is_drawn:
            low = next_word(state)
            is_drawn = True
        if low < row[i, 1]:
            return i + 1
    return num_sizes


@njit(cache=True, nogil=True)
def _between(start: int, stop: int, word: int) -> np.uint64:
    """The bits of ``word`` that stand for positions start … stop − 1."""
    first = max(start - (word << 6), 0)
    last = min(stop - (word << 6), 64)
    if first >= last:
        return np.uint64(0)
    return (ALL << np.uint64(first)) & (ALL >> np.uint64(64 - last))


@njit(cache=True, nogil=True)
def draw_parents(state: Words, thresholds: Words, parents: Words) -> None:
    """Draw a uniform DAG up to the names of its nodes into ``parents``.

    Every node of a layer has at least one parent in the layer before, and free choice in all
    earlier layers.
    """
    num_nodes, num_words = parents.shape
    rest = num_nodes
    layer = 0
    while rest > 0:
        row = min(rest, thresholds.shape[0] - 1)
        num_sizes = min(rest, thresholds.shape[2])
        size = draw_layer_size(state, thresholds[row, layer], num_sizes)
        for v in range(rest - size, rest):
            is_orphan = layer > 0
            for w in range(num_words):
                word = next_word(state) & _between(rest, num_nodes, w)
                parents[v, w] = word
                if word & _between(rest, rest + layer, w) != 0:
                    is_orphan = False
            while is_orphan:
                for w in range(num_words):
                    word = next_word(state) & _between(rest, rest + layer, w)
                    parents[v, w] |= word
                    if word != 0:
                        is_orphan = False
        rest -= size
        layer = size


@njit(cache=True, nogil=True)
def draw_from(state: Words, law: Law, parents: Words) -> None:
    """Draw a DAG up to the names of its nodes into ``parents``."""
    if law.edge_odds == 1.0:
        draw_parents(state, law.thresholds, parents)
    else:
        draw_weighted_parents(state, law.shares, law.lasts, law.edge_odds, parents)


@njit(cache=True, nogil=True)
def close_positions(parents: Words, ancestors: Words) -> None:
    """Ancestors of every position, from high to low.

    Parents are taken latest first and skipped when already an ancestor: few unions suffice.
    """
    num_nodes, num_words = parents.shape
    for v in range(num_nodes - 1, -1, -1):
        for w in range(num_words):
            ancestors[v, w] = 0
        for w in range(num_words):
            word = parents[v, w] & ~ancestors[v, w]
            while word != 0:
                p = (w << 6) + lowest_bit(word)
                for i in range(w, num_words):
                    ancestors[v, i] |= ancestors[p, i]
                word &= ~ancestors[p, w]
        ancestors[v, v >> 6] |= ONE << np.uint64(v & 63)


@njit(cache=True, nogil=True)
def _place(state: Words, places: Ints, num_placed: int) -> None:
    """Shuffle the first ``num_placed`` entries of ``places`` out of all (Fisher–Yates)."""
    for i in range(num_placed):
        j = i + draw_below(state, places.shape[0] - i)
        places[i], places[j] = places[j], places[i]


@njit(cache=True, nogil=True)
def sample_codes(
    state: Words, law: Law, places: Ints, pairs: Ints, codes: NDArray[np.uint64]
) -> None:
    """Draw DAGs and write ``codes[dag, placement, word]``, 0 before: the configurations they show.

    A row (x, y, word, shift, is_link) of ``pairs`` says where the relation of belief nodes x and y
    goes, or their link: 1 for x → y, 2 for x ← y, else 0.
    Each placement puts the belief nodes on the same DAG anew. ``places``, all nodes in some order,
    is shuffled further; a next call goes on from it and from ``state``.
    """
    num_nodes = places.shape[0]
    num_words = (num_nodes + 63) >> 6
    num_belief_nodes = 0
    for i in range(pairs.shape[0]):
        num_belief_nodes = max(num_belief_nodes, pairs[i, 0] + 1, pairs[i, 1] + 1)
    parents = np.empty((num_nodes, num_words), np.uint64)
    ancestors = np.empty((num_nodes, num_words), np.uint64)
    for dag in range(codes.shape[0]):
        draw_from(state, law, parents)
        close_positions(parents, ancestors)
        for placement in range(codes.shape[1]):
            _place(state, places, num_belief_nodes)
            for i in range(pairs.shape[0]):
                x, y = places[pairs[i, 0]], places[pairs[i, 1]]
                if pairs[i, 4]:
                    code = np.int64(has_bit(parents[y], x)) + 2 * np.int64(has_bit(parents[x], y))
                else:
                    code = np.int64(relation_code(ancestors, x, y))
                codes[dag, placement, pairs[i, 2]] |= np.uint64(code) << np.uint64(pairs[i, 3])


@njit(cache=True, nogil=True)
def sample_adjacency(state: Words, law: Law, adjacency: NDArray[np.bool_]) -> None:
    """Draw one labelled DAG into each empty ``adjacency[dag]``; [i, j] is i → j."""
    num_nodes = adjacency.shape[1]
    num_words = (num_nodes + 63) >> 6
    parents = np.empty((num_nodes, num_words), np.uint64)
    names = np.arange(num_nodes)
    for dag in range(adjacency.shape[0]):
        draw_from(state, law, parents)
        _place(state, names, num_nodes)
        for v in range(num_nodes):
            for w in range(num_words):
                word = parents[v, w]
                while word != 0:
                    adjacency[dag, names[(w << 6) + lowest_bit(word)], names[v]] = True
                    word &= word - ONE
