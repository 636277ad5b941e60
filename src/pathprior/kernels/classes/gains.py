"""Data gains of the moves between equivalence classes, from cached columns of local scores.

With s(y, P) the local score and P = pa(y) ∪ C, a move (x, y, C) gains

- Insert: s(y, P ∪ {x}) − s(y, P);
- Delete: s(y, P ∖ {x}) − s(y, P ∪ {x});
- Turn y → x: s(y, P ∪ {x}) − s(y, P) + s(x, pa(x) ∖ {y}) − s(x, pa(x));
- Turn x − y: s(y, P ∪ {x}) − s(y, P) + s(x, Q) − s(x, Q ∪ {y}), Q = pa(x) ∪ (C ∩ ne(x)).

So everything about y is read off one column of scores for each clique C of its neighbours. Where
a column is not in the cache, the kernels here return the entry that has to be filled first, and are
called again: what fills columns has one caller, which keeps it from being compiled into everything
that asks for a score, and lets a driver fill them too.
"""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.classes.moves import list_candidates, list_cliques
from pathprior.kernels.classes.state import (
    NUM_MOVES,
    ClassClimb,
    ClassProblem,
)
from pathprior.kernels.data.column_cache import ColumnCache, find_column
from pathprior.kernels.data.columns import READY
from pathprior.kernels.graph.ancestors import ONE, Words, has_bit, set_size
from pathprior.kernels.graph.cpdag import ADJACENT, NEIGHBOURS, PARENTS
from pathprior.kernels.inner import inner, pasted
from pathprior.kernels.records import Record
from pathprior.kernels.steps import INSERT, REMOVE, REVERSE


@inner
def open_cliques(pdag: Words, y: int, cliques: Words, trying: Record, tally: Record) -> None:
    """List the cliques among the neighbours of y and begin with the first."""
    num_cliques = list_cliques(pdag, y, cliques)
    if num_cliques < 0:
        tally.num_cut += 1
        num_cliques = cliques.shape[0]
    trying.are_listed = True
    trying.clique = 0
    trying.num_cliques = num_cliques


