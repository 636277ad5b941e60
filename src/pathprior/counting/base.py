"""The base measure P₀(G) = β^|E(G)| / Z(β) over labelled DAGs: its constant and its edges.

β is the *edge odds*; 1 makes all DAGs alike. Every formula for uniform DAGs holds with q = 1 + β in
the place of 2 (docs/counting.md).
"""

from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import lru_cache
from math import comb, exp, log
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.robinson import LIMIT_NODES
from pathprior.errors import CountingError
from pathprior.kernels.counting.base import fill_shares

UNIFORM = 1.0
"""The edge odds under which all DAGs are alike."""

LEAST_ODDS, MOST_ODDS = 1e-9, 1e9
"""Edge odds that are taken."""

MAX_WEIGHTED_NODES = 1000
"""Most nodes on which DAGs are weighted: seconds, and tables of 16 MB. O(n³) operations."""

DIGITS = 40
"""Digits of logarithms of which only the fraction becomes a float."""


@dataclass(frozen=True, slots=True, eq=False)
class SourceShares:
    """DAGs under the base measure by their number of sources (equally, of sinks).

    Attributes
    ----------
    shares
        ``[m, s]``: probability that a DAG on m nodes has s sources.
    lasts
        The last s of each row that is not negligible.
    sums, exponents
        ``sums[m]`` · 2^``exponents[m]`` is Z on m nodes.
    edges
        Mean number of edges on 0 … n nodes.
    """

    shares: NDArray[np.float64]
    lasts: NDArray[np.int64]
    sums: NDArray[np.float64]
    exponents: NDArray[np.int64]
    edges: NDArray[np.float64]


@lru_cache(maxsize=4)
def source_shares(num_nodes: int, edge_odds: float) -> SourceShares:
    """`SourceShares` on up to ``num_nodes`` nodes; all sums are of positive floats."""
    factors, sums = np.ones((2, num_nodes + 1))
    shares, edges = np.zeros((2, num_nodes + 1, num_nodes + 1))
    lasts, exponents, factor_exponents = np.zeros((3, num_nodes + 1), dtype=np.int64)
    with localcontext() as context:
        context.prec = DIGITS
        log_q = (1 + Decimal(edge_odds)).ln()
        logs = [Decimal(0)]  # of m! q^{m(m−1)/2}
        for m in range(1, num_nodes + 1):
            logs.append(logs[-1] + Decimal(m).ln() + (m - 1) * log_q)
            factors[m], factor_exponents[m] = split_log(-logs[m])
        fill_shares(edge_odds, factors, factor_exponents, shares, edges, lasts, sums, exponents)
        for m in range(num_nodes + 1):
            factor, exponent = split_log(logs[m])
            sums[m] *= factor
            exponents[m] += exponent
    mean_edges = edges.sum(axis=1)
    arrays = (shares, lasts, sums, exponents, mean_edges)
    for array in arrays:
        array.flags.writeable = False
    return SourceShares(*arrays)


def split_log(log_value: Decimal) -> tuple[float, int]:
    """A number, given by its log, as a float near 1 times a power of 2; to all bits of the float.

    The log needs the digits of the power of 2 besides those of a float: `DIGITS` are enough.
    """
    power = log_value / _LOG_TWO
    whole = int(power)
    return 2.0 ** float(power - whole), whole


_LOG_TWO = Decimal("0.6931471805599453094172321214581765680755001343602552541206800094933936")


def log_sum_of_weights(num_nodes: int, edge_odds: float) -> float:
    """log Z(β), Z the sum of β^edges over all DAGs on ``num_nodes`` nodes; relative error 10⁻¹²."""
    check_weighted(num_nodes, edge_odds)
    base = source_shares(num_nodes, float(edge_odds))
    return log(base.sums[num_nodes]) + float(base.exponents[num_nodes]) * log(2.0)


def expected_edges(num_nodes: int, edge_odds: float) -> float:
    """The mean number of edges, β Z′(β) / Z(β); relative error 10⁻¹²."""
    if edge_odds == UNIFORM and num_nodes > LIMIT_NODES:
        # half of all pairs and a term linear in n, up to 2^−n; see `robinson.LIMIT_NODES`
        last, before = (
            expected_edges(n, UNIFORM) - comb(n, 2) / 2 for n in (LIMIT_NODES, LIMIT_NODES - 1)
        )
        return comb(num_nodes, 2) / 2 + last + (num_nodes - LIMIT_NODES) * (last - before)
    check_weighted(num_nodes, edge_odds)
    return float(source_shares(num_nodes, float(edge_odds)).edges[num_nodes])


def edge_odds_for(num_nodes: int, expected_parents: float) -> float:
    """The edge odds under which a node has ``expected_parents`` parents on average.

    The mean number of edges grows with the odds, from 0 to all n (n − 1) / 2 pairs.
    """
    check_weighted(num_nodes, UNIFORM)
    most = (num_nodes - 1) / 2
    if not is_number(expected_parents) or not 0 < expected_parents < most:
        raise CountingError(
            f"expected_parents is {expected_parents!r}; give a number above 0 and below "
            f"(n - 1) / 2 = {most:g}, which {num_nodes} variables have with all edges there"
        )
    from scipy.optimize import brentq

    # An absent edge can be added in one or two directions: β ≤ P(edge) / P(no edge) ≤ 2β.
    target = float(expected_parents) * num_nodes
    odds = expected_parents / (most - expected_parents)
    lowest, highest = 0.499 * odds, 1.001 * odds
    if not LEAST_ODDS <= lowest < highest <= MOST_ODDS:
        raise CountingError(
            f"expected_parents is {expected_parents!r}; {num_nodes} variables have so "
            f"{'few' if odds < 1 else 'many'} parents only under edge odds out of reach "
            f"({LEAST_ODDS:g} to {MOST_ODDS:g})"
        )

    def excess(log_odds: float) -> float:
        return log(source_shares(num_nodes, exp(log_odds)).edges[num_nodes] / target)

    return float(exp(brentq(excess, log(lowest), log(highest), xtol=1e-14, rtol=1e-14)))


def is_number(value: object) -> bool:
    """Whether ``value`` is a real number and no truth value."""
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def check_edge_odds(edge_odds: float) -> float:
    """The edge odds as a float, if they can be ones."""
    if not is_number(edge_odds) or not LEAST_ODDS <= edge_odds <= MOST_ODDS:
        raise CountingError(
            f"edge_odds is {edge_odds!r}; give a number from {LEAST_ODDS:g} to {MOST_ODDS:g} "
            f"(below 1: sparse DAGs, 1: all alike)"
        )
    return float(edge_odds)


def check_weighted(num_nodes: int, edge_odds: float) -> None:
    """Refuse numbers of nodes and edge odds that have no table of `source_shares`."""
    if isinstance(num_nodes, bool) or not isinstance(num_nodes, int | np.integer) or num_nodes < 1:
        raise CountingError(f"num_nodes is {num_nodes!r}; give a positive whole number")
    check_edge_odds(edge_odds)
    if num_nodes > MAX_WEIGHTED_NODES:
        raise CountingError(
            f"num_nodes is {num_nodes}; edge odds other than 1 are taken on at most "
            f"{MAX_WEIGHTED_NODES} nodes"
        )
