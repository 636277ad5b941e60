"""The normalising constant of tilted measures against enumeration."""

from math import log

import numpy as np
import pytest

from pathprior.prior.web.chains import Chains
from pathprior.prior.web.constant import log_tilted_dags
from tests.oracles import web as oracle


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("edge_odds", [1.0, 0.4, 0.1])
@pytest.mark.parametrize("direct", [(), (0, 3)])
def test_bridge_finds_the_tilted_total(seed, edge_odds, direct):
    log_base = log(edge_odds)
    pairs = np.array([(0, 1), (1, 2), (0, 2), (2, 3)])
    field = 2 * np.random.default_rng(seed).normal(size=(4, 6 if direct else 4))
    chains = Chains(pairs, 4, num_chains=16, seed=seed, direct=direct)
    chains.run(log_base, field, num_records=1, sweeps=200)
    estimate = log_tilted_dags(chains, field, log_base, min(log_base, log(1 / 4)))
    expected = oracle.log_total(4, pairs.tolist(), log_base, field, direct)
    assert abs(estimate.value - expected) < 4 * estimate.standard_error
    assert estimate.standard_error < 0.2


class CountedChains(Chains):
    """Chains that count their sweeps."""

    num_sweeps = 0

    def run(self, *point, num_records, sweeps):
        self.num_sweeps += num_records * sweeps
        return super().run(*point, num_records=num_records, sweeps=sweeps)


def test_a_hurried_bridge_is_quick_and_right():
    pairs = np.array([(0, 1), (1, 2), (0, 2), (2, 3)])
    field = 2 * np.random.default_rng(1).normal(size=(4, 4))
    patient, hurried = (CountedChains(pairs, 4, num_chains=16, seed=3) for _ in range(2))
    for chains in (patient, hurried):
        chains.run(0.0, field, num_records=1, sweeps=200)
        chains.num_sweeps = 0
    log_tilted_dags(patient, field, 0.0, log(1 / 4))
    estimate = log_tilted_dags(hurried, field, 0.0, log(1 / 4), deadline=0.0)
    expected = oracle.log_total(4, pairs.tolist(), 0.0, field)
    assert abs(estimate.value - expected) < 4 * estimate.standard_error
    assert estimate.standard_error < 0.2
    assert hurried.num_sweeps < patient.num_sweeps / 2
