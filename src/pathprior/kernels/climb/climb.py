"""Steepest ascent over DAGs: rescore the changed children, take the best move, repeat."""

import numpy as np

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.climb.choose import Terms, best_moves
from pathprior.kernels.climb.plateau import best_turn, prefer_collider
from pathprior.kernels.climb.state import Climb, ClimbProblem, Options, fill_scores
from pathprior.kernels.data.columns import READY, Columns
from pathprior.kernels.graph.ancestors import ONE, copy_words
from pathprior.kernels.graph.graph_state import apply_move
from pathprior.kernels.graph.swap import CHANGED, TRUNCATED, swap_equivalent
from pathprior.kernels.inner import allocating, entry, pasted
from pathprior.kernels.prior.graph_prior import read_pairs
from pathprior.kernels.steps import (
    FINISHED,
    INSERT,
    NEEDS_SCORES,
    NEVER,
    PAUSED,
    REVERSE,
    STARTED,
    SWAP,
)


@pasted
def take_move(problem: ClimbProblem, climb: Climb, which: int) -> None:
    """Apply the listed move, log it and mark what it touches."""
    graph, moves, tally = climb.graph, climb.moves, climb.tally
    step = climb.scratch.tied[which]
    u, v = step.x, step.y
    apply_move(graph, step.move, u, v)
    moves.is_dirty[v] = True
    if step.move == REVERSE:
        moves.is_dirty[u] = True
    if step.move != INSERT:
        moves.is_stale[:] = True  # insertions that would have closed a cycle may be legal again
    moves.last_moved[u, v] = tally.num_steps
    moves.last_moved[v, u] = tally.num_steps
    tally.num_steps += 1
    climb.log[tally.num_logged] = step
    tally.num_logged += 1
    tally.data_score += step.data_gain
    tally.prior_score += step.prior_gain
    read_pairs(problem.prior, graph, climb.codes)


@allocating
def take_swap(problem: ClimbProblem, climb: Climb, budget: int) -> None:
    """Go to the best equivalent graph; log each edge it turned, the gain with the first."""
    graph, tally, prior = climb.graph, climb.tally, problem.prior
    before = graph.parents.copy()
    num_nodes, num_words = before.shape
    status = swap_equivalent(graph, prior, problem.limits.forbidden, problem.cut, budget)
    if status & TRUNCATED:
        tally.num_truncated += 1
    if not status & CHANGED:
        return
    gain = read_pairs(prior, graph, climb.codes) - tally.prior_score
    tally.prior_score += gain
    climb.moves.is_stale[:] = True
    for v in range(num_nodes):
        for block in range(num_words):
            climb.moves.is_dirty[v] |= graph.parents[v, block] != before[v, block]
            word = graph.parents[v, block] & ~before[v, block]
            while word != 0:
                step = climb.log[tally.num_logged]
                step.move, step.x, step.y = SWAP, (block << 6) + lowest_bit(word), v
                step.data_gain, step.prior_gain = 0.0, gain
                gain = 0.0
                tally.num_logged += 1
                word &= word - ONE


@pasted
def keep_best(climb: Climb, tolerance: float) -> None:
    """Remember the graph if it is the best so far."""
    tally = climb.tally
    if (
        tally.data_score + tally.prior_score
        > tally.best_data_score + tally.best_prior_score + tolerance
    ):
        tally.best_data_score, tally.best_prior_score = tally.data_score, tally.prior_score
        copy_words(climb.graph.parents, climb.best_parents)
        tally.best_step = tally.num_steps


@entry
def run_climb(
    columns: Columns, problem: ClimbProblem, options: Options, climb: Climb, max_work: int
) -> int:
    """Climb until no move gains, or return early to be called again.

    Returns `STARTED` once the start is scored, `PAUSED` after so much work or when the log is full,
    `NEEDS_SCORES` where the driver must fill the column ``tally.entry`` and make that `READY`, or
    `FINISHED`. A step for which a column was missing is looked for anew.
    """
    tally = climb.tally
    tally.work = 0
    num_nodes = climb.graph.parents.shape[0]
    while True:
        for v in range(num_nodes):
            if climb.moves.is_dirty[v]:
                if tally.work > max_work:
                    return PAUSED
                if not fill_scores(columns, climb, v):
                    return NEEDS_SCORES
        if not tally.is_started:
            tally.is_started = True
            return STARTED
        if tally.num_logged + num_nodes * num_nodes >= len(climb.log):
            return PAUSED
        terms = Terms(0.0, options.tolerance, NEVER, 0.0)
        if options.tabu > 0:
            if tally.num_steps - tally.best_step >= options.tabu:
                return FINISHED
            first_tabu = tally.num_steps - options.tabu
            to_best = (tally.best_data_score + tally.best_prior_score) - (
                tally.data_score + tally.prior_score
            )
            terms = Terms(-np.inf, options.tolerance, first_tabu, to_best + options.tolerance)
        num_tied = best_moves(problem, climb, terms)
        which = 0
        is_turn = False
        if num_tied > 1:
            which = prefer_collider(columns, climb, num_tied, options.tolerance)
        elif num_tied == 0:
            is_turn = options.is_turning and best_turn(columns, problem, climb, options.tolerance)
        if tally.entry != READY:
            return NEEDS_SCORES
        if num_tied == 0 and not is_turn:
            return FINISHED
        take_move(problem, climb, which)
        if options.swap_budget > 0 and not is_turn:
            take_swap(problem, climb, options.swap_budget)
        keep_best(climb, options.tolerance)
