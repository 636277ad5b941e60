"""Search over equivalence classes in three stages: climb, walk, and attach nodes anew.

1. Climb: take the best move until none gains.
2. Walk, if ``tabu`` is positive: take the best move even if it loses; a moved edge rests for
   ``tabu`` steps; end after twice as many steps without a new best class.
3. Attach anew: take all edges off one node, climb again, and keep the result if it is better. Go
   round the nodes until none of them leads to anything better. A climb that comes to a class
   from which one was tried before is over: it would end where that one did.

The log holds the steps that led to the best class; what came to nothing is struck out.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pathprior.kernels.bits import mix
from pathprior.kernels.classes.choose import (
    COUNT,
    DONE,
    WEIGH,
    next_trial,
    offer_trial,
    open_round,
)
from pathprior.kernels.classes.gains import READY, class_score, fill_bounds
from pathprior.kernels.classes.prior import read_prior, settle
from pathprior.kernels.classes.state import (
    ANCESTORS,
    AT_BEST,
    BEST,
    BEST_LOGGED,
    BEST_STEP,
    COST,
    DAG,
    ENTRY,
    FOUND,
    LOGGED,
    MUST_JOIN,
    MUST_PART,
    NODE,
    NOW,
    NUM_VAIN,
    NUM_VISITED,
    SPARE,
    STAGE,
    STEPS,
    TRIAL,
    ClassClimb,
    ClassProblem,
    enter_class,
)
from pathprior.kernels.climb.choose import NEVER
from pathprior.kernels.climb.climb import FINISHED, PAUSED
from pathprior.kernels.climb.state import DATA, PRIOR
from pathprior.kernels.data.cells import Workspace
from pathprior.kernels.data.families import Rule
from pathprior.kernels.data.rows import Rows
from pathprior.kernels.data.score_column import score_column
from pathprior.kernels.graph.ancestors import ONE, Words, clear_bit, copy_words, has_bit, set_size
from pathprior.kernels.graph.cpdag import NEIGHBOURS, PARENTS
from pathprior.kernels.graph.graph_state import list_parents
from pathprior.kernels.inner import inner, pasted

DETACH = 4
"""Code of the log, besides those of `kernels.graph.graph_state`: an edge of a detached node."""

START, CLIMB, WALK, ATTACH = 0, 1, 2, 3


class Counting(NamedTuple):
    """What the scores of families are counted from."""

    rows: Rows
    rule: Rule
    work: Workspace


@inner
def log_step(
    climb: ClassClimb, move: int, x: int, y: int, data_gain: float, prior_gain: float
) -> None:
    """Note a step; the totals are up to the caller."""
    entry = climb.log[climb.counters[LOGGED]]
    entry[0], entry[1], entry[2], entry[3], entry[4] = move, x, y, data_gain, prior_gain
    climb.counters[LOGGED] += 1


@inner
def move_to(problem: ClassProblem, climb: ClassClimb, which: int) -> None:
    """Go to the class of the DAG ``sets[which]``, of highest prior in it."""
    copy_words(climb.sets[which], climb.sets[DAG])
    enter_class(climb)
    climb.totals[NOW, PRIOR] = read_prior(
        climb.sets[ANCESTORS], problem.pairs, problem.log_weights, climb.relations
    )


@inner
def keep_best(climb: ClassClimb, tolerance: float) -> bool:
    """Remember the class if it is the best so far; return whether it is."""
    totals = climb.totals
    if totals[NOW, DATA] + totals[NOW, PRIOR] <= (
        totals[AT_BEST, DATA] + totals[AT_BEST, PRIOR] + tolerance
    ):
        return False
    for part in range(2):
        totals[AT_BEST, part] = totals[NOW, part]
    copy_words(climb.sets[DAG], climb.sets[BEST])
    climb.counters[BEST_STEP] = climb.counters[STEPS]
    climb.counters[BEST_LOGGED] = climb.counters[LOGGED]
    return True


@inner
def is_visited(pdag: Words, visited: NDArray[np.uint64], counters: NDArray[np.int64]) -> bool:
    """Whether the climb was at this class before; if not, it is now."""
    mark = np.uint64(0)
    for kind in (PARENTS, NEIGHBOURS):
        for v in range(pdag.shape[1]):
            for w in range(pdag.shape[2]):
                mark = mix(mark, pdag[kind, v, w])
    mark |= ONE  # 0 is an empty place
    at = np.int64(mark >> np.uint64(32)) & (visited.shape[0] - 1)
    while visited[at] != 0 and visited[at] != mark:
        at = (at + 1) & (visited.shape[0] - 1)
    is_known = visited[at] == mark
    if not is_known and 2 * counters[NUM_VISITED] < visited.shape[0]:
        visited[at] = mark
        counters[NUM_VISITED] += 1
    return is_known


@pasted
def next_stage(problem: ClassProblem, climb: ClassClimb) -> None:
    """Go on from a class that no move improves."""
    counters = climb.counters
    is_better = keep_best(climb, problem.tolerance)
    climb.is_unranked[:] = True
    if counters[STAGE] == CLIMB and problem.tabu > 0:
        counters[STAGE] = WALK
        climb.last_moved[:] = -NEVER  # the walk forgets how the climb went
        return
    if counters[LOGGED] != counters[BEST_LOGGED]:  # strike out the steps since the best class
        counters[LOGGED] = counters[BEST_LOGGED]
        climb.totals[NOW, DATA] = climb.totals[AT_BEST, DATA]
        move_to(problem, climb, np.int64(BEST))
    if counters[STAGE] != ATTACH or is_better:
        counters[STAGE] = ATTACH
        counters[NUM_VAIN] = 0
    else:
        counters[NUM_VAIN] += 1


@inner
def detach(climb: ClassClimb) -> bool:
    """Make ``TRIAL`` the DAG without the edges of the next node; False if nothing is left to try.

    Edges that are required stay. The gains are noted when the class is scored.
    """
    counters, sets = climb.counters, climb.sets
    num_nodes = sets.shape[1]
    code = np.int64(DETACH)
    while counters[NUM_VAIN] < num_nodes:
        v = counters[NODE]
        counters[NODE] = (v + 1) % num_nodes
        copy_words(sets[DAG], sets[TRIAL])
        logged = counters[LOGGED]
        for u in range(num_nodes):
            if has_bit(sets[MUST_JOIN, v], u):
                continue
            if has_bit(sets[TRIAL, v], u):
                clear_bit(sets[TRIAL, v], u)
                log_step(climb, code, u, v, 0.0, 0.0)
            elif has_bit(sets[TRIAL, u], v):
                clear_bit(sets[TRIAL, u], v)
                log_step(climb, code, v, u, 0.0, 0.0)
        if counters[LOGGED] > logged:
            return True
        counters[NUM_VAIN] += 1
    return False


@inner
def score_class(climb: ClassClimb) -> int:
    """Sum up the score of the start, or of the class after a node was detached.

    Returns what must be counted first.
    """
    counters, totals = climb.counters, climb.totals
    missing, score = class_score(climb)
    if missing != READY:
        return missing
    if counters[STAGE] == START:
        for part in range(2):
            totals[AT_BEST, part] = totals[NOW, part]
        totals[AT_BEST, DATA] = score
        copy_words(climb.sets[DAG], climb.sets[BEST])
    else:
        first = climb.log[counters[BEST_LOGGED]]  # the search was at the best class
        first[3] = score - totals[NOW, DATA]
        first[4] = totals[NOW, PRIOR] - totals[AT_BEST, PRIOR]
        counters[STEPS] += counters[LOGGED] - counters[BEST_LOGGED]
    totals[NOW, DATA] = score
    return READY


@inner
def begin_round(problem: ClassProblem, climb: ClassClimb) -> bool:
    """Begin to look for the next step; False if the walk or the climb is over."""
    counters = climb.counters
    least, first_tabu = problem.tolerance, NEVER
    if counters[STAGE] == WALK:
        if counters[STEPS] - counters[BEST_STEP] >= 2 * problem.tabu:
            return False
        least, first_tabu = -np.inf, counters[STEPS] - problem.tabu
        climb.is_unranked[:] = True
    elif is_visited(climb.pdag, climb.visited, counters):
        return False
    open_round(problem, climb, least, first_tabu)
    return True


@pasted
def take_found(problem: ClassProblem, climb: ClassClimb) -> bool:
    """Go to the class that the best move of the round leads to; False if there is none."""
    record, counters = climb.record, climb.counters
    if record[0] < 0:
        return False
    x, y = int(record[1]), int(record[2])
    log_step(climb, int(record[0]), x, y, record[3], record[4])
    climb.totals[NOW, DATA] += record[3]
    move_to(problem, climb, np.int64(FOUND))
    climb.last_moved[x, y] = counters[STEPS]
    climb.last_moved[y, x] = counters[STEPS]
    counters[STEPS] += 1
    if counters[STAGE] == WALK:
        keep_best(climb, problem.tolerance)
    return True


@inner
def count_column(counting: Counting, max_parents: int, climb: ClassClimb, entry: int) -> None:
    """Count a column of the cache: all parents removed or added, except those never adjacent."""
    cache, rows = climb.cache, counting.rows
    child = cache.children[entry]
    members = np.empty(set_size(cache.parents[entry]), np.int64)
    num_members = list_parents(cache.parents[entry], members)
    left_out = climb.scratch[SPARE]
    for w in range(left_out.shape[0]):
        left_out[w] = climb.sets[MUST_PART, child, w]
        if num_members >= max_parents:
            left_out[w] = ~np.uint64(0)
    score_column(rows, counting.rule, child, members, left_out, counting.work, cache.scores[entry])
    climb.counters[COST] += rows.codes.size * (1 + num_members)


@njit(cache=True, nogil=True)
def run_class_climb(
    counting: Counting, problem: ClassProblem, climb: ClassClimb, max_cost: int
) -> int:
    """Search until nothing is left to try, or pause after so much counting or when the log is full.

    Returns `PAUSED` or `FINISHED`; then the best class is the present one. The first call scores
    the start and pauses.
    """
    num_nodes = climb.sets.shape[1]
    counters, stale = climb.counters, climb.stale
    counters[COST] = 0
    is_moved = counters[STAGE] == START
    if is_moved:
        copy_words(climb.sets[DAG], climb.sets[TRIAL])
        settle(problem, climb)
        stale[:] = 2
    while True:
        if is_moved:  # to another place: the score is not known from a gain
            move_to(problem, climb, np.int64(TRIAL))
            missing = score_class(climb)
            while missing != READY:
                count_column(counting, problem.max_parents, climb, missing)
                missing = score_class(climb)
            if counters[STAGE] == START:
                counters[STAGE] = CLIMB
                return PAUSED
            is_moved = False
        for y in range(num_nodes):
            while stale[y] > 0:
                if counters[COST] > max_cost:
                    return PAUSED
                missing = fill_bounds(climb, problem.max_parents, y)
                if missing != READY:
                    count_column(counting, problem.max_parents, climb, missing)
                else:
                    stale[y] = 0
                    climb.is_unranked[:, y] = True
        if counters[COST] > max_cost or counters[LOGGED] + num_nodes > climb.log.shape[0]:
            return PAUSED
        if begin_round(problem, climb):
            status = COUNT
            while status != DONE:
                status = next_trial(problem, climb)
                if status == COUNT:
                    count_column(counting, problem.max_parents, climb, counters[ENTRY])
                elif status == WEIGH:
                    offer_trial(climb, settle(problem, climb))
            if take_found(problem, climb):
                continue
        next_stage(problem, climb)
        while counters[STAGE] == ATTACH and not is_moved:
            if not detach(climb):
                return FINISHED
            is_moved = settle(problem, climb) > -np.inf
            if not is_moved:
                counters[LOGGED] = counters[BEST_LOGGED]
                counters[NUM_VAIN] += 1
