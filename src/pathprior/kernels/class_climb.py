"""Search over equivalence classes in three stages: climb, walk, and attach nodes anew.

1. Climb: take the best move until none gains.
2. Walk, if ``options.tabu`` is positive: take the best move even if it loses; a moved edge rests
   for ``tabu`` steps; end after twice as many steps without a new best class.
3. Attach anew: take all edges off one node, climb again, and keep the result if it is better. Go
   round the nodes until none of them leads to anything better.

The log holds the steps that led to the best class; what came to nothing is struck out.
"""

import numpy as np
from numba import njit

from pathprior.kernels.ancestors import ONE, clear_bit, has_bit
from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.choose import NEVER
from pathprior.kernels.class_choose import find_move, settle
from pathprior.kernels.class_gains import class_score, fill_row, toggle_gain
from pathprior.kernels.class_state import (
    BEST_LOGGED,
    BEST_STEP,
    LOGGED,
    NODE,
    NUM_MOVES,
    NUM_VAIN,
    STAGE,
    STEPS,
    ClassClimb,
    ClassOptions,
    enter_class,
)
from pathprior.kernels.climb import FINISHED, PAUSED
from pathprior.kernels.climb_state import DATA, PRIOR, Problem
from pathprior.kernels.graph_state import REMOVE
from pathprior.kernels.inner import inner

START, CLIMB, WALK, ATTACH = 0, 1, 2, 3


@inner
def log_step(
    climb: ClassClimb, move: int, x: int, y: int, data_gain: float, prior_gain: float
) -> None:
    """Note a step; the totals are up to the caller."""
    entry = climb.log[climb.counters[LOGGED]]
    entry[0], entry[1], entry[2], entry[3], entry[4] = move, x, y, data_gain, prior_gain
    climb.counters[LOGGED] += 1


@inner
def take_found(problem: Problem, climb: ClassClimb) -> None:
    """Go to the class that `find_move` found."""
    record, step = climb.record, climb.counters[STEPS]
    x, y = int(record[1]), int(record[2])
    log_step(climb, int(record[0]), x, y, record[3], record[4])
    climb.graph.parents[:] = climb.found.parents
    climb.totals[DATA] += record[3]
    enter_class(climb, problem.beliefs)
    climb.last_moved[x, y] = step
    climb.last_moved[y, x] = step
    climb.counters[STEPS] = step + 1


@inner
def keep_best(climb: ClassClimb, tolerance: float) -> bool:
    """Remember the class if it is the best so far; return whether it is."""
    if climb.totals.sum() <= climb.best_totals.sum() + tolerance:
        return False
    climb.best_totals[:] = climb.totals
    climb.best_parents[:] = climb.graph.parents
    climb.counters[BEST_STEP] = climb.counters[STEPS]
    climb.counters[BEST_LOGGED] = climb.counters[LOGGED]
    return True


@inner
def return_to_best(problem: Problem, climb: ClassClimb) -> None:
    """Go back to the best class so far and strike out the steps since."""
    if climb.counters[LOGGED] != climb.counters[BEST_LOGGED]:
        climb.counters[LOGGED] = climb.counters[BEST_LOGGED]
        climb.graph.parents[:] = climb.best_parents
        climb.totals[DATA] = climb.best_totals[DATA]
        enter_class(climb, problem.beliefs)


