"""The best move between equivalence classes, beliefs and limits included.

A class weighs its data score plus the highest prior among its DAGs. Pairs are tried best first, by
their data gain plus the most that the prior can gain, until no other can win.
"""

from typing import Any

import numpy as np

from pathprior.kernels.apart import call_bound
from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.classes.enter import copy_rows, reset_trial
from pathprior.kernels.classes.gains import (
    finish_gain,
    list_allowed,
    open_cliques,
    read_change,
)
from pathprior.kernels.classes.member import apply_class_move
from pathprior.kernels.classes.moves import is_valid
from pathprior.kernels.classes.state import (
    FOUND,
    NUM_MOVES,
    TRIED,
    ClassClimb,
    ClassProblem,
    Ranking,
)
from pathprior.kernels.data.column_cache import ColumnCache
from pathprior.kernels.data.columns import READY
from pathprior.kernels.graph.ancestors import ONE, Words, has_bit, set_bit
from pathprior.kernels.graph.cpdag import ADJACENT
from pathprior.kernels.graph.meek import undo_edges
from pathprior.kernels.inner import inner, pasted
from pathprior.kernels.steps import INSERT, NO_MOVE, REMOVE

FILL, WEIGH, DONE = 0, 1, 2
"""What must happen next: a column of scores be filled, the class on trial weighed, nothing."""

WORK_OF_TRIAL = 200_000
"""Work of trying a move, see `kernels.data.columns`."""


@inner
def rank_row(climb: ClassClimb, move: int, y: int, ceiling: float, after: int) -> None:
    """Look up the best pair of a row among those that come after one with bound ``ceiling``.

    That is a lower bound, or the same one and x above ``after``. Leaves out edges at rest, and
    insertions that would close a cycle with directed edges alone, whatever the clique.
    """
    ranking = climb.ranking
    bounds, barred, resting = ranking.bounds[move, y], ranking.barred[y], ranking.resting[y]
    best, parent = -np.inf, -1
    if move == INSERT:
        for x in range(bounds.shape[0]):
            if (
                bounds[x] > best
                and (bounds[x] < ceiling or (bounds[x] == ceiling and x > after))
                and not has_bit(barred, x)
                and not has_bit(resting, x)
            ):
                best, parent = bounds[x], x
    else:
        for block in range(resting.shape[0]):
            word = climb.here.pdag[ADJACENT, y, block] & ~resting[block]
            while word != 0:
                x = (block << 6) + lowest_bit(word)
                word &= word - ONE
                if bounds[x] > best and (
                    bounds[x] < ceiling or (bounds[x] == ceiling and x > after)
                ):
                    best, parent = bounds[x], x
    ranking.row_best[move, y] = best
    ranking.row_parent[move, y] = parent


@inner
def rank_block(ranking: Ranking, move: int, block: int) -> None:
    """Look up the best of the rows of one word."""
    best = -np.inf
    for y in range(block << 6, min((block + 1) << 6, ranking.row_best.shape[1])):
        bound = ranking.row_best[move, y] + ranking.slack[move, y]
        if bound > best:
            best = bound
    ranking.block_best[move, block] = best


@pasted
def open_round(problem: ClassProblem, climb: ClassClimb, least: float) -> None:
    """Begin to look for the move with the highest total gain above ``least``."""
    found, ranking = climb.found, climb.ranking
    unranked = ranking.unranked
    none: Any = np.int64(-1)  # not a literal, for which numba would compile the callees again
    climb.trying.is_chosen = False
    if problem.has_beliefs:
        call_bound(problem.rare.bound_all, ())
    for move in range(NUM_MOVES):
        for block in range(unranked.shape[1]):
            word = ranking.lowered[move, block]
            ranking.lowered[move, block] = np.uint64(0)
            while word != 0:
                y = (block << 6) + lowest_bit(word)
                word &= word - ONE
                ranking.row_best[move, y] = ranking.top_best[move, y]
                ranking.row_parent[move, y] = ranking.top_parent[move, y]
            word = unranked[move, block]
            unranked[move, block] = np.uint64(0)
            while word != 0:
                y = (block << 6) + lowest_bit(word)
                word &= word - ONE
                rank_row(climb, move, y, np.inf, none)
                ranking.top_best[move, y] = ranking.row_best[move, y]
                ranking.top_parent[move, y] = ranking.row_parent[move, y]
            rank_block(ranking, move, block)
    found.move = NO_MOVE
    found.data_gain = least
    found.prior_gain = 0.0


