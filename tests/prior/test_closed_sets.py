"""Random closed sets: their probabilities from the definition, and draws that have them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.kernels.web.closed_sets import (
    ask_nodes,
    count_declined,
    fill_survival,
    leave_nodes,
    sort_nodes,
)
from pathprior.kernels.web.state import Asking, Learning, Places
from tests.kernels import entered
from tests.oracles import web as oracle

pytestmark = pytest.mark.kernel


class Order:
    """A random partial order without the node ``v``, with chances for its closed sets."""

    def __init__(self, num_nodes, seed):
        self.rng = np.random.default_rng(seed)
        self.num_nodes = num_nodes
        self.v = int(self.rng.integers(num_nodes))
        places = self.rng.permutation(num_nodes)
        reaches = np.triu(self.rng.random((num_nodes, num_nodes)) < 0.4)
        reaches = reaches[np.ix_(places, places)] | np.eye(num_nodes, dtype=bool)
        reaches[self.v] = reaches[:, self.v] = False
        for _ in range(num_nodes):
            reaches = reaches @ reaches
        self.beyond = np.stack([reaches.T, reaches])
        self.closure = np.stack([pack_rows(rows) for rows in self.beyond])
        shape = (num_nodes, 2, 2, 4, num_nodes)
        self.chances = self.rng.uniform(0.05, 0.95, size=shape).astype(np.float32)
        num_words = self.closure.shape[2]
        self.sets = np.zeros((1, 2, num_words), np.uint64)
        self.ends = np.zeros_like(self.sets)
        self.orders = np.empty((2, num_nodes - 1), np.uint32)
        size, start = np.empty(num_nodes, np.uint32), np.empty(num_nodes + 1, np.uint32)
        entered(sort_nodes)(self.closure, self.v, size, start, self.orders)
        self.random = self.rng.integers(1, 2**64, size=4, dtype=np.uint64)
        self.seen = np.zeros((*shape, 2), np.int64)

    def ask(self, side, nodes, *, stage=0, is_bound=0, chosen=None, threshold=1.0, declined=None):
        """Find ``chosen`` or draw a set among ``nodes``; it, its ends and its log chance."""
        if chosen is not None:
            row = np.isin(np.arange(self.num_nodes), list(chosen))
            self.sets[0, side] = pack_rows(row[None])[0]
        queue = np.append(nodes, 0).astype(np.uint32)
        num_asked, product = (0, 1.0) if declined is None else declined
        is_given = chosen is not None
        log_chance = ask_nodes(
            self.closure, self.places(queue), Learning(self.chances, self.seen, is_given),
            Asking(self.v, 0, stage, side, is_bound, is_given, is_given),
            num_asked, len(nodes), product, threshold, self.random,
        )  # fmt: skip
        return self.members(self.sets[0, side]), self.members(self.ends[0, side]), log_chance

    def places(self, queue):
        return Places(self.sets, self.ends, queue, self.orders)

    def members(self, row):
        return frozenset(np.flatnonzero(unpack_row(row, self.num_nodes)).tolist())

    def expected(self, side, nodes, *, stage=0, is_bound=0):
        chances = self.chances[self.v, stage, side, [is_bound, 2 + is_bound]]
        return oracle.closed_set_chances(self.beyond[side], nodes, chances)


@pytest.mark.parametrize("side", [0, 1])
@settings(max_examples=40)
@given(num_nodes=st.integers(2, 7), seed=st.integers(0, 2**32 - 1))
def test_every_closed_set_has_its_probability(side, num_nodes, seed):
    order = Order(num_nodes, seed)
    nodes = order.orders[side].tolist()
    expected = order.expected(side, nodes)
    assert set(expected) == oracle.closed_sets(order.beyond[side], sorted(nodes))
    found = {}
    for chosen in expected:
        _, ends, log_chance = order.ask(side, nodes, chosen=chosen)
        assert ends == {x for x in chosen if order.beyond[1 - side][x, list(chosen)].sum() == 1}
        found[chosen] = np.exp(log_chance)
    assert found == pytest.approx(expected)
    assert sum(found.values()) == pytest.approx(1)


@pytest.mark.parametrize("side", [0, 1])
@settings(max_examples=40)
@given(num_nodes=st.integers(2, 7), seed=st.integers(0, 2**32 - 1))
def test_second_sets_are_among_the_nodes_beyond_all_of_the_first(side, num_nodes, seed):
    order = Order(num_nodes, seed)
    all_nodes = order.orders[1 - side].tolist()
    first = order.rng.choice(np.array(list(order.expected(1 - side, all_nodes)), dtype=object))
    order.ask(1 - side, all_nodes, chosen=first)
    queue, left = np.empty(num_nodes, np.uint32), np.empty(order.closure.shape[2], np.uint64)
    count = leave_nodes(order.closure, side, order.places(queue), 0, left)
    nodes = queue[:count].tolist()
    beyond = order.beyond[side]
    assert nodes == [
        x for x in order.orders[side] if x not in first and all(beyond[y, x] for y in first)
    ]
    where = {"stage": 1, "is_bound": int(len(first) > 0)}
    for chosen, chance in order.expected(side, nodes, **where).items():
        assert np.exp(order.ask(side, nodes, chosen=chosen, **where)[2]) == pytest.approx(chance)


@settings(max_examples=40)
@given(st.integers(2, 70), st.integers(0, 1), st.integers(0, 2**32 - 1))
def test_nodes_asked_in_vain_can_be_skipped(num_nodes, side, seed):
    order = Order(num_nodes, seed)
    nodes = order.orders[side].tolist()
    survival = np.empty(num_nodes)
    entered(fill_survival)(order.orders, order.chances, order.v, side, survival)
    assert all(earlier > later for earlier, later in pairwise(survival))
    threshold = order.rng.random()
    state = order.random.copy()
    slow = order.ask(side, nodes, threshold=threshold)
    order.random[:] = state
    declined = entered(count_declined)(survival, threshold)
    fast = order.ask(side, nodes, threshold=threshold, declined=(declined, survival[declined]))
    assert fast == slow
    found = order.ask(side, nodes, chosen=slow[0])
    assert found == (slow[0], slow[1], pytest.approx(slow[2]))


def test_draws_have_the_probabilities():
    order = Order(6, seed=3)
    nodes = order.orders[0].tolist()
    expected = order.expected(0, nodes)
    assert len(expected) > 8
    num_draws = 40_000
    drawn = [order.ask(0, nodes, threshold=order.rng.random())[0] for _ in range(num_draws)]
    for chosen, chance in expected.items():
        error = np.sqrt(chance * (1 - chance) / num_draws)
        assert abs(drawn.count(chosen) / num_draws - chance) < 4.5 * error
