"""Weighted DAGs by their number of sources, in floats: sums of positive terms only.

A DAG weighs β^edges. With q = 1 + β, p = β / q and Z(m) the sum of all weights on m nodes, divide
everything on m nodes by m! q^{m(m−1)/2}: then z(m) = Z(m) / (m! q^{m(m−1)/2}) has the terms

  e(k) · z(m − k) · Σ_s share(m − k, s) x_k^s,   e(k) = 1 / (k! q^{k(k−1)/2}),   x_k = 1 − q^−k,

one for each number k of sources. x_k is the chance that a node has a parent among k.
"""

from math import expm1, frexp, log1p

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NOTHING = 1e-60
"""Shares below it, beyond the largest, are taken for 0: they end a row."""


@njit(cache=True, nogil=True)
def fill_shares(
    edge_odds: float,
    factors: Floats,
    factor_exponents: Ints,
    shares: Floats,
    edges: Floats,
    lasts: Ints,
    sums: Floats,
    exponents: Ints,
) -> None:
    """Fill in, for up to n nodes, what DAGs by their number of sources weigh; all start at 0.

    ``shares[m, s]``: share of the weight on m nodes with s sources, of which ``lasts[m]`` is the
    last; ``edges[m, s]``: the same times their mean number of edges; ``sums[m]`` ·
    2^``exponents[m]`` = z(m). ``factors[k]`` · 2^``factor_exponents[k]`` = e(k).
    """
    num_nodes = shares.shape[0] - 1
    chance = edge_odds / (1.0 + edge_odds)
    decay = log1p(edge_odds)
    shares[0, 0] = 1.0
    sums[0] = 1.0
    for m in range(1, num_nodes + 1):
        top = factor_exponents[m]  # largest exponent among the terms
        for k in range(1, m):
            top = max(top, factor_exponents[k] + exponents[m - k])
        total = 0.0
        for k in range(1, m + 1):
            rest = m - k
            weight = factors[k] * sums[rest] * 2.0 ** (factor_exponents[k] + exponents[rest] - top)
            mean = 0.0
            if rest > 0:
                has_parent = -expm1(-k * decay)
                free = k * chance
                bound = free * (1.0 / has_parent - 1.0)
                value = 0.0
                for s in range(lasts[rest], 0, -1):
                    share = shares[rest, s]
                    value = (value + share) * has_parent
                    mean = (mean + edges[rest, s] + share * (s * bound)) * has_parent
                mean = weight * (mean + rest * free * value)
                weight *= value
            shares[m, k] = weight
            edges[m, k] = mean
            total += weight
        for k in range(1, m + 1):
            shares[m, k] /= total
            edges[m, k] /= total
        last = m
        while shares[m, last] < NOTHING:
            last -= 1
        lasts[m] = last
        mantissa, exponent = frexp(total)
        sums[m] = mantissa
        exponents[m] = exponent + top
