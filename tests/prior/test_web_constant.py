"""The normalising constant of tilted measures against enumeration."""

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.counting.robinson import count_dags
from pathprior.prior.web.chains import Chains
from pathprior.prior.web.constant import log_tilted_dags, log_weighted_dags
from tests.oracles import web as oracle


@pytest.mark.parametrize("num_nodes", [1, 5, 20, 60])
def test_unit_weight_counts_dags(num_nodes):
    assert log_weighted_dags(num_nodes, 0.0) == pytest.approx(log(count_dags(num_nodes)), rel=1e-12)


@settings(max_examples=10)
@given(st.integers(1, 4), st.floats(-4, 2))
def test_weighted_count_is_the_sum_over_dags(num_nodes, log_beta):
    expected = oracle.log_total(num_nodes, [], log_beta, np.zeros((0, 4)))
    assert log_weighted_dags(num_nodes, log_beta) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_bridge_finds_the_tilted_total(seed):
    pairs = np.array([(0, 1), (1, 2), (0, 2), (2, 3)])
    field = 2 * np.random.default_rng(seed).normal(size=(4, 4))
    chains = Chains(pairs, 4, num_chains=16, seed=seed)
    chains.run(0.0, field, num_records=1, sweeps=200)
    estimate = log_tilted_dags(chains, field, log(1 / 4))
    expected = oracle.log_total(4, pairs.tolist(), 0.0, field)
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
    log_tilted_dags(patient, field, log(1 / 4))
    estimate = log_tilted_dags(hurried, field, log(1 / 4), deadline=0.0)
    expected = oracle.log_total(4, pairs.tolist(), 0.0, field)
    assert abs(estimate.value - expected) < 4 * estimate.standard_error
    assert estimate.standard_error < 0.2
    assert hurried.num_sweeps < patient.num_sweeps / 2
