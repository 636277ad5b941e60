"""Parent sets and clusters by the definition: every subset looked at."""

from collections.abc import Callable, Iterable
from itertools import chain, combinations

Score = Callable[[frozenset[int]], float]


def subsets(nodes: Iterable[int]) -> Iterable[frozenset[int]]:
    """All subsets of a set."""
    listed = sorted(nodes)
    sizes = range(len(listed) + 1)
    return map(frozenset, chain.from_iterable(combinations(listed, size) for size in sizes))


def undominated(
    score: Score, required: frozenset[int], others: frozenset[int], most: int
) -> dict[frozenset[int], float]:
    """The parent sets within the rules that score higher than all their subsets there."""
    allowed = [
        required | chosen for chosen in subsets(others) if len(required) + len(chosen) <= most
    ]
    scores = {parents: score(parents) for parents in allowed}
    return {
        parents: value
        for parents, value in scores.items()
        if all(value > scores[other] for other in allowed if other < parents)
        and value > -float("inf")
    }


def cluster_weight(
    families: Iterable[tuple[int, frozenset[int], float]], cluster: frozenset[int]
) -> float:
    """What the families of a cluster's nodes come to that have no parent in it."""
    return sum(
        fraction
        for child, parents, fraction in families
        if child in cluster and not parents & cluster
    )


def lightest_cluster(families: list[tuple[int, frozenset[int], float]], num_nodes: int) -> float:
    """The least weight of all clusters of two nodes or more."""
    clusters = (cluster for cluster in subsets(range(num_nodes)) if len(cluster) > 1)
    return min(cluster_weight(families, cluster) for cluster in clusters)
