"""From class to class: what is logged and kept on the way, and the node to attach anew next."""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.apart import call_bound
from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.classes.enter import clear_set, copy_rows, enter_class, reset_trial
from pathprior.kernels.classes.gains import class_score
from pathprior.kernels.classes.state import (
    BEST,
    FOUND,
    NUM_MOVES,
    TRIED,
    UNSCORED,
    ClassClimb,
    ClassProblem,
)
from pathprior.kernels.data.column_cache import ColumnCache
from pathprior.kernels.data.columns import READY
from pathprior.kernels.graph.ancestors import ONE, Words, clear_bit, has_bit, set_bit
from pathprior.kernels.graph.cpdag import ADJACENT
from pathprior.kernels.inner import inner, pasted
from pathprior.kernels.records import Record
from pathprior.kernels.steps import DETACH, NO_MOVE

START, CLIMB, WALK, ATTACH, SHAKE = 0, 1, 2, 3, 4


@inner
def log_step(
    climb: ClassClimb, move: int, x: int, y: int, data_gain: float, prior_gain: float
) -> None:
    """Note a step; the totals are up to the caller."""
    step = climb.log[climb.tally.num_logged]
    step.move, step.x, step.y = move, x, y
    step.data_gain, step.prior_gain = data_gain, prior_gain
    climb.tally.num_logged += 1


@inner
def move_to(problem: ClassProblem, climb: ClassClimb, parents: Words, rows: Words) -> None:
    """Go to the class of the DAG ``parents``, of highest prior in it.

    It differs from the present one in ``rows`` alone, and the trial is one of the two.
    """
    enter_class(problem, climb, parents, rows)
    if problem.has_beliefs:
        climb.tally.prior_score = call_bound(problem.rare.arrive, ())


@inner
def keep_best(climb: ClassClimb, tolerance: float) -> bool:
    """Remember the class if it is the best so far; return whether it is."""
    tally = climb.tally
    if (
        tally.data_score + tally.prior_score
        <= tally.best_data_score + tally.best_prior_score + tolerance
    ):
        return False
    tally.best_data_score, tally.best_prior_score = tally.data_score, tally.prior_score
    copy_rows(climb.sets[BEST], climb.here.parents, climb.best_parents)
    clear_set(climb.sets[BEST])
    tally.best_step = tally.num_steps
    tally.best_logged = tally.num_logged
    return True


@inner
def is_visited(visited: NDArray[np.uint64], tally: Record) -> bool:
    """Whether the climb was at this class before; if not, it is now."""
    mark = tally.mark
    mark |= ONE  # 0 is an empty place
    at = np.int64(mark >> np.uint64(32)) & (visited.shape[0] - 1)
    while visited[at] != 0 and visited[at] != mark:
        at = (at + 1) & (visited.shape[0] - 1)
    is_known = visited[at] == mark
    if not is_known and 2 * tally.num_visited < visited.shape[0]:
        visited[at] = mark
        tally.num_visited += 1
    return is_known


@pasted
def next_stage(problem: ClassProblem, climb: ClassClimb) -> None:
    """Go on from a class that no move improves."""
    tally = climb.tally
    is_better = keep_best(climb, problem.tolerance)
    if tally.stage == WALK:  # no edge rests any more
        for k in range(max(tally.first_walked, tally.num_logged - problem.tabu), tally.num_logged):
            rest(climb, k, False)
    if tally.stage == CLIMB and problem.tabu > 0:
        tally.stage = WALK
        tally.first_walked = tally.num_logged
        return
    if tally.num_logged != tally.best_logged:  # strike out the steps since the best class
        tally.num_logged = tally.best_logged
        tally.data_score = tally.best_data_score
        reset_trial(climb)
        move_to(problem, climb, climb.best_parents, climb.sets[BEST])
        clear_set(climb.sets[BEST])
    if tally.stage == SHAKE and not is_better:
        tally.num_vain_shakes += 1
    elif tally.stage == ATTACH and not is_better:
        tally.num_vain += 1
    else:
        tally.stage = ATTACH
        tally.num_vain, tally.num_vain_shakes = 0, 0


@inner
def rest(climb: ClassClimb, logged: int, is_resting: bool) -> None:
    """Let the edge of a step rest, or no longer, and have its rows ranked again."""
    step, ranking = climb.log[logged], climb.ranking
    ends = (np.int64(step.x), np.int64(step.y))
    for k in range(2):
        v = ends[k]
        if is_resting:
            set_bit(ranking.resting[v], ends[1 - k])
        else:
            clear_bit(ranking.resting[v], ends[1 - k])
        for move in range(NUM_MOVES):
            set_bit(ranking.unranked[move], v)


@inner
def detach(climb: ClassClimb, must_join: Words) -> bool:
    """Make the trial the DAG without the edges of the next node; False if nothing is left to try.

    Edges that are required stay. The gains are noted when the class is scored.
    """
    tally, parents, sets = climb.tally, climb.trial.parents, climb.sets
    num_nodes = parents.shape[0]
    reset_trial(climb)
    while tally.num_vain < num_nodes:
        v = tally.node
        tally.node = (v + 1) % num_nodes
        num_logged = tally.num_logged
        for block in range(parents.shape[1]):
            word = climb.here.pdag[ADJACENT, v, block] & ~must_join[v, block]
            while word != 0:
                u = (block << 6) + lowest_bit(word)
                word &= word - ONE
                if has_bit(parents[v], u):
                    clear_bit(parents[v], u)
                    set_bit(sets[TRIED], v)
                    log_step(climb, DETACH, u, v, 0.0, 0.0)
                else:
                    clear_bit(parents[u], v)
                    set_bit(sets[TRIED], u)
                    log_step(climb, DETACH, v, u, 0.0, 0.0)
        if tally.num_logged > num_logged:
            return True
        tally.num_vain += 1
    return False


@inner
def score_class(climb: ClassClimb, cache: ColumnCache) -> int:
    """Sum up the score of the start, or of the class after a node was detached or edges disturbed.

    Returns what must be filled first.
    """
    tally = climb.tally
    sets = climb.sets
    missing, score = class_score(climb.here.parents, sets[UNSCORED], climb.family_scores, cache)
    if missing != READY:
        return missing
    if tally.stage == START:
        tally.best_data_score, tally.best_prior_score = score, tally.prior_score
        copy_rows(sets[BEST], climb.here.parents, climb.best_parents)
        clear_set(sets[BEST])
    else:
        first = climb.log[tally.best_logged]  # the search was at the best class
        first.data_gain = score - tally.data_score
        first.prior_gain = tally.prior_score - tally.best_prior_score
        tally.num_steps += tally.num_logged - tally.best_logged
    tally.data_score = score
    return READY


@pasted
def take_found(problem: ClassProblem, climb: ClassClimb) -> bool:
    """Go to the class that the best move of the round leads to; False if there is none."""
    found, tally = climb.found, climb.tally
    if found.move == NO_MOVE:
        return False
    log_step(climb, found.move, found.x, found.y, found.data_gain, found.prior_gain)
    tally.data_score += found.data_gain
    reset_trial(climb)
    move_to(problem, climb, climb.found_parents, climb.sets[FOUND])
    tally.num_steps += 1
    if tally.stage == WALK:
        rest(climb, tally.num_logged - 1, True)
        keep_best(climb, problem.tolerance)
    return True
