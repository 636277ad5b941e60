"""The ancestor-bitset kernels against reachability from the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior import Dag
from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.graph.relation import Relation
from pathprior.kernels.graph.ancestors import (
    NUM_RELATIONS,
    insert_edge,
    relation_code,
    remove_edge,
    reverse_edge,
)
from tests.oracles import graph as oracle
from tests.strategies import adjacencies

pytestmark = pytest.mark.kernel


def closure(adjacency):
    """Ancestor bitsets by the definition."""
    mask = np.zeros(adjacency.shape, dtype=bool)
    for v, ancestors in enumerate(oracle.ancestor_sets(adjacency)):
        mask[v, list(ancestors)] = True
    return pack_rows(mask)


@given(adjacencies(max_nodes=10))
def test_closure(adjacency):
    dag = Dag(tuple(f"v{i}" for i in range(len(adjacency))), adjacency)
    np.testing.assert_array_equal(dag.ancestor_words, closure(adjacency))


@given(st.integers(1, 140), st.integers(0, 2**32 - 1))
def test_packing_round_trips(num_nodes, seed):
    mask = np.random.default_rng(seed).random((3, num_nodes)) < 0.5
    words = pack_rows(mask)
    for row, expected in zip(words, mask, strict=True):
        np.testing.assert_array_equal(unpack_row(row, num_nodes), expected)


def random_walk(num_nodes, density, num_moves, seed):
    """Random legal moves; after each one yield the kernel's bitsets and the adjacency matrix."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((num_nodes, num_nodes)) < density, k=1)
    shuffle = rng.permutation(num_nodes)
    adjacency = upper[np.ix_(shuffle, shuffle)].copy()
    parents, ancestors = pack_rows(adjacency.T), closure(adjacency)
    for _ in range(num_moves):
        u, v = rng.choice(num_nodes, size=2, replace=False)
        if adjacency[u, v]:
            adjacency[u, v] = False
            if rng.random() < 0.5 and v not in oracle.reaches(adjacency, u):
                adjacency[v, u] = True
                reverse_edge(parents, ancestors, u, v)
            else:
                remove_edge(parents, ancestors, u, v)
        elif u not in oracle.reaches(adjacency, v):
            adjacency[u, v] = True
            insert_edge(parents, ancestors, u, v)
        else:
            continue
        yield parents, ancestors, adjacency


@given(st.integers(2, 9), st.sampled_from([0.1, 0.3, 0.7]), st.integers(0, 2**32 - 1))
def test_updates_equal_recomputation(num_nodes, density, seed):
    for parents, ancestors, adjacency in random_walk(num_nodes, density, 15, seed):
        np.testing.assert_array_equal(parents, pack_rows(adjacency.T))
        np.testing.assert_array_equal(ancestors, closure(adjacency))


@pytest.mark.parametrize("num_nodes", [63, 64, 65, 130])
def test_updates_across_word_boundaries(num_nodes):
    moved = 0
    for parents, ancestors, adjacency in random_walk(
        num_nodes, 1.5 / num_nodes, 60, seed=num_nodes
    ):
        moved += 1
        if moved % 6 == 0:
            np.testing.assert_array_equal(parents, pack_rows(adjacency.T))
            np.testing.assert_array_equal(ancestors, closure(adjacency))
    assert moved > 20


def test_relation_codes_of_every_four_node_dag():
    graphs = oracle.all_dags(4)
    assert len(graphs) == 543
    for adjacency in graphs:
        ancestors = closure(adjacency)
        for x in range(4):
            for y in range(4):
                if x != y:
                    assert relation_code(ancestors, x, y) == oracle.relation(adjacency, x, y)


def test_the_kernels_know_as_many_relations():
    assert [int(relation) for relation in Relation] == list(range(NUM_RELATIONS))
