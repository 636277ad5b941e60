from itertools import combinations

import numpy as np
import pytest

from pathprior.counting.configurations import count_configurations
from pathprior.counting.exact import exact_table, num_exact_terms
from pathprior.counting.progress import silent
from pathprior.counting.robinson import count_dags
from tests.oracles.counting import configuration_counts, reach_sum_counts


def complete(num_nodes):
    return list(combinations(range(num_nodes), 2))


def as_dict(table):
    rows = map(tuple, table.configurations.tolist())
    return dict(zip(rows, table.counts, strict=True))


@pytest.mark.parametrize(
    ("num_beliefs", "num_nodes"), [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 4)]
)
def test_oracles_agree(num_beliefs, num_nodes):
    expected = configuration_counts(complete(num_beliefs), num_nodes)
    assert reach_sum_counts(num_beliefs, num_nodes) == expected


@pytest.mark.parametrize(
    ("num_beliefs", "num_nodes"), [(2, 2), (2, 9), (2, 15), (3, 3), (3, 7), (3, 9), (4, 4), (4, 5)]
)
def test_matches_the_reach_sum_term_by_term(num_beliefs, num_nodes):
    expected = reach_sum_counts(num_beliefs, num_nodes)
    assert as_dict(exact_table(num_beliefs, num_nodes, silent)) == expected


@pytest.mark.parametrize(
    ("num_beliefs", "num_nodes"), [(k, n) for k in (2, 3, 4) for n in range(k, 7)]
)
def test_matches_enumeration(num_beliefs, num_nodes):
    pairs = complete(num_beliefs)
    exact = count_configurations(pairs, num_nodes, method="exact")
    enumerated = count_configurations(pairs, num_nodes, method="enumerate")
    assert exact.configurations.tolist() == enumerated.configurations.tolist()
    assert exact.counts == enumerated.counts


@pytest.mark.parametrize("num_nodes", [4, 5, 6])
@pytest.mark.parametrize(
    "pairs", [[(0, 1), (2, 3)], [(1, 0), (1, 2), (3, 2)], [(0, 1), (1, 2), (2, 3), (3, 0)]]
)
def test_matches_enumeration_on_some_of_the_pairs(pairs, num_nodes):
    exact = count_configurations(pairs, num_nodes, method="exact")
    enumerated = count_configurations(pairs, num_nodes, method="enumerate")
    assert as_dict(exact) == as_dict(enumerated)


@pytest.mark.parametrize(("num_beliefs", "num_nodes"), [(2, 100), (3, 37), (4, 16)])
def test_counts_add_up_to_all_dags(num_beliefs, num_nodes):
    table = exact_table(num_beliefs, num_nodes, silent)
    assert sum(table.counts) == count_dags(num_nodes)
    assert min(table.counts) > 0


def test_one_pair_at_37_nodes():
    counted = count_configurations([("x", "y")], 37)
    expected = [0.483156554, 0.483156554, 0.031573876, 0.002113016]
    assert counted.probabilities == pytest.approx(expected, abs=5e-10)


def test_three_unordered_nodes_at_37_nodes():
    counted = count_configurations([("x", "y"), ("y", "z"), ("x", "z")], 37)
    unordered = (counted.configurations >= 2).all(axis=1)
    assert counted.probabilities[unordered].sum() == pytest.approx(4.29296964e-4, rel=1e-8)


@pytest.mark.slow
def test_three_nodes_of_a_hundred_and_four_of_37():
    for num_beliefs, num_nodes in ((3, 100), (4, 37)):
        table = exact_table(num_beliefs, num_nodes, silent)
        assert sum(table.counts) == count_dags(num_nodes)
    antichain = (table.configurations >= 2).all(axis=1)
    assert table.probabilities[antichain].sum() == pytest.approx(2.5e-6, rel=0.02)
    assert len(table.counts) == 916


@pytest.mark.parametrize(
    ("num_beliefs", "num_nodes"),
    [
        *(pytest.param(*size, marks=pytest.mark.kernel) for size in [(2, 8), (3, 12)]),
        *[(2, 60), (3, 37), (4, 12), (4, 20)],
    ],
)
def test_floats_match_integers_within_their_bound(num_beliefs, num_nodes):
    integers = exact_table(num_beliefs, num_nodes, silent)
    floats = exact_table(num_beliefs, num_nodes, silent, max_integer_seconds=0)
    assert floats.counts is None
    assert floats.configurations.tolist() == integers.configurations.tolist()
    errors = np.abs(floats.probabilities / integers.probabilities - 1)
    assert errors.max() <= floats.relative_error < 1e-6
    assert integers.relative_error == 0


def test_four_nodes_of_sixty_in_floats():
    counted = count_configurations(complete(4), 60)
    assert (counted.method, counted.is_exact, counted.counts) == ("exact", True, None)
    assert 0 < counted.omitted_mass < 1e-6
    assert len(counted.probabilities) == 916
    single = count_configurations([(0, 1)], 60)
    for code, expected in enumerate(single.probabilities):
        found = counted.probabilities[counted.configurations[:, 0] == code].sum()
        assert found == pytest.approx(expected, rel=1e-12)


def test_progress_reaches_its_end():
    reports = []
    exact_table(3, 10, lambda done, total: reports.append((done, total)))
    assert reports[0] == (0, 11)
    assert reports[-1] == (11, 11)


def test_number_of_terms_grows_polynomially():
    for num_beliefs, degree in ((2, 2), (3, 3), (4, 5)):
        growth = num_exact_terms(num_beliefs, 2000) / num_exact_terms(num_beliefs, 1000)
        assert growth < 2.1**degree
