"""What a search over equivalence classes knows and changes, and the way to another class.

The state is kept in few arrays: each array among the arguments of a kernel costs seven values to
pass, an atomic count and a good part of the time it takes to compile the call.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.classes.member import fill_class
from pathprior.kernels.data.column_cache import ColumnCache
from pathprior.kernels.graph.ancestors import ONE, Words, close_ancestors, copy_words
from pathprior.kernels.graph.cpdag import ADJACENT, CHILDREN, NEIGHBOURS, PARENTS
from pathprior.kernels.graph.graph_state import INSERT
from pathprior.kernels.graph.meek import Trail
from pathprior.kernels.graph.orientation import ALL, spread
from pathprior.kernels.inner import inner

NUM_MOVES = 3

# Entries of ClassClimb.sets, one set per node each
DAG = 0  # parents in a DAG of the class, of highest prior
ANCESTORS = 1  # ancestors in that DAG
CERTAIN = 2  # the node and its ancestors by directed edges of the class
BELOW = 3  # the node and its descendants in any DAG of the class
TRIAL, TRIAL_ANCESTORS = 4, 5  # the DAG of a class that is being looked at
FOUND = 6  # the DAG that the best move of the round leads to
BEST = 7  # the best DAG so far
FORBIDDEN = 8  # who may not be a parent
MUST_JOIN, MUST_PART = 9, 10  # whose edge is required; who may not be adjacent
NUM_SETS = 11

# Entries of ClassClimb.scratch
FAMILY, ALLOWED, SPARE, NUM_SCRATCH = 0, 1, 2, 3

# Entries of ClassClimb.counters
STEPS, BEST_STEP, TRUNCATIONS, CLIQUES_CUT, ROUND = 0, 1, 2, 3, 4
LOGGED, BEST_LOGGED = 5, 6
STAGE = 7
NODE, NUM_VAIN = 8, 9  # node to attach anew next; how many in a row came to nothing
CLIQUE, NUM_CLIQUES = 10, 11  # the clique that is looked at, −1 for none; how many are listed
MOVE, PARENT, CHILD = 12, 13, 14  # the pair that is being tried, if MOVE is not negative
ENTRY = 15  # the column of scores to be counted
FIRST_TABU = 16  # edges moved at this step or later rest
NUM_VISITED = 17  # classes in ClassClimb.visited
COST = 18  # work of the present slice, in cells of data times parents
NUM_COUNTERS = 19

# Rows of ClassClimb.totals and entries of each
NOW, AT_BEST = 0, 1


class ClassProblem(NamedTuple):
    """What a class is weighed by besides the data, and how to search."""

    pairs: NDArray[np.int64]
    log_weights: NDArray[np.float64]
    max_parents: int
    tolerance: float  # a step must gain more than this
    tabu: int  # steps during which a moved edge rests on the walk, 0 for no walk
    swap_budget: int
    is_limited: bool  # whether the class a move leads to may break a limit


class ClassClimb(NamedTuple):
    """Everything that changes during the search, and scratch."""

    pdag: Words  # the class
    trial: Words  # a class that is being looked at
    sets: Words  # sets[what, v]
    stale: NDArray[np.int64]  # which moves on y need new bounds: 0 none, 1 Turns, 2 all
    bounds: NDArray[np.float64]  # bounds[move, y, x]: best data gain, whatever the clique and paths
    is_unranked: NDArray[np.bool_]  # is_unranked[move, y]: the row's best must be looked up
    row_best: NDArray[np.float64]  # best bound in the row among the pairs not tried in this round
    row_parent: NDArray[np.int64]
    slack: NDArray[np.float64]  # slack[move, y]: the most that the prior can gain
    last_tried: NDArray[np.int64]  # last_tried[move, y, x]: round in which the pair was last tried
    last_moved: NDArray[np.int64]  # last_moved[y, x]: step in which their edge last moved
    relations: NDArray[np.int64]  # relation of each pair of beliefs in the DAG
    record: NDArray[np.float64]  # the best move of the round, as in the log; gain under trial
    totals: NDArray[np.float64]  # totals[now or at best]: data score, prior score
    counters: NDArray[np.int64]
    log: NDArray[np.float64]  # move, x, y, data gain, prior gain
    cliques: Words
    scratch: Words
    column: NDArray[np.float64]
    order: NDArray[np.int64]
    trail: Trail
    visited: NDArray[np.uint64]  # marks of the classes from which the climb was tried
    cache: ColumnCache


@inner
def enter_class(climb: ClassClimb) -> None:
    """Bring the class up to date with its DAG, which has just been replaced."""
    sets, old = climb.sets, climb.trial
    for kind in range(4):
        copy_words(climb.pdag[kind], old[kind])
    copy_words(sets[CERTAIN], sets[TRIAL])
    fill_class(sets[DAG], climb.order, climb.pdag)
    close_ancestors(sets[DAG], climb.order, sets[ANCESTORS])
    close_ancestors(climb.pdag[PARENTS], climb.order, sets[CERTAIN])
    mark_stale(climb.pdag, old, climb.stale)
    num_nodes, num_words = sets.shape[1], sets.shape[2]
    for block in range(num_words):
        word = np.uint64(0)
        for v in range(num_nodes):
            word |= sets[CERTAIN, v, block] ^ sets[TRIAL, v, block]
        while word != 0:
            climb.is_unranked[INSERT, (block << 6) + lowest_bit(word)] = True
            word &= word - ONE


@inner
def mark_stale(pdag: Words, old: Words, stale: NDArray[np.int64]) -> None:
    """Mark the moves whose bounds differ from those in the class ``old``.

    The moves on y depend on its parents, neighbours and children, on what is adjacent to its
    neighbours, and those that turn an edge with x also on the surroundings of x.
    """
    num_nodes, num_words = pdag.shape[1], pdag.shape[2]
    for v in range(num_nodes):
        is_changed, is_skeleton = False, False
        for w in range(num_words):
            is_skeleton |= pdag[ADJACENT, v, w] != old[ADJACENT, v, w]
            is_changed |= pdag[PARENTS, v, w] != old[PARENTS, v, w]
            is_changed |= pdag[NEIGHBOURS, v, w] != old[NEIGHBOURS, v, w]
        is_changed |= is_skeleton
        if is_changed:
            stale[v] = 2
        for block in range(num_words):
            word = pdag[NEIGHBOURS, v, block] if is_skeleton else np.uint64(0)
            while word != 0:
                stale[(block << 6) + lowest_bit(word)] = 2
                word &= word - ONE
            word = pdag[ADJACENT, v, block] if is_changed else np.uint64(0)
            while word != 0:
                u = (block << 6) + lowest_bit(word)
                stale[u] = max(stale[u], 1)
                word &= word - ONE


@inner
def spread_below(climb: ClassClimb, v: int) -> None:
    """Fill ``BELOW[v]``: v and what it reaches along directed and undirected edges."""
    pdag, below = climb.pdag, climb.sets[BELOW, v]
    for w in range(below.shape[0]):
        below[w] = np.uint64(0)
    below[v >> 6] = ONE << np.uint64(v & 63)
    spread(pdag[CHILDREN], pdag[NEIGHBOURS], ALL, below)
