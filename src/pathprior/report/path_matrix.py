"""The probability of x ⇒ y for all x and y, as pictures show it."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import Event

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior

MAX_NUMBERED = 15
"""Most variables for which every cell says its number."""
MAX_NAMED = 60
"""Most variables whose names stand beside a map for the browser, in the order of the data."""
LINKED = 0.5
"""Probability of a path, either way, that brings two variables into one group."""


def path_matrix(posterior: "Posterior") -> NDArray[np.float64]:
    """Probability that variable i causes variable j at ``[i, j]``; NaN on the diagonal."""
    size, paths = len(posterior.variables), posterior.paths
    x, y = np.triu_indices(size, k=1)  # the order of its rows
    matrix = np.full((size, size), np.nan)
    matrix[x, y] = paths[Event.CAUSES.value]
    matrix[y, x] = paths[Event.CAUSED_BY.value]
    return matrix


def map_order(matrix: NDArray[np.float64]) -> NDArray[np.int64]:
    """The variables as a map has them: as in the data, `causal_order` beyond `MAX_NAMED`."""
    return np.arange(len(matrix)) if len(matrix) <= MAX_NAMED else causal_order(matrix)


def causal_order(matrix: NDArray[np.float64]) -> NDArray[np.int64]:
    """Variables that paths link beside each other, the largest group first; causes before effects.

    Within a group by how many more variables one causes than cause it, on average. What causes y in
    every graph stands before y, for it causes all that y does, and y besides.
    """
    from scipy.sparse.csgraph import connected_components

    paths = np.nan_to_num(matrix)
    _, group = connected_components(paths + paths.T >= LINKED)
    size = np.bincount(group)[group]
    surplus = paths.sum(axis=1) - paths.sum(axis=0)
    return np.lexsort((-surplus, group, -size))
