"""What a search over equivalence classes is given, and where it is.

Kernels take the parts that they need: each array among the arguments of a kernel costs seven values
to pass and a good part of the time it takes to compile the call. Scalars that change are fields of
records, which cost a pointer each.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.apart import Bound
from pathprior.kernels.graph.ancestors import ONE, Words
from pathprior.kernels.graph.cpdag import CHILDREN, NEIGHBOURS
from pathprior.kernels.graph.flood import spread
from pathprior.kernels.graph.meek import Trail
from pathprior.kernels.inner import inner
from pathprior.kernels.records import Record, Records

NUM_MOVES = 3

TRIED, FOUND, BEST, UNSCORED, SHAKEN, MOVED, PENDING, TURNED, CHANGED, BENT = range(10)
"""Sets of nodes, rows of ``ClassClimb.sets``: where the parents in the trial, in the DAG found and
in the best one may differ from those here; whose family is not scored yet; who is disturbed; and on
the way to another class, whose parents in the DAG differ, who is still to be labelled, whose
parents in the class, edges and adjacent nodes have changed."""
NUM_SETS = 10

TALLY = np.dtype(
    [
        ("data_score", np.float64),  # score of the present class
        ("prior_score", np.float64),
        ("best_data_score", np.float64),  # score of the best class so far
        ("best_prior_score", np.float64),
        ("num_steps", np.int64),
        ("best_step", np.int64),
        ("num_logged", np.int64),
        ("best_logged", np.int64),  # length of the log at the best class
        ("stage", np.int64),
        ("phase", np.int64),
        ("node", np.int64),  # to be attached anew next
        ("num_vain", np.int64),  # nodes in a row that came to nothing
        ("num_shakes", np.int64),  # disturbances
        ("num_vain_shakes", np.int64),  # those in a row that came to nothing
        ("num_weighed", np.int64),  # trials of which beliefs want the best DAG
        ("mark", np.uint64),  # of the present class
        ("first_walked", np.int64),  # length of the log when the walk began
        ("num_visited", np.int64),  # classes in ClassClimb.visited
        ("num_truncated", np.int64),  # swaps cut short
        ("num_cut", np.int64),  # lists of cliques cut short
        ("entry", np.int64),  # the column of scores to be filled, or READY
        ("work", np.int64),  # of the present slice, in cells of data times parents
        ("total_work", np.int64),  # of all slices, and what rounds take besides counting
        ("most_work", np.float64),  # after which nothing is disturbed any more; 0 before the first
    ],
    align=True,
)

TRYING = np.dtype(
    [
        ("is_chosen", np.bool_),  # whether the pair below is being tried
        ("move", np.int64),
        ("x", np.int64),
        ("y", np.int64),
        ("are_listed", np.bool_),  # whether the cliques of the node at hand are
        ("clique", np.int64),  # the one that is looked at
        ("num_cliques", np.int64),
        ("gain", np.float64),  # data gain of the move under trial
        ("slack", np.float64),  # the most that the prior can gain by the pair's moves
    ],
    align=True,
)


class Rare(NamedTuple):
    """Kernels of `pathprior.kernels.classes.rare`, bound where the search needs them."""

    arrive: Bound  # read the prior of the present DAG, whose ancestors are not known yet
    swap: Bound  # replace the trial's DAG by the best of its class; a status of `swap_equivalent`
    read: Bound  # read its prior
    bound_all: Bound  # fill the slack of all moves
    bound_one: Bound  # that of (move, x, y)
    draw: Bound  # draw the class of the present DAG on the trial's place
    comply: Bound  # replace the trial's DAG by one within the limits; 0 if there is none


class ClassProblem(NamedTuple):
    """What is fixed: what a class is weighed by besides the data, and how to search."""

    forbidden: Words  # who may not be a parent
    must_join: Words  # whose edge is required
    must_part: Words  # who may not be adjacent
    max_parents: int
    tolerance: float  # a step must gain more than this
    tabu: int  # steps during which a moved edge rests on the walk, 0 for no walk
    shaken: int  # nodes that are disturbed at a time
    max_vain: int  # disturbances in a row that may come to nothing
    max_shakes: int  # all disturbances
    is_rationed: bool  # whether disturbances may take no more work than the search before them
    has_beliefs: bool  # whether there are pairs that weigh
    has_cut: bool  # whether any pair is cut
    is_limited: bool  # whether the class a move leads to may break a limit
    rare: Rare


class Place(NamedTuple):
    """A class, and a DAG of it."""

    pdag: Words
    parents: Words
    ancestors: Words


class Reach(NamedTuple):
    """What follows for paths in the present class."""

    certain: Words  # the node and its ancestors by directed edges of the class
    below: Words  # the node and its descendants in any DAG of the class
    codes: NDArray[np.int64]  # what the DAG says of each pair of beliefs


class Ranking(NamedTuple):
    """Which moves are worth a trial."""

    stale: NDArray[np.int64]  # which moves on y need new bounds: 0 none, 1 Turns, 2 all
    bounds: NDArray[np.float64]  # bounds[move, y, x]: best data gain, whatever the clique and paths
    unranked: Words  # unranked[move]: the rows whose best must be looked up
    top_best: NDArray[np.float64]  # best bound in the row
    top_parent: NDArray[np.int64]
    lowered: Words  # lowered[move]: the rows with pairs tried in this round
    row_best: NDArray[np.float64]  # best bound in the row among the pairs not tried in this round
    row_parent: NDArray[np.int64]
    block_best: NDArray[np.float64]  # best among the rows of one word, slack included
    slack: NDArray[np.float64]  # slack[move, y]: the most that the prior can gain
    barred: Words  # barred[y]: y and its certain descendants, which cannot become its parents
    resting: Words  # resting[y]: those whose edge with y moved on the walk not long ago


class Scratch(NamedTuple):
    """Room to work in."""

    family: Words
    allowed: Words
    cliques: Words
    column: NDArray[np.float64]
    order: NDArray[np.int64]
    trail: Trail
    codes: NDArray[np.int64]
    random: NDArray[np.uint64]  # of `pathprior.kernels.random`


class ClassClimb(NamedTuple):
    """Everything that changes during the search."""

    here: Place  # its DAG is one of highest prior
    reach: Reach
    ranking: Ranking
    trial: Place  # the class that is being looked at
    tally: Record
    trying: Record
    found: Record  # the best move of the round, as in the log
    found_parents: Words  # the DAG that it leads to, where that differs
    best_parents: Words  # the best DAG so far
    log: Records
    sets: Words  # of nodes, by the names above
    family_scores: NDArray[np.float64]
    marks: NDArray[np.uint64]  # of the rows of the class
    visited: NDArray[np.uint64]  # marks of the classes from which the climb was tried
    scratch: Scratch


@inner
def spread_below(pdag: Words, below: Words, v: int) -> None:
    """Fill ``below``: v and what it reaches along directed and undirected edges."""
    for w in range(below.shape[0]):
        below[w] = np.uint64(0)
    below[v >> 6] = ONE << np.uint64(v & 63)
    spread(pdag, CHILDREN, NEIGHBOURS, below)
