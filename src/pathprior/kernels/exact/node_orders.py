"""Graphs from orders of the nodes: each takes its best family among those that go before it."""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.inner import entry, inner

NONE = -1
"""In place of a family where none of the listed ones fits."""


@inner
def best_family(first: NDArray[np.int64], sets: NDArray[np.int64], v: int, before: int) -> int:
    """The first family of v in the list, best first, with its parents within a set."""
    for i in range(first[v], first[v + 1]):
        if sets[i] & ~before == 0:
            return i
    return NONE


@inner
def score_order(
    first: NDArray[np.int64],
    sets: NDArray[np.int64],
    scores: NDArray[np.float64],
    order: NDArray[np.int64],
    start: int,
    end: int,
) -> float:
    """The sum of the best families of the nodes at the places ``start`` … ``end`` of an order."""
    total, before = 0.0, np.int64(0)
    for place in range(end + 1):
        v = order[place]
        if place >= start:
            i = best_family(first, sets, v, before)
            if i == NONE:
                return -np.inf
            total += scores[i]
        before |= np.int64(1) << v
    return total


@inner
def move_node(order: NDArray[np.int64], place: int, to: int) -> None:
    """Take the node at a place of the order out, and put it back at another."""
    v = order[place]
    step = 1 if to > place else -1
    while place != to:
        order[place] = order[place + step]
        place += step
    order[to] = v


@entry
def climb_orders(
    first: NDArray[np.int64],
    sets: NDArray[np.int64],
    scores: NDArray[np.float64],
    tolerance: float,
    order: NDArray[np.int64],
    chosen: NDArray[np.int64],
) -> float:
    """Move single nodes within the order while that gains; write the families of its graph.

    Returns the score; −∞ where some node has no family within the order.
    """
    num_nodes = order.shape[0]
    is_moving = True
    while is_moving:
        is_moving = False
        for place in range(num_nodes):
            best, best_to = tolerance, place
            for to in range(num_nodes):
                start, end = min(place, to), max(place, to)
                if to == place:
                    continue
                now = score_order(first, sets, scores, order, start, end)
                move_node(order, place, to)
                then = score_order(first, sets, scores, order, start, end)
                move_node(order, to, place)
                if then - now > best or (now == -np.inf and then > -np.inf):
                    best, best_to = then - now, to
            if best_to != place:
                move_node(order, place, best_to)
                is_moving = True
    before, total = np.int64(0), 0.0
    for v in order:
        chosen[v] = best_family(first, sets, v, before)
        if chosen[v] == NONE:
            return -np.inf
        total += scores[chosen[v]]
        before |= np.int64(1) << v
    return total


@entry
def round_order(
    first: NDArray[np.int64],
    sets: NDArray[np.int64],
    scores: NDArray[np.float64],
    fractions: NDArray[np.float64],
    order: NDArray[np.int64],
) -> None:
    """Order the nodes by fractions of families: next goes who loses least against its own."""
    num_nodes = order.shape[0]
    before = np.int64(0)
    for place in range(num_nodes):
        least, chosen = np.inf, NONE
        for v in range(num_nodes):
            if (before >> v) & 1:
                continue
            i = best_family(first, sets, v, before)
            loss = np.inf if i == NONE else -scores[i]
            for j in range(first[v], first[v + 1]):
                if fractions[j] > 0.0 and i != NONE:
                    loss += fractions[j] * scores[j]
            if chosen == NONE or loss < least:
                least, chosen = loss, v
        order[place] = chosen
        before |= np.int64(1) << chosen
