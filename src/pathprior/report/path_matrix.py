"""The probability of x ⇒ y for all x and y, as pictures show it."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import Event

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior

MAX_NUMBERED = 15
"""Most variables for which every cell says its number."""


def path_matrix(posterior: "Posterior") -> NDArray[np.float64]:
    """Probability that variable i causes variable j at ``[i, j]``; NaN on the diagonal."""
    size, paths = len(posterior.variables), posterior.paths
    x, y = np.triu_indices(size, k=1)  # the order of its rows
    matrix = np.full((size, size), np.nan)
    matrix[x, y] = paths[Event.CAUSES.value]
    matrix[y, x] = paths[Event.CAUSED_BY.value]
    return matrix
