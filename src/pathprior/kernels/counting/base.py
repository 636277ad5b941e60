"""Weighted DAGs by their number of sources, in floats: sums of positive terms only.

A DAG weighs β^edges. With q = 1 + β, p = β / q and Z(m) the sum of all weights on m nodes, divide
everything on m nodes by m! q^{m(m−1)/2}: then z(m) = Z(m) / (m! q^{m(m−1)/2}) has the terms

  e(k) · z(m − k) · Σ_s share(m − k, s) x_k^s,   e(k) = 1 / (k! q^{k(k−1)/2}),   x_k = 1 − q^−k,

one for each number k of sources. x_k is the chance that a node has a parent among k. The mean
number of edges, from the derivative of Σ_m z(m) x^m = 1 / Σ_k e(k) (−x)^k by β, is

  p · (m (m − 1) / 2 + 1 / (2 q z(m)) · Σ_j z(j) · Σ_s share(j, s) x_2^s · z(m − 2 − j)).
"""

from math import frexp

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.inner import entry, inner

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NOTHING = 1e-60
"""Shares below it, beyond the largest, are taken for 0: they end a row."""


@entry
def fill_shares(
    edge_odds: float,
    have_parent: Floats,
    room: Floats,
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
    last; ``edges[m]``: their mean number of edges; ``sums[m]`` · 2^``exponents[m]`` = z(m).
    ``factors[k]`` · 2^``factor_exponents[k]`` = e(k), ``have_parent[k]`` = x_k; ``room`` is scratch
    for 2 (n + 1) numbers.
    """
    num_nodes = shares.shape[0] - 1
    below_two, values = room[: num_nodes + 1], room[num_nodes + 1 :]
    for m in range(num_nodes + 1):
        below_two[m] = 1.0
    shares[0, 0] = 1.0
    sums[0] = 1.0
    for k in range(1, num_nodes + 1):
        shares[k, k] = 1.0
    for m in range(1, num_nodes + 1):
        total, top = _weigh_row(m, factors, factor_exponents, shares, sums, exponents)
        last = m
        while shares[m, last] < NOTHING:
            last -= 1
        lasts[m] = last
        mantissa, exponent = frexp(total)
        sums[m] = mantissa
        exponents[m] = exponent + top
        # what m nodes weigh below k sources: put where the DAGs with these sources will be
        _horner(shares[m, : last + 1], have_parent[1 : num_nodes - m + 1], values)
        for k in range(1, num_nodes - m + 1):
            shares[m + k, k] = values[k - 1]
        if num_nodes - m > 1:
            below_two[m] = values[1]
        edges[m] = _mean_edges(m, edge_odds, below_two, sums, exponents)


@inner
def _weigh_row(
    m: int, factors: Floats, factor_exponents: Ints, shares: Floats, sums: Floats, exponents: Ints
) -> tuple[float, int]:
    """Turn row m of the sums over s into shares; z(m) as a float and a power of 2."""
    top = factor_exponents[m]  # largest exponent among the terms
    for k in range(1, m):
        top = max(top, factor_exponents[k] + exponents[m - k])
    total = 0.0
    for k in range(1, m + 1):
        rest = m - k
        weight = factors[k] * sums[rest] * 2.0 ** (factor_exponents[k] + exponents[rest] - top)
        shares[m, k] *= weight
        total += shares[m, k]
    for k in range(1, m + 1):
        shares[m, k] /= total
    return total, top


@inner
def _horner(row: Floats, points: Floats, values: Floats) -> None:
    """Σ_{s>0} row[s] x^s at all points x together, so that no step has to wait for the last one."""
    for i in range(points.shape[0]):
        values[i] = 0.0
    for s in range(row.shape[0] - 1, 0, -1):
        share = row[s]
        for i in range(points.shape[0]):
            values[i] = (values[i] + share) * points[i]


@inner
def _mean_edges(
    m: int, edge_odds: float, below_two: Floats, sums: Floats, exponents: Ints
) -> float:
    q = 1.0 + edge_odds
    total = 0.0
    for j in range(m - 1):
        rest = m - 2 - j
        ratio = sums[j] * sums[rest] / sums[m]
        two = exponents[j] + exponents[rest] - exponents[m]
        total += below_two[j] * ratio * 2.0**two
    return edge_odds / q * (m * (m - 1) / 2 + total / (2.0 * q))
