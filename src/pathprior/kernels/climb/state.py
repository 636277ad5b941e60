"""What a climb is given, what it changes and what it works in."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.columns import ASK, Columns, find_filled
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.graph.graph_state import Graph, Limits
from pathprior.kernels.inner import inner, pasted
from pathprior.kernels.prior.graph_prior import Codes, GraphPrior
from pathprior.kernels.prior.moves import PriorScratch
from pathprior.kernels.records import Record, Records

TALLY = np.dtype(
    [
        ("data_score", np.float64),  # score of the present graph
        ("prior_score", np.float64),
        ("best_data_score", np.float64),  # score of the best graph so far
        ("best_prior_score", np.float64),
        ("is_started", np.bool_),  # whether the start is scored
        ("num_steps", np.int64),
        ("best_step", np.int64),
        ("num_logged", np.int64),
        ("num_truncated", np.int64),  # swaps cut short
        ("entry", np.int64),  # the column of scores that the driver must fill, or READY
        ("work", np.int64),  # of the present slice, in cells of data times parents
    ],
    align=True,
)


class ClimbProblem(NamedTuple):
    """What is fixed."""

    limits: Limits
    prior: GraphPrior
    cut: Words  # pairs whose edge experiments direct


class Options(NamedTuple):
    """How to climb."""

    tolerance: float  # gains closer than this are equal; a step must gain more
    tabu: int  # steps during which a moved edge rests, 0 for plain ascent
    swap_budget: int  # search nodes of the swap-equivalent operator, 0 to leave it out
    is_turning: bool  # whether covered edges are turned before stopping


class Moves(NamedTuple):
    """What is known of the moves from the present graph."""

    scores: NDArray[np.float64]  # scores[v, u]: v's family with u toggled; scores[v, v] as it is
    is_dirty: NDArray[np.bool_]  # whether v's scores must be filled
    best: NDArray[np.float64]  # best data gain of a legal insertion into v
    best_parent: NDArray[np.int64]
    is_stale: NDArray[np.bool_]  # whether `best` must be looked up again
    last_moved: NDArray[np.int64]  # step at which the edge between u and v last moved


class Scratch(NamedTuple):
    """Room to compare moves in."""

    insert_bound: NDArray[np.float64]  # most the prior can gain by an insertion into v
    change_bound: NDArray[np.float64]  # the same for a move of any kind that v is above
    tied: Records  # the moves that tie for best
    turn: Records  # the best turn, alone
    prior: PriorScratch


class Climb(NamedTuple):
    """Everything that changes during a climb."""

    graph: Graph
    codes: Codes
    moves: Moves
    tally: Record
    best_parents: Words  # the best graph so far; differs from `graph` with tabu only
    log: Records
    scratch: Scratch


@inner
def read_scores(
    columns: Columns, tally: Record, v: int, parents: Words, scores: NDArray[np.float64]
) -> bool:
    """Copy a column of scores; False if the driver must fill it first."""
    entry, work = find_filled(columns, v, parents)
    if work == ASK:
        tally.entry = entry
        return False
    tally.work += work
    for u in range(scores.shape[0]):
        scores[u] = columns.cache.scores[entry, u]
    return True


@pasted
def fill_scores(columns: Columns, climb: Climb, v: int) -> bool:
    """Bring row v of the scores up to date; False if the driver must fill the column first."""
    moves = climb.moves
    if not read_scores(columns, climb.tally, v, climb.graph.parents[v], moves.scores[v]):
        return False
    moves.is_dirty[v] = False
    moves.is_stale[v] = True
    return True
