"""The chains over closures: states from the definition, and the measure they sample."""

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.kernels.web.chains import count_pairs, read_codes
from pathprior.kernels.web.replant import replant_nodes
from pathprior.kernels.web.state import Closure, Learning, Tilting
from pathprior.kernels.web.within import make_room
from pathprior.prior.web.barrier import Barrier
from pathprior.prior.web.chains import Chains
from pathprior.prior.web.tilt import Tilt
from tests.kernels import entered
from tests.oracles import web as oracle
from tests.oracles.counting import configuration


def random_pairs(rng, num_nodes, num_pairs):
    every = [(i, j) for i in range(num_nodes) for j in range(num_nodes) if i < j]
    chosen = rng.permutation(len(every))[:num_pairs]
    return np.array([every[k][:: rng.choice([1, -1])] for k in chosen], dtype=np.int64)


@pytest.mark.kernel
@settings(max_examples=30)
@given(st.integers(2, 9), st.floats(-3, 1), st.integers(0, 2**32 - 1))
def test_states_are_partial_orders_read_right(num_nodes, log_beta, seed):
    check_states(num_nodes, log_beta, seed)


@pytest.mark.parametrize("num_nodes", [64, 66])
def test_states_across_word_boundaries(num_nodes):
    check_states(num_nodes, -4.0, seed=num_nodes)


def check_states(num_nodes, log_beta, seed):
    rng = np.random.default_rng(seed)
    pairs = random_pairs(rng, num_nodes, 8)
    direct = tuple(range(0, len(pairs), 2)) if seed % 2 else ()
    chains = Chains(pairs, num_nodes, num_chains=2, seed=seed, direct=direct)
    records = chains.run(log_beta, rng.normal(size=(len(pairs), 6)), num_records=3, sweeps=1)
    for chain, (above, below) in enumerate(zip(chains.ancestors, chains.descendants, strict=True)):
        reaches = np.array([unpack_row(row, num_nodes) for row in below])
        np.testing.assert_array_equal(
            reaches.T, np.array([unpack_row(row, num_nodes) for row in above])
        )
        assert oracle.is_partial_order(reaches)
        counts = records.num_covers[-1, chain], records.num_ordered[-1, chain]
        assert counts == oracle.count_pairs(reaches)
        assert tuple(records.relations[-1, chain]) == configuration(reaches, pairs)
        covers = oracle.cover_pairs(reaches)
        for k, is_cover in zip(direct, records.is_cover[-1, chain], strict=True):
            x, y = pairs[k]
            assert is_cover == ((x, y) in covers or (y, x) in covers)


@pytest.mark.parametrize("log_beta", [0.0, log(0.3)])
def test_configurations_of_four_nodes_have_their_probability(log_beta):
    pairs = np.array([(0, 1), (1, 2), (0, 2), (2, 3), (3, 0)])
    field = np.random.default_rng(5).normal(size=(5, 4))
    chains = Chains(pairs, 4, num_chains=16, seed=1)
    chains.run(log_beta, field, num_records=1, sweeps=20, is_learning=True)
    codes = chains.run(log_beta, field, num_records=8000, sweeps=1).codes
    check_probabilities(codes, oracle.configuration_weights(4, pairs.tolist(), log_beta, field))


@pytest.mark.parametrize("log_beta", [0.0, log(0.3)])
@pytest.mark.parametrize("seed", [5, 6])
def test_ties_of_four_nodes_have_their_probability(log_beta, seed):
    pairs = np.array([(0, 1), (1, 2), (0, 2), (3, 0)])
    field = np.random.default_rng(seed).normal(size=(4, 6))
    direct = (0, 2, 3) if seed == 5 else (1,)
    chains = Chains(pairs, 4, num_chains=16, seed=1, direct=direct)
    chains.run(log_beta, field, num_records=1, sweeps=20, is_learning=True)
    codes = chains.run(log_beta, field, num_records=8000, sweeps=1).codes
    weights = oracle.configuration_weights(4, pairs.tolist(), log_beta, field, direct)
    check_probabilities(codes, weights)


@pytest.mark.parametrize("log_beta", [0.0, log(0.3)])
def test_replanting_alone_reaches_every_configuration_with_its_probability(log_beta):
    pairs = np.array([(0, 1), (1, 2), (0, 2), (2, 3), (3, 0)])
    rng = np.random.default_rng(6)
    field = rng.normal(size=(5, 4))
    # chances that nothing recommends: the rule of acceptance has to make up for them
    chances = rng.uniform(0.1, 0.9, size=(4, 2, 2, 4, 4)).astype(np.float32)
    number = np.full((4, 4), -1)
    for k, (x, y) in enumerate(pairs):
        number[x, y] = number[y, x] = k
    partners, nothing = pack_rows(number >= 0), np.zeros((0, 0))
    tilting = Tilting(pairs, partners, number, log_beta, field, partners[:0], nothing)
    learning = Learning(chances, np.zeros((*chances.shape, 2), np.int64), False)
    within = Barrier.none(4, pairs, ()).within(Tilt.of(log_beta, field, ()))
    room = entered(make_room)(within, 4)
    codes = np.empty((8000, 16, 5), np.int8)
    for chain in range(16):
        sides = np.stack([pack_rows(np.eye(4, dtype=bool))] * 2)
        state = rng.integers(1, 2**64, size=4, dtype=np.uint64)
        now, counts = np.empty(5, np.int8), np.empty(2, np.int64)
        closure = Closure(sides, sides[0], sides[1], now, counts, state)
        entered(read_codes)(closure.above, pairs, now)
        entered(count_pairs)(closure.above, closure.below, counts)
        for record in range(8000):
            entered(replant_nodes)(closure, tilting, learning, within, room, 8)
            codes[record, chain] = now
    check_probabilities(codes, oracle.configuration_weights(4, pairs.tolist(), log_beta, field))


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


def test_chains_are_a_function_of_the_seed():
    pairs, field = np.array([(0, 1), (1, 2)]), np.zeros((2, 4))
    runs = [
        Chains(pairs, 12, num_chains=3, seed=seed).run(0.0, field, num_records=5, sweeps=2).codes
        for seed in (3, 3, 4)
    ]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert (runs[0] != runs[2]).any()
