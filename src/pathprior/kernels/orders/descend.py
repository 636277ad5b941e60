"""Parent sets that no other search meets: from random ones, by single parents in and out.

Parents that say something only together are put in one by one by no climb. Out of many parents that
are there at once, those that say nothing are taken out one by one.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.columns import Columns, find_filled
from pathprior.kernels.graph.ancestors import Words, clear_bit, has_bit, set_bit, set_size
from pathprior.kernels.inner import allocating, allocating_entry, inner
from pathprior.kernels.orders.order import Order, choose_sets
from pathprior.kernels.orders.pool import Pool
from pathprior.kernels.random import draw_below

MOST_DRAWN = 10
"""Parents that are put in or out at random at first."""
LOOK_WORK = 6000
"""What it costs to look for the best parent to put in or take out; measured."""
NOBODY = -1


class Rooms(NamedTuple):
    """How large random sets may be."""

    log_states: NDArray[np.float64]  # of each variable
    log_most: float  # of configurations of a variable and its parents


@inner
def draw_parents(
    pool: Pool, columns: Columns, order: Order, rooms: Rooms, place: int, parents: Words
) -> None:
    """Put some of those before a place into ``parents`` at random, or out if they are there.

    None is put in any more once there are so many configurations that rows would hardly share one.
    """
    v, size = order.nodes[place], set_size(parents)
    log_size = rooms.log_states[v]
    for u in range(order.nodes.shape[0]):
        if has_bit(parents, u):
            log_size += rooms.log_states[u]
    for _ in range(min(1 + draw_below(order.random, MOST_DRAWN), 2 * place)):
        u = order.nodes[draw_below(order.random, place)]
        if has_bit(pool.required[v], u):
            continue
        if has_bit(parents, u):
            clear_bit(parents, u)
            size, log_size = size - 1, log_size - rooms.log_states[u]
            continue
        may_be = not has_bit(pool.forbidden[v], u) and not has_bit(columns.barred[v], u)
        if may_be and size < pool.max_parents and log_size < rooms.log_most:
            set_bit(parents, u)
            size, log_size = size + 1, log_size + rooms.log_states[u]


@inner
def best_toggle(
    pool: Pool, scores: NDArray[np.float64], v: int, before: Words, tolerance: float
) -> int:
    """Return who is best put in or taken out, of those before v and not required; or `NOBODY`."""
    best, found = scores[v] + tolerance, NOBODY
    for u in range(scores.shape[0]):
        if scores[u] <= best or not has_bit(before, u):
            continue
        if not has_bit(pool.forbidden[v], u) and not has_bit(pool.required[v], u):
            best, found = scores[u], u
    return found


@allocating
def descend(
    pool: Pool, columns: Columns, order: Order, place: int, parents: Words, tolerance: float
) -> int:
    """Put single parents in and out of ``parents`` until none gains; return the work.

    The columns that are filled on the way are what it is for.
    """
    v, before, work = order.nodes[place], order.before[place], 0
    while True:
        column, filling = find_filled(columns, v, parents)
        work += filling + LOOK_WORK
        u = best_toggle(pool, columns.cache.scores[column], v, before, tolerance)
        if u == NOBODY:
            return work
        if has_bit(parents, u):
            clear_bit(parents, u)
        else:
            set_bit(parents, u)


@allocating_entry
def descend_all(
    pool: Pool,
    columns: Columns,
    order: Order,
    rooms: Rooms,
    is_near: bool,
    first: int,
    tolerance: float,
    most_work: int,
) -> int:
    """Descend for each place, in turn from ``first`` on, until the work is spent; return that.

    It begins at sets drawn anew, or near the best ones for the order.
    """
    num_nodes, parents, work = order.nodes.shape[0], pool.spare, 0
    choose_sets(pool, order, 0, num_nodes - 1)
    for i in range(num_nodes):
        if work > most_work:
            break
        place = (first + i) % num_nodes
        v = order.nodes[place]
        for w in range(parents.shape[0]):
            parents[w] = pool.sets[v, order.chosen[v], w] if is_near else pool.required[v, w]
        draw_parents(pool, columns, order, rooms, place, parents)
        work += descend(pool, columns, order, place, parents, tolerance)
    return work


@allocating_entry
def fill_chosen(pool: Pool, columns: Columns, order: Order) -> tuple[int, int]:
    """Fill the columns of the chosen sets; return how many were not known, and the work."""
    num_filled = work = 0
    for v in range(order.nodes.shape[0]):
        _, filling = find_filled(columns, v, pool.sets[v, order.chosen[v]])
        num_filled += filling > 1
        work += filling
    return num_filled, work
