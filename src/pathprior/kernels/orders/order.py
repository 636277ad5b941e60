"""An order of the variables, and what it takes to move one of them to another place in it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.graph.ancestors import Words, clear_bit, has_bit, set_bit
from pathprior.kernels.inner import inner
from pathprior.kernels.orders.pool import Pool, is_within
from pathprior.kernels.random import draw_below

NO_SET = -1
"""In place of a parent set: required parents do not come before."""
SET_WORK, PLACE_WORK = 36, 240
"""Work of looking at a set, and at a place, see `pathprior.kernels.data.columns`; measured."""
ROUNDING = 1e-9
"""Sums of the same scores in another order differ by less."""


class Order(NamedTuple):
    """An order, and the best parents of each variable among those before it."""

    nodes: NDArray[np.int64]
    places: NDArray[np.int64]
    before: Words  # before[place]: who comes before
    chosen: NDArray[np.int64]  # places of parent sets in the pool, by child
    best: NDArray[np.int64]  # the best order so far
    queue: NDArray[np.int64]
    allowed: Words
    work: NDArray[np.int64]  # done so far, see `pathprior.kernels.data.columns`
    random: Words  # of `pathprior.kernels.random`


@inner
def find_set(pool: Pool, order: Order, child: int, first: int, last: int, allowed: Words) -> int:
    """Return the first set from ``first`` to before ``last`` whose members are all allowed."""
    for i in range(first, last):
        if is_within(pool.sets[child, i], allowed):
            order.work[0] += SET_WORK * (i - first)
            return i
    return NO_SET


@inner
def find_better(
    pool: Pool, order: Order, child: int, last: int, parent: int, allowed: Words
) -> int:
    """Return the first set before ``last`` with this parent; ``last`` if there is none."""
    first = pool.firsts[child, parent]
    for i in range(first, last):
        if has_bit(pool.sets[child, i], parent) and is_within(pool.sets[child, i], allowed):
            order.work[0] += SET_WORK * (i - first)
            return i
    order.work[0] += SET_WORK * max(0, last - first)
    return last


@inner
def choose_sets(pool: Pool, order: Order, first: int, last: int) -> None:
    """Choose the best parents of those on the places from ``first`` to ``last``."""
    for place in range(first, last + 1):
        v = order.nodes[place]
        order.places[v] = place
        before, after = order.before[place], order.before[place + 1]
        order.chosen[v] = find_set(pool, order, v, 0, pool.sizes[v], before)
        for w in range(before.shape[0]):
            after[w] = before[w]
        set_bit(after, v)


@inner
def total_score(pool: Pool, order: Order) -> float:
    """The score of the graph of all chosen sets; −∞ if someone has none."""
    total = 0.0
    for v in range(order.chosen.shape[0]):
        total += pool.scores[v, order.chosen[v]] if order.chosen[v] != NO_SET else -np.inf
    return total


@inner
def move_node(pool: Pool, order: Order, v: int, place: int) -> None:
    """Take v out of the order and put it in on another place."""
    nodes, at = order.nodes, order.places[v]
    step = 1 if place > at else -1
    for i in range(at, place, step):
        nodes[i] = nodes[i + step]
    nodes[place] = v
    choose_sets(pool, order, min(at, place), max(at, place))


@inner
def pass_one(pool: Pool, order: Order, v: int, own: int, u: int, step: int) -> tuple[int, float]:
    """Let v, whose best set is ``own``, pass u on the way forwards or backwards.

    ``order.allowed`` are those that come before both. Returns the best set of v then, and what u
    gains; u is put in or out of ``order.allowed``, which are those before v then.
    """
    allowed, chosen = order.allowed, order.chosen[u]
    if step < 0:  # u may have v as a parent, and v no more u
        set_bit(allowed, v)
        better = find_better(pool, order, u, chosen, v, allowed)
        clear_bit(allowed, v)
        if has_bit(pool.sets[v, own], u):
            own = find_set(pool, order, v, own + 1, pool.sizes[v], allowed)
    else:
        better = chosen
        if has_bit(pool.sets[u, chosen], v):
            better = find_set(pool, order, u, chosen + 1, pool.sizes[u], allowed)
        set_bit(allowed, u)
        own = find_better(pool, order, v, own, u, allowed)
    if own == NO_SET or better == NO_SET:
        return NO_SET, 0.0
    return own, pool.scores[u, better] - pool.scores[u, chosen]


@inner
def find_place(pool: Pool, order: Order, v: int) -> tuple[int, float]:
    """Return the best other place for v, and what the graph gains; ties are broken at random."""
    at, num_nodes = order.places[v], order.nodes.shape[0]
    allowed, before = order.allowed, order.before[at]
    place, most, ties = at, -np.inf, 0
    for step in (-1, 1):
        for w in range(allowed.shape[0]):
            allowed[w] = before[w]
        own, gained = order.chosen[v], 0.0
        i = at + step
        while 0 <= i < num_nodes:
            u = order.nodes[i]
            if step < 0:
                clear_bit(allowed, u)
            own, more = pass_one(pool, order, v, own, u, step)
            if own == NO_SET:
                break
            gained += more
            gain = gained + pool.scores[v, own] - pool.scores[v, order.chosen[v]]
            if gain > most + ROUNDING:
                place, most, ties = i, gain, 1
            elif gain > most - ROUNDING:
                ties += 1
                if draw_below(order.random, ties) == 0:
                    place = i
            i += step
    order.work[0] += PLACE_WORK * num_nodes
    return place, most
