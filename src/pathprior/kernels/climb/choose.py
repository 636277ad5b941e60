"""The best moves of a step: every legal insertion, removal and reversal, compared lazily.

A row is the set of insertions into one child. Its best data gain is kept between steps; the prior
gains of a row are computed only where the data gain plus a bound on them can still win.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.climb.prior_gains import (
    Beliefs,
    bound_gains,
    change_gain,
    insertion_gain,
    list_touched,
)
from pathprior.kernels.graph.ancestors import ONE, has_bit
from pathprior.kernels.graph.cpdag import topological_order
from pathprior.kernels.graph.graph_state import INSERT, REMOVE, REVERSE, Graph, Limits, can_reverse
from pathprior.kernels.inner import inner, pasted


class Moves(NamedTuple):
    """State of the comparison."""

    scores: NDArray[np.float64]  # scores[v, u]: v's family with u toggled; scores[v, v] as it is
    best: NDArray[np.float64]  # best data gain of a legal insertion into v
    best_parent: NDArray[np.int64]
    is_stale: NDArray[np.bool_]  # whether `best` must be looked up again
    insert_bound: NDArray[np.float64]  # most the prior can gain by an insertion into v
    change_bound: NDArray[np.float64]  # the same for a move of any kind that v is above
    tied: NDArray[np.float64]  # move, u, v, data gain, prior gain of the moves that tie for best
    turn: NDArray[np.float64]  # the same of the best turn
    last_moved: NDArray[np.int64]  # step at which the edge between u and v last moved


class Terms(NamedTuple):
    """What a move must meet."""

    threshold: float  # it must gain more than this
    tolerance: float  # gains closer than this are equal
    first_tabu: int  # edges moved at this step or later rest
    escape: float  # unless they gain more than this


NEVER = 1 << 62
"""A first tabu step that is never reached."""


@inner
def best_in_row(graph: Graph, moves: Moves, v: int) -> None:
    """Look up the best legal insertion into ``v`` by data gain, tabu or not."""
    best, best_parent = -np.inf, -1
    block, shift = v >> 6, np.uint64(v & 63)
    row = moves.scores[v]
    for u in range(row.shape[0]):
        if (
            row[u] > best
            and u != v
            and (graph.ancestors[u, block] >> shift) & ONE == 0
            and not has_bit(graph.parents[v], u)
        ):
            best, best_parent = row[u], u
    moves.best[v] = best - row[v]
    moves.best_parent[v] = best_parent
    moves.is_stale[v] = False


@inner
def offer(
    moves: Moves, terms: Terms, num_tied: int, top: float,
    move: int, u: int, v: int, data_gain: float, prior_gain: float,
) -> tuple[int, float]:  # fmt: skip
    """Put a move on the list of ties if it belongs there; return the list's length and its top."""
    total = data_gain + prior_gain
    if total < top - terms.tolerance or total == -np.inf:
        return num_tied, top
    if moves.last_moved[v, u] >= terms.first_tabu and total <= terms.escape:
        return num_tied, top
    if total > top + terms.tolerance:
        num_tied = 0
    if num_tied < moves.tied.shape[0]:
        tied = moves.tied[num_tied]
        tied[0], tied[1], tied[2], tied[3], tied[4] = move, u, v, data_gain, prior_gain
        num_tied += 1
    return num_tied, max(top, total)


@inner
def offer_row(
    graph: Graph, beliefs: Beliefs, moves: Moves, v: int, terms: Terms,
    num_tied: int, top: float,
) -> tuple[int, float]:  # fmt: skip
    """Offer every legal insertion into ``v``."""
    num_touched = list_touched(beliefs, graph.ancestors, v)
    row = moves.scores[v]
    least = top - terms.tolerance - moves.insert_bound[v] + row[v]
    for u in range(row.shape[0]):
        if (
            row[u] >= least
            and u != v
            and not has_bit(graph.ancestors[u], v)
            and not has_bit(graph.parents[v], u)
        ):
            gain = insertion_gain(beliefs, graph.ancestors, num_touched, u, v)
            num_tied, top = offer(moves, terms, num_tied, top, INSERT, u, v, row[u] - row[v], gain)
            least = top - terms.tolerance - moves.insert_bound[v] + row[v]
    return num_tied, top


@inner
def offer_edges(
    graph: Graph, limits: Limits, beliefs: Beliefs, moves: Moves, v: int, terms: Terms,
    num_tied: int, top: float,
) -> tuple[int, float]:  # fmt: skip
    """Offer every legal removal and reversal of an edge into ``v``."""
    scores = moves.scores
    has_beliefs = beliefs.pairs.shape[0] > 0
    for block in range(graph.parents.shape[1]):
        word = graph.parents[v, block] & ~limits.required[v, block]
        while word != 0:
            u = (block << 6) + lowest_bit(word)
            word &= word - ONE
            data_gain = scores[v, u] - scores[v, v]
            if data_gain + moves.change_bound[v] >= top - terms.tolerance:
                gain = change_gain(beliefs, graph, REMOVE, u, v) if has_beliefs else 0.0
                num_tied, top = offer(moves, terms, num_tied, top, REMOVE, u, v, data_gain, gain)
            data_gain += scores[u, v] - scores[u, u]
            if data_gain + moves.change_bound[u] >= top - terms.tolerance and can_reverse(
                graph, limits, u, v
            ):
                gain = change_gain(beliefs, graph, REVERSE, u, v) if has_beliefs else 0.0
                num_tied, top = offer(moves, terms, num_tied, top, REVERSE, u, v, data_gain, gain)
    return num_tied, top


@pasted
def best_moves(
    graph: Graph, limits: Limits, beliefs: Beliefs, moves: Moves,
    terms: Terms,
) -> int:  # fmt: skip
    """List the moves whose total gain exceeds the threshold and ties for best; return how many."""
    num_nodes = graph.parents.shape[0]
    leader = 0
    for v in range(num_nodes):
        u = moves.best_parent[v]
        if moves.is_stale[v] or (u >= 0 and has_bit(graph.ancestors[u], v)):
            best_in_row(graph, moves, v)
        if moves.best[v] > moves.best[leader]:
            leader = v
    bound_gains(beliefs, graph.ancestors, moves.insert_bound, moves.change_bound)
    # The threshold itself must be exceeded: start as if a move of that gain were on the list.
    num_tied, top = 0, terms.threshold + 2.0 * terms.tolerance
    if moves.best[leader] > -np.inf:
        num_tied, top = offer_row(graph, beliefs, moves, leader, terms, num_tied, top)
    for v in range(num_nodes):
        if v != leader and moves.best[v] + moves.insert_bound[v] >= top - terms.tolerance:
            num_tied, top = offer_row(graph, beliefs, moves, v, terms, num_tied, top)
    if beliefs.pairs.shape[0] > 0:
        topological_order(graph.parents, beliefs.order)
    for v in range(num_nodes):
        num_tied, top = offer_edges(graph, limits, beliefs, moves, v, terms, num_tied, top)
    kept = 0
    for i in range(num_tied):
        if moves.tied[i, 3] + moves.tied[i, 4] >= top - terms.tolerance:
            moves.tied[kept] = moves.tied[i]
            kept += 1
    return kept
