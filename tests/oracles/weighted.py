"""DAGs that weigh β^edges, from the definition: every DAG, in rational numbers."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations

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
