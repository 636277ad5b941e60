import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.kernels.counting.sampling import close_positions, draw_layer_size
from pathprior.kernels.random import draw_below, next_word
from tests.kernels import entered
from tests.oracles.graph import ancestor_sets

pytestmark = pytest.mark.kernel


def state(*words):
    return np.array(words or (1, 2, 3, 4), dtype=np.uint64)


def test_generator_follows_its_authors():
    """The first outputs of xoshiro256++ 1.0 from the state (1, 2, 3, 4)."""
    words = state()
    assert [int(entered(next_word)(words)) for _ in range(5)] == [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
    ]


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 100])
def test_integers_below_a_bound_are_uniform(bound):
    words = state(5, 6, 7, 8)
    for _ in range(20):  # a state of few bits takes a while to mix
        entered(next_word)(words)
    drawn = np.bincount(
        [entered(draw_below)(words, bound) for _ in range(300 * bound)], minlength=bound
    )
    assert len(drawn) == bound
    assert bound == 1 or chisquare(drawn).pvalue > 0.001


def test_bias_is_rejected():
    """Words that would make a value likelier than others are passed over: here one in four."""
    bound, words, copy = 3 << 30, state(5, 6, 7, 8), state(5, 6, 7, 8)
    scaled = [(int(entered(next_word)(copy)) >> 32) * bound for _ in range(400)]
    kept = [value >> 32 for value in scaled if value % 2**32 >= 2**32 % bound]
    assert 250 < len(kept) < 350
    assert [entered(draw_below)(words, bound) for _ in kept] == kept


@pytest.mark.parametrize(
    ("threshold", "size"),
    [
        ((41943042, 0), 1),
        ((41943041, 58720360), 1),
        ((41943041, 58720359), 2),
        ((41943040, 2**64 - 1), 2),
    ],
)
def test_layer_size_compares_128_bits(threshold, size):
    row = np.array([threshold, (2**64 - 1, 2**64 - 1)], dtype=np.uint64)
    assert draw_layer_size(state(), row, 2) == size


@given(st.integers(1, 80), st.sampled_from([0.02, 0.1, 0.5]), st.integers(0, 2**32 - 1))
def test_closure_matches_reachability(num_nodes, density, seed):
    rng = np.random.default_rng(seed)
    # parents have higher positions: adjacency[p, v] only for p > v
    adjacency = np.tril(rng.random((num_nodes, num_nodes)) < density, k=-1)
    parents = pack_rows(adjacency.T)
    ancestors = np.empty_like(parents)
    close_positions(parents, ancestors)
    for v, expected in enumerate(ancestor_sets(adjacency)):
        assert set(np.flatnonzero(unpack_row(ancestors[v], num_nodes))) == expected
