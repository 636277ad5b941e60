"""The reference measure U of a prior: which pairs are listed together, and how they are counted."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.configurations import count_configurations
from pathprior.prior.listing import Listing

ENUMERABLE_NODES = 6
EXACT_BELIEF_NODES = 4


@dataclass(frozen=True, slots=True)
class CountSettings:
    """How the uninformative probabilities are obtained; the options of `count_configurations`."""

    method: str = "auto"
    num_samples: int = 10**6
    seed: int = 0


def list_parts(
    pairs: NDArray[np.int64], num_nodes: int, settings: CountSettings
) -> tuple[Listing, ...]:
    """List the configurations of all pairs together, or of each connected component on its own.

    Together where U can be listed exactly: n ≤ 6, or at most 4 belief nodes in all. Otherwise
    U = Π U_component (FACT, paper §5.1), an approximation for more than one component.
    """
    if len(pairs) == 0:
        return ()
    everything = tuple(range(len(pairs)))
    parts = [everything]
    is_small = num_nodes <= ENUMERABLE_NODES or len(np.unique(pairs)) <= EXACT_BELIEF_NODES
    if settings.method == "fact" or (settings.method == "auto" and not is_small):
        parts = connected_parts(pairs)
    return tuple(_list_part(pairs, columns, num_nodes, settings) for columns in parts)


def connected_parts(pairs: NDArray[np.int64]) -> list[tuple[int, ...]]:
    """Positions of the pairs of each connected component of the constraint graph (paper, §5.1)."""
    parts: list[tuple[set[int], list[int]]] = []
    for position, pair in enumerate(pairs.tolist()):
        nodes, members = set(pair), [position]
        apart = []
        for other_nodes, other_members in parts:
            if nodes & other_nodes:
                nodes |= other_nodes
                members = other_members + members
            else:
                apart.append((other_nodes, other_members))
        parts = [*apart, (nodes, members)]
    return sorted(tuple(sorted(members)) for _, members in parts)


def pair_probabilities(num_nodes: int) -> NDArray[np.float64]:
    """Uninformative probability of each relation of a single pair, by relation code."""
    counted = count_configurations([(0, 1)], num_nodes)
    probabilities = np.zeros(4)
    probabilities[counted.configurations[:, 0]] = counted.probabilities
    return probabilities


def _list_part(
    pairs: NDArray[np.int64], columns: tuple[int, ...], num_nodes: int, settings: CountSettings
) -> Listing:
    counted = count_configurations(
        [(int(i), int(j)) for i, j in pairs[list(columns)]],
        num_nodes,
        # within one component FACT and FULL are the same estimator
        method="full" if settings.method == "fact" else settings.method,
        num_samples=settings.num_samples,
        seed=settings.seed,
    )
    occurs = counted.probabilities > 0
    return Listing(
        columns=columns,
        configurations=np.ascontiguousarray(counted.configurations[occurs]),
        probabilities=counted.probabilities[occurs],
        is_exact=counted.is_exact,
    )
