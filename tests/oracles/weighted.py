"""DAGs that weigh β^edges, from the definition: every DAG, in rational numbers."""

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import factorial

from tests.oracles.counting import num_dags_by_edges
from tests.oracles.graph import all_dags, ancestor_sets


@cache
def counts_by_edges(num_beliefs: int, num_nodes: int) -> Counter[tuple[tuple[int, ...], int]]:
    """DAGs by the relations of all pairs of the first nodes and by their number of edges."""
    counts: Counter[tuple[tuple[int, ...], int]] = Counter()
    for adjacency in all_dags(num_nodes):
        above = ancestor_sets(adjacency)
        codes = tuple(
            0 if x in above[y] else 1 if y in above[x] else 2 if above[x] & above[y] else 3
            for x, y in combinations(range(num_beliefs), 2)
        )
        counts[codes, int(adjacency.sum())] += 1
    return counts


def weighted_shares(
    num_beliefs: int, num_nodes: int, edge_odds: Fraction
) -> dict[tuple[int, ...], Fraction]:
    """U_C of all pairs of the belief nodes."""
    weights: dict[tuple[int, ...], Fraction] = {}
    for (codes, edges), count in counts_by_edges(num_beliefs, num_nodes).items():
        weights[codes] = weights.get(codes, Fraction(0)) + count * edge_odds**edges
    total = sum(weights.values())
    return {codes: weight / total for codes, weight in weights.items()}


def sum_of_weights(num_nodes: int, edge_odds: Fraction) -> Fraction:
    """Z, from the number of DAGs with each number of edges."""
    return sum(
        (count * edge_odds**edges for edges, count in enumerate(num_dags_by_edges(num_nodes))),
        Fraction(0),
    )


def mean_edges(num_nodes: int, edge_odds: Fraction) -> Fraction:
    """The mean number of edges."""
    weights = [count * edge_odds**edges for edges, count in enumerate(num_dags_by_edges(num_nodes))]
    return sum((edges * weight for edges, weight in enumerate(weights)), Fraction(0)) / sum(weights)


def shares_by_sources(num_nodes: int, edge_odds: Fraction) -> list[Fraction]:
    """The share of the weight of DAGs with 0, 1, … sources."""
    weights = [Fraction(0)] * (num_nodes + 1)
    for adjacency in all_dags(num_nodes):
        num_sources = int((~adjacency.any(axis=0)).sum())
        weights[num_sources] += edge_odds ** int(adjacency.sum())
    return [weight / sum(weights) for weight in weights]


def robinson_in_decimals(num_nodes: int, edge_odds: float) -> tuple[float, float]:
    """log Z and the mean number of edges by inclusion–exclusion over the sinks.

    With digits to spare for what cancels; the edges by the derivative of each step.
    """
    with localcontext() as context:
        context.prec = 60 + num_nodes // 2
        q = 1 + Decimal(edge_odds)
        signed = [Decimal(-1)]
        for k in range(1, num_nodes + 1):
            signed.append(-signed[-1] / (k * q ** (k - 1)))
        slopes = [-(k * (k - 1) // 2) * term for k, term in enumerate(signed)]  # by log q
        sums, by_log_q = [Decimal(1)], [Decimal(0)]
        for n in range(1, num_nodes + 1):
            by_log_q.append(
                sum(
                    (
                        slopes[k] * sums[n - k] + signed[k] * by_log_q[n - k]
                        for k in range(1, n + 1)
                    ),
                    Decimal(0),
                )
            )
            sums.append(sum((signed[k] * sums[n - k] for k in range(1, n + 1)), Decimal(0)))
        num_pairs = num_nodes * (num_nodes - 1) // 2
        edges = Decimal(edge_odds) / q * (num_pairs + by_log_q[-1] / sums[-1])
        total = sums[-1] * factorial(num_nodes) * q**num_pairs
        context.prec = 40
        return float(total.ln()), float(edges)