@inner
def read_column(
    pdag: Words,
    y: int,
    clique: Words,
    cache: ColumnCache,
    family: Words,
    is_whole: bool,
    column: NDArray[np.float64],
) -> int:
    """Copy the changes of y's score when a parent is toggled in pa(y) ∪ C to ``column``.

    Those of nodes adjacent to y, or of all where ``is_whole``. A copy, because looking up another
    column may empty the cache. From a family that is ruled out nothing is gained: where columns
    hardly differ, rounding may rule it out in one member of a class and not in another.
    """
    for w in range(family.shape[0]):
        family[w] = pdag[PARENTS, y, w] | clique[w]
    entry, is_known = find_column(cache, y, family)
    if not is_known:
        return entry
    present = cache.scores[entry, y]
    if is_whole:
        for x in range(column.shape[0]):
            column[x] = cache.scores[entry, x] - present if present > -np.inf else -np.inf
        return READY
    for block in range(family.shape[0]):
        word = pdag[ADJACENT, y, block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            column[x] = cache.scores[entry, x] - present if present > -np.inf else -np.inf
    return READY


@inner
def read_change(
    pdag: Words, x: int, y: int, clique: Words, cache: ColumnCache, family: Words
) -> tuple[int, float]:
    """What is missing, and the entry of x in the column that `read_column` copies."""
    for w in range(family.shape[0]):
        family[w] = pdag[PARENTS, y, w] | clique[w]
    entry, is_known = find_column(cache, y, family)
    change = -np.inf
    if is_known:
        if cache.scores[entry, y] > -np.inf:
            change = cache.scores[entry, x] - cache.scores[entry, y]
        entry = READY
    return entry, change


@inner
def list_allowed(
    pdag: Words, move: int, y: int, clique: Words, excluded: Words, max_parents: int, allowed: Words
) -> bool:
    """List the candidates x of (move, y, C) within the limits on y and on x, y.

    Returns whether there are any. ``excluded`` may not be x. Limits on other edges, which the new
    class may compel, are looked at when the move is tried.
    """
    is_any = False
    if move == REMOVE or set_size(pdag[PARENTS, y]) + set_size(clique) < max_parents:
        list_candidates(pdag, move, y, clique, allowed)
        for w in range(allowed.shape[0]):
            allowed[w] &= ~excluded[w]
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
            if not np.abs(change) < np.inf:
                gain = -np.inf
        else:
            missing = entry
    elif move == REMOVE and is_undirected and gain > -np.inf:
        gain = -gain
    return missing, gain


@inner
def fill_bounds(problem: ClassProblem, climb: ClassClimb, cache: ColumnCache, y: int) -> int:
    """Fill the bounds of the stale moves on y, clique by clique; return what is missing."""
    pdag, scratch, trying = climb.here.pdag, climb.scratch, climb.trying
    bounds = climb.ranking.bounds
    first = INSERT if climb.ranking.stale[y] == 2 else REVERSE
    if not trying.are_listed:
        open_cliques(pdag, y, scratch.cliques, trying, climb.tally)
        clear_bounds(pdag[ADJACENT, y], bounds, first, y)
    family, allowed, column = scratch.family, scratch.allowed, scratch.column
    must_join, must_part = problem.must_join[y], problem.must_part[y]
    while trying.clique < trying.num_cliques:
        clique = scratch.cliques[trying.clique]
        missing = read_column(pdag, y, clique, cache, family, first == INSERT, column)
        if missing != READY:
            return missing
        for move in range(REMOVE if first == INSERT else first, NUM_MOVES):
            excluded = must_join if move == REMOVE else must_part
            if not list_allowed(pdag, move, y, clique, excluded, problem.max_parents, allowed):
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
        if first == INSERT and list_allowed(
            pdag, INSERT, y, clique, must_part, problem.max_parents, allowed
        ):
            raise_bounds(allowed, column, bounds[INSERT, y])
        trying.clique += 1
    trying.are_listed = False
    return READY


@pasted
def clear_bounds(adjacent: Words, bounds: NDArray[np.float64], first: np.int64, y: int) -> None:
    """Forget the bounds of the moves on y from ``first`` on; removed and turned are edges alone."""
    if first == INSERT:
        for x in range(bounds.shape[2]):
            bounds[INSERT, y, x] = -np.inf
    for move in range(REMOVE if first == INSERT else first, NUM_MOVES):
        for block in range(adjacent.shape[0]):
            word = adjacent[block]
            while word != 0:
                bounds[move, y, (block << 6) + lowest_bit(word)] = -np.inf
                word &= word - ONE


@pasted
def raise_bounds(allowed: Words, column: NDArray[np.float64], bounds: NDArray[np.float64]) -> None:
    """Raise the bounds of the allowed insertions to the gains in ``column``, which is used up.

    Most are allowed: the others are left out first, and the loop over all has no branches.
    """
    num_nodes = column.shape[0]
    for block in range(allowed.shape[0]):
        word = ~allowed[block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            if x < num_nodes:
                column[x] = -np.inf
    for x in range(num_nodes):
        bounds[x] = column[x] if column[x] > bounds[x] else bounds[x]


@inner
def class_score(
    parents: Words, unscored: Words, scores: NDArray[np.float64], cache: ColumnCache
) -> tuple[int, float]:
    """What is missing, and the data score of a class, summed over the families of its DAG.

    Looks up the families that are ``unscored``; the others are in ``scores``.
    """
    for block in range(unscored.shape[0]):
        while unscored[block] != 0:
            v = (block << 6) + lowest_bit(unscored[block])
            entry, is_known = find_column(cache, v, parents[v])
            if not is_known:
                return entry, 0.0
            scores[v] = cache.scores[entry, v]
            unscored[block] &= unscored[block] - ONE
    total = 0.0
    for v in range(parents.shape[0]):
        total += scores[v]
    return READY, total
