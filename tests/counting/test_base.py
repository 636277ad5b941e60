from fractions import Fraction
from math import comb, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from pathprior.counting import base, contour
from pathprior.counting.base import (
    UNIFORM,
    edge_odds_for,
    expected_edges,
    log_sum_of_weights,
    source_shares,
)
from pathprior.counting.robinson import count_dags, dags_by_sinks, log_num_dags
from pathprior.errors import CountingError
from tests.oracles.graph import all_dags
from tests.oracles.weighted import (
    mean_edges,
    robinson_in_decimals,
    shares_by_sources,
    sum_of_weights,
)

ODDS = st.floats(-6, 6).map(lambda power: 10**power)


@pytest.mark.parametrize("num_nodes", [1, 2, 3, 4])
@pytest.mark.parametrize("edge_odds", [Fraction(1, 4), Fraction(1, 3), Fraction(3)])
def test_oracles_agree(num_nodes, edge_odds):
    edges = [int(adjacency.sum()) for adjacency in all_dags(num_nodes)]
    weights = [edge_odds**count for count in edges]
    total = sum(weights)
    assert sum_of_weights(num_nodes, edge_odds) == total
    mean = sum(count * weight for count, weight in zip(edges, weights, strict=True)) / total
    assert mean_edges(num_nodes, edge_odds) == mean


@pytest.mark.kernel
@pytest.mark.parametrize("num_nodes", [1, 2, 3, 4])
@pytest.mark.parametrize("edge_odds", [Fraction(1, 4), Fraction(3)])
def test_sources_of_all_dags(num_nodes, edge_odds):
    found = source_shares(num_nodes, float(edge_odds))
    exact = shares_by_sources(num_nodes, edge_odds)
    assert found.shares[num_nodes] == pytest.approx([float(share) for share in exact], rel=1e-14)
    edges = float(mean_edges(num_nodes, edge_odds))
    assert found.edges[num_nodes] == pytest.approx(edges, rel=1e-14)


@settings(max_examples=40)
@given(st.integers(1, 12), ODDS)
def test_matches_all_dags_by_edges(num_nodes, edge_odds):
    exact = sum_of_weights(num_nodes, Fraction(edge_odds))
    found = source_shares(num_nodes, edge_odds)
    ratio = Fraction(found.sums[-1]) * Fraction(2) ** int(found.exponents[-1]) / exact
    assert float(ratio - 1) == pytest.approx(0, abs=1e-13)
    by_edges = float(mean_edges(num_nodes, Fraction(edge_odds)))
    assert expected_edges(num_nodes, edge_odds) == pytest.approx(by_edges, rel=1e-12)


@pytest.mark.parametrize(("num_nodes", "edges"), [(8, 5.2855), (20, 16.3095), (37, 32.5258)])
def test_edges_with_odds_one_in_n(num_nodes, edges):
    exact = float(mean_edges(num_nodes, Fraction(1 / num_nodes)))
    assert expected_edges(num_nodes, 1 / num_nodes) == pytest.approx(exact, rel=1e-12)
    assert exact == pytest.approx(edges, abs=1e-4)


@pytest.mark.kernel
@pytest.mark.parametrize("num_nodes", [1, 2, 7, 60])
def test_all_alike_are_counted(num_nodes):
    found = source_shares(num_nodes, UNIFORM)
    total = count_dags(num_nodes)
    expected = [count / total for count in dags_by_sinks(num_nodes)]
    assert found.shares[num_nodes] == pytest.approx(expected, rel=1e-12, abs=1e-60)
    assert log_sum_of_weights(num_nodes, UNIFORM) == pytest.approx(
        log_num_dags(num_nodes), rel=1e-14
    )


def test_edges_of_many_uniform_nodes_follow_a_law():
    for num_nodes in (120, 400):
        summed = source_shares(num_nodes, UNIFORM).edges[num_nodes]
        assert expected_edges(num_nodes, UNIFORM) == pytest.approx(summed, rel=1e-12)
    assert expected_edges(10_000, UNIFORM) / comb(10_000, 2) == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize("edge_odds", [1e-5, 1e-3, 0.004, 0.2])
def test_edges_are_the_slope_of_the_constant(edge_odds):
    num_nodes, step = 300, 1e-4
    above, below = (
        log_sum_of_weights(num_nodes, edge_odds * (1 + sign * step)) for sign in (1, -1)
    )
    slope = (above - below) / (2 * step)
    assert expected_edges(num_nodes, edge_odds) == pytest.approx(slope, rel=1e-7)


