"""Search over orders: pools of parent sets, moves, and the graphs found, against definitions."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.data.table import DataTable
from pathprior.kernels.data.column_cache import make_table
from pathprior.kernels.data.columns import find_filled, make_columns
from pathprior.kernels.orders.climb import search_orders
from pathprior.kernels.orders.descend import Rooms, descend_all
from pathprior.kernels.orders.order import Order, choose_sets, find_place, move_node, total_score
from pathprior.kernels.orders.pool import Pool, gather
from pathprior.score.named import make_score
from tests.kernels import entered
from tests.oracles.orders import best_sets, moved, order_score

TOLERANCE = 1e-7


@njit
def look_up(columns, child, parents):
    return find_filled(columns, child, parents)[0]


def as_words(members):
    return np.array([sum(1 << u for u in members)], np.uint64)


def as_set(words, num_nodes):
    return frozenset(u for u in range(num_nodes) if int(words[0]) >> u & 1)


def empty_pool(num_nodes, room=64, required=(), forbidden=(), max_parents=10):
    """``required`` and ``forbidden``: pairs (parent, child)."""
    rules = np.zeros((2, num_nodes, 1), np.uint64)
    for k, pairs in enumerate((required, forbidden)):
        for u, v in pairs:
            rules[k, v] |= as_words([u])
    return Pool(
        sets=np.zeros((num_nodes, room, 1), np.uint64),
        scores=np.full((num_nodes, room), -np.inf),
        sizes=np.zeros(num_nodes, np.int64),
        required=rules[0],
        forbidden=rules[1],
        max_parents=max_parents,
        firsts=np.zeros((num_nodes, num_nodes), np.int64),
        are_new=np.zeros(num_nodes, np.bool_),
        num_read=np.zeros(1, np.int64),
        spare=np.zeros(1, np.uint64),
    )


def some_order(nodes, seed):
    num_nodes = len(nodes)
    return Order(
        nodes=np.array(nodes),
        places=np.zeros(num_nodes, np.int64),
        before=np.zeros((num_nodes + 1, 1), np.uint64),
        chosen=np.zeros(num_nodes, np.int64),
        best=np.array(nodes),
        queue=np.arange(num_nodes),
        allowed=np.zeros(1, np.uint64),
        work=np.zeros(1, np.int64),
        random=np.random.default_rng(seed).integers(1, 1 << 63, 4).astype(np.uint64),
    )


def random_columns(rng, num_nodes, num_columns):
    """A cache of columns at random, as if a score had filled it, and all its families."""
    children = rng.integers(num_nodes, size=num_columns)
    drawn = [frozenset(np.flatnonzero(rng.random(num_nodes) < 0.4).tolist()) for _ in children]
    columns = [(int(v), parents - {int(v)}) for v, parents in zip(children, drawn, strict=True)]
    columns = list(dict.fromkeys([*((v, frozenset()) for v in range(num_nodes)), *columns]))
    values: dict[tuple[int, frozenset[int]], float] = {}

    def score(v, parents):
        return values.setdefault((v, parents), float(rng.normal(scale=3)))

    cache = make_table(len(columns), 1, np.empty((len(columns), num_nodes)))
    for i, (v, parents) in enumerate(columns):
        cache.children[i], cache.parents[i] = v, as_words(parents)
        cache.scores[i] = [score(v, parents if u == v else parents ^ {u}) for u in range(num_nodes)]
    cache.num_used[0] = len(columns)
    pool = [{s: x for (v, s), x in values.items() if v == child} for child in range(num_nodes)]
    return cache, pool


def gathered(seed, num_nodes=6, num_columns=20):
    rng = np.random.default_rng(seed)
    cache, families = random_columns(rng, num_nodes, num_columns)
    pool = empty_pool(num_nodes)
    gather(pool, cache)
    return pool, families, rng


@pytest.mark.kernel
@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_a_pool_has_the_sets_that_no_subset_beats(seed):
    rng = np.random.default_rng(seed)
    num_nodes = int(rng.integers(2, 8))
    cache, families = random_columns(rng, num_nodes, 20)
    pairs = [(u, v) for u in range(num_nodes) for v in range(num_nodes) if u != v]
    forbidden = [pairs[i] for i in rng.integers(len(pairs), size=2)]
    most = int(rng.integers(2, 5))
    pool = empty_pool(num_nodes, forbidden=forbidden, max_parents=most)
    half = int(cache.num_used[0]) // 2
    total, cache.num_used[0] = int(cache.num_used[0]), half
    gather(pool, cache)  # in two parts, as searches do
    cache.num_used[0] = total
    gather(pool, cache)
    for v in range(num_nodes):
        allowed = {
            parents: score
            for parents, score in families[v].items()
            if len(parents) <= most and not any((u, v) in forbidden for u in parents)
        }
        size = pool.sizes[v]
        found = [(as_set(pool.sets[v, i], num_nodes), pool.scores[v, i]) for i in range(size)]
        assert found == best_sets(allowed)
        for u in range(num_nodes):
            with_u = [i for i, (parents, _) in enumerate(found) if u in parents]
            assert pool.firsts[v, u] == (with_u[0] if with_u else size)


def test_a_full_pool_keeps_the_best_and_the_last():
    rng = np.random.default_rng(3)
    cache, families = random_columns(rng, 6, 30)
    pool = empty_pool(6, room=4)
    gather(pool, cache)
    for v in range(6):
        best = best_sets(families[v])
        kept = [as_set(pool.sets[v, i], 6) for i in range(pool.sizes[v])]
        assert kept[0] == best[0][0]
        assert kept[-1] == frozenset()
        assert len(kept) <= 4


@pytest.mark.kernel
@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_a_move_gains_what_the_definition_says(seed):
    pool, families, rng = gathered(seed)
    order = some_order(rng.permutation(6), seed)
    entered(choose_sets)(pool, order, 0, 5)
    nodes = order.nodes.tolist()
    before = order_score(families, nodes)
    assert entered(total_score)(pool, order) == pytest.approx(before)
    for v in range(6):
        gains = {
            place: order_score(families, moved(nodes, v, place)) - before
            for place in range(6)
            if place != nodes.index(v)
        }
        place, gain = entered(find_place)(pool, order, v)
        assert gain == pytest.approx(max(gains.values()), abs=1e-9)
        assert gains[place] == pytest.approx(gain, abs=1e-9)
    entered(move_node)(pool, order, v, place)
    assert order.nodes.tolist() == moved(nodes, v, place)
    expected = order_score(families, order.nodes.tolist())
    assert entered(total_score)(pool, order) == pytest.approx(expected)


@settings(max_examples=10)
@given(st.integers(0, 10**6))
def test_the_best_order_is_found(seed):
    pool, families, rng = gathered(seed, num_nodes=5)
    order = some_order(rng.permutation(5), seed)
    work = search_orders(pool, order, TOLERANCE, 10**6)
    assert work >= 10**6
    found = entered(total_score)(pool, order)
    best = max(order_score(families, nodes) for nodes in permutations(range(5)))
    assert found == pytest.approx(best)
    assert found == pytest.approx(order_score(families, order.nodes.tolist()))


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.booleans())
def test_descents_end_where_no_single_parent_gains(seed, is_near):
    """All columns that they come to are filled, and one of each variable's is such an end."""
    rng = np.random.default_rng(seed)
    data = DataTable(
        tuple("abcde"),
        rng.integers(2, size=(5, 40)).astype(np.uint8),
        tuple(("0", "1") for _ in range(5)),
    )
    scorer = make_score("bdeu").bind(Dataset.of_codes(data))
    barred = np.array([[1 << v] for v in range(5)], np.uint64)
    columns = make_columns(scorer.kernel(), barred, 3, 0.0)
    for v in range(5):
        look_up(columns, v, as_words([]))
    pool, order = empty_pool(5, max_parents=3), some_order(rng.permutation(5), seed)
    gather(pool, columns.cache)
    rooms = Rooms(np.log(np.full(5, 2.0)), np.log(8 * 40.0))
    descend_all(pool, columns, order, rooms, is_near, 0, TOLERANCE, 10**9)
    met: dict[int, list[frozenset[int]]] = {v: [] for v in range(5)}
    for i in range(int(columns.cache.num_used[0])):
        v = int(columns.cache.children[i])
        met[v].append(as_set(columns.cache.parents[i], 5))
    for place, v in enumerate(order.nodes.tolist()):
        before = order.nodes[:place].tolist()
        ends = [
            parents
            for parents in met[v]
            if parents <= set(before)
            and all(
                scorer.local(v, sorted(parents ^ {u})) <= scorer.local(v, sorted(parents)) + 1e-6
                for u in before
                if len(parents ^ {u}) <= 3
            )
        ]
        assert ends
        assert max(map(len, met[v])) <= 3


def test_rules_hold_in_all_that_is_met():
    """With rules and beliefs that shape the graph, hard ones among them."""
    rng = np.random.default_rng(0)
    network = pp.load_network("alarm")
    data = network.sample(300, seed=1)
    names, edges = network.dag.nodes, network.dag.edges
    required = [edges[i] for i in rng.choice(len(edges), 3, replace=False)]
    forbidden = [edge for edge in edges[:8] if edge not in required]
    fit = pp.learn(
        data,
        [pp.causes(names[0], names[5], 1.0), pp.not_causes(names[3], names[9], 0.9)],
        required=required,
        forbidden=forbidden,
        max_parents=3,
        expected_parents=None,
    )
    assert set(required) <= set(fit.dag.edges)
    assert not set(forbidden) & set(fit.dag.edges)
    assert max(len(fit.dag.parents(name)) for name in names) <= 3
    assert fit.dag.relation(names[0], names[5]).symbol == "⇒"
