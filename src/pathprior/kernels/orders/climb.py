"""Local search over orders: move variables to where they are best, disturb, and again.

A graph is best for an order if each variable has its best parents among those before it, so that a
search over orders moves many edges at a time (Teyssier and Koller, 2005; Lee and van Beek, 2017).
"""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.inner import entry, inner
from pathprior.kernels.orders.order import (
    ROUNDING,
    Order,
    choose_sets,
    find_place,
    move_node,
    total_score,
)
from pathprior.kernels.orders.pool import Pool
from pathprior.kernels.random import draw_below

MOST_MOVED = 6
"""Variables that a disturbance moves to random places."""


@inner
def climb_order(pool: Pool, order: Order, tolerance: float) -> None:
    """Move each variable to its best place until none gains.

    Where nothing gains, a variable goes to another place that loses nothing.
    """
    queue, is_better = order.queue, True
    while is_better:
        is_better = False
        for i in range(queue.shape[0] - 1, 0, -1):
            j = draw_below(order.random, i + 1)
            queue[i], queue[j] = queue[j], queue[i]
        for v in queue:
            place, gain = find_place(pool, order, v)
            if gain > -ROUNDING:
                move_node(pool, order, v, place)
                is_better |= gain > tolerance


@inner
def disturb_order(pool: Pool, order: Order) -> None:
    """Move some variables to random places, where the required edges allow it."""
    num_nodes = order.nodes.shape[0]
    for _ in range(1 + draw_below(order.random, MOST_MOVED)):
        v, place = draw_below(order.random, num_nodes), draw_below(order.random, num_nodes)
        at = order.places[v]
        move_node(pool, order, v, place)
        if total_score(pool, order) == -np.inf:
            move_node(pool, order, v, at)


@inner
def copy_nodes(source: NDArray[np.int64], target: NDArray[np.int64]) -> None:
    """Copy an order."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@entry
def search_orders(pool: Pool, order: Order, tolerance: float, most_work: int) -> int:
    """Search from ``order.nodes`` for about so much work, and return it; end at the best order."""
    last = order.nodes.shape[0] - 1
    order.work[0] = 0
    choose_sets(pool, order, 0, last)
    climb_order(pool, order, tolerance)
    best = total_score(pool, order)
    copy_nodes(order.nodes, order.best)
    while order.work[0] < most_work:
        disturb_order(pool, order)
        climb_order(pool, order, tolerance)
        score = total_score(pool, order)
        if score > best - ROUNDING:  # one as good leads elsewhere
            best = max(best, score)
            copy_nodes(order.nodes, order.best)
        else:
            copy_nodes(order.best, order.nodes)
            choose_sets(pool, order, 0, last)
    copy_nodes(order.best, order.nodes)
    choose_sets(pool, order, 0, last)
    return int(order.work[0])
