"""Orders of variables and pools of parent sets, from the definitions."""

from collections.abc import Mapping, Sequence
from math import inf

Families = Mapping[frozenset[int], float]
"""The score of each parent set of one variable that is known."""


def best_sets(families: Families) -> list[tuple[frozenset[int], float]]:
    """Those that score more than each of their subsets, the best first."""
    kept = [
        (parents, score)
        for parents, score in families.items()
        if all(score > other for inside, other in families.items() if inside < parents)
    ]
    return sorted(kept, key=lambda family: -family[1])


def order_score(pool: Sequence[Families], order: Sequence[int]) -> float:
    """The score of the best graph in which all parents come before their children."""
    total = 0.0
    for place, v in enumerate(order):
        before = set(order[:place])
        total += max(
            (score for parents, score in pool[v].items() if parents <= before), default=-inf
        )
    return total


def moved(order: Sequence[int], v: int, place: int) -> list[int]:
    """The order with v at another place."""
    rest = [u for u in order if u != v]
    return [*rest[:place], v, *rest[place:]]
