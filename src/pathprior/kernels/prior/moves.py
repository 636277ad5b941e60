"""How a move changes the prior of pairs: exactly, and how much it can at most.

The prior of a graph is Σ_k log_weights[k, tie of pair k]; what an insertion makes of a tie is told
by `tie_after_insertion`. Removing u → v recomputes anc for desc(v) in topological order. A reversal
is a removal, after which desc(u) gains what is left of anc(v).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import ONE, Words, clear_bit, has_bit, set_bit
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.inner import inner
from pathprior.kernels.prior.graph_prior import Codes, GraphPrior, most_of, pair_code
from pathprior.kernels.prior.ties import (
    ABOVE_ENDS,
    ANY_TIE,
    GROWS,
    INTO_X,
    INTO_Y,
    LATER,
    tie_after_insertion,
)
from pathprior.kernels.steps import REVERSE


class PriorScratch(NamedTuple):
    """Room to compute gains in."""

    touched: NDArray[np.int64]  # pairs that an insertion can change
    order: NDArray[np.int64]  # the graph's nodes in topological order
    after: Words  # ancestors after a removal or reversal
    below: Words  # the nodes whose ancestors these may differ for
    codes: Codes  # what the pairs are then


# -- exactly ---------------------------------------------------------------------------------------


@inner
def reread_pairs(
    prior: GraphPrior, graph: Graph, codes: Codes, below: Words, fresh: Codes
) -> float:
    """What the prior gains where ``codes`` were read before parents and ancestors changed.

    They changed at the nodes ``below`` alone; ``fresh`` gets what the graph says of pairs now.
    """
    gain = 0.0
    for k in range(prior.pairs.shape[0]):
        fresh[k] = codes[k]
        x, y = prior.pairs[k, 0], prior.pairs[k, 1]
        if has_bit(below, x) or has_bit(below, y):
            fresh[k] = pair_code(graph, x, y)
            if fresh[k] != codes[k]:
                gain += prior.log_weights[k, fresh[k]] - prior.log_weights[k, codes[k]]
    return gain


@inner
def insertion_gain(
    prior: GraphPrior, codes: Codes, graph: Graph, touched: NDArray[np.int64], u: int, v: int
) -> float:
    """What the prior gains when u → v is inserted; ``touched`` are the pairs of ``v``."""
    gain = 0.0
    for k in touched:
        code = codes[k]
        new = tie_after_insertion(graph, code, prior.pairs[k, 0], prior.pairs[k, 1], u, v)
        if new != code:
            gain += prior.log_weights[k, new] - prior.log_weights[k, code]
    return gain


@inner
def change_gain(
    prior: GraphPrior, codes: Codes, graph: Graph, scratch: PriorScratch, move: int, u: int, v: int
) -> float:
    """What the prior gains when u → v is removed or reversed."""
    parents = graph.parents
    clear_bit(parents[v], u)
    _close_after_removal(graph, scratch, v)
    if move == REVERSE:
        _close_after_insertion(scratch, v, u)
        set_bit(parents[u], v)
    after = Graph(parents, scratch.after)
    gain = reread_pairs(prior, after, codes, scratch.below, scratch.codes)
    if move == REVERSE:
        clear_bit(parents[u], v)
    set_bit(parents[v], u)
    return gain


@inner
def _close_after_removal(graph: Graph, scratch: PriorScratch, v: int) -> None:
    """Ancestors when an edge into v is gone from the parents, but not yet from the ancestors."""
    after, below, ancestors = scratch.after, scratch.below, graph.ancestors
    num_words = ancestors.shape[1]
    for w in range(num_words):
        below[w] = np.uint64(0)
    for x in scratch.order:
        is_below = has_bit(ancestors[x], v)
        for w in range(num_words):
            after[x, w] = np.uint64(0) if is_below else ancestors[x, w]
        if not is_below:
            continue
        set_bit(below, x)
        set_bit(after[x], x)
        for block in range(num_words):
            word = graph.parents[x, block]
            while word != 0:
                p = (block << 6) + lowest_bit(word)
                word &= word - ONE
                for w in range(num_words):
                    after[x, w] |= after[p, w]


@inner
def _close_after_insertion(scratch: PriorScratch, u: int, v: int) -> None:
    """Those ancestors when u → v joins."""
    after = scratch.after
    for x in scratch.order:
        if has_bit(after[x], v):
            set_bit(scratch.below, x)
            for w in range(after.shape[1]):
                after[x, w] |= after[u, w]


# -- at most ---------------------------------------------------------------------------------------


@inner
def bound_gains(
    prior: GraphPrior,
    codes: Codes,
    ancestors: Words,
    insert_bound: NDArray[np.float64],
    change_bound: NDArray[np.float64],
) -> None:
    """Bound the prior gain of inserting an edge into v, and of any move below v, for every v.

    A pair with ends x, y counts for v ∈ anc(x) ∪ anc(y); with what insertions can make of it, and
    where that needs an edge into one end, for that alone.
    """
    insert_bound[:] = 0.0
    change_bound[:] = 0.0
    for k in range(prior.pairs.shape[0]):
        weights, code = prior.log_weights[k], codes[k]
        any_gain = most_of(weights, ANY_TIE) - weights[code]
        if any_gain <= 0.0:
            continue
        x, y = prior.pairs[k, 0], prior.pairs[k, 1]
        later_gain = most_of(weights, LATER[code]) - weights[code]
        insert_gain = later_gain if GROWS[code] == ABOVE_ENDS else 0.0
        if GROWS[code] == INTO_Y:
            insert_bound[y] += later_gain
        elif GROWS[code] == INTO_X:
            insert_bound[x] += later_gain
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
        grows = GROWS[codes[k]]
        if (
            (grows == ABOVE_ENDS and (has_bit(ancestors[x], v) or has_bit(ancestors[y], v)))
            or (grows == INTO_Y and v == y)
            or (grows == INTO_X and v == x)
        ):
            touched[num_touched] = k
            num_touched += 1
    return num_touched
