"""The best move between equivalence classes, beliefs and limits included.

A class weighs its data score plus the highest prior among its DAGs. Pairs are tried best first, by
their data gain plus the most that the prior can gain, until no other can win.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.classes.gains import (
    READY,
    finish_gain,
    list_allowed,
    open_cliques,
    read_column,
)
from pathprior.kernels.classes.member import apply_class_move
from pathprior.kernels.classes.moves import is_valid
from pathprior.kernels.classes.prior import bound_prior_gain, bound_prior_gains
from pathprior.kernels.classes.state import (
    ALLOWED,
    CERTAIN,
    CHILD,
    CLIQUE,
    COST,
    DAG,
    ENTRY,
    FAMILY,
    FIRST_TABU,
    FOUND,
    MOVE,
    NOW,
    NUM_CLIQUES,
    NUM_MOVES,
    PARENT,
    ROUND,
    TRIAL,
    ClassClimb,
    ClassProblem,
)
from pathprior.kernels.climb.state import PRIOR
from pathprior.kernels.graph.ancestors import ONE, Words, copy_words, has_bit
from pathprior.kernels.graph.graph_state import INSERT
from pathprior.kernels.inner import inner, pasted

COUNT, WEIGH, DONE = 0, 1, 2
"""What must happen next: a column of scores be counted, the class in ``TRIAL`` weighed, nothing."""

COST_OF_TRIAL = 200_000
"""Work of trying a move, in the unit of ``COST``."""

# Entries of ClassClimb.record besides those of the log
GAIN, SLACK, RECORD_SIZE = 5, 6, 7


@inner
def rank_row(
    bounds: NDArray[np.float64],
    last_tried: NDArray[np.int64],
    last_moved: NDArray[np.int64],
    certain: Words,
    counters: NDArray[np.int64],
    move: int,
    y: int,
) -> int:
    """Return the x of the best bound in a row among the pairs not tried in this round, or −1.

    Leaves out insertions that would close a cycle with directed edges alone, whatever the clique.
    """
    this_round, first_tabu = counters[ROUND], counters[FIRST_TABU]
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
    for v in range(y, past):
        if climb.is_unranked[move, v]:
            x = rank_row(
                climb.bounds, climb.last_tried, climb.last_moved, climb.sets[CERTAIN],
                climb.counters, move, v,
            )  # fmt: skip
            climb.row_parent[move, v] = x
            climb.row_best[move, v] = climb.bounds[move, v, x] if x >= 0 else -np.inf
            climb.is_unranked[move, v] = False


@pasted
def open_round(problem: ClassProblem, climb: ClassClimb, least: float, first_tabu: int) -> None:
    """Begin to look for the move with the highest total gain above ``least``."""
    climb.counters[ROUND] += 1
    climb.counters[FIRST_TABU] = first_tabu
    bound_prior_gains(problem, climb)
    for move in range(NUM_MOVES):
        rank_rows(climb, move, np.int64(0), climb.bounds.shape[1])
    record = climb.record
    record[0], record[3], record[4] = -1.0, least, 0.0
    climb.counters[MOVE] = -1


@pasted
def next_pair(problem: ClassProblem, climb: ClassClimb) -> bool:
    """Choose the pair to try next; False if none can win.

    Ties go to the pair tried first: the higher bound, then Insert before Delete before Turn, then
    the lower y, then the lower x.
    """
    counters, record = climb.counters, climb.record
    none: Any = np.int64(-1)  # not a literal, for which numba would compile the callees again
    while True:
        best = record[3] + record[4]
        top, move, y = best, none, none
        for i in range(NUM_MOVES):
            for v in range(climb.bounds.shape[1]):
                bound = climb.row_best[i, v] + climb.slack[i, v]
                if bound > top:
                    top, move, y = bound, i, v
        if move < 0:
            return False
        x = climb.row_parent[move, y]
        climb.last_tried[move, y, x] = counters[ROUND]
        climb.is_unranked[move, y] = True
        rank_rows(climb, move, y, y + 1)
        climb.is_unranked[move, y] = True
        record[SLACK] = bound_prior_gain(
            climb.sets, climb.relations, problem.pairs, problem.log_weights, move, x, y
        )
        if climb.bounds[move, y, x] + record[SLACK] > best:
            counters[MOVE], counters[PARENT], counters[CHILD] = move, x, y
            open_cliques(climb.pdag, y, climb.cliques, counters)
            return True


@inner
def next_trial(problem: ClassProblem, climb: ClassClimb) -> int:
    """Go on to the next move that can still win and make ``TRIAL`` a DAG of the class after it."""
    counters, record, sets = climb.counters, climb.record, climb.sets
    pdag, family, allowed = climb.pdag, climb.scratch[FAMILY], climb.scratch[ALLOWED]
    while counters[MOVE] >= 0 or next_pair(problem, climb):
        move, x, y = counters[MOVE], counters[PARENT], counters[CHILD]
        while counters[CLIQUE] < counters[NUM_CLIQUES]:
            clique = climb.cliques[counters[CLIQUE]]
            if list_allowed(pdag, move, y, clique, sets, problem.max_parents, allowed) and has_bit(
                allowed, x
            ):
                gain = 0.0
                missing = read_column(pdag, y, clique, climb.cache, family, climb.column)
                if missing == READY:
                    missing, gain = finish_gain(
                        pdag, move, x, y, clique, climb.cache, family, climb.column[x]
                    )
                if missing != READY:
                    counters[ENTRY] = missing
                    return COUNT
                if gain + record[SLACK] > record[3] + record[4] and is_valid(
                    pdag, move, x, y, clique
                ):
                    for kind in range(4):
                        copy_words(pdag[kind], climb.trial[kind])
                    copy_words(sets[DAG], sets[TRIAL])
                    apply_class_move(climb.trial, move, x, y, clique, climb.trail, sets[TRIAL])
                    record[GAIN] = gain
                    counters[CLIQUE] += 1
                    counters[COST] += COST_OF_TRIAL
                    return WEIGH
            counters[CLIQUE] += 1
        counters[MOVE], counters[CLIQUE] = -1, -1
    return DONE


@inner
def offer_trial(climb: ClassClimb, prior: float) -> None:
    """Keep the move just tried if it is the best so far; ``prior`` is that of its class."""
    record = climb.record
    prior_gain = prior - climb.totals[NOW, PRIOR]
    if record[GAIN] + prior_gain > record[3] + record[4]:
        record[0], record[1] = climb.counters[MOVE], climb.counters[PARENT]
        record[2] = climb.counters[CHILD]
        record[3], record[4] = record[GAIN], prior_gain
        copy_words(climb.sets[TRIAL], climb.sets[FOUND])
