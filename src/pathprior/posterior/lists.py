"""Grows the lists of good parent sets that guide the chains."""

from collections.abc import Callable
from heapq import nsmallest

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import num_words, pack_rows, unpack_row
from pathprior.graph.dag import Dag
from pathprior.graph.edge_rules import EdgeRules
from pathprior.kernels.data.column_cache import make_table
from pathprior.kernels.posterior.lists import Lists, enter_sets
from pathprior.search.interrupt import StopRequest

MARGIN = 6.0
"""A set is listed if none that it grew from scores higher by more than this, in nats."""
STEP = 3.0
"""So is one up to twice as low that falls by no more than this from the last set it grew from: two
parents that are good only together, and in which a chain would stay if they were on no list."""
MAX_LISTED = 1500
"""Most sets of one node, those that fall least below their subsets."""
MAX_FIRST, MAX_GROWN = 100, 30
"""Most sets of the first and of each further size from which larger ones are grown, by the same
order; also from such as are not listed themselves."""
LOWEST = -600.0
"""Sets below the best of their node by more are drawn as if by this: weights do not vanish."""
LEAST_PULL = 0.01

Family = tuple[int, ...]
Column = Callable[[int, Family], NDArray[np.float64]]
"""(child, parents) → the score with each variable toggled, and as it is at the child's place."""


def grow_lists(
    rules: EdgeRules,
    start: Dag,
    column: Column,
    *,
    score: "Callable[[int, Family], float] | None" = None,
    margin: float = MARGIN,
    stop: StopRequest | None = None,
) -> Lists:
    """List good parent sets of every variable, by the columns of their scores.

    From the required parents and from the family in ``start`` sets grow by one parent at a time.
    One is kept while no set that it grew from scores higher by more than ``margin`` nats, or by
    twice that if the last of them does by no more than `STEP`. The required parents alone and the
    family in ``start`` are always listed, and once a stop is asked for nothing else. Where the
    columns are those of another score than the target's, ``score`` is the latter.
    """
    num_nodes, stop = len(rules.variables), stop or StopRequest()
    listed: list[list[tuple[Family, float]]] = []
    for v in range(num_nodes):
        base = tuple(np.flatnonzero(rules.required[:, v]).tolist())
        family = tuple(np.flatnonzero(start.adjacency[:, v]).tolist())
        may_add = np.flatnonzero(~rules.forbidden[:, v]).tolist()
        scores = _grow(v, base, family, may_add, rules.max_parents, column, margin, stop)
        if score is not None:
            scores = {parents: score(v, parents) for parents in scores}
        listed.append(sorted(scores.items(), key=lambda item: (-item[1], item[0])))
    return _pack(listed, num_nodes)


def pull_together(lists: Lists) -> NDArray[np.float64]:
    """How much two variables are drawn into one block: the more, the better they are as parents.

    Each listed set counts with the cube root of its weight, so that those count that are good
    where the best cannot be; `LEAST_PULL` lets every two meet. The square keeps blocks close: in
    what turns only together all must be in it, and one that wanders off holds few such groups.
    """
    num_nodes = len(lists.first) - 1
    pull: NDArray[np.float64] = np.full((num_nodes, num_nodes), LEAST_PULL)
    for v in range(num_nodes):
        these = slice(lists.first[v], lists.first[v + 1])
        masks = np.array([unpack_row(row, num_nodes) for row in lists.sets.parents[these]])
        share = np.cbrt(lists.weights[these])
        pull[v] += share @ masks / share.sum()
    pull += pull.T.copy()
    return np.square(pull)


def _grow(
    child: int,
    base: Family,
    family: Family,
    may_add: list[int],
    max_parents: int,
    column: Column,
    margin: float,
    stop: StopRequest,
) -> dict[Family, float]:
    """Scores of the sets to list for one variable; those that are ruled out are left out."""
    scores: dict[Family, float] = {}
    reached: dict[Family, float] = {}  # the highest score of a set and of those it grew from
    seeds = sorted({base, family})
    for seed in seeds:
        scores[seed] = reached[seed] = float(column(child, seed)[child])
    frontier, most, listed = seeds, MAX_FIRST, set(seeds)
    while frontier and not stop.is_set:
        fresh: set[Family] = set()
        for parents in frontier:
            if len(parents) >= max_parents or stop.is_set:
                continue
            toggled, best = column(child, parents), reached[parents]
            lowest = best - 2 * margin
            least = max(lowest, min(best - margin, scores[parents] - STEP))
            for u in may_add:
                score = float(toggled[u])
                if u in parents or score < lowest or score == -np.inf:
                    continue
                larger = tuple(sorted((*parents, u)))
                if larger not in scores:
                    fresh.add(larger)
                    scores[larger] = reached[larger] = score
                reached[larger] = max(reached[larger], best)
                if score >= least:
                    listed.add(larger)
        frontier, most = _least_fallen(fresh, scores, reached, most), MAX_GROWN
    kept = {*_least_fallen(listed, scores, reached, MAX_LISTED), *seeds}
    return {parents: scores[parents] for parents in kept if scores[parents] > -np.inf}


def _least_fallen(
    among: set[Family],
    scores: dict[Family, float],
    reached: dict[Family, float],
    size: int,
) -> list[Family]:
    """The ``size`` sets that fall least below what they grew from; of equals the better first.

    Where many variables depend on the child, hundreds of sets improve on all that they grew from.
    """
    return nsmallest(
        size,
        among,
        key=lambda parents: (reached[parents] - scores[parents], -scores[parents], parents),
    )


def _pack(listed: list[list[tuple[Family, float]]], num_nodes: int) -> Lists:
    first = np.concatenate([[0], np.cumsum([len(sets) for sets in listed])]).astype(np.int64)
    masks = np.zeros((int(first[-1]), num_nodes), dtype=bool)
    for row, (parents, _) in enumerate(item for sets in listed for item in sets):
        masks[row, list(parents)] = True
    scores = np.array([score for sets in listed for _, score in sets])
    best = np.repeat(scores[first[:-1]], np.diff(first))
    log_weights = np.maximum(scores - best, LOWEST)
    capacity = len(scores) + 1
    table = make_table(capacity, num_words(num_nodes), np.zeros((capacity, 1)))
    lists = Lists(table, first, log_weights, np.exp(log_weights))
    enter_sets(lists, pack_rows(masks), scores)
    return lists
