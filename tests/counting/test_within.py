"""DAGs within edge rules against the definition."""

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.counting.base import log_sum_of_weights
from pathprior.counting.within import (
    count_dags_within,
    list_within,
    log_sum_within,
    tie_shares_within,
)
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
    listed = list_within(rules, pairs, edge_odds, direct=direct)
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
    assert list_within(rules, np.array([(0, 9)]), 0.2) is None
    assert count_dags_within(rules) is None
    apart = log_sum_of_weights(5, 0.2) + log_sum_of_weights(30, 0.2) + 150 * log(1.2)
    assert abs(log_sum_within(rules, 0.2) - apart) < 1e-9


def test_all_graphs_on_six_nodes_are_few_enough():
    rules = make_edge_rules((*NAMES, "f"))
    assert count_dags_within(rules) == 3_781_503
    assert count_dags_within(make_edge_rules((*NAMES, "f", "g"))) is None
