"""Search over equivalence classes in four stages: climb, walk, attach nodes anew, and shake.

1. Climb: take the best move until none gains.
2. Walk, if ``tabu`` is positive: take the best move even if it loses; a moved edge rests for
   ``tabu`` steps; end after twice as many steps without a new best class.
3. Attach anew: take all edges off one node, climb again, and keep the result if it is better. Go
   round the nodes until none of them leads to anything better. A climb that comes to a class
   from which one was tried before is over: it would end where that one did.
4. Shake: disturb some edges at random (`pathprior.kernels.classes.shake`), climb again, and keep
   the result if it is better, attaching anew from there. End when so many in a row came to nothing.

The log holds the steps that led to the best class; what came to nothing is struck out.
"""

import numpy as np

from pathprior.kernels.classes.choose import FILL, WEIGH, next_trial, offer_trial, open_round
from pathprior.kernels.classes.gains import fill_bounds
from pathprior.kernels.classes.settle import settle
from pathprior.kernels.classes.shake import shake
from pathprior.kernels.classes.stages import (
    ATTACH,
    CLIMB,
    SHAKE,
    START,
    WALK,
    detach,
    is_visited,
    move_to,
    next_stage,
    rest,
    score_class,
    take_found,
)
from pathprior.kernels.classes.state import TRIED, ClassClimb, ClassProblem
from pathprior.kernels.data.column_cache import ColumnCache
from pathprior.kernels.data.columns import ASK, READY, Columns, fill_entry
from pathprior.kernels.graph.ancestors import set_bit
from pathprior.kernels.inner import entry, inner, pasted
from pathprior.kernels.steps import (
    FINISHED,
    INSERT,
    NEEDS_SCORES,
    PAUSED,
    REMOVE,
    REVERSE,
    STARTED,
)

ROUND_WORK, SHAKE_WORK, WEIGH_WORK = 300_000, 600_000, 40_000
"""What a round takes besides filling columns, a disturbance besides its rounds, and weighing a
class by beliefs; measured."""
MOST_WEIGHED = 80_000
"""Classes of which beliefs want the best DAG before disturbances end: about half a second. Few
variables, whose disturbances have no other ration, can come to four times as many."""
STEP_ROOM = 4
"""Records of the log for each node that a disturbance may take, the most of all steps."""

BEGIN, ARRIVE, RANK, TRY, LEAVE = 0, 1, 2, 3, 4
"""What to do next: settle at the start, score the class come to, bound its moves, try them, go on
from a class that no move improves. Each can be taken up again where a column was missing."""


@inner
def begin_round(problem: ClassProblem, climb: ClassClimb) -> bool:
    """Begin to look for the next step; False if the walk or the climb is over."""
    tally = climb.tally
    least = problem.tolerance
    if tally.stage == WALK:
        rested = tally.num_logged - 1 - problem.tabu
        if rested >= tally.first_walked:
            rest(climb, rested, False)
        if tally.num_steps - tally.best_step >= 2 * problem.tabu:
            return False
        least = -np.inf
    elif is_visited(climb.visited, tally):
        return False
    open_round(problem, climb, least)
    return True


@pasted
def fill_stale(problem: ClassProblem, climb: ClassClimb, cache: ColumnCache) -> int:
    """Fill the bounds of all stale moves; return what is missing."""
    ranking = climb.ranking
    for y in range(ranking.stale.shape[0]):
        if ranking.stale[y] > 0:
            missing = fill_bounds(problem, climb, cache, y)
            if missing != READY:
                return missing
            if ranking.stale[y] == 2:
                set_bit(ranking.unranked[INSERT], y)
                set_bit(ranking.unranked[REMOVE], y)
            set_bit(ranking.unranked[REVERSE], y)
            ranking.stale[y] = 0
    return READY


@pasted
def attach_next(problem: ClassProblem, climb: ClassClimb) -> bool:
    """Go to the class without the edges of the next node; False if none is left to try."""
    tally = climb.tally
    while detach(climb, problem.must_join):
        if settle(problem, climb) > -np.inf:
            move_to(problem, climb, climb.trial.parents, climb.sets[TRIED])
            return True
        tally.num_logged = tally.best_logged
        tally.num_vain += 1
    return False


@pasted
def shake_next(problem: ClassProblem, climb: ClassClimb) -> bool:
    """Go to a disturbed class; False if enough were tried."""
    tally = climb.tally
    tally.stage = SHAKE
    if tally.num_shakes == 0:
        tally.most_work = tally.total_work * 19 // 10  # with which they do not double the time
    while (
        tally.num_vain_shakes < problem.max_vain
        and tally.num_shakes < problem.max_shakes
        and (tally.total_work < tally.most_work or not problem.is_rationed)
        and (tally.num_weighed < MOST_WEIGHED or problem.is_rationed)
    ):
        tally.num_shakes += 1
        tally.total_work += SHAKE_WORK
        if shake(problem, climb) and settle(problem, climb) > -np.inf:
            move_to(problem, climb, climb.trial.parents, climb.sets[TRIED])
            return True
        tally.num_logged = tally.best_logged
        tally.num_vain_shakes += 1
    return False


@entry
def run_class_climb(
    columns: Columns, problem: ClassProblem, climb: ClassClimb, max_work: int
) -> int:
    """Search until nothing is left to try, or return early to be called again.

    Returns `STARTED` once the start is scored, `PAUSED` after so much work or when the log is full,
    `NEEDS_SCORES` where the driver must fill the column ``tally.entry`` and make that `READY`, or
    `FINISHED`; then the best class is the present one.
    """
    tally, cache = climb.tally, columns.cache
    tally.work = 0
    while True:
        if tally.entry != READY:
            work = fill_entry(columns, tally.entry)
            if work == ASK:
                return NEEDS_SCORES
            tally.work += work
            tally.total_work += work
            tally.entry = READY
        if tally.phase == BEGIN:
            settle(problem, climb)
            move_to(problem, climb, climb.trial.parents, climb.sets[TRIED])
            tally.phase = ARRIVE
        elif tally.phase == ARRIVE:
            tally.entry = score_class(climb, cache)
            if tally.entry == READY:
                tally.phase = RANK
                if tally.data_score == -np.inf and tally.stage == SHAKE:
                    tally.phase = LEAVE  # the score rules it out
                if tally.stage == START:
                    tally.stage = CLIMB
                    return STARTED
        elif tally.phase == RANK:
            room = STEP_ROOM * climb.here.parents.shape[0]
            if tally.work > max_work or tally.num_logged + room > len(climb.log):
                return PAUSED
            tally.entry = fill_stale(problem, climb, cache)
            if tally.entry == READY:
                tally.total_work += ROUND_WORK
                tally.phase = TRY if begin_round(problem, climb) else LEAVE
        elif tally.phase == TRY:
            status = next_trial(problem, climb, cache)
            if status == WEIGH:
                tally.num_weighed += problem.has_beliefs
                tally.total_work += WEIGH_WORK * problem.has_beliefs
                offer_trial(climb, settle(problem, climb))
            elif status != FILL:
                tally.phase = RANK if take_found(problem, climb) else LEAVE
        else:
            next_stage(problem, climb)
            tally.phase = RANK
            if tally.stage == ATTACH or tally.stage == SHAKE:
                is_on = tally.stage == ATTACH and attach_next(problem, climb)
                if not is_on and not shake_next(problem, climb):
                    return FINISHED
                tally.phase = ARRIVE
