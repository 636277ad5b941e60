from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.counting.configurations import count_configurations
from pathprior.counting.shape import read_pairs
from pathprior.counting.validity import valid_configurations
from pathprior.errors import CountingError
from pathprior.kernels.counting import validity
from tests.counting.test_shape import pair_sets
from tests.oracles.counting import is_valid


def complete(num_nodes):
    return list(combinations(range(num_nodes), 2))


@pytest.mark.parametrize(("num_beliefs", "expected"), [(2, 4), (3, 41), (4, 916), (5, 41099)])
def test_all_pairs_with_many_nodes(num_beliefs, expected):
    assert len(valid_configurations(complete(num_beliefs), 40)) == expected


def test_two_edge_chain_and_disjoint_pairs():
    assert len(valid_configurations([("x", "y"), ("y", "z")], 10)) == 16
    assert len(valid_configurations([("x", "y"), ("z", "w")], 10)) == 16


def test_two_triangles_are_independent():
    pairs = [*complete(3), *((x + 3, y + 3) for x, y in complete(3))]
    assert len(valid_configurations(pairs, 35)) == 41**2


@pytest.mark.kernel
@given(pair_sets(max_nodes=4), st.integers(0, 2))
@settings(max_examples=25)
def test_matches_search_for_a_witness(pairs, num_hidden):
    shape = read_pairs(pairs[:4], 9)  # more pairs make the oracle's search long
    num_nodes = shape.num_belief_nodes + num_hidden
    expected = [
        list(codes)
        for codes in product(range(4), repeat=len(shape.edges))
        if is_valid(codes, shape.edges, num_nodes)
    ]
    assert valid_configurations(pairs[:4], num_nodes).tolist() == expected


@pytest.mark.parametrize(
    ("num_beliefs", "num_nodes"), [(k, n) for k in (2, 3, 4, 5) for n in range(k, 7)]
)
def test_matches_enumeration_where_nodes_are_few(num_beliefs, num_nodes):
    counted = count_configurations(complete(num_beliefs), num_nodes, method="enumerate")
    listed = valid_configurations(complete(num_beliefs), num_nodes)
    assert np.array_equal(counted.configurations, listed)


@pytest.mark.parametrize("num_nodes", [6, 7, 9])
def test_sparse_shapes_where_nodes_are_few(num_nodes):
    cycle = [(i, (i + 1) % 6) for i in range(6)]
    pairs = [*cycle, (0, 3), (1, 4), (2, 5)]  # nine beliefs on six nodes
    listed = valid_configurations(pairs, num_nodes)
    if num_nodes == 6:
        counted = count_configurations(pairs, 6, method="enumerate")
        assert np.array_equal(counted.configurations, listed)
    else:
        fewer = valid_configurations(pairs, num_nodes - 1)
        assert {tuple(row) for row in fewer.tolist()} <= {tuple(row) for row in listed.tolist()}


@pytest.mark.parametrize("num_beliefs", [3, 4])
def test_what_leads_to_no_configuration_is_not_followed(num_beliefs, monkeypatch):
    """Where nodes are few, each beginning that is gone on with is that of a row."""
    checks = 0
    is_consistent = validity._is_consistent

    def count_checks(*arguments):
        nonlocal checks
        checks += 1
        return is_consistent(*arguments)

    monkeypatch.setattr(validity, "_is_consistent", count_checks)
    left, right = np.array(complete(num_beliefs)).T.copy()
    rows = np.empty((1000, len(left)), np.int8)
    list_valid = getattr(validity.list_valid, "py_func", validity.list_valid)
    num_rows = list_valid(left, right, num_beliefs, 0, rows)
    begun = {tuple(row[:k]) for row in rows[:num_rows].tolist() for k in range(len(left))}
    assert checks == 4 * len(begun)


def test_long_chain_is_all_combinations():
    chain = [(i, i + 1) for i in range(9)]
    assert len(valid_configurations(chain, 40)) == 4**9


def test_too_many_rows():
    with pytest.raises(CountingError, match="more than 100 valid"):
        valid_configurations(complete(4), 40, max_rows=100)
    assert len(valid_configurations(complete(4), 40, max_rows=916)) == 916


def test_too_many_nodes():
    with pytest.raises(CountingError, match="more than"):
        valid_configurations([(i, i + 1) for i in range(70)], 100)
