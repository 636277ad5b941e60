"""Edges told from longer paths, from the definition: every DAG looked at."""

from collections.abc import Collection
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tests.oracles.counting import Pairs
from tests.oracles.graph import BoolMatrix, all_dags, relation

EDGE, EDGE_BACK = 4, 5


def tie(adjacency: BoolMatrix, x: int, y: int) -> int:
    """The edge of a pair, or else its relation."""
    if adjacency[x, y]:
        return EDGE
    return EDGE_BACK if adjacency[y, x] else relation(adjacency, x, y)


@cache
def listed_dags(num_nodes: int) -> tuple[BoolMatrix, ...]:
    """Every DAG."""
    return tuple(all_dags(num_nodes))


def tie_codes(pairs: Pairs, num_nodes: int, direct: Collection[int]) -> NDArray[np.int64]:
    """One row per DAG: ties of the pairs at ``direct``, relations of the others."""
    return np.array(
        [
            [(tie if k in direct else relation)(adjacency, x, y) for k, (x, y) in enumerate(pairs)]
            for adjacency in listed_dags(num_nodes)
        ]
    )


def base_weights(num_nodes: int, edge_odds: float) -> NDArray[np.float64]:
    """P₀ of every DAG."""
    edges = np.array([adjacency.sum() for adjacency in listed_dags(num_nodes)])
    weights = edge_odds**edges
    probabilities: NDArray[np.float64] = weights / weights.sum()
    return probabilities


def tie_shares(
    pairs: Pairs, num_nodes: int, direct: Collection[int], edge_odds: float
) -> dict[tuple[int, ...], float]:
    """U of every configuration that occurs."""
    shares: dict[tuple[int, ...], float] = {}
    weights = base_weights(num_nodes, edge_odds)
    for row, weight in zip(tie_codes(pairs, num_nodes, direct).tolist(), weights, strict=True):
        shares[tuple(row)] = shares.get(tuple(row), 0.0) + weight
    return shares


def random_weights(
    rng: np.random.Generator, num_pairs: int, scale: float = 1.0
) -> NDArray[np.float64]:
    """Normal weights by pair and tie; those of edges apart from those of paths half of the time."""
    weights = rng.normal(0.0, scale, (num_pairs, 6))
    is_apart = rng.random((num_pairs, 1)) < 0.5
    weights[:, 4:] = np.where(is_apart, weights[:, 4:], weights[:, :2])
    return weights


def widen(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of ties from those of relations."""
    return np.column_stack([weights, weights[:, :2]])
