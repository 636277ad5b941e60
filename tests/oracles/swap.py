"""The best member of a Markov equivalence class by listing them all."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tests.oracles.counting import Pairs
from tests.oracles.equivalence import class_members
from tests.oracles.graph import Edges, edge_matrix
from tests.oracles.prior import log_prior


def best_log_prior(
    edges: Edges,
    num_nodes: int,
    pairs: Pairs,
    log_weights: NDArray[np.float64],
    is_allowed: Callable[[Edges], bool] = lambda member: True,
) -> float:
    """Highest log prior over the members of the class of ``edges`` that are allowed."""
    return max(
        log_prior(edge_matrix(member, num_nodes), pairs, log_weights)
        for member in class_members(edges)
        if is_allowed(member)
    )
