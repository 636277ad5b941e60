"""The best graph of all, with a proof: by sums over subsets, and by branches where paths count."""

from dataclasses import replace
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import SearchError
from pathprior.kernels.data.grams import Grams
from pathprior.kernels.data.mixed import MixedColumns
from pathprior.kernels.data.score_column import Counted
from pathprior.kernels.exact.branch import Branching, make_path, search_branches
from pathprior.kernels.exact.order import read_best
from pathprior.problem.problem import Problem
from pathprior.search.class_search import search_classes
from pathprior.search.climber import climb
from pathprior.search.driver import SearchOptions, SearchResult
from pathprior.search.exact_planes import MAX_NODES as MAX_PLANES_NODES
from pathprior.search.exact_planes import search_by_planes
from pathprior.search.family_tables import FamilyTables, weigh_all
from pathprior.search.graph_result import as_matrix, as_result, better, rounding_of
from pathprior.search.interrupt import StopRequest
from pathprior.search.progress import OnProgress

MAX_NODES = 25
"""Tables of more nodes do not fit into the memory of most machines: 3.4 GB."""
MAX_BRANCHED = 20
"""Most nodes of which all families are kept, to be tried together with the paths they make."""
MAX_FAMILIES = 1 << 22
"""Most families that are listed for the branches."""
BUDGET = 10**9
"""Families that are tried for one proof: about a minute."""
QUICK_BUDGET = 10**7
"""The same where nobody asked for a proof: about a quarter of a second."""
SLICE = 10**7
"""Families that are tried at a time."""
LEAST_GAP = 1.0
"""A gap that is halved; below it the proof is tried at once."""

QUICK_WORK = 1 << 27
"""Configurations of all sets that are counted in about half a second."""
WORK_OF_A_MATRIX = 512
"""What a set of real columns costs, in configurations."""


def is_quick(problem: Problem) -> bool:
    """Whether all graphs are weighed within a second: few variables and few rows."""
    kernel, num_nodes = problem.scorer.kernel(), problem.start.num_nodes
    if num_nodes > MAX_BRANCHED or not isinstance(kernel, Counted | Grams | MixedColumns):
        return False
    if not problem.scorer.may_walk_classes or problem.data.intervened is not None:
        return False
    largest = min(problem.rules.max_parents + 1, num_nodes)
    num_sets = sum(comb(num_nodes, size) for size in range(largest + 1))
    each = WORK_OF_A_MATRIX
    if isinstance(kernel, Counted):
        each = _cells(problem, kernel)
    if isinstance(kernel, MixedColumns):
        each += _cells(problem, kernel.counted)
    # beliefs leave half of the second to disturbances and branches
    return num_sets * each <= (QUICK_WORK // 2 if len(problem.weights.pairs) else QUICK_WORK)


def _cells(problem: Problem, kernel: Counted) -> int:
    """Most configurations that are counted for a set."""
    return int(min(problem.data.num_rows, prod(kernel.rows.num_states.tolist())))


def search_exactly(
    problem: Problem,
    options: SearchOptions,
    stop: StopRequest,
    on_progress: OnProgress | None = None,
) -> SearchResult:
    """Find the graph of highest score, or say how far from it the best one found may be.

    It begins with another search, whose steps are kept if nothing better turns up. Without pairs
    whose paths count the rest is a sum over subsets; where that is quick, it is all that is done,
    as the first one to search would wait longest for the other search to be compiled. With pairs,
    graphs are taken apart node by node within the bounds of that sum, for much better ones first:
    where the budget does not suffice for a proof, what is proved is the ``bound`` of the result.
    More variables are left to `search_by_planes`.
    """
    num_nodes, has_pairs = problem.start.num_nodes, len(problem.weights.pairs) > 0
    if num_nodes > MAX_PLANES_NODES:
        raise SearchError(
            f"search='exact' finds the best graph of at most {MAX_PLANES_NODES} variables, not "
            f"{num_nodes}: leave variables out, or use another search"
        )
    usual = search_classes if problem.scorer.may_walk_classes else climb
    if num_nodes > (MAX_BRANCHED if has_pairs else MAX_NODES):
        return search_by_planes(problem, options, usual, stop, on_progress)
    is_sum_alone = options.is_quick and not has_pairs
    found = None if is_sum_alone else usual(problem, options, stop, on_progress)
    families = weigh_all(problem, stop)
    if families is None or families.best[-1] == -np.inf:
        return found or usual(problem, options, stop, on_progress)
    parents = np.zeros(num_nodes, np.int64)
    read_best(families.tables, families.best, parents)
    summed = as_result(problem, as_matrix(parents))
    found = better(found, summed) if found else summed
    if on_progress is not None:
        on_progress(len(found.log), found.score, int(found.adjacency.sum()))
    if not has_pairs:
        return replace(found, bound=found.score)
    return _branch(problem, families, found, QUICK_BUDGET if options.is_quick else BUDGET, stop)


def _branch(
    problem: Problem, families: FamilyTables, found: SearchResult, budget: int, stop: StopRequest
) -> SearchResult:
    """Look for a better graph than ``found``, and for what is proved if none turns up."""
    num_nodes, weights = problem.start.num_nodes, problem.weights
    most = bound = float(families.best[-1]) + float(weights.log_weights.max(axis=1).sum())
    rounding, left = rounding_of(found), budget
    while bound > found.score + rounding and not stop.is_set:
        gap = bound - found.score
        # the farther above, the sooner that nothing is there is proved
        above = found.score + (gap / 2 if gap > LEAST_GAP else 0.0)
        # families of a graph that scores more than `above` fall by less than this below their
        # best; a lowered bound says nothing of them, as it is one for families and paths together
        listed = _list_families(families, most - above)
        if listed is None:
            break
        branching = Branching(*listed, families.best, weights)
        parents, score = np.zeros(num_nodes, np.int64), np.array([found.score + rounding])
        path = make_path(num_nodes)
        while left > 0 and path.depth[0] >= 0 and not stop.is_set:
            left -= search_branches(branching, path, above, min(left, SLICE), parents, score)
        if score[0] > found.score + rounding:
            found = as_result(problem, as_matrix(parents))
        if path.depth[0] >= 0:
            break
        bound = max(above, found.score)
    return replace(found, bound=max(bound, found.score))


def _list_families(
    families: FamilyTables, gap: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]] | None:
    """The families that fall by less than ``gap`` below the best of their subsets, best first."""
    first, sets, scores = [0], [], []
    for v, best in enumerate(families.tables):
        own = np.full_like(best, -np.inf)
        families.families.write(v, own)
        places = np.flatnonzero(own > best - gap)
        places = places[np.argsort(-own[places], kind="stable")]
        first.append(first[-1] + len(places))
        if first[-1] > MAX_FAMILIES:
            return None
        low = (1 << v) - 1
        sets.append((places & low) | ((places & ~low) << 1))
        scores.append(own[places])
    return np.array(first), np.concatenate(sets), np.concatenate(scores)
