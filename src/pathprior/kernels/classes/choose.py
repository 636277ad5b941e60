"""The best move between equivalence classes, beliefs and limits included.

A class weighs its data score plus the highest prior among its DAGs. Pairs are tried best first, by
their data gain plus the most that the prior can gain, until no other can win.
"""

from typing import Any

import numpy as np

from pathprior.kernels.classes.gains import (
    finish_gain,
    list_allowed,
    open_cliques,
    read_change,
)
from pathprior.kernels.classes.member import apply_class_move
from pathprior.kernels.classes.moves import is_valid
from pathprior.kernels.classes.prior import bound_prior_gain, bound_prior_gains
from pathprior.kernels.classes.state import NUM_MOVES, ClassClimb, ClassProblem, Ranking
from pathprior.kernels.data.column_cache import ColumnCache
from pathprior.kernels.data.columns import READY
from pathprior.kernels.graph.ancestors import ONE, Words, copy_words, has_bit
from pathprior.kernels.inner import inner, pasted
from pathprior.kernels.records import Record
from pathprior.kernels.steps import INSERT, NO_MOVE, REMOVE, REVERSE

FILL, WEIGH, DONE = 0, 1, 2
"""What must happen next: a column of scores be filled, the class on trial weighed, nothing."""

WORK_OF_TRIAL = 200_000
"""Work of trying a move, in cells of data."""


@pasted
def rank_row(ranking: Ranking, certain: Words, trying: Record, move: int, y: int) -> int:
    """Return the x of the best bound in a row among the pairs not tried in this round, or −1.

    Leaves out insertions that would close a cycle with directed edges alone, whatever the clique.
    """
    bounds, last_tried, last_moved = ranking.bounds, ranking.last_tried, ranking.last_moved
    this_round, first_tabu = trying.round_number, trying.first_tabu
    block, shift = y >> 6, np.uint64(y & 63)
    best, parent = -np.inf, -1
    for x in range(bounds.shape[2]):
        if (
            bounds[move, y, x] > best
            and last_tried[move, y, x] != this_round
            and last_moved[y, x] < first_tabu
            and (move != INSERT or (certain[x, block] >> shift) & ONE == 0)
        ):
            best, parent = bounds[move, y, x], x
    return parent


@inner
def rank_rows(climb: ClassClimb, move: int, y: int, past: int) -> None:
    """Look up the best pairs of the unranked rows of ``move``, from y up to ``past``."""
    ranking = climb.ranking
    for v in range(y, past):
        if ranking.is_unranked[move, v]:
            x = rank_row(ranking, climb.reach.certain, climb.trying, move, v)
            ranking.row_parent[move, v] = x
            ranking.row_best[move, v] = ranking.bounds[move, v, x] if x >= 0 else -np.inf
            ranking.is_unranked[move, v] = False


@pasted
def open_round(problem: ClassProblem, climb: ClassClimb, least: float, first_tabu: int) -> None:
    """Begin to look for the move with the highest total gain above ``least``."""
    trying, found = climb.trying, climb.found
    trying.round_number += 1
    trying.first_tabu = first_tabu
    trying.is_chosen = False
    bound_prior_gains(problem.prior, climb)
    for move in range(NUM_MOVES):
        rank_rows(climb, move, np.int64(0), climb.ranking.bounds.shape[1])
    found.move = NO_MOVE
    found.data_gain = least
    found.prior_gain = 0.0


@pasted
def best_row(ranking: Ranking, least: float) -> tuple[Any, Any]:
    """Return the move and the y of the highest bound above ``least``; −1 if there is none.

    The moves are looked through side by side, so that no comparison waits for another.
    """
    row_best, slack = ranking.row_best, ranking.slack
    none: Any = np.int64(-1)  # not a literal, for which numba would compile the callees again
    insert, remove, turn = least, least, least
    inserted, removed, turned = none, none, none
    for v in range(row_best.shape[1]):
        bound = row_best[INSERT, v] + slack[INSERT, v]
        if bound > insert:
            insert, inserted = bound, v
        bound = row_best[REMOVE, v] + slack[REMOVE, v]
        if bound > remove:
            remove, removed = bound, v
        bound = row_best[REVERSE, v] + slack[REVERSE, v]
        if bound > turn:
            turn, turned = bound, v
    move, y, top = none, none, least
    if insert > top:
        move, y, top = np.int64(INSERT), inserted, insert
    if remove > top:
        move, y, top = np.int64(REMOVE), removed, remove
    if turn > top:
        move, y = np.int64(REVERSE), turned
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
        ranking.last_tried[move, y, x] = trying.round_number
        ranking.is_unranked[move, y] = True
        rank_rows(climb, move, y, y + 1)
        ranking.is_unranked[move, y] = True
        trying.slack = bound_prior_gain(
            problem.prior, climb.here.ancestors, climb.reach, move, x, y
        )
        if ranking.bounds[move, y, x] + trying.slack > best:
            trying.is_chosen = True
            trying.move, trying.x, trying.y = move, x, y
            open_cliques(climb.here.pdag, y, climb.scratch.cliques, trying, climb.tally)
            return True


@inner
def next_trial(problem: ClassProblem, climb: ClassClimb, cache: ColumnCache) -> int:
    """Go on to the next move that can still win and make the trial a DAG of the class after it."""
    here, trial, scratch = climb.here, climb.trial, climb.scratch
    trying, found = climb.trying, climb.found
    pdag, family, allowed = here.pdag, scratch.family, scratch.allowed
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
                    for kind in range(4):
                        copy_words(pdag[kind], trial.pdag[kind])
                    copy_words(here.parents, trial.parents)
                    apply_class_move(trial.pdag, move, x, y, clique, scratch.trail, trial.parents)
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
        copy_words(climb.trial.parents, climb.found_parents)
