"""The base measure P₀(G) = β^|E(G)| / Z(β) over labelled DAGs: its constant and its edges.

β is the *edge odds*; 1 makes all DAGs alike. Every formula for uniform DAGs holds with q = 1 + β in
the place of 2 (docs/counting.md).
"""

from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import lru_cache
from math import comb, exp, expm1, lgamma, log, log1p
from numbers import Real
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.contour import LEAST_NODES, MOST_ALPHA, ScaledSum, scaled_sum
from pathprior.errors import CountingError
from pathprior.kernels.counting.base import fill_shares

UNIFORM = 1.0
"""The edge odds under which all DAGs are alike."""

LEAST_ODDS, MOST_ODDS = 1e-9, 1e9
"""Edge odds that are taken."""

MAX_WEIGHTED_NODES = 1000
"""Most nodes in a table of `SourceShares`: 0.1 s and 8 MB, in O(n³) operations. With a tenth more
what few sources weigh falls out of the range of floats."""

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
    shares = np.zeros((num_nodes + 1, num_nodes + 1))
    edges = np.zeros(num_nodes + 1)
    lasts, exponents, factor_exponents = np.zeros((3, num_nodes + 1), dtype=np.int64)
    with localcontext() as context:
        context.prec = DIGITS
        log_q = (1 + Decimal(edge_odds)).ln()
        logs = [log_factorial(m) + m * (m - 1) // 2 * log_q for m in range(num_nodes + 1)]
        for m in range(1, num_nodes + 1):
            factors[m], factor_exponents[m] = split_log(-logs[m])
        alpha = log1p(edge_odds)
        fill_shares(
            edge_odds,
            np.array([-expm1(-k * alpha) for k in range(num_nodes + 1)]),
            np.empty(2 * (num_nodes + 1)),
            factors, factor_exponents, shares, edges, lasts, sums, exponents,
        )  # fmt: skip
        for m in range(num_nodes + 1):
            factor, exponent = split_log(logs[m])
            sums[m] *= factor
            exponents[m] += exponent
    arrays = (shares, lasts, sums, exponents, edges)
    for array in arrays:
        array.flags.writeable = False
    return SourceShares(*arrays)


def log_factorial(number: int) -> Decimal:
    """log n! to the digits of the context, which is `DIGITS` wherever it is called."""
    for n in range(len(_LOG_FACTORIALS), number + 1):
        _LOG_FACTORIALS.append(_LOG_FACTORIALS[-1] + Decimal(n).ln())
    return _LOG_FACTORIALS[number]


_LOG_FACTORIALS = [Decimal(0)]


def split_log(log_value: Decimal) -> tuple[float, int]:
    """A number, given by its log, as a float near 1 times a power of 2; to all bits of the float.

    The log needs the digits of the power of 2 besides those of a float: `DIGITS` are enough.
    """
    power = log_value / _LOG_TWO
    whole = int(power)
    return 2.0 ** float(power - whole), whole


_LOG_TWO = Decimal("0.6931471805599453094172321214581765680755001343602552541206800094933936")


def log_sum_of_weights(num_nodes: int, edge_odds: float) -> float:
    """log Z(β), Z the sum of β^edges over all DAGs on ``num_nodes`` nodes; relative error 10⁻¹².

    Any number of nodes takes milliseconds.
    """
    check_num_nodes(num_nodes)
    return _sum_of_weights(int(num_nodes), check_edge_odds(edge_odds)).log_value


def expected_edges(num_nodes: int, edge_odds: float) -> float:
    """The mean number of edges, β Z′(β) / Z(β); relative error 10⁻¹², on any number of nodes."""
    check_num_nodes(num_nodes)
    return _sum_of_weights(int(num_nodes), check_edge_odds(edge_odds)).edges


class _Sum(NamedTuple):
    log_value: float
    edges: float


@lru_cache(maxsize=64)
def _sum_of_weights(num_nodes: int, edge_odds: float) -> _Sum:
    if num_nodes <= LEAST_NODES:
        base = source_shares(num_nodes, edge_odds)
        log_value = log(base.sums[num_nodes]) + float(base.exponents[num_nodes]) * log(2.0)
        return _Sum(log_value, float(base.edges[num_nodes]))
    alpha = log1p(edge_odds)
    if alpha <= MOST_ALPHA:
        scaled = scaled_sum(num_nodes, alpha)
    else:  # one zero of Φ, and so log z is a straight line
        last, before = (_scaled_sum_of_few(n, edge_odds) for n in (LEAST_NODES, LEAST_NODES - 1))
        more = num_nodes - LEAST_NODES
        scaled = ScaledSum(*(x + more * (x - y) for x, y in zip(last, before, strict=True)))
    num_pairs = comb(num_nodes, 2)
    return _Sum(
        scaled.log_value + lgamma(num_nodes + 1) + num_pairs * alpha,
        edge_odds / (1 + edge_odds) * (num_pairs + scaled.slope),
    )


def _scaled_sum_of_few(num_nodes: int, edge_odds: float) -> ScaledSum:
    """`scaled_sum` from a table."""
    summed = _sum_of_weights(num_nodes, edge_odds)
    num_pairs = comb(num_nodes, 2)
    return ScaledSum(
        summed.log_value - lgamma(num_nodes + 1) - num_pairs * log1p(edge_odds),
        summed.edges * (1 + edge_odds) / edge_odds - num_pairs,
    )


def edge_odds_for(num_nodes: int, expected_parents: float) -> float:
    """The edge odds under which a node has ``expected_parents`` parents on average.

    The mean number of edges grows with the odds, from 0 to all n (n − 1) / 2 pairs. Any number of
    nodes takes about 10 ms.
    """
    check_num_nodes(num_nodes)
    most = (num_nodes - 1) / 2
    if not is_number(expected_parents) or not 0 < expected_parents < most:
        raise CountingError(
            f"expected_parents is {expected_parents!r}; give a number above 0 and below "
            f"(n - 1) / 2 = {most:g}, which {num_nodes} variables have with all edges there"
        )
    # An absent edge can be added in one or two directions: β ≤ P(edge) / P(no edge) ≤ 2β.
    odds = float(expected_parents / (most - expected_parents))
    if not LEAST_ODDS <= 0.499 * odds < 1.001 * odds <= MOST_ODDS:
        raise CountingError(
            f"expected_parents is {expected_parents!r}; {num_nodes} variables have so "
            f"{'few' if odds < 1 else 'many'} parents only under edge odds out of reach "
            f"({LEAST_ODDS:g} to {MOST_ODDS:g})"
        )
    return _odds_of_one_edge_for(int(num_nodes), odds)


@lru_cache(maxsize=256)
def _odds_of_one_edge_for(num_nodes: int, odds: float) -> float:
    """β for P(edge) / P(no edge) = ``odds``, whose log is nearly a straight line in log β."""
    from scipy.optimize import brentq

    num_pairs = comb(num_nodes, 2)

    def excess(log_odds: float) -> float:
        edges = _sum_of_weights(num_nodes, exp(log_odds)).edges
        return log(edges / (num_pairs - edges) / odds)

    return float(exp(brentq(excess, log(0.499 * odds), log(1.001 * odds), xtol=1e-13, rtol=1e-13)))


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


def check_num_nodes(num_nodes: int) -> None:
    """Refuse what is no number of nodes."""
    if isinstance(num_nodes, bool) or not isinstance(num_nodes, int | np.integer) or num_nodes < 1:
        raise CountingError(f"num_nodes is {num_nodes!r}; give a positive whole number")


def check_weighted(num_nodes: int) -> None:
    """Refuse more nodes than have a table of `source_shares`."""
    if num_nodes > MAX_WEIGHTED_NODES:
        raise CountingError(
            f"num_nodes is {num_nodes}; edge odds other than 1 are counted and sampled on at most "
            f"{MAX_WEIGHTED_NODES} nodes; give edge_odds 1, which is expected_parents=None"
        )
