"""Chains within edge rules against the definition: every graph that keeps them."""

from math import log

import numpy as np
import pytest

from pathprior.graph.edge_rules import make_edge_rules
from pathprior.prior.web.chains import Chains
from pathprior.prior.web.constant import log_tilted_dags
from tests.oracles import within as oracle
from tests.oracles.ties import random_weights, widen

NAMES = ("a", "b", "c", "d")
RULES = {
    "tiers": {"tiers": [["c", "a"], ["b", "d"]]},
    "edges": {"required": [("a", "b")], "forbidden": [("b", "c"), ("d", "a")]},
    "one tier": {"tiers": [["d"], ["a"]], "forbidden": [("a", "c")]},
    "parents": {"max_parents": 1},
    "all": {
        "required": [("a", "b"), ("c", "b")],
        "forbidden": [("a", "d")],
        "tiers": [["a", "c"], ["b"]],
        "max_parents": 2,
    },
}
PAIRS = np.array([(0, 1), (1, 2), (0, 2), (3, 0)])


@pytest.mark.parametrize("log_beta", [0.0, log(0.3)])
@pytest.mark.parametrize("direct", [(), (0, 2, 3)])
@pytest.mark.parametrize("kind", RULES)
def test_chains_visit_the_graphs_within_by_their_weight(kind, direct, log_beta):
    rules = make_edge_rules(NAMES, **RULES[kind])
    rng = np.random.default_rng(7)
    field = widen(rng.normal(size=(len(PAIRS), 4)))
    field[list(direct)] = random_weights(rng, len(direct))
    expected = oracle.weights_within(rules, PAIRS.tolist(), np.exp(log_beta), direct)
    expected = {row: tilted(row, weight, field) for row, weight in expected.items()}
    chains = Chains(PAIRS, 4, num_chains=16, seed=1, direct=direct, rules=rules)
    chains.run(log_beta, field, num_records=20, sweeps=5, is_learning=True)
    codes = chains.run(log_beta, field, num_records=8000, sweeps=1).codes
    check_probabilities(codes, expected)


@pytest.mark.parametrize("kind", RULES)
def test_the_constant_is_that_of_the_graphs_within(kind):
    rules = make_edge_rules(NAMES, **RULES[kind])
    field = widen(np.random.default_rng(3).normal(size=(len(PAIRS), 4)))
    weights = oracle.weights_within(rules, PAIRS.tolist(), 0.6)
    expected = log(sum(tilted(row, weight, field) for row, weight in weights.items()))
    chains = Chains(PAIRS, 4, num_chains=32, seed=2, rules=rules)
    chains.run(log(0.6), field, num_records=20, sweeps=5, is_learning=True)
    found = log_tilted_dags(chains, field, log(0.6), log(0.1))
    assert abs(found.value - expected) < 4 * found.standard_error
    assert found.standard_error < 0.1


def tilted(row, weight, field):
    return weight * np.exp(field[np.arange(len(row)), row].sum())


def check_probabilities(codes, weights):
    """Every configuration's share of the records is its share of the weight, within errors."""
    total = sum(weights.values())
    powers = 6 ** np.arange(codes.shape[-1])
    key = codes @ powers
    assert set(np.unique(key)) <= {int(np.dot(row, powers)) for row in weights}
    for row, weight in weights.items():
        seen = (key == np.dot(row, powers)).mean(axis=0)
        error = seen.std(ddof=1) / np.sqrt(codes.shape[1])
        assert abs(seen.mean() - weight / total) < 5 * error + 2e-4
