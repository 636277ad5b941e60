"""The ties of many graphs at once against the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.graph.bitset import pack_rows
from pathprior.kernels.graph.relations import add_relations, fill_ties
from tests.oracles import graph as oracle
from tests.oracles.ties import tie
from tests.strategies import adjacencies

pytestmark = pytest.mark.kernel


def ties(matrices, pairs):
    graphs = np.array([pack_rows(matrix.T) for matrix in matrices])
    codes = np.full((len(matrices), len(pairs)), 9, np.uint8)
    num_done = fill_ties(graphs, np.array(pairs, np.int64).reshape(-1, 2), codes)
    return num_done, codes


@given(adjacencies(2, 8), st.integers(0, 2**32 - 1))
def test_of_every_ordered_pair(adjacency, seed):
    size = len(adjacency)
    order = np.random.default_rng(seed).permutation(size)
    matrices = [adjacency, adjacency[np.ix_(order, order)], np.zeros_like(adjacency)]
    pairs = [(x, y) for x in range(size) for y in range(size) if x != y]
    num_done, codes = ties(matrices, pairs)
    assert num_done == 3
    for matrix, row in zip(matrices, codes, strict=True):
        assert row.tolist() == [tie(matrix, x, y) for x, y in pairs]


def test_of_more_nodes_than_a_word_holds():
    rng = np.random.default_rng(3)
    order = rng.permutation(70)
    matrix = np.triu(rng.random((70, 70)) < 0.05, k=1)[np.ix_(order, order)]
    pairs = [(int(x), int(y)) for x, y in rng.integers(0, 70, (200, 2)) if x != y]
    _, codes = ties([matrix], pairs)
    assert codes[0].tolist() == [tie(matrix, x, y) for x, y in pairs]
    assert set(codes[0].tolist()) == {0, 1, 2, 3, 4, 5}


@given(st.lists(adjacencies(5, 5), min_size=1, max_size=6), st.integers(0, 2**32 - 1))
def test_sums_of_weights(matrices, seed):
    weights = np.random.default_rng(seed).random(len(matrices))
    pairs = np.array([(0, 1), (3, 2), (4, 0)])
    sums = np.zeros((3, 4))
    add_relations(np.array([pack_rows(m.T) for m in matrices]), weights, pairs, sums)
    expected = np.zeros((3, 4))
    for matrix, weight in zip(matrices, weights, strict=True):
        for k, (x, y) in enumerate(pairs):
            expected[k, oracle.relation(matrix, x, y)] += weight
    np.testing.assert_allclose(sums, expected)


def test_a_cycle_ends_the_pass():
    chain = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=bool)
    ring = chain | np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0]], dtype=bool)
    num_done, codes = ties([chain, ring, chain], [(0, 2)])
    assert num_done == 1
    assert codes[:, 0].tolist() == [0, 9, 9]
