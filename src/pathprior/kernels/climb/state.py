"""What a climb knows and changes, and the scores of its changed children."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.climb.choose import Moves
from pathprior.kernels.climb.prior_gains import Beliefs
from pathprior.kernels.data.cells import Workspace
from pathprior.kernels.data.column_cache import ColumnCache, find_column
from pathprior.kernels.data.families import Rule
from pathprior.kernels.data.rows import Rows
from pathprior.kernels.data.score_column import score_column
from pathprior.kernels.graph.ancestors import Words, set_size
from pathprior.kernels.graph.graph_state import Graph, Limits, list_parents
from pathprior.kernels.inner import inner, pasted

DATA, PRIOR = 0, 1  # entries of Climb.totals
STEPS, BEST_STEP, TRUNCATIONS = 0, 1, 2  # entries of Climb.counters


class Problem(NamedTuple):
    """What is fixed: the data, the score, what to respect and the beliefs."""

    rows: Rows
    rule: Rule
    limits: Limits
    beliefs: Beliefs


class Options(NamedTuple):
    """How to climb."""

    tolerance: float  # gains closer than this are equal; a step must gain more
    tabu: int  # steps during which a moved edge rests, 0 for plain ascent
    swap_budget: int  # search nodes of the swap-equivalent operator, 0 to leave it out
    is_turning: bool  # whether covered edges are turned before stopping
    is_external: bool  # whether the caller fills the scores


class Climb(NamedTuple):
    """Everything that changes during a climb."""

    graph: Graph
    moves: Moves
    is_dirty: NDArray[np.bool_]  # whether a child's scores must be filled
    totals: NDArray[np.float64]  # data score, prior score
    best_parents: Words  # the best graph so far; differs from `graph` with tabu only
    best_totals: NDArray[np.float64]
    counters: NDArray[np.int64]  # steps taken, step of the best graph, swaps cut short
    log: NDArray[np.float64]  # move, u, v, data gain, prior gain
    work: Workspace
    cache: ColumnCache


@inner
def find_scores(problem: Problem, climb: Climb, v: int, parents: Words) -> tuple[int, int]:
    """Score all one-parent changes of a family unless the cache has them.

    Returns the cache's entry and the work done, in cells of data times parents.
    """
    rows, limits = problem.rows, problem.limits
    entry, is_known = find_column(climb.cache, v, parents)
    if is_known:
        return entry, 1
    members = np.empty(set_size(parents), np.int64)
    num_members = list_parents(parents, members)
    forbidden = limits.forbidden[v]
    if num_members >= limits.max_parents:
        forbidden = np.full_like(parents, ~np.uint64(0))
    score_column(rows, problem.rule, v, members, forbidden, climb.work, climb.cache.scores[entry])
    return entry, rows.codes.size * (1 + num_members)


@pasted
def fill_scores(problem: Problem, climb: Climb, v: int) -> int:
    """Bring row v of the scores up to date; return the work done."""
    entry, work = find_scores(problem, climb, v, climb.graph.parents[v])
    climb.moves.scores[v] = climb.cache.scores[entry]
    climb.is_dirty[v] = False
    climb.moves.is_stale[v] = True
    return work
