"""What a posterior answers with: estimates and weighted graphs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.dag import Dag
from pathprior.posterior.draws import Draws
from pathprior.posterior.settling import have_settled

MAX_GRAPHS = 1000
"""Most draws of chains that are made graphs of."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A posterior probability, or mean, with its Monte Carlo standard error.

    Attributes
    ----------
    value
        The probability.
    error
        Its standard error; 0 where every graph was weighed.
    r_hat
        How far chains differ: 1 if not at all, and at most 1.01 where they can be trusted.
    effective_samples
        How many independent graphs would have given the same error.
    """

    value: float
    error: float
    r_hat: float
    effective_samples: float

    @property
    def is_settled(self) -> bool:
        """Whether the chains agree on it so far that anything may be said of it."""
        return bool(have_settled(self.r_hat, self.effective_samples))


@dataclass(frozen=True, slots=True)
class WeightedGraph:
    """A graph, the share of the posterior that it stands for, and its score."""

    dag: Dag
    weight: float
    score: float


def weigh_graphs(draws: Draws, nodes: tuple[str, ...]) -> tuple[WeightedGraph, ...]:
    """Distinct graphs, those of most weight first, then those of highest score.

    All that are listed with their probability; of chains at most `MAX_GRAPHS` evenly spaced draws.
    """
    total = draws.scores.size
    kept = np.arange(total)
    if not draws.is_exact and total > MAX_GRAPHS:
        kept = np.linspace(0, total - 1, MAX_GRAPHS).round().astype(np.int64)
    first, group = find_distinct(draws.graphs[kept])
    weights = np.bincount(group, draws.weights[kept]).astype(np.float64)
    weights /= weights.sum()
    scores = draws.scores.ravel()[kept[first]]
    return tuple(
        WeightedGraph(draws.dag(int(kept[first[k]]), nodes), float(weights[k]), float(scores[k]))
        for k in np.lexsort((-scores, -weights))
    )


def spread(weights: NDArray[np.float64], number: int) -> NDArray[np.int64]:
    """Places of ``number`` graphs, each as often as its weight asks for, to within one."""
    marks = (np.arange(number) + 0.5) / number
    places = np.searchsorted(np.cumsum(weights), marks)
    return np.minimum(places, len(weights) - 1)


def find_distinct(graphs: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first place of each distinct graph, and which of them stands at each place."""
    rows = graphs.reshape(len(graphs), -1)
    _, first, group = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, group.ravel()