@pytest.mark.parametrize("num_nodes", [101, 150, 300])
@pytest.mark.parametrize(
    "times_nodes", [1e-6, 0.1, 0.5, 0.9, 1.0, 1.2, 1.5, 1.7, 2.0, 5.0, 20.0, 40.0, 300.0]
)
def test_many_nodes(num_nodes, times_nodes):
    """Below, at and above one parent, and where one zero of Φ is enough."""
    edge_odds = times_nodes / num_nodes
    log_sum, edges = robinson_in_decimals(num_nodes, edge_odds)
    assert log_sum_of_weights(num_nodes, edge_odds) == pytest.approx(log_sum, rel=1e-14, abs=1e-12)
    assert expected_edges(num_nodes, edge_odds) == pytest.approx(edges, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("edge_odds", [5e-4, 1.2e-3])
def test_a_thousand_nodes(edge_odds):
    log_sum, edges = robinson_in_decimals(1000, edge_odds)
    assert log_sum_of_weights(1000, edge_odds) == pytest.approx(log_sum, rel=1e-14)
    assert expected_edges(1000, edge_odds) == pytest.approx(edges, rel=1e-12)


@pytest.mark.parametrize("times_nodes", [1e-5, 1e-2, 0.5, 1.0, 1.3, 2.0, 30.0, 300.0, 1e11])
def test_integrals_are_the_table(times_nodes):
    """Up to the most nodes that the table, all of whose terms are positive, can hold."""
    num_nodes = base.MAX_WEIGHTED_NODES
    edge_odds = times_nodes / num_nodes
    table = source_shares.__wrapped__(num_nodes, edge_odds)
    assert expected_edges(num_nodes, edge_odds) == pytest.approx(table.edges[-1], rel=1e-13)
    log_sum = log(table.sums[-1]) + int(table.exponents[-1]) * log(2)
    found = log_sum_of_weights(num_nodes, edge_odds)
    assert found == pytest.approx(log_sum, rel=1e-13, abs=2e-12)


@pytest.mark.parametrize("num_nodes", [150, 2000, 10_000, 100_000])
@pytest.mark.parametrize("decay", [4.0, 6.0, 9.0])
def test_the_circle_is_its_residues(num_nodes, decay):
    """Two integrals of Φ, along different paths."""

    def excess(alpha):
        return (num_nodes - 1 / alpha) * 1.75 * (alpha**2 / 2) ** (1 / 3) - decay

    alpha = brentq(excess, 1 / num_nodes, 20 / num_nodes)
    circle = contour._along_circle(num_nodes, alpha)
    residues = contour._by_residues(num_nodes, alpha, decay)
    assert circle.log_value == pytest.approx(residues.log_value, rel=1e-14)
    assert circle.slope == pytest.approx(residues.slope, rel=num_nodes * 1e-15 + 1e-12)


def test_shares_add_up():
    found = source_shares(200, 0.005)
    assert np.allclose(found.shares.sum(axis=1), 1, rtol=1e-13)
    assert not found.shares.flags.writeable


@settings(max_examples=30)
@given(st.integers(2, 40), st.floats(1e-3, 0.999))
def test_edge_odds_give_the_parents_asked_for(num_nodes, share):
    expected_parents = share * (num_nodes - 1) / 2
    edge_odds = edge_odds_for(num_nodes, expected_parents)
    found = expected_edges(num_nodes, edge_odds) / num_nodes
    assert found == pytest.approx(expected_parents, rel=1e-11)


@pytest.mark.parametrize("num_nodes", [60, 101, 1000, 10_000])
@pytest.mark.parametrize("expected_parents", [0.01, 0.8, 1, 1.5, 2, 7.3, 29])
def test_edge_odds_on_many_nodes(num_nodes, expected_parents):
    edge_odds = edge_odds_for(num_nodes, expected_parents)
    found = expected_edges(num_nodes, edge_odds) / num_nodes
    assert found == pytest.approx(expected_parents, rel=1e-11)


@pytest.mark.parametrize(
    ("expected_parents", "limit"), [(0.5, 0.5), (1.5, 1.618034), (4, 6.162278)]
)
def test_edge_odds_in_the_limit(expected_parents, limit):
    """n β is c below one parent, c − 1 + √((c − 1)² + 1) above."""
    assert 10**6 * edge_odds_for(10**6, expected_parents) == pytest.approx(limit, rel=3e-4)


def test_edge_odds_are_remembered():
    first = edge_odds_for(90, 1.25)
    before = base._odds_of_one_edge_for.cache_info()
    assert edge_odds_for(np.int64(90), np.float64(1.25)) == first
    assert base._odds_of_one_edge_for.cache_info().hits == before.hits + 1


def test_two_nodes_by_hand():
    # no edge, one or the other: 1 + 2β
    assert expected_edges(2, 0.25) == pytest.approx(0.5 / 1.5, rel=1e-14)
    assert log_sum_of_weights(2, 0.25) == pytest.approx(log(1.5), rel=1e-14)
    assert edge_odds_for(2, 1 / 6) == pytest.approx(0.25, rel=1e-12)


@pytest.mark.parametrize("expected_parents", [0, -1, 18, 40, float("nan"), "1", True, 1e-12])
def test_parents_out_of_reach(expected_parents):
    with pytest.raises(CountingError, match="expected_parents"):
        edge_odds_for(37, expected_parents)


@pytest.mark.parametrize("edge_odds", [0, -1, 1e-10, 1e10, float("nan"), float("inf"), "1", True])
def test_odds_out_of_reach(edge_odds):
    with pytest.raises(CountingError, match="edge_odds"):
        expected_edges(37, edge_odds)


@pytest.mark.parametrize("num_nodes", [0, -1, 2.5, True, "9"])
def test_numbers_that_are_none_of_nodes(num_nodes):
    for call in (log_sum_of_weights, expected_edges, edge_odds_for):
        with pytest.raises(CountingError, match="num_nodes"):
            call(num_nodes, 0.5)
