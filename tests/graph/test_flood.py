"""Reaching nodes in a partially directed graph, against steps taken one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.kernels.graph.cpdag import ADJACENT, CHILDREN, NEIGHBOURS, PARENTS
from pathprior.kernels.graph.flood import flood, spread
from tests.kernels import entered

pytestmark = pytest.mark.kernel

KINDS = [(CHILDREN, CHILDREN), (NEIGHBOURS, CHILDREN), (PARENTS, NEIGHBOURS)]


def reached_from(adjacent, start, closed):
    """All nodes on paths from ``start`` that stay out of ``closed``, by the definition."""
    found = start.copy()
    for _ in adjacent:
        found |= adjacent[found].any(axis=0) & ~closed
    return found


@given(st.sampled_from([3, 9, 64, 70]), st.sampled_from(KINDS), st.integers(0, 2**32 - 1))
def test_flood(num_nodes, kinds, seed):
    rng = np.random.default_rng(seed)
    sets = rng.random((4, num_nodes, num_nodes)) < 1 / num_nodes
    pdag = np.array([pack_rows(edges) for edges in sets])
    assert pdag.shape[0] == ADJACENT + 1
    adjacent = sets[list(kinds)].any(axis=0)
    start, closed, target = rng.random((3, num_nodes)) < 0.1
    closed &= ~start

    expected = reached_from(adjacent, start, closed)
    words = [pack_rows(row[None])[0] for row in (start, start | closed, target)]
    is_met = bool((expected & target & ~start).any())
    assert entered(flood)(pdag, *kinds, *words) == is_met
    if not is_met:
        np.testing.assert_array_equal(unpack_row(words[1], num_nodes), expected | closed)

    everything = pack_rows(start[None])[0]
    entered(spread)(pdag, *kinds, everything)
    expected = reached_from(adjacent, start, np.zeros_like(closed))
    np.testing.assert_array_equal(unpack_row(everything, num_nodes), expected)
