"""Where one step ahead says nothing: ties between moves, and local optima on a plateau.

A score-equivalent score cannot tell u → v from v → u while the two families are otherwise alike,
and a strict ascent that takes either lives with the choice. Two rules look one step further.
"""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.climb.choose import Terms, offer_edges, offer_row
from pathprior.kernels.climb.state import Climb, ClimbProblem, read_scores
from pathprior.kernels.data.columns import READY, Columns
from pathprior.kernels.graph.ancestors import ONE, Words, clear_bit, has_bit, set_bit
from pathprior.kernels.graph.cpdag import topological_order
from pathprior.kernels.graph.graph_state import apply_move
from pathprior.kernels.inner import allocating, inner, pasted
from pathprior.kernels.prior.graph_prior import read_pairs
from pathprior.kernels.prior.moves import bound_gains, change_gain
from pathprior.kernels.steps import INSERT, NEVER, REVERSE


@allocating
def prefer_collider(columns: Columns, climb: Climb, num_tied: int, tolerance: float) -> int:
    """Choose among tied moves the insertion with the strongest sign of a collider at its child.

    The sign of u → v is how much more a third variable w gains as a parent of v next to u than
    without u, at most over w:

      max_w [ gain(w → v | u) − max(0, gain(w → v)) ].

    Two causes of v raise each other's gain; in a chain or fork through u or v they lower it. What
    still ties goes by parent, then child. Void if a column is missing afterwards.
    """
    tied = climb.scratch.tied
    signs = np.empty(num_tied)
    highest = -np.inf
    for i in range(num_tied):
        signs[i] = -np.inf
        if tied[i].move == INSERT and climb.tally.entry == READY:
            signs[i] = collider_sign(columns, climb, tied[i].x, tied[i].y)
        highest = max(highest, signs[i])
    chosen = -1
    for i in range(num_tied):
        if signs[i] >= highest - tolerance and (
            chosen < 0
            or tied[i].x < tied[chosen].x
            or (tied[i].x == tied[chosen].x and tied[i].y < tied[chosen].y)
        ):
            chosen = i
    return chosen


@pasted
def collider_sign(columns: Columns, climb: Climb, u: int, v: int) -> float:
    """How much more some w gains as a parent of v next to u than without u, at most over w."""
    graph, scores = climb.graph, climb.moves.scores[v]
    wider = graph.parents[v].copy()
    set_bit(wider, u)
    next_scores = np.empty(scores.shape[0])
    if not read_scores(columns, climb.tally, v, wider, next_scores):
        return -np.inf
    sign = -np.inf
    for w in range(scores.shape[0]):
        if w != v and not has_bit(wider, w) and not has_bit(graph.ancestors[w], v):
            sign = max(sign, next_scores[w] - next_scores[v] - max(0.0, scores[w] - scores[v]))
    return sign


@inner
def is_covered(parents: Words, u: int, v: int) -> bool:
    """Whether u → v is covered, pa(v) = pa(u) ∪ {u}: turning it stays in the class."""
    for block in range(parents.shape[1]):
        expected = parents[u, block]
        if block == u >> 6:
            expected |= ONE << np.uint64(u & 63)
        if parents[v, block] != expected:
            return False
    return True


@pasted
def read_turned(
    columns: Columns, climb: Climb, u: int, v: int, turned: NDArray[np.float64]
) -> bool:
    """Read the scores of u and v as they are once u → v is turned; False if one is missing."""
    parents = climb.graph.parents
    family = parents[u].copy()
    set_bit(family, v)
    if not read_scores(columns, climb.tally, u, family, turned[0]):
        return False
    family = parents[v].copy()
    clear_bit(family, u)
    return read_scores(columns, climb.tally, v, family, turned[1])


@inner
def exchange(row: NDArray[np.float64], other: NDArray[np.float64]) -> None:
    """Exchange what two rows hold; ``row[:] = other`` is slow to compile."""
    for i in range(row.shape[0]):
        row[i], other[i] = other[i], row[i]


@allocating
def gain_after(
    columns: Columns, problem: ClimbProblem, climb: Climb, u: int, v: int, least: float
) -> float:
    """The best gain of a move on an edge into u or v once u → v is turned; −∞ if not ≥ least.

    Void if a column is missing afterwards.
    """
    graph, moves, scratch, prior = climb.graph, climb.moves, climb.scratch, problem.prior
    turned = np.empty((2, graph.parents.shape[0]))
    if not read_turned(columns, climb, u, v, turned):
        return -np.inf
    apply_move(graph, REVERSE, u, v)
    read_pairs(prior, graph, climb.codes)
    bound_gains(prior, climb.codes, graph.ancestors, scratch.insert_bound, scratch.change_bound)
    topological_order(graph.parents, scratch.prior.order)
    exchange(moves.scores[u], turned[0])
    exchange(moves.scores[v], turned[1])
    terms = Terms(least, 0.0, NEVER, 0.0)
    num_tied, top = np.int64(0), least
    for x in (u, v):
        num_tied, top = offer_row(problem, climb, x, terms, num_tied, top)
        num_tied, top = offer_edges(problem, climb, x, terms, num_tied, top)
    exchange(moves.scores[u], turned[0])
    exchange(moves.scores[v], turned[1])
    apply_move(graph, REVERSE, v, u)
    read_pairs(prior, graph, climb.codes)
    topological_order(graph.parents, scratch.prior.order)
    return top if num_tied > 0 else -np.inf


@pasted
def best_turn(columns: Columns, problem: ClimbProblem, climb: Climb, tolerance: float) -> bool:
    """Find the covered edge whose reversal opens the best gain and list it as the only tie.

    Its own gain is nothing for a score-equivalent score without beliefs. What counts is that gain
    plus the best insertion, removal or reversal of an edge into one of the two ends after it;
    False if no such pair of moves gains together. Void if a column is missing afterwards.
    """
    graph, scores, scratch = climb.graph, climb.moves.scores, climb.scratch
    prior, limits = problem.prior, problem.limits
    num_nodes, num_words = graph.parents.shape
    topological_order(graph.parents, scratch.prior.order)
    best_total = 0.0
    is_found = False
    for v in range(num_nodes):
        for block in range(num_words):
            word = graph.parents[v, block] & ~limits.required[v, block]
            while word != 0 and climb.tally.entry == READY:
                u = (block << 6) + lowest_bit(word)
                word &= word - ONE
                if has_bit(limits.forbidden[u], v) or not is_covered(graph.parents, u, v):
                    continue
                data_gain = scores[v, u] - scores[v, v]
                data_gain += scores[u, v] - scores[u, u]
                prior_gain = change_gain(prior, climb.codes, graph, scratch.prior, REVERSE, u, v)
                if prior_gain == -np.inf:
                    continue
                gain = data_gain + prior_gain
                total = gain + gain_after(
                    columns, problem, climb, u, v, best_total - gain + 2.0 * tolerance
                )
                if total > best_total:
                    best_total, is_found = total, True
                    turn = scratch.turn[0]
                    turn.move, turn.x, turn.y = REVERSE, u, v
                    turn.data_gain, turn.prior_gain = data_gain, prior_gain
    scratch.tied[0] = scratch.turn[0]
    return is_found
