"""`OrderSearch`: the best graph that parent sets met so far can make, found over orders."""

from math import log

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.data.columns import Columns
from pathprior.kernels.orders.climb import search_orders
from pathprior.kernels.orders.descend import Rooms, descend_all, fill_chosen
from pathprior.kernels.orders.order import Order
from pathprior.kernels.orders.pool import Pool, gather
from pathprior.problem.problem import Problem

Ints = NDArray[np.int64]

MOST_SETS = 1000
"""Parent sets of a variable that are kept."""
ROOM = 8
"""Configurations of a random set of parents and its child, by the number of rows."""
MOST_SETTLED = 10
"""Times that single parents are put in and out after a search."""
CALL_WORK = 5 * 10**6
"""What a call takes besides its work."""
STATES_OF_REAL = 2
"""What a real column counts for there."""


class OrderSearch:
    """A search over orders, with the families of a cache that others fill too."""

    def __init__(self, problem: Problem, columns: Columns, seed: np.random.SeedSequence) -> None:
        rules, num_nodes = problem.rules, problem.start.num_nodes
        self._nodes, self._required = rules.variables, rules.required
        self._columns = columns
        num_words = columns.barred.shape[1]
        self._pool = Pool(
            sets=np.zeros((num_nodes, MOST_SETS, num_words), np.uint64),
            scores=np.full((num_nodes, MOST_SETS), -np.inf),
            sizes=np.zeros(num_nodes, np.int64),
            required=pack_rows(rules.required.T),
            forbidden=pack_rows(rules.forbidden.T) | columns.barred,
            max_parents=rules.max_parents,
            firsts=np.zeros((num_nodes, num_nodes), np.int64),
            are_new=np.zeros(num_nodes, np.bool_),
            num_read=np.zeros(1, np.int64),
            spare=np.zeros(num_words, np.uint64),
        )
        own, drawn = seed.spawn(2)
        self._generator = np.random.default_rng(own)
        self._order = Order(
            nodes=np.arange(num_nodes),
            places=np.arange(num_nodes),
            before=np.zeros((num_nodes + 1, num_words), np.uint64),
            chosen=np.zeros(num_nodes, np.int64),
            best=np.arange(num_nodes),
            queue=np.arange(num_nodes),
            allowed=np.zeros(num_words, np.uint64),
            work=np.zeros(1, np.int64),
            random=np.array(drawn.generate_state(4, np.uint64), np.uint64),
        )
        self._rooms = _make_rooms(problem)

    def any_order(self) -> Ints:
        """A random order in which required parents come first."""
        keys = self._generator.random(len(self._nodes))
        if not self._required.any():
            return np.argsort(keys)
        order, left = [], np.ones(len(keys), np.bool_)
        while left.any():
            is_free = left & ~self._required[left].any(axis=0)
            order.append(int(np.argmin(np.where(is_free, keys, np.inf))))
            left[order[-1]] = False
        return np.array(order)

    def improve(self, start: Ints, tolerance: float, most_work: int) -> int:
        """Search from an order for about so much work, and return that; `found` is the end.

        There no parent put in or taken out gains either, as far as the order allows it.
        """
        self._order.nodes[:] = start
        pool, order, columns = self._pool, self._order, self._columns
        gather(pool, columns.cache)
        work = CALL_WORK + int(search_orders(pool, order, tolerance, most_work))
        for _ in range(MOST_SETTLED):
            num_filled, filling = fill_chosen(pool, columns, order)
            work += filling
            if not num_filled:
                break
            gather(pool, columns.cache)
            work += int(search_orders(pool, order, tolerance, 0))
        return work

    def widen(self, order: Ints, tolerance: float, most_work: int, *, is_near: bool) -> int:
        """Look for further parent sets among those before each variable; return the work.

        Near the best that are known for the order if ``is_near``, else at random ones.
        """
        gather(self._pool, self._columns.cache)
        self._order.nodes[:] = order
        first = int(self._generator.integers(len(order)))
        pool, columns, rooms = self._pool, self._columns, self._rooms
        work = descend_all(pool, columns, self._order, rooms, is_near, first, tolerance, most_work)
        return CALL_WORK + int(work)

    def found(self) -> tuple[float, Dag, Ints]:
        """The score of the data for the best graph of the last search, that graph, its order."""
        children = np.arange(len(self._nodes))
        chosen = self._order.chosen
        words = self._pool.sets[children, chosen]
        score = float(self._pool.scores[children, chosen].sum())
        adjacency = np.ascontiguousarray(unpack_row(words, len(self._nodes)).T)
        return score, Dag(self._nodes, adjacency), self._order.nodes.copy()


def _make_rooms(problem: Problem) -> Rooms:
    """Let random sets grow until rows would hardly share a configuration."""
    data = problem.data
    num_states = dict.fromkeys(data.variables, STATES_OF_REAL)
    num_states |= dict(zip(data.coded.variables, map(len, data.coded.states), strict=True))
    log_states = np.log([max(1, num_states[name]) for name in problem.rules.variables])
    return Rooms(log_states, log(ROOM * max(1, data.num_rows)))
