"""One graph out of many: the edges that are more probable than not."""

import numpy as np
from numpy.typing import NDArray


def edges_above(probabilities: NDArray[np.float64], threshold: float) -> NDArray[np.bool_]:
    """The edges with a probability above ``threshold``, without those that close cycles.

    As long as there is a cycle, the least probable of all edges on cycles goes, of equals the
    first. An edge is on a cycle iff its ends are in one strongly connected component.
    """
    from scipy.sparse.csgraph import connected_components

    chosen = probabilities > threshold
    while True:
        _, component = connected_components(chosen, connection="strong")
        on_cycle = chosen & (component[:, None] == component[None, :])
        if not on_cycle.any():
            return chosen
        weakest = np.where(on_cycle, probabilities, np.inf).argmin()
        chosen.flat[weakest] = False
