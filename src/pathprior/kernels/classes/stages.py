"""From class to class: what is logged and kept on the way, and the node to attach anew next."""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import mix
from pathprior.kernels.classes.gains import class_score
from pathprior.kernels.classes.state import ClassClimb, ClassProblem, enter_class
from pathprior.kernels.data.column_cache import ColumnCache
from pathprior.kernels.data.columns import READY
from pathprior.kernels.graph.ancestors import ONE, Words, clear_bit, copy_words, has_bit
from pathprior.kernels.graph.cpdag import NEIGHBOURS, PARENTS
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.graph.pairs import read_pairs
from pathprior.kernels.inner import inner, pasted
from pathprior.kernels.records import Record
from pathprior.kernels.steps import DETACH, NEVER, NO_MOVE

START, CLIMB, WALK, ATTACH = 0, 1, 2, 3


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
def move_to(problem: ClassProblem, climb: ClassClimb, parents: Words) -> None:
    """Go to the class of the DAG ``parents``, of highest prior in it."""
    here = climb.here
    copy_words(parents, here.parents)
    enter_class(climb, problem.cut)
    climb.tally.prior_score = read_pairs(
        problem.prior, Graph(here.parents, here.ancestors), climb.reach.codes
    )


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
    copy_words(climb.here.parents, climb.best_parents)
    tally.best_step = tally.num_steps
    tally.best_logged = tally.num_logged
    return True


@inner
def is_visited(pdag: Words, visited: NDArray[np.uint64], tally: Record) -> bool:
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
        climb.ranking.is_unranked[:] = True
    if tally.stage == CLIMB and problem.tabu > 0:
        tally.stage = WALK
        climb.ranking.last_moved[:] = -NEVER  # the walk forgets how the climb went
        return
    if tally.num_logged != tally.best_logged:  # strike out the steps since the best class
        tally.num_logged = tally.best_logged
        tally.data_score = tally.best_data_score
        move_to(problem, climb, climb.best_parents)
    if tally.stage != ATTACH or is_better:
        tally.stage = ATTACH
        tally.num_vain = 0
    else:
        tally.num_vain += 1


@inner
def detach(climb: ClassClimb, must_join: Words) -> bool:
    """Make the trial the DAG without the edges of the next node; False if nothing is left to try.

    Edges that are required stay. The gains are noted when the class is scored.
    """
    tally, parents = climb.tally, climb.trial.parents
    num_nodes = parents.shape[0]
    while tally.num_vain < num_nodes:
        v = tally.node
        tally.node = (v + 1) % num_nodes
        copy_words(climb.here.parents, parents)
        num_logged = tally.num_logged
        for u in range(num_nodes):
            if has_bit(must_join[v], u):
                continue
            if has_bit(parents[v], u):
                clear_bit(parents[v], u)
                log_step(climb, DETACH, u, v, 0.0, 0.0)
            elif has_bit(parents[u], v):
                clear_bit(parents[u], v)
                log_step(climb, DETACH, v, u, 0.0, 0.0)
        if tally.num_logged > num_logged:
            return True
        tally.num_vain += 1
    return False


@inner
def score_class(climb: ClassClimb, cache: ColumnCache) -> int:
    """Sum up the score of the start, or of the class after a node was detached.

    Returns what must be filled first.
    """
    tally = climb.tally
    missing, score = class_score(climb.here.parents, cache)
    if missing != READY:
        return missing
    if tally.stage == START:
        tally.best_data_score, tally.best_prior_score = score, tally.prior_score
        copy_words(climb.here.parents, climb.best_parents)
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
    found, tally, last_moved = climb.found, climb.tally, climb.ranking.last_moved
    if found.move == NO_MOVE:
        return False
    log_step(climb, found.move, found.x, found.y, found.data_gain, found.prior_gain)
    tally.data_score += found.data_gain
    move_to(problem, climb, climb.found_parents)
    last_moved[found.x, found.y] = tally.num_steps
    last_moved[found.y, found.x] = tally.num_steps
    tally.num_steps += 1
    if tally.stage == WALK:
        keep_best(climb, problem.tolerance)
    return True
