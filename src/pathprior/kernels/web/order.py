"""A partial order as two arrays of bitset rows: what lies between two nodes of it."""

from numba import njit

from pathprior.kernels.bits import popcount
from pathprior.kernels.graph.ancestors import Words


@njit(cache=True, nogil=True, inline="always")
def size_between(ancestors: Words, descendants: Words, a: int, b: int) -> int:
    """Number of nodes x with a ≤ x ≤ b: 2 iff b covers a; 0 iff not a ≤ b."""
    total = 0
    for w in range(ancestors.shape[1]):
        total += popcount(descendants[a, w] & ancestors[b, w])
    return total
