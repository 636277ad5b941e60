"""Steepest ascent over DAGs: rescore the changed children, take the best move, repeat."""

import numpy as np
from numba import njit

from pathprior.kernels.climb.choose import NEVER, Terms, best_moves
from pathprior.kernels.climb.plateau import best_turn, prefer_collider
from pathprior.kernels.climb.prior_gains import read_relations
from pathprior.kernels.climb.state import (
    BEST_STEP,
    DATA,
    PRIOR,
    STEPS,
    TRUNCATIONS,
    Climb,
    Options,
    Problem,
    fill_scores,
)
from pathprior.kernels.graph.graph_state import INSERT, REVERSE, SWAP, apply_move, list_parents
from pathprior.kernels.graph.swap import CHANGED, TRUNCATED, swap_equivalent
from pathprior.kernels.inner import pasted

PAUSED, NEEDS_SCORES, FINISHED = 0, 1, 2


@pasted
def take_move(problem: Problem, climb: Climb, which: int, num_logged: int) -> int:
    """Apply the listed move, log it and mark what it touches; return the log's new length."""
    graph, moves = climb.graph, climb.moves
    record = moves.tied[which]
    move, u, v = int(record[0]), int(record[1]), int(record[2])
    apply_move(graph, move, u, v)
    climb.is_dirty[v] = True
    if move == REVERSE:
        climb.is_dirty[u] = True
    if move != INSERT:
        moves.is_stale[:] = True  # insertions that would have closed a cycle may be legal again
    step = climb.counters[STEPS]
    moves.last_moved[u, v] = step
    moves.last_moved[v, u] = step
    climb.counters[STEPS] = step + 1
    climb.log[num_logged] = record
    climb.totals[DATA] += record[3]
    climb.totals[PRIOR] += record[4]
    read_relations(problem.beliefs, graph.ancestors)
    return num_logged + 1


@pasted
def take_swap(problem: Problem, climb: Climb, budget: int, num_logged: int) -> int:
    """Go to the best equivalent graph; log each edge it turned, the gain with the first."""
    graph, limits, beliefs = climb.graph, problem.limits, problem.beliefs
    before = graph.parents.copy()
    status = swap_equivalent(
        graph.parents, graph.ancestors, beliefs.pairs, beliefs.log_weights,
        limits.forbidden, budget,
    )  # fmt: skip
    if status & TRUNCATED:
        climb.counters[TRUNCATIONS] += 1
    if not status & CHANGED:
        return num_logged
    gain = read_relations(beliefs, graph.ancestors) - climb.totals[PRIOR]
    climb.totals[PRIOR] += gain
    climb.moves.is_stale[:] = True
    members = np.empty(graph.parents.shape[0], np.int64)
    for v in range(graph.parents.shape[0]):
        climb.is_dirty[v] |= np.any(graph.parents[v] != before[v])
        for i in range(list_parents(graph.parents[v] & ~before[v], members)):
            record = climb.log[num_logged]
            record[0], record[1], record[2], record[3], record[4] = SWAP, members[i], v, 0.0, gain
            gain = 0.0
            num_logged += 1
    return num_logged


@njit(cache=True, nogil=True)
def run_climb(
    problem: Problem, options: Options, climb: Climb, max_steps: int, max_work: int
) -> tuple[int, int]:
    """Climb until no move gains, or pause after so many steps or so much counting.

    Returns the state, `PAUSED`, `NEEDS_SCORES` (dirty children wait for the caller) or `FINISHED`,
    and how many log entries were written.
    """
    num_nodes = climb.graph.parents.shape[0]
    num_logged = 0
    done = 0
    while True:
        for v in range(num_nodes):
            if climb.is_dirty[v]:
                if options.is_external:
                    return NEEDS_SCORES, num_logged
                if max_work <= 0:
                    return PAUSED, num_logged
                max_work -= fill_scores(problem, climb, v)
        if done == max_steps or num_logged + num_nodes * num_nodes >= climb.log.shape[0]:
            return PAUSED, num_logged
        done += 1
        terms = Terms(0.0, options.tolerance, NEVER, 0.0)
        if options.tabu > 0:
            if climb.counters[STEPS] - climb.counters[BEST_STEP] >= options.tabu:
                return FINISHED, num_logged
            first_tabu = climb.counters[STEPS] - options.tabu
            to_best = climb.best_totals.sum() - climb.totals.sum()
            terms = Terms(-np.inf, options.tolerance, first_tabu, to_best + options.tolerance)
        num_tied = best_moves(climb.graph, problem.limits, problem.beliefs, climb.moves, terms)
        which = 0
        is_turn = False
        if num_tied > 1:
            which = prefer_collider(
                problem, climb, num_tied, options.tolerance, options.is_external
            )
        elif num_tied == 0:
            is_turn = options.is_turning and best_turn(problem, climb, options.tolerance)
            if not is_turn:
                return FINISHED, num_logged
        num_logged = take_move(problem, climb, which, num_logged)
        if options.swap_budget > 0 and not is_turn:
            num_logged = take_swap(problem, climb, options.swap_budget, num_logged)
        total = climb.totals[DATA] + climb.totals[PRIOR]
        if total > climb.best_totals[DATA] + climb.best_totals[PRIOR] + options.tolerance:
            climb.best_totals[:] = climb.totals
            climb.best_parents[:] = climb.graph.parents
            climb.counters[BEST_STEP] = climb.counters[STEPS]
