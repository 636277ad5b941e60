"""How a move changes the prior of pairs: exactly, and how much it can at most.

The prior of a graph is Σ_k log_weights[k, tie of pair k]. Inserting u → v makes
anc'(x) = anc(x) ∪ anc(u) for x in desc(v) and leaves the others, so a pair changes only

- to x ⇒ y if y ∈ desc(v) and x ∈ anc(u), and to x ⇐ y the other way round;
- from ⇎ to ⇔ if one end is in desc(v) and anc(u) meets the ancestors of the other end;
- to x → y if u, v are x, y, and to x ← y the other way round.

Removing u → v recomputes anc for desc(v) in topological order. A reversal is a removal, after
which desc(u) gains what is left of anc(v).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import (
    CAUSED_BY,
    CAUSES,
    CONFOUNDED,
    ONE,
    UNRELATED,
    Words,
    has_bit,
    relation_code,
    set_bit,
)
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.inner import inner
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.kernels.prior.ties import EDGE, EDGE_BACK, tie_code
from pathprior.kernels.steps import REVERSE

Codes = NDArray[np.int64]
"""What the present graph says of each pair."""


class PriorScratch(NamedTuple):
    """Room to compute gains in."""

    touched: NDArray[np.int64]  # pairs that an insertion can change
    order: NDArray[np.int64]  # the graph's nodes in topological order
    after: Words  # ancestors after a removal or reversal


@inner
def bound_gains(
    prior: GraphPrior,
    codes: Codes,
    ancestors: Words,
    insert_bound: NDArray[np.float64],
    change_bound: NDArray[np.float64],
) -> None:
    """Bound the prior gain of inserting an edge into v, and of any move below v, for every v.

    A pair with ends x, y counts for v ∈ anc(x) ∪ anc(y). Insertions only lead ⇎ → ⇔ → ⇒ or ⇐, and
    from a path to the edge if that is what is inserted.
    """
    insert_bound[:] = 0.0
    change_bound[:] = 0.0
    for k in range(prior.pairs.shape[0]):
        weights = prior.log_weights[k]
        now = weights[codes[k]]
        related = max(max(weights[CAUSES], weights[CAUSED_BY]), weights[CONFOUNDED])
        related = max(related, max(weights[EDGE], weights[EDGE_BACK]))
        any_gain = max(related, weights[UNRELATED]) - now
        if any_gain <= 0.0:
            continue
        insert_gain = 0.0
        x, y = prior.pairs[k, 0], prior.pairs[k, 1]
        if codes[k] == CONFOUNDED or codes[k] == UNRELATED:
            insert_gain = max(0.0, related - now)
        elif codes[k] == CAUSES:
            insert_bound[y] += max(0.0, weights[EDGE] - now)
        elif codes[k] == CAUSED_BY:
            insert_bound[x] += max(0.0, weights[EDGE_BACK] - now)
        for block in range(ancestors.shape[1]):
            word = ancestors[x, block] | ancestors[y, block]
            while word != 0:
                v = (block << 6) + lowest_bit(word)
                insert_bound[v] += insert_gain
                change_bound[v] += any_gain
                word &= word - ONE


@inner
def list_touched(
    prior: GraphPrior, codes: Codes, ancestors: Words, v: int, touched: NDArray[np.int64]
) -> int:
    """List the pairs that some insertion into ``v`` can change; return how many."""
    num_touched = 0
    for k in range(prior.pairs.shape[0]):
        x, y = prior.pairs[k, 0], prior.pairs[k, 1]
        is_open = codes[k] == CONFOUNDED or codes[k] == UNRELATED
        if (
            (is_open and (has_bit(ancestors[x], v) or has_bit(ancestors[y], v)))
            or (codes[k] == CAUSES and v == y)
            or (codes[k] == CAUSED_BY and v == x)
        ):
            touched[num_touched] = k
            num_touched += 1
    return num_touched


@inner
def insertion_gain(
    prior: GraphPrior, codes: Codes, ancestors: Words, touched: NDArray[np.int64], u: int, v: int
) -> float:
    """The change of the prior when u → v is inserted; ``touched`` are the pairs of ``v``."""
    gain = 0.0
    for k in touched:
        code, new = codes[k], codes[k]
        x, y = prior.pairs[k, 0], prior.pairs[k, 1]
        if has_bit(ancestors[y], v):
            if has_bit(ancestors[u], x):
                new = CAUSES
            elif code == UNRELATED and relation_code(ancestors, u, x) != UNRELATED:
                new = CONFOUNDED
        if has_bit(ancestors[x], v):
            if has_bit(ancestors[u], y):
                new = CAUSED_BY
            elif code == UNRELATED and relation_code(ancestors, u, y) != UNRELATED:
                new = CONFOUNDED
        if u == x and v == y:
            new = EDGE
        elif u == y and v == x:
            new = EDGE_BACK
        if new != code:
            gain += prior.log_weights[k, new] - prior.log_weights[k, code]
    return gain


@inner
def change_gain(
    prior: GraphPrior, codes: Codes, graph: Graph, scratch: PriorScratch, move: int, u: int, v: int
) -> float:
    """The change of the prior when u → v is removed or reversed."""
    after, ancestors = scratch.after, graph.ancestors
    num_words = ancestors.shape[1]
    for x in scratch.order:
        is_below = has_bit(ancestors[x], v)
        for w in range(num_words):
            after[x, w] = np.uint64(0) if is_below else ancestors[x, w]
        if not is_below:
            continue
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
        for x in scratch.order:
            if has_bit(after[x], u):
                for w in range(num_words):
                    after[x, w] |= after[v, w]
    gain = 0.0
    for k in range(prior.pairs.shape[0]):
        x, y = prior.pairs[k, 0], prior.pairs[k, 1]
        if (x == u and y == v) or (x == v and y == u):
            new = relation_code(after, x, y)
            if move == REVERSE:
                new = EDGE_BACK if x == u else EDGE
        else:
            new = tie_code(graph.parents, after, x, y)
        if new != codes[k]:
            gain += prior.log_weights[k, new] - prior.log_weights[k, codes[k]]
    return gain
