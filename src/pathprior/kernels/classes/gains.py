"""Data gains of the moves between equivalence classes, from cached columns of local scores.

With s(y, P) the local score and P = pa(y) ∪ C, a move (x, y, C) gains

- Insert: s(y, P ∪ {x}) − s(y, P);
- Delete: s(y, P ∖ {x}) − s(y, P ∪ {x});
- Turn y → x: s(y, P ∪ {x}) − s(y, P) + s(x, pa(x) ∖ {y}) − s(x, pa(x));
- Turn x − y: s(y, P ∪ {x}) − s(y, P) + s(x, Q) − s(x, Q ∪ {y}), Q = pa(x) ∪ (C ∩ ne(x)).

So everything about y is read off one column of scores for each clique C of its neighbours. Where
a column is not in the cache, the kernels here return the entry that has to be counted first, and
are called again: the kernels that count have one caller, which keeps them from being compiled into
everything that asks for a score.
"""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.classes.moves import list_candidates, list_cliques
from pathprior.kernels.classes.state import (
    ALLOWED,
    CLIQUE,
    CLIQUES_CUT,
    DAG,
    FAMILY,
    MUST_JOIN,
    MUST_PART,
    NUM_CLIQUES,
    NUM_MOVES,
    ClassClimb,
)
from pathprior.kernels.data.column_cache import ColumnCache, find_column
from pathprior.kernels.graph.ancestors import ONE, Words, has_bit, set_size
from pathprior.kernels.graph.cpdag import NEIGHBOURS, PARENTS
from pathprior.kernels.graph.graph_state import INSERT, REMOVE, REVERSE
from pathprior.kernels.inner import inner

READY = -1
"""No column is missing."""


@inner
def open_cliques(pdag: Words, y: int, cliques: Words, counters: NDArray[np.int64]) -> None:
    """List the cliques among the neighbours of y and begin with the first."""
    num_cliques = list_cliques(pdag, y, cliques)
    if num_cliques < 0:
        counters[CLIQUES_CUT] += 1
        num_cliques = cliques.shape[0]
    counters[CLIQUE] = 0
    counters[NUM_CLIQUES] = num_cliques


@inner
def read_column(
    pdag: Words,
    y: int,
    clique: Words,
    cache: ColumnCache,
    family: Words,
    column: NDArray[np.float64],
) -> int:
    """Copy the changes of y's score when a parent is toggled in pa(y) ∪ C to ``column``.

    A copy, because looking up another column may empty the cache.
    """
    for w in range(family.shape[0]):
        family[w] = pdag[PARENTS, y, w] | clique[w]
    entry, is_known = find_column(cache, y, family)
    if is_known:
        for x in range(column.shape[0]):
            column[x] = cache.scores[entry, x] - cache.scores[entry, y]
        entry = READY
    return entry


@inner
def list_allowed(
    pdag: Words, move: int, y: int, clique: Words, sets: Words, max_parents: int, allowed: Words
) -> bool:
    """List the candidates x of (move, y, C) within the limits on y and on x, y.

    Returns whether there are any. Limits on other edges, which the new class may compel, are
    looked at when the move is tried.
    """
    is_any = False
    if move == REMOVE or set_size(pdag[PARENTS, y]) + set_size(clique) < max_parents:
        list_candidates(pdag, move, y, clique, allowed)
        excluded = MUST_JOIN if move == REMOVE else MUST_PART
        for w in range(allowed.shape[0]):
            allowed[w] &= ~sets[excluded, y, w]
            is_any |= allowed[w] != 0
    return is_any


@inner
def finish_gain(
    pdag: Words, move: int, x: int, y: int, clique: Words, cache: ColumnCache, family: Words,
    gain: float,
) -> tuple[int, float]:  # fmt: skip
    """What is missing, and the gain, given the change of y's score when x is toggled."""
    is_undirected = has_bit(pdag[NEIGHBOURS, y], x)
    missing = READY
    if move == REVERSE:
        # Where y → x, C and ne(x) are disjoint: the neighbours of x are children of y.
        for w in range(family.shape[0]):
            family[w] = pdag[PARENTS, x, w] | (clique[w] & pdag[NEIGHBOURS, x, w])
        entry, is_known = find_column(cache, x, family)
        if is_known:
            change = cache.scores[entry, y] - cache.scores[entry, x]
            gain += -change if is_undirected else change
        else:
            missing = entry
    elif move == REMOVE and is_undirected and gain > -np.inf:
        gain = -gain
    return missing, gain


@inner
def fill_bounds(climb: ClassClimb, max_parents: int, y: int) -> int:
    """Fill ``climb.bounds`` of the stale moves on y, clique by clique; return what is missing."""
    counters, bounds, pdag, cache = climb.counters, climb.bounds, climb.pdag, climb.cache
    num_nodes = bounds.shape[1]
    first = INSERT if climb.stale[y] == 2 else REVERSE
    if counters[CLIQUE] < 0:
        open_cliques(pdag, y, climb.cliques, counters)
        for move in range(first, NUM_MOVES):
            for x in range(num_nodes):
                bounds[move, y, x] = -np.inf
    family, allowed, column = climb.scratch[FAMILY], climb.scratch[ALLOWED], climb.column
    while counters[CLIQUE] < counters[NUM_CLIQUES]:
        clique = climb.cliques[counters[CLIQUE]]
        missing = read_column(pdag, y, clique, cache, family, column)
        if missing != READY:
            return missing
        for move in range(first, NUM_MOVES):
            if not list_allowed(pdag, move, y, clique, climb.sets, max_parents, allowed):
                continue
            for block in range(allowed.shape[0]):
                word = allowed[block]
                while word != 0:
                    x = (block << 6) + lowest_bit(word)
                    word &= word - ONE
                    missing, gain = finish_gain(pdag, move, x, y, clique, cache, family, column[x])
                    if missing != READY:
                        return missing
                    bounds[move, y, x] = max(bounds[move, y, x], gain)
        counters[CLIQUE] += 1
    counters[CLIQUE] = -1
    return READY


@inner
def class_score(climb: ClassClimb) -> tuple[int, float]:
    """What is missing, and the data score of the class, summed over the families of its DAG."""
    total = 0.0
    for v in range(climb.sets.shape[1]):
        entry, is_known = find_column(climb.cache, v, climb.sets[DAG, v])
        if not is_known:
            return entry, 0.0
        total += climb.cache.scores[entry, v]
    return READY, total
