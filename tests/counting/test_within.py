"""DAGs within edge rules against the definition."""

from itertools import combinations
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.counting.base import log_sum_of_weights
from pathprior.counting.configurations import count_configurations
from pathprior.counting.tiers import find_tiers, sum_over_tiers
from pathprior.counting.within import (
    count_dags_within,
    list_within,
    log_sum_within,
    tie_shares_within,
)
from pathprior.graph.alphabets import Alphabets
from pathprior.graph.edge_rules import make_edge_rules
from tests.oracles import within as oracle

NAMES = ("a", "b", "c", "d", "e")


def random_pairs(rng, size):
    every = np.array([(i, j) for i in range(size) for j in range(size) if i < j])
    chosen = rng.permutation(every)[: rng.integers(1, len(every) + 1)]
    return np.array([pair[:: rng.choice([1, -1])] for pair in chosen])


@pytest.mark.kernel
@settings(max_examples=40)
@given(st.integers(2, 4), st.sampled_from([1.0, 0.3]), st.integers(0, 2**32 - 1))
def test_listings_are_those_of_the_graphs_within(size, edge_odds, seed):
    rng = np.random.default_rng(seed)
    rules = oracle.random_rules(rng, NAMES[:size])
    pairs = random_pairs(rng, size)
    direct = [k for k in range(len(pairs)) if rng.random() < 0.4]
    listed = list_within(rules, pairs, edge_odds, alphabets=Alphabets(tuple(direct)))
    weights = oracle.weights_within(rules, pairs.tolist(), edge_odds, direct)
    total = sum(weights.values())
    assert [tuple(row) for row in listed.configurations.tolist()] == sorted(weights)
    expected = [weights[row] / total for row in sorted(weights)]
    np.testing.assert_allclose(listed.probabilities, expected, rtol=1e-12)
    assert count_dags_within(rules) == sum(1 for _ in oracle.dags_within(rules))
    assert abs(log_sum_within(rules, edge_odds) - log(total)) < 1e-12
    shares = tie_shares_within(rules, pairs, edge_odds)
    told = oracle.weights_within(rules, pairs.tolist(), edge_odds, range(len(pairs)))
    for k in range(len(pairs)):
        for tie in range(6):
            share = sum(weight for row, weight in told.items() if row[k] == tie) / total
            assert abs(shares[k, tie] - share) < 1e-12


def test_only_what_can_be_above_the_pairs_is_looked_at():
    # thirty later variables that nothing of the first tier asks about
    late = [f"z{i}" for i in range(30)]
    rules = make_edge_rules((*NAMES, *late), tiers=[NAMES, late])
    few = make_edge_rules(NAMES)
    pairs = np.array([(0, 1), (1, 2)])
    listed, alone = list_within(rules, pairs, 0.2), list_within(few, pairs, 0.2)
    np.testing.assert_array_equal(listed.configurations, alone.configurations)
    np.testing.assert_allclose(listed.probabilities, alone.probabilities)
    more = make_edge_rules((*NAMES, *late), tiers=[NAMES, late], forbidden=[("z0", "z1")])
    assert list_within(more, np.array([(0, 9)]), 0.2) is None
    assert count_dags_within(rules) is None
    apart = log_sum_of_weights(5, 0.2) + log_sum_of_weights(30, 0.2) + 150 * log(1.2)
    assert abs(log_sum_within(rules, 0.2) - apart) < 1e-9


def test_all_graphs_on_six_nodes_are_few_enough():
    rules = make_edge_rules((*NAMES, "f"))
    assert count_dags_within(rules) == 3_781_503
    assert count_dags_within(make_edge_rules((*NAMES, "f", "g"))) is None


@pytest.mark.kernel
@settings(max_examples=30)
@given(st.integers(2, 5), st.sampled_from([1.0, 0.3]), st.integers(0, 2**32 - 1))
def test_sums_over_tiers_are_those_of_the_graphs_within(size, edge_odds, seed):
    rng = np.random.default_rng(seed)
    names = NAMES[:size]
    number = np.sort(rng.integers(0, 3, size=size))
    order = rng.permutation(names).tolist()
    tiers = [[v for v, k in zip(order, number, strict=True) if k == tier] for tier in range(3)]
    rules = make_edge_rules(names, tiers=tiers)
    tier = find_tiers(rules)
    nodes = np.sort(rng.permutation(size)[: rng.integers(2, min(size, 4) + 1)]).tolist()
    pairs = list(combinations(nodes, 2))
    direct = [k for k in range(len(pairs)) if rng.random() < 0.4]
    place = {node: k for k, node in enumerate(nodes)}
    ends = [(place[pairs[k][0]], place[pairs[k][1]]) for k in direct]
    table = sum_over_tiers(tier, nodes, edge_odds, ends)
    weights = oracle.weights_within(rules, pairs, edge_odds, direct)
    total = sum(weights.values())
    assert [tuple(row) for row in table.configurations.tolist()] == sorted(weights)
    expected = [weights[row] / total for row in sorted(weights)]
    np.testing.assert_allclose(table.probabilities, expected, rtol=1e-10)


def test_sums_over_tiers_of_many_nodes_are_those_of_all_graphs():
    # one tier is no rule: Robinson's sums say the same
    for num_nodes, edge_odds in ((37, 0.05), (20, 1.0)):
        counted = count_configurations([(0, 1)], num_nodes, edge_odds=edge_odds)
        table = sum_over_tiers(np.zeros(num_nodes, np.int64), [0, 1], edge_odds)
        np.testing.assert_array_equal(table.configurations, counted.configurations)
        np.testing.assert_allclose(table.probabilities, counted.probabilities, rtol=1e-9)


def test_what_is_more_than_tiers_is_told_from_them():
    assert find_tiers(make_edge_rules(NAMES, tiers=[["b"], ["a", "c"]])) is None  # two are free
    assert find_tiers(make_edge_rules(NAMES, max_parents=2)) is None
    assert find_tiers(make_edge_rules(NAMES, required=[("a", "b")])) is None
    tier = find_tiers(make_edge_rules(NAMES, tiers=[["d", "b"], [], ["e"], ["a", "c"]]))
    assert tier.tolist() == [2, 0, 2, 0, 1]
