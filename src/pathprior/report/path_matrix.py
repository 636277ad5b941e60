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
    size = len(posterior.variables)
    place = {name: k for k, name in enumerate(posterior.variables)}
    paths = posterior.paths
    x, y = (paths[end].map(place).to_numpy(np.int64) for end in ("x", "y"))
    matrix = np.full((size, size), np.nan)
    matrix[x, y] = paths[Event.CAUSES.value]
    matrix[y, x] = paths[Event.CAUSED_BY.value]
    return matrix
