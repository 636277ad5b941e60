import numpy as np
import pytest

from pathprior.counting.configurations import count_configurations
from pathprior.counting.shape import read_pairs
from pathprior.counting.solution import list_tie_rows
from pathprior.counting.ties import edge_probability
from pathprior.errors import CountingError
from pathprior.graph.alphabets import Alphabets
from tests.oracles.ties import tie_shares

TRIANGLE = [(0, 1), (1, 2), (2, 0)]
CASES = [
    ([(0, 1)], [(1, 0)]),
    ([(0, 1), (2, 1)], [(2, 1)]),
    (TRIANGLE, [(0, 1), (1, 2), (2, 0)]),
    ([(0, 1), (3, 2), (2, 1)], [(3, 2), (0, 1)]),
    ([(0, 1), (3, 2)], [(0, 1)]),
]


def shares_of(counted):
    rows = map(tuple, counted.configurations.tolist())
    return dict(zip(rows, counted.probabilities.tolist(), strict=True))


@pytest.mark.parametrize(("pairs", "direct"), CASES)
@pytest.mark.parametrize("edge_odds", [1.0, 0.3, 2.5])
@pytest.mark.parametrize("num_nodes", [4, 5])
@pytest.mark.parametrize("method", ["enumerate", "exact"])
def test_edges_are_told_apart_as_by_looking_at_every_dag(
    pairs, direct, edge_odds, num_nodes, method
):
    counted = count_configurations(
        pairs, num_nodes, direct=direct, method=method, edge_odds=edge_odds
    )
    places = [k for k, (x, y) in enumerate(pairs) if (x, y) in direct or (y, x) in direct]
    expected = tie_shares(pairs, num_nodes, places, edge_odds)
    assert counted.is_exact
    assert shares_of(counted) == pytest.approx(expected, rel=1e-11, abs=1e-15)
    assert counted.configurations.tolist() == sorted(counted.configurations.tolist())


def test_five_connected_nodes_are_enumerated():
    pairs = [(0, 1), (1, 2), (2, 3), (3, 4)]
    counted = count_configurations(pairs, 5, direct=pairs[:2])
    assert shares_of(counted) == pytest.approx(tie_shares(pairs, 5, [0, 1], 1.0), rel=1e-12)
    assert sum(counted.counts) == 29281


def test_counts_of_uniform_dags_stay_whole_numbers():
    counted = count_configurations([(0, 1), (1, 2)], 12, direct=[(0, 1)])
    plain = count_configurations([(0, 1), (1, 2)], 12)
    assert sum(counted.counts) == sum(plain.counts)


@pytest.mark.parametrize("edge_odds", [1.0, 1 / 37])
def test_one_edge_is_as_probable_as_the_mean_number_of_edges_says(edge_odds):
    counted = count_configurations([(0, 1), (1, 2)], 37, direct=[(0, 1)], edge_odds=edge_odds)
    held = counted.configurations[:, 0] == 4
    assert counted.probabilities[held].sum() == pytest.approx(
        edge_probability(37, edge_odds), rel=1e-10
    )


def test_samples_tell_edges_apart():
    pairs = [(0, 1), (2, 1)]
    exact = count_configurations(pairs, 10, direct=[(0, 1)], edge_odds=0.2)
    sampled = count_configurations(
        pairs, 10, direct=[(0, 1)], edge_odds=0.2, method="full", num_samples=20_000
    )
    assert sampled.configurations.tolist() == exact.configurations.tolist()
    off = (sampled.probabilities - exact.probabilities) / (sampled.standard_errors + 1e-9)
    assert np.abs(off).max() < 4


def test_components_of_a_sample_are_of_ties_too():
    pairs = [(0, 1), (1, 2), (2, 3), (3, 4), (5, 6)]
    counted = count_configurations(
        pairs, 9, direct=[(1, 0), (5, 6)], edge_odds=0.2, num_samples=2000
    )
    chain, pair = counted.components
    assert set(np.unique(chain.configurations[:, 0])) == set(range(6))
    assert set(np.unique(chain.configurations[:, 1:])) == set(range(4))
    assert pair.method == "exact"
    assert set(pair.configurations[:, 0].tolist()) == set(range(6))


def test_valid_ties_are_those_that_occur():
    pairs = [(0, 1), (1, 2), (0, 2)]
    rows = list_tie_rows(read_pairs(pairs, 10), Alphabets((0, 1, 2)), 10)
    counted = count_configurations(pairs, 10, direct=pairs)
    assert rows.tolist() == counted.configurations.tolist()


def test_a_direct_pair_must_be_among_the_pairs():
    with pytest.raises(CountingError, match=r"\(0, 2\) is direct, but not among the pairs"):
        count_configurations([(0, 1)], 5, direct=[(0, 2)])
