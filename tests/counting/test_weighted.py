"""Configurations under the base measure: exact sums, enumeration and samples."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from pathprior.counting import cache, exact
from pathprior.counting.base import expected_edges
from pathprior.counting.configurations import count_configurations
from pathprior.counting.exact import exact_table, is_summable, weighted_table
from pathprior.counting.progress import silent
from pathprior.counting.sampling import sample_dags
from pathprior.errors import CountingError
from tests.oracles.graph import all_dags
from tests.oracles.weighted import weighted_shares

ODDS = [Fraction(1, 4), Fraction(1, 3), Fraction(3)]
SIZES = [(k, n) for k in (2, 3, 4) for n in range(k, 6)]


def complete(num_nodes):
    return list(combinations(range(num_nodes), 2))


def as_dict(counted):
    rows = map(tuple, counted.configurations.tolist())
    return dict(zip(rows, counted.probabilities.tolist(), strict=True))


@pytest.mark.parametrize("edge_odds", ODDS)
@pytest.mark.parametrize(("num_beliefs", "num_nodes"), SIZES)
def test_matches_rational_enumeration(num_beliefs, num_nodes, edge_odds):
    expected = weighted_shares(num_beliefs, num_nodes, Fraction(float(edge_odds)))
    for method in ("exact", "enumerate"):
        counted = count_configurations(
            complete(num_beliefs), num_nodes, method=method, edge_odds=float(edge_odds)
        )
        assert as_dict(counted) == pytest.approx(dict(expected), rel=1e-13)
        assert (counted.counts, counted.is_exact) == (None, True)
        assert counted.edge_odds == float(edge_odds)
        assert 0 < counted.omitted_mass < 1e-11


@pytest.mark.parametrize(
    ("num_nodes", "edge_odds", "expected"),
    [
        (37, 1 / 37, [0.072086722, 0.072086722, 0.091985082, 0.763841473]),
        (37, 1 / 10, [0.312845775, 0.312845775, 0.237511412, 0.136797037]),
        (20, 1 / 20, [0.098683718, 0.098683718, 0.089183952, 0.713448612]),
    ],
)
def test_one_pair(num_nodes, edge_odds, expected):
    counted = count_configurations([("x", "y")], num_nodes, edge_odds=edge_odds)
    assert counted.probabilities == pytest.approx(expected, abs=5.1e-10)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([(2, 5), (2, 30), (3, 9), (3, 16), (4, 10)]), st.floats(-2.2, 1))
def test_floats_match_decimals_within_their_bound(size, power):
    """The same sums in two ways, that of the floats with another sum over the sinks."""
    floats = exact._float_table(*size, silent, 10**power)
    decimals = exact._decimal_table(*size, 10**power, silent)
    assert floats.configurations.tolist() == decimals.configurations.tolist()
    errors = np.abs(floats.probabilities / decimals.probabilities - 1)
    assert errors.max() <= floats.relative_error
    assert decimals.probabilities.sum() == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize(("num_beliefs", "num_nodes"), [(2, 40), (3, 12), (4, 11)])
def test_odds_near_one_match_integers(num_beliefs, num_nodes):
    integers = exact_table(num_beliefs, num_nodes, silent).probabilities
    for odds in (1 - 1e-13, 1 + 1e-13):
        near = weighted_table(num_beliefs, num_nodes, odds, silent)
        assert near.probabilities == pytest.approx(integers, rel=1e-8)


@pytest.mark.parametrize("edge_odds", [1e-9, 1e-4, 1e6])
def test_digits_outlast_extreme_odds(edge_odds):
    """Floats would lose all digits of sparse DAGs; marginals of three nodes are those of two."""
    triangle = weighted_table(3, 12, edge_odds, silent)
    pair = weighted_table(2, 12, edge_odds, silent)
    assert triangle.relative_error == 1e-15 or edge_odds > 1
    assert triangle.probabilities.min() > 0
    for code, expected in zip(pair.configurations[:, 0], pair.probabilities, strict=True):
        found = triangle.probabilities[triangle.configurations[:, 0] == code].sum()
        bound = triangle.relative_error + pair.relative_error + 1e-14
        assert found == pytest.approx(expected, rel=bound)


def test_four_nodes_of_thirty_seven():
    counted = count_configurations(complete(4), 37, edge_odds=1 / 37)
    assert len(counted.probabilities) == 916
    assert 0 < counted.omitted_mass < 1e-6
    for code, expected in enumerate([0.072086722, 0.072086722, 0.091985082, 0.763841473]):
        found = counted.probabilities[counted.configurations[:, 5] == code].sum()
        assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("edge_odds", [0.1, 0.5, 4.0])
def test_samples_of_all_dags(edge_odds):
    size = 100_000
    weights = 1 << np.arange(16)
    dags = {int(dag.reshape(-1) @ weights): edge_odds ** dag.sum() for dag in all_dags(4)}
    drawn = sample_dags(4, size, seed=3, edge_odds=edge_odds).reshape(size, -1) @ weights
    seen = Counter(drawn.tolist())
    assert set(seen) <= set(dags)
    total = sum(dags.values())
    common = [dag for dag in dags if dags[dag] * size / total >= 5]
    observed = [seen[dag] for dag in common]
    expected = [dags[dag] * size / total for dag in common]
    if len(common) < len(dags):
        observed.append(size - sum(observed))
        expected.append(size - sum(expected))
    assert chisquare(observed, expected).pvalue > 0.001


@pytest.mark.parametrize(
    ("num_nodes", "edge_odds"), [(37, 1 / 37), (70, 0.3), (130, 0.004), (130, 20.0), (300, 1e-5)]
)
def test_samples_have_the_expected_edges(num_nodes, edge_odds):
    edges = sample_dags(num_nodes, 2000, seed=1, edge_odds=edge_odds).sum(axis=(1, 2))
    error = edges.std() / 2000**0.5
    assert abs(edges.mean() - expected_edges(num_nodes, edge_odds)) < 3.5 * error


def test_samples_are_a_function_of_the_seed():
    first, again, other = (sample_dags(9, 50, seed=seed, edge_odds=0.2) for seed in (4, 4, 5))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("method", ["full", "fact", "auto"])
def test_samples_agree_with_sums(method):
    path = [(i, i + 1) for i in range(4)]
    sampled = count_configurations(path, 12, method=method, num_samples=20_000, edge_odds=0.1)
    assert (sampled.num_samples, sampled.counts) == (20_000, None)
    summed = count_configurations(path[:2], 12, edge_odds=0.1)
    for row, expected in zip(summed.configurations, summed.probabilities, strict=True):
        rows = (sampled.configurations[:, :2] == row).all(axis=1)
        assert sampled.probabilities[rows].sum() == pytest.approx(expected, abs=0.01)


def test_the_cache_tells_odds_apart():
    pair = [("x", "y")]
    plain = count_configurations(pair, 9)
    sparse = count_configurations(pair, 9, edge_odds=0.1)
    keys = sorted(entry.key for entry in cache.entries())
    assert keys == [
        "format=2 nodes=9 pairs=((0, 1),) method=exact",
        "format=2 nodes=9 pairs=((0, 1),) method=exact edge_odds=0.1",
    ]
    again = count_configurations(pair, 9, edge_odds=0.1)
    assert again.probabilities.tolist() == sparse.probabilities.tolist()
    assert count_configurations(pair, 9, edge_odds=1).counts == plain.counts


def test_what_is_too_long_to_sum_is_sampled_or_refused():
    square = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    with pytest.raises(CountingError, match='use method="full" or "auto"'):
        count_configurations(square, 130, edge_odds=0.01, method="exact")
    sampled = count_configurations(square, 130, edge_odds=0.01, num_samples=200)
    assert (sampled.method, sampled.num_samples) == ("full", 200)
    # two pairs are four belief nodes, but each pair can be summed by itself
    pairs = count_configurations([("a", "b"), ("c", "d")], 130, edge_odds=0.01)
    assert (pairs.method, pairs.is_exact, pairs.num_samples) == ("exact", False, 0)


def test_too_many_nodes_say_the_way_out():
    for call in (
        lambda: count_configurations([("a", "b")], 1001, edge_odds=0.5),
        lambda: sample_dags(1001, 1, edge_odds=0.5),
    ):
        with pytest.raises(CountingError, match=r"at most 1000 nodes.*expected_parents=None"):
            call()


@pytest.mark.parametrize(
    ("num_beliefs", "num_nodes", "edge_odds", "possible"),
    [
        (4, 10_000, 1.0, True),
        (2, 1000, 1e-9, True),
        (3, 401, 0.01, False),
        (4, 100, 0.01, True),
        (4, 100, 1e-4, False),
        (4, 37, 1e-4, True),
    ],
)
def test_what_can_be_summed(num_beliefs, num_nodes, edge_odds, possible):
    assert is_summable(num_beliefs, num_nodes, edge_odds) == possible
