"""What a search over equivalence classes knows and changes, and the way to another class."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.ancestors import ONE, Words, close_ancestors
from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.cells import Workspace
from pathprior.kernels.class_member import fill_class
from pathprior.kernels.climb_state import PRIOR
from pathprior.kernels.column_cache import ColumnCache
from pathprior.kernels.equivalence import ADJACENT, NEIGHBOURS, PARENTS
from pathprior.kernels.graph_state import INSERT, REVERSE, Graph
from pathprior.kernels.inner import inner
from pathprior.kernels.meek import Trail
from pathprior.kernels.prior_gains import Beliefs, read_relations

NUM_MOVES = 3

# Entries of ClassClimb.counters
STEPS, BEST_STEP, TRUNCATIONS, CLIQUES_CUT, ROUND, STAGE, NODE, NUM_VAIN = 0, 1, 2, 3, 4, 5, 6, 7
LOGGED, BEST_LOGGED, NUM_COUNTERS = 8, 9, 10


class ClassOptions(NamedTuple):
    """How to search."""

    tolerance: float  # a step must gain more than this
    tabu: int  # steps during which a moved edge rests on the walk, 0 for no walk
    swap_budget: int
    is_limited: bool  # whether the class a move leads to may break a limit


class Trial(NamedTuple):
    """A class that a move would lead to."""

    pdag: Words
    graph: Graph
    order: NDArray[np.int64]
    trail: Trail


class ClassClimb(NamedTuple):
    """Everything that changes during the search, and scratch."""

    pdag: Words
    graph: Graph  # a DAG of the class, of highest prior
    certain: Words  # certain[v]: v and its ancestors by directed edges of the class
    must_join: Words  # must_join[y]: whose edge with y is required
    must_part: Words  # must_part[y]: who may not be adjacent to y
    bounds: NDArray[np.float64]  # bounds[move, y, x]: best data gain, whatever the clique and paths
    is_stale: NDArray[np.bool_]  # is_stale[move, y]: the row of bounds must be filled
    is_unranked: NDArray[np.bool_]  # its best pair must be looked up
    row_best: NDArray[np.float64]  # best bound in the row among the pairs not tried in this round
    row_parent: NDArray[np.int64]
    last_tried: NDArray[np.int64]  # last_tried[move, y, x]: round in which the pair was last tried
    last_moved: NDArray[np.int64]  # last_moved[y, x]: step in which their edge last moved
    slack: NDArray[np.float64]  # the most that the prior can gain, for each kind of move
    trial: Trial
    found: Graph  # what the best move of the round leads to
    record: NDArray[np.float64]  # that move, as in the log
    best_parents: Words  # the best graph so far
    totals: NDArray[np.float64]
    best_totals: NDArray[np.float64]
    counters: NDArray[np.int64]
    cost: NDArray[np.int64]  # work of the present slice, in cells of data times parents
    log: NDArray[np.float64]  # move, x, y, data gain, prior gain
    cliques: Words
    sets: Words  # scratch: families and wanted parents
    column: NDArray[np.float64]
    members: NDArray[np.int64]
    work: Workspace
    cache: ColumnCache


@inner
def enter_class(climb: ClassClimb, beliefs: Beliefs) -> None:
    """Bring everything up to date with ``climb.graph.parents``, which has just been replaced."""
    old, old_certain = climb.trial.pdag, climb.trial.graph.parents
    old[:] = climb.pdag
    old_certain[:] = climb.certain
    fill_class(climb.graph.parents, climb.trial.order, climb.pdag)
    close_ancestors(climb.graph.parents, climb.trial.order, climb.graph.ancestors)
    close_ancestors(climb.pdag[PARENTS], climb.trial.order, climb.certain)
    climb.totals[PRIOR] = read_relations(beliefs, climb.graph.ancestors)
    mark_stale(climb, old)
    num_nodes, num_words = climb.certain.shape
    for block in range(num_words):
        word = np.uint64(0)
        for v in range(num_nodes):
            word |= climb.certain[v, block] ^ old_certain[v, block]
        while word != 0:
            climb.is_unranked[INSERT, (block << 6) + lowest_bit(word)] = True
            word &= word - ONE


@inner
def mark_stale(climb: ClassClimb, old: Words) -> None:
    """Mark the rows of bounds that differ from those in the class ``old``.

    The moves on y depend on its parents, neighbours and children, on what is adjacent to its
    neighbours, and those that turn an edge with x also on the surroundings of x.
    """
    num_nodes, num_words = climb.graph.parents.shape
    for v in range(num_nodes):
        is_changed, is_skeleton = False, False
        for w in range(num_words):
            is_skeleton |= climb.pdag[ADJACENT, v, w] != old[ADJACENT, v, w]
            is_changed |= climb.pdag[PARENTS, v, w] != old[PARENTS, v, w]
            is_changed |= climb.pdag[NEIGHBOURS, v, w] != old[NEIGHBOURS, v, w]
        is_changed |= is_skeleton
        if is_changed:
            climb.is_stale[:, v] = True
        for block in range(num_words):
            word = climb.pdag[NEIGHBOURS, v, block] if is_skeleton else np.uint64(0)
            while word != 0:
                climb.is_stale[:, (block << 6) + lowest_bit(word)] = True
                word &= word - ONE
            word = climb.pdag[ADJACENT, v, block] if is_changed else np.uint64(0)
            while word != 0:
                climb.is_stale[REVERSE, (block << 6) + lowest_bit(word)] = True
                word &= word - ONE
