"""Subsets of a size in colexicographic order: the first has the smallest largest member, and so on.

The number of a set of members c₀ < c₁ < … among all of its size is Σ C(cᵢ, i + 1). Sets of all
sizes up to some lie one size after the other, so that the place of a set is the sum over its
members of ``steps[i, cᵢ]``, see `pathprior.search.set_places`.
"""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.apart import Bound
from pathprior.kernels.data.columns import fill_column
from pathprior.kernels.inner import allocating_entry, inner


@inner
def next_subset(members: NDArray[np.int64], size: int, num_nodes: int) -> bool:
    """Go on to the next set of so many of the nodes; False after the last one."""
    i = 0
    while i < size:
        following = members[i + 1] if i + 1 < size else num_nodes
        if members[i] + 1 < following:
            members[i] += 1
            for j in range(i):
                members[j] = j
            return True
        i += 1
    return False


@inner
def place_of(steps: NDArray[np.int64], members: NDArray[np.int64], size: int) -> int:
    """The place of a set, its members in ascending order."""
    place = 0
    for i in range(size):
        place += steps[i, members[i]]
    return place


@allocating_entry
def fill_subsets(
    values: NDArray[np.float64],
    steps: NDArray[np.int64],
    child: int,
    required: NDArray[np.int64],
    others: NDArray[np.int64],
    most: int,
    log_edge_odds: float,
    scores: NDArray[np.float64],
) -> None:
    """Write the scores of the child's families: required parents, and up to ``most`` others.

    ``values`` are those of all sets, by place; ``scores`` has the subsets of the others by theirs.
    """
    num_others, num_required = others.shape[0], required.shape[0]
    chosen = np.empty(most + 1, np.int64)
    parents, family = np.empty((2, num_required + most + 2), np.int64)
    at = 0
    for size in range(most + 1):
        for i in range(size):
            chosen[i] = i
        num_parents = num_required + size
        while True:
            merge(required, num_required, others, chosen, size, parents)
            insert(parents, num_parents, child, family)
            whole = values[place_of(steps, family, num_parents + 1)]
            part = values[place_of(steps, parents, num_parents)]
            scores[at] = -np.inf if whole == -np.inf else whole - part + log_edge_odds * num_parents
            at += 1
            if not next_subset(chosen, size, num_others):
                break


@inner
def merge(
    required: NDArray[np.int64],
    num_required: int,
    others: NDArray[np.int64],
    chosen: NDArray[np.int64],
    size: int,
    members: NDArray[np.int64],
) -> None:
    """Write the required and the chosen ones in ascending order."""
    i, j = 0, 0
    while i + j < num_required + size:
        if j == size or (i < num_required and required[i] < others[chosen[j]]):
            members[i + j] = required[i]
            i += 1
        else:
            members[i + j] = others[chosen[j]]
            j += 1


@inner
def insert(members: NDArray[np.int64], size: int, more: int, larger: NDArray[np.int64]) -> None:
    """Write a set with one member more, in ascending order."""
    i = 0
    while i < size and members[i] < more:
        larger[i] = members[i]
        i += 1
    larger[i] = more
    while i < size:
        larger[i + 1] = members[i]
        i += 1


@allocating_entry
def spread_subsets(
    scores: NDArray[np.float64],
    steps: NDArray[np.int64],
    num_others: int,
    most: int,
    slack: float,
    is_better: NDArray[np.bool_],
) -> int:
    """Say which sets score higher than all their subsets less ``slack``, and count them.

    Afterwards ``scores`` has of each set the best of its subsets.
    """
    chosen = np.empty(most + 1, np.int64)
    after = np.empty(most + 2, np.int64)
    at, count = 0, 0
    for size in range(most + 1):
        for i in range(size):
            chosen[i] = i
        while True:
            after[size] = 0
            for i in range(size - 1, 0, -1):
                after[i] = after[i + 1] + steps[i - 1, chosen[i]]
            best, before = -np.inf, np.int64(0)
            for i in range(size):
                best = max(best, scores[before + after[i + 1]])
                before += steps[i, chosen[i]]
            is_better[at] = scores[at] > best - slack
            count += is_better[at]
            scores[at] = max(scores[at], best)
            at += 1
            if not next_subset(chosen, size, num_others):
                break
    return count


@allocating_entry
def list_subsets(
    is_listed: NDArray[np.bool_],
    scores: NDArray[np.float64],
    others: NDArray[np.int64],
    base: int,
    most: int,
    sets: NDArray[np.int64],
    listed: NDArray[np.float64],
) -> None:
    """Write the sets that are to be listed, as numbers with those of ``base``, and their scores."""
    chosen = np.empty(most + 1, np.int64)
    at, end = 0, 0
    for size in range(most + 1):
        for i in range(size):
            chosen[i] = i
        while True:
            if is_listed[at]:
                number = base
                for i in range(size):
                    number |= np.int64(1) << others[chosen[i]]
                sets[end], listed[end] = number, scores[at]
                end += 1
            at += 1
            if not next_subset(chosen, size, others.shape[0]):
                break


@allocating_entry
def score_subsets(
    filler: Bound,
    child: int,
    required: NDArray[np.int64],
    others: NDArray[np.int64],
    steps: NDArray[np.int64],
    most: int,
    log_edge_odds: float,
    first: int,
    last: int,
    column: NDArray[np.float64],
    scores: NDArray[np.float64],
) -> None:
    """Write the scores of the child's families one by one, as `fill_subsets` does from sets.

    Those that are a subset of fewer than ``most`` others, at the places ``first`` … ``last`` − 1,
    and one more after its last, so that of all each is scored once; and required parents alone.
    """
    num_others, num_required = others.shape[0], required.shape[0]
    chosen = np.empty(most + 1, np.int64)
    parents = np.empty(num_required + most + 1, np.int64)
    barred = np.empty(1, np.uint64)
    at = 0
    for size in range(max(most, 1)):
        for i in range(size):
            chosen[i] = i
        num_parents = num_required + size
        while True:
            if first <= at < last:
                merge(required, num_required, others, chosen, size, parents)
                barred[0] = ~np.uint64(0)
                after = chosen[size - 1] + 1 if size > 0 else 0
                for i in range(after if most > 0 else num_others, num_others):
                    barred[0] &= ~(np.uint64(1) << np.uint64(others[i]))
                fill_column(filler, child, parents[:num_parents], barred, column)
                if size == 0:
                    scores[0] = column[child] + log_edge_odds * num_parents
                if most > 0:
                    for i in range(after, num_others):
                        score = column[others[i]] + log_edge_odds * (num_parents + 1)
                        scores[at + steps[size, i]] = score
            at += 1
            if not next_subset(chosen, size, num_others):
                break
