"""The best moves of a step: every legal insertion, removal and reversal, compared lazily.

A row is the set of insertions into one child. Its best data gain is kept between steps; the prior
gains of a row are computed only where the data gain plus a bound on them can still win.
"""

from typing import Any, NamedTuple

import numpy as np

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.climb.state import Climb, ClimbProblem, Moves
from pathprior.kernels.graph.ancestors import ONE, has_bit, set_size
from pathprior.kernels.graph.cpdag import topological_order
from pathprior.kernels.graph.graph_state import Graph, can_reverse
from pathprior.kernels.inner import inner, pasted
from pathprior.kernels.prior.moves import (
    bound_gains,
    change_gain,
    insertion_gain,
    list_touched,
)
from pathprior.kernels.records import Records
from pathprior.kernels.steps import INSERT, REMOVE, REVERSE


class Terms(NamedTuple):
    """What a move must meet."""

    threshold: float  # it must gain more than this
    tolerance: float  # gains closer than this are equal
    first_tabu: int  # edges moved at this step or later rest
    escape: float  # unless they gain more than this


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
    tied: Records, moves: Moves, terms: Terms, num_tied: int, top: float,
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
    if num_tied < tied.shape[0]:
        step = tied[num_tied]
        step.move, step.x, step.y = move, u, v
        step.data_gain, step.prior_gain = data_gain, prior_gain
        num_tied += 1
    return num_tied, max(top, total)


@inner
def offer_row(
    problem: ClimbProblem, climb: Climb, v: int, terms: Terms, num_tied: int, top: float
) -> tuple[int, float]:
    """Offer every legal insertion into ``v``."""
    graph, moves, scratch, prior = climb.graph, climb.moves, climb.scratch, problem.prior
    num_touched = list_touched(prior, climb.codes, graph.ancestors, v, scratch.prior.touched)
    touched = scratch.prior.touched[:num_touched]
    row = moves.scores[v]
    least = top - terms.tolerance - scratch.insert_bound[v] + row[v]
    for u in range(row.shape[0]):
        if (
            row[u] >= least
            and u != v
            and not has_bit(graph.ancestors[u], v)
            and not has_bit(graph.parents[v], u)
        ):
            gain = insertion_gain(prior, climb.codes, graph, touched, u, v)
            num_tied, top = offer(
                scratch.tied, moves, terms, num_tied, top, INSERT, u, v, row[u] - row[v], gain
            )
            least = top - terms.tolerance - scratch.insert_bound[v] + row[v]
    return num_tied, top


@inner
def offer_edges(
    problem: ClimbProblem, climb: Climb, v: int, terms: Terms, num_tied: int, top: float
) -> tuple[int, float]:
    """Offer every legal removal and reversal of an edge into ``v``."""
    graph, moves, scratch = climb.graph, climb.moves, climb.scratch
    prior, limits, scores = problem.prior, problem.limits, moves.scores
    has_beliefs = prior.pairs.shape[0] > 0
    for block in range(graph.parents.shape[1]):
        word = graph.parents[v, block] & ~limits.required[v, block]
        while word != 0:
            u = (block << 6) + lowest_bit(word)
            word &= word - ONE
            data_gain = scores[v, u] - scores[v, v]
            if data_gain + scratch.change_bound[v] >= top - terms.tolerance:
                gain = 0.0
                if has_beliefs:
                    gain = change_gain(prior, climb.codes, graph, scratch.prior, REMOVE, u, v)
                num_tied, top = offer(
                    scratch.tied, moves, terms, num_tied, top, REMOVE, u, v, data_gain, gain
                )
            data_gain += scores[u, v] - scores[u, u]
            if data_gain + scratch.change_bound[u] >= top - terms.tolerance and can_reverse(
                graph, limits, u, v
            ):
                gain = 0.0
                if has_beliefs:
                    gain = change_gain(prior, climb.codes, graph, scratch.prior, REVERSE, u, v)
                num_tied, top = offer(
                    scratch.tied, moves, terms, num_tied, top, REVERSE, u, v, data_gain, gain
                )
    return num_tied, top


@pasted
def best_moves(problem: ClimbProblem, climb: Climb, terms: Terms) -> int:
    """List the moves whose total gain exceeds the threshold and ties for best; return how many."""
    graph, moves, scratch, prior = climb.graph, climb.moves, climb.scratch, problem.prior
    num_nodes = graph.parents.shape[0]
    leader: Any = np.int64(0)  # not a literal, for which numba would compile the callees again
    for v in range(num_nodes):
        u = moves.best_parent[v]
        if moves.is_stale[v] or (u >= 0 and has_bit(graph.ancestors[u], v)):
            best_in_row(graph, moves, v)
        if moves.best[v] > moves.best[leader]:
            leader = v
    bound_gains(prior, climb.codes, graph.ancestors, scratch.insert_bound, scratch.change_bound)
    # The threshold itself must be exceeded: start as if a move of that gain were on the list.
    num_tied, top = np.int64(0), terms.threshold + 2.0 * terms.tolerance
    if moves.best[leader] > -np.inf:
        num_tied, top = offer_row(problem, climb, leader, terms, num_tied, top)
    for v in range(num_nodes):
        if v != leader and moves.best[v] + scratch.insert_bound[v] >= top - terms.tolerance:
            num_tied, top = offer_row(problem, climb, v, terms, num_tied, top)
    if prior.pairs.shape[0] > 0:
        topological_order(graph.parents, scratch.prior.order)
    for v in range(num_nodes):
        if set_size(graph.parents[v]) > 0:  # the call itself takes longer than most answers
            num_tied, top = offer_edges(problem, climb, v, terms, num_tied, top)
    kept: Any = np.int64(0)
    for i in range(num_tied):
        if scratch.tied[i].data_gain + scratch.tied[i].prior_gain >= top - terms.tolerance:
            scratch.tied[kept] = scratch.tied[i]
            kept += 1
    return kept
