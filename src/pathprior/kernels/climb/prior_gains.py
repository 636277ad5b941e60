"""How a move changes the path prior: exactly, and how much it can at most.

The prior of a graph is Σ_k log_weights[k, relation of pair k]. Inserting u → v makes
anc'(x) = anc(x) ∪ anc(u) for x in desc(v) and leaves the others, so a pair changes only

- to x ⇒ y if y ∈ desc(v) and x ∈ anc(u), and to x ⇐ y the other way round;
- from ⇎ to ⇔ if one end is in desc(v) and anc(u) meets the ancestors of the other end.

Removing u → v recomputes anc for desc(v) in topological order. A reversal is a removal, after
which desc(u) gains what is left of anc(v).
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import ONE, Words, has_bit, relation_code, set_bit
from pathprior.kernels.graph.graph_state import REVERSE, Graph
from pathprior.kernels.inner import inner


class Beliefs(NamedTuple):
    """Belief pairs, their log weights, and what a climb keeps about them."""

    pairs: NDArray[np.int64]
    log_weights: NDArray[np.float64]
    relations: NDArray[np.int64]  # the relation each pair has now
    touched: NDArray[np.int64]  # scratch: pairs an insertion can change
    order: NDArray[np.int64]  # the graph's nodes in topological order
    after: Words  # scratch: ancestors after a removal or reversal


@njit(cache=True, nogil=True)
def read_relations(beliefs: Beliefs, ancestors: Words) -> float:
    """Set ``beliefs.relations`` from the graph; return the prior, a sum of log weights."""
    total = 0.0
    for k in range(beliefs.pairs.shape[0]):
        code = relation_code(ancestors, beliefs.pairs[k, 0], beliefs.pairs[k, 1])
        beliefs.relations[k] = code
        total += beliefs.log_weights[k, code]
    return total


@inner
def bound_gains(
    beliefs: Beliefs,
    ancestors: Words,
    insert_bound: NDArray[np.float64],
    change_bound: NDArray[np.float64],
) -> None:
    """Bound the prior gain of inserting an edge into v, and of any move below v, for every v.

    A pair with ends x, y counts for v ∈ anc(x) ∪ anc(y). Insertions only lead ⇎ → ⇔ → ⇒ or ⇐.
    """
    insert_bound[:] = 0.0
    change_bound[:] = 0.0
    for k in range(beliefs.pairs.shape[0]):
        weights = beliefs.log_weights[k]
        now = weights[beliefs.relations[k]]
        any_gain = max(max(weights[0], weights[1]), max(weights[2], weights[3])) - now
        if any_gain <= 0.0:
            continue
        insert_gain = 0.0
        if beliefs.relations[k] >= 2:
            insert_gain = max(0.0, max(max(weights[0], weights[1]), weights[2]) - now)
        x, y = beliefs.pairs[k, 0], beliefs.pairs[k, 1]
        for block in range(ancestors.shape[1]):
            word = ancestors[x, block] | ancestors[y, block]
            while word != 0:
                v = (block << 6) + lowest_bit(word)
                insert_bound[v] += insert_gain
                change_bound[v] += any_gain
                word &= word - ONE


@inner
def list_touched(beliefs: Beliefs, ancestors: Words, v: int) -> int:
    """List the pairs that some insertion into ``v`` can change; return how many."""
    num_touched = 0
    for k in range(beliefs.pairs.shape[0]):
        x, y = beliefs.pairs[k, 0], beliefs.pairs[k, 1]
        if beliefs.relations[k] >= 2 and (has_bit(ancestors[x], v) or has_bit(ancestors[y], v)):
            beliefs.touched[num_touched] = k
            num_touched += 1
    return num_touched


@inner
def insertion_gain(beliefs: Beliefs, ancestors: Words, num_touched: int, u: int, v: int) -> float:
    """The change of the prior when u → v is inserted; the pairs of ``v`` are listed."""
    gain = 0.0
    for i in range(num_touched):
        k = beliefs.touched[i]
        code, new = beliefs.relations[k], beliefs.relations[k]
        x, y = beliefs.pairs[k, 0], beliefs.pairs[k, 1]
        if has_bit(ancestors[y], v):
            if has_bit(ancestors[u], x):
                new = 0
            elif code == 3 and relation_code(ancestors, u, x) != 3:
                new = 2
        if has_bit(ancestors[x], v):
            if has_bit(ancestors[u], y):
                new = 1
            elif code == 3 and relation_code(ancestors, u, y) != 3:
                new = 2
        if new != code:
            gain += beliefs.log_weights[k, new] - beliefs.log_weights[k, code]
    return gain


@inner
def change_gain(beliefs: Beliefs, graph: Graph, move: int, u: int, v: int) -> float:
    """The change of the prior when u → v is removed or reversed."""
    after, ancestors = beliefs.after, graph.ancestors
    num_words = ancestors.shape[1]
    for x in beliefs.order:
        after[x] = ancestors[x]
        if not has_bit(ancestors[x], v):
            continue
        after[x] = np.uint64(0)
        set_bit(after[x], x)
        for block in range(num_words):
            word = graph.parents[x, block]
            while word != 0:
                p = (block << 6) + lowest_bit(word)
                word &= word - ONE
                if x != v or p != u:
                    for w in range(num_words):
                        after[x, w] |= after[p, w]
    if move == REVERSE:
        for x in beliefs.order:
            if has_bit(after[x], u):
                for w in range(num_words):
                    after[x, w] |= after[v, w]
    gain = 0.0
    for k in range(beliefs.pairs.shape[0]):
        new = relation_code(after, beliefs.pairs[k, 0], beliefs.pairs[k, 1])
        if new != beliefs.relations[k]:
            gain += beliefs.log_weights[k, new] - beliefs.log_weights[k, beliefs.relations[k]]
    return gain
