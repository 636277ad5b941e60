"""Where one step ahead says nothing: ties between moves, and local optima on a plateau.

A score-equivalent score cannot tell u → v from v → u while the two families are otherwise alike,
and a strict ascent that takes either lives with the choice. Two rules look one step further.
"""

import numpy as np

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.climb.choose import NEVER, Terms, offer_edges, offer_row
from pathprior.kernels.climb.prior_gains import bound_gains, change_gain, read_relations
from pathprior.kernels.climb.state import Climb, Problem, find_scores
from pathprior.kernels.graph.ancestors import ONE, Words, has_bit, set_bit
from pathprior.kernels.graph.cpdag import topological_order
from pathprior.kernels.graph.graph_state import INSERT, REVERSE, apply_move
from pathprior.kernels.inner import inner, pasted


@pasted
def prefer_collider(
    problem: Problem, climb: Climb, num_tied: int, tolerance: float, is_external: bool
) -> int:
    """Choose among tied moves the insertion with the strongest sign of a collider at its child.

    The sign of u → v is how much more a third variable w gains as a parent of v next to u than
    without u, at most over w:

      max_w [ gain(w → v | u) − max(0, gain(w → v)) ].

    Two causes of v raise each other's gain; in a chain or fork through u or v they lower it. What
    still ties goes by parent, then child. Scores that the caller fills know no next step, there
    only the order decides.
    """
    moves = climb.moves
    signs = np.full(num_tied, -np.inf)
    if not is_external:
        for i in range(num_tied):
            if moves.tied[i, 0] == INSERT:
                signs[i] = collider_sign(
                    problem, climb, int(moves.tied[i, 1]), int(moves.tied[i, 2])
                )
    least = signs.max() - tolerance
    chosen = -1
    for i in range(num_tied):
        if signs[i] >= least and (
            chosen < 0
            or moves.tied[i, 1] < moves.tied[chosen, 1]
            or (
                moves.tied[i, 1] == moves.tied[chosen, 1]
                and moves.tied[i, 2] < moves.tied[chosen, 2]
            )
        ):
            chosen = i
    return chosen


@pasted
def collider_sign(problem: Problem, climb: Climb, u: int, v: int) -> float:
    """How much more some w gains as a parent of v next to u than without u, at most over w."""
    graph, scores = climb.graph, climb.moves.scores[v]
    wider = graph.parents[v].copy()
    set_bit(wider, u)
    entry, _ = find_scores(problem, climb, v, wider)
    next_scores = climb.cache.scores[entry]
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
def gain_after(problem: Problem, climb: Climb, u: int, v: int, least: float) -> float:
    """The best gain of a move on an edge into u or v once u → v is turned; −∞ if not ≥ least."""
    graph, moves, beliefs = climb.graph, climb.moves, problem.beliefs
    ends = np.array([u, v])
    saved = np.empty((2, graph.parents.shape[0]))
    apply_move(graph, REVERSE, u, v)
    read_relations(beliefs, graph.ancestors)
    bound_gains(beliefs, graph.ancestors, moves.insert_bound, moves.change_bound)
    topological_order(graph.parents, beliefs.order)
    for i in range(2):
        x = ends[i]
        saved[i] = moves.scores[x]
        entry, _ = find_scores(problem, climb, x, graph.parents[x])
        moves.scores[x] = climb.cache.scores[entry]
    terms = Terms(least, 0.0, NEVER, 0.0)
    num_tied, top = 0, least
    for x in ends:
        num_tied, top = offer_row(graph, beliefs, moves, x, terms, num_tied, top)
        num_tied, top = offer_edges(graph, problem.limits, beliefs, moves, x, terms, num_tied, top)
    for i in range(2):
        moves.scores[ends[i]] = saved[i]
    apply_move(graph, REVERSE, v, u)
    read_relations(beliefs, graph.ancestors)
    topological_order(graph.parents, beliefs.order)
    return top if num_tied > 0 else -np.inf


@pasted
def best_turn(problem: Problem, climb: Climb, tolerance: float) -> bool:
    """Find the covered edge whose reversal opens the best gain and list it as the only tie.

    Its own gain is nothing for a score-equivalent score without beliefs. What counts is that gain
    plus the best insertion, removal or reversal of an edge into one of the two ends after it;
    False if no such pair of moves gains together.
    """
    graph, moves, beliefs, limits = climb.graph, climb.moves, problem.beliefs, problem.limits
    num_nodes, num_words = graph.parents.shape
    topological_order(graph.parents, beliefs.order)
    best_total = 0.0
    is_found = False
    for v in range(num_nodes):
        for block in range(num_words):
            word = graph.parents[v, block] & ~limits.required[v, block]
            while word != 0:
                u = (block << 6) + lowest_bit(word)
                word &= word - ONE
                if has_bit(limits.forbidden[u], v) or not is_covered(graph.parents, u, v):
                    continue
                data_gain = moves.scores[v, u] - moves.scores[v, v]
                data_gain += moves.scores[u, v] - moves.scores[u, u]
                prior_gain = change_gain(beliefs, graph, REVERSE, u, v)
                if prior_gain == -np.inf:
                    continue
                gain = data_gain + prior_gain
                total = gain + gain_after(problem, climb, u, v, best_total - gain + 2.0 * tolerance)
                if total > best_total:
                    best_total, is_found = total, True
                    record = moves.turn
                    record[0], record[1], record[2] = REVERSE, u, v
                    record[3], record[4] = data_gain, prior_gain
    moves.tied[0] = moves.turn
    return is_found
