"""Missing cells are drawn from their distribution given the rest of their row."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.data.table import DataTable, RealTable
from pathprior.network.conditionals import Linear, Logit, Table
from pathprior.network.imputation import Cells, draw_again, first_draw
from pathprior.network.mechanisms import Mechanism, children_of, find_mechanisms
from tests.oracles.network import joint_distribution, networks

NUM_ROWS = 20_000


def mechanisms_of(network):
    dag = network.dag
    return tuple(
        Mechanism(tuple(np.flatnonzero(dag.adjacency[:, v]).tolist()), conditional)
        for v, conditional in enumerate(network.conditionals)
    )


def draw_row(network, row, missing, *, num_sweeps, seed=0):
    """Draw the missing cells of one row of codes, many times; return their codes."""
    codes = np.repeat(np.array(row, np.uint8)[:, None], NUM_ROWS, axis=1)
    observed = np.ones(codes.shape, dtype=bool)
    observed[missing] = False
    table = DataTable(network.dag.nodes, codes, tuple(network.states))
    data = replace(Dataset.of_codes(table), imputed=~observed)
    everywhere = np.ones(NUM_ROWS, dtype=bool)
    generator = np.random.default_rng(seed)
    drawn = draw_again(
        data, [(everywhere, mechanisms_of(network))], generator, num_sweeps=num_sweeps
    )
    assert np.array_equal(drawn.coded.codes[observed], codes[observed])
    return drawn.coded.codes[missing]


@pytest.mark.parametrize(
    ("known", "missing"),
    [
        ({"asia": "no", "tub": "no", "lung": "no", "either": "no"}, "smoke bronc xray dysp"),
        ({"tub": "yes", "either": "yes", "dysp": "yes", "xray": "yes"}, "asia smoke lung bronc"),
        ({"asia": "no", "smoke": "yes", "tub": "no", "lung": "yes", "bronc": "no"}, "either xray"),
    ],
)
def test_draws_agree_with_exact_inference_on_asia(known, missing):
    asia = pp.load_network("asia")
    network = pp.BayesianNetwork.estimate(
        asia.dag, asia.sample(2000, seed=1), equivalent_sample_size=1.0
    )
    index, states = network.dag.index, network.states
    places = [index(name) for name in missing.split()]
    row = [states[v].index(known.get(name, states[v][0])) for v, name in enumerate(asia.dag.nodes)]
    joint = {}
    for codes, probability in joint_distribution(network).items():
        if all(states[index(name)][codes[index(name)]] == known[name] for name in known):
            key = tuple(codes[v] for v in places)
            joint[key] = joint.get(key, 0.0) + probability
    total = sum(joint.values())
    drawn = draw_row(network, row, places, num_sweeps=40)
    for key, probability in joint.items():
        exact = probability / total
        share = (drawn == np.array(key)[:, None]).all(axis=0).mean()
        assert abs(share - exact) <= 4 * np.sqrt(exact * (1 - exact) / NUM_ROWS) + 1e-4


@settings(max_examples=60)
@given(networks(plain_names=True), st.integers(0, 2**32 - 1))
def test_a_state_is_weighed_by_the_joint_distribution(network, seed):
    """Against the whole joint distribution, for every variable and row."""
    joint = joint_distribution(network)
    sizes = [len(states) for states in network.states]
    mechanisms = mechanisms_of(network)
    row = np.random.default_rng(seed).integers(sizes).tolist()
    for v, size in enumerate(sizes):
        exact = np.array([joint[(*row[:v], k, *row[v + 1 :])] for k in range(size)])
        if not exact.any():
            continue
        cells = Cells(v, size, np.array([0]), mechanisms, children_of(mechanisms, v))
        found = cells.weigh_states({u: np.array([code]) for u, code in enumerate(row)})[0]
        np.testing.assert_allclose(found / found.sum(), exact / exact.sum(), rtol=1e-9, atol=1e-12)


def test_numbers_are_drawn_from_the_conditional_normal_distribution():
    dag = pp.Dag.from_edges("abcde", [("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("e", "d")])
    network = pp.GaussianNetwork.random(dag, seed=3)
    missing, known = [0, 2, 4], [1, 3]
    values = np.zeros((5, NUM_ROWS))
    values[known] = np.array([[0.7], [-1.2]])
    imputed = np.zeros(values.shape, dtype=bool)
    imputed[missing] = True
    data = replace(Dataset.of_reals(RealTable(dag.nodes, values)), imputed=imputed)
    drawn = draw_again(
        data,
        [(np.ones(NUM_ROWS, dtype=bool), mechanisms_of(network))],
        np.random.default_rng(0),
        num_sweeps=60,
    ).reals.values
    mean, covariance = network.means(), network.covariance()
    gain = covariance[np.ix_(missing, known)] @ np.linalg.inv(covariance[np.ix_(known, known)])
    exact_mean = mean[missing] + gain @ (values[known, 0] - mean[known])
    exact = covariance[np.ix_(missing, missing)] - gain @ covariance[np.ix_(known, missing)]
    spread = np.sqrt(np.diag(exact))
    found = drawn[missing]
    assert np.all(np.abs(found.mean(axis=1) - exact_mean) < 4 * spread / np.sqrt(NUM_ROWS))
    assert np.all(np.abs(np.cov(found) - exact) < 0.05 * np.outer(spread, spread))
    assert np.array_equal(drawn[known], values[known])


def test_numbers_that_states_depend_on_are_drawn_right():
    """Against integration over a grid: x ~ N(0, 1), state 1 with the odds of a logit in x."""
    logit = Logit(np.array([0.0, -0.5]), (np.array([0.0, 2.0]),))
    mechanisms = (Mechanism((), Linear(0.0, (), 1.0)), Mechanism((0,), logit))
    states = DataTable(("s",), np.ones((1, NUM_ROWS), np.uint8), (("no", "yes"),))
    numbers = RealTable(("x",), np.zeros((1, NUM_ROWS)))
    imputed = np.array([[True] * NUM_ROWS, [False] * NUM_ROWS])
    data = Dataset(("x", "s"), states, numbers, imputed=imputed)
    drawn = draw_again(
        data,
        [(np.ones(NUM_ROWS, dtype=bool), mechanisms)],
        np.random.default_rng(0),
        num_sweeps=40,
    ).reals.values[0]
    grid = np.linspace(-8, 8, 4001)
    density = np.exp(-0.5 * grid**2) / (1 + np.exp(0.5 - 2 * grid))
    density /= density.sum()
    mean = (grid * density).sum()
    deviation = np.sqrt((grid**2 * density).sum() - mean**2)
    assert abs(drawn.mean() - mean) < 4 * deviation / np.sqrt(NUM_ROWS)
    assert abs(drawn.std() - deviation) < 0.02


def test_the_first_draw_takes_observed_values_of_the_same_kind_of_row():
    codes = np.array([[0, 0, 1, 1, 2, 2, 2, 2]], np.uint8)
    table = DataTable(("a",), codes, (("x", "y", "z"),))
    observed = np.array([[True, True, True, False, True, True, False, False]])
    was_set = np.array([[False] * 4 + [True] * 4])
    data = Dataset(("a",), table, RealTable((), np.empty((0, 8))), observed, was_set)
    filled = first_draw(data, np.random.default_rng(0))
    assert filled.observed is None
    assert np.array_equal(filled.imputed, ~observed)
    assert np.array_equal(filled.coded.codes[observed], codes[observed])
    assert filled.coded.codes[0, 3] in (0, 1)  # as where it was not set
    assert filled.coded.codes[0, 6:].tolist() == [2, 2]


@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_mechanisms_are_those_of_the_experiments(kind):
    dag = pp.Dag.from_edges("ab", [("a", "b")])
    a = np.array([0, 0, 1, 1] * 10, np.uint8)
    b = np.where(np.arange(40) < 20, a, 1).astype(np.uint8)
    table = DataTable(("a", "b"), np.stack([a, b]), (("0", "1"),) * 2)
    was_set = np.zeros((2, 40), dtype=bool)
    was_set[1, 20:] = True
    data = replace(Dataset.of_codes(table), intervened=was_set, are_soft=kind == "soft")
    found = {
        bool(rows[20]): here
        for rows, here in find_mechanisms(dag, data, equivalent_sample_size=1.0)
    }
    observed, experiment = found[False][1], found[True][1]
    assert observed.parents == (0,)
    assert isinstance(observed.conditional, Table)
    assert observed.conditional.probabilities[0, 0] > 0.9
    assert experiment.parents == ((0,) if kind == "soft" else ())
    assert np.all(experiment.conditional.probabilities[..., 1] > 0.9)
    assert found[True][0].conditional == found[False][0].conditional
