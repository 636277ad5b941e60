"""Valid configurations by backtracking (paper, §6.5), exactly also when nodes are few."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pathprior.kernels.graph.ancestors import (
    CAUSED_BY,
    CAUSES,
    CONFOUNDED,
    NUM_RELATIONS,
    UNRELATED,
)

Ints = NDArray[np.int64]


@njit(cache=True, nogil=True)
def list_valid(
    left: Ints, right: Ints, num_belief_nodes: int, num_hidden: int, rows: NDArray[np.int8]
) -> int:
    """Write the valid configurations into ``rows``, in lexicographic order.

    A valid choice for some pairs extends to all of them (take a DAG that realises it and read off
    the rest), so the search has no dead ends. Returns the number of rows, or one more than fit.
    """
    num_pairs = left.shape[0]
    codes = np.zeros(num_pairs, np.int8)
    reach = np.empty(num_belief_nodes, np.int64)
    count = 0
    depth = 0
    codes[0] = -1
    while depth >= 0:
        codes[depth] += 1
        if codes[depth] == NUM_RELATIONS:
            depth -= 1
            continue
        if not _is_consistent(left, right, codes, depth + 1, reach):
            continue
        if not _fits(left[: depth + 1], right[: depth + 1], codes, reach, num_hidden):
            continue
        if depth + 1 < num_pairs:
            depth += 1
            codes[depth] = -1
            continue
        if count == rows.shape[0]:
            return count + 1
        for i in range(num_pairs):
            rows[count, i] = codes[i]
        count += 1
    return count


@njit(cache=True, nogil=True)
def _is_consistent(
    left: Ints, right: Ints, codes: NDArray[np.int8], num_assigned: int, reach: Ints
) -> bool:
    """The rules of §6.5 on the first pairs; leaves the implied ``reach`` sets behind.

    With one hidden parent for every ⇔ pair, and the ⇒ as edges, the relations are exactly those
    implied: an order that must be acyclic, no ⇔ pair ordered, no ⇎ pair below a common source.
    """
    num_nodes = reach.shape[0]
    for v in range(num_nodes):
        reach[v] = 1 << v
    for i in range(num_assigned):
        if codes[i] == CAUSES:
            reach[left[i]] |= 1 << right[i]
        elif codes[i] == CAUSED_BY:
            reach[right[i]] |= 1 << left[i]
    for v in range(num_nodes):
        for u in range(num_nodes):
            if reach[u] >> v & 1:
                reach[u] |= reach[v]
    for i in range(num_assigned):
        x = left[i]
        y = right[i]
        forward = reach[x] >> y & 1
        backward = reach[y] >> x & 1
        if forward and backward:
            return False
        if codes[i] >= CONFOUNDED and (forward or backward):
            return False
        if codes[i] == UNRELATED:
            both = 1 << x | 1 << y
            if _has_source(reach, both):
                return False
            for j in range(num_assigned):
                if codes[j] == CONFOUNDED and (reach[left[j]] | reach[right[j]]) & both == both:
                    return False
    return True


@njit(cache=True, nogil=True)
def _has_source(reach: Ints, both: int) -> bool:
    for mask in reach:  # noqa: SIM110  (a loop with an early exit compiles to one)
        if mask & both == both:
            return True
    return False


@njit(cache=True, nogil=True)
def _first_uncovered(left: Ints, right: Ints, codes: NDArray[np.int8], sources: Ints) -> int:
    """The first ⇔ pair without a common ancestor, or −1."""
    for i in range(left.shape[0]):
        if codes[i] == CONFOUNDED and not _has_source(sources, 1 << left[i] | 1 << right[i]):
            return i
    return -1


@njit(cache=True, nogil=True)
def _fits(left: Ints, right: Ints, codes: NDArray[np.int8], reach: Ints, num_hidden: int) -> bool:
    """Whether ``num_hidden`` nodes besides the belief nodes realise a consistent configuration.

    The edges of a graph on m nodes are covered by ⌊m²/4⌋ cliques (Erdős, Goodman and Pósa), and
    one hidden parent serves a clique of related nodes, so that more are never needed; nor are more
    than one per ⇔ pair. Otherwise: depth first over a common ancestor, hidden or belief node, for
    each ⇔ pair in turn.
    """
    num_nodes = reach.shape[0]
    num_confounded = 0
    for i in range(left.shape[0]):
        if codes[i] == CONFOUNDED:
            num_confounded += 1
    if num_hidden >= min(num_confounded, num_nodes * num_nodes // 4):
        return True
    stack = np.zeros((num_confounded + 1, num_nodes + num_hidden), np.int64)
    for v in range(num_nodes):
        stack[0, v] = reach[v]
    choice = np.zeros(num_confounded + 1, np.int64)  # the next source to try
    depth = 0
    while depth >= 0:
        pair = _first_uncovered(left, right, codes, stack[depth])
        if pair < 0:
            return True
        source = choice[depth]
        choice[depth] += 1
        # Hidden nodes are alike: besides those in use, only the first unused one is tried.
        is_new = source > num_nodes and stack[depth, min(source, stack.shape[1]) - 1] == 0
        if source == stack.shape[1] or is_new:
            choice[depth] = 0
            depth -= 1
            continue
        if _put_above(left, right, codes, stack[depth], pair, source, stack[depth + 1], num_nodes):
            depth += 1
    return False


@njit(cache=True, nogil=True)
def _put_above(
    left: Ints,
    right: Ints,
    codes: NDArray[np.int8],
    before: Ints,
    pair: int,
    source: int,
    after: Ints,
    num_nodes: int,
) -> bool:
    """Make ``source`` an ancestor of both ends of ``pair``; whether the rest still holds."""
    gained = before[left[pair]] | before[right[pair]]
    if source < num_nodes and gained >> source & 1:
        return False
    for v in range(before.shape[0]):
        is_above = v == source or (source < num_nodes and before[v] >> source & 1)
        after[v] = before[v] | gained if is_above else before[v]
    for i in range(left.shape[0]):
        x = left[i]
        y = right[i]
        if codes[i] >= CONFOUNDED and (after[x] >> y & 1 or after[y] >> x & 1):
            return False
        if codes[i] == UNRELATED and _has_source(after, 1 << x | 1 << y):
            return False
        if (codes[i] == CAUSES and after[y] >> x & 1) or (
            codes[i] == CAUSED_BY and after[x] >> y & 1
        ):
            return False
    return True
