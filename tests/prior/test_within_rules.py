"""Priors within edge rules against the definition: every graph within them by itself."""

import warnings

import numpy as np
import pytest

from pathprior import Dag, fit_prior
from pathprior.beliefs.belief import (
    associated,
    causes,
    confounded,
    direct,
    not_associated,
    not_causes,
    relation,
)
from pathprior.errors import PathPriorWarning
from tests.oracles import within as oracle

NAMES = ("a", "b", "c", "d", "e")
WORDS = (causes, not_causes, associated, not_associated, confounded, direct)


def random_beliefs(rng, names, rules):
    """Beliefs that rules do not make pointless as a whole."""
    beliefs = []
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.choice(names, 2, replace=False).tolist()
        strength = float(rng.choice([1.0, 5.0, 10.0]))
        if rng.random() < 0.25:
            vector = tuple(rng.dirichlet(np.full(4, 2.0)).tolist())
            beliefs.append(relation(x, y, vector, strength=strength))
        else:
            word = WORDS[int(rng.integers(len(WORDS)))]
            beliefs.append(word(x, y, round(float(rng.uniform(0.05, 0.95)), 3), strength=strength))
    return beliefs


def rules_of(rules):
    return {name: value for name, value in rules.stated.items() if value}


def check_random_case(seed, size, *, is_summed):
    rng = np.random.default_rng((40, seed))
    names = NAMES[:size]
    rules = oracle.random_rules(rng, names)
    beliefs = random_beliefs(rng, names, rules)
    parents = [None, 0.8][seed % 2]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PathPriorWarning)
        prior = fit_prior(beliefs, names, expected_parents=parents, **rules_of(rules))
    keys = [
        (belief.x, event.value, belief.y, stated)
        for belief in prior.beliefs
        for event, stated in zip(belief.named_events, belief.stated, strict=True)
    ]
    table = {
        (row.x, row.event, row.y, row.stated): row for row in prior.table.itertuples(index=False)
    }
    fitted = np.array([table[key].fitted for key in keys])
    usual, _ = oracle.fit_within(rules, prior.beliefs, prior.edge_odds, is_base=True)
    baseline = np.array([table[key].baseline for key in keys])
    np.testing.assert_allclose(baseline, usual, rtol=0, atol=1e-9)
    expected, is_met = oracle.fit_within(rules, prior.beliefs, prior.edge_odds)
    np.testing.assert_allclose(fitted, expected, rtol=0, atol=1e-9)
    if is_summed:
        graphs = [Dag(names, dag) for dag in oracle.dags_within(rules)]
        shares = np.exp([prior.log_prob(dag) for dag in graphs])
        assert prior.is_normalised
        assert abs(shares.sum() - 1) < 1e-9
        for k, (x, event, y, _) in enumerate(keys):
            asked = prior.probability(x, event, y)
            assert abs(asked.fitted - fitted[k]) < 1e-9
            assert asked.lower - 1e-7 <= fitted[k] <= asked.upper + 1e-7 or not is_met
    return is_met


@pytest.mark.parametrize("seed", range(24))
def test_fitted_probabilities_are_those_of_the_graphs_within(seed):
    check_random_case(seed, 3 + seed % 2, is_summed=True)


@pytest.mark.slow
def test_fitted_probabilities_of_many_random_cases():
    met = sum(check_random_case(100 + seed, 3 + seed % 3, is_summed=False) for seed in range(330))
    assert 100 < met < 330  # both ways to fit were tried