@pasted
def best_row(ranking: Ranking, least: float) -> tuple[Any, Any]:
    """Return the move and the y of the highest bound above ``least``; −1 if there is none."""
    none: Any = np.int64(-1)  # not a literal, for which numba would compile the callees again
    move, y, top = none, none, least
    for kind in range(NUM_MOVES):
        for block in range(ranking.block_best.shape[1]):
            if ranking.block_best[kind, block] > top:
                move, y, top = np.int64(kind), np.int64(block << 6), ranking.block_best[kind, block]
    if move >= 0:
        while ranking.row_best[move, y] + ranking.slack[move, y] != top:
            y += 1
    return move, y


@pasted
def next_pair(problem: ClassProblem, climb: ClassClimb) -> bool:
    """Choose the pair to try next; False if none can win.

    Ties go to the pair tried first: the higher bound, then Insert before Delete before Turn, then
    the lower y, then the lower x.
    """
    ranking, trying = climb.ranking, climb.trying
    while True:
        best = climb.found.data_gain + climb.found.prior_gain
        move, y = best_row(ranking, best)
        if move < 0:
            return False
        x = ranking.row_parent[move, y]
        rank_row(climb, move, y, ranking.row_best[move, y], x)
        rank_block(ranking, move, y >> 6)
        set_bit(ranking.lowered[move], y)
        if problem.has_beliefs:
            trying.slack = call_bound(problem.rare.bound_one, (move, x, y))
        if ranking.bounds[move, y, x] + trying.slack > best:
            trying.is_chosen = True
            trying.move, trying.x, trying.y = move, x, y
            open_cliques(climb.here.pdag, y, climb.scratch.cliques, trying, climb.tally)
            return True


@pasted
def make_trial(climb: ClassClimb, move: int, x: int, y: int, clique: Words) -> None:
    """Make the trial a DAG of the class after a move; the present class is as before."""
    pdag, trail, tried = climb.here.pdag, climb.scratch.trail, climb.sets[TRIED]
    start: Any = np.int64(0)  # not a literal, for which numba would compile the callees again
    reset_trial(climb)
    length = apply_class_move(pdag, move, x, y, clique, trail, climb.trial.parents)
    undo_edges(pdag, trail, length, start)
    for at in range(length):
        set_bit(tried, trail[at, 0])
        set_bit(tried, trail[at, 1])
    set_bit(tried, x)
    set_bit(tried, y)


@inner
def next_trial(problem: ClassProblem, climb: ClassClimb, cache: ColumnCache) -> int:
    """Go on to the next move that can still win and make the trial a DAG of the class after it."""
    scratch, trying, found = climb.scratch, climb.trying, climb.found
    pdag, family, allowed = climb.here.pdag, scratch.family, scratch.allowed
    while trying.is_chosen or next_pair(problem, climb):
        move, x, y = trying.move, trying.x, trying.y
        excluded = problem.must_join[y] if move == REMOVE else problem.must_part[y]
        while trying.clique < trying.num_cliques:
            clique = scratch.cliques[trying.clique]
            if list_allowed(
                pdag, move, y, clique, excluded, problem.max_parents, allowed
            ) and has_bit(allowed, x):
                missing, gain = read_change(pdag, x, y, clique, cache, family)
                if missing == READY:
                    missing, gain = finish_gain(pdag, move, x, y, clique, cache, family, gain)
                if missing != READY:
                    climb.tally.entry = missing
                    return FILL
                if gain + trying.slack > found.data_gain + found.prior_gain and is_valid(
                    pdag, move, x, y, clique
                ):
                    make_trial(climb, move, x, y, clique)
                    trying.gain = gain
                    trying.clique += 1
                    climb.tally.work += WORK_OF_TRIAL
                    return WEIGH
            trying.clique += 1
        trying.is_chosen = False
        trying.are_listed = False
    return DONE


@inner
def offer_trial(climb: ClassClimb, prior: float) -> None:
    """Keep the move just tried if it is the best so far; ``prior`` is that of its class."""
    found, trying = climb.found, climb.trying
    prior_gain = prior - climb.tally.prior_score
    if trying.gain + prior_gain > found.data_gain + found.prior_gain:
        found.move, found.x, found.y = trying.move, trying.x, trying.y
        found.data_gain, found.prior_gain = trying.gain, prior_gain
        copy_rows(climb.sets[TRIED], climb.trial.parents, climb.found_parents)
        for w in range(climb.sets.shape[1]):
            climb.sets[FOUND, w] = climb.sets[TRIED, w]