@inner
def detach(problem: Problem, options: ClassOptions, climb: ClassClimb, v: int) -> bool:
    """Take all edges off v that are not required; False if there are none or beliefs forbid it."""
    parents = climb.trial.graph.parents
    parents[:] = climb.graph.parents
    num_nodes, num_words = parents.shape
    logged = climb.counters[LOGGED]
    data_gain = 0.0
    for block in range(num_words):
        word = parents[v, block] & ~climb.must_join[v, block]
        while word != 0:
            u = (block << 6) + lowest_bit(word)
            word &= word - ONE
            gain = toggle_gain(problem, climb, v, u, parents[v])
            clear_bit(parents[v], u)
            log_step(climb, REMOVE, u, v, gain, 0.0)
            data_gain += gain
    for y in range(num_nodes):
        if has_bit(parents[y], v) and not has_bit(climb.must_join[v], y):
            gain = toggle_gain(problem, climb, y, v, parents[y])
            clear_bit(parents[y], v)
            log_step(climb, REMOVE, v, y, gain, 0.0)
            data_gain += gain
    prior = -np.inf
    if climb.counters[LOGGED] > logged:
        prior = settle(problem, options, climb)
    if prior == -np.inf:
        climb.counters[LOGGED] = logged
        return False
    climb.log[climb.counters[LOGGED] - 1, 4] = prior - climb.totals[PRIOR]
    climb.counters[STEPS] += climb.counters[LOGGED] - logged
    climb.graph.parents[:] = parents
    climb.totals[DATA] += data_gain
    enter_class(climb, problem.beliefs)
    return True


@inner
def next_stage(problem: Problem, options: ClassOptions, climb: ClassClimb) -> bool:
    """Go on from a class that no move improves; False if there is nothing left to try."""
    counters, num_nodes = climb.counters, climb.graph.parents.shape[0]
    is_better = keep_best(climb, options.tolerance)
    if counters[STAGE] == CLIMB and options.tabu > 0:
        counters[STAGE] = WALK
        climb.last_moved[:] = -NEVER  # the walk forgets how the climb went
        climb.is_unranked[:] = True
        return True
    return_to_best(problem, climb)
    climb.is_unranked[:] = True
    if counters[STAGE] != ATTACH:
        counters[STAGE] = ATTACH
        counters[NUM_VAIN] = 0
    elif is_better:
        counters[NUM_VAIN] = 0
    else:
        counters[NUM_VAIN] += 1
    while counters[NUM_VAIN] < num_nodes:
        v = counters[NODE]
        counters[NODE] = (v + 1) % num_nodes
        if detach(problem, options, climb, v):
            return True
        counters[NUM_VAIN] += 1
    return False


@njit(cache=True, nogil=True)
def run_class_climb(
    problem: Problem, options: ClassOptions, climb: ClassClimb, max_cost: int
) -> int:
    """Search until nothing is left to try, or pause after so much counting or when the log is full.

    Returns `PAUSED` or `FINISHED`; then the best class is the present one.
    """
    num_nodes = climb.graph.parents.shape[0]
    counters = climb.counters
    climb.cost[0] = 0
    if counters[STAGE] == START:
        climb.trial.graph.parents[:] = climb.graph.parents
        settle(problem, options, climb)
        climb.graph.parents[:] = climb.trial.graph.parents
        enter_class(climb, problem.beliefs)
        climb.totals[DATA] = class_score(problem, climb)
        climb.best_totals[:] = climb.totals
        climb.best_parents[:] = climb.graph.parents
        climb.is_stale[:] = True
        counters[STAGE] = CLIMB
        return PAUSED
    while True:
        for move in range(NUM_MOVES):
            for y in range(num_nodes):
                if climb.is_stale[move, y]:
                    if climb.cost[0] > max_cost:
                        return PAUSED
                    fill_row(problem, climb, move, y)
                    climb.is_stale[move, y] = False
                    climb.is_unranked[move, y] = True
        if climb.cost[0] > max_cost or counters[LOGGED] + num_nodes > climb.log.shape[0]:
            return PAUSED
        least, first_tabu = options.tolerance, NEVER
        is_over = False
        if counters[STAGE] == WALK:
            least, first_tabu = -np.inf, counters[STEPS] - options.tabu
            climb.is_unranked[:] = True
            is_over = counters[STEPS] - counters[BEST_STEP] >= 2 * options.tabu
        if not is_over and find_move(problem, options, climb, least, first_tabu):
            take_found(problem, climb)
            if counters[STAGE] == WALK:
                keep_best(climb, options.tolerance)
        elif not next_stage(problem, options, climb):
            return FINISHED
